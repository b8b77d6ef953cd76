/* SPDX-License-Identifier: MIT
 * What builds and copies of acceleration structures read and write. Spec: Acceleration Structures, "Building", which stage and access each
 * part of a build has. Not looked at: what pointers to instances point to, spheres that indices name, data of micromaps. */
#include "runtime/instrument/watch.h"

#include <string.h>

#define BUILD VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR
#define COPY VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR
#define READ VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR
#define WRITE VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR

static const struct rt_watched_use build_read = {BUILD, READ, false, false};
static const struct rt_watched_use build_write = {BUILD, WRITE, true, false};
static const struct rt_watched_use input_read = {BUILD, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, false, false};
static const struct rt_watched_use ranges_read = {BUILD, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false, false};
/* Either stage is taken for theirs. */
static const struct rt_watched_use copy_read = {BUILD | COPY, READ, false, false};
static const struct rt_watched_use copy_write = {BUILD | COPY, WRITE, true, false};

static void use_memory(struct rt_watch *watch, const struct rt_watched_use *use, const void *data, uint64_t bytes)
{
   if (data && bytes)
      rt_watch_use(watch, use, (uintptr_t)data, (uintptr_t)data + bytes);
}

static uint32_t index_bytes(VkIndexType type)
{
   return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}

static void use_triangles(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const uint64_t corners = range->primitiveCount * UINT64_C(3), stride = geometry->triangles.stride_bytes;
   const uint8_t *vertices = geometry->triangles.vertices + range->firstVertex * stride;
   uint64_t last = corners - 1;
   if (geometry->triangles.indices) {
      use_memory(watch, &input_read, geometry->triangles.indices + range->primitiveOffset, corners * index_bytes(geometry->triangles.index_type));
      last = geometry->triangles.max_vertex;
   } else {
      vertices += range->primitiveOffset;
   }
   use_memory(watch, &input_read, vertices, last * stride + geometry->triangles.format->texel_bytes);
   if (geometry->triangles.transform)
      use_memory(watch, &input_read, (const char *)geometry->triangles.transform + range->transformOffset, sizeof(VkTransformMatrixKHR));
}

/* Of what indices name nothing is known here. */
static void use_swept(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const uint64_t corners = range->primitiveCount * (geometry->swept.is_sphere ? UINT64_C(1) : 2), stride = geometry->swept.radius_stride_bytes;
   if (geometry->triangles.indices) {
      const uint64_t indices = geometry->swept.is_successive ? range->primitiveCount : corners;
      use_memory(watch, &input_read, geometry->triangles.indices + range->primitiveOffset,
                 (indices - 1) * geometry->swept.index_stride_bytes + index_bytes(geometry->triangles.index_type));
      return;
   }
   use_memory(watch, &input_read, geometry->triangles.vertices + range->primitiveOffset + range->firstVertex * geometry->triangles.stride_bytes,
              (corners - 1) * geometry->triangles.stride_bytes + geometry->triangles.format->texel_bytes);
   use_memory(watch, &input_read, geometry->swept.radii + range->primitiveOffset + range->firstVertex * stride,
              (corners - 1) * stride + geometry->swept.radius_format->texel_bytes);
}

static void use_instances(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const uint8_t *data = geometry->instances.data + range->primitiveOffset;
   if (geometry->instances.is_pointers) {
      use_memory(watch, &input_read, data, range->primitiveCount * sizeof(uint64_t));
      return;
   }
   use_memory(watch, &input_read, data, range->primitiveCount * sizeof(VkAccelerationStructureInstanceKHR));
   for (uint32_t i = 0; i < range->primitiveCount; i++) {
      VkAccelerationStructureInstanceKHR instance;
      memcpy(&instance, data + i * sizeof(instance), sizeof(instance));
      use_memory(watch, &build_read, (const void *)(uintptr_t)instance.accelerationStructureReference, 1); /* whose size is not known here */
   }
}

static void use_geometry(struct rt_watch *watch, const struct rt_accel_command *build, uint32_t index,
                         const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const struct rt_accel_geometry *geometry = &build->geometries[index];
   if (!range->primitiveCount)
      return;
   switch (build->leaf) {
   case RT_LEAF_TRIANGLES: use_triangles(watch, geometry, range); break;
   case RT_LEAF_BOXES:
      use_memory(watch, &input_read, geometry->boxes.data + range->primitiveOffset,
                 (range->primitiveCount - 1) * geometry->boxes.stride_bytes + sizeof(VkAabbPositionsKHR));
      break;
   case RT_LEAF_SWEPT: use_swept(watch, geometry, range); break;
   case RT_LEAF_INSTANCES: use_instances(watch, geometry, range); break;
   case RT_LEAF_MICROMAP: break;
   }
}

static void use_build(struct rt_watch *watch, const struct rt_accel_command *build)
{
   uint64_t num_primitives = 0;
   for (uint32_t i = 0; build->leaf != RT_LEAF_MICROMAP && i < build->num_geometries; i++) {
      VkAccelerationStructureBuildRangeInfoKHR range;
      const char *at = (const char *)build->ranges + i * build->range_stride_bytes;
      memcpy(&range, at, sizeof(range));
      if (build->max_primitives) { /* the ranges stand in memory of the device */
         use_memory(watch, &ranges_read, at, sizeof(range));
         range.primitiveCount = UTIL_MIN(range.primitiveCount, build->max_primitives[i]);
      }
      num_primitives += range.primitiveCount;
      use_geometry(watch, build, i, &range);
   }
   const struct rt_accel_sizes sizes = rt_accel_sizes(build->leaf, num_primitives);
   if (build->is_update && build->source.data != build->target.data)
      use_memory(watch, &build_read, build->source.data, build->source.size_bytes);
   use_memory(watch, &build_write, build->scratch, build->is_update ? sizes.update_scratch : sizes.build_scratch);
   use_memory(watch, &build_write, build->target.data, build->target.size_bytes);
}

/* Serialized structures are transfers of as many bytes as stand in them, which the buffer may not have. */
static void use_serialized(struct rt_watch *watch, const struct rt_watched_use *use, const void *data, uint64_t bytes)
{
   struct rt_range buffer;
   if (rt_range_find((uintptr_t)data, 1, 1u << RT_RANGE_BUFFER | 1u << RT_RANGE_ADDRESSED_BUFFER, &buffer))
      use_memory(watch, use, data, UTIL_MIN(bytes, buffer.end - (uintptr_t)data));
}

static void use_copy(struct rt_watch *watch, const struct rt_cmd_copy_accel *copy)
{
   static const struct rt_watched_use read = {BUILD | COPY, VK_ACCESS_2_TRANSFER_READ_BIT, false, false};
   static const struct rt_watched_use write = {BUILD | COPY, VK_ACCESS_2_TRANSFER_WRITE_BIT, true, false};
   if (copy->mode == RT_ACCEL_DESERIALIZE)
      use_serialized(watch, &read, copy->from.data, rt_accel_serialized_bytes(copy->from.data));
   else
      use_memory(watch, &copy_read, copy->from.data, copy->from.size_bytes);
   if (copy->mode == RT_ACCEL_SERIALIZE)
      use_serialized(watch, &write, copy->to.data, rt_accel_property(copy->from, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR));
   else
      use_memory(watch, &copy_write, copy->to.data, copy->to.size_bytes);
}

void rt_watch_accel(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   if (cmd->type == RT_CMD_build_accel) {
      const struct rt_cmd_build_accel *builds = (const struct rt_cmd_build_accel *)cmd;
      for (uint32_t i = 0; i < builds->count; i++)
         use_build(watch, &builds->builds[i]);
   } else if (cmd->type == RT_CMD_copy_accel) {
      use_copy(watch, (const struct rt_cmd_copy_accel *)cmd);
   } else {
      const struct rt_cmd_write_accel_properties *write = (const struct rt_cmd_write_accel_properties *)cmd;
      for (uint32_t i = 0; i < write->count; i++)
         use_memory(watch, &copy_read, write->structures[i].data, write->structures[i].size_bytes);
   }
}
