/* SPDX-License-Identifier: MIT
 * BLAKE3 by LLVM's library for what needs no LLVM, and a table with linear probing. */
#include "util/hash.h"

#include "util/alloc.h"

#include <assert.h>
#include <llvm-c/blake3.h>
#include <stdalign.h>
#include <string.h>

#define FIRST_CAPACITY 16

/* The code for the processor is chosen at the first call, without a lock: so that is made before there are threads. */
__attribute__((constructor)) static void choose_code(void)
{
   (void)util_hash_bytes("", 1);
}

static_assert(sizeof(llvm_blake3_hasher) <= sizeof(struct util_hasher) && alignof(llvm_blake3_hasher) <= alignof(struct util_hasher), "its state");

static llvm_blake3_hasher *state_of(struct util_hasher *hasher)
{
   return (llvm_blake3_hasher *)hasher->state;
}

void util_hasher_begin(struct util_hasher *hasher)
{
   llvm_blake3_hasher_init(state_of(hasher));
}

/* It calls itself for each half, on stacks of the application's: so it gets parts of a bounded size, large enough for all vectors. */
void util_hasher_add(struct util_hasher *hasher, const void *data, size_t size)
{
   const size_t max_bytes = 64 << 10;
   const char *bytes = data;
   for (; size > max_bytes; size -= max_bytes, bytes += max_bytes)
      llvm_blake3_hasher_update(state_of(hasher), bytes, max_bytes);
   llvm_blake3_hasher_update(state_of(hasher), bytes, size);
}

void util_hasher_add_array(struct util_hasher *hasher, const void *data, size_t num, size_t size)
{
   util_hasher_add(hasher, &num, sizeof(num));
   util_hasher_add(hasher, data, num * size);
}

struct util_hash util_hasher_end(const struct util_hasher *hasher)
{
   struct util_hash hash;
   llvm_blake3_hasher_finalize((const llvm_blake3_hasher *)hasher->state, (uint8_t *)&hash, sizeof(hash));
   return hash;
}

struct util_hash util_hash_bytes(const void *data, size_t size)
{
   struct util_hasher hasher;
   util_hasher_begin(&hasher);
   util_hasher_add(&hasher, data, size);
   return util_hasher_end(&hasher);
}

void util_hash_text(uint64_t hash[2], const char *text)
{
   const struct util_hash whole = util_hash_bytes(text, strlen(text));
   hash[0] = whole.lo;
   hash[1] = whole.hi;
}

struct util_hash util_hash_more(struct util_hash seed, const void *data, size_t size)
{
   struct util_hasher hasher;
   util_hasher_begin(&hasher);
   util_hasher_add(&hasher, &seed, sizeof(seed));
   util_hasher_add(&hasher, data, size);
   return util_hasher_end(&hasher);
}

struct util_hash util_hash_keyed(const struct util_secret *secret, struct util_hash name, const void *data, size_t size)
{
   struct util_hasher hasher;
   llvm_blake3_hasher_init_keyed(state_of(&hasher), secret->bytes);
   util_hasher_add(&hasher, data, size); /* first, so that its chunks begin where it does and go side by side */
   util_hasher_add(&hasher, &name, sizeof(name));
   return util_hasher_end(&hasher);
}

void util_table_init(struct util_table *table)
{
   *table = (struct util_table){0};
}

void util_table_finish(struct util_table *table)
{
   util_mfree(table->entries);
   util_table_init(table);
}

/* The slot of `key`, or the free one where it belongs. The table is never full. */
static size_t find_slot(const struct util_table *table, struct util_hash key)
{
   size_t slot = key.lo & (table->capacity - 1);
   while (table->entries[slot].value && !util_hash_equal(table->entries[slot].key, key))
      slot = (slot + 1) & (table->capacity - 1);
   return slot;
}

void *util_table_find(const struct util_table *table, struct util_hash key)
{
   return table->capacity ? table->entries[find_slot(table, key)].value : NULL;
}

static bool grow(struct util_table *table)
{
   struct util_table larger = {.capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY,
                               .count = table->count};
   larger.entries = util_calloc(larger.capacity, sizeof(*larger.entries));
   if (!larger.entries)
      return false;
   for (size_t i = 0; i < table->capacity; i++) {
      if (table->entries[i].value)
         larger.entries[find_slot(&larger, table->entries[i].key)] = table->entries[i];
   }
   util_mfree(table->entries);
   *table = larger;
   return true;
}

bool util_table_insert(struct util_table *table, struct util_hash key, void *value)
{
   if ((table->count + 1) * 4 > table->capacity * 3 && !util_table_find(table, key) && !grow(table))
      return false;
   struct util_table_entry *entry = &table->entries[find_slot(table, key)];
   table->count += entry->value == NULL;
   *entry = (struct util_table_entry){key, value};
   return true;
}

void *util_table_remove(struct util_table *table, struct util_hash key)
{
   if (!table->capacity)
      return NULL;
   const size_t mask = table->capacity - 1;
   size_t hole = find_slot(table, key);
   void *value = table->entries[hole].value;
   if (!value)
      return NULL;

   /* Moves what follows and was displaced back into the hole, so that no probe ends early. */
   for (size_t slot = (hole + 1) & mask; table->entries[slot].value; slot = (slot + 1) & mask) {
      const size_t home = table->entries[slot].key.lo & mask;
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
         table->entries[hole] = table->entries[slot];
         hole = slot;
      }
   }
   table->entries[hole] = (struct util_table_entry){0};
   table->count--;
   return value;
}
