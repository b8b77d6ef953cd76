/* SPDX-License-Identifier: MIT */
#include "runtime/geometry/task_shader.h"

#include "runtime/cmd/query.h"
#include "runtime/instrument/races.h"
#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

enum {
   STORE_BYTES = 8 * 1024 * 1024,
   TASKS_AN_ITEM = 8,
   MAX_TASKS = 64 * 1024, /* of one run */
};

void rt_task_store_finish(struct rt_task_store *store)
{
   util_mfree(store->data);
   *store = (struct rt_task_store){0};
}

/* A grid with its payload behind it. */
struct record {
   struct rt_mesh_grid grid;
   _Alignas(64) uint8_t payload[];
};

static size_t payload_room(const struct rt_context *c)
{
   return util_align(c->ts->payload_bytes, 64);
}

/* The shadow stands behind the payload. */
static size_t record_bytes(const struct rt_context *c)
{
   return sizeof(struct record) + payload_room(c) * (c->ts->shared_shadow ? 2 : 1);
}
_Static_assert(sizeof(struct record) + 2 * ABI_MAX_PAYLOAD_BYTES < STORE_BYTES, "each task has room in an empty store");

VkResult rt_task_room(struct rt_task_store *store, const struct rt_context *c, uint32_t *count)
{
   if (!store->data)
      store->data = util_malloc64(STORE_BYTES);
   if (!store->data)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   *count = (uint32_t)UTIL_MIN((STORE_BYTES - store->used_bytes) / record_bytes(c), (size_t)MAX_TASKS);
   return VK_SUCCESS;
}

void rt_payload_shadow_init(uint8_t *shared, const struct abi_shader_info *info, const uint8_t *given, uint32_t given_bytes)
{
   uint8_t *shadow = shared + info->shared_shadow;
   if (!info->shared_shadow)
      return;
   memset(shadow, 0, abi_first_variable(info));
   if (info->stage == ABI_STAGE_TASK)
      memset(shadow, 0xff, info->payload_bytes);
   if (given)
      memcpy(shadow, given, given_bytes);
}

struct tasks {
   const struct rt_draw *draw;
   uint8_t *records;
   uint64_t first;
   uint32_t count, view;
};

static void run_task(const struct tasks *tasks, uint32_t index, struct rt_worker *worker)
{
   const struct rt_context *c = tasks->draw->context;
   const uint32_t *count = tasks->draw->grid.count;
   struct record *record = (struct record *)(tasks->records + index * record_bytes(c));
   const struct abi_compute_args args = {
      .resources = &tasks->draw->resources,
      .num_workgroups = {count[0], count[1], count[2]},
      .view_index = tasks->view,
      .draw_index = tasks->draw->params.draw_index,
   };
   uint8_t *shared = worker->abi.shared;
   const uint64_t number = tasks->first + index, row = number / count[0];
   worker->grid = tasks->view << RT_GRID_VIEW_SHIFT;
   memset(shared, 0, c->ts->output_offset + c->ts->output_bytes); /* what it does not write is the same everywhere */
   rt_payload_shadow_init(shared, c->ts, NULL, 0);
   if (!rt_races_begin(&args, worker))
      return;
   c->pipeline->shaders[ABI_STAGE_TASK].run.task(&args, &worker->abi, (uint32_t)(number % count[0]), (uint32_t)(row % count[1]),
                                                 (uint32_t)(row / count[1]), 1);
   rt_races_end(worker);
   rt_worker_progress(worker);
   const struct abi_task_output *output = (const struct abi_task_output *)(shared + c->ts->output_offset);
   record->grid = (struct rt_mesh_grid){.payload = record->payload, .number = worker->grid + (uint32_t)number};
   memcpy(record->grid.count, output->count, sizeof(output->count));
   memcpy(record->payload, shared, c->ts->payload_bytes);
   if (c->ts->shared_shadow) {
      record->grid.payload_shadow = record->payload + payload_room(c);
      memcpy(record->payload + payload_room(c), shared + c->ts->shared_shadow, c->ts->payload_bytes);
   }
}

static void run_item(void *data, uint32_t item, struct rt_worker *worker)
{
   const struct tasks *tasks = data;
   const struct rt_context *c = tasks->draw->context;
   const uint32_t first = item * TASKS_AN_ITEM, end = UTIL_MIN(first + TASKS_AN_ITEM, tasks->count);
   if (!rt_worker_reserve(worker, c->ts->shared_bytes, c->ts->frame_bytes)) {
      rt_pool_fail(worker->pool, "out of memory for a task shader's workgroup");
      return;
   }
   rt_draw_enter(tasks->draw, ABI_STAGE_TASK, worker);
   for (uint32_t i = first; i < end && !rt_worker_is_cancelled(worker); i++)
      run_task(tasks, i, worker);
}

const uint8_t *rt_task_run(struct rt_task_store *store, const struct rt_draw *draw, uint32_t view, uint64_t first, uint32_t count,
                           struct rt_worker *worker)
{
   const struct rt_context *c = draw->context;
   struct tasks tasks = {.draw = draw, .records = store->data + store->used_bytes, .first = first, .count = count, .view = view};
   const uint32_t *size = c->ts->local_size;
   store->used_bytes = util_size_array(store->used_bytes, count, record_bytes(c));
   rt_pool_run(worker->pool, worker, run_item, &tasks, UTIL_DIV_ROUND_UP(count, TASKS_AN_ITEM), 1, "task shaders");
   rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT, (uint64_t)count * size[0] * size[1] * size[2]);
   return tasks.records;
}

const struct rt_mesh_grid *rt_task_grid(const uint8_t *tasks, const struct rt_context *c, uint32_t index)
{
   return &((const struct record *)(tasks + index * record_bytes(c)))->grid;
}

uint64_t rt_mesh_grid_count(const struct rt_mesh_grid *grid)
{
   uint64_t count;
   if (__builtin_mul_overflow((uint64_t)grid->count[0] * grid->count[1], (uint64_t)grid->count[2], &count))
      return 0;
   return count <= ABI_MAX_MESH_WORKGROUPS ? count : 0;
}
