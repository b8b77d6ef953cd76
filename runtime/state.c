/* SPDX-License-Identifier: MIT
 * The table of state groups, and how a pipeline's static state enters the current state. */
#include "runtime/state.h"

#include "util/macros.h"

#include <string.h>

const struct rt_state_group_info rt_state_groups[RT_NUM_STATE_GROUPS] = {
#define X(member) [RT_STATE_##member] = {offsetof(struct rt_state, member), sizeof(((struct rt_state *)0)->member)},
   RT_STATE_GROUPS(X)
#undef X
};

const struct rt_state rt_default_state = {
   .rasterization_samples = {1},
   .sample_mask = {UINT32_MAX},
   .line_width = {1},
   .line_stipple = {1, 0xffff},
   .color_write = {UINT32_MAX},
   .depth_clip = {RT_DEPTH_CLIP_UNLESS_CLAMPED},
};

const struct rt_static_state rt_shader_object_state = {
   .state.discard_rectangle_count = {RT_MAX_DISCARD_RECTANGLES},
   .dynamic_mask = ~(UINT64_C(1) << RT_STATE_sample_shading | UINT64_C(1) << RT_STATE_discard_rectangle_count),
};

_Static_assert(RT_NUM_STATE_GROUPS <= 64, "dynamic masks have 64 bits");

void rt_state_apply(struct rt_state *state, const struct rt_state *from, uint64_t dynamic_mask)
{
   uint64_t left = ~dynamic_mask & (UINT64_MAX >> (64 - RT_NUM_STATE_GROUPS));
   while (left) {
      /* A run of groups that lie next to each other is one copy; they stand in the order of the struct. */
      const uint32_t first = (uint32_t)__builtin_ctzll(left);
      const uint64_t after = ~(left >> first);
      const uint32_t end = after ? first + (uint32_t)__builtin_ctzll(after) : 64;
      const uint32_t last = UTIL_MIN(end, RT_NUM_STATE_GROUPS) - 1;
      const size_t begin_bytes = rt_state_groups[first].offset;
      const size_t end_bytes = (size_t)rt_state_groups[last].offset + rt_state_groups[last].size;
      memcpy((char *)state + begin_bytes, (const char *)from + begin_bytes, end_bytes - begin_bytes);
      left = end >= 64 ? 0 : left & ~((UINT64_C(1) << end) - 1);
   }
}
