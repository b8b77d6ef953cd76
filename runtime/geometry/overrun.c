/* SPDX-License-Identifier: MIT
 * Vertex and index buffers that end too early. A finding is that of an access past a buffer's end, by a site that no code has. */
#include "runtime/geometry/overrun.h"

#include "runtime/draw/attribute.h"
#include "runtime/draw/context.h"
#include "runtime/instrument/instrument.h"
#include "util/debug.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_NUMBER = ABI_MAX_SITES, INDICES = FIRST_NUMBER + RT_MAX_VERTEX_ATTRIBUTES }; /* of sites */

bool rt_overrun_is_checked(const struct rt_worker *worker)
{
   return UTIL_UNLIKELY(rt_pool_findings(worker->pool) != NULL) && util_debug(UTIL_DEBUG_BOUNDS);
}

/* A read of `bytes` at `offset` of a buffer; `words` say who reads. `stage`: ABI_NUM_STAGES for indices. */
struct overrun {
   uint32_t stage, number, num_words, words[2], bytes;
   uint64_t offset;
   const struct rt_vertex_buffer *buffer;
   char name[48];
};

static void report(const struct rt_draw *draw, const struct rt_worker *worker, const struct overrun *overrun)
{
   _Alignas(8) char room[sizeof(struct abi_site) + sizeof(overrun->name) + 8] = {0};
   const struct rt_shader *shader = &draw->context->pipeline->shaders[ABI_STAGE_VERTEX];
   struct abi_site *site = (struct abi_site *)room;
   struct rt_finding finding = {.order = draw->order, .party.site = site};
   *site = (struct abi_site){.module = shader->info->source_hash, .number = overrun->number, .probe = ABI_PROBE_BUFFER_BOUNDS,
                             .stage = (uint8_t)overrun->stage, .access = ABI_PROBE_READ, .set = ABI_NO_SET, .bytes = overrun->bytes,
                             .num_words = (uint8_t)overrun->num_words, .num_operands = (uint8_t)(overrun->num_words + 3), .total_bytes = sizeof(room)};
   memcpy(site->texts + 1, overrun->name, sizeof(overrun->name)); /* the other texts are the empty one in front */
   site->name = 1;
   for (uint32_t i = 0; i < overrun->num_words; i++)
      finding.party.operands[i] = overrun->words[i];
   uint64_t *operands = finding.party.operands + overrun->num_words;
   operands[0] = overrun->offset;
   operands[1] = overrun->buffer->size_bytes;
   operands[2] = (uintptr_t)overrun->buffer->data;
   snprintf(finding.label, sizeof(finding.label), "%s", shader->name ? shader->name : "");
   rt_findings_add(rt_pool_findings(worker->pool), &finding);
}

void rt_overrun_indices(const struct rt_draw *draw, const struct rt_worker *worker)
{
   const struct rt_draw_params *params = &draw->params;
   const uint64_t room = draw->index_bytes ? draw->index_buffer.size_bytes / draw->index_bytes : 0, end = (uint64_t)params->first + params->count;
   if (!params->is_indexed || !draw->index_buffer.data || end <= room)
      return;
   const uint64_t first = UTIL_MAX(room, (uint64_t)params->first);
   struct overrun overrun = {.stage = ABI_NUM_STAGES, .number = INDICES, .num_words = 1, .words = {(uint32_t)(first - params->first)},
                             .bytes = draw->index_bytes, .offset = first * draw->index_bytes, .buffer = &draw->index_buffer, .name = "index buffer"};
   report(draw, worker, &overrun);
}

/* Of those that read past the end the least; UINT32_MAX: nobody does. */
static uint32_t find_overrun(const struct rt_fetch *fetch, const struct rt_draw *draw, const uint32_t *vertex_index, const uint32_t *instance_index,
                             uint32_t count, uint64_t *at)
{
   const uint32_t first_instance = draw->params.first_instance;
   uint32_t found = UINT32_MAX;
   for (uint32_t i = 0; i < count; i++) {
      uint64_t element = vertex_index[i];
      if (fetch->is_instanced)
         element = first_instance + (fetch->divisor ? (instance_index[i] - first_instance) / fetch->divisor : 0);
      if (element * fetch->stride_bytes + fetch->info->texel_bytes <= fetch->size_bytes)
         continue;
      const bool is_less = found == UINT32_MAX || instance_index[i] < instance_index[found] ||
                           (instance_index[i] == instance_index[found] && vertex_index[i] < vertex_index[found]);
      if (!is_less)
         continue;
      found = i;
      *at = element * fetch->stride_bytes;
   }
   return found;
}

void rt_overrun_vertices(const struct rt_draw *draw, const struct rt_worker *worker, const uint32_t *vertex_index, const uint32_t *instance_index,
                         uint32_t count)
{
   for (uint32_t f = 0; f < draw->inputs->num_fetches; f++) {
      const struct rt_fetch *fetch = &draw->inputs->fetches[f];
      uint64_t at = 0;
      const uint32_t found = fetch->buffer ? find_overrun(fetch, draw, vertex_index, instance_index, count, &at) : UINT32_MAX;
      if (found == UINT32_MAX)
         continue;
      const struct rt_vertex_buffer buffer = {.data = fetch->buffer, .size_bytes = fetch->size_bytes + fetch->offset_bytes};
      struct overrun overrun = {.stage = ABI_STAGE_VERTEX, .number = FIRST_NUMBER + fetch->location, .num_words = 2,
                                .words = {instance_index[found], vertex_index[found]}, .bytes = fetch->info->texel_bytes,
                                .offset = at + fetch->offset_bytes, .buffer = &buffer};
      snprintf(overrun.name, sizeof(overrun.name), "the attribute at location %u", fetch->location);
      report(draw, worker, &overrun);
   }
}
