/* SPDX-License-Identifier: MIT
 * Opacity micromaps: objects, sizes, and what the host does with them. They are structures like any other (runtime/accel/tree.h), so that copies,
 * serialized forms and properties are those of acceleration structures. Spec: Micromaps. */
#include "gen/icd_entrypoints.h"
#include "icd/accel/build.h"
#include "icd/accel/deferred_operation.h"
#include "icd/device/device.h"
#include "runtime/accel/micromap.h"
#include "util/size.h"

#include <string.h>

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateMicromapEXT(VkDevice device, const VkMicromapCreateInfoEXT *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator, VkMicromapEXT *pMicromap)
{
   const struct icd_accel_info info = {VK_OBJECT_TYPE_MICROMAP_EXT, pCreateInfo->buffer, pCreateInfo->offset, pCreateInfo->size,
                                       pCreateInfo->deviceAddress};
   struct icd_accel *micromap;
   const VkResult result = icd_accel_create(icd_device_from_handle(device), &info, pAllocator, &micromap);
   if (result == VK_SUCCESS)
      *pMicromap = (VkMicromapEXT)(uintptr_t)micromap;
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyMicromapEXT(VkDevice device, VkMicromapEXT micromap, const VkAllocationCallbacks *pAllocator)
{
   icd_accel_destroy(icd_device_from_handle(device), icd_micromap_from_handle(micromap), pAllocator);
}

VKAPI_ATTR void VKAPI_CALL icd_GetMicromapBuildSizesEXT(VkDevice device, VkAccelerationStructureBuildTypeKHR buildType,
                                                        const VkMicromapBuildInfoEXT *pBuildInfo, VkMicromapBuildSizesInfoEXT *pSizeInfo)
{
   struct rt_accel_geometry geometry;
   (void)icd_micromap_command(pBuildInfo, &geometry);
   pSizeInfo->micromapSize = rt_micromap_bytes(geometry.num_primitives, geometry.micromap.data_bytes);
   pSizeInfo->buildScratchSize = 0;
   pSizeInfo->discardable = VK_FALSE; /* bottom levels name it */
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceMicromapCompatibilityEXT(VkDevice device, const VkMicromapVersionInfoEXT *pVersionInfo,
                                                                 VkAccelerationStructureCompatibilityKHR *pCompatibility)
{
   const VkAccelerationStructureVersionInfoKHR info = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR, NULL, pVersionInfo->pVersionData};
   icd_GetDeviceAccelerationStructureCompatibilityKHR(device, &info, pCompatibility);
}

/* ---- by the host ---- */

struct host_build {
   uint32_t count;
   struct {
      struct rt_accel_command command;
      struct rt_accel_geometry geometry;
   } builds[];
};

static VkResult run_builds(void *data, const struct rt_accel_loop *loop)
{
   struct host_build *build = data;
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < build->count; i++)
      if (rt_accel_run(&build->builds[i].command, NULL, NULL, loop))
         result = VK_ERROR_UNKNOWN;
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BuildMicromapsEXT(VkDevice device, VkDeferredOperationKHR deferredOperation, uint32_t infoCount,
                                                     const VkMicromapBuildInfoEXT *pInfos)
{
   struct host_build *build = util_calloc(1, util_size_array(sizeof(*build), infoCount, sizeof(build->builds[0])));
   if (!build)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   build->count = infoCount;
   for (uint32_t i = 0; i < infoCount; i++)
      build->builds[i].command = icd_micromap_command(&pInfos[i], &build->builds[i].geometry);
   if (deferredOperation) {
      icd_deferred_start(icd_deferred_from_handle(deferredOperation), run_builds, build);
      return VK_OPERATION_DEFERRED_KHR;
   }
   const VkResult result = run_builds(build, NULL);
   util_mfree(build);
   return result;
}

/* As acceleration structures are copied, of which these are. */
static VkAccelerationStructureKHR as_structure(VkMicromapEXT micromap)
{
   return icd_accel_to_handle(icd_micromap_from_handle(micromap));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyMicromapEXT(VkDevice device, VkDeferredOperationKHR deferredOperation, const VkCopyMicromapInfoEXT *pInfo)
{
   const VkCopyAccelerationStructureInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
                                                    .src = as_structure(pInfo->src), .dst = as_structure(pInfo->dst)};
   return icd_CopyAccelerationStructureKHR(device, deferredOperation, &info);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyMicromapToMemoryEXT(VkDevice device, VkDeferredOperationKHR deferredOperation,
                                                           const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
   const VkCopyAccelerationStructureToMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
                                                            .src = as_structure(pInfo->src), .dst = pInfo->dst};
   return icd_CopyAccelerationStructureToMemoryKHR(device, deferredOperation, &info);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CopyMemoryToMicromapEXT(VkDevice device, VkDeferredOperationKHR deferredOperation,
                                                           const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
   const VkCopyMemoryToAccelerationStructureInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
                                                            .src = pInfo->src, .dst = as_structure(pInfo->dst)};
   return icd_CopyMemoryToAccelerationStructureKHR(device, deferredOperation, &info);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WriteMicromapsPropertiesEXT(VkDevice device, uint32_t micromapCount, const VkMicromapEXT *pMicromaps,
                                                               VkQueryType queryType, size_t dataSize, void *pData, size_t stride)
{
   for (uint32_t i = 0; i < micromapCount; i++) {
      const uint64_t value = rt_accel_property(icd_accel_memory(icd_micromap_from_handle(pMicromaps[i])), queryType);
      memcpy((char *)pData + i * stride, &value, sizeof(value));
   }
   return VK_SUCCESS;
}
