/* SPDX-License-Identifier: MIT
 * VkSemaphore: a timeline. A binary semaphore counts its signal operations: the n-th wait waits for the n-th signal.
 * Spec: Synchronization and Cache Control, "Semaphores". Threads: the counts are externally synchronized with the
 * semaphore. */
#pragma once

#include "icd/object.h"
#include "runtime/sync/sync.h"

struct icd_semaphore {
   struct icd_object base;
   VkSemaphoreType type;
   struct rt_timeline timeline;
   uint64_t num_signals, num_waits; /* binary: operations submitted so far */
};

/* The point on the timeline that the next wait or signal operation means; `value` counts for timeline semaphores.
 * Counts the operation: undo with icd_semaphore_undo_*() when the submission fails. */
static inline struct rt_wait icd_semaphore_next_wait(struct icd_semaphore *semaphore, uint64_t value)
{
   if (semaphore->type == VK_SEMAPHORE_TYPE_BINARY)
      value = ++semaphore->num_waits;
   return (struct rt_wait){&semaphore->timeline, value};
}

static inline struct rt_wait icd_semaphore_next_signal(struct icd_semaphore *semaphore, uint64_t value)
{
   if (semaphore->type == VK_SEMAPHORE_TYPE_BINARY)
      value = ++semaphore->num_signals;
   return (struct rt_wait){&semaphore->timeline, value};
}

static inline void icd_semaphore_undo_wait(struct icd_semaphore *semaphore)
{
   semaphore->num_waits -= semaphore->type == VK_SEMAPHORE_TYPE_BINARY;
}

static inline void icd_semaphore_undo_signal(struct icd_semaphore *semaphore)
{
   semaphore->num_signals -= semaphore->type == VK_SEMAPHORE_TYPE_BINARY;
}
