/* SPDX-License-Identifier: MIT
 * Whole blocks to and from rows. Of texels of four bytes, two that are neighbours in a row are one 64-bit word; a block is
 *    0 2    words of row 0
 *    1 3
 *    4 6
 *    5 7
 * so that rows come from shuffles of words: of one block with 128-bit registers, of two with 256, of four with 512. Of smaller
 * texels pairs are words of 16 or 32 bits, and a register, which has the rows of one to four blocks, is stored in quarters. */
#include "runtime/transfer/block_rows.h"

#include "util/cpu.h"

#include <string.h>

enum { BLOCK_BYTES = 64 };

#define STEP static inline __attribute__((always_inline)) void
#define WORDS(count) __attribute__((vector_size(8 * (count)), aligned(1), may_alias))
#define LOAD(type, address) (*(const type *)(const void *)(address))
#define STORE(type, address) (*(type *)(void *)(address))

/* ---- small texels: registers of `bytes` to and from four rows ---- */

#define ROWS_OF_1 0, 2, 1, 3, 4, 6, 5, 7
#define ROWS_OF_2 0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15
#define ROWS_OF_4 \
   0, 2, 8, 10, 16, 18, 24, 26, 1, 3, 9, 11, 17, 19, 25, 27, 4, 6, 12, 14, 20, 22, 28, 30, 5, 7, 13, 15, 21, 23, 29, 31
#define BLOCKS_OF_1 ROWS_OF_1
#define BLOCKS_OF_2 0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15
#define BLOCKS_OF_4 \
   0, 8, 1, 9, 16, 24, 17, 25, 2, 10, 3, 11, 18, 26, 19, 27, 4, 12, 5, 13, 20, 28, 21, 29, 6, 14, 7, 15, 22, 30, 23, 31

typedef uint64_t words2 WORDS(2);
typedef uint64_t words4 WORDS(4);
typedef uint64_t words8 WORDS(8);

/* Four quarters one behind the other: of 4, 8, 16 bytes. */
#define JOIN_4(a, b, c, d) ((uint32_t __attribute__((vector_size(16)))){a, b, c, d})
#define JOIN_8(a, b, c, d) ((words4){a, b, c, d})
#define JOIN_16(a, b, c, d)                                                                                            \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 0, 1, 2, 3), __builtin_shufflevector(c, d, 0, 1, 2, 3), 0, 1, 2, 3, 4, 5, 6, 7)

/* `pair`: two texels. */
#define DEFINE_SMALL(name, target, pair, bytes, blocks, quarter, join)                                                 \
   typedef pair name##_pairs __attribute__((vector_size(bytes)));                                                      \
   typedef quarter name##_quarter __attribute__((aligned(1), may_alias));                                              \
   target STEP read_##name(const uint8_t *block, uint8_t *row, uint64_t pitch_bytes)                                   \
   {                                                                                                                   \
      name##_pairs v;                                                                                                  \
      memcpy(&v, block, bytes);                                                                                        \
      v = __builtin_shufflevector(v, v, ROWS_OF_##blocks);                                                             \
      for (uint32_t i = 0; i < 4; i++)                                                                                 \
         memcpy(row + i * pitch_bytes, (const uint8_t *)&v + (bytes) / 4 * i, (bytes) / 4);                            \
   }                                                                                                                   \
   target STEP write_##name(uint8_t *block, const uint8_t *row, uint64_t pitch_bytes)                                  \
   {                                                                                                                   \
      const name##_quarter a = LOAD(name##_quarter, row), b = LOAD(name##_quarter, row + pitch_bytes);                 \
      const name##_quarter c = LOAD(name##_quarter, row + 2 * pitch_bytes), d = LOAD(name##_quarter, row + 3 * pitch_bytes); \
      name##_pairs v = (name##_pairs)join(a, b, c, d);                                                                 \
      v = __builtin_shufflevector(v, v, BLOCKS_OF_##blocks);                                                           \
      memcpy(block, &v, bytes);                                                                                        \
   }

DEFINE_SMALL(small1_1, , uint16_t, 16, 1, uint32_t, JOIN_4)
DEFINE_SMALL(small2_1, , uint32_t, 32, 1, uint64_t, JOIN_8)

/* ---- one block ---- */

STEP read_1(const uint8_t *block, uint8_t *row, uint64_t pitch_bytes)
{
   for (int half = 0; half < 2; half++, block += 32, row += 2 * pitch_bytes) {
      const words2 a = LOAD(words2, block), b = LOAD(words2, block + 16);
      STORE(words2, row) = __builtin_shufflevector(a, b, 0, 2);
      STORE(words2, row + pitch_bytes) = __builtin_shufflevector(a, b, 1, 3);
   }
}

STEP write_1(uint8_t *block, const uint8_t *row, uint64_t pitch_bytes)
{
   for (int half = 0; half < 2; half++, block += 32, row += 2 * pitch_bytes) {
      const words2 a = LOAD(words2, row), b = LOAD(words2, row + pitch_bytes);
      STORE(words2, block) = __builtin_shufflevector(a, b, 0, 2);
      STORE(words2, block + 16) = __builtin_shufflevector(a, b, 1, 3);
   }
}

#ifdef __x86_64__

/* ---- two blocks ---- */

#define V3 __attribute__((target("avx2")))

DEFINE_SMALL(small1_2, V3, uint16_t, 32, 2, uint64_t, JOIN_8)

V3 STEP read_2(const uint8_t *block, uint8_t *row, uint64_t pitch_bytes)
{
   for (int half = 0; half < 2; half++, block += 32, row += 2 * pitch_bytes) {
      const words4 a = LOAD(words4, block), b = LOAD(words4, block + BLOCK_BYTES);
      STORE(words4, row) = __builtin_shufflevector(a, b, 0, 2, 4, 6);
      STORE(words4, row + pitch_bytes) = __builtin_shufflevector(a, b, 1, 3, 5, 7);
   }
}

V3 STEP write_2(uint8_t *block, const uint8_t *row, uint64_t pitch_bytes)
{
   for (int half = 0; half < 2; half++, block += 32, row += 2 * pitch_bytes) {
      const words4 a = LOAD(words4, row), b = LOAD(words4, row + pitch_bytes);
      STORE(words4, block) = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      STORE(words4, block + BLOCK_BYTES) = __builtin_shufflevector(a, b, 2, 6, 3, 7);
   }
}

/* ---- four blocks ---- */

#define V4 __attribute__((target("avx512f,avx512bw,avx512vl")))

DEFINE_SMALL(small1_4, V4, uint16_t, 64, 4, words2, JOIN_16)
DEFINE_SMALL(small2_2, V4, uint32_t, 64, 2, words2, JOIN_16)

#define LOW_HALVES 0, 1, 2, 3, 8, 9, 10, 11
#define HIGH_HALVES 4, 5, 6, 7, 12, 13, 14, 15

V4 STEP read_4(const uint8_t *block, uint8_t *row, uint64_t pitch_bytes)
{
   const words8 a = LOAD(words8, block), b = LOAD(words8, block + BLOCK_BYTES);
   const words8 c = LOAD(words8, block + 2 * BLOCK_BYTES), d = LOAD(words8, block + 3 * BLOCK_BYTES);
   /* Of two blocks: what they have of row 0 and of row 1; of rows 2 and 3. */
   const words8 ab01 = __builtin_shufflevector(a, b, 0, 2, 8, 10, 1, 3, 9, 11);
   const words8 ab23 = __builtin_shufflevector(a, b, 4, 6, 12, 14, 5, 7, 13, 15);
   const words8 cd01 = __builtin_shufflevector(c, d, 0, 2, 8, 10, 1, 3, 9, 11);
   const words8 cd23 = __builtin_shufflevector(c, d, 4, 6, 12, 14, 5, 7, 13, 15);
   STORE(words8, row) = __builtin_shufflevector(ab01, cd01, LOW_HALVES);
   STORE(words8, row + pitch_bytes) = __builtin_shufflevector(ab01, cd01, HIGH_HALVES);
   STORE(words8, row + 2 * pitch_bytes) = __builtin_shufflevector(ab23, cd23, LOW_HALVES);
   STORE(words8, row + 3 * pitch_bytes) = __builtin_shufflevector(ab23, cd23, HIGH_HALVES);
}

V4 STEP write_4(uint8_t *block, const uint8_t *row, uint64_t pitch_bytes)
{
   const words8 r0 = LOAD(words8, row), r1 = LOAD(words8, row + pitch_bytes);
   const words8 r2 = LOAD(words8, row + 2 * pitch_bytes), r3 = LOAD(words8, row + 3 * pitch_bytes);
   /* Of two rows: the halves of the first and of the second block; of the third and of the fourth. */
   const words8 ab01 = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
   const words8 cd01 = __builtin_shufflevector(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
   const words8 ab23 = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
   const words8 cd23 = __builtin_shufflevector(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
   STORE(words8, block) = __builtin_shufflevector(ab01, ab23, LOW_HALVES);
   STORE(words8, block + BLOCK_BYTES) = __builtin_shufflevector(ab01, ab23, HIGH_HALVES);
   STORE(words8, block + 2 * BLOCK_BYTES) = __builtin_shufflevector(cd01, cd23, LOW_HALVES);
   STORE(words8, block + 3 * BLOCK_BYTES) = __builtin_shufflevector(cd01, cd23, HIGH_HALVES);
}

#endif

/* ---- runs ---- */

/* Where a block of the next run is; of no run, an address that is only hinted at. */
static inline const void *ahead(const uint8_t *next, uint64_t offset_bytes)
{
   return (const void *)((uintptr_t)next + offset_bytes);
}

/* `step` blocks at a time, then one by one. Tiles are far apart: the processor does not foresee where the next run is. */
#define DEFINE_RUNS(level, target, size, step, several, one)                                                           \
   target static void read_run_##size##_##level(const uint8_t *blocks, uint32_t num_blocks, const uint8_t *next,       \
                                                uint8_t *rows, uint64_t pitch_bytes)                                   \
   {                                                                                                                   \
      const uint64_t bytes = 16 * (size);                                                                              \
      uint32_t i = 0;                                                                                                  \
      for (; i + (step) <= num_blocks; i += (step)) {                                                                  \
         _Pragma("GCC unroll 4") for (uint32_t j = 0; j < (step)*bytes; j += BLOCK_BYTES)                              \
            __builtin_prefetch(ahead(next, i * bytes + j));                                                            \
         read_##several(blocks + i * bytes, rows + i * bytes / 4, pitch_bytes);                                        \
      }                                                                                                                \
      for (; i < num_blocks; i++)                                                                                      \
         read_##one(blocks + i * bytes, rows + i * bytes / 4, pitch_bytes);                                            \
   }                                                                                                                   \
   target static void write_run_##size##_##level(uint8_t *blocks, uint32_t num_blocks, const uint8_t *next,            \
                                                 const uint8_t *rows, uint64_t pitch_bytes)                            \
   {                                                                                                                   \
      const uint64_t bytes = 16 * (size);                                                                              \
      uint32_t i = 0;                                                                                                  \
      for (; i + (step) <= num_blocks; i += (step)) {                                                                  \
         _Pragma("GCC unroll 4") for (uint32_t j = 0; j < (step)*bytes; j += BLOCK_BYTES)                              \
            __builtin_prefetch(ahead(next, i * bytes + j), 1);                                                         \
         write_##several(blocks + i * bytes, rows + i * bytes / 4, pitch_bytes);                                       \
      }                                                                                                                \
      for (; i < num_blocks; i++)                                                                                      \
         write_##one(blocks + i * bytes, rows + i * bytes / 4, pitch_bytes);                                           \
   }

typedef void read_fn(const uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, uint8_t *rows, uint64_t pitch_bytes);
typedef void write_fn(uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, const uint8_t *rows, uint64_t pitch_bytes);

/* By the logarithm of a texel's bytes. */
struct runs {
   read_fn *read[3];
   write_fn *write[3];
};

#define RUNS(level)                                                                                                    \
   {                                                                                                                   \
      {read_run_1_##level, read_run_2_##level, read_run_4_##level}, {                                                  \
         write_run_1_##level, write_run_2_##level, write_run_4_##level                                                 \
      }                                                                                                                \
   }

DEFINE_RUNS(v1, , 1, 1, small1_1, small1_1)
DEFINE_RUNS(v1, , 2, 1, small2_1, small2_1)
DEFINE_RUNS(v1, , 4, 1, 1, 1)
static struct runs runs = RUNS(v1);

#ifdef __x86_64__
DEFINE_RUNS(v3, V3, 1, 2, small1_2, small1_1)
DEFINE_RUNS(v3, V3, 2, 1, small2_1, small2_1)
DEFINE_RUNS(v3, V3, 4, 2, 2, 1)
DEFINE_RUNS(v4, V4, 1, 4, small1_4, small1_1)
DEFINE_RUNS(v4, V4, 2, 2, small2_2, small2_1)
DEFINE_RUNS(v4, V4, 4, 4, 4, 1)

__attribute__((constructor)) static void choose_level(void)
{
   const enum util_cpu_level level = util_cpu_level();
   if (level >= UTIL_CPU_V4)
      runs = (struct runs)RUNS(v4);
   else if (level >= UTIL_CPU_V3)
      runs = (struct runs)RUNS(v3);
}
#endif

void rt_block_rows_read(uint32_t texel_bytes, const uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, uint8_t *rows,
                        uint64_t pitch_bytes)
{
   runs.read[texel_bytes >> 1](blocks, num_blocks, next, rows, pitch_bytes);
}

void rt_block_rows_write(uint32_t texel_bytes, uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, const uint8_t *rows,
                         uint64_t pitch_bytes)
{
   runs.write[texel_bytes >> 1](blocks, num_blocks, next, rows, pitch_bytes);
}
