/* SPDX-License-Identifier: MIT
 * A render pass instance: its memory, its target, its beginning and its end. */
#include "runtime/render/instance.h"

#include "util/alloc.h"
#include "util/cpu.h"
#include "util/debug.h"

#include <string.h>

static const struct rt_level_ops *choose_level(void)
{
#if defined(__x86_64__)
   switch (util_cpu_level()) {
   case UTIL_CPU_V4_FP16:
   case UTIL_CPU_V4_VNNI:
   case UTIL_CPU_V4:
      return &rt_level_ops_v4;
   case UTIL_CPU_V3:
      return &rt_level_ops_v3;
   default:
      break;
   }
#endif
   return &rt_level_ops;
}

struct rt_render *rt_render_create(struct rt_pool *pool, struct rt_worker *worker, struct rt_graph *graph)
{
   struct rt_render *render = util_calloc(1, sizeof(*render));
   if (!render)
      return NULL;
   render->pool = pool;
   render->worker = worker;
   render->ops = choose_level();
   render->graph = graph;
   render->used_256ths = 256;
   render->division = RT_FIRST_DIVISION;
   util_arena_init(&render->arena, 0);
   return render;
}

static void finish_chunk(struct rt_chunk *chunk)
{
   rt_bin_finish(&chunk->bin);
   util_mfree(chunk->pieces);
   util_mfree(chunk->prims);
   util_mfree(chunk->saved);
   rt_xfb_store_finish(&chunk->xfb);
   *chunk = (struct rt_chunk){0};
}

void rt_render_destroy(struct rt_render *render)
{
   if (!render)
      return;
   for (uint32_t i = 0; i < RT_MAX_CHUNKS; i++)
      finish_chunk(&render->chunks[i]);
   rt_task_store_finish(&render->tasks);
   util_arena_finish(&render->arena);
   util_mfree(render->spans);
   util_mfree(render->first_span);
   util_mfree(render->tiles);
   util_mfree(render);
}

/* ---- the target ---- */

/* No image is larger, and primitives' bounds have 16 bits. */
enum { MAX_EXTENT = 16384 };

static void limit_area(struct rt_target *target, const struct rt_attachment *attachment)
{
   if (!attachment->view || !attachment->view->data)
      return;
   target->x1 = UTIL_MIN(target->x1, (int32_t)attachment->view->levels[0].width);
   target->y1 = UTIL_MIN(target->y1, (int32_t)attachment->view->levels[0].height);
   target->num_layers = UTIL_MIN(target->num_layers, UTIL_MAX(attachment->view->num_layers, 1u));
   const uint32_t num_samples = UTIL_MAX(attachment->view->num_samples, 1u);
   target->num_samples = target->num_samples ? UTIL_MIN(target->num_samples, num_samples) : num_samples; /* all have these */
   target->has_load_clears |= attachment->load_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
   target->has_resolves |= attachment->resolve_view && attachment->resolve_mode != VK_RESOLVE_MODE_NONE;
}

void rt_render_begin(struct rt_render *render, const struct rt_cmd_begin_rendering *begin, uint64_t geometry, bool has_company)
{
   struct rt_target *t = &render->target;
   memset(t, 0, sizeof(*t));
   const int64_t right = (int64_t)begin->area.offset.x + begin->area.extent.width;
   const int64_t bottom = (int64_t)begin->area.offset.y + begin->area.extent.height;
   t->x0 = UTIL_CLAMP(begin->area.offset.x, 0, (int32_t)MAX_EXTENT);
   t->y0 = UTIL_CLAMP(begin->area.offset.y, 0, (int32_t)MAX_EXTENT);
   t->x1 = (int32_t)UTIL_MIN(right, (int64_t)MAX_EXTENT);
   t->y1 = (int32_t)UTIL_MIN(bottom, (int64_t)MAX_EXTENT);
   t->view_mask = begin->view_mask;
   t->num_layers = begin->view_mask ? 32 - (uint32_t)__builtin_clz(begin->view_mask) : UTIL_MAX(begin->num_layers, 1u);
   t->num_colors = UTIL_MIN(begin->num_colors, (uint32_t)ABI_MAX_ATTACHMENTS);
   memcpy(t->colors, begin->colors, sizeof(t->colors[0]) * t->num_colors);
   t->depth = begin->depth;
   t->stencil = begin->stencil;
   t->rates = begin->rates;
   t->is_dithered = begin->is_dithered;
   t->follows_writes = util_debug(UTIL_DEBUG_UNINIT);
   for (uint32_t i = 0; i < t->num_colors; i++)
      limit_area(t, &t->colors[i]);
   limit_area(t, &t->depth);
   limit_area(t, &t->stencil);
   t->x1 = UTIL_MAX(t->x1, t->x0);
   t->y1 = UTIL_MAX(t->y1, t->y0);
   t->tile_x0 = t->x0 >> RT_TILE_LOG2;
   t->tile_y0 = t->y0 >> RT_TILE_LOG2;
   t->tiles_x = (uint32_t)(((t->x1 + RT_TILE - 1) >> RT_TILE_LOG2) - t->tile_x0);
   t->tiles_y = (uint32_t)(((t->y1 + RT_TILE - 1) >> RT_TILE_LOG2) - t->tile_y0);
   if (t->x0 == t->x1 || t->y0 == t->y1)
      t->tiles_x = t->tiles_y = 0;
   t->num_tiles = t->tiles_x * t->tiles_y * t->num_layers;

   render->before_geometry = geometry;
   render->has_company = has_company;
   render->is_open = true;
   render->is_started = begin->is_resuming;
   render->has_reads = render->has_loops = false;
   t->is_whole = !begin->is_resuming && !begin->is_suspending;
   if (begin->is_suspending)
      t->has_resolves = false; /* the last part of the chain resolves */
   render->is_out_of_memory = false;
   rt_share_forget(&render->share);
}

/* ---- ends ---- */

VkResult rt_render_finish_on(struct rt_render *render, bool is_last, struct rt_worker *worker)
{
   const bool had_chunks = render->num_chunks != 0;
   VkResult result = rt_window_run_on(render, is_last, worker);
   /* Nothing was drawn: load ops and resolves still happen. */
   const bool must_load = !render->is_started && render->target.has_load_clears;
   const bool must_resolve = is_last && render->target.has_resolves && !had_chunks;
   if (result == VK_SUCCESS && (must_load || must_resolve) && !rt_pool_is_cancelled(render->pool) &&
       !rt_window_run_tiles(render, 0, is_last, worker))
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   return result;
}

bool rt_render_is_empty(const struct rt_render *render)
{
   return !render->is_open || (!render->target.num_tiles && !render->num_chunks);
}

static VkResult finish(struct rt_render *render, bool is_last)
{
   rt_share_forget(&render->share);
   if (rt_render_is_empty(render))
      return VK_SUCCESS;
   render->has_open_chunk = false;
   rt_graph_wait(render->graph, render->worker);
   const VkResult result = rt_render_finish_on(render, is_last, render->worker);
   util_arena_reset(&render->arena);
   return result;
}

VkResult rt_render_flush(struct rt_render *render)
{
   return finish(render, false);
}

VkResult rt_render_flush_xfb(struct rt_render *render)
{
   return render->has_xfb ? finish(render, false) : VK_SUCCESS;
}

VkResult rt_render_end(struct rt_render *render)
{
   const VkResult result = finish(render, true);
   rt_window_give_back(render);
   render->is_open = false;
   return result;
}
