/* SPDX-License-Identifier: MIT
 * Host-visible synchronization: a timeline is a counter that threads wait for. Fences, binary and timeline semaphores
 * and events are timelines. Spec: Synchronization and Cache Control. Threads: all functions are thread-safe. */
#pragma once

#include "util/list.h"
#include "util/thread.h"

#include <stdatomic.h>
#include <vulkan/vulkan_core.h>

struct rt_source;

/* Fence: 0 unsignaled, 1 signaled. Binary semaphore: number of signal operations; the icd gives the n-th wait the value
 * n. Event: 0 or 1. */
struct rt_timeline {
   pthread_mutex_t lock;
   pthread_cond_t changed;
   _Atomic uint32_t num_changes; /* written under lock: signals, losses, pokes */
   uint64_t value;           /* under lock; of a shared timeline: see `source` */
   bool is_lost;             /* the device is lost: all waits end; under lock */
   struct util_list waiters; /* of threads that wait for any of several timelines; under lock */
   struct rt_source *source; /* where values come from besides this process; NULL: from nowhere */
};

UTIL_MUST_CHECK VkResult rt_timeline_init(struct rt_timeline *timeline, uint64_t value);

/* ---- timelines of several processes (share.c) ---- */

/* What a shared timeline is used for; importing checks it. */
enum rt_share_type { RT_SHARE_FENCE = 1, RT_SHARE_BINARY, RT_SHARE_TIMELINE };

/* A timeline whose value other processes can see and set. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_timeline_init_shared(struct rt_timeline *timeline, enum rt_share_type type, uint64_t value);
/* The timeline that rt_timeline_export() of some process gave. Takes the descriptor on success only.
 * VK_ERROR_INVALID_EXTERNAL_HANDLE, VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_timeline_init_imported(struct rt_timeline *timeline, enum rt_share_type type, int fd);
/* Reaches 1 when the file (a sync file, or what else can be polled) is readable; -1: at once. Takes the descriptor on
 * success only. VK_ERROR_INVALID_EXTERNAL_HANDLE, VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_timeline_init_file(struct rt_timeline *timeline, int fd);
/* A new descriptor of a shared timeline; -1 if the system has no more. */
int rt_timeline_export(const struct rt_timeline *timeline);
/* Operations on a binary semaphore that have been submitted, by all processes. */
struct rt_operation_counts {
   _Atomic uint64_t num_signals, num_waits;
};
/* NULL: the timeline is not shared. */
struct rt_operation_counts *rt_timeline_counts(const struct rt_timeline *timeline);

/* ---- using timelines ---- */

void rt_timeline_finish(struct rt_timeline *timeline);
void rt_timeline_signal(struct rt_timeline *timeline, uint64_t value); /* sets the value, also downwards (reset) */
uint64_t rt_timeline_value(struct rt_timeline *timeline);
/* Ends all waits for values that are not reached, now and later: the device is lost. */
void rt_timeline_lose(struct rt_timeline *timeline);

struct rt_wait {
   struct rt_timeline *timeline;
   uint64_t value;
};
/* For the check `sync`: an image of a swapchain, by its bytes, and its number there. */
struct rt_presented {
   uint64_t begin, end;
   uint32_t index;
};
/* Waits until all (or any) reach their values. VK_SUCCESS, VK_TIMEOUT, VK_ERROR_DEVICE_LOST;
 * VK_ERROR_OUT_OF_HOST_MEMORY only where `any` of more than one, or with sources. timeout 0 only looks. Waiting for any of several polls
 * nothing: see wait.c. */
VkResult rt_timeline_wait(const struct rt_wait *waits, uint32_t count, bool any, uint64_t timeout_ns);
/* A queue's wait, without a time-out: ends with VK_ERROR_DEVICE_LOST also when `is_lost` (atomic) has been set and the timeline poked. */
VkResult rt_timeline_wait_in_queue(const struct rt_wait *waits, uint32_t count, const bool *is_lost);
/* Has those who wait look again. */
void rt_timeline_poke(struct rt_timeline *timeline);
