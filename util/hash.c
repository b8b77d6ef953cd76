/* SPDX-License-Identifier: MIT
 * BLAKE2b by libb2, and a table with linear probing. */
#include "util/hash.h"

#include "util/alloc.h"

#include <blake2.h>

#define FIRST_CAPACITY 16

/* libb2 chooses the code for the processor at the first call of each function, without a lock: so these are made before there are threads. */
__attribute__((constructor)) static void choose_code(void)
{
   static const struct util_secret none;
   (void)util_hash_keyed(&none, util_hash_bytes("", 1), "", 1);
}

static struct util_hash finish(blake2b_state *state)
{
   struct util_hash hash;
   blake2b_final(state, (uint8_t *)&hash, sizeof(hash));
   return hash;
}

/* An empty update would be given a null pointer. */
static void update(blake2b_state *state, const void *data, size_t size)
{
   if (size)
      blake2b_update(state, data, size);
}

struct util_hash util_hash_bytes(const void *data, size_t size)
{
   blake2b_state state;
   blake2b_init(&state, sizeof(struct util_hash));
   update(&state, data, size);
   return finish(&state);
}

struct util_hash util_hash_more(struct util_hash seed, const void *data, size_t size)
{
   blake2b_state state;
   blake2b_init(&state, sizeof(struct util_hash));
   update(&state, &seed, sizeof(seed));
   update(&state, data, size);
   return finish(&state);
}

struct util_hash util_hash_keyed(const struct util_secret *secret, struct util_hash name, const void *data, size_t size)
{
   blake2b_state state;
   blake2b_init_key(&state, sizeof(struct util_hash), secret->bytes, sizeof(secret->bytes));
   update(&state, &name, sizeof(name));
   update(&state, data, size);
   return finish(&state);
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
