/* SPDX-License-Identifier: MIT
 * Vectors of traversal: eight children of a node, four triangles of a block. Exact IEEE operations only, nothing fused:
 * the same bits at every level. Files that include it are compiled once a level (UTIL_SIMD_LEVEL).
 */
#pragma once

#include "util/simd.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float rt_f8 __attribute__((vector_size(32)));
typedef int32_t rt_i8 __attribute__((vector_size(32)));
typedef float rt_f4 __attribute__((vector_size(16)));
typedef int32_t rt_i4 __attribute__((vector_size(16)));

#define RT_LANES static inline __attribute__((always_inline))

RT_LANES rt_f8 rt_f8_set(float x)
{
   return x - (rt_f8){0};
}

RT_LANES rt_f4 rt_f4_set(float x)
{
   return x - (rt_f4){0};
}

/* a > b ? a : b and a < b ? a : b: b where a is NaN. */
RT_LANES rt_f8 rt_f8_max(rt_f8 a, rt_f8 b)
{
#if UTIL_SIMD_LEVEL >= 3
   return (rt_f8)_mm256_max_ps((__m256)a, (__m256)b);
#else
   const rt_i8 first = a > b;
   return (rt_f8)(((rt_i8)a & first) | ((rt_i8)b & ~first));
#endif
}

RT_LANES rt_f8 rt_f8_min(rt_f8 a, rt_f8 b)
{
#if UTIL_SIMD_LEVEL >= 3
   return (rt_f8)_mm256_min_ps((__m256)a, (__m256)b);
#else
   const rt_i8 first = a < b;
   return (rt_f8)(((rt_i8)a & first) | ((rt_i8)b & ~first));
#endif
}

/* A bit a lane of what is -1 there. */
RT_LANES uint32_t rt_i4_mask(rt_i4 lanes)
{
   return util_i4_signs(lanes);
}

RT_LANES uint32_t rt_i8_mask(rt_i8 lanes)
{
#if UTIL_SIMD_LEVEL >= 3
   return (uint32_t)_mm256_movemask_ps((__m256)lanes);
#else
   rt_i4 half[2];
   memcpy(half, &lanes, sizeof(half));
   return rt_i4_mask(half[0]) | rt_i4_mask(half[1]) << 4;
#endif
}

RT_LANES rt_f8 rt_f8_from_bytes(const uint8_t bytes[8])
{
#if UTIL_SIMD_LEVEL >= 3
   return (rt_f8)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)bytes)));
#else
   util_f4 half[2];
   rt_f8 lanes;
   util_f4_from_bytes(bytes, half);
   memcpy(&lanes, half, sizeof(lanes));
   return lanes;
#endif
}

RT_LANES rt_f4 rt_f4_load(const float p[4])
{
   rt_f4 v;
   memcpy(&v, p, sizeof(v));
   return v;
}

/* ---- packets: a ray a lane ---- */

#if UTIL_SIMD_LEVEL >= 4
#define RT_PACKET 16
#elif UTIL_SIMD_LEVEL == 3
#define RT_PACKET 8
#endif

#ifdef RT_PACKET
typedef float rt_fp __attribute__((vector_size(RT_PACKET * 4)));
typedef int32_t rt_ip __attribute__((vector_size(RT_PACKET * 4)));
typedef uint32_t rt_up __attribute__((vector_size(RT_PACKET * 4)));

RT_LANES rt_fp rt_fp_set(float x)
{
   return x - (rt_fp){0};
}

RT_LANES rt_fp rt_fp_abs(rt_fp a)
{
   return (rt_fp)((rt_ip)a & 0x7fffffff);
}

/* As rt_f8_max() and rt_f8_min(). */
RT_LANES rt_fp rt_fp_max(rt_fp a, rt_fp b)
{
#if RT_PACKET == 16
   return (rt_fp)_mm512_max_ps((__m512)a, (__m512)b);
#else
   return (rt_fp)_mm256_max_ps((__m256)a, (__m256)b);
#endif
}

RT_LANES rt_fp rt_fp_min(rt_fp a, rt_fp b)
{
#if RT_PACKET == 16
   return (rt_fp)_mm512_min_ps((__m512)a, (__m512)b);
#else
   return (rt_fp)_mm256_min_ps((__m256)a, (__m256)b);
#endif
}

/* Bits of the lanes where a is so. */
RT_LANES uint32_t rt_fp_less(rt_fp a, rt_fp b)
{
#if RT_PACKET == 16
   return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
#else
   return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
#endif
}

RT_LANES uint32_t rt_fp_not_above(rt_fp a, rt_fp b)
{
#if RT_PACKET == 16
   return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#else
   return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LE_OQ));
#endif
}

RT_LANES uint32_t rt_fp_is_zero(rt_fp a)
{
#if RT_PACKET == 16
   return _mm512_cmp_ps_mask((__m512)a, _mm512_setzero_ps(), _CMP_EQ_OQ);
#else
   return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, _mm256_setzero_ps(), _CMP_EQ_OQ));
#endif
}

/* Bits of the lanes whose sign is set. */
RT_LANES uint32_t rt_ip_signs(rt_ip a)
{
#if RT_PACKET == 16
   return _mm512_movepi32_mask((__m512i)a);
#else
   return (uint32_t)_mm256_movemask_ps((__m256)a);
#endif
}

/* a in the lanes, else b. */
RT_LANES rt_fp rt_fp_select(uint32_t lanes, rt_fp a, rt_fp b)
{
#if RT_PACKET == 16
   return (rt_fp)_mm512_mask_mov_ps((__m512)b, (__mmask16)lanes, (__m512)a);
#else
   const rt_ip bits = {1, 2, 4, 8, 16, 32, 64, 128};
   return (rt_fp)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)((((rt_ip){0} + (int32_t)lanes) & bits) != 0));
#endif
}
#endif
