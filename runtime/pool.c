/* SPDX-License-Identifier: MIT
 * The pool: workers, claiming of items, waking. */
#include "runtime/pool_internal.h"

#include "util/alloc.h"
#include "util/debug.h"
#include "util/awake.h"
#include "util/pages.h"

#include <stdio.h>

/* One thread signals at most so many sleepers; those signal the next, so that waking many costs nobody much. */
#define MAX_WAKES 2
/* Waking a thread costs a few microseconds on both sides: a run that lasts no longer is not shared. */
#define SMALL_RUN_NS 8000

/* ---- workers' memory ---- */

/* Under the pool's lock; `worker` is zeroed. */
static void init_worker(struct rt_worker *worker, struct rt_pool *pool, uint32_t index)
{
   worker->abi.helpers = pool->options.helpers;
   worker->abi.owner = worker;
   worker->abi.cancel = &pool->cancel;
   worker->abi.structures = pool->options.structures;
   worker->pool = pool;
   worker->index = index;
   atomic_init(&worker->running, NULL);
   atomic_init(&worker->progress, 0);
   util_list_add_before(&worker->link, &pool->workers);
}

static void free_memory(struct rt_worker *worker)
{
   util_pages_free(worker->abi.shared, worker->shared_bytes);
   util_pages_free(worker->abi.frame, worker->frame_bytes);
   util_pages_free(worker->scratch, worker->scratch_bytes);
   util_mfree(worker->kept);
   if (worker->pool->options.forget_worker)
      worker->pool->options.forget_worker(worker);
}

void rt_worker_init(struct rt_worker *worker, struct rt_pool *pool)
{
   *worker = (struct rt_worker){0};
   rt_pool_lock(pool);
   init_worker(worker, pool, pool->next_index++);
   pthread_mutex_unlock(&pool->lock);
}

void rt_worker_finish(struct rt_worker *worker)
{
   rt_pool_lock(worker->pool);
   util_list_remove(&worker->link);
   rt_scale_add_worker(&worker->pool->scale, worker);
   pthread_mutex_unlock(&worker->pool->lock);
   free_memory(worker);
}

/* Contents are not kept. */
static bool grow(uint8_t **memory, size_t *have_bytes, size_t want_bytes)
{
   if (UTIL_LIKELY(want_bytes <= *have_bytes))
      return true;
   if (want_bytes > SIZE_MAX / 2)
      return false;
   want_bytes = util_align(UTIL_MAX(want_bytes, *have_bytes + *have_bytes / 2), 4096);
   uint8_t *larger = util_pages_alloc(want_bytes);
   if (!larger)
      return false;
   util_pages_free(*memory, *have_bytes);
   *memory = larger;
   *have_bytes = want_bytes;
   return true;
}

bool rt_worker_reserve(struct rt_worker *worker, size_t shared_bytes, size_t frame_bytes)
{
   return grow(&worker->abi.shared, &worker->shared_bytes, shared_bytes) &&
          grow(&worker->abi.frame, &worker->frame_bytes, frame_bytes);
}

void *rt_worker_keep(struct rt_worker *worker, size_t size)
{
   if (!worker->kept)
      worker->kept = util_calloc(1, size);
   return worker->kept;
}

void *rt_worker_scratch(struct rt_worker *worker, size_t size)
{
   return grow(&worker->scratch, &worker->scratch_bytes, UTIL_MAX(size, 1)) ? worker->scratch : NULL;
}

/* ---- running items ---- */

bool rt_pool_is_cancelled(const struct rt_pool *pool)
{
   return __atomic_load_n(&pool->cancel, __ATOMIC_RELAXED) != 0;
}

void rt_pool_cancel(struct rt_pool *pool)
{
   __atomic_store_n(&pool->cancel, 1, __ATOMIC_RELAXED);
}

void rt_pool_fail(struct rt_pool *pool, const char *reason)
{
   if (pool->options.on_failure)
      pool->options.on_failure(pool->options.on_failure_data, reason, NULL);
}

struct rt_findings *rt_pool_findings(const struct rt_pool *pool)
{
   return pool->options.findings;
}

struct rt_prints *rt_pool_prints(const struct rt_pool *pool)
{
   return pool->options.prints;
}

struct rt_touches *rt_pool_touches(const struct rt_pool *pool)
{
   return pool->options.touches;
}

struct rt_hazards *rt_pool_hazards(const struct rt_pool *pool)
{
   return pool->options.hazards;
}

uint32_t rt_pool_num_threads(const struct rt_pool *pool)
{
   return pool->num_threads;
}

bool rt_task_has_items(const struct rt_task *task)
{
   return atomic_load_explicit(&task->next_item, memory_order_relaxed) < task->count;
}

/* Takes up to a grain of items: [first, first + the result); after a loss, all that are left. */
static uint32_t claim(struct rt_task *task, uint32_t num_threads, bool takes_all, uint32_t *first)
{
   uint32_t next = atomic_load_explicit(&task->next_item, memory_order_relaxed), num;
   do {
      if (next >= task->count)
         return 0;
      const uint32_t left = task->count - next;
      /* Adaptive: a part of what is left, so that claims are few and the ends still even out. */
      num = takes_all ? left : task->grain ? task->grain : UTIL_MAX(left / (4 * num_threads), 1);
      num = UTIL_MIN(num, left);
   } while (!atomic_compare_exchange_weak_explicit(&task->next_item, &next, next + num, memory_order_relaxed,
                                                   memory_order_relaxed));
   *first = next;
   return num;
}

/* ---- orders that are allowed, too ---- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
   while (b) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

uint64_t rt_pool_reordered(uint64_t index, uint64_t count)
{
   uint32_t seed;
   const enum util_order order = util_debug_order(&seed);
   if (order != UTIL_ORDER_SHUFFLE)
      return order == UTIL_ORDER_REVERSE ? count - 1 - index : index;
   uint64_t step = seed * UINT64_C(0x9e3779b97f4a7c15) % count;
   while (greatest_divisor(step, count) != 1)
      step++;
   return (uint64_t)(((unsigned __int128)step * index + seed) % count);
}

static inline uint32_t item_at(uint32_t index, uint32_t count)
{
   return UTIL_LIKELY(util_debug_order(NULL) == UTIL_ORDER_FORWARD) ? index : (uint32_t)rt_pool_reordered(index, count);
}

/* Adds to num_claims and num_items. */
static void run_watched(struct rt_pool *pool, struct rt_task *task, struct rt_worker *worker, struct rt_scale *counts)
{
   const char *before = rt_watchdog_enter(worker, task->describe);
   uint32_t first, num;
   while ((num = claim(task, pool->num_threads, rt_pool_is_cancelled(pool), &first))) {
      counts->num_claims++;
      counts->num_items += num;
      for (uint32_t i = first; i < first + num && UTIL_LIKELY(!rt_pool_is_cancelled(pool)); i++) {
         task->run(task->data, item_at(i, task->count), worker);
         rt_worker_progress(worker);
      }
   }
   rt_watchdog_leave(worker, before);
}

static void run_host_work(struct rt_pool *pool, struct rt_task *task, struct rt_worker *worker)
{
   uint32_t first, num;
   while ((num = claim(task, pool->num_threads, false, &first))) {
      for (uint32_t i = first; i < first + num; i++)
         task->run(task->data, i, worker);
   }
}

void rt_pool_work_on(struct rt_pool *pool, struct rt_task *task, struct rt_worker *worker)
{
   task->num_running++;
   pool->scale.num_tasks += task->num_running == 1;
   const uint32_t num_wakes = rt_pool_plan_wakes(pool, 1);
   struct rt_scale counts = {0};
   pthread_mutex_unlock(&pool->lock);

   rt_pool_wake(pool, num_wakes);
   if (task->is_host_work)
      run_host_work(pool, task, worker);
   else
      run_watched(pool, task, worker, &counts);

   rt_pool_lock(pool);
   pool->scale.num_claims += counts.num_claims;
   pool->scale.num_items += counts.num_items;
   util_list_remove(&task->link); /* nothing is left to claim; harmless if it was removed before */
   if (--task->num_running == 0) {
      task->is_done = true;
      rt_pool_notify(pool);
      if (task->done)
         pthread_cond_signal(task->done);
      if (task->on_done)
         task->on_done(task);
   }
}

/* ---- threads ---- */

static struct rt_task *first_with_items(struct rt_pool *pool)
{
   UTIL_LIST_FOR_EACH (struct rt_task, task, &pool->ready, link) {
      if (rt_task_has_items(task))
         return task;
   }
   return NULL;
}

static void *worker_main(void *arg)
{
   struct rt_worker *worker = arg;
   struct rt_pool *pool = worker->pool;

   rt_pool_lock(pool);
   if (pool->num_wakes)
      pool->num_wakes--;
   for (;;) {
      struct rt_task *task = first_with_items(pool);
      if (task) {
         rt_pool_work_on(pool, task, worker);
         continue;
      }
      if (pool->is_quitting)
         break;
      if (rt_pool_look(pool) || pool->is_quitting)
         continue;
      pool->num_sleeping++;
      pthread_cond_wait(&pool->work_added, &pool->lock);
      pool->num_sleeping--;
      if (pool->num_wakes)
         pool->num_wakes--;
   }
   util_list_remove(&worker->link);
   rt_scale_add_worker(&pool->scale, worker);
   pthread_mutex_unlock(&pool->lock);
   free_memory(worker);
   util_mfree(worker);
   return NULL;
}

/* Under the lock. A thread that the system refuses is not asked for again: the others do its work. */
static bool start_worker(struct rt_pool *pool)
{
   struct rt_worker *worker = util_calloc(1, sizeof(*worker));
   if (worker) {
      char name[16];
      snprintf(name, sizeof(name), "vk-worker-%u", pool->num_started % 10000);
      init_worker(worker, pool, pool->num_started);
      if (util_thread_start(&pool->threads[pool->num_started], name, worker_main, worker)) {
         pool->num_started++;
         return true;
      }
      util_list_remove(&worker->link);
      util_mfree(worker);
   }
   pool->num_workers = pool->num_started;
   return false;
}

uint32_t rt_pool_plan_wakes(struct rt_pool *pool, uint32_t busy)
{
   const uint32_t max = pool->num_workers - pool->num_started + pool->num_sleeping;
   if (max <= pool->num_wakes)
      return 0;

   /* Claims that nobody has begun to take, as far as it matters. */
   const uint64_t enough = (uint64_t)busy + pool->num_wakes + MAX_WAKES;
   uint64_t waiting = 0;
   UTIL_LIST_FOR_EACH (struct rt_task, task, &pool->ready, link) {
      const uint32_t next = atomic_load_explicit(&task->next_item, memory_order_relaxed);
      if (next < task->count)
         waiting += UTIL_DIV_ROUND_UP(task->count - next, UTIL_MAX(task->grain, 1));
      if (waiting >= enough)
         break;
   }
   if (waiting <= (uint64_t)busy + pool->num_wakes)
      return 0;

   uint32_t wanted = (uint32_t)UTIL_MIN(waiting - busy - pool->num_wakes, MAX_WAKES);
   wanted = UTIL_MIN(wanted, max - pool->num_wakes);
   const uint32_t awaken = UTIL_MIN(wanted, pool->num_sleeping - UTIL_MIN(pool->num_wakes, pool->num_sleeping));
   pool->num_wakes += awaken;
   pool->scale.num_wakes += awaken;
   for (uint32_t i = awaken; i < wanted && pool->num_started < pool->num_workers; i++)
      if (start_worker(pool))
         pool->num_wakes++;
   return awaken;
}

void rt_pool_wake(struct rt_pool *pool, uint32_t num_wakes)
{
   for (uint32_t i = 0; i < num_wakes; i++)
      pthread_cond_signal(&pool->work_added);
}

void rt_pool_make_ready(struct rt_pool *pool, struct rt_task *task)
{
   util_list_add_before(&task->link, &pool->ready);
   rt_pool_notify(pool);
}

bool rt_pool_look(struct rt_pool *pool)
{
   static __thread struct util_awake awake;
   const uint32_t seen = atomic_load_explicit(&pool->num_events, memory_order_relaxed);
   pthread_mutex_unlock(&pool->lock);
   (void)util_awake_look(&awake, &pool->num_events, seen);
   pthread_mutex_lock(&pool->lock);
   return atomic_load_explicit(&pool->num_events, memory_order_relaxed) != seen;
}

/* ---- running and waiting ---- */

void rt_pool_run_inline(struct rt_worker *worker, rt_item_fn *run, void *data, uint32_t count, const char *describe)
{
   const char *before = rt_watchdog_enter(worker, describe);
   for (uint32_t i = 0; i < count && UTIL_LIKELY(!rt_pool_is_cancelled(worker->pool)); i++) {
      run(data, item_at(i, count), worker);
      rt_worker_progress(worker);
   }
   rt_watchdog_leave(worker, before);
}

/* `task` lives on the caller's stack: others touch it only between entering and leaving rt_pool_work_on(). */
static void run_and_wait(struct rt_pool *pool, struct rt_task *task, struct rt_worker *worker)
{
   rt_scale_share(pool, true);
   rt_pool_lock(pool);
   rt_pool_make_ready(pool, task);
   UTIL_LIST_FOR_EACH (struct rt_waiter, waiter, &pool->waiters, link)
      pthread_cond_signal(waiter->changed);
   rt_pool_work_on(pool, task, worker);
   while (!task->is_done)
      if (!rt_pool_look(pool) && !task->is_done)
         pthread_cond_wait(task->done, &pool->lock);
   pthread_mutex_unlock(&pool->lock);
   rt_scale_share(pool, false);
}

static struct rt_item_cost *cost_of(struct rt_worker *worker, rt_item_fn *run)
{
   struct rt_item_cost *cost = &worker->costs[((uintptr_t)run >> 4) % RT_ITEM_COSTS];
   if (cost->run != run)
      *cost = (struct rt_item_cost){run, SMALL_RUN_NS}; /* unknown: shared at once */
   return cost;
}

/* Runs items that are likely to be cheap; returns how many, fewer than all if they turn out not to be. */
static uint32_t run_cheap(struct rt_worker *worker, rt_item_fn *run, void *data, uint32_t count, const char *describe,
                          uint64_t begin_ns)
{
   const char *before = rt_watchdog_enter(worker, describe);
   uint32_t i = 0;
   while (i < count && UTIL_LIKELY(!rt_pool_is_cancelled(worker->pool))) {
      run(data, item_at(i++, count), worker);
      rt_worker_progress(worker);
      if ((i < 4 || i % 4 == 0) && util_now_ns() - begin_ns > 2 * SMALL_RUN_NS)
         break;
   }
   rt_watchdog_leave(worker, before);
   return i;
}

void rt_pool_run(struct rt_pool *pool, struct rt_worker *worker, rt_item_fn *run, void *data, uint32_t count,
                 uint32_t grain, const char *describe)
{
   pthread_cond_t done;
   if (pool->num_threads == 1 || count <= UTIL_MAX(grain, 1)) {
      rt_pool_run_inline(worker, run, data, count, describe);
      return;
   }
   struct rt_item_cost *cost = cost_of(worker, run);
   const uint64_t begin_ns = util_now_ns(), progress = atomic_load_explicit(&worker->progress, memory_order_relaxed);
   uint32_t first = 0;
   if (cost->ns * (float)count < SMALL_RUN_NS)
      first = run_cheap(worker, run, data, count, describe, begin_ns);

   const bool is_shared = first < count && util_cond_init(&done);
   if (is_shared) {
      struct rt_task task = {
         .run = run, .data = data, .count = count, .grain = grain, .describe = describe, .done = &done};
      atomic_init(&task.next_item, first);
      run_and_wait(pool, &task, worker);
      pthread_cond_destroy(&done);
   } else {
      for (; first < count && !rt_pool_is_cancelled(pool); first++)
         run(data, item_at(first, count), worker);
   }
   const uint64_t num = atomic_load_explicit(&worker->progress, memory_order_relaxed) - progress;
   if (num && cost->run == run) /* an item may have taken the slot for a run of its own */
      cost->ns = (float)(util_now_ns() - begin_ns) / (float)num;
}

struct host_job {
   void (*job)(void *data, uint32_t index);
   void *data;
};

static void run_host_job(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct host_job *job = data;
   job->job(job->data, index);
}

void rt_pool_parallel_for(struct rt_pool *pool, uint32_t count, void (*job)(void *data, uint32_t index), void *data)
{
   pthread_cond_t done;
   if (pool->num_threads == 1 || count <= 1 || !util_cond_init(&done)) {
      for (uint32_t i = 0; i < count; i++)
         job(data, i);
      return;
   }
   struct host_job host_job = {job, data};
   struct rt_task task = {
      .run = run_host_job, .data = &host_job, .count = count, .grain = 1, .is_host_work = true, .done = &done};
   run_and_wait(pool, &task, NULL);
   pthread_cond_destroy(&done);
}

/* ---- life ---- */

VkResult rt_pool_create(const struct rt_pool_options *options, struct rt_pool **pool_out)
{
   struct rt_pool *pool = util_calloc(1, sizeof(*pool));
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->options = *options;
   pool->num_threads = UTIL_MAX(options->num_threads, 1);
   pool->num_workers = pool->num_threads - 1;
   pool->next_index = pool->num_threads;
   util_list_init(&pool->ready);
   util_list_init(&pool->workers);
   util_list_init(&pool->waiters);
   if (pool->num_workers && !(pool->threads = util_calloc(pool->num_workers, sizeof(*pool->threads))))
      goto free_pool;
   if (!util_mutex_init(&pool->lock))
      goto free_threads;
   if (!util_cond_init(&pool->work_added))
      goto finish_lock;
   if (!rt_watchdog_init(pool))
      goto finish_cond;
   *pool_out = pool;
   return VK_SUCCESS;

finish_cond:
   pthread_cond_destroy(&pool->work_added);
finish_lock:
   pthread_mutex_destroy(&pool->lock);
free_threads:
   util_mfree(pool->threads);
free_pool:
   util_mfree(pool);
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void rt_pool_destroy(struct rt_pool *pool)
{
   if (!pool)
      return;
   rt_watchdog_finish(pool);
   rt_pool_lock(pool);
   pool->is_quitting = true;
   rt_pool_notify(pool);
   pthread_cond_broadcast(&pool->work_added);
   pthread_mutex_unlock(&pool->lock);
   for (uint32_t i = 0; i < pool->num_started; i++)
      pthread_join(pool->threads[i], NULL);
   rt_scale_print(&pool->scale, pool->num_threads);
   pthread_cond_destroy(&pool->work_added);
   pthread_mutex_destroy(&pool->lock);
   util_mfree(pool->threads);
   util_mfree(pool->abort.message);
   util_mfree(pool);
}
