/* SPDX-License-Identifier: MIT
 * How an attachment's texels are read and written in lanes. */
#include "runtime/fragment/texels.h"

/* The type of one channel. */
static enum rt_texels_class channel_class(const struct rt_channel *channel, uint32_t c)
{
   const bool is_short = channel->bits <= 16, is_word = channel->bits == 32 && channel->shift == 32 * c;
   switch (channel->numeric) {
   case RT_UNORM: return is_short ? RT_TEXELS_UNORM : RT_TEXELS_OTHER;
   case RT_SNORM: return is_short ? RT_TEXELS_SNORM : RT_TEXELS_OTHER;
   case RT_UINT: return is_short ? RT_TEXELS_UINT : is_word ? RT_TEXELS_WORDS : RT_TEXELS_OTHER;
   case RT_SINT: return is_short ? RT_TEXELS_SINT : is_word ? RT_TEXELS_WORDS : RT_TEXELS_OTHER;
   case RT_SRGB: return RT_TEXELS_SRGB;
   case RT_UFLOAT: return RT_TEXELS_UFLOAT;
   case RT_SFLOAT:
      return channel->bits == 16 ? RT_TEXELS_HALF : is_word ? RT_TEXELS_WORDS : RT_TEXELS_OTHER;
   default: return RT_TEXELS_OTHER;
   }
}

static enum rt_texels_class find_class(const struct rt_format_info *info)
{
   const uint32_t bytes = info->texel_bytes;
   enum rt_texels_class class = RT_TEXELS_OTHER;
   for (uint32_t c = 0; c < 4; c++) {
      if (!info->channels[c].bits)
         continue;
      const enum rt_texels_class of_channel = channel_class(&info->channels[c], c);
      if (class == RT_TEXELS_SRGB && c == 3 && of_channel == RT_TEXELS_UNORM)
         continue;
      if (!of_channel || (class && class != of_channel))
         return RT_TEXELS_OTHER;
      class = of_channel;
   }
   const bool is_word = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
   if (info->format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 || info->is_compressed)
      return RT_TEXELS_OTHER;
   return is_word || (bytes == 16 && class == RT_TEXELS_WORDS) ? class : RT_TEXELS_OTHER;
}

void rt_texels_init(struct rt_output *output)
{
   output->texels = (uint8_t)find_class(output->info);
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t bits = output->info->channels[c].bits;
      if (!bits || bits > 16)
         continue;
      const double max = (double)((1u << bits) - 1), head = 1.0 / (double)(1u << bits);
      output->unorm[c] = (struct rt_unorm){.head = (float)head, .tail = (float)(1.0 / max - head), .max = (float)max};
   }
}
