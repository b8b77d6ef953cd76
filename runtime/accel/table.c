/* SPDX-License-Identifier: MIT
 * Open addressing with linear probing. A slot that was used is never free again, so that a reader's search does not
 * break, but another address may take it; arrays that were outgrown are kept until the end, as somebody may still read
 * them. */
#include "runtime/accel/table.h"

#include "util/alloc.h"
#include "util/size.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdatomic.h>

struct slot {
   _Atomic uint64_t address; /* 0: free, for ever or until it is taken; release by the writer, acquire by readers */
   _Atomic uint64_t size;    /* 0: removed; the same */
   uint32_t count;           /* additions that are not removed; under lock */
};

struct slots {
   struct slots *outgrown;
   uint32_t log2, num_used;
   struct slot slots[];
};

struct rt_accel_table {
   pthread_mutex_t lock;
   _Atomic(struct slots *) slots; /* written under lock; release, acquire */
};

enum { FIRST_LOG2 = 8, MAX_LOG2 = 31 };

static uint32_t first_slot(const struct slots *slots, uint64_t address)
{
   return (uint32_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - slots->log2));
}

/* The slot of an address; else, for one that is to be added, the first on the path that nobody has, for others the free
 * one at its end. */
static struct slot *find_slot(struct slots *slots, uint64_t address, bool is_added)
{
   const uint32_t mask = (uint32_t)((UINT64_C(1) << slots->log2) - 1);
   struct slot *unused = NULL;
   for (uint32_t i = first_slot(slots, address);; i = (i + 1) & mask) {
      struct slot *slot = &slots->slots[i];
      const uint64_t found = atomic_load_explicit(&slot->address, memory_order_acquire);
      if (found == address)
         return slot;
      if (is_added && !slot->count && !unused)
         unused = slot;
      if (found == 0)
         return unused ? unused : slot;
   }
}

static struct slots *create_slots(uint32_t log2)
{
   struct slots *slots = util_calloc(1, util_size_array(sizeof(*slots), (size_t)1 << log2, sizeof(struct slot)));
   if (slots)
      slots->log2 = log2;
   return slots;
}

struct rt_accel_table *rt_accel_table_create(void)
{
   struct rt_accel_table *table = util_calloc(1, sizeof(*table));
   if (!table)
      return NULL;
   struct slots *slots = create_slots(FIRST_LOG2);
   if (!slots || !util_mutex_init(&table->lock)) {
      util_mfree(slots);
      util_mfree(table);
      return NULL;
   }
   atomic_init(&table->slots, slots);
   return table;
}

void rt_accel_table_destroy(struct rt_accel_table *table)
{
   if (!table)
      return;
   struct slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
   while (slots) {
      struct slots *outgrown = slots->outgrown;
      util_mfree(slots);
      slots = outgrown;
   }
   pthread_mutex_destroy(&table->lock);
   util_mfree(table);
}

static void fill(struct slots *slots, struct slot *slot, uint64_t address, uint64_t size, uint32_t count)
{
   slots->num_used += atomic_load_explicit(&slot->address, memory_order_relaxed) == 0;
   slot->count = count;
   atomic_store_explicit(&slot->size, size, memory_order_release);
   atomic_store_explicit(&slot->address, address, memory_order_release);
}

/* Half full at most, so that searches end. Slots that nobody has stay behind. */
static struct slots *grow(struct rt_accel_table *table, struct slots *old)
{
   struct slots *slots = old->log2 < MAX_LOG2 ? create_slots(old->log2 + 1) : NULL;
   if (!slots)
      return NULL;
   for (uint64_t i = 0; i < UINT64_C(1) << old->log2; i++) {
      const struct slot *slot = &old->slots[i];
      const uint64_t address = atomic_load_explicit(&slot->address, memory_order_relaxed);
      if (slot->count)
         fill(slots, find_slot(slots, address, true), address, atomic_load_explicit(&slot->size, memory_order_relaxed),
              slot->count);
   }
   slots->outgrown = old;
   atomic_store_explicit(&table->slots, slots, memory_order_release);
   return slots;
}

bool rt_accel_table_add(struct rt_accel_table *table, uint64_t address, uint64_t size)
{
   pthread_mutex_lock(&table->lock);
   struct slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
   if (((uint64_t)slots->num_used + 1) * 2 > UINT64_C(1) << slots->log2)
      slots = grow(table, slots);
   if (slots) {
      struct slot *slot = find_slot(slots, address, true);
      fill(slots, slot, address, size, slot->count + 1);
   }
   pthread_mutex_unlock(&table->lock);
   return slots != NULL;
}

void rt_accel_table_remove(struct rt_accel_table *table, uint64_t address)
{
   pthread_mutex_lock(&table->lock);
   struct slot *slot = find_slot(atomic_load_explicit(&table->slots, memory_order_relaxed), address, false);
   if (slot->count && --slot->count == 0)
      atomic_store_explicit(&slot->size, 0, memory_order_release);
   pthread_mutex_unlock(&table->lock);
}

uint64_t rt_accel_table_find(const struct rt_accel_table *table, uint64_t address)
{
   if (!table || !address)
      return 0;
   struct slot *slot = find_slot(atomic_load_explicit(&table->slots, memory_order_acquire), address, false);
   return atomic_load_explicit(&slot->address, memory_order_acquire) == address
             ? atomic_load_explicit(&slot->size, memory_order_acquire)
             : 0;
}
