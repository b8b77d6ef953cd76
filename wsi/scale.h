/* SPDX-License-Identifier: MIT
 * Images on windows of another size: where they land, and how pixels get there.
 * Spec: VkPresentScalingFlagBitsEXT, VkPresentGravityFlagBitsEXT. Threads: pure functions. */
#pragma once

#include "util/macros.h"

#include <vulkan/vulkan_core.h>

struct wsi_scaling {
   VkPresentScalingFlagBitsEXT mode; /* 0: none is asked for */
   VkPresentGravityFlagBitsEXT gravity_x, gravity_y;
};

/* Where on a window an image is shown; without scaling it may reach beyond the window. */
VkRect2D wsi_scale_rect(const struct wsi_scaling *scaling, VkExtent2D image, VkExtent2D window);

/* Rows of pixels of 2 or 4 bytes. */
struct wsi_rows {
   void *data;
   VkExtent2D extent;
   size_t pitch_bytes;
};

/* Fills a window with an image at `rect`, each pixel from the nearest texel, and black around. */
void wsi_scale(const struct wsi_rows *image, VkRect2D rect, const struct wsi_rows *window, uint32_t pixel_bytes);
