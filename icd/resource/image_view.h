/* SPDX-License-Identifier: MIT
 * VkImageView. Spec: Resource Creation, "Image Views". Constant after creation. */
#pragma once

#include "abi/image.h"
#include "icd/resource/image.h"

struct icd_image_view {
   struct icd_object base;
   const struct icd_image *image;
   VkFormat format;
   VkImageAspectFlags aspects;
   VkExtent2D extent; /* of the base level, in texels of the image */
   uint32_t num_layers;
   /* What descriptors point to: colour, else depth, else stencil. */
   struct abi_image sampled;
   /* What rendering writes: level 0 and all layers as a 2D array, no swizzle. [0] colour or depth, [1] stencil; data is
    * NULL where the view lacks the aspect or the image the usage. */
   struct abi_image attachment[2];
};

/* The attachment of an aspect, or NULL for views without it and for NULL. */
static inline const struct abi_image *icd_image_view_attachment(const struct icd_image_view *view,
                                                                VkImageAspectFlagBits aspect)
{
   return view && view->aspects & aspect ? &view->attachment[aspect == VK_IMAGE_ASPECT_STENCIL_BIT] : NULL;
}
