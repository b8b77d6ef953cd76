/* SPDX-License-Identifier: MIT
 * Where a timeline's value comes from besides this process: a state in memory that processes share, or a file that
 * becomes readable. A thread (watch.c), started when somebody is about to sleep, waits for the source and pokes the timeline.
 * Processes that share a timeline map one page with its value and a sequence number that counts changes; the number is a futex.
 * Spec: Synchronization and Cache Control, "Importing Semaphore Payloads", "Importing Fence Payloads".
 * Owned by the timeline. Threads: under the timeline's lock, but for creating and destroying. */
#pragma once

#include "runtime/sync/sync.h"
#include "util/shared_memory.h"

/* What processes share. */
struct rt_shared_state {
   uint32_t magic;
   uint32_t type; /* enum rt_share_type */
   _Atomic uint64_t value;
   struct rt_operation_counts counts;
   _Atomic uint32_t sequence;
};

struct rt_source {
   struct rt_timeline *timeline;
   struct util_shared_memory memory; /* fd -1: the source is a file */
   int file_fd, quit_fd;             /* of a file; else -1 */
   pthread_t thread;
   bool is_watched;        /* there is a thread; under the timeline's lock */
   atomic_bool is_quitting; /* for the thread */
};

/* NULL: the source is a file. */
static inline struct rt_shared_state *rt_source_state(const struct rt_source *source)
{
   return source->memory.fd >= 0 ? source->memory.data : NULL;
}

/* Without memory or file yet. NULL: memory is out. */
struct rt_source *rt_source_create(struct rt_timeline *timeline);
void rt_source_destroy(struct rt_source *source);
/* The value now; `local` is what this process has set. */
uint64_t rt_source_value(const struct rt_source *source, uint64_t local);
/* Notifies the other processes. */
void rt_source_publish(struct rt_source *source, uint64_t value);
/* watch.c: from now on changes poke the timeline. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_source_watch(struct rt_source *source);
