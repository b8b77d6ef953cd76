/* SPDX-License-Identifier: MIT */
#include "runtime/format/average.h"

#include <string.h>

enum { BLOCK_TEXELS = 16 };

/* Texels whose samples are alike are their own mean; sums of more than 16 bits are rounded. */
static bool is_alike(const struct rt_format_info *info, const uint8_t *samples, uint32_t num_samples, size_t sample_bytes)
{
   return info->channels[0].bits <= 16 && !memcmp(samples, samples + sample_bytes, (num_samples - 1) * sample_bytes);
}

void rt_average_block(const struct rt_format_info *from, const struct rt_format_info *to, const uint8_t *samples, uint32_t num_samples, uint8_t *packed)
{
   const size_t sample_bytes = (size_t)BLOCK_TEXELS * from->texel_bytes;
   if (from == to && is_alike(from, samples, num_samples, sample_bytes)) {
      memcpy(packed, samples, sample_bytes);
      return;
   }
   float planes[4][BLOCK_TEXELS] __attribute__((aligned(64))), sum[4][BLOCK_TEXELS] __attribute__((aligned(64))) = {{0}};
   for (uint32_t s = 0; s < num_samples; s++, samples += sample_bytes) {
      from->unpack_block(samples, (uint32_t(*)[BLOCK_TEXELS])planes);
      for (uint32_t c = 0; c < 4; c++)
         for (uint32_t i = 0; i < BLOCK_TEXELS; i++)
            sum[c][i] += planes[c][i];
   }
   const float scale = 1.0f / (float)num_samples;
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t i = 0; i < BLOCK_TEXELS; i++) /* sign and payload of a NaN depend on the machine */
         sum[c][i] = sum[c][i] == sum[c][i] ? sum[c][i] * scale : __builtin_nanf("");
   to->pack_block(packed, (const uint32_t(*)[BLOCK_TEXELS])sum);
}
