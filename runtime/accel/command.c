/* SPDX-License-Identifier: MIT
 * Applies ranges to geometries and builds. */
#include "runtime/accel/command.h"

#include "runtime/accel/micromap.h"
#include "util/macros.h"

/* Spec: VkAccelerationStructureBuildRangeInfoKHR: which addresses the offsets count from. */
static void apply_range(struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range,
                        enum rt_accel_leaf leaf)
{
   geometry->num_primitives = range->primitiveCount;
   switch (leaf) {
   case RT_LEAF_SWEPT:
      geometry->swept.radii += range->firstVertex * geometry->swept.radius_stride_bytes + (geometry->triangles.indices ? 0 : range->primitiveOffset);
      __attribute__((fallthrough));
   case RT_LEAF_TRIANGLES:
      if (geometry->triangles.indices)
         geometry->triangles.indices += range->primitiveOffset;
      else
         geometry->triangles.vertices += range->primitiveOffset;
      geometry->triangles.vertices += range->firstVertex * geometry->triangles.stride_bytes;
      if (geometry->triangles.transform)
         geometry->triangles.transform =
            (const float *)((const char *)geometry->triangles.transform + range->transformOffset);
      break;
   case RT_LEAF_BOXES: geometry->boxes.data += range->primitiveOffset; break;
   case RT_LEAF_INSTANCES: geometry->instances.data += range->primitiveOffset; break;
   case RT_LEAF_MICROMAP: break; /* has none */
   }
}

const char *rt_accel_run(const struct rt_accel_command *command, const struct rt_accel_table *structures,
                         uint64_t (*resolve)(uint64_t reference), const struct rt_accel_loop *loop)
{
   if (command->leaf == RT_LEAF_MICROMAP) {
      const struct rt_accel_target target = {command->target.data, command->target.size_bytes, NULL};
      return rt_micromap_build(command->geometries, &target, loop ? loop->cancel : NULL) ? NULL : "a micromap is smaller than what is built in it";
   }
   for (uint32_t i = 0; i < command->num_geometries; i++) {
      VkAccelerationStructureBuildRangeInfoKHR range =
         *(const VkAccelerationStructureBuildRangeInfoKHR *)((const char *)command->ranges +
                                                             i * command->range_stride_bytes);
      if (command->max_primitives)
         range.primitiveCount = UTIL_MIN(range.primitiveCount, command->max_primitives[i]);
      apply_range(&command->geometries[i], &range, command->leaf);
   }
   const struct rt_accel_input input = {
      .leaf = command->leaf,
      .flags = command->flags,
      .geometries = command->geometries,
      .num_geometries = command->num_geometries,
      .structures = structures,
      .resolve = resolve,
   };
   const struct rt_accel_target target = {command->target.data, command->target.size_bytes, command->scratch};
   if (command->is_update)
      return rt_accel_update(&input, command->source.data, command->source.size_bytes, &target, loop)
                ? NULL
                : "the acceleration structure to update is none, or has no room in the target";
   return rt_accel_build(&input, &target, loop) ? NULL
                                                : "an acceleration structure is smaller than what is built in it";
}
