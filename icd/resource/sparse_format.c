/* SPDX-License-Identifier: MIT */
#include "icd/resource/sparse_format.h"

#include "runtime/image/sparse_blocks.h"

static bool samples_are_supported(const struct icd_features *features, VkSampleCountFlags samples)
{
   switch (samples) {
   case VK_SAMPLE_COUNT_1_BIT: return true;
   case VK_SAMPLE_COUNT_2_BIT: return features->sparseResidency2Samples;
   case VK_SAMPLE_COUNT_4_BIT: return features->sparseResidency4Samples;
   case VK_SAMPLE_COUNT_8_BIT: return features->sparseResidency8Samples;
   case VK_SAMPLE_COUNT_16_BIT: return features->sparseResidency16Samples;
   default: return false;
   }
}

/* The formats of an image's planes, of which it has as many; each has an aspect of its own. */
static VkFormat plane_format(const struct rt_format_info *info, uint32_t plane, VkImageAspectFlags *aspect)
{
   if (info->num_planes == 1) {
      *aspect = info->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : info->is_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
      return info->format;
   }
   if (info->is_depth)
      *aspect = plane == 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
   else
      *aspect = (VkImageAspectFlags)VK_IMAGE_ASPECT_PLANE_0_BIT << plane;
   return info->parts[plane].format;
}

VkSparseImageFormatProperties icd_sparse_plane_properties(const struct rt_format_info *info, uint32_t plane, VkImageType type,
                                                          uint32_t num_samples)
{
   VkSparseImageFormatProperties properties = {0};
   const VkFormat format = plane_format(info, plane, &properties.aspectMask);
   const struct rt_format_info *plane_info = rt_format_info(format);
   properties.imageGranularity = rt_sparse_granularity(plane_info, type, num_samples);
   /* Those of three dimensions have shapes of our own. */
   if (type == VK_IMAGE_TYPE_3D && properties.imageGranularity.depth > 1)
      properties.flags = VK_SPARSE_IMAGE_FORMAT_NONSTANDARD_BLOCK_SIZE_BIT;
   return properties;
}

/* dEQP-VK.sparse_resources.shader_intrinsics.*_sample_* wants bits back that samples of these formats do not have. */
static bool has_unused_bits(const struct rt_format_info *info)
{
   const uint32_t bits = info->channels[0].bits;
   return info->num_planes == 1 && info->texel_bytes == 2 * info->num_channels && (bits == 10 || bits == 12);
}

bool icd_sparse_is_supported(const struct icd_features *features, VkFormat format, VkImageType type, VkSampleCountFlags samples,
                             VkImageTiling tiling)
{
   const struct rt_format_info *info = rt_format_info(format);
   const bool has_type = type == VK_IMAGE_TYPE_2D ? features->sparseResidencyImage2D : features->sparseResidencyImage3D;
   if (tiling != VK_IMAGE_TILING_OPTIMAL || !has_type || !samples_are_supported(features, samples) ||
       !rt_format_image_features(format, tiling) || has_unused_bits(info))
      return false;
   for (uint32_t plane = 0; plane < info->num_planes; plane++) {
      if (!icd_sparse_plane_properties(info, plane, type, samples).imageGranularity.width)
         return false;
   }
   return true;
}
