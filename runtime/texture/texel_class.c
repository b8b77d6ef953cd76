/* SPDX-License-Identifier: MIT */
#include "runtime/texture/texel_class.h"

uint8_t rt_texel_by_format[VK_FORMAT_ASTC_12x12_SRGB_BLOCK + 1]; /* written before main() only */

static enum rt_texel block_of(VkFormat format)
{
   if (format < VK_FORMAT_BC1_RGB_UNORM_BLOCK || format > VK_FORMAT_BC5_SNORM_BLOCK)
      return RT_TEXEL_NONE;
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
      return block_of(info->format);
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

__attribute__((constructor)) static void fill_table(void)
{
   for (uint32_t i = 0; i <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; i++)
      rt_texel_by_format[i] = (uint8_t)rt_texel_classify(rt_format_info((VkFormat)i));
}
