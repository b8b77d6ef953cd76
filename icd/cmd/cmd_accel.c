/* SPDX-License-Identifier: MIT
 * Acceleration structures. Spec: Acceleration Structures, "Building", "Copying Acceleration Structures". */
#include "gen/icd_entrypoints.h"
#include "icd/accel/build.h"
#include "icd/command_buffer.h"
#include "icd/device/device.h"
#include "icd/query_pool.h"

/* Builds without their ranges; NULL when memory is out. */
static struct rt_accel_command *record_builds(struct rt_cmd_stream *stream, uint32_t count,
                                              const VkAccelerationStructureBuildGeometryInfoKHR *infos)
{
   struct rt_accel_command *builds = rt_cmd_data(stream, NULL, count * sizeof(*builds));
   for (uint32_t i = 0; i < count && builds; i++) {
      struct rt_accel_geometry *geometries = rt_cmd_data(stream, NULL, infos[i].geometryCount * sizeof(*geometries));
      if (!geometries && infos[i].geometryCount)
         return NULL;
      builds[i] = icd_accel_command(&infos[i], geometries);
   }
   return builds;
}

static void append_builds(struct rt_cmd_stream *stream, uint32_t count, const struct rt_accel_command *builds)
{
   struct rt_cmd_build_accel *cmd = RT_CMD_APPEND(stream, build_accel);
   if (!cmd)
      return;
   cmd->count = count;
   cmd->builds = builds;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBuildAccelerationStructuresKHR(
   VkCommandBuffer commandBuffer, uint32_t infoCount, const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
   const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_accel_command *builds = record_builds(stream, infoCount, pInfos);
   for (uint32_t i = 0; i < infoCount && builds; i++) {
      builds[i].ranges = rt_cmd_data(stream, ppBuildRangeInfos[i], pInfos[i].geometryCount * sizeof(*builds[i].ranges));
      if (!builds[i].ranges && pInfos[i].geometryCount)
         return;
   }
   if (builds)
      append_builds(stream, infoCount, builds);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBuildAccelerationStructuresIndirectKHR(
   VkCommandBuffer commandBuffer, uint32_t infoCount, const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
   const VkDeviceAddress *pIndirectDeviceAddresses, const uint32_t *pIndirectStrides,
   const uint32_t *const *ppMaxPrimitiveCounts)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_accel_command *builds = record_builds(stream, infoCount, pInfos);
   for (uint32_t i = 0; i < infoCount && builds; i++) {
      builds[i].ranges = (const VkAccelerationStructureBuildRangeInfoKHR *)(uintptr_t)pIndirectDeviceAddresses[i];
      builds[i].range_stride_bytes = pIndirectStrides[i];
      builds[i].max_primitives =
         rt_cmd_data(stream, ppMaxPrimitiveCounts[i], pInfos[i].geometryCount * sizeof(uint32_t));
      if (!builds[i].max_primitives && pInfos[i].geometryCount)
         return;
   }
   if (builds)
      append_builds(stream, infoCount, builds);
}

static void append_copy(VkCommandBuffer commandBuffer, enum rt_accel_copy mode, struct rt_accel_memory from,
                        struct rt_accel_memory to)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const struct rt_accel_identity identity =
      icd_accel_identity(icd_command_buffer_from_handle(commandBuffer)->base.device);
   const struct rt_accel_identity *kept = rt_cmd_data(stream, &identity, sizeof(identity));
   struct rt_cmd_copy_accel *cmd = kept ? RT_CMD_APPEND(stream, copy_accel) : NULL;
   if (!cmd)
      return;
   cmd->mode = mode;
   cmd->from = from;
   cmd->to = to;
   cmd->identity = kept;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyAccelerationStructureKHR(VkCommandBuffer commandBuffer,
                                                               const VkCopyAccelerationStructureInfoKHR *pInfo)
{
   append_copy(commandBuffer, RT_ACCEL_CLONE, icd_accel_memory(icd_accel_from_handle(pInfo->src)),
               icd_accel_memory(icd_accel_from_handle(pInfo->dst)));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyAccelerationStructureToMemoryKHR(
   VkCommandBuffer commandBuffer, const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
   append_copy(commandBuffer, RT_ACCEL_SERIALIZE, icd_accel_memory(icd_accel_from_handle(pInfo->src)),
               (struct rt_accel_memory){(void *)(uintptr_t)pInfo->dst.deviceAddress, 0});
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMemoryToAccelerationStructureKHR(
   VkCommandBuffer commandBuffer, const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
   append_copy(commandBuffer, RT_ACCEL_DESERIALIZE,
               (struct rt_accel_memory){(void *)(uintptr_t)pInfo->src.deviceAddress, 0},
               icd_accel_memory(icd_accel_from_handle(pInfo->dst)));
}

/* `handles` are of acceleration structures, or of micromaps, which are the same here. */
static void append_properties(VkCommandBuffer commandBuffer, uint32_t count, const uint64_t *handles, VkQueryPool pool, uint32_t first)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_accel_memory *structures = rt_cmd_data(stream, NULL, count * sizeof(*structures));
   struct rt_cmd_write_accel_properties *cmd = structures ? RT_CMD_APPEND(stream, write_accel_properties) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++)
      structures[i] = icd_accel_memory((struct icd_accel *)(uintptr_t)handles[i]);
   cmd->pool = &icd_query_pool_from_handle(pool)->rt;
   cmd->first = first;
   cmd->count = count;
   cmd->structures = structures;
}
_Static_assert(sizeof(VkAccelerationStructureKHR) == sizeof(uint64_t) && sizeof(VkMicromapEXT) == sizeof(uint64_t), "handles are numbers");

VKAPI_ATTR void VKAPI_CALL
icd_CmdWriteAccelerationStructuresPropertiesKHR(VkCommandBuffer commandBuffer, uint32_t accelerationStructureCount,
                                                const VkAccelerationStructureKHR *pAccelerationStructures,
                                                VkQueryType queryType, VkQueryPool queryPool, uint32_t firstQuery)
{
   append_properties(commandBuffer, accelerationStructureCount, (const uint64_t *)pAccelerationStructures, queryPool, firstQuery);
}

/* ---- micromaps ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdBuildMicromapsEXT(VkCommandBuffer commandBuffer, uint32_t infoCount, const VkMicromapBuildInfoEXT *pInfos)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_accel_command *builds = rt_cmd_data(stream, NULL, infoCount * sizeof(*builds));
   struct rt_accel_geometry *geometries = rt_cmd_data(stream, NULL, infoCount * sizeof(*geometries));
   if (!builds || !geometries)
      return;
   for (uint32_t i = 0; i < infoCount; i++)
      builds[i] = icd_micromap_command(&pInfos[i], &geometries[i]);
   append_builds(stream, infoCount, builds);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMicromapEXT(VkCommandBuffer commandBuffer, const VkCopyMicromapInfoEXT *pInfo)
{
   append_copy(commandBuffer, RT_ACCEL_CLONE, icd_accel_memory(icd_micromap_from_handle(pInfo->src)),
               icd_accel_memory(icd_micromap_from_handle(pInfo->dst)));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMicromapToMemoryEXT(VkCommandBuffer commandBuffer, const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
   append_copy(commandBuffer, RT_ACCEL_SERIALIZE, icd_accel_memory(icd_micromap_from_handle(pInfo->src)),
               (struct rt_accel_memory){(void *)(uintptr_t)pInfo->dst.deviceAddress, 0});
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyMemoryToMicromapEXT(VkCommandBuffer commandBuffer, const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
   append_copy(commandBuffer, RT_ACCEL_DESERIALIZE, (struct rt_accel_memory){(void *)(uintptr_t)pInfo->src.deviceAddress, 0},
               icd_accel_memory(icd_micromap_from_handle(pInfo->dst)));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteMicromapsPropertiesEXT(VkCommandBuffer commandBuffer, uint32_t micromapCount,
                                                              const VkMicromapEXT *pMicromaps, VkQueryType queryType, VkQueryPool queryPool,
                                                              uint32_t firstQuery)
{
   append_properties(commandBuffer, micromapCount, (const uint64_t *)pMicromaps, queryPool, firstQuery);
}
