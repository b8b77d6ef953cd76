/* SPDX-License-Identifier: MIT
 * Where shaders poll: by what may run in between, not by the number of rounds. */
#include "tests/compiler/ir/ir_test.h"

enum { NUM_LOOPS = 4 };

/* What is found of each loop, in text order. */
struct found {
   uint32_t count;
   struct {
      bool polls, polls_first;
      uint32_t stretch;
   } loops[NUM_LOOPS];
};

static void note(struct ir_instr *instr, void *data)
{
   struct found *found = data;
   if (instr->op != IR_loop || found->count == NUM_LOOPS)
      return;
   found->loops[found->count].polls = instr->imm.cf.polls;
   found->loops[found->count].polls_first = instr->imm.cf.polls_first;
   found->loops[found->count++].stretch = instr->imm.cf.stretch;
}

static struct found analyze(const char *text)
{
   struct found found = {0};
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, text);
   if (shader) {
      ir_analyze_divergence(shader);
      ir_analyze_ranges(shader);
      ir_analyze_polls(shader);
      ir_for_each(shader, note, &found);
   }
   util_arena_finish(&arena);
   return found;
}

#define SHADER(size, loops) \
   "shader compute\nlocal_size " #size " 1 1\nlanes 8\n{\n" \
   "%0 = const 1x32 0\n%1 = const 1x32 1\n%2 = const 1x32 1000\n%3 = const 1x32 10000\n%4 = const 1x32 1000000\n" loops "yield\n}\n"
/* `count`: of the constants; `inside`: instructions. */
#define LOOP(number, count, inside) \
   "loop @L" #number " %0 {\nbody(%" #number "00 1x32):\n%" #number "01 = ult 1x1 %" #number "00, %" #count "\n" \
   "if %" #number "01 {\nyield\n} else {\nbreak @L" #number "\n}\n" inside "continue @L" #number " %" #number "00\n" \
   "cont(%" #number "02 1x32):\n%" #number "03 = iadd 1x32 %" #number "02, %1\nyield %" #number "03\n}\n"
#define STORE "store_shared %0, %1 access=0 align=4 mask=1\n"
#define STORES STORE STORE STORE STORE STORE STORE STORE STORE /* 64 operations: 8 lanes one by one */

/* A round is cheap: ten thousand of them are, a million are not. */
TEST(cost_decides)
{
   CHECK(!analyze(SHADER(8, LOOP(1, 3, ""))).loops[0].polls);
   CHECK(analyze(SHADER(8, LOOP(1, 4, ""))).loops[0].polls);
   CHECK(analyze(SHADER(8, LOOP(1, 3, STORES STORES))).loops[0].polls);
}

/* The inner loop of a nest does not poll, the outer one does; what runs between its polls is a round. */
TEST(nests)
{
   const struct found found = analyze(SHADER(8, LOOP(1, 2, LOOP(2, 2, ""))));
   CHECK_EQ(found.count, 2);
   CHECK(found.loops[0].polls);
   CHECK(!found.loops[1].polls);
   CHECK(found.loops[1].stretch > 2000 && found.loops[1].stretch < 20000);
   CHECK(found.loops[0].stretch > found.loops[1].stretch && found.loops[0].stretch < 2 * found.loops[1].stretch);
}

/* Loops that are short by themselves, one after the other. */
TEST(sequences)
{
   const struct found two = analyze(SHADER(8, LOOP(1, 3, STORES) LOOP(2, 3, STORES)));
   CHECK_EQ(two.count, 2);
   CHECK(!two.loops[0].polls && !two.loops[0].polls_first);
   CHECK(!two.loops[1].polls && two.loops[1].polls_first);
   const struct found small = analyze(SHADER(8, LOOP(1, 2, STORES) LOOP(2, 2, STORES)));
   CHECK(!small.loops[1].polls && !small.loops[1].polls_first);
}

/* A loop with a barrier runs all vectors in each round. */
TEST(workgroups)
{
   static const char barrier[] = SHADER(8, LOOP(1, 2, "barrier exec=2 memory=2 semantics=264\n"));
   static const char wide[] = SHADER(1024, LOOP(1, 2, "barrier exec=2 memory=2 semantics=264\n" STORES));
   CHECK(!analyze(barrier).loops[0].polls);
   CHECK(analyze(wide).loops[0].polls);
}

/* Nobody knows how long it takes: 1000 rounds of a loop that polls itself need no more polls. */
TEST(unknown_rounds)
{
   const struct found found = analyze(SHADER(8, LOOP(1, 2, "%90 = load_shared 1x32 %0 access=0 align=4\n" LOOP(2, 90, ""))));
   CHECK(!found.loops[0].polls);
   CHECK(!found.loops[1].polls || found.loops[1].stretch < 100);
   const struct found endless = analyze(SHADER(8, "loop @L1 {\nbody():\ncontinue @L1\ncont():\nyield\n}\n"));
   CHECK(endless.loops[0].polls);
}

TEST_MAIN
