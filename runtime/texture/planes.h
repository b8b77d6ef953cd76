/* SPDX-License-Identifier: MIT
 * Footprints in planes of bytes, as video is: luma, and two chroma components beside each other or in planes of their own.
 * Weights have 8 bits and all of the mixing is exact, as in words.h. */
#pragma once

#include "runtime/texture/texel_find.h"
#include "runtime/texture/near.h"

/* The four texels of each lane, by rows: the left one in the low half, the right one in the high one. `log2`: one byte, or two; a constant. Lanes
 * outside of the mask get any. */
RT_SIMD void rt_planes_load(rt_vu rows[2], const struct abi_image *plane, const struct rt_words_pairs *pairs, uint32_t log2, uint32_t mask)
{
   const struct abi_level *level = &plane->levels[0];
   const uint8_t *base = plane->data + level->offset_bytes;
   struct rt_words_axis axes[2];
   rt_vu x[2], y[2], texels[4];
   if (UTIL_LIKELY(plane->is_tiled) && rt_near_read_rows(rows, level, base, log2, pairs->left, pairs->right, mask))
      return;
   rt_words_split_pairs(axes, pairs);
   for (uint32_t k = 0; k < 2; k++) {
      x[k] = rt_texel_x(plane, level, (rt_vu)axes[0].at[k]);
      y[k] = rt_texel_y(plane, level, (rt_vu)axes[1].at[k], log2);
   }
   for (uint32_t t = 0; t < 4; t++)
      texels[t] = rt_texel_gather_small(base, x[t & 1] + y[t >> 1], log2);
   for (uint32_t r = 0; r < 2; r++)
      rows[r] = texels[2 * r] | texels[2 * r + 1] << 16;
}

/* The weights of the left texels in low halves, of the right ones in high halves: out of x's parts. */
RT_SIMD rt_vh rt_planes_columns(rt_vi x)
{
   const rt_vi right = x & (RT_WORDS_FRACTION - 1);
   return (rt_vh)((right << 16) + (RT_WORDS_FRACTION - right));
}

/* What rows are mixed with, from y's parts: 2^-16 times the weights' products. */
struct rt_planes_rows {
   rt_vf upper, lower;
};

RT_SIMD struct rt_planes_rows rt_planes_rows(rt_vi y)
{
   const rt_vf half = (rt_vf)rt_vi_replace(y, RT_WORDS_FRACTION - 1, 0x3f000000); /* 1/2, and the weight times 2^-24 */
   return (struct rt_planes_rows){(0.5f + 0x1p-16f) - half, half - 0.5f};
}

/* Sums of columns, of both rows. */
RT_SIMD rt_vf rt_planes_finish(rt_vi upper, rt_vi lower, const struct rt_planes_rows *rows)
{
   return rt_words_finish(rt_vf_madd(rt_vf_from(lower), rows->lower, rt_vf_from(upper) * rows->upper), true);
}

/* Of one byte. */
RT_SIMD rt_vf rt_planes_mix(const rt_vu texels[2], const struct rt_words_pairs *pairs)
{
   const rt_vh columns = rt_planes_columns(pairs->parts[0]);
   const struct rt_planes_rows rows = rt_planes_rows(pairs->parts[1]);
   return rt_planes_finish(rt_vh_dot((rt_vh)texels[0], columns), rt_vh_dot((rt_vh)texels[1], columns), &rows);
}

/* Of two bytes. */
RT_SIMD void rt_planes_mix_two(const rt_vu texels[2], const struct rt_words_pairs *pairs, rt_vf out[2])
{
   const rt_vh columns = rt_planes_columns(pairs->parts[0]);
   const struct rt_planes_rows rows = rt_planes_rows(pairs->parts[1]);
   rt_vi sums[2][2]; /* [row][component] */
   for (uint32_t r = 0; r < 2; r++) {
      sums[r][0] = rt_vh_dot((rt_vh)(texels[r] & 0x00ff00ffu), columns);
      sums[r][1] = rt_vh_dot((rt_vh)texels[r] >> 8, columns);
   }
   for (uint32_t c = 0; c < 2; c++)
      out[c] = rt_planes_finish(sums[0][c], sums[1][c], &rows);
}
