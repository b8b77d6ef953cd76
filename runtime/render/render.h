/* SPDX-License-Identifier: MIT
 * A render pass instance: draws are collected, their vertices shaded and their primitives binned in parallel, then tiles are rendered in parallel.
 * Spec: Render Pass; Drawing; Rasterization. The walk of a triangle: geometry/ (fetch, shade, assemble, clip, set up, bin), raster/ (tiles,
 * coverage, depth and stencil), fragment/ (shading, blending, stores, resolves).
 * Threads: called by the queue's thread only; uses the pool inside. */
#pragma once

#include "runtime/draw/draw.h"
#include "runtime/pool.h"

struct rt_render;

/* One a queue; keeps its memory between instances. NULL when memory is out. */
UTIL_MUST_CHECK struct rt_render *rt_render_create(struct rt_pool *pool, struct rt_worker *worker);
void rt_render_destroy(struct rt_render *render);

void rt_render_begin(struct rt_render *render, const struct rt_cmd_begin_rendering *begin);
/* Clears state->dirty. VK_ERROR_OUT_OF_HOST_MEMORY loses the draw; the queue then loses the device. */
UTIL_MUST_CHECK VkResult rt_render_draw(struct rt_render *render, struct rt_draw_state *state, const struct rt_draw_params *draw);
/* The same for a pipeline with a mesh shader; `draw` has a grid. */
UTIL_MUST_CHECK VkResult rt_render_draw_mesh(struct rt_render *render, struct rt_draw_state *state, const struct rt_draw_params *draw);
UTIL_MUST_CHECK VkResult rt_render_clear(struct rt_render *render, const struct rt_cmd_clear_attachments *clear);
/* Executes what was collected so far; load ops have happened, later draws see and continue the results. For barriers inside a pass and queries' ends. */
UTIL_MUST_CHECK VkResult rt_render_flush(struct rt_render *render);
/* Executes what was collected if any of it captures: then state->xfb says where the next vertex goes, and the data is written. */
UTIL_MUST_CHECK VkResult rt_render_flush_xfb(struct rt_render *render);
UTIL_MUST_CHECK VkResult rt_render_end(struct rt_render *render);
