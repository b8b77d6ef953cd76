/* SPDX-License-Identifier: MIT
 * Vectors of as many 32-bit lanes as the level's registers have, over the compilers' vector extensions; no operation is
 * fused or approximate. */
#pragma once

#include "runtime/texture/batch.h"
#include "util/simd.h"

#include <string.h>

#if RT_TEX_LEVEL > UTIL_SIMD_LEVEL
#error "the build gives each level its flags"
#endif

enum { RT_SIMD_LANES = RT_TEX_LEVEL >= 4 ? 16 : RT_TEX_LEVEL >= 3 ? 8 : 4, RT_SIMD_ALL = (1 << RT_SIMD_LANES) - 1 };

typedef float rt_vf __attribute__((vector_size(4 * RT_SIMD_LANES)));
typedef int32_t rt_vi __attribute__((vector_size(4 * RT_SIMD_LANES)));
typedef uint32_t rt_vu __attribute__((vector_size(4 * RT_SIMD_LANES)));
typedef uint16_t rt_vh __attribute__((vector_size(4 * RT_SIMD_LANES))); /* two a lane, low half first */
typedef int16_t rt_vh_signed __attribute__((vector_size(4 * RT_SIMD_LANES)));

/* The instruction of the level's registers: RT_V(max_ps)(a, b) is _mm512_max_ps and so on. */
#if RT_TEX_LEVEL >= 4
#define RT_V(name) _mm512_##name
#define RT_EACH_128(v) _mm512_broadcast_i32x4(v)
typedef __m512 rt_raw_f;
typedef __m512i rt_raw_i;
#elif RT_TEX_LEVEL >= 3
#define RT_V(name) _mm256_##name
#include "util/simd_look_up.h"
#define RT_EACH_128(v) _mm256_broadcastsi128_si256(v)
typedef __m256 rt_raw_f;
typedef __m256i rt_raw_i;
#endif
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

RT_SIMD rt_vi rt_vi_from(rt_vf x) /* towards zero; INT32_MIN for what does not fit */
{
#if RT_TEX_LEVEL >= 3
   return __builtin_convertvector(x, rt_vi);
#else
   return util_i4_from_f4(x);
#endif
}

/* As rt_floor(), by lane, but zeros may have the other sign. */
RT_SIMD rt_vf rt_vf_floor(rt_vf x)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vf)_mm512_roundscale_ps((rt_raw_f)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif RT_TEX_LEVEL >= 3
   return (rt_vf)_mm256_floor_ps((rt_raw_f)x);
#else
   const rt_vf t = rt_vf_from(rt_vi_from(x));
   return t + rt_vf_from((rt_vi)(t > x));
#endif
}

/* a > b ? a : b and a < b ? a : b; b where a is NaN. */
RT_SIMD rt_vf rt_vf_max(rt_vf a, rt_vf b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vf)RT_V(max_ps)((rt_raw_f)a, (rt_raw_f)b);
#else
   return util_f4_max(a, b);
#endif
}

RT_SIMD rt_vf rt_vf_min(rt_vf a, rt_vf b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vf)RT_V(min_ps)((rt_raw_f)a, (rt_raw_f)b);
#else
   return util_f4_min(a, b);
#endif
}

/* As rt_clampf(). */
RT_SIMD rt_vf rt_vf_clamp(rt_vf x, float low, float high)
{
   return rt_vf_min(rt_vf_max(x, rt_vf_set(low)), rt_vf_set(high));
}

RT_SIMD rt_vf rt_vf_sqrt(rt_vf x)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vf)RT_V(sqrt_ps)((rt_raw_f)x);
#else
   return util_f4_sqrt(x);
#endif
}

/* a * b + c, fused where the level can: only for numbers where that makes no difference, as where a * b is exact. */
RT_SIMD rt_vf rt_vf_madd(rt_vf a, rt_vf b, rt_vf c)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vf)RT_V(fmadd_ps)((rt_raw_f)a, (rt_raw_f)b, (rt_raw_f)c);
#else
   return a * b + c;
#endif
}

RT_SIMD rt_vi rt_vi_min(rt_vi a, rt_vi b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vi)RT_V(min_epi32)((rt_raw_i)a, (rt_raw_i)b);
#else
   return rt_vi_select(a < b, a, b);
#endif
}

RT_SIMD rt_vi rt_vi_max(rt_vi a, rt_vi b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vi)RT_V(max_epi32)((rt_raw_i)a, (rt_raw_i)b);
#else
   return rt_vi_select(a > b, a, b);
#endif
}

RT_SIMD rt_vi rt_vi_clamp(rt_vi x, int32_t low, int32_t high)
{
   return rt_vi_min(rt_vi_max(x, rt_vi_set(low)), rt_vi_set(high));
}

/* Of unsigned numbers. */
RT_SIMD rt_vi rt_vu_min(rt_vi a, rt_vi b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vi)RT_V(min_epu32)((rt_raw_i)a, (rt_raw_i)b);
#else
   return rt_vi_select((rt_vu)a < (rt_vu)b, a, b);
#endif
}

/* v & mask | bits */
RT_SIMD rt_vi rt_vi_replace(rt_vi v, uint32_t mask, uint32_t bits)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vi)_mm512_ternarylogic_epi32((__m512i)v, _mm512_set1_epi32((int)mask), _mm512_set1_epi32((int)bits), 0xea);
#else
   return (v & rt_vi_set((int32_t)mask)) | rt_vi_set((int32_t)bits);
#endif
}

/* The low half of each lane of the one, the high half of the other. */
RT_SIMD rt_vh rt_vh_join(rt_vi low, rt_vi high)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vh)_mm512_ternarylogic_epi32((__m512i)low, (__m512i)high, _mm512_set1_epi32(0xffff), 0xe4);
#elif RT_TEX_LEVEL >= 3
   return (rt_vh)_mm256_blend_epi16((__m256i)low, (__m256i)high, 0xaa);
#else
   return (rt_vh)((low & 0xffff) | (high & ~0xffff));
#endif
}

/* The lowest byte of each lane, in both halves. */
RT_SIMD rt_vh rt_vh_low_byte(rt_vi v)
{
#if RT_TEX_LEVEL >= 3
   const __m128i low = _mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1);
   return (rt_vh)RT_V(shuffle_epi8)((rt_raw_i)v, RT_EACH_128(low));
#else
   v &= 255;
   return (rt_vh)(v | v << 16);
#endif
}

RT_SIMD rt_vh rt_vh_min(rt_vh a, rt_vh b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vh)RT_V(min_epu16)((rt_raw_i)a, (rt_raw_i)b);
#else
   const rt_vh is_less = (rt_vh)(a < b);
   return (a & is_less) | (b & ~is_less);
#endif
}

/* Of signed numbers, between 0 and high. */
RT_SIMD rt_vh rt_vh_clamp_signed(rt_vh a, rt_vh high)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vh)RT_V(max_epi16)(RT_V(min_epi16)((rt_raw_i)a, (rt_raw_i)high), (rt_raw_i)(rt_vh){0});
#else
   const rt_vh is_negative = (rt_vh)((rt_vh_signed)a < 0), is_more = (rt_vh)((rt_vh_signed)a > (rt_vh_signed)high);
   return ((high & is_more) | (a & ~is_more)) & ~is_negative;
#endif
}

/* The low halves' product and the high ones', added: of numbers below 2^15. */
RT_SIMD rt_vi rt_vh_dot(rt_vh a, rt_vh b)
{
#if RT_TEX_LEVEL >= 3
   return (rt_vi)RT_V(madd_epi16)((rt_raw_i)a, (rt_raw_i)b);
#else
   return ((rt_vi)a & 0xffff) * ((rt_vi)b & 0xffff) + (rt_vi)(((rt_vu)a >> 16) * ((rt_vu)b >> 16));
#endif
}

/* a, 0 where it is b. */
RT_SIMD rt_vh rt_vh_unless_equal(rt_vh a, rt_vh b)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vh)_mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask((__m512i)a, (__m512i)b), (__m512i)a);
#else
   return a & (rt_vh)(a != b);
#endif
}

/* One bit a lane. */
RT_SIMD uint32_t rt_vi_mask(rt_vi condition)
{
#if RT_TEX_LEVEL >= 4
   return _mm512_movepi32_mask((__m512i)condition);
#elif RT_TEX_LEVEL >= 3
   return (uint32_t)_mm256_movemask_ps((__m256)condition);
#else
   return util_i4_signs(condition);
#endif
}

/* The lanes of the mask that are x. */
RT_SIMD uint32_t rt_vi_equal_lanes(rt_vi v, int32_t x, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return _mm512_mask_cmpeq_epi32_mask((__mmask16)mask, (__m512i)v, _mm512_set1_epi32(x));
#else
   return rt_vi_mask(v == x) & mask;
#endif
}

/* Whether a lane of the mask differs from x. */
RT_SIMD bool rt_vi_any_other(rt_vi v, int32_t x, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return _mm512_mask_cmpneq_epi32_mask((__mmask16)mask, (__m512i)v, _mm512_set1_epi32(x));
#else
   return rt_vi_mask(v != x) & mask;
#endif
}

/* Whether a lane of the mask is above 0. */
RT_SIMD bool rt_vf_any_positive(rt_vf v, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return _mm512_mask_cmp_ps_mask((__mmask16)mask, (__m512)v, _mm512_setzero_ps(), _CMP_GT_OQ);
#else
   return rt_vi_mask((rt_vi)(v > rt_vf_set(0))) & mask;
#endif
}

/* Whether all lanes of the mask are at most the limit; NaN is not. */
RT_SIMD bool rt_vf_all_within(rt_vf v, float limit, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return !_mm512_mask_cmp_ps_mask((__mmask16)mask, (__m512)v, _mm512_set1_ps(limit), _CMP_NLE_UQ);
#else
   return !(~rt_vi_mask((rt_vi)(v <= rt_vf_set(limit))) & mask);
#endif
}

/* The lanes of the mask as a condition. */
RT_SIMD rt_vi rt_vi_from_mask(uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vi)_mm512_movm_epi32((__mmask16)mask);
#else
   rt_vi bits;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
      bits[i] = 1 << i;
   return (rt_vi_set((int32_t)mask) & bits) != 0;
#endif
}

/* v, and x in the lanes of the mask. */
RT_SIMD rt_vi rt_vi_put(rt_vi v, int32_t x, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vi)_mm512_mask_set1_epi32((__m512i)v, (__mmask16)mask, x);
#else
   return rt_vi_select(rt_vi_from_mask(mask), rt_vi_set(x), v);
#endif
}

/* 32-bit words at base + 4 * index, index below 2^31. Into zeros: gathers wait for what they merge with. */
RT_SIMD rt_vu rt_vu_gather_words(const uint8_t *base, rt_vu index)
{
#if RT_TEX_LEVEL >= 4
   __m512i words = _mm512_setzero_si512();
   __asm__("" : "+v"(words)); /* or compilers take any register */
   return (rt_vu)_mm512_mask_i32gather_epi32(words, 0xffff, (__m512i)index, base, 4);
#elif RT_TEX_LEVEL >= 3
   const uint32_t *const words = (const uint32_t *)(const void *)base;
   uint64_t numbers[RT_SIMD_LANES];

   if (rt_has_fast_gathers)
      return (rt_vu)_mm256_i32gather_epi32((const int *)words, (__m256i)index, 4);
   util_i8_numbers(numbers, (__m256i)index);
   return (rt_vu)util_i8_look_up(words, numbers);
#else
   rt_vu words;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++) {
      uint32_t word;
      memcpy(&word, base + 4 * (uint64_t)index[i], 4);
      words[i] = word;
   }
   return words;
#endif
}

/* The same by a load a lane, where little arithmetic stands beside it and a gather is the processor's own code, beside which nothing else runs. */
RT_SIMD rt_vu rt_vu_load_words(const uint8_t *base, rt_vu index)
{
#if RT_TEX_LEVEL >= 4
   if (rt_has_fast_gathers)
      return rt_vu_gather_words(base, index);
   const int *const words = (const int *)(const void *)base;
   uint32_t at[RT_SIMD_LANES] __attribute__((aligned(64)));
   __m128i quarters[4];
   memcpy(at, &index, sizeof(at));
   for (uint32_t q = 0; q < 4; q++) {
      const uint32_t *i = at + 4 * q;
      quarters[q] = _mm_setr_epi32(words[i[0]], words[i[1]], words[i[2]], words[i[3]]);
   }
   const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[0]), quarters[1], 1);
   const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[2]), quarters[3], 1);
   return (rt_vu)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#else
   return rt_vu_gather_words(base, index);
#endif
}

/* The lanes of the mask; others 0. */
RT_SIMD rt_vf rt_vf_load(const uint32_t *from, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vf)_mm512_maskz_loadu_ps((__mmask16)mask, from);
#else
   rt_vf v = {0};
   if (UTIL_LIKELY(mask == RT_SIMD_ALL))
      memcpy(&v, from, sizeof(v));
   else
      for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
         if (mask >> i & 1)
            memcpy((char *)&v + 4 * i, from + i, 4);
   return v;
#endif
}

/* The lanes of the mask; others stay as they are in memory, which has room for 8 lanes. */
RT_SIMD void rt_vf_store(uint32_t *to, rt_vf v, uint32_t mask)
{
   if (UTIL_UNLIKELY(mask != RT_SIMD_ALL)) {
#if RT_TEX_LEVEL >= 4
      _mm512_mask_storeu_ps(to, (__mmask16)mask, (__m512)v);
      return;
#else
      rt_vf old;
      memcpy(&old, to, sizeof(old));
      v = rt_vf_select(rt_vi_from_mask(mask), v, old);
#endif
   }
   memcpy(to, &v, sizeof(v));
}
