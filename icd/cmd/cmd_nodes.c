/* SPDX-License-Identifier: MIT
 * Dispatches of execution graphs. Spec: Execution Graphs, "Dispatching a Graph". */
#include "gen/icd_entrypoints.h"
#include "gen/icd_spirv.h"

#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
#include "icd/command_buffer.h"
#include "icd/pipeline.h"
#include "util/size.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct rt_node_dispatch) == sizeof(VkDispatchGraphInfoAMDX) &&
                  offsetof(struct rt_node_dispatch, payloads) == offsetof(VkDispatchGraphInfoAMDX, payloads) &&
                  offsetof(struct rt_node_dispatch, stride_bytes) == offsetof(VkDispatchGraphInfoAMDX, payloadStride),
               "what the headers say");
_Static_assert(sizeof(struct rt_node_infos) == sizeof(VkDispatchGraphCountInfoAMDX) &&
                  offsetof(struct rt_node_infos, dispatches) == offsetof(VkDispatchGraphCountInfoAMDX, infos) &&
                  offsetof(struct rt_node_infos, stride_bytes) == offsetof(VkDispatchGraphCountInfoAMDX, stride),
               "what the headers say");

/* Graphs use no memory of the application's. */
VKAPI_ATTR void VKAPI_CALL icd_CmdInitializeGraphScratchMemoryAMDX(VkCommandBuffer commandBuffer, VkPipeline executionGraph, VkDeviceAddress scratch,
                                                                   VkDeviceSize scratchSize)
{
}

/* Payloads as they are now, one behind the other. False: memory is out. */
static bool keep_payloads(struct rt_cmd_stream *stream, const struct rt_node_pipeline *pipeline, const VkDispatchGraphInfoAMDX *info,
                          struct rt_node_dispatch *kept)
{
   const uint32_t bytes = info->nodeIndex < pipeline->num_nodes ? pipeline->nodes[info->nodeIndex].shader.info->node.payload_bytes : 0;
   *kept = (struct rt_node_dispatch){.node = info->nodeIndex, .count = info->payloadCount, .stride_bytes = bytes};
   if (!bytes || !info->payloadCount)
      return true;
   uint8_t *payloads = rt_cmd_data(stream, NULL, util_size_mul(info->payloadCount, bytes));
   if (!payloads)
      return false;
   for (uint32_t i = 0; i < info->payloadCount; i++)
      memcpy(payloads + (size_t)i * bytes, (const uint8_t *)info->payloads.hostAddress + i * info->payloadStride, bytes);
   kept->payloads = (uintptr_t)payloads;
   return true;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatchGraphAMDX(VkCommandBuffer commandBuffer, VkDeviceAddress scratch, VkDeviceSize scratchSize,
                                                    const VkDispatchGraphCountInfoAMDX *pCountInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   const uint32_t count = buffer->graph ? pCountInfo->count : 0;
   struct rt_node_dispatch *kept = count ? rt_cmd_data(&buffer->stream, NULL, util_size_mul(count, sizeof(*kept))) : NULL;
   for (uint32_t i = 0; kept && i < count; i++) {
      VkDispatchGraphInfoAMDX info;
      memcpy(&info, (const uint8_t *)pCountInfo->infos.hostAddress + i * pCountInfo->stride, sizeof(info));
      if (!keep_payloads(&buffer->stream, &buffer->graph->nodes, &info, &kept[i]))
         return;
   }
   struct rt_cmd_dispatch_nodes *cmd = kept ? RT_CMD_APPEND(&buffer->stream, dispatch_nodes) : NULL;
   if (!cmd)
      return;
   cmd->infos = (struct rt_node_infos){.count = count, .dispatches = (uintptr_t)kept, .stride_bytes = sizeof(*kept)};
   cmd->is_recorded = true;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatchGraphIndirectAMDX(VkCommandBuffer commandBuffer, VkDeviceAddress scratch, VkDeviceSize scratchSize,
                                                            const VkDispatchGraphCountInfoAMDX *pCountInfo)
{
   struct rt_cmd_dispatch_nodes *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), dispatch_nodes);
   if (cmd)
      cmd->infos = (struct rt_node_infos){.count = pCountInfo->count, .dispatches = pCountInfo->infos.deviceAddress, .stride_bytes = pCountInfo->stride};
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatchGraphIndirectCountAMDX(VkCommandBuffer commandBuffer, VkDeviceAddress scratch, VkDeviceSize scratchSize,
                                                                 VkDeviceAddress countInfo)
{
   struct rt_cmd_dispatch_nodes *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), dispatch_nodes);
   if (cmd)
      cmd->indirect = (const struct rt_node_infos *)(uintptr_t)countInfo;
}
#endif
