/* SPDX-License-Identifier: MIT
 * Addresses that are reserved: pages of zeros at first, which pages of shared memory can replace, as many times as one likes
 * and in any order. Threads: all functions may be called at any time for different pages; an access of a page while it is exchanged
 * finds the old one or the new. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stddef.h>

enum { UTIL_PAGE_BYTES = 4096 };

/* Memory whose pages can be put elsewhere too: zero-filled, in whole pages, committed as it is touched. NULL with errno when the system
 * has no more. Memory of util/shared_memory.h can be put elsewhere as well. Freed by util_reserved_destroy(). */
UTIL_MUST_CHECK void *util_pages_create(size_t size_bytes);

/* False where the system cannot do it: asked for once, then remembered. */
bool util_reserved_is_supported(void);
/* NULL with errno when the process has no more addresses. Sizes of all functions are multiples of UTIL_PAGE_BYTES. */
UTIL_MUST_CHECK void *util_reserved_create(size_t size_bytes);
/* The same at an address that another process is likely to be able to have too: chosen if `wanted` is NULL, else that one. NULL with errno
 * EEXIST if something is there. */
UTIL_MUST_CHECK void *util_reserved_create_at(void *wanted, size_t size_bytes);
void util_reserved_destroy(void *base, size_t size_bytes);
/* Moves memory of whole pages, with what is in it, to reserved addresses; `source` is no more then. False with errno if it stays. */
UTIL_MUST_CHECK bool util_reserved_move(void *at, void *source, size_t size_bytes);
/* Puts the pages of `source` also at `at`. False with errno if the system has no resources; what was there stays then. */
UTIL_MUST_CHECK bool util_reserved_map(void *at, void *source, size_t size_bytes);
/* Puts pages of zeros there. */
UTIL_MUST_CHECK bool util_reserved_unmap(void *at, size_t size_bytes);
/* Puts pages there that nobody may touch, so that the addresses stay taken. */
UTIL_MUST_CHECK bool util_reserved_block(void *at, size_t size_bytes);
/* Gives the addresses themselves back. */
void util_reserved_release(void *at, size_t size_bytes);
/* Forgets what was written into pages of zeros; pages of shared memory keep what they have. */
void util_reserved_discard(void *at, size_t size_bytes);
