/* SPDX-License-Identifier: MIT */
#include "icd/validate/validation_cache.h"

#include "compiler/compiler.h"
#include "gen/icd_entrypoints.h"

#include <string.h>

struct cache_header {
   uint32_t size_bytes, version; /* VkValidationCacheHeaderVersionEXT */
   uint8_t uuid[VK_UUID_SIZE];   /* of the build: other rules, other answers */
};

static struct cache_header cache_header(void)
{
   const struct util_hash build = comp_build_hash();
   struct cache_header header = {sizeof(header), VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT, {0}};
   memcpy(header.uuid, &build, sizeof(header.uuid));
   return header;
}

/* A record is its key alone: bytes behind it are damage. */
static bool is_empty(const void *bytes, size_t size_bytes)
{
   (void)bytes;
   return size_bytes == 0;
}

bool icd_validation_cache_has(struct icd_validation_cache *cache, struct util_hash key)
{
   return icd_blob_table_has(&cache->passed, key);
}

bool icd_validation_cache_add(struct icd_validation_cache *cache, struct util_hash key)
{
   return icd_blob_table_add(&cache->passed, key, NULL, 0);
}

static void cache_destroy(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_validation_cache *cache)
{
   icd_blob_table_finish(&cache->passed);
   icd_object_free(device, allocator, cache);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateValidationCacheEXT(VkDevice _device, const VkValidationCacheCreateInfoEXT *info,
                                                            const VkAllocationCallbacks *allocator, VkValidationCacheEXT *result)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const struct cache_header header = cache_header();
   struct icd_validation_cache *cache = icd_object_alloc(device, allocator, sizeof(*cache), VK_OBJECT_TYPE_VALIDATION_CACHE_EXT);
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!icd_blob_table_init(&cache->passed)) {
      icd_object_free(device, allocator, cache);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   if (info->initialDataSize &&
       !icd_blob_table_read(&cache->passed, info->pInitialData, info->initialDataSize, &header, sizeof(header), is_empty)) {
      cache_destroy(device, allocator, cache);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   *result = icd_validation_cache_to_handle(cache);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyValidationCacheEXT(VkDevice device, VkValidationCacheEXT cache,
                                                         const VkAllocationCallbacks *allocator)
{
   if (cache)
      cache_destroy(icd_device_from_handle(device), allocator, icd_validation_cache_from_handle(cache));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetValidationCacheDataEXT(VkDevice device, VkValidationCacheEXT cache, size_t *size, void *data)
{
   const struct cache_header header = cache_header();
   return icd_blob_table_write(&icd_validation_cache_from_handle(cache)->passed, &header, sizeof(header), size, data);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MergeValidationCachesEXT(VkDevice device, VkValidationCacheEXT _into, uint32_t count,
                                                            const VkValidationCacheEXT *caches)
{
   struct icd_validation_cache *into = icd_validation_cache_from_handle(_into);
   bool is_whole = true;

   for (uint32_t i = 0; i < count; i++)
      is_whole = icd_blob_table_merge(&into->passed, &icd_validation_cache_from_handle(caches[i])->passed) && is_whole;
   return is_whole ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}
