/* SPDX-License-Identifier: MIT */
#include "icd/stage.h"

const struct icd_stage_info icd_stages[ABI_NUM_STAGES] = {
   [ABI_STAGE_VERTEX] = {VK_SHADER_STAGE_VERTEX_BIT, "vertex shader"},
   [ABI_STAGE_CONTROL] = {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tessellation control shader"},
   [ABI_STAGE_EVALUATION] = {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tessellation evaluation shader"},
   [ABI_STAGE_GEOMETRY] = {VK_SHADER_STAGE_GEOMETRY_BIT, "geometry shader"},
   [ABI_STAGE_TASK] = {VK_SHADER_STAGE_TASK_BIT_EXT, "task shader"},
   [ABI_STAGE_MESH] = {VK_SHADER_STAGE_MESH_BIT_EXT, "mesh shader"},
   [ABI_STAGE_FRAGMENT] = {VK_SHADER_STAGE_FRAGMENT_BIT, "fragment shader"},
   [ABI_STAGE_COMPUTE] = {VK_SHADER_STAGE_COMPUTE_BIT, "compute shader"},
};

enum abi_stage icd_stage_of(VkShaderStageFlagBits bit)
{
   uint32_t stage = 0;
   while (stage < ABI_NUM_STAGES && icd_stages[stage].bit != bit)
      stage++;
   return (enum abi_stage)stage;
}
