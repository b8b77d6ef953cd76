/* SPDX-License-Identifier: MIT */
#include "icd/cache/pipeline_cache.h"

#include "gen/icd_entrypoints.h"

#include <string.h>

struct comp_binary *icd_pipeline_cache_copy(struct icd_pipeline_cache *cache, struct util_hash key)
{
   return icd_blob_table_copy(&cache->binaries, key);
}

bool icd_pipeline_cache_has(struct icd_pipeline_cache *cache, struct util_hash key)
{
   return icd_blob_table_has(&cache->binaries, key);
}

bool icd_pipeline_cache_add(struct icd_pipeline_cache *cache, struct util_hash key, const struct comp_binary *binary)
{
   return icd_blob_table_add(&cache->binaries, key, binary, binary->total_bytes);
}

static VkPipelineCacheHeaderVersionOne cache_header(const struct icd_device *device)
{
   const struct icd_properties *properties = &device->physical_device->properties;
   VkPipelineCacheHeaderVersionOne header = {
      .headerSize = sizeof(header),
      .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
      .vendorID = properties->core.vendorID,
      .deviceID = properties->core.deviceID,
   };
   memcpy(header.pipelineCacheUUID, properties->core.pipelineCacheUUID, VK_UUID_SIZE);
   return header;
}

static void cache_destroy(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_pipeline_cache *cache)
{
   icd_blob_table_finish(&cache->binaries);
   icd_object_free(device, allocator, cache);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePipelineCache(VkDevice _device, const VkPipelineCacheCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator, VkPipelineCache *result)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const VkPipelineCacheHeaderVersionOne header = cache_header(device);
   struct icd_pipeline_cache *cache = icd_object_alloc(device, allocator, sizeof(*cache), VK_OBJECT_TYPE_PIPELINE_CACHE);
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!icd_blob_table_init(&cache->binaries)) {
      icd_object_free(device, allocator, cache);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   if (info->initialDataSize && !icd_blob_table_read(&cache->binaries, info->pInitialData, info->initialDataSize, &header, sizeof(header),
                                                     comp_binary_is_valid)) {
      cache_destroy(device, allocator, cache);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   *result = icd_pipeline_cache_to_handle(cache);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipelineCache(VkDevice device, VkPipelineCache cache,
                                                    const VkAllocationCallbacks *allocator)
{
   if (cache)
      cache_destroy(icd_device_from_handle(device), allocator, icd_pipeline_cache_from_handle(cache));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineCacheData(VkDevice device, VkPipelineCache cache, size_t *size, void *data)
{
   const VkPipelineCacheHeaderVersionOne header = cache_header(icd_device_from_handle(device));
   return icd_blob_table_write(&icd_pipeline_cache_from_handle(cache)->binaries, &header, sizeof(header), size, data);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MergePipelineCaches(VkDevice device, VkPipelineCache _into, uint32_t count,
                                                       const VkPipelineCache *caches)
{
   struct icd_pipeline_cache *into = icd_pipeline_cache_from_handle(_into);
   bool is_whole = true;

   for (uint32_t i = 0; i < count; i++)
      is_whole = icd_blob_table_merge(&into->binaries, &icd_pipeline_cache_from_handle(caches[i])->binaries) && is_whole;
   return is_whole ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}
