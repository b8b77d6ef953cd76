/* SPDX-License-Identifier: MIT
 * The directory of the cache, which only this user can enter: $VK_SWRAST_CACHE_DIR, else vk_swrast in $XDG_CACHE_HOME or ~/.cache.
 * Threads: all at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ICD_CACHE_MAX_FILE_BYTES = 64 << 20 };

/* Its descriptor, open as long as the process; made where it is missing. -1: it cannot be had, or VK_SWRAST_DEBUG has "nocache". */
int icd_cache_folder(void);
/* Whether the process may make files of `size` bytes and what goes with them: a file that grows beyond its limit (RLIMIT_FSIZE) is a signal that
 * ends it. */
bool icd_cache_may_write(size_t size);
