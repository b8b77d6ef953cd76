/* SPDX-License-Identifier: MIT
 * The cache on disk: one file an entry, named by its key, in the cache's directory (icd/cache/folder.h). Where there is none,
 * nothing is found and nothing is stored, silently: the cache only saves time.
 * Each file begins with a tag by the user's secret (icd/cache/secret.h): what is damaged, changes meanwhile or comes from somebody else is not
 * there. A disk that is full, read-only or gone loses entries; one that makes us wait is given up. Entries are written by a thread (icd/cache/writer.h).
 * Threads and processes: all at once; files appear whole, by rename. */
#pragma once

#include "util/hash.h"

#include <stddef.h>

/* The entry's bytes (free with util_mfree()) and their number, or NULL. */
void *icd_store_read(struct util_hash key, size_t *size);
/* Keeps `size` bytes under `key`, without waiting for the disk. When all entries together exceed the limit (256 MiB, or VK_SWRAST_CACHE_MB), the oldest go. */
void icd_store_write(struct util_hash key, const void *data, size_t size);
/* Waits until entries are on the disk, not for long. */
void icd_store_flush(void);
