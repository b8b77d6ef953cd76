/* SPDX-License-Identifier: MIT */
#include "runtime/rays/rays.h"

#include <string.h>

const struct rt_ray_group *rt_ray_find_group(const struct rt_launch *launch, const struct rt_ray_region *region, uint64_t index, uint64_t *data)
{
   const struct rt_ray_pipeline *pipeline = launch->pipeline;
   struct rt_ray_handle handle;
   uint64_t offset, end;
   *data = 0;
   if (!region->address || __builtin_mul_overflow(index, region->stride_bytes, &offset) ||
       __builtin_add_overflow(offset, sizeof(handle), &end) || end > region->size_bytes)
      return NULL;
   const uint8_t *record = (const uint8_t *)(uintptr_t)region->address + offset;
   memcpy(&handle, record, sizeof(handle)); /* applications may place it anyhow */
   if (handle.key != pipeline->key || handle.group >= pipeline->num_groups)
      return NULL;
   *data = (uint64_t)(uintptr_t)record + ABI_RECORD_BYTES;
   return &pipeline->groups[handle.group];
}
_Static_assert(sizeof(struct rt_ray_handle) == ABI_RECORD_BYTES, "a record is a handle and its data");
