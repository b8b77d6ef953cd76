/* SPDX-License-Identifier: MIT
 * Conversion of matrices for cooperative vectors. Spec: Shaders, "Cooperative Vectors". */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/device/cooperative_vector.h"
#include "util/size.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdConvertCooperativeVectorMatrixNV(VkCommandBuffer commandBuffer, uint32_t infoCount,
                                                                   const VkConvertCooperativeVectorMatrixInfoNV *pInfos)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_matrix_conversion *conversions =
      infoCount ? rt_cmd_data(stream, NULL, util_size_array(0, infoCount, sizeof(*conversions))) : NULL;
   struct rt_cmd_convert_matrices *cmd = conversions ? RT_CMD_APPEND(stream, convert_matrices) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < infoCount; i++)
      conversions[i] = icd_matrix_conversion(&pInfos[i]);
   cmd->conversions = conversions;
   cmd->count = infoCount;
}
