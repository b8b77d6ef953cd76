/* SPDX-License-Identifier: MIT
 * VkValidationCacheEXT: the keys of modules that broke no rule, which the application can save and load.
 * Spec: Shaders, "Validation Cache". Data is the standard header, then 16-byte keys; foreign data is ignored.
 * Threads: always locked. */
#pragma once

#include "icd/device.h"
#include "util/hash.h"

struct icd_validation_cache {
   struct icd_object base;
   pthread_mutex_t lock;
   struct util_table passed; /* key -> any pointer but NULL, under lock */
};

bool icd_validation_cache_has(struct icd_validation_cache *cache, struct util_hash key);
/* False when memory is out. */
UTIL_MUST_CHECK bool icd_validation_cache_add(struct icd_validation_cache *cache, struct util_hash key);
