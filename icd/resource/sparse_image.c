/* SPDX-License-Identifier: MIT
 * Queries of sparse images: what formats can, requirements of images. Spec: Sparse Resources, "Sparse Resource API". */
#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"
#include "icd/resource/image.h"
#include "icd/resource/image_flags.h"
#include "icd/resource/sparse_format.h"

/* ---- formats ---- */

static uint32_t num_properties(VkPhysicalDevice physical_device, const VkPhysicalDeviceSparseImageFormatInfo2 *info)
{
   const struct icd_features *features = &icd_physical_device_from_handle(physical_device)->features;
   const VkPhysicalDeviceImageFormatInfo2 image = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
      .format = info->format,
      .type = info->type,
      .tiling = info->tiling,
      .usage = icd_image_usage(info->pNext, info->usage),
      .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
   };
   VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
   if (!icd_sparse_is_supported(features, info->format, info->type, (VkSampleCountFlags)info->samples, info->tiling) ||
       icd_GetPhysicalDeviceImageFormatProperties2(physical_device, &image, &properties) != VK_SUCCESS ||
       !(properties.imageFormatProperties.sampleCounts & info->samples))
      return 0;
   return rt_format_info(info->format)->num_planes;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceSparseImageFormatProperties2(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceSparseImageFormatInfo2 *pFormatInfo, uint32_t *pPropertyCount,
   VkSparseImageFormatProperties2 *pProperties)
{
   const uint32_t total = num_properties(physicalDevice, pFormatInfo);
   *pPropertyCount = pProperties ? UTIL_MIN(*pPropertyCount, total) : total;
   for (uint32_t i = 0; pProperties && i < *pPropertyCount; i++)
      pProperties[i].properties =
         icd_sparse_plane_properties(rt_format_info(pFormatInfo->format), i, pFormatInfo->type, (uint32_t)pFormatInfo->samples);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceSparseImageFormatProperties(
   VkPhysicalDevice physicalDevice, VkFormat format, VkImageType type, VkSampleCountFlagBits samples,
   VkImageUsageFlags usage, VkImageTiling tiling, uint32_t *pPropertyCount, VkSparseImageFormatProperties *pProperties)
{
   const VkPhysicalDeviceSparseImageFormatInfo2 info = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SPARSE_IMAGE_FORMAT_INFO_2, NULL, format, type, samples, usage, tiling};
   const uint32_t total = num_properties(physicalDevice, &info);
   *pPropertyCount = pProperties ? UTIL_MIN(*pPropertyCount, total) : total;
   for (uint32_t i = 0; pProperties && i < *pPropertyCount; i++)
      pProperties[i] = icd_sparse_plane_properties(rt_format_info(format), i, type, (uint32_t)samples);
}

/* ---- images ---- */

static VkSparseImageMemoryRequirements plane_requirements(const struct rt_image *image, uint32_t index)
{
   const struct rt_plane *plane = &image->planes[index];
   return (VkSparseImageMemoryRequirements){
      .formatProperties = icd_sparse_plane_properties(image->info, index, image->type, image->num_samples),
      .imageMipTailFirstLod = plane->tail_first_level,
      .imageMipTailSize = plane->tail_bytes,
      .imageMipTailOffset = plane->tail_bytes ? plane->offset_bytes + plane->tail_offset_bytes : 0,
      .imageMipTailStride = plane->tail_bytes ? plane->layer_bytes : 0,
   };
}

static uint32_t num_requirements(const struct rt_image *image)
{
   return image->planes[0].sparse_block.width ? image->num_planes : 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSparseMemoryRequirements(VkDevice device, VkImage handle, uint32_t *pCount,
                                                                VkSparseImageMemoryRequirements *pRequirements)
{
   const struct rt_image *image = &icd_image_from_handle(handle)->rt;
   const uint32_t total = num_requirements(image);
   *pCount = pRequirements ? UTIL_MIN(*pCount, total) : total;
   for (uint32_t i = 0; pRequirements && i < *pCount; i++)
      pRequirements[i] = plane_requirements(image, i);
}

static void requirements_2(const struct rt_image *image, uint32_t *count, VkSparseImageMemoryRequirements2 *requirements)
{
   const uint32_t total = num_requirements(image);
   *count = requirements ? UTIL_MIN(*count, total) : total;
   for (uint32_t i = 0; requirements && i < *count; i++)
      requirements[i].memoryRequirements = plane_requirements(image, i);
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSparseMemoryRequirements2(VkDevice device,
                                                                 const VkImageSparseMemoryRequirementsInfo2 *pInfo,
                                                                 uint32_t *pCount,
                                                                 VkSparseImageMemoryRequirements2 *pRequirements)
{
   requirements_2(&icd_image_from_handle(pInfo->image)->rt, pCount, pRequirements);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceImageSparseMemoryRequirements(VkDevice device,
                                                                      const VkDeviceImageMemoryRequirements *pInfo,
                                                                      uint32_t *pCount,
                                                                      VkSparseImageMemoryRequirements2 *pRequirements)
{
   struct rt_image image = {0};
   if (icd_image_layout(icd_device_from_handle(device), pInfo->pCreateInfo, &image) == VK_SUCCESS)
      requirements_2(&image, pCount, pRequirements);
   else
      *pCount = 0;
}
