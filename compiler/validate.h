/* SPDX-License-Identifier: MIT
 * SPIRV-Tools' validator for a Vulkan environment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* See comp_library.validate. */
bool comp_validate(const uint32_t *words, size_t num_words, uint32_t vulkan_version, uint32_t options, char **message,
                   size_t *instruction);
