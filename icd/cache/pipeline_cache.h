/* SPDX-License-Identifier: MIT
 * VkPipelineCache: a table of compiled shaders that the application can save and load.
 * Spec: Pipelines, "Pipeline Cache". Data is the standard header, then records of (key, comp_binary); damaged or foreign records are skipped.
 * Threads: as VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT allows, but always locked. */
#pragma once

#include "compiler/compiler.h"
#include "icd/cache/blob_table.h"
#include "icd/device/device.h"

struct icd_pipeline_cache {
   struct icd_object base;
   struct icd_blob_table binaries; /* key -> struct comp_binary */
};

/* A copy of the binary under `key` (free with util_mfree()), or NULL. */
struct comp_binary *icd_pipeline_cache_copy(struct icd_pipeline_cache *cache, struct util_hash key);
bool icd_pipeline_cache_has(struct icd_pipeline_cache *cache, struct util_hash key);
/* Keeps a copy of `binary` unless one is there. False when memory is out. */
UTIL_MUST_CHECK bool icd_pipeline_cache_add(struct icd_pipeline_cache *cache, struct util_hash key,
                                            const struct comp_binary *binary);
