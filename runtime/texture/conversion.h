/* SPDX-License-Identifier: MIT
 * Sampler Y'CbCr conversions: what they say, and the views that are sampled with them.
 * Spec: Samplers, "Sampler Y'CbCr Conversion". */
#pragma once

#include "runtime/image/image.h"

struct rt_conversion {
   VkFormat format;
   VkSamplerYcbcrModelConversion model;
   VkSamplerYcbcrRange range;
   VkComponentMapping components;
   VkChromaLocation x_offset, y_offset;
   VkFilter chroma_filter;
   bool is_explicit;
};

/* Makes `view`, which is one of `image` with `range` (counts resolved), sampled with the conversion, of which what the
 * view needs is put into `out`: it must live as long as the view. */
void rt_image_view_convert(struct abi_image *view, struct abi_conversion *out, const struct rt_image *image,
                           VkImageViewType type, VkFormat format, const VkImageSubresourceRange *range,
                           const struct rt_conversion *conversion);
