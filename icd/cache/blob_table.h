/* SPDX-License-Identifier: MIT
 * Bytes by key, which an application can save, load and merge: what VkPipelineCache and VkValidationCacheEXT are made of.
 * Saved data is a header of the caller's, then a record for each key, with a tag by the user's secret. Data is the application's to damage and
 * anybody's to make up: what has not the right tag is left out.
 * Owns: copies of all bytes. Threads: always locked; the lock is cheap. */
#pragma once

#include "util/hash.h"

#include <pthread.h>
#include <vulkan/vulkan_core.h>

struct icd_blob_table {
   pthread_mutex_t lock;
   struct util_table entries; /* key -> struct blob, under lock */
};

/* False when memory is out. */
UTIL_MUST_CHECK bool icd_blob_table_init(struct icd_blob_table *table);
void icd_blob_table_finish(struct icd_blob_table *table);

bool icd_blob_table_has(struct icd_blob_table *table, struct util_hash key);
/* A copy of the bytes under `key` (free with util_mfree()), or NULL. */
void *icd_blob_table_copy(struct icd_blob_table *table, struct util_hash key);
/* Keeps a copy of `data` (size_bytes may be 0) unless there is one. False when memory is out. */
UTIL_MUST_CHECK bool icd_blob_table_add(struct icd_blob_table *table, struct util_hash key, const void *data, size_t size_bytes);
UTIL_MUST_CHECK bool icd_blob_table_merge(struct icd_blob_table *into, struct icd_blob_table *from);

/* Takes the records behind `header` for whose bytes `is_good` is true; if `data` begins otherwise none, which is no error.
 * False when memory is out. */
UTIL_MUST_CHECK bool icd_blob_table_read(struct icd_blob_table *table, const void *data, size_t size_bytes, const void *header,
                                         size_t header_bytes, bool (*is_good)(const void *bytes, size_t size_bytes));
/* As vkGetPipelineCacheData: with `data` NULL *size_bytes is what there is, else at most that is written, records that fit.
 * VK_SUCCESS, VK_INCOMPLETE. */
VkResult icd_blob_table_write(struct icd_blob_table *table, const void *header, size_t header_bytes, size_t *size_bytes, void *data);
