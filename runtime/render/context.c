/* SPDX-License-Identifier: MIT
 * What a draw's stages derive from its state. */
#include "runtime/render/context.h"

#include "runtime/draw/primitive.h"
#include "runtime/draw/samples.h"
#include "runtime/fragment/depth.h"
#include "runtime/fragment/dither.h"
#include "runtime/fragment/output.h"
#include "runtime/fragment/rate.h"
#include "runtime/fragment/unwritten.h"
#include "runtime/geometry/indices.h"
#include "runtime/geometry/xfb.h"
#include "util/bitset.h"
#include "util/debug.h"
#include "util/size.h"

#include <stddef.h>
#include <string.h>

static uint32_t count_bits(const uint64_t set[3])
{
   return (uint32_t)(__builtin_popcountll(set[0]) + __builtin_popcountll(set[1]) + __builtin_popcountll(set[2]));
}

static void init_vertices(struct rt_context *c)
{
   const uint64_t *out = c->last->outputs;
   for (uint32_t i = 0; i < 4; i++)
      c->position_row[i] = rt_output_row(out, ABI_SLOT_POSITION + i);
   c->point_size_row = rt_output_row(out, ABI_SLOT_POINT_SIZE);
   c->layer_row = rt_output_row(out, ABI_SLOT_LAYER);
   c->viewport_row = rt_output_row(out, ABI_SLOT_VIEWPORT);
   c->rate_row = rt_output_row(out, ABI_SLOT_SHADING_RATE);
   for (uint32_t i = 0; i < 8; i++)
      c->distance_row[i] = rt_output_row(out, ABI_SLOT_CLIP_DISTANCE + i);
   c->num_clip_distances = UTIL_MIN(c->last->num_clip_distances, 8u);
   c->num_cull_distances = UTIL_MIN(c->last->num_cull_distances, 8u - c->num_clip_distances);
   c->has_extras = c->layer_row >= 0 || c->viewport_row >= 0 || c->rate_row >= 0 || c->point_size_row >= 0 || c->num_clip_distances ||
                   c->num_cull_distances;
   c->chooses_viewport = c->viewport_row >= 0;
   c->num_vs_outputs = c->vs ? count_bits(c->vs->outputs) : 0;
}

static int32_t primitive_row(const struct abi_shader_info *ms, uint32_t slot)
{
   return util_bitset_test(ms->primitive_slots, slot) ? ms->rows[slot] : -1;
}

/* What the mesh shader says of primitives; the planes must be known. */
static void init_mesh(struct rt_context *c)
{
   const struct abi_shader_info *ms = c->ms;
   c->prim_id_row = primitive_row(ms, ABI_SLOT_PRIMITIVE_ID);
   c->prim_layer_row = primitive_row(ms, ABI_SLOT_LAYER);
   c->prim_viewport_row = primitive_row(ms, ABI_SLOT_VIEWPORT);
   c->prim_rate_row = primitive_row(ms, ABI_SLOT_SHADING_RATE);
   c->prim_cull_row = primitive_row(ms, ABI_SLOT_CULL_PRIMITIVE);
   c->has_prim_extras = c->prim_layer_row >= 0 || c->prim_viewport_row >= 0 || c->prim_rate_row >= 0;
   c->chooses_viewport = c->prim_viewport_row >= 0;
   for (uint32_t k = 0; k < c->num_planes; k++) {
      const int32_t row = c->plane_slot[k] >= ABI_SLOT_USER ? primitive_row(ms, c->plane_slot[k]) : -1;
      c->plane_prim_value[k] = row >= 0 ? (int16_t)c->num_prim_values : -1;
      if (row < 0)
         continue;
      c->prim_value_row[c->num_prim_values++] = (uint16_t)row;
      c->plane_interp[k] = 2; /* whatever the fragment shader says: there is nothing between primitives */
      c->plane_is_perspective[k] = 0;
      c->has_flat = true;
   }
}

/* The slot of the stage before that a stage reads as `slot`. ABI_NUM_SLOTS: none. */
static uint32_t source_slot(const struct abi_shader_info *reader, const struct abi_shader_info *writer, uint32_t slot)
{
   const uint32_t cull_in = ABI_SLOT_CLIP_DISTANCE + reader->num_clip_distances_in, end = ABI_SLOT_CLIP_DISTANCE + 8;
   if (slot < cull_in || slot >= end)
      return slot;
   slot += writer->num_clip_distances - reader->num_clip_distances_in; /* cull distances stand behind each stage's own clip distances */
   return slot < end ? slot : (uint32_t)ABI_NUM_SLOTS;
}

/* Where a stage's inputs stand in what the stage before writes. Returns how many there are. */
static uint32_t find_input_rows(int16_t *rows, const struct abi_shader_info *reader, const struct abi_shader_info *writer)
{
   uint32_t count = 0;
   for (uint32_t slot = 0; slot < ABI_NUM_SLOTS; slot++) {
      if (!util_bitset_test(reader->inputs, slot))
         continue;
      const uint32_t from = source_slot(reader, writer, slot);
      rows[count++] = from < ABI_NUM_SLOTS ? rt_output_row(writer->outputs, from) : -1;
   }
   return count;
}

static void init_geometry_shader(struct rt_context *c)
{
   c->num_gs_inputs = find_input_rows(c->gs_input_row, c->gs, c->before_gs);
   c->num_before_gs = count_bits(c->before_gs->outputs);
   c->num_gs_outputs = count_bits(c->gs->outputs);
   c->gs_flags_row = rt_output_row(c->gs->outputs, ABI_SLOT_VERTEX_FLAGS);
}

/* Where an evaluation shader's inputs stand in the rows of the control shader; those that it does not write are zeros behind them. */
static void init_patch_inputs(struct rt_context *c)
{
   const struct abi_shader_info *tcs = c->tcs;
   const uint32_t lanes = abi_control_batch(tcs->num_rows);
   uint32_t count = 0;
   for (uint32_t slot = 0; slot < ABI_NUM_PATCH_SLOTS; slot++) {
      if (!util_bitset_test(c->tes->inputs, slot))
         continue;
      const uint32_t from = source_slot(c->tes, tcs, slot);
      struct abi_patch_input *input = &c->tes_inputs[count++];
      *input = (struct abi_patch_input){tcs->num_rows * lanes, 0};
      if (from == ABI_NUM_SLOTS || tcs->rows[from] == ABI_NO_ROW)
         continue;
      const bool is_of_patch = util_bitset_test(tcs->patch_slots, from);
      *input = (struct abi_patch_input){tcs->rows[from] * lanes, is_of_patch ? 0 : tcs->rows_per_vertex * lanes};
   }
}

/* Either stage may say how patches are divided. */
static void init_tessellation(struct rt_context *c)
{
   const struct abi_shader_info *tcs = c->tcs, *tes = c->tes;
   const uint32_t order = tes->vertex_order ? tes->vertex_order : tcs->vertex_order;
   const bool is_lower_left = c->state.domain_origin.lower_left; /* else v goes down, and what turns left turns right */
   c->tess_mode = (struct rt_tess_mode){
      .domain = tes->domain ? tes->domain : tcs->domain,
      .spacing = tes->spacing ? tes->spacing : tcs->spacing,
      .is_points = tes->point_mode || tcs->point_mode,
      .is_clockwise = (order == ABI_ORDER_CW) == is_lower_left,
   };
   c->patch_vertices = UTIL_CLAMP(c->state.patch_control_points.count, 1u, (uint32_t)ABI_MAX_PATCH_VERTICES);
   c->tess_corners = c->tess_mode.is_points ? 1 : c->tess_mode.domain == ABI_DOMAIN_ISOLINES ? 2 : 3;
   c->num_tcs_inputs = find_input_rows(c->tcs_input_row, tcs, c->vs);
   c->num_tes_outputs = count_bits(tes->outputs);
   init_patch_inputs(c);
}

/* The slot of the last stage's outputs that fragments read as `slot`. */
static uint32_t output_of_plane(uint32_t slot)
{
   const bool is_flat = slot >= ABI_SLOT_WRITTEN_FLAT && slot < ABI_SLOT_WRITTEN_FLAT + ABI_WRITTEN_WORDS;
   return is_flat ? slot - ABI_SLOT_WRITTEN_FLAT + ABI_SLOT_WRITTEN : slot;
}

static void init_planes(struct rt_context *c)
{
   c->num_planes = 0;
   if (c->fs) {
      for (uint32_t slot = 0; slot < ABI_NUM_SLOTS; slot++) {
         if (!util_bitset_test(c->fs->inputs, slot))
            continue;
         const uint32_t k = c->num_planes++;
         c->plane_slot[k] = (uint8_t)slot;
         c->plane_row[k] = rt_output_row(c->last->outputs, output_of_plane(slot));
         const bool is_integer = slot >= ABI_SLOT_LAYER && slot <= ABI_SLOT_PRIMITIVE_ID;
         c->plane_interp[k] = is_integer ? 2 : c->fs->interp[slot];
         c->plane_is_perspective[k] = c->plane_interp[k] == 0 ? -1 : 0;
         c->has_linear |= c->plane_interp[k] == 1;
         c->has_flat |= c->plane_interp[k] >= 2;
         c->has_corners |= c->plane_interp[k] == 3 || (slot >= ABI_SLOT_BARYCENTRIC && slot < ABI_SLOT_BARYCENTRIC_END);
      }
   }
   c->row_stride = (uint32_t)util_align(c->num_planes, RT_ROW_ALIGN);
   const bool is_triangle =
      c->topology_class == RT_CLASS_TRIANGLES && c->state.polygon_mode.mode == VK_POLYGON_MODE_FILL;
   const size_t bytes = sizeof(struct rt_prim) + (is_triangle ? 3 : RT_MAX_EDGES) * sizeof(struct rt_edge_eq) +
                        c->row_stride * sizeof(struct abi_plane);
   c->prim_bytes = (uint32_t)util_align(bytes, RT_PRIM_ALIGN);
}

/* Spec: Fragment Operations. Tests run early if the shader says so or if the difference cannot be observed. */
static void init_test_order(struct rt_context *c)
{
   const struct abi_shader_info *fs = c->fs;
   if (!c->depth.is_active) {
      c->test_order = RT_TESTS_NONE;
      return;
   }
   c->test_order = RT_TESTS_EARLY;
   c->depth.can_cull = c->depth.has_depth_test && !c->depth.has_stencil_test;
   if (!fs || fs->early_tests)
      return;
   const bool exports = c->writes_z || c->writes_stencil;
   const bool changes_coverage =
      fs->uses_discard || c->writes_sample_mask || c->state.alpha_to_coverage.alpha_to_coverage;
   /* A fragment reads its input attachments before its own depth and stencil are written. */
   const bool writes_what_it_reads = c->reads_attachments && (c->depth.has_depth_write || c->depth.has_stencil_test);
   if (exports || fs->has_side_effects) {
      c->test_order = RT_TESTS_LATE;
      c->depth.can_cull = false;
   } else if (changes_coverage || writes_what_it_reads) {
      c->test_order = c->depth.has_stencil_test ? RT_TESTS_LATE : RT_TESTS_CULL_EARLY;
   }
}

/* What attachments take of the fragment shader's colours: `uninit` reports what it never writes of it. */
static uint32_t find_taken(const struct rt_context *c)
{
   uint32_t taken = c->state.alpha_to_coverage.alpha_to_coverage ? VK_COLOR_COMPONENT_A_BIT : 0; /* of location 0 */
   for (uint32_t i = 0; i < c->target->num_colors; i++) {
      const struct abi_image *view = c->target->colors[i].view;
      const uint8_t mapped = c->state.color_locations.location[i];
      const uint32_t location = mapped ? mapped - 1u : i;
      if (view && view->data && mapped != RT_NO_LOCATION && location < ABI_MAX_ATTACHMENTS)
         taken |= rt_output_components(&c->state, (VkFormat)view->format, i) << 4 * location;
   }
   return taken;
}

static void init_fragment(struct rt_context *c)
{
   const uint64_t written = c->fs ? c->fs->outputs[0] : 0;
   c->writes_z = written >> ABI_FRAG_DEPTH & 1;
   c->writes_stencil = written >> ABI_FRAG_STENCIL & 1;
   c->writes_sample_mask = written >> ABI_FRAG_SAMPLE_MASK & 1;
   c->reads_attachments = c->fs && (c->fs->reads_attachments || c->state.feedback_loop.aspects);
   c->num_samples =
      c->target->num_samples ? c->target->num_samples : UTIL_MAX(c->state.rasterization_samples.samples, 1u);
   c->num_samples = UTIL_MIN(c->num_samples, 16u);
   const bool has_locations = c->state.sample_locations_enable.enable && c->num_samples > 1 &&
                              c->state.sample_locations.count == c->num_samples;
   c->sample_locations = has_locations ? (const uint8_t(*)[2])c->state.sample_locations.at_16 : rt_sample_locations(c->num_samples);
   c->sample_mask = c->state.sample_mask.mask & ((1u << c->num_samples) - 1);
   rt_depth_state_init(&c->depth, &c->state, c->target, c->pipeline->has_unrestricted_depth);
   init_test_order(c);
   c->taken_outputs = util_debug(UTIL_DEBUG_UNINIT) ? find_taken(c) : 0;
   c->num_outputs = rt_output_init(c->outputs, &c->state, c->target, written, c->fs);
   c->is_dithered = false;
   for (uint32_t i = 0; c->target->is_dithered && i < c->num_outputs; i++)
      c->is_dithered |= rt_is_dithered(c->outputs[i].info);
   if (c->fs) {
      const bool wants_samples =
         c->state.sample_shading.enable && c->state.sample_shading.min * (float)c->num_samples > 1.0f;
      c->is_per_sample = c->num_samples > 1 && (c->fs->uses_sample || wants_samples);
      const bool decides_tests = c->depth.is_active && (c->writes_z || c->writes_stencil);
      const bool decides_coverage =
         (c->depth.is_active || c->occlusion) &&
         (c->fs->uses_discard || c->writes_sample_mask || c->state.alpha_to_coverage.alpha_to_coverage);
      c->is_shaded = c->num_outputs || c->fs->has_side_effects || decides_tests || decides_coverage || c->statistics;
   }
}

/* Behind what each primitive has already. */
static void add_line(struct rt_context *c)
{
   c->line_offset = c->prim_bytes;
   c->prim_bytes = util_size_add32(c->prim_bytes, (uint32_t)util_align(sizeof(struct rt_line), RT_PRIM_ALIGN));
}

/* What a texel touches in the middle of a square of half its size and more: edges are moved, and tested at centres.
 * Together with the bounds that shows exactly which squares a convex polygon meets, by the theorem of separating axes. */
static void init_conservative(struct rt_context *c)
{
   const float extra = UTIL_CLAMP(c->state.overestimation.size, 0.0f, 4.0f);
   switch (c->state.conservative.mode) {
   case VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT:
      c->margin_fx8 = (int32_t)(extra * 256.0f + 0.5f);
      c->estimation_fx8 = 128 + c->margin_fx8;
      break;
   case VK_CONSERVATIVE_RASTERIZATION_MODE_UNDERESTIMATE_EXT:
      c->estimation_fx8 = -128;
      break;
   default:
      return;
   }
   if (c->num_samples > 1) /* all samples of a texel alike */
      add_line(c);
}

/* Lines that edges alone do not describe. */
static void init_lines(struct rt_context *c)
{
   const struct rt_state *s = &c->state;
   const bool draws_lines = c->topology_class == RT_CLASS_LINES || (c->topology_class == RT_CLASS_TRIANGLES &&
                                                                    s->polygon_mode.mode == VK_POLYGON_MODE_LINE);
   const bool is_bresenham = s->line_mode.mode == VK_LINE_RASTERIZATION_MODE_BRESENHAM;
   c->smooths_lines = draws_lines && s->line_mode.mode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH;
   if (!draws_lines || !(s->line_stipple_enable.enable || c->smooths_lines || (is_bresenham && c->num_samples > 1)))
      return;
   if (!c->line_offset)
      add_line(c);
   c->continues_lines = s->line_stipple_enable.enable && !c->ms &&
                        (c->gs || s->topology.topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
                         s->topology.topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY);
}

/* Everything in the tile's colour attachments is overwritten, whatever the shader does. */
static bool is_opaque(const struct rt_context *c)
{
   if (!c->fs || c->fs->uses_discard || c->reads_attachments || c->writes_sample_mask || c->depth.is_active ||
       c->state.alpha_to_coverage.alpha_to_coverage || c->sample_mask != (1u << c->num_samples) - 1 || c->has_discard_rectangles)
      return false;
   uint32_t num_attachments = 0;
   for (uint32_t i = 0; i < c->target->num_colors; i++)
      num_attachments += c->target->colors[i].view && c->target->colors[i].view->data;
   for (uint32_t i = 0; i < c->num_outputs; i++)
      num_attachments -= c->outputs[i].mode == RT_OUTPUT_DIRECT && c->outputs[i].has_full_mask;
   return num_attachments == 0 && c->num_outputs;
}

static void init_streams(struct rt_context *c, const struct rt_draw_state *state)
{
   c->mesh_generated = state->mesh_generated;
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++) {
      c->generated[i] = state->generated[i];
      if (c->generated[i] || c->statistics || (c->xfb && c->xfb->streams[i].num_words))
         c->counted_streams |= 1u << i;
   }
}

static void find_stages(struct rt_context *c, const struct rt_shader shaders[ABI_NUM_STAGES])
{
   c->fs = shaders[ABI_STAGE_FRAGMENT].info;
   c->ms = shaders[ABI_STAGE_MESH].info;
   if (c->ms) {
      c->ts = shaders[ABI_STAGE_TASK].info;
      return;
   }
   c->vs = shaders[ABI_STAGE_VERTEX].info;
   c->gs = shaders[ABI_STAGE_GEOMETRY].info;
   if (shaders[ABI_STAGE_CONTROL].info && shaders[ABI_STAGE_EVALUATION].info) {
      c->tcs = shaders[ABI_STAGE_CONTROL].info;
      c->tes = shaders[ABI_STAGE_EVALUATION].info;
   }
}

void rt_context_init(struct rt_context *c, const struct rt_draw_state *state, const struct rt_target *target, struct rt_xfb_layout *xfb)
{
   memset(c, 0, offsetof(struct rt_context, prim_value_row));
   c->pipeline = state->pipeline;
   find_stages(c, state->pipeline->shaders);
   c->target = target;
   memcpy((char *)&c->state + RT_STATE_OF_CONTEXTS, (const char *)state->state + RT_STATE_OF_CONTEXTS, sizeof(c->state) - RT_STATE_OF_CONTEXTS);
   c->occlusion = state->occlusion;
   c->statistics = state->statistics;
   if (c->tes)
      init_tessellation(c);
   c->before_gs = c->tes ? c->tes : c->vs;
   c->last = c->ms ? c->ms : c->gs ? c->gs : c->before_gs;
   c->rasterized_stream = c->state.rasterization_stream.stream;
   c->is_discarded = c->state.rasterizer_discard.enable || !target->num_tiles || (!c->gs && c->rasterized_stream);
   c->last_rows = count_bits(c->last->outputs);
   const bool is_captured = state->xfb && c->last->num_xfb_ranges && !target->view_mask;
   c->keeps_outputs = c->last != c->vs || is_captured;
   c->keeps_evaluated = c->gs || is_captured;
   if (c->gs)
      init_geometry_shader(c);
   const uint32_t corners = c->ms    ? c->ms->corners_out
                            : c->gs  ? c->gs->corners_out
                            : c->tes ? c->tess_corners
                                     : rt_topology_vertices((VkPrimitiveTopology)c->state.topology.topology);
   c->topology_class = corners == 3 ? RT_CLASS_TRIANGLES : corners == 2 ? RT_CLASS_LINES : RT_CLASS_POINTS;
   c->turns_last = corners == 3 && c->state.provoking_vertex.last;
   if (is_captured && xfb) {
      rt_xfb_layout_init(xfb, c);
      c->xfb = xfb;
   }
   init_streams(c, state);
   init_vertices(c);
   init_planes(c);
   if (c->ms)
      init_mesh(c);
   init_fragment(c);
   c->has_rates = rt_rate_is_used(c);
   c->has_discard_rectangles = c->state.discard_rectangle_test.enable && c->state.discard_rectangle_count.count;
   init_conservative(c);
   init_lines(c);
   c->is_opaque = is_opaque(c);
   c->reads_colors = c->target->follows_writes && rt_context_reads_colors(c);
   c->is_droppable = !(c->fs && c->fs->has_side_effects) && !c->occlusion && !c->statistics &&
                     !c->depth.has_depth_write && !c->depth.has_stencil_test;
}
