/* SPDX-License-Identifier: MIT */
#include "runtime/rays/rays.h"

#include "util/debug.h"
#include "util/size.h"

#include <string.h>

/* Of one level: a traced ray a lane, the calls of an intersection and of an any-hit shader. */
static size_t level_bytes(const struct rt_ray_pipeline *pipeline)
{
   const size_t rows = util_size_mul(pipeline->max_payload_words, ABI_RAY_LANES * sizeof(uint32_t));
   const size_t call = util_size_add(util_size_add(rows, pipeline->max_frame_bytes), sizeof(struct rt_ray_call) + 256);
   return util_size_add(util_size_mul(call, 2), ABI_RAY_LANES * (sizeof(struct abi_ray) + ABI_ATTRIBUTE_WORDS * 4) + 2048);
}

size_t rt_ray_stack_bytes(const struct rt_ray_pipeline *pipeline, uint32_t levels)
{
   return util_size_mul(level_bytes(pipeline), levels);
}

void *rt_ray_push(struct rt_ray_state *state, size_t size)
{
   const size_t bytes = util_align(size, 64);
   if (bytes > state->stack_bytes - state->used_bytes)
      return NULL;
   void *memory = state->stack + state->used_bytes;
   state->used_bytes = util_size_add(state->used_bytes, bytes);
   return memory;
}

struct rt_ray_call *rt_ray_call_begin(struct rt_ray_state *state, const struct rt_shader *shader)
{
   const char here = 0;
   if (state->depth >= state->max_depth || (uintptr_t)&here < state->native_end)
      return NULL;
   struct rt_ray_call *call = rt_ray_push(state, sizeof(*call));
   if (!call)
      return NULL;
   call->trace = NULL;
   call->shader = shader;
   call->count = 0;
   call->data = NULL;
   call->data_words = call->data_lanes = 0;
   memset(call->verdicts, 0, sizeof(call->verdicts));
   call->args.resources = state->launch->resources;
   call->args.rays = call->rays;
   call->args.records = call->records;
   call->args.payload = NULL;
   call->args.attributes = call->attributes;
   call->args.verdicts = call->verdicts;
   call->args.tables[0] = state->launch->table.hit.address;
   call->args.tables[1] = state->launch->table.hit.stride_bytes;
   call->args.tables[2] = state->launch->table.miss.address;
   call->args.tables[3] = state->launch->table.miss.stride_bytes;
   memcpy(call->args.launch_size, state->launch->size, sizeof(call->args.launch_size));
   return call;
}

/* Lanes beyond the count have what the first one has: it can be read. */
static void fill_lanes(struct rt_ray_call *call)
{
   for (uint32_t lane = call->count; lane < call->shader->info->lanes; lane++) {
      call->rays[lane] = call->rays[0];
      call->records[lane] = call->records[0];
      for (uint32_t c = 0; c < 3; c++)
         call->args.launch_id[c][lane] = call->args.launch_id[c][0];
   }
}

/* Parts of a payload: `uninit` has the shadow behind it. */
static uint32_t num_parts(void)
{
   return UTIL_UNLIKELY(util_debug(UTIL_DEBUG_UNINIT)) ? 2 : 1;
}

/* One word of all lanes. `is_whole`: they are in the caller's lanes. */
static inline void copy_row(const struct rt_ray_call *call, uint32_t *row, uint32_t *data, bool is_whole, bool is_in)
{
   if (is_whole) {
      memcpy(is_in ? row : data, is_in ? data : row, call->count * sizeof(*row));
      return;
   }
   for (uint32_t lane = 0; lane < call->count; lane++) {
      if (is_in)
         row[lane] = data[call->data_of[lane]];
      else
         data[call->data_of[lane]] = row[lane];
   }
}

/* Words that both have, between the caller's rows and the shader's. */
static inline void copy_payload(const struct rt_ray_call *call, uint32_t *rows, bool is_in)
{
   uint8_t in_order[ABI_RAY_LANES];
   for (uint32_t lane = 0; lane < ABI_RAY_LANES; lane++)
      in_order[lane] = (uint8_t)lane;
   const bool is_whole = !memcmp(call->data_of, in_order, call->count);
   const uint32_t parts = num_parts(), lanes = call->shader->info->lanes, own = call->shader->info->payload_words / parts, callers = call->data_words / parts;
   const uint32_t words = UTIL_MIN(own, callers);
   for (uint32_t part = 0; part < parts; part++)
      for (uint32_t w = 0; w < words; w++)
         copy_row(call, &rows[(part * own + w) * lanes], &call->data[(part * callers + w) * call->data_lanes], is_whole, is_in);
}

/* Words that the caller has not are 0. */
static void copy_in(const struct rt_ray_call *call, uint32_t *rows)
{
   const struct abi_shader_info *info = call->shader->info;
   memset(rows, 0, (size_t)info->payload_words * info->lanes * sizeof(*rows));
   copy_payload(call, rows, true);
}

void rt_ray_call_run(struct rt_ray_state *state, struct rt_ray_call *call, struct abi_worker *worker)
{
   const struct abi_shader_info *info = call->shader->info;
   const size_t used = state->used_bytes;
   uint32_t *rows = rt_ray_push(state, (size_t)info->payload_words * info->lanes * sizeof(*rows) + 64);
   uint8_t *frame = rt_ray_push(state, (size_t)info->frame_bytes + 64);
   if (rows && frame && call->count) {
      struct abi_worker inner = *worker;
      inner.frame = frame;
      call->args.payload = rows;
      fill_lanes(call);
      copy_in(call, rows);
      const char *outer = rt_worker_call(state->worker, call->shader->name);
      state->depth++;
      call->shader->run.raygen(&call->args, &inner, call->count);
      state->depth--;
      (void)rt_worker_call(state->worker, outer);
      worker->gave_up_at = inner.gave_up_at;
      copy_payload(call, rows, false);
   }
   state->used_bytes = used;
}
