/* SPDX-License-Identifier: MIT
 * Large functions: the same bits as small ones, in time that is in proportion to their size. */
#include "tests/compiler/llvm/cg_run.h"
#include "tests/compiler/llvm/cg_text.h"

#include <math.h>
#include <time.h>

enum { LOCAL_SIZE = 40, MAX_VALUES = 4000, FIRST_ID = 1000 };

/* Loads `count` values, then mixes them, last one first, in two rounds of a loop: all are live from end to end, the loop's block is large,
 * and its phis name a block that is cut. Lanes whose number is odd leave out a half. */
static void write_shader(uint32_t count)
{
   uint32_t id = FIRST_ID + count;
   text_end = 0;
   add("%s", CG_HEAD(40, "") "%20 = const 1x32 1\n%21 = const 1x32 3\n%22 = const 1x32 2\n%23 = iand 1x32 %10, %20\n%24 = ine 1x1 %23, %0\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%%u = const 1x32 %u\n%%%u = iadd 1x32 %%11, %%%u\n", id, i * 4, id + 1, id);
      add("%%%u = load_buffer 1x32 %%4, %%5, %%%u access=0 align=4\n", FIRST_ID + i, id + 1);
      id += 2;
   }
   add("%%40 1x32, %%41 1x32 = loop @L30 %%10, %%0 {\nbody(%%50 1x32, %%51 1x32):\n");
   uint32_t sum = 50;
   for (uint32_t i = count; i-- > count / 2;) {
      add("%%%u = imul 1x32 %%%u, %%21\n%%%u = ixor 1x32 %%%u, %%%u\n", id, sum, id + 1, id, FIRST_ID + i);
      sum = id + 1;
      id += 2;
   }
   const uint32_t before = sum;
   add("%%60 1x32 = if %%24 {\nyield %%%u\n} else {\n", before);
   for (uint32_t i = count / 2; i-- > 0;) {
      add("%%%u = imul 1x32 %%%u, %%21\n%%%u = ixor 1x32 %%%u, %%%u\n", id, sum, id + 1, id, FIRST_ID + i);
      sum = id + 1;
      id += 2;
   }
   add("yield %%%u\n}\n%%61 = iadd 1x32 %%51, %%20\n%%62 = uge 1x1 %%61, %%22\nif %%62 {\nbreak @L30 %%60, %%61\n} else {\nyield\n}\n", sum);
   add("continue @L30 %%60, %%61\ncont(%%70 1x32, %%71 1x32):\nyield %%70, %%71\n}\n");
   add("%s", CG_STORE(%11, %40) "yield\n}\n");
}

static uint32_t count_of(const char *haystack, const char *needle)
{
   uint32_t count = 0;
   for (const char *at = haystack; at && (at = strstr(at, needle)); at++)
      count++;
   return count;
}

static uint32_t expected(const uint32_t *values, uint32_t index, uint32_t count)
{
   uint32_t x = index;
   for (uint32_t round = 0; round < 2; round++) {
      for (uint32_t i = count; i-- > (index & 1 ? count / 2 : 0);)
         x = x * 3 ^ values[index + i];
   }
   return x;
}

static void check(uint32_t count, uint32_t lanes, uint32_t level)
{
   static uint32_t buffers[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   struct cg_run run = {.lanes = lanes, .level = level, .workgroups = {1, 1, 1}, .buffers = buffers};
   memset(buffers, 0, sizeof(buffers));
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      buffers[1][i] = (i * 2654435761u) >> 7;
   write_shader(count);
   cg_run_once(text, &run);
   for (uint32_t i = 0; i < LOCAL_SIZE; i++)
      CHECK_EQ(buffers[0][i], expected(buffers[1], i, count));
}

TEST(same_bits_of_any_size)
{
   for (uint32_t level = 1; level <= util_cpu_level(); level++) {
      check(100, 8, level);
      check(2000, 8, level);
   }
   check(2000, 32, util_cpu_level());
}

/* Processor seconds of a compile: of the fastest, which others on the machine delayed least. */
static double compile_s(uint32_t count)
{
   double least_s = HUGE_VAL;
   write_shader(count);
   for (uint32_t round = 0; round < 3; round++) {
      const clock_t start = clock();
      free(cg_run_binary(text, 16, UTIL_CPU_V4, NULL));
      least_s = fmin(least_s, (double)(clock() - start) / CLOCKS_PER_SEC);
   }
   return least_s;
}

TEST(time_is_in_proportion)
{
   compile_s(10);
   const double small = compile_s(MAX_VALUES / 4), large = compile_s(MAX_VALUES);
   printf("%u values: %.2f s, %u values: %.2f s\n", MAX_VALUES / 4, small, MAX_VALUES, large);
   CHECK(large < small * 5); /* four times as much, and what the cuts cost; the square would be 16 */
}

/* Values of all parts are used in the others, and a loop goes through all of them. */
TEST(parts_for_threads)
{
   char *texts[COMP_NUM_TEXTS] = {0};
   const uint32_t level = util_cpu_level();
   write_shader(MAX_VALUES);
   struct comp_binary *binary = cg_run_binary(text, 8, level, texts), *again = cg_run_binary(text, 8, level, NULL);
   CHECK(count_of(texts[COMP_TEXT_LLVM], " i32 @part") > 2 || util_cpu_threads() < 2);
   CHECK_EQ(binary->object_bytes, again->object_bytes);
   CHECK_EQ(memcmp((char *)binary + binary->object_offset, (char *)again + again->object_offset, binary->object_bytes), 0);
   check(MAX_VALUES, 8, level);
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
      free(texts[i]);
   free(binary);
   free(again);
}

/* Ifs in a row, which change one value in some lanes each and do not fold into selects; `num_lives` values live through all of them. */
static void write_ifs(uint32_t count, uint32_t num_lives)
{
   uint32_t id = FIRST_ID + 10 * num_lives, value = 10;
   text_end = 0;
   add("%s", CG_HEAD(40, "") "%20 = const 1x32 1\n");
   for (uint32_t i = 0, life = FIRST_ID; i < num_lives; i++, life += 10)
      add("%%%u = const 1x32 %u\n%%%u = imul 1x32 %%10, %%%u\n", life, i + 2, life + 1, life);
   for (uint32_t i = 0; i < count; i++, id += 10) {
      add("%%%u = ushr 1x32 %%10, %%20\n%%%u = ult 1x1 %%%u, %%%u\n", id, id + 1, id, value);
      add("%%%u 1x32 = if %%%u {\n%%%u = imul 1x32 %%%u, %%%u\nyield %%%u\n} else {\nyield %%%u\n}\n", id + 2, id + 1, id + 3, value, value, id + 3, value);
      value = id + 2;
   }
   for (uint32_t i = 0, life = FIRST_ID; i < num_lives; i++, life += 10) {
      add("%%%u = ixor 1x32 %%%u, %%%u\n", life + 2, value, life + 1);
      value = life + 2;
   }
   add("%%21 = iadd 1x32 %%%u, %%0\n%s", value, CG_STORE(%11, %21) "yield\n}\n");
}

/* What the quick machine does at the borders of all blocks is left to functions that are larger than those of a ray marcher. */
TEST(registers_cross_blocks_of_usual_functions)
{
   enum { NUM_IFS = 1600 };
   static const uint32_t lives[] = {0, 300};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(lives); i++) {
      char *texts[COMP_NUM_TEXTS] = {0};
      write_ifs(NUM_IFS, lives[i]);
      free(cg_run_binary(text, 8, UTIL_MIN(util_cpu_level(), UTIL_CPU_V3), texts));
      CHECK(count_of(texts[COMP_TEXT_LLVM], "\n") > 12000);
      CHECK(count_of(texts[COMP_TEXT_LLVM], "\n") < 40000);
      CHECK(count_of(texts[COMP_TEXT_ASSEMBLY], "(%rsp)") + count_of(texts[COMP_TEXT_ASSEMBLY], "[sp") < NUM_IFS + 4 * lives[i]);
      for (uint32_t text_index = 0; text_index < COMP_NUM_TEXTS; text_index++)
         free(texts[text_index]);
   }
}

/* Branches that all lanes take or none, each of which reads a word of its own that nobody writes. */
static void write_uniform_ifs(uint32_t count)
{
   uint32_t id = FIRST_ID, value = 10;
   text_end = 0;
   add("%s", CG_HEAD(40, "") "%20 = load_buffer 1x32 %4, %5, %0 access=0 align=4\n");
   for (uint32_t i = 0; i < count; i++, id += 10) {
      add("%%%u = const 1x32 %u\n%%%u = ult 1x1 %%%u, %%20\n", id, i * 4 + 4, id + 1, id);
      add("%%%u 1x32 = if %%%u {\n%%%u = load_buffer 1x32 %%4, %%5, %%%u access=4 align=4\n", id + 2, id + 1, id + 3, id);
      add("%%%u = ixor 1x32 %%%u, %%%u\nyield %%%u\n} else {\nyield %%%u\n}\n", id + 4, value, id + 3, id + 4, value);
      value = id + 2;
   }
   add("%%21 = iadd 1x32 %%%u, %%0\n%s", value, CG_STORE(%11, %21) "yield\n}\n");
}

/* Of few branches what is uniform is made once at the call's start, of many where it is needed: else each call makes all of it, and keeps it alive. */
TEST(branches_keep_what_they_need)
{
   static const struct {
      uint32_t num_ifs, min_early, max_early; /* reads in front of the first branch, with a few of the frame's */
   } cases[] = {{100, 100, 130}, {1000, 0, 300}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      char *texts[COMP_NUM_TEXTS] = {0};
      write_uniform_ifs(cases[i].num_ifs);
      free(cg_run_binary(text, 8, UTIL_MIN(util_cpu_level(), UTIL_CPU_V3), texts));
      CHECK(count_of(texts[COMP_TEXT_LLVM], " = load i32, ") >= cases[i].num_ifs);
      char *branch = strstr(texts[COMP_TEXT_LLVM], ", label %then");
      if (branch) /* else LLVM has made selects of them */
         *branch = 0;
      const uint32_t num_early = count_of(texts[COMP_TEXT_LLVM], " = load i32, ");
      CHECK(num_early >= cases[i].min_early);
      CHECK(num_early <= cases[i].max_early);
      for (uint32_t text_index = 0; text_index < COMP_NUM_TEXTS; text_index++)
         free(texts[text_index]);
   }
}

/* A mask crosses blocks as a word a lane: what compares and selects packs and unpacks nothing. */
TEST(masks_cross_blocks_as_words)
{
   char *texts[COMP_NUM_TEXTS] = {0};
   write_ifs(20, 0);
   free(cg_run_binary(text, 8, UTIL_MIN(util_cpu_level(), UTIL_CPU_V3), texts));
   static const char *const selects[] = {"blendv", "\tbsl", "\tbit", "\tbif"}; /* the latter of AArch64: by the register that may be written */
   uint32_t num_selects = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(selects); i++)
      num_selects += count_of(texts[COMP_TEXT_ASSEMBLY], selects[i]);
   CHECK(num_selects >= 20);
   CHECK_EQ(count_of(texts[COMP_TEXT_ASSEMBLY], "packssdw"), 0);
   CHECK_EQ(count_of(texts[COMP_TEXT_ASSEMBLY], "pmovsxwd") + count_of(texts[COMP_TEXT_ASSEMBLY], "pmovzxwd"), 0);
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
      free(texts[i]);
}

TEST_MAIN
