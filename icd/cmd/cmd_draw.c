/* SPDX-License-Identifier: MIT
 * Draws: where a triangle's walk begins. It goes on in the executor of command streams (runtime/queue).
 * Spec: Drawing Commands. */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/resource/buffer.h"

static void draw(struct rt_cmd_stream *stream, uint32_t vertex_count, uint32_t instance_count, uint32_t first_vertex,
                 uint32_t first_instance, uint32_t draw_index)
{
   struct rt_cmd_draw *cmd = RT_CMD_APPEND(stream, draw);
   if (!cmd)
      return;
   cmd->vertex_count = vertex_count;
   cmd->instance_count = instance_count;
   cmd->first_vertex = first_vertex;
   cmd->first_instance = first_instance;
   cmd->draw_index = draw_index;
}

static void draw_indexed(struct rt_cmd_stream *stream, uint32_t index_count, uint32_t instance_count,
                         uint32_t first_index, int32_t vertex_offset, uint32_t first_instance, uint32_t draw_index)
{
   struct rt_cmd_draw_indexed *cmd = RT_CMD_APPEND(stream, draw_indexed);
   if (!cmd)
      return;
   cmd->index_count = index_count;
   cmd->instance_count = instance_count;
   cmd->first_index = first_index;
   cmd->vertex_offset = vertex_offset;
   cmd->first_instance = first_instance;
   cmd->draw_index = draw_index;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount, uint32_t instanceCount,
                                       uint32_t firstVertex, uint32_t firstInstance)
{
   draw(icd_stream(commandBuffer), vertexCount, instanceCount, firstVertex, firstInstance, 0);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndexed(VkCommandBuffer commandBuffer, uint32_t indexCount,
                                              uint32_t instanceCount, uint32_t firstIndex, int32_t vertexOffset,
                                              uint32_t firstInstance)
{
   draw_indexed(icd_stream(commandBuffer), indexCount, instanceCount, firstIndex, vertexOffset, firstInstance, 0);
}

/* ---- VK_EXT_multi_draw ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawMultiEXT(VkCommandBuffer commandBuffer, uint32_t drawCount,
                                               const VkMultiDrawInfoEXT *pVertexInfo, uint32_t instanceCount,
                                               uint32_t firstInstance, uint32_t stride)
{
   const char *at = (const char *)pVertexInfo;
   for (uint32_t i = 0; i < drawCount; i++, at += stride) {
      const VkMultiDrawInfoEXT *info = (const VkMultiDrawInfoEXT *)at;
      draw(icd_stream(commandBuffer), info->vertexCount, instanceCount, info->firstVertex, firstInstance, i);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawMultiIndexedEXT(VkCommandBuffer commandBuffer, uint32_t drawCount,
                                                      const VkMultiDrawIndexedInfoEXT *pIndexInfo,
                                                      uint32_t instanceCount, uint32_t firstInstance, uint32_t stride,
                                                      const int32_t *pVertexOffset)
{
   const char *at = (const char *)pIndexInfo;
   for (uint32_t i = 0; i < drawCount; i++, at += stride) {
      const VkMultiDrawIndexedInfoEXT *info = (const VkMultiDrawIndexedInfoEXT *)at;
      draw_indexed(icd_stream(commandBuffer), info->indexCount, instanceCount, info->firstIndex,
                   pVertexOffset ? *pVertexOffset : info->vertexOffset, firstInstance, i);
   }
}

/* ---- indirect ---- */

static void draw_indirect(struct rt_cmd_stream *stream, enum rt_draw_type draw_type, VkBuffer args, VkDeviceSize args_offset,
                          VkBuffer count, VkDeviceSize count_offset, uint32_t max_draws, uint32_t stride_bytes)
{
   const struct icd_buffer *count_buffer = icd_buffer_from_handle(count);
   struct rt_cmd_draw_indirect *cmd = RT_CMD_APPEND(stream, draw_indirect);
   if (!cmd)
      return;
   cmd->draw_type = draw_type;
   cmd->args = icd_buffer_from_handle(args)->data + args_offset;
   cmd->count = count_buffer ? (const uint32_t *)(count_buffer->data + count_offset) : NULL;
   cmd->max_draws = max_draws;
   cmd->stride_bytes = stride_bytes;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                               uint32_t drawCount, uint32_t stride)
{
   draw_indirect(icd_stream(commandBuffer), RT_DRAW_VERTICES, buffer, offset, VK_NULL_HANDLE, 0, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndexedIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                      VkDeviceSize offset, uint32_t drawCount, uint32_t stride)
{
   draw_indirect(icd_stream(commandBuffer), RT_DRAW_INDEXED, buffer, offset, VK_NULL_HANDLE, 0, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                                    VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                                    uint32_t maxDrawCount, uint32_t stride)
{
   draw_indirect(icd_stream(commandBuffer), RT_DRAW_VERTICES, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                 stride);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawIndexedIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                           VkDeviceSize offset, VkBuffer countBuffer,
                                                           VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                                           uint32_t stride)
{
   draw_indirect(icd_stream(commandBuffer), RT_DRAW_INDEXED, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, stride);
}

/* ---- VK_EXT_mesh_shader ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawMeshTasksEXT(VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY,
                                                   uint32_t groupCountZ)
{
   struct rt_cmd_draw_mesh *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), draw_mesh);
   if (!cmd)
      return;
   cmd->grid[0] = groupCountX;
   cmd->grid[1] = groupCountY;
   cmd->grid[2] = groupCountZ;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawMeshTasksIndirectEXT(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                                           uint32_t drawCount, uint32_t stride)
{
   draw_indirect(icd_stream(commandBuffer), RT_DRAW_MESH, buffer, offset, VK_NULL_HANDLE, 0, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDrawMeshTasksIndirectCountEXT(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                                VkDeviceSize offset, VkBuffer countBuffer,
                                                                VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                                                uint32_t stride)
{
   draw_indirect(icd_stream(commandBuffer), RT_DRAW_MESH, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, stride);
}

/* ---- VK_EXT_conditional_rendering ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginConditionalRenderingEXT(VkCommandBuffer commandBuffer,
                                                               const VkConditionalRenderingBeginInfoEXT *pInfo)
{
   struct rt_cmd_begin_conditional *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), begin_conditional);
   if (!cmd)
      return;
   cmd->value = (const uint32_t *)(icd_buffer_from_handle(pInfo->buffer)->data + pInfo->offset);
   cmd->is_inverted = pInfo->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
   (void)RT_CMD_APPEND(icd_stream(commandBuffer), end_conditional);
}
