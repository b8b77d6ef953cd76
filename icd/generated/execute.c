/* SPDX-License-Identifier: MIT
 * Generated commands: recording them. Spec: Device-Generated Commands, "Indirect Commands Generation And Execution". */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/address.h"
#include "icd/command_buffer.h"
#include "icd/generated/execution_set.h"
#include "icd/generated/token_layout.h"
#include "icd/resource/memory_requirements.h"

/* Tokens are read where they stand. */
VKAPI_ATTR void VKAPI_CALL icd_GetGeneratedCommandsMemoryRequirementsEXT(VkDevice device,
                                                                         const VkGeneratedCommandsMemoryRequirementsInfoEXT *pInfo,
                                                                         VkMemoryRequirements2 *pMemoryRequirements)
{
   pMemoryRequirements->memoryRequirements = icd_memory_requirements(0, 1, false);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPreprocessGeneratedCommandsEXT(VkCommandBuffer commandBuffer,
                                                                 const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo,
                                                                 VkCommandBuffer stateCommandBuffer)
{
}

VKAPI_ATTR void VKAPI_CALL icd_CmdExecuteGeneratedCommandsEXT(VkCommandBuffer commandBuffer, VkBool32 isPreprocessed,
                                                              const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo)
{
   const VkGeneratedCommandsInfoEXT *info = pGeneratedCommandsInfo;
   const struct icd_execution_set *set = icd_execution_set_from_handle(info->indirectExecutionSet);
   struct rt_cmd_execute_generated *cmd =
      info->indirectAddress ? RT_CMD_APPEND(icd_stream(commandBuffer), execute_generated) : NULL;
   if (!cmd)
      return;
   cmd->list = &icd_token_layout_from_handle(info->indirectCommandsLayout)->list;
   cmd->set = set ? &set->set : NULL;
   cmd->args = icd_address(info->indirectAddress);
   cmd->count = (const uint32_t *)icd_address(info->sequenceCountAddress);
   /* What is longer than the memory that was named is not read. */
   const uint64_t room = cmd->list->stride_bytes ? info->indirectAddressSize / cmd->list->stride_bytes : info->maxSequenceCount;
   cmd->max_sequences = (uint32_t)UTIL_MIN(room, (uint64_t)info->maxSequenceCount);
   cmd->max_draws = info->maxDrawCount;
}
