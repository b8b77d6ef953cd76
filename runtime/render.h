/* SPDX-License-Identifier: MIT
 * A render pass instance: draws are collected, their vertices shaded and their primitives binned in parallel, then tiles are rendered in parallel.
 * Spec: Render Pass; Drawing; Rasterization. The walk of a triangle: geometry/ (fetch, shade, assemble, clip, set up, bin), raster/ (tiles,
 * coverage, depth and stencil), fragment/ (shading, blending, stores, resolves).
 * Threads: called by the queue's thread only; uses the pool inside. */
#pragma once

#include "runtime/cmd/cmd.h"
#include "runtime/pool.h"

struct rt_render;

/* Transform feedback while it is active: where the next vertex goes in each buffer moves on from draw to draw. */
struct rt_xfb {
   struct rt_xfb_buffer {
      uint8_t *data; /* NULL: none is bound */
      uint64_t size_bytes, at_bytes;
   } buffers[ABI_MAX_XFB_BUFFERS];
};

/* What a draw needs besides its parameters; borrowed during the call only, so rt_render_draw() copies what it keeps (and keeps one copy for draws
 * in a row while `generation` stays the same). */
struct rt_draw_state {
   uint64_t generation; /* changes whenever anything below does */
   uint64_t order;      /* rt_worker.order; not part of the generation: draws in a row count as the first of them */
   const struct rt_graphics_pipeline *pipeline;
   const struct rt_state *state;
   const struct abi_resources *resources;
   struct rt_vertex_buffer vertex_buffers[RT_MAX_VERTEX_BINDINGS];
   struct rt_vertex_buffer index_buffer;
   uint32_t index_bytes, restart_index;
   struct rt_query_pool *occlusion_pool; /* NULL: none active */
   uint32_t occlusion_query;
   struct rt_query_pool *statistics_pool;
   uint32_t statistics_query;
   struct rt_query *generated[ABI_MAX_STREAMS], *captured[ABI_MAX_STREAMS]; /* by stream; NULL: no query is active */
   struct rt_query *mesh_generated; /* NULL: the same */
   struct rt_xfb *xfb; /* NULL: transform feedback is not active; changed by draws */
};

struct rt_draw_params {
   bool is_indexed;
   uint32_t count, instance_count, first, first_instance; /* vertices or indices */
   int32_t vertex_offset;
   uint32_t draw_index;
   uint32_t grid[3]; /* workgroups of a draw of meshes, which has nothing else but draw_index */
};

/* One a queue; keeps its memory between instances. NULL when memory is out. */
UTIL_MUST_CHECK struct rt_render *rt_render_create(struct rt_pool *pool, struct rt_worker *worker);
void rt_render_destroy(struct rt_render *render);

void rt_render_begin(struct rt_render *render, const struct rt_cmd_begin_rendering *begin);
/* VK_ERROR_OUT_OF_HOST_MEMORY loses the draw; the queue then loses the device. */
UTIL_MUST_CHECK VkResult rt_render_draw(struct rt_render *render, const struct rt_draw_state *state, const struct rt_draw_params *draw);
/* The same for a pipeline with a mesh shader; `draw` has a grid. */
UTIL_MUST_CHECK VkResult rt_render_draw_mesh(struct rt_render *render, const struct rt_draw_state *state, const struct rt_draw_params *draw);
UTIL_MUST_CHECK VkResult rt_render_clear(struct rt_render *render, const struct rt_cmd_clear_attachments *clear);
/* Executes what was collected so far; load ops have happened, later draws see and continue the results. For barriers inside a pass and queries' ends. */
UTIL_MUST_CHECK VkResult rt_render_flush(struct rt_render *render);
/* Executes what was collected if any of it captures: then state->xfb says where the next vertex goes, and the data is written. */
UTIL_MUST_CHECK VkResult rt_render_flush_xfb(struct rt_render *render);
UTIL_MUST_CHECK VkResult rt_render_end(struct rt_render *render);
