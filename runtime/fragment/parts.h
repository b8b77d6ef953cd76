/* SPDX-License-Identifier: MIT
 * Blocks by parts that fill a register of the level: 16, 8 or 4 lanes at a time, in the order of the block's. Where much is live at a time
 * compilers make better code of these than of sixteen lanes (runtime/draw/lanes.h). */
#pragma once

#include "runtime/draw/lanes.h"

enum { RT_PART_LANES = UTIL_SIMD_LEVEL >= 4 ? 16 : UTIL_SIMD_LEVEL >= 3 ? 8 : 4, RT_PART_MASK = (1 << RT_PART_LANES) - 1 };

typedef float rt_pf __attribute__((vector_size(4 * RT_PART_LANES)));
typedef int32_t rt_pi __attribute__((vector_size(4 * RT_PART_LANES)));
typedef uint32_t rt_pu __attribute__((vector_size(4 * RT_PART_LANES)));
typedef rt_pf rt_pf_any __attribute__((aligned(4), may_alias));
typedef rt_pi rt_pi_any __attribute__((aligned(4), may_alias));

RT_INLINE_LANES rt_pf rt_pf_set(float v)
{
   return v - (rt_pf){0};
}

RT_INLINE_LANES rt_pi rt_pi_set(int32_t v)
{
   return v - (rt_pi){0};
}

RT_INLINE_LANES rt_pf rt_pf_load(const void *p)
{
   return *(const rt_pf_any *)p;
}

RT_INLINE_LANES void rt_pf_store(void *p, rt_pf v)
{
   *(rt_pf_any *)p = v;
}

RT_INLINE_LANES rt_pi rt_pi_load(const void *p)
{
   return *(const rt_pi_any *)p;
}

RT_INLINE_LANES void rt_pi_store(void *p, rt_pi v)
{
   *(rt_pi_any *)p = v;
}

/* Lanes of a comparison are 0 or -1. */
RT_INLINE_LANES rt_pi rt_pi_select(rt_pi mask, rt_pi a, rt_pi b)
{
   return (mask & a) | (~mask & b);
}

RT_INLINE_LANES rt_pf rt_pf_select(rt_pi mask, rt_pf a, rt_pf b)
{
   return (rt_pf)rt_pi_select(mask, (rt_pi)a, (rt_pi)b);
}

/* a > b ? a : b and a < b ? a : b: b where either is NaN. */
RT_INLINE_LANES rt_pf rt_pf_max(rt_pf a, rt_pf b)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)_mm512_max_ps((__m512)a, (__m512)b);
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pf)_mm256_max_ps((__m256)a, (__m256)b);
#else
   return util_f4_max(a, b);
#endif
}

RT_INLINE_LANES rt_pf rt_pf_min(rt_pf a, rt_pf b)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)_mm512_min_ps((__m512)a, (__m512)b);
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pf)_mm256_min_ps((__m256)a, (__m256)b);
#else
   return util_f4_min(a, b);
#endif
}

/* Rounded once. */
RT_INLINE_LANES rt_pf rt_pf_sqrt(rt_pf v)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)_mm512_sqrt_ps((__m512)v);
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pf)_mm256_sqrt_ps((__m256)v);
#else
   return util_f4_sqrt(v);
#endif
}

/* NaN gives low. */
RT_INLINE_LANES rt_pf rt_pf_clamp(rt_pf v, float low, float high)
{
   return rt_pf_min(rt_pf_max(v, rt_pf_set(low)), rt_pf_set(high));
}

RT_INLINE_LANES rt_pi rt_pi_max(rt_pi a, rt_pi b)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pi)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
   return rt_pi_select(a > b, a, b);
#endif
}

RT_INLINE_LANES rt_pi rt_pi_min(rt_pi a, rt_pi b)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pi)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
   return rt_pi_select(a < b, a, b);
#endif
}

RT_INLINE_LANES rt_pi rt_pu_min(rt_pu a, uint32_t b)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_min_epu32((__m512i)a, _mm512_set1_epi32((int32_t)b));
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pi)_mm256_min_epu32((__m256i)a, _mm256_set1_epi32((int32_t)b));
#else
   return rt_pi_select(a < b, (rt_pi)a, rt_pi_set((int32_t)b));
#endif
}

/* One bit a lane: the sign, and so that of comparisons. */
RT_INLINE_LANES uint32_t rt_pi_signs(rt_pi v)
{
#if UTIL_SIMD_LEVEL >= 4
   return _mm512_movepi32_mask((__m512i)v);
#elif UTIL_SIMD_LEVEL >= 3
   return (uint32_t)_mm256_movemask_ps((__m256)v);
#else
   return util_i4_signs(v);
#endif
}

/* rt_pi_signs() of a comparison of floats. */
#if UTIL_SIMD_LEVEL >= 4
#define RT_PF_COMPARE(a, operator, b, predicate) ((uint32_t)_mm512_cmp_ps_mask((__m512)(a), (__m512)(b), predicate))
#else
#define RT_PF_COMPARE(a, operator, b, predicate) rt_pi_signs((a) operator (b))
#endif

/* Lanes -1 where the bit is set, else 0. */
RT_INLINE_LANES rt_pi rt_pi_from_mask(uint32_t mask)
{
   rt_pi bits;
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      bits[i] = 1 << i;
   return (rt_pi_set((int32_t)mask) & bits) != 0;
}

/* a in the lanes whose bit is set, else b. */
RT_INLINE_LANES rt_pi rt_pi_merge(uint32_t mask, rt_pi a, rt_pi b)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_mask_mov_epi32((__m512i)b, (__mmask16)mask, (__m512i)a);
#else
   return rt_pi_select(rt_pi_from_mask(mask), a, b);
#endif
}

/* ---- four bytes a lane ---- */

#if UTIL_SIMD_LEVEL >= 4
typedef __m512i rt_part_bytes;
typedef __m512 rt_part_floats;
#define RT_PART_BYTES(name) _mm512_##name
#define RT_PART_BYTES_INDEX(a, b, c, d) _mm512_set4_epi32(d, c, b, a)
#elif UTIL_SIMD_LEVEL >= 3
typedef __m256i rt_part_bytes;
typedef __m256 rt_part_floats;
#define RT_PART_BYTES(name) _mm256_##name
#define RT_PART_BYTES_INDEX(a, b, c, d) _mm256_setr_epi32(a, b, c, d, a, b, c, d)
#endif

/* Whole numbers next to those in v[0], the lowest byte, to v[3], cut to [0, 255]; ties to even, NaN is 0. They are below 2^31. */
RT_INLINE_LANES rt_pi rt_pf_pack_bytes(const rt_pf v[4])
{
#if UTIL_SIMD_LEVEL >= 3
   rt_part_bytes n[4];
   for (uint32_t k = 0; k < 4; k++)
      n[k] = RT_PART_BYTES(cvtps_epi32)((rt_part_floats)v[k]);
   const rt_part_bytes low = RT_PART_BYTES(packs_epi32)(n[0], n[1]), high = RT_PART_BYTES(packs_epi32)(n[2], n[3]);
   return (rt_pi)RT_PART_BYTES(shuffle_epi8)(RT_PART_BYTES(packus_epi16)(low, high),
                                             RT_PART_BYTES_INDEX(0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703));
#else
   rt_pi words = {0};
   for (uint32_t k = 0; k < 4; k++) /* a whole number in the low bits of a float from 2^23 on */
      words |= ((rt_pi)(rt_pf_clamp(v[k], 0.0f, 255.0f) + rt_pf_set(0x1p23f)) & 0xff) << 8 * k;
   return words;
#endif
}

/* Byte `k`, a constant. */
RT_INLINE_LANES rt_pi rt_pi_byte(rt_pi words, uint32_t k)
{
#if UTIL_SIMD_LEVEL >= 3
   if (k == 1 || k == 2)
      return (rt_pi)RT_PART_BYTES(shuffle_epi8)((rt_part_bytes)words, RT_PART_BYTES_INDEX((int)(0x80808000 + k), (int)(0x80808004 + k),
                                                                                         (int)(0x80808008 + k), (int)(0x8080800c + k)));
#endif
   return k == 3 ? (rt_pi)((rt_pu)words >> 24) : words >> 8 * k & 0xff;
}

/* The greater byte of each two; where `least` has a byte of 0xff, the smaller. */
RT_INLINE_LANES rt_pi rt_pi_extreme_bytes(rt_pi a, rt_pi b, int32_t least)
{
#if UTIL_SIMD_LEVEL >= 3
   const rt_part_bytes smaller = RT_PART_BYTES(min_epu8)((rt_part_bytes)a, (rt_part_bytes)b);
   return rt_pi_select(rt_pi_set(least), (rt_pi)smaller, (rt_pi)RT_PART_BYTES(max_epu8)((rt_part_bytes)a, (rt_part_bytes)b));
#else
   typedef uint8_t bytes __attribute__((vector_size(sizeof(rt_pi))));
   const rt_pi is_less = (rt_pi)((bytes)a < (bytes)b);
   return rt_pi_select(is_less ^ rt_pi_set(least), b, a);
#endif
}

/* Positions of the lanes in the block, from lane `at` on. */
RT_INLINE_LANES rt_pf rt_pf_lanes_x(uint32_t at)
{
   static const float lanes[16] = RT_LANES_X;
   return rt_pf_load(&lanes[at]);
}

RT_INLINE_LANES rt_pf rt_pf_lanes_y(uint32_t at)
{
   static const float lanes[16] = RT_LANES_Y;
   return rt_pf_load(&lanes[at]);
}

/* ---- texels of one to sixteen bytes; numbers in lanes fit ---- */

#if UTIL_SIMD_LEVEL == 3
/* Half words of the lanes' low halves. */
RT_INLINE_LANES __m128i rt_pi_half_words(rt_pi v)
{
   return _mm_packus_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
}
#endif

RT_INLINE_LANES rt_pi rt_pi_load_u8(const uint8_t *p)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)p));
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
#else
   return (rt_pi){p[0], p[1], p[2], p[3]};
#endif
}

RT_INLINE_LANES void rt_pi_store_u8(uint8_t *p, rt_pi v)
{
#if UTIL_SIMD_LEVEL >= 4
   _mm_storeu_si128((void *)p, _mm512_cvtepi32_epi8((__m512i)v));
#elif UTIL_SIMD_LEVEL >= 3
   const __m128i words = rt_pi_half_words(v);
   _mm_storel_epi64((void *)p, _mm_packus_epi16(words, words));
#else
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      p[i] = (uint8_t)v[i];
#endif
}

RT_INLINE_LANES rt_pi rt_pi_load_u16(const uint8_t *p)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)p));
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pi)_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p));
#else
   uint16_t words[RT_PART_LANES];
   memcpy(words, p, sizeof(words));
   return (rt_pi){words[0], words[1], words[2], words[3]};
#endif
}

RT_INLINE_LANES void rt_pi_store_u16(uint8_t *p, rt_pi v)
{
#if UTIL_SIMD_LEVEL >= 4
   _mm256_storeu_si256((void *)p, _mm512_cvtepi32_epi16((__m512i)v));
#elif UTIL_SIMD_LEVEL >= 3
   _mm_storeu_si128((void *)p, rt_pi_half_words(v));
#else
   uint16_t words[RT_PART_LANES];
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      words[i] = (uint16_t)v[i];
   memcpy(p, words, sizeof(words));
#endif
}

RT_INLINE_LANES void rt_pi_load_pairs(const uint8_t *p, rt_pi words[2])
{
#if UTIL_SIMD_LEVEL >= 4
   rt_load_pairs((const int32_t(*)[2])(const void *)p, &words[0], &words[1]);
#elif UTIL_SIMD_LEVEL >= 3
   const __m256 low = _mm256_loadu_ps((const void *)p), high = _mm256_loadu_ps((const void *)(p + 32));
   words[0] = (rt_pi)_mm256_permute4x64_epi64((__m256i)_mm256_shuffle_ps(low, high, 0x88), 0xd8);
   words[1] = (rt_pi)_mm256_permute4x64_epi64((__m256i)_mm256_shuffle_ps(low, high, 0xdd), 0xd8);
#else
   util_i4_load_pairs((const int32_t(*)[2])(const void *)p, &words[0], &words[1]);
#endif
}

RT_INLINE_LANES void rt_pi_store_pairs(uint8_t *p, const rt_pi words[2])
{
#if UTIL_SIMD_LEVEL >= 4
   rt_store_pairs((int32_t(*)[2])(void *)p, words[0], words[1]);
#elif UTIL_SIMD_LEVEL >= 3
   const __m256i a = _mm256_unpacklo_epi32((__m256i)words[0], (__m256i)words[1]);
   const __m256i b = _mm256_unpackhi_epi32((__m256i)words[0], (__m256i)words[1]);
   _mm256_storeu_si256((void *)p, _mm256_permute2x128_si256(a, b, 0x20));
   _mm256_storeu_si256((void *)(p + 32), _mm256_permute2x128_si256(a, b, 0x31));
#else
   util_i4_store_pairs((int32_t(*)[2])(void *)p, words[0], words[1]);
#endif
}

/* Four rows of four words become four columns, in each 128 bits. */
RT_INLINE_LANES void rt_pi_transpose(rt_pi v[4])
{
#if UTIL_SIMD_LEVEL >= 4
   rt_transpose_parts(v);
#elif UTIL_SIMD_LEVEL >= 3
   const __m256i a = _mm256_unpacklo_epi32((__m256i)v[0], (__m256i)v[1]), b = _mm256_unpackhi_epi32((__m256i)v[0], (__m256i)v[1]);
   const __m256i c = _mm256_unpacklo_epi32((__m256i)v[2], (__m256i)v[3]), d = _mm256_unpackhi_epi32((__m256i)v[2], (__m256i)v[3]);
   v[0] = (rt_pi)_mm256_unpacklo_epi64(a, c);
   v[1] = (rt_pi)_mm256_unpackhi_epi64(a, c);
   v[2] = (rt_pi)_mm256_unpacklo_epi64(b, d);
   v[3] = (rt_pi)_mm256_unpackhi_epi64(b, d);
#else
   util_i4_transpose(v);
#endif
}

/* Texels of four words. */
RT_INLINE_LANES void rt_pi_load_records(const uint8_t *p, rt_pi words[4])
{
#if UTIL_SIMD_LEVEL >= 4
   rt_load_records(p, 16, words);
#elif UTIL_SIMD_LEVEL >= 3
   for (uint32_t k = 0; k < 4; k++)
      words[k] = (rt_pi)_mm256_loadu2_m128i((const void *)(p + 64 + 16 * k), (const void *)(p + 16 * k));
   rt_pi_transpose(words);
#else
   memcpy(words, p, 64);
   rt_pi_transpose(words);
#endif
}

/* Changes `words`. */
RT_INLINE_LANES void rt_pi_store_records(uint8_t *p, rt_pi words[4])
{
#if UTIL_SIMD_LEVEL >= 4
   rt_scatter_records(p, 16, words);
#elif UTIL_SIMD_LEVEL >= 3
   rt_pi_transpose(words);
   for (uint32_t k = 0; k < 4; k++)
      _mm256_storeu2_m128i((void *)(p + 64 + 16 * k), (void *)(p + 16 * k), (__m256i)words[k]);
#else
   rt_pi_transpose(words);
   memcpy(p, words, 64);
#endif
}
