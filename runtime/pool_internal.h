/* SPDX-License-Identifier: MIT
 * What pool.c, graph.c and watchdog.c share: the pool's fields and the life of a task.
 * One lock guards the list of ready tasks and all graphs; items are claimed without it. */
#pragma once

#include "runtime/abort.h"
#include "runtime/scale.h"
#include "util/thread.h"

struct rt_edge {
   struct rt_edge *next;
   struct rt_task *to;
};

struct rt_task {
   struct util_list link; /* in the pool's ready list while it may have unclaimed items; under the pool's lock */
   rt_item_fn *run;
   void *data;
   const char *describe;
   uint32_t count, grain;
   const uint32_t *count_at; /* where the count is read when the task becomes ready; NULL: it is known */
   bool is_host_work;          /* neither watched nor cancelled */
   _Atomic uint32_t next_item; /* first unclaimed item; relaxed: the lock publishes everything else */

   /* Under the pool's lock: */
   uint32_t num_running; /* threads that hold or look for items */
   uint32_t num_deps;    /* tasks to complete before this one is ready */
   bool is_done;
   pthread_cond_t *done;   /* signaled when is_done is set, or NULL */
   void (*on_done)(struct rt_task *task); /* called then, under the lock, or NULL; it may give the task away */
   struct rt_graph *graph; /* NULL: a task of rt_pool_run() */
   uint64_t number;
   struct rt_edge *successors;
};

/* A thread that sleeps until its graph's tasks are done. It helps with tasks of rt_pool_run(), which may be parts of these. */
struct rt_waiter {
   struct util_list link;
   pthread_cond_t *changed;
};

struct rt_watchdog {
   pthread_mutex_t lock;
   pthread_cond_t changed;
   pthread_t thread;
   bool is_started, is_quitting; /* under lock */
   uint64_t looked_ns, awake_ns; /* the thread's: its last look; how long it has watched, without times when nothing ran */
   uint64_t busiest_ns;          /* processor time between looks of the worker that had most, summed */
   _Atomic bool is_awake;        /* sequentially consistent, against rt_worker.running: see watchdog.c */
};

struct rt_pool {
   struct rt_pool_options options;
   uint32_t num_threads; /* at least 1; the calling thread counts */
   uint32_t cancel;      /* atomic, relaxed; compiled code polls it with plain loads */
   struct rt_watchdog watchdog;
   struct rt_abort abort;

   pthread_mutex_t lock;
   _Atomic uint32_t num_events; /* written under lock, release: tasks that became ready or complete, for threads that wait awake */
   /* Under lock: */
   pthread_cond_t work_added;
   struct util_list ready;   /* tasks in the order of becoming ready */
   struct util_list workers; /* of all threads */
   struct util_list waiters; /* struct rt_waiter */
   pthread_t *threads;
   uint32_t num_workers; /* threads beside the callers */
   uint32_t num_started, num_sleeping;
   uint32_t num_wakes; /* signals in flight to sleepers */
   uint32_t next_index;
   bool is_quitting;
   struct rt_scale scale;
};

/* Under the pool's lock: puts a task whose dependencies are done on the ready list. */
void rt_pool_make_ready(struct rt_pool *pool, struct rt_task *task);
/* Under the pool's lock, which is given back meanwhile: waits awake for a while, for a task to become ready or complete. True: one has. */
bool rt_pool_look(struct rt_pool *pool);
/* Under the pool's lock: threads that wait awake look again. */
static inline void rt_pool_notify(struct rt_pool *pool)
{
   atomic_fetch_add_explicit(&pool->num_events, 1, memory_order_release);
}
/* Under the pool's lock: how many sleepers to signal after unlocking, for the work that waits beyond what `busy`
 * running threads take up. Starts threads that are missing. */
uint32_t rt_pool_plan_wakes(struct rt_pool *pool, uint32_t busy);
/* Without the lock. */
void rt_pool_wake(struct rt_pool *pool, uint32_t num_wakes);
/* Enters with the lock held, leaves with it held, runs items of `task` in between. */
void rt_pool_work_on(struct rt_pool *pool, struct rt_task *task, struct rt_worker *worker);
/* True if unclaimed items are left. */
bool rt_task_has_items(const struct rt_task *task);

/* The pool's lock is the one that all threads meet at: it is counted. */
static inline void rt_pool_lock(struct rt_pool *pool)
{
   pthread_mutex_lock(&pool->lock);
   pool->scale.num_locks++;
}

/* watchdog.c */
/* Starts the thread, if there is a time-out; false if the system refuses. */
UTIL_MUST_CHECK bool rt_watchdog_init(struct rt_pool *pool);
void rt_watchdog_finish(struct rt_pool *pool);
/* Marks what `worker` runs until rt_watchdog_leave(); returns what it ran before, to be given back. */
const char *rt_watchdog_enter(struct rt_worker *worker, const char *describe);
void rt_watchdog_leave(struct rt_worker *worker, const char *before);
