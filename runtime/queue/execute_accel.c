/* SPDX-License-Identifier: MIT
 * Builds and copies of acceleration structures, and queries of their properties: done at once, after all that was
 * recorded before. What cannot be done, of broken data or for want of room, leaves a structure without anything, and a
 * line in the log. Spec: Acceleration Structures. */
#include "runtime/cmd/query.h"
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "runtime/queue/queue.h"
#include "util/debug.h"
#include "util/size.h"

#include <string.h>

/* A build's loop on the threads of the pool. */
struct pool_loop {
   struct rt_executor *executor;
   rt_accel_body_fn *body;
   void *data;
};

static void run_item(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct pool_loop *loop = data;
   loop->body(loop->data, index);
}

static void run_loop(void *context, uint32_t count, rt_accel_body_fn *body, void *data)
{
   struct pool_loop loop = {context, body, data};
   rt_pool_run(loop.executor->pool, &loop.executor->worker, run_item, &loop, count, 1,
               "the build of an acceleration structure");
}

void rt_execute_build_accel(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_build_accel *build = (const struct rt_cmd_build_accel *)cmd;
   const struct rt_accel_loop loop = {.run = run_loop, .context = executor, .cancel = executor->worker.abi.cancel};
   rt_executor_sync_but_late(executor);
   for (struct rt_parts parts = rt_parts_of(&executor->worker, build->count); rt_parts_next(&parts);) {
      struct rt_accel_command command = build->builds[parts.index];
      struct rt_accel_geometry *geometries =
         rt_worker_scratch(&executor->worker, util_size_mul(command.num_geometries, sizeof(*geometries)) + 1);
      if (!geometries) {
         rt_device_lose(executor->device, "out of memory for the geometries of an acceleration structure");
         rt_parts_end(&parts);
         return;
      }
      memcpy(geometries, command.geometries, command.num_geometries * sizeof(*geometries));
      command.geometries = geometries;
      const char *problem = rt_accel_run(&command, rt_device_structures(executor->device), NULL, &loop);
      if (problem)
         util_log("%s", problem);
   }
}

void rt_execute_copy_accel(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_accel *copy = (const struct rt_cmd_copy_accel *)cmd;
   bool is_done = true;
   rt_executor_sync_but_late(executor);
   switch (copy->mode) {
   case RT_ACCEL_CLONE:
      is_done = rt_accel_copy(copy->from, copy->to);
      break;
   case RT_ACCEL_SERIALIZE:
      rt_accel_serialize(copy->from, copy->identity, copy->to.data);
      break;
   case RT_ACCEL_DESERIALIZE:
      is_done = rt_accel_deserialize(copy->from.data, copy->identity, copy->to);
      break;
   }
   if (!is_done)
      util_log("what is copied to an acceleration structure is none, or has no room in it");
}

void rt_execute_write_accel_properties(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_write_accel_properties *write = (const struct rt_cmd_write_accel_properties *)cmd;
   rt_executor_sync(executor);
   for (uint32_t i = 0; i < write->count && write->first + i < write->pool->count; i++)
      rt_query_set(&write->pool->queries[write->first + i], 0,
                   rt_accel_property(write->structures[i], write->pool->type));
   rt_query_pool_set_available(write->pool, write->first, write->count);
}
