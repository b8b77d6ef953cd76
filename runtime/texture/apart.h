/* SPDX-License-Identifier: MIT
 * Inside of fast.c and any.c: lanes on levels of their own, of tiled images, all filtered at once. What a level is stands in registers, a lane each;
 * texels are loaded one by one. */
#pragma once

#include "runtime/texture/fast.h"
#include "runtime/texture/srgb_taps.h"

/* The fields of struct abi_level that say where texels are; in texels, and of tiles the logarithms. */
struct rt_lane_level {
   rt_vi width, height;
   rt_vi offset, tile_row, tile_log2_x, tile_log2_y;
};

RT_SIMD void rt_lane_level_put(struct rt_lane_level *lanes, const struct abi_level *level, uint32_t log2, uint32_t mask)
{
   lanes->width = rt_vi_put(lanes->width, (int32_t)level->width, mask);
   lanes->height = rt_vi_put(lanes->height, (int32_t)level->height, mask);
   lanes->offset = rt_vi_put(lanes->offset, (int32_t)(level->offset_bytes >> log2), mask);
   lanes->tile_row = rt_vi_put(lanes->tile_row, (int32_t)(level->tile_row_bytes >> log2), mask);
   lanes->tile_log2_x = rt_vi_put(lanes->tile_log2_x, level->tile_log2_x, mask);
   lanes->tile_log2_y = rt_vi_put(lanes->tile_log2_y, level->tile_log2_y, mask);
}

/* `number` of each lane of the mask, within the image's levels, and the level behind it, or the last one. Lanes that do not sample are on the first
 * one's. `log2`: of a texel's bytes. */
RT_SIMD void rt_lane_levels_find(struct rt_lane_level lanes[2], const struct rt_fast *fast, rt_vi number, uint32_t log2)
{
   const struct abi_level *levels = fast->image->levels;
   const uint32_t last = fast->image->num_levels - 1;
   uint32_t chosen = RT_SIMD_ALL;
   number = rt_vi_clamp(number, 0, (int32_t)last);
   for (uint32_t i = 0; i < 2; i++)
      lanes[i] = (struct rt_lane_level){0};
   for (uint32_t pending = fast->mask; pending; pending &= ~chosen) {
      const uint32_t first = (uint32_t)number[(uint32_t)__builtin_ctz(pending)];
      if (pending != fast->mask)
         chosen = rt_vi_equal_lanes(number, (int32_t)first, pending);
      rt_lane_level_put(&lanes[0], &levels[first], log2, chosen);
      rt_lane_level_put(&lanes[1], &levels[UTIL_MIN(first + 1, last)], log2, chosen);
      if (chosen == RT_SIMD_ALL)
         chosen = rt_vi_equal_lanes(number, (int32_t)first, pending);
   }
}

/* Sums of both go from the image's base layer to a texel. Blocks are in rows of 1 << tile_log2_x texels within a tile; levels of several tiles have tiles
 * of 64. */
RT_SIMD rt_vu rt_lane_level_column(const struct rt_lane_level *level, rt_vi column)
{
   return (rt_vu)(((column & 3) + (column & 2)) | (column & 0x3c) << 2 | (column & ~63) << level->tile_log2_y);
}

RT_SIMD rt_vu rt_lane_level_row(const struct rt_lane_level *level, rt_vi row)
{
   return (rt_vu)(((row & 3) + (row & 2)) * 2 + ((row & 0x3c) << level->tile_log2_x) + (row >> 6) * level->tile_row + level->offset);
}

RT_SIMD void rt_lane_level_load(rt_vu words[4], const struct rt_fast *fast, const struct rt_lane_level *level, const struct rt_words_pairs *pairs)
{
   struct rt_words_axis axes[2];
   rt_vu x[2], y[2];
   rt_words_split_pairs(axes, pairs);
   for (uint32_t k = 0; k < 2; k++) {
      x[k] = rt_lane_level_column(level, axes[0].at[k]);
      y[k] = rt_lane_level_row(level, axes[1].at[k]);
   }
   for (uint32_t t = 0; t < 4; t++)
      words[t] = rt_vu_gather_words(fast->data, x[t & 1] + y[t >> 1]);
}

/* Linear, of one or both levels of four channels of 8 bits: numbers that rt_words_finish() wants, of sRGB what comes out. Constants: `mode`, repeat or
 * clamp to the edge, and `is_srgb`. */
RT_SIMD void rt_lane_levels_sample(const struct rt_fast *fast, const struct rt_lane_level levels[2], uint32_t num_levels, uint32_t mode, bool is_srgb,
                                   rt_vf out[2][4])
{
   struct rt_words_pairs pairs[2];
   rt_vu words[2][4];
   for (uint32_t i = 0; i < num_levels; i++)
      rt_words_pairs_of(&pairs[i], fast->coord, levels[i].width, levels[i].height, mode);
   for (uint32_t i = 0; i < num_levels; i++)
      rt_lane_level_load(words[i], fast, &levels[i], &pairs[i]);
   for (uint32_t i = 0; i < num_levels; i++)
      if (is_srgb)
         rt_srgb_mix(words[i], pairs[i].parts[0], pairs[i].parts[1], fast->has_quads, out[i]);
      else
         rt_words_mix(words[i], pairs[i].parts[0], pairs[i].parts[1], UINT32_MAX, out[i]);
}
