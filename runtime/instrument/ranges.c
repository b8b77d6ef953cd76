/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/instrument.h"

#include "util/alloc.h"

#include <pthread.h>

#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct rt_range *ranges; /* under lock, in the order of being added; this and the next two */
static uint32_t num_ranges, cap_ranges;

static void remove_one(const void *object)
{
   for (uint32_t i = 0; i < num_ranges; i++) {
      if (ranges[i].object != object)
         continue;
      num_ranges--;
      memmove(&ranges[i], &ranges[i + 1], (num_ranges - i) * sizeof(*ranges));
      return;
   }
}

static bool has_room(void)
{
   if (num_ranges < cap_ranges)
      return true;
   const uint32_t cap = UTIL_MAX(64u, cap_ranges * 2);
   struct rt_range *larger = util_realloc(ranges, cap * sizeof(*larger));
   if (!larger)
      return false;
   ranges = larger;
   cap_ranges = cap;
   return true;
}

void rt_range_add(const struct rt_range *range)
{
   pthread_rwlock_wrlock(&lock);
   remove_one(range->object);
   if (has_room())
      ranges[num_ranges++] = *range;
   pthread_rwlock_unlock(&lock);
}

void rt_range_remove(const void *object)
{
   pthread_rwlock_wrlock(&lock);
   remove_one(object);
   if (!num_ranges) {
      util_mfree(ranges);
      ranges = NULL;
      cap_ranges = 0;
   }
   pthread_rwlock_unlock(&lock);
}

bool rt_range_find(uint64_t address, uint64_t bytes, uint32_t classes, struct rt_range *range)
{
   bool is_found = false;
   pthread_rwlock_rdlock(&lock);
   for (uint32_t i = num_ranges; i-- && !is_found;) {
      const struct rt_range *it = &ranges[i];
      if (!(classes >> it->class & 1) || address < it->begin || address >= it->end || bytes > it->end - address)
         continue;
      *range = *it;
      is_found = true;
   }
   pthread_rwlock_unlock(&lock);
   return is_found;
}
