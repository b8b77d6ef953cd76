/* SPDX-License-Identifier: MIT */
#include "icd/cache/blob_table.h"

#include "icd/cache/secret.h"
#include "util/alloc.h"
#include "util/thread.h"
#include "util/size.h"

#include <string.h>

struct blob {
   uint64_t size_bytes;
   uint8_t bytes[]; /* aligned to 8 */
};

/* In saved data; the bytes follow, padded to 8. */
struct record {
   struct util_hash key, tag;
   uint64_t size_bytes;
};

static struct blob *blob_create(const void *data, size_t size_bytes)
{
   struct blob *blob = util_malloc(util_size_add(sizeof(*blob), size_bytes));
   if (!blob)
      return NULL;
   blob->size_bytes = size_bytes;
   if (size_bytes)
      memcpy(blob->bytes, data, size_bytes);
   return blob;
}

bool icd_blob_table_init(struct icd_blob_table *table)
{
   util_table_init(&table->entries);
   return util_mutex_init(&table->lock);
}

void icd_blob_table_finish(struct icd_blob_table *table)
{
   for (size_t i = 0; i < table->entries.capacity; i++)
      util_mfree(table->entries.entries[i].value);
   util_table_finish(&table->entries);
   pthread_mutex_destroy(&table->lock);
}

bool icd_blob_table_has(struct icd_blob_table *table, struct util_hash key)
{
   pthread_mutex_lock(&table->lock);
   const bool is_there = util_table_find(&table->entries, key) != NULL;
   pthread_mutex_unlock(&table->lock);
   return is_there;
}

void *icd_blob_table_copy(struct icd_blob_table *table, struct util_hash key)
{
   pthread_mutex_lock(&table->lock);
   const struct blob *found = util_table_find(&table->entries, key);
   void *copy = found ? util_malloc(found->size_bytes) : NULL;
   if (copy)
      memcpy(copy, found->bytes, found->size_bytes);
   pthread_mutex_unlock(&table->lock);
   return copy;
}

/* Takes over `blob` (NULL: memory is out), which goes if there is one of that key. */
static bool take(struct icd_blob_table *table, struct util_hash key, struct blob *blob)
{
   pthread_mutex_lock(&table->lock);
   const bool is_there = util_table_find(&table->entries, key) != NULL;
   const bool is_kept = !is_there && blob && util_table_insert(&table->entries, key, blob);
   pthread_mutex_unlock(&table->lock);
   if (!is_kept)
      util_mfree(blob);
   return is_there || is_kept;
}

bool icd_blob_table_add(struct icd_blob_table *table, struct util_hash key, const void *data, size_t size_bytes)
{
   return icd_blob_table_has(table, key) || take(table, key, blob_create(data, size_bytes));
}

bool icd_blob_table_merge(struct icd_blob_table *into, struct icd_blob_table *from)
{
   bool is_whole = true;
   pthread_mutex_lock(&from->lock);
   for (size_t i = 0; i < from->entries.capacity; i++) {
      const struct util_table_entry *entry = &from->entries.entries[i];
      const struct blob *blob = entry->value;
      if (blob)
         is_whole = icd_blob_table_add(into, entry->key, blob->bytes, blob->size_bytes) && is_whole;
   }
   pthread_mutex_unlock(&from->lock);
   return is_whole;
}

static bool is_ours(const struct record *record, const void *bytes)
{
   struct util_hash tag;
   return icd_secret_tag(record->key, bytes, record->size_bytes, &tag) && util_hash_equal(tag, record->tag);
}

bool icd_blob_table_read(struct icd_blob_table *table, const void *data, size_t size_bytes, const void *header, size_t header_bytes,
                         bool (*is_good)(const void *bytes, size_t size_bytes))
{
   const uint8_t *bytes = data;
   if (size_bytes < header_bytes || memcmp(data, header, header_bytes) != 0)
      return true;
   size_t at = header_bytes;
   while (size_bytes - at >= sizeof(struct record)) {
      struct record record;
      memcpy(&record, bytes + at, sizeof(record));
      at += sizeof(record);
      if (record.size_bytes > size_bytes - at)
         break;
      /* The application's pointer may be unaligned: look at a copy. */
      struct blob *blob = blob_create(bytes + at, record.size_bytes);
      if (!blob)
         return false;
      if (!is_ours(&record, blob->bytes) || !is_good(blob->bytes, record.size_bytes))
         util_mfree(blob);
      else if (!take(table, record.key, blob))
         return false;
      const size_t padded = util_align(record.size_bytes, 8);
      if (padded > size_bytes - at)
         break;
      at += padded;
   }
   return true;
}

VkResult icd_blob_table_write(struct icd_blob_table *table, const void *header, size_t header_bytes, size_t *size_bytes, void *data)
{
   const size_t room = data ? *size_bytes : SIZE_MAX;
   uint8_t *bytes = data;
   VkResult result = VK_SUCCESS;
   size_t at = header_bytes;
   if (room < at) {
      *size_bytes = 0;
      return VK_INCOMPLETE;
   }
   if (data)
      memcpy(bytes, header, header_bytes);
   pthread_mutex_lock(&table->lock);
   for (size_t i = 0; i < table->entries.capacity; i++) {
      const struct blob *blob = table->entries.entries[i].value;
      if (!blob)
         continue;
      struct record record = {.key = table->entries.entries[i].key, .size_bytes = blob->size_bytes};
      const size_t padded = util_align(blob->size_bytes, 8);
      if (sizeof(record) + padded > room - at) {
         result = VK_INCOMPLETE;
         continue; /* a smaller one may still fit */
      }
      if (data && !icd_secret_tag(record.key, blob->bytes, blob->size_bytes, &record.tag)) {
         result = VK_INCOMPLETE; /* it could not be recognized as ours */
         continue;
      }
      if (data) {
         memcpy(bytes + at, &record, sizeof(record));
         memcpy(bytes + at + sizeof(record), blob->bytes, blob->size_bytes);
         memset(bytes + at + sizeof(record) + blob->size_bytes, 0, padded - blob->size_bytes);
      }
      at += sizeof(record) + padded;
   }
   pthread_mutex_unlock(&table->lock);
   *size_bytes = at;
   return result;
}
