/* SPDX-License-Identifier: MIT
 * Barriers and events. Spec: Synchronization and Cache Control, "Events", "Pipeline Barriers". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/cmd/address.h"
#include "icd/cmd/barrier.h"
#include "icd/cmd/dependency.h"
#include "icd/command_buffer.h"
#include "icd/resource/buffer.h"
#include "icd/sync/event.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,
                                                  VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
                                                  uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                                                  uint32_t bufferMemoryBarrierCount,
                                                  const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                                  uint32_t imageMemoryBarrierCount,
                                                  const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   icd_note_old_dependency(icd_command_buffer_from_handle(commandBuffer), NULL,
                           &(struct icd_old_dependency){srcStageMask, dstStageMask, memoryBarrierCount, bufferMemoryBarrierCount, imageMemoryBarrierCount,
                                                        pMemoryBarriers, pBufferMemoryBarriers, pImageMemoryBarriers});
   struct icd_barrier barrier = {0};
   icd_barrier_add(&barrier, srcStageMask, dstStageMask);
   icd_append_barrier(icd_stream(commandBuffer), &barrier);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPipelineBarrier2(VkCommandBuffer commandBuffer,
                                                   const VkDependencyInfo *pDependencyInfo)
{
   const VkDependencyInfo *info = pDependencyInfo;
   struct icd_barrier barrier = {0};
   icd_note_dependency(icd_command_buffer_from_handle(commandBuffer), NULL, info);
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
      icd_barrier_add(&barrier, info->pMemoryBarriers[i].srcStageMask, info->pMemoryBarriers[i].dstStageMask);
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
      icd_barrier_add(&barrier, info->pBufferMemoryBarriers[i].srcStageMask, info->pBufferMemoryBarriers[i].dstStageMask);
   for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
      icd_barrier_add(&barrier, info->pImageMemoryBarriers[i].srcStageMask, info->pImageMemoryBarriers[i].dstStageMask);
#ifdef VK_KHR_device_address_commands
   const VkMemoryRangeBarriersInfoKHR *ranges = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
   for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++)
      icd_barrier_add(&barrier, ranges->pMemoryRangeBarriers[i].srcStageMask, ranges->pMemoryRangeBarriers[i].dstStageMask);
#endif
   icd_append_barrier(icd_stream(commandBuffer), &barrier);
}

/* ---- events ---- */

static void set_event(VkCommandBuffer commandBuffer, VkEvent event, uint32_t value, VkPipelineStageFlags2 stages)
{
   struct rt_cmd_set_event *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), set_event);
   if (!cmd)
      return;
   cmd->event = &icd_event_from_handle(event)->timeline;
   cmd->value = value;
   cmd->stages = stages;
}

/* The first scopes of all that it says. */
static VkPipelineStageFlags2 source_stages(const VkDependencyInfo *info)
{
   VkPipelineStageFlags2 stages = 0;
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
      stages |= info->pMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
      stages |= info->pBufferMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
      stages |= info->pImageMemoryBarriers[i].srcStageMask;
   return stages;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask)
{
   set_event(commandBuffer, event, 1, stageMask);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                            const VkDependencyInfo *pDependencyInfo)
{
   set_event(commandBuffer, event, 1, source_stages(pDependencyInfo));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event,
                                             VkPipelineStageFlags stageMask)
{
   set_event(commandBuffer, event, 0, stageMask);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                              VkPipelineStageFlags2 stageMask)
{
   set_event(commandBuffer, event, 0, stageMask);
}

static void wait_events(VkCommandBuffer commandBuffer, uint32_t count, const VkEvent *handles)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_timeline **events = rt_cmd_data(stream, NULL, count * sizeof(*events));
   struct rt_cmd_wait_events *cmd = events ? RT_CMD_APPEND(stream, wait_events) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++)
      events[i] = &icd_event_from_handle(handles[i])->timeline;
   cmd->count = count;
   cmd->events = events;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWaitEvents(VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent *pEvents,
                                             VkPipelineStageFlags srcStageMask, VkPipelineStageFlags dstStageMask,
                                             uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                                             uint32_t bufferMemoryBarrierCount,
                                             const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                             uint32_t imageMemoryBarrierCount,
                                             const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   const struct icd_old_dependency dependency = {srcStageMask,       dstStageMask,    memoryBarrierCount,    bufferMemoryBarrierCount,
                                                 imageMemoryBarrierCount, pMemoryBarriers, pBufferMemoryBarriers, pImageMemoryBarriers};
   wait_events(commandBuffer, eventCount, pEvents);
   for (uint32_t i = 0; i < eventCount; i++)
      icd_note_old_dependency(icd_command_buffer_from_handle(commandBuffer), &icd_event_from_handle(pEvents[i])->timeline, &dependency);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                              const VkEvent *pEvents, const VkDependencyInfo *pDependencyInfos)
{
   wait_events(commandBuffer, eventCount, pEvents);
   for (uint32_t i = 0; i < eventCount; i++)
      icd_note_dependency(icd_command_buffer_from_handle(commandBuffer), &icd_event_from_handle(pEvents[i])->timeline, &pDependencyInfos[i]);
}

/* ---- VK_AMD_buffer_marker ---- */

static void write_marker(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, uint8_t *dst, uint32_t marker)
{
   struct rt_cmd_write_marker *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), write_marker);
   if (!cmd)
      return;
   cmd->dst = (uint32_t *)dst;
   cmd->value = marker;
   cmd->is_after = stage != VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT && stage != VK_PIPELINE_STAGE_2_NONE;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteBufferMarker2AMD(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, VkBuffer dstBuffer,
                                                        VkDeviceSize dstOffset, uint32_t marker)
{
   write_marker(commandBuffer, stage, icd_buffer_from_handle(dstBuffer)->data + dstOffset, marker);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteBufferMarkerAMD(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits pipelineStage,
                                                       VkBuffer dstBuffer, VkDeviceSize dstOffset, uint32_t marker)
{
   icd_CmdWriteBufferMarker2AMD(commandBuffer, pipelineStage, dstBuffer, dstOffset, marker);
}

#ifdef VK_KHR_device_address_commands
VKAPI_ATTR void VKAPI_CALL icd_CmdWriteMarkerToMemoryAMD(VkCommandBuffer commandBuffer, const VkMemoryMarkerInfoAMD *pInfo)
{
   if (pInfo->dstRange.address)
      write_marker(commandBuffer, pInfo->stage, icd_address(pInfo->dstRange.address), pInfo->marker);
}
#endif
