/* SPDX-License-Identifier: MIT
 * VkShaderModule: checked SPIR-V words and their hash.
 * Spec: Shaders, "Shader Modules". Owns: a copy of the words. */
#pragma once

#include "icd/device/device.h"
#include "util/hash.h"

struct icd_shader_module {
   struct icd_object base;
   struct util_hash hash; /* of the words */
   size_t num_words;
   uint32_t words[];
};

/* Checks and copies SPIR-V. VK_ERROR_OUT_OF_HOST_MEMORY; VK_ERROR_INVALID_SHADER_NV if it breaks a rule, which the
 * device's debug messengers report it. */
UTIL_MUST_CHECK VkResult icd_shader_module_create(struct icd_device *device, const VkShaderModuleCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  struct icd_shader_module **module);
/* The hash that an identifier stands for; false: it is none that this driver has given. Spec: Shaders, "Shader Module Identifiers". */
bool icd_shader_module_identified(const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *info, struct util_hash *hash);
