/* SPDX-License-Identifier: MIT
 * From the API's descriptions of builds to the runtime's. Spec: Acceleration Structures, "Building". Device and host
 * addresses are the same numbers. Threads: pure functions. */
#pragma once

#include "icd/accel/acceleration_structure.h"
#include "runtime/accel/command.h"

/* What its leaves are: all geometries have one type. */
enum rt_accel_leaf icd_accel_leaf(const VkAccelerationStructureBuildGeometryInfoKHR *info);
/* The micromap that geometry `i` has; NULL: none. */
const VkAccelerationStructureTrianglesOpacityMicromapEXT *icd_accel_opacity(const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t i);
/* Everything but ranges and limits; `geometries` has info->geometryCount entries, which are written. */
struct rt_accel_command icd_accel_command(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                          struct rt_accel_geometry *geometries);
/* The build of a micromap; `geometry` is written. */
struct rt_accel_command icd_micromap_command(const VkMicromapBuildInfoEXT *info, struct rt_accel_geometry *geometry);
