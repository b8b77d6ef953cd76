/* SPDX-License-Identifier: MIT
 * Swapchains: creation with their images, acquiring. */
#include "icd/wsi/swapchain.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/resource/image.h"
#include "icd/resource/image_flags.h"
#include "icd/sync/fence.h"
#include "icd/sync/semaphore.h"
#include "icd/wsi/surface.h"
#include "runtime/transfer/host_copy.h"
#include "util/size.h"

/* ---- what wsi/ calls ---- */

static VkResult wait_rendered(void *data, uint32_t image, uint64_t ticket, uint64_t timeout_ns)
{
   struct icd_swapchain *swapchain = data;
   const struct rt_wait wait = {&swapchain->images[image].rendered, ticket};
   return rt_timeline_wait(&wait, 1, false, timeout_ns);
}

static void read_rows(void *data, uint32_t image, VkRect2D area, void *rows, size_t pitch_bytes)
{
   const struct icd_swapchain *swapchain = data;
   const struct rt_image *rt = &icd_image_from_handle(swapchain->images[image].image)->rt;
   const struct rt_host_region region = {
      .layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
      .offset = {area.offset.x, area.offset.y, 0},
      .extent = {area.extent.width, area.extent.height, 1},
   };
   rt_host_copy_memory(rt, &region, rows, (uint32_t)(pitch_bytes / rt->planes[0].texel_bytes), 0, false);
}

static void released(void *data, void *fence)
{
   rt_timeline_signal(icd_fence_timeline(fence), 1);
}

static const struct wsi_ops ops = {
   .wait_rendered = wait_rendered,
   .read = read_rows,
   .released = released,
};

/* ---- images ---- */

static void finish_image(VkDevice device, const VkAllocationCallbacks *allocator, struct icd_swapchain_image *image)
{
   rt_timeline_finish(&image->rendered);
   icd_DestroyImage(device, image->image, allocator);
   icd_FreeMemory(device, image->memory, allocator);
}

static VkResult init_image(VkDevice device, const VkImageCreateInfo *info, const VkAllocationCallbacks *allocator,
                           struct icd_swapchain_image *image)
{
   VkMemoryRequirements requirements;
   VkResult result = rt_timeline_init(&image->rendered, 0);
   if (result != VK_SUCCESS)
      return result;
   result = icd_CreateImage(device, info, allocator, &image->image);
   if (result != VK_SUCCESS)
      goto finish;
   icd_GetImageMemoryRequirements(device, image->image, &requirements);
   const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = requirements.size,
   };
   result = icd_AllocateMemory(device, &allocate, allocator, &image->memory);
   if (result != VK_SUCCESS)
      goto finish;
   result = icd_BindImageMemory(device, image->image, image->memory, 0);

finish:
   if (result != VK_SUCCESS)
      finish_image(device, allocator, image);
   return result;
}

static VkImageCreateFlags image_flags(VkSwapchainCreateFlagsKHR flags)
{
   VkImageCreateFlags image = 0;
   if (flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR)
      image |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
   if (flags & VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR)
      image |= VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;
#ifdef VK_EXT_multisampled_render_to_swapchain
   if (flags & VK_SWAPCHAIN_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT)
      image |= VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
#endif
   return image;
}

/* On failure none is left. */
static VkResult init_images(struct icd_swapchain *swapchain, VkDevice device, const VkSwapchainCreateInfoKHR *info,
                            const VkAllocationCallbacks *allocator)
{
   const VkImageCreateInfo image_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .pNext = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO),
      .flags = image_flags(info->flags),
      .imageType = VK_IMAGE_TYPE_2D,
      .format = info->imageFormat,
      .extent = {info->imageExtent.width, info->imageExtent.height, 1},
      .mipLevels = 1,
      .arrayLayers = info->imageArrayLayers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = VK_IMAGE_TILING_OPTIMAL,
      .usage = icd_image_usage(info->pNext, info->imageUsage),
      .sharingMode = info->imageSharingMode,
      .queueFamilyIndexCount = info->queueFamilyIndexCount,
      .pQueueFamilyIndices = info->pQueueFamilyIndices,
      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
   };
   for (uint32_t i = 0; i < swapchain->num_images; i++) {
      const VkResult result = init_image(device, &image_info, allocator, &swapchain->images[i]);
      if (result != VK_SUCCESS) {
         while (i-- > 0)
            finish_image(device, allocator, &swapchain->images[i]);
         return result;
      }
   }
   return VK_SUCCESS;
}

/* ---- life ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSwapchainKHR(VkDevice _device, const VkSwapchainCreateInfoKHR *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkSwapchainKHR *pSwapchain)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_swapchain *old = icd_swapchain_from_handle(pCreateInfo->oldSwapchain);
   const VkSwapchainPresentScalingCreateInfoEXT *scaling =
      icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_SCALING_CREATE_INFO_EXT);
   const uint32_t least = wsi_min_images(pCreateInfo->presentMode);
   const uint32_t num_images = wsi_mode_is_shared(pCreateInfo->presentMode) ? least : UTIL_MAX(pCreateInfo->minImageCount, least);
   struct icd_swapchain *swapchain =
      icd_object_alloc(device, pAllocator, util_size_array(sizeof(*swapchain), num_images, sizeof(swapchain->images[0])),
                       VK_OBJECT_TYPE_SWAPCHAIN_KHR);
   if (!swapchain) {
      wsi_swapchain_retire(old ? old->wsi : NULL); /* even when creation fails */
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   swapchain->num_images = num_images;

   struct wsi_swapchain_info info = {
      .surface = icd_surface_from_handle(pCreateInfo->surface)->wsi,
      .old = old ? old->wsi : NULL,
      .ops = &ops,
      .data = swapchain,
      .format = pCreateInfo->imageFormat,
      .color_space = pCreateInfo->imageColorSpace,
      .extent = pCreateInfo->imageExtent,
      .num_images = num_images,
      .mode = pCreateInfo->presentMode,
      .composite_alpha = pCreateInfo->compositeAlpha,
   };
   if (scaling)
      info.scaling = (struct wsi_scaling){(VkPresentScalingFlagBitsEXT)scaling->scalingBehavior,
                                          (VkPresentGravityFlagBitsEXT)scaling->presentGravityX,
                                          (VkPresentGravityFlagBitsEXT)scaling->presentGravityY};
   VkResult result = wsi_swapchain_create(&info, &swapchain->wsi);
   if (result != VK_SUCCESS)
      goto free_swapchain;
   result = init_images(swapchain, _device, pCreateInfo, pAllocator);
   if (result != VK_SUCCESS)
      goto destroy_wsi;
   *pSwapchain = icd_swapchain_to_handle(swapchain);
   return VK_SUCCESS;

destroy_wsi:
   wsi_swapchain_destroy(swapchain->wsi);
free_swapchain:
   icd_object_free(device, pAllocator, swapchain);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySwapchainKHR(VkDevice device, VkSwapchainKHR _swapchain,
                                                   const VkAllocationCallbacks *pAllocator)
{
   struct icd_swapchain *swapchain = icd_swapchain_from_handle(_swapchain);
   if (!swapchain)
      return;
   wsi_swapchain_destroy(swapchain->wsi);
   for (uint32_t i = 0; i < swapchain->num_images; i++)
      finish_image(device, pAllocator, &swapchain->images[i]);
   icd_object_free(icd_device_from_handle(device), pAllocator, swapchain);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSwapchainImagesKHR(VkDevice device, VkSwapchainKHR _swapchain, uint32_t *pCount,
                                                         VkImage *pImages)
{
   const struct icd_swapchain *swapchain = icd_swapchain_from_handle(_swapchain);
   const uint32_t total = swapchain->num_images, room = pImages ? *pCount : 0;
   *pCount = pImages ? UTIL_MIN(room, total) : total;
   for (uint32_t i = 0; pImages && i < *pCount; i++)
      pImages[i] = swapchain->images[i].image;
   return pImages && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

struct rt_presented icd_swapchain_presented(const struct icd_swapchain *swapchain, uint32_t index)
{
   const struct rt_image *image = &icd_image_from_handle(swapchain->images[index].image)->rt;
   const uint64_t begin = (uintptr_t)image->planes[0].data;
   return (struct rt_presented){begin, begin + image->planes[0].layer_bytes * image->num_layers, index};
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSwapchainStatusKHR(VkDevice device, VkSwapchainKHR swapchain)
{
   return wsi_swapchain_status(icd_swapchain_from_handle(swapchain)->wsi);
}

/* ---- acquiring ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_AcquireNextImage2KHR(VkDevice _device, const VkAcquireNextImageInfoKHR *pInfo,
                                                        uint32_t *pImageIndex)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_semaphore *semaphore = icd_semaphore_from_handle(pInfo->semaphore);
   struct icd_fence *fence = icd_fence_from_handle(pInfo->fence);
   if (icd_device_status(device) != VK_SUCCESS)
      return VK_ERROR_DEVICE_LOST;
   const VkResult result =
      wsi_swapchain_acquire(icd_swapchain_from_handle(pInfo->swapchain)->wsi, pInfo->timeout, pImageIndex);
   if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR)
      return result;
   /* An image is given out when nobody uses it any more: there is nothing to wait for. */
   struct rt_wait signals[2];
   uint32_t count = 0;
   if (semaphore)
      signals[count++] = icd_semaphore_next_signal(semaphore, 0);
   if (fence)
      signals[count++] = (struct rt_wait){icd_fence_timeline(fence), 1};
   const struct rt_presented image = icd_swapchain_presented(icd_swapchain_from_handle(pInfo->swapchain), *pImageIndex);
   icd_instrument_acquired(device, &image, signals, count);
   for (uint32_t i = 0; i < count; i++)
      rt_timeline_signal(signals[i].timeline, signals[i].value);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AcquireNextImageKHR(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout,
                                                       VkSemaphore semaphore, VkFence fence, uint32_t *pImageIndex)
{
   const VkAcquireNextImageInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
      .swapchain = swapchain,
      .timeout = timeout,
      .semaphore = semaphore,
      .fence = fence,
      .deviceMask = 1,
   };
   return icd_AcquireNextImage2KHR(device, &info, pImageIndex);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ReleaseSwapchainImagesEXT(VkDevice device,
                                                             const VkReleaseSwapchainImagesInfoEXT *pReleaseInfo)
{
   wsi_swapchain_release(icd_swapchain_from_handle(pReleaseInfo->swapchain)->wsi, pReleaseInfo->pImageIndices,
                         pReleaseInfo->imageIndexCount);
   return VK_SUCCESS;
}

/* What the content was graded for; no window that we present to shows more than the standard range. */
VKAPI_ATTR void VKAPI_CALL icd_SetHdrMetadataEXT(VkDevice device, uint32_t swapchainCount, const VkSwapchainKHR *pSwapchains,
                                                 const VkHdrMetadataEXT *pMetadata)
{
}
