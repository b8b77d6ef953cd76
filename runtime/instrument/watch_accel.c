/* SPDX-License-Identifier: MIT
 * What builds and copies of acceleration structures read and write. Spec: Acceleration Structures, "Building", which stage and access each
 * part of a build has. For `sync` vertices are taken from the first to the last; for `uninit`, where gaps and vertices that nobody names may be unwritten,
 * one by one. Not looked at: what pointers to instances point to, data of micromaps, and for `sync` spheres that indices name. */
#include "runtime/instrument/watch.h"

#include "runtime/instrument/written.h"

#include <stddef.h>

#include <string.h>

#define BUILD VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR
#define COPY VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR
#define READ VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR
#define WRITE VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR

static const struct rt_watched_use build_read = {BUILD, READ, false, false};
static const struct rt_watched_use build_write = {BUILD, WRITE, true, false};
static const struct rt_watched_use input_read = {BUILD, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, false, false, true};
static const struct rt_watched_use ranges_read = {BUILD, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false, false, true};
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

/* `bytes` of each of `count` elements. */
static void use_elements(struct rt_watch *watch, const uint8_t *data, uint64_t stride, uint64_t bytes, uint64_t count)
{
   if (!count)
      return;
   if (watch->hazards)
      use_memory(watch, &input_read, data, (count - 1) * stride + bytes);
   for (uint64_t i = 0; !watch->hazards && i < count; i++)
      use_memory(watch, &input_read, data + i * stride, bytes);
}

/* A fourth component is not read. */
static uint64_t position_bytes(const struct rt_accel_geometry *geometry)
{
   const struct rt_format_info *info = geometry->triangles.format;
   return info->num_channels == 4 && !info->is_packed ? info->texel_bytes * 3 / 4 : info->texel_bytes;
}

static void use_vertices(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range,
                         uint64_t first, uint64_t count)
{
   const uint64_t offset = geometry->triangles.indices ? 0 : range->primitiveOffset, stride = geometry->triangles.stride_bytes;
   use_elements(watch, geometry->triangles.vertices + offset + (range->firstVertex + first) * stride, stride, position_bytes(geometry), count);
   if (!geometry->swept.radii)
      return;
   const uint64_t radius_stride = geometry->swept.radius_stride_bytes;
   use_elements(watch, geometry->swept.radii + offset + (range->firstVertex + first) * radius_stride, radius_stride, geometry->swept.radius_format->texel_bytes,
                count);
}

/* Those that indices name, each with `more` behind it; what an index is that nobody wrote is not known. */
static void use_named(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range,
                      uint64_t stride, uint64_t count, uint32_t more)
{
   const uint32_t bytes = index_bytes(geometry->triangles.index_type);
   for (uint64_t i = 0; i < count; i++) {
      const uint8_t *at = geometry->triangles.indices + range->primitiveOffset + i * stride;
      uint32_t index = 0;
      if (rt_find_unwritten(at, bytes) < bytes)
         continue;
      memcpy(&index, at, bytes);
      if (geometry->swept.radii || index <= geometry->triangles.max_vertex)
         use_vertices(watch, geometry, range, index, 1 + more);
   }
}

static void use_triangles(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const uint64_t corners = range->primitiveCount * UINT64_C(3);
   if (geometry->triangles.indices) {
      const uint32_t bytes = index_bytes(geometry->triangles.index_type);
      use_elements(watch, geometry->triangles.indices + range->primitiveOffset, bytes, bytes, corners);
      if (watch->hazards)
         use_vertices(watch, geometry, range, 0, geometry->triangles.max_vertex + UINT64_C(1));
      else
         use_named(watch, geometry, range, bytes, corners, 0);
   } else {
      use_vertices(watch, geometry, range, 0, corners);
   }
   if (geometry->triangles.transform)
      use_memory(watch, &input_read, (const char *)geometry->triangles.transform + range->transformOffset, sizeof(VkTransformMatrixKHR));
}

static void use_swept(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const uint64_t corners = range->primitiveCount * (geometry->swept.is_sphere ? UINT64_C(1) : 2);
   if (!geometry->triangles.indices) {
      use_vertices(watch, geometry, range, 0, corners);
      return;
   }
   const uint64_t count = geometry->swept.is_successive ? range->primitiveCount : corners, stride = geometry->swept.index_stride_bytes;
   use_elements(watch, geometry->triangles.indices + range->primitiveOffset, stride, index_bytes(geometry->triangles.index_type), count);
   if (!watch->hazards)
      use_named(watch, geometry, range, stride, count, geometry->swept.is_successive);
}

/* Where nothing is referred to nothing else is read. */
static bool is_inactive(const struct rt_watch *watch, const uint8_t *data)
{
   uint64_t reference;
   const uint8_t *at = data + offsetof(VkAccelerationStructureInstanceKHR, accelerationStructureReference);
   memcpy(&reference, at, sizeof(reference));
   return !watch->hazards && !reference && rt_find_unwritten(at, sizeof(reference)) == sizeof(reference);
}

static void use_instances(struct rt_watch *watch, const struct rt_accel_geometry *geometry, const VkAccelerationStructureBuildRangeInfoKHR *range)
{
   const uint8_t *data = geometry->instances.data + range->primitiveOffset;
   if (geometry->instances.is_pointers) {
      use_memory(watch, &input_read, data, range->primitiveCount * sizeof(uint64_t));
      return;
   }
   for (uint32_t i = 0; i < range->primitiveCount; i++) {
      VkAccelerationStructureInstanceKHR instance;
      if (is_inactive(watch, data + i * sizeof(instance)))
         continue;
      use_memory(watch, &input_read, data + i * sizeof(instance), sizeof(instance));
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
      use_elements(watch, geometry->boxes.data + range->primitiveOffset, geometry->boxes.stride_bytes, sizeof(VkAabbPositionsKHR), range->primitiveCount);
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
