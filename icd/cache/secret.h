/* SPDX-License-Identifier: MIT
 * The secret that authenticates cached data: code is run and validation skipped only for what carries a tag made with it. It stands in the file
 * `key` of the cache's directory, 32 random bytes that only the user can read, made when there is none; all processes of the user have it then.
 * Where it cannot be had, a secret of this process alone replaces it: what other processes wrote does not count. Threads: all at once. */
#pragma once

#include "util/hash.h"

/* Whether other processes of the user have the secret too. */
bool icd_secret_is_shared(void);
/* The tag of `data` under `key`. False: there is no secret at all, as the system has no random numbers. */
UTIL_MUST_CHECK bool icd_secret_tag(struct util_hash key, const void *data, size_t size, struct util_hash *tag);
