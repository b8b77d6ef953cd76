/* SPDX-License-Identifier: MIT
 * Binding: pipelines, shader objects, descriptor sets, push descriptors, push constants, vertex and index buffers.
 * Spec: Pipelines, "Pipeline Binding"; Shaders, "Shader Objects"; Resource Descriptors; Fixed-Function Vertex Processing. */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/address.h"
#include "icd/cmd/bind_point.h"
#include "icd/command_buffer.h"
#include "icd/descriptor/descriptor_set.h"
#include "icd/descriptor/update_template.h"
#include "icd/pipeline.h"
#include "icd/pipeline/shader_object.h"
#include "icd/pipeline_layout.h"
#include "icd/resource/buffer.h"
#include "icd/stage.h"
#include "util/size.h"

#include <string.h>

/* VK_NULL_HANDLE, which is what some programs bind where a pipeline could not be made (zink), is no pipeline: draws and dispatches do nothing. */
VKAPI_ATTR void VKAPI_CALL icd_CmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                                               VkPipeline _pipeline)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   const struct icd_pipeline *pipeline = icd_pipeline_from_handle(_pipeline);
   if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE) {
      struct rt_cmd_bind_compute *cmd = RT_CMD_APPEND(&buffer->stream, bind_compute);
      if (cmd)
         cmd->pipeline = pipeline ? &pipeline->compute : NULL;
   } else if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR) {
      struct rt_cmd_bind_rays *cmd = RT_CMD_APPEND(&buffer->stream, bind_rays);
      if (cmd)
         cmd->pipeline = pipeline ? &pipeline->rays : NULL;
   } else if (icd_bind_point_of(pipelineBindPoint) == RT_BIND_NODES) {
      struct rt_cmd_bind_nodes *cmd = RT_CMD_APPEND(&buffer->stream, bind_nodes);
      buffer->graph = pipeline;
      if (cmd)
         cmd->pipeline = pipeline ? &pipeline->nodes : NULL;
   } else {
      struct rt_cmd_bind_graphics *cmd = RT_CMD_APPEND(&buffer->stream, bind_graphics);
      memset(buffer->shaders, 0, sizeof(buffer->shaders)); /* also of stages that the pipeline does not have */
      if (!cmd)
         return;
      cmd->pipeline = pipeline ? &pipeline->graphics : NULL;
      cmd->state = pipeline ? &pipeline->state : NULL;
   }
}

/* ---- shader objects ---- */

/* Those that are bound now, as one: what draws take is the same as that of a pipeline. NULL when memory is out. */
static const struct icd_bound_shaders *make_bound(struct icd_command_buffer *buffer)
{
   struct icd_bound_shaders *bound = rt_cmd_data(&buffer->stream, NULL, sizeof(*bound));
   if (!bound)
      return NULL;
   *bound = (struct icd_bound_shaders){0};
   bound->graphics.has_unrestricted_depth = icd_has_extension(&buffer->base.device->extensions, ICD_EXT_EXT_depth_range_unrestricted);
   for (uint32_t i = 0; i < ABI_NUM_STAGES; i++) {
      bound->objects[i] = buffer->shaders[i];
      if (buffer->shaders[i])
         bound->graphics.shaders[i] = buffer->shaders[i]->code.shader;
   }
   return bound;
}

/* The same shaders bound together again are the same pipeline, so that draws find again what they derive from it. */
static const struct icd_bound_shaders *find_bound(struct icd_command_buffer *buffer)
{
   for (uint32_t i = 0; i < ICD_KEPT_SHADERS; i++) {
      const struct icd_bound_shaders *bound = buffer->bound[i];
      if (bound && memcmp(bound->objects, buffer->shaders, sizeof(bound->objects)) == 0)
         return bound;
   }
   const struct icd_bound_shaders *bound = make_bound(buffer);
   buffer->bound[buffer->next_bound++ % ICD_KEPT_SHADERS] = bound;
   return bound;
}

static void bind_graphics_shaders(struct icd_command_buffer *buffer)
{
   const struct icd_bound_shaders *bound = find_bound(buffer);
   struct rt_cmd_bind_graphics *cmd = bound ? RT_CMD_APPEND(&buffer->stream, bind_graphics) : NULL;
   if (!cmd)
      return;
   cmd->pipeline = &bound->graphics;
   cmd->state = &rt_shader_object_state;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindShadersEXT(VkCommandBuffer commandBuffer, uint32_t stageCount, const VkShaderStageFlagBits *pStages,
                                                 const VkShaderEXT *pShaders)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   bool has_graphics = false;
   for (uint32_t i = 0; i < stageCount; i++) {
      const struct icd_shader_object *object = pShaders ? icd_shader_object_from_handle(pShaders[i]) : NULL;
      const enum abi_stage stage = icd_stage_of(pStages[i]);
      if (stage == ABI_STAGE_COMPUTE) {
         struct rt_cmd_bind_compute *cmd = RT_CMD_APPEND(&buffer->stream, bind_compute);
         if (!cmd)
            return;
         cmd->pipeline = object ? &object->code : NULL;
         cmd->is_shader_object = true;
         continue;
      }
      has_graphics = true;
      if (stage != ABI_NUM_STAGES) /* nothing can be bound to one that is not offered */
         buffer->shaders[stage] = object;
   }
   if (has_graphics)
      bind_graphics_shaders(buffer);
}

/* ---- descriptor sets ---- */

/* abi_set.dynamic_offsets of the offsets that are given; NULL: there are none, or memory is out. */
static const uint32_t *keep_offsets(struct rt_cmd_stream *stream, const uint32_t *offsets, uint32_t count)
{
   uint32_t *kept = count ? rt_cmd_data(stream, NULL, util_size_mul(util_size_add(count, 1), sizeof(*kept))) : NULL;
   if (!kept)
      return NULL;
   kept[0] = count;
   memcpy(kept + 1, offsets, count * sizeof(*kept));
   return kept;
}

static void bind_sets(struct rt_cmd_stream *stream, uint32_t bind_points, const struct icd_pipeline_layout *layout,
                      uint32_t first_set, uint32_t num_sets, const VkDescriptorSet *sets, uint32_t num_dynamic,
                      const uint32_t *dynamic_offsets)
{
   if (first_set >= ABI_MAX_SETS)
      return;
   struct rt_cmd_bind_sets *cmd = rt_cmd_append_sets(stream, bind_points, first_set, UTIL_MIN(num_sets, ABI_MAX_SETS - first_set));
   for (uint32_t i = 0; cmd && i < cmd->num_sets; i++) {
      const struct icd_descriptor_set *set = icd_descriptor_set_from_handle(sets[i]);
      const uint32_t count = num_dynamic ? UTIL_MIN(layout->shapes[first_set + i].num_dynamic, num_dynamic) : 0;
      cmd->sets[i] = (struct abi_set){set ? set->data : NULL, keep_offsets(stream, dynamic_offsets, count)};
      dynamic_offsets = count ? dynamic_offsets + count : dynamic_offsets;
      num_dynamic -= count;
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorSets(VkCommandBuffer commandBuffer,
                                                     VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                                                     uint32_t firstSet, uint32_t descriptorSetCount,
                                                     const VkDescriptorSet *pDescriptorSets,
                                                     uint32_t dynamicOffsetCount, const uint32_t *pDynamicOffsets)
{
   bind_sets(icd_stream(commandBuffer), icd_bind_point_bit(pipelineBindPoint), icd_pipeline_layout_from_handle(layout),
             firstSet, descriptorSetCount, pDescriptorSets, dynamicOffsetCount, pDynamicOffsets);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorSets2(VkCommandBuffer commandBuffer,
                                                      const VkBindDescriptorSetsInfo *pInfo)
{
   bind_sets(icd_stream(commandBuffer), icd_bind_points_of(pInfo->stageFlags),
             icd_pipeline_layout_from_handle(pInfo->layout), pInfo->firstSet, pInfo->descriptorSetCount,
             pInfo->pDescriptorSets, pInfo->dynamicOffsetCount, pInfo->pDynamicOffsets);
}

/* ---- push descriptors: each push is a fresh copy of the set in the stream; earlier commands keep theirs ---- */

/* The new copy, bound, with what was pushed before; NULL when memory is out. */
static uint8_t *push_begin(struct icd_command_buffer *buffer, enum rt_bind_point bind_point,
                           const struct icd_set_shape *shape, uint32_t set)
{
   struct icd_push_state *last = &buffer->push[bind_point];
   const size_t head_bytes = sizeof(struct abi_set_head);
   uint8_t *memory = rt_cmd_data(&buffer->stream, NULL, util_size_add(head_bytes, shape->size_bytes)), *data = memory + head_bytes;
   struct rt_cmd_bind_sets *cmd = memory ? rt_cmd_append_sets(&buffer->stream, 1u << bind_point, set, 1) : NULL;
   if (!cmd)
      return NULL;
   icd_descriptors_init(shape, data, shape->size_bytes, UINT32_MAX);
   if (last->data && last->set == set && last->shape == shape->set.shape)
      memcpy(data, last->data, shape->size_bytes);
   *last = (struct icd_push_state){data, set, shape->set.shape};
   cmd->sets[0].data = data;
   return data;
}

static void push_writes(struct icd_command_buffer *buffer, uint32_t bind_points, VkPipelineLayout layout, uint32_t set,
                        uint32_t num_writes, const VkWriteDescriptorSet *writes)
{
   const struct icd_set_shape *shape = &icd_pipeline_layout_from_handle(layout)->shapes[set];
   for (uint32_t point = 0; point < RT_NUM_BIND_POINTS; point++) {
      uint8_t *data = bind_points >> point & 1 ? push_begin(buffer, (enum rt_bind_point)point, shape, set) : NULL;
      for (uint32_t i = 0; data && i < num_writes; i++) {
         const struct icd_descriptor_source source = icd_descriptor_source_of(&writes[i]);
         icd_descriptors_write(shape, data, &source);
      }
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPushDescriptorSet(VkCommandBuffer commandBuffer,
                                                    VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                                                    uint32_t set, uint32_t descriptorWriteCount,
                                                    const VkWriteDescriptorSet *pDescriptorWrites)
{
   push_writes(icd_command_buffer_from_handle(commandBuffer), icd_bind_point_bit(pipelineBindPoint), layout, set,
               descriptorWriteCount, pDescriptorWrites);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPushDescriptorSet2(VkCommandBuffer commandBuffer,
                                                     const VkPushDescriptorSetInfo *pInfo)
{
   push_writes(icd_command_buffer_from_handle(commandBuffer), icd_bind_points_of(pInfo->stageFlags), pInfo->layout,
               pInfo->set, pInfo->descriptorWriteCount, pInfo->pDescriptorWrites);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPushDescriptorSetWithTemplate(VkCommandBuffer commandBuffer,
                                                                VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                VkPipelineLayout layout, uint32_t set,
                                                                const void *pData)
{
   const struct icd_update_template *update_template = icd_update_template_from_handle(descriptorUpdateTemplate);
   const struct icd_set_shape *shape = &icd_pipeline_layout_from_handle(layout)->shapes[set];
   uint8_t *data = push_begin(icd_command_buffer_from_handle(commandBuffer),
                              icd_bind_point_of(update_template->bind_point), shape, set);
   if (data)
      icd_update_template_apply(update_template, shape, data, pData);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPushDescriptorSetWithTemplate2(VkCommandBuffer commandBuffer,
                                                                 const VkPushDescriptorSetWithTemplateInfo *pInfo)
{
   icd_CmdPushDescriptorSetWithTemplate(commandBuffer, pInfo->descriptorUpdateTemplate, pInfo->layout, pInfo->set,
                                        pInfo->pData);
}

/* ---- push constants ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                VkShaderStageFlags stageFlags, uint32_t offset, uint32_t size,
                                                const void *pValues)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   if (offset > ABI_MAX_PUSH_BYTES || size > ABI_MAX_PUSH_BYTES - offset)
      return;
   const void *data = rt_cmd_data(stream, pValues, size);
   struct rt_cmd_push_constants *cmd = data ? RT_CMD_APPEND(stream, push_constants) : NULL;
   if (!cmd)
      return;
   cmd->offset_bytes = offset;
   cmd->size_bytes = size;
   cmd->data = data;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPushConstants2(VkCommandBuffer commandBuffer, const VkPushConstantsInfo *pInfo)
{
   icd_CmdPushConstants(commandBuffer, pInfo->layout, pInfo->stageFlags, pInfo->offset, pInfo->size, pInfo->pValues);
}

/* ---- vertex and index buffers ---- */

static void bind_vertex_buffers(struct rt_cmd_stream *stream, uint32_t first, uint32_t count, const VkBuffer *handles,
                                const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
   struct rt_cmd_bind_vertex_buffers *cmd = RT_CMD_APPEND(stream, bind_vertex_buffers);
   struct rt_vertex_buffer *buffers = rt_cmd_data(stream, NULL, count * sizeof(*buffers));
   uint32_t *stride_bytes = strides ? rt_cmd_data(stream, NULL, count * sizeof(*stride_bytes)) : NULL;
   if (!cmd || !buffers)
      return;
   for (uint32_t i = 0; i < count; i++) {
      const struct icd_buffer *buffer = icd_buffer_from_handle(handles[i]);
      buffers[i] = (struct rt_vertex_buffer){0};
      if (buffer) {
         buffers[i].data = buffer->data + offsets[i];
         buffers[i].size_bytes = icd_buffer_range(buffer, offsets[i], sizes ? sizes[i] : VK_WHOLE_SIZE);
      }
      if (stride_bytes)
         stride_bytes[i] = (uint32_t)strides[i];
   }
   cmd->first = first;
   cmd->count = count;
   cmd->buffers = buffers;
   cmd->strides = stride_bytes;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindVertexBuffers(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                    uint32_t bindingCount, const VkBuffer *pBuffers,
                                                    const VkDeviceSize *pOffsets)
{
   bind_vertex_buffers(icd_stream(commandBuffer), firstBinding, bindingCount, pBuffers, pOffsets, NULL, NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindVertexBuffers2(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                     uint32_t bindingCount, const VkBuffer *pBuffers,
                                                     const VkDeviceSize *pOffsets, const VkDeviceSize *pSizes,
                                                     const VkDeviceSize *pStrides)
{
   bind_vertex_buffers(icd_stream(commandBuffer), firstBinding, bindingCount, pBuffers, pOffsets, pSizes, pStrides);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindIndexBuffer2(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset,
                                                   VkDeviceSize size, VkIndexType indexType)
{
   const struct icd_buffer *buffer = icd_buffer_from_handle(_buffer);
   struct rt_cmd_bind_index_buffer *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), bind_index_buffer);
   if (!cmd)
      return;
   if (buffer) {
      cmd->data = buffer->data + offset;
      cmd->size_bytes = icd_buffer_range(buffer, offset, size);
   }
   cmd->index_bytes = icd_index_bytes(indexType);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindIndexBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                                  VkIndexType indexType)
{
   icd_CmdBindIndexBuffer2(commandBuffer, buffer, offset, VK_WHOLE_SIZE, indexType);
}

#ifdef VK_EXT_primitive_restart_index
VKAPI_ATTR void VKAPI_CALL icd_CmdSetPrimitiveRestartIndexEXT(VkCommandBuffer commandBuffer, uint32_t primitiveRestartIndex)
{
   struct rt_cmd_set_restart_index *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), set_restart_index);
   if (cmd)
      cmd->index = primitiveRestartIndex;
}
#endif
