/* SPDX-License-Identifier: MIT */
#include "icd/resource/image_range.h"

#include "icd/resource/image.h"
#include "util/macros.h"

VkImageSubresourceRange icd_image_range(const struct icd_image *image, const VkImageSubresourceRange *range)
{
   VkImageSubresourceRange out = *range;
   if (out.levelCount == VK_REMAINING_MIP_LEVELS)
      out.levelCount = image->rt.num_levels - out.baseMipLevel;
   if (out.layerCount == VK_REMAINING_ARRAY_LAYERS) {
      /* A 2D view of a 3D image counts the slices of its level as layers. */
      const uint32_t slices = image->rt.type == VK_IMAGE_TYPE_3D
                                 ? UTIL_MAX(image->rt.extent.depth >> out.baseMipLevel, 1)
                                 : image->rt.num_layers;
      out.layerCount = slices - out.baseArrayLayer;
   }
   return out;
}

VkImageSubresourceLayers icd_image_layers(const struct icd_image *image, VkImageSubresourceLayers layers)
{
   if (layers.layerCount == VK_REMAINING_ARRAY_LAYERS)
      layers.layerCount = image->rt.num_layers - layers.baseArrayLayer;
   return layers;
}
