/* SPDX-License-Identifier: MIT
 * VK_KHR_xlib_surface.
 * Spec: Window System Integration, "Xlib Platform". */
#define VK_USE_PLATFORM_XLIB_KHR
#include "gen/icd_entrypoints.h"
#include "icd/wsi/surface.h"
#include "wsi/x11_xlib.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateXlibSurfaceKHR(VkInstance instance,
                                                        const VkXlibSurfaceCreateInfoKHR *pCreateInfo,
                                                        const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   struct wsi_surface *wsi = NULL;
   const VkResult result = wsi_xlib_create(pCreateInfo->dpy, pCreateInfo->window, &wsi);
   return icd_surface_create(instance, pAllocator, result, wsi, pSurface);
}

VKAPI_ATTR VkBool32 VKAPI_CALL icd_GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice physicalDevice,
                                                                               uint32_t queueFamilyIndex, Display *dpy,
                                                                               VisualID visualID)
{
   return wsi_xlib_is_visual_supported(dpy, visualID);
}
