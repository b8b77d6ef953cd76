/* SPDX-License-Identifier: MIT
 * Which values are expected in runs, as the printer's comments show it. */
#include "tests/compiler/ir/ir_test.h"

static void analyze(struct ir_shader *shader)
{
   ir_analyze_divergence(shader);
   ir_analyze_likely_runs(shader);
}

#define EXPECT(text) IR_ANALYSIS(analyze, text)

/* An index that is clamped, wrapped, divided. */
TEST(indices)
{
   EXPECT("shader compute\nlocal_size 64 1 1\nlanes 16\n{\n"
          "   %0 = sysval 3x32 sysval=local_id ; varying\n"
          "   %1 = extract 1x32 %0 index=0 ; strided 1\n"
          "   %2 = const 1x32 3\n"
          "   %3 = const 1x32 63\n"
          "   %4 = isub 1x32 %1, %2 ; strided 1\n"
          "   %5 = imin 1x32 %4, %3 ; varying, runs of 16 likely, strided 1\n"
          "   %6 = ishl 1x32 %5, %2 ; varying, runs of 16 likely, strided 8\n"
          "   %7 = iand 1x32 %4, %3 ; varying, runs of 16 likely, strided 1\n"
          "   %8 = umod 1x32 %4, %3 ; varying, runs of 16 likely, strided 1\n"
          "   %9 = udiv 1x32 %4, %3 ; varying, runs of 16 likely, strided 0\n"
          "   %10 = ushr 1x32 %4, %2 ; varying, runs of 8 likely, strided 0\n"
          "   %11 = ushr 1x32 %6, %2 ; varying, runs of 16 likely, strided 1\n"
          "   %12 = iadd 1x32 %11, %9 ; varying, runs of 16 likely, strided 1\n"
          "   %13 = imul 1x32 %5, %5 ; varying\n"
          "   %14 = imin 1x32 %6, %5 ; varying\n"
          "   %15 = iand 1x32 %5, %2 ; varying, runs of 4 likely, strided 1\n"
          "   yield\n}\n");
}

/* What goes round in a loop is as it came in, a result as the first exit has it; what others make of it is not known. */
TEST(loops)
{
   EXPECT("shader compute\nlocal_size 64 1 1\nlanes 16\n{\n"
          "   %0 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %1 = const 1x32 20\n"
          "   %2 = umin 1x32 %0, %1 ; varying, runs of 16 likely, strided 1\n"
          "   %13 1x32 = loop @L3 %2 { ; divergent ; varying, runs of 16 likely, strided 1\n"
          "   body(%4 1x32): ; varying, runs of 16 likely, strided 1\n"
          "      %5 = umin 1x32 %4, %1 ; varying, runs of 16 likely, strided 1\n"
          "      %6 = ult 1x1 %5, %1 ; varying\n"
          "      if %6 { ; divergent\n"
          "         break @L3 %5\n"
          "      } else {\n"
          "         yield\n"
          "      }\n"
          "      continue @L3 %5\n"
          "   cont(%11 1x32): ; varying, runs of 16 likely, strided 1\n"
          "      yield %11\n"
          "   }\n"
          "   yield\n}\n");
}

TEST_MAIN
