/* SPDX-License-Identifier: MIT
 * Compiled shaders in the application's hands: a head that says which driver, target and user they are of, with a tag by the user's secret, then a
 * struct comp_binary. Spec: Shaders, "Binary Shader Code". Threads: pure. */
#pragma once

#include "icd/cache/shader.h"

#include <vulkan/vulkan_core.h>

/* VkPhysicalDeviceShaderObjectPropertiesEXT::shaderBinaryUUID: of this build, target and user. What has it is taken, nothing else is. */
void icd_shader_binary_uuid(uint8_t uuid[VK_UUID_SIZE]);

/* As vkGetShaderBinaryDataEXT. VK_SUCCESS, VK_INCOMPLETE, VK_ERROR_OUT_OF_HOST_MEMORY: also where there are no random numbers for a secret. */
UTIL_MUST_CHECK VkResult icd_shader_binary_write(const struct icd_shader *shader, size_t *size_bytes, void *data);

/* Gives a reference to the shader in `data`, which may be anything. `entry_point` is for reports. VK_INCOMPATIBLE_SHADER_BINARY_EXT: it is not
 * one that this driver made for this stage (ABI_NUM_STAGES: any), target and user; VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_shader_binary_read(const void *data, size_t size_bytes, enum abi_stage stage, const char *entry_point,
                                                struct icd_shader **shader);
