/* SPDX-License-Identifier: MIT
 * Dispatches. Spec: Dispatching Commands. */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/resource/buffer.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatchBase(VkCommandBuffer commandBuffer, uint32_t baseGroupX, uint32_t baseGroupY,
                                               uint32_t baseGroupZ, uint32_t groupCountX, uint32_t groupCountY,
                                               uint32_t groupCountZ)
{
   struct rt_cmd_dispatch *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), dispatch);
   if (!cmd)
      return;
   cmd->base[0] = baseGroupX;
   cmd->base[1] = baseGroupY;
   cmd->base[2] = baseGroupZ;
   cmd->count[0] = groupCountX;
   cmd->count[1] = groupCountY;
   cmd->count[2] = groupCountZ;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatch(VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY,
                                           uint32_t groupCountZ)
{
   icd_CmdDispatchBase(commandBuffer, 0, 0, 0, groupCountX, groupCountY, groupCountZ);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset)
{
   struct rt_cmd_dispatch_indirect *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), dispatch_indirect);
   if (cmd)
      cmd->args = (const VkDispatchIndirectCommand *)(icd_buffer_from_handle(buffer)->data + offset);
}
