/* SPDX-License-Identifier: MIT */
#include "runtime/geometry/chain.h"

#include "runtime/cmd/query.h"
#include "runtime/geometry/clip.h"

#include <string.h>

enum { INPUT_ROWS = ABI_MAX_LOCATIONS * 4 };

void rt_chain_measure(struct rt_chain_size *size, const struct rt_context *c)
{
   size->row_stride = UTIL_MAX(size->row_stride, c->row_stride);
   size->has_extras |= c->has_extras;
   if (c->ms) {
      size->has_mesh = true;
      size->prim_values = UTIL_MAX(size->prim_values, c->num_prim_values);
      size->frame_bytes = UTIL_MAX(size->frame_bytes, (size_t)c->ms->frame_bytes);
      size->shared_bytes = UTIL_MAX(size->shared_bytes, rt_mesh_shared_bytes(c));
      return;
   }
   uint32_t *rows = c->keeps_outputs ? &size->kept_rows : &size->output_rows;
   *rows = UTIL_MAX(*rows, c->num_vs_outputs);
   size->frame_bytes = UTIL_MAX(size->frame_bytes, (size_t)c->vs->frame_bytes);
   if (c->tes) {
      size->has_tessellation = true;
      size->frame_bytes = UTIL_MAX(size->frame_bytes, (size_t)UTIL_MAX(c->tcs->frame_bytes, c->tes->frame_bytes));
      rt_tessellation_measure(&size->tessellation, c);
      rows = c->keeps_evaluated ? &size->kept_evaluated_rows : &size->evaluated_rows;
      *rows = UTIL_MAX(*rows, c->num_tes_outputs);
   }
   if (!c->gs)
      return;
   size->has_geometry = true;
   size->frame_bytes = UTIL_MAX(size->frame_bytes, (size_t)c->gs->frame_bytes);
   rt_geometry_measure(&size->geometry, c);
}

#define TAKE(field, count)                                                                                             \
   do {                                                                                                                \
      (field) = base ? (void *)(base + at) : NULL; /* only the size is asked for */                                    \
      at = util_align(at + sizeof(*(field)) * (size_t)(count), 64);                                                    \
   } while (0)

static size_t layout_packet(struct rt_packet *packet, const struct rt_chain_size *size, uint8_t *base, size_t at)
{
   for (uint32_t i = 0; i < 4; i++)
      TAKE(packet->batch.clip[i], RT_PACKET_PADDED);
   TAKE(packet->batch.post, RT_PACKET_PADDED);
   TAKE(packet->batch.codes, RT_PACKET_PADDED);
   TAKE(packet->batch.extras, size->has_extras ? RT_PACKET_VERTICES : 0);
   TAKE(packet->batch.rows, (size_t)RT_PACKET_PADDED * size->row_stride);
   TAKE(packet->corners, RT_PACKET_CORNERS + 48);
   TAKE(packet->primitive_ids, RT_PACKET_PRIMS);
   TAKE(packet->turns, RT_PACKET_PRIMS);
   TAKE(packet->starts, RT_PACKET_PRIMS);
   return at;
}

size_t rt_chain_layout(struct rt_chain *chain, const struct rt_chain_size *size, uint8_t *base)
{
   struct rt_gather *gather = &chain->gather;
   struct rt_batch *batch = &chain->source.batch;
   size_t at = 0;
   TAKE(batch->vertex_index, RT_PACKET_PADDED);
   TAKE(batch->instance_index, RT_PACKET_PADDED);
   TAKE(batch->inputs, INPUT_ROWS * ABI_VERTEX_BATCH);
   TAKE(batch->outputs, UTIL_MAX((size_t)size->output_rows * ABI_VERTEX_BATCH, (size_t)size->kept_rows * RT_PACKET_PADDED));
   at = layout_packet(&chain->source, size, base, at);
   if (size->has_mesh) {
      TAKE(chain->source.prim_values, (size_t)size->prim_values * RT_PACKET_PRIMS);
      TAKE(chain->source.prim_extras, RT_PACKET_PRIMS);
   }
   TAKE(gather->cache_keys, RT_GATHER_CACHE_ENTRIES);
   TAKE(gather->cache_slots, RT_GATHER_CACHE_ENTRIES);
   TAKE(gather->marks, RT_PACKET_VERTICES);
   TAKE(gather->slots, RT_PACKET_VERTICES);
   TAKE(gather->positions, RT_PACKET_CORNERS);
   if (size->has_tessellation) {
      struct rt_tessellation *tess = &chain->tessellation;
      TAKE(tess->inputs, size->tessellation.inputs);
      TAKE(tess->outputs, size->tessellation.outputs);
      TAKE(tess->primitive_ids, ABI_VERTEX_BATCH + 16);
      TAKE(tess->coords, 3 * ABI_VERTEX_BATCH);
      TAKE(tess->packet.batch.outputs,
            UTIL_MAX((size_t)size->evaluated_rows * ABI_VERTEX_BATCH, (size_t)size->kept_evaluated_rows * RT_PACKET_PADDED));
      at = layout_packet(&tess->packet, size, base, at);
   }
   if (size->has_geometry) {
      TAKE(chain->geometry.inputs, size->geometry.inputs);
      TAKE(chain->geometry.outputs, size->geometry.outputs);
      TAKE(chain->geometry.num_vertices, ABI_VERTEX_BATCH);
      TAKE(chain->geometry.primitive_ids, ABI_VERTEX_BATCH);
      TAKE(chain->geometry.invocation_ids, ABI_VERTEX_BATCH);
      at = layout_packet(&chain->geometry.packet, size, base, at);
   }
   TAKE(chain->emitter.clip_rows, (size_t)RT_MAX_CLIP_VERTICES * size->row_stride);
   TAKE(chain->emitter.corner_rows, (size_t)3 * size->row_stride);
   return at;
}

void rt_chain_begin(struct rt_chain *chain)
{
   chain->gathered = 0;
   chain->source.num_prims = 0;
   chain->tessellation.packet.num_prims = 0;
   rt_tessellation_begin(&chain->tessellation);
   chain->geometry.packet.num_prims = 0;
   chain->geometry.next = 0;
   chain->emitter.stipple = 0;
   chain->emitted = 0;
}

/* What a geometry shader reads, or would read. */
static struct rt_packet *before_geometry(struct rt_chain *chain, const struct rt_context *c)
{
   return c->tes ? &chain->tessellation.packet : &chain->source;
}

struct rt_packet *rt_chain_packet(struct rt_chain *chain, const struct rt_context *c)
{
   return c->gs ? &chain->geometry.packet : before_geometry(chain, c);
}

/* The next packet of shaded vertices; false: the piece is done. */
static bool next_source(struct rt_chain *chain, const struct rt_piece *piece, struct rt_worker *worker)
{
   if (chain->gathered == piece->count || rt_worker_is_cancelled(worker))
      return false;
   struct rt_packet *packet = &chain->source;
   const uint64_t first = piece->first + chain->gathered;
   uint32_t count = piece->count - chain->gathered;
   if (UTIL_UNLIKELY(rt_pool_touches(worker->pool) != NULL) && piece->draw->prims) { /* of one instance */
      count = UTIL_MIN(count, piece->draw->prims - (uint32_t)(first % piece->draw->prims));
      worker->instance = (uint32_t)(first / piece->draw->prims) << RT_INSTANCE_SHIFT | piece->view;
   }
   rt_gather(&chain->gather, packet, piece->draw, first, count);
   rt_shade_vertices(piece->draw, piece->view, &packet->batch, worker);
   rt_context_count(piece->draw->context, VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT, packet->batch.num_vertices);
   chain->gathered += packet->num_prims;
   return true;
}

/* The next packet of what a mesh shader makes; it may be empty. */
static bool next_mesh(struct rt_chain *chain, const struct rt_piece *piece, struct rt_worker *worker)
{
   if (chain->gathered == piece->count || rt_worker_is_cancelled(worker))
      return false;
   chain->gathered = rt_mesh_run(piece, &chain->source, chain->gathered, worker);
   return !rt_worker_is_cancelled(worker);
}

/* The next packet after tessellation, if there is any; a packet may be empty. */
static bool next_divided(struct rt_chain *chain, const struct rt_piece *piece, struct rt_worker *worker)
{
   struct rt_tessellation *tess = &chain->tessellation;
   if (!piece->draw->context->tes)
      return next_source(chain, piece, worker);
   if (rt_tessellation_is_done(tess, &chain->source)) {
      if (!next_source(chain, piece, worker))
         return false;
      rt_tessellation_begin(tess);
   }
   rt_tessellation_run(tess, piece->draw, piece->view, &chain->source, worker);
   return !rt_worker_is_cancelled(worker);
}

/* The same after the geometry shader. */
static bool next_geometry(struct rt_chain *chain, const struct rt_piece *piece, struct rt_worker *worker)
{
   struct rt_geometry_shader *shader = &chain->geometry;
   struct rt_packet *source = before_geometry(chain, piece->draw->context);
   if (shader->next == rt_geometry_invocations(piece->draw->context, source)) {
      if (!next_divided(chain, piece, worker))
         return false;
      shader->next = 0;
   }
   rt_geometry_run(shader, piece->draw, piece->view, source, chain->xfb, worker);
   return !rt_worker_is_cancelled(worker);
}

/* What is known of primitives before they are rasterized; geometry shaders, whose vertices have streams, see to it themselves. */
static void count_packet(struct rt_chain *chain, const struct rt_piece *piece, const struct rt_packet *packet)
{
   const struct rt_context *c = piece->draw->context;
   if (c->generated[0])
      rt_query_add(c->generated[0], 0, packet->num_prims);
   if (c->xfb)
      rt_xfb_capture(c, packet, piece->first + chain->gathered - packet->num_prims, &piece->draw->xfb, chain->xfb);
}

struct rt_packet *rt_chain_next(struct rt_chain *chain, const struct rt_piece *piece, struct rt_worker *worker)
{
   const struct rt_context *c = piece->draw->context;
   const bool goes_on = c->ms   ? next_mesh(chain, piece, worker)
                        : c->gs ? next_geometry(chain, piece, worker)
                                : next_divided(chain, piece, worker);
   if (!goes_on)
      return NULL;
   struct rt_packet *packet = rt_chain_packet(chain, c);
   if (c->counted_streams && !c->gs)
      count_packet(chain, piece, packet);
   chain->emitted = 0;
   if (c->turns_last)
      rt_packet_provoke(packet);
   return packet;
}
