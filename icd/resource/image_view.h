/* SPDX-License-Identifier: MIT
 * VkImageView. Spec: Resource Creation, "Image Views". Constant after creation. */
#pragma once

#include "abi/image.h"
#include "icd/resource/image.h"

struct icd_image_view {
   struct icd_object base;
   const struct icd_image *image;
   VkFormat format;
   /* Of what can be an attachment: colour, or the format's depth and stencil, whatever the view's aspect mask says. */
   VkImageAspectFlags attachment_aspects;
   VkExtent2D extent; /* of the base level, in texels of the image */
   uint32_t base_level, base_layer, num_layers;
   /* What descriptors point to: colour, else depth, else stencil. */
   struct abi_image sampled;
   /* What rendering writes: level 0 and all layers as a 2D array, no swizzle. [0] colour or depth, [1] stencil. */
   struct abi_image attachment[2];
   const struct abi_image *matched; /* of blocks: `sampled`, or that without its swizzle (abi/weights.h), which follows here */
   const struct abi_image *stored; /* of storage images: `sampled`, or what a slice leaves of it, which follows here */
};

/* What descriptors of such a view point to; `is_stored`: of a storage image. True: the view has a conversion, which it points to. */
bool icd_image_view_describe(const VkImageViewCreateInfo *info, bool is_stored, struct abi_image *view, struct abi_conversion *conversion);

/* The attachment of an aspect, or NULL for views without it or without the usage, and for NULL. */
static inline const struct abi_image *icd_image_view_attachment(const struct icd_image_view *view,
                                                                VkImageAspectFlagBits aspect)
{
   return view && view->attachment_aspects & aspect ? &view->attachment[aspect == VK_IMAGE_ASPECT_STENCIL_BIT] : NULL;
}
