/* SPDX-License-Identifier: MIT
 * Command buffers: allocation and life cycle. The commands are in icd/cmd/. */
#include "icd/command_buffer.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/descriptor/descriptor_heap.h"
#include "icd/device/device.h"

#include <string.h>

static VkResult buffer_create(struct icd_command_pool *pool, VkCommandBufferLevel level, VkCommandBuffer *handle)
{
   struct icd_device *device = pool->base.device;
   struct icd_command_buffer *buffer =
      icd_object_alloc(device, pool->allocator, sizeof(*buffer), VK_OBJECT_TYPE_COMMAND_BUFFER);
   if (!buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   buffer->pool = pool;
   buffer->level = level;
   rt_cmd_stream_init(&buffer->stream);
   util_list_add_before(&buffer->link, &pool->buffers);
   *handle = icd_command_buffer_to_handle(buffer);
   return VK_SUCCESS;
}

void icd_command_buffer_destroy(struct icd_command_buffer *buffer)
{
   struct icd_command_pool *pool = buffer->pool;
   util_list_remove(&buffer->link);
   rt_cmd_stream_finish(&buffer->stream);
   icd_object_free(pool->base.device, pool->allocator, buffer);
}

void icd_command_buffer_reset(struct icd_command_buffer *buffer, bool gives_back_memory)
{
   if (gives_back_memory) {
      rt_cmd_stream_finish(&buffer->stream);
      rt_cmd_stream_init(&buffer->stream);
   } else {
      rt_cmd_stream_reset(&buffer->stream);
   }
   buffer->pass = (struct icd_pass_state){0};
   for (uint32_t i = 0; i < RT_NUM_BIND_POINTS; i++)
      buffer->push[i] = (struct icd_push_state){0};
   memset(buffer->shaders, 0, sizeof(buffer->shaders));
   memset(buffer->descriptor_buffers, 0, sizeof(buffer->descriptor_buffers));
   buffer->density_offsets = (struct icd_density_offsets){0};
   buffer->resolve_rendering = NULL;
   memset(buffer->bound, 0, sizeof(buffer->bound));
   buffer->next_bound = 0;
   buffer->graph = NULL;
   buffer->state = ICD_COMMAND_BUFFER_INITIAL;
}

VKAPI_ATTR void VKAPI_CALL icd_FreeCommandBuffers(VkDevice device, VkCommandPool commandPool,
                                                  uint32_t commandBufferCount, const VkCommandBuffer *pCommandBuffers)
{
   for (uint32_t i = 0; i < commandBufferCount; i++) {
      if (pCommandBuffers[i])
         icd_command_buffer_destroy(icd_command_buffer_from_handle(pCommandBuffers[i]));
   }
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateCommandBuffers(VkDevice device,
                                                          const VkCommandBufferAllocateInfo *pAllocateInfo,
                                                          VkCommandBuffer *pCommandBuffers)
{
   struct icd_command_pool *pool = icd_command_pool_from_handle(pAllocateInfo->commandPool);
   for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; i++) {
      const VkResult result = buffer_create(pool, pAllocateInfo->level, &pCommandBuffers[i]);
      if (result == VK_SUCCESS)
         continue;
      icd_FreeCommandBuffers(device, pAllocateInfo->commandPool, i, pCommandBuffers);
      for (uint32_t k = 0; k < pAllocateInfo->commandBufferCount; k++)
         pCommandBuffers[k] = VK_NULL_HANDLE;
      return result;
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                      const VkCommandBufferBeginInfo *pBeginInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   if (buffer->state != ICD_COMMAND_BUFFER_INITIAL)
      icd_command_buffer_reset(buffer, false);
   buffer->state = ICD_COMMAND_BUFFER_RECORDING;
   buffer->usage = pBeginInfo->flags;
#ifdef VK_EXT_descriptor_heap
   const VkCommandBufferInheritanceDescriptorHeapInfoEXT *heaps =
      buffer->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && pBeginInfo->pInheritanceInfo
         ? icd_chain_find(pBeginInfo->pInheritanceInfo->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT) : NULL;
   if (heaps)
      icd_inherit_heaps(commandBuffer, heaps);
#endif
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   if (buffer->stream.is_out_of_memory) {
      buffer->state = ICD_COMMAND_BUFFER_INVALID;
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   buffer->state = ICD_COMMAND_BUFFER_EXECUTABLE;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetCommandBuffer(VkCommandBuffer commandBuffer, VkCommandBufferResetFlags flags)
{
   icd_command_buffer_reset(icd_command_buffer_from_handle(commandBuffer),
                            flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT);
   return VK_SUCCESS;
}
