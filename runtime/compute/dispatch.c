/* SPDX-License-Identifier: MIT
 * Dispatches: a grid of workgroups becomes items, runs of workgroups along x, that compiled code takes many at a time.
 * Spec: Dispatching Commands. */
#include "runtime/cmd/query.h"
#include "runtime/device.h"
#include "runtime/grid.h"
#include "runtime/instrument/races.h"
#include "runtime/queue/executor.h"
#include "util/debug.h"

#include <stdio.h>

/* Guess for a shader that has not run yet. */
#define FIRST_NS_PER_INVOCATION 4.0f

struct dispatch {
   const struct rt_shader *shader;
   struct rt_shader_cost *cost; /* NULL: not measured */
   struct abi_compute_args args;
   uint64_t num_workgroups, per_item;
   struct rt_races *races; /* NULL: accesses are not followed */
   uint64_t order;     /* rt_worker.order */
   uint64_t number;    /* of this dispatch, for rt_worker_advance(); 0: not counted */
   double share;       /* of a worker's part of the dispatch, a workgroup */
   uint32_t call_size; /* atomic, relaxed: workgroups a call; starts low, since nobody knows what one costs */
};

/* Workgroups [x, x + count) of one row, in calls of bounded length. */
static void run_row(struct dispatch *dispatch, struct rt_worker *worker, const uint32_t at[3], uint32_t count)
{
   const struct rt_shader *shader = dispatch->shader;
   uint32_t x = at[0];
   while (count && !rt_pool_is_cancelled(worker->pool)) {
      const uint32_t size = __atomic_load_n(&dispatch->call_size, __ATOMIC_RELAXED);
      const uint32_t num = UTIL_MIN(count, size);
      const bool is_timed = num == size && size < UINT32_MAX / 4 && num < count;
      const uint64_t begin_ns = is_timed ? util_now_ns() : 0;
      shader->run.compute(&dispatch->args, &worker->abi, x, at[1], at[2], num);
      if (is_timed && util_now_ns() - begin_ns < RT_GRID_CALL_NS / 4)
         __atomic_store_n(&dispatch->call_size, size * 4, __ATOMIC_RELAXED);
      rt_worker_progress(worker);
      if (dispatch->number)
         rt_worker_advance(worker, dispatch->number, dispatch->share * num);
      x += num;
      count -= num;
   }
}

static void run_in_order(struct dispatch *dispatch, uint64_t first, uint64_t end, struct rt_worker *worker)
{
   const uint32_t width = dispatch->args.num_workgroups[0], height = dispatch->args.num_workgroups[1];
   for (uint64_t i = first; i < end && !rt_pool_is_cancelled(worker->pool); i++) {
      /* Items are in that order already. */
      const bool is_shuffled = util_debug_order(NULL) == UTIL_ORDER_SHUFFLE;
      const uint64_t position = is_shuffled ? rt_pool_reordered(i, dispatch->num_workgroups) : first + end - 1 - i;
      const uint32_t at[3] = {(uint32_t)(position % width), (uint32_t)(position / width % height), (uint32_t)(position / width / height)};
      run_row(dispatch, worker, at, 1);
   }
}

static void run_workgroups(struct dispatch *dispatch, uint32_t index, struct rt_worker *worker)
{
   const struct abi_shader_info *info = dispatch->shader->info;

   worker->order = dispatch->order;
   if (!rt_worker_reserve(worker, info->shared_bytes, info->frame_bytes)) {
      rt_pool_fail(worker->pool, "out of memory for a workgroup");
      return;
   }
   uint64_t first = index * dispatch->per_item;
   const uint64_t end = UTIL_MIN(first + dispatch->per_item, dispatch->num_workgroups);
   if (UTIL_UNLIKELY(util_debug_order(NULL) != UTIL_ORDER_FORWARD)) {
      run_in_order(dispatch, first, end, worker);
      return;
   }
   while (first < end && !rt_pool_is_cancelled(worker->pool)) {
      uint32_t at[3], count;
      rt_grid_take_row(dispatch->args.num_workgroups, &first, end, at, &count);
      run_row(dispatch, worker, at, count);
   }
}

/* ---- cost ---- */

static uint64_t local_invocations(const struct abi_shader_info *info)
{
   return (uint64_t)info->local_size[0] * info->local_size[1] * info->local_size[2];
}

static void run_item(void *data, uint32_t index, struct rt_worker *worker)
{
   struct dispatch *dispatch = data;
   if (UTIL_UNLIKELY(dispatch->races != NULL)) {
      worker->order = dispatch->order;
      if (!rt_races_enter(dispatch->races, worker)) {
         rt_pool_fail(worker->pool, "out of memory for the search for races");
         return;
      }
      run_workgroups(dispatch, index, worker);
      rt_races_leave(worker);
      return;
   }
   if (index || !dispatch->cost) {
      run_workgroups(dispatch, index, worker);
      return;
   }
   const uint64_t begin_ns = util_now_ns();
   run_workgroups(dispatch, index, worker);
   const uint64_t num_invocations =
      UTIL_MIN(dispatch->per_item, dispatch->num_workgroups) * local_invocations(dispatch->shader->info);
   const float ns = (float)(util_now_ns() - begin_ns) / (float)num_invocations;
   atomic_store_explicit(&dispatch->cost->ns_per_invocation, ns, memory_order_relaxed);
}

/* Slots are shared by chance and their estimates may belong to a pipeline that is gone: they decide where work runs,
 * not what it does. */
static struct rt_shader_cost *cost_of(struct rt_executor *executor, const struct rt_compute_pipeline *pipeline)
{
   struct rt_shader_cost *cost = &executor->costs[((uintptr_t)pipeline >> 6) % RT_COST_SLOTS];
   if (cost->pipeline != pipeline) {
      cost->pipeline = pipeline;
      cost->num_seen = 0;
      atomic_store_explicit(&cost->ns_per_invocation, FIRST_NS_PER_INVOCATION, memory_order_relaxed);
   }
   return cost;
}

/* ---- the commands ---- */

/* Races and barriers are looked for. */
static void follow(struct rt_executor *executor, struct dispatch *dispatch, uint32_t num_items)
{
   struct rt_races *races = executor->races;
   if (races && rt_races_restart(races, &dispatch->args, num_items)) {
      dispatch->races = races;
      return;
   }
   races = rt_races_create(rt_pool_findings(executor->pool), &dispatch->args, num_items);
   if (!races) {
      util_log("no memory to look for races in a dispatch");
      return;
   }
   rt_races_link(races, executor->races);
   executor->races = dispatch->races = races;
}

/* The bound resources as they are now, as long as tasks need them; NULL: memory is out. */
static const struct abi_resources *keep_resources(struct rt_executor *executor)
{
   const struct abi_resources *now = &executor->resources[RT_BIND_COMPUTE];
   struct abi_resources *kept = &executor->kept;
   if (executor->snapshot)
      return executor->snapshot;
   if (!kept->sets)
      kept->sets = util_arena_dup(&executor->arena, now->sets, ABI_MAX_SETS * sizeof(*now->sets));
   if (!kept->push)
      kept->push = util_arena_dup(&executor->arena, now->push, ABI_MAX_PUSH_BYTES);
   if (kept->sets && kept->push)
      executor->snapshot = util_arena_dup(&executor->arena, kept, sizeof(*kept));
   return executor->snapshot;
}

static void dispatch_grid(struct rt_executor *executor, const uint32_t base[3], const uint32_t count[3])
{
   const struct rt_compute_pipeline *pipeline = executor->compute;
   uint64_t num_workgroups;
   if (!count[0] || !count[1] || !count[2] || !pipeline)
      return;
   if (!rt_grid_count(count, &num_workgroups)) {
      char reason[128];
      snprintf(reason, sizeof(reason), "a dispatch of %u x %u x %u workgroups", count[0], count[1], count[2]);
      rt_device_lose(executor->device, reason);
      return;
   }

   const struct abi_shader_info *info = pipeline->shader.info;
   const double num_invocations = (double)num_workgroups * (double)local_invocations(info);
   struct rt_shader_cost *cost = cost_of(executor, pipeline);
   const float ns_per_invocation = atomic_load_explicit(&cost->ns_per_invocation, memory_order_relaxed);
   const double cost_ns = num_invocations * (double)ns_per_invocation;
   const bool is_inline = rt_executor_runs_inline(executor, RT_STAGES_COMPUTE, cost_ns);

   struct dispatch dispatch = {
      .shader = &pipeline->shader,
      /* The clock costs as much as a small workgroup: it is read for the first runs, for large ones, and now and then.
       */
      .cost = !is_inline || cost->num_seen < 4 || cost->num_seen % 32 == 0 ? cost : NULL,
      .args = {.num_workgroups = {count[0], count[1], count[2]}, .base = {base[0], base[1], base[2]}},
      .num_workgroups = num_workgroups,
      .order = rt_executor_next_order(executor),
      .call_size = UTIL_MAX((uint32_t)UTIL_MIN(RT_GRID_CALL_NS / 4 / UTIL_MAX(cost_ns / (double)num_workgroups, 1.0), 1e6), 1),
   };
   if (!cost->num_seen++)
      dispatch.call_size = UTIL_MIN(dispatch.call_size, 4);
   const uint32_t num_threads = is_inline ? 1 : rt_pool_num_threads(executor->pool);
   if (num_workgroups > RT_GRID_MAX_UNPACED) {
      dispatch.number = rt_worker_new_pace(&executor->worker);
      dispatch.share = (double)num_threads / (double)num_workgroups;
   }
   const uint64_t max_items = is_inline ? 1 : (uint64_t)num_threads * RT_GRID_ITEMS_PER_THREAD;
   dispatch.per_item = UTIL_DIV_ROUND_UP(num_workgroups, UTIL_MIN(max_items, num_workgroups));
   const uint32_t num_items = (uint32_t)UTIL_DIV_ROUND_UP(num_workgroups, dispatch.per_item);

   if (UTIL_UNLIKELY(rt_pool_findings(executor->pool) && util_debug(UTIL_DEBUG_RACE | UTIL_DEBUG_BARRIER)))
      follow(executor, &dispatch, num_items);

   rt_query_count(executor->draw.statistics, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT, (uint64_t)num_invocations);

   const char *describe = pipeline->shader.name ? pipeline->shader.name : "a compute shader";
   if (is_inline) {
      dispatch.args.resources = &executor->resources[RT_BIND_COMPUTE];
      rt_pool_run_inline(&executor->worker, run_item, &dispatch, num_items, describe);
      return;
   }
   dispatch.args.resources = keep_resources(executor);
   if (UTIL_LIKELY(dispatch.args.resources)) {
      const struct rt_job job = {run_item, &dispatch, sizeof(dispatch), num_items, cost_ns, describe, RT_STAGES_COMPUTE};
      rt_executor_defer(executor, &job);
   } else { /* memory is out */
      rt_executor_sync(executor);
      dispatch.args.resources = &executor->resources[RT_BIND_COMPUTE];
      rt_pool_run(executor->pool, &executor->worker, run_item, &dispatch, num_items, 0, describe);
   }
}

void rt_execute_dispatch(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_dispatch *dispatch = (const struct rt_cmd_dispatch *)cmd;
   dispatch_grid(executor, dispatch->base, dispatch->count);
}

void rt_execute_dispatch_indirect(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   static const uint32_t base[3] = {0, 0, 0};
   /* Earlier commands write the arguments. */
   if (!rt_executor_is_free(executor))
      rt_executor_sync(executor);
   VkDispatchIndirectCommand args;
   memcpy(&args, ((const struct rt_cmd_dispatch_indirect *)cmd)->args, sizeof(args));
   const uint32_t count[3] = {args.x, args.y, args.z};
   dispatch_grid(executor, base, count);
}
