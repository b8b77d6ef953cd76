/* SPDX-License-Identifier: MIT
 * VkSwapchainKHR: a swapchain of wsi/ and its images, which are images of the driver with memory of their own.
 * Spec: Window System Integration, "WSI Swapchain". */
#pragma once

#include "icd/object.h"
#include "runtime/sync/sync.h"
#include "wsi/swapchain.h"

struct icd_swapchain_image {
   VkImage image;
   VkDeviceMemory memory; /* an application may bind images of its own to it */
   struct rt_timeline rendered; /* counts presents whose waits are over */
   uint64_t num_presents;       /* queued so far */
};

struct icd_swapchain {
   struct icd_object base;
   struct wsi_swapchain *wsi;
   uint32_t num_images;
   struct icd_swapchain_image images[];
};

/* For the check `sync`. */
struct rt_presented icd_swapchain_presented(const struct icd_swapchain *swapchain, uint32_t index);
