/* SPDX-License-Identifier: MIT
 * The sRGB tables for registers of AVX-512 and AVX2. */
#pragma once

#include "runtime/format/srgb.h"
#include "util/macros.h"
#include "util/simd_look_up.h"

#include <stdbool.h>

#ifdef __AVX512F__

/* The entries of codes below 256, out of registers: half of what a gather takes. */
static inline __attribute__((always_inline)) __m512i rt_srgb_decode_lanes(__m512i code)
{
   __m512i part[8];
   for (uint32_t i = 0; i < 8; i++)
      part[i] = _mm512_permutex2var_epi32(_mm512_loadu_si512(rt_srgb_decode_table + 32 * i), code,
                                          _mm512_loadu_si512(rt_srgb_decode_table + 32 * i + 16));
   for (uint32_t bit = 5, count = 4; bit < 8; bit++, count /= 2) {
      const __mmask16 is_set = _mm512_test_epi32_mask(code, _mm512_set1_epi32(1 << bit));
      for (uint32_t i = 0; i < count; i++)
         part[i] = _mm512_mask_blend_epi32(is_set, part[2 * i], part[2 * i + 1]);
   }
   return part[0];
}

/* The same of three channels: each part of the table is loaded once. */
static inline __attribute__((always_inline)) void rt_srgb_decode_three(const __m512i codes[3], __m512i values[3])
{
   __m512i quarter[3], half[3];
   for (uint32_t i = 0; i < 4; i++) {
      __m512i part[4];
      for (uint32_t k = 0; k < 4; k++)
         part[k] = _mm512_loadu_si512(rt_srgb_decode_table + 64 * i + 16 * k);
      for (uint32_t c = 0; c < 3; c++) {
         const __m512i low = _mm512_permutex2var_epi32(part[0], codes[c], part[1]), high = _mm512_permutex2var_epi32(part[2], codes[c], part[3]);
         const __m512i entry = _mm512_mask_blend_epi32(_mm512_test_epi32_mask(codes[c], _mm512_set1_epi32(1 << 5)), low, high);
         const __m512i pair = _mm512_mask_blend_epi32(_mm512_test_epi32_mask(codes[c], _mm512_set1_epi32(1 << 6)), quarter[c], entry);
         if (i % 2 == 0)
            quarter[c] = entry;
         else if (i == 1)
            half[c] = pair;
         else
            values[c] = _mm512_mask_blend_epi32(_mm512_test_epi32_mask(codes[c], _mm512_set1_epi32(1 << 7)), half[c], pair);
      }
   }
}

/* As rt_srgb_encode(), by its table. Two gathers of eight lanes take less than one of sixteen. */
static inline __attribute__((always_inline)) __m512i rt_srgb_encode_exactly(__m512 linear)
{
   const __m512i first = _mm512_set1_epi32(RT_SRGB_FIRST_BUCKET << 16);
   const __m512 low = _mm512_min_ps(linear, _mm512_set1_ps(1.0f)); /* of NaN the second */
   const __mmask16 is_number = _mm512_cmp_ps_mask(linear, linear, _CMP_ORD_Q);
   const __m512i bits = _mm512_mask_max_epi32(first, is_number, _mm512_castps_si512(low), first);
   const __m512i bucket = _mm512_sub_epi32(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(RT_SRGB_FIRST_BUCKET));
   const int *table = (const int *)rt_srgb_encode_table;
   const __m256i head = _mm256_i32gather_epi32(table, _mm512_castsi512_si256(bucket), 4);
   const __m256i tail = _mm256_i32gather_epi32(table, _mm512_extracti64x4_epi64(bucket, 1), 4);
   const __m512i entry = _mm512_inserti64x4(_mm512_castsi256_si512(head), tail, 1);
   return _mm512_srli_epi32(_mm512_add_epi32(entry, _mm512_and_si512(bits, _mm512_set1_epi32(0xffff))), 16);
}

typedef __m512 rt_srgb_vf;
typedef __m512i rt_srgb_vi;
#define RT_SRGB_V(name) _mm512_##name

/* A table of 16 by the low bits of the exponent. */
static inline __attribute__((always_inline)) __m512 rt_srgb_by_exponent(const float table[16], __m512 x)
{
   return _mm512_permutexvar_ps(_mm512_srli_epi32(_mm512_castps_si512(x), 23), _mm512_loadu_ps(table));
}

/* The mantissa with the exponent of 1. */
static inline __attribute__((always_inline)) __m512 rt_srgb_mantissa(__m512 x)
{
   return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(0x7fffff), _mm512_set1_epi32(0x3f800000), 0xea));
}

/* a where x is below the limit. */
static inline __attribute__((always_inline)) __m512 rt_srgb_below(__m512 x, float limit, __m512 a, __m512 b)
{
   return _mm512_mask_mov_ps(b, _mm512_cmp_ps_mask(x, _mm512_set1_ps(limit), _CMP_LT_OQ), a);
}

static inline __attribute__((always_inline)) bool rt_srgb_any_above(__m512 x, float limit)
{
   return _mm512_cmp_ps_mask(x, _mm512_set1_ps(limit), _CMP_GT_OQ);
}

#elif UTIL_SIMD_LEVEL == 3 && defined(__FMA__)
typedef __m256 rt_srgb_vf;
typedef __m256i rt_srgb_vi;
#define RT_SRGB_V(name) _mm256_##name

/* As rt_srgb_encode(), by its table. */
static inline __attribute__((always_inline)) __m256i rt_srgb_encode_exactly(__m256 linear)
{
   const __m256i first = _mm256_set1_epi32(RT_SRGB_FIRST_BUCKET << 16);
   const __m256 low = _mm256_min_ps(linear, _mm256_set1_ps(1.0f)); /* of NaN the second */
   const __m256i number = _mm256_castps_si256(_mm256_and_ps(low, _mm256_cmp_ps(linear, linear, _CMP_ORD_Q)));
   const __m256i bits = _mm256_max_epi32(number, first);
   uint64_t buckets[8];
   util_i8_numbers(buckets, _mm256_sub_epi32(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(RT_SRGB_FIRST_BUCKET)));
   const __m256i entry = util_i8_look_up(rt_srgb_encode_table, buckets);
   return _mm256_srli_epi32(_mm256_add_epi32(entry, _mm256_and_si256(bits, _mm256_set1_epi32(0xffff))), 16);
}

static inline __attribute__((always_inline)) __m256 rt_srgb_by_exponent(const float table[16], __m256 x)
{
   const __m256i bits = _mm256_castps_si256(x), exponent = _mm256_srli_epi32(bits, 23);
   const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), exponent), high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), exponent);
   return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(bits, 31 - 26)));
}

static inline __attribute__((always_inline)) __m256 rt_srgb_mantissa(__m256 x)
{
   return _mm256_or_ps(_mm256_and_ps(x, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffff))), _mm256_set1_ps(1.0f));
}

static inline __attribute__((always_inline)) __m256 rt_srgb_below(__m256 x, float limit, __m256 a, __m256 b)
{
   return _mm256_blendv_ps(b, a, _mm256_cmp_ps(x, _mm256_set1_ps(limit), _CMP_LT_OQ));
}

static inline __attribute__((always_inline)) bool rt_srgb_any_above(__m256 x, float limit)
{
   return _mm256_movemask_ps(_mm256_cmp_ps(x, _mm256_set1_ps(limit), _CMP_GT_OQ));
}
#endif

#ifdef RT_SRGB_V
/* Of numbers up to 1 the curve times 255, within 1.5e-4. Above the straight part it is 255 (1.055 x^(5/12) - 0.055), with
 * x^(5/12) = 2^(5 e/12) m^(5/12) and a polynomial about m = 1.5. */
static inline __attribute__((always_inline)) rt_srgb_vf rt_srgb_curve(rt_srgb_vf x)
{
   static const float powers[16] __attribute__((aligned(64))) = {
      3.53472122f, 4.71828676f, 6.29815721f, 8.40703125f, 11.2220404f, 14.9796267f, 19.9954028f, 26.6906605f,
      35.6277574f, 47.5573505f, 63.4814467f, 84.7375651f, 113.111079f, 150.985176f, 201.541031f, 269.025f,
   }; /* 255 * 1.055 * 2^(5 e/12) by the low bits of the exponent */
   const rt_srgb_vf power = rt_srgb_by_exponent(powers, x);
   const rt_srgb_vf t = RT_SRGB_V(sub_ps)(rt_srgb_mantissa(x), RT_SRGB_V(set1_ps)(1.5f));
   rt_srgb_vf y = RT_SRGB_V(set1_ps)(-0.0027445251f);
   y = RT_SRGB_V(fmadd_ps)(y, t, RT_SRGB_V(set1_ps)(0.00523735522f));
   y = RT_SRGB_V(fmadd_ps)(y, t, RT_SRGB_V(set1_ps)(-0.00962554594f));
   y = RT_SRGB_V(fmadd_ps)(y, t, RT_SRGB_V(set1_ps)(0.0224234791f));
   y = RT_SRGB_V(fmadd_ps)(y, t, RT_SRGB_V(set1_ps)(-0.0639567174f));
   y = RT_SRGB_V(fmadd_ps)(y, t, RT_SRGB_V(set1_ps)(0.328906275f));
   y = RT_SRGB_V(fmadd_ps)(y, t, RT_SRGB_V(set1_ps)(1.18405361f));
   y = RT_SRGB_V(fmsub_ps)(y, power, RT_SRGB_V(set1_ps)(255 * 0.055f));
   return rt_srgb_below(x, 0.0031308f, RT_SRGB_V(mul_ps)(x, RT_SRGB_V(set1_ps)(255 * 12.92f)), y);
}

/* How far a number is from the next whole one. */
static inline __attribute__((always_inline)) rt_srgb_vf rt_srgb_distance(rt_srgb_vf y)
{
   const rt_srgb_vf magic = RT_SRGB_V(set1_ps)(0x1.8p23f);
   const rt_srgb_vf difference = RT_SRGB_V(sub_ps)(y, RT_SRGB_V(sub_ps)(RT_SRGB_V(add_ps)(y, magic), magic));
   return RT_SRGB_V(andnot_ps)(RT_SRGB_V(set1_ps)(-0.0f), difference);
}

/* As rt_srgb_encode(): by the table where a number is closer than 2e-4 to a limit between two codes. */
static inline __attribute__((always_inline)) rt_srgb_vi rt_srgb_encode_lanes(rt_srgb_vf linear)
{
   const rt_srgb_vf x = RT_SRGB_V(min_ps)(RT_SRGB_V(max_ps)(linear, RT_SRGB_V(setzero_ps)()), RT_SRGB_V(set1_ps)(1.0f)); /* of NaN 0 */
   const rt_srgb_vf y = rt_srgb_curve(x);
   if (UTIL_UNLIKELY(rt_srgb_any_above(rt_srgb_distance(y), 0.5f - 2e-4f)))
      return rt_srgb_encode_exactly(linear);
   return RT_SRGB_V(cvtps_epi32)(y);
}

/* The same of three channels, as numbers whose nearest whole number, if cut to [0, 255], is the code; NaN where it is 0. */
static inline __attribute__((always_inline)) void rt_srgb_encode_three(const rt_srgb_vf linear[3], rt_srgb_vf codes[3])
{
   rt_srgb_vf distance = RT_SRGB_V(setzero_ps)();
   for (uint32_t c = 0; c < 3; c++) {
      codes[c] = rt_srgb_curve(RT_SRGB_V(min_ps)(RT_SRGB_V(set1_ps)(1.0f), linear[c])); /* of NaN NaN */
      distance = RT_SRGB_V(max_ps)(rt_srgb_distance(codes[c]), distance);
   }
   if (UTIL_UNLIKELY(rt_srgb_any_above(distance, 0.5f - 2e-4f)))
      for (uint32_t c = 0; c < 3; c++)
         codes[c] = RT_SRGB_V(cvtepi32_ps)(rt_srgb_encode_exactly(linear[c]));
}
#endif
