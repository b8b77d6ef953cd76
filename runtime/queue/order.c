/* SPDX-License-Identifier: MIT
 * What tasks of the executor wait for, by class of stages. Barriers make chains of the classes that they name: work that waits for work that waits.
 * Spec: Synchronization and Cache Control, "Execution and Memory Dependencies". */
#include "runtime/queue/executor.h"

#include "util/debug.h"

#include <string.h>

/* All tasks so far of the class end before the one that it gives; 0: there are none. */
static bool end_wave(struct rt_executor *executor, struct rt_stage_order *order)
{
   if (!order->wave_size)
      return true;
   uint64_t deps[RT_MAX_WAVE + 1] = {order->end};
   memcpy(deps + 1, order->wave, sizeof(deps[0]) * order->wave_size);
   const uint64_t end = rt_graph_add(executor->graph, NULL, NULL, 0, 1, deps, order->wave_size + 1, NULL);
   if (!end)
      return false;
   order->end = end;
   order->wave_size = 0;
   return true;
}

bool rt_order_find_ends(struct rt_executor *executor, uint32_t stages, uint64_t ends[RT_MAX_ENDS], uint32_t *count)
{
   for (uint32_t i = 0; i < RT_NUM_STAGES; i++) {
      struct rt_stage_order *order = &executor->orders[i];
      if (!(stages >> i & 1))
         continue;
      if (!end_wave(executor, order))
         return false;
      ends[(*count)++] = order->end;
      ends[(*count)++] = order->join;
   }
   return true;
}

bool rt_order_join(struct rt_executor *executor, uint32_t src, uint32_t dst)
{
   uint64_t ends[RT_MAX_ENDS];
   uint32_t num_ends = 0;
   if (!rt_order_find_ends(executor, src, ends, &num_ends))
      return false;
   const uint64_t before = rt_graph_add(executor->graph, NULL, NULL, 0, 1, ends, num_ends, NULL);
   bool result = before != 0;
   for (uint32_t i = 0; i < RT_NUM_STAGES && result; i++) {
      struct rt_stage_order *order = &executor->orders[i];
      if (!(dst >> i & 1))
         continue;
      if (order->join && !(src >> i & 1)) {
         const uint64_t both[2] = {order->join, before};
         order->join = rt_graph_add(executor->graph, NULL, NULL, 0, 1, both, 2, NULL);
         result = order->join != 0;
      } else {
         order->join = before;
      }
   }
   return result;
}

void rt_order_note(struct rt_executor *executor, enum rt_stages stages, uint64_t task)
{
   struct rt_stage_order *order = &executor->orders[stages];
   if (!task)
      return;
   if (order->wave_size == RT_MAX_WAVE && !end_wave(executor, order)) {
      rt_graph_wait(executor->graph, &executor->worker); /* all are done, then */
      order->wave_size = 0;
   }
   order->wave[order->wave_size++] = task;
}

bool rt_order_put_off(struct rt_executor *executor, const struct rt_job *job)
{
   if (UTIL_LIKELY(util_debug_order(NULL) == UTIL_ORDER_FORWARD))
      return false;
   if (executor->num_late == RT_MAX_LATE)
      rt_order_run_late(executor);
   struct rt_job *late = &executor->late[executor->num_late];
   *late = *job;
   late->data = util_arena_dup(&executor->arena, job->data, job->size);
   executor->num_late += late->data != NULL;
   return late->data != NULL;
}

void rt_order_run_late(struct rt_executor *executor)
{
   const uint32_t count = executor->num_late;
   rt_graph_wait(executor->graph, &executor->worker);
   executor->num_late = 0;
   for (uint32_t i = 0; i < count; i++) {
      const struct rt_job *job = &executor->late[rt_pool_reordered(i, count)];
      rt_pool_run(executor->pool, &executor->worker, job->run, (void *)job->data, job->count, 0, job->describe);
   }
}

void rt_order_wait(struct rt_executor *executor)
{
   if (UTIL_UNLIKELY(executor->num_late))
      rt_order_run_late(executor);
   rt_graph_wait(executor->graph, &executor->worker);
   for (uint32_t i = 0; i < RT_NUM_STAGES; i++)
      executor->orders[i].join = executor->orders[i].end = executor->orders[i].wave_size = 0;
   executor->last_timestamp = 0;
   executor->num_items = 0;
   if (executor->arena.chunks)
      util_arena_reset(&executor->arena);
   executor->snapshot = NULL;
   executor->kept = (struct abi_resources){NULL, NULL};
}
