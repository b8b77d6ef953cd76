/* SPDX-License-Identifier: MIT
 * VkSwapchainKHR: a swapchain of wsi/ and its images, which are images of the driver with memory of their own.
 * Spec: Window System Integration, "WSI Swapchain". */
#pragma once

#include "icd/object.h"
#include "runtime/sync/sync.h"
#include "wsi/swapchain.h"

struct icd_swapchain_image {
   VkImage image;
   VkDeviceMemory memory;
   struct rt_timeline rendered; /* counts presents whose waits are over */
   uint64_t num_presents;       /* queued so far */
};

struct icd_swapchain {
   struct icd_object base;
   struct wsi_swapchain *wsi;
   uint32_t num_images;
   struct icd_swapchain_image images[];
};

/* The memory of an image: an application may bind images of its own to it. */
VkDeviceMemory icd_swapchain_image_memory(VkSwapchainKHR swapchain, uint32_t index);

/* Copies an area of level 0, layer 0 of a colour image to rows. The image's format has no blocks. */
void icd_image_read_rows(const struct icd_image *image, VkRect2D area, void *rows, size_t pitch_bytes);
