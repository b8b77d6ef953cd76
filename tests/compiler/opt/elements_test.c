/* SPDX-License-Identifier: MIT
 * Small arrays that lanes index become selects: which accesses, which variables stay. */
#include "tests/compiler/ir/ir_test.h"

#define HEAD "shader compute\n"
#define START                                                                                                          \
   "{\n"                                                                                                               \
   "   %0 = const 1x32 0\n"                                                                                            \
   "   %1 = const 1x32 4\n"                                                                                            \
   "   %2 = const 1x32 1\n"                                                                                            \
   "   %3 = sysval 1x32 sysval=local_index\n"
#define END "   yield\n}\n"

TEST(a_load_of_two_elements)
{
   IR_PASS(ir_opt_elements,
           HEAD "var v0 8 \"a\"\n" START "   store_var v0 %0, %3 mask=1\n"
                "   store_var v0 %1, %2 mask=1\n"
                "   %6 = iand 1x32 %3, %2\n"
                "   %7 = imul 1x32 %6, %1\n"
                "   %8 = load_var 1x32 v0 %7\n"
                "   store_shared %0, %8 access=0 align=4 mask=1\n" END,
           HEAD "var v0 8 \"a\"\n" START "   store_var v0 %0, %3 mask=1\n"
                "   store_var v0 %1, %2 mask=1\n"
                "   %6 = iand 1x32 %3, %2\n"
                "   %7 = imul 1x32 %6, %1\n"
                "   %8 = const 1x32 4\n"
                "   %9 = load_var 1x32 v0 %8\n"
                "   %10 = const 1x32 0\n"
                "   %11 = load_var 1x32 v0 %10\n"
                "   %12 = const 1x32 0\n"
                "   %13 = ieq 1x1 %7, %12\n"
                "   %14 = select 1x32 %13, %11, %9\n"
                "   store_shared %0, %14 access=0 align=4 mask=1\n" END);
}

/* Of an index that may be past the end the last element is the one that no other is. */
TEST(a_store_that_may_be_past_the_end)
{
   IR_PASS(ir_opt_elements,
           HEAD "var v0 8 \"a\"\n" START "   %4 = imul 1x32 %3, %1\n"
                "   store_var v0 %4, %2 mask=1\n"
                "   %6 = load_var 1x32 v0 %0\n"
                "   store_shared %0, %6 access=0 align=4 mask=1\n" END,
           HEAD "var v0 8 \"a\"\n" START "   %4 = imul 1x32 %3, %1\n"
                "   %5 = const 1x32 0\n"
                "   %6 = load_var 1x32 v0 %5\n"
                "   %7 = const 1x32 0\n"
                "   %8 = ieq 1x1 %4, %7\n"
                "   %9 = select 1x32 %8, %2, %6\n"
                "   %10 = const 1x32 0\n"
                "   store_var v0 %10, %9 mask=1\n"
                "   %12 = const 1x32 4\n"
                "   %13 = load_var 1x32 v0 %12\n"
                "   %14 = const 1x32 0\n"
                "   %15 = ult 1x1 %14, %4\n"
                "   %16 = select 1x32 %15, %2, %13\n"
                "   %17 = const 1x32 4\n"
                "   store_var v0 %17, %16 mask=1\n"
                "   %19 = load_var 1x32 v0 %0\n"
                "   store_shared %0, %19 access=0 align=4 mask=1\n" END);
}

/* One access at an offset that all lanes share, and the array is better in memory; so is one of many elements, or of other bits. */
TEST(what_stays)
{
#define TEXT(size, rest) HEAD "var v0 " size " \"a\"\n" START "   %4 = imul 1x32 %3, %1\n" rest END
#define STAYS(size, more, load)                                                                                        \
   IR_PASS(ir_opt_elements, TEXT(size, more load), TEXT(size, more load))
   STAYS("8",
         "   %5 = sysval 1x32 sysval=workgroup_id\n"
         "   %6 = imul 1x32 %5, %1\n"
         "   %7 = load_var 1x32 v0 %6\n",
         "   %8 = load_var 1x32 v0 %4\n"
         "   store_shared %7, %8 access=0 align=4 mask=1\n");
   STAYS("128", "",
         "   %5 = load_var 1x32 v0 %4\n"
         "   store_shared %0, %5 access=0 align=4 mask=1\n");
   STAYS("8",
         "   %5 = load_var 1x64 v0 %0\n"
         "   %6 = u2u 1x32 %5\n",
         "   %7 = load_var 1x32 v0 %4\n"
         "   store_shared %6, %7 access=0 align=4 mask=1\n");
   STAYS("8", "", "   store_shared %4, %3 access=0 align=4 mask=1\n");
}

TEST_MAIN
