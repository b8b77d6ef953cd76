/* SPDX-License-Identifier: MIT
 * Buffers: creation, memory requirements, binding, addresses. */
#include "icd/resource/buffer.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/resource/device_memory.h"
#include "icd/resource/memory_report.h"
#include "icd/resource/memory_requirements.h"
#include "runtime/accel/tree.h"
#include "runtime/device.h"
#include "runtime/image/sparse_blocks.h"

static VkBufferUsageFlags2 usage_of(const VkBufferCreateInfo *info)
{
   const VkBufferUsageFlags2CreateInfo *flags2 =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
   return flags2 ? flags2->usage : info->usage;
}

static bool is_sparse(const VkBufferCreateInfo *info)
{
   return info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
}

/* A sparse buffer has addresses of its own; those of others are their memory's. */
static struct rt_sparse_info sparse_info(const VkBufferCreateInfo *info)
{
   const VkBufferOpaqueCaptureAddressCreateInfo *captured =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO);
   return (struct rt_sparse_info){
      .size_bytes = util_align(info->size, RT_SPARSE_BLOCK_BYTES),
      .has_residency = info->flags & VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
      .is_captured = info->flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
      .captured_address = captured ? captured->opaqueCaptureAddress : 0,
   };
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateBuffer(VkDevice _device, const VkBufferCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
   struct icd_device *device = icd_device_from_handle(_device);
   if (pCreateInfo->size > device->physical_device->properties.maxBufferSize)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;

   size_t bytes = sizeof(struct icd_buffer);
   const size_t sparse_at = icd_block_add(&bytes, is_sparse(pCreateInfo), sizeof(struct rt_sparse));
   struct icd_buffer *buffer = icd_object_alloc(device, pAllocator, bytes, VK_OBJECT_TYPE_BUFFER);
   if (!buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   buffer->size_bytes = pCreateInfo->size;
   buffer->max_range_bytes = icd_max_buffer_range(device);
   buffer->flags = pCreateInfo->flags;
   buffer->usage = usage_of(pCreateInfo);
   if (is_sparse(pCreateInfo)) {
      struct rt_sparse *sparse = icd_block_at(buffer, sparse_at);
      const struct rt_sparse_info info = sparse_info(pCreateInfo);
      const VkResult result = rt_sparse_init(sparse, rt_device_sparses(device->rt), &info);
      if (result != VK_SUCCESS) {
         icd_object_free(device, pAllocator, buffer);
         return result;
      }
      buffer->sparse = sparse;
      buffer->data = sparse->base;
      icd_report_addresses(device, &buffer->base, buffer->data, buffer->size_bytes, true, true);
      icd_instrument_add_buffer(buffer);
   }
   *pBuffer = icd_buffer_to_handle(buffer);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyBuffer(VkDevice _device, VkBuffer _buffer, const VkAllocationCallbacks *pAllocator)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_buffer *buffer = icd_buffer_from_handle(_buffer);
   icd_instrument_remove(buffer);
   if (buffer)
      icd_report_addresses(device, &buffer->base, buffer->data, buffer->size_bytes, false, false);
   if (buffer && buffer->sparse)
      rt_sparse_finish(buffer->sparse, rt_device_sparses(device->rt));
   icd_object_free(device, pAllocator, buffer);
}

/* ---- memory requirements ---- */

/* A structure's or micromap's offset in its buffer is a multiple of RT_ACCEL_ALIGN; its address is one only if the buffer's is. */
static uint64_t alignment(VkBufferCreateFlags flags, VkBufferUsageFlags2 usage)
{
   const VkBufferUsageFlags2 structures =
      VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_2_MICROMAP_STORAGE_BIT_EXT;
   if (flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
      return RT_SPARSE_BLOCK_BYTES;
   return usage & structures ? RT_ACCEL_ALIGN : ICD_BUFFER_ALIGN;
}

static void requirements(uint64_t size_bytes, VkBufferCreateFlags flags, VkBufferUsageFlags2 usage, VkMemoryRequirements *out)
{
   const uint64_t align = alignment(flags, usage);
   /* A size near 2^64, which is never created, must not wrap around. */
   const uint64_t size =
      size_bytes > UINT64_MAX - align ? size_bytes : util_align(size_bytes, align);
   *out = icd_memory_requirements(size, align, flags & VK_BUFFER_CREATE_PROTECTED_BIT);
}

VKAPI_ATTR void VKAPI_CALL icd_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                           VkMemoryRequirements *pMemoryRequirements)
{
   const struct icd_buffer *object = icd_buffer_from_handle(buffer);
   requirements(object->size_bytes, object->flags, object->usage, pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL icd_GetBufferMemoryRequirements2(VkDevice device,
                                                            const VkBufferMemoryRequirementsInfo2 *pInfo,
                                                            VkMemoryRequirements2 *pMemoryRequirements)
{
   icd_GetBufferMemoryRequirements(device, pInfo->buffer, &pMemoryRequirements->memoryRequirements);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceBufferMemoryRequirements(VkDevice device,
                                                                 const VkDeviceBufferMemoryRequirements *pInfo,
                                                                 VkMemoryRequirements2 *pMemoryRequirements)
{
   const VkBufferCreateInfo *info = pInfo->pCreateInfo;
   requirements(info->size, info->flags, usage_of(info), &pMemoryRequirements->memoryRequirements);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

/* ---- binding ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_BindBufferMemory(VkDevice device, VkBuffer _buffer, VkDeviceMemory memory,
                                                    VkDeviceSize memoryOffset)
{
   struct icd_buffer *buffer = icd_buffer_from_handle(_buffer);
   if (!buffer->sparse) { /* those have their addresses */
      buffer->data = icd_device_memory_from_handle(memory)->data + memoryOffset;
      icd_report_addresses(icd_device_from_handle(device), &buffer->base, buffer->data, buffer->size_bytes, true, false);
   }
   icd_instrument_add_buffer(buffer);
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

/* The address itself: the memory that the buffer is bound to is at the same one when it is replayed, or the buffer if it is sparse. */
VKAPI_ATTR uint64_t VKAPI_CALL icd_GetBufferOpaqueCaptureAddress(VkDevice device,
                                                                 const VkBufferDeviceAddressInfo *pInfo)
{
   return icd_GetBufferDeviceAddress(device, pInfo);
}
