/* SPDX-License-Identifier: MIT
 * Vectors of 32-bit lanes over the compilers' vector extensions: what these have no operator for, once for each family of processors, with
 * the same bits on all. A register of four lanes is what every machine has; wider ones are the levels' own (UTIL_SIMD_LEVEL). The only
 * header that includes the compilers' intrinsics. No operation is fused or approximate.
 * Files that include it may be compiled once a level, and choose by the macros here. */
#pragma once

#include "util/macros.h"

#include <stdint.h>
#include <string.h>

/* As enum util_cpu_level: what the compiler may use in this file. 1 everywhere but on x86-64. */
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define UTIL_SIMD_LEVEL 4
#elif defined(__AVX2__)
#define UTIL_SIMD_LEVEL 3
#else
#define UTIL_SIMD_LEVEL 1
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef float util_f4 __attribute__((vector_size(16)));
typedef int32_t util_i4 __attribute__((vector_size(16)));
typedef uint32_t util_u4 __attribute__((vector_size(16)));

/* Vectors are passed between inlined functions only, so no calling convention is at stake. */
#define UTIL_SIMD static inline __attribute__((always_inline))

/* a where the lane of the comparison is -1, b where it is 0. */
UTIL_SIMD util_i4 util_i4_select(util_i4 condition, util_i4 a, util_i4 b)
{
   return (a & condition) | (b & ~condition);
}

/* a < b ? a : b and a > b ? a : b: b where either is NaN, as the instructions of x86 have it. */
UTIL_SIMD util_f4 util_f4_min(util_f4 a, util_f4 b)
{
#if defined(__SSE2__)
   return (util_f4)_mm_min_ps((__m128)a, (__m128)b);
#else
   return (util_f4)util_i4_select(a < b, (util_i4)a, (util_i4)b);
#endif
}

UTIL_SIMD util_f4 util_f4_max(util_f4 a, util_f4 b)
{
#if defined(__SSE2__)
   return (util_f4)_mm_max_ps((__m128)a, (__m128)b);
#else
   return (util_f4)util_i4_select(a > b, (util_i4)a, (util_i4)b);
#endif
}

/* Bit i: the sign of lane i. Comparisons give -1 and 0, so this makes bit masks of them. */
UTIL_SIMD uint32_t util_i4_signs(util_i4 v)
{
#if defined(__SSE2__)
   return (uint32_t)_mm_movemask_ps((__m128)v);
#elif defined(__ARM_NEON)
   const int32x4_t shifts = {0, 1, 2, 3};
   return vaddvq_u32(vshlq_u32(vshrq_n_u32((uint32x4_t)v, 31), shifts));
#else
   return (uint32_t)v[0] >> 31 | (uint32_t)v[1] >> 31 << 1 | (uint32_t)v[2] >> 31 << 2 | (uint32_t)v[3] >> 31 << 3;
#endif
}

/* The same of 16 lanes. */
UTIL_SIMD uint32_t util_i16_signs(const util_i4 v[4])
{
#if defined(__SSE2__)
   return util_i4_signs(v[0]) | util_i4_signs(v[1]) << 4 | util_i4_signs(v[2]) << 8 | util_i4_signs(v[3]) << 12;
#elif defined(__ARM_NEON) /* a byte a lane, then a bit a byte: one sum for all of them */
   const int16x8_t low = vcombine_s16(vshrn_n_s32((int32x4_t)v[0], 16), vshrn_n_s32((int32x4_t)v[1], 16));
   const int16x8_t high = vcombine_s16(vshrn_n_s32((int32x4_t)v[2], 16), vshrn_n_s32((int32x4_t)v[3], 16));
   const int8x8_t shifts = {0, 1, 2, 3, 4, 5, 6, 7};
   const uint8x8_t first = vshl_u8(vshr_n_u8((uint8x8_t)vshrn_n_s16(low, 8), 7), shifts);
   const uint8x8_t second = vshl_u8(vshr_n_u8((uint8x8_t)vshrn_n_s16(high, 8), 7), shifts);
   return (uint32_t)vaddv_u8(first) | (uint32_t)vaddv_u8(second) << 8;
#else
   return util_i4_signs(v[0]) | util_i4_signs(v[1]) << 4 | util_i4_signs(v[2]) << 8 | util_i4_signs(v[3]) << 12;
#endif
}

/* Towards zero; INT32_MIN for NaN and for what does not fit, as the instruction of x86 has it. */
UTIL_SIMD util_i4 util_i4_from_f4(util_f4 x)
{
#if defined(__SSE2__)
   return (util_i4)_mm_cvttps_epi32((__m128)x);
#else
   const util_f4 limit = (util_f4){0} + 0x1p31f;
   const util_i4 fits = (x >= -limit) & (x < limit);
   return util_i4_select(fits, __builtin_convertvector((util_f4)((util_i4)x & fits), util_i4), (util_i4){0} + INT32_MIN);
#endif
}

/* Correctly rounded. */
UTIL_SIMD util_f4 util_f4_sqrt(util_f4 x)
{
#if defined(__SSE2__)
   return (util_f4)_mm_sqrt_ps((__m128)x);
#elif defined(__ARM_NEON)
   return (util_f4)vsqrtq_f32((float32x4_t)x);
#else
   for (uint32_t i = 0; i < 4; i++)
      x[i] = __builtin_sqrtf(x[i]);
   return x;
#endif
}

/* Eight bytes as numbers. */
UTIL_SIMD void util_f4_from_bytes(const uint8_t bytes[8], util_f4 v[2])
{
#if defined(__SSE2__)
   const __m128i zero = _mm_setzero_si128(), words = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)bytes), zero);
   v[0] = (util_f4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
   v[1] = (util_f4)_mm_cvtepi32_ps(_mm_unpackhi_epi16(words, zero));
#elif defined(__ARM_NEON)
   const uint16x8_t words = vmovl_u8(vld1_u8(bytes));
   v[0] = (util_f4)vcvtq_f32_u32(vmovl_u16(vget_low_u16(words)));
   v[1] = (util_f4)vcvtq_f32_u32(vmovl_u16(vget_high_u16(words)));
#else
   for (uint32_t i = 0; i < 8; i++)
      v[i / 4][i % 4] = bytes[i];
#endif
}

/* Four pairs of words as two columns, and back. */
UTIL_SIMD void util_i4_load_pairs(const void *pairs, util_i4 *x, util_i4 *y)
{
#if defined(__ARM_NEON)
   const int32x4x2_t columns = vld2q_s32(pairs);
   *x = (util_i4)columns.val[0];
   *y = (util_i4)columns.val[1];
#else
   util_i4 v[2];
   memcpy(v, pairs, sizeof(v));
   *x = __builtin_shufflevector(v[0], v[1], 0, 2, 4, 6);
   *y = __builtin_shufflevector(v[0], v[1], 1, 3, 5, 7);
#endif
}

UTIL_SIMD void util_i4_store_pairs(void *pairs, util_i4 x, util_i4 y)
{
#if defined(__ARM_NEON)
   vst2q_s32(pairs, (int32x4x2_t){{(int32x4_t)x, (int32x4_t)y}});
#else
   const util_i4 v[2] = {__builtin_shufflevector(x, y, 0, 4, 1, 5), __builtin_shufflevector(x, y, 2, 6, 3, 7)};
   memcpy(pairs, v, sizeof(v));
#endif
}

/* Four rows become four columns. */
UTIL_SIMD void util_i4_transpose(util_i4 v[4])
{
   const util_i4 a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
   const util_i4 c = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
   v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
   v[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
   v[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
   v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
