/* SPDX-License-Identifier: MIT
 * Hierarchical Z. */
#include "runtime/fragment/hiz.h"

void rt_hiz_init(struct rt_tile *tile)
{
   for (uint32_t r = 0; r < 16; r++) {
      tile->hiz.min[r] = -__builtin_inff();
      tile->hiz.max[r] = __builtin_inff();
      tile->hiz.written[r] = tile->hiz.refresh[r] = RT_HIZ_REFRESH;
   }
}

void rt_hiz_clear(struct rt_tile *tile, float quantized)
{
   for (uint32_t r = 0; r < 16; r++) {
      tile->hiz.min[r] = tile->hiz.max[r] = quantized;
      tile->hiz.written[r] = 0;
      tile->hiz.refresh[r] = RT_HIZ_REFRESH;
   }
}

void rt_hiz_update(struct rt_tile *tile, uint32_t region)
{
   const struct rt_surface *depth = &tile->depth;
   const enum rt_depth_format format = rt_depth_format_of(depth->info->format);
   float min[16], max[16];
   for (uint32_t i = 0; i < 16; i++) {
      min[i] = __builtin_inff();
      max[i] = -__builtin_inff();
   }
   for (uint32_t i = 0; i < 16; i++) {
      for (uint32_t s = 0; s < depth->num_samples; s++) {
         uint8_t buffer[RT_MAX_BLOCK_BYTES];
         rt_depth_range(format, rt_surface_map(depth, region % 4 * 4 + i % 4, region / 4 * 4 + i / 4, s, buffer), min,
                        max);
      }
   }
   float lo = min[0], hi = max[0];
   for (uint32_t i = 1; i < 16; i++) {
      lo = min[i] < lo ? min[i] : lo;
      hi = max[i] > hi ? max[i] : hi;
   }
   tile->hiz.min[region] = lo;
   tile->hiz.max[region] = hi;
   tile->hiz.written[region] = 0;
}
