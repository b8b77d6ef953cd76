/* SPDX-License-Identifier: MIT
 * Swapchains: images that go round between the application and a surface.
 * Spec: Window System Integration, "WSI Swapchain".
 *
 * The icd makes the images and knows how to read them; here they are indices. A thread of each swapchain waits until a
 * queued image is rendered, waits for its time, copies it to the window and gives it back: presenting blocks nobody,
 * and an image is free again as soon as it has been copied.
 * Threads: all functions are thread-safe, except that
 * destroying excludes everything else. */
#pragma once

#include "wsi/scale.h"
#include "wsi/surface.h"
#include "wsi/timing.h"

/* What the icd does for a swapchain; `data` is what came with them. Called by the swapchain's thread. */
struct wsi_ops {
   /* Waits until the image's rendering has got as far as `ticket`. VK_SUCCESS, VK_TIMEOUT, VK_ERROR_DEVICE_LOST. */
   VkResult (*wait_rendered)(void *data, uint32_t image, uint64_t ticket, uint64_t timeout_ns);
   /* Copies texels of the image, in its own format, to rows that are `pitch_bytes` apart. */
   void (*read)(void *data, uint32_t image, VkRect2D area, void *rows, size_t pitch_bytes);
   /* The image of a present request will not be read any more: signals `fence`, which is not NULL. */
   void (*released)(void *data, void *fence);
};

struct wsi_swapchain_info {
   struct wsi_surface *surface;
   struct wsi_swapchain *old; /* retired by this, even when creation fails; may be NULL */
   const struct wsi_ops *ops;
   void *data;
   VkFormat format;
   VkColorSpaceKHR color_space;
   VkExtent2D extent;
   uint32_t num_images;
   VkPresentModeKHR mode;
   VkCompositeAlphaFlagBitsKHR composite_alpha;
   struct wsi_scaling scaling; /* only where the surface can */
};

/* VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_SURFACE_LOST_KHR, VK_ERROR_NATIVE_WINDOW_IN_USE_KHR,
 * VK_ERROR_INITIALIZATION_FAILED. */
UTIL_MUST_CHECK VkResult wsi_swapchain_create(const struct wsi_swapchain_info *info, struct wsi_swapchain **swapchain);
/* No image can be acquired any more, and the surface may have another swapchain; NULL is ignored. */
void wsi_swapchain_retire(struct wsi_swapchain *swapchain);
/* Waits until queued images have been released; NULL is ignored. */
void wsi_swapchain_destroy(struct wsi_swapchain *swapchain);

/* Takes the image that has been free for longest. VK_SUCCESS or VK_SUBOPTIMAL_KHR, with an image; VK_NOT_READY (timeout
 * 0), VK_TIMEOUT, VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_SURFACE_LOST_KHR, VK_ERROR_DEVICE_LOST. */
UTIL_MUST_CHECK VkResult wsi_swapchain_acquire(struct wsi_swapchain *swapchain, uint64_t timeout_ns, uint32_t *image);

/* When a frame is to be shown. */
struct wsi_target_time {
   uint64_t ns;      /* not before this time of CLOCK_MONOTONIC; 0: as soon as possible */
   bool is_relative; /* not before so long after the frame before it */
   bool is_nearest;  /* or half a refresh earlier */
   bool is_for_fifo; /* other modes than those of fifo ignore it */
};

struct wsi_present {
   uint32_t image;
   uint64_t ticket;       /* for wsi_ops.wait_rendered */
   uint64_t id;           /* VK_KHR_present_id; 0: none */
   VkRect2D damage;       /* what has changed; an empty one: everything */
   VkPresentModeKHR mode; /* from now on; VK_PRESENT_MODE_MAX_ENUM_KHR: as it was */
   void *fence;           /* for wsi_ops.released; may be NULL */
   uint32_t timing_id;    /* VK_GOOGLE_display_timing, where has_timing */
   bool has_timing;
   struct wsi_target_time target_time;
   struct wsi_timing_request timing; /* VK_EXT_present_timing */
};

/* Queues an acquired image. The request counts whatever the result: VK_SUCCESS, VK_SUBOPTIMAL_KHR, or the error that
 * the swapchain is in, or WSI_TIMING_QUEUE_FULL, with which the image is released without being shown; in the latter case it
 * may be presented again instead of being acquired. An image that is the swapchain's is left alone. */
VkResult wsi_swapchain_present(struct wsi_swapchain *swapchain, const struct wsi_present *present);
/* Gives acquired images back without presenting them. */
void wsi_swapchain_release(struct wsi_swapchain *swapchain, const uint32_t *images, uint32_t count);
/* Waits until the request `id` or a later one has been shown or replaced. VK_SUCCESS, VK_TIMEOUT, or the swapchain's
 * error. */
UTIL_MUST_CHECK VkResult wsi_swapchain_wait(struct wsi_swapchain *swapchain, uint64_t id, uint64_t timeout_ns);
/* VK_SUCCESS, VK_SUBOPTIMAL_KHR or the error that the swapchain is in. */
VkResult wsi_swapchain_status(struct wsi_swapchain *swapchain);

/* Between two frames of the fifo modes. */
uint64_t wsi_swapchain_refresh_ns(const struct wsi_swapchain *swapchain);
/* Moves out up to *count records of shown frames that had timing, the oldest first; NULL only counts.
 * VK_INCOMPLETE if there are more. The latest 16 are kept. */
VkResult wsi_swapchain_past_timings(struct wsi_swapchain *swapchain, uint32_t *count,
                                    VkPastPresentationTimingGOOGLE *timings);
/* The queue of VK_EXT_present_timing, which has no room before: as in wsi/timing.h; `take` runs under the swapchain's lock. */
UTIL_MUST_CHECK VkResult wsi_swapchain_set_timing_queue(struct wsi_swapchain *swapchain, uint32_t max_count);
VkResult wsi_swapchain_take_timings(struct wsi_swapchain *swapchain, bool takes_any_order, uint32_t *count,
                                    void (*take)(void *data, uint32_t index, const struct wsi_timing *timing), void *data);
