/* SPDX-License-Identifier: MIT
 * How many lanes shaders get on machines of different width: whole subgroups only where somebody looks at other lanes. */
#include "tests/compiler/ir/ir_test.h"

/* `operation` in a shader with subgroups of 32, on a machine with so many lanes. */
static uint32_t lanes_of(const char *stage, uint32_t subgroup_size, const char *operation, uint32_t machine, bool *uses_subgroups)
{
   struct util_arena arena;
   char text[512];
   uint32_t lanes = 0;
   snprintf(text, sizeof(text), "shader %s\nsubgroup_size %u\n{\n   %%0 = const 1x32 0\n   %s\n   yield\n}\n", stage, subgroup_size, operation);
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, text);
   if (shader) {
      ir_choose_lanes(shader, machine);
      lanes = shader->info.lanes;
      *uses_subgroups = shader->uses_subgroups;
   }
   util_arena_finish(&arena);
   return lanes;
}

static void expect(const char *operation, bool is_seen, bool is_read)
{
   for (uint32_t machine = 4; machine <= 32; machine *= 2) {
      for (uint32_t size = 4; size <= 32; size *= 2) {
         const uint32_t compute = is_seen ? size : is_read ? UTIL_MIN(machine, size) : machine;
         bool uses_subgroups = !is_seen;
         CHECK_EQ(lanes_of("compute", size, operation, machine, &uses_subgroups), compute);
         CHECK_EQ(uses_subgroups, is_seen);
         /* a pair of blocks, of which a subgroup never is */
         CHECK_EQ(lanes_of("fragment", size, operation, machine, &uses_subgroups), is_seen || is_read ? UTIL_MIN(compute, 16) : compute);
         CHECK_EQ(lanes_of("vertex", size, operation, machine, &uses_subgroups), UTIL_MIN(compute, 16));
      }
   }
}

TEST(unknown)
{
   expect("%1 = iadd 1x32 %0, %0", false, false);
   expect("%1 = ddx 1x32 %0 fine=0", false, false);
   expect("barrier exec=2 memory=2 semantics=264", false, false);
   expect("barrier exec=0 memory=3 semantics=264", false, false);
}

TEST(identifiers)
{
   expect("%1 = sysval 1x32 sysval=subgroup_lane", false, true);
   expect("%1 = sysval 1x32 sysval=subgroup_id", false, true);
}

TEST(operations)
{
   static const char *const operations[] = {
      "%1 = const 1x1 1\n%2 = vote_any 1x1 %1", "%1 = const 1x1 1\n%2 = vote_all 1x1 %1", "%2 = vote_eq 1x1 %0 float=0", "%1 = elect 1x1",
      "%1 = const 1x1 1\n%2 = ballot 4x32 %1", "%1 = read_first 1x32 %0", "%1 = shuffle 1x32 %0, %0",
      "%1 = reduce 1x32 %0 atomic=0 scan=0 cluster=0", "%1 = match 1x32 %0", "%1 = reduce_part 1x32 %0, %0 atomic=0 scan=0",
      "barrier exec=3 memory=3 semantics=264", "%1 = const 1x1 0\nif %1 {\n%2 = read_first 1x32 %0\nyield\n} else {\nyield\n}",
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(operations); i++)
      expect(operations[i], true, true);
}

TEST_MAIN
