/* SPDX-License-Identifier: MIT
 * Modules in folders, by the hash that messages name them with: those that an application brings are written to the folder of VK_SWRAST_SHADER_DUMP;
 * one that lies in the folder of VK_SWRAST_SHADER_REPLACE replaces it. Files are HASH.spv, sixteen digits. Threads: all functions are
 * thread-safe. */
#pragma once

#include "util/hash.h"

#include <stddef.h>
#include <stdint.h>

/* What cannot be written is reported, and nothing else. */
void icd_shader_folder_dump(struct util_hash hash, const uint32_t *words, size_t size_bytes);
/* Words instead of those with the hash, util_mfree(); they have not been checked. NULL: there are none, or they cannot be read, which is reported. */
uint32_t *icd_shader_folder_replacement(struct util_hash hash, size_t *size_bytes);
