/* SPDX-License-Identifier: MIT
 * Every instruction set level against plain loops: the same bits. */
#include "runtime/matrix/matrix.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/cpu.h"
#include "util/macros.h"

#include <math.h>
#include <string.h>

static const struct {
   enum util_cpu_level level;
   abi_multiply_matrices_fn *multiply;
   abi_transpose_matrix_fn *transpose;
} levels[] = {
   {UTIL_CPU_V1, rt_matrix_multiply, rt_matrix_transpose},
#ifdef __x86_64__
   {UTIL_CPU_V3, rt_matrix_multiply_v3, rt_matrix_transpose_v3},
   {UTIL_CPU_V4, rt_matrix_multiply_v4, rt_matrix_transpose_v4},
#endif
};

enum { MAX_WORDS = 3 * 64 * 64 };
static uint64_t random_state = 11;
static _Alignas(64) uint32_t given[MAX_WORDS], expected[MAX_WORDS], result[MAX_WORDS];

static uint32_t random_word(enum abi_matrix_class class)
{
   static const uint32_t special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0xffc00001, 0x00000001, 0x7f7fffff, 0x7f800001};
   const uint32_t bits = (uint32_t)(random_step(&random_state) >> 32);
   switch (class) {
   case ABI_MATRIX_FLOAT: return bits % 512 < UTIL_ARRAY_SIZE(special) ? special[bits % 512] : (bits & 0x807fffff) | (120 + (bits >> 23) % 16) << 23;
   case ABI_MATRIX_SHORT: return (uint32_t)(int32_t)(int16_t)(bits % 64 ? bits : 0x8000);
   default: return bits;
   }
}

static uint32_t sum_of(uint32_t sum, const uint32_t *a, const uint32_t *b, uint32_t n, uint32_t k, enum abi_matrix_class class)
{
   float x;
   memcpy(&x, &sum, 4);
   for (uint32_t i = 0; i < k; i++) {
      float factors[2];
      memcpy(&factors[0], &a[i], 4);
      memcpy(&factors[1], &b[i * n], 4);
      x = fmaf(factors[0], factors[1], x);
      sum = class == ABI_MATRIX_BITS ? sum | a[i] | b[i * n] : sum + a[i] * b[i * n];
   }
   if (class == ABI_MATRIX_FLOAT)
      memcpy(&sum, &x, 4);
   return class == ABI_MATRIX_FLOAT && isnan(x) ? 0x7fc00000 : sum;
}

static void check_product(uint32_t m, uint32_t n, uint32_t k, enum abi_matrix_class class)
{
   const uint32_t at_b = m * k, at_c = at_b + k * n, words = at_c + m * n;
   for (uint32_t i = 0; i < words; i++)
      given[i] = random_word(class);
   memcpy(expected, given, sizeof(given));
   for (uint32_t i = 0; i < m * n; i++)
      expected[at_c + i] = sum_of(given[at_c + i], given + i / n * k, given + at_b + i % n, n, k, class);
   for (uint32_t l = 0; l < UTIL_ARRAY_SIZE(levels); l++) {
      if (util_cpu_level() < levels[l].level)
         continue;
      memcpy(result, given, sizeof(given));
      levels[l].multiply(result, abi_matrix_sizes(m, n, k), class);
      for (uint32_t i = 0; i < MAX_WORDS; i++) {
         if (result[i] == expected[i])
            continue;
         fprintf(stderr, "class %u, %u x %u x %u, level %u, word %u: %08x, not %08x\n", class, m, n, k, l, i, result[i], expected[i]);
         test_fail(__FILE__, __LINE__, "products differ");
         return;
      }
   }
}

TEST(all_levels_give_the_bits_of_plain_loops)
{
   static const uint32_t sizes[] = {8, 16, 24, 32, 64};
   const uint32_t num = UTIL_ARRAY_SIZE(sizes);
   for (uint32_t i = 0; i < num * num * num; i++)
      for (uint32_t class = 0; class < ABI_NUM_MATRIX_CLASSES; class++)
         check_product(sizes[i % num], sizes[i / num % num], sizes[i / num / num], class);
}

static void check_transpose(uint32_t rows, uint32_t columns)
{
   const uint32_t words = rows * columns;
   for (uint32_t i = 0; i < MAX_WORDS; i++)
      given[i] = i;
   memcpy(expected, given, sizeof(given));
   for (uint32_t i = 0; i < words; i++)
      expected[words + i % columns * rows + i / columns] = given[i];
   for (uint32_t l = 0; l < UTIL_ARRAY_SIZE(levels); l++) {
      if (util_cpu_level() < levels[l].level)
         continue;
      memcpy(result, given, sizeof(given));
      levels[l].transpose(result, rows, columns);
      if (memcmp(result, expected, sizeof(result))) {
         fprintf(stderr, "%u x %u, level %u\n", rows, columns, l);
         test_fail(__FILE__, __LINE__, "a transpose differs");
      }
   }
}

TEST(all_levels_transpose)
{
   for (uint32_t rows = 8; rows <= 64; rows += 8)
      for (uint32_t columns = 8; columns <= 64; columns += 8)
         check_transpose(rows, columns);
}

TEST_MAIN
