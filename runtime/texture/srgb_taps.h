/* SPDX-License-Identifier: MIT
 * Texels of four sRGB bytes, filtered with weights of 8 bits. */
#pragma once

#include "runtime/format/srgb.h"
#include "runtime/texture/fast.h"

/* Bytes to floats; alpha of sRGB formats is plain. */
RT_SIMD void rt_srgb_decode(rt_vu words, rt_vf out[4])
{
   for (uint32_t c = 0; c < 3; c++)
      out[c] = rt_texel_srgb(words >> (8 * c) & 255);
   out[3] = rt_words_finish(rt_vf_from((rt_vi)(words >> 24)), false);
}

/* Filtered, red, green and blue are numbers of 16 bits, UINT16_MAX for 1: of neighbouring codes even the darkest are 19 apart. */
#if RT_TEX_LEVEL >= 4
/* Of two codes a lane, in the low bytes of its halves, what the table has: of four registers of 64 entries one is chosen. */
RT_SIMD rt_vh rt_srgb_look_up(const __m512i table[8], rt_vh codes)
{
   const __m512i code = (__m512i)codes;
   const __mmask32 bit6 = _mm512_test_epi16_mask(code, _mm512_set1_epi16(64)), bit7 = _mm512_test_epi16_mask(code, _mm512_set1_epi16(128));
   const __m512i low = _mm512_mask_blend_epi16(bit6, _mm512_permutex2var_epi16(table[0], code, table[1]),
                                               _mm512_permutex2var_epi16(table[2], code, table[3]));
   const __m512i high = _mm512_mask_blend_epi16(bit6, _mm512_permutex2var_epi16(table[4], code, table[5]),
                                                _mm512_permutex2var_epi16(table[6], code, table[7]));
   return (rt_vh)_mm512_mask_blend_epi16(bit7, low, high);
}

/* Both rows, mixed along x: whole numbers. The table's are 2^15 less, since products are of signed numbers. */
RT_SIMD void rt_srgb_mix_rows(const rt_vu words[4], rt_vi weight, bool has_quads, rt_vf rows[2][3])
{
   const rt_vh weights = (rt_vh)((weight << 16) + (RT_WORDS_FRACTION - weight)); /* left, right */
   __m512i table[8];
   for (uint32_t i = 0; i < 8; i++)
      table[i] = _mm512_loadu_si512(rt_srgb_signed_table + 32 * i);
#pragma GCC unroll 2
   for (uint32_t r = 0; r < 2; r++) {
      const rt_vu left = words[2 * r], right = words[2 * r + 1];
      const rt_vh codes[3] = {rt_vh_join((rt_vi)left, (rt_vi)(right << 16)), rt_vh_join((rt_vi)(left >> 8), (rt_vi)(right << 8)),
                              rt_vh_join((rt_vi)(left >> 16), (rt_vi)right)};
#pragma GCC unroll 3
      for (uint32_t c = 0; c < 3; c++)
         rows[r][c] = rt_vf_from(rt_vh_dot(rt_srgb_look_up(table, codes[c]), weights) + (1 << 15) * RT_WORDS_FRACTION);
   }
}
#else
RT_SIMD rt_vf rt_srgb_channel(rt_vu words, uint32_t c)
{
   return (rt_vf)rt_vu_gather_words((const uint8_t *)rt_srgb_filtered_table, words >> (8 * c) & 255);
}

#if RT_TEX_LEVEL == 3
RT_SIMD __m256i rt_srgb_take(__m256i v, __m256i lanes)
{
   return _mm256_permutevar8x32_epi32(v, lanes);
}

RT_SIMD rt_vf rt_srgb_code(__m256i words, uint32_t c)
{
   return rt_srgb_channel((rt_vu)words, c);
}

/* Of fragments, lanes 0 1 4 5 above 2 3 6 7, whose texels are one apart: of the other taps seven are none of the upper left ones, a register of
 * their own. False where other words are the same. */
RT_SIMD bool rt_srgb_decode_quads(const rt_vu words[4], rt_vf taps[4][3])
{
   const __m256i right = _mm256_setr_epi32(1, 4, 3, 6, 5, 5, 7, 7), last = _mm256_set1_epi32(7); /* the lane to the right of each but 5 and 7 */
   const __m256i w[4] = {(__m256i)words[0], (__m256i)words[1], (__m256i)words[2], (__m256i)words[3]};
   const __m256i moved[3] = {_mm256_blend_epi32(rt_srgb_take(w[0], right), w[1], 0xa0), _mm256_blend_epi32(_mm256_shuffle_epi32(w[0], 0xee), w[2], 0xcc),
                             _mm256_blend_epi32(_mm256_blend_epi32(rt_srgb_take(w[2], right), rt_srgb_take(w[1], last), 0x20), w[3], 0x80)};
   const __m256i of_two = _mm256_or_si256(_mm256_xor_si256(moved[0], w[1]), _mm256_xor_si256(moved[1], w[2]));
   const __m256i differ = _mm256_or_si256(of_two, _mm256_xor_si256(moved[2], w[3]));
   if (!_mm256_testz_si256(differ, differ))
      return false;
   const __m256i lower = _mm256_blend_epi32(rt_srgb_take(w[2], _mm256_setr_epi32(0, 0, 2, 3, 6, 7, 0, 0)), w[3], 0x80);
   const __m256i others = _mm256_blend_epi32(lower, rt_srgb_take(w[1], _mm256_setr_epi32(5, 7, 0, 0, 0, 0, 0, 0)), 0x03);
#pragma GCC unroll 3
   for (uint32_t c = 0; c < 3; c++) {
      const __m256i first = (__m256i)rt_srgb_code(w[0], c), other = (__m256i)rt_srgb_code(others, c);
      const __m256i left = _mm256_blend_epi32(_mm256_shuffle_epi32(first, 0xee), rt_srgb_take(other, _mm256_setr_epi32(0, 0, 2, 3, 0, 0, 4, 5)), 0xcc);
      taps[0][c] = (rt_vf)first;
      taps[1][c] = (rt_vf)_mm256_blend_epi32(rt_srgb_take(first, right), rt_srgb_take(other, _mm256_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1)), 0xa0);
      taps[2][c] = (rt_vf)left;
      taps[3][c] = (rt_vf)_mm256_blend_epi32(rt_srgb_take(left, right), rt_srgb_take(other, _mm256_setr_epi32(0, 0, 0, 0, 0, 1, 0, 7)), 0xa0);
   }
   return true;
}

/* Of rows of lanes whose texels are one apart: right taps are the left ones of the next lanes, but for the last. */
RT_SIMD bool rt_srgb_decode_row(const rt_vu words[4], rt_vf taps[4][3])
{
   const __m256i next = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7);
   const __m256i differ = _mm256_or_si256(_mm256_xor_si256(rt_srgb_take((__m256i)words[0], next), (__m256i)words[1]),
                                          _mm256_xor_si256(rt_srgb_take((__m256i)words[2], next), (__m256i)words[3]));
   if ((~(uint32_t)_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32(differ, _mm256_setzero_si256())) & 0x7f) != 0)
      return false;
#pragma GCC unroll 2
   for (uint32_t r = 0; r < 2; r++) {
      const uint32_t last = words[2 * r + 1][7];
#pragma GCC unroll 3
      for (uint32_t c = 0; c < 3; c++) {
         const __m256i first = (__m256i)rt_srgb_code((__m256i)words[2 * r], c), end = _mm256_set1_epi32((int)rt_srgb_filtered_table[last >> (8 * c) & 255]);
         taps[2 * r][c] = (rt_vf)first;
         taps[2 * r + 1][c] = (rt_vf)_mm256_blend_epi32(rt_srgb_take(first, next), end, 0x80);
      }
   }
   return true;
}
#endif

/* Neighbours have many texels in common: with AVX2, where each is looked up by a load, these are looked up once. */
RT_SIMD bool rt_srgb_decode_shared(const rt_vu words[4], bool has_quads, rt_vf taps[4][3])
{
#if RT_TEX_LEVEL == 3
   return has_quads ? rt_srgb_decode_quads(words, taps) : rt_srgb_decode_row(words, taps);
#else
   return false;
#endif
}

/* Both rows, mixed along x: whole numbers, exact. */
RT_SIMD void rt_srgb_mix_rows(const rt_vu words[4], rt_vi weight, bool has_quads, rt_vf rows[2][3])
{
   rt_vf taps[4][3];
   const bool is_shared = rt_srgb_decode_shared(words, has_quads, taps);
   const rt_vf right = rt_vf_from(weight), left = RT_WORDS_FRACTION - right;
#pragma GCC unroll 2
   for (uint32_t r = 0; r < 2; r++) {
#pragma GCC unroll 3
      for (uint32_t c = 0; c < 3; c++) {
         if (!is_shared)
            for (uint32_t t = 2 * r; t < 2 * r + 2; t++)
               taps[t][c] = rt_srgb_channel(words[t], c);
         rows[r][c] = rt_vf_madd(taps[2 * r + 1][c], right, taps[2 * r][c] * left);
      }
   }
}
#endif

/* The low bytes of x and y are the weights. Lanes are two by two, or rows. */
RT_SIMD void rt_srgb_mix(const rt_vu words[4], rt_vi x_parts, rt_vi y_parts, bool has_quads, rt_vf out[4])
{
   rt_vf rows[2][3];
   rt_srgb_mix_rows(words, x_parts & (RT_WORDS_FRACTION - 1), has_quads, rows);
   const float unit = 1.0f / (RT_WORDS_FRACTION * RT_WORDS_FRACTION);
   const rt_vf low = rt_vf_from(y_parts & (RT_WORDS_FRACTION - 1)) * unit, high = unit * RT_WORDS_FRACTION - low;
   rt_words_mix(words, x_parts, y_parts, 8, out);
   out[3] = rt_words_finish(out[3], true);
#pragma GCC unroll 3
   for (uint32_t c = 0; c < 3; c++) {
      const rt_vf mixed = rows[0][c] * high + rows[1][c] * low;
      out[c] = mixed * 0x1p-16f + mixed * 0x1p-32f; /* divided by UINT16_MAX */
   }
}
