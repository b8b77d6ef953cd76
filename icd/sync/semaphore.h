/* SPDX-License-Identifier: MIT
 * VkSemaphore: a timeline. A binary semaphore counts its signal operations: the n-th wait waits for the n-th signal.
 * Spec: Synchronization and Cache Control, "Semaphores". Threads: the counts are externally synchronized with the
 * semaphore. */
#pragma once

#include "icd/sync/payload.h"

struct icd_semaphore {
   struct icd_object base;
   struct icd_payloads payloads;
};

static inline bool icd_semaphore_is_binary(const struct icd_semaphore *semaphore)
{
   return semaphore->payloads.own.type == RT_SHARE_BINARY;
}

static inline struct rt_timeline *icd_semaphore_timeline(struct icd_semaphore *semaphore)
{
   return &icd_payload_current(&semaphore->payloads)->timeline;
}

/* The point on the timeline that the next wait or signal operation means; `value` counts for timeline semaphores.
 * Counts the operation: undo with icd_semaphore_undo_*() when the submission fails, in reverse order. */
static inline struct rt_wait icd_semaphore_next_wait(struct icd_semaphore *semaphore, uint64_t value)
{
   struct icd_payload *payload = icd_payload_current(&semaphore->payloads);
   if (payload->type == RT_SHARE_BINARY)
      value = atomic_fetch_add(&icd_payload_counts(payload)->num_waits, 1) + 1;
   if (payload->temporary_of)
      icd_payloads_retire_temporary(&semaphore->payloads);
   return (struct rt_wait){&payload->timeline, value};
}

static inline struct rt_wait icd_semaphore_next_signal(struct icd_semaphore *semaphore, uint64_t value)
{
   struct icd_payload *payload = icd_payload_current(&semaphore->payloads);
   if (payload->type == RT_SHARE_BINARY)
      value = atomic_fetch_add(&icd_payload_counts(payload)->num_signals, 1) + 1;
   return (struct rt_wait){&payload->timeline, value};
}

/* `wait` is what icd_semaphore_next_wait() gave. */
static inline void icd_semaphore_undo_wait(const struct rt_wait *wait)
{
   struct icd_payload *payload = UTIL_CONTAINER_OF(wait->timeline, struct icd_payload, timeline);
   if (payload->type == RT_SHARE_BINARY)
      atomic_fetch_sub(&icd_payload_counts(payload)->num_waits, 1);
   if (payload->temporary_of) {
      payload->temporary_of->temporary = payload;
      payload->temporary_of->retired = NULL;
   }
}

static inline void icd_semaphore_undo_signal(const struct rt_wait *signal)
{
   struct icd_payload *payload = UTIL_CONTAINER_OF(signal->timeline, struct icd_payload, timeline);
   if (payload->type == RT_SHARE_BINARY)
      atomic_fetch_sub(&icd_payload_counts(payload)->num_signals, 1);
}
