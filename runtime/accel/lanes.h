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
