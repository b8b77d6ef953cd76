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
   [ABI_STAGE_RAYGEN] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, "ray generation shader"},
   [ABI_STAGE_ANY_HIT] = {VK_SHADER_STAGE_ANY_HIT_BIT_KHR, "any-hit shader"},
   [ABI_STAGE_CLOSEST_HIT] = {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, "closest-hit shader"},
   [ABI_STAGE_MISS] = {VK_SHADER_STAGE_MISS_BIT_KHR, "miss shader"},
   [ABI_STAGE_INTERSECTION] = {VK_SHADER_STAGE_INTERSECTION_BIT_KHR, "intersection shader"},
   [ABI_STAGE_CALLABLE] = {VK_SHADER_STAGE_CALLABLE_BIT_KHR, "callable shader"},
};

enum abi_stage icd_stage_of(VkShaderStageFlagBits bit)
{
   uint32_t stage = 0;
   while (stage < ABI_NUM_STAGES && icd_stages[stage].bit != bit)
      stage++;
   return (enum abi_stage)stage;
}
