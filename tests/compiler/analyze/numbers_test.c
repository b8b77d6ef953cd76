/* SPDX-License-Identifier: MIT
 * Which classes of floats values are said to be of, and whether the sign of their zeros is seen. */
#include "tests/compiler/ir/ir_test.h"

#define HEAD \
   "shader compute\nlocal_size 8 1 1\nlanes 8\n{\n" \
   "   %0 = const 1x32 0\n" \
   "   %1 = const 1x32 0x3f800000\n" \
   "   %2 = load_shared 1x32 %0 access=0 align=4\n" \
   "   %3 = load_shared 1x32 %0 access=0 align=4\n"
#define END "   store_shared %0, %99 access=0 align=4 mask=1\n   yield\n}\n"

enum { NOT_BELOW = IR_MAY_BE_ZERO | IR_MAY_BE_POSITIVE | IR_MAY_BE_INF };

/* Of the last value that is stored: its `numbers`, and those of the first minimum or maximum. */
struct found {
   uint32_t stored, choice;
};

static void find(struct ir_instr *instr, void *data)
{
   struct found *found = data;
   if ((instr->op == IR_fmin || instr->op == IR_fmax) && !found->choice)
      found->choice = instr->numbers;
   if (instr->op == IR_store_shared)
      found->stored = instr->srcs[1]->numbers;
}

static struct found analyze(const char *text)
{
   struct util_arena arena;
   struct found found = {0};
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, text);
   if (shader) {
      ir_analyze_numbers(shader);
      ir_for_each(shader, find, &found);
   }
   util_arena_finish(&arena);
   return found;
}

/* A square is never below zero nor -0; so is a sum of such, and its root. */
TEST(squares)
{
   const struct found found = analyze(HEAD "   %4 = fmul 1x32 %2, %2\n"
                                           "   %5 = fma 1x32 %3, %3, %4\n"
                                           "   %6 = fsqrt 1x32 %5\n"
                                           "   %7 = fmin 1x32 %2, %3\n"
                                           "   %8 = fadd 1x32 %6, %7\n"
                                           "   %99 = fmax 1x32 %6, %0\n" END);
   CHECK_EQ(found.stored & IR_MAY_BE_ANY, NOT_BELOW);
   CHECK(!found.choice || found.choice & IR_MAY_BE_NAN);
}

/* In the sum with what is never -0 the sign of a zero is lost; a store shows it. */
TEST(signs_of_zeros)
{
   struct found found = analyze(HEAD "   %4 = fmin 1x32 %2, %3\n"
                                     "   %99 = fadd 1x32 %4, %1\n" END);
   CHECK(!(found.choice & IR_ZERO_SIGN));
   found = analyze(HEAD "   %4 = fmin 1x32 %2, %3\n"
                        "   %5 = fneg 1x32 %4\n"
                        "   %99 = fmul 1x32 %5, %1\n" END);
   CHECK(found.choice & IR_ZERO_SIGN);
   found = analyze(HEAD "   %4 = fmin 1x32 %2, %3\n"
                        "   %99 = fadd 1x32 %4, %2\n" END);
   CHECK(found.choice & IR_ZERO_SIGN);
   found = analyze(HEAD "   %4 = fmin 1x32 %2, %3\n"
                        "   %99 = fdiv 1x32 %1, %4\n" END);
   CHECK(found.choice & IR_ZERO_SIGN);
}

/* Either zero may come out of a choice whose sign nobody sees, unless one is a constant. */
TEST(choices)
{
   struct found found = analyze(HEAD "   %4 = fabs 1x32 %2\n"
                                     "   %5 = fneg 1x32 %4\n"
                                     "   %6 = fmax 1x32 %4, %5\n"
                                     "   %99 = fadd 1x32 %6, %1\n" END);
   CHECK(found.choice & IR_MAY_BE_MINUS_ZERO);
   found = analyze(HEAD "   %4 = fmax 1x32 %2, %0\n"
                        "   %99 = fmin 1x32 %4, %4\n" END);
   CHECK_EQ(found.choice & IR_MAY_BE_ANY, NOT_BELOW);
}

/* What goes round in a loop is what comes in and what is added to it. */
TEST(loops)
{
   struct found found = analyze(HEAD "   %5 = fmin 1x32 %2, %3\n"
                                     "   %6 = fabs 1x32 %5\n"
                                     "   %7 = fmax 1x32 %6, %0\n"
                                     "   %99 1x32 = loop @L9 %7 {\n"
                                     "   body(%10 1x32):\n"
                                     "      %11 = flt 1x1 %1, %10\n"
                                     "      if %11 {\n"
                                     "         break @L9 %10\n"
                                     "      } else {\n"
                                     "         yield\n"
                                     "      }\n"
                                     "      continue @L9 %10\n"
                                     "   cont(%12 1x32):\n"
                                     "      %13 = fadd 1x32 %12, %1\n"
                                     "      yield %13\n"
                                     "   }\n" END);
   CHECK_EQ(found.stored & IR_MAY_BE_ANY, NOT_BELOW);
   CHECK(!(found.choice & IR_ZERO_SIGN));
}

/* Arithmetic makes no signalling NaN, also in a loop; memory may have one, and the operations on signs and choices pass it on. */
TEST(signalling)
{
   static const char *const loop = "   %99 1x32 = loop @L9 %START {\n"
                                   "   body(%10 1x32):\n"
                                   "      %11 = flt 1x1 %1, %10\n"
                                   "      if %11 {\n         break @L9 %10\n      } else {\n         yield\n      }\n"
                                   "      continue @L9 %10\n"
                                   "   cont(%12 1x32):\n"
                                   "      %13 = ffloor 1x32 %12\n"
                                   "      yield %13\n"
                                   "   }\n" END;
   static const struct {
      const char *start; /* of the loop, as %7 */
      bool may_be;
   } cases[] = {
      {"   %6 = fmin 1x32 %2, %3\n   %7 = fneg 1x32 %6\n", true},
      {"   %5 = fadd 1x32 %2, %3\n   %6 = fmin 1x32 %2, %3\n   %7 = fmul 1x32 %5, %6\n", false},
      {"   %5 = fadd 1x32 %2, %3\n   %6 = fmin 1x32 %5, %3\n   %7 = fabs 1x32 %6\n", true},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      char text[2048];
      const char *at = strstr(loop, "START");
      snprintf(text, sizeof(text), "%s%s%.*s7%s", HEAD, cases[i].start, (int)(at - loop), loop, at + strlen("START"));
      CHECK_EQ(!(analyze(text).stored & IR_MAY_BE_SIGNALLING), !cases[i].may_be);
   }
}

TEST_MAIN
