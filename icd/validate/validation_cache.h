/* SPDX-License-Identifier: MIT
 * VkValidationCacheEXT: the keys of modules that broke no rule, which the application can save and load.
 * Spec: Shaders, "Validation Cache". Data is the standard header, then records without bytes; foreign data is ignored.
 * Threads: always locked. */
#pragma once

#include "icd/cache/blob_table.h"
#include "icd/device/device.h"
#include "util/hash.h"

struct icd_validation_cache {
   struct icd_object base;
   struct icd_blob_table passed;
};

bool icd_validation_cache_has(struct icd_validation_cache *cache, struct util_hash key);
/* False when memory is out. */
UTIL_MUST_CHECK bool icd_validation_cache_add(struct icd_validation_cache *cache, struct util_hash key);
