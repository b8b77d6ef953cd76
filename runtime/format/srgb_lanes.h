/* SPDX-License-Identifier: MIT
 * The sRGB tables for 16 lanes of a machine with AVX-512. */
#pragma once

#include "runtime/format/srgb.h"
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

/* As rt_srgb_encode(). */
static inline __attribute__((always_inline)) __m512i rt_srgb_encode_lanes(__m512 linear)
{
   const __m512i first = _mm512_set1_epi32(RT_SRGB_FIRST_BUCKET << 16);
   const __m512 low = _mm512_min_ps(linear, _mm512_set1_ps(1.0f)); /* of NaN the second */
   const __mmask16 is_number = _mm512_cmp_ps_mask(linear, linear, _CMP_ORD_Q);
   const __m512i bits = _mm512_mask_max_epi32(first, is_number, _mm512_castps_si512(low), first);
   const __m512i bucket = _mm512_sub_epi32(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(RT_SRGB_FIRST_BUCKET));
   const __m512i entry = _mm512_i32gather_epi32(bucket, rt_srgb_encode_table, 4);
   return _mm512_srli_epi32(_mm512_add_epi32(entry, _mm512_and_si512(bits, _mm512_set1_epi32(0xffff))), 16);
}
#endif
