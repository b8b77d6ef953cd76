/* SPDX-License-Identifier: MIT */
#include "runtime/image/texel_class.h"

static enum rt_texel block_of(const struct rt_format_info *info)
{
   const VkFormat format = info->format;
   if (format < VK_FORMAT_BC1_RGB_UNORM_BLOCK || format > VK_FORMAT_BC5_SNORM_BLOCK)
      return info->decode && info->block_depth == 1 ? RT_TEXEL_DECODED : RT_TEXEL_NONE;
   return format < VK_FORMAT_BC2_UNORM_BLOCK   ? RT_TEXEL_BC1
          : format < VK_FORMAT_BC3_UNORM_BLOCK ? RT_TEXEL_BC2
          : format < VK_FORMAT_BC4_UNORM_BLOCK ? RT_TEXEL_BC3
          : format < VK_FORMAT_BC5_UNORM_BLOCK ? RT_TEXEL_BC4
                                               : RT_TEXEL_BC5;
}

enum rt_texel rt_texel_classify(const struct rt_format_info *info)
{
   const struct rt_channel *first = info->channels[0].bits ? &info->channels[0] : &info->channels[3];
   const bool is_small = first->bits <= 16, is_word = first->bits == 32;
   if (info->is_compressed)
      return block_of(info);
   if (!info->texel_bytes || info->texel_bytes > 16 || info->texel_bytes & (info->texel_bytes - 1))
      return RT_TEXEL_NONE;
   switch (first->numeric) {
   case RT_UNORM: return is_small ? RT_TEXEL_UNORM : first->bits == 24 ? RT_TEXEL_UNORM24 : RT_TEXEL_NONE;
   case RT_SNORM: return is_small ? RT_TEXEL_SNORM : RT_TEXEL_NONE;
   case RT_UINT: return is_small ? RT_TEXEL_UINT : is_word ? RT_TEXEL_WORDS : RT_TEXEL_NONE;
   case RT_SINT: return is_small ? RT_TEXEL_SINT : is_word ? RT_TEXEL_WORDS : RT_TEXEL_NONE;
   case RT_SFLOAT: return first->bits == 16 ? RT_TEXEL_HALF : is_word ? RT_TEXEL_WORDS : RT_TEXEL_NONE;
   case RT_SRGB: return RT_TEXEL_SRGB;
   case RT_UFLOAT: return first->bits == 9 ? RT_TEXEL_SHARED : RT_TEXEL_UFLOAT;
   default: return RT_TEXEL_NONE;
   }
}

static bool is_countable(const struct abi_image *view)
{
   const struct abi_level *last = &view->levels[view->num_levels - 1];
   if (view->dim == ABI_DIM_BUFFER)
      return (uint64_t)last->width * view->texel_bytes <= UINT32_MAX;
   if (last->offset_bytes + view->layer_bytes * view->num_layers > UINT32_MAX)
      return false;
   for (uint32_t i = 0; !view->is_tiled && i < view->num_levels; i++)
      if (view->levels[i].row_pitch_bytes & (view->texel_bytes - 1))
         return false;
   return true;
}

static const struct {
   uint8_t texel, log2, bits[4], shift[4];
} layouts[RT_NUM_LAYOUTS] = {
#define X(name, texel, log2, r, g, b, a, r_at, g_at, b_at, a_at) \
   [RT_LAYOUT_##name] = {RT_TEXEL_##texel, log2, {r, g, b, a}, {r_at, g_at, b_at, a_at}},
   RT_FETCHED_LAYOUTS(X)
#undef X
};

static bool has_plain_order(const struct abi_image *view)
{
   for (uint32_t c = 0; c < 4; c++)
      if (view->swizzle[c] != VK_COMPONENT_SWIZZLE_R + c)
         return false;
   return true;
}

/* Of views whose components are their channels. Absent ones are those of floats. */
static enum rt_layout find_layout(const struct abi_image *view)
{
   const struct rt_format_info *info = view->format_info;
   if (!view->texel || !has_plain_order(view) || (info->is_int && info->num_channels < 4))
      return RT_LAYOUT_NONE;
   for (uint32_t i = 1; i < RT_NUM_TILED_LAYOUTS; i++) {
      bool is_same = layouts[i].texel == view->texel && 1u << layouts[i].log2 == view->texel_bytes;
      for (uint32_t c = 0; c < 4; c++)
         is_same &= info->channels[c].bits == layouts[i].bits[c] && (!info->channels[c].bits || info->channels[c].shift == layouts[i].shift[c]);
      if (is_same)
         return (enum rt_layout)i;
   }
   return RT_LAYOUT_NONE;
}

void rt_view_set_texel(struct abi_image *view)
{
   const struct rt_format_info *info = view->format_info;
   const bool is_known = info->format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK || info->unpack_block || info->decode;
   const enum rt_texel texel = is_known ? rt_texel_classify(info) : RT_TEXEL_NONE;
   const bool is_float = !info->is_int, is_both = info->is_depth && info->num_channels > 1; /* depth and stencil of one texel */
   view->texel = (uint8_t)(texel && view->texel_bytes == info->texel_bytes && is_countable(view) ? texel : RT_TEXEL_NONE);
   view->packing = (uint8_t)find_layout(view);
   if (view->sampling >= ABI_SAMPLING_UNORM8 && view->data && view->dim == ABI_DIM_2D)
      view->layout = RT_LAYOUT_BYTES;
   else if (view->sampling == ABI_SAMPLING_UNORM8 && view->data)
      view->layout = RT_LAYOUT_VOLUME_BYTES;
   if (!view->texel || view->num_samples > 1 || info->is_compressed)
      return;
   if (view->dim == ABI_DIM_1D && !info->is_depth)
      view->plain = ABI_PLAIN_NEAREST | (is_float ? ABI_PLAIN_LINEAR : 0);
   const bool is_large = view->texel_bytes > 8; /* four words */
   if (view->dim == ABI_DIM_CUBE && is_float && !info->is_depth) {
      view->plain = ABI_PLAIN_LINEAR;
      if (view->packing && !is_large && view->is_tiled && view->data)
         view->layout = view->packing;
   }
   if (view->dim != ABI_DIM_2D)
      return;
   view->plain = (uint8_t)((is_both ? 0 : ABI_PLAIN_NEAREST | (is_large ? 0 : ABI_PLAIN_GATHER) | (is_float ? ABI_PLAIN_LINEAR : 0)) |
                           (is_float && view->texel_bytes <= 4 ? ABI_PLAIN_COMPARE : 0));
   if (view->packing && is_float && !is_both && !is_large && view->is_tiled && view->num_layers == 1 && view->data)
      view->layout = view->packing;
}
