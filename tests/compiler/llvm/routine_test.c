/* SPDX-License-Identifier: MIT
 * Operations, copies of memory and accesses that are calls because a shader has many of them (lower/outline.c, outline_copies.c, outline_accesses.c): the same bits as
 * where each one's code stands. */
#include "tests/compiler/llvm/cg_run.h"
#include "tests/compiler/llvm/cg_text.h"

enum { LOCAL_SIZE = 40, FEW = 8, MANY = 400, FIRST_ID = 1000 };

/* %1000 = f(%25), %1001 = f(%1000), … `count` times, where the invocation's number is odd. What the first few give is stored in buffer 0; what all give
 * in buffer 1, so that they are needed. `operation` has the operand as %u. */
static void write_shader(const char *operation, uint32_t bits, uint32_t count)
{
   uint32_t operand = 25;
   text_end = 0;
   add("%s", CG_HEAD(40, "") "%20 = const 1x32 1\n%23 = iand 1x32 %10, %20\n%24 = ine 1x1 %23, %0\n");
   add("%%26 = load_buffer 1x32 %%4, %%5, %%11 access=0 align=4\n%%25 = %s %%26\n", bits == 64 ? "u2u 1x64" : "fabs 1x32");
   add("%s", "%27 = const 1x64 12345678912345\n%29 = const 1x64 1000003\n%28 = iadd 1x32 %26, %26\n%60 1x32, %61 1x32 = if %24 {\n");
   uint32_t few = operand;
   for (uint32_t i = 0; i < count; i++) {
      add("%%%u = ", FIRST_ID + i);
      add(operation, operand);
      add("\n");
      operand = FIRST_ID + i;
      few = i < FEW ? operand : few;
   }
   if (bits == 64) {
      add("%%70 = u2u 1x32 %%%u\n%%71 = u2u 1x32 %%%u\nyield %%70, %%71\n", few, operand);
   } else {
      add("yield %%%u, %%%u\n", few, operand);
   }
   add("%s", "} else {\nyield %0, %0\n}\n" CG_STORE(%11, %60) "store_buffer %4, %5, %11, %61 access=0 align=4 mask=1\nyield\n}\n");
}

static void run(const char *operation, uint32_t bits, uint32_t count, uint32_t lanes, uint32_t level, uint32_t *results)
{
   static uint32_t buffers[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   struct cg_run run = {.lanes = lanes, .level = level, .workgroups = {1, 1, 1}, .buffers = buffers};
   memset(buffers, 0, sizeof(buffers));
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      buffers[1][i] = i * 2654435761u; /* large numbers too */
   write_shader(operation, bits, count);
   cg_run_once(text, &run);
   memcpy(results, buffers[0], LOCAL_SIZE * sizeof(*results));
}

static uint32_t code_bytes(const char *operation, uint32_t bits, uint32_t count)
{
   write_shader(operation, bits, count);
   struct comp_binary *binary = cg_run_binary(text, 8, UTIL_CPU_V2, NULL);
   const uint32_t size_bytes = binary ? binary->object_bytes : 0;
   free(binary);
   return size_bytes;
}

/* Of a NaN that an operation of floats makes, sign and payload are the machine's choice: lower/lower_nan is not run here. */
static bool is_nan(const char *operation, uint32_t word, uint32_t bits)
{
   return operation[0] == 'f' && bits == 32 && (word & 0x7fffffffu) > 0x7f800000u;
}

static void check_many(const char *operation, uint32_t bits, uint32_t count)
{
   for (uint32_t level = 1; level <= util_cpu_level(); level++) {
      for (uint32_t lanes = 4; lanes <= 32; lanes *= 8) {
         uint32_t few[LOCAL_SIZE], many[LOCAL_SIZE], any = 0;
         run(operation, bits, FEW, lanes, level, few);
         run(operation, bits, count, lanes, level, many);
         for (uint32_t i = 0; i < LOCAL_SIZE; i++) {
            if (!is_nan(operation, many[i], bits) || !is_nan(operation, few[i], bits))
               CHECK_EQ(many[i], few[i]);
            any |= few[i];
         }
         CHECK(any != 0);
      }
   }
   CHECK(code_bytes(operation, bits, count) < code_bytes(operation, bits, FEW) * (count / FEW) / 2); /* they are calls */
}

static void check(const char *operation, uint32_t bits)
{
   check_many(operation, bits, MANY);
}

TEST(sine)
{
   check("fsin 1x32 %%%u", 32);
}

TEST(power)
{
   check("fpow 1x32 %%%u, %%25", 32);
}

TEST(arctangent)
{
   check("fatan2 1x32 %%%u, %%25", 32);
}

TEST(division)
{
   check("udiv 1x64 %%27, %%%u", 64);
}

TEST(remainder_by_a_constant)
{
   check("umod 1x64 %%%u, %%29", 64);
}

/* Not a routine, but a function too. */
TEST(reductions)
{
   check("reduce 1x32 %%%u atomic=10 scan=1 cluster=0", 32);
   check("reduce 1x64 %%%u atomic=0 scan=1 cluster=8", 64);
}

TEST(shuffles)
{
   check("shuffle 1x32 %%%u, %%26", 32);
   check("shuffle 1x64 %%%u, %%26", 64);
}

TEST(remainder_with_the_sign_of_the_divisor)
{
   check("imod 1x64 %%27, %%%u", 64);
}

TEST(remainders_of_floats)
{
   check("fmod 1x32 %%25, %%%u", 32);
   check("frem 1x32 %%25, %%%u", 32);
}

TEST(exponents)
{
   check_many("fldexp 1x32 %%%u, %%23", 32, 1000);
   check_many("ffrexp_sig 1x32 %%%u", 32, 1000);
}

TEST(counts_of_bits)
{
   check_many("bitcount 1x32 %%%u", 32, 400);
   check_many("find_umsb 1x32 %%%u", 32, 400);
}

TEST(divisions_of_32_bits)
{
   check_many("idiv 1x32 %%26, %%%u", 32, 1200);
   check_many("umod 1x32 %%26, %%%u", 32, 1200);
}

/* ---- copies and accesses ---- */

enum { NUM_IDS = 50 }; /* of a round */

/* %32 is where an invocation has its part, in shared memory and buffer 0; %39 is where it reads buffer 1, some beyond the end. Rounds do the same again where
 * the invocation's number is odd. */
static void write_rounds(void (*write)(uint32_t id), uint32_t count)
{
   text_end = 0;
   add("%s", CG_HEAD(40, "shared 1600\nvar v0 40 \"a\"\ntable_var v1 20 \"c\" bits=32 28, 12, 24, 16, 20\nvar v2 32 \"b\"\n"
                     "table_var v3 20 \"d\" bits=32 16, 20, 28, 12, 24\n")
             "%20 = const 1x32 1\n%21 = const 1x32 5\n%22 = const 1x32 12\n%25 = const 1x32 40\n%26 = const 1x32 9\n%30 = iand 1x32 %10, %20\n"
             "%31 = ine 1x1 %30, %0\n%32 = imul 1x32 %10, %25\n%33 = load_buffer 1x32 %4, %5, %11 access=0 align=4\n%37 = iand 1x32 %33, %25\n"
             "%38 = ishl 1x32 %37, %26\n%39 = iadd 1x32 %32, %38\nif %31 {\n");
   for (uint32_t i = 0; i < count; i++)
      write(FIRST_ID + i * NUM_IDS);
   add("%s", "yield\n} else {\nyield\n}\nyield\n}\n");
}

/* Five words each. */
static void write_copies(uint32_t id)
{
   const uint32_t table = (id - FIRST_ID) / NUM_IDS % 2 ? 3 : 1; /* two forms */
   add("%s", "copy %22, %4, %5, %39 count=5 bits=32 store_var v0 access=0 align=4 stride=4 load_buffer access=0 align=4 stride=4\n");
   add("copy %%0, %%0 count=5 bits=32 store_var v2 access=0 align=4 stride=4 load_var v0 access=0 align=4 offsets=v%u\n", table);
   add("%s", "copy %32, %0 count=5 bits=32 store_shared access=0 align=4 stride=4 load_var v2 access=0 align=4 stride=4\n"
             "copy %2, %3, %32, %32 count=5 bits=32 store_buffer access=0 align=4 stride=4 load_shared access=0 align=4 stride=4\n");
}

/* Of half words, from addresses, push constants and nowhere. */
static void write_other_copies(uint32_t id)
{
   add("%%%u = iadd 1x32 %%32, %%22\n%%%u = u2u 1x64 %%%u\n%%%u = iadd 1x64 %%2, %%%u\n", id, id + 1, id, id + 2, id + 1);
   add("%s", "copy %2, %3, %32, %4, %5, %39 count=10 bits=16 store_buffer access=0 align=2 stride=2 load_buffer access=0 align=2 stride=2\n"
             "copy %0 count=3 bits=32 store_var v2 access=0 align=4 stride=4 undef\n"
             "copy %22, %0 count=3 bits=32 store_var v2 access=0 align=4 stride=4 load_table v3 access=0 align=4 stride=4\n"
             "copy %22, %22 count=3 bits=32 store_var v0 access=0 align=4 stride=8 load_push access=0 align=4 stride=4\n");
   add("copy %%%u, %%0 count=6 bits=32 store_global access=0 align=4 stride=4 load_var v2 access=0 align=4 stride=4\n", id + 2);
   add("copy %%2, %%3, %%%u, %%22 count=3 bits=32 store_buffer access=0 align=4 stride=8 load_var v0 access=0 align=4 stride=8\n", id);
}

static void write_accesses(uint32_t id)
{
   add("%%%u = load_buffer 3x32 %%4, %%5, %%39 access=0 align=4\nstore_shared %%32, %%%u access=0 align=4 mask=7\n", id, id);
   add("%%%u = load_shared 3x32 %%32 access=0 align=4\nstore_buffer %%2, %%3, %%32, %%%u access=0 align=4 mask=5\n", id + 1, id + 1);
   add("%%%u = load_buffer 1x16 %%4, %%5, %%39 access=0 align=2\n%%%u = iadd 1x32 %%32, %%22\n", id + 2, id + 3);
   add("store_buffer %%2, %%3, %%%u, %%%u access=0 align=2 mask=1\n", id + 3, id + 2);
}

/* From the second round on the same happens again. */
static void write_atomics(uint32_t id)
{
   add("%%%u = atomic_buffer 1x32 %%2, %%3, %%32, %%33 atomic=4 access=0\n%%%u = atomic_shared 1x32 %%32, %%%u atomic=8 access=0\n", id, id + 1, id);
   add("%%%u = atomic_shared 1x32 %%32, %%33, %%%u atomic=9 access=0\n%%%u = atomic_buffer 1x32 %%4, %%5, %%39, %%22 atomic=6 access=0\n", id + 2, id + 1, id + 3);
   add("%%%u = iadd 1x32 %%%u, %%%u\n%%%u = iadd 1x32 %%32, %%22\n", id + 4, id + 2, id + 3, id + 5);
   add("store_buffer %%2, %%3, %%%u, %%%u access=0 align=4 mask=1\n", id + 5, id + 4);
}

static void run_rounds(void (*write)(uint32_t id), uint32_t count, uint32_t lanes, uint32_t level, uint32_t *results)
{
   static uint32_t buffers[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   struct cg_run run = {.lanes = lanes, .level = level, .workgroups = {1, 1, 1}, .buffers = buffers, .push = {1, 2, 3, 4, 5, 6}};
   memset(buffers, 0, sizeof(buffers));
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      buffers[1][i] = i * 2654435761u;
   write_rounds(write, count);
   cg_run_once(text, &run);
   memcpy(results, buffers[0], CG_RUN_WORDS * sizeof(*results));
}

static uint32_t round_bytes(void (*write)(uint32_t id), uint32_t count)
{
   write_rounds(write, count);
   struct comp_binary *binary = cg_run_binary(text, 8, UTIL_CPU_V2, NULL);
   const uint32_t size_bytes = binary ? binary->object_bytes : 0;
   free(binary);
   return size_bytes;
}

static void check_rounds(void (*write)(uint32_t id), uint32_t many)
{
   static uint32_t few_words[CG_RUN_WORDS], many_words[CG_RUN_WORDS];
   for (uint32_t i = 0; i < 2; i++) { /* the least level and the machine's */
      const uint32_t lanes = i ? 16 : 4, level = i ? util_cpu_level() : 1;
      uint32_t any = 0;
      run_rounds(write, 2, lanes, level, few_words);
      run_rounds(write, many, lanes, level, many_words);
      CHECK(!memcmp(few_words, many_words, sizeof(few_words)));
      for (uint32_t w = 0; w < CG_RUN_WORDS; w++)
         any |= few_words[w];
      CHECK(any != 0);
   }
   /* They are calls: in line, accesses of 1,600 rounds are 5.8 MB, and the bound is 5.4; as calls 4.2. */
   CHECK(round_bytes(write, many) < round_bytes(write, 2) * (many / 2) / 3 * 2);
}

TEST(copies)
{
   check_rounds(write_copies, 80);
}

TEST(other_copies)
{
   check_rounds(write_other_copies, 80);
}

TEST(accesses)
{
   check_rounds(write_accesses, 1600);
}

TEST(atomics)
{
   check_rounds(write_atomics, 1600);
}

TEST_MAIN
