/* SPDX-License-Identifier: MIT */
#include "runtime/geometry/geometry_shader.h"

#include "runtime/cmd/query.h"
#include "runtime/geometry/xfb.h"
#include "runtime/pool.h"
#include "util/bitset.h"

#include <string.h>

/* Invocations a call: those whose vertices have room in an empty packet. */
static uint32_t batch_of(const struct abi_shader_info *gs)
{
   return UTIL_MIN(abi_geometry_batch(gs->max_vertices), (uint32_t)RT_PACKET_VERTICES / gs->max_vertices);
}
_Static_assert((int)RT_PACKET_VERTICES >= (int)ABI_MAX_EMITTED, "one invocation has room in an empty packet");

void rt_geometry_measure(struct rt_geometry_size *size, const struct rt_context *c)
{
   const size_t lanes = abi_geometry_batch(c->gs->max_vertices);
   size->inputs = UTIL_MAX(size->inputs, c->num_gs_inputs * c->gs->vertices_in * lanes);
   size->outputs = UTIL_MAX(size->outputs, c->num_gs_outputs * c->gs->max_vertices * lanes);
}

static inline void load_lanes(uint32_t *restrict to, const uint32_t *restrict data, const uint32_t *restrict from, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      to[i] = data[from[i]];
}

/* Brings the vertices of the primitives of `count` invocations, from number `first` on, to the lanes. */
static void gather_inputs(const struct rt_geometry_shader *shader, const struct rt_context *c, const struct rt_packet *source,
                          uint32_t first, uint32_t count)
{
   const uint32_t lanes = abi_geometry_batch(c->gs->max_vertices), corners = c->gs->vertices_in;
   uint32_t from[ABI_MAX_VERTICES_IN][ABI_VERTEX_BATCH]; /* words into the rows of all calls: fewer than RT_PACKET_PADDED * ABI_NUM_SLOTS */
   uint32_t prim = first / c->gs->num_invocations, invocation = first % c->gs->num_invocations;
   for (uint32_t i = 0; i < count; i++) {
      shader->primitive_ids[i] = source->primitive_ids[prim];
      shader->invocation_ids[i] = invocation;
      for (uint32_t k = 0; k < corners; k++) {
         const uint32_t slot = source->corners[prim * corners + k], call = slot / ABI_VERTEX_BATCH;
         from[k][i] = call * c->num_before_gs * ABI_VERTEX_BATCH + slot % ABI_VERTEX_BATCH;
      }
      invocation = invocation + 1 == c->gs->num_invocations ? 0 : invocation + 1;
      prim += invocation == 0;
   }
   uint32_t *restrict to = shader->inputs;
   for (uint32_t r = 0; r < c->num_gs_inputs; r++) {
      const int32_t row = c->gs_input_row[r];
      const uint32_t *data = source->batch.outputs + (size_t)(row >= 0 ? row : 0) * ABI_VERTEX_BATCH;
      for (uint32_t k = 0; k < corners; k++, to += lanes) {
         if (row < 0)
            memset(to, 0, count * sizeof(*to));
         else
            load_lanes(to, data, from[k], count);
      }
   }
}

/* The strip that a lane is making in a stream. */
struct strip {
   uint32_t length; /* vertices */
   struct emitted {
      uint32_t id; /* gl_PrimitiveID */
      uint32_t at; /* its lane in the call's first row */
      uint16_t slot;
   } last[2]; /* the one before, and before that */
};

/* What primitives of a call are made from and go to. */
struct assembly {
   struct rt_packet *packet;
   const struct rt_context *context;
   struct rt_xfb_store *xfb;
   const uint32_t *outputs;
   uint32_t lanes;
   uint64_t num_made[ABI_MAX_STREAMS]; /* of context->counted_streams */
};

/* The primitive of the stream that is rasterized. */
static inline void add_prim(struct assembly *a, const struct strip *strip, struct emitted vertex)
{
   const struct rt_context *c = a->context;
   const uint32_t corners = c->gs->corners_out, number = strip->length - corners, odd = number & 1, prim = a->packet->num_prims++;
   uint16_t *v = a->packet->corners + (size_t)prim * corners;
   if (corners == 3) { /* spec: "Triangle Strips" */
      v[0] = strip->last[1].slot;
      v[1] = odd ? vertex.slot : strip->last[0].slot;
      v[2] = odd ? strip->last[0].slot : vertex.slot;
      a->packet->turns[prim] = (uint8_t)(2 - odd);
   } else {
      v[0] = corners == 2 ? strip->last[0].slot : vertex.slot;
      v[corners - 1] = vertex.slot;
   }
   /* the provoking vertex's: the strip's newest or oldest */
   const bool is_newest = corners == 1 || c->state.provoking_vertex.last;
   a->packet->primitive_ids[prim] = is_newest ? vertex.id : strip->last[corners - 2].id;
   a->packet->starts[prim] = number == 0;
}

/* A primitive that is captured: its winding as add_prim() has it, the provoking vertex first or last. */
static void capture_prim(struct assembly *a, uint32_t stream, const struct strip *strip, struct emitted vertex)
{
   const struct rt_context *c = a->context;
   const uint32_t corners = c->gs->corners_out, odd = (strip->length - corners) & 1;
   const uint32_t *oldest = a->outputs + strip->last[1].at, *middle = a->outputs + strip->last[0].at, *newest = a->outputs + vertex.at;
   const uint32_t *v[3] = {newest};
   if (corners == 2) {
      v[0] = middle;
      v[1] = newest;
   } else if (corners == 3 && c->state.provoking_vertex.last) {
      v[0] = odd ? middle : oldest;
      v[1] = odd ? oldest : middle;
      v[2] = newest;
   } else if (corners == 3) {
      v[0] = oldest;
      v[1] = odd ? newest : middle;
      v[2] = odd ? middle : newest;
   }
   rt_xfb_capture_prim(c->xfb, stream, v, a->lanes, a->xfb);
}

static inline void add_vertex(struct assembly *a, uint32_t stream, struct strip *strip, struct emitted vertex)
{
   const struct rt_context *c = a->context;
   strip->length++;
   if (strip->length >= c->gs->corners_out) {
      if (stream == c->rasterized_stream)
         add_prim(a, strip, vertex);
      if (UTIL_UNLIKELY(c->counted_streams >> stream & 1)) {
         a->num_made[stream]++;
         if (c->xfb && c->xfb->streams[stream].num_words)
            capture_prim(a, stream, strip, vertex);
      }
   }
   strip->last[1] = strip->last[0];
   strip->last[0] = vertex;
}

/* True if all lanes have emitted as many vertices, to the same streams, with the same ends of strips. */
static bool are_alike(const struct rt_geometry_shader *shader, const struct assembly *a, uint32_t count)
{
   const uint32_t num_vertices = shader->num_vertices[0], vertex_words = a->context->num_gs_outputs * a->lanes;
   const uint32_t *flags = shader->outputs + (size_t)a->context->gs_flags_row * a->lanes;
   uint32_t difference = 0;
   for (uint32_t i = 0; i < count; i++)
      difference |= shader->num_vertices[i] ^ num_vertices;
   for (uint32_t v = 0; v < num_vertices && !difference; v++, flags += vertex_words) {
      for (uint32_t i = 0; i < count; i++)
         difference |= flags[i] ^ flags[0];
   }
   return !difference;
}

/* The first lane's primitives are made, from number `made` of the packet on: those of the lanes behind it differ from
 * them in what is their own. ids: of gl_PrimitiveID, by vertex, or NULL: the primitive's that the lane has read. */
static void repeat(struct rt_geometry_shader *shader, struct assembly *a, uint32_t made, uint32_t count, uint32_t base, const uint32_t *ids)
{
   struct rt_packet *packet = a->packet;
   const uint32_t corners = a->context->gs->corners_out, num_prims = packet->num_prims - made;
   const uint32_t vertex_words = a->context->num_gs_outputs * a->lanes;
   const bool is_newest = corners == 1 || a->context->state.provoking_vertex.last;
   for (uint32_t i = 1; i < count; i++) {
      const uint32_t to = made + i * num_prims;
      for (uint32_t k = 0; k < num_prims * corners; k++)
         packet->corners[to * corners + k] = (uint16_t)(packet->corners[made * corners + k] + i);
      for (uint32_t k = 0; k < num_prims; k++) {
         packet->turns[to + k] = packet->turns[made + k];
         packet->starts[to + k] = packet->starts[made + k];
         packet->primitive_ids[to + k] = shader->primitive_ids[i];
         if (ids) {
            const uint16_t *v = &packet->corners[(made + k) * corners];
            uint32_t provoking = v[0];
            for (uint32_t n = 1; n < corners; n++) /* the strip's newest or oldest */
               provoking = (v[n] > provoking) == is_newest ? v[n] : provoking;
            packet->primitive_ids[to + k] = ids[(provoking - base) / count * vertex_words + i];
         }
      }
   }
   packet->num_prims = made + count * num_prims;
}

/* Makes primitives of what the lanes emitted; vertex v of lane i is the packet's vertex base + v * count + i. */
static void assemble(struct rt_geometry_shader *shader, struct assembly *a, uint32_t base, uint32_t count)
{
   const struct rt_context *c = a->context;
   const uint32_t lanes = a->lanes, wanted = c->counted_streams | 1u << c->rasterized_stream;
   const uint32_t vertex_words = c->num_gs_outputs * lanes;
   const bool has_ids = util_bitset_test(c->gs->outputs, ABI_SLOT_PRIMITIVE_ID);
   const uint32_t id_row = (uint32_t)__builtin_popcountll(c->gs->outputs[0] & ((1u << ABI_SLOT_PRIMITIVE_ID) - 1));
   if (c->gs_flags_row < 0)
      return; /* it emits nothing */
   const uint32_t made = a->packet->num_prims;
   const bool repeats = !c->counted_streams && are_alike(shader, a, count);
   for (uint32_t i = 0; i < (repeats ? 1 : count); i++) {
      const uint32_t *flags = shader->outputs + (size_t)c->gs_flags_row * lanes + i;
      const uint32_t *ids = shader->outputs + (size_t)id_row * lanes + i;
      struct strip strips[ABI_MAX_STREAMS];
      for (uint32_t s = 0; s < ABI_MAX_STREAMS; s++)
         strips[s].length = 0;
      for (uint32_t v = 0; v < shader->num_vertices[i]; v++) {
         const uint32_t at = v * vertex_words, flag = flags[at], stream = flag >> ABI_VERTEX_STREAM_SHIFT & (ABI_MAX_STREAMS - 1);
         if (!(wanted >> stream & 1))
            continue;
         if (flag & ABI_VERTEX_BEGINS)
            strips[stream].length = 0;
         const uint32_t id = has_ids ? ids[at] : shader->primitive_ids[i];
         add_vertex(a, stream, &strips[stream], (struct emitted){id, at + i, (uint16_t)(base + v * count + i)});
      }
   }
   if (repeats)
      repeat(shader, a, made, count, base, has_ids ? shader->outputs + (size_t)id_row * lanes : NULL);
}

/* One call; returns the number of vertices of the invocation that emitted the most. */
static uint32_t call(struct rt_geometry_shader *shader, const struct rt_draw *draw, uint32_t view, uint32_t count,
                     struct rt_worker *worker)
{
   const struct abi_geometry_args args = {
      .resources = &draw->resources,
      .inputs = shader->inputs,
      .outputs = shader->outputs,
      .num_vertices = shader->num_vertices,
      .primitive_id = shader->primitive_ids,
      .invocation_id = shader->invocation_ids,
      .view_index = view,
   };
   for (uint32_t i = 0; i < count; i++)
      shader->num_vertices[i] = 0; /* of a call that is cancelled */
   draw->context->pipeline->shaders[ABI_STAGE_GEOMETRY].run.geometry(&args, &worker->abi, count);
   rt_worker_progress(worker);
   uint32_t max = 0;
   for (uint32_t i = 0; i < count; i++)
      max = UTIL_MAX(max, shader->num_vertices[i]);
   return max;
}

void rt_geometry_run(struct rt_geometry_shader *shader, const struct rt_draw *draw, uint32_t view,
                     const struct rt_packet *source, struct rt_xfb_store *xfb, struct rt_worker *worker)
{
   const struct rt_context *c = draw->context;
   const struct abi_shader_info *gs = c->gs;
   const uint32_t lanes = abi_geometry_batch(gs->max_vertices), batch = batch_of(gs);
   const uint32_t total = rt_geometry_invocations(c, source), first = shader->next;
   struct rt_packet *packet = &shader->packet;
   struct assembly assembly = {.packet = packet, .context = c, .xfb = xfb, .outputs = shader->outputs, .lanes = lanes};
   packet->num_prims = 0;
   packet->corners_per_prim = gs->corners_out;
   packet->batch.num_vertices = 0;
   packet->batch.any_codes = 0;
   rt_draw_enter(draw, ABI_STAGE_GEOMETRY, worker);
   while (shader->next < total && !rt_worker_is_cancelled(worker)) {
      const uint32_t base = packet->batch.num_vertices, count = UTIL_MIN(total - shader->next, batch);
      if (base + count * gs->max_vertices > RT_PACKET_VERTICES)
         break;
      gather_inputs(shader, c, source, shader->next, count);
      const uint32_t max = call(shader, draw, view, count, worker);
      assemble(shader, &assembly, base, count);
      for (uint32_t v = 0; v < max && !c->is_discarded; v++)
         rt_finish_vertices(draw, &packet->batch, shader->outputs + (size_t)v * c->num_gs_outputs * lanes, lanes,
                            base + v * count, count, view);
      packet->batch.num_vertices = base + max * count;
      shader->next += count;
   }
   rt_packet_pad(packet);
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT, shader->next - first);
   for (uint32_t s = 0; s < ABI_MAX_STREAMS && c->counted_streams; s++) {
      rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT, assembly.num_made[s]);
      if (c->generated[s])
         rt_query_add(c->generated[s], 0, assembly.num_made[s]);
   }
}
