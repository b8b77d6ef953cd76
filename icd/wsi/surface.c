/* SPDX-License-Identifier: MIT
 * Surfaces: making and destroying them; the one that needs no window system. */
#include "icd/wsi/surface.h"

#include "gen/icd_entrypoints.h"
#include "icd/instance/instance.h"

static const VkAllocationCallbacks *choose_allocator(VkInstance instance, const VkAllocationCallbacks *allocator)
{
   return allocator ? allocator : icd_instance_from_handle(instance)->allocator;
}

VkResult icd_surface_create(VkInstance instance, const VkAllocationCallbacks *allocator, VkResult result,
                            struct wsi_surface *wsi, VkSurfaceKHR *surface_out)
{
   if (result != VK_SUCCESS)
      return result;
   struct icd_surface *surface = util_zalloc(choose_allocator(instance, allocator), sizeof(*surface), 16,
                                             VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   if (!surface) {
      wsi_surface_destroy(wsi);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   icd_object_init(&surface->base, NULL, VK_OBJECT_TYPE_SURFACE_KHR);
   surface->wsi = wsi;
   *surface_out = icd_surface_to_handle(surface);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateHeadlessSurfaceEXT(VkInstance instance,
                                                            const VkHeadlessSurfaceCreateInfoEXT *pCreateInfo,
                                                            const VkAllocationCallbacks *pAllocator,
                                                            VkSurfaceKHR *pSurface)
{
   struct wsi_surface *wsi = NULL;
   const VkResult result = wsi_headless_create(&wsi);
   return icd_surface_create(instance, pAllocator, result, wsi, pSurface);
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySurfaceKHR(VkInstance instance, VkSurfaceKHR _surface,
                                                 const VkAllocationCallbacks *pAllocator)
{
   struct icd_surface *surface = icd_surface_from_handle(_surface);
   if (!surface)
      return;
   wsi_surface_destroy(surface->wsi);
   icd_object_finish(&surface->base);
   util_free(choose_allocator(instance, pAllocator), surface);
}
