/* SPDX-License-Identifier: MIT
 * Events, queries and timestamps within a stream: they take effect in the queue's thread, in order with the tasks; timestamps may be tasks themselves.
 * Spec: Synchronization and Cache Control, "Events"; Queries. */
#include "runtime/cmd/query.h"
#include "runtime/device.h"
#include "runtime/instrument/written.h"
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "runtime/queue/queue.h"

#include <string.h>

#define QUERIES_A_PART 4096u

void rt_execute_set_event(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_set_event *set = (const struct rt_cmd_set_event *)cmd;
   rt_executor_sync(executor);
   rt_timeline_signal(set->event, set->value);
}

/* Until all are set, or the device is lost. */
static void wait_for_events(struct rt_executor *executor, struct rt_timeline *const *events, uint32_t count)
{
   rt_queue_note_events(executor->queue, events, count);
   for (uint32_t i = 0; i < count && !rt_device_is_lost(executor->device); i++) {
      const struct rt_wait wait = {events[i], 1};
      if (rt_timeline_wait_in_queue(&wait, 1, rt_device_lost_flag(executor->device)) != VK_SUCCESS)
         break; /* the device is lost */
   }
   rt_queue_note_events(executor->queue, NULL, 0);
}

void rt_execute_wait_events(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_wait_events *wait = (const struct rt_cmd_wait_events *)cmd;
   if (executor->is_rendering)
      rt_passes_flush(executor);
   rt_executor_sync(executor);
   wait_for_events(executor, wait->events, wait->count);
   rt_executor_forget_unbound(executor);
}

/* With multiview a query takes as many indices as there are views; the first holds the sum. */
static uint32_t num_queries(const struct rt_executor *executor)
{
   return executor->is_rendering && executor->view_mask ? (uint32_t)__builtin_popcount(executor->view_mask) : 1;
}

/* Where the active query of a type stands, the one that began last. */
static struct rt_query **active_query(struct rt_executor *executor, const struct rt_query_pool *pool, uint32_t stream)
{
   switch (pool->type) {
   case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      return &executor->draw.captured[stream];
   case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
      return &executor->draw.generated[stream];
   case VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT:
      return &executor->draw.mesh_generated;
   case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return &executor->draw.statistics;
   default:
      return &executor->draw.occlusion;
   }
}

/* Vulkan has one active query of a type. zink has one for each of OpenGL's statistics, vkd3d several of occlusion. */
static void begin_query(struct rt_query **last, VkQueryPipelineStatisticFlags statistics, struct rt_query *query)
{
   for (const struct rt_query *active = *last; active; active = active->also) {
      if (active == query)
         return;
   }
   query->statistics = statistics;
   query->also = *last;
   *last = query;
}

static void end_query(struct rt_executor *executor, struct rt_query **last, struct rt_query *query)
{
   struct rt_query **active = last;
   while (*active && *active != query)
      active = &(*active)->also;
   if (active != last && *active) { /* work until now counts in it by the one that began behind it */
      if (executor->is_rendering)
         rt_passes_flush(executor);
      rt_executor_sync(executor);
   }
   if (*active)
      *active = query->also;
}

void rt_execute_begin_query(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_begin_query *begin = (const struct rt_cmd_begin_query *)cmd;
   rt_query_pool_use(begin->pool, begin->query, 1);
   begin_query(active_query(executor, begin->pool, begin->stream), begin->pool->statistics, &begin->pool->queries[begin->query]);
   executor->draw.dirty |= RT_DIRTY_CONTEXT;
}

void rt_execute_end_query(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_end_query *end = (const struct rt_cmd_end_query *)cmd;
   end_query(executor, active_query(executor, end->pool, end->stream), &end->pool->queries[end->query]);
   executor->draw.dirty |= RT_DIRTY_CONTEXT;

   const struct rt_pending_query query = {end->pool, end->query, num_queries(executor)};
   executor->pending_queries[executor->num_pending_queries++] = query;
   if (!executor->is_rendering) {
      executor->num_closed_queries = executor->num_pending_queries;
      if (!rt_passes_are_alive(executor)) /* dispatches are counted ahead */
         rt_passes_publish_queries(executor);
   }
   if (executor->num_pending_queries == RT_MAX_PENDING_QUERIES) {
      if (executor->is_rendering)
         rt_passes_flush(executor);
      rt_executor_sync(executor);
   }
}

void rt_execute_reset_queries(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_reset_queries *reset = (const struct rt_cmd_reset_queries *)cmd;
   if (rt_passes_are_alive(executor) || executor->last_timestamp) /* they may write to these */
      rt_executor_sync(executor);
   for (struct rt_parts parts = rt_parts_of(&executor->worker, reset->count); rt_parts_next(&parts);) {
      parts.step = UTIL_MIN(reset->count - parts.index, QUERIES_A_PART);
      rt_query_pool_reset(reset->pool, reset->first + (uint32_t)parts.index, (uint32_t)parts.step);
   }
}

/* `uninit`: what is not available leaves memory as it is. */
static void note_results(const struct rt_cmd_copy_query_results *copy, uint64_t index, bool is_available)
{
   uint8_t *dst = copy->dst + index * copy->stride_bytes;
   const uint32_t bytes = rt_query_result_bytes(copy->pool, copy->flags);
   if (is_available || copy->flags & VK_QUERY_RESULT_PARTIAL_BIT)
      rt_written(dst, bytes);
   if (copy->flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
      rt_written(dst + bytes, copy->flags & VK_QUERY_RESULT_64_BIT ? 8 : 4);
}

void rt_execute_copy_query_results(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_query_results *copy = (const struct rt_cmd_copy_query_results *)cmd;
   rt_executor_sync(executor);
   for (struct rt_parts parts = rt_parts_of(&executor->worker, copy->count); rt_parts_next(&parts);) {
      parts.step = UTIL_UNLIKELY(executor->follows_writes) ? 1 : UTIL_MIN(copy->count - parts.index, QUERIES_A_PART);
      const VkResult result = rt_query_pool_results(
         copy->pool, copy->first + (uint32_t)parts.index, (uint32_t)parts.step,
         copy->dst + parts.index * copy->stride_bytes, copy->stride_bytes, copy->flags,
         rt_device_lost_flag(executor->device));
      if (UTIL_UNLIKELY(executor->follows_writes))
         note_results(copy, parts.index, result == VK_SUCCESS);
   }
}

static void write_timestamp(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct rt_pending_query *it = data;
   const uint64_t now_ns = util_now_ns();
   for (uint32_t i = it->first; i < it->first + it->count && i < it->pool->count; i++)
      rt_query_set(&it->pool->queries[i], 0, now_ns);
   rt_query_pool_set_available(it->pool, it->first, it->count);
}

void rt_execute_write_timestamp(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_write_timestamp *write = (const struct rt_cmd_write_timestamp *)cmd;
   struct rt_pending_query query = {write->pool, write->query, num_queries(executor)};
   if (executor->is_rendering)
      rt_passes_flush(executor);
   else if (rt_executor_add_timestamp(executor, write_timestamp, &query, sizeof(query), "a timestamp"))
      return;
   rt_executor_sync(executor);
   write_timestamp(&query, 0, &executor->worker);
}

void rt_execute_write_marker(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_write_marker *write = (const struct rt_cmd_write_marker *)cmd;
   if (write->is_after) {
      if (executor->is_rendering)
         rt_passes_flush(executor);
      rt_executor_sync(executor);
   }
   __atomic_store_n(write->dst, write->value, __ATOMIC_RELEASE);
}
