/* SPDX-License-Identifier: MIT */
#include "icd/cache/pipeline_cache.h"

#include "gen/icd_entrypoints.h"

#include "util/thread.h"

#include <string.h>

/* One shader in the data that vkGetPipelineCacheData gives; the binary follows, padded to 8 bytes. */
struct cache_record {
   struct util_hash key;
   uint64_t size_bytes;
};

static struct comp_binary *binary_copy(const void *data, size_t size)
{
   struct comp_binary *copy = util_malloc(size);
   if (copy)
      memcpy(copy, data, size);
   return copy;
}

struct comp_binary *icd_pipeline_cache_copy(struct icd_pipeline_cache *cache, struct util_hash key)
{
   pthread_mutex_lock(&cache->lock);
   const struct comp_binary *found = util_table_find(&cache->entries, key);
   struct comp_binary *copy = found ? binary_copy(found, found->total_bytes) : NULL;
   pthread_mutex_unlock(&cache->lock);
   return copy;
}

bool icd_pipeline_cache_has(struct icd_pipeline_cache *cache, struct util_hash key)
{
   pthread_mutex_lock(&cache->lock);
   const bool is_there = util_table_find(&cache->entries, key) != NULL;
   pthread_mutex_unlock(&cache->lock);
   return is_there;
}

bool icd_pipeline_cache_add(struct icd_pipeline_cache *cache, struct util_hash key, const struct comp_binary *binary)
{
   pthread_mutex_lock(&cache->lock);
   bool is_there = util_table_find(&cache->entries, key) != NULL;
   if (!is_there) {
      struct comp_binary *copy = binary_copy(binary, binary->total_bytes);
      is_there = copy && util_table_insert(&cache->entries, key, copy);
      if (!is_there)
         util_mfree(copy);
   }
   pthread_mutex_unlock(&cache->lock);
   return is_there;
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

/* Takes what is whole and ours of `data`; the rest is no error. False when memory is out. */
static bool cache_read(struct icd_pipeline_cache *cache, const struct icd_device *device, const uint8_t *data, size_t size)
{
   const VkPipelineCacheHeaderVersionOne header = cache_header(device);
   if (size < sizeof(header) || memcmp(data, &header, sizeof(header)) != 0)
      return true;
   size_t at = sizeof(header);
   while (size - at >= sizeof(struct cache_record)) {
      struct cache_record record;
      memcpy(&record, data + at, sizeof(record));
      at += sizeof(record);
      if (record.size_bytes > size - at || record.size_bytes < sizeof(struct comp_binary))
         break;
      /* The application's pointer may be unaligned: look at a copy. */
      struct comp_binary *binary = binary_copy(data + at, record.size_bytes);
      if (!binary)
         return false;
      const bool is_good = comp_binary_is_valid(binary, record.size_bytes);
      const bool is_kept = !is_good || icd_pipeline_cache_add(cache, record.key, binary);
      util_mfree(binary);
      if (!is_kept)
         return false;
      const size_t padded = util_align(record.size_bytes, 8);
      if (padded > size - at)
         break;
      at += padded;
   }
   return true;
}

static void cache_destroy(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_pipeline_cache *cache)
{
   for (size_t i = 0; i < cache->entries.capacity; i++)
      util_mfree(cache->entries.entries[i].value);
   util_table_finish(&cache->entries);
   pthread_mutex_destroy(&cache->lock);
   icd_object_free(device, allocator, cache);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePipelineCache(VkDevice _device, const VkPipelineCacheCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator, VkPipelineCache *result)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_pipeline_cache *cache = icd_object_alloc(device, allocator, sizeof(*cache), VK_OBJECT_TYPE_PIPELINE_CACHE);
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_mutex_init(&cache->lock)) {
      icd_object_free(device, allocator, cache);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   util_table_init(&cache->entries);
   if (info->initialDataSize && !cache_read(cache, device, info->pInitialData, info->initialDataSize)) {
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

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineCacheData(VkDevice _device, VkPipelineCache _cache, size_t *size, void *data)
{
   struct icd_pipeline_cache *cache = icd_pipeline_cache_from_handle(_cache);
   const VkPipelineCacheHeaderVersionOne header = cache_header(icd_device_from_handle(_device));
   const size_t room = data ? *size : SIZE_MAX;
   VkResult result = VK_SUCCESS;
   size_t at = sizeof(header);

   if (room < at) {
      *size = 0;
      return VK_INCOMPLETE;
   }
   if (data)
      memcpy(data, &header, sizeof(header));
   pthread_mutex_lock(&cache->lock);
   for (size_t i = 0; i < cache->entries.capacity; i++) {
      const struct comp_binary *binary = cache->entries.entries[i].value;
      if (!binary)
         continue;
      const struct cache_record record = {cache->entries.entries[i].key, binary->total_bytes};
      const size_t padded = util_align(binary->total_bytes, 8);
      if (sizeof(record) + padded > room - at) {
         result = VK_INCOMPLETE;
         continue; /* a smaller one may still fit */
      }
      if (data) {
         uint8_t *out = (uint8_t *)data + at;
         memcpy(out, &record, sizeof(record));
         memcpy(out + sizeof(record), binary, binary->total_bytes);
         memset(out + sizeof(record) + binary->total_bytes, 0, padded - binary->total_bytes);
      }
      at += sizeof(record) + padded;
   }
   pthread_mutex_unlock(&cache->lock);
   *size = at;
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MergePipelineCaches(VkDevice device, VkPipelineCache _into, uint32_t count,
                                                       const VkPipelineCache *caches)
{
   struct icd_pipeline_cache *into = icd_pipeline_cache_from_handle(_into);
   bool is_whole = true;

   for (uint32_t i = 0; i < count; i++) {
      struct icd_pipeline_cache *from = icd_pipeline_cache_from_handle(caches[i]);
      pthread_mutex_lock(&from->lock);
      for (size_t e = 0; e < from->entries.capacity; e++) {
         const struct util_table_entry *entry = &from->entries.entries[e];
         if (entry->value)
            is_whole = icd_pipeline_cache_add(into, entry->key, entry->value) && is_whole;
      }
      pthread_mutex_unlock(&from->lock);
   }
   return is_whole ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}
