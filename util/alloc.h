/* SPDX-License-Identifier: MIT
 * Host memory: every allocation of the driver's C code passes through here, so that pAllocator is honoured
 * and a test can fail each allocation in turn.
 * Spec: Memory Allocation, "Host Memory". Threads: all functions are thread-safe. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

/* Allocates `size` bytes (0 gives NULL) aligned to `align` (a power of two) through `callbacks`, or through the C
 * library where `callbacks` is NULL. Returns NULL when memory is out. */
UTIL_MUST_CHECK void *util_alloc(const VkAllocationCallbacks *callbacks, size_t size, size_t align,
                                 VkSystemAllocationScope scope);

/* The same, zero-filled. */
UTIL_MUST_CHECK void *util_zalloc(const VkAllocationCallbacks *callbacks, size_t size, size_t align,
                                  VkSystemAllocationScope scope);

/* Frees what util_alloc() or util_zalloc() gave with equal callbacks; NULL is ignored. */
void util_free(const VkAllocationCallbacks *callbacks, void *memory);

/* Internal memory that no pAllocator covers; freed with util_mfree(). Zero `size` gives NULL. */
UTIL_MUST_CHECK void *util_malloc(size_t size);
UTIL_MUST_CHECK void *util_calloc(size_t count, size_t size);
/* Grows an array to `size` bytes; on failure returns NULL and leaves `memory` as it was. */
UTIL_MUST_CHECK void *util_realloc(void *memory, size_t size);
/* Aligned to 64 bytes: what vector code reads and writes. */
UTIL_MUST_CHECK void *util_malloc64(size_t size);
void util_mfree(void *memory);

/* Fault injection: the `n`-th allocation from now without callbacks fails (0 turns it off), once if `once`, else it and all after it. */
void util_alloc_fail_at(uint64_t n, bool once);
/* How many allocations without callbacks were made since util_alloc_fail_at(). */
uint64_t util_alloc_count(void);
