/* SPDX-License-Identifier: MIT */
#include "icd/instrument/host_cache.h"

#include "icd/device/device.h"
#include "runtime/instrument/hazards.h"
#include "util/alloc.h"

#include <string.h>

struct icd_host_cache *icd_host_cache_create(struct icd_device *device, const struct icd_device_memory *memory)
{
   struct icd_host_cache *cache = util_calloc(1, sizeof(*cache));
   if (!cache)
      return NULL;
   cache->memory = memory;
   cache->data = util_malloc(memory->size_bytes);
   cache->known = util_malloc(memory->size_bytes);
   if (!cache->data || !cache->known) {
      util_mfree(cache->data);
      util_mfree(cache->known);
      util_mfree(cache);
      return NULL;
   }
   memcpy(cache->data, memory->data, memory->size_bytes);
   memcpy(cache->known, memory->data, memory->size_bytes);
   pthread_mutex_lock(&device->objects_lock);
   cache->next = device->host_caches;
   device->host_caches = cache;
   pthread_mutex_unlock(&device->objects_lock);
   return cache;
}

void icd_host_cache_destroy(struct icd_device *device, struct icd_host_cache *cache)
{
   if (!cache)
      return;
   pthread_mutex_lock(&device->objects_lock);
   struct icd_host_cache **link = &device->host_caches;
   while (*link != cache)
      link = &(*link)->next;
   *link = cache->next;
   pthread_mutex_unlock(&device->objects_lock);
   util_mfree(cache->data);
   util_mfree(cache->known);
   util_mfree(cache);
}

void icd_host_cache_flush(struct icd_device *device, struct icd_host_cache *cache, uint64_t offset, uint64_t size_bytes)
{
   pthread_mutex_lock(&device->objects_lock);
   memcpy(cache->memory->data + offset, cache->data + offset, size_bytes);
   memcpy(cache->known + offset, cache->data + offset, size_bytes);
   pthread_mutex_unlock(&device->objects_lock);
}

void icd_host_cache_invalidate(struct icd_device *device, struct icd_host_cache *cache, uint64_t offset, uint64_t size_bytes)
{
   pthread_mutex_lock(&device->objects_lock);
   memcpy(cache->data + offset, cache->memory->data + offset, size_bytes);
   memcpy(cache->known + offset, cache->memory->data + offset, size_bytes);
   pthread_mutex_unlock(&device->objects_lock);
}

/* The next byte from `at` on that differs, or that does not; the size: there is none. */
static uint64_t find(const struct icd_host_cache *cache, uint64_t at, bool differs)
{
   enum { BLOCK = 4096 };
   const uint64_t size = cache->memory->size_bytes;
   while (at < size && (cache->data[at] != cache->known[at]) != differs) {
      const bool is_block = differs && at % BLOCK == 0 && size - at >= BLOCK && !memcmp(cache->data + at, cache->known + at, BLOCK);
      at += is_block ? BLOCK : 1;
   }
   return at;
}

static void note_changes(struct icd_device *device, struct icd_host_cache *cache)
{
   enum { MAX_RANGES = 64 };
   struct rt_byte_range ranges[MAX_RANGES];
   const uintptr_t base = (uintptr_t)cache->memory->data;
   const uint64_t size = cache->memory->size_bytes;
   uint32_t count = 0;
   for (uint64_t begin = find(cache, 0, true), end; begin < size; begin = find(cache, end, true)) {
      end = find(cache, begin, false);
      memcpy(cache->known + begin, cache->data + begin, end - begin);
      ranges[count++] = (struct rt_byte_range){base + begin, base + end};
      if (count == MAX_RANGES) {
         rt_hazards_unflushed(device->hazards, ranges, count);
         count = 0;
      }
   }
   if (count)
      rt_hazards_unflushed(device->hazards, ranges, count);
}

void icd_host_caches_submit(struct icd_device *device)
{
   if (!device->hazards)
      return;
   pthread_mutex_lock(&device->objects_lock);
   for (struct icd_host_cache *cache = device->host_caches; cache; cache = cache->next)
      note_changes(device, cache);
   pthread_mutex_unlock(&device->objects_lock);
}
