/* SPDX-License-Identifier: MIT
 * Partitions of a vector's lanes; addresses that nobody can have; atomics on 16-bit floats. */
#include "tests/compiler/llvm/cg_run.h"

enum { SIZE = 24, COUNT = 2 * SIZE };

static void fill(struct cg_run *run)
{
   run->workgroups[0] = 2;
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      run->buffers[1][i] = i * 2654435761u >> 9;
}

/* ---- partitions ---- */

/* %20: one of three values, %21 a value to combine. */
#define VALUES                                                                                                         \
   CG_HEAD(24, "") "%12 = const 1x32 3\n%13 = imul 1x32 %10, %10\n%20 = umod 1x32 %13, %12\n" CG_LOAD(%21, %4, %5, %11)   \
   "%22 = match 1x32 %20\n"

/* The lanes of invocation i's vector with its value, as a mask of lanes. */
static uint32_t partners(const struct cg_run *run, uint32_t i)
{
   const uint32_t local = i % SIZE, first = local / run->lanes * run->lanes;
   uint32_t mask = 0;
   for (uint32_t lane = 0; lane < run->lanes && first + lane < SIZE; lane++) {
      const uint32_t j = i - local + first + lane;
      mask |= (uint32_t)(j * j % 3 == i * i % 3) << lane;
   }
   return mask;
}

static void expect_match(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < COUNT; i++)
      b[0][i] = partners(run, i);
}

TEST(lanes_with_equal_values)
{
   CG_RUN(VALUES CG_STORE(%11, %22) "yield\n}\n", fill, expect_match);
}

static void expect_sums(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t scan)
{
   for (uint32_t i = 0; i < COUNT; i++) {
      const uint32_t mask = partners(run, i), lane = i % SIZE % run->lanes;
      uint32_t sum = 0;
      for (uint32_t l = 0; l < run->lanes; l++) {
         const bool counts = scan == 0 || l < lane || (l == lane && scan == 1);
         sum += mask >> l & counts ? b[1][i - lane + l] : 0;
      }
      b[0][i] = sum;
   }
}

static void expect_reduce(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_sums(run, b, 0);
}

static void expect_inclusive(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_sums(run, b, 1);
}

static void expect_exclusive(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_sums(run, b, 2);
}

#define REDUCE_PART(scan) VALUES "%23 = reduce_part 1x32 %21, %22 atomic=0 scan=" #scan "\n" CG_STORE(%11, %23) "yield\n}\n"

TEST(sums_of_partitions)
{
   CG_RUN(REDUCE_PART(0), fill, expect_reduce);
   CG_RUN(REDUCE_PART(1), fill, expect_inclusive);
   CG_RUN(REDUCE_PART(2), fill, expect_exclusive);
}

static void expect_odd(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < COUNT; i++) {
      if (i & 1)
         b[0][i] = partners(run, i) & 0xaaaaaaaa;
   }
}

/* Lanes that are off belong to no part. */
TEST(partitions_of_some_lanes)
{
   CG_RUN(CG_HEAD(24, "") "%12 = const 1x32 3\n%13 = imul 1x32 %10, %10\n%20 = umod 1x32 %13, %12\n%14 = const 1x32 1\n"
          "%15 = iand 1x32 %10, %14\n%16 = ieq 1x1 %15, %14\nif %16 {\n%22 = match 1x32 %20\n" CG_STORE(%11, %22)
          "yield\n} else {\nyield\n}\nyield\n}\n", fill, expect_odd);
}

/* ---- addresses that nobody has ---- */

static void expect_zeros(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < COUNT; i++)
      b[0][i] = 7;
}

/* Null, for all lanes or a different offset for each: loads give zeros, stores and atomics do nothing. */
TEST(null_addresses)
{
   CG_RUN(CG_HEAD(24, "") "%12 = const 1x64 16\n%13 = const 1x32 7\n%20 = load_global 1x32 %12 access=0 align=4\n"
          "store_global %12, %13 access=0 align=4 mask=1\n%21 = atomic_global 1x32 %12, %13 atomic=0 access=0\n"
          "%22 = iadd 1x32 %20, %21\n%23 = iadd 1x32 %22, %13\n" CG_STORE(%11, %23) "yield\n}\n", fill, expect_zeros);
   CG_RUN(CG_HEAD(24, "") "%12 = u2u 1x64 %11\n%13 = const 1x32 7\n%20 = load_global 2x32 %12 access=0 align=4\n"
          "store_global %12, %13 access=0 align=4 mask=1\n%21 = atomic_global 1x32 %12, %13 atomic=0 access=0\n%24 = extract 1x32 %20 index=1\n"
          "%22 = iadd 1x32 %24, %21\n%23 = iadd 1x32 %22, %13\n" CG_STORE(%11, %23) "yield\n}\n", fill, expect_zeros);
}

/* ---- 16-bit floats ---- */

static void expect_halves(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   b[0][0] = 0x5200 | 0x3e00u << 16; /* 48 and 1.5 */
}

/* Each invocation adds 1 to the low half, and 1.5 is the greatest that it finds in the high one. */
TEST(atomics_on_halves)
{
   CG_RUN(CG_HEAD(24, "") "%12 = const 1x32 2\n%13 = const 1x16 15360\n%14 = const 1x16 15872\n"
          "%20 = atomic_buffer 1x16 %2, %3, %0, %13 atomic=10 access=0\n%21 = atomic_buffer 1x16 %2, %3, %12, %14 atomic=12 access=0\n"
          "yield\n}\n", fill, expect_halves);
}

TEST_MAIN
