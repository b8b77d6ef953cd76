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

TEST_MAIN
