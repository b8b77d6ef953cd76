/* SPDX-License-Identifier: MIT
 * The chain's end: culls, clips and sets up the primitives of packets, in order. */
#include "runtime/geometry/emit.h"

#include "runtime/fragment/rate.h"
#include "runtime/geometry/clip.h"
#include "runtime/geometry/cull.h"

#include <string.h>

static uint32_t depth_codes(const struct rt_draw *draw)
{
   return draw->viewports->has_near_far ? RT_CODE_NEAR | RT_CODE_FAR : 0;
}

static uint32_t clip_distance_codes(const struct rt_context *c)
{
   return (RT_CODE_CLIP0 << c->num_clip_distances) - RT_CODE_CLIP0;
}

/* The codes that cut primitives of a class: polygons reach beyond the view volume's sides, where the polygon rectangle
 * cuts them. */
static uint32_t cutting_codes(const struct rt_draw *draw, uint32_t corners)
{
   return RT_CODE_W | RT_CODE_GUARD | depth_codes(draw) | clip_distance_codes(draw->context) | (corners == 3 ? 0 : RT_CODE_SIDES);
}

/* One primitive's corners, loaded through the primitive's viewport. */
struct corners {
   struct rt_vertex vertices[3];
   const struct rt_vertex *v[3];
   const float *rows[3];
   uint32_t all, any; /* intersection and union of the clip codes */
};

static inline struct rt_setup_vertex setup_vertex(const struct rt_vertex *v, const float *row)
{
   return (struct rt_setup_vertex){{v->x, v->y, v->z, v->inv_w}, row};
}

static void emit_triangle(struct rt_emitter *e, struct rt_setup *setup, const struct corners *p, uint32_t cuts)
{
   if (!cuts) {
      setup->num_prims++;
      const struct rt_setup_vertex v[3] = {setup_vertex(p->v[0], p->rows[0]), setup_vertex(p->v[1], p->rows[1]),
                                           setup_vertex(p->v[2], p->rows[2])};
      rt_setup_triangle(setup, v);
      return;
   }
   struct rt_clipped clipped;
   rt_clip_triangle(setup->draw, p->v, p->rows, cuts, e->clip_rows, &clipped);
   setup->num_prims += clipped.count ? clipped.count - 2 : 0;
   for (uint32_t i = 2; i < clipped.count; i++)
      rt_setup_triangle(
         setup, (const struct rt_setup_vertex[3]){clipped.vertices[0], clipped.vertices[i - 1], clipped.vertices[i]});
}

static void emit_line(struct rt_emitter *e, struct rt_setup *setup, const struct corners *p, uint32_t cuts)
{
   if (!cuts) {
      setup->num_prims++;
      rt_setup_line(setup, (const struct rt_setup_vertex[2]){setup_vertex(p->v[0], p->rows[0]),
                                                             setup_vertex(p->v[1], p->rows[1])});
      return;
   }
   struct rt_clipped clipped;
   rt_clip_line(setup->draw, p->v, p->rows, cuts, e->clip_rows, &clipped);
   if (clipped.count != 2)
      return;
   setup->num_prims++;
   rt_setup_line(setup, clipped.vertices);
}

/* The attributes of corner `i`, whose number in the API's order is `number`: barycentric ones are 1 at that, 0 else.
 * Spec: Rasterization, "Barycentric Interpolation". */
static const float *corner_row(struct rt_emitter *e, const struct rt_context *c, const float *row, uint32_t i, uint32_t number)
{
   float *own = e->corner_rows + (size_t)i * c->row_stride;
   memcpy(own, row, c->row_stride * sizeof(*own));
   for (uint32_t k = 0; k < c->num_planes; k++) {
      if (c->plane_slot[k] >= ABI_SLOT_BARYCENTRIC && c->plane_slot[k] < ABI_SLOT_BARYCENTRIC_END)
         own[k] = (c->plane_slot[k] - ABI_SLOT_BARYCENTRIC) % 3u == number ? 1.0f : 0.0f;
   }
   return own;
}

static bool draws_corners(const struct rt_context *c)
{
   return c->state.polygon_mode.mode == VK_POLYGON_MODE_POINT;
}

static float point_size(const struct rt_emitter *e, const struct rt_context *c, uint32_t slot)
{
   return c->has_extras ? e->packet->batch.extras[slot].point_size : 1.0f;
}

/* Primitives of any topology, in any viewport. */
static void emit_any(struct rt_emitter *e, struct rt_setup *setup, const uint16_t *slots, uint32_t n)
{
   const struct rt_context *c = setup->context;
   struct corners p = {.all = UINT32_MAX};
   for (uint32_t i = 0; i < n; i++) {
      rt_vertex_load(setup->draw, &e->packet->batch, slots[i], setup->viewport, &p.vertices[i]);
      p.v[i] = &p.vertices[i];
      p.rows[i] = e->packet->batch.rows + (size_t)slots[i] * c->row_stride;
      p.all &= p.v[i]->codes;
      p.any |= p.v[i]->codes;
      if (c->has_corners) { /* triangles start with their provoking vertex, which may be the last */
         const uint32_t number = n == 3 && c->state.provoking_vertex.last ? (i + 2) % 3 : i;
         setup->corner_rows[number] = p.rows[i];
         p.rows[i] = corner_row(e, c, p.rows[i], i, number);
      }
      if (n == 3 && draws_corners(c))
         setup->corners[i] = (struct rt_setup_corner){p.v[i]->x, p.v[i]->y, point_size(e, c, slots[i])};
   }
   for (uint32_t i = n; i < 3; i++) /* vertices that lines and points do not have are their last */
      setup->corner_rows[i] = setup->corner_rows[n - 1];
   if (p.all & (RT_CODE_SIDES | depth_codes(setup->draw) | RT_CODE_W | RT_CODE_DISTANCES))
      return;
   const uint32_t cuts = p.any & cutting_codes(setup->draw, n);
   if (n == 3) {
      emit_triangle(e, setup, &p, cuts);
   } else if (n == 2) {
      emit_line(e, setup, &p, cuts);
   } else if (!cuts) {
      setup->num_prims++;
      const struct rt_setup_vertex v = setup_vertex(p.v[0], p.rows[0]);
      rt_setup_point(setup, &v, point_size(e, c, slots[0]));
   }
}

/* What a mesh shader says of the primitive itself. */
static void begin_mesh_prim(const struct rt_emitter *e, struct rt_setup *setup, uint32_t prim)
{
   const struct rt_context *c = setup->context;
   setup->prim_values = e->packet->prim_values + (size_t)prim * c->num_prim_values;
   if (!c->has_prim_extras)
      return;
   if (c->has_rates)
      setup->rate = rt_rate_of_prim(c, e->packet->prim_extras[prim].rate);
   setup->viewport = e->packet->prim_extras[prim].viewport;
   setup->layer = c->target->view_mask ? setup->view : e->packet->prim_extras[prim].layer;
}

/* What the provoking vertex says about the primitive. */
static inline void begin_prim(const struct rt_emitter *e, struct rt_setup *setup, uint32_t prim, uint32_t provoking)
{
   const struct rt_context *c = setup->context;
   const struct rt_batch *b = &e->packet->batch;
   setup->flat_row = b->rows + (size_t)provoking * c->row_stride;
   setup->primitive_id = e->packet->primitive_ids[prim];
   setup->viewport = c->has_extras ? b->extras[provoking].viewport : 0;
   setup->layer = c->has_extras && !c->target->view_mask ? b->extras[provoking].layer : setup->view;
   if (UTIL_UNLIKELY(c->has_rates))
      setup->rate = rt_rate_of_prim(c, c->has_extras ? b->extras[provoking].rate : 0);
   if (UTIL_UNLIKELY(c->ms))
      begin_mesh_prim(e, setup, prim);
}

/* Sets up the packet's primitive number `prim`. */
static inline void emit(struct rt_emitter *e, struct rt_setup *setup, uint32_t prim, uint32_t n)
{
   const struct rt_context *c = setup->context;
   const struct rt_batch *b = &e->packet->batch;
   const uint16_t *slots = &e->packet->corners[prim * n];
   const uint32_t provoking = slots[n == 2 && c->state.provoking_vertex.last ? 1 : 0];
   uint32_t any = 0, all = UINT32_MAX;
   for (uint32_t i = 0; i < n; i++) {
      any |= b->codes[slots[i]];
      all &= b->codes[slots[i]];
   }
   if (any & RT_CODE_BAD)
      return;
   if (n == 2 && (!c->continues_lines || e->packet->starts[prim]))
      setup->stipple = 0;
   begin_prim(e, setup, prim, provoking);
   if (UTIL_UNLIKELY(n != 3 || setup->viewport || c->has_corners || draws_corners(c) || any & cutting_codes(setup->draw, 3))) {
      emit_any(e, setup, slots, n);
      return;
   }
   if (all & (RT_CODE_SIDES | depth_codes(setup->draw) | RT_CODE_DISTANCES))
      return;
   struct rt_setup_vertex v[3];
   for (uint32_t i = 0; i < 3; i++)
      v[i] = (struct rt_setup_vertex){b->post[slots[i]], b->rows + (size_t)slots[i] * c->row_stride};
   setup->num_prims++;
   rt_setup_triangle(setup, v);
}

/* Sets up what is left of 16 primitives, from number `first` on; returns how many were done with before the chunk was
 * full. */
static uint32_t emit_group(struct rt_emitter *e, struct rt_setup *setup, uint32_t first, const struct rt_culled *culled,
                           uint32_t n)
{
   const struct rt_context *c = setup->context;
   for (uint32_t left = culled->left; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left), i = first + lane;
      if (!rt_chunk_has_room(setup->chunk, c->prim_bytes))
         return lane;
      if (culled->is_ready >> lane & 1) {
         begin_prim(e, setup, i, e->packet->corners[i * 3]);
         rt_setup_culled(setup, &e->packet->batch, &e->packet->corners[i * 3], culled, lane);
      } else {
         emit(e, setup, i, n);
      }
      if (setup->is_out_of_memory)
         return lane;
   }
   return 16;
}

/* Sets up the packet's primitives from number `begin` on until the chunk is full; returns the number of the first that
 * waits. */
static uint32_t emit_all(struct rt_emitter *e, struct rt_setup *setup, uint32_t begin, uint32_t n)
{
   const struct rt_context *c = setup->context;
   const uint32_t count = e->packet->num_prims;
   struct rt_cull cull;
   struct rt_culled culled = {0};
   const bool culls = n == 3 && !c->has_corners && !c->estimation_fx8; /* else triangles are set up one by one */
   if (culls)
      rt_cull_init(&cull, setup->draw, RT_CODE_SIDES | depth_codes(setup->draw) | RT_CODE_W | RT_CODE_DISTANCES, cutting_codes(setup->draw, 3));
   for (uint32_t first = begin & ~15u; first < count; first += 16) {
      if (culls)
         first = rt_cull_triangles(&cull, &e->packet->batch, e->packet->corners, first, count, &culled);
      else
         culled.left = count - first < 16 ? (1u << (count - first)) - 1 : 0xffff;
      if (first >= count)
         break;
      if (first < begin)
         culled.left &= ~0u << (begin - first);
      const uint32_t run = emit_group(e, setup, first, &culled, n);
      if (run < 16)
         return first + run;
   }
   return count;
}

uint32_t rt_emit_packet(struct rt_emitter *e, struct rt_chunk *chunk, const struct rt_draw *draw, uint32_t view,
                        const struct rt_packet *packet, uint32_t first)
{
   const struct rt_context *c = draw->context;
   struct rt_setup setup = {.chunk = chunk, .draw = draw, .context = c, .view = view, .stipple = e->stipple};
   e->packet = packet;
   const uint32_t done =
      c->is_discarded ? packet->num_prims : emit_all(e, &setup, first, packet->corners_per_prim);
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT, done - first);
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT, setup.num_prims);
   e->stipple = setup.stipple;
   chunk->is_out_of_memory |= setup.is_out_of_memory;
   return done;
}
