/* SPDX-License-Identifier: MIT
 * Counts and prints what limits many threads: lines of memory that all of them write, stretches in which one works alone, memory a thread.
 * docs/SCALING.md reads it. */
#include "runtime/scale.h"

#include "runtime/pool_internal.h"
#include "util/debug.h"
#include "util/pages.h"
#include "util/size.h"

static __thread uint64_t serial_since_ns; /* of a queue's thread: when it was alone again; 0: no submission */

void rt_scale_add_worker(struct rt_scale *scale, const struct rt_worker *worker)
{
   if (!util_debug(UTIL_DEBUG_SCALE))
      return;
   const uint64_t touched_bytes = sizeof(*worker) + util_pages_touched_bytes(worker->abi.shared, worker->shared_bytes) +
                                  util_pages_touched_bytes(worker->abi.frame, worker->frame_bytes) +
                                  util_pages_touched_bytes(worker->scratch, worker->scratch_bytes);
   const size_t own_bytes = util_size_add(sizeof(*worker), util_size_add(worker->shared_bytes, util_size_add(worker->frame_bytes, worker->scratch_bytes)));
   scale->worker_bytes = util_size_add(scale->worker_bytes, own_bytes);
   scale->touched_bytes = util_size_add(scale->touched_bytes, touched_bytes);
   scale->maximum_touched_bytes = UTIL_MAX(scale->maximum_touched_bytes, touched_bytes);
   scale->num_workers++;
}

static void end_serial(struct rt_scale *scale, uint64_t now_ns)
{
   const uint64_t serial_ns = now_ns - serial_since_ns;
   scale->serial_ns += serial_ns;
   scale->longest_serial_ns = UTIL_MAX(scale->longest_serial_ns, serial_ns);
}

void rt_scale_share(struct rt_pool *pool, bool begins)
{
   if (!serial_since_ns)
      return;
   const uint64_t now_ns = util_now_ns();
   pthread_mutex_lock(&pool->lock);
   if (begins)
      end_serial(&pool->scale, now_ns);
   pthread_mutex_unlock(&pool->lock);
   serial_since_ns = now_ns;
}

void rt_scale_submission(struct rt_pool *pool, bool begins)
{
   if (!util_debug(UTIL_DEBUG_SCALE))
      return;
   const uint64_t now_ns = util_now_ns();
   pthread_mutex_lock(&pool->lock);
   if (begins) {
      pool->scale.num_submissions++;
      pool->scale.busy_ns -= now_ns;
   } else {
      pool->scale.busy_ns += now_ns;
      end_serial(&pool->scale, now_ns);
   }
   pthread_mutex_unlock(&pool->lock);
   serial_since_ns = begins ? now_ns : 0;
}

static double ratio(uint64_t x, uint64_t y)
{
   return (double)x / (double)UTIL_MAX(y, 1);
}

void rt_scale_print(const struct rt_scale *scale, uint32_t num_threads)
{
   if (!util_debug(UTIL_DEBUG_SCALE) || !scale->num_submissions)
      return;
   util_log("scale: %u threads, %llu submissions of %.1f tasks and %.1f items", num_threads,
            (unsigned long long)scale->num_submissions, ratio(scale->num_tasks, scale->num_submissions),
            ratio(scale->num_items, scale->num_submissions));
   util_log("scale: shared lines: %.2f claims an item; the pool's lock %.1f times a task, %.1f a submission; %.1f wakes a submission",
            ratio(scale->num_claims, scale->num_items), ratio(scale->num_locks, scale->num_tasks),
            ratio(scale->num_locks, scale->num_submissions), ratio(scale->num_wakes, scale->num_submissions));
   util_log("scale: alone: %.1f of %.1f us a submission, %.1f us at a time at most", ratio(scale->serial_ns, scale->num_submissions) * 1e-3,
            ratio(scale->busy_ns, scale->num_submissions) * 1e-3, (double)scale->longest_serial_ns * 1e-3);
   util_log("scale: memory: %.1f KB a thread, %.1f KB of it touched, %.1f KB at most, of %u",
            ratio(scale->worker_bytes, scale->num_workers) * 1e-3, ratio(scale->touched_bytes, scale->num_workers) * 1e-3,
            (double)scale->maximum_touched_bytes * 1e-3, scale->num_workers);
}
