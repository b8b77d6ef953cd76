/* SPDX-License-Identifier: MIT
 * Where a fone_nan stands, and where none is needed. Shared memory of task shaders is seen by others. */
#include "tests/compiler/ir/ir_test.h"

TEST(a_sum_that_is_stored)
{
   IR_PASS(ir_lower_nan,
           "shader task\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   store_shared %0, %2 access=0 align=4 mask=1\n"
           "   store_shared %0, %2 access=0 align=4 mask=1\n"
           "   yield\n}\n",
           "shader task\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   %3 = fone_nan 1x32 %2\n"
           "   store_shared %0, %3 access=0 align=4 mask=1\n"
           "   store_shared %0, %3 access=0 align=4 mask=1\n"
           "   yield\n}\n");
}

#define UNCHANGED(text) IR_PASS(ir_lower_nan, text, text)

TEST(copies_keep_their_bits)
{
   UNCHANGED("shader task\n{\n"
             "   %0 = const 1x32 0\n"
             "   %1 = load_push 1x32 %0 align=4\n"
             "   %2 = fneg 1x32 %1\n"
             "   %3 = ieq 1x1 %1, %0\n"
             "   %4 = select 1x32 %3, %1, %2\n"
             "   store_shared %0, %4 access=0 align=4 mask=1\n"
             "   yield\n}\n");
}

/* No float has so few bits: not those that nobody set, nor what an if gives. */
TEST(narrow_values_need_none)
{
   UNCHANGED("shader task\n{\n"
             "   %0 = const 1x32 0\n"
             "   %1 = undef 1x8\n"
             "   store_shared %0, %1 access=0 align=1 mask=1\n"
             "   %3 = ieq 1x1 %0, %0\n"
             "   %7 1x8 = if %3 {\n"
             "      yield %1\n"
             "   } else {\n"
             "      yield %1\n"
             "   }\n"
             "   store_shared %0, %7 access=0 align=1 mask=1\n"
             "   yield\n}\n");
}

TEST(numbers_need_none)
{
   UNCHANGED("shader task\n{\n"
             "   %0 = const 1x32 0\n"
             "   %1 = load_push 1x32 %0 align=4\n"
             "   %2 = fadd 1x32 %1, %1\n" /* read by arithmetic alone */
             "   %3 = const 1x32 0x3f800000\n"
             "   %4 = fmin 1x32 %2, %3\n"
             "   %5 = fmax 1x32 %4, %0 fp=no_nan\n"
             "   store_shared %0, %5 access=0 align=4 mask=1\n"
             "   %7 = u2f 1x32 %1\n"
             "   %8 = fmul 1x32 %7, %3\n"
             "   %9 = fadd 1x32 %8, %3\n" /* infinite perhaps */
             "   store_shared %0, %9 access=0 align=4 mask=1\n"
             "   yield\n}\n");
}

/* Texels of a format of normalized integers are numbers, and are taken as numbers: a minimum of two need not think of NaN. */
TEST(texels)
{
#define TEXELS(access, minimum, stored)                                                                                                            \
   "shader task\n{\n"                                                                                                                          \
   "   %0 = const 1x64 0\n"                                                                                                                       \
   "   %1 = const 1x32 0\n"                                                                                                                       \
   "   %2 = vec 2x32 %1, %1\n"                                                                                                                    \
   "   %3 = image_load 4x32 %0, %2 dim=1 flags=0 access=" access "\n"                                                                             \
   "   %4 = extract 1x32 %3 index=0\n"                                                                                                            \
   "   %5 = extract 1x32 %3 index=1\n"                                                                                                            \
   "   %6 = fmin 1x32 %4, %5" minimum "\n"                                                                                                        \
   "   %7 = fdiv 1x32 %6, %4\n" stored "   yield\n}\n"
#define QUOTIENT "   %8 = vec 4x32 %7, %7, %7, %7\n   image_store %0, %2, %8 dim=1 flags=0 access=32\n"
#define SMALLEST "   store_shared %1, %6 access=0 align=4 mask=1\n"
   IR_PASS(ir_lower_nan, TEXELS("32", "", QUOTIENT), TEXELS("32", " fp=no_nan", QUOTIENT));
   IR_PASS(ir_lower_nan, TEXELS("32", "", SMALLEST), TEXELS("32", " fp=no_nan", SMALLEST));
   IR_PASS(ir_lower_nan, TEXELS("0", "", SMALLEST),
           TEXELS("0", "",
                  "   %8 = fone_nan 1x32 %6\n"
                  "   store_shared %1, %8 access=0 align=4 mask=1\n"));
}

/* What computes with a variable's floats does not see their bits. */
TEST(variables_of_numbers)
{
   static const char text[] = "shader task\nvar v0 8 \"v\"\n{\n"
                              "   %0 = const 1x32 0\n"
                              "   %1 = const 1x32 4\n"
                              "   %2 = load_push 1x32 %0 align=4\n"
                              "   %3 = fadd 1x32 %2, %2\n"
                              "   store_var v0 %0, %3 mask=1\n"
                              "   store_var v0 %1, %2 mask=1\n" /* holds loaded bits too, that are not seen */
                              "   %6 = load_var 1x32 v0 %2\n"
                              "   %7 = flt 1x1 %6, %0\n"
                              "   store_shared %0, %7 access=0 align=4 mask=1\n"
                              "   yield\n}\n";
   UNCHANGED(text);
}

/* Where all that a variable holds is computed what is loaded gets the fone_nan, else what is stored. */
TEST(variables_that_are_seen)
{
#define BEGIN                                                                                                                                      \
   "shader task\nvar v0 8 \"v\"\n{\n"                                                                                                          \
   "   %0 = const 1x32 0\n"                                                                                                                       \
   "   %1 = load_push 1x32 %0 align=4\n"                                                                                                          \
   "   %2 = fadd 1x32 %1, %1\n"
   IR_PASS(ir_lower_nan,
           BEGIN "   store_var v0 %0, %2 mask=1\n"
                 "   %4 = load_var 1x32 v0 %1\n"
                 "   store_shared %0, %4 access=0 align=4 mask=1\n"
                 "   yield\n}\n",
           BEGIN "   store_var v0 %0, %2 mask=1\n"
                 "   %4 = load_var 1x32 v0 %1\n"
                 "   %5 = fone_nan 1x32 %4\n"
                 "   store_shared %0, %5 access=0 align=4 mask=1\n"
                 "   yield\n}\n");
   IR_PASS(ir_lower_nan,
           BEGIN "   store_var v0 %0, %2 mask=1\n"
                 "   store_var v0 %1, %1 mask=1\n"
                 "   %5 = load_var 1x32 v0 %1\n"
                 "   store_shared %0, %5 access=0 align=4 mask=1\n"
                 "   yield\n}\n",
           BEGIN "   %3 = fone_nan 1x32 %2\n"
                 "   store_var v0 %0, %3 mask=1\n"
                 "   store_var v0 %1, %1 mask=1\n"
                 "   %6 = load_var 1x32 v0 %1\n"
                 "   store_shared %0, %6 access=0 align=4 mask=1\n"
                 "   yield\n}\n");
   IR_PASS(ir_lower_nan, /* two floats read as one number of 64 bits: which part is what nobody knows */
           BEGIN "   store_var v0 %0, %2 mask=1\n"
                 "   %4 = load_var 1x64 v0 %0\n"
                 "   store_shared %0, %4 access=0 align=8 mask=1\n"
                 "   yield\n}\n",
           BEGIN "   %3 = fone_nan 1x32 %2\n"
                 "   store_var v0 %0, %3 mask=1\n"
                 "   %5 = load_var 1x64 v0 %0\n"
                 "   store_shared %0, %5 access=0 align=8 mask=1\n"
                 "   yield\n}\n");
}

/* A workgroup's memory is a variable of it. */
TEST(shared_memory)
{
#define SHARED                                                                                                                                     \
   "shader compute\n{\n"                                                                                                                          \
   "   %0 = const 1x32 0\n"                                                                                                                       \
   "   %1 = load_push 1x32 %0 align=4\n"                                                                                                          \
   "   %2 = fadd 1x32 %1, %1\n"
   UNCHANGED(SHARED "   store_shared %0, %2 access=0 align=4 mask=1\n"
                    "   %4 = load_shared 1x32 %1 access=0 align=4\n"
                    "   %5 = fadd 1x32 %4, %2\n"
                    "   store_shared %1, %5 access=0 align=4 mask=1\n"
                    "   yield\n}\n");
   IR_PASS(ir_lower_nan,
           SHARED "   store_shared %0, %2 access=0 align=4 mask=1\n"
                  "   %4 = atomic_shared 1x32 %1, %0 atomic=iadd access=0\n"
                  "   yield\n}\n",
           SHARED "   %3 = fone_nan 1x32 %2\n"
                  "   store_shared %0, %3 access=0 align=4 mask=1\n"
                  "   %5 = atomic_shared 1x32 %1, %0 atomic=iadd access=0\n"
                  "   yield\n}\n");
}

/* Of a copy that may be of loaded bits the computed operand is made the one NaN; of one that is computed on each side the result. */
TEST(joins)
{
   IR_PASS(ir_lower_nan,
           "shader task\n{\n"
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
           "shader task\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fadd 1x32 %1, %1\n"
           "   %3 = fmul 1x32 %1, %1\n"
           "   %4 = ieq 1x1 %1, %0\n"
           "   %9 1x32, %10 1x32 = if %4 {\n"
           "      %6 = fone_nan 1x32 %2\n"
           "      yield %6, %2\n"
           "   } else {\n"
           "      yield %1, %3\n"
           "   }\n"
           "   store_shared %0, %9 access=0 align=4 mask=1\n"
           "   %12 = fone_nan 1x32 %10\n"
           "   store_shared %0, %12 access=0 align=4 mask=1\n"
           "   yield\n}\n");
}

/* A workgroup's memory with sums beside elements of an array of floats holds numbers: what is read gets the fone_nan, once, instead of each sum.
 * Where the elements may be packed words, or what is read is taken apart, both keep what they are. */
TEST(reductions)
{
#define REDUCTION(access, sum, of_sum, read)                                                                                                       \
   "shader compute\n{\n"                                                                                                                          \
   "   %0 = const 1x64 0\n"                                                                                                                       \
   "   %1 = const 1x32 0\n"                                                                                                                       \
   "   %2 = load_buffer 1x32 %0, %1, %1 access=" access " align=4\n"                                                                              \
   "   store_shared %1, %2 access=0 align=4 mask=1\n"                                                                                             \
   "   %4 = load_shared 1x32 %1 access=0 align=4\n"                                                                                               \
   "   %5 = fadd 1x32 %4, %4\n" of_sum "   store_shared %1, " sum " access=0 align=4 mask=1\n" read "   yield\n}\n"
#define STORED(load, seen, value) "   %" load " = load_shared 1x32 %1 access=0 align=4\n" seen "   store_buffer %0, %1, %1, %" value " access=0 align=4 mask=1\n"
#define TAKEN_APART(load, bit) "   %" load " = load_shared 1x32 %1 access=0 align=4\n   %" bit " = iand 1x32 %" load ", %1\n"
#define OF_SUM "   %6 = fone_nan 1x32 %5\n"
   IR_PASS(ir_lower_nan, REDUCTION("64", "%5", "", STORED("7", "", "7")), REDUCTION("64", "%5", "", STORED("7", "   %8 = fone_nan 1x32 %7\n", "8")));
   IR_PASS(ir_lower_nan, REDUCTION("0", "%5", "", STORED("7", "", "7")), REDUCTION("0", "%6", OF_SUM, STORED("8", "", "8")));
   IR_PASS(ir_lower_nan, REDUCTION("64", "%5", "", TAKEN_APART("7", "8")), REDUCTION("64", "%6", OF_SUM, TAKEN_APART("8", "9")));
}

TEST_MAIN
