/* SPDX-License-Identifier: MIT
 * Whole blocks to and from rows. Two texels that are neighbours in a row are one 64-bit word; a block is
 *    0 2    words of row 0
 *    1 3
 *    4 6
 *    5 7
 * so that rows come from shuffles of words: of one block with 128-bit registers, of two with 256, of four with 512. */
#include "runtime/transfer/block_rows.h"

#include "util/cpu.h"

enum { BLOCK_BYTES = 64 };


#define STEP static inline __attribute__((always_inline)) void
#define WORDS(count) __attribute__((vector_size(8 * (count)), aligned(1), may_alias))
#define LOAD(type, address) (*(const type *)(const void *)(address))
#define STORE(type, address) (*(type *)(void *)(address))

/* ---- one block ---- */

typedef uint64_t words2 WORDS(2);

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

typedef uint64_t words4 WORDS(4);

#define V3 __attribute__((target("avx2")))

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

typedef uint64_t words8 WORDS(8);

#define V4 __attribute__((target("avx512f")))
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
static inline const void *ahead(const uint8_t *next, uint32_t block)
{
   return (const void *)((uintptr_t)next + (uintptr_t)block * BLOCK_BYTES);
}

/* `step` blocks at a time, then one by one. Tiles are far apart: the processor does not foresee where the next run is. */
#define DEFINE_RUNS(level, target, step)                                                                               \
   target static void read_run_##level(const uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, uint8_t *rows, \
                                       uint64_t pitch_bytes)                                                           \
   {                                                                                                                   \
      uint32_t i = 0;                                                                                                  \
      for (; i + (step) <= num_blocks; i += (step)) {                                                                  \
         _Pragma("GCC unroll 4") for (uint32_t j = 0; j < (step); j++)                                                 \
            __builtin_prefetch(ahead(next, i + j));                                                                    \
         read_##step(blocks + i * BLOCK_BYTES, rows + i * 16, pitch_bytes);                                            \
      }                                                                                                                \
      for (; i < num_blocks; i++)                                                                                      \
         read_1(blocks + i * BLOCK_BYTES, rows + i * 16, pitch_bytes);                                                 \
   }                                                                                                                   \
   target static void write_run_##level(uint8_t *blocks, uint32_t num_blocks, const uint8_t *next,                     \
                                        const uint8_t *rows, uint64_t pitch_bytes)                                     \
   {                                                                                                                   \
      uint32_t i = 0;                                                                                                  \
      for (; i + (step) <= num_blocks; i += (step)) {                                                                  \
         _Pragma("GCC unroll 4") for (uint32_t j = 0; j < (step); j++)                                                 \
            __builtin_prefetch(ahead(next, i + j), 1);                                                                 \
         write_##step(blocks + i * BLOCK_BYTES, rows + i * 16, pitch_bytes);                                           \
      }                                                                                                                \
      for (; i < num_blocks; i++)                                                                                      \
         write_1(blocks + i * BLOCK_BYTES, rows + i * 16, pitch_bytes);                                                \
   }

DEFINE_RUNS(v1, , 1)
static __typeof__(rt_block_rows_read) *read_run = read_run_v1;
static __typeof__(rt_block_rows_write) *write_run = write_run_v1;

#ifdef __x86_64__
DEFINE_RUNS(v3, V3, 2)
DEFINE_RUNS(v4, V4, 4)

__attribute__((constructor)) static void choose_level(void)
{
   const enum util_cpu_level level = util_cpu_level();
   read_run = level >= UTIL_CPU_V4 ? read_run_v4 : level >= UTIL_CPU_V3 ? read_run_v3 : read_run_v1;
   write_run = level >= UTIL_CPU_V4 ? write_run_v4 : level >= UTIL_CPU_V3 ? write_run_v3 : write_run_v1;
}
#endif

void rt_block_rows_read(const uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, uint8_t *rows,
                        uint64_t pitch_bytes)
{
   read_run(blocks, num_blocks, next, rows, pitch_bytes);
}

void rt_block_rows_write(uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, const uint8_t *rows,
                         uint64_t pitch_bytes)
{
   write_run(blocks, num_blocks, next, rows, pitch_bytes);
}
