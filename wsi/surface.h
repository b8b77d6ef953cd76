/* SPDX-License-Identifier: MIT
 * Surfaces: a window of some window system, or none, and what can be presented to it.
 * Spec: Window System Integration, "WSI Surface", "Surface Queries".
 * Threads: functions are thread-safe except wsi_surface_destroy(). */
#pragma once

#include "util/macros.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#define WSI_ANY_EXTENT UINT32_MAX /* "current extent": the swapchain decides */
/* Sets of modes: those of the core by their numbers, then those of extensions. */
#define WSI_MODE_BIT(mode)                                                                                                                  \
   (1u << ((mode) == VK_PRESENT_MODE_FIFO_LATEST_READY_EXT           ? 4                                                                    \
           : (mode) == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR     ? 5                                                                    \
           : (mode) == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR ? 6                                                                    \
                                                                     : (mode)))
#define WSI_SHARED_MODES                                                                                                                    \
   (WSI_MODE_BIT(VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR) | WSI_MODE_BIT(VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR))

struct wsi_backend;
struct wsi_swapchain;

struct wsi_surface {
   const struct wsi_backend *backend;
   _Atomic(struct wsi_swapchain *) swapchain; /* the one that is not retired, or NULL */
};

struct wsi_capabilities {
   VkExtent2D current_extent; /* WSI_ANY_EXTENT both: given by the swapchain */
   VkExtent2D min_extent, max_extent;
   VkCompositeAlphaFlagsKHR composite_alpha;
   bool can_scale; /* images of any size, in all modes of struct wsi_scaling */
};

/* Each creator returns VK_ERROR_OUT_OF_HOST_MEMORY where memory, or the window system's client library, is missing. */
UTIL_MUST_CHECK VkResult wsi_headless_create(struct wsi_surface **surface);
/* NULL is ignored. The surface has no swapchain any more. */
void wsi_surface_destroy(struct wsi_surface *surface);

/* VK_ERROR_SURFACE_LOST_KHR when the window is gone. */
UTIL_MUST_CHECK VkResult wsi_surface_capabilities(struct wsi_surface *surface, struct wsi_capabilities *capabilities);
/* What can be presented, the best first; the array is constant. VK_ERROR_SURFACE_LOST_KHR. */
UTIL_MUST_CHECK VkResult wsi_surface_formats(struct wsi_surface *surface, const VkSurfaceFormatKHR **formats,
                                             uint32_t *count);
/* A set of WSI_MODE_BIT(). */
uint32_t wsi_surface_present_modes(const struct wsi_surface *surface);
/* One image that the application goes on using while it is shown. */
bool wsi_mode_is_shared(VkPresentModeKHR mode);
/* The least number of images with which `mode` works as it should; of shared modes, the number. */
uint32_t wsi_min_images(VkPresentModeKHR mode);
/* The modes among which a swapchain made with `mode` may change. */
uint32_t wsi_compatible_modes(const struct wsi_surface *surface, VkPresentModeKHR mode);
