/* SPDX-License-Identifier: MIT
 * VK_KHR_device_address_commands, VK_KHR_copy_memory_indirect: commands of other chapters whose memory is given by its address, which is
 * that of the process. An address of 0 is none. They end as the same commands of the stream as those with buffers.
 * Spec: Drawing, Dispatching, Copy, Clear Commands; Queries; Fixed-Function Vertex Post-Processing, "Transform Feedback". */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/address.h"
#include "icd/command_buffer.h"
#include "icd/query_pool.h"
#include "icd/resource/image.h"
#include "icd/resource/image_range.h"

#ifdef VK_KHR_device_address_commands

/* ---- what draws read ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdBindIndexBuffer3KHR(VkCommandBuffer commandBuffer, const VkBindIndexBuffer3InfoKHR *pInfo)
{
   struct rt_cmd_bind_index_buffer *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), bind_index_buffer);
   if (!cmd)
      return;
   cmd->data = icd_address(pInfo->addressRange.address);
   cmd->size_bytes = cmd->data ? pInfo->addressRange.size : 0;
   cmd->index_bytes = icd_index_bytes(pInfo->indexType);
}

static const struct rt_vertex_buffer no_vertices = {0};

VKAPI_ATTR void VKAPI_CALL icd_CmdBindVertexBuffers3KHR(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                                                        const VkBindVertexBuffer3InfoKHR *pBindingInfos)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   /* One command each: some set their stride, others do not. */
   for (uint32_t i = 0; i < bindingCount; i++) {
      const VkBindVertexBuffer3InfoKHR *info = &pBindingInfos[i];
      const struct rt_vertex_buffer buffer = {icd_address(info->addressRange.address), info->addressRange.size};
      const uint32_t stride_bytes = (uint32_t)info->addressRange.stride;
      struct rt_cmd_bind_vertex_buffers *cmd = RT_CMD_APPEND(stream, bind_vertex_buffers);
      if (!cmd)
         return;
      cmd->first = firstBinding + i;
      cmd->buffers = buffer.data ? rt_cmd_data(stream, &buffer, sizeof(buffer)) : &no_vertices;
      cmd->strides = info->setStride ? rt_cmd_data(stream, &stride_bytes, sizeof(stride_bytes)) : NULL;
      cmd->count = cmd->buffers && (cmd->strides || !info->setStride);
   }
}

/* ---- indirect draws and dispatches ---- */

static void draw_indirect(VkCommandBuffer buffer, enum rt_draw_type draw_type, const VkStridedDeviceAddressRangeKHR *args,
                          VkDeviceAddress count, uint32_t max_draws)
{
   struct rt_cmd_draw_indirect *cmd = args->address ? RT_CMD_APPEND(icd_stream(buffer), draw_indirect) : NULL;
   if (!cmd)
      return;
   cmd->draw_type = draw_type;
   cmd->args = icd_address(args->address);
   cmd->count = (const uint32_t *)icd_address(count);
   cmd->max_draws = max_draws;
   cmd->stride_bytes = (uint32_t)args->stride;
}

/* X(command, type of the draw) */
#define DRAWS(X)                                                                                                       \
   X(CmdDrawIndirect2KHR, RT_DRAW_VERTICES)                                                                            \
   X(CmdDrawIndexedIndirect2KHR, RT_DRAW_INDEXED)                                                                      \
   X(CmdDrawMeshTasksIndirect2EXT, RT_DRAW_MESH)
#define COUNTED_DRAWS(X)                                                                                               \
   X(CmdDrawIndirectCount2KHR, RT_DRAW_VERTICES)                                                                       \
   X(CmdDrawIndexedIndirectCount2KHR, RT_DRAW_INDEXED)                                                                 \
   X(CmdDrawMeshTasksIndirectCount2EXT, RT_DRAW_MESH)

#define X(command, draw_type)                                                                                          \
   VKAPI_ATTR void VKAPI_CALL icd_##command(VkCommandBuffer commandBuffer, const VkDrawIndirect2InfoKHR *pInfo)        \
   {                                                                                                                   \
      draw_indirect(commandBuffer, draw_type, &pInfo->addressRange, 0, pInfo->drawCount);                              \
   }
DRAWS(X)
#undef X
#define X(command, draw_type)                                                                                          \
   VKAPI_ATTR void VKAPI_CALL icd_##command(VkCommandBuffer commandBuffer, const VkDrawIndirectCount2InfoKHR *pInfo)   \
   {                                                                                                                   \
      draw_indirect(commandBuffer, draw_type, &pInfo->addressRange, pInfo->countAddressRange.address, pInfo->maxDrawCount); \
   }
COUNTED_DRAWS(X)
#undef X

VKAPI_ATTR void VKAPI_CALL icd_CmdDispatchIndirect2KHR(VkCommandBuffer commandBuffer, const VkDispatchIndirect2InfoKHR *pInfo)
{
   struct rt_cmd_dispatch_indirect *cmd =
      pInfo->addressRange.address ? RT_CMD_APPEND(icd_stream(commandBuffer), dispatch_indirect) : NULL;
   if (cmd)
      cmd->args = (const VkDispatchIndirectCommand *)icd_address(pInfo->addressRange.address);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginConditionalRendering2EXT(
   VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfo2EXT *pConditionalRenderingBegin)
{
   const VkDeviceAddress address = pConditionalRenderingBegin->addressRange.address;
   struct rt_cmd_begin_conditional *cmd = address ? RT_CMD_APPEND(icd_stream(commandBuffer), begin_conditional) : NULL;
   if (!cmd)
      return;
   cmd->value = (const uint32_t *)icd_address(address);
   cmd->is_inverted = pConditionalRenderingBegin->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
}

/* ---- copies ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMemoryKHR(VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryInfoKHR *pCopyMemoryInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   for (uint32_t i = 0; pCopyMemoryInfo && i < pCopyMemoryInfo->regionCount; i++) {
      const VkDeviceMemoryCopyKHR *from = &pCopyMemoryInfo->pRegions[i];
      const VkBufferCopy region = {.size = UTIL_MIN(from->srcRange.size, from->dstRange.size)};
      if (!from->srcRange.address || !from->dstRange.address)
         continue;
      const VkBufferCopy *regions = rt_cmd_data(stream, &region, sizeof(region));
      struct rt_cmd_copy_buffer *cmd = regions ? RT_CMD_APPEND(stream, copy_buffer) : NULL;
      if (!cmd)
         return;
      cmd->src = icd_address(from->srcRange.address);
      cmd->dst = icd_address(from->dstRange.address);
      cmd->num_regions = 1;
      cmd->regions = regions;
   }
}

static const VkBufferImageCopy *image_region(struct rt_cmd_stream *stream, const struct icd_image *image,
                                             const VkDeviceMemoryImageCopyKHR *from)
{
   const VkBufferImageCopy region = {
      .bufferRowLength = from->addressRowLength,
      .bufferImageHeight = from->addressImageHeight,
      .imageSubresource = icd_image_layers(image, from->imageSubresource),
      .imageOffset = from->imageOffset,
      .imageExtent = from->imageExtent,
   };
   return from->addressRange.address ? rt_cmd_data(stream, &region, sizeof(region)) : NULL;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMemoryToImageKHR(VkCommandBuffer commandBuffer,
                                                       const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   for (uint32_t i = 0; pCopyMemoryInfo && i < pCopyMemoryInfo->regionCount; i++) {
      const struct icd_image *image = icd_image_from_handle(pCopyMemoryInfo->image);
      const VkBufferImageCopy *region = image_region(stream, image, &pCopyMemoryInfo->pRegions[i]);
      struct rt_cmd_copy_buffer_to_image *cmd = region ? RT_CMD_APPEND(stream, copy_buffer_to_image) : NULL;
      if (!cmd)
         continue;
      cmd->src = icd_address(pCopyMemoryInfo->pRegions[i].addressRange.address);
      cmd->dst = &image->rt;
      cmd->num_regions = 1;
      cmd->regions = region;
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImageToMemoryKHR(VkCommandBuffer commandBuffer,
                                                       const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   for (uint32_t i = 0; pCopyMemoryInfo && i < pCopyMemoryInfo->regionCount; i++) {
      const struct icd_image *image = icd_image_from_handle(pCopyMemoryInfo->image);
      const VkBufferImageCopy *region = image_region(stream, image, &pCopyMemoryInfo->pRegions[i]);
      struct rt_cmd_copy_image_to_buffer *cmd = region ? RT_CMD_APPEND(stream, copy_image_to_buffer) : NULL;
      if (!cmd)
         continue;
      cmd->src = &image->rt;
      cmd->dst = icd_address(pCopyMemoryInfo->pRegions[i].addressRange.address);
      cmd->num_regions = 1;
      cmd->regions = region;
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdUpdateMemoryKHR(VkCommandBuffer commandBuffer, const VkDeviceAddressRangeKHR *pDstRange,
                                                  VkAddressCommandFlagsKHR dstFlags, VkDeviceSize dataSize, const void *pData)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const VkDeviceSize size = UTIL_MIN(dataSize, pDstRange->size);
   const void *data = pDstRange->address ? rt_cmd_data(stream, pData, size) : NULL;
   struct rt_cmd_update_buffer *cmd = data ? RT_CMD_APPEND(stream, update_buffer) : NULL;
   if (!cmd)
      return;
   cmd->dst = icd_address(pDstRange->address);
   cmd->size_bytes = size;
   cmd->data = data;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdFillMemoryKHR(VkCommandBuffer commandBuffer, const VkDeviceAddressRangeKHR *pDstRange,
                                                VkAddressCommandFlagsKHR dstFlags, uint32_t data)
{
   struct rt_cmd_fill_buffer *cmd = pDstRange->address ? RT_CMD_APPEND(icd_stream(commandBuffer), fill_buffer) : NULL;
   if (!cmd)
      return;
   cmd->dst = icd_address(pDstRange->address);
   cmd->size_bytes = pDstRange->size & ~UINT64_C(3);
   cmd->value = data;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                                                  uint32_t firstQuery, uint32_t queryCount,
                                                                  const VkStridedDeviceAddressRangeKHR *pDstRange,
                                                                  VkAddressCommandFlagsKHR dstFlags,
                                                                  VkQueryResultFlags queryResultFlags)
{
   struct rt_cmd_copy_query_results *cmd =
      pDstRange->address ? RT_CMD_APPEND(icd_stream(commandBuffer), copy_query_results) : NULL;
   if (!cmd)
      return;
   cmd->pool = &icd_query_pool_from_handle(queryPool)->rt;
   cmd->first = firstQuery;
   cmd->count = queryCount;
   cmd->dst = icd_address(pDstRange->address);
   cmd->stride_bytes = pDstRange->stride;
   cmd->flags = queryResultFlags;
}

/* ---- transform feedback ---- */

static uint8_t *counter_at(const VkBindTransformFeedbackBuffer2InfoEXT *info)
{
   return info->addressRange.size >= sizeof(uint32_t) ? icd_address(info->addressRange.address) : NULL;
}

/* The 32-bit counter of each buffer, or NULL. */
static void find_counters(uint8_t *counters[ABI_MAX_XFB_BUFFERS], uint32_t first, uint32_t count,
                          const VkBindTransformFeedbackBuffer2InfoEXT *infos)
{
   for (uint32_t i = 0; infos && i < count && first < ABI_MAX_XFB_BUFFERS && first + i < ABI_MAX_XFB_BUFFERS; i++)
      counters[first + i] = counter_at(&infos[i]);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindTransformFeedbackBuffers2EXT(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                                   uint32_t bindingCount,
                                                                   const VkBindTransformFeedbackBuffer2InfoEXT *pBindingInfos)
{
   struct rt_cmd_bind_xfb_buffers *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), bind_xfb_buffers);
   if (!cmd || firstBinding >= ABI_MAX_XFB_BUFFERS)
      return;
   cmd->first = firstBinding;
   cmd->count = UTIL_MIN(bindingCount, ABI_MAX_XFB_BUFFERS - firstBinding);
   for (uint32_t i = 0; i < cmd->count; i++) {
      cmd->ranges[i].data = icd_address(pBindingInfos[i].addressRange.address);
      if (cmd->ranges[i].data)
         cmd->ranges[i].size_bytes = UTIL_MIN(pBindingInfos[i].addressRange.size, (VkDeviceSize)UINT32_MAX);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginTransformFeedback2EXT(VkCommandBuffer commandBuffer, uint32_t firstCounterRange,
                                                             uint32_t counterRangeCount,
                                                             const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfos)
{
   struct rt_cmd_begin_xfb *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), begin_xfb);
   if (cmd)
      find_counters(cmd->counters, firstCounterRange, counterRangeCount, pCounterInfos);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndTransformFeedback2EXT(VkCommandBuffer commandBuffer, uint32_t firstCounterRange,
                                                           uint32_t counterRangeCount,
                                                           const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfos)
{
   struct rt_cmd_end_xfb *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), end_xfb);
   if (cmd)
      find_counters(cmd->counters, firstCounterRange, counterRangeCount, pCounterInfos);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndirectByteCount2EXT(VkCommandBuffer commandBuffer, uint32_t instanceCount,
                                                            uint32_t firstInstance,
                                                            const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfo,
                                                            uint32_t counterOffset, uint32_t vertexStride)
{
   struct rt_cmd_draw_byte_count *cmd =
      counter_at(pCounterInfo) ? RT_CMD_APPEND(icd_stream(commandBuffer), draw_byte_count) : NULL;
   if (!cmd)
      return;
   cmd->counter = counter_at(pCounterInfo);
   cmd->offset_bytes = counterOffset;
   cmd->stride_bytes = vertexStride;
   cmd->instance_count = instanceCount;
   cmd->first_instance = firstInstance;
}

#endif

#ifdef VK_KHR_copy_memory_indirect

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMemoryIndirectKHR(VkCommandBuffer commandBuffer,
                                                        const VkCopyMemoryIndirectInfoKHR *pCopyMemoryIndirectInfo)
{
   const VkStridedDeviceAddressRangeKHR *range = &pCopyMemoryIndirectInfo->copyAddressRange;
   struct rt_cmd_copy_indirect *cmd = range->address ? RT_CMD_APPEND(icd_stream(commandBuffer), copy_indirect) : NULL;
   if (!cmd)
      return;
   cmd->args = icd_address(range->address);
   cmd->stride_bytes = range->stride;
   cmd->count = pCopyMemoryIndirectInfo->copyCount;
}

/* Layers of a 3D image are slices of the level here. */
static VkImageSubresourceLayers slices_or_layers(const struct icd_image *image, VkImageSubresourceLayers layers)
{
   if (image->rt.type != VK_IMAGE_TYPE_3D)
      return icd_image_layers(image, layers);
   const uint32_t depth = UTIL_MAX(image->rt.extent.depth >> UTIL_MIN(layers.mipLevel, 31u), 1u);
   if (layers.layerCount == VK_REMAINING_ARRAY_LAYERS)
      layers.layerCount = depth - UTIL_MIN(layers.baseArrayLayer, depth);
   return layers;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMemoryToImageIndirectKHR(
   VkCommandBuffer commandBuffer, const VkCopyMemoryToImageIndirectInfoKHR *pCopyMemoryToImageIndirectInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const VkStridedDeviceAddressRangeKHR *range = &pCopyMemoryToImageIndirectInfo->copyAddressRange;
   const struct icd_image *image = icd_image_from_handle(pCopyMemoryToImageIndirectInfo->dstImage);
   const uint32_t count = pCopyMemoryToImageIndirectInfo->copyCount;
   VkImageSubresourceLayers *layers = range->address ? rt_cmd_data(stream, NULL, count * sizeof(*layers)) : NULL;
   struct rt_cmd_copy_indirect *cmd = layers ? RT_CMD_APPEND(stream, copy_indirect) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++)
      layers[i] = slices_or_layers(image, pCopyMemoryToImageIndirectInfo->pImageSubresources[i]);
   cmd->args = icd_address(range->address);
   cmd->stride_bytes = range->stride;
   cmd->count = count;
   cmd->image = &image->rt;
   cmd->layers = layers;
}

#endif
