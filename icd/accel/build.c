/* SPDX-License-Identifier: MIT
 * Geometries. */
#include "icd/accel/build.h"

#include "icd/chain.h"
#include "runtime/accel/micromap.h"
#include "util/size.h"

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
#ifdef VK_NV_ray_tracing_linear_swept_spheres
   case VK_GEOMETRY_TYPE_SPHERES_NV:
   case VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV:
      return RT_LEAF_SWEPT;
#endif
   default:
      return RT_LEAF_TRIANGLES;
   }
}

const VkAccelerationStructureTrianglesOpacityMicromapEXT *icd_accel_opacity(const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t i)
{
   const VkAccelerationStructureGeometryKHR *geometry = geometry_at(info, i);
   return geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR
             ? icd_chain_find(geometry->geometry.triangles.pNext, VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_EXT)
             : NULL;
}

static const uint8_t *memory_at(VkDeviceOrHostAddressConstKHR address)
{
   return (const uint8_t *)(uintptr_t)address.deviceAddress;
}

#ifdef VK_NV_ray_tracing_linear_swept_spheres
/* The members that both structures have. */
#define SET_SWEPT(geometry, from)                                                                                      \
   do {                                                                                                                \
      (geometry)->triangles.format = rt_format_info((from)->vertexFormat);                                             \
      (geometry)->triangles.vertices = memory_at((from)->vertexData);                                                  \
      (geometry)->triangles.stride_bytes = (from)->vertexStride;                                                       \
      (geometry)->triangles.index_type = (from)->indexType;                                                            \
      (geometry)->triangles.indices = (from)->indexType == VK_INDEX_TYPE_NONE_KHR ? NULL : memory_at((from)->indexData); \
      (geometry)->swept.radius_format = rt_format_info((from)->radiusFormat);                                          \
      (geometry)->swept.radii = memory_at((from)->radiusData);                                                         \
      (geometry)->swept.radius_stride_bytes = (from)->radiusStride;                                                    \
      (geometry)->swept.index_stride_bytes = (from)->indexStride;                                                      \
   } while (0)

static void convert_spheres(struct rt_accel_geometry *geometry, const VkAccelerationStructureGeometryKHR *from)
{
   const VkAccelerationStructureGeometrySpheresDataNV *spheres =
      icd_chain_find(from->pNext, VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_SPHERES_DATA_NV);
   geometry->swept.is_sphere = true;
   if (spheres)
      SET_SWEPT(geometry, spheres);
}

static void convert_swept(struct rt_accel_geometry *geometry, const VkAccelerationStructureGeometryKHR *from)
{
   const VkAccelerationStructureGeometryLinearSweptSpheresDataNV *swept =
      icd_chain_find(from->pNext, VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_LINEAR_SWEPT_SPHERES_DATA_NV);
   if (!swept)
      return;
   SET_SWEPT(geometry, swept);
   geometry->swept.is_successive = swept->indexingMode == VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV;
   geometry->swept.has_caps = swept->endCapsMode == VK_RAY_TRACING_LSS_PRIMITIVE_END_CAPS_MODE_CHAINED_NV;
}
#endif

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
#ifdef VK_NV_ray_tracing_linear_swept_spheres
   case VK_GEOMETRY_TYPE_SPHERES_NV:
      convert_spheres(&geometry, from);
      break;
   case VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV:
      convert_swept(&geometry, from);
      break;
#endif
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

static void convert_opacity(struct rt_accel_geometry *geometry, const VkAccelerationStructureTrianglesOpacityMicromapEXT *from)
{
   geometry->opacity.is_there = true;
   geometry->opacity.micromap = icd_accel_address(icd_micromap_from_handle(from->micromap));
   geometry->opacity.index_type = from->indexType;
   geometry->opacity.indices = memory_at(from->indexBuffer);
   geometry->opacity.stride_bytes = from->indexStride;
   geometry->opacity.first = from->baseTriangle;
}

struct rt_accel_command icd_accel_command(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                          struct rt_accel_geometry *geometries)
{
   for (uint32_t i = 0; i < info->geometryCount; i++) {
      const VkAccelerationStructureTrianglesOpacityMicromapEXT *opacity = icd_accel_opacity(info, i);
      geometries[i] = convert(geometry_at(info, i));
      if (opacity)
         convert_opacity(&geometries[i], opacity);
   }
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

/* ---- micromaps ---- */

struct rt_accel_command icd_micromap_command(const VkMicromapBuildInfoEXT *info, struct rt_accel_geometry *geometry)
{
   size_t num_triangles = 0, data_bytes = 0;
   for (uint32_t i = 0; i < info->usageCountsCount; i++) {
      const VkMicromapUsageEXT *usage = info->pUsageCounts ? &info->pUsageCounts[i] : info->ppUsageCounts[i];
      num_triangles = util_size_add(num_triangles, usage->count);
      data_bytes = util_size_add(data_bytes, util_size_mul(usage->count, rt_micromap_data_bytes(usage->format, usage->subdivisionLevel)));
   }
   *geometry = (struct rt_accel_geometry){.num_primitives = (uint32_t)UTIL_MIN(num_triangles, UINT32_MAX)};
   geometry->micromap.data = memory_at(info->data);
   geometry->micromap.triangles = memory_at(info->triangleArray);
   geometry->micromap.stride_bytes = info->triangleArrayStride;
   geometry->micromap.data_bytes = data_bytes;
   return (struct rt_accel_command){
      .leaf = RT_LEAF_MICROMAP,
      .num_geometries = 1,
      .geometries = geometry,
      .target = icd_accel_memory(icd_micromap_from_handle(info->dstMicromap)),
   };
}
