/* SPDX-License-Identifier: MIT
 * The watchdog: a thread that sees items which never end.
 * It sleeps without a time-out while nothing runs. Work that starts then wakes it, once; from there on it looks at the
 * workers a few times per time-out until it finds that nothing has happened since its last look. So neither an idle
 * device nor a submission costs anything.
 *
 * Going to sleep races with work that starts: a worker stores `running`, then loads `is_awake`; the watchdog stores
 * `is_awake`, then loads `running`. All four are sequentially consistent, so at least one of both sees the other. */
#include "runtime/pool_internal.h"

#include <stdio.h>
#include <time.h>

#define LOOKS_PER_TIMEOUT 4
#define MOST_WAITS 1000 /* of a millisecond, for a worker that hung to say where */

enum look { LOOK_IDLE, LOOK_ACTIVE, LOOK_HANG };

struct hang {
   const struct rt_worker *worker;
   const char *describe; /* what it runs */
};

/* Compares each worker with what it was at the last look. */
static enum look look_at_workers(struct rt_pool *pool, uint64_t now_ns, struct hang *hang)
{
   enum look result = LOOK_IDLE;
   pthread_mutex_lock(&pool->lock);
   UTIL_LIST_FOR_EACH (struct rt_worker, worker, &pool->workers, link) {
      const char *running = atomic_load(&worker->running);
      const uint64_t progress = atomic_load_explicit(&worker->progress, memory_order_relaxed);
      const bool is_same = running == worker->watched && progress == worker->watched_progress;
      if (running || !is_same)
         result = UTIL_MAX(result, LOOK_ACTIVE);
      if (!is_same) {
         worker->watched = running;
         worker->watched_progress = progress;
         worker->watched_since_ns = now_ns;
      } else if (running && now_ns - worker->watched_since_ns >= pool->options.hang_timeout_ns) {
         result = LOOK_HANG;
         *hang = (struct hang){worker, running};
      }
   }
   pthread_mutex_unlock(&pool->lock);
   return result;
}

/* Under the watchdog's lock, which is released while it sleeps. Returns at the first hang. */
static struct hang watch(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   const uint64_t period_ns = UTIL_MAX(pool->options.hang_timeout_ns / LOOKS_PER_TIMEOUT, 1000000);

   while (!watchdog->is_quitting) {
      if (!atomic_load(&watchdog->is_awake)) {
         pthread_cond_wait(&watchdog->changed, &watchdog->lock);
         continue;
      }
      const uint64_t deadline_ns = util_deadline_ns(period_ns);
      while (!watchdog->is_quitting && util_cond_wait_until(&watchdog->changed, &watchdog->lock, deadline_ns))
         ;
      if (watchdog->is_quitting)
         break;

      struct hang hang = {0};
      enum look look = look_at_workers(pool, util_now_ns(), &hang);
      if (look == LOOK_IDLE) {
         atomic_store(&watchdog->is_awake, false);
         look = look_at_workers(pool, util_now_ns(), &hang);
         if (look != LOOK_IDLE)
            atomic_store(&watchdog->is_awake, true);
      }
      if (look == LOOK_HANG)
         return hang;
   }
   return (struct hang){0};
}

static void *watchdog_main(void *arg)
{
   struct rt_pool *pool = arg;
   struct rt_watchdog *watchdog = &pool->watchdog;

   pthread_mutex_lock(&watchdog->lock);
   const struct hang hang = watch(pool);
   /* After a hang nothing is left to watch; is_awake stays on, so that nobody signals any more. */
   pthread_mutex_unlock(&watchdog->lock);
   if (hang.worker) {
      char reason[256];
      snprintf(reason, sizeof(reason), "hang: no progress for %.3g s in %s",
               (double)pool->options.hang_timeout_ns * 1e-9, hang.describe);
      if (pool->options.on_failure)
         pool->options.on_failure(pool->options.on_failure_data, reason, hang.worker);
   }
   return NULL;
}

/* Under the pool's lock. False once nothing more is to be waited for: the worker said where it was, is gone, or ended
 * its item in another way. */
static bool still_hangs(const struct rt_pool *pool, const struct rt_worker *hung, const char **place)
{
   UTIL_LIST_FOR_EACH (const struct rt_worker, worker, &pool->workers, link) {
      if (worker != hung)
         continue;
      *place = __atomic_load_n(&worker->abi.gave_up_at, __ATOMIC_RELAXED);
      return !*place && atomic_load(&worker->running) == worker->watched &&
             atomic_load_explicit(&worker->progress, memory_order_relaxed) == worker->watched_progress;
   }
   return false;
}

const char *rt_pool_hung_at(struct rt_pool *pool, const struct rt_worker *hung)
{
   const char *place = NULL;
   bool waits = true;
   for (uint32_t i = 0; i < MOST_WAITS && waits; i++) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
      pthread_mutex_lock(&pool->lock);
      waits = still_hangs(pool, hung, &place);
      pthread_mutex_unlock(&pool->lock);
   }
   return place;
}

static void awaken(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   pthread_mutex_lock(&watchdog->lock);
   atomic_store(&watchdog->is_awake, true);
   if (!watchdog->is_started) /* tried again at the next work if the system refuses */
      watchdog->is_started = util_thread_start(&watchdog->thread, "vk-watchdog", watchdog_main, pool);
   if (watchdog->is_started)
      pthread_cond_signal(&watchdog->changed);
   else
      atomic_store(&watchdog->is_awake, false);
   pthread_mutex_unlock(&watchdog->lock);
}

const char *rt_watchdog_enter(struct rt_worker *worker, const char *describe)
{
   struct rt_pool *pool = worker->pool;
   const char *before = atomic_load_explicit(&worker->running, memory_order_relaxed);
   atomic_store(&worker->running, describe ? describe : "unnamed work");
   if (UTIL_UNLIKELY(!atomic_load(&pool->watchdog.is_awake)) && pool->options.hang_timeout_ns)
      awaken(pool);
   return before;
}

void rt_watchdog_leave(struct rt_worker *worker, const char *before)
{
   atomic_store_explicit(&worker->running, before, memory_order_release);
}

bool rt_watchdog_init(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   atomic_init(&watchdog->is_awake, false);
   if (!util_mutex_init(&watchdog->lock))
      return false;
   if (!util_cond_init(&watchdog->changed)) {
      pthread_mutex_destroy(&watchdog->lock);
      return false;
   }
   return true;
}

void rt_watchdog_finish(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   pthread_mutex_lock(&watchdog->lock);
   watchdog->is_quitting = true;
   const bool is_started = watchdog->is_started;
   pthread_cond_signal(&watchdog->changed);
   pthread_mutex_unlock(&watchdog->lock);
   if (is_started)
      pthread_join(watchdog->thread, NULL);
   pthread_cond_destroy(&watchdog->changed);
   pthread_mutex_destroy(&watchdog->lock);
}
