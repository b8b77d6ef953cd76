/* SPDX-License-Identifier: MIT
 * Footprints of texels of four channels of 16 or of 32 bits, wherever the lanes are: a lane's texel is read as it is in memory, and registers hold the
 * four numbers of several lanes through all of the mixing, which is the arithmetic of other texels by other elements. Only the results are sorted by
 * channels. */
#pragma once

#include "runtime/texture/fast.h"
#include "runtime/texture/pairs.h"
#include "runtime/texture/texel.h"

/* Of texels of 64 bits. Constant where `texel` is, but for UNORM. */
RT_SIMD bool rt_records_can(enum rt_texel texel, const struct rt_format_info *info)
{
   return RT_TEX_LEVEL >= 3 && (texel == RT_TEXEL_HALF || (texel == RT_TEXEL_UNORM && info->channels[0].bits == 16));
}

#if RT_TEX_LEVEL >= 3
/* Of a quarter of the lanes: every fourth, from the first index on. */
RT_SIMD rt_vf rt_records_load(const uint8_t *base, const uint32_t *index, enum rt_texel texel)
{
   if (texel == RT_TEXEL_WORDS)
#if RT_TEX_LEVEL >= 4
      return (rt_vf)rt_texel_load_four(base, index);
#else
      return (rt_vf)rt_texel_load_two(base + (uint64_t)index[0] * 16, base + (uint64_t)index[4] * 16);
#endif
   const double *const texels = (const double *)(const void *)base; /* for their bits */
   const __m128i low = _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(&texels[index[0]]), &texels[index[4]]));
#if RT_TEX_LEVEL >= 4
   const __m128i high = _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(&texels[index[8]]), &texels[index[12]]));
   const __m256i bits = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
   if (texel == RT_TEXEL_HALF)
      return (rt_vf)_mm512_cvtph_ps(bits);
   const rt_vi number = (rt_vi)_mm512_cvtepu16_epi32(bits);
#else
   if (texel == RT_TEXEL_HALF)
      return (rt_vf)_mm256_cvtph_ps(low);
   const rt_vi number = (rt_vi)_mm256_cvtepu16_epi32(low);
#endif
   return rt_texel_unorm_of(rt_vf_from(number), 16);
}

/* The weights of the same lanes: number i of each four, a constant, for all of them. */
RT_SIMD rt_vf rt_records_weight(rt_vf weight, int i)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vf)_mm512_permutevar_ps((__m512)weight, _mm512_set1_epi32(i));
#else
   return (rt_vf)_mm256_permutevar_ps((__m256)weight, _mm256_set1_epi32(i));
#endif
}

/* Rows of four numbers in each 128 bits to columns. */
RT_SIMD void rt_records_sort(const rt_vf rows[4], rt_vf out[4])
{
#if RT_TEX_LEVEL >= 4
   const __m512i words[4] = {(__m512i)rows[0], (__m512i)rows[1], (__m512i)rows[2], (__m512i)rows[3]};
   struct rt_taps columns;
   rt_texel_transpose(words, &columns, 0);
   for (uint32_t c = 0; c < 4; c++)
      out[c] = (rt_vf)columns.word[c][0];
#else
   const __m256 a = _mm256_unpacklo_ps((__m256)rows[0], (__m256)rows[1]), b = _mm256_unpackhi_ps((__m256)rows[0], (__m256)rows[1]);
   const __m256 c = _mm256_unpacklo_ps((__m256)rows[2], (__m256)rows[3]), d = _mm256_unpackhi_ps((__m256)rows[2], (__m256)rows[3]);
   out[0] = (rt_vf)_mm256_shuffle_ps(a, c, 0x44);
   out[1] = (rt_vf)_mm256_shuffle_ps(a, c, 0xee);
   out[2] = (rt_vf)_mm256_shuffle_ps(b, d, 0x44);
   out[3] = (rt_vf)_mm256_shuffle_ps(b, d, 0xee);
#endif
}

/* Mixed texels, UNORM times rt_texel_unorm_scale(). The indices of all lanes must be readable. */
RT_SIMD void rt_records_mix(const uint8_t *base, const rt_vu index[4], const struct rt_pairs *pairs, enum rt_texel texel, rt_vf out[4])
{
   uint32_t at[4][RT_SIMD_LANES] __attribute__((aligned(64)));
   rt_vf rows[4];
   memcpy(at, index, sizeof(at));
   __asm__("" : "+m"(at)); /* loads are less than what takes numbers out of registers */
#pragma GCC unroll 4
   for (int i = 0; i < 4; i++) {
      const rt_vf x = rt_records_weight(pairs->x_weight, i), y = rt_records_weight(pairs->y_weight, i);
      const rt_vf upper = rt_fast_lerp(rt_records_load(base, at[0] + i, texel), rt_records_load(base, at[1] + i, texel), x);
      const rt_vf lower = rt_fast_lerp(rt_records_load(base, at[2] + i, texel), rt_records_load(base, at[3] + i, texel), x);
      rows[i] = rt_fast_lerp(upper, lower, y);
   }
   rt_records_sort(rows, out);
}
#else
RT_SIMD void rt_records_mix(const uint8_t *base, const rt_vu index[4], const struct rt_pairs *pairs, enum rt_texel texel, rt_vf out[4])
{
}
#endif

/* The same; UNORM is finished. `texel` is a constant. */
RT_SIMD void rt_records_sample(const uint8_t *base, const rt_vu index[4], const struct rt_pairs *pairs, enum rt_texel texel,
                               const struct rt_format_info *info, rt_vf out[4])
{
   rt_records_mix(base, index, pairs, texel, out);
   for (uint32_t c = 0; c < 4 && texel == RT_TEXEL_UNORM; c++)
      out[c] = out[c] * rt_texel_unorm_scale(&info->channels[c]);
}
