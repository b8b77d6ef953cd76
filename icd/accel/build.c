/* SPDX-License-Identifier: MIT
 * Geometries. */
#include "icd/accel/build.h"

static const VkAccelerationStructureGeometryKHR *geometry_at(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                                             uint32_t i)
{
   return info->pGeometries ? &info->pGeometries[i] : info->ppGeometries[i];
}

enum rt_accel_leaf icd_accel_leaf(const VkAccelerationStructureBuildGeometryInfoKHR *info)
{
   if (!info->geometryCount)
      return info->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR ? RT_LEAF_INSTANCES : RT_LEAF_TRIANGLES;
   switch (geometry_at(info, 0)->geometryType) {
   case VK_GEOMETRY_TYPE_INSTANCES_KHR:
      return RT_LEAF_INSTANCES;
   case VK_GEOMETRY_TYPE_AABBS_KHR:
      return RT_LEAF_BOXES;
   default:
      return RT_LEAF_TRIANGLES;
   }
}

static const uint8_t *memory_at(VkDeviceOrHostAddressConstKHR address)
{
   return (const uint8_t *)(uintptr_t)address.deviceAddress;
}

static struct rt_accel_geometry convert(const VkAccelerationStructureGeometryKHR *from)
{
   struct rt_accel_geometry geometry = {.is_opaque = from->flags & VK_GEOMETRY_OPAQUE_BIT_KHR};
   switch (from->geometryType) {
   case VK_GEOMETRY_TYPE_INSTANCES_KHR:
      geometry.instances.data = memory_at(from->geometry.instances.data);
      geometry.instances.is_pointers = from->geometry.instances.arrayOfPointers;
      break;
   case VK_GEOMETRY_TYPE_AABBS_KHR:
      geometry.boxes.data = memory_at(from->geometry.aabbs.data);
      geometry.boxes.stride_bytes = from->geometry.aabbs.stride;
      break;
   default: {
      const VkAccelerationStructureGeometryTrianglesDataKHR *triangles = &from->geometry.triangles;
      geometry.triangles.format = rt_format_info(triangles->vertexFormat);
      geometry.triangles.vertices = memory_at(triangles->vertexData);
      geometry.triangles.stride_bytes = triangles->vertexStride;
      geometry.triangles.max_vertex = triangles->maxVertex;
      geometry.triangles.index_type = triangles->indexType;
      geometry.triangles.indices =
         triangles->indexType == VK_INDEX_TYPE_NONE_KHR ? NULL : memory_at(triangles->indexData);
      geometry.triangles.transform = (const float *)memory_at(triangles->transformData);
      break;
   }
   }
   return geometry;
}

struct rt_accel_command icd_accel_command(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                          struct rt_accel_geometry *geometries)
{
   for (uint32_t i = 0; i < info->geometryCount; i++)
      geometries[i] = convert(geometry_at(info, i));
   return (struct rt_accel_command){
      .leaf = icd_accel_leaf(info),
      .flags = info->flags,
      .is_update = info->mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR,
      .num_geometries = info->geometryCount,
      .geometries = geometries,
      .range_stride_bytes = sizeof(VkAccelerationStructureBuildRangeInfoKHR),
      .source = icd_accel_memory(icd_accel_from_handle(info->srcAccelerationStructure)),
      .target = icd_accel_memory(icd_accel_from_handle(info->dstAccelerationStructure)),
      .scratch = (void *)(uintptr_t)info->scratchData.deviceAddress,
   };
}
