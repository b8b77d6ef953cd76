/* SPDX-License-Identifier: MIT
 * Command pools. The memory of commands is each command buffer's own. */
#include "icd/command_pool.h"

#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/device/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateCommandPool(VkDevice _device, const VkCommandPoolCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkCommandPool *pCommandPool)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_command_pool *pool = icd_object_alloc(device, pAllocator, sizeof(*pool), VK_OBJECT_TYPE_COMMAND_POOL);
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (pAllocator) {
      pool->allocator_storage = *pAllocator;
      pool->allocator = &pool->allocator_storage;
   }
   util_list_init(&pool->buffers);
   pool->family = pCreateInfo->queueFamilyIndex;
   *pCommandPool = icd_command_pool_to_handle(pool);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyCommandPool(VkDevice device, VkCommandPool commandPool,
                                                  const VkAllocationCallbacks *pAllocator)
{
   struct icd_command_pool *pool = icd_command_pool_from_handle(commandPool);
   if (!pool)
      return;
   UTIL_LIST_FOR_EACH (struct icd_command_buffer, buffer, &pool->buffers, link)
      icd_command_buffer_destroy(buffer);
   icd_object_free(icd_device_from_handle(device), pAllocator, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetCommandPool(VkDevice device, VkCommandPool commandPool,
                                                    VkCommandPoolResetFlags flags)
{
   struct icd_command_pool *pool = icd_command_pool_from_handle(commandPool);
   UTIL_LIST_FOR_EACH (struct icd_command_buffer, buffer, &pool->buffers, link)
      icd_command_buffer_reset(buffer, flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
   return VK_SUCCESS;
}

/* Command buffers without content keep memory for the next recording: that is what there is to give back. */
VKAPI_ATTR void VKAPI_CALL icd_TrimCommandPool(VkDevice device, VkCommandPool commandPool, VkCommandPoolTrimFlags flags)
{
   struct icd_command_pool *pool = icd_command_pool_from_handle(commandPool);
   UTIL_LIST_FOR_EACH (struct icd_command_buffer, buffer, &pool->buffers, link) {
      if (buffer->state == ICD_COMMAND_BUFFER_INITIAL)
         icd_command_buffer_reset(buffer, true);
   }
}
