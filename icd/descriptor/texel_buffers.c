/* SPDX-License-Identifier: MIT
 * Texel buffers without a VkBufferView: a hash table with chains, doubled when it is full. */
#include "icd/descriptor/texel_buffers.h"

#include "icd/device.h"
#include "runtime/image/image.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/size.h"
#include "util/thread.h"

#include <stddef.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

struct key {
   uint64_t address, range;
   uint64_t format;
};

struct entry {
   struct entry *next;
   struct key key;
   uint64_t hash;
   struct abi_image *view; /* behind the entry: only as much of it as texel buffers have, one level */
};

struct icd_texel_buffers {
   pthread_mutex_t lock;
   struct entry **slots;
   size_t num_slots, count; /* the first is a power of two */
};

static const size_t view_bytes = offsetof(struct abi_image, levels) + sizeof(struct abi_level);

static struct icd_texel_buffers *create(void)
{
   struct icd_texel_buffers *buffers = util_calloc(1, sizeof(*buffers));
   if (!buffers)
      return NULL;
   buffers->num_slots = FIRST_SLOTS;
   buffers->slots = util_calloc(FIRST_SLOTS, sizeof(*buffers->slots));
   if (!buffers->slots || !util_mutex_init(&buffers->lock)) {
      util_mfree(buffers->slots);
      util_mfree(buffers);
      return NULL;
   }
   return buffers;
}

void icd_texel_buffers_destroy(struct icd_texel_buffers *buffers)
{
   if (!buffers)
      return;
   for (size_t i = 0; i < buffers->num_slots; i++) {
      for (struct entry *entry = buffers->slots[i], *next; entry; entry = next) {
         next = entry->next;
         util_mfree(entry);
      }
   }
   pthread_mutex_destroy(&buffers->lock);
   util_mfree(buffers->slots);
   util_mfree(buffers);
}

/* The device's table; made by whoever comes first. */
static struct icd_texel_buffers *table_of(struct icd_device *device)
{
   struct icd_texel_buffers *found = __atomic_load_n(&device->texel_buffers, __ATOMIC_ACQUIRE);
   if (found)
      return found;
   struct icd_texel_buffers *made = create();
   if (!made || __atomic_compare_exchange_n(&device->texel_buffers, &found, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return made;
   icd_texel_buffers_destroy(made);
   return found;
}

/* Without memory for it the chains get longer. */
static void grow(struct icd_texel_buffers *buffers)
{
   const size_t num_slots = buffers->num_slots * 2;
   struct entry **slots = util_calloc(num_slots, sizeof(*slots));
   if (!slots)
      return;
   for (size_t i = 0; i < buffers->num_slots; i++) {
      for (struct entry *entry = buffers->slots[i], *next; entry; entry = next) {
         next = entry->next;
         entry->next = slots[entry->hash & (num_slots - 1)];
         slots[entry->hash & (num_slots - 1)] = entry;
      }
   }
   util_mfree(buffers->slots);
   buffers->slots = slots;
   buffers->num_slots = num_slots;
}

static struct entry *add(struct icd_texel_buffers *buffers, const struct key *key, uint64_t hash)
{
   const size_t view_at = util_align(sizeof(struct entry), 16);
   struct entry *entry = util_calloc(1, util_size_add(view_at, view_bytes));
   struct abi_image view;
   if (!entry)
      return NULL;
   if (buffers->count++ >= buffers->num_slots)
      grow(buffers);
   entry->key = *key;
   entry->hash = hash;
   entry->view = (struct abi_image *)((char *)entry + view_at);
   rt_buffer_view_init(&view, (void *)(uintptr_t)key->address, (VkFormat)key->format, key->range);
   memcpy(entry->view, &view, view_bytes);
   entry->next = buffers->slots[hash & (buffers->num_slots - 1)];
   buffers->slots[hash & (buffers->num_slots - 1)] = entry;
   return entry;
}

const struct abi_image *icd_texel_buffer(struct icd_device *device, VkDeviceAddress address, VkDeviceSize range, VkFormat format)
{
   struct icd_texel_buffers *buffers = table_of(device);
   if (!buffers)
      return NULL;
   const struct key key = {address, range, (uint64_t)format};
   const uint64_t hash = util_hash_bytes(&key, sizeof(key)).lo;
   pthread_mutex_lock(&buffers->lock);
   struct entry *entry = buffers->slots[hash & (buffers->num_slots - 1)];
   while (entry && memcmp(&entry->key, &key, sizeof(key)) != 0)
      entry = entry->next;
   if (!entry)
      entry = add(buffers, &key, hash);
   pthread_mutex_unlock(&buffers->lock);
   return entry ? entry->view : NULL;
}
