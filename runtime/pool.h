/* SPDX-License-Identifier: MIT
 * The pool: worker threads shared by all queues of a device, that run tasks of a graph.
 * A task is `count` items run in any order by any workers; it starts when all tasks it depends on have completed.
 * Nothing polls: idle workers sleep. The threads that wait for work take part in it: with N threads there are N - 1
 * workers beside the queue's own thread, with 0 or 1 everything runs in the calling thread. Workers start at the first
 * work that can use them. Threads: all functions are thread-safe; one thread builds a graph. */
#pragma once

#include "abi/shader.h"
#include "util/list.h"
#include "util/macros.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <vulkan/vulkan_core.h>

struct rt_findings;
struct rt_hazards;
struct rt_prints;
struct rt_touches;
struct rt_follower;
struct rt_pool;
struct rt_graph;
struct rt_task;

struct rt_worker;
typedef void rt_item_fn(void *data, uint32_t index, struct rt_worker *worker);

enum {
   RT_ITEM_COSTS = 8,
   RT_MAX_TIMEOUTS = 60, /* that a command may take at its pace: ten minutes */
};

/* What an item of a function has cost lately on this thread. */
struct rt_item_cost {
   rt_item_fn *run;
   float ns;
};

/* How far a command has come, for the watchdog: one that is too slow to end is a hang although it makes progress. */
struct rt_pace {
   _Atomic uint64_t number; /* which command; 0: none that says */
   _Atomic double done;     /* of 1; both relaxed: a look that falls between is put right by the next */
};

/* A part of a command. */
struct rt_part {
   double begin, size; /* of the command, which is 1; size 0: there is none */
   uint64_t number;    /* of the loop over parts, for rt_worker_advance() */
   double share;       /* of that loop, which is 1 */
};

/* What the watchdog saw of a pace, and when in the thread's processor time. */
struct rt_watched_pace {
   uint64_t number, since_ns;
   double done;
};

enum { RT_INSTANCE_SHIFT = 5 };

/* One per thread that runs items; the queue's own thread has one too (index num_threads + queue's number). */
struct rt_worker {
   struct abi_worker abi; /* cancel, helpers and structures are set; shared and frame by rt_worker_reserve() */
   uint32_t index;
   size_t shared_bytes, frame_bytes, scratch_bytes;
   uint8_t *scratch; /* 64-byte aligned; contents last until the item ends */
   void *kept;       /* by rt_worker_keep() */
   struct rt_follower *follower; /* instrument/races.c: of the workgroup in hand; NULL: none was followed yet */

   /* The pool's own: */
   struct rt_pool *pool;
   struct util_list link;         /* in the pool's list of workers, under its lock */
   _Atomic(const char *) running; /* what runs here, as a hang report names it; NULL: nothing */
   _Atomic(const char *) within;  /* the shader that `running` has called; NULL: none. No sign of progress */
   _Atomic uint64_t progress;     /* items completed; written by this worker's thread only */
   uint64_t order;                /* of the command that it works for: queue << RT_ORDER_BITS | number; kept where code is instrumented */
   uint64_t num_entries;          /* batches of a draw's shaders that it began: of one, no invocation comes twice */
   uint32_t grid;                 /* rt_mesh_grid.number of the workgroup in hand, of task and mesh shaders */
   uint32_t instance;             /* `race`: of the primitives in hand, << RT_INSTANCE_SHIFT, with their view */
   struct rt_pace item, command;  /* of the task whose items it runs; of the command that it goes through: parts.h */
   struct rt_part part;           /* parts.h: the one in hand */
   uint32_t num_paces;
   clockid_t clock; /* of the thread's processor time; has_clock is written before `running` */
   bool has_clock;
   /* The watchdog's: what it saw last, and since when in processor time. */
   const char *watched;
   uint64_t watched_progress, watched_since_ns;
   uint64_t looked_ns;  /* what its clock said at the last look; 0: none yet */
   uint64_t counted_ns; /* of its processor time: what the looks counted */
   bool is_clocked;     /* has_clock, as it was seen */
   struct rt_watched_pace watched_item, watched_command;
   struct rt_item_cost costs[RT_ITEM_COSTS]; /* by a hash of the function; this thread's */
};

struct rt_pool_options {
   uint32_t num_threads;
   const struct abi_helpers *helpers;
   const struct rt_accel_table *structures;
   /* An item that uses so much processor time without progress is a hang, and so is a command that would need
    * RT_MAX_TIMEOUTS times as much; 0: never. */
   uint64_t hang_timeout_ns;
   /* Called when work cannot go on, from any thread: a hang, or rt_pool_fail(). `reason` is one line; `hung` is for
    * rt_pool_hung_at(), or NULL. */
   void (*on_failure)(void *data, const char *reason, const struct rt_worker *hung);
   void *on_failure_data;
   /* Called by the watchdog while work runs, again after the nanoseconds that it returns; NULL: nothing is to be done meanwhile. */
   uint64_t (*tend)(void *data);
   void *tend_data;
   void (*forget_worker)(struct rt_worker *worker); /* frees what is kept with it and, if it is its own, with the thread; NULL: nothing is */
   struct rt_findings *findings; /* of instrumented code; NULL: there is none */
   struct rt_hazards *hazards;   /* of commands; NULL: nobody looks for them */
   struct rt_prints *prints;     /* of shaders that print; NULL: none does */
   struct rt_touches *touches;   /* of stages without workgroups; NULL: nobody looks for races */
};

/* Starts no thread but the watchdog's: nothing runs unwatched. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_pool_create(const struct rt_pool_options *options, struct rt_pool **pool);
/* All work must have completed, all workers of rt_worker_init() be finished. */
void rt_pool_destroy(struct rt_pool *pool);
/* From now on items are dropped unrun, and compiled code that polls its cancel word returns. */
void rt_pool_cancel(struct rt_pool *pool);
/* After cancelling: abi_worker.gave_up_at of `hung` once it has left the loop that it was in. NULL if it was in none, or does
 * not leave it within a second. The watchdog's thread alone. */
const char *rt_pool_hung_at(struct rt_pool *pool, const struct rt_worker *hung);
/* For items that cannot do their work, for want of memory for one: reports it to the pool's owner, who loses the
 * device. */
void rt_pool_fail(struct rt_pool *pool, const char *reason);

/* A worker for a thread outside the pool that takes part in its work. */
void rt_worker_init(struct rt_worker *worker, struct rt_pool *pool);
void rt_worker_finish(struct rt_worker *worker);

/* VK_SWRAST_DEBUG=order=…: which of `count` items runs as the index-th. */
uint64_t rt_pool_reordered(uint64_t index, uint64_t count);

/* Makes abi.shared and abi.frame at least that large (they only grow). False when memory is out. */
UTIL_MUST_CHECK bool rt_worker_reserve(struct rt_worker *worker, size_t shared_bytes, size_t frame_bytes);
/* Scratch of at least `size` bytes, or NULL. */
UTIL_MUST_CHECK void *rt_worker_scratch(struct rt_worker *worker, size_t size);
/* Memory that stays with the worker and is zero at first, for what items find out and others may use; the same for all
 * that ask, who ask for one size. NULL: memory is out. */
UTIL_MUST_CHECK void *rt_worker_keep(struct rt_worker *worker, size_t size);
/* Shows the watchdog that the item lives: for items that consist of several calls of compiled code. */
static inline void rt_worker_progress(struct rt_worker *worker)
{
   atomic_store_explicit(&worker->progress, atomic_load_explicit(&worker->progress, memory_order_relaxed) + 1,
                         memory_order_relaxed);
}
static inline void rt_pace_set(struct rt_pace *pace, uint64_t number, double done)
{
   atomic_store_explicit(&pace->number, number, memory_order_relaxed);
   atomic_store_explicit(&pace->done, done, memory_order_relaxed);
}
/* A number for a pace, which no other of the pool has. */
static inline uint64_t rt_worker_new_pace(struct rt_worker *worker)
{
   return ((uint64_t)worker->index << 32) + ++worker->num_paces;
}
/* The worker has done `part` of its share of the task `number`. What it did before, of others too, stays counted: it may come back to them. */
static inline void rt_worker_advance(struct rt_worker *worker, uint64_t number, double part)
{
   const double before = atomic_load_explicit(&worker->item.done, memory_order_relaxed);
   rt_pace_set(&worker->item, number, before < 1.0 ? before + part : part);
}
/* Names what the item does from here on, more closely than its task does; until the item ends. NULL changes nothing. */
static inline void rt_worker_describe(struct rt_worker *worker, const char *describe)
{
   if (describe)
      atomic_store_explicit(&worker->running, describe, memory_order_relaxed);
}

/* Names the shader that what runs here has called; returns what it was before, to be given back. */
static inline const char *rt_worker_call(struct rt_worker *worker, const char *shader)
{
   const char *before = atomic_load_explicit(&worker->within, memory_order_relaxed);
   atomic_store_explicit(&worker->within, shader, memory_order_relaxed);
   return before;
}

/* A graph collects tasks and runs them as their dependencies allow. rt_graph_add() gives the task's number. */
UTIL_MUST_CHECK struct rt_graph *rt_graph_create(struct rt_pool *pool);
void rt_graph_destroy(struct rt_graph *graph); /* waits first */
/* Adds a task after `num_deps` earlier ones (by number); starts at once when they are done. `data` must stay valid
 * until it completed. `grain`: items that a worker claims at a time; 0: adaptive, large claims first. A task of 0 items
 * only joins its dependencies. Returns the number, or 0 when memory is out (numbers start at 1). `describe` (may be
 * NULL) names it in a hang report. */
UTIL_MUST_CHECK uint64_t rt_graph_add(struct rt_graph *graph, rt_item_fn *run, void *data, uint32_t count,
                                      uint32_t grain, const uint64_t *deps, uint32_t num_deps, const char *describe);
/* The same for a task whose number of items is seen only when those that it depends on have completed: then it is read from `count`. */
uint64_t rt_graph_add_counted(struct rt_graph *graph, rt_item_fn *run, void *data, const uint32_t *count, uint32_t grain,
                              const uint64_t *deps, uint32_t num_deps, const char *describe);
/* True if the task has completed; its writes are then visible to the caller. 0 names a task that always has. */
bool rt_graph_is_done(struct rt_graph *graph, uint64_t number);
/* Waits until that task has completed, helping with all of the graph. */
void rt_graph_wait_for(struct rt_graph *graph, uint64_t number, struct rt_worker *worker);
/* Waits until all tasks of the graph have completed, helping to run them on the calling thread with `worker`. */
void rt_graph_wait(struct rt_graph *graph, struct rt_worker *worker);
/* True if all tasks have completed; their writes are then visible to the caller. */
bool rt_graph_is_idle(const struct rt_graph *graph);

/* Runs `count` items and waits; the calling thread takes part with `worker`. `grain` as for rt_graph_add(). Items that
 * took so little time the last time that waking a thread would cost more are run here alone. */
void rt_pool_run(struct rt_pool *pool, struct rt_worker *worker, rt_item_fn *run, void *data, uint32_t count,
                 uint32_t grain, const char *describe);
/* The same in the calling thread alone: for work that is too small to wake anybody. */
void rt_pool_run_inline(struct rt_worker *worker, rt_item_fn *run, void *data, uint32_t count, const char *describe);
/* As rt_pool_is_cancelled(), for the loops that a worker runs itself. */
static inline bool rt_worker_is_cancelled(const struct rt_worker *worker)
{
   return __atomic_load_n(worker->abi.cancel, __ATOMIC_RELAXED) != 0;
}

/* Host work on the pool: neither watched nor cancelled; the calling thread takes part. */
void rt_pool_parallel_for(struct rt_pool *pool, uint32_t count, void (*job)(void *data, uint32_t index), void *data);

/* Threads that execute work, the calling one included; at least 1. */
uint32_t rt_pool_num_threads(const struct rt_pool *pool);
/* NULL: no code is instrumented. */
struct rt_findings *rt_pool_findings(const struct rt_pool *pool);
/* NULL: no shader prints. */
struct rt_prints *rt_pool_prints(const struct rt_pool *pool);
/* NULL: nobody looks for races. */
struct rt_touches *rt_pool_touches(const struct rt_pool *pool);
/* NULL: nobody looks for missing barriers. */
struct rt_hazards *rt_pool_hazards(const struct rt_pool *pool);
/* True if a worker must give up because the device is lost. */
bool rt_pool_is_cancelled(const struct rt_pool *pool);
