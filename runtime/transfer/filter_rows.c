/* SPDX-License-Identifier: MIT */
#include "runtime/transfer/filter_rows.h"

#include "util/simd.h"

#include <stdbool.h>

void rt_rows_mix_at(const rt_row_group *low, const rt_row_group *high, float weight, uint32_t num_groups, float *restrict planes, size_t stride)
{
   for (uint32_t g = 0; g < num_groups; g++)
      for (uint32_t c = 0; c < 4; c++)
         for (uint32_t i = 0; i < RT_ROW_GROUP; i++)
            planes[c * stride + g * RT_ROW_GROUP + i] = low[g][c][i] + (high[g][c][i] - low[g][c][i]) * weight;
}

/* ---- a group of the destination ---- */

static void pick_anywhere(const float *planes, size_t stride, const int32_t *first, const int32_t *second, const float *weights, rt_row_group *dst)
{
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t i = 0; i < RT_ROW_GROUP; i++) {
         const float a = planes[c * stride + (uint32_t)first[i]], b = planes[c * stride + (uint32_t)second[i]];
         (*dst)[c][i] = a + (b - a) * weights[i];
      }
}

/* Sign and payload of a NaN depend on the machine. */
static void make_one_nan(rt_row_group *dst)
{
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t i = 0; i < RT_ROW_GROUP; i++)
         (*dst)[c][i] = (*dst)[c][i] == (*dst)[c][i] ? (*dst)[c][i] : __builtin_nanf("");
}

#if UTIL_SIMD_LEVEL >= 4

enum { LANES = 16 };

/* Of texels from `base` on, in two registers. */
static inline void pick_near(const float *planes, size_t stride, int32_t base, const int32_t *first, const int32_t *second, const float *weights,
                             rt_row_group *dst, uint32_t lane)
{
   const __m512i a = _mm512_sub_epi32(_mm512_loadu_si512(first), _mm512_set1_epi32(base));
   const __m512i b = _mm512_sub_epi32(_mm512_loadu_si512(second), _mm512_set1_epi32(base));
   const __m512 w = _mm512_loadu_ps(weights);
   for (uint32_t c = 0; c < 4; c++) {
      const float *from = planes + c * stride + (uint32_t)base;
      const __m512 low = _mm512_loadu_ps(from), high = _mm512_loadu_ps(from + LANES);
      const __m512 one = _mm512_permutex2var_ps(low, a, high), other = _mm512_permutex2var_ps(low, b, high);
      _mm512_storeu_ps(&(*dst)[c][lane], _mm512_add_ps(one, _mm512_mul_ps(_mm512_sub_ps(other, one), w)));
   }
}

#elif UTIL_SIMD_LEVEL >= 3

enum { LANES = 8 };

static inline __m256 look_up(__m256 low, __m256 high, __m256i index)
{
   const __m256 is_high = _mm256_castsi256_ps(_mm256_slli_epi32(index, 31 - 3));
   return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, index), _mm256_permutevar8x32_ps(high, index), is_high);
}

static inline void pick_near(const float *planes, size_t stride, int32_t base, const int32_t *first, const int32_t *second, const float *weights,
                             rt_row_group *dst, uint32_t lane)
{
   const __m256i a = _mm256_sub_epi32(_mm256_loadu_si256((const void *)first), _mm256_set1_epi32(base));
   const __m256i b = _mm256_sub_epi32(_mm256_loadu_si256((const void *)second), _mm256_set1_epi32(base));
   const __m256 w = _mm256_loadu_ps(weights);
   for (uint32_t c = 0; c < 4; c++) {
      const float *from = planes + c * stride + (uint32_t)base;
      const __m256 low = _mm256_loadu_ps(from), high = _mm256_loadu_ps(from + LANES);
      const __m256 one = look_up(low, high, a), other = look_up(low, high, b);
      _mm256_storeu_ps(&(*dst)[c][lane], _mm256_add_ps(one, _mm256_mul_ps(_mm256_sub_ps(other, one), w)));
   }
}

#endif

#if UTIL_SIMD_LEVEL >= 3
static bool pick_group(const float *planes, size_t stride, const int32_t *first, const int32_t *second, const float *weights, rt_row_group *dst)
{
   for (uint32_t lane = 0; lane < RT_ROW_GROUP; lane += LANES) {
      const uint32_t last = lane + LANES - 1;
      const int32_t base = UTIL_MIN(first[lane], first[last]), end = UTIL_MAX(second[lane], second[last]);
      if (end - base >= 2 * LANES)
         return false;
      pick_near(planes, stride, base, first + lane, second + lane, weights + lane, dst, lane);
   }
   return true;
}
#else
static bool pick_group(const float *planes, size_t stride, const int32_t *first, const int32_t *second, const float *weights, rt_row_group *dst)
{
   return false;
}
#endif

void rt_rows_pick_at(const float *planes, size_t stride, const struct rt_row_taps *taps, uint32_t num_groups, rt_row_group *dst)
{
   for (uint32_t g = 0; g < num_groups; g++) {
      const int32_t *first = taps->first + g * RT_ROW_GROUP, *second = taps->second + g * RT_ROW_GROUP;
      const float *weights = taps->weights + g * RT_ROW_GROUP;
      if (!pick_group(planes, stride, first, second, weights, &dst[g]))
         pick_anywhere(planes, stride, first, second, weights, &dst[g]);
      make_one_nan(&dst[g]);
   }
}

/* ---- blocks: four texels in a row are 2x2 ---- */

#if UTIL_SIMD_LEVEL >= 4
/* Of four blocks the first, second, third or last texels of all their quads. */
static inline void quads_of(const rt_row_group src[4], uint32_t c, __m512 texels[4])
{
   const __m512i first = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
   const __m512i third = _mm512_add_epi32(first, _mm512_set1_epi32(2));
   __m512 upper[2], lower[2];
   for (uint32_t k = 0; k < 2; k++) {
      const __m512 a = _mm512_loadu_ps(src[2 * k][c]), b = _mm512_loadu_ps(src[2 * k + 1][c]);
      upper[k] = _mm512_permutex2var_ps(a, first, b);
      lower[k] = _mm512_permutex2var_ps(a, third, b);
   }
   texels[0] = _mm512_shuffle_f32x4(upper[0], upper[1], 0x44);
   texels[1] = _mm512_shuffle_f32x4(upper[0], upper[1], 0xee);
   texels[2] = _mm512_shuffle_f32x4(lower[0], lower[1], 0x44);
   texels[3] = _mm512_shuffle_f32x4(lower[0], lower[1], 0xee);
}

static inline __m512 middle(__m512 a, __m512 b)
{
   return _mm512_add_ps(a, _mm512_mul_ps(_mm512_sub_ps(b, a), _mm512_set1_ps(0.5f)));
}

static inline void halve_channel(const rt_row_group src[4], uint32_t c, float to[16])
{
   __m512 texels[4];
   quads_of(src, c, texels);
   _mm512_storeu_ps(to, middle(middle(texels[0], texels[2]), middle(texels[1], texels[3])));
}
#else
static inline void halve_channel(const rt_row_group src[4], uint32_t c, float to[16])
{
   for (uint32_t b = 0; b < 4; b++) {
      util_i4 texels[4];
      memcpy(texels, src[b][c], sizeof(texels));
      util_i4_transpose(texels);
      const util_f4 left = (util_f4)texels[0] + ((util_f4)texels[2] - (util_f4)texels[0]) * 0.5f;
      const util_f4 right = (util_f4)texels[1] + ((util_f4)texels[3] - (util_f4)texels[1]) * 0.5f;
      const util_f4 mean = left + (right - left) * 0.5f;
      memcpy(to + 4 * b, &mean, sizeof(mean));
   }
}
#endif

void rt_blocks_halve_at(const rt_row_group src[4], rt_row_group *dst)
{
   for (uint32_t c = 0; c < 4; c++)
      halve_channel(src, c, (*dst)[c]);
   make_one_nan(dst);
}
