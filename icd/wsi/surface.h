/* SPDX-License-Identifier: MIT
 * VkSurfaceKHR: a surface of wsi/.
 * Spec: Window System Integration, "WSI Surface". */
#pragma once

#include "icd/object.h"
#include "wsi/surface.h"

struct icd_surface {
   struct icd_object base;
   struct wsi_surface *wsi;
};

/* Makes the object for `wsi`, which belongs to it from now on, even on failure. `result` is that of making `wsi`, and
 * is returned unless it is VK_SUCCESS. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_surface_create(VkInstance instance, const VkAllocationCallbacks *allocator,
                                            VkResult result, struct wsi_surface *wsi, VkSurfaceKHR *surface);
