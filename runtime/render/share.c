/* SPDX-License-Identifier: MIT
 * What draws share: each part of a draw is made when what it is made of has changed, and contexts are found again. */
#include "runtime/render/share.h"

#include "runtime/geometry/fetch.h"
#include "runtime/geometry/xfb.h"
#include "runtime/render/context.h"
#include "util/size.h"

#include <string.h>

enum {
   MAX_CHAIN = 16, /* contexts of one pipeline that are looked at */
};

struct rt_kept_context {
   struct rt_kept_context *next; /* with the same hash */
   _Alignas(64) struct rt_context context;
};

void rt_share_forget(struct rt_share *share)
{
   memset(share, 0, offsetof(struct rt_share, seen));
}

/* ---- contexts ---- */

static struct rt_kept_context **chain_of(struct rt_share *share, const struct rt_graphics_pipeline *pipeline)
{
   const uint64_t hash = (uint64_t)(uintptr_t)pipeline * UINT64_C(0x9e3779b97f4a7c15);
   return &share->contexts[hash >> (64 - RT_SHARE_CHAINS_LOG2)];
}

static bool counts_the_same(const struct rt_context *c, const struct rt_draw_state *state)
{
   return c->occlusion == state->occlusion && c->statistics == state->statistics && c->mesh_generated == state->mesh_generated &&
          memcmp(c->generated, state->generated, sizeof(c->generated)) == 0;
}

static const struct rt_context *find_context(const struct rt_kept_context *chain, const struct rt_draw_state *state)
{
   const char *wanted = (const char *)state->state + RT_STATE_OF_CONTEXTS;
   for (uint32_t i = 0; chain && i < MAX_CHAIN; i++, chain = chain->next) {
      const struct rt_context *c = &chain->context;
      if (c->pipeline == state->pipeline && counts_the_same(c, state) &&
          memcmp((const char *)&c->state + RT_STATE_OF_CONTEXTS, wanted, sizeof(c->state) - RT_STATE_OF_CONTEXTS) == 0)
         return c;
   }
   return NULL;
}

/* Those that capture are not found again: what they capture depends on more. */
static bool take_context(struct rt_share *share, const struct rt_draw_state *state, const struct rt_target *target, struct util_arena *arena)
{
   if (share->context && !(state->dirty & RT_DIRTY_CONTEXT))
      return true;
   struct rt_kept_context **chain = chain_of(share, state->pipeline);
   share->context = state->xfb ? NULL : find_context(*chain, state);
   if (share->context)
      return true;
   struct rt_kept_context *kept = util_arena_alloc_aligned(arena, sizeof(*kept), 64);
   struct rt_xfb_layout *xfb = state->xfb ? util_arena_alloc(arena, sizeof(*xfb)) : NULL;
   if (!kept || (state->xfb && !xfb))
      return false;
   rt_context_init(&kept->context, state, target, xfb);
   share->context = &kept->context;
   if (state->xfb)
      return true;
   kept->next = *chain;
   *chain = kept;
   return true;
}

/* ---- viewports and inputs ---- */

/* True if the groups from `first` to `last` are those that were seen last; they are from now on. */
static bool is_seen(struct rt_share *share, const struct rt_state *state, enum rt_state_group first, enum rt_state_group last)
{
   const size_t from = rt_state_groups[first].offset, to = (size_t)rt_state_groups[last].offset + rt_state_groups[last].size;
   char *seen = (char *)&share->seen + from;
   const char *now = (const char *)state + from;
   if (memcmp(seen, now, to - from) == 0)
      return true;
   memcpy(seen, now, to - from);
   return false;
}

static bool take_viewports(struct rt_share *share, const struct rt_draw_state *state, const struct rt_target *target, struct util_arena *arena)
{
   if (share->viewports && !(state->dirty & RT_DIRTY_VIEWPORTS))
      return true;
   if (is_seen(share, state->state, RT_STATE_viewports, RT_STATE_rasterization_samples) && share->viewports)
      return true;
   struct rt_viewports *viewports =
      util_arena_alloc(arena, util_size_add(sizeof(*viewports), util_size_mul(rt_viewports_count(state->state), sizeof(viewports->items[0]))));
   share->viewports = viewports;
   if (!viewports)
      return false;
   rt_viewports_init(viewports, state->state, target);
   return true;
}

static bool take_inputs(struct rt_share *share, const struct rt_draw_state *state, struct util_arena *arena)
{
   const struct abi_shader_info *vs = share->context->vs;
   if (!vs) {
      share->inputs = NULL;
      return true;
   }
   if (share->inputs && !(state->dirty & (RT_DIRTY_INPUTS | RT_DIRTY_BUFFERS)))
      return true;
   const bool is_same = memcmp(share->slots, vs->inputs, sizeof(share->slots)) == 0 && !(state->dirty & RT_DIRTY_BUFFERS);
   memcpy(share->slots, vs->inputs, sizeof(share->slots));
   if (is_seen(share, state->state, RT_STATE_vertex_input, RT_STATE_vertex_strides) && is_same && share->inputs)
      return true;
   struct rt_fetch fetches[RT_MAX_VERTEX_ATTRIBUTES];
   const uint32_t num_fetches = rt_fetch_init(fetches, state, vs->inputs);
   struct rt_inputs *inputs = util_arena_alloc(arena, util_size_add(sizeof(*inputs), util_size_mul(num_fetches, sizeof(fetches[0]))));
   share->inputs = inputs;
   if (!inputs)
      return false;
   inputs->num_fetches = num_fetches;
   memcpy(inputs->fetches, fetches, num_fetches * sizeof(fetches[0]));
   return true;
}

/* ---- resources ---- */

static bool take_resources(struct rt_share *share, const struct rt_draw_state *state, struct util_arena *arena)
{
   const struct abi_resources *now = state->resources;
   struct abi_resources *kept = &share->resources;
   if (!kept->sets || state->dirty & RT_DIRTY_SETS)
      kept->sets = util_arena_dup(arena, now->sets, ABI_MAX_SETS * sizeof(*now->sets));
   if (!kept->push || state->dirty & RT_DIRTY_PUSH)
      kept->push = util_arena_dup(arena, now->push, ABI_MAX_PUSH_BYTES);
   return kept->sets && kept->push;
}

bool rt_share_take(struct rt_share *share, struct rt_draw_state *state, const struct rt_target *target, struct util_arena *arena,
                   struct rt_draw *draw)
{
   if (!take_context(share, state, target, arena) || !take_viewports(share, state, target, arena) || !take_inputs(share, state, arena) ||
       !take_resources(share, state, arena))
      return false;
   state->dirty = 0;
   draw->context = share->context;
   draw->viewports = share->viewports;
   draw->inputs = share->inputs;
   draw->resources = share->resources;
   draw->index_buffer = state->index_buffer;
   draw->index_bytes = state->index_bytes;
   draw->restart_index = state->restart_index;
   draw->order = state->order;
   return true;
}
