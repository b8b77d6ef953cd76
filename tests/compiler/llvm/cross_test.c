/* SPDX-License-Identifier: MIT
 * Subgroups of every size at every width of vectors; partitions of their lanes; addresses that nobody can have; atomics on 16-bit floats. */
#include "tests/compiler/llvm/cg_run.h"

enum { SIZE = 24, COUNT = 2 * SIZE };

static void fill(struct cg_run *run)
{
   run->workgroups[0] = 2;
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      run->buffers[1][i] = i * 2654435761u >> 9;
}

/* ---- sizes of subgroups ---- */

/* Of invocations with even numbers: the ballot and the sum of their numbers; and where each is in its subgroup. */
#define SUBGROUPS(size, more) CG_HEAD(24, "subgroup_size " #size "\n") "%12 = const 1x32 1\n%13 = iand 1x32 %10, %12\n" more
#define WITH_OPERATIONS                                                                                                \
   "%14 = ieq 1x1 %13, %0\n%15 = ballot 4x32 %14\n%16 = extract 1x32 %15 index=0\n%17 = select 1x32 %14, %10, %0\n"      \
   "%18 = reduce 1x32 %17 atomic=0 scan=1 cluster=0\n%19 = const 1x32 1024\n%20 = imul 1x32 %18, %19\n"                \
   "%21 = ixor 1x32 %16, %20\n" CG_STORE(%11, %21) "yield\n}\n"
#define WITH_IDENTIFIERS                                                                                               \
   "%14 = sysval 1x32 sysval=subgroup_id\n%15 = sysval 1x32 sysval=subgroup_lane\n%16 = const 1x32 100\n"               \
   "%17 = imul 1x32 %14, %16\n%18 = iadd 1x32 %17, %15\n" CG_STORE(%11, %18) "yield\n}\n"

static void expect_subgroups(uint32_t size, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < COUNT; i++) {
      const uint32_t first = i % SIZE / size * size, workgroup = i / SIZE * SIZE;
      uint32_t ballot = 0, sum = 0;
      for (uint32_t lane = 0; lane < size && first + lane < SIZE; lane++) {
         const uint32_t j = workgroup + first + lane;
         ballot |= (uint32_t)(j % 2 == 0) << lane;
         sum += j % 2 == 0 && j <= i ? j : 0;
      }
      b[0][i] = ballot ^ sum * 1024;
   }
}

static void expect_identifiers(uint32_t size, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < COUNT; i++)
      b[0][i] = i % SIZE / size * 100 + i % SIZE % size;
}

#define EXPECTATIONS(size)                                                                                             \
   static void expect_subgroups_##size(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                     \
   {                                                                                                                   \
      expect_subgroups(size, b);                                                                                       \
   }                                                                                                                   \
   static void expect_identifiers_##size(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                   \
   {                                                                                                                   \
      expect_identifiers(size, b);                                                                                     \
   }
EXPECTATIONS(4)
EXPECTATIONS(8)
EXPECTATIONS(16)
EXPECTATIONS(32)

TEST(sizes_of_subgroups)
{
   CG_RUN(SUBGROUPS(4, WITH_OPERATIONS), fill, expect_subgroups_4);
   CG_RUN(SUBGROUPS(8, WITH_OPERATIONS), fill, expect_subgroups_8);
   CG_RUN(SUBGROUPS(16, WITH_OPERATIONS), fill, expect_subgroups_16);
   CG_RUN(SUBGROUPS(32, WITH_OPERATIONS), fill, expect_subgroups_32);
}

TEST(identifiers_in_subgroups)
{
   CG_RUN(SUBGROUPS(4, WITH_IDENTIFIERS), fill, expect_identifiers_4);
   CG_RUN(SUBGROUPS(8, WITH_IDENTIFIERS), fill, expect_identifiers_8);
   CG_RUN(SUBGROUPS(16, WITH_IDENTIFIERS), fill, expect_identifiers_16);
   CG_RUN(SUBGROUPS(32, WITH_IDENTIFIERS), fill, expect_identifiers_32);
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
         sum += (mask >> l & counts) ? b[1][i - lane + l] : 0;
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
