/* SPDX-License-Identifier: MIT
 * Footprints in planes of bytes, as video is: luma, and two chroma components beside each other or in planes of their own.
 * Weights have 8 bits and all of the mixing is exact, as in words.h. */
#pragma once

#include "runtime/texture/texel_find.h"
#include "runtime/texture/near.h"

/* The four texels of each lane, in the low bits of words. Lanes outside of the mask get any. */
RT_SIMD void rt_planes_load(rt_vu texels[4], const struct abi_image *plane, const struct rt_words_pairs *pairs, uint32_t mask)
{
   const struct abi_level *level = &plane->levels[0];
   const uint8_t *base = plane->data + level->offset_bytes;
   const uint32_t log2 = rt_texel_log2(plane);
   struct rt_taps taps;
   if (!plane->is_tiled ||
       !rt_near_load(&taps, 4, level, base, log2, false, pairs->left, pairs->right, mask)) {
      struct rt_words_axis axes[2];
      rt_vu x[2], y[2];
      rt_words_split_pairs(axes, pairs);
      for (uint32_t k = 0; k < 2; k++) {
         x[k] = rt_texel_x(plane, level, (rt_vu)axes[0].at[k]);
         y[k] = rt_texel_y(plane, level, (rt_vu)axes[1].at[k], log2);
      }
      for (uint32_t t = 0; t < 4; t++)
         taps.word[0][t] = rt_texel_gather_small(base, x[t & 1] + y[t >> 1], log2);
   }
   memcpy(texels, taps.word[0], sizeof(taps.word[0]));
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

/* Of one byte. */
RT_SIMD rt_vf rt_planes_mix(const rt_vu texels[4], const struct rt_words_pairs *pairs)
{
   const rt_vh right = rt_vh_low_byte(pairs->parts[0]), left = RT_WORDS_FRACTION - right;
   const struct rt_planes_rows rows = rt_planes_rows(pairs->parts[1]);
   const rt_vu mixed = (rt_vu)((rt_vh)(texels[0] | texels[2] << 16) * left + (rt_vh)(texels[1] | texels[3] << 16) * right);
   return rt_words_finish(rt_vf_madd(rt_vf_from((rt_vi)(mixed >> 16)), rows.lower, rt_vf_from((rt_vi)(mixed & 0xffff)) * rows.upper), true);
}

/* Of two bytes. */
RT_SIMD void rt_planes_mix_two(const rt_vu texels[4], const struct rt_words_pairs *pairs, rt_vf out[2])
{
   const rt_vh right = rt_vh_low_byte(pairs->parts[0]), left = RT_WORDS_FRACTION - right;
   const struct rt_planes_rows rows = rt_planes_rows(pairs->parts[1]);
   rt_vu mixed[2];
   for (uint32_t r = 0; r < 2; r++) {
      const rt_vu a = texels[2 * r], b = texels[2 * r + 1];
      mixed[r] = (rt_vu)((rt_vh)((a | a << 8) & 0x00ff00ffu) * left + (rt_vh)((b | b << 8) & 0x00ff00ffu) * right);
   }
   for (uint32_t c = 0; c < 2; c++) {
      const rt_vf upper = rt_vf_from((rt_vi)(c ? mixed[0] >> 16 : mixed[0] & 0xffff));
      const rt_vf lower = rt_vf_from((rt_vi)(c ? mixed[1] >> 16 : mixed[1] & 0xffff));
      out[c] = rt_words_finish(rt_vf_madd(lower, rows.lower, upper * rows.upper), true);
   }
}
