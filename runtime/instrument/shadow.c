/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/shadow.h"

#include "util/alloc.h"

#include <string.h>

enum { MIN_CAPACITY = 256 };

void rt_shadow_finish(struct rt_shadow *shadow)
{
   util_mfree(shadow->granules);
   *shadow = (struct rt_shadow){0};
}

void rt_shadow_clear(struct rt_shadow *shadow)
{
   if (shadow->capacity > 16 * MIN_CAPACITY && shadow->count < shadow->capacity / 16) {
      rt_shadow_finish(shadow);
      return;
   }
   if (shadow->count)
      memset(shadow->granules, 0xff, shadow->capacity * sizeof(*shadow->granules));
   shadow->count = 0;
   shadow->is_out_of_memory = false;
}

static struct rt_granule *slot_of(struct rt_granule *granules, uint32_t capacity, uint64_t address)
{
   uint32_t at = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);
   while (granules[at].address != UINT64_MAX && granules[at].address != address)
      at = (at + 1) & (capacity - 1);
   return &granules[at];
}

static bool grow(struct rt_shadow *shadow)
{
   const uint32_t capacity = UTIL_MAX((uint32_t)MIN_CAPACITY, shadow->capacity * 2);
   if (capacity <= shadow->capacity)
      return false;
   struct rt_granule *granules = util_malloc(capacity * sizeof(*granules));
   if (!granules)
      return false;
   memset(granules, 0xff, capacity * sizeof(*granules));
   for (uint32_t i = 0; i < shadow->capacity; i++) {
      if (shadow->granules[i].address != UINT64_MAX)
         *slot_of(granules, capacity, shadow->granules[i].address) = shadow->granules[i];
   }
   util_mfree(shadow->granules);
   shadow->granules = granules;
   shadow->capacity = capacity;
   return true;
}

void rt_shadow_note(struct rt_shadow *shadow, uint64_t address, enum rt_shadow_class class, uint64_t access, uint32_t somebody_shift)
{
   if (shadow->count * UINT64_C(2) >= shadow->capacity && !grow(shadow)) {
      shadow->is_out_of_memory = true;
      return;
   }
   struct rt_granule *granule = slot_of(shadow->granules, shadow->capacity, address);
   if (granule->address == UINT64_MAX) {
      granule->address = address;
      shadow->count++;
   }
   uint64_t *best = granule->best[class];
   const uint64_t somebody = access >> somebody_shift;
   if (somebody == best[0] >> somebody_shift) {
      best[0] = UTIL_MIN(best[0], access);
   } else if (access < best[0]) {
      best[1] = best[0];
      best[0] = access;
   } else if (access < best[1]) { /* the same somebody's, or a lesser one's */
      best[1] = access;
   }
}

/* Classes that conflict. */
static const struct {
   uint8_t a, b;
} pairs[] = {
   {RT_SHADOW_WRITE, RT_SHADOW_WRITE},       {RT_SHADOW_READ, RT_SHADOW_WRITE},   {RT_SHADOW_ATOMIC_READ, RT_SHADOW_WRITE},
   {RT_SHADOW_WRITE, RT_SHADOW_ATOMIC},      {RT_SHADOW_READ, RT_SHADOW_ATOMIC},
};

static void find_in(const struct rt_granule *granule, const struct rt_conflicts *conflicts)
{
   uint64_t first = RT_NO_ACCESS, second = RT_NO_ACCESS;
   for (uint32_t p = 0; p < UTIL_ARRAY_SIZE(pairs); p++) {
      for (uint32_t i = 0; i < 4; i++) {
         const uint64_t x = granule->best[pairs[p].a][i & 1], y = granule->best[pairs[p].b][i >> 1];
         const uint64_t a = UTIL_MIN(x, y), b = UTIL_MAX(x, y);
         if (b == RT_NO_ACCESS || a >> conflicts->somebody_shift == b >> conflicts->somebody_shift)
            continue;
         if ((a < first || (a == first && b < second)) && !conflicts->are_ordered(conflicts->data, a, b)) {
            first = a;
            second = b;
         }
      }
   }
   if (first != RT_NO_ACCESS)
      conflicts->found(conflicts->data, granule->address, first, second);
}

void rt_shadow_find(const struct rt_shadow *shadow, const struct rt_conflicts *conflicts)
{
   for (uint32_t i = 0; shadow->count && i < shadow->capacity; i++) {
      if (shadow->granules[i].address != UINT64_MAX)
         find_in(&shadow->granules[i], conflicts);
   }
}
