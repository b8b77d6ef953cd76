/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG=scale: what limits a device with many threads, counted on one that may have few. Without the switch nothing is timed, and
 * what is counted under a lock that is held anyway costs nothing. Threads: as said. */
#pragma once

#include "runtime/pool.h"

struct rt_scale { /* under the pool's lock */
   uint64_t num_submissions, num_tasks, num_locks, num_wakes, num_items, num_claims;
   uint64_t worker_bytes; /* of workers that are gone: themselves, shared memory, frame and scratch */
   uint64_t touched_bytes, maximum_touched_bytes; /* of these, in pages that were ever used; of one worker */
   uint32_t num_workers;  /* the same */
   uint64_t busy_ns, serial_ns, longest_serial_ns; /* of submissions; of the times when one thread worked for them */
};

/* Under the pool's lock, of a worker that ends. */
void rt_scale_add_worker(struct rt_scale *scale, const struct rt_worker *worker);
/* On a queue's thread: a submission begins or ends. */
void rt_scale_submission(struct rt_pool *pool, bool begins);
/* On any thread: it shares its work from here on, or is alone again. Counts on threads with a submission. */
void rt_scale_share(struct rt_pool *pool, bool begins);
void rt_scale_print(const struct rt_scale *scale, uint32_t num_threads);
