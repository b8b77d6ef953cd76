/* SPDX-License-Identifier: MIT
 * Vectors of as many 32-bit lanes as the level's registers have, over the compilers' vector extensions; no operation is
 * fused or approximate. */
#pragma once

#include "runtime/texture/batch.h"

#include <string.h>

#if RT_TEX_LEVEL >= 3 && defined(__x86_64__)
#include <immintrin.h>
#endif

enum { RT_SIMD_LANES = RT_TEX_LEVEL >= 4 ? 16 : RT_TEX_LEVEL >= 3 ? 8 : 4 };

typedef float rt_vf __attribute__((vector_size(4 * RT_SIMD_LANES)));
typedef int32_t rt_vi __attribute__((vector_size(4 * RT_SIMD_LANES)));
typedef uint32_t rt_vu __attribute__((vector_size(4 * RT_SIMD_LANES)));

#define RT_SIMD static inline __attribute__((always_inline))

RT_SIMD rt_vf rt_vf_set(float x)
{
   return x - (rt_vf){0};
}

RT_SIMD rt_vi rt_vi_set(int32_t x)
{
   return x + (rt_vi){0};
}

/* Lanes of a comparison are 0 or -1. */
RT_SIMD rt_vi rt_vi_select(rt_vi condition, rt_vi a, rt_vi b)
{
   return (a & condition) | (b & ~condition);
}

RT_SIMD rt_vf rt_vf_select(rt_vi condition, rt_vf a, rt_vf b)
{
   return (rt_vf)rt_vi_select(condition, (rt_vi)a, (rt_vi)b);
}

RT_SIMD rt_vf rt_vf_from(rt_vi x)
{
   return __builtin_convertvector(x, rt_vf);
}

RT_SIMD rt_vi rt_vi_from(rt_vf x) /* towards zero */
{
   return __builtin_convertvector(x, rt_vi);
}

/* As rt_floor() and rt_clampf(), by lane. */
RT_SIMD rt_vf rt_vf_floor(rt_vf x)
{
   const rt_vf t = rt_vf_from(rt_vi_from(x));
   return t + rt_vf_from((rt_vi)(t > x));
}

RT_SIMD rt_vf rt_vf_clamp(rt_vf x, float low, float high)
{
   const rt_vf l = rt_vf_set(low), h = rt_vf_set(high);
   const rt_vf y = rt_vf_select((rt_vi)(x > l), x, l);
   return rt_vf_select((rt_vi)(y < h), y, h);
}

RT_SIMD rt_vi rt_vi_clamp(rt_vi x, int32_t low, int32_t high)
{
   const rt_vi l = rt_vi_set(low), h = rt_vi_set(high);
   const rt_vi y = rt_vi_select(x > l, x, l);
   return rt_vi_select(y < h, y, h);
}

/* One bit a lane. */
RT_SIMD uint32_t rt_vi_mask(rt_vi condition)
{
#if RT_TEX_LEVEL >= 4 && defined(__x86_64__)
   return _mm512_movepi32_mask((__m512i)condition);
#elif RT_TEX_LEVEL >= 3 && defined(__x86_64__)
   return (uint32_t)_mm256_movemask_ps((__m256)condition);
#else
   uint32_t mask = 0;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
      mask |= (uint32_t)(condition[i] & 1) << i;
   return mask;
#endif
}

/* The reverse. */
RT_SIMD rt_vi rt_vi_from_mask(uint32_t mask)
{
#if RT_TEX_LEVEL >= 4 && defined(__x86_64__)
   return (rt_vi)_mm512_movm_epi32((__mmask16)mask);
#else
   rt_vi bits;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
      bits[i] = 1 << i;
   return (rt_vi_set((int32_t)mask) & bits) != 0;
#endif
}

/* 32-bit words at base + offsets, multiples of 4. */
RT_SIMD rt_vu rt_vu_gather(const uint8_t *base, rt_vu offsets)
{
#if RT_TEX_LEVEL >= 4 && defined(__x86_64__)
   return (rt_vu)_mm512_i32gather_epi32((__m512i)(offsets >> 2), base, 4);
#elif RT_TEX_LEVEL >= 3 && defined(__x86_64__)
   return (rt_vu)_mm256_i32gather_epi32((const int *)(const void *)base, (__m256i)(offsets >> 2), 4);
#else
   rt_vu words;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++) {
      uint32_t word;
      memcpy(&word, base + offsets[i], 4);
      words[i] = word;
   }
   return words;
#endif
}

/* The first `count` lanes; others 0. */
RT_SIMD rt_vf rt_vf_load(const uint32_t *from, uint32_t count)
{
   rt_vf v = {0};
   memcpy(&v, from, count >= RT_SIMD_LANES ? sizeof(v) : count * sizeof(uint32_t));
   return v;
}
