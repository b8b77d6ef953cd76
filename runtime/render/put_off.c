/* SPDX-License-Identifier: MIT
 * A render pass instance as tasks of the queue's graph: its vertex work, a list of its tiles, then these. What comes before each of the two is
 * said by tasks, so that instances without a dependency overlap, and vertex work may run while tiles of those before are rendered.
 * One that needs more windows than its own first does the rest in one item, whose items are shared out in turn. */
#include "runtime/render/instance.h"

#include <string.h>

bool rt_render_can_wait(const struct rt_render *render)
{
   return render->target.is_whole && !render->has_xfb;
}

bool rt_render_is_small(const struct rt_render *render)
{
   return render->num_chunks <= 1 && render->target.num_tiles <= 1;
}

uint64_t rt_render_bytes(const struct rt_render *render)
{
   uint64_t bytes = render->arena.total_bytes;
   for (uint32_t i = 0; i < render->num_chunks; i++)
      bytes += render->chunks[i].est_bytes;
   return bytes;
}

static bool renders_to(const struct rt_target *target, const struct abi_image *view)
{
   bool result = false;
   for (uint32_t i = 0; view && i < target->num_colors; i++)
      result |= target->colors[i].view && target->colors[i].view->data == view->data;
   result |= view && target->depth.view && target->depth.view->data == view->data;
   return result | (view && target->stencil.view && target->stencil.view->data == view->data);
}

bool rt_render_shares_target(const struct rt_render *a, const struct rt_render *b)
{
   const struct rt_target *t = &b->target;
   bool result = renders_to(&a->target, t->depth.view) || renders_to(&a->target, t->stencil.view);
   for (uint32_t i = 0; i < t->num_colors; i++)
      result |= renders_to(&a->target, t->colors[i].view);
   return result;
}

/* An item on whichever thread: windows as they come, their items shared with others. */
static void run_all(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   if (rt_render_finish_on(render, true, worker) != VK_SUCCESS)
      render->is_out_of_memory = true;
}

/* After the chunks: what tiles there are to render. */
static void list_tiles(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   for (uint32_t i = 0; i < render->num_chunks; i++) {
      render->has_rest |= !render->chunks[i].is_complete;
      render->is_out_of_memory |= render->chunks[i].is_out_of_memory;
   }
   rt_window_learn(render);
   render->num_active = 1; /* the rest */
   if (!render->is_out_of_memory && !render->has_rest)
      render->is_out_of_memory = !rt_window_collect_tiles(render, render->num_chunks, true);
   if (render->is_out_of_memory)
      render->num_active = 0;
}

static void run_only_chunk(void *data, uint32_t index, struct rt_worker *worker)
{
   rt_window_run_chunk(data, 0, worker);
   list_tiles(data, 0, worker);
}

static void run_tile(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   if (UTIL_UNLIKELY(render->has_rest))
      run_all(render, 0, worker);
   else
      rt_window_run_tile(render, index, worker);
}

/* Vertex work, then what follows from it: two tasks, or one that does both. 0: memory is out. */
static uint64_t add_geometry(struct rt_render *render)
{
   uint64_t deps[RT_MAX_CHUNKS + 1] = {render->before_geometry};
   memcpy(deps + 1, render->early, sizeof(deps[0]) * render->num_early);
   const bool is_one = render->num_chunks == 1;
   const uint64_t chunks = rt_graph_add(render->graph, is_one ? run_only_chunk : rt_window_run_chunk, render, render->num_chunks, 1, deps,
                                        render->num_early + 1, "vertex work");
   return chunks && !is_one ? rt_graph_add(render->graph, list_tiles, render, 1, 1, &chunks, 1, "vertex work") : chunks;
}

bool rt_render_put_off(struct rt_render *render, const uint64_t *fragment_deps, uint32_t num_deps, struct rt_render_tasks *tasks)
{
   uint64_t deps[RT_MAX_RENDER_DEPS + 2];
   *tasks = (struct rt_render_tasks){0};
   if (num_deps)
      memcpy(deps, fragment_deps, sizeof(deps[0]) * num_deps);
   rt_share_forget(&render->share);
   render->has_open_chunk = render->has_rest = false;
   render->num_active = 0;
   if (rt_render_is_empty(render))
      return true;
   if (rt_render_is_small(render)) {
      deps[num_deps++] = render->before_geometry;
      tasks->geometry = tasks->fragments = rt_graph_add(render->graph, run_all, render, 1, 1, deps, num_deps, "rendering tiles");
      return tasks->fragments != 0;
   }
   if (render->num_chunks) {
      tasks->geometry = add_geometry(render);
      if (!tasks->geometry)
         return false; /* if chunks have run, they are not run again */
      deps[num_deps++] = tasks->geometry;
   } else {
      list_tiles(render, 0, render->worker);
   }
   tasks->fragments =
      rt_graph_add_counted(render->graph, run_tile, render, &render->num_active, 1, deps, num_deps, "rendering tiles");
   if (!tasks->fragments) { /* memory is out: in this thread, then */
      rt_graph_wait(render->graph, render->worker);
      rt_pool_run(render->pool, render->worker, run_tile, render, render->num_active, 1, "rendering tiles");
   }
   return true;
}

VkResult rt_render_retire(struct rt_render *render)
{
   rt_share_forget(&render->share);
   rt_window_drop_chunks(render);
   util_arena_reset(&render->arena);
   rt_window_give_back(render);
   render->is_open = false;
   return render->is_out_of_memory ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}
