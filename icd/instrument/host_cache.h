/* SPDX-License-Identifier: MIT
 * `sync`: memory that the host sees but that is not coherent. What the host maps is a copy, as if it were a cache that nothing writes back:
 * vkFlushMappedMemoryRanges copies it to the memory, vkInvalidateMappedMemoryRanges from it. What the host has changed there and not flushed when it
 * submits counts as written and lost: a device that reads those bytes is reported.
 * Spec: Memory Allocation, "Host Access to Device Memory Objects".
 * Owns: the copies. Threads: everything is thread-safe, as far as the host does not write what it flushes. */
#pragma once

#include "icd/resource/device_memory.h"

struct icd_device;

struct icd_host_cache {
   struct icd_host_cache *next; /* of the device's; under its objects_lock */
   const struct icd_device_memory *memory;
   uint8_t *data;  /* [memory->size_bytes]: what the host has mapped */
   uint8_t *known; /* the same, when it was last equal to the memory, or looked at */
};

/* With what the memory holds. NULL: memory is out. */
UTIL_MUST_CHECK struct icd_host_cache *icd_host_cache_create(struct icd_device *device, const struct icd_device_memory *memory);
/* NULL is fine. */
void icd_host_cache_destroy(struct icd_device *device, struct icd_host_cache *cache);
/* Bytes of the memory. */
void icd_host_cache_flush(struct icd_device *device, struct icd_host_cache *cache, uint64_t offset, uint64_t size_bytes);
void icd_host_cache_invalidate(struct icd_device *device, struct icd_host_cache *cache, uint64_t offset, uint64_t size_bytes);
/* The host submits. */
void icd_host_caches_submit(struct icd_device *device);
