/* SPDX-License-Identifier: MIT
 * Device memory: allocation within the heap's budget, mapping. */
#include "icd/resource/device_memory.h"

#include "gen/icd_entrypoints.h"
#include "icd/device.h"
#include "util/debug.h"

#include <string.h>
#include <sys/mman.h>

enum {
   PAGE_BYTES = 4096,
   MIN_MAPPING_BYTES = 64 << 10, /* smaller ones cost less in the C library's heap */
   SLACK_BYTES = 64,             /* vector code may read one vector past the end of what it asks for */
};

/* Counts `size` bytes against the heap; false if they are more than it has. */
static bool heap_reserve(struct icd_device *device, uint64_t size)
{
   const uint64_t heap = device->physical_device->memory.memoryHeaps[0].size;
   uint64_t used = atomic_load_explicit(&device->memory_used_bytes, memory_order_relaxed);
   do {
      if (size > heap || used > heap - size)
         return false;
   } while (!atomic_compare_exchange_weak(&device->memory_used_bytes, &used, used + size));
   return true;
}

static void heap_release(struct icd_device *device, uint64_t size)
{
   atomic_fetch_sub(&device->memory_used_bytes, size);
   atomic_fetch_sub(&device->num_memory_objects, 1);
}

/* Zero-filled; false when the system has no more. */
static bool memory_commit(struct icd_device_memory *memory)
{
   const size_t size = memory->size_bytes + SLACK_BYTES;
   memory->is_mapping = size >= MIN_MAPPING_BYTES;
   if (memory->is_mapping) {
      void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      memory->data = data == MAP_FAILED ? NULL : data;
   } else {
      memory->data = util_zalloc(NULL, size, PAGE_BYTES, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   }
   if (memory->data && util_debug(UTIL_DEBUG_POISON))
      memset(memory->data, 0xcd, memory->size_bytes);
   return memory->data != NULL;
}

static void memory_release(struct icd_device_memory *memory)
{
   if (memory->is_mapping)
      munmap(memory->data, memory->size_bytes + SLACK_BYTES);
   else
      util_free(NULL, memory->data);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateMemory(VkDevice _device, const VkMemoryAllocateInfo *pAllocateInfo,
                                                  const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const uint32_t max_objects = device->physical_device->properties.core.limits.maxMemoryAllocationCount;
   const uint64_t size = pAllocateInfo->allocationSize;
   VkResult result = VK_ERROR_TOO_MANY_OBJECTS;

   if (atomic_fetch_add(&device->num_memory_objects, 1) >= max_objects)
      goto uncount;
   result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (size > device->physical_device->properties.maxMemoryAllocationSize || !heap_reserve(device, size))
      goto uncount;

   struct icd_device_memory *memory =
      icd_object_alloc(device, pAllocator, sizeof(*memory), VK_OBJECT_TYPE_DEVICE_MEMORY);
   if (!memory) {
      heap_release(device, size);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   memory->size_bytes = size;
   if (!memory_commit(memory)) {
      icd_object_free(device, pAllocator, memory);
      heap_release(device, size);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   *pMemory = icd_device_memory_to_handle(memory);
   return VK_SUCCESS;

uncount:
   atomic_fetch_sub(&device->num_memory_objects, 1);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_FreeMemory(VkDevice _device, VkDeviceMemory _memory,
                                          const VkAllocationCallbacks *pAllocator)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_device_memory *memory = icd_device_memory_from_handle(_memory);
   if (!memory)
      return;
   memory_release(memory);
   heap_release(device, memory->size_bytes);
   icd_object_free(device, pAllocator, memory);
}

/* All memory is mapped all the time, so that mapping only tells where. */
VKAPI_ATTR VkResult VKAPI_CALL icd_MapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                             VkDeviceSize size, VkMemoryMapFlags flags, void **ppData)
{
   *ppData = icd_device_memory_from_handle(memory)->data + offset;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MapMemory2(VkDevice device, const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
   return icd_MapMemory(device, pMemoryMapInfo->memory, pMemoryMapInfo->offset, pMemoryMapInfo->size,
                        pMemoryMapInfo->flags, ppData);
}

VKAPI_ATTR void VKAPI_CALL icd_UnmapMemory(VkDevice device, VkDeviceMemory memory)
{
}

VKAPI_ATTR VkResult VKAPI_CALL icd_UnmapMemory2(VkDevice device, const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
   return VK_SUCCESS;
}

/* The only memory type is coherent. */
VKAPI_ATTR VkResult VKAPI_CALL icd_FlushMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
                                                           const VkMappedMemoryRange *pMemoryRanges)
{
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_InvalidateMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
                                                                const VkMappedMemoryRange *pMemoryRanges)
{
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory memory,
                                                         VkDeviceSize *pCommittedMemoryInBytes)
{
   *pCommittedMemoryInBytes = icd_device_memory_from_handle(memory)->size_bytes;
}

/* bufferDeviceAddressCaptureReplay is not supported: nothing to capture. */
VKAPI_ATTR uint64_t VKAPI_CALL
icd_GetDeviceMemoryOpaqueCaptureAddress(VkDevice device, const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
   return 0;
}
