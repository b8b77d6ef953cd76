/* SPDX-License-Identifier: MIT
 * What the analysis of ranges finds, as the printer's comments show it. */
#include "tests/compiler/ir/ir_test.h"

#define EXPECT(text) IR_ANALYSIS(ir_analyze_ranges, text)

TEST(arithmetic)
{
   EXPECT("shader compute\nlocal_size 64 2 1\nlanes 8\n{\n"
          "   %0 = sysval 1x32 sysval=local_index ; below 128\n"
          "   %1 = sysval 3x32 sysval=local_id\n"
          "   %2 = extract 1x32 %1 index=1 ; below 2\n"
          "   %3 = const 1x32 5\n"
          "   %4 = imul 1x32 %0, %3 ; below 636\n"
          "   %5 = iadd 1x32 %4, %2 ; below 637\n"
          "   %6 = sysval 1x32 sysval=base_vertex\n"
          "   %7 = iand 1x32 %6, %3 ; below 6\n"
          "   %8 = ior 1x32 %7, %0 ; below 128\n"
          "   %9 = umod 1x32 %6, %3 ; below 5\n"
          "   %10 = irem 1x32 %6, %3\n"
          "   %11 = const 1x32 0\n"
          "   %12 = imax 1x32 %6, %11 ; below 2147483648\n"
          "   %13 = imin 1x32 %12, %3 ; below 6\n"
          "   %14 = imin 1x32 %6, %3\n"
          "   %15 = imul 1x32 %12, %3\n"
          "   %16 = isub 1x32 %0, %3\n"
          "   yield\n}\n");
}

/* Those that are never true, with signs only where both sides are positive. */
TEST(comparisons)
{
   EXPECT("shader compute\nlocal_size 16 1 1\nlanes 8\n{\n"
          "   %0 = sysval 1x32 sysval=local_index ; below 16\n"
          "   %1 = const 1x32 16\n"
          "   %2 = const 1x32 15\n"
          "   %3 = const 1x32 0xffffffff\n"
          "   %4 = uge 1x1 %0, %1 ; below 1\n"
          "   %5 = uge 1x1 %0, %2\n"
          "   %6 = ult 1x1 %2, %0 ; below 1\n"
          "   %7 = ult 1x1 %0, %2\n"
          "   %8 = ige 1x1 %0, %1 ; below 1\n"
          "   %9 = ige 1x1 %0, %3\n"
          "   %10 = ilt 1x1 %1, %0 ; below 1\n"
          "   %11 = ilt 1x1 %3, %0\n"
          "   %12 = ieq 1x1 %0, %1 ; below 1\n"
          "   %13 = ieq 1x1 %0, %2\n"
          "   %14 = ior 1x1 %4, %12 ; below 1\n"
          "   yield\n}\n");
}

/* A test says something of what follows, within it and behind it if it leaves; with signs only where both sides are positive. */
TEST(conditions)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = sysval 1x32 sysval=base_vertex\n"
          "   %1 = const 1x32 16\n"
          "   %2 = const 1x32 0\n"
          "   %3 = iadd 1x32 %0, %2\n"
          "   %4 = ilt 1x1 %0, %1\n"
          "   if %4 {\n"
          "      %6 = iadd 1x32 %0, %2\n"
          "      yield\n"
          "   } else {\n"
          "      yield\n"
          "   }\n"
          "   %9 = ige 1x1 %0, %2\n"
          "   %10 = iand 1x1 %4, %9\n"
          "   if %10 {\n"
          "      %12 = iadd 1x32 %0, %2 ; below 16\n"
          "      yield\n"
          "   } else {\n"
          "      yield\n"
          "   }\n"
          "   block @B15 {\n"
          "      %16 = uge 1x1 %0, %1\n"
          "      if %16 {\n"
          "         break @B15\n"
          "      } else {\n"
          "         yield\n"
          "      }\n"
          "      %20 = iadd 1x32 %0, %2 ; below 16\n"
          "      yield\n"
          "   }\n"
          "   %22 = iadd 1x32 %0, %2\n"
          "   yield\n}\n");
}

/* The parameter is one more where the loop ends. */
TEST(counted_loop)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = const 1x32 16\n"
          "   %2 = const 1x32 1\n"
          "   %14 1x32 = loop @L3 %0 { ; rounds 17 ; below 17\n"
          "   body(%4 1x32): ; below 17\n"
          "      %5 = ilt 1x1 %4, %1\n"
          "      if %5 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L3 %4\n"
          "      }\n"
          "      %9 = iadd 1x32 %4, %0 ; below 16\n"
          "      continue @L3 %4\n"
          "   cont(%11 1x32): ; below 16\n"
          "      %12 = iadd 1x32 %11, %2 ; below 17\n"
          "      yield %12\n"
          "   }\n"
          "   yield\n}\n");
}

/* A path to the next round that passes no test; a bound that is unknown: it ends at some time; a step that may be nothing. */
TEST(endless_loops)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = const 1x32 16\n"
          "   %2 = const 1x32 1\n"
          "   %3 = sysval 1x32 sysval=base_vertex\n"
          "   loop @L4 %0 {\n"
          "   body(%5 1x32):\n"
          "      %6 = ieq 1x1 %3, %2\n"
          "      if %6 {\n"
          "         continue @L4 %5\n"
          "      } else {\n"
          "         yield\n"
          "      }\n"
          "      %10 = ult 1x1 %5, %1\n"
          "      if %10 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L4\n"
          "      }\n"
          "      continue @L4 %5\n"
          "   cont(%15 1x32):\n"
          "      %16 = iadd 1x32 %15, %2\n"
          "      yield %16\n"
          "   }\n"
          "   loop @L18 %0 { ; rounds 4294967295\n"
          "   body(%19 1x32):\n"
          "      %20 = ult 1x1 %19, %3\n"
          "      if %20 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L18\n"
          "      }\n"
          "      continue @L18 %19\n"
          "   cont(%25 1x32): ; below 4294967295\n"
          "      %26 = iadd 1x32 %25, %2\n"
          "      yield %26\n"
          "   }\n"
          "   loop @L28 %0 {\n"
          "   body(%29 1x32): ; below 31\n"
          "      %30 = ult 1x1 %29, %1\n"
          "      if %30 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L28\n"
          "      }\n"
          "      continue @L28 %29\n"
          "   cont(%35 1x32): ; below 16\n"
          "      %36 = ishl 1x32 %35, %2 ; below 31\n"
          "      yield %36\n"
          "   }\n"
          "   yield\n}\n");
}

/* Halved until it is zero: never larger than at the start. */
TEST(halving_loop)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = const 1x32 128\n"
          "   %2 = const 1x32 1\n"
          "   loop @L3 %1 { ; rounds 33\n"
          "   body(%4 1x32): ; below 129\n"
          "      %5 = ult 1x1 %0, %4\n"
          "      if %5 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L3\n"
          "      }\n"
          "      continue @L3 %4\n"
          "   cont(%10 1x32): ; below 129\n"
          "      %11 = ushr 1x32 %10, %2 ; below 65\n"
          "      yield %11\n"
          "   }\n"
          "   yield\n}\n");
}

/* Two buffers are exchanged. */
TEST(flip_flop)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = const 1x32 1\n"
          "   %2 = const 1x1 1\n"
          "   loop @L3 %0 {\n"
          "   body(%4 1x32): ; below 2\n"
          "      if %2 {\n"
          "         break @L3\n"
          "      } else {\n"
          "         yield\n"
          "      }\n"
          "      continue @L3 %4\n"
          "   cont(%9 1x32): ; below 2\n"
          "      %10 = isub 1x32 %1, %9 ; below 2\n"
          "      yield %10\n"
          "   }\n"
          "   yield\n}\n");
}

/* Each loop is counted by itself. */
TEST(nested_loops)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = const 1x32 1000\n"
          "   %2 = const 1x32 1\n"
          "   loop @L3 %0 { ; rounds 1001\n"
          "   body(%4 1x32): ; below 1001\n"
          "      %5 = ult 1x1 %4, %1\n"
          "      if %5 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L3\n"
          "      }\n"
          "      loop @L9 %0 { ; rounds 1001\n"
          "      body(%10 1x32): ; below 1001\n"
          "         %11 = ult 1x1 %10, %1\n"
          "         if %11 {\n"
          "            yield\n"
          "         } else {\n"
          "            break @L9\n"
          "         }\n"
          "         continue @L9 %10\n"
          "      cont(%16 1x32): ; below 1000\n"
          "         %17 = iadd 1x32 %16, %2 ; below 1001\n"
          "         yield %17\n"
          "      }\n"
          "      continue @L3 %4\n"
          "   cont(%20 1x32): ; below 1000\n"
          "      %21 = iadd 1x32 %20, %2 ; below 1001\n"
          "      yield %21\n"
          "   }\n"
          "   yield\n}\n");
}

TEST_MAIN
