/* SPDX-License-Identifier: MIT
 * The stages as Vulkan names them. A stage that is added has a row in ABI_STAGES (abi/shader.h) and here. Threads: constant. */
#pragma once

#include "abi/shader.h"

#include <vulkan/vulkan_core.h>

struct icd_stage_info {
   VkShaderStageFlagBits bit;
   const char *name; /* for people */
};
extern const struct icd_stage_info icd_stages[ABI_NUM_STAGES];

/* ABI_NUM_STAGES: a stage that is not offered. */
enum abi_stage icd_stage_of(VkShaderStageFlagBits bit);
