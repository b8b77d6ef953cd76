/* SPDX-License-Identifier: MIT
 * Views with a conversion. Range expansion and model conversion are one matrix, which is computed in double precision.
 * Spec: Image Operations, "Sampler Y'CbCr Conversion". */
#include "runtime/texture/conversion.h"
#include "runtime/image/texel_class.h"

#include "runtime/texture/texture.h"

#include <string.h>

/* Luma's parts in R and B. Khronos Data Format Specification, "BT.709 Y'CbCr conversion" and its like. */
struct luma {
   double red, blue;
};

static struct luma luma_of(VkSamplerYcbcrModelConversion model)
{
   switch (model) {
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601: return (struct luma){0.299, 0.114};
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020: return (struct luma){0.2627, 0.0593};
   default: return (struct luma){0.2126, 0.0722};
   }
}

/* expanded = scale * sampled + add */
struct expansion {
   double scale, add;
};

static struct expansion expansion_of(VkSamplerYcbcrRange range, uint32_t bits, bool is_luma)
{
   const double codes = (double)((UINT64_C(1) << bits) - 1), half = (double)(UINT64_C(1) << bits) / 2;
   if (range != VK_SAMPLER_YCBCR_RANGE_ITU_NARROW)
      return (struct expansion){1, is_luma ? 0 : -half / codes};
   const double unit = half / 128, span = (is_luma ? 219 : 224) * unit;
   return (struct expansion){codes / span, -(is_luma ? 16 : 128) * unit / span};
}

/* What R, G and B are made of from (Cr, Y', Cb). */
static void model_matrix(VkSamplerYcbcrModelConversion model, double m[3][3])
{
   memset(m, 0, 9 * sizeof(double));
   if (model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY) {
      m[0][0] = m[1][1] = m[2][2] = 1;
      return;
   }
   const struct luma luma = luma_of(model);
   const double green = 1 - luma.red - luma.blue;
   m[0][1] = m[1][1] = m[2][1] = 1;
   m[0][0] = 2 * (1 - luma.red);
   m[2][2] = 2 * (1 - luma.blue);
   m[1][0] = -luma.red * m[0][0] / green;
   m[1][2] = -luma.blue * m[2][2] / green;
}

/* `bits` of R, G and B after the swizzle. */
static void init_matrix(struct abi_conversion *out, const struct rt_conversion *conversion, const uint32_t bits[3])
{
   double m[3][3];
   out->has_matrix = conversion->model != VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
   model_matrix(conversion->model, m);
   for (uint32_t row = 0; row < 3; row++) {
      double sum = 0;
      for (uint32_t c = 0; c < 3; c++) {
         const struct expansion expansion = expansion_of(conversion->range, bits[c], c == 1);
         out->matrix[row][c] = (float)(m[row][c] * expansion.scale);
         sum += m[row][c] * expansion.add;
      }
      out->matrix[row][3] = (float)sum;
   }
}

/* Where the components are found, and how many bits R, G and B have there; 8 where they are constants. */
static void init_sources(struct abi_conversion *out, const struct rt_format_info *info, VkComponentMapping mapping,
                         uint32_t bits[3])
{
   const VkComponentSwizzle swizzles[4] = {mapping.r, mapping.g, mapping.b, mapping.a};
   for (uint32_t c = 0; c < 4; c++) {
      const VkComponentSwizzle swizzle = swizzles[c];
      const uint32_t from = swizzle >= VK_COMPONENT_SWIZZLE_R ? ((uint32_t)swizzle - VK_COMPONENT_SWIZZLE_R) & 3 : c;
      const bool is_there = info->channels[from].bits;
      out->part[c] = is_there ? info->sources[from].part : 0;
      out->channel[c] = swizzle == VK_COMPONENT_SWIZZLE_ZERO  ? ABI_CHANNEL_ZERO
                        : swizzle == VK_COMPONENT_SWIZZLE_ONE ? ABI_CHANNEL_ONE
                        : is_there                            ? info->sources[from].channel
                        : from == 3                           ? ABI_CHANNEL_ONE
                                                              : ABI_CHANNEL_ZERO;
      if (c < 3)
         bits[c] = is_there ? UTIL_MIN(info->channels[from].bits, 32) : 8;
   }
}

/* Chroma is at u / 2, or at (u + 1/2) / 2 if cosited; normalized coordinates are halved by the extent. Of explicit
 * reconstruction nearest chroma is that of the block of texels, wherever it is said to be. */
static void init_chroma(struct abi_conversion *out, const struct rt_format_info *info, const struct rt_conversion *conversion)
{
   const bool is_linear = conversion->chroma_filter == VK_FILTER_LINEAR;
   const VkChromaLocation locations[2] = {conversion->x_offset, conversion->y_offset};
   const struct abi_level *luma = &out->parts[0].levels[0];
   out->chroma = (struct abi_sampler){
      .mag_filter = is_linear ? ABI_FILTER_LINEAR : ABI_FILTER_NEAREST,
      .min_filter = is_linear ? ABI_FILTER_LINEAR : ABI_FILTER_NEAREST,
      .address_mode = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                       VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
      .max_anisotropy = 1,
      .max_lod = VK_LOD_CLAMP_NONE,
   };
   rt_sampler_finish(&out->chroma);
   out->is_explicit = conversion->is_explicit && out->subsampled;
   for (uint32_t a = 0; a < 2; a++) {
      bool is_halved = false;
      for (uint32_t p = 0; p < out->num_parts; p++)
         is_halved |= (a ? info->parts[p].height_divisor : info->parts[p].width_divisor) > 1;
      if (is_halved && locations[a] == VK_CHROMA_LOCATION_COSITED_EVEN && (is_linear || !out->is_explicit))
         out->chroma_offset[a] = 0.5f / (float)(a ? luma->height : luma->width);
   }
}

void rt_image_view_convert(struct abi_image *view, struct abi_conversion *out, const struct rt_image *image,
                           VkImageViewType type, VkFormat format, const VkImageSubresourceRange *range,
                           const struct rt_conversion *conversion)
{
   const struct rt_format_info *info = rt_format_info(format);
   uint32_t bits[3];
   memset(out, 0, sizeof(*out));
   out->num_parts = info->num_parts;
   for (uint32_t p = 0; p < info->num_parts; p++) {
      rt_image_view_part(&out->parts[p], image, type, info, p, range->baseMipLevel, range->levelCount, range->baseArrayLayer,
                         range->layerCount);
      /* Not with weights of 8 bits: the conversion makes errors larger. */
      if (out->parts[p].sampling > ABI_SAMPLING_ANY) {
         out->parts[p].sampling = ABI_SAMPLING_ANY;
         out->parts[p].layout = RT_LAYOUT_NONE;
      }
      if (info->parts[p].width_divisor > 1 || info->parts[p].height_divisor > 1)
         out->subsampled |= 1u << p;
   }
   init_sources(out, info, conversion->components, bits);
   init_matrix(out, conversion, bits);
   init_chroma(out, info, conversion);
   *view = out->parts[0];
   view->conversion = out;
   view->sampling = ABI_SAMPLING_CONVERTED;
   view->plain = view->layout = 0; /* those are for the parts */
   view->direct = ABI_DIRECT_NONE;
}
