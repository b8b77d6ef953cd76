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

#if RT_TEX_LEVEL >= 4
enum { RT_SRGB_VECTORS = 6 };

/* Half of what the table has at two codes a lane, for several vectors: four registers of 64 entries at a time. */
RT_SIMD void rt_srgb_look_up_halves(rt_vh out[RT_SRGB_VECTORS], const uint16_t table[256], const rt_vh codes[RT_SRGB_VECTORS])
{
   __m512i parts[8];
   for (uint32_t i = 0; i < 8; i++)
      parts[i] = _mm512_loadu_si512(table + 32 * i);
   for (uint32_t v = 0; v < RT_SRGB_VECTORS; v++) {
      const __m512i code = (__m512i)codes[v];
      const __mmask32 bit6 = _mm512_test_epi16_mask(code, _mm512_set1_epi16(64)), bit7 = _mm512_test_epi16_mask(code, _mm512_set1_epi16(128));
      const __m512i low = _mm512_mask_blend_epi16(bit6, _mm512_permutex2var_epi16(parts[0], code, parts[1]),
                                                  _mm512_permutex2var_epi16(parts[2], code, parts[3]));
      const __m512i high = _mm512_mask_blend_epi16(bit6, _mm512_permutex2var_epi16(parts[4], code, parts[5]),
                                                   _mm512_permutex2var_epi16(parts[6], code, parts[7]));
      out[v] = (rt_vh)_mm512_mask_blend_epi16(bit7, low, high);
   }
}

/* Of four taps, twelve codes a lane: red and blue of each in the halves of a register, then green of two. */
RT_SIMD void rt_srgb_decode_taps(const rt_vu words[4], rt_vf taps[4][4])
{
   rt_vh codes[RT_SRGB_VECTORS], low[RT_SRGB_VECTORS], high[RT_SRGB_VECTORS];
   for (uint32_t t = 0; t < 4; t++)
      codes[t] = (rt_vh)(words[t] & 0x00ff00ffu);
   for (uint32_t k = 0; k < 2; k++)
      codes[4 + k] = (rt_vh)((words[2 * k] >> 8 & 0xff) | (words[2 * k + 1] << 8 & 0x00ff0000u));
   rt_srgb_look_up_halves(low, rt_srgb_decode_halves[0], codes);
   rt_srgb_look_up_halves(high, rt_srgb_decode_halves[1], codes);
   rt_vf lower[RT_SRGB_VECTORS], upper[RT_SRGB_VECTORS]; /* floats of the codes in the low halves, in the high ones */
   for (uint32_t v = 0; v < RT_SRGB_VECTORS; v++) {
      lower[v] = (rt_vf)rt_vh_join((rt_vi)low[v], (rt_vi)((rt_vu)high[v] << 16));
      upper[v] = (rt_vf)rt_vh_join((rt_vi)((rt_vu)low[v] >> 16), (rt_vi)high[v]);
   }
   for (uint32_t t = 0; t < 4; t++) {
      taps[t][0] = lower[t];
      taps[t][1] = t & 1 ? upper[4 + t / 2] : lower[4 + t / 2];
      taps[t][2] = upper[t];
      taps[t][3] = rt_words_finish(rt_vf_from((rt_vi)(words[t] >> 24)), false);
   }
}
#else
RT_SIMD void rt_srgb_decode_taps(const rt_vu words[4], rt_vf taps[4][4])
{
   for (uint32_t t = 0; t < 4; t++)
      rt_srgb_decode(words[t], taps[t]);
}
#endif

/* The low bytes of x and y are the weights. */
RT_SIMD void rt_srgb_mix(const rt_vu words[4], rt_vi x_parts, rt_vi y_parts, rt_vf out[4])
{
   const rt_vf x = rt_vf_from(x_parts & (RT_WORDS_FRACTION - 1)) * (1.0f / RT_WORDS_FRACTION);
   const rt_vf y = rt_vf_from(y_parts & (RT_WORDS_FRACTION - 1)) * (1.0f / RT_WORDS_FRACTION);
   rt_vf taps[4][4];
   rt_srgb_decode_taps(words, taps);
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_fast_lerp(rt_fast_lerp(taps[0][c], taps[1][c], x), rt_fast_lerp(taps[2][c], taps[3][c], x), y);
}
