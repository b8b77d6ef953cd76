/* SPDX-License-Identifier: MIT */
#include "runtime/geometry/mesh_shader.h"

#include "runtime/cmd/query.h"
#include "runtime/geometry/chunk.h"
#include "runtime/geometry/task_shader.h"
#include "runtime/instrument/races.h"
#include "runtime/pool.h"

#include <string.h>

size_t rt_mesh_shared_bytes(const struct rt_context *c)
{
   return UTIL_MAX(c->ms->shared_bytes, c->ms->output_offset + c->ms->output_bytes);
}

/* What the task shader left; what it does not have of the mesh shader's payload is zero. */
static void load_payload(const struct rt_context *c, const struct rt_mesh_grid *grid, struct rt_worker *worker)
{
   const uint32_t wanted = c->ms->payload_bytes, given = grid->payload && c->ts ? UTIL_MIN(c->ts->payload_bytes, wanted) : 0;
   if (given)
      memcpy(worker->abi.shared, grid->payload, given);
   memset(worker->abi.shared + given, 0, wanted - given);
   rt_payload_shadow_init(worker->abi.shared, c->ms, given ? grid->payload_shadow : NULL, given);
}

/* One workgroup; returns what it made. */
static const struct abi_mesh_output *run_workgroup(const struct rt_piece *piece, uint64_t number, struct rt_worker *worker)
{
   const struct rt_context *c = piece->draw->context;
   const uint32_t *count = piece->grid->count;
   const struct abi_compute_args args = {
      .resources = &piece->draw->resources,
      .num_workgroups = {count[0], count[1], count[2]},
      .view_index = piece->view,
      .draw_index = piece->draw->params.draw_index,
   };
   uint8_t *output = worker->abi.shared + c->ms->output_offset;
   memset(output, 0, c->ms->output_bytes); /* what it does not write is the same everywhere */
   const uint64_t row = number / count[0];
   if (!rt_races_begin(&args, worker))
      return (const struct abi_mesh_output *)output;
   c->pipeline->shaders[ABI_STAGE_MESH].run.mesh(&args, &worker->abi, (uint32_t)(number % count[0]), (uint32_t)(row % count[1]),
                                                 (uint32_t)(row / count[1]), 1);
   rt_races_end(worker);
   rt_worker_progress(worker);
   return (const struct abi_mesh_output *)output;
}

/* Row of a primitive's slot; -1: there is none. */
static inline const uint32_t *row_at(const struct abi_mesh_output *output, int32_t row)
{
   return row >= 0 ? (const uint32_t *)output + row : NULL;
}

/* What primitive `from` of the output says, as the packet's number `prim`. */
static void add_values(const struct rt_draw *draw, struct rt_packet *packet, uint32_t prim, const struct abi_mesh_output *output, uint32_t from)
{
   const struct rt_context *c = draw->context;
   const uint32_t *ids = row_at(output, c->prim_id_row);
   packet->primitive_ids[prim] = ids ? ids[from] : 0;
   uint32_t *values = packet->prim_values + (size_t)prim * c->num_prim_values;
   for (uint32_t i = 0; i < c->num_prim_values; i++)
      values[i] = row_at(output, c->prim_value_row[i])[from];
   if (!c->has_prim_extras)
      return;
   const uint32_t *layers = row_at(output, c->prim_layer_row), *viewports = row_at(output, c->prim_viewport_row);
   const uint32_t *rates = row_at(output, c->prim_rate_row);
   const uint32_t viewport = viewports ? viewports[from] : 0;
   packet->prim_extras[prim] = (struct rt_prim_extra){
      .layer = layers ? layers[from] : 0,
      .viewport = viewport < draw->viewports->count ? viewport : 0,
      .rate = rates ? rates[from] : 0,
   };
}

/* Puts a workgroup's vertices and primitives behind those of the packet. */
static void add_output(const struct rt_draw *draw, struct rt_packet *packet, const struct abi_mesh_output *output, uint32_t view)
{
   const struct rt_context *c = draw->context;
   const struct abi_shader_info *ms = c->ms;
   const uint32_t base = packet->batch.num_vertices, corners = ms->corners_out;
   const uint32_t num_vertices = UTIL_MIN(output->num_vertices, ms->max_vertices);
   const uint32_t num_prims = UTIL_MIN(output->num_primitives, ms->max_primitives);
   for (uint32_t i = 0; i < num_vertices && !c->is_discarded; i += ABI_VERTEX_BATCH)
      rt_finish_vertices(draw, &packet->batch, output->rows + i, abi_mesh_stride(ms->max_vertices), base + i,
                         UTIL_MIN(num_vertices - i, (uint32_t)ABI_VERTEX_BATCH), view);
   packet->batch.num_vertices += num_vertices;
   if (c->mesh_generated)
      rt_query_add(c->mesh_generated, 0, num_prims);
   if (ms->rows[ABI_SLOT_INDICES] == ABI_NO_ROW)
      return;
   const uint32_t *rows[3], *culled = row_at(output, c->prim_cull_row);
   for (uint32_t k = 0; k < corners; k++)
      rows[k] = row_at(output, ms->rows[ABI_SLOT_INDICES + k]);
   const bool has_values = c->prim_id_row >= 0 || c->num_prim_values || c->has_prim_extras;
   uint32_t prim = packet->num_prims;
   for (uint32_t p = 0; p < num_prims; p++) {
      uint16_t *v = packet->corners + (size_t)prim * corners;
      bool is_dropped = culled && culled[p];
      for (uint32_t k = 0; k < corners; k++) {
         is_dropped |= rows[k][p] >= num_vertices;
         v[k] = (uint16_t)(base + rows[k][p]);
      }
      if (has_values)
         add_values(draw, packet, prim, output, p);
      prim += !is_dropped;
   }
   packet->num_prims = prim;
}

uint32_t rt_mesh_run(const struct rt_piece *piece, struct rt_packet *packet, uint32_t next, struct rt_worker *worker)
{
   const struct rt_context *c = piece->draw->context;
   const struct abi_shader_info *ms = c->ms;
   const uint32_t first = next;
   packet->num_prims = 0;
   packet->corners_per_prim = ms->corners_out;
   packet->batch.num_vertices = 0;
   packet->batch.any_codes = 0;
   rt_draw_enter(piece->draw, ABI_STAGE_MESH, worker);
   worker->grid = piece->view << RT_GRID_VIEW_SHIFT | piece->grid->number;
   load_payload(c, piece->grid, worker);
   while (next < piece->count && !rt_worker_is_cancelled(worker)) {
      if (packet->batch.num_vertices + ms->max_vertices > RT_PACKET_VERTICES || packet->num_prims + ms->max_primitives > RT_PACKET_PRIMS)
         break;
      add_output(piece->draw, packet, run_workgroup(piece, piece->first + next, worker), piece->view);
      next++;
   }
   if (c->prim_id_row < 0)
      memset(packet->primitive_ids, 0, packet->num_prims * sizeof(*packet->primitive_ids));
   if (c->turns_last)
      memset(packet->turns, 2, packet->num_prims);
   rt_packet_pad(packet);
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT,
                    (uint64_t)(next - first) * ms->local_size[0] * ms->local_size[1] * ms->local_size[2]);
   return next;
}
_Static_assert((int)RT_PACKET_PRIMS > (int)ABI_MAX_MESH_PRIMITIVES && (int)RT_PACKET_VERTICES >= (int)ABI_MAX_MESH_VERTICES,
               "a workgroup has room in an empty packet, and one primitive that is dropped behind its last");
