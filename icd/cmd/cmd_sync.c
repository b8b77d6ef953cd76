/* SPDX-License-Identifier: MIT
 * Barriers and events. Spec: Synchronization and Cache Control, "Events", "Pipeline Barriers". */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/barrier.h"
#include "icd/command_buffer.h"
#include "icd/sync/event.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,
                                                  VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
                                                  uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                                                  uint32_t bufferMemoryBarrierCount,
                                                  const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                                  uint32_t imageMemoryBarrierCount,
                                                  const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   if (icd_stages_order(srcStageMask, dstStageMask))
      icd_append_barrier(icd_stream(commandBuffer), dependencyFlags);
}

static bool dependency_orders(const VkDependencyInfo *info)
{
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
      if (icd_stages_order(info->pMemoryBarriers[i].srcStageMask, info->pMemoryBarriers[i].dstStageMask))
         return true;
   }
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
      if (icd_stages_order(info->pBufferMemoryBarriers[i].srcStageMask, info->pBufferMemoryBarriers[i].dstStageMask))
         return true;
   }
   for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
      if (icd_stages_order(info->pImageMemoryBarriers[i].srcStageMask, info->pImageMemoryBarriers[i].dstStageMask))
         return true;
   }
   return false;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPipelineBarrier2(VkCommandBuffer commandBuffer,
                                                   const VkDependencyInfo *pDependencyInfo)
{
   if (dependency_orders(pDependencyInfo))
      icd_append_barrier(icd_stream(commandBuffer), pDependencyInfo->dependencyFlags);
}

/* ---- events ---- */

static void set_event(VkCommandBuffer commandBuffer, VkEvent event, uint32_t value)
{
   struct rt_cmd_set_event *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), set_event);
   if (!cmd)
      return;
   cmd->event = &icd_event_from_handle(event)->timeline;
   cmd->value = value;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask)
{
   set_event(commandBuffer, event, 1);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                            const VkDependencyInfo *pDependencyInfo)
{
   set_event(commandBuffer, event, 1);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event,
                                             VkPipelineStageFlags stageMask)
{
   set_event(commandBuffer, event, 0);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                              VkPipelineStageFlags2 stageMask)
{
   set_event(commandBuffer, event, 0);
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
   wait_events(commandBuffer, eventCount, pEvents);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                              const VkEvent *pEvents, const VkDependencyInfo *pDependencyInfos)
{
   wait_events(commandBuffer, eventCount, pEvents);
}
