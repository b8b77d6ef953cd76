/* SPDX-License-Identifier: MIT
 * The watchdog: a thread that sees items which never end, and commands that are too large to.
 * It sleeps without a time-out while nothing runs. Work that starts then wakes it, once; from there on it looks at the
 * workers a few times per time-out until it finds that nothing has happened since its last look. So neither an idle
 * device nor a submission costs anything.
 *
 * Time is what a worker's thread has had of a processor: a process that was stopped and a container with a tenth of a
 * processor lose nothing. Where the system does not say, it is the time that the watchdog itself was awake. Between two
 * looks no more counts than twice the time between looks: a virtual machine that slept, or was given no processor, counts
 * that as its threads' work.
 *
 * Going to sleep races with work that starts: a worker stores `running`, then loads `is_awake`; the watchdog stores
 * `is_awake`, then loads `running`. All four are sequentially consistent, so at least one of both sees the other. */
#include "runtime/pool_internal.h"

#include <stdio.h>
#include <time.h>

#define LOOKS_PER_TIMEOUT 8
#define MIN_PERIOD_NS 1000000
#define MAX_PERIOD_NS 100000000
#define MAX_WAITS 1000 /* of a millisecond, for a worker that hung to say where */

enum look { LOOK_IDLE, LOOK_ACTIVE, LOOK_HANG };

struct hang {
   const struct rt_worker *worker;
   const char *describe; /* what it runs */
   double would_take_s;  /* makes progress, but needs so long; 0: makes none */
};

/* ---- time ---- */

static uint64_t period_ns(const struct rt_pool *pool)
{
   return UTIL_CLAMP(pool->options.hang_timeout_ns / LOOKS_PER_TIMEOUT, MIN_PERIOD_NS, MAX_PERIOD_NS);
}

/* Counts the time since the last look, but no more than twice what it should have been. */
static void count_time(struct rt_pool *pool)
{
   const uint64_t now_ns = util_now_ns();
   pool->watchdog.awake_ns += UTIL_MIN(now_ns - pool->watchdog.looked_ns, 2 * period_ns(pool));
   pool->watchdog.looked_ns = now_ns;
}

/* What the clock of the worker's thread says, which runs something; from any beginning. */
static uint64_t clock_ns(const struct rt_pool *pool, const struct rt_worker *worker)
{
   struct timespec time;
   if (worker->has_clock && clock_gettime(worker->clock, &time) == 0)
      return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
   return pool->watchdog.awake_ns;
}

/* ---- looking ---- */

/* How long the command would take, if that is too long by what it did since it was first seen; else 0. */
static double look_at_pace(const struct rt_pool *pool, const struct rt_pace *pace, struct rt_watched_pace *seen,
                           uint64_t now_ns)
{
   const uint64_t number = atomic_load_explicit(&pace->number, memory_order_relaxed);
   const double done = atomic_load_explicit(&pace->done, memory_order_relaxed);
   if (!number || number != seen->number || done < seen->done || now_ns < seen->since_ns) {
      *seen = (struct rt_watched_pace){number, now_ns, done};
      return 0.0;
   }
   const double spent = (double)(now_ns - seen->since_ns), timeout = (double)pool->options.hang_timeout_ns;
   if (spent < timeout || spent <= (done - seen->done) * timeout * RT_MAX_TIMEOUTS)
      return 0.0;
   if (done == seen->done) /* it says nothing, or goes ahead by less than a number can show */
      return spent > timeout * RT_MAX_TIMEOUTS ? spent * 1e-9 : 0.0;
   return spent / (done - seen->done) * 1e-9;
}

/* The time of each worker since the last look; and of whoever works most: who goes through a command sleeps while others do its parts. */
static void count_workers(struct rt_pool *pool)
{
   uint64_t max_ns = 0;
   UTIL_LIST_FOR_EACH (struct rt_worker, worker, &pool->workers, link) {
      if (!worker->is_clocked && !atomic_load(&worker->running))
         continue;
      worker->is_clocked = worker->has_clock;
      const uint64_t now_ns = clock_ns(pool, worker);
      /* Another clock, if the thread is another: from here on. */
      if (worker->looked_ns && now_ns > worker->looked_ns) {
         const uint64_t spent_ns = UTIL_MIN(now_ns - worker->looked_ns, 2 * period_ns(pool));
         worker->counted_ns += spent_ns;
         max_ns = UTIL_MAX(max_ns, spent_ns);
      }
      worker->looked_ns = now_ns;
   }
   pool->watchdog.busiest_ns += max_ns;
}

/* True for a command that will not end in time, also while its worker waits for others. */
static bool look_at_command(const struct rt_pool *pool, struct rt_worker *worker, struct hang *hang)
{
   const double would_take_s = look_at_pace(pool, &worker->command, &worker->watched_command, pool->watchdog.busiest_ns);
   if (would_take_s == 0.0)
      return false;
   const char *describe = atomic_load(&worker->running);
   UTIL_LIST_FOR_EACH (struct rt_worker, other, &pool->workers, link)
      describe = describe ? describe : atomic_load(&other->running);
   *hang = (struct hang){worker, describe ? describe : "a command of many parts", would_take_s};
   return true;
}

/* Compares a worker with what it was at the last look. */
static enum look look_at_worker(const struct rt_pool *pool, struct rt_worker *worker, struct hang *hang)
{
   const char *running = atomic_load(&worker->running);
   const uint64_t progress = atomic_load_explicit(&worker->progress, memory_order_relaxed);
   const bool is_same = running == worker->watched && progress == worker->watched_progress;
   if (!running) {
      worker->watched = NULL;
      worker->watched_progress = progress;
      return is_same ? LOOK_IDLE : LOOK_ACTIVE;
   }
   if (!is_same) {
      worker->watched = running;
      worker->watched_progress = progress;
      worker->watched_since_ns = worker->counted_ns;
   }
   const char *within = atomic_load_explicit(&worker->within, memory_order_relaxed);
   *hang = (struct hang){worker, within ? within : running, 0.0};
   if (worker->counted_ns - worker->watched_since_ns >= pool->options.hang_timeout_ns)
      return LOOK_HANG;
   hang->would_take_s = look_at_pace(pool, &worker->item, &worker->watched_item, worker->counted_ns);
   return hang->would_take_s > 0.0 ? LOOK_HANG : LOOK_ACTIVE;
}

static enum look look_at_workers(struct rt_pool *pool, struct hang *hang)
{
   enum look result = LOOK_IDLE;
   count_time(pool);
   pthread_mutex_lock(&pool->lock);
   count_workers(pool);
   UTIL_LIST_FOR_EACH (struct rt_worker, worker, &pool->workers, link) {
      const enum look look = look_at_command(pool, worker, hang) ? LOOK_HANG : look_at_worker(pool, worker, hang);
      result = UTIL_MAX(result, look);
      if (look == LOOK_HANG)
         break;
   }
   pthread_mutex_unlock(&pool->lock);
   return result;
}

/* Under the watchdog's lock, which is released meanwhile: sleeps until the time for a look has come. */
static void sleep_and_tend(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   const uint64_t deadline_ns = util_deadline_ns(period_ns(pool));
   while (!watchdog->is_quitting && util_now_ns() < deadline_ns) {
      uint64_t wake_ns = deadline_ns;
      if (pool->options.tend) {
         pthread_mutex_unlock(&watchdog->lock);
         wake_ns = UTIL_MIN(wake_ns, util_deadline_ns(pool->options.tend(pool->options.tend_data)));
         pthread_mutex_lock(&watchdog->lock);
      }
      while (!watchdog->is_quitting && util_cond_wait_until(&watchdog->changed, &watchdog->lock, wake_ns))
         ;
   }
}

/* Under the watchdog's lock, which is released while it sleeps. Returns at the first hang. */
static struct hang watch(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   while (!watchdog->is_quitting) {
      if (!atomic_load(&watchdog->is_awake)) {
         pthread_cond_wait(&watchdog->changed, &watchdog->lock);
         watchdog->looked_ns = util_now_ns();
         continue;
      }
      sleep_and_tend(pool);
      if (watchdog->is_quitting)
         break;

      struct hang hang;
      enum look look = look_at_workers(pool, &hang);
      if (look == LOOK_IDLE) {
         atomic_store(&watchdog->is_awake, false);
         look = look_at_workers(pool, &hang);
         if (look != LOOK_IDLE)
            atomic_store(&watchdog->is_awake, true);
      }
      if (look == LOOK_HANG)
         return hang;
   }
   return (struct hang){0};
}

static void report(const struct rt_pool *pool, const struct hang *hang)
{
   char reason[256];
   const double timeout_s = (double)pool->options.hang_timeout_ns * 1e-9;
   if (hang->would_take_s > 0.0)
      snprintf(reason, sizeof(reason), "hang: at its pace %.3g s would pass in %s, more than %d times %.3g s",
               hang->would_take_s, hang->describe, RT_MAX_TIMEOUTS, timeout_s);
   else
      snprintf(reason, sizeof(reason), "hang: no progress for %.3g s in %s", timeout_s, hang->describe);
   if (pool->options.on_failure)
      pool->options.on_failure(pool->options.on_failure_data, reason, hang->worker);
}

static void *watchdog_main(void *arg)
{
   struct rt_pool *pool = arg;
   struct rt_watchdog *watchdog = &pool->watchdog;

   pthread_mutex_lock(&watchdog->lock);
   const struct hang hang = watch(pool);
   /* After a hang nothing is left to watch; is_awake stays on, so that nobody signals any more. */
   pthread_mutex_unlock(&watchdog->lock);
   if (hang.worker)
      report(pool, &hang);
   return NULL;
}

/* Under the pool's lock. False once nothing more is to be waited for: the worker said where it was, is gone, or ended
 * its item otherwise. */
static bool still_hangs(const struct rt_pool *pool, const struct rt_worker *hung, const char **location)
{
   UTIL_LIST_FOR_EACH (const struct rt_worker, worker, &pool->workers, link) {
      if (worker != hung)
         continue;
      *location = __atomic_load_n(&worker->abi.gave_up_at, __ATOMIC_RELAXED);
      return !*location && atomic_load(&worker->running) == worker->watched &&
             atomic_load_explicit(&worker->progress, memory_order_relaxed) == worker->watched_progress;
   }
   return false;
}

const char *rt_pool_hung_at(struct rt_pool *pool, const struct rt_worker *hung)
{
   const char *location = NULL;
   bool waits = true;
   for (uint32_t i = 0; i < MAX_WAITS && waits; i++) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
      pthread_mutex_lock(&pool->lock);
      waits = still_hangs(pool, hung, &location);
      pthread_mutex_unlock(&pool->lock);
   }
   return location;
}

static void awaken(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   pthread_mutex_lock(&watchdog->lock);
   atomic_store(&watchdog->is_awake, true);
   pthread_cond_signal(&watchdog->changed);
   pthread_mutex_unlock(&watchdog->lock);
}

const char *rt_watchdog_enter(struct rt_worker *worker, const char *describe)
{
   struct rt_pool *pool = worker->pool;
   const char *before = atomic_load_explicit(&worker->running, memory_order_relaxed);
   if (UTIL_UNLIKELY(!worker->has_clock))
      worker->has_clock = pthread_getcpuclockid(pthread_self(), &worker->clock) == 0;
   atomic_store(&worker->running, describe ? describe : "unnamed work");
   if (UTIL_UNLIKELY(!atomic_load(&pool->watchdog.is_awake)) && pool->options.hang_timeout_ns)
      awaken(pool);
   return before;
}

void rt_watchdog_leave(struct rt_worker *worker, const char *before)
{
   atomic_store_explicit(&worker->running, before, memory_order_release);
   atomic_store_explicit(&worker->item.number, 0, memory_order_relaxed); /* other work does not add to the time of this */
}

bool rt_watchdog_init(struct rt_pool *pool)
{
   struct rt_watchdog *watchdog = &pool->watchdog;
   atomic_init(&watchdog->is_awake, false);
   if (!util_mutex_init(&watchdog->lock))
      return false;
   if (!util_cond_init(&watchdog->changed))
      goto finish_lock;
   if (pool->options.hang_timeout_ns)
      watchdog->is_started = util_thread_start(&watchdog->thread, "vk-watchdog", watchdog_main, pool);
   if (watchdog->is_started || !pool->options.hang_timeout_ns)
      return true;
   pthread_cond_destroy(&watchdog->changed);
finish_lock:
   pthread_mutex_destroy(&watchdog->lock);
   return false;
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
