/* SPDX-License-Identifier: MIT
 * Pages straight from the system, for memory that is exchanged for more as it grows: nothing of it stays behind as pieces of a heap, and
 * what nobody has touched takes nothing. Threads: thread-safe. */
#pragma once

#include "util/macros.h"

#include <stddef.h>

/* Zero at first. Freed with util_pages_free() and the same size. NULL when memory is out, and for a size of 0. */
UTIL_MUST_CHECK void *util_pages_alloc(size_t size_bytes);
void util_pages_free(void *memory, size_t size_bytes);
/* How much of it takes memory; at any address and size. */
size_t util_pages_touched_bytes(const void *memory, size_t size_bytes);
