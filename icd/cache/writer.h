/* SPDX-License-Identifier: MIT
 * Writes entries of the cache behind the caller's back: a thread that lives while there are some. Disks may be slow, and nobody but the next process
 * waits for an entry. Threads: all at once. */
#pragma once

#include "util/hash.h"
#include "util/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void icd_writer_fn(struct util_hash key, const void *data, size_t size);

/* Has `write` called with a copy of the bytes, soon and by another thread; drops them where too much is waiting. False: no memory or thread for that. */
UTIL_MUST_CHECK bool icd_writer_put(icd_writer_fn *write, struct util_hash key, const void *data, size_t size);
/* A copy (free with util_mfree()) of an entry that is not written yet, or NULL. */
void *icd_writer_find(struct util_hash key, size_t *size);
/* Waits until all is written that was put before, but not for `patience_ns` in which nothing is. False: so it was; nobody waits any more, no more is
 * taken, and the library stays in memory, as the thread is in it. */
UTIL_MUST_CHECK bool icd_writer_drain(uint64_t patience_ns);
