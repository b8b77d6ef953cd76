/* SPDX-License-Identifier: MIT
 * Resolves. Colours of float and normalised formats are averaged in linear space unless otherwise asked for, in the order of samples; integers
 * take sample 0. */
#include "runtime/fragment/resolve.h"

#include "runtime/draw/lanes.h"
#include "runtime/format/average.h"
#include "runtime/format/depth_number.h"
#include "runtime/fragment/merge.h"
#include "runtime/fragment/rgba8.h"
#include "runtime/fragment/unwritten.h"

#include <string.h>

/* In registers. Texels whose samples are all alike are their own average. */
RT_INLINE_LANES rt_pi average_rgba8(const uint8_t *texels, uint32_t num_samples, bool is_bgra)
{
   const rt_pi first = rt_pi_load(texels);
   rt_pi differing = {0};
   for (uint32_t s = 1; s < num_samples; s++)
      differing |= rt_pi_load(texels + s * 64) ^ first;
   if (!rt_pi_signs(differing != 0))
      return first;
   rt_pf sum[4] = {{0}};
   for (uint32_t s = 0; s < num_samples; s++) {
      const rt_pi v = rt_pi_load(texels + s * 64);
      for (uint32_t c = 0; c < 4; c++)
         sum[c] += rt_unpack_rgba8(v, c, is_bgra);
   }
   for (uint32_t c = 0; c < 4; c++)
      sum[c] *= rt_pf_set(1.0f / (float)num_samples);
   return rt_pack_rgba8(sum, is_bgra);
}

static void resolve_rgba8(const uint8_t *texels, uint32_t num_samples, bool is_bgra, uint8_t *packed)
{
   for (uint32_t at = 0; at < 64; at += 4 * RT_PART_LANES)
      rt_pi_store(packed + at, average_rgba8(texels + at, num_samples, is_bgra));
}

/* Texels count as those of `info`. */
static void resolve_color_block(const struct rt_surface *from, const struct rt_format_info *info, uint32_t bx, uint32_t by, bool is_average,
                                uint8_t *packed)
{
   uint8_t buffer[RT_MAX_BLOCK_BYTES];
   if (!is_average) {
      memcpy(packed, rt_surface_map(from, bx, by, 0, buffer), from->texel_bytes * 16);
      return;
   }
   if (from->is_tiled && (info->format == VK_FORMAT_R8G8B8A8_UNORM || info->format == VK_FORMAT_B8G8R8A8_UNORM)) {
      resolve_rgba8(rt_surface_map(from, bx, by, 0, NULL), from->num_samples, info->format == VK_FORMAT_B8G8R8A8_UNORM, packed);
      return;
   }
   rt_average_block(info, info, rt_surface_map(from, bx, by, 0, NULL), from->num_samples, packed);
}

static void resolve_depth_block(const struct rt_surface *from, uint32_t bx, uint32_t by, VkResolveModeFlagBits mode, uint8_t *packed)
{
   const uint32_t size = from->texel_bytes;
   uint8_t buffer[RT_MAX_BLOCK_BYTES];
   double values[16];
   for (uint32_t s = 0; s < from->num_samples; s++) {
      const uint8_t *texels = rt_surface_map(from, bx, by, s, buffer);
      for (uint32_t i = 0; i < 16; i++) {
         const double value = rt_depth_number_load(from->info, texels + i * size);
         values[i] = s ? rt_depth_number_add(mode, values[i], value) : value;
      }
   }
   for (uint32_t i = 0; i < 16; i++)
      rt_depth_number_store(from->info, packed + i * size, mode == VK_RESOLVE_MODE_AVERAGE_BIT ? values[i] / from->num_samples : values[i]);
}

static void resolve(const struct rt_tile *tile, const struct rt_attachment *attachment, const struct rt_surface *from, bool is_color)
{
   if (!attachment->resolve_view || attachment->resolve_mode == VK_RESOLVE_MODE_NONE || !from->base)
      return;
   struct rt_surface to;
   rt_surface_init(&to, attachment->resolve_view, tile->layer, (uint32_t)tile->x, (uint32_t)tile->y);
   if (!to.base)
      return;
   const struct rt_target *t = tile->target;
   if (UTIL_UNLIKELY(t->follows_writes))
      rt_tile_follow(&to, 0);
   const int32_t x0 = UTIL_MAX(t->x0 - tile->x, 0), x1 = UTIL_MIN(t->x1 - tile->x, (int32_t)RT_TILE);
   const int32_t y0 = UTIL_MAX(t->y0 - tile->y, tile->first_row), y1 = UTIL_MIN(t->y1 - tile->y, tile->end_row);
   const bool is_average = attachment->resolve_mode == VK_RESOLVE_MODE_AVERAGE_BIT && !from->info->is_int;
   const struct rt_format_info *info = attachment->resolves_encoded ? rt_format_encoded(from->info) : from->info;
   for (int32_t by = y0 >> 2; by * 4 < y1; by++) {
      for (int32_t bx = x0 >> 2; bx * 4 < x1; bx++) {
         uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64))), buffer[RT_MAX_BLOCK_BYTES];
         if (is_color)
            resolve_color_block(from, info, (uint32_t)bx, (uint32_t)by, is_average, packed);
         else
            resolve_depth_block(from, (uint32_t)bx, (uint32_t)by, attachment->resolve_mode, packed);
         uint8_t *texels = rt_surface_map(&to, (uint32_t)bx, (uint32_t)by, 0, buffer);
         const uint32_t lanes = rt_lanes_of_rect(bx * 4, by * 4, x0, y0, x1, y1);
         rt_merge_block(texels, packed, to.texel_bytes, lanes, NULL);
         if (UTIL_UNLIKELY(t->follows_writes))
            rt_tile_resolved(from, &to, (uint32_t)bx, (uint32_t)by, lanes);
         rt_surface_unmap(&to, (uint32_t)bx, (uint32_t)by, texels);
      }
   }
}

void rt_resolve_tile(const struct rt_tile *tile)
{
   for (uint32_t i = 0; i < tile->target->num_colors; i++)
      resolve(tile, &tile->target->colors[i], &tile->colors[i], true);
   resolve(tile, &tile->target->depth, &tile->depth, false);
   resolve(tile, &tile->target->stencil, &tile->stencil, false);
}
