/* SPDX-License-Identifier: MIT
 * Transposes of matrices, by tiles of 4 columns and as many rows as a vector has words. Spec: SPV_KHR_cooperative_matrix, ColumnMajor. */
#include "runtime/matrix/matrix.h"

#include <string.h>

enum { LANES = RT_MATRIX_LEVEL >= 3 ? 8 : 4, QUAD = 4 };
typedef uint32_t vector __attribute__((vector_size(4 * LANES)));
typedef uint32_t quad __attribute__((vector_size(4 * QUAD)));

static inline quad load_quad(const uint32_t *from)
{
   quad v;
   memcpy(&v, from, sizeof(v));
   return v;
}

/* Four words of a row in each quad of a vector, of rows QUAD apart; the first or the last two words of the quads of two of them, in turns. */
#if RT_MATRIX_LEVEL >= 3
static inline vector load(const uint32_t *from, uint32_t columns)
{
   return __builtin_shufflevector(load_quad(from), load_quad(from + QUAD * columns), 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline vector first_words(vector a, vector b)
{
   return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
}

static inline vector last_words(vector a, vector b)
{
   return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
#else
static inline vector load(const uint32_t *from, uint32_t columns)
{
   (void)columns;
   return load_quad(from);
}

static inline vector first_words(vector a, vector b)
{
   return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

static inline vector last_words(vector a, vector b)
{
   return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
#endif

static inline void store(uint32_t *to, vector v)
{
   memcpy(to, &v, sizeof(v));
}

void rt_matrix_transpose(uint32_t *words, uint32_t rows, uint32_t columns)
{
   uint32_t *to = words + rows * columns;
   for (uint32_t row = 0; row < rows; row += LANES)
      for (uint32_t column = 0; column < columns; column += QUAD) {
         const uint32_t *from = words + row * columns + column;
         const vector a = load(from, columns), b = load(from + columns, columns), c = load(from + 2 * columns, columns), d = load(from + 3 * columns, columns);
         const vector even_first = first_words(a, c), odd_first = first_words(b, d), even_last = last_words(a, c), odd_last = last_words(b, d);
         uint32_t *out = to + column * rows + row;
         store(out, first_words(even_first, odd_first));
         store(out + rows, last_words(even_first, odd_first));
         store(out + 2 * rows, first_words(even_last, odd_last));
         store(out + 3 * rows, last_words(even_last, odd_last));
      }
}
