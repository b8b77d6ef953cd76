/* SPDX-License-Identifier: MIT
 * Copies between images and memory, and layout transitions, by the host.
 * Spec: Copy Commands, "Copying Data Between Images and Host Memory". Layouts mean nothing here. */
#include "gen/icd_entrypoints.h"
#include "icd/resource/image.h"
#include "icd/resource/image_range.h"
#include "runtime/instrument/texels.h"
#include "runtime/instrument/written.h"
#include "runtime/transfer/host_copy.h"
#include "util/debug.h"

static struct rt_host_region region_of(const struct icd_image *image, const VkImageSubresourceLayers *layers,
                                       VkOffset3D offset, VkExtent3D extent)
{
   return (struct rt_host_region){icd_image_layers(image, *layers), offset, extent};
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyMemoryToImage(VkDevice device, const VkCopyMemoryToImageInfo *pInfo)
{
   const struct icd_image *image = icd_image_from_handle(pInfo->dstImage);
   for (uint32_t i = 0; i < pInfo->regionCount; i++) {
      const VkMemoryToImageCopy *copy = &pInfo->pRegions[i];
      const struct rt_host_region region =
         region_of(image, &copy->imageSubresource, copy->imageOffset, copy->imageExtent);
      void *memory = (void *)copy->pHostPointer; /* only read */
      rt_written_box(&image->rt, &region.layers, region.offset, region.extent);
      if (pInfo->flags & VK_HOST_IMAGE_COPY_MEMCPY)
         rt_host_copy_bytes(&image->rt, &region, memory, true);
      else
         rt_host_copy_memory(&image->rt, &region, memory, copy->memoryRowLength, copy->memoryImageHeight, true);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyImageToMemory(VkDevice device, const VkCopyImageToMemoryInfo *pInfo)
{
   const struct icd_image *image = icd_image_from_handle(pInfo->srcImage);
   for (uint32_t i = 0; i < pInfo->regionCount; i++) {
      const VkImageToMemoryCopy *copy = &pInfo->pRegions[i];
      const struct rt_host_region region =
         region_of(image, &copy->imageSubresource, copy->imageOffset, copy->imageExtent);
      if (pInfo->flags & VK_HOST_IMAGE_COPY_MEMCPY)
         rt_host_copy_bytes(&image->rt, &region, copy->pHostPointer, false);
      else
         rt_host_copy_memory(&image->rt, &region, copy->pHostPointer, copy->memoryRowLength, copy->memoryImageHeight,
                             false);
   }
   return VK_SUCCESS;
}

/* The extent is the source's, in its texels: a destination with other blocks has as many blocks. */
static VkExtent3D extent_in(const struct icd_image *dst, const struct icd_image *src, VkExtent3D extent)
{
   const struct rt_format_info *from = rt_format_info(src->rt.format), *to = rt_format_info(dst->rt.format);
   extent.width = UTIL_DIV_ROUND_UP(extent.width, from->block_width) * to->block_width;
   extent.height = UTIL_DIV_ROUND_UP(extent.height, from->block_height) * to->block_height;
   extent.depth = UTIL_DIV_ROUND_UP(extent.depth, from->block_depth) * to->block_depth;
   return extent;
}

/* `uninit`: the shadows are copied, too. */
static VkResult carry_region(const struct icd_image *src, const struct rt_host_region *from, const struct icd_image *dst, const struct rt_host_region *to)
{
   struct rt_shadow_image in, out;
   if (!util_debug(UTIL_DEBUG_UNINIT))
      return VK_SUCCESS;
   if (!rt_shadow_image_init(&in, &src->rt) || !rt_shadow_image_init(&out, &dst->rt)) {
      rt_written_box(&dst->rt, &to->layers, to->offset, to->extent);
      return VK_SUCCESS;
   }
   const VkResult result = rt_host_copy_image(&in.image, from, &out.image, to);
   rt_shadow_image_changed(&dst->rt);
   return result;
}

static VkResult copy_region(const struct icd_image *src, const struct icd_image *dst, const VkImageCopy2 *copy)
{
   VkImageSubresourceLayers from_layers = copy->srcSubresource, to_layers = copy->dstSubresource;
   for (VkImageAspectFlags left = copy->srcSubresource.aspectMask; left; left &= left - 1) {
      const VkImageAspectFlags aspect = left & -left;
      /* Both aspects of a combined format at once; else the masks may name different ones. */
      if (copy->srcSubresource.aspectMask & (copy->srcSubresource.aspectMask - 1))
         to_layers.aspectMask = aspect;
      from_layers.aspectMask = aspect;
      const struct rt_host_region from = region_of(src, &from_layers, copy->srcOffset, copy->extent);
      const struct rt_host_region to =
         region_of(dst, &to_layers, copy->dstOffset, extent_in(dst, src, copy->extent));
      VkResult result = carry_region(src, &from, dst, &to);
      if (result == VK_SUCCESS)
         result = rt_host_copy_image(&src->rt, &from, &dst->rt, &to);
      if (result != VK_SUCCESS)
         return result;
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyImageToImage(VkDevice device, const VkCopyImageToImageInfo *pInfo)
{
   const struct icd_image *src = icd_image_from_handle(pInfo->srcImage), *dst = icd_image_from_handle(pInfo->dstImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < pInfo->regionCount && result == VK_SUCCESS; i++)
      result = copy_region(src, dst, &pInfo->pRegions[i]);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_TransitionImageLayout(VkDevice device, uint32_t transitionCount,
                                                         const VkHostImageLayoutTransitionInfo *pTransitions)
{
   return VK_SUCCESS;
}
