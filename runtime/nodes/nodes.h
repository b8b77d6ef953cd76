/* SPDX-License-Identifier: MIT
 * Execution graphs as they run. A record is an allocation of payloads for one node; enqueued, each of its payloads dispatches that node.
 * Spec: Execution Graphs. Owns: a run owns its arenas; records live in them until the wave that reads them is over.
 * Threads: a run belongs to the queue's thread, a call to the worker that runs the workgroup. */
#pragma once

#include "abi/node.h"
#include "runtime/pool.h"
#include "runtime/state.h"
#include "util/arena.h"

enum {
   RT_NODE_HEAD_BYTES = 64, /* of a record, in front of its payloads */
   RT_NODE_MAX_VECTORS = 1024 / ABI_MIN_LANES, /* of a workgroup */
};
#define RT_NODE_MAX_BYTES (UINT64_C(1) << 30) /* that a run uses at a time: records, and what is made of them */

struct rt_node_record {
   struct rt_node_record *next;
   uint32_t node; /* in the pipeline */
   uint32_t remaining_recursion;
   uint32_t count, payload_bytes, stride_bytes;
   uint32_t sequence, invocation; /* of the allocation in its workgroup: which it was, and whose */
   bool is_enqueued;
};
_Static_assert(sizeof(struct rt_node_record) <= RT_NODE_HEAD_BYTES, "");

/* Its payloads, or NULL. */
static inline uint8_t *rt_node_payloads(struct rt_node_record *record)
{
   return record->stride_bytes ? (uint8_t *)record + RT_NODE_HEAD_BYTES : NULL;
}

struct rt_node_list {
   struct rt_node_record *first, **last; /* last NULL: none yet */
};

static inline void rt_node_list_add(struct rt_node_list *list, struct rt_node_record *record)
{
   record->next = NULL;
   *(list->first ? list->last : &list->first) = record;
   list->last = &record->next;
}

/* `more` behind; it is empty then. */
static inline void rt_node_list_join(struct rt_node_list *list, struct rt_node_list *more)
{
   if (more->first) {
      *(list->first ? list->last : &list->first) = more->first;
      list->last = more->last;
   }
   *more = (struct rt_node_list){0};
}

/* One execution of a command. */
struct rt_node_run {
   struct rt_pool *pool;
   const struct rt_node_pipeline *pipeline;
   const struct abi_resources *resources;
   struct util_arena *arenas; /* [2][num_arenas]: of each worker, of records that are read and that are made */
   uint32_t num_arenas, made; /* the latter: which half is being filled */
   _Atomic uint64_t used_bytes; /* relaxed */
   uint64_t read_bytes;         /* of used_bytes, those of records that are read */
   uint64_t order;              /* rt_worker.order */
   uint64_t num_invocations;
};

/* A dispatch of one node. */
struct rt_node_launch {
   const struct rt_node *node;
   struct abi_node abi;
   uint32_t grid[3];
   uint64_t first, count;       /* workgroups of the wave */
   uint32_t root;               /* which launch counts for all that have these payloads */
   _Atomic uint64_t unfinished; /* of the root: workgroups that have not said that they are through */
};

/* What the workgroup has called together, by the order of such calls. */
struct rt_node_event {
   uint64_t results[2];
};

/* A worker while it runs an item; abi_worker.launch. */
struct rt_node_worker {
   struct rt_node_run *run;
   struct util_arena *arena;
   struct rt_node_launch *launch, *root;
   struct rt_node_list made;     /* by the item */
   struct rt_node_list unsorted; /* by the workgroup in hand */
   struct rt_node_event *events;
   uint32_t num_events, max_events;
   uint32_t num_vectors; /* that have called */
   uint32_t sequences[RT_NODE_MAX_VECTORS], shared_calls[RT_NODE_MAX_VECTORS];
};

/* More of the run's memory. False: that would be too much; the device is lost. */
UTIL_MUST_CHECK bool rt_node_reserve(struct rt_node_run *run, uint64_t bytes);
/* A record with room for payloads of stride_bytes each, which are zeros, and a zeroed head. NULL: the device is lost. */
struct rt_node_record *rt_node_record_create(struct rt_node_run *run, struct util_arena *arena, uint64_t count, uint32_t stride_bytes);

/* What the workgroup has enqueued goes to the item's records, in the order of calls and invocations. */
void rt_node_workgroup_end(struct rt_node_worker *worker);
abi_node_call_fn rt_node_call;

/* Dispatches the records and replaces them by those that are enqueued meanwhile. False: the device is lost. */
UTIL_MUST_CHECK bool rt_node_wave(struct rt_node_run *run, struct rt_worker *worker, struct rt_node_list *records);
