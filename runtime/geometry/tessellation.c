/* SPDX-License-Identifier: MIT */
#include "runtime/geometry/tessellation.h"

#include "runtime/pool.h"

#include <string.h>

enum { FEW_VERTICES = 32 }; /* a pattern with more is not worth a call a vertex */

void rt_tessellation_measure(struct rt_tessellation_size *size, const struct rt_context *c)
{
   const size_t lanes = abi_control_batch(c->tcs->num_rows);
   size->inputs = UTIL_MAX(size->inputs, (size_t)c->num_tcs_inputs * c->patch_vertices * lanes);
   size->outputs = UTIL_MAX(size->outputs, (c->tcs->num_rows + 1u) * lanes + 16); /* a row of zeros, and what vectors read beyond */
}

/* ---- control ---- */

/* Brings the vertices of `count` patches, from number `first` on, to the lanes. */
static void gather_inputs(const struct rt_tessellation *tess, const struct rt_context *c, const struct rt_packet *source, uint32_t first,
                          uint32_t count)
{
   const uint32_t lanes = abi_control_batch(c->tcs->num_rows), corners = c->patch_vertices;
   const size_t call_words = (size_t)c->num_vs_outputs * ABI_VERTEX_BATCH;
   for (uint32_t k = 0; k < corners; k++) {
      const uint32_t *from[ABI_VERTEX_BATCH];
      const uint16_t *corner = source->corners + (size_t)first * corners + k;
      for (uint32_t i = 0; i < count; i++, corner += corners)
         from[i] = source->batch.outputs + *corner / ABI_VERTEX_BATCH * call_words + *corner % ABI_VERTEX_BATCH;
      for (uint32_t r = 0; r < c->num_tcs_inputs; r++) {
         uint32_t *to = tess->inputs + ((size_t)r * corners + k) * lanes;
         const int32_t row = c->tcs_input_row[r];
         for (uint32_t i = 0; i < count; i++)
            to[i] = row >= 0 ? from[i][row * ABI_VERTEX_BATCH] : 0;
      }
   }
}

/* abi_control_args.taken_levels. */
static const uint8_t taken_levels[] = {[ABI_DOMAIN_TRIANGLES] = 0x17, [ABI_DOMAIN_QUADS] = 0x3f, [ABI_DOMAIN_ISOLINES] = 0x03};

/* The next patches of the packet. */
static void run_control(struct rt_tessellation *tess, const struct rt_draw *draw, uint32_t view, const struct rt_packet *source,
                        struct rt_worker *worker)
{
   const struct rt_context *c = draw->context;
   const uint32_t lanes = abi_control_batch(c->tcs->num_rows);
   const uint32_t count = UTIL_MIN(source->num_prims - tess->next, lanes);
   const struct abi_control_args args = {
      .resources = &draw->resources,
      .inputs = tess->inputs,
      .outputs = tess->outputs,
      .primitive_id = tess->primitive_ids,
      .vertices_in = c->patch_vertices,
      .view_index = view,
      .taken_levels = taken_levels[c->tess_mode.domain],
   };
   tess->batch_first = tess->next;
   tess->batch_count = count;
   tess->batch_next = tess->piece = 0;
   tess->next += count;
   for (uint32_t i = 0; i < count; i++)
      tess->primitive_ids[i] = source->primitive_ids[tess->batch_first + i];
   gather_inputs(tess, c, source, tess->batch_first, count);
   memset(tess->outputs, 0, sizeof(*tess->outputs) * ((c->tcs->num_rows + 1u) * lanes + 16)); /* also of a call that is cancelled */
   rt_draw_enter(draw, ABI_STAGE_CONTROL, worker);
   c->pipeline->shaders[ABI_STAGE_CONTROL].run.control(&args, &worker->abi, count);
   rt_worker_progress(worker);
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT, count);
}

/* ---- levels ---- */

/* Four outer levels and two inner ones of a patch of the batch; zero: not written. */
static void load_levels(const struct rt_tessellation *tess, const struct rt_context *c, uint32_t patch, float levels[6])
{
   const uint32_t lanes = abi_control_batch(c->tcs->num_rows);
   for (uint32_t i = 0; i < 6; i++) {
      const uint32_t row = c->tcs->rows[ABI_SLOT_TESS_OUTER + i];
      levels[i] = 0.0f;
      if (row != ABI_NO_ROW)
         memcpy(&levels[i], tess->outputs + (size_t)row * lanes + patch, sizeof(levels[i]));
   }
}

/* Patches from the one in hand on whose levels have the same bits. */
static uint32_t find_run(const struct rt_tessellation *tess, const struct rt_context *c)
{
   const uint32_t lanes = abi_control_batch(c->tcs->num_rows), first = tess->batch_next;
   uint32_t count = tess->batch_count - first;
   for (uint32_t i = 0; i < 6; i++) {
      if (c->tcs->rows[ABI_SLOT_TESS_OUTER + i] == ABI_NO_ROW)
         continue;
      const uint32_t *row = tess->outputs + (size_t)c->tcs->rows[ABI_SLOT_TESS_OUTER + i] * lanes + first;
      uint32_t same = 1;
      while (same < count && row[same] == row[0])
         same++;
      count = same;
   }
   return count;
}

/* ---- evaluation ---- */

struct evaluation {
   struct rt_tessellation *tess;
   const struct rt_draw *draw;
   const struct rt_context *c; /* the draw's */
   struct rt_worker *worker;
   struct abi_evaluation_args args;
   uint32_t view;
};

/* Calls are whole where what they give is kept, so that it is found again. */
static uint32_t padded(const struct rt_context *c, uint32_t count)
{
   return c->keeps_evaluated ? (uint32_t)util_align(count, ABI_VERTEX_BATCH) : count;
}

/* `count` vertices, whose coordinates are there, become the packet's next ones. */
static void call(struct evaluation *e, uint32_t count)
{
   const struct rt_context *c = e->c;
   struct rt_batch *batch = &e->tess->packet.batch;
   e->args.outputs = batch->outputs + (c->keeps_evaluated ? (size_t)batch->num_vertices * c->num_tes_outputs : 0);
   c->pipeline->shaders[ABI_STAGE_EVALUATION].run.evaluation(&e->args, &e->worker->abi, count);
   if (c->tes == c->last && !c->is_discarded)
      rt_finish_vertices(e->draw, batch, e->args.outputs, ABI_VERTEX_BATCH, batch->num_vertices, count, e->view);
   batch->num_vertices += padded(c, count);
   rt_worker_progress(e->worker);
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT, count);
}

static bool has_room(const struct rt_packet *packet, uint32_t vertices, uint32_t prims)
{
   return packet->batch.num_vertices + vertices <= RT_PACKET_VERTICES && packet->num_prims + prims <= RT_PACKET_PRIMS;
}

/* What the packet says of the primitives that it gets next: `count` of each of some patches, whose numbers are `ids`. */
static void describe_prims(struct rt_packet *packet, const struct rt_context *c, const uint32_t *ids, uint32_t num_patches, uint32_t count)
{
   uint32_t *to = packet->primitive_ids + packet->num_prims;
   for (uint32_t patch = 0; patch < num_patches; patch++) {
      for (uint32_t i = 0; i < count; i++)
         *to++ = ids[patch];
   }
   count *= num_patches;
   if (c->turns_last)
      memset(packet->turns + packet->num_prims, 2, count);
   memset(packet->starts + packet->num_prims, 1, count);
   packet->num_prims += count;
}

/* The pieces that are left of the patch in hand. False: no room. */
static bool add_pieces(struct evaluation *e, const struct rt_tess_pattern *pattern, const struct rt_tess_levels *levels)
{
   struct rt_tessellation *tess = e->tess;
   struct rt_packet *packet = &tess->packet;
   float *const coords[3] = {tess->coords, tess->coords + ABI_VERTEX_BATCH, tess->coords + 2 * ABI_VERTEX_BATCH};
   e->args.patch = tess->batch_next;
   e->args.patch_step = 0;
   for (; tess->piece < pattern->num_pieces; tess->piece++) {
      const struct rt_tess_piece *piece = &pattern->pieces[tess->piece];
      if (!has_room(packet, padded(e->c, piece->num_vertices), piece->num_prims))
         return false;
      const uint32_t base = packet->batch.num_vertices, corners = piece->num_prims * pattern->corners_per_prim;
      for (uint32_t done = 0; done < piece->num_vertices && !rt_worker_is_cancelled(e->worker); done += ABI_VERTEX_BATCH) {
         const uint32_t count = UTIL_MIN(piece->num_vertices - done, (uint32_t)ABI_VERTEX_BATCH);
         rt_tess_coords(tess->cache, &e->c->tess_mode, levels, pattern, piece->first_vertex + done, count, coords);
         call(e, count);
      }
      uint16_t *to = packet->corners + (size_t)packet->num_prims * pattern->corners_per_prim;
      const uint16_t *from = rt_tess_corners(pattern) + piece->first_corner;
      for (uint32_t i = 0; i < corners; i++)
         to[i] = (uint16_t)(from[i] + base);
      describe_prims(packet, e->c, &tess->primitive_ids[tess->batch_next], 1, piece->num_prims);
   }
   tess->piece = 0;
   tess->batch_next++;
   return true;
}

/* Of up to `count` patches that have the pattern as many as have room, a call a vertex. Returns how many. */
static uint32_t add_alike(struct evaluation *e, const struct rt_tess_pattern *pattern, const struct rt_tess_levels *levels, uint32_t count)
{
   struct rt_tessellation *tess = e->tess;
   struct rt_packet *packet = &tess->packet;
   float positions[3][FEW_VERTICES];
   const uint32_t vertices = pattern->num_vertices, prims = pattern->pieces[0].num_prims, corners_per_prim = pattern->corners_per_prim;
   while (count && !has_room(packet, padded(e->c, count) * vertices, prims * count))
      count /= 2;
   if (!count)
      return 0;
   rt_tess_coords(tess->cache, &e->c->tess_mode, levels, pattern, 0, vertices, (float *const[3]){positions[0], positions[1], positions[2]});
   const uint32_t base = packet->batch.num_vertices, step = padded(e->c, count);
   e->args.patch = tess->batch_next;
   e->args.patch_step = 1;
   for (uint32_t v = 0; v < vertices && !rt_worker_is_cancelled(e->worker); v++) {
      for (uint32_t k = 0; k < 3; k++) {
         for (uint32_t i = 0; i < ABI_VERTEX_BATCH; i++)
            tess->coords[k * ABI_VERTEX_BATCH + i] = positions[k][v];
      }
      call(e, count);
   }
   const uint16_t *from = rt_tess_corners(pattern);
   uint16_t *to = packet->corners + (size_t)packet->num_prims * corners_per_prim;
   for (uint32_t patch = 0; patch < count; patch++) {
      for (uint32_t i = 0; i < prims * corners_per_prim; i++)
         *to++ = (uint16_t)(base + from[i] * step + patch);
   }
   describe_prims(packet, e->c, &tess->primitive_ids[tess->batch_next], count, prims);
   return count;
}

/* Patches of the batch. False: the packet is full. */
static bool divide(struct evaluation *e)
{
   struct rt_tessellation *tess = e->tess;
   while (tess->batch_next < tess->batch_count && !rt_worker_is_cancelled(e->worker)) {
      struct rt_tess_levels levels;
      float written[6];
      const uint32_t run = find_run(tess, e->c);
      load_levels(tess, e->c, tess->batch_next, written);
      if (!rt_tess_find_levels(&e->c->tess_mode, written, written + 4, &levels)) {
         tess->batch_next += run;
         continue;
      }
      const struct rt_tess_pattern *pattern = rt_tess_find(tess->cache, &e->c->tess_mode, &levels);
      /* vectors of 16: which of both takes fewer */
      const uint32_t by_patch = run * UTIL_DIV_ROUND_UP(pattern->num_vertices, 16u);
      const uint32_t by_vertex = pattern->num_vertices * UTIL_DIV_ROUND_UP(run, 16u);
      if (run > 1 && by_vertex <= by_patch && pattern->num_vertices <= FEW_VERTICES) {
         const uint32_t count = add_alike(e, pattern, &levels, run);
         if (!count)
            return false;
         tess->batch_next += count;
      } else if (!add_pieces(e, pattern, &levels)) {
         return false;
      }
   }
   return true;
}

void rt_tessellation_run(struct rt_tessellation *tess, const struct rt_draw *draw, uint32_t view, const struct rt_packet *source,
                         struct rt_worker *worker)
{
   const struct rt_context *c = draw->context;
   struct rt_packet *packet = &tess->packet;
   struct evaluation e = {
      .tess = tess,
      .draw = draw,
      .c = c,
      .worker = worker,
      .view = view,
      .args = {
         .resources = &draw->resources,
         .inputs = tess->outputs,
         .patch_inputs = c->tes_inputs,
         .coords = tess->coords,
         .primitive_id = tess->primitive_ids,
         .vertices_in = c->tcs->vertices_out,
         .view_index = view,
      },
   };
   packet->num_prims = 0;
   packet->corners_per_prim = c->tess_corners;
   packet->batch.num_vertices = 0;
   packet->batch.any_codes = 0;
   for (;;) {
      if (tess->batch_next == tess->batch_count) {
         if (tess->next == source->num_prims || rt_worker_is_cancelled(worker))
            break;
         run_control(tess, draw, view, source, worker);
      }
      rt_draw_enter(draw, ABI_STAGE_EVALUATION, worker);
      if (!divide(&e) || rt_worker_is_cancelled(worker))
         break;
   }
   rt_packet_pad(packet);
}
