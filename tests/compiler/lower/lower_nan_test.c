/* SPDX-License-Identifier: MIT
 * Where a select stands, and where none is needed. */
#include "tests/compiler/ir/ir_test.h"

TEST(a_sum_that_is_stored)
{
   IR_PASS(ir_lower_nan,
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   store_shared %0, %2 access=0 align=4 mask=1\n"
           "   store_shared %0, %2 access=0 align=4 mask=1\n"
           "   yield\n}\n",
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   %3 = const 1x32 0x7fc00000\n"
           "   %4 = fneu 1x1 %2, %2\n"
           "   %5 = select 1x32 %4, %3, %2\n"
           "   store_shared %0, %5 access=0 align=4 mask=1\n"
           "   store_shared %0, %5 access=0 align=4 mask=1\n"
           "   yield\n}\n");
}

#define UNCHANGED(text) IR_PASS(ir_lower_nan, text, text)

TEST(copies_keep_their_bits)
{
   UNCHANGED("shader compute\n{\n"
             "   %0 = const 1x32 0\n"
             "   %1 = load_push 1x32 %0 align=4\n"
             "   %2 = fneg 1x32 %1\n"
             "   %3 = ieq 1x1 %1, %0\n"
             "   %4 = select 1x32 %3, %1, %2\n"
             "   store_shared %0, %4 access=0 align=4 mask=1\n"
             "   yield\n}\n");
}

TEST(numbers_need_none)
{
   UNCHANGED("shader compute\n{\n"
             "   %0 = const 1x32 0\n"
             "   %1 = load_push 1x32 %0 align=4\n"
             "   %2 = fadd 1x32 %1, %1\n" /* read by arithmetic alone */
             "   %3 = const 1x32 0x3f800000\n"
             "   %4 = fmin 1x32 %2, %3\n"
             "   %5 = fmax 1x32 %4, %0\n"
             "   store_shared %0, %5 access=0 align=4 mask=1\n"
             "   %7 = u2f 1x32 %1\n"
             "   %8 = fmul 1x32 %7, %3\n"
             "   %9 = fadd 1x32 %8, %3\n" /* infinite perhaps */
             "   store_shared %0, %9 access=0 align=4 mask=1\n"
             "   yield\n}\n");
}

/* Of a copy that may be of loaded bits the computed operand is made the one NaN; of one that is computed on each side the result. */
TEST(joins)
{
   IR_PASS(ir_lower_nan,
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   %3 = fmul 1x32 %1, %1\n"
           "   %4 = ieq 1x1 %1, %0\n"
           "   %5 1x32, %6 1x32 = if %4 {\n"
           "      yield %2, %2\n"
           "   } else {\n"
           "      yield %1, %3\n"
           "   }\n"
           "   store_shared %0, %5 access=0 align=4 mask=1\n"
           "   store_shared %0, %6 access=0 align=4 mask=1\n"
           "   yield\n}\n",
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   %3 = fmul 1x32 %1, %1\n"
           "   %4 = ieq 1x1 %1, %0\n"
           "   %11 1x32, %12 1x32 = if %4 {\n"
           "      %6 = const 1x32 0x7fc00000\n"
           "      %7 = fneu 1x1 %2, %2\n"
           "      %8 = select 1x32 %7, %6, %2\n"
           "      yield %8, %2\n"
           "   } else {\n"
           "      yield %1, %3\n"
           "   }\n"
           "   store_shared %0, %11 access=0 align=4 mask=1\n"
           "   %14 = const 1x32 0x7fc00000\n"
           "   %15 = fneu 1x1 %12, %12\n"
           "   %16 = select 1x32 %15, %14, %12\n"
           "   store_shared %0, %16 access=0 align=4 mask=1\n"
           "   yield\n}\n");
}

TEST_MAIN
