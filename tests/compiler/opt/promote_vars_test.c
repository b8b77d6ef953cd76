/* SPDX-License-Identifier: MIT
 * Variables become values: what is promoted, what stays, where joins are made. */
#include "tests/compiler/ir/ir_test.h"

#include <stdlib.h>

#define HEAD "shader compute\n"
#define START                                                                                                          \
   "{\n"                                                                                                               \
   "   %0 = const 1x32 0\n"                                                                                            \
   "   %1 = const 1x32 4\n"                                                                                            \
   "   %2 = sysval 1x32 sysval=local_index\n"                                                                          \
   "   %3 = ult 1x1 %2, %1\n"
#define END "   yield\n}\n"

TEST(straight_line)
{
   IR_PASS(ir_opt_promote_vars,
           HEAD "var v0 16 \"a\"\n" START "   %4 = vec 2x32 %2, %1\n"
                "   store_var v0 %0, %4 mask=3\n"
                "   store_var v0 %1, %2 mask=1\n"
                "   %7 = load_var 1x32 v0 %1\n"
                "   store_shared %0, %7 access=0 align=4 mask=1\n" END,
           HEAD START "   %4 = vec 2x32 %2, %1\n"
                      "   store_shared %0, %2 access=0 align=4 mask=1\n" END);
}

TEST(if_makes_a_result)
{
   IR_PASS(ir_opt_promote_vars,
           HEAD "var v0 4 \"a\"\n" START "   store_var v0 %0, %1 mask=1\n"
                "   if %3 {\n"
                "      store_var v0 %0, %2 mask=1\n"
                "      yield\n"
                "   } else {\n"
                "      yield\n"
                "   }\n"
                "   %9 = load_var 1x32 v0 %0\n"
                "   store_shared %0, %9 access=0 align=4 mask=1\n" END,
           HEAD START "   %7 1x32 = if %3 {\n"
                      "      yield %2\n"
                      "   } else {\n"
                      "      yield %1\n"
                      "   }\n"
                      "   store_shared %0, %7 access=0 align=4 mask=1\n" END);
}

/* Written in the loop but only read behind it, and a counter; the break of a block takes the value with it. */
TEST(loop_and_block)
{
   IR_PASS(ir_opt_promote_vars,
           HEAD "var v0 4 \"i\"\n" START "   block @B4 {\n"
                "      store_var v0 %0, %0 mask=1\n"
                "      loop @L6 {\n"
                "      body():\n"
                "         if %3 {\n"
                "            break @B4\n"
                "         } else {\n"
                "            yield\n"
                "         }\n"
                "         continue @L6\n"
                "      cont():\n"
                "         %11 = load_var 1x32 v0 %0\n"
                "         %12 = iadd 1x32 %11, %1\n"
                "         store_var v0 %0, %12 mask=1\n"
                "         yield\n"
                "      }\n"
                "      yield\n"
                "   }\n"
                "   %16 = load_var 1x32 v0 %0\n"
                "   store_shared %0, %16 access=0 align=4 mask=1\n" END,
           HEAD START "   %16 1x32 = block @B4 {\n"
                      "      %14 1x32 = loop @L5 %0 {\n"
                      "      body(%6 1x32):\n"
                      "         if %3 {\n"
                      "            break @B4 %6\n"
                      "         } else {\n"
                      "            yield\n"
                      "         }\n"
                      "         continue @L5 %6\n"
                      "      cont(%11 1x32):\n"
                      "         %12 = iadd 1x32 %11, %1\n"
                      "         yield %12\n"
                      "      }\n"
                      "      yield %14\n"
                      "   }\n"
                      "   store_shared %0, %16 access=0 align=4 mask=1\n" END);
}

/* Only read in the loop: no params. Never written: undef. */
TEST(read_only)
{
   IR_PASS(ir_opt_promote_vars,
           HEAD "var v0 4 \"a\"\nvar v1 4 \"b\"\n" START "   store_var v0 %0, %2 mask=1\n"
                "   loop @L5 {\n"
                "   body():\n"
                "      %6 = load_var 1x32 v0 %0\n"
                "      %7 = load_var 1x32 v1 %0\n"
                "      store_shared %6, %7 access=0 align=4 mask=1\n"
                "      break @L5\n"
                "   cont():\n"
                "      yield\n"
                "   }\n" END,
           HEAD "{\n"
                "   %0 = undef 1x32\n"
                "   %1 = const 1x32 0\n"
                "   %2 = const 1x32 4\n"
                "   %3 = sysval 1x32 sysval=local_index\n"
                "   %4 = ult 1x1 %3, %2\n"
                "   loop @L5 {\n"
                "   body():\n"
                "      store_shared %3, %0 access=0 align=4 mask=1\n"
                "      break @L5\n"
                "   cont():\n"
                "      yield\n"
                "   }\n" END);
}

/* A computed offset, or accesses that overlap in part, keep a variable in memory. */
static void count_operands(struct ir_instr *instr, void *data)
{
   if (ir_is_jump(instr))
      *(uint32_t *)data += instr->num_srcs;
}

/* A block that is left 200 times over; 100 variables change in it, and are read behind it. */
TEST(many_operands)
{
   enum { VARS = 100, EXITS = 200 };
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   CHECK(file != NULL);
   if (!file)
      return;
   fputs(HEAD, file);
   for (uint32_t i = 0; i < VARS; i++)
      fprintf(file, "var v%u 4 \"a\"\n", i);
   fputs(START "   block @B4 {\n", file);
   for (uint32_t i = 0; i < EXITS; i++)
      fprintf(file, "   store_var v%u %%0, %%%u mask=1\n   if %%3 {\n   break @B4\n   } else {\n   yield\n   }\n", i % VARS, i % 2 + 1);
   fputs("   yield\n   }\n", file);
   for (uint32_t i = 0; i < VARS; i++)
      fprintf(file, "   %%%u = load_var 1x32 v%u %%0\n   store_shared %%0, %%%u access=0 align=4 mask=1\n", 1000 + i, i, 1000 + i);
   fputs(END, file);
   fclose(file);

   struct util_arena arena;
   const char *error = NULL;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_parse(&arena, text, &error);
   if (!shader)
      test_fail(__FILE__, __LINE__, error);
   if (shader) {
      uint32_t num_operands = 0;
      CHECK(ir_opt_promote_vars(shader));
      CHECK(ir_validate(shader, &arena) == NULL);
      ir_for_each(shader, count_operands, &num_operands);
      CHECK(num_operands > 1000 && num_operands < 9000); /* all: 20,000 */
      CHECK(!util_list_is_empty(&shader->vars));
   }
   util_arena_finish(&arena);
   free(text);
}

TEST(refused)
{
   const char *dynamic = HEAD "var v0 16 \"a\"\n" START "   %4 = load_var 1x32 v0 %2\n"
                              "   store_var v0 %0, %4 mask=1\n" END;
   IR_PASS(ir_opt_promote_vars, dynamic, dynamic);
   const char *overlap = HEAD "var v0 16 \"a\"\n" START "   %4 = load_var 1x64 v0 %0\n"
                              "   store_var v0 %1, %2 mask=1\n" END;
   IR_PASS(ir_opt_promote_vars, overlap, overlap);
   const char *sizes = HEAD "var v0 16 \"a\"\n" START "   %4 = load_var 1x16 v0 %0\n"
                            "   store_var v0 %0, %2 mask=1\n" END;
   IR_PASS(ir_opt_promote_vars, sizes, sizes);
}

TEST_MAIN
