/* SPDX-License-Identifier: MIT
 * Secondary command buffers. Spec: Command Buffers, "Secondary Command Buffer Execution". */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                                                  const VkCommandBuffer *pCommandBuffers)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_cmd_stream **streams = rt_cmd_data(stream, NULL, commandBufferCount * sizeof(*streams));
   struct rt_cmd_execute *cmd = streams ? RT_CMD_APPEND(stream, execute) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < commandBufferCount; i++)
      streams[i] = icd_stream(pCommandBuffers[i]);
   cmd->count = commandBufferCount;
   cmd->streams = streams;
}
