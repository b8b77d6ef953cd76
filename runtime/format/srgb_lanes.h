/* SPDX-License-Identifier: MIT
 * The sRGB tables for 16 lanes of a machine with AVX-512. */
#pragma once

#include "runtime/format/srgb.h"
#include "util/macros.h"
#include "util/simd.h"

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

/* Of numbers up to 1 the curve times 255, within 1.5e-4. Above the straight part it is 255 (1.055 x^(5/12) - 0.055), with
 * x^(5/12) = 2^(5 e/12) m^(5/12) and a polynomial about m = 1.5. */
static inline __attribute__((always_inline)) __m512 rt_srgb_curve(__m512 x)
{
   const __m512 powers = _mm512_setr_ps(3.53472122f, 4.71828676f, 6.29815721f, 8.40703125f, 11.2220404f, 14.9796267f, 19.9954028f,
                                        26.6906605f, 35.6277574f, 47.5573505f, 63.4814467f, 84.7375651f, 113.111079f, 150.985176f,
                                        201.541031f, 269.025f); /* 255 * 1.055 * 2^(5 e/12) by the low bits of the exponent */
   const __m512i bits = _mm512_castps_si512(x);
   const __m512 power = _mm512_permutexvar_ps(_mm512_srli_epi32(bits, 23), powers);
   const __m512 m = _mm512_castsi512_ps(_mm512_ternarylogic_epi32(bits, _mm512_set1_epi32(0x7fffff), _mm512_set1_epi32(0x3f800000), 0xea));
   const __m512 t = _mm512_sub_ps(m, _mm512_set1_ps(1.5f));
   __m512 y = _mm512_set1_ps(-0.0027445251f);
   y = _mm512_fmadd_ps(y, t, _mm512_set1_ps(0.00523735522f));
   y = _mm512_fmadd_ps(y, t, _mm512_set1_ps(-0.00962554594f));
   y = _mm512_fmadd_ps(y, t, _mm512_set1_ps(0.0224234791f));
   y = _mm512_fmadd_ps(y, t, _mm512_set1_ps(-0.0639567174f));
   y = _mm512_fmadd_ps(y, t, _mm512_set1_ps(0.328906275f));
   y = _mm512_fmadd_ps(y, t, _mm512_set1_ps(1.18405361f));
   y = _mm512_fmsub_ps(y, power, _mm512_set1_ps(255 * 0.055f));
   const __mmask16 is_straight = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0.0031308f), _CMP_LT_OQ);
   return _mm512_mask_mul_ps(y, is_straight, x, _mm512_set1_ps(255 * 12.92f));
}

/* How far a number is from the next whole one. */
static inline __attribute__((always_inline)) __m512 rt_srgb_distance(__m512 y)
{
   const __m512 magic = _mm512_set1_ps(0x1.8p23f);
   return _mm512_abs_ps(_mm512_sub_ps(y, _mm512_sub_ps(_mm512_add_ps(y, magic), magic)));
}

/* As rt_srgb_encode(): by the table where a number is closer than 2e-4 to a limit between two codes. */
static inline __attribute__((always_inline)) __m512i rt_srgb_encode_lanes(__m512 linear)
{
   const __m512 x = _mm512_min_ps(_mm512_max_ps(linear, _mm512_setzero_ps()), _mm512_set1_ps(1.0f)); /* of NaN 0 */
   const __m512 y = rt_srgb_curve(x);
   if (UTIL_UNLIKELY(_mm512_cmp_ps_mask(rt_srgb_distance(y), _mm512_set1_ps(0.5f - 2e-4f), _CMP_GT_OQ)))
      return rt_srgb_encode_exactly(linear);
   return _mm512_cvtps_epi32(y);
}

/* The same of three channels, as numbers whose nearest whole number, if cut to [0, 255], is the code; NaN where it is 0. */
static inline __attribute__((always_inline)) void rt_srgb_encode_three(const __m512 linear[3], __m512 codes[3])
{
   __m512 distance = _mm512_setzero_ps();
   for (uint32_t c = 0; c < 3; c++) {
      codes[c] = rt_srgb_curve(_mm512_min_ps(_mm512_set1_ps(1.0f), linear[c])); /* of NaN NaN */
      distance = _mm512_max_ps(rt_srgb_distance(codes[c]), distance);
   }
   if (UTIL_UNLIKELY(_mm512_cmp_ps_mask(distance, _mm512_set1_ps(0.5f - 2e-4f), _CMP_GT_OQ)))
      for (uint32_t c = 0; c < 3; c++)
         codes[c] = _mm512_cvtepi32_ps(rt_srgb_encode_exactly(linear[c]));
}
#endif
