/* SPDX-License-Identifier: MIT
 * What a window system implements: queries of a surface, and a target that shows the frames of one swapchain.
 * Threads: surface functions from any thread; a target is used by its swapchain's thread only, but for interrupt(). */
#pragma once

#include "wsi/pixels.h"
#include "wsi/swapchain.h"

struct wsi_target {
   uint64_t refresh_ns; /* between two frames of the fifo modes */
   bool has_own_rhythm; /* show() keeps frames apart as the mode asks; else the swapchain's thread does */
};

struct wsi_target_info {
   VkFormat format;
   VkExtent2D extent;
   VkCompositeAlphaFlagBitsKHR composite_alpha;
   struct wsi_scaling scaling;
};

struct wsi_frame {
   const struct wsi_swapchain *swapchain;
   uint32_t image;
   VkRect2D damage; /* what has changed since the frame shown before; within the image, not empty */
   VkPresentModeKHR mode;
};

struct wsi_backend {
   void (*destroy)(struct wsi_surface *surface);
   VkResult (*capabilities)(struct wsi_surface *surface, struct wsi_capabilities *capabilities);
   VkResult (*formats)(struct wsi_surface *surface, const VkSurfaceFormatKHR **formats, uint32_t *count);
   uint32_t present_modes; /* WSI_MODE_BIT() */

   VkResult (*target_create)(struct wsi_surface *surface, const struct wsi_target_info *info,
                             struct wsi_target **target);
   void (*target_destroy)(struct wsi_target *target);
   /* Shows a frame, or hands it to the window system; may wait for its buffers. VK_SUCCESS, VK_SUBOPTIMAL_KHR,
    * VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_SURFACE_LOST_KHR, VK_ERROR_OUT_OF_HOST_MEMORY. */
   VkResult (*show)(struct wsi_target *target, const struct wsi_frame *frame);
   /* Ends a wait in show(), now or later: the swapchain is retired or destroyed. May be NULL. */
   void (*interrupt)(struct wsi_target *target);
};

/* Copies an area of the frame to rows of a window's layout: the one copy that presenting costs. `rows` is where the
 * area's first texel goes. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult wsi_frame_read(const struct wsi_frame *frame, VkRect2D area, const struct wsi_pixel *pixel,
                                        void *rows, size_t pitch_bytes);
