/* SPDX-License-Identifier: MIT
 * Clears inside a tile. */
#include "runtime/fragment/output.h"
#include "runtime/fragment/resolve.h"

#include "runtime/draw/lanes.h"
#include "runtime/fragment/merge.h"
#include "runtime/fragment/unwritten.h"

#include <string.h>

enum { PREFETCH_BYTES = 4096 }; /* the hardware stops at pages */

/* Memory that holds the pattern already is only read: what a frame leaves empty is often empty in the next one too. */
static void fill(uint8_t *to, size_t num_bytes, const uint8_t *pattern, size_t pattern_bytes)
{
   if (pattern_bytes != 64) {
      for (size_t at = 0; at < num_bytes; at += pattern_bytes)
         memcpy(to + at, pattern, pattern_bytes);
      return;
   }
   const rt_i32x16 v = rt_load_i(pattern);
   rt_i32x16 differences = {0};
   for (size_t at = 0; at < num_bytes; at += 64) {
      __builtin_prefetch(to + PREFETCH_BYTES + at);
      differences |= rt_load_i(to + at) ^ v;
   }
   if (!rt_sign_mask(differences != 0))
      return;
   for (size_t at = 0; at < num_bytes; at += 64)
      rt_store_i(to + at, v);
}

/* A row of blocks that are cleared whole, in place: all samples of a block are one stretch of memory, and often all
 * blocks of the row too. */
static void fill_row(const struct rt_surface *surface, uint32_t bx, uint32_t end, uint32_t by, const uint8_t *pattern)
{
   const size_t bytes = 16 * surface->texel_bytes, block_bytes = bytes * surface->num_samples;
   const uint32_t last = end - 1;
   if (bx < end && surface->column_bytes[last] == surface->column_bytes[bx] + (last - bx) * block_bytes) {
      fill(rt_surface_map(surface, bx, by, 0, NULL), (end - bx) * block_bytes, pattern, bytes);
      return;
   }
   for (; bx < end; bx++)
      fill(rt_surface_map(surface, bx, by, 0, NULL), block_bytes, pattern, bytes);
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
   y0 = UTIL_MAX(y0 - tile->y, tile->first_row);
   x1 = UTIL_MIN(x1 - tile->x, (int32_t)RT_TILE);
   y1 = UTIL_MIN(y1 - tile->y, tile->end_row);
   if (x0 >= x1)
      return;
   if (UTIL_UNLIKELY(tile->target->follows_writes))
      rt_tile_cleared(surface, x0, y0, x1, y1);
   for (int32_t by = y0 >> 2; by * 4 < y1; by++) {
      int32_t bx = x0 >> 2;
      if (surface->is_tiled && !((x0 | x1 | y0 | y1) & 3)) {
         fill_row(surface, (uint32_t)bx, (uint32_t)x1 / 4, (uint32_t)by, pattern);
         continue;
      }
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
