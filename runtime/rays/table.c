/* SPDX-License-Identifier: MIT
 * Groups by their ids: a hash table with linear probing, at most half full. Ids are random numbers, or what an application says that they
 * were when it captured them; the latter may make the table slow, not wrong. */
#include "runtime/rays/rays.h"

#include "runtime/instrument/watch.h"
#include "runtime/instrument/written.h"

#include <string.h>

uint32_t rt_ray_num_slots(uint32_t num_groups)
{
   uint32_t count = 2;
   while (count < num_groups * UINT64_C(2) && count < 1u << 31)
      count *= 2;
   return count;
}

static uint32_t slot_of(uint64_t id, uint32_t mask)
{
   return (uint32_t)(id ^ id >> 32) & mask;
}

void rt_ray_slots_fill(uint32_t *slots, uint32_t num_slots, const struct rt_ray_group *groups, uint32_t num_groups)
{
   const uint32_t mask = num_slots - 1;
   for (uint32_t i = 0; i < num_groups; i++) {
      uint32_t slot = slot_of(groups[i].id, mask);
      while (slots[slot] && groups[slots[slot] - 1].id != groups[i].id)
         slot = (slot + 1) & mask;
      if (!slots[slot]) /* else a library that is linked twice */
         slots[slot] = i + 1;
   }
}

static const struct rt_ray_group *find_id(const struct rt_ray_pipeline *pipeline, uint64_t id)
{
   uint32_t slot = slot_of(id, pipeline->slot_mask), index;
   while ((index = pipeline->slots[slot]) != 0) {
      if (pipeline->groups[index - 1].id == id)
         return &pipeline->groups[index - 1];
      slot = (slot + 1) & pipeline->slot_mask;
   }
   return NULL;
}

const struct rt_ray_group *rt_ray_find_group(const struct rt_launch *launch, const struct rt_ray_region *region, uint64_t index, uint64_t *data)
{
   struct rt_ray_handle handle;
   uint64_t offset, end;
   *data = 0;
   if (!region->address || __builtin_mul_overflow(index, region->stride_bytes, &offset) ||
       __builtin_add_overflow(offset, sizeof(handle), &end) || end > region->size_bytes)
      return NULL;
   const uint8_t *record = (const uint8_t *)(uintptr_t)region->address + offset;
   if (UTIL_UNLIKELY(launch->records != NULL)) {
      const uint64_t at = rt_find_unwritten(record, sizeof(handle));
      if (at < sizeof(handle))
         rt_watched_record(launch->records, (uintptr_t)record + at);
   }
   memcpy(&handle, record, sizeof(handle)); /* applications may align it anyhow */
   *data = (uint64_t)(uintptr_t)record + ABI_RECORD_BYTES;
   return find_id(launch->pipeline, handle.id);
}
_Static_assert(sizeof(struct rt_ray_handle) == ABI_RECORD_BYTES, "a record is a handle and its data");
