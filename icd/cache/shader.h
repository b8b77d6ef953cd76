/* SPDX-License-Identifier: MIT
 * Compiled shaders: found or made, shared, counted.
 * A shader with a given key exists once in the process: code depends on no device. It is looked up among those in use, in the
 * VkPipelineCache, on disk, and compiled last. Threads: all functions are thread-safe. */
#pragma once

#include "compiler/compiler.h"

#include <stdatomic.h>

struct icd_device;
struct icd_pipeline_cache;

struct icd_shader {
   struct util_hash key;
   uint32_t references; /* under the lock of shader.c */
   struct comp_code code;
   struct comp_binary *binary; /* what caches store */
   char *texts[COMP_NUM_TEXTS]; /* NULL until somebody wants them; constant then */
   char name[80];              /* for reports: entry point and hash of the module */
};

struct icd_shader_request {
   struct comp_shader_desc desc;
   struct icd_pipeline_cache *cache; /* NULL: none */
   bool wants_texts;                 /* VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR */
   bool must_not_compile;            /* VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT */
   bool is_cache_hit;                /* out: `cache` had the code */
};

/* Gives a reference, to be given back with icd_shader_release(). VK_ERROR_OUT_OF_HOST_MEMORY, VK_PIPELINE_COMPILE_REQUIRED,
 * VK_ERROR_INVALID_SHADER_NV (the reason goes to the debug messengers). */
UTIL_MUST_CHECK VkResult icd_shader_acquire(struct icd_device *device, struct icd_shader_request *request,
                                            struct icd_shader **shader);
/* The same of a binary that is known to be that of the key, and valid; takes it over (memory of util_malloc()) in any case.
 * VK_ERROR_OUT_OF_HOST_MEMORY; VK_ERROR_INITIALIZATION_FAILED: its code cannot be placed. */
UTIL_MUST_CHECK VkResult icd_shader_adopt(struct util_hash key, struct comp_binary *binary, const char *entry_point,
                                          struct icd_shader **shader);
void icd_shader_retain(struct icd_shader *shader);
void icd_shader_release(struct icd_shader *shader); /* NULL is ignored */
