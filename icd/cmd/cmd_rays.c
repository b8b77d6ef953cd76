/* SPDX-License-Identifier: MIT
 * Launches of rays. Spec: Ray Tracing Pipelines, "Ray Tracing Commands". */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"

static struct rt_ray_region region_of(const VkStridedDeviceAddressRegionKHR *region)
{
   return (struct rt_ray_region){region->deviceAddress, region->stride, region->size};
}

static struct rt_ray_table table_of(const VkStridedDeviceAddressRegionKHR *generation, const VkStridedDeviceAddressRegionKHR *miss,
                                    const VkStridedDeviceAddressRegionKHR *hit, const VkStridedDeviceAddressRegionKHR *callable)
{
   return (struct rt_ray_table){region_of(generation), region_of(miss), region_of(hit), region_of(callable)};
}

VKAPI_ATTR void VKAPI_CALL icd_CmdTraceRaysKHR(VkCommandBuffer commandBuffer, const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                               const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                               const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                               const VkStridedDeviceAddressRegionKHR *pCallableShaderBindingTable, uint32_t width,
                                               uint32_t height, uint32_t depth)
{
   struct rt_cmd_trace_rays *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), trace_rays);
   if (!cmd)
      return;
   cmd->table = table_of(pRaygenShaderBindingTable, pMissShaderBindingTable, pHitShaderBindingTable, pCallableShaderBindingTable);
   cmd->size[0] = width;
   cmd->size[1] = height;
   cmd->size[2] = depth;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdTraceRaysIndirectKHR(VkCommandBuffer commandBuffer,
                                                       const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                                       const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                                       const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                                       const VkStridedDeviceAddressRegionKHR *pCallableShaderBindingTable,
                                                       VkDeviceAddress indirectDeviceAddress)
{
   struct rt_cmd_trace_rays_indirect *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), trace_rays_indirect);
   if (!cmd)
      return;
   cmd->table = table_of(pRaygenShaderBindingTable, pMissShaderBindingTable, pHitShaderBindingTable, pCallableShaderBindingTable);
   cmd->address = indirectDeviceAddress;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdTraceRaysIndirect2KHR(VkCommandBuffer commandBuffer, VkDeviceAddress indirectDeviceAddress)
{
   struct rt_cmd_trace_rays_indirect *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), trace_rays_indirect);
   if (!cmd)
      return;
   cmd->has_table = true;
   cmd->address = indirectDeviceAddress;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetRayTracingPipelineStackSizeKHR(VkCommandBuffer commandBuffer, uint32_t pipelineStackSize)
{
   struct rt_cmd_set_ray_stack *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), set_ray_stack);
   if (cmd)
      cmd->bytes = pipelineStackSize;
}
