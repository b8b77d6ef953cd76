/* SPDX-License-Identifier: MIT
 * Which arrays of constants become tables, and which stay in memory. */
#include "tests/compiler/ir/ir_test.h"

#define HEAD "shader compute\n"
#define VAR "var v0 8 \"a\"\n"
#define TABLE "table_var v0 8 \"a\" bits=32 5, 7\n"
#define START                                                                                                          \
   "{\n"                                                                                                               \
   "   %0 = const 1x32 0\n"                                                                                            \
   "   %1 = const 1x32 4\n"                                                                                            \
   "   %2 = const 1x32 5\n"                                                                                            \
   "   %3 = const 1x32 7\n"                                                                                            \
   "   %4 = sysval 1x32 sysval=local_index\n"                                                                          \
   "   %5 = sysval 1x1 sysval=front_facing\n"
#define STORES "   store_var v0 %0, %2 mask=1\n   store_var v0 %1, %3 mask=1\n"
#define SHOW(value) "   store_shared %0, " value " access=0 align=4 mask=1\n"
#define END "   yield\n}\n"

static void stays(const char *text)
{
   IR_PASS(ir_opt_tables, text, text);
}

TEST(becomes_a_table)
{
   IR_PASS(ir_opt_tables, HEAD VAR START STORES "   %8 = load_var 1x32 v0 %4\n" SHOW("%8") END,
           HEAD TABLE START "   %6 = const 1x32 2\n   %7 = ushr 1x32 %4, %6\n   %8 = load_table 1x32 v0 %7\n" SHOW("%8") END);
}

/* As compilers of shaders have it: the whole array is stored in front of each use, here in a loop. Components are loads of their own. */
TEST(stored_again_in_a_loop)
{
   IR_PASS(ir_opt_tables,
           HEAD VAR START "   loop @L6 {\n   body():\n      %7 = const 2x32 5, 7\n      store_var v0 %0, %7 mask=3\n      %9 = load_var 2x32 v0 %4\n"
                          "      store_shared %0, %9 access=0 align=4 mask=3\n      break @L6\n   cont():\n      yield\n   }\n" END,
           HEAD TABLE START "   loop @L6 {\n   body():\n      %7 = const 2x32 5, 7\n      %8 = const 1x32 2\n      %9 = ushr 1x32 %4, %8\n"
                            "      %10 = load_table 1x32 v0 %9\n      %11 = const 1x32 1\n      %12 = iadd 1x32 %9, %11\n      %13 = load_table 1x32 v0 %12\n"
                            "      %14 = vec 2x32 %10, %13\n      store_shared %0, %14 access=0 align=4 mask=3\n      break @L6\n   cont():\n      yield\n   }\n" END);
}

/* What is undefined may be 0. */
TEST(undefined_element)
{
   IR_PASS(ir_opt_tables,
           HEAD VAR START "   store_var v0 %0, %2 mask=1\n   %7 = undef 1x32\n   store_var v0 %1, %7 mask=1\n   %9 = load_var 1x32 v0 %4\n" SHOW("%9") END,
           HEAD "table_var v0 8 \"a\" bits=32 5, 0\n" START
                "   %6 = undef 1x32\n   %7 = const 1x32 2\n   %8 = ushr 1x32 %4, %7\n   %9 = load_table 1x32 v0 %8\n" SHOW("%9") END);
}

TEST(whole_tables_alone)
{
   const char *const partly = HEAD VAR START "   store_var v0 %0, %2 mask=1\n   %7 = load_var 1x32 v0 %4\n" SHOW("%7") END;
   IR_PASS(ir_opt_whole_tables, partly, partly);
   IR_PASS(ir_opt_whole_tables, HEAD VAR START STORES "   %8 = load_var 1x32 v0 %4\n" SHOW("%8") END,
           HEAD TABLE START "   %6 = const 1x32 2\n   %7 = ushr 1x32 %4, %6\n   %8 = load_table 1x32 v0 %7\n" SHOW("%8") END);
}

TEST(two_values_of_one_element)
{
   stays(HEAD VAR START STORES "   %8 = load_var 1x32 v0 %4\n" SHOW("%8") "   store_var v0 %1, %2 mask=1\n" END);
}

TEST(computed_value_or_offset)
{
   stays(HEAD VAR START STORES "   store_var v0 %1, %4 mask=1\n   %9 = load_var 1x32 v0 %4\n" SHOW("%9") END);
   stays(HEAD VAR START STORES "   store_var v0 %4, %2 mask=1\n   %9 = load_var 1x32 v0 %4\n" SHOW("%9") END);
}

/* Nobody knows whether it was stored when it is read. */
TEST(stored_on_one_path)
{
   stays(HEAD VAR START "   if %5 {\n      store_var v0 %0, %2 mask=1\n      yield\n   } else {\n      yield\n   }\n"
                        "   store_var v0 %1, %3 mask=1\n   %11 = load_var 1x32 v0 %4\n" SHOW("%11") END);
   stays(HEAD VAR START "   %6 = load_var 1x32 v0 %4\n" SHOW("%6") STORES END);
}

TEST(elements_of_two_sizes)
{
   stays(HEAD VAR START STORES "   %8 = load_var 1x16 v0 %4\n   %9 = u2u 1x32 %8\n" SHOW("%9") END);
}

/* Of an array that is read at constant offsets alone values are made (opt/promote_vars); beyond the end nothing is stored. */
TEST(not_indexed_or_too_far)
{
   stays(HEAD VAR START STORES "   %8 = load_var 1x32 v0 %1\n" SHOW("%8") END);
   stays(HEAD VAR START STORES "   %8 = const 1x32 8\n   store_var v0 %8, %2 mask=1\n   %10 = load_var 1x32 v0 %4\n" SHOW("%10") END);
}

/* An element whose number is known is a constant; beyond the end it is the last one. */
TEST(known_elements)
{
   IR_PASS(ir_opt_simplify,
           HEAD TABLE START "   %6 = load_table 1x32 v0 %0\n" SHOW("%6") "   %8 = load_table 1x32 v0 %1\n" SHOW("%8") END,
           HEAD TABLE "{\n   %0 = const 1x32 0\n   %1 = const 1x32 4\n   %2 = const 1x32 5\n   %3 = const 1x32 7\n"
                      "   %4 = sysval 1x32 sysval=local_index\n   %5 = sysval 1x1 sysval=front_facing\n" SHOW("%2") SHOW("%3") END);
}

TEST_MAIN
