/* SPDX-License-Identifier: MIT
 * The runtime's device: one pool of worker threads, queues that execute command streams on it, the watchdog.
 * Threads: rt_queue_submit() on one queue by one thread at a time; everything else thread-safe. */
#pragma once

#include "abi/shader.h"
#include "runtime/cmd/cmd.h"
#include "runtime/pool.h"
#include "runtime/sparse.h"
#include "runtime/sync/sync.h"

struct rt_device;
struct rt_queue;

struct rt_device_options {
   uint32_t num_threads;     /* workers; 0: run inline in the queue's thread */
   uint64_t hang_timeout_ns; /* no task item completes for so long: the device is lost; 0: never */
   /* Called once, from any thread, when the device is lost and before anybody can see that; `reason` is one line. It
    * must not call into the device. May be NULL. */
   void (*on_lost)(void *data, const char *reason);
   void *on_lost_data;
   struct rt_findings *findings; /* of instrumented code, outlives the device; NULL: there is none */
   struct rt_hazards *hazards;   /* the same of commands */
   struct rt_prints *prints;     /* the same of what shaders print */
   struct rt_touches *touches;   /* the same of races in stages without workgroups */
};

/* Starts no thread yet: workers and queue threads start at the first submission that needs them. */
UTIL_MUST_CHECK VkResult rt_device_create(const struct rt_device_options *options, struct rt_device **device);
void rt_device_destroy(struct rt_device *device); /* queues must be destroyed before */
bool rt_device_is_lost(const struct rt_device *device);
/* For rt_query_pool_results(); set (atomically) before its sleepers are woken. */
const bool *rt_device_lost_flag(const struct rt_device *device);
/* The same, at the end of work: if the work was cancelled, waits for the loss to be reported. Not under a queue's lock. */
bool rt_device_work_was_lost(struct rt_device *device);
/* Loses the device: cancels running work, ends all waits of its submissions, calls on_lost the first time. */
void rt_device_lose(struct rt_device *device, const char *reason);
struct rt_pool *rt_device_pool(struct rt_device *device);
/* Where the device's acceleration structures are. */
struct rt_accel_table *rt_device_structures(struct rt_device *device);
/* Its sparse resources with residency. */
struct rt_sparse_set *rt_device_sparses(struct rt_device *device);

UTIL_MUST_CHECK VkResult rt_queue_create(struct rt_device *device, struct rt_queue **queue);
void rt_queue_destroy(struct rt_queue *queue); /* waits for what was submitted */

struct rt_submit {
   const struct rt_wait *waits;
   uint32_t num_waits;
   struct rt_cmd_stream *const *streams; /* executed in order; stay valid until the submission is done */
   uint32_t num_streams;
   const struct rt_wait *signals; /* set to value when all before has completed */
   uint32_t num_signals;
   const VkPipelineStageFlags2 *wait_stages, *signal_stages; /* of each; NULL: all */
   struct rt_sparse_bind *binds; /* taken at success, freed with util_mfree(); done before the streams are executed */
   uint32_t num_binds;
   const struct rt_presented *presents; /* after the waits; for the check `sync` alone */
   uint32_t num_presents;
};

/* Queues work and returns; copies the arrays. VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST. Submissions of a queue
 * execute in order. */
UTIL_MUST_CHECK VkResult rt_queue_submit(struct rt_queue *queue, const struct rt_submit *submit);
/* VK_SUCCESS or VK_ERROR_DEVICE_LOST. */
VkResult rt_queue_wait_idle(struct rt_queue *queue);
/* How many submissions there were, and whether so many, in their order, are over. The number wraps round. */
uint32_t rt_queue_num_submitted(const struct rt_queue *queue);
bool rt_queue_has_finished(struct rt_queue *queue, uint32_t number);
/* After it, for the check `sync`: the host knows that all before is over. */
void rt_queue_seen_idle(struct rt_queue *queue);

/* Runs job(data, i) for i in [0, count) on the pool and waits; used for parallel pipeline compiles. Order is free. */
void rt_device_parallel_for(struct rt_device *device, uint32_t count, void (*job)(void *data, uint32_t index),
                            void *data);
