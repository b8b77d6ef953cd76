/* SPDX-License-Identifier: MIT
 * A render pass instance: draws are collected, their vertices shaded and their primitives binned in parallel, then tiles are rendered in parallel.
 * Spec: Render Pass; Drawing; Rasterization. The walk of a triangle: geometry/ (fetch, shade, assemble, clip, set up, bin), raster/ (tiles,
 * coverage, depth and stencil), fragment/ (shading, blending, stores, resolves).
 * An instance either runs at its end, or is put off: it becomes tasks of the queue's graph, and others are collected meanwhile.
 * Threads: called by the queue's thread only; uses the pool inside. */
#pragma once

#include "runtime/draw/draw.h"
#include "runtime/pool.h"

struct rt_render;

/* One for each instance that a queue has in hand; keeps its memory between instances. NULL when memory is out. */
UTIL_MUST_CHECK struct rt_render *rt_render_create(struct rt_pool *pool, struct rt_worker *worker, struct rt_graph *graph);
/* What was put off has been retired. */
void rt_render_destroy(struct rt_render *render);

/* `geometry`: a task of the graph that comes before all vertex work; 0: none. What has to run before the instance ends
 * waits for all of the graph. `has_company`: other instances keep the threads busy, so that draws are cut into no more parts than that needs. */
void rt_render_begin(struct rt_render *render, const struct rt_cmd_begin_rendering *begin, uint64_t geometry, bool has_company);
/* Clears state->dirty. VK_ERROR_OUT_OF_HOST_MEMORY loses the draw; the queue then loses the device. */
UTIL_MUST_CHECK VkResult rt_render_draw(struct rt_render *render, struct rt_draw_state *state, const struct rt_draw_params *draw);
/* The same for a pipeline with a mesh shader; `draw` has a grid. */
UTIL_MUST_CHECK VkResult rt_render_draw_mesh(struct rt_render *render, struct rt_draw_state *state, const struct rt_draw_params *draw);
UTIL_MUST_CHECK VkResult rt_render_clear(struct rt_render *render, const struct rt_cmd_clear_attachments *clear);
/* Executes what was collected so far; load ops have happened, later draws see and continue the results. For barriers inside a pass and queries' ends. */
UTIL_MUST_CHECK VkResult rt_render_flush(struct rt_render *render);
/* Executes what was collected if any of it captures: then state->xfb says where the next vertex goes, and the data is written. */
UTIL_MUST_CHECK VkResult rt_render_flush_xfb(struct rt_render *render);
/* Waits for all of the graph. */
UTIL_MUST_CHECK VkResult rt_render_end(struct rt_render *render);

/* Tasks of an instance that was put off; 0: there is nothing to do. */
struct rt_render_tasks {
   uint64_t geometry, fragments;
};
/* What it can be is known at its end: one that is a part of another, or captures, is not put off. */
bool rt_render_can_wait(const struct rt_render *render);
/* One of little work: sharing it costs more than it gives. */
bool rt_render_is_small(const struct rt_render *render);
/* Bytes that it holds until it is retired, as far as they are foreseen. */
uint64_t rt_render_bytes(const struct rt_render *render);
/* True if both render to the same target. */
bool rt_render_shares_target(const struct rt_render *a, const struct rt_render *b);
/* Instead of rt_render_end(): `deps`, RT_MAX_RENDER_DEPS at most, come before its fragments. False when memory is out: then rt_render_end() does it. */
enum { RT_MAX_RENDER_DEPS = 32 };
UTIL_MUST_CHECK bool rt_render_put_off(struct rt_render *render, const uint64_t *deps, uint32_t num_deps, struct rt_render_tasks *tasks);
/* After its tasks: it may begin anew. */
UTIL_MUST_CHECK VkResult rt_render_retire(struct rt_render *render);
