/* SPDX-License-Identifier: MIT
 * Filtering compressed colour blocks where lanes are near each other: the colours of eight blocks, four across and two down, are
 * decoded once, into registers, and taps look theirs up. BC1 to BC3's colours, with the arithmetic of texel.h. */
#pragma once

#include "runtime/texture/pairs.h"

#if RT_TEX_LEVEL >= 4
/* Of a lane's tap: its block and the texel within. */
RT_SIMD void rt_blocks_tap(rt_vu *block, rt_vu *sub, rt_vu x, rt_vu y, uint32_t first)
{
   *block = ((x >> 2) - (first & 0xffff)) | ((y >> 2) - (first >> 16)) << 2;
   *sub = (y & 3) << 2 | (x & 3);
}

/* Linear, of RT_TEXEL_BC1. False where lanes have taps elsewhere. `is_srgb` is a constant. */
RT_SIMD bool rt_blocks_sample(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const rt_vi x[2], const rt_vi y[2],
                              rt_vf x_weight, rt_vf y_weight, bool is_srgb, rt_vf out[4])
{
   const rt_vh left = rt_vh_join(x[0], y[0] << 16) >> 2, right = rt_vh_join(x[1], y[1] << 16) >> 2;
   const __m128i least = rt_words_least(left);
   const __m512i origin = _mm512_broadcastd_epi32(least);
   const __m512i both = _mm512_or_si512(_mm512_sub_epi16((__m512i)left, origin), _mm512_sub_epi16((__m512i)right, origin));
   if (_mm512_mask_test_epi32_mask((__mmask16)fast->mask, both, _mm512_set1_epi32((int)0xfffefffcu)))
      return false;
   /* Blocks that the level does not have are its last ones. */
   const uint32_t first = (uint32_t)_mm_cvtsi128_si32(least);
   const rt_vi number = (rt_vi)_mm512_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
   const rt_vi row = (rt_vi)_mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1);
   const rt_vi column_at = rt_vi_min(number + (int32_t)(first & 0xffff), rt_vi_set((int32_t)((level->width - 1) >> 2)));
   const rt_vi row_at = rt_vi_min(row + (int32_t)(first >> 16), rt_vi_set((int32_t)((level->height - 1) >> 2)));
   const rt_vu index = rt_texel_x(fast->image, level, (rt_vu)column_at) + rt_texel_y(fast->image, level, (rt_vu)row_at, 3);
   const __m512i blocks = rt_texel_load_eight(base, _mm512_castsi512_si256((__m512i)index));

   /* Four colours a block: of blocks 0 to 3, and of 4 to 7. */
   const rt_vu entry = (rt_vu)number;
   __m512i colors[4][2];
   for (uint32_t k = 0; k < 2; k++) {
      const __m512i of_block = _mm512_add_epi32(_mm512_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6), _mm512_set1_epi32((int)(8 * k)));
      const rt_vu ends = (rt_vu)_mm512_permutexvar_epi32(of_block, blocks);
      for (uint32_t c = 0; c < 4; c++)
         colors[c][k] = (__m512i)rt_texel_color(ends, entry, (rt_vu){0}, c, true, is_srgb);
   }
   rt_vu entries[4];
   for (uint32_t t = 0; t < 4; t++) {
      rt_vu block, sub;
      rt_blocks_tap(&block, &sub, (rt_vu)x[t & 1], (rt_vu)y[t >> 1], first);
      const rt_vu indices = (rt_vu)_mm512_permutexvar_epi32((__m512i)(block << 1 | 1), blocks);
      entries[t] = (indices >> (sub << 1) & 3) | block << 2;
   }
   for (uint32_t c = 0; c < 4; c++) {
      rt_vf taps[4];
      out[c] = rt_texel_absent(fast->info, c);
      if (!fast->info->channels[c].bits)
         continue;
      for (uint32_t t = 0; t < 4; t++)
         taps[t] = (rt_vf)_mm512_permutex2var_epi32(colors[c][0], (__m512i)entries[t], colors[c][1]);
      out[c] = rt_fast_lerp(rt_fast_lerp(taps[0], taps[1], x_weight), rt_fast_lerp(taps[2], taps[3], x_weight), y_weight);
   }
   return true;
}
#else
RT_SIMD bool rt_blocks_sample(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const rt_vi x[2], const rt_vi y[2],
                              rt_vf x_weight, rt_vf y_weight, bool is_srgb, rt_vf out[4])
{
   return false;
}
#endif
