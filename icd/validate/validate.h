/* SPDX-License-Identifier: MIT
 * SPIR-V against the rules of the environment, and how violations are reported.
 * Spec: Vulkan Environment for SPIR-V. Each rule has an effect (report.h): by default what is undefined or unsafe here is refused, the
 * rest reported and taken; VK_SWRAST_VALIDATE=strict refuses all, warn nothing, off does not look. Threads: thread-safe. */
#pragma once

#include "util/hash.h"

#include <vulkan/vulkan_core.h>

struct comp_shader_desc;
struct icd_device;
struct icd_sample_shading;
struct icd_validation_cache;

/* Decides about a module with the features and extensions of `device`. VK_SUCCESS; VK_ERROR_INVALID_SHADER_NV;
 * VK_ERROR_OUT_OF_HOST_MEMORY. There is a message for each broken rule, also of a module that is taken. `hash` is of the words; what was
 * found in a module that is not refused is remembered on disk, and in `cache` (NULL: none) if it was nothing. */
UTIL_MUST_CHECK VkResult icd_validate_module(struct icd_device *device, const uint32_t *words, size_t size_bytes,
                                             struct util_hash hash, struct icd_validation_cache *cache);

/* Decides about the stages of a pipeline as icd_validate_module() does about a module. `shading` may be NULL. */
UTIL_MUST_CHECK VkResult icd_validate_pipeline(struct icd_device *device, const struct comp_shader_desc *const *stages,
                                               uint32_t num_stages, const struct icd_sample_shading *shading);
