/* SPDX-License-Identifier: MIT
 * Surfaces: what is the same for all window systems. */
#include "wsi/surface.h"

#include "wsi/backend.h"

void wsi_surface_destroy(struct wsi_surface *surface)
{
   if (surface)
      surface->backend->destroy(surface);
}

VkResult wsi_surface_capabilities(struct wsi_surface *surface, struct wsi_capabilities *capabilities)
{
   return surface->backend->capabilities(surface, capabilities);
}

VkResult wsi_surface_formats(struct wsi_surface *surface, const VkSurfaceFormatKHR **formats, uint32_t *count)
{
   return surface->backend->formats(surface, formats, count);
}

uint32_t wsi_surface_present_modes(const struct wsi_surface *surface)
{
   return surface->backend->present_modes;
}

bool wsi_mode_is_shared(VkPresentModeKHR mode)
{
   return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR || mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}

/* Frames are copied as they are shown, so that no image stays with the window system: one would be enough for all. The
 * second lets the next frame be drawn meanwhile, and modes that replace frames need a third that never waits. */
uint32_t wsi_min_images(VkPresentModeKHR mode)
{
   if (wsi_mode_is_shared(mode))
      return 1;
   return mode == VK_PRESENT_MODE_MAILBOX_KHR || mode == VK_PRESENT_MODE_FIFO_LATEST_READY_EXT ? 3 : 2;
}

/* A mode is no more than a decision of the swapchain's thread; but shared ones have other images. */
uint32_t wsi_compatible_modes(const struct wsi_surface *surface, VkPresentModeKHR mode)
{
   const uint32_t modes = surface->backend->present_modes;
   return wsi_mode_is_shared(mode) ? modes & WSI_SHARED_MODES : modes & ~WSI_SHARED_MODES;
}
