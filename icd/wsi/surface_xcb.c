/* SPDX-License-Identifier: MIT
 * VK_KHR_xcb_surface.
 * Spec: Window System Integration, "XCB Platform". */
#define VK_USE_PLATFORM_XCB_KHR
#include "gen/icd_entrypoints.h"
#include "icd/wsi/surface.h"
#include "wsi/x11_xcb.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateXcbSurfaceKHR(VkInstance instance,
                                                       const VkXcbSurfaceCreateInfoKHR *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   struct wsi_surface *wsi = NULL;
   const VkResult result = wsi_xcb_create(pCreateInfo->connection, pCreateInfo->window, &wsi);
   return icd_surface_create(instance, pAllocator, result, wsi, pSurface);
}

VKAPI_ATTR VkBool32 VKAPI_CALL icd_GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice physicalDevice,
                                                                              uint32_t queueFamilyIndex,
                                                                              xcb_connection_t *connection,
                                                                              xcb_visualid_t visual_id)
{
   return wsi_xcb_is_visual_supported(connection, visual_id);
}
