/* SPDX-License-Identifier: MIT
 * What draws share. The parts that a draw points to are made anew only when what they are made of has changed since the
 * draw before: a draw with other push constants than the last one copies these and nothing else. Contexts, which take
 * the longest to make, are also found again by pipeline and state, for draws that change between a few of them.
 * Parts live in the render's arena; rt_share_forget() before it is reset. Threads: the queue's only. */
#pragma once

#include "runtime/draw/context.h"
#include "util/arena.h"

enum { RT_SHARE_CHAINS_LOG2 = 6 };

struct rt_kept_context;

struct rt_share {
   /* Of the last draw; NULL: to be made. */
   const struct rt_context *context;
   const struct rt_viewports *viewports;
   const struct rt_inputs *inputs;
   struct abi_resources resources;
   uint64_t slots[3]; /* that `inputs` are for: abi_shader_info.inputs */
   struct rt_kept_context *contexts[1 << RT_SHARE_CHAINS_LOG2]; /* by hash of the pipeline's address, newest first */
   struct rt_state seen; /* what viewports and inputs were made of, in their groups alone */
};

/* Nothing was shared yet. */
void rt_share_forget(struct rt_share *share);
/* Sets the draw's parts, of what the state is now, and clears state->dirty. False when memory is out. */
UTIL_MUST_CHECK bool rt_share_take(struct rt_share *share, struct rt_draw_state *state, const struct rt_target *target,
                                   struct util_arena *arena, struct rt_draw *draw);
