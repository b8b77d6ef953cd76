/* SPDX-License-Identifier: MIT
 * Words of a table for each of eight lanes, where the machine has AVX2 and no more: by a load a lane. On Zen 3 a gather takes half as long
 * again. */
#pragma once

#include "util/simd.h"

#if UTIL_SIMD_LEVEL == 3
/* Lanes as numbers, in general registers. */
UTIL_SIMD void util_i8_numbers(uint64_t numbers[8], __m256i v)
{
   const __m128i halves[2] = {_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)};
   for (uint32_t h = 0; h < 2; h++) {
      const uint64_t low = (uint64_t)_mm_cvtsi128_si64(halves[h]), high = (uint64_t)_mm_extract_epi64(halves[h], 1);
      numbers[4 * h] = (uint32_t)low;
      numbers[4 * h + 1] = low >> 32;
      numbers[4 * h + 2] = (uint32_t)high;
      numbers[4 * h + 3] = high >> 32;
   }
}

/* table[index] */
UTIL_SIMD __m256i util_i8_look_up(const uint32_t *table, const uint64_t index[8])
{
   __m128i halves[2];
   for (uint32_t h = 0; h < 2; h++) {
      const uint64_t *i = index + 4 * h;
      halves[h] = _mm_setr_epi32((int)table[i[0]], (int)table[i[1]], (int)table[i[2]], (int)table[i[3]]);
   }
   return _mm256_inserti128_si256(_mm256_castsi128_si256(halves[0]), halves[1], 1);
}
#endif
