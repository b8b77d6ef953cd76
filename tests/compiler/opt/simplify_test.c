/* SPDX-License-Identifier: MIT
 * Folding, identities, merging of equal values, what is known in an `if`. */
#include "compiler/ir/ir_eval.h"
#include "tests/compiler/ir/ir_test.h"

#define SHADER(body) "shader compute\n{\n" body "   yield\n}\n"
#define STORE(offset, value) "   store_shared " offset ", " value " access=0 align=4 mask=1\n"

TEST(folds)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = const 1x32 3\n"
                  "   %1 = const 1x32 4\n"
                  "   %2 = imul 1x32 %0, %1\n"
                  "   %3 = iadd 1x32 %2, %1\n" STORE("%0", "%3")),
           SHADER("   %0 = const 1x32 3\n"
                  "   %1 = const 1x32 4\n"
                  "   %2 = const 1x32 12\n"
                  "   %3 = const 1x32 16\n" STORE("%0", "%3")));
}

/* x + 0.0 is x only if the sign of zero does not count; x - 0.0 always is. */
TEST(float_identities_are_exact)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = sysval 1x32 sysval=local_index\n"
                  "   %2 = fadd 1x32 %1, %0\n"
                  "   %3 = fadd 1x32 %1, %0 fp=no_signed_zero\n"
                  "   %4 = fsub 1x32 %1, %0\n" STORE("%2", "%3") STORE("%4", "%0")),
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = sysval 1x32 sysval=local_index\n"
                  "   %2 = fadd 1x32 %1, %0\n" STORE("%2", "%1") STORE("%1", "%0")));
}

TEST(strength)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = const 1x32 8\n"
                  "   %1 = sysval 1x32 sysval=local_index\n"
                  "   %2 = udiv 1x32 %1, %0\n"
                  "   %3 = umod 1x32 %1, %0\n" STORE("%2", "%3")),
           SHADER("   %0 = const 1x32 8\n"
                  "   %1 = const 1x32 3\n"
                  "   %2 = const 1x32 7\n"
                  "   %3 = sysval 1x32 sysval=local_index\n"
                  "   %4 = ushr 1x32 %3, %1\n"
                  "   %5 = iand 1x32 %3, %2\n" STORE("%4", "%5")));
}

TEST(equal_values_merge)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = sysval 1x32 sysval=subgroup_id\n"
                  "   %2 = iadd 1x32 %0, %1\n"
                  "   %3 = iadd 1x32 %1, %0\n" STORE("%2", "%3")),
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = sysval 1x32 sysval=subgroup_id\n"
                  "   %2 = iadd 1x32 %0, %1\n" STORE("%2", "%2")));
}

/* Loads merge until something may write; shared memory and variables do not alias. */
TEST(loads_merge_up_to_stores)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = load_shared 1x32 %0 access=0 align=4\n"
                  "   %2 = load_shared 1x32 %0 access=0 align=4\n" STORE(
                     "%1", "%2") "   %4 = load_shared 1x32 %0 access=0 align=4\n"
                                 "   barrier exec=2 memory=2 semantics=264\n"
                                 "   %6 = load_shared 1x32 %0 access=0 align=4\n" STORE("%4", "%6")),
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = load_shared 1x32 %0 access=0 align=4\n" STORE(
                     "%1", "%1") "   %3 = load_shared 1x32 %0 access=0 align=4\n"
                                 "   barrier exec=2 memory=2 semantics=264\n"
                                 "   %5 = load_shared 1x32 %0 access=0 align=4\n" STORE("%3", "%5")));
}

/* A store further down in a loop comes before the load of the next round. */
TEST(loops_start_anew)
{
   const char *text = SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                             "   %1 = sysval 1x1 sysval=front_facing\n"
                             "   %2 = load_shared 1x32 %0 access=0 align=4\n"
                             "   loop @L3 {\n"
                             "   body():\n"
                             "      %4 = load_shared 1x32 %0 access=0 align=4\n"
                             "      store_shared %0, %4 access=0 align=4 mask=1\n"
                             "      if %1 {\n"
                             "         break @L3\n"
                             "      } else {\n"
                             "         yield\n"
                             "      }\n"
                             "      continue @L3\n"
                             "   cont():\n"
                             "      yield\n"
                             "   }\n" STORE("%2", "%0"));
   IR_PASS(ir_opt_simplify, text, text);
}

/* A value of a region is not visible behind it: nothing merges with it there. */
TEST(scopes)
{
   const char *text = SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                             "   %1 = sysval 1x1 sysval=front_facing\n"
                             "   if %1 {\n"
                             "      %3 = ineg 1x32 %0\n"
                             "      store_shared %3, %0 access=0 align=4 mask=1\n"
                             "      yield\n"
                             "   } else {\n"
                             "      yield\n"
                             "   }\n"
                             "   %7 = ineg 1x32 %0\n" STORE("%7", "%0"));
   IR_PASS(ir_opt_simplify, text, text);
}

TEST(conditions_are_known_inside)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = sysval 1x1 sysval=front_facing\n"
                  "   %2 = inot 1x1 %1\n"
                  "   %9 1x32 = if %1 {\n"
                  "      %4 = u2u 1x32 %1\n"
                  "      yield %4\n"
                  "   } else {\n"
                  "      %6 = i2i 1x32 %2\n"
                  "      yield %6\n"
                  "   }\n" STORE("%0", "%9")),
           SHADER("   %0 = const 1x1 1\n"
                  "   %1 = const 1x32 1\n"
                  "   %2 = const 1x32 0xffffffff\n"
                  "   %3 = sysval 1x32 sysval=local_index\n"
                  "   %4 = sysval 1x1 sysval=front_facing\n"
                  "   %5 = inot 1x1 %4\n"
                  "   %9 1x32 = if %4 {\n"
                  "      yield %1\n"
                  "   } else {\n"
                  "      yield %2\n"
                  "   }\n" STORE("%3", "%9")));
}

/* The condition comes back as a number that is compared again. */
TEST(booleans_through_numbers)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = sysval 1x1 sysval=front_facing\n"
                  "   %2 = u2u 1x32 %1\n"
                  "   %3 = ine 1x1 %2, %0\n"
                  "   demote %3\n"),
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = sysval 1x1 sysval=front_facing\n"
                  "   %2 = u2u 1x32 %1\n"
                  "   demote %1\n"));
}

/* a && b, with a number as the front end's boolean variable */
TEST(results_become_conditions)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = sysval 1x1 sysval=front_facing\n"
                  "   %9 1x32 = if %1 {\n"
                  "      %3 = load_shared 1x32 %0 access=0 align=4\n"
                  "      %4 = ine 1x1 %3, %0\n"
                  "      %5 = u2u 1x32 %4\n"
                  "      yield %5\n"
                  "   } else {\n"
                  "      yield %0\n"
                  "   }\n"
                  "   %10 = ine 1x1 %9, %0\n"
                  "   demote %10\n"),
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = const 1x1 0\n"
                  "   %2 = sysval 1x1 sysval=front_facing\n"
                  "   %9 1x1 = if %2 {\n"
                  "      %4 = load_shared 1x32 %0 access=0 align=4\n"
                  "      %5 = ine 1x1 %4, %0\n"
                  "      %6 = u2u 1x32 %5\n"
                  "      yield %5\n"
                  "   } else {\n"
                  "      yield %1\n"
                  "   }\n"
                  "   %10 = u2u 1x32 %9\n"
                  "   demote %9\n"));
}

TEST(negations_enter_constants)
{
   IR_PASS(ir_opt_simplify,
           SHADER("   %0 = const 1x32 0x3f99999a\n"
                  "   %1 = sysval 1x32 sysval=local_index\n"
                  "   %2 = fneg 1x32 %1\n"
                  "   %3 = fmul 1x32 %2, %0\n"
                  "   %4 = fma 1x32 %2, %0, %1\n" STORE("%3", "%4")),
           SHADER("   %0 = const 1x32 0x3f99999a\n"
                  "   %1 = const 1x32 0xbf99999a\n"
                  "   %2 = sysval 1x32 sysval=local_index\n"
                  "   %3 = fneg 1x32 %2\n"
                  "   %4 = fmul 1x32 %2, %1\n"
                  "   %5 = fma 1x32 %2, %1, %2\n" STORE("%4", "%5")));
}

/* 1/3 is 0x3eaaaaaa, which is too small, and 0x32aaaaab; 1/4 is exact. */
TEST(divisions_by_constants)
{
   IR_PASS(ir_opt_divide,
           SHADER("   %0 = const 1x32 0x40400000\n"
                  "   %1 = const 1x32 0x40800000\n"
                  "   %2 = sysval 1x32 sysval=local_index\n"
                  "   %3 = fdiv 1x32 %2, %0 fp=contract\n"
                  "   %4 = fdiv 1x32 %2, %1 fp=contract\n"
                  "   %5 = fdiv 1x32 %2, %0\n" STORE("%3", "%4") STORE("%5", "%5")),
           SHADER("   %0 = const 1x32 0x40400000\n"
                  "   %1 = const 1x32 0x40800000\n"
                  "   %2 = sysval 1x32 sysval=local_index\n"
                  "   %3 = const 1x32 0x32aaaaab\n"
                  "   %4 = fmul 1x32 %2, %3\n"
                  "   %5 = const 1x32 0x3eaaaaaa\n"
                  "   %6 = fma 1x32 %2, %5, %4\n"
                  "   %7 = const 1x32 0x3e800000\n"
                  "   %8 = fmul 1x32 %2, %7\n"
                  "   %9 = fdiv 1x32 %2, %0\n" STORE("%6", "%8") STORE("%9", "%9")));
}

/* By one divisor: an inverse for those that may round, in front of the first; one alone stays, and so does what may not round. */
TEST(divisions_by_one_divisor)
{
   IR_PASS(ir_opt_divide,
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = i2f 1x32 %0\n"
                  "   %2 = fdiv 1x32 %0, %1 fp=contract\n"
                  "   %3 = fdiv 1x32 %1, %1 fp=contract\n"
                  "   %4 = fdiv 1x32 %1, %0 fp=contract\n"
                  "   %5 = fdiv 1x32 %0, %1\n" STORE("%2", "%3") STORE("%4", "%5")),
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = i2f 1x32 %0\n"
                  "   %2 = const 1x32 0x3f800000\n"
                  "   %3 = fdiv 1x32 %2, %1 fp=contract\n"
                  "   %4 = fmul 1x32 %0, %3 fp=contract\n"
                  "   %5 = fmul 1x32 %1, %3 fp=contract\n"
                  "   %6 = fdiv 1x32 %1, %0 fp=contract\n"
                  "   %7 = fdiv 1x32 %0, %1\n" STORE("%4", "%5") STORE("%6", "%7")));
}

/* With `x` for the value that is no constant and no operation of floats. */
static uint32_t evaluate(const struct ir_instr *instr, float x)
{
   uint64_t srcs[3], result = 0;
   if (ir_is_const(instr))
      return (uint32_t)instr->imm.c[0];
   if (!instr->num_srcs)
      return (union { float number; uint32_t bits; }){x}.bits;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      srcs[i] = evaluate(instr->srcs[i], x);
   CHECK(ir_eval(instr, srcs, &result));
   return (uint32_t)result;
}

/* What words are unpacked to (spirv/instructions/spirv_pack.c): the product that a division by a constant becomes is the quotient, for all of them. */
TEST(quotients_of_packed_numbers)
{
   static const int32_t divisors[] = {127, 255, 32767, 65535};
   struct util_arena arena;
   util_arena_init(&arena, 0);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(divisors); i++) {
      struct ir_shader *shader = ir_shader_create(&arena, ABI_STAGE_COMPUTE);
      struct ir_builder b = ir_builder_at_end(shader, shader->body);
      struct ir_instr *x = ir_sysval(&b, IR_SYSVAL_LOCAL_INDEX, 1, 32), *by = ir_const_f(&b, 32, divisors[i]);
      const struct ir_instr *division = ir_alu2(&b, IR_fdiv, x, by), *product = ir_divide_by_constant(&b, x, by);
      for (int32_t number = -divisors[i] - 1; number <= divisors[i]; number++)
         CHECK_EQ(evaluate(division, (float)number), evaluate(product, (float)number));
   }
   util_arena_finish(&arena);
}

TEST_MAIN
