/* SPDX-License-Identifier: MIT
 * The executor's tasks: what runs at once, what goes to the pool, and what waits for what. */
#include "runtime/queue/executor.h"

#include "runtime/sparse.h"

/* Waking another thread costs a few microseconds; less work than this is done sooner here. */
#define INLINE_COST_NS 10000.0
/* Memory that tasks hold until the graph is idle. */
#define MAX_ARENA_BYTES (8u << 20)
/* That are outstanding, of the parts of one command: each some microseconds, so that waiting for them is no loss. */
#define MAX_ITEMS_A_THREAD 64

void rt_executor_sync(struct rt_executor *executor)
{
   rt_graph_wait(executor->graph, &executor->worker);
   executor->wave_size = 0;
   executor->num_items = 0;
   executor->join = 0;
   if (executor->arena.chunks)
      util_arena_reset(&executor->arena);
   executor->snapshot = NULL;
   executor->kept = (struct abi_resources){NULL, NULL};
}

bool rt_executor_is_free(struct rt_executor *executor)
{
   if ((executor->wave_size || executor->join) && rt_graph_is_idle(executor->graph))
      rt_executor_sync(executor);
   return !executor->join;
}

void rt_executor_barrier(struct rt_executor *executor)
{
   if (!executor->wave_size)
      return;
   if (!rt_graph_is_idle(executor->graph)) {
      executor->join = rt_graph_add(executor->graph, NULL, NULL, 0, 1, executor->wave, executor->wave_size, NULL);
      executor->wave_size = 0;
      if (executor->join)
         return;
   }
   rt_executor_sync(executor);
}

void rt_executor_forget_unbound(struct rt_executor *executor)
{
   if (UTIL_LIKELY(!rt_device_has_unbound(executor->device)))
      return;
   rt_executor_sync(executor);
   rt_device_forget_unbound(executor->device);
}

bool rt_executor_runs_inline(struct rt_executor *executor, double cost_ns)
{
   const bool is_small = cost_ns <= INLINE_COST_NS || rt_pool_num_threads(executor->pool) == 1;
   return is_small && rt_executor_is_free(executor);
}

static bool add_task(struct rt_executor *executor, const struct rt_job *job)
{
   if (executor->wave_size == RT_MAX_WAVE || executor->arena.total_bytes > MAX_ARENA_BYTES)
      return false;
   /* Of a command in parts it is known how far it is only when they are done. */
   const uint64_t most_items = (uint64_t)MAX_ITEMS_A_THREAD * rt_pool_num_threads(executor->pool);
   if (executor->worker.part.size > 0.0 && executor->num_items && executor->num_items + job->count > most_items)
      return false;
   void *data = util_arena_dup(&executor->arena, job->data, job->size);
   if (!data)
      return false;
   const uint64_t number =
      rt_graph_add(executor->graph, job->run, data, job->count, 0, &executor->join, executor->join != 0, job->describe);
   if (!number)
      return false;
   executor->wave[executor->wave_size++] = number;
   executor->num_items += job->count;
   return true;
}

void rt_executor_defer(struct rt_executor *executor, const struct rt_job *job)
{
   if (!job->count || add_task(executor, job))
      return;
   /* Too much is outstanding, or memory is out: what runs here needs none. What the job points to may lie in the arena.
    */
   rt_graph_wait(executor->graph, &executor->worker);
   rt_pool_run(executor->pool, &executor->worker, job->run, (void *)job->data, job->count, 0, job->describe);
   rt_executor_sync(executor);
}

void rt_executor_add(struct rt_executor *executor, const struct rt_job *job)
{
   if (rt_executor_runs_inline(executor, job->cost_ns))
      rt_pool_run_inline(&executor->worker, job->run, (void *)job->data, job->count, job->describe);
   else
      rt_executor_defer(executor, job);
}
