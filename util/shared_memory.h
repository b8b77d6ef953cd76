/* SPDX-License-Identifier: MIT
 * Memory that other processes can map: an anonymous file whose size is sealed, so that no process can take pages away
 * from another. Threads: functions are thread-safe for different objects. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>

struct util_shared_memory {
   int fd;            /* -1: nothing */
   void *data;        /* page aligned, mapped for reading and writing */
   size_t size_bytes; /* whole pages */
};

/* Zero-filled, at least `size_bytes`; `name` is for /proc. False when the system has no resources: errno. */
UTIL_MUST_CHECK bool util_shared_memory_create(struct util_shared_memory *memory, const char *name, size_t size_bytes);
/* Maps what util_shared_memory_create() made in some process. Takes the descriptor on success only. False with errno
 * EINVAL if it is something else or smaller than `min_bytes`, else if the system has no resources. */
UTIL_MUST_CHECK bool util_shared_memory_import(struct util_shared_memory *memory, int fd, size_t min_bytes);
/* A descriptor for another process, -1 with errno if there are no more. */
int util_shared_memory_dup(const struct util_shared_memory *memory);
void util_shared_memory_finish(struct util_shared_memory *memory);
/* The same, but gives the descriptor back, open. */
int util_shared_memory_finish_keeping_fd(struct util_shared_memory *memory);
