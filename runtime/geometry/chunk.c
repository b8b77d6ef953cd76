/* SPDX-License-Identifier: MIT
 * Chunks: gathers the vertices of a batch of primitives, shades each once, then clips, sets up and bins in order. */
#include "runtime/geometry/chunk.h"

#include "runtime/geometry/clip.h"
#include "runtime/geometry/cull.h"
#include "runtime/geometry/gather.h"

#include <string.h>

enum {
   PADDED_VERTICES = RT_BATCH_VERTICES + ABI_VERTEX_BATCH, /* the last call of a batch may write more than it has */
   INPUT_ROWS = ABI_MAX_LOCATIONS * 4,
};

/* A worker's scratch memory while it runs a chunk. */
struct assembly {
   struct rt_batch batch;
   struct rt_gather gather;
   float *clip_rows;
   float *corner_rows; /* [3] rows */
};

static size_t layout(struct assembly *a, uint8_t *base, uint32_t row_stride, uint32_t num_outputs)
{
   size_t at = 0;
#define PLACE(field, count)                                                                                            \
   do {                                                                                                                \
      a->field = (void *)(base + at);                                                                                  \
      at = util_align(at + sizeof(*a->field) * (size_t)(count), 64);                                                   \
   } while (0)
   PLACE(batch.vertex_index, PADDED_VERTICES);
   PLACE(batch.instance_index, PADDED_VERTICES);
   for (uint32_t i = 0; i < 4; i++)
      PLACE(batch.clip[i], PADDED_VERTICES);
   PLACE(batch.post, PADDED_VERTICES);
   PLACE(batch.xy, PADDED_VERTICES);
   PLACE(batch.codes, PADDED_VERTICES);
   PLACE(batch.extras, RT_BATCH_VERTICES);
   PLACE(batch.rows, (size_t)PADDED_VERTICES * row_stride);
   PLACE(batch.inputs, INPUT_ROWS * ABI_VERTEX_BATCH);
   PLACE(batch.outputs, num_outputs * ABI_VERTEX_BATCH);
   PLACE(gather.cache_keys, RT_GATHER_CACHE_ENTRIES);
   PLACE(gather.cache_slots, RT_GATHER_CACHE_ENTRIES);
   PLACE(gather.marks, RT_BATCH_VERTICES);
   PLACE(gather.slots, RT_BATCH_VERTICES);
   PLACE(gather.positions, RT_BATCH_PRIMS * 3);
   PLACE(gather.corners, RT_BATCH_PRIMS * 3 + 48);
   PLACE(gather.primitive_ids, RT_BATCH_PRIMS);
   PLACE(gather.starts, RT_BATCH_PRIMS);
   PLACE(clip_rows, (size_t)RT_MAX_CLIP_VERTICES * row_stride);
   PLACE(corner_rows, (size_t)3 * row_stride);
#undef PLACE
   return at;
}

static uint32_t depth_codes(const struct rt_context *c)
{
   return c->viewports.has_near_far ? RT_CODE_NEAR | RT_CODE_FAR : 0;
}

static uint32_t clip_distance_codes(const struct rt_context *c)
{
   return (RT_CODE_CLIP0 << c->num_clip_distances) - RT_CODE_CLIP0;
}

/* The codes that cut primitives of a class: polygons reach beyond the view volume's sides, where the polygon rectangle
 * cuts them. */
static uint32_t cutting_codes(const struct rt_context *c, uint32_t corners)
{
   return RT_CODE_W | RT_CODE_GUARD | depth_codes(c) | clip_distance_codes(c) | (corners == 3 ? 0 : RT_CODE_SIDES);
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

static void emit_triangle(struct assembly *a, struct rt_setup *setup, const struct corners *p, uint32_t cuts)
{
   if (!cuts) {
      setup->num_prims++;
      const struct rt_setup_vertex v[3] = {setup_vertex(p->v[0], p->rows[0]), setup_vertex(p->v[1], p->rows[1]),
                                           setup_vertex(p->v[2], p->rows[2])};
      rt_setup_triangle(setup, v);
      return;
   }
   struct rt_clipped clipped;
   rt_clip_triangle(setup->context, p->v, p->rows, cuts, a->clip_rows, &clipped);
   setup->num_prims += clipped.count ? clipped.count - 2 : 0;
   for (uint32_t i = 2; i < clipped.count; i++)
      rt_setup_triangle(
         setup, (const struct rt_setup_vertex[3]){clipped.vertices[0], clipped.vertices[i - 1], clipped.vertices[i]});
}

static void emit_line(struct assembly *a, struct rt_setup *setup, const struct corners *p, uint32_t cuts)
{
   if (!cuts) {
      setup->num_prims++;
      rt_setup_line(setup, (const struct rt_setup_vertex[2]){setup_vertex(p->v[0], p->rows[0]),
                                                             setup_vertex(p->v[1], p->rows[1])});
      return;
   }
   struct rt_clipped clipped;
   rt_clip_line(setup->context, p->v, p->rows, cuts, a->clip_rows, &clipped);
   if (clipped.count != 2)
      return;
   setup->num_prims++;
   rt_setup_line(setup, clipped.vertices);
}

/* The attributes of corner `i`, whose number in the API's order is `number`: barycentric ones are 1 at that, 0 else.
 * Spec: Rasterization, "Barycentric Interpolation". */
static const float *tell_corner(struct assembly *a, const struct rt_context *c, const float *row, uint32_t i, uint32_t number)
{
   float *own = a->corner_rows + (size_t)i * c->row_stride;
   memcpy(own, row, c->row_stride * sizeof(*own));
   for (uint32_t k = 0; k < c->num_planes; k++) {
      if (c->plane_slot[k] >= ABI_SLOT_BARYCENTRIC)
         own[k] = (c->plane_slot[k] - ABI_SLOT_BARYCENTRIC) % 3u == number ? 1.0f : 0.0f;
   }
   return own;
}

/* Primitives of any kind, in any viewport. */
static void emit_any(struct assembly *a, struct rt_setup *setup, const uint16_t *slots, uint32_t n)
{
   const struct rt_context *c = setup->context;
   struct corners p = {.all = UINT32_MAX};
   for (uint32_t i = 0; i < n; i++) {
      rt_vertex_load(c, &a->batch, slots[i], setup->viewport, &p.vertices[i]);
      p.v[i] = &p.vertices[i];
      p.rows[i] = a->batch.rows + (size_t)slots[i] * c->row_stride;
      p.all &= p.v[i]->codes;
      p.any |= p.v[i]->codes;
      if (c->tells_corners) { /* triangles start with their provoking vertex, which may be the last */
         const uint32_t number = n == 3 && c->state.provoking_vertex.last ? (i + 2) % 3 : i;
         setup->corner_rows[number] = p.rows[i];
         p.rows[i] = tell_corner(a, c, p.rows[i], i, number);
      }
   }
   for (uint32_t i = n; i < 3; i++) /* vertices that lines and points do not have are their last */
      setup->corner_rows[i] = setup->corner_rows[n - 1];
   if (p.all & (RT_CODE_SIDES | depth_codes(c) | RT_CODE_W | RT_CODE_DISTANCES))
      return;
   const uint32_t cuts = p.any & cutting_codes(c, n);
   if (n == 3) {
      emit_triangle(a, setup, &p, cuts);
   } else if (n == 2) {
      emit_line(a, setup, &p, cuts);
   } else if (!cuts) {
      setup->num_prims++;
      const struct rt_setup_vertex v = setup_vertex(p.v[0], p.rows[0]);
      rt_setup_point(setup, &v, c->has_extras ? a->batch.extras[slots[0]].point_size : 1.0f);
   }
}

/* What the provoking vertex says about the primitive. */
static inline void begin_prim(const struct assembly *a, struct rt_setup *setup, uint32_t prim, uint32_t provoking)
{
   const struct rt_context *c = setup->context;
   const struct rt_batch *b = &a->batch;
   setup->flat_row = b->rows + (size_t)provoking * c->row_stride;
   setup->primitive_id = a->gather.primitive_ids[prim];
   setup->viewport = c->has_extras ? b->extras[provoking].viewport : 0;
   setup->layer = c->has_extras && !c->target->view_mask ? b->extras[provoking].layer : setup->view;
}

/* Sets up the batch's primitive number `prim`. */
static inline void emit(struct assembly *a, struct rt_setup *setup, const struct rt_draw *draw, uint32_t prim,
                        uint32_t n)
{
   const struct rt_context *c = setup->context;
   const struct rt_batch *b = &a->batch;
   const uint16_t *slots = &a->gather.corners[prim * n];
   const uint32_t provoking = slots[n == 2 && draw->provokes_last ? 1 : 0];
   uint32_t any = 0, all = UINT32_MAX;
   for (uint32_t i = 0; i < n; i++) {
      any |= b->codes[slots[i]];
      all &= b->codes[slots[i]];
   }
   if (any & RT_CODE_BAD)
      return;
   if (n == 2 && (!c->continues_lines || a->gather.starts[prim]))
      setup->stipple = 0;
   begin_prim(a, setup, prim, provoking);
   if (UTIL_UNLIKELY(n != 3 || setup->viewport || c->tells_corners || any & cutting_codes(c, 3))) {
      emit_any(a, setup, slots, n);
      return;
   }
   if (all & (RT_CODE_SIDES | depth_codes(c) | RT_CODE_DISTANCES))
      return;
   struct rt_setup_vertex v[3];
   for (uint32_t i = 0; i < 3; i++)
      v[i] = (struct rt_setup_vertex){b->post[slots[i]], b->rows + (size_t)slots[i] * c->row_stride};
   setup->num_prims++;
   rt_setup_triangle(setup, v);
}

static bool has_room(const struct rt_chunk *chunk, uint32_t prim_bytes)
{
   return chunk->used_bytes + prim_bytes * RT_MAX_CLIP_VERTICES * 3 <= RT_CHUNK_BYTES &&
          chunk->bin.num_pairs < RT_CHUNK_PAIRS;
}

static void count(const struct rt_context *c, uint32_t statistic, uint64_t n)
{
   if (c->statistics && c->statistics_flags & statistic)
      __atomic_fetch_add(&c->statistics->values[__builtin_ctz(statistic)], n, __ATOMIC_RELAXED);
}

/* Sets up what is left of 16 primitives, from number `first` on; returns how many were done with before the chunk was
 * full. */
static uint32_t emit_group(struct assembly *a, struct rt_setup *setup, const struct rt_draw *draw, uint32_t first,
                           const struct rt_culled *culled, uint32_t n)
{
   const struct rt_context *c = setup->context;
   for (uint32_t left = culled->left; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left), i = first + lane;
      if (!has_room(setup->chunk, c->prim_bytes))
         return lane;
      if (culled->is_ready >> lane & 1) {
         begin_prim(a, setup, i, a->gather.corners[i * 3]);
         rt_setup_culled(setup, &a->batch, &a->gather.corners[i * 3], culled, lane);
      } else {
         emit(a, setup, draw, i, n);
      }
      if (setup->is_out_of_memory)
         return lane;
   }
   return 16;
}

/* Sets up the batch's primitives until the chunk is full; returns how many were done with. */
static uint32_t emit_batch(struct assembly *a, struct rt_setup *setup, const struct rt_draw *draw, uint32_t count,
                           uint32_t n)
{
   const struct rt_context *c = setup->context;
   struct rt_cull cull;
   struct rt_culled culled = {0};
   const bool culls = n == 3 && !c->tells_corners && !c->estimation_fx8; /* else triangles are set up one by one */
   if (culls)
      rt_cull_init(&cull, c, RT_CODE_SIDES | depth_codes(c) | RT_CODE_W | RT_CODE_DISTANCES, cutting_codes(c, 3));
   for (uint32_t first = 0; first < count; first += 16) {
      if (culls)
         first = rt_cull_triangles(&cull, &a->batch, a->gather.corners, first, count, &culled);
      else
         culled.left = count - first < 16 ? (1u << (count - first)) - 1 : 0xffff;
      if (first >= count)
         break;
      const uint32_t run = emit_group(a, setup, draw, first, &culled, n);
      if (run < 16)
         return first + run;
   }
   return count;
}

/* Goes on with the piece at next_prim. False if the chunk is full, or memory is out. */
static bool run_draw(struct rt_chunk *chunk, const struct rt_piece *piece, struct assembly *a, struct rt_worker *worker)
{
   const struct rt_draw *draw = piece->draw;
   const struct rt_context *c = draw->context;
   const uint32_t n = rt_topology_vertices((VkPrimitiveTopology)draw->topology);
   struct rt_setup setup = {.chunk = chunk, .context = c, .view = piece->view, .stipple = chunk->stipple};
   uint32_t done = chunk->next_prim;
   bool has_stopped = false;
   while (done < piece->count && !has_stopped && !rt_worker_is_cancelled(worker)) {
      const uint32_t batch =
         rt_gather(&a->gather, &a->batch, draw, piece->first + done, piece->count - done, n);
      rt_shade_vertices(draw, piece->view, &a->batch, worker);
      count(c, VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT, a->batch.num_vertices);
      const uint32_t run = c->state.rasterizer_discard.enable ? batch : emit_batch(a, &setup, draw, batch, n);
      has_stopped = run < batch;
      done += run;
   }
   count(c, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT, done - chunk->next_prim);
   count(c, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT, setup.num_prims);
   chunk->next_prim = done;
   chunk->stipple = setup.stipple;
   chunk->is_out_of_memory |= setup.is_out_of_memory;
   return done == piece->count;
}

/* A clear is a primitive without edges, in each of its layers. next_prim counts layers. */
static bool run_clear(struct rt_chunk *chunk, const struct rt_piece *piece)
{
   const struct rt_target *target = chunk->target;
   const uint32_t bytes = (uint32_t)util_align(sizeof(struct rt_prim), RT_PRIM_ALIGN);
   const int64_t x1 = (int64_t)piece->rect.offset.x + piece->rect.extent.width;
   const int64_t y1 = (int64_t)piece->rect.offset.y + piece->rect.extent.height;
   const int32_t left = UTIL_MAX(piece->rect.offset.x, target->x0), right = (int32_t)UTIL_MIN(x1, target->x1);
   const int32_t top = UTIL_MAX(piece->rect.offset.y, target->y0), bottom = (int32_t)UTIL_MIN(y1, target->y1);
   if (left >= right || top >= bottom)
      return true;
   for (uint32_t i = chunk->next_prim; i < piece->num_layers; i++) {
      chunk->next_prim = i;
      if (!has_room(chunk, bytes))
         return false;
      const uint32_t layer = piece->first_layer + i;
      if (layer >= target->num_layers || (target->view_mask && !(target->view_mask >> layer & 1)))
         continue;
      struct rt_prim *prim = (struct rt_prim *)(chunk->prims + chunk->used_bytes);
      prim->clear = piece->clear;
      prim->x0 = (uint16_t)left;
      prim->y0 = (uint16_t)top;
      prim->x1 = (uint16_t)right;
      prim->y1 = (uint16_t)bottom;
      prim->kind = RT_PRIM_CLEAR;
      prim->num_edges = 0;
      if (!rt_bin_prim(&chunk->bin, target, prim, chunk->used_bytes, layer)) {
         chunk->is_out_of_memory = true;
         return false;
      }
      chunk->used_bytes += bytes;
   }
   return true;
}

/* Scratch for the largest of the pieces; also the shaders' frames. */
static bool prepare(struct rt_chunk *chunk, struct assembly *a, struct rt_worker *worker)
{
   uint32_t row_stride = 0, outputs = 0;
   size_t frame_bytes = 0;
   for (uint32_t i = chunk->next_piece; i < chunk->num_pieces; i++) {
      if (!chunk->pieces[i].draw)
         continue;
      const struct rt_context *c = chunk->pieces[i].draw->context;
      row_stride = UTIL_MAX(row_stride, c->row_stride);
      outputs = UTIL_MAX(outputs, c->num_vs_outputs);
      frame_bytes = UTIL_MAX(frame_bytes, c->vs->frame_bytes);
   }
   if (frame_bytes && !rt_worker_reserve(worker, 0, frame_bytes))
      return false;
   uint8_t *scratch = rt_worker_scratch(worker, layout(a, NULL, row_stride, outputs));
   if (!scratch)
      return false;
   layout(a, scratch, row_stride, outputs);
   memset(a->gather.cache_keys, 0, RT_GATHER_CACHE_ENTRIES * sizeof(*a->gather.cache_keys));
   a->gather.stamp = 0;
   return true;
}

void rt_chunk_run(struct rt_chunk *chunk, struct rt_worker *worker)
{
   struct assembly a;
   if (!prepare(chunk, &a, worker)) {
      chunk->is_out_of_memory = true;
      return;
   }
   while (chunk->next_piece < chunk->num_pieces) {
      const struct rt_piece *piece = &chunk->pieces[chunk->next_piece];
      if (!(piece->draw ? run_draw(chunk, piece, &a, worker) : run_clear(chunk, piece)))
         break;
      chunk->next_piece++;
      chunk->next_prim = 0;
   }
   chunk->is_complete = chunk->next_piece == chunk->num_pieces;
   if (!rt_bin_sort(&chunk->bin))
      chunk->is_out_of_memory = true;
}
