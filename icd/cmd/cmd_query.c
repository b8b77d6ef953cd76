/* SPDX-License-Identifier: MIT
 * Queries and timestamps. Spec: Queries.
 * With multiview a query takes as many consecutive ones as there are views: the executor, who knows the views, sees to
 * that. */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/query_pool.h"
#include "icd/resource/buffer.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginQueryIndexedEXT(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query,
                                                       VkQueryControlFlags flags, uint32_t index)
{
   struct rt_cmd_begin_query *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), begin_query);
   if (!cmd)
      return;
   cmd->pool = &icd_query_pool_from_handle(queryPool)->rt;
   cmd->query = query;
   cmd->stream = UTIL_MIN(index, ABI_MAX_STREAMS - 1u);
   cmd->is_precise = flags & VK_QUERY_CONTROL_PRECISE_BIT;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query,
                                             VkQueryControlFlags flags)
{
   icd_CmdBeginQueryIndexedEXT(commandBuffer, queryPool, query, flags, 0);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndQueryIndexedEXT(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query,
                                                     uint32_t index)
{
   struct rt_cmd_end_query *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), end_query);
   if (!cmd)
      return;
   cmd->pool = &icd_query_pool_from_handle(queryPool)->rt;
   cmd->query = query;
   cmd->stream = UTIL_MIN(index, ABI_MAX_STREAMS - 1u);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query)
{
   icd_CmdEndQueryIndexedEXT(commandBuffer, queryPool, query, 0);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                                 uint32_t firstQuery, uint32_t queryCount)
{
   struct rt_cmd_reset_queries *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), reset_queries);
   if (!cmd)
      return;
   cmd->pool = &icd_query_pool_from_handle(queryPool)->rt;
   cmd->first = firstQuery;
   cmd->count = queryCount;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                                       uint32_t firstQuery, uint32_t queryCount, VkBuffer dstBuffer,
                                                       VkDeviceSize dstOffset, VkDeviceSize stride,
                                                       VkQueryResultFlags flags)
{
   struct rt_cmd_copy_query_results *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), copy_query_results);
   if (!cmd)
      return;
   cmd->pool = &icd_query_pool_from_handle(queryPool)->rt;
   cmd->first = firstQuery;
   cmd->count = queryCount;
   cmd->dst = icd_buffer_from_handle(dstBuffer)->data + dstOffset;
   cmd->stride_bytes = stride;
   cmd->flags = flags;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage,
                                                  VkQueryPool queryPool, uint32_t query)
{
   struct rt_cmd_write_timestamp *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), write_timestamp);
   if (!cmd)
      return;
   cmd->pool = &icd_query_pool_from_handle(queryPool)->rt;
   cmd->query = query;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits pipelineStage,
                                                 VkQueryPool queryPool, uint32_t query)
{
   icd_CmdWriteTimestamp2(commandBuffer, pipelineStage, queryPool, query);
}
