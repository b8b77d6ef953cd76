/* SPDX-License-Identifier: MIT
 * Sixteen 32-bit lanes, one per fragment of a 4x4 block, over the compilers' vector types: the same source becomes one
 * AVX-512 register, two AVX ones or four of SSE or NEON. Lane order: bits y1 x1 y0 x0 (see abi/image.h). */
#pragma once

#include "util/simd.h"

#include <stdint.h>
#include <string.h>

typedef int32_t rt_i32x16 __attribute__((vector_size(64)));
typedef uint32_t rt_u32x16 __attribute__((vector_size(64)));
typedef float rt_f32x16 __attribute__((vector_size(64)));
typedef uint16_t rt_u16x16 __attribute__((vector_size(32)));
typedef uint8_t rt_u8x16 __attribute__((vector_size(16)));
typedef rt_i32x16 rt_i32x16_any __attribute__((aligned(4), may_alias));
typedef rt_f32x16 rt_f32x16_any __attribute__((aligned(4), may_alias));
typedef rt_u16x16 rt_u16x16_any __attribute__((aligned(2), may_alias));
typedef rt_u8x16 rt_u8x16_any __attribute__((aligned(1), may_alias));

/* Vectors are passed between inlined functions only, so no calling convention is at stake. */
#define RT_INLINE_LANES static inline __attribute__((always_inline))

#define RT_LANES_X                                                                                                     \
   {                                                                                                                   \
      0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3                                                                   \
   }
#define RT_LANES_Y                                                                                                     \
   {                                                                                                                   \
      0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3                                                                   \
   }

RT_INLINE_LANES rt_i32x16 rt_splat_i(int32_t v)
{
   return v - (rt_i32x16){0};
}

RT_INLINE_LANES rt_f32x16 rt_splat_f(float v)
{
   return (rt_f32x16){v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v};
}

RT_INLINE_LANES rt_f32x16 rt_load_f(const void *p)
{
   return *(const rt_f32x16_any *)p;
}

RT_INLINE_LANES rt_i32x16 rt_load_i(const void *p)
{
   return *(const rt_i32x16_any *)p;
}

RT_INLINE_LANES void rt_store_f(void *p, rt_f32x16 v)
{
   *(rt_f32x16_any *)p = v;
}

RT_INLINE_LANES void rt_store_i(void *p, rt_i32x16 v)
{
   *(rt_i32x16_any *)p = v;
}

/* Bit i of the result: the sign of lane i. Comparisons of vectors give -1 and 0, so this also makes bit masks of them.
 */
RT_INLINE_LANES uint32_t rt_sign_mask(rt_i32x16 v)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
   return _mm512_movepi32_mask((__m512i)v);
#elif defined(__AVX__)
   __m256 part[2];
   memcpy(part, &v, sizeof(v));
   return (uint32_t)_mm256_movemask_ps(part[0]) | (uint32_t)_mm256_movemask_ps(part[1]) << 8;
#else
   util_i4 part[4];
   memcpy(part, &v, sizeof(v));
   return util_i16_signs(part);
#endif
}

/* Lanes -1 where the bit is set, else 0. */
RT_INLINE_LANES rt_i32x16 rt_mask_lanes(uint32_t mask)
{
   const rt_i32x16 bits = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                           1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
   return (rt_splat_i((int32_t)mask) & bits) != 0;
}

RT_INLINE_LANES rt_i32x16 rt_select_i(rt_i32x16 mask, rt_i32x16 a, rt_i32x16 b)
{
   return (mask & a) | (~mask & b);
}

RT_INLINE_LANES rt_f32x16 rt_select_f(rt_i32x16 mask, rt_f32x16 a, rt_f32x16 b)
{
   return (rt_f32x16)rt_select_i(mask, (rt_i32x16)a, (rt_i32x16)b);
}

/* a in the lanes whose bit is set, else b. */
RT_INLINE_LANES rt_i32x16 rt_merge_i(uint32_t mask, rt_i32x16 a, rt_i32x16 b)
{
#if defined(__AVX512F__)
   return (rt_i32x16)_mm512_mask_mov_epi32((__m512i)b, (__mmask16)mask, (__m512i)a);
#else
   return rt_select_i(rt_mask_lanes(mask), a, b);
#endif
}

RT_INLINE_LANES rt_f32x16 rt_merge_f(uint32_t mask, rt_f32x16 a, rt_f32x16 b)
{
   return (rt_f32x16)rt_merge_i(mask, (rt_i32x16)a, (rt_i32x16)b);
}

/* Bit masks of comparisons. */
#if defined(__AVX512F__)
#define RT_COMPARE(a, operator, b, predicate) ((uint32_t)_mm512_cmp_ps_mask((__m512)(a), (__m512)(b), predicate))
#else
#define RT_COMPARE(a, operator, b, predicate) rt_sign_mask((a) operator (b))
#endif

/* a where a > b, else b: NaN in either gives b, as the instructions of x86 have it. */
RT_INLINE_LANES rt_f32x16 rt_max_f(rt_f32x16 a, rt_f32x16 b)
{
#if defined(__AVX512F__)
   return (rt_f32x16)_mm512_max_ps((__m512)a, (__m512)b);
#else
   return rt_select_f(a > b, a, b);
#endif
}

/* a where a < b, else b. */
RT_INLINE_LANES rt_f32x16 rt_min_f(rt_f32x16 a, rt_f32x16 b)
{
#if defined(__AVX512F__)
   return (rt_f32x16)_mm512_min_ps((__m512)a, (__m512)b);
#else
   return rt_select_f(a < b, a, b);
#endif
}

/* Rounded once. */
RT_INLINE_LANES rt_f32x16 rt_sqrt_f(rt_f32x16 v)
{
#if defined(__AVX512F__)
   return (rt_f32x16)_mm512_sqrt_ps((__m512)v);
#elif defined(__SSE2__)
   __m128 part[4];
   memcpy(part, &v, sizeof(v));
   for (uint32_t i = 0; i < 4; i++)
      part[i] = _mm_sqrt_ps(part[i]);
   memcpy(&v, part, sizeof(v));
   return v;
#else
   for (uint32_t i = 0; i < 16; i++)
      v[i] = __builtin_sqrtf(v[i]);
   return v;
#endif
}

/* NaN gives lo. */
RT_INLINE_LANES rt_f32x16 rt_clamp_f(rt_f32x16 v, float lo, float hi)
{
   return rt_min_f(rt_max_f(v, rt_splat_f(lo)), rt_splat_f(hi));
}

RT_INLINE_LANES rt_f32x16 rt_lanes_x(void)
{
   return (rt_f32x16)RT_LANES_X;
}

RT_INLINE_LANES rt_f32x16 rt_lanes_y(void)
{
   return (rt_f32x16)RT_LANES_Y;
}

/* Four rows of four words become four columns, in each 128-bit part of the lanes. */
RT_INLINE_LANES void rt_transpose_parts(rt_i32x16 v[4])
{
#if defined(__AVX512F__)
   const __m512i a = _mm512_unpacklo_epi32((__m512i)v[0], (__m512i)v[1]);
   const __m512i b = _mm512_unpackhi_epi32((__m512i)v[0], (__m512i)v[1]);
   const __m512i c = _mm512_unpacklo_epi32((__m512i)v[2], (__m512i)v[3]);
   const __m512i d = _mm512_unpackhi_epi32((__m512i)v[2], (__m512i)v[3]);
   v[0] = (rt_i32x16)_mm512_unpacklo_epi64(a, c);
   v[1] = (rt_i32x16)_mm512_unpackhi_epi64(a, c);
   v[2] = (rt_i32x16)_mm512_unpacklo_epi64(b, d);
   v[3] = (rt_i32x16)_mm512_unpackhi_epi64(b, d);
#else
   for (uint32_t part = 0; part < 4; part++) {
      util_i4 rows[4];
      for (uint32_t k = 0; k < 4; k++)
         memcpy(&rows[k], (const char *)&v[k] + 16 * part, 16);
      util_i4_transpose(rows);
      for (uint32_t k = 0; k < 4; k++)
         memcpy((char *)&v[k] + 16 * part, &rows[k], 16);
   }
#endif
}

/* Word k of lane i comes from base + offsets[i] + 4 k: 16 records as columns. */
RT_INLINE_LANES void rt_gather_records(const uint8_t *base, const uint32_t offsets[16], rt_i32x16 columns[4])
{
#if defined(__AVX512F__)
   for (uint32_t k = 0; k < 4; k++) {
      __m512i row = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(base + offsets[k])));
      row = _mm512_inserti32x4(row, _mm_loadu_si128((const __m128i *)(base + offsets[4 + k])), 1);
      row = _mm512_inserti32x4(row, _mm_loadu_si128((const __m128i *)(base + offsets[8 + k])), 2);
      columns[k] = (rt_i32x16)_mm512_inserti32x4(row, _mm_loadu_si128((const __m128i *)(base + offsets[12 + k])), 3);
   }
   rt_transpose_parts(columns);
#else
   int32_t words[4][16] __attribute__((aligned(64)));
   for (uint32_t i = 0; i < 16; i++) {
      int32_t record[4];
      memcpy(record, base + offsets[i], 16);
      for (uint32_t k = 0; k < 4; k++)
         words[k][i] = record[k];
   }
   memcpy(columns, words, sizeof(words));
#endif
}

/* The first two words of 16 records that are `stride` bytes long, numbers indices[i * step], as two columns. */
RT_INLINE_LANES void rt_gather_pairs(const void *records, size_t stride, const uint16_t *indices, uint32_t step,
                                     rt_i32x16 columns[2])
{
   const uint8_t *base = records;
#if defined(__AVX512F__)
   __m512i halves[2];
   for (uint32_t h = 0; h < 2; h++, indices += step * 8) {
      __m128i two[4];
      for (uint32_t i = 0; i < 4; i++) {
         const __m128 low = (__m128)_mm_loadl_epi64((const __m128i *)(base + indices[2 * i * step] * stride));
         two[i] = (__m128i)_mm_loadh_pi(low, (const __m64 *)(base + indices[(2 * i + 1) * step] * stride));
      }
      const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(two[0]), two[1], 1);
      const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(two[2]), two[3], 1);
      halves[h] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
   }
   const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
   columns[0] = (rt_i32x16)_mm512_permutex2var_epi32(halves[0], even, halves[1]);
   columns[1] = (rt_i32x16)_mm512_permutex2var_epi32(halves[0], _mm512_add_epi32(even, _mm512_set1_epi32(1)), halves[1]);
#else
   int32_t words[2][16] __attribute__((aligned(64)));
   for (uint32_t i = 0; i < 16; i++)
      for (uint32_t k = 0; k < 2; k++)
         words[k][i] = ((const int32_t *)(const void *)(base + indices[i * step] * stride))[k];
   memcpy(columns, words, sizeof(words));
#endif
}

/* pairs[0..16) as two columns. */
RT_INLINE_LANES void rt_load_pairs(const int32_t (*pairs)[2], rt_i32x16 *x, rt_i32x16 *y)
{
#if defined(__AVX512F__)
   const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
   const __m512i low = (__m512i)rt_load_i(pairs), high = (__m512i)rt_load_i(pairs + 8);
   *x = (rt_i32x16)_mm512_permutex2var_epi32(low, even, high);
   *y = (rt_i32x16)_mm512_permutex2var_epi32(low, _mm512_add_epi32(even, _mm512_set1_epi32(1)), high);
#else
   util_i4 columns[2][4];
   for (uint32_t i = 0; i < 4; i++)
      util_i4_load_pairs(pairs + 4 * i, &columns[0][i], &columns[1][i]);
   memcpy(x, columns[0], sizeof(*x));
   memcpy(y, columns[1], sizeof(*y));
#endif
}

/* The reverse, to pairs[0..16). */
RT_INLINE_LANES void rt_store_pairs(int32_t (*pairs)[2], rt_i32x16 x, rt_i32x16 y)
{
#if defined(__AVX512F__)
   const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
   rt_store_i(pairs, (rt_i32x16)_mm512_permutex2var_epi32((__m512i)x, low, (__m512i)y));
   rt_store_i(pairs + 8, (rt_i32x16)_mm512_permutex2var_epi32((__m512i)x, _mm512_add_epi32(low, _mm512_set1_epi32(8)),
                                                             (__m512i)y));
#else
   util_i4 columns[2][4];
   memcpy(columns[0], &x, sizeof(x));
   memcpy(columns[1], &y, sizeof(y));
   for (uint32_t i = 0; i < 4; i++)
      util_i4_store_pairs(pairs + 4 * i, columns[0][i], columns[1][i]);
#endif
}

/* The same where records stand `stride` bytes apart. */
RT_INLINE_LANES void rt_load_records(const uint8_t *base, size_t stride, rt_i32x16 columns[4])
{
#if defined(__AVX512F__)
   const uint8_t *const parts[4] = {base, base + 4 * stride, base + 8 * stride, base + 12 * stride};
   for (uint32_t k = 0; k < 4; k++) {
      __m512i row = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(parts[0] + k * stride)));
      row = _mm512_inserti32x4(row, _mm_loadu_si128((const __m128i *)(parts[1] + k * stride)), 1);
      row = _mm512_inserti32x4(row, _mm_loadu_si128((const __m128i *)(parts[2] + k * stride)), 2);
      columns[k] = (rt_i32x16)_mm512_inserti32x4(row, _mm_loadu_si128((const __m128i *)(parts[3] + k * stride)), 3);
   }
   rt_transpose_parts(columns);
#else
   uint32_t offsets[16];
   for (uint32_t i = 0; i < 16; i++)
      offsets[i] = i * (uint32_t)stride;
   rt_gather_records(base, offsets, columns);
#endif
}

#if defined(__AVX512F__)
/* Records 0 to 3 of each 128-bit part's column become neighbours. */
RT_INLINE_LANES void rt_store_neighbours(uint8_t *base, const rt_i32x16 v[4])
{
   const __m512i a = _mm512_shuffle_i32x4((__m512i)v[0], (__m512i)v[1], 0x44);
   const __m512i b = _mm512_shuffle_i32x4((__m512i)v[2], (__m512i)v[3], 0x44);
   const __m512i c = _mm512_shuffle_i32x4((__m512i)v[0], (__m512i)v[1], 0xee);
   const __m512i d = _mm512_shuffle_i32x4((__m512i)v[2], (__m512i)v[3], 0xee);
   _mm512_storeu_si512(base, _mm512_shuffle_i32x4(a, b, 0x88));
   _mm512_storeu_si512(base + 64, _mm512_shuffle_i32x4(a, b, 0xdd));
   _mm512_storeu_si512(base + 128, _mm512_shuffle_i32x4(c, d, 0x88));
   _mm512_storeu_si512(base + 192, _mm512_shuffle_i32x4(c, d, 0xdd));
}
#endif

/* The reverse: records stand `stride` bytes apart. Changes columns. */
RT_INLINE_LANES void rt_scatter_records(uint8_t *base, size_t stride, rt_i32x16 columns[4])
{
   rt_transpose_parts(columns);
#if defined(__AVX512F__)
   if (stride == 16) {
      rt_store_neighbours(base, columns);
      return;
   }
   uint8_t *const parts[4] = {base, base + 4 * stride, base + 8 * stride, base + 12 * stride};
   for (uint32_t k = 0; k < 4; k++) {
      const __m512i row = (__m512i)columns[k];
      _mm_storeu_si128((__m128i *)(parts[0] + k * stride), _mm512_castsi512_si128(row));
      _mm_storeu_si128((__m128i *)(parts[1] + k * stride), _mm512_extracti32x4_epi32(row, 1));
      _mm_storeu_si128((__m128i *)(parts[2] + k * stride), _mm512_extracti32x4_epi32(row, 2));
      _mm_storeu_si128((__m128i *)(parts[3] + k * stride), _mm512_extracti32x4_epi32(row, 3));
   }
#else
   for (uint32_t k = 0; k < 4; k++) {
      int32_t words[16];
      memcpy(words, &columns[k], sizeof(words));
      for (uint32_t i = 0; i < 4; i++)
         memcpy(base + (4 * i + k) * stride, words + 4 * i, 16);
   }
#endif
}

/* Bit mask of the lanes of a block whose x (or y) is in the 4-bit set. */
RT_INLINE_LANES uint32_t rt_lanes_of_columns(uint32_t set)
{
   return (set & 1) * 0x0505u | (set >> 1 & 1) * 0x0a0au | (set >> 2 & 1) * 0x5050u | (set >> 3 & 1) * 0xa0a0u;
}

RT_INLINE_LANES uint32_t rt_lanes_of_rows(uint32_t set)
{
   return (set & 1) * 0x0033u | (set >> 1 & 1) * 0x00ccu | (set >> 2 & 1) * 0x3300u | (set >> 3 & 1) * 0xcc00u;
}

/* The lanes of the block at (bx, by) texels that lie in [x0, x1) x [y0, y1). */
RT_INLINE_LANES uint32_t rt_lanes_of_rect(int32_t bx, int32_t by, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   const int32_t lx = x0 - bx < 0 ? 0 : x0 - bx > 4 ? 4 : x0 - bx, hx = x1 - bx < 0 ? 0 : x1 - bx > 4 ? 4 : x1 - bx;
   const int32_t ly = y0 - by < 0 ? 0 : y0 - by > 4 ? 4 : y0 - by, hy = y1 - by < 0 ? 0 : y1 - by > 4 ? 4 : y1 - by;
   const uint32_t columns = (1u << hx) - (1u << (lx < hx ? lx : hx)), rows = (1u << hy) - (1u << (ly < hy ? ly : hy));
   return rt_lanes_of_columns(columns) & rt_lanes_of_rows(rows);
}
