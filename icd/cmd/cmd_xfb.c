/* SPDX-License-Identifier: MIT
 * VK_EXT_transform_feedback. What is out of range is dropped: nothing beyond a buffer is read or written.
 * Spec: Fixed-Function Vertex Post-Processing, "Transform Feedback"; Drawing Commands, "Drawing Transform Feedback". */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/resource/buffer.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                                  uint32_t bindingCount, const VkBuffer *pBuffers,
                                                                  const VkDeviceSize *pOffsets, const VkDeviceSize *pSizes)
{
   struct rt_cmd_bind_xfb_buffers *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), bind_xfb_buffers);
   if (!cmd || firstBinding >= ABI_MAX_XFB_BUFFERS)
      return;
   cmd->first = firstBinding;
   cmd->count = UTIL_MIN(bindingCount, ABI_MAX_XFB_BUFFERS - firstBinding);
   for (uint32_t i = 0; i < cmd->count; i++) {
      const struct icd_buffer *buffer = icd_buffer_from_handle(pBuffers[i]);
      if (!buffer || !buffer->data || pOffsets[i] > buffer->size_bytes)
         continue;
      const VkDeviceSize left = UTIL_MIN(buffer->size_bytes - pOffsets[i], (VkDeviceSize)UINT32_MAX);
      cmd->ranges[i].data = buffer->data + pOffsets[i];
      cmd->ranges[i].size_bytes = pSizes ? UTIL_MIN(pSizes[i], left) : left; /* VK_WHOLE_SIZE is the largest */
   }
}

/* The 32-bit counter of each buffer, or NULL. */
static void find_counters(uint8_t *counters[ABI_MAX_XFB_BUFFERS], uint32_t first, uint32_t count, const VkBuffer *buffers,
                          const VkDeviceSize *offsets)
{
   for (uint32_t i = 0; buffers && i < count && first + i < ABI_MAX_XFB_BUFFERS && first < ABI_MAX_XFB_BUFFERS; i++) {
      const struct icd_buffer *buffer = icd_buffer_from_handle(buffers[i]);
      const VkDeviceSize offset = offsets ? offsets[i] : 0;
      if (buffer && buffer->data && buffer->size_bytes >= sizeof(uint32_t) && offset <= buffer->size_bytes - sizeof(uint32_t))
         counters[first + i] = buffer->data + offset;
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginTransformFeedbackEXT(VkCommandBuffer commandBuffer, uint32_t firstCounterBuffer,
                                                            uint32_t counterBufferCount, const VkBuffer *pCounterBuffers,
                                                            const VkDeviceSize *pCounterBufferOffsets)
{
   struct rt_cmd_begin_xfb *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), begin_xfb);
   if (cmd)
      find_counters(cmd->counters, firstCounterBuffer, counterBufferCount, pCounterBuffers, pCounterBufferOffsets);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndTransformFeedbackEXT(VkCommandBuffer commandBuffer, uint32_t firstCounterBuffer,
                                                          uint32_t counterBufferCount, const VkBuffer *pCounterBuffers,
                                                          const VkDeviceSize *pCounterBufferOffsets)
{
   struct rt_cmd_end_xfb *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), end_xfb);
   if (cmd)
      find_counters(cmd->counters, firstCounterBuffer, counterBufferCount, pCounterBuffers, pCounterBufferOffsets);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndirectByteCountEXT(VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance,
                                                           VkBuffer counterBuffer, VkDeviceSize counterBufferOffset,
                                                           uint32_t counterOffset, uint32_t vertexStride)
{
   uint8_t *counters[ABI_MAX_XFB_BUFFERS] = {NULL};
   find_counters(counters, 0, 1, &counterBuffer, &counterBufferOffset);
   struct rt_cmd_draw_byte_count *cmd = counters[0] ? RT_CMD_APPEND(icd_stream(commandBuffer), draw_byte_count) : NULL;
   if (!cmd)
      return;
   cmd->counter = counters[0];
   cmd->offset_bytes = counterOffset;
   cmd->stride_bytes = vertexStride;
   cmd->instance_count = instanceCount;
   cmd->first_instance = firstInstance;
}
