/* SPDX-License-Identifier: MIT
 * Probes whose conditions cannot be true are removed, by what follows from the workgroup's size and from tests in front of them; others stay. */
#include "tests/compiler/ir/ir_test.h"

TEST(indices)
{
   IR_PASS(ir_instrument_prune,
           "shader compute\nlocal_size 16 16 1\nlanes 8\n{\n"
           "   %0 = sysval 3x32 sysval=local_id\n"
           "   %1 = extract 1x32 %0 index=0\n"
           "   %2 = const 1x32 16\n"
           "   %3 = const 1x32 15\n"
           "   %4 = uge 1x1 %1, %2\n"
           "   probe %4, %1 site=0\n"
           "   %6 = uge 1x1 %1, %3\n"
           "   probe %6, %1 site=1\n"
           "   %8 = sysval 1x32 sysval=base_vertex\n"
           "   %9 = ult 1x1 %8, %2\n"
           "   if %9 {\n"
           "      %11 = uge 1x1 %8, %2\n"
           "      probe %11, %8 site=2\n"
           "      yield\n"
           "   } else {\n"
           "      %14 = uge 1x1 %8, %2\n"
           "      probe %14, %8 site=3\n"
           "      yield\n"
           "   }\n"
           "   yield\n}\n",
           "shader compute\nlocal_size 16 16 1\nlanes 8\n{\n"
           "   %0 = sysval 3x32 sysval=local_id\n"
           "   %1 = extract 1x32 %0 index=0 ; below 16\n"
           "   %2 = const 1x32 16\n"
           "   %3 = const 1x32 15\n"
           "   %4 = uge 1x1 %1, %2 ; below 1\n"
           "   %5 = uge 1x1 %1, %3\n"
           "   probe %5, %1 site=1\n"
           "   %7 = sysval 1x32 sysval=base_vertex\n"
           "   %8 = ult 1x1 %7, %2\n"
           "   if %8 {\n"
           "      %10 = uge 1x1 %7, %2 ; below 1\n"
           "      yield\n"
           "   } else {\n"
           "      %12 = uge 1x1 %7, %2\n"
           "      probe %12, %7 site=3\n"
           "      yield\n"
           "   }\n"
           "   yield\n}\n");
}

TEST_MAIN
