/* SPDX-License-Identifier: MIT
 * Sums of products of matrices. Spec: SPV_KHR_cooperative_matrix, OpCooperativeMatrixMulAddKHR. */
#include "runtime/matrix/matrix.h"
#include "util/simd.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define RT_INLINE static inline __attribute__((always_inline))
enum { RT_MAX_ROWS = 8, MAX_PACKED = RT_MAX_ROWS * ABI_MATRIX_MAX_SIZE / 2 };

/* ---- tiles of the level's vectors, and at level 4 of half of them ---- */

#if RT_MATRIX_LEVEL >= 4
#define RT_TILE_LANES 16
#define RT_TILE_FLOATS 1
#define RT_TILE_ELEMENT float
#define RT_TILE(name) wide_floats_##name
#include "runtime/matrix/tile.inc"
#define RT_TILE_FLOATS 0
#define RT_TILE_ELEMENT uint32_t
#define RT_TILE(name) wide_words_##name
#include "runtime/matrix/tile.inc"
#undef RT_TILE_LANES
#endif

#define RT_TILE_LANES (RT_MATRIX_LEVEL >= 3 ? 8 : 4)
#define RT_TILE_FLOATS 1
#define RT_TILE_ELEMENT float
#define RT_TILE(name) floats_##name
#include "runtime/matrix/tile.inc"
#define RT_TILE_FLOATS 0
#define RT_TILE_ELEMENT uint32_t
#define RT_TILE(name) words_##name
#include "runtime/matrix/tile.inc"

/* ---- whole products ---- */

/* Two numbers of 16 bits a word. */
RT_INLINE void pack(uint32_t *packed, const uint32_t *words, uint32_t count)
{
   for (uint32_t i = 0; i < count / 2; i++)
      packed[i] = (words[2 * i] & 0xffff) | words[2 * i + 1] << 16;
}

RT_INLINE void multiply_rows(uint32_t *c, const uint32_t *a, const uint32_t *b, uint32_t n, uint32_t k, enum abi_matrix_class class)
{
   const bool is_float = class == ABI_MATRIX_FLOAT;
#if RT_MATRIX_LEVEL >= 4
   if (n % 16 == 0) {
      if (is_float)
         wide_floats_multiply_rows(c, a, b, n, k, class);
      else
         wide_words_multiply_rows(c, a, b, n, k, class);
      return;
   }
#endif
   if (is_float)
      floats_multiply_rows(c, a, b, n, k, class);
   else
      words_multiply_rows(c, a, b, n, k, class);
}

/* `class` is a constant. */
RT_INLINE void multiply(uint32_t *words, uint32_t m, uint32_t n, uint32_t k, enum abi_matrix_class class)
{
   const uint32_t *a = words, *b = a + m * k;
   uint32_t *c = words + m * k + k * n, packed[MAX_PACKED];
   for (uint32_t row = 0; row < m; row += RT_MAX_ROWS) {
      const uint32_t *left = a + row * k;
      if (class == ABI_MATRIX_SHORT) {
         pack(packed, left, RT_MAX_ROWS * k);
         left = packed;
      }
      multiply_rows(c + row * n, left, b, n, k, class);
   }
}

void rt_matrix_multiply(uint32_t *words, uint32_t sizes, uint32_t class)
{
   const uint32_t m = abi_matrix_size(sizes, 0), n = abi_matrix_size(sizes, 1), k = abi_matrix_size(sizes, 2);
   switch (class) {
   case ABI_MATRIX_FLOAT: multiply(words, m, n, k, ABI_MATRIX_FLOAT); break;
   case ABI_MATRIX_INTEGER: multiply(words, m, n, k, ABI_MATRIX_INTEGER); break;
   case ABI_MATRIX_SHORT: multiply(words, m, n, k, ABI_MATRIX_SHORT); break;
   default: multiply(words, m, n, k, ABI_MATRIX_BITS); break;
   }
}
