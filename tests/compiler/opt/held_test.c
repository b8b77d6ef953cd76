/* SPDX-License-Identifier: MIT
 * Which indices need not be held. */
#include "tests/compiler/ir/ir_test.h"

#define HEAD "shader compute\nlocal_size 64 1 1\n{\n"
#define INDEX                                                                                                          \
   "   %0 = sysval 3x32 sysval=workgroup_id\n"                                                                         \
   "   %1 = extract 1x32 %0 index=0\n"                                                                                \
   "   %2 = const 1x32 64\n"                                                                                           \
   "   %3 = imul 1x32 %1, %2\n"                                                                                        \
   "   %4 = sysval 1x32 sysval=local_index\n"                                                                          \
   "   %5 = iadd 1x32 %3, %4\n"
#define HELD(max) "   %6 = const 1x32 " max "\n   %7 = umin 1x32 %5, %6\n   store_shared %2, %7 access=0 align=4 mask=1\n"
#define BARE(max) "   %6 = const 1x32 " max "\n   store_shared %2, %5 access=0 align=4 mask=1\n"
#define COMPARED(max) "   %6 = const 1x32 " max "\n   %7 = ult 1x1 %5, %6\n   %8 = select 1x32 %7, %2, %4\n   store_shared %2, %8 access=0 align=4 mask=1\n"
#define CERTAIN(max) "   %6 = const 1x32 " max "\n   %7 = const 1x1 1\n   %8 = select 1x32 %7, %2, %4\n   store_shared %2, %8 access=0 align=4 mask=1\n"
#define END "   yield\n}\n"

/* 65535 workgroups are the limit: the last invocation is 65534 * 64 + 63. */
TEST(within_the_limits)
{
   IR_PASS(ir_opt_held, HEAD INDEX HELD("4194239") END, HEAD INDEX BARE("0x3fffbf") END);
}

TEST(one_more)
{
   IR_PASS(ir_opt_held, HEAD INDEX HELD("0x3fffbe") END, HEAD INDEX HELD("0x3fffbe") END);
}

TEST(comparisons)
{
   IR_PASS(ir_opt_held, HEAD INDEX COMPARED("0x3fffc0") END, HEAD INDEX CERTAIN("0x3fffc0") END);
   IR_PASS(ir_opt_held, HEAD INDEX COMPARED("0x3fffbf") END, HEAD INDEX COMPARED("0x3fffbf") END);
}

TEST_MAIN
