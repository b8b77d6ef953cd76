/* SPDX-License-Identifier: MIT */
#include "icd/validate/validation_cache.h"

#include "gen/icd_entrypoints.h"
#include "util/build_id.h"
#include "util/thread.h"

#include <string.h>

struct cache_header {
   uint32_t size_bytes, version; /* VkValidationCacheHeaderVersionEXT */
   uint8_t uuid[VK_UUID_SIZE];   /* of the build: other rules, other answers */
};

static struct cache_header cache_header(void)
{
   const struct util_hash build = util_build_hash();
   struct cache_header header = {sizeof(header), VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT, {0}};
   memcpy(header.uuid, &build, sizeof(header.uuid));
   return header;
}

bool icd_validation_cache_has(struct icd_validation_cache *cache, struct util_hash key)
{
   pthread_mutex_lock(&cache->lock);
   const bool is_there = util_table_find(&cache->passed, key) != NULL;
   pthread_mutex_unlock(&cache->lock);
   return is_there;
}

bool icd_validation_cache_add(struct icd_validation_cache *cache, struct util_hash key)
{
   pthread_mutex_lock(&cache->lock);
   const bool is_kept = util_table_insert(&cache->passed, key, cache);
   pthread_mutex_unlock(&cache->lock);
   return is_kept;
}

static void cache_destroy(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_validation_cache *cache)
{
   util_table_finish(&cache->passed);
   pthread_mutex_destroy(&cache->lock);
   icd_object_free(device, allocator, cache);
}

/* Takes the keys if the data is of this build; else it is no error. False when memory is out. */
static bool cache_read(struct icd_validation_cache *cache, const uint8_t *data, size_t size)
{
   const struct cache_header header = cache_header();
   struct util_hash key;
   if (size < sizeof(header) || memcmp(data, &header, sizeof(header)) != 0)
      return true;
   for (size_t at = sizeof(header); size - at >= sizeof(key); at += sizeof(key)) {
      memcpy(&key, data + at, sizeof(key));
      if (!icd_validation_cache_add(cache, key))
         return false;
   }
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateValidationCacheEXT(VkDevice _device, const VkValidationCacheCreateInfoEXT *info,
                                                            const VkAllocationCallbacks *allocator, VkValidationCacheEXT *result)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_validation_cache *cache = icd_object_alloc(device, allocator, sizeof(*cache), VK_OBJECT_TYPE_VALIDATION_CACHE_EXT);
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_mutex_init(&cache->lock)) {
      icd_object_free(device, allocator, cache);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   util_table_init(&cache->passed);
   if (info->initialDataSize && !cache_read(cache, info->pInitialData, info->initialDataSize)) {
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

VKAPI_ATTR VkResult VKAPI_CALL icd_GetValidationCacheDataEXT(VkDevice device, VkValidationCacheEXT _cache, size_t *size, void *data)
{
   struct icd_validation_cache *cache = icd_validation_cache_from_handle(_cache);
   const struct cache_header header = cache_header();
   const size_t room = data ? *size : SIZE_MAX;
   size_t at = sizeof(header);

   if (room < at) {
      *size = 0;
      return VK_INCOMPLETE;
   }
   if (data)
      memcpy(data, &header, sizeof(header));
   pthread_mutex_lock(&cache->lock);
   size_t num_left = cache->passed.count;
   for (size_t i = 0; i < cache->passed.capacity && room - at >= sizeof(struct util_hash); i++) {
      const struct util_table_entry *entry = &cache->passed.entries[i];
      if (!entry->value)
         continue;
      if (data)
         memcpy((uint8_t *)data + at, &entry->key, sizeof(entry->key));
      at += sizeof(entry->key);
      num_left--;
   }
   pthread_mutex_unlock(&cache->lock);
   *size = at;
   return num_left ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MergeValidationCachesEXT(VkDevice device, VkValidationCacheEXT _into, uint32_t count,
                                                            const VkValidationCacheEXT *caches)
{
   struct icd_validation_cache *into = icd_validation_cache_from_handle(_into);
   bool is_whole = true;

   for (uint32_t i = 0; i < count; i++) {
      struct icd_validation_cache *from = icd_validation_cache_from_handle(caches[i]);
      pthread_mutex_lock(&from->lock);
      for (size_t e = 0; e < from->passed.capacity; e++) {
         const struct util_table_entry *entry = &from->passed.entries[e];
         if (entry->value)
            is_whole = icd_validation_cache_add(into, entry->key) && is_whole;
      }
      pthread_mutex_unlock(&from->lock);
   }
   return is_whole ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}
