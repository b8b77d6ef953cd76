/* SPDX-License-Identifier: MIT
 * The payload of a fence or semaphore: a timeline of its own, and those that were imported instead.
 * Spec: Synchronization and Cache Control, "Importing Fence Payloads", "Importing Semaphore Payloads". Threads: as
 * external synchronization of the object; counts of shared binary semaphores are atomic. */
#pragma once

#include "icd/object.h"
#include "runtime/sync/sync.h"

struct icd_payloads;

struct icd_payload {
   struct rt_timeline timeline;
   enum rt_share_type type;
   struct rt_operation_counts counts;  /* of a binary semaphore that is not shared */
   struct icd_payloads *temporary_of; /* it serves until the next wait or reset; NULL: for good */
};

/* What a fence or semaphore embeds. */
struct icd_payloads {
   struct icd_payload own;
   struct icd_payload *permanent; /* imported for good; NULL: `own` */
   struct icd_payload *temporary; /* imported until the next wait or reset; NULL: none */
   struct icd_payload *retired;   /* the temporary one after that wait, which may still be in flight */
};

static inline struct icd_payload *icd_payload_current(struct icd_payloads *payloads)
{
   if (payloads->temporary)
      return payloads->temporary;
   return payloads->permanent ? payloads->permanent : &payloads->own;
}

static inline struct rt_operation_counts *icd_payload_counts(struct icd_payload *payload)
{
   struct rt_operation_counts *shared = rt_timeline_counts(&payload->timeline);
   return shared ? shared : &payload->counts;
}

/* VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_payloads_init(struct icd_payloads *payloads, enum rt_share_type type, bool is_shared,
                                           uint64_t value);
void icd_payloads_finish(struct icd_payloads *payloads, struct icd_device *device);

/* Ends a temporary import: the wait that uses it is submitted. It stays until the next import. */
void icd_payloads_retire_temporary(struct icd_payloads *payloads);
/* Ends a temporary import that nobody uses any more. */
void icd_payloads_drop_temporary(struct icd_payloads *payloads, struct icd_device *device);

/* Imports a shared timeline, or a file (is_file), whose descriptor is taken on success only.
 * VK_ERROR_INVALID_EXTERNAL_HANDLE, VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_payloads_import(struct icd_payloads *payloads, struct icd_device *device, bool is_file,
                                             bool is_temporary, int fd);
/* A descriptor of the current payload, which is shared. VK_ERROR_TOO_MANY_OBJECTS. */
UTIL_MUST_CHECK VkResult icd_payloads_export(struct icd_payloads *payloads, int *fd);
