/* SPDX-License-Identifier: MIT
 * Passes that change control flow or move and remove instructions: control_flow, if_to_select, dead_code, hoist,
 * unroll, merge_loads, merge_stores. */
#include "tests/compiler/ir/ir_test.h"

#define SHADER(body) "shader compute\n{\n" body "   yield\n}\n"
#define INPUTS                                                                                                         \
   "   %0 = sysval 1x32 sysval=local_index\n"                                                                          \
   "   %1 = sysval 1x1 sysval=front_facing\n"
#define STORE(offset, value) "store_shared " offset ", " value " access=0 align=4 mask=1\n"

/* An early return becomes an if with an else. */
TEST(early_return)
{
   IR_PASS(ir_opt_control_flow,
           SHADER(INPUTS "   block @B2 {\n"
                         "      if %1 {\n"
                         "         break @B2\n"
                         "      } else {\n"
                         "         yield\n"
                         "      }\n"
                         "      " STORE("%0", "%0")
                         "      yield\n"
                         "   }\n"),
           SHADER(INPUTS "   if %1 {\n"
                         "      yield\n"
                         "   } else {\n"
                         "      " STORE("%0", "%0")
                         "      yield\n"
                         "   }\n"));
}

TEST(no_move_over_barriers)
{
   const char *text = SHADER(INPUTS "   block @B2 {\n"
                                    "      if %1 {\n"
                                    "         break @B2\n"
                                    "      } else {\n"
                                    "         yield\n"
                                    "      }\n"
                                    "      barrier exec=2 memory=2 semantics=264\n"
                                    "      yield\n"
                                    "   }\n");
   IR_PASS(ir_opt_control_flow, text, text);
}

TEST(constant_condition_and_single_round)
{
   IR_PASS(ir_opt_control_flow,
           SHADER(INPUTS "   %2 = const 1x1 1\n"
                         "   %13 1x32 = loop @L3 %0 {\n"
                         "   body(%4 1x32):\n"
                         "      if %2 {\n"
                         "         %6 = ineg 1x32 %4\n"
                         "         break @L3 %6\n"
                         "      } else {\n"
                         "         yield\n"
                         "      }\n"
                         "      continue @L3 %4\n"
                         "   cont(%10 1x32):\n"
                         "      yield %10\n"
                         "   }\n"
                         "   " STORE("%0", "%13")),
           SHADER(INPUTS "   %2 = const 1x1 1\n"
                         "   %3 = ineg 1x32 %0\n"
                         "   " STORE("%0", "%3")));
}

/* Both sides leave: one jump behind, with a result where they differ. */
TEST(sides_that_both_jump)
{
   IR_PASS(ir_opt_control_flow,
           SHADER(INPUTS "   %13 1x32 = loop @L2 {\n"
                         "   body():\n"
                         "      " STORE("%0", "%0")
                         "      if %1 {\n"
                         "         %5 = ineg 1x32 %0\n"
                         "         break @L2 %5\n"
                         "      } else {\n"
                         "         break @L2 %0\n"
                         "      }\n"
                         "      continue @L2\n"
                         "   cont():\n"
                         "      yield\n"
                         "   }\n"
                         "   " STORE("%13", "%0")),
           SHADER(INPUTS "   " STORE("%0", "%0")
                         "   %7 1x32 = if %1 {\n"
                         "      %4 = ineg 1x32 %0\n"
                         "      yield %4\n"
                         "   } else {\n"
                         "      yield %0\n"
                         "   }\n"
                         "   " STORE("%7", "%0")));
}

/* What only the lanes of one side execute follows the `if`. */
TEST(side_moves_behind)
{
   IR_PASS(ir_opt_control_flow,
           SHADER(INPUTS "   loop @L2 {\n"
                         "   body():\n"
                         "      %9 1x32 = if %1 {\n"
                         "         %5 = ineg 1x32 %0\n"
                         "         yield %5\n"
                         "      } else {\n"
                         "         break @L2\n"
                         "      }\n"
                         "      " STORE("%9", "%0")
                         "      continue @L2\n"
                         "   cont():\n"
                         "      yield\n"
                         "   }\n"),
           SHADER(INPUTS "   loop @L2 {\n"
                         "   body():\n"
                         "      if %1 {\n"
                         "         yield\n"
                         "      } else {\n"
                         "         break @L2\n"
                         "      }\n"
                         "      %6 = ineg 1x32 %0\n"
                         "      " STORE("%6", "%0")
                         "      continue @L2\n"
                         "   cont():\n"
                         "      yield\n"
                         "   }\n"));
}

TEST(if_becomes_select)
{
   IR_PASS(ir_opt_if_to_select,
           SHADER(INPUTS "   %6 1x32 = if %1 {\n"
                         "      %3 = ineg 1x32 %0\n"
                         "      yield %3\n"
                         "   } else {\n"
                         "      yield %0\n"
                         "   }\n"
                         "   " STORE("%0", "%6")),
           SHADER(INPUTS "   %2 = ineg 1x32 %0\n"
                         "   %3 = select 1x32 %1, %2, %0\n"
                         "   " STORE("%0", "%3")));
   const char *effect = SHADER(INPUTS "   if %1 {\n"
                                      "      " STORE("%0", "%0")
                                      "      yield\n"
                                      "   } else {\n"
                                      "      yield\n"
                                      "   }\n");
   IR_PASS(ir_opt_if_to_select, effect, effect);
}

/* A root and a quotient of what a buffer has for all invocations; of what it has for each they stay where they are. */
#define IF_READS(offset)                                                                                                \
   "shader compute\n{\n   %0 = sysval 1x32 sysval=local_index\n   %1 = const 1x32 0\n   %2 = ult 1x1 %0, %1\n"          \
   "   %3 = buffer_addr 1x64 %1 set=0 binding=0\n   %4 = buffer_size 1x32 %1 set=0 binding=0\n"                        \
   "   %5 1x32 = if %2 {\n      %6 = load_buffer 1x32 %3, %4, " offset " access=0 align=4\n"                           \
   "      %7 = fsqrt 1x32 %6\n      %8 = fdiv 1x32 %6, %7\n      %9 = fmul 1x32 %8, %7\n      yield %9\n"               \
   "   } else {\n      yield %0\n   }\n   store_buffer %3, %4, %0, %5 access=0 align=4 mask=1\n   yield\n}\n"

TEST(if_of_what_all_share_becomes_select)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, IF_READS("%1")), *other = ir_test_parse(&arena, IF_READS("%0"));
   CHECK(shader && ir_opt_if_to_select(shader));
   CHECK(other && !ir_opt_if_to_select(other));
   util_arena_finish(&arena);
}

/* Of the loop's two params one is dead; the `if` has no effect at all. */
TEST(dead_code)
{
   IR_PASS(ir_opt_dead_code,
           SHADER(INPUTS "   %17 1x32, %18 1x32 = loop @L2 %0, %0 {\n"
                         "   body(%3 1x32, %4 1x32):\n"
                         "      %5 = ult 1x1 %3, %0\n"
                         "      if %5 {\n"
                         "         yield\n"
                         "      } else {\n"
                         "         break @L2 %3, %4\n"
                         "      }\n"
                         "      if %1 {\n"
                         "         %10 = ineg 1x32 %0\n"
                         "         yield\n"
                         "      } else {\n"
                         "         yield\n"
                         "      }\n"
                         "      continue @L2 %3, %4\n"
                         "   cont(%14 1x32, %15 1x32):\n"
                         "      yield %14, %15\n"
                         "   }\n"
                         "   " STORE("%0", "%17")),
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %10 1x32 = loop @L1 %0 {\n"
                  "   body(%2 1x32):\n"
                  "      %3 = ult 1x1 %2, %0\n"
                  "      if %3 {\n"
                  "         yield\n"
                  "      } else {\n"
                  "         break @L1 %2\n"
                  "      }\n"
                  "      continue @L1 %2\n"
                  "   cont(%8 1x32):\n"
                  "      yield %8\n"
                  "   }\n"
                  "   " STORE("%0", "%10")));
}

/* Nobody reads what they make: the one that counts goes, the one that may never end is seen to hang. */
TEST(dead_loops)
{
   IR_PASS(ir_opt_dead_code,
           SHADER(INPUTS "   %2 = const 1x32 1\n"
                         "   loop @L2 %2 {\n"
                         "   body(%3 1x32):\n"
                         "      %4 = ult 1x1 %3, %0\n"
                         "      if %4 {\n"
                         "         yield\n"
                         "      } else {\n"
                         "         break @L2\n"
                         "      }\n"
                         "      continue @L2 %3\n"
                         "   cont(%5 1x32):\n"
                         "      %6 = iadd 1x32 %5, %2\n"
                         "      yield %6\n"
                         "   }\n"
                         "   loop @L3 {\n"
                         "   body():\n"
                         "      if %1 {\n"
                         "         break @L3\n"
                         "      } else {\n"
                         "         yield\n"
                         "      }\n"
                         "      continue @L3\n"
                         "   cont():\n"
                         "      yield\n"
                         "   }\n"
                         "   "),
           SHADER("   %0 = sysval 1x1 sysval=front_facing\n"
                  "   loop @L1 {\n"
                  "   body():\n"
                  "      if %0 {\n"
                  "         break @L1\n"
                  "      } else {\n"
                  "         yield\n"
                  "      }\n"
                  "      continue @L1\n"
                  "   cont():\n"
                  "      yield\n"
                  "   }\n"));
}

static bool remove_ignored(struct ir_shader *shader)
{
   shader->ignored_outputs = 0xfffffff4; /* all but 0, 1 and 3 */
   return ir_opt_dead_code(shader);
}

/* Of colours those that attachments take, with what they need; depth is none. */
TEST(ignored_outputs)
{
   IR_PASS(remove_ignored,
           "shader fragment\n{\n"
           "   %0 = sysval 4x32 sysval=frag_coord\n"
           "   %1 = extract 1x32 %0 index=0\n"
           "   %2 = extract 1x32 %0 index=1\n"
           "   %3 = fneg 1x32 %1\n"
           "   %4 = fneg 1x32 %2\n"
           "   store_output %3 slot=0\n"
           "   store_output %1 slot=1\n"
           "   store_output %4 slot=2\n"
           "   store_output %1 slot=3\n"
           "   store_output %4 slot=4\n"
           "   store_output %4 slot=31\n"
           "   store_output %1 slot=32\n"
           "   yield\n}\n",
           "shader fragment\n{\n"
           "   %0 = sysval 4x32 sysval=frag_coord\n"
           "   %1 = extract 1x32 %0 index=0\n"
           "   %2 = fneg 1x32 %1\n"
           "   store_output %2 slot=0\n"
           "   store_output %1 slot=1\n"
           "   store_output %1 slot=3\n"
           "   store_output %1 slot=32\n"
           "   yield\n}\n");
}

TEST(unread_variables)
{
   IR_PASS(ir_opt_dead_code,
           "shader compute\nvar v0 4 \"a\"\n{\n" INPUTS "   store_var v0 %0, %0 mask=1\n   yield\n}\n",
           "shader compute\n{\n   yield\n}\n");
}

TEST(hoist)
{
   IR_PASS(ir_opt_hoist,
           SHADER(INPUTS "   loop @L2 {\n"
                         "   body():\n"
                         "      %3 = ineg 1x32 %0\n"
                         "      %4 = load_shared 1x32 %3 access=0 align=4\n"
                         "      if %1 {\n"
                         "         %6 = inot 1x32 %0\n"
                         "         store_shared %6, %4 access=0 align=4 mask=1\n"
                         "         break @L2\n"
                         "      } else {\n"
                         "         yield\n"
                         "      }\n"
                         "      continue @L2\n"
                         "   cont():\n"
                         "      yield\n"
                         "   }\n"),
           SHADER(INPUTS "   %2 = ineg 1x32 %0\n"
                         "   loop @L3 {\n"
                         "   body():\n"
                         "      %4 = load_shared 1x32 %2 access=0 align=4\n"
                         "      if %1 {\n"
                         "         %6 = inot 1x32 %0\n"
                         "         store_shared %6, %4 access=0 align=4 mask=1\n"
                         "         break @L3\n"
                         "      } else {\n"
                         "         yield\n"
                         "      }\n"
                         "      continue @L3\n"
                         "   cont():\n"
                         "      yield\n"
                         "   }\n"));
}

/* Words 0 and 2 of a record of 16 bytes, then 3 behind a store; the word before belongs to another block. */
TEST(neighbouring_loads)
{
   IR_PASS(ir_opt_merge_loads,
           SHADER(INPUTS "   %2 = const 1x32 4\n"
                         "   %3 = const 1x32 8\n"
                         "   %4 = const 1x32 12\n"
                         "   %5 = const 1x32 0xfffffffc\n"
                         "   %6 = ishl 1x32 %0, %2\n"
                         "   %7 = iadd 1x32 %6, %3\n"
                         "   %8 = load_shared 1x32 %7 access=0 align=8\n"
                         "   %9 = load_shared 1x32 %6 access=0 align=16\n"
                         "   %10 = iadd 1x32 %6, %5\n"
                         "   %11 = load_shared 1x32 %10 access=0 align=4\n"
                         "   " STORE("%8", "%9")
                         "   " STORE("%9", "%11")
                         "   %14 = iadd 1x32 %6, %4\n"
                         "   %15 = load_shared 1x32 %14 access=0 align=4\n"
                         "   " STORE("%9", "%15")),
           SHADER(INPUTS "   %2 = const 1x32 4\n"
                         "   %3 = const 1x32 8\n"
                         "   %4 = const 1x32 12\n"
                         "   %5 = const 1x32 0xfffffffc\n"
                         "   %6 = ishl 1x32 %0, %2\n"
                         "   %7 = iadd 1x32 %6, %3\n"
                         "   %8 = const 1x32 0xfffffff8\n"
                         "   %9 = iadd 1x32 %7, %8\n"
                         "   %10 = load_shared 4x32 %9 access=0 align=4\n"
                         "   %11 = extract 1x32 %10 index=0\n"
                         "   %12 = extract 1x32 %10 index=2\n"
                         "   %13 = iadd 1x32 %6, %5\n"
                         "   %14 = load_shared 1x32 %13 access=0 align=4\n"
                         "   " STORE("%12", "%11")
                         "   " STORE("%11", "%14")
                         "   %17 = iadd 1x32 %6, %4\n"
                         "   %18 = load_shared 1x32 %17 access=0 align=4\n"
                         "   " STORE("%11", "%18")));
}

/* Twelve bytes from one to the next: a block would wrap around where the offset does. Loads whose order counts stay. */
TEST(loads_that_stay)
{
#define STAY(step, access)                                                                                             \
   SHADER(INPUTS "   %2 = const 1x32 " #step "\n"                                                                      \
                 "   %3 = const 1x32 4\n"                                                                              \
                 "   %4 = imul 1x32 %0, %2\n"                                                                          \
                 "   %5 = iadd 1x32 %4, %3\n"                                                                          \
                 "   %6 = load_shared 1x32 %4 access=" #access " align=4\n"                                            \
                 "   %7 = load_shared 1x32 %5 access=" #access " align=4\n"                                            \
                 "   " STORE("%6", "%7"))
   IR_PASS(ir_opt_merge_loads, STAY(12, 0), STAY(12, 0));
   IR_PASS(ir_opt_merge_loads, STAY(16, 2), STAY(16, 2));
   IR_PASS(ir_opt_merge_loads, STAY(16, 16), STAY(16, 16));
}

/* Words 1 and 0 of a pair, and in front of a load of shared memory the third word of a record, behind it the first: that would leave a gap. */
TEST(neighbouring_stores)
{
   IR_PASS(ir_opt_merge_stores,
           SHADER(INPUTS "   %2 = const 1x32 4\n"
                         "   %3 = const 1x32 8\n"
                         "   %4 = ishl 1x32 %0, %2\n"
                         "   %5 = iadd 1x32 %4, %2\n"
                         "   store_shared %5, %0 access=0 align=4 mask=1\n"
                         "   %6 = ineg 1x32 %0\n"
                         "   store_shared %4, %6 access=0 align=4 mask=1\n"
                         "   %7 = load_shared 1x32 %4 access=0 align=4\n"
                         "   %8 = iadd 1x32 %4, %3\n"
                         "   store_shared %8, %7 access=0 align=4 mask=1\n"
                         "   store_shared %4, %7 access=0 align=4 mask=1\n"),
           SHADER(INPUTS "   %2 = const 1x32 4\n"
                         "   %3 = const 1x32 8\n"
                         "   %4 = ishl 1x32 %0, %2\n"
                         "   %5 = iadd 1x32 %4, %2\n"
                         "   %6 = ineg 1x32 %0\n"
                         "   %7 = vec 2x32 %6, %0\n"
                         "   store_shared %4, %7 access=0 align=4 mask=3\n"
                         "   %9 = load_shared 1x32 %4 access=0 align=4\n"
                         "   %10 = iadd 1x32 %4, %3\n"
                         "   store_shared %10, %9 access=0 align=4 mask=1\n"
                         "   store_shared %4, %9 access=0 align=4 mask=1\n"));
}

/* Behind a load that may read the first word; a word that is written again; another record; twelve bytes apart; whose order counts. */
TEST(stores_that_stay)
{
#define STORES(step, offset, between, access)                                                                          \
   SHADER(INPUTS "   %2 = const 1x32 " #step "\n"                                                                      \
                 "   %3 = const 1x32 " #offset "\n"                                                                    \
                 "   %4 = imul 1x32 %0, %2\n"                                                                          \
                 "   %5 = iadd 1x32 %4, %3\n"                                                                          \
                 "   store_shared %4, %0 access=" #access " align=4 mask=1\n" between                                  \
                 "   store_shared %5, %0 access=" #access " align=4 mask=1\n")
#define READS "   %7 = load_shared 1x32 %0 access=0 align=4\n"
   IR_PASS(ir_opt_merge_stores, STORES(16, 4, READS, 0), STORES(16, 4, READS, 0));
   IR_PASS(ir_opt_merge_stores, STORES(16, 0, "", 0), STORES(16, 0, "", 0));
   IR_PASS(ir_opt_merge_stores, STORES(16, 16, "", 0), STORES(16, 16, "", 0));
   IR_PASS(ir_opt_merge_stores, STORES(12, 4, "", 0), STORES(12, 4, "", 0));
   IR_PASS(ir_opt_merge_stores, STORES(16, 4, "", 2), STORES(16, 4, "", 2));
}

static bool unroll_and_clean(struct ir_shader *shader)
{
   const bool progress = ir_opt_unroll(shader);
   for (int i = 0; i < 3 && progress; i++) {
      ir_opt_simplify(shader);
      ir_opt_promote_vars(shader);
      ir_opt_control_flow(shader);
      ir_opt_dead_code(shader);
   }
   return progress;
}

/* An array filled in a loop and read at constant offsets. */
TEST(unroll)
{
   IR_PASS(unroll_and_clean,
           "shader compute\nvar v0 8 \"a\"\n{\n" INPUTS "   %2 = const 1x32 0\n"
           "   %3 = const 1x32 1\n"
           "   %4 = const 1x32 2\n"
           "   %5 = const 1x32 4\n"
           "   loop @L6 %2 {\n"
           "   body(%7 1x32):\n"
           "      %8 = ult 1x1 %7, %4\n"
           "      if %8 {\n"
           "         yield\n"
           "      } else {\n"
           "         break @L6\n"
           "      }\n"
           "      %12 = imul 1x32 %7, %5\n"
           "      %13 = iadd 1x32 %0, %7\n"
           "      store_var v0 %12, %13 mask=1\n"
           "      continue @L6 %7\n"
           "   cont(%16 1x32):\n"
           "      %17 = iadd 1x32 %16, %3\n"
           "      yield %17\n"
           "   }\n"
           "   %19 = load_var 1x32 v0 %5\n"
           "   " STORE("%0", "%19") "   yield\n}\n",
           SHADER("   %0 = const 1x32 1\n"
                  "   %1 = sysval 1x32 sysval=local_index\n"
                  "   %2 = iadd 1x32 %1, %0\n"
                  "   " STORE("%1", "%2")));
}

/* A loop of 60 rounds that fills an array: worth its code, as the array may become values then, but not where it stays memory anyway. */
#define TERM(from, to) "      %" to " = imul 1x32 %" from ", %0\n"
#define FILLING_LOOP(stays)                                                                                                             \
   "shader compute\nvar v0 256 \"a\"" stays "\n{\n" INPUTS "   %2 = const 1x32 0\n   %3 = const 1x32 1\n"                               \
   "   %4 = const 1x32 60\n   %5 = const 1x32 4\n   loop @L6 %2 {\n   body(%7 1x32):\n      %8 = ult 1x1 %7, %4\n"                     \
   "      if %8 {\n         yield\n      } else {\n         break @L6\n      }\n      %12 = imul 1x32 %7, %5\n"                          \
   "      %30 = iadd 1x32 %0, %7\n" TERM("30", "31") TERM("31", "32") TERM("32", "33") TERM("33", "34") TERM("34", "35") TERM("35", "36")    \
   TERM("36", "37") TERM("37", "38") TERM("38", "39") "      store_var v0 %12, %39 mask=1\n      continue @L6 %7\n   cont(%16 1x32):\n"    \
   "      %17 = iadd 1x32 %16, %3\n      yield %17\n   }\n   %19 = load_var 1x32 v0 %5\n   " STORE("%0", "%19") "   yield\n}\n"

TEST(unroll_for_variables)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   CHECK(ir_opt_unroll(ir_test_parse(&arena, FILLING_LOOP(""))));
   CHECK(!ir_opt_unroll(ir_test_parse(&arena, FILLING_LOOP(" stays"))));
   util_arena_finish(&arena);
}

/* As in a sort: how often the inner loop goes round, which indexes, is known once the outer one is unrolled; not so where it is data. */
#define NESTED_LOOPS(limit)                                                                                            \
   "shader compute\nvar v0 32 \"a\"\n{\n" INPUTS "   %2 = const 1x32 0\n   %3 = const 1x32 1\n   %4 = const 1x32 7\n   %5 = const 1x32 4\n"  \
   "   loop @L6 %2 {\n   body(%7 1x32):\n      %8 = ult 1x1 %7, %4\n      if %8 {\n         yield\n      } else {\n         break @L6\n      }\n" \
   "      %12 = isub 1x32 " limit "\n      loop @L13 %2 {\n      body(%14 1x32):\n         %15 = ult 1x1 %14, %12\n         if %15 {\n"         \
   "            yield\n         } else {\n            break @L13\n         }\n         %19 = imul 1x32 %14, %5\n"                           \
   "         store_var v0 %19, %0 mask=1\n         continue @L13 %14\n      cont(%22 1x32):\n         %23 = iadd 1x32 %22, %3\n"           \
   "         yield %23\n      }\n      continue @L6 %7\n   cont(%26 1x32):\n      %27 = iadd 1x32 %26, %3\n      yield %27\n   }\n"         \
   "   %29 = load_var 1x32 v0 %5\n   " STORE("%0", "%29") "   yield\n}\n"

TEST(unroll_around_loops_that_index)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, NESTED_LOOPS("%4, %7"));
   CHECK(unroll_and_clean(shader) && unroll_and_clean(shader) && !unroll_and_clean(shader));
   CHECK(util_list_is_empty(&shader->vars));
   CHECK(!ir_opt_unroll(ir_test_parse(&arena, NESTED_LOOPS("%0, %4"))));
   util_arena_finish(&arena);
}

/* Whether the test is reached in each round depends on data: the number of rounds is unknown. */
TEST(no_unroll_with_early_continue)
{
   const char *text = "shader compute\nvar v0 8 \"a\"\n{\n" INPUTS "   %2 = const 1x32 0\n"
                      "   %3 = const 1x32 2\n"
                      "   loop @L4 %2 {\n"
                      "   body(%5 1x32):\n"
                      "      store_var v0 %5, %0 mask=1\n"
                      "      if %1 {\n"
                      "         continue @L4 %5\n"
                      "      } else {\n"
                      "         yield\n"
                      "      }\n"
                      "      %10 = ult 1x1 %5, %3\n"
                      "      if %10 {\n"
                      "         yield\n"
                      "      } else {\n"
                      "         break @L4\n"
                      "      }\n"
                      "      continue @L4 %5\n"
                      "   cont(%15 1x32):\n"
                      "      %16 = iadd 1x32 %15, %3\n"
                      "      yield %16\n"
                      "   }\n"
                      "   yield\n}\n";
   IR_PASS(ir_opt_unroll, text, text);
}

/* A sum over rounds: `term` makes %11 of the round's number, %6, and a value that varies, %1. */
#define SUM_OF_ROUNDS(rounds, term)                                                                                     \
   "shader compute\n{\n   %0 = sysval 1x32 sysval=local_index\n   %1 = i2f 1x32 %0\n   %2 = const 1x32 0\n"              \
   "   %3 = const 1x32 1\n   %4 = const 1x32 " #rounds "\n"                                                             \
   "   %5 1x32 = loop @L5 %2, %2 {\n   body(%6 1x32, %7 1x32):\n      %8 = ult 1x1 %6, %4\n"                            \
   "      if %8 {\n         yield\n      } else {\n         break @L5 %7\n      }\n"                                    \
   term "      %12 = fadd 1x32 %11, %7\n      continue @L5 %6, %12\n"                                                   \
   "   cont(%13 1x32, %14 1x32):\n      %15 = iadd 1x32 %13, %3\n      yield %15, %14\n   }\n"                          \
   "   " STORE("%0", "%5") "   yield\n}\n"

/* Over two, with the round's number as a float, %9. */
#define SUM_OF_TERMS(term) SUM_OF_ROUNDS(2, "      %9 = i2f 1x32 %6\n" term)

/* A sine of the round's number is a constant in each copy: that pays. */
TEST(unroll_what_folds)
{
   IR_PASS(unroll_and_clean, SUM_OF_TERMS("      %10 = fsin 1x32 %9\n      %11 = fmul 1x32 %1, %10\n"),
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = const 1x32 0x3f800000\n"
                  "   %2 = sysval 1x32 sysval=local_index\n"
                  "   %3 = i2f 1x32 %2\n"
                  "   %4 = fsin 1x32 %0\n"
                  "   %5 = fmul 1x32 %3, %4\n"
                  "   %6 = fadd 1x32 %5, %0\n"
                  "   %7 = fsin 1x32 %1\n"
                  "   %8 = fmul 1x32 %3, %7\n"
                  "   %9 = fadd 1x32 %8, %6\n"
                  "   " STORE("%2", "%9")));
}

/* Nothing of much worth folds, but all of it is short. */
TEST(unroll_what_is_short)
{
   IR_PASS(unroll_and_clean, SUM_OF_TERMS("      %10 = fsin 1x32 %1\n      %11 = fmul 1x32 %9, %10\n"),
           SHADER("   %0 = const 1x32 0\n"
                  "   %1 = sysval 1x32 sysval=local_index\n"
                  "   %2 = i2f 1x32 %1\n"
                  "   %3 = fsin 1x32 %2\n"
                  "   %4 = fmul 1x32 %3, %0\n"
                  "   %5 = fadd 1x32 %4, %0\n"
                  "   %6 = fadd 1x32 %3, %5\n"
                  "   " STORE("%1", "%6")));
}

/* Powers of what varies, of which a bit of the round's number chooses one of two, so that eight rounds make two; three bits of it choose eight. */
#define POWERS_BY(bit)                                                                                                  \
   SUM_OF_ROUNDS(8, "      %16 = const 1x32 " #bit "\n      %17 = iand 1x32 %6, %16\n      %9 = i2f 1x32 %17\n"      \
                    "      %20 = fadd 1x32 %1, %9\n      %11 = fpow 1x32 %20, %20\n")

TEST(unroll_what_rounds_repeat)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, POWERS_BY(1)), *other = ir_test_parse(&arena, POWERS_BY(7));
   CHECK(shader && unroll_and_clean(shader));
   CHECK(other && !ir_opt_unroll(other));
   uint32_t count = 0;
   IR_FOR_EACH (it, shader->body)
      count += it->op == IR_fpow;
   CHECK(count == 2);
   util_arena_finish(&arena);
}

/* Sines and powers of what a buffer has for all invocations, at an offset by the round: of eight rounds only a product each is left. Where the
 * invocation counts too, all is. */
#define SINES_OF(offset)                                                                                                \
   SUM_OF_ROUNDS(8, "      %20 = buffer_addr 1x64 %2 set=0 binding=0\n      %21 = buffer_size 1x32 %2 set=0 binding=0\n" \
                    "      %22 = iadd 1x32 %6, " offset "\n      %23 = load_buffer 1x32 %20, %21, %22 access=0 align=4\n" \
                    "      %24 = fsin 1x32 %23\n      %25 = fpow 1x32 %24, %23\n      %11 = fmul 1x32 %1, %25\n")

TEST(unroll_what_all_share)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, SINES_OF("%6")), *other = ir_test_parse(&arena, SINES_OF("%0"));
   CHECK(shader && ir_opt_unroll(shader));
   CHECK(other && !ir_opt_unroll(other));
   util_arena_finish(&arena);
}

/* Powers and a sine of what varies are as dear in the copies: of many rounds the loop stays, and where it samples. */
#define DEAR_TERMS                                                                                                      \
   "      %9 = i2f 1x32 %6\n      %20 = fpow 1x32 %1, %9\n      %21 = fpow 1x32 %20, %1\n      %10 = fsin 1x32 %21\n"   \
   "      %11 = fmul 1x32 %9, %10\n"

TEST(no_unroll_of_what_stays)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *few = ir_test_parse(&arena, SUM_OF_ROUNDS(2, DEAR_TERMS)), *many = ir_test_parse(&arena, SUM_OF_ROUNDS(8, DEAR_TERMS));
   struct ir_shader *samples = ir_test_parse(&arena, SUM_OF_ROUNDS(2, DEAR_TERMS "      %30 = const 1x64 0\n      %31 = vec 2x32 %1, %9\n"
                                                                                 "      %32 = tex 4x32 %30, %30, %31 op=0 dim=1 flags=0\n"));
   CHECK(few && ir_opt_unroll(few));
   CHECK(many && !ir_opt_unroll(many));
   CHECK(samples && !ir_opt_unroll(samples));
   util_arena_finish(&arena);
}

/* A product with zero goes with what it is multiplied by, and a sum with it; not where the shader wants every zero and NaN as it is. */
TEST(zeros)
{
   IR_PASS(ir_opt_zeros,
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = const 1x32 0\n"
                  "   %2 = fmul 1x32 %0, %1 fp=zeros\n"
                  "   %3 = fadd 1x32 %2, %0 fp=zeros\n"
                  "   %4 = const 1x32 0x80000000\n"
                  "   %5 = fma 1x32 %4, %0, %0 fp=zeros\n"
                  "   %6 = fmul 1x32 %0, %4\n"
                  "   %7 = fadd 1x32 %0, %1 fp=zeros|flush_denorm\n"
                  "   " STORE("%3", "%5") "   " STORE("%6", "%7")),
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = const 1x32 0\n"
                  "   %2 = const 1x32 0\n"
                  "   %3 = const 1x32 0x80000000\n"
                  "   %4 = fmul 1x32 %0, %3\n"
                  "   %5 = fadd 1x32 %0, %1 fp=zeros|flush_denorm\n"
                  "   " STORE("%0", "%0") "   " STORE("%4", "%5")));
}

TEST(contract)
{
   IR_PASS(ir_opt_contract,
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = fmul 1x32 %0, %0 fp=contract\n"
                  "   %2 = fsub 1x32 %0, %1 fp=contract\n"
                  "   %3 = fadd 1x32 %1, %0\n"
                  "   " STORE("%2", "%3")),
           SHADER("   %0 = sysval 1x32 sysval=local_index\n"
                  "   %1 = fmul 1x32 %0, %0 fp=contract\n"
                  "   %2 = fneg 1x32 %0 fp=contract\n"
                  "   %3 = fma 1x32 %2, %0, %0 fp=contract\n"
                  "   %4 = fadd 1x32 %1, %0\n"
                  "   " STORE("%3", "%4")));
}

TEST_MAIN
