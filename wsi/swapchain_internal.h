/* SPDX-License-Identifier: MIT
 * A swapchain as its entry points (swapchain.c) and its thread (presenter.c) share it. */
#pragma once

#include "util/list.h"
#include "util/thread.h"
#include "wsi/backend.h"

struct wsi_dump;

enum {
   WSI_NUM_TIMINGS = 16,
   WSI_NUM_SHARED_REQUESTS = 4, /* for a shared image that are queued at once: one more waits until one is released */
};

/* Refused: the queue of timings had no room. Such an image is queued until it is rendered, and then free, without being shown;
 * until it is acquired the application may present it again nevertheless. */
enum wsi_image_state { WSI_IMAGE_FREE, WSI_IMAGE_ACQUIRED, WSI_IMAGE_QUEUED, WSI_IMAGE_REFUSED };

struct wsi_request {
   struct wsi_present present;
   uint64_t timing_serial; /* of its record; 0: none */
   bool is_refused;
};

struct wsi_image {
   struct util_list link; /* in `available` or `queued`; alone while acquired and while being shown */
   enum wsi_image_state state;
   bool was_refused;           /* since it was acquired */
   struct wsi_request request; /* of a queued image */
   struct wsi_request again;   /* follows that, which was refused; where has_again */
   bool has_again;
};

struct wsi_swapchain {
   const struct wsi_ops *ops;
   void *data;
   struct wsi_surface *surface;
   struct wsi_target *target;
   struct wsi_dump *dump; /* NULL: none */
   VkFormat format;
   VkColorSpaceKHR color_space;
   VkExtent2D extent;
   pthread_t thread;

   pthread_mutex_t lock;
   /* Under lock: */
   pthread_cond_t queued_changed; /* for the thread: a request, retired, quitting */
   pthread_cond_t shown_changed;  /* for the application: a free image, a presented id, an error */
   struct util_list available, queued; /* struct wsi_image: in the order of release, of requests */
   VkResult status;                    /* VK_SUCCESS, VK_SUBOPTIMAL_KHR, or an error that stays */
   VkPresentModeKHR mode;
   bool is_retired, is_quitting; /* frames are shown as soon as they are rendered */
   uint64_t presented_id;
   VkPastPresentationTimingGOOGLE timings[WSI_NUM_TIMINGS];
   uint32_t num_timings;
   struct wsi_timing_queue timing_queue;

   bool is_shared;            /* requests are for one image, which stays acquired, and each has an element of `images` while it is queued */
   bool is_shared_acquired;   /* under lock */
   uint32_t num_images;       /* elements */
   struct wsi_image images[];
};

/* Puts a request for the image, which is in no list, at the end of the queue. Under the lock. */
static inline void wsi_enqueue(struct wsi_swapchain *swapchain, struct wsi_image *image, const struct wsi_request *request)
{
   image->request = *request;
   image->state = request->is_refused ? WSI_IMAGE_REFUSED : WSI_IMAGE_QUEUED;
   image->was_refused = request->is_refused;
   util_list_add_before(&image->link, &swapchain->queued);
   if (!request->is_refused && request->present.mode != VK_PRESENT_MODE_MAX_ENUM_KHR)
      swapchain->mode = request->present.mode;
}

static inline VkResult wsi_status(struct wsi_swapchain *swapchain)
{
   pthread_mutex_lock(&swapchain->lock);
   const VkResult result = swapchain->status;
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

/* The thread; `arg` is the swapchain. Ends after is_quitting, when nothing is queued any more. */
void *wsi_presenter_main(void *arg);
