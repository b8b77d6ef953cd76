/* SPDX-License-Identifier: MIT
 * Host-visible synchronization: a timeline is a counter that threads wait for. Fences, binary and timeline semaphores
 * and events are timelines. Spec: Synchronization and Cache Control. Threads: all functions are thread-safe. */
#pragma once

#include "util/list.h"
#include "util/thread.h"

#include <vulkan/vulkan_core.h>

/* Fence: 0 unsignaled, 1 signaled. Binary semaphore: number of signal operations; the icd gives the n-th wait the value
 * n. Event: 0 or 1. */
struct rt_timeline {
   pthread_mutex_t lock;
   pthread_cond_t changed;
   uint64_t value;           /* under lock */
   bool is_lost;             /* the device is lost: all waits end; under lock */
   struct util_list waiters; /* of threads that wait for any of several timelines; under lock */
};

UTIL_MUST_CHECK VkResult rt_timeline_init(struct rt_timeline *timeline, uint64_t value);
void rt_timeline_finish(struct rt_timeline *timeline);
void rt_timeline_signal(struct rt_timeline *timeline, uint64_t value); /* sets the value, also downwards (reset) */
uint64_t rt_timeline_value(struct rt_timeline *timeline);
/* Ends all waits for values that are not reached, now and later: the device is lost. */
void rt_timeline_lose(struct rt_timeline *timeline);

struct rt_wait {
   struct rt_timeline *timeline;
   uint64_t value;
};
/* Waits until all (or any) reach their values. VK_SUCCESS, VK_TIMEOUT, VK_ERROR_DEVICE_LOST;
 * VK_ERROR_OUT_OF_HOST_MEMORY only where `any` of more than one. timeout 0 only looks. Waiting for any of several polls
 * nothing: see sync.c. */
VkResult rt_timeline_wait(const struct rt_wait *waits, uint32_t count, bool any, uint64_t timeout_ns);
/* A queue's wait, without a time-out: ends with VK_ERROR_DEVICE_LOST also when `is_lost` (atomic) has been set and the timeline poked. */
VkResult rt_timeline_wait_in_queue(const struct rt_wait *waits, uint32_t count, const bool *is_lost);
/* Has those who wait look again. */
void rt_timeline_poke(struct rt_timeline *timeline);
