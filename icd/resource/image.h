/* SPDX-License-Identifier: MIT
 * VkImage. Spec: Resource Creation, "Images"; Resource Memory Association. */
#pragma once

#include "icd/object.h"
#include "runtime/image/image.h"
#include "runtime/sparse.h"

/* DRM_FORMAT_MOD_LINEAR: rows of texels, planes apart. */
#define ICD_MODIFIER_LINEAR UINT64_C(0)

struct icd_image {
   struct icd_object base;
   VkImageCreateFlags flags;
   VkImageTiling tiling;
   VkImageUsageFlags usage;
   VkImageUsageFlags stencil_usage; /* of the stencil aspect; equals `usage` unless given apart */
   struct icd_kept_view *kept_views; /* that descriptors point to: descriptor/kept_views.h */
   struct rt_sparse *sparse; /* NULL: memory is bound once */
   struct rt_image rt;
};

/* Where its texels are, without memory yet. VK_ERROR_OUT_OF_DEVICE_MEMORY. */
UTIL_MUST_CHECK VkResult icd_image_layout(struct icd_device *device, const VkImageCreateInfo *info, struct rt_image *rt);

/* No image is compressed, whatever is asked for. */
static inline void icd_image_compression_answer(VkImageCompressionPropertiesEXT *properties)
{
   properties->imageCompressionFlags = VK_IMAGE_COMPRESSION_DISABLED_EXT;
   properties->imageCompressionFixedRateFlags = VK_IMAGE_COMPRESSION_FIXED_RATE_NONE_EXT;
}
