/* SPDX-License-Identifier: MIT
 * Decompression of memory, by VK_EXT_memory_decompression and its predecessor of NV. The one method is GDeflate 1.0. Spec: Memory Decompression. */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/address.h"
#include "icd/command_buffer.h"
#include "util/size.h"

#ifdef VK_EXT_memory_decompression
static void decompress(VkCommandBuffer commandBuffer, const void *regions, uint32_t count, size_t stride_bytes)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const void *args = count ? rt_cmd_data(stream, regions, util_size_array(0, count, stride_bytes)) : NULL;
   struct rt_cmd_decompress *cmd = args ? RT_CMD_APPEND(stream, decompress) : NULL;
   if (!cmd)
      return;
   cmd->args = args;
   cmd->stride_bytes = stride_bytes;
   cmd->max_count = count;
}

static void decompress_indirect(VkCommandBuffer commandBuffer, VkDeviceAddress args, VkDeviceAddress count, uint32_t max_count, uint32_t stride_bytes)
{
   struct rt_cmd_decompress *cmd = args && count ? RT_CMD_APPEND(icd_stream(commandBuffer), decompress) : NULL;
   if (!cmd)
      return;
   cmd->args = icd_address(args);
   cmd->count = icd_address(count);
   cmd->stride_bytes = stride_bytes;
   cmd->max_count = UTIL_MIN(max_count, (uint32_t)RT_MAX_DECOMPRESSIONS);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDecompressMemoryEXT(VkCommandBuffer commandBuffer, const VkDecompressMemoryInfoEXT *pInfo)
{
   decompress(commandBuffer, pInfo->pRegions, pInfo->regionCount, sizeof(pInfo->pRegions[0]));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDecompressMemoryIndirectCountEXT(VkCommandBuffer commandBuffer, VkMemoryDecompressionMethodFlagsEXT method,
                                                                   VkDeviceAddress args, VkDeviceAddress count, uint32_t maxCount, uint32_t stride)
{
   decompress_indirect(commandBuffer, args, count, maxCount, stride);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDecompressMemoryNV(VkCommandBuffer commandBuffer, uint32_t regionCount, const VkDecompressMemoryRegionNV *pRegions)
{
   decompress(commandBuffer, pRegions, regionCount, sizeof(pRegions[0]));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDecompressMemoryIndirectCountNV(VkCommandBuffer commandBuffer, VkDeviceAddress args, VkDeviceAddress count,
                                                                  uint32_t stride)
{
   decompress_indirect(commandBuffer, args, count, RT_MAX_DECOMPRESSIONS, stride);
}
#endif
