/* SPDX-License-Identifier: MIT
 * The executor's tasks: what runs at once, what goes to the pool, and what waits for what. */
#include "runtime/queue/executor.h"

#include "runtime/sparse.h"
#include "util/debug.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Waking another thread costs a few microseconds; less work than this is done sooner here. */
#define INLINE_COST_NS 10000.0
/* Memory that tasks hold until the graph is idle. */
#define MAX_ARENA_BYTES (8u << 20)
/* That are outstanding, of the parts of one command: each some microseconds, so that waiting for them is no loss. */
#define MAX_ITEMS_A_THREAD 64

void rt_executor_sync(struct rt_executor *executor)
{
   rt_passes_release(executor, true);
   rt_passes_wait(executor);
}

void rt_executor_sync_but_late(struct rt_executor *executor)
{
   if (UTIL_LIKELY(!executor->num_late)) {
      rt_executor_sync(executor);
      return;
   }
   rt_passes_release(executor, true);
   rt_graph_wait(executor->graph, &executor->worker);
}

bool rt_executor_is_free_for(struct rt_executor *executor, enum rt_stages stages)
{
   if (executor->held_src)
      rt_passes_release(executor, false);
   uint64_t *join = &executor->orders[stages].join;
   if (*join && rt_graph_is_done(executor->graph, *join))
      *join = 0;
   return !*join;
}

bool rt_executor_is_free(struct rt_executor *executor)
{
   bool result = true;
   for (uint32_t i = 0; i < RT_NUM_STAGES; i++)
      result &= rt_executor_is_free_for(executor, (enum rt_stages)i);
   return result;
}

void rt_executor_await_geometry(struct rt_executor *executor)
{
   if (!rt_executor_is_free_for(executor, RT_STAGES_GEOMETRY))
      rt_graph_wait_for(executor->graph, executor->orders[RT_STAGES_GEOMETRY].join, &executor->worker);
}

/* ---- barriers ---- */

void rt_executor_barrier(struct rt_executor *executor, uint32_t src, uint32_t dst)
{
   const bool is_idle = rt_graph_is_idle(executor->graph);
   if (executor->held && is_idle) {
      executor->held_src |= src;
      executor->held_dst |= dst;
      return;
   }
   rt_passes_release(executor, false);
   if (is_idle || !rt_order_join(executor, src, dst))
      rt_executor_sync(executor);
}

bool rt_executor_add_timestamp(struct rt_executor *executor, rt_item_fn *run, const void *data, size_t size, const char *describe)
{
   uint64_t ends[RT_MAX_ENDS + 1] = {executor->last_timestamp};
   uint32_t num_ends = 1;
   rt_passes_release(executor, false);
   if (rt_graph_is_idle(executor->graph) || executor->arena.total_bytes > MAX_ARENA_BYTES || !rt_order_find_ends(executor, RT_ALL_STAGES, ends, &num_ends))
      return false;
   void *kept = util_arena_dup(&executor->arena, data, size);
   const uint64_t number = kept ? rt_graph_add(executor->graph, run, kept, 1, 1, ends, num_ends, describe) : 0;
   executor->last_timestamp = number ? number : executor->last_timestamp;
   return number != 0;
}

/* True if there may be work of the class that no barrier has put before anything. */
static bool has_wave(const struct rt_executor *executor, enum rt_stages stages)
{
   return executor->orders[stages].wave_size || (stages == RT_STAGES_FRAGMENT && executor->held);
}

void rt_executor_order(struct rt_executor *executor, enum rt_stages src, uint32_t dst)
{
   if (UTIL_UNLIKELY(has_wave(executor, src)))
      rt_executor_barrier(executor, 1u << src, dst);
}

void rt_executor_forget_unbound(struct rt_executor *executor)
{
   if (UTIL_LIKELY(!rt_sparse_set_has_unbound(executor->sparses)))
      return;
   rt_executor_sync(executor);
   rt_sparse_set_forget_unbound(executor->sparses);
}

/* ---- jobs ---- */

bool rt_executor_runs_inline(struct rt_executor *executor, enum rt_stages stages, double cost_ns)
{
   if (UTIL_UNLIKELY(util_debug_order(NULL) != UTIL_ORDER_FORWARD))
      return false;
   if (stages == RT_STAGES_OTHER)
      rt_executor_order(executor, RT_STAGES_FRAGMENT, 1u << RT_STAGES_OTHER);
   const bool is_free = rt_executor_is_free_for(executor, stages);
   return is_free && (cost_ns <= INLINE_COST_NS || rt_pool_num_threads(executor->pool) == 1);
}

static bool add_task(struct rt_executor *executor, const struct rt_job *job)
{
   struct rt_stage_order *order = &executor->orders[job->stages];
   if (order->wave_size == RT_MAX_WAVE || executor->arena.total_bytes > MAX_ARENA_BYTES)
      return false;
   /* Of a command in parts it is known how far it is only when they are done. */
   const uint64_t max_items = (uint64_t)MAX_ITEMS_A_THREAD * rt_pool_num_threads(executor->pool);
   if (executor->worker.part.size > 0.0 && executor->num_items && executor->num_items + job->count > max_items)
      return false;
   void *data = util_arena_dup(&executor->arena, job->data, job->size);
   if (!data)
      return false;
   const uint64_t number =
      rt_graph_add(executor->graph, job->run, data, job->count, 0, &order->join, 1, job->describe);
   if (!number)
      return false;
   order->wave[order->wave_size++] = number;
   executor->num_items += job->count;
   return true;
}

void rt_executor_defer(struct rt_executor *executor, const struct rt_job *job)
{
   if (!job->count || rt_order_put_off(executor, job))
      return;
   rt_passes_release(executor, false); /* no barrier is behind it: that was seen by rt_executor_runs_inline() */
   if (add_task(executor, job))
      return;
   /* Too much is outstanding, or memory is out: what runs here needs none. What the job points to may lie in the arena.
    */
   rt_graph_wait(executor->graph, &executor->worker);
   rt_pool_run(executor->pool, &executor->worker, job->run, (void *)job->data, job->count, 0, job->describe);
   rt_executor_sync(executor);
}

/* ---- jobs of transfers ---- */

/* One whose items are counted: how far the command is. */
struct counted {
   rt_item_fn *run;
   uint64_t number;
   double share; /* an item, of a worker's share of the command */
   _Alignas(16) uint8_t data[RT_MAX_JOB_BYTES];
};

static void run_counted(void *data, uint32_t index, struct rt_worker *worker)
{
   struct counted *counted = data;
   counted->run(counted->data, index, worker);
   rt_worker_advance(worker, counted->number, counted->share);
}

/* Puts the data into `counted`. */
static struct rt_job count_items(struct rt_executor *executor, const struct rt_job *job, bool is_inline, struct counted *counted)
{
   const struct rt_part *part = &executor->worker.part;
   const bool has_part = part->size > 0.0;
   const uint32_t num_threads = is_inline ? 1 : rt_pool_num_threads(executor->pool);
   struct rt_job result = *job;
   assert(job->size <= sizeof(counted->data));
   counted->run = job->run;
   counted->number = has_part ? part->number : rt_worker_new_pace(&executor->worker);
   counted->share = (has_part ? part->share : 1.0) * num_threads / job->count;
   memcpy(counted->data, job->data, job->size);
   result.run = run_counted;
   result.data = counted;
   result.size = offsetof(struct counted, data) + job->size;
   return result;
}

void rt_executor_add(struct rt_executor *executor, const struct rt_job *job)
{
   const bool is_inline = rt_executor_runs_inline(executor, job->stages, job->cost_ns);
   struct counted counted;
   const bool is_one = executor->worker.part.size == 0.0 && job->count == 1; /* item, and all that there is */
   const struct rt_job it = is_one ? *job : count_items(executor, job, is_inline, &counted);
   if (is_inline)
      rt_pool_run_inline(&executor->worker, it.run, (void *)it.data, it.count, it.describe);
   else
      rt_executor_defer(executor, &it);
}
