/* SPDX-License-Identifier: MIT
 * A draw: what it is recorded with, and what its pieces share while they are worked on. Spec: Drawing. */
#pragma once

#include "runtime/cmd/cmd.h"

/* Transform feedback while it is active: where the next vertex goes in each buffer moves on from draw to draw. */
struct rt_xfb {
   struct rt_xfb_buffer {
      uint8_t *data; /* NULL: none is bound */
      uint64_t size_bytes, begin_bytes, at_bytes; /* capture began at `begin_bytes` */
   } buffers[ABI_MAX_XFB_BUFFERS];
};

/* What changed since the last draw: the parts of struct rt_draw that are made anew. */
enum rt_dirty {
   RT_DIRTY_CONTEXT = 1 << 0,   /* the pipeline, its state, queries, transform feedback */
   RT_DIRTY_VIEWPORTS = 1 << 1, /* state that struct rt_viewports is made of */
   RT_DIRTY_INPUTS = 1 << 2,    /* the same of struct rt_inputs, but for the buffers */
   RT_DIRTY_BUFFERS = 1 << 3,
   RT_DIRTY_SETS = 1 << 4,
   RT_DIRTY_PUSH = 1 << 5,
   RT_DIRTY_STATE = RT_DIRTY_CONTEXT | RT_DIRTY_VIEWPORTS | RT_DIRTY_INPUTS,
   RT_DIRTY_ALL = RT_DIRTY_STATE | RT_DIRTY_BUFFERS | RT_DIRTY_SETS | RT_DIRTY_PUSH,
};

/* What a draw needs besides its parameters; borrowed during the call only, so runtime/render copies what it keeps, and draws share the copies. */
struct rt_draw_state {
   uint32_t dirty; /* bit set of enum rt_dirty; cleared by the draw */
   uint64_t order; /* rt_worker.order */
   const struct rt_graphics_pipeline *pipeline;
   const struct rt_state *state;
   const struct abi_resources *resources;
   struct rt_vertex_buffer vertex_buffers[RT_MAX_VERTEX_BINDINGS];
   struct rt_vertex_buffer index_buffer;
   uint32_t index_bytes, restart_index;
   /* Of each type the query that began last, of those that are active; NULL: none is. */
   struct rt_query *occlusion, *statistics, *mesh_generated;
   struct rt_query *generated[ABI_MAX_STREAMS], *captured[ABI_MAX_STREAMS]; /* by stream */
   struct rt_xfb *xfb; /* NULL: transform feedback is not active; changed by draws */
};

struct rt_draw_params {
   bool is_indexed;
   uint32_t count, instance_count, first, first_instance; /* vertices or indices */
   int32_t vertex_offset;
   uint32_t draw_index;
   uint32_t grid[3]; /* workgroups of a draw of meshes, which has nothing else but draw_index */
};

/* A run of vertices without primitive restart. Draws without restart have one. */
struct rt_segment {
   uint32_t first, count; /* positions */
   uint32_t first_prim;   /* of an instance */
};

/* Workgroups of a mesh shader, or of the task shader before it. */
enum { RT_GRID_VIEW_SHIFT = 24 };
_Static_assert((int)ABI_MAX_MESH_WORKGROUPS < 1 << RT_GRID_VIEW_SHIFT, "tasks have numbers below those of views");
struct rt_mesh_grid {
   uint32_t count[3];
   const uint8_t *payload; /* of a task; NULL: there is none */
   const uint8_t *payload_shadow; /* `uninit`: bits of the payload that nobody wrote; NULL: all of it is written */
   uint32_t number;        /* of the draw's: that of the task, with RT_GRID_VIEW_SHIFT that of the view */
};

/* Where primitives go: the first of them, in each buffer; NULL: none is bound. */
struct rt_xfb_target {
   uint8_t *data[ABI_MAX_XFB_BUFFERS];
   uint64_t num_prims; /* that have room */
};

/* A draw points to parts that it shares with others, as far as those were recorded with the same. */
struct rt_draw {
   const struct rt_context *context;
   const struct rt_viewports *viewports;
   const struct rt_inputs *inputs; /* of the vertex shader; NULL: there is none */
   struct abi_resources resources;
   struct rt_vertex_buffer index_buffer;
   uint32_t index_bytes, restart_index;
   uint64_t order; /* rt_worker.order */
   struct rt_draw_params params;
   uint32_t topology; /* VkPrimitiveTopology */
   uint32_t prims;    /* of one instance */
   uint32_t vertices; /* of one instance, restart indices left out */
   uint32_t num_segments;
   const struct rt_segment *segments;
   struct rt_segment whole; /* where there is one */
   uint32_t corners; /* vertices that a primitive takes: with adjacent ones where a stage reads them */
   struct rt_mesh_grid grid; /* of a draw without vertices */
   struct rt_xfb_target xfb; /* where a counted draw's primitives are captured */
};
