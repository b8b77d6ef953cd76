/* SPDX-License-Identifier: MIT
 * State groups: the table covers the struct, a pipeline leaves dynamic groups alone. */
#include "runtime/state.h"
#include "tests/test.h"

TEST(groups_are_in_order_and_apart)
{
   uint32_t end = 0;
   for (uint32_t i = 0; i < RT_NUM_STATE_GROUPS; i++) {
      CHECK(rt_state_groups[i].offset >= end && rt_state_groups[i].offset <= end + 8);
      end = rt_state_groups[i].offset + rt_state_groups[i].size;
   }
   CHECK(end <= sizeof(struct rt_state) && end + 8 >= sizeof(struct rt_state));
}

static void check_apply(uint64_t dynamic_mask)
{
   static struct rt_state from, state;
   memset(&from, 0xaa, sizeof(from));
   memset(&state, 0x55, sizeof(state));
   rt_state_apply(&state, &from, dynamic_mask);
   for (uint32_t i = 0; i < RT_NUM_STATE_GROUPS; i++) {
      const uint8_t *bytes = (const uint8_t *)&state + rt_state_groups[i].offset;
      const uint8_t wanted = dynamic_mask >> i & 1 ? 0x55 : 0xaa;
      for (uint32_t b = 0; b < rt_state_groups[i].size; b++)
         CHECK_EQ(bytes[b], wanted);
   }
}

TEST(apply)
{
   check_apply(0);
   check_apply(UINT64_MAX);
   for (uint32_t i = 0; i < RT_NUM_STATE_GROUPS; i++) {
      check_apply(UINT64_C(1) << i);
      check_apply(~(UINT64_C(1) << i));
   }
   check_apply(0x5555555555555555);
   check_apply(0x0f0f00ff00f0f0f0);
}

TEST_MAIN
