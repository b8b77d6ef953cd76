/* SPDX-License-Identifier: MIT
 * vkCmdTraceRays*: the grid is cut into tiles, whose neighbouring rays are traversed together, and tiles into items.
 * Spec: Ray Tracing Pipelines, "Ray Tracing Commands". */
#include "runtime/device.h"
#include "runtime/instrument/watch.h"
#include "runtime/queue/executor.h"
#include "runtime/rays/rays.h"

#include "util/stack.h"

#include <stdio.h>
#include <string.h>

enum {
   ITEMS_PER_THREAD = 64,
   SPARE_LEVELS = 4,            /* generation, intersection, any-hit and a callable shader beside those that trace */
   NATIVE_BYTES = 5 << 20,      /* of a thread's stack that shaders may use: each takes half a MiB at most (compiler/llvm) */
};
_Static_assert((int)NATIVE_BYTES + (2 << 20) <= (int)UTIL_STACK_BYTES, "room for what called us and for the last shader");

struct launch_job {
   struct rt_launch launch;
   const struct rt_shader *generation;
   uint64_t record;
   uint32_t tile[2], num_tiles[3]; /* invocations of a tile; tiles of the grid, each a layer thick */
   uint64_t total_tiles, per_item, number;
   uint64_t order; /* rt_worker.order */
   double share; /* of a worker's part of the launch, a tile */
   uint32_t levels;
   size_t stack_bytes;
};

/* Invocations of a tile that are in the grid: one vector. */
static void run_tile(const struct launch_job *job, uint64_t index, struct rt_ray_state *state)
{
   const uint32_t *size = job->launch.size;
   const uint32_t x = (uint32_t)(index % job->num_tiles[0]) * job->tile[0], rest = (uint32_t)(index / job->num_tiles[0] % job->num_tiles[1]);
   const uint32_t y = rest * job->tile[1], z = (uint32_t)(index / job->num_tiles[0] / job->num_tiles[1]);
   struct rt_ray_call *call = rt_ray_call_begin(state, job->generation);
   if (!call)
      return;
   for (uint32_t j = 0; j < job->tile[1] && y + j < size[1]; j++) {
      for (uint32_t i = 0; i < job->tile[0] && x + i < size[0]; i++) {
         const uint32_t at = call->count++;
         call->rays[at] = NULL;
         call->records[at] = job->record;
         call->args.launch_id[0][at] = x + i;
         call->args.launch_id[1][at] = y + j;
         call->args.launch_id[2][at] = z;
      }
   }
   rt_ray_call_run(state, call, &state->worker->abi);
   state->used_bytes = 0;
}

static void run_item(void *data, uint32_t item, struct rt_worker *worker)
{
   const struct launch_job *job = data;
   const char here = 0;
   struct rt_ray_state state = {.launch = &job->launch, .worker = worker, .stack_bytes = job->stack_bytes, .max_depth = job->levels,
                                .native_end = (uintptr_t)&here - NATIVE_BYTES};
   state.stack = rt_worker_scratch(worker, job->stack_bytes);
   if (!state.stack) {
      rt_pool_fail(worker->pool, "out of memory for a launch of rays");
      return;
   }
   worker->abi.launch = &state;
   worker->order = job->order;
   const uint64_t first = item * job->per_item, end = UTIL_MIN(first + job->per_item, job->total_tiles);
   for (uint64_t tile = first; tile < end && !rt_worker_is_cancelled(worker); tile++) {
      run_tile(job, tile, &state);
      rt_worker_progress(worker);
      rt_worker_advance(worker, job->number, job->share);
   }
   worker->abi.launch = NULL;
}

/* As square as a vector of the generation shader allows. */
static void choose_tiles(struct launch_job *job)
{
   const uint32_t lanes = job->generation->info->lanes, *size = job->launch.size;
   job->tile[0] = lanes;
   job->tile[1] = 1;
   while (job->tile[0] > job->tile[1] * 2 && job->tile[1] < size[1]) {
      job->tile[0] /= 2;
      job->tile[1] *= 2;
   }
   for (uint32_t c = 0; c < 2; c++)
      job->num_tiles[c] = UTIL_DIV_ROUND_UP(size[c], job->tile[c]);
   job->num_tiles[2] = size[2];
   job->total_tiles = (uint64_t)job->num_tiles[0] * job->num_tiles[1] * job->num_tiles[2];
}

/* By what the pipeline was created with, or what the application set. */
static uint32_t levels_of(const struct rt_executor *executor, const struct rt_ray_pipeline *pipeline)
{
   const uint32_t levels = pipeline->has_dynamic_stack ? executor->ray_stack_bytes / RT_RAY_STACK_BYTES : pipeline->max_recursion + 2;
   return UTIL_MIN(levels, RT_RAY_MAX_DEPTH - SPARE_LEVELS) + SPARE_LEVELS;
}

static void launch(struct rt_executor *executor, const struct rt_ray_table *table, const uint32_t size[3])
{
   const struct rt_ray_pipeline *pipeline = executor->rays;
   uint64_t invocations;
   if (!pipeline || !size[0] || !size[1] || !size[2])
      return;
   if (__builtin_mul_overflow((uint64_t)size[0] * size[1], (uint64_t)size[2], &invocations) || invocations > UINT64_C(1) << 48) {
      char reason[128];
      snprintf(reason, sizeof(reason), "a launch of %u x %u x %u rays", size[0], size[1], size[2]);
      rt_device_lose(executor->device, reason);
      return;
   }
   struct rt_watched_records records;
   const bool follows_records = executor->readers && rt_watch_records(executor->readers, &records);
   struct launch_job job = {.launch = {.pipeline = pipeline, .table = *table, .size = {size[0], size[1], size[2]},
                                       .records = follows_records ? &records : NULL}};
   const struct rt_ray_group *group = rt_ray_find_group(&job.launch, &table->generation, 0, &job.record);
   job.generation = group ? group->general : NULL;
   if (!job.generation)
      return;
   rt_executor_sync_but_late(executor); /* the launch takes the queue's resources as they are */
   job.launch.resources = &executor->resources[RT_BIND_RAYS];
   job.levels = levels_of(executor, pipeline);
   job.stack_bytes = rt_ray_stack_bytes(pipeline, job.levels);
   choose_tiles(&job);
   const uint32_t num_threads = rt_pool_num_threads(executor->pool);
   job.per_item = UTIL_DIV_ROUND_UP(job.total_tiles, UTIL_MIN((uint64_t)num_threads * ITEMS_PER_THREAD, job.total_tiles));
   job.number = rt_worker_new_pace(&executor->worker);
   job.order = rt_executor_next_order(executor);
   job.share = (double)num_threads / (double)job.total_tiles;
   rt_pool_run(executor->pool, &executor->worker, run_item, &job, (uint32_t)UTIL_DIV_ROUND_UP(job.total_tiles, job.per_item), 1,
               job.generation->name ? job.generation->name : "a ray generation shader");
}

void rt_execute_trace_rays(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_trace_rays *trace = (const struct rt_cmd_trace_rays *)cmd;
   if (!rt_executor_is_free(executor)) /* earlier commands may write the table */
      rt_executor_sync_but_late(executor);
   launch(executor, &trace->table, trace->size);
}

static struct rt_ray_region region_of(uint64_t address, uint64_t size_bytes, uint64_t stride_bytes)
{
   return (struct rt_ray_region){address, stride_bytes, size_bytes};
}

void rt_execute_trace_rays_indirect(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_trace_rays_indirect *trace = (const struct rt_cmd_trace_rays_indirect *)cmd;
   if (!rt_executor_is_free(executor))
      rt_executor_sync_but_late(executor);
   if (!trace->has_table) {
      VkTraceRaysIndirectCommandKHR args;
      memcpy(&args, (const void *)(uintptr_t)trace->address, sizeof(args));
      launch(executor, &trace->table, (const uint32_t[3]){args.width, args.height, args.depth});
      return;
   }
   VkTraceRaysIndirectCommand2KHR args;
   memcpy(&args, (const void *)(uintptr_t)trace->address, sizeof(args));
   const struct rt_ray_table table = {
      .generation = region_of(args.raygenShaderRecordAddress, args.raygenShaderRecordSize, args.raygenShaderRecordSize),
      .miss = region_of(args.missShaderBindingTableAddress, args.missShaderBindingTableSize, args.missShaderBindingTableStride),
      .hit = region_of(args.hitShaderBindingTableAddress, args.hitShaderBindingTableSize, args.hitShaderBindingTableStride),
      .callable = region_of(args.callableShaderBindingTableAddress, args.callableShaderBindingTableSize, args.callableShaderBindingTableStride),
   };
   launch(executor, &table, (const uint32_t[3]){args.width, args.height, args.depth});
}
