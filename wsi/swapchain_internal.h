/* SPDX-License-Identifier: MIT
 * A swapchain as its entry points (swapchain.c) and its thread (presenter.c) share it. */
#pragma once

#include "util/list.h"
#include "util/thread.h"
#include "wsi/backend.h"

struct wsi_dump;

enum { WSI_NUM_TIMINGS = 16 };

enum wsi_image_state { WSI_IMAGE_FREE, WSI_IMAGE_ACQUIRED, WSI_IMAGE_QUEUED };

struct wsi_image {
   struct util_list link; /* in `available` or `queued`; alone while acquired and while being shown */
   enum wsi_image_state state;
   struct wsi_present present; /* of a queued image */
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

   uint32_t num_images;
   struct wsi_image images[];
};

static inline VkResult wsi_status(struct wsi_swapchain *swapchain)
{
   pthread_mutex_lock(&swapchain->lock);
   const VkResult result = swapchain->status;
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

/* The thread; `arg` is the swapchain. Ends after is_quitting, when nothing is queued any more. */
void *wsi_presenter_main(void *arg);
