/* SPDX-License-Identifier: MIT
 * Calls of shaders: payloads are allocated, enqueued, asked for, finished. */
#include "runtime/nodes/nodes.h"

#include "util/size.h"

#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

bool rt_node_reserve(struct rt_node_run *run, uint64_t bytes)
{
   char reason[128];
   if (bytes <= RT_NODE_MAX_BYTES &&
       atomic_fetch_add_explicit(&run->used_bytes, bytes, memory_order_relaxed) + bytes <= RT_NODE_MAX_BYTES)
      return true;
   snprintf(reason, sizeof(reason), "payloads of an execution graph use more than %llu MiB", (unsigned long long)(RT_NODE_MAX_BYTES >> 20));
   rt_pool_fail(run->pool, reason);
   return false;
}

struct rt_node_record *rt_node_record_create(struct rt_node_run *run, struct util_arena *arena, uint64_t count, uint32_t stride_bytes)
{
   uint64_t bytes;
   if (__builtin_mul_overflow(count, (uint64_t)stride_bytes, &bytes))
      bytes = RT_NODE_MAX_BYTES;
   bytes = util_size_add(bytes, RT_NODE_HEAD_BYTES);
   if (!rt_node_reserve(run, bytes))
      return NULL;
   struct rt_node_record *record = util_arena_alloc_aligned(arena, bytes, 64);
   if (!record) {
      rt_pool_fail(run->pool, "out of memory for payloads of an execution graph");
      return NULL;
   }
   memset(record, 0, bytes);
   record->count = (uint32_t)count;
   record->stride_bytes = stride_bytes;
   return record;
}

/* ---- what a workgroup has together ---- */

/* The event that the call is: `*is_new` the first vector gives it results. NULL: memory is out. */
static struct rt_node_event *find_event(struct rt_node_worker *worker, uint32_t vector, bool *is_new)
{
   const uint32_t index = worker->shared_calls[vector]++;
   *is_new = index == worker->num_events;
   if (index < worker->num_events)
      return &worker->events[index];
   if (worker->num_events == worker->max_events) {
      const uint32_t max = worker->max_events ? 2 * worker->max_events : 64;
      struct rt_node_event *events = rt_node_reserve(worker->run, max * sizeof(*events)) ? util_arena_alloc(worker->arena, max * sizeof(*events)) : NULL;
      if (!events) {
         rt_pool_fail(worker->run->pool, "out of memory for calls of a node");
         return NULL;
      }
      if (worker->num_events)
         memcpy(events, worker->events, worker->num_events * sizeof(*events));
      worker->events = events;
      worker->max_events = max;
   }
   return &worker->events[worker->num_events++];
}

/* ---- payloads ---- */

/* Which node payloads would go to, and how often it may enqueue itself then. False: there is none, or this one may not any more. */
static bool find_target(const struct rt_node_worker *worker, const struct abi_node_output *output, uint32_t index, uint32_t *node, uint32_t *recursion)
{
   const struct rt_node_pipeline *pipeline = worker->run->pipeline;
   *node = rt_node_find(pipeline, output->name, output->base_index + index);
   if (*node == UINT32_MAX)
      return false;
   if (&pipeline->nodes[*node] != worker->launch->node) {
      *recursion = pipeline->nodes[*node].shader.info->node.max_recursion;
      return true;
   }
   *recursion = worker->launch->abi.remaining_recursion - 1;
   return worker->launch->abi.remaining_recursion != 0;
}

static void allocate(struct rt_node_worker *worker, const struct abi_node_output *output, uint64_t count, uint64_t index, uint32_t sequence,
                     uint32_t invocation, uint64_t results[2])
{
   uint32_t node, recursion;
   results[0] = results[1] = 0;
   count = UTIL_MIN((uint32_t)count, output->max_payloads);
   if (!count || !find_target(worker, output, (uint32_t)index, &node, &recursion))
      return;
   struct rt_node_record *record = rt_node_record_create(worker->run, worker->arena, count, output->stride_bytes);
   if (!record)
      return;
   record->node = node;
   record->remaining_recursion = recursion;
   record->payload_bytes = output->payload_bytes;
   record->sequence = sequence;
   record->invocation = invocation;
   rt_node_list_add(&worker->unsorted, record);
   results[0] = (uintptr_t)rt_node_payloads(record);
   results[1] = count * output->stride_bytes;
}

static void call_allocate(struct rt_node_worker *worker, struct abi_node_call *call, uint32_t vector)
{
   const uint32_t sequence = worker->sequences[vector]++;
   bool is_new;
   if (!call->is_shared) {
      for (uint32_t lanes = call->mask; lanes; lanes &= lanes - 1) {
         const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
         uint64_t results[2];
         allocate(worker, call->output, call->operands[0][lane], call->operands[1][lane], sequence, call->local + lane, results);
         call->results[0][lane] = results[0];
         call->results[1][lane] = results[1];
      }
      return;
   }
   struct rt_node_event *event = find_event(worker, vector, &is_new);
   const uint32_t first = (uint32_t)__builtin_ctz(call->mask);
   if (event && is_new)
      allocate(worker, call->output, call->operands[0][first], call->operands[1][first], sequence, 0, event->results);
   for (uint32_t i = 0; event && i < 2; i++)
      call->results[i][0] = event->results[i];
}

static void call_enqueue(struct abi_node_call *call)
{
   for (uint32_t lanes = call->mask; lanes; lanes &= lanes - 1) {
      const uint64_t payloads = call->operands[0][__builtin_ctz(lanes)];
      if (payloads)
         ((struct rt_node_record *)(uintptr_t)(payloads - RT_NODE_HEAD_BYTES))->is_enqueued = true;
   }
}

static void call_is_valid(const struct rt_node_worker *worker, struct abi_node_call *call)
{
   uint32_t node, recursion;
   for (uint32_t lanes = call->mask; lanes; lanes &= lanes - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
      call->results[0][lane] = find_target(worker, call->output, (uint32_t)call->operands[0][lane], &node, &recursion);
   }
}

/* The last workgroup sees what the others have written. */
static void call_finish(struct rt_node_worker *worker, struct abi_node_call *call, uint32_t vector)
{
   bool is_new;
   struct rt_node_event *event = find_event(worker, vector, &is_new);
   if (!event)
      return;
   if (is_new)
      event->results[0] = atomic_fetch_sub_explicit(&worker->root->unfinished, 1, memory_order_acq_rel) == 1;
   call->results[0][0] = event->results[0];
}

void rt_node_call(struct abi_worker *abi, struct abi_node_call *call)
{
   struct rt_node_worker *worker = abi->launch;
   const uint32_t vector = call->local / call->lanes;
   memset(call->results, 0, sizeof(call->results));
   if (!worker || !call->mask || vector >= RT_NODE_MAX_VECTORS)
      return;
   for (; worker->num_vectors <= vector; worker->num_vectors++)
      worker->sequences[worker->num_vectors] = worker->shared_calls[worker->num_vectors] = 0;
   switch ((enum abi_node_op)call->op) {
   case ABI_NODE_ALLOCATE: call_allocate(worker, call, vector); break;
   case ABI_NODE_ENQUEUE: call_enqueue(call); break;
   case ABI_NODE_IS_VALID: call_is_valid(worker, call); break;
   case ABI_NODE_FINISH: call_finish(worker, call, vector); break;
   }
}

/* ---- the end of a workgroup ---- */

static bool is_behind(const struct rt_node_record *a, const struct rt_node_record *b)
{
   return a->sequence != b->sequence ? a->sequence > b->sequence : a->invocation > b->invocation;
}

/* The first `count` of them in order, as a list with an end; `*rest` are the others. Merges halves: as deep as the count has bits. */
static struct rt_node_record *sort(struct rt_node_record *records, uint32_t count, struct rt_node_record **rest)
{
   if (count == 1) {
      *rest = records->next;
      records->next = NULL;
      return records;
   }
   struct rt_node_record *second, *a = sort(records, count / 2, &second), *b = sort(second, count - count / 2, rest);
   struct rt_node_record *first = NULL, **last = &first;
   while (a && b) {
      struct rt_node_record **next = is_behind(a, b) ? &b : &a;
      *last = *next;
      last = &(*next)->next;
      *next = *last;
   }
   *last = a ? a : b;
   return first;
}

void rt_node_workgroup_end(struct rt_node_worker *worker)
{
   struct rt_node_list enqueued = {0};
   uint32_t count = 0;
   bool is_sorted = true;
   for (struct rt_node_record *record = worker->unsorted.first, *next, *before = NULL; record; record = next) {
      next = record->next;
      if (!record->is_enqueued)
         continue;
      is_sorted &= !before || !is_behind(before, record);
      before = record;
      rt_node_list_add(&enqueued, record);
      count++;
   }
   if (!is_sorted) {
      struct rt_node_record *rest, *record = sort(enqueued.first, count, &rest);
      enqueued = (struct rt_node_list){0};
      for (struct rt_node_record *next; record; record = next) {
         next = record->next;
         rt_node_list_add(&enqueued, record);
      }
   }
   rt_node_list_join(&worker->made, &enqueued);
   worker->unsorted = (struct rt_node_list){0};
   worker->num_events = worker->num_vectors = 0;
}
