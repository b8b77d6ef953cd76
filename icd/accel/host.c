/* SPDX-License-Identifier: MIT
 * Builds, copies and properties by the host: done by the pool's threads, or put off to those that join a deferred
 * operation. Copies are never put off. Spec: Acceleration Structures, "Host Acceleration Structure Operations". */
#include "gen/icd_entrypoints.h"
#include "icd/accel/build.h"
#include "icd/accel/deferred_operation.h"
#include "icd/device/device.h"
#include "runtime/device.h"
#include "util/size.h"

#include <string.h>

/* Builds of one call, with all that they point to behind it. */
struct host_build {
   const struct rt_accel_table *structures;
   uint32_t count;
   struct rt_accel_command commands[];
};

/* Instances of host builds name structures by their handles. */
static uint64_t resolve(uint64_t reference)
{
   return icd_accel_address((struct icd_accel *)(uintptr_t)reference);
}

static VkResult run_builds(void *data, const struct rt_accel_loop *loop)
{
   const struct host_build *build = data;
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < build->count; i++)
      if (rt_accel_run(&build->commands[i], build->structures, resolve, loop))
         result = VK_ERROR_UNKNOWN;
   return result;
}

/* NULL: memory is out. */
static struct host_build *create_build(const struct icd_device *device, uint32_t count,
                                       const VkAccelerationStructureBuildGeometryInfoKHR *infos,
                                       const VkAccelerationStructureBuildRangeInfoKHR *const *ranges)
{
   size_t num_geometries = 0;
   for (uint32_t i = 0; i < count; i++)
      num_geometries = util_size_add(num_geometries, infos[i].geometryCount);
   const size_t head = util_size_array(sizeof(struct host_build), count, sizeof(struct rt_accel_command));
   struct host_build *build = util_calloc(1, util_size_array(head, num_geometries, sizeof(struct rt_accel_geometry)));
   if (!build)
      return NULL;
   build->structures = rt_device_structures(device->rt);
   build->count = count;
   struct rt_accel_geometry *geometries = (struct rt_accel_geometry *)&build->commands[count];
   for (uint32_t i = 0; i < count; i++) {
      build->commands[i] = icd_accel_command(&infos[i], geometries);
      build->commands[i].ranges = ranges[i];
      geometries += infos[i].geometryCount;
   }
   return build;
}

static void run_on_pool(void *context, uint32_t count, rt_accel_body_fn *body, void *data)
{
   rt_device_parallel_for(context, count, body, data);
}

VKAPI_ATTR VkResult VKAPI_CALL
icd_BuildAccelerationStructuresKHR(VkDevice _device, VkDeferredOperationKHR deferredOperation, uint32_t infoCount,
                                   const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
                                   const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct host_build *build = create_build(device, infoCount, pInfos, ppBuildRangeInfos);
   if (!build)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (deferredOperation) {
      icd_deferred_start(icd_deferred_from_handle(deferredOperation), run_builds, build);
      return VK_OPERATION_DEFERRED_KHR;
   }
   const struct rt_accel_loop loop = {.run = run_on_pool, .context = device->rt};
   const VkResult result = run_builds(build, &loop);
   util_mfree(build);
   return result;
}

static VkResult copied(VkDeferredOperationKHR operation, bool is_done)
{
   return !is_done ? VK_ERROR_UNKNOWN : operation ? VK_OPERATION_NOT_DEFERRED_KHR : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyAccelerationStructureKHR(VkDevice device,
                                                                VkDeferredOperationKHR deferredOperation,
                                                                const VkCopyAccelerationStructureInfoKHR *pInfo)
{
   return copied(deferredOperation, rt_accel_copy(icd_accel_memory(icd_accel_from_handle(pInfo->src)),
                                                  icd_accel_memory(icd_accel_from_handle(pInfo->dst))));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyAccelerationStructureToMemoryKHR(
   VkDevice device, VkDeferredOperationKHR deferredOperation, const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
   const struct rt_accel_identity identity = icd_accel_identity(icd_device_from_handle(device));
   rt_accel_serialize(icd_accel_memory(icd_accel_from_handle(pInfo->src)), &identity, pInfo->dst.hostAddress);
   return copied(deferredOperation, true);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyMemoryToAccelerationStructureKHR(
   VkDevice device, VkDeferredOperationKHR deferredOperation, const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
   const struct rt_accel_identity identity = icd_accel_identity(icd_device_from_handle(device));
   return copied(deferredOperation, rt_accel_deserialize(pInfo->src.hostAddress, &identity,
                                                         icd_accel_memory(icd_accel_from_handle(pInfo->dst))));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WriteAccelerationStructuresPropertiesKHR(
   VkDevice device, uint32_t accelerationStructureCount, const VkAccelerationStructureKHR *pAccelerationStructures,
   VkQueryType queryType, size_t dataSize, void *pData, size_t stride)
{
   for (uint32_t i = 0; i < accelerationStructureCount; i++) {
      const uint64_t value =
         rt_accel_property(icd_accel_memory(icd_accel_from_handle(pAccelerationStructures[i])), queryType);
      memcpy((char *)pData + i * stride, &value, sizeof(value));
   }
   return VK_SUCCESS;
}
