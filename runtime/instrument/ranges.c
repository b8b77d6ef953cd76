/* SPDX-License-Identifier: MIT
 * Ranges in the order of their beginnings, each with the furthest end up to it, so that a search stops where no range before can reach the address. */
#include "runtime/instrument/instrument.h"

#include "util/alloc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct entry {
   struct rt_range range;
   uint64_t furthest; /* end of this range and of all before it */
   uint64_t number;   /* in the order of being added */
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct entry *entries; /* under lock, sorted by range.begin; this and the next three */
static uint32_t num_entries, cap_entries;
static uint64_t num_added;
static _Atomic uint64_t num_changes; /* written under lock */

/* The first entry that begins behind the address. */
static uint32_t behind(uint64_t address)
{
   uint32_t low = 0, high = num_entries;
   while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (entries[middle].range.begin <= address)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

static void set_furthest(uint32_t from)
{
   for (uint32_t i = from; i < num_entries; i++)
      entries[i].furthest = UTIL_MAX(entries[i].range.end, i ? entries[i - 1].furthest : 0);
}

static void remove_one(const void *object)
{
   for (uint32_t i = 0; i < num_entries; i++) {
      if (entries[i].range.object != object)
         continue;
      num_entries--;
      memmove(&entries[i], &entries[i + 1], (num_entries - i) * sizeof(*entries));
      set_furthest(i);
      return;
   }
}

static bool has_room(void)
{
   if (num_entries < cap_entries)
      return true;
   const uint32_t cap = UTIL_MAX(64u, cap_entries * 2);
   struct entry *larger = util_realloc(entries, cap * sizeof(*larger));
   if (!larger)
      return false;
   entries = larger;
   cap_entries = cap;
   return true;
}

void rt_range_add(const struct rt_range *range)
{
   pthread_rwlock_wrlock(&lock);
   remove_one(range->object);
   if (has_room()) {
      const uint32_t at = behind(range->begin);
      memmove(&entries[at + 1], &entries[at], (num_entries - at) * sizeof(*entries));
      entries[at] = (struct entry){.range = *range, .number = ++num_added};
      num_entries++;
      set_furthest(at);
   }
   atomic_fetch_add(&num_changes, 1);
   pthread_rwlock_unlock(&lock);
}

void rt_range_remove(const void *object)
{
   pthread_rwlock_wrlock(&lock);
   remove_one(object);
   if (!num_entries) {
      util_mfree(entries);
      entries = NULL;
      cap_entries = 0;
   }
   atomic_fetch_add(&num_changes, 1);
   pthread_rwlock_unlock(&lock);
}

static bool holds(const struct rt_range *range, uint64_t address, uint64_t bytes)
{
   return address >= range->begin && address < range->end && bytes <= range->end - address;
}

bool rt_range_find(uint64_t address, uint64_t bytes, uint32_t classes, struct rt_range *range)
{
   uint64_t number = 0;
   pthread_rwlock_rdlock(&lock);
   for (uint32_t i = behind(address); i-- && entries[i].furthest > address;) {
      const struct entry *it = &entries[i];
      if (!(classes >> it->range.class & 1) || it->number < number || !holds(&it->range, address, bytes))
         continue;
      *range = it->range;
      number = it->number;
   }
   pthread_rwlock_unlock(&lock);
   return number != 0;
}

/* Each thread remembers the range in which it was last. */
bool rt_range_is_addressed(uint64_t address, uint64_t bytes)
{
   static _Thread_local struct rt_range last;
   static _Thread_local uint64_t last_changes = UINT64_MAX;
   const uint64_t changes = atomic_load(&num_changes);
   if (last_changes == changes && holds(&last, address, bytes))
      return true;
   if (!rt_range_find(address, bytes, 1u << RT_RANGE_ADDRESSED_BUFFER, &last))
      return false;
   last_changes = changes;
   return true;
}
