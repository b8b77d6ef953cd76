/* SPDX-License-Identifier: MIT
 * Clears inside a tile. */
#include "runtime/fragment/resolve.h"

#include "runtime/raster/lanes.h"

#include <string.h>

/* A row of blocks that are cleared whole, in place: all samples of a block are one stretch of memory. */
static void fill_row(const struct rt_surface *surface, uint32_t bx, uint32_t end, uint32_t by, const uint8_t *pattern)
{
   const uint32_t bytes = 16 * surface->texel_bytes;
   for (; bx < end; bx++) {
      uint8_t *to = rt_surface_map(surface, bx, by, 0, NULL);
      if (bytes == 64) {
         const rt_i32x16 v = rt_load_i(pattern);
         for (uint32_t s = 0; s < surface->num_samples; s++)
            rt_store_i(to + s * 64, v);
         continue;
      }
      for (uint32_t s = 0; s < surface->num_samples; s++, to += bytes)
         memcpy(to, pattern, bytes);
   }
}

void rt_clear_rect(const struct rt_tile *tile, const struct rt_surface *surface, int32_t x0, int32_t y0, int32_t x1,
                   int32_t y1, const uint8_t texel[16])
{
   if (!surface->base)
      return;
   uint8_t pattern[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64))), buffer[RT_MAX_BLOCK_BYTES];
   const uint32_t size = surface->texel_bytes;
   for (uint32_t i = 0; i < 16; i++)
      memcpy(pattern + i * size, texel, size);
   x0 = UTIL_MAX(x0 - tile->x, 0);
   y0 = UTIL_MAX(y0 - tile->y, 0);
   x1 = UTIL_MIN(x1 - tile->x, (int32_t)RT_TILE);
   y1 = UTIL_MIN(y1 - tile->y, (int32_t)RT_TILE);
   for (int32_t by = y0 >> 2; by * 4 < y1; by++) {
      int32_t bx = x0 >> 2;
      for (; bx * 4 < x1; bx++) {
         const uint32_t mask = rt_lanes_of_rect(bx * 4, by * 4, x0, y0, x1, y1);
         if (mask == 0xffff && surface->is_tiled) {
            fill_row(surface, (uint32_t)bx, (uint32_t)x1 / 4, (uint32_t)by, pattern);
            bx = x1 / 4 - 1;
            continue;
         }
         for (uint32_t s = 0; s < surface->num_samples; s++) {
            uint8_t *texels = rt_surface_map(surface, (uint32_t)bx, (uint32_t)by, s, buffer);
            rt_merge_block(texels, pattern, size, mask, NULL);
            rt_surface_unmap(surface, (uint32_t)bx, (uint32_t)by, texels);
         }
      }
   }
}
