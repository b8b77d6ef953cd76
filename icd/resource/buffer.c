/* SPDX-License-Identifier: MIT
 * Buffers: creation, memory requirements, binding, addresses. */
#include "icd/resource/buffer.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device.h"
#include "icd/resource/device_memory.h"
#include "icd/resource/memory_requirements.h"

static VkBufferUsageFlags2 usage_of(const VkBufferCreateInfo *info)
{
   const VkBufferUsageFlags2CreateInfo *flags2 =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
   return flags2 ? flags2->usage : info->usage;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateBuffer(VkDevice _device, const VkBufferCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
   struct icd_device *device = icd_device_from_handle(_device);
   if (pCreateInfo->size > device->physical_device->properties.maxBufferSize)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;

   struct icd_buffer *buffer = icd_object_alloc(device, pAllocator, sizeof(*buffer), VK_OBJECT_TYPE_BUFFER);
   if (!buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   buffer->size_bytes = pCreateInfo->size;
   buffer->usage = usage_of(pCreateInfo);
   *pBuffer = icd_buffer_to_handle(buffer);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyBuffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_buffer_from_handle(buffer));
}

/* ---- memory requirements ---- */

static void requirements(uint64_t size_bytes, VkMemoryRequirements *out)
{
   /* A size near 2^64, which is never created, must not wrap around. */
   const uint64_t size =
      size_bytes > UINT64_MAX - ICD_BUFFER_ALIGN ? size_bytes : util_align(size_bytes, ICD_BUFFER_ALIGN);
   *out = icd_memory_requirements(size, ICD_BUFFER_ALIGN);
}

VKAPI_ATTR void VKAPI_CALL icd_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                           VkMemoryRequirements *pMemoryRequirements)
{
   requirements(icd_buffer_from_handle(buffer)->size_bytes, pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL icd_GetBufferMemoryRequirements2(VkDevice device,
                                                            const VkBufferMemoryRequirementsInfo2 *pInfo,
                                                            VkMemoryRequirements2 *pMemoryRequirements)
{
   requirements(icd_buffer_from_handle(pInfo->buffer)->size_bytes, &pMemoryRequirements->memoryRequirements);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceBufferMemoryRequirements(VkDevice device,
                                                                 const VkDeviceBufferMemoryRequirements *pInfo,
                                                                 VkMemoryRequirements2 *pMemoryRequirements)
{
   requirements(pInfo->pCreateInfo->size, &pMemoryRequirements->memoryRequirements);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

/* ---- binding ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                                    VkDeviceSize memoryOffset)
{
   icd_buffer_from_handle(buffer)->data = icd_device_memory_from_handle(memory)->data + memoryOffset;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
                                                     const VkBindBufferMemoryInfo *pBindInfos)
{
   for (uint32_t i = 0; i < bindInfoCount; i++) {
      const VkBindBufferMemoryInfo *info = &pBindInfos[i];
      const VkBindMemoryStatus *status = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
      const VkResult result = icd_BindBufferMemory(device, info->buffer, info->memory, info->memoryOffset);
      if (status)
         *status->pResult = result;
   }
   return VK_SUCCESS;
}

/* ---- addresses: those of the process ---- */

VKAPI_ATTR VkDeviceAddress VKAPI_CALL icd_GetBufferDeviceAddress(VkDevice device,
                                                                 const VkBufferDeviceAddressInfo *pInfo)
{
   return (uintptr_t)icd_buffer_from_handle(pInfo->buffer)->data;
}

/* bufferDeviceAddressCaptureReplay is not supported: nothing to capture. */
VKAPI_ATTR uint64_t VKAPI_CALL icd_GetBufferOpaqueCaptureAddress(VkDevice device,
                                                                 const VkBufferDeviceAddressInfo *pInfo)
{
   return 0;
}
