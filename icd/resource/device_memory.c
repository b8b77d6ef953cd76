/* SPDX-License-Identifier: MIT
 * Device memory: allocation within the heap's budget, mapping. */
#include "icd/resource/device_memory.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/instrument/host_cache.h"
#include "icd/instrument/instrument.h"
#include "icd/resource/memory_report.h"
#include "runtime/instrument/written.h"
#include "util/debug.h"
#include "util/dma_buf.h"
#include "util/reserved.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
   MIN_MAPPING_BYTES = 64 << 10, /* smaller ones cost less in the C library's heap */
   SLACK_BYTES = 64,             /* vector code may read one vector past the end of what it asks for */
};

static _Atomic uint64_t process_used_bytes[ICD_NUM_MEMORY_HEAPS];

uint64_t icd_memory_used_bytes(uint64_t of_heaps[ICD_NUM_MEMORY_HEAPS])
{
   uint64_t sum = 0;
   for (uint32_t i = 0; i < ICD_NUM_MEMORY_HEAPS; i++)
      sum += of_heaps[i] = atomic_load(&process_used_bytes[i]);
   return sum;
}

/* Counts `size` bytes against the heap; false if they are more than it has. */
static bool heap_reserve(struct icd_device *device, uint32_t heap, uint64_t size)
{
   const uint64_t heap_bytes = device->physical_device->memory.memoryHeaps[heap].size;
   uint64_t used = atomic_load_explicit(&device->memory_used_bytes, memory_order_relaxed);
   do {
      if (size > heap_bytes || used > heap_bytes - size)
         return false;
   } while (!atomic_compare_exchange_weak(&device->memory_used_bytes, &used, used + size));
   atomic_fetch_add(&process_used_bytes[heap], size);
   return true;
}

static void heap_release(struct icd_device *device, uint32_t heap, uint64_t size)
{
   atomic_fetch_sub(&device->memory_used_bytes, size);
   atomic_fetch_sub(&process_used_bytes[heap], size);
   atomic_fetch_sub(&device->num_memory_objects, 1);
}

/* What is chained to VkMemoryAllocateInfo; each may be NULL. */
struct chained {
   const VkImportMemoryFdInfoKHR *fd;
   const VkImportMemoryHostPointerInfoEXT *host;
   bool is_exported, is_dma_buf, wants_zeros, is_captured; /* is_dma_buf: exported as one too */
   uint64_t captured_address; /* where another process had it; 0: anywhere */
};

static struct chained find_chained(const void *chain)
{
   struct chained chained = {
      .fd = icd_chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR),
      .host = icd_chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT),
   };
   const VkExportMemoryAllocateInfo *export = icd_chain_find(chain, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
   chained.is_dma_buf = export && export->handleTypes & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
   chained.is_exported = chained.is_dma_buf || (export && export->handleTypes & VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
   const VkMemoryAllocateFlagsInfo *flags = icd_chain_find(chain, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
   const VkMemoryOpaqueCaptureAddressAllocateInfo *captured =
      icd_chain_find(chain, VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
   chained.is_captured = flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
   chained.captured_address = captured ? captured->opaqueCaptureAddress : 0;
#ifdef VK_EXT_zero_initialize_device_memory
   chained.wants_zeros = flags && flags->flags & VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT;
#endif
   /* No type: nothing is imported. */
   if (chained.fd && !chained.fd->handleType)
      chained.fd = NULL;
   if (chained.host && !chained.host->handleType)
      chained.host = NULL;
   return chained;
}

/* What may be bound to sparse resources, which begins at 64 KiB, or be mapped where the application wants it, is made of pages that can be
 * mapped twice. */
static void *commit_private(struct icd_device_memory *memory, size_t size, const struct icd_features *enabled, bool is_captured)
{
   if (enabled->memoryMapPlaced || (enabled->sparseBinding && memory->size_bytes >= MIN_MAPPING_BYTES)) {
      memory->source = ICD_MEMORY_PAGES;
      return util_pages_create(util_align(size, UTIL_PAGE_BYTES));
   }
   void *followed = icd_checks() & ABI_CHECK_UNINIT && !is_captured ? rt_followed_create(size) : NULL;
   if (followed) {
      memory->source = ICD_MEMORY_FOLLOWED;
      return followed;
   }
   memory->source = size >= MIN_MAPPING_BYTES || is_captured ? ICD_MEMORY_MAPPING : ICD_MEMORY_HEAP;
   if (memory->source == ICD_MEMORY_HEAP)
      return util_zalloc(NULL, size, UTIL_PAGE_BYTES, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return data == MAP_FAILED ? NULL : data;
}

/* To an address that another process can have too, or to that which another process had. */
static VkResult move_memory(struct icd_device_memory *memory, uint64_t wanted)
{
   const size_t size = util_align(memory->size_bytes + SLACK_BYTES, UTIL_PAGE_BYTES);
   void *at = util_reserved_create_at((void *)(uintptr_t)wanted, size);
   if (!at)
      return wanted ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (!util_reserved_move(at, memory->data, size)) {
      util_reserved_destroy(at, size);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   memory->data = at;
   if (memory->source == ICD_MEMORY_SHARED)
      memory->shared.data = at;
   return VK_SUCCESS;
}

static void memory_release(struct icd_device_memory *memory)
{
   switch (memory->source) {
   case ICD_MEMORY_HEAP:
      util_free(NULL, memory->data);
      break;
   case ICD_MEMORY_MAPPING:
      munmap(memory->data, memory->size_bytes + SLACK_BYTES);
      break;
   case ICD_MEMORY_FOLLOWED:
      rt_followed_destroy(memory->data, memory->size_bytes + SLACK_BYTES);
      break;
   case ICD_MEMORY_PAGES:
      util_reserved_destroy(memory->data, util_align(memory->size_bytes + SLACK_BYTES, UTIL_PAGE_BYTES));
      break;
   case ICD_MEMORY_SHARED:
   case ICD_MEMORY_DEVICE:
      util_shared_memory_finish(&memory->shared);
      if (memory->dma_buf >= 0)
         close(memory->dma_buf);
      break;
   case ICD_MEMORY_HOST:
      break;
   }
}

/* Zero-filled, but for bugs to be found. VK_ERROR_OUT_OF_DEVICE_MEMORY when the system has no more. */
static VkResult memory_commit(struct icd_device_memory *memory, const struct chained *chained, const struct icd_features *enabled)
{
   const size_t size = memory->size_bytes + SLACK_BYTES;
   if (!chained->is_exported) {
      memory->data = commit_private(memory, size, enabled, chained->is_captured);
   } else if (util_shared_memory_create(&memory->shared, "vk_swrast-memory", size)) {
      memory->source = ICD_MEMORY_SHARED;
      memory->data = memory->shared.data;
   }
   if (!memory->data)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (chained->wants_zeros)
      rt_written(memory->data, memory->size_bytes);
   else if (util_debug(UTIL_DEBUG_POISON))
      memset(memory->data, 0xcd, memory->size_bytes);
   VkResult result = chained->is_captured ? move_memory(memory, chained->captured_address) : VK_SUCCESS;
   if (result == VK_SUCCESS && chained->is_dma_buf) {
      memory->dma_buf = util_dma_buf_create(&memory->shared); /* the system has a limit on their size */
      result = memory->dma_buf >= 0 ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   if (result != VK_SUCCESS)
      memory_release(memory);
   return result;
}

/* The descriptor is taken on success. */
static VkResult memory_import(struct icd_device_memory *memory, const struct chained *chained)
{
   if (chained->host) {
      memory->source = ICD_MEMORY_HOST;
      memory->data = chained->host->pHostPointer;
      return VK_SUCCESS;
   }
   const bool is_dma_buf = chained->fd->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
   if (!(is_dma_buf ? util_dma_buf_import(&memory->shared, chained->fd->fd, memory->size_bytes, SLACK_BYTES)
                    : util_shared_memory_import(&memory->shared, chained->fd->fd, memory->size_bytes + SLACK_BYTES)))
      return errno == EINVAL ? VK_ERROR_INVALID_EXTERNAL_HANDLE : VK_ERROR_OUT_OF_HOST_MEMORY;
   memory->source = is_dma_buf ? ICD_MEMORY_DEVICE : ICD_MEMORY_SHARED;
   memory->data = memory->shared.data;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateMemory(VkDevice _device, const VkMemoryAllocateInfo *pAllocateInfo,
                                                  const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const uint32_t max_objects = device->physical_device->properties.core.limits.maxMemoryAllocationCount;
   const uint64_t size = pAllocateInfo->allocationSize;
   const uint32_t first_type = icd_first_memory_type(), last_type = first_type + ICD_NUM_MEMORY_TYPES - 1;
   const uint32_t type = UTIL_MIN(pAllocateInfo->memoryTypeIndex, last_type);
   const uint32_t heap = device->physical_device->memory.memoryTypes[type].heapIndex;
   const bool is_protected = type == first_type + ICD_MEMORY_TYPE_PROTECTED;
   const struct chained chained = find_chained(pAllocateInfo->pNext);
   const bool is_import = chained.fd || chained.host;
   const uint64_t counted_bytes = is_import ? 0 : size; /* what is imported was counted where it was made */
   VkResult result = VK_ERROR_TOO_MANY_OBJECTS;

   if (atomic_fetch_add(&device->num_memory_objects, 1) >= max_objects)
      goto uncount;
   result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
   if (is_protected && (is_import || chained.is_exported))
      goto uncount;
   result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (size > device->physical_device->properties.maxMemoryAllocationSize || !heap_reserve(device, heap, counted_bytes))
      goto uncount;

   struct icd_device_memory *memory =
      icd_object_alloc(device, pAllocator, sizeof(*memory), VK_OBJECT_TYPE_DEVICE_MEMORY);
   if (!memory) {
      heap_release(device, heap, counted_bytes);
      icd_report_no_memory(device, heap, size);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   memory->size_bytes = size;
   memory->counted_bytes = counted_bytes;
   memory->heap = heap;
   memory->is_protected = is_protected;
   memory->is_import = is_import;
   memory->is_coherent = type >= first_type || is_import || chained.is_exported;
   memory->shared.fd = memory->dma_buf = -1;
   result = is_import ? memory_import(memory, &chained) : memory_commit(memory, &chained, &device->features);
   if (result != VK_SUCCESS) {
      icd_object_free(device, pAllocator, memory);
      heap_release(device, heap, counted_bytes);
      icd_report_no_memory(device, heap, size);
      return result;
   }
   icd_report_memory(device, memory, true);
   *pMemory = icd_device_memory_to_handle(memory);
   return VK_SUCCESS;

uncount:
   atomic_fetch_sub(&device->num_memory_objects, 1);
   icd_report_no_memory(device, heap, size);
   return result;
}

/* Ends the mapping where the application wanted it. */
static void unplace(struct icd_device_memory *memory)
{
   if (memory->placed)
      util_reserved_release(memory->placed, memory->placed_bytes);
   memory->placed = NULL;
}

VKAPI_ATTR void VKAPI_CALL icd_FreeMemory(VkDevice _device, VkDeviceMemory _memory,
                                          const VkAllocationCallbacks *pAllocator)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_device_memory *memory = icd_device_memory_from_handle(_memory);
   if (!memory)
      return;
   unplace(memory);
   icd_host_cache_destroy(device, memory->host_cache);
   icd_report_memory(device, memory, false);
   icd_instrument_forget(device, memory->data, memory->size_bytes);
   memory_release(memory);
   heap_release(device, memory->heap, memory->counted_bytes);
   icd_object_free(device, pAllocator, memory);
}

/* All memory is mapped all the time, so that mapping only says where; of what is protected it is not said. Of what is not coherent the host gets a copy. */
VKAPI_ATTR VkResult VKAPI_CALL icd_MapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                             VkDeviceSize size, VkMemoryMapFlags flags, void **ppData)
{
   struct icd_device_memory *object = icd_device_memory_from_handle(memory);
   if (object->is_protected)
      return VK_ERROR_MEMORY_MAP_FAILED;
   if (!object->is_coherent && !object->host_cache) {
      object->host_cache = icd_host_cache_create(icd_device_from_handle(device), object);
      if (!object->host_cache)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   *ppData = (object->host_cache ? object->host_cache->data : object->data) + offset;
   if (UTIL_UNLIKELY(icd_checks() & ABI_CHECK_UNINIT)) /* what the host can write counts as written */
      rt_written(object->data + offset, size == VK_WHOLE_SIZE ? object->size_bytes - offset : size);
   return VK_SUCCESS;
}

/* VK_EXT_map_memory_placed. The same pages, so nothing has to be kept equal. */
static VkResult map_placed(struct icd_device *device, const VkMemoryMapInfo *info, void *at)
{
   struct icd_device_memory *memory = icd_device_memory_from_handle(info->memory);
   const uint64_t rest = memory->size_bytes - UTIL_MIN(info->offset, memory->size_bytes);
   const size_t bytes = util_align(UTIL_MIN(info->size, rest), UTIL_PAGE_BYTES);
   if (memory->is_protected || (memory->source != ICD_MEMORY_PAGES && memory->source != ICD_MEMORY_SHARED))
      return VK_ERROR_MEMORY_MAP_FAILED;
   if (!util_reserved_map(at, memory->data + info->offset, bytes))
      return VK_ERROR_MEMORY_MAP_FAILED;
   icd_host_cache_destroy(device, memory->host_cache);
   memory->host_cache = NULL;
   memory->is_coherent = true;
   memory->placed = at;
   memory->placed_bytes = bytes;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MapMemory2(VkDevice device, const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
   const VkMemoryMapPlacedInfoEXT *placed = icd_chain_find(pMemoryMapInfo->pNext, VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
   if (pMemoryMapInfo->flags & VK_MEMORY_MAP_PLACED_BIT_EXT && placed) {
      *ppData = placed->pPlacedAddress;
      return map_placed(icd_device_from_handle(device), pMemoryMapInfo, placed->pPlacedAddress);
   }
   return icd_MapMemory(device, pMemoryMapInfo->memory, pMemoryMapInfo->offset, pMemoryMapInfo->size,
                        pMemoryMapInfo->flags, ppData);
}

VKAPI_ATTR void VKAPI_CALL icd_UnmapMemory(VkDevice device, VkDeviceMemory memory)
{
   unplace(icd_device_memory_from_handle(memory));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_UnmapMemory2(VkDevice device, const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
   struct icd_device_memory *memory = icd_device_memory_from_handle(pMemoryUnmapInfo->memory);
   if (!(pMemoryUnmapInfo->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) || !memory->placed) {
      unplace(memory);
      return VK_SUCCESS;
   }
   if (!util_reserved_block(memory->placed, memory->placed_bytes))
      return VK_ERROR_MEMORY_MAP_FAILED;
   memory->placed = NULL;
   return VK_SUCCESS;
}

/* Where memory is coherent these say no more than that the host has written, or is going to read. */
static void note_host_access(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges, bool is_write)
{
   for (uint32_t i = 0; i < count; i++) {
      const struct icd_device_memory *memory = icd_device_memory_from_handle(ranges[i].memory);
      const uint64_t rest = memory->size_bytes - UTIL_MIN(ranges[i].offset, memory->size_bytes);
      const uint64_t size = UTIL_MIN(ranges[i].size, rest);
      if (memory->host_cache)
         (is_write ? icd_host_cache_flush : icd_host_cache_invalidate)(icd_device_from_handle(device), memory->host_cache, ranges[i].offset, size);
      icd_instrument_host_access(icd_device_from_handle(device), memory->data + ranges[i].offset, size, is_write);
   }
}

VKAPI_ATTR VkResult VKAPI_CALL icd_FlushMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
                                                           const VkMappedMemoryRange *pMemoryRanges)
{
   note_host_access(device, memoryRangeCount, pMemoryRanges, true);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_InvalidateMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
                                                                const VkMappedMemoryRange *pMemoryRanges)
{
   note_host_access(device, memoryRangeCount, pMemoryRanges, false);
   return VK_SUCCESS;
}

/* The kernel decides what is paged out, by use. */
VKAPI_ATTR void VKAPI_CALL icd_SetDeviceMemoryPriorityEXT(VkDevice device, VkDeviceMemory memory, float priority)
{
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory memory,
                                                         VkDeviceSize *pCommittedMemoryInBytes)
{
   *pCommittedMemoryInBytes = icd_device_memory_from_handle(memory)->size_bytes;
}

VKAPI_ATTR uint64_t VKAPI_CALL
icd_GetDeviceMemoryOpaqueCaptureAddress(VkDevice device, const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
   return (uintptr_t)icd_device_memory_from_handle(pInfo->memory)->data;
}
