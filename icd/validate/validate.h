/* SPDX-License-Identifier: MIT
 * SPIR-V against the rules of the environment, and how violations are told.
 * Spec: Vulkan Environment for SPIR-V. VK_SWRAST_VALIDATE=strict (the default) refuses a module that breaks a rule,
 * warn reports it and goes on, off does not look. Threads: thread-safe. */
#pragma once

#include "util/hash.h"

#include <vulkan/vulkan_core.h>

struct comp_shader_desc;
struct icd_device;
struct icd_sample_shading;
struct icd_validation_cache;

/* Decides about a module with the features and extensions of `device`. VK_SUCCESS; VK_ERROR_INVALID_SHADER_NV, with a message
 * for each broken rule; VK_ERROR_OUT_OF_HOST_MEMORY. `hash` is of the words; a module that passed once is remembered on disk and in
 * `cache` (NULL: none). */
UTIL_MUST_CHECK VkResult icd_validate_module(struct icd_device *device, const uint32_t *words, size_t size_bytes,
                                             struct util_hash hash, struct icd_validation_cache *cache);

/* Decides about the stages of a pipeline as icd_validate_module() does about a module. `shading` may be NULL. */
UTIL_MUST_CHECK VkResult icd_validate_pipeline(struct icd_device *device, const struct comp_shader_desc *const *stages,
                                               uint32_t num_stages, const struct icd_sample_shading *shading);

/* Tells the debug messengers, and stderr under VK_SWRAST_DEBUG=validate. `rule` is a VUID. */
void icd_validate_report(struct icd_device *device, const char *rule, const char *message);
