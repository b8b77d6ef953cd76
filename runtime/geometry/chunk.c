/* SPDX-License-Identifier: MIT
 * Chunks: gathers the vertices of a batch of primitives, shades each once, then assembles, clips, sets up and bins in
 * order. */
#include "runtime/geometry/chunk.h"

#include "runtime/geometry/clip.h"

#include <string.h>

enum {
   BATCH_PRIMS = 512,
   BATCH_VERTICES = BATCH_PRIMS * 3,
   PADDED_VERTICES = BATCH_VERTICES + ABI_VERTEX_BATCH, /* the last call of a batch may write more than it has */
   CACHE_ENTRIES = 2048,
   INPUT_ROWS = ABI_MAX_LOCATIONS * 4,
};

/* A worker's scratch memory while it runs a chunk. */
struct assembly {
   struct rt_batch batch;
   uint64_t *cache_keys; /* [CACHE_ENTRIES] stamp << 32 | index: direct-mapped, so a miss only shades a vertex again */
   uint16_t *cache_slots;
   uint32_t stamp;
   uint32_t *positions;     /* [BATCH_VERTICES] */
   uint16_t *corners;       /* [BATCH_VERTICES] vertices of the batch */
   uint32_t *primitive_ids; /* [BATCH_PRIMS] */
   float *clip_rows;
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
   PLACE(batch.x, PADDED_VERTICES);
   PLACE(batch.y, PADDED_VERTICES);
   PLACE(batch.z, PADDED_VERTICES);
   PLACE(batch.inv_w, PADDED_VERTICES);
   PLACE(batch.codes, PADDED_VERTICES);
   PLACE(batch.extras, BATCH_VERTICES);
   PLACE(batch.rows, (size_t)PADDED_VERTICES * row_stride);
   PLACE(batch.inputs, INPUT_ROWS * ABI_VERTEX_BATCH);
   PLACE(batch.outputs, num_outputs * ABI_VERTEX_BATCH);
   PLACE(cache_keys, CACHE_ENTRIES);
   PLACE(cache_slots, CACHE_ENTRIES);
   PLACE(positions, BATCH_VERTICES);
   PLACE(corners, BATCH_VERTICES);
   PLACE(primitive_ids, BATCH_PRIMS);
   PLACE(clip_rows, (size_t)RT_MAX_CLIP_VERTICES * row_stride);
#undef PLACE
   return at;
}

/* Turns positions of one instance into vertices of the batch, each index once. Overwrites positions. */
static void gather(struct assembly *a, const struct rt_draw *draw, uint32_t instance, uint32_t *positions,
                   uint32_t count, uint16_t *corners)
{
   const bool is_list = draw->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
                        draw->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
                        draw->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
   const bool is_indexed = draw->params.is_indexed;
   const uint32_t base = is_indexed ? (uint32_t)draw->params.vertex_offset : draw->params.first;
   instance += draw->params.first_instance;
   if (is_indexed)
      rt_index_translate(draw, positions, count);
   uint32_t *const vertex_index = a->batch.vertex_index, *const instance_index = a->batch.instance_index;
   uint32_t num = a->batch.num_vertices;
   if (!is_indexed && is_list) {
      for (uint32_t i = 0; i < count; i++, num++) {
         vertex_index[num] = base + positions[i];
         instance_index[num] = instance;
         corners[i] = (uint16_t)num;
      }
      a->batch.num_vertices = num;
      return;
   }
   const uint64_t stamp = (uint64_t)++a->stamp << 32;
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t index = base + positions[i], entry = index % CACHE_ENTRIES;
      if (a->cache_keys[entry] != (stamp | index)) {
         a->cache_keys[entry] = stamp | index;
         a->cache_slots[entry] = (uint16_t)num;
         vertex_index[num] = index;
         instance_index[num] = instance;
         num++;
      }
      corners[i] = a->cache_slots[entry];
   }
   a->batch.num_vertices = num;
}

/* Gathers primitives [first, first + count) of the draw, over instances and segments. */
static void gather_batch(struct assembly *a, const struct rt_draw *draw, uint64_t first, uint32_t count,
                         uint32_t corners_per_prim)
{
   a->batch.num_vertices = 0;
   for (uint32_t done = 0; done < count;) {
      const uint32_t instance = (uint32_t)((first + done) / draw->prims),
                     local = (uint32_t)((first + done) % draw->prims);
      const struct rt_segment *segment = &draw->segments[rt_segments_find(draw, local)];
      const uint32_t in_segment = local - segment->first_prim;
      const uint32_t segment_prims = rt_topology_prims((VkPrimitiveTopology)draw->topology, segment->count);
      const uint32_t run = UTIL_MIN(count - done, segment_prims - in_segment);
      rt_assemble(draw, segment, in_segment, run, a->positions);
      gather(a, draw, instance, a->positions, run * corners_per_prim, a->corners + done * corners_per_prim);
      for (uint32_t i = 0; i < run; i++)
         a->primitive_ids[done + i] = local + i;
      done += run;
   }
   /* Whole calls read defined values. */
   for (uint32_t i = 0; i < 16; i++) {
      a->batch.vertex_index[a->batch.num_vertices + i] = 0;
      a->batch.instance_index[a->batch.num_vertices + i] = 0;
   }
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
   return (struct rt_setup_vertex){v->x, v->y, v->z, v->inv_w, row};
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
   }
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

/* Sets up the batch's primitive number `prim`. */
static inline void emit(struct assembly *a, struct rt_setup *setup, const struct rt_draw *draw, uint32_t prim,
                        uint32_t n)
{
   const struct rt_context *c = setup->context;
   const struct rt_batch *b = &a->batch;
   const uint16_t *slots = &a->corners[prim * n];
   const uint32_t provoking = slots[n == 2 && draw->provokes_last ? 1 : 0];
   uint32_t any = 0, all = UINT32_MAX;
   for (uint32_t i = 0; i < n; i++) {
      any |= b->codes[slots[i]];
      all &= b->codes[slots[i]];
   }
   if (any & RT_CODE_BAD)
      return;
   setup->flat_row = b->rows + (size_t)provoking * c->row_stride;
   setup->primitive_id = a->primitive_ids[prim];
   setup->viewport = c->has_extras ? b->extras[provoking].viewport : 0;
   setup->layer = c->has_extras && !c->target->view_mask ? b->extras[provoking].layer : setup->view;
   if (UTIL_UNLIKELY(n != 3 || setup->viewport || any & cutting_codes(c, 3))) {
      emit_any(a, setup, slots, n);
      return;
   }
   if (all & (RT_CODE_SIDES | depth_codes(c) | RT_CODE_DISTANCES))
      return;
   struct rt_setup_vertex v[3];
   for (uint32_t i = 0; i < 3; i++)
      v[i] = (struct rt_setup_vertex){b->x[slots[i]], b->y[slots[i]], b->z[slots[i]], b->inv_w[slots[i]],
                                      b->rows + (size_t)slots[i] * c->row_stride};
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

/* Goes on with the piece at next_prim. False if the chunk is full, or memory is out. */
static bool run_draw(struct rt_chunk *chunk, const struct rt_piece *piece, struct assembly *a, struct rt_worker *worker)
{
   const struct rt_draw *draw = piece->draw;
   const struct rt_context *c = draw->context;
   const uint32_t n = rt_topology_vertices((VkPrimitiveTopology)draw->topology);
   struct rt_setup setup = {.chunk = chunk, .context = c, .view = piece->view};
   uint32_t done = chunk->next_prim;
   bool has_stopped = false;
   while (done < piece->count && !has_stopped && !rt_worker_is_cancelled(worker)) {
      const uint32_t batch = UTIL_MIN(piece->count - done, (uint32_t)BATCH_PRIMS);
      gather_batch(a, draw, piece->first + done, batch, n);
      rt_shade_vertices(draw, piece->view, &a->batch, worker);
      count(c, VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT, a->batch.num_vertices);
      uint32_t i = 0;
      if (c->state.rasterizer_discard.enable)
         i = batch;
      for (; i < batch && !has_stopped; i++) {
         if (!has_room(chunk, c->prim_bytes)) {
            has_stopped = true;
            break;
         }
         emit(a, &setup, draw, i, n);
         has_stopped = setup.is_out_of_memory;
      }
      done += i;
   }
   count(c, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT, done - chunk->next_prim);
   count(c, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT, setup.num_prims);
   chunk->next_prim = done;
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
   memset(a->cache_keys, 0, CACHE_ENTRIES * sizeof(*a->cache_keys));
   a->stamp = 0;
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
