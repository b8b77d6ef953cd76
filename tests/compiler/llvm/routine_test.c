/* SPDX-License-Identifier: MIT
 * Operations that are calls because a shader has many of them (lower/outline.c): the same bits as where each one's code stands. */
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

static void check(const char *operation, uint32_t bits)
{
   for (uint32_t level = 1; level <= util_cpu_level(); level++) {
      for (uint32_t lanes = 4; lanes <= 32; lanes *= 8) {
         uint32_t few[LOCAL_SIZE], many[LOCAL_SIZE], any = 0;
         run(operation, bits, FEW, lanes, level, few);
         run(operation, bits, MANY, lanes, level, many);
         for (uint32_t i = 0; i < LOCAL_SIZE; i++) {
            CHECK_EQ(many[i], few[i]);
            any |= few[i];
         }
         CHECK(any != 0);
      }
   }
   CHECK(code_bytes(operation, bits, MANY) < code_bytes(operation, bits, FEW) * (MANY / FEW) / 2); /* they are calls */
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

TEST(remainder_with_the_sign_of_the_divisor)
{
   check("imod 1x64 %%27, %%%u", 64);
}

TEST_MAIN
