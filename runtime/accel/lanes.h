/* SPDX-License-Identifier: MIT
 * Vectors of traversal: eight children of a node, four triangles of a block. Exact IEEE operations only, nothing fused:
 * the same bits at every level. Files that include it are compiled once a level (RT_RAY_LEVEL, as enum util_cpu_level).
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef RT_RAY_LEVEL
#define RT_RAY_LEVEL 1
#endif
#ifdef __SSE2__
#include <immintrin.h>
#endif

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
#if RT_RAY_LEVEL >= 3
   return (rt_f8)_mm256_max_ps((__m256)a, (__m256)b);
#else
   const rt_i8 first = a > b;
   return (rt_f8)(((rt_i8)a & first) | ((rt_i8)b & ~first));
#endif
}

RT_LANES rt_f8 rt_f8_min(rt_f8 a, rt_f8 b)
{
#if RT_RAY_LEVEL >= 3
   return (rt_f8)_mm256_min_ps((__m256)a, (__m256)b);
#else
   const rt_i8 first = a < b;
   return (rt_f8)(((rt_i8)a & first) | ((rt_i8)b & ~first));
#endif
}

/* A bit a lane of what is -1 there. */
RT_LANES uint32_t rt_i4_mask(rt_i4 lanes)
{
#ifdef __SSE2__
   return (uint32_t)_mm_movemask_ps((__m128)lanes);
#else
   return (lanes[0] & 1u) | (lanes[1] & 2u) | (lanes[2] & 4u) | (lanes[3] & 8u);
#endif
}

RT_LANES uint32_t rt_i8_mask(rt_i8 lanes)
{
#if RT_RAY_LEVEL >= 3
   return (uint32_t)_mm256_movemask_ps((__m256)lanes);
#else
   rt_i4 half[2];
   memcpy(half, &lanes, sizeof(half));
   return rt_i4_mask(half[0]) | rt_i4_mask(half[1]) << 4;
#endif
}

RT_LANES rt_f8 rt_f8_from_bytes(const uint8_t bytes[8])
{
#if RT_RAY_LEVEL >= 3
   return (rt_f8)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)bytes)));
#elif defined(__SSE2__)
   const __m128i zero = _mm_setzero_si128(), words = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)bytes), zero);
   const __m128 half[2] = {_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero)),
                           _mm_cvtepi32_ps(_mm_unpackhi_epi16(words, zero))};
   rt_f8 lanes;
   memcpy(&lanes, half, sizeof(lanes));
   return lanes;
#else
   rt_f8 lanes;
   for (uint32_t i = 0; i < 8; i++)
      lanes[i] = bytes[i];
   return lanes;
#endif
}

RT_LANES rt_f4 rt_f4_load(const float p[4])
{
   rt_f4 v;
   memcpy(&v, p, sizeof(v));
   return v;
}
