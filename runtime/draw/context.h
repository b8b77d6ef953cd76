/* SPDX-License-Identifier: MIT
 * A draw's context: a copy of the state that it was recorded with, and what the pipeline's stages derive from it once.
 * Draws with the same pipeline and state share one, whatever came between them. What changes more often stands in struct rt_draw.
 * Owned by the render's arena; constant while geometry and tiles run. */
#pragma once

#include "runtime/cmd/query.h"
#include "runtime/draw/depth.h"
#include "runtime/draw/draw.h"
#include "runtime/draw/output.h"
#include "runtime/draw/viewport.h"
#include "runtime/pool.h"
#include "util/bitset.h"

enum { RT_ROW_ALIGN = 4, RT_MAX_PLANES = ABI_MAX_PLANES + ABI_SLOT_USER + 24 };

enum rt_topology_class { RT_CLASS_POINTS, RT_CLASS_LINES, RT_CLASS_TRIANGLES };

/* When depth and stencil tests run, relative to the fragment shader. */
enum rt_test_order {
   RT_TESTS_NONE,
   RT_TESTS_EARLY,
   RT_TESTS_LATE,
   RT_TESTS_CULL_EARLY, /* the depth test drops fragments early and is repeated, with its writes, after the shader */
};

/* How patches are divided. */
struct rt_tess_mode {
   uint8_t domain, spacing; /* enum abi_domain, abi_spacing */
   bool is_points;
   bool is_clockwise; /* triangles, as u goes right and v up */
};

struct rt_context {
   const struct rt_graphics_pipeline *pipeline;
   const struct abi_shader_info *vs, *fs; /* fs may be NULL */
   const struct abi_shader_info *ts, *ms; /* ms: instead of vs, with ts before it or not; then no other stage is there but fs */
   const struct abi_shader_info *tcs, *tes; /* both or none */
   const struct abi_shader_info *gs;      /* may be NULL */
   const struct abi_shader_info *before_gs; /* of the stage whose vertices it reads */
   const struct abi_shader_info *last;    /* of the stage whose vertices are rasterized */
   const struct rt_xfb_layout *xfb;       /* what transform feedback captures of that; NULL: nothing */
   const struct rt_target *target;
   struct rt_state state; /* from RT_STATE_OF_CONTEXTS on: the rest is zero */

   /* geometry */
   uint32_t num_vs_outputs;
   bool keeps_outputs; /* a stage, or capture, reads what the vertex shader wrote */
   bool keeps_evaluated; /* the same of the evaluation shader */
   bool is_discarded;  /* nothing is rasterized */
   uint32_t last_rows; /* that the last stage writes of a vertex */
   int16_t position_row[4], point_size_row, layer_row, viewport_row, rate_row; /* rows of the last stage's outputs; -1: not written */
   int16_t distance_row[8];
   uint32_t num_clip_distances, num_cull_distances;
   struct rt_tess_mode tess_mode;
   uint32_t patch_vertices;                 /* that the control shader reads */
   uint32_t num_tcs_inputs, num_tes_outputs; /* rows of a vertex */
   uint32_t tess_corners;                   /* of what patches are divided into */
   uint32_t num_gs_inputs, num_gs_outputs, num_before_gs; /* rows of a vertex; the last of what is read */
   int16_t gs_input_row[ABI_NUM_SLOTS];    /* of the stage before, by rank of the input; -1: it reads zeros */
   int16_t gs_flags_row;                   /* of its outputs: ABI_SLOT_VERTEX_FLAGS */
   bool has_extras; /* any of: layer, viewport, shading rate, point size, distances */
   uint32_t num_planes;
   int16_t plane_row[RT_MAX_PLANES]; /* row of the last stage's outputs; -1: a constant: plane_slot says which */
   uint8_t plane_slot[RT_MAX_PLANES];
   uint8_t plane_interp[RT_MAX_PLANES]; /* abi_shader_info.interp: 0 perspective, 1 linear, 2 flat, 3 per vertex */
   int32_t plane_is_perspective[RT_MAX_PLANES]; /* -1 or 0: a mask, padded with zeros like rows */
   bool has_linear, has_flat; /* flat: or per vertex */
   int32_t estimation_fx8; /* conservative: by how many 1/256 texels edges move out from the centres; 0: not */
   int32_t margin_fx8;     /* by which bounds grow */
   bool has_corners; /* attributes depend on which corner a vertex is: barycentric ones, those read per vertex */
   uint32_t row_stride;     /* floats of a vertex's attributes: num_planes rounded up to RT_ROW_ALIGN, the rest zero */
   uint32_t prim_bytes;     /* of a struct rt_prim with its edges, planes and struct rt_line, aligned */
   uint32_t line_offset;    /* in a primitive, bytes; 0: no struct rt_line */
   bool smooths_lines;      /* alpha is multiplied by how much of the texel a line covers */
   bool continues_lines;    /* the stipple's counter goes on from segment to segment: strips stay in one piece */
   uint32_t topology_class; /* of what is rasterized: enum rt_topology_class */
   bool turns_last; /* triangles whose last vertex provokes */

   /* raster and fragment */
   uint32_t num_samples;
   const uint8_t (*sample_locations)[2]; /* [num_samples] in 1/16 texel */
   uint32_t sample_mask;
   uint32_t test_order; /* enum rt_test_order */
   struct rt_depth_state depth;
   bool is_shaded;    /* the fragment shader must run */
   bool is_opaque;    /* where it covers, nothing of what colour attachments held is left */
   bool is_droppable; /* colours are all that it leaves behind: what is opaque hides it */
   bool reads_colors; /* target->follows_writes: it reads colours of attachments, whether or not it is hidden later */
   bool is_per_sample;
   bool is_dithered;  /* an output is of a format that dithering counts for, and the rendering asks for it */
   bool has_rates;    /* fragments may be larger than a texel */
   bool has_discard_rectangles;
   bool writes_z, writes_stencil, writes_sample_mask;
   bool reads_attachments; /* the fragment shader may read what the draw writes, at the same location */
   uint32_t taken_outputs; /* abi_fragment_args.taken_outputs */
   uint32_t num_outputs;
   struct rt_output outputs[ABI_MAX_ATTACHMENTS];
   struct rt_query *occlusion; /* NULL: none */
   struct rt_query *statistics;
   struct rt_query *generated[ABI_MAX_STREAMS]; /* primitives generated, by stream; NULL: nobody asks */
   struct rt_query *mesh_generated; /* primitives that mesh shaders make; NULL: nobody asks */
   uint32_t counted_streams;                    /* bit set of those whose primitives are counted or captured */
   uint32_t rasterized_stream;

   /* With a mesh shader alone: words of its output where a primitive's rows begin; -1: there is none. */
   bool chooses_viewport; /* the viewport is not always the first one; of vertices too */
   bool has_prim_extras;
   int32_t prim_id_row, prim_layer_row, prim_viewport_row, prim_rate_row, prim_cull_row;
   uint32_t num_prim_values; /* that the fragment shader reads */

   /* Filled with tessellation or a mesh shader alone; nothing is written here otherwise. */
   uint16_t prim_value_row[RT_MAX_PLANES];
   int16_t plane_prim_value[RT_MAX_PLANES]; /* -1: the plane is of vertices */
   int16_t tcs_input_row[ABI_NUM_SLOTS]; /* of the vertex shader's outputs, by rank of the input; -1: it reads zeros */
   struct abi_patch_input tes_inputs[ABI_NUM_PATCH_SLOTS]; /* by rank */
};

static inline void rt_context_count(const struct rt_context *c, VkQueryPipelineStatisticFlagBits statistic, uint64_t n)
{
   rt_query_count(c->statistics, statistic, n);
}

/* The worker runs a shader of the draw from here on. */
static inline void rt_draw_enter(const struct rt_draw *draw, enum abi_stage stage, struct rt_worker *worker)
{
   worker->order = draw->order;
   worker->num_entries++;
   rt_worker_describe(worker, draw->context->pipeline->shaders[stage].name);
}

/* The row of `slot` in arrays that have one row per set bit; -1 if the bit is clear. */
static inline int16_t rt_output_row(const uint64_t set[3], uint32_t slot)
{
   if (!util_bitset_test(set, slot))
      return -1;
   uint32_t row = 0;
   for (uint32_t w = 0; w < slot / 64; w++)
      row += (uint32_t)__builtin_popcountll(set[w]);
   return (int16_t)(row + (uint32_t)__builtin_popcountll(set[slot / 64] & ((UINT64_C(1) << (slot % 64)) - 1)));
}
