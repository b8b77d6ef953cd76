/* SPDX-License-Identifier: MIT
 * VK_KHR_wayland_surface.
 * Spec: Window System Integration, "Wayland Platform". */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include "gen/icd_entrypoints.h"
#include "icd/wsi/surface.h"
#include "wsi/wayland.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateWaylandSurfaceKHR(VkInstance instance,
                                                           const VkWaylandSurfaceCreateInfoKHR *pCreateInfo,
                                                           const VkAllocationCallbacks *pAllocator,
                                                           VkSurfaceKHR *pSurface)
{
   struct wsi_surface *wsi = NULL;
   const VkResult result = wsi_wayland_create(pCreateInfo->display, pCreateInfo->surface, &wsi);
   return icd_surface_create(instance, pAllocator, result, wsi, pSurface);
}

/* Every compositor has wl_shm. */
VKAPI_ATTR VkBool32 VKAPI_CALL icd_GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice physicalDevice,
                                                                                  uint32_t queueFamilyIndex,
                                                                                  struct wl_display *display)
{
   return VK_TRUE;
}
