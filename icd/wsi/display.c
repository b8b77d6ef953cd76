/* SPDX-License-Identifier: MIT
 * VK_KHR_display and VK_KHR_get_display_properties2: there is no display that the driver could drive by itself, and so nothing that could be made from
 * one.
 * Spec: Window System Integration, "Presenting Directly to Display Devices". */
#include "gen/icd_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceDisplayPropertiesKHR(VkPhysicalDevice physicalDevice,
                                                                         uint32_t *pCount,
                                                                         VkDisplayPropertiesKHR *pProperties)
{
   *pCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceDisplayPlanePropertiesKHR(VkPhysicalDevice physicalDevice,
                                                                              uint32_t *pCount,
                                                                              VkDisplayPlanePropertiesKHR *pProperties)
{
   *pCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDisplayPlaneSupportedDisplaysKHR(VkPhysicalDevice physicalDevice,
                                                                       uint32_t planeIndex, uint32_t *pCount,
                                                                       VkDisplayKHR *pDisplays)
{
   *pCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDisplayModePropertiesKHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                                                               uint32_t *pCount,
                                                               VkDisplayModePropertiesKHR *pProperties)
{
   *pCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceDisplayProperties2KHR(VkPhysicalDevice physicalDevice,
                                                                          uint32_t *pCount,
                                                                          VkDisplayProperties2KHR *pProperties)
{
   *pCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceDisplayPlaneProperties2KHR(VkPhysicalDevice physicalDevice,
                                                                               uint32_t *pCount,
                                                                               VkDisplayPlaneProperties2KHR *pProperties)
{
   *pCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDisplayModeProperties2KHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                                                                uint32_t *pCount,
                                                                VkDisplayModeProperties2KHR *pProperties)
{
   *pCount = 0;
   return VK_SUCCESS;
}

/* These need a handle that nobody can have. */

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDisplayModeKHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                                                        const VkDisplayModeCreateInfoKHR *pCreateInfo,
                                                        const VkAllocationCallbacks *pAllocator,
                                                        VkDisplayModeKHR *pMode)
{
   return VK_ERROR_INITIALIZATION_FAILED;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDisplayPlaneCapabilitiesKHR(VkPhysicalDevice physicalDevice,
                                                                  VkDisplayModeKHR mode, uint32_t planeIndex,
                                                                  VkDisplayPlaneCapabilitiesKHR *pCapabilities)
{
   *pCapabilities = (VkDisplayPlaneCapabilitiesKHR){0};
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDisplayPlaneCapabilities2KHR(VkPhysicalDevice physicalDevice,
                                                                   const VkDisplayPlaneInfo2KHR *pDisplayPlaneInfo,
                                                                   VkDisplayPlaneCapabilities2KHR *pCapabilities)
{
   pCapabilities->capabilities = (VkDisplayPlaneCapabilitiesKHR){0};
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDisplayPlaneSurfaceKHR(VkInstance instance,
                                                                const VkDisplaySurfaceCreateInfoKHR *pCreateInfo,
                                                                const VkAllocationCallbacks *pAllocator,
                                                                VkSurfaceKHR *pSurface)
{
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}
