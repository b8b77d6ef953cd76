/* SPDX-License-Identifier: MIT
 * Bind points: Vulkan's and the stages of each, as bit sets of enum rt_bind_point.
 * Spec: Pipelines, "Pipeline Binding". */
#pragma once

#include "gen/icd_spirv.h"
#include "runtime/cmd/cmd.h"

static inline enum rt_bind_point icd_bind_point_of(VkPipelineBindPoint bind_point)
{
   switch (bind_point) {
   case VK_PIPELINE_BIND_POINT_COMPUTE: return RT_BIND_COMPUTE;
   case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR: return RT_BIND_RAYS;
#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
   case VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX: return RT_BIND_NODES;
#endif
   default: return RT_BIND_GRAPHICS;
   }
}

static inline uint32_t icd_bind_point_bit(VkPipelineBindPoint bind_point)
{
   return 1u << icd_bind_point_of(bind_point);
}

static inline uint32_t icd_bind_points_of(VkShaderStageFlags stages)
{
   const VkShaderStageFlags of_rays = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
                                      VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
   const VkShaderStageFlags graphics = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
   return (stages & VK_SHADER_STAGE_COMPUTE_BIT ? 1u << RT_BIND_COMPUTE : 0) | (stages & graphics ? 1u << RT_BIND_GRAPHICS : 0) |
          (stages & of_rays ? 1u << RT_BIND_RAYS : 0);
}
