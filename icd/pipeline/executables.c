/* SPDX-License-Identifier: MIT
 * VK_KHR_pipeline_executable_properties: an executable is the code of one stage. VK_EXT_pipeline_properties: pipelines of the same code have one identifier.
 * Spec: Pipelines, "Pipeline Executable Properties", "Pipeline Properties". */
#include "gen/icd_entrypoints.h"
#include "icd/cache/shader.h"
#include "icd/chain.h"
#include "icd/pipeline/nodes.h"
#include "icd/pipeline/rays.h"
#include "icd/stage.h"

#include <stdio.h>
#include <string.h>

/* The two-call idiom: entries that fit are filled, *count becomes their number. */
static VkResult set_count(uint32_t available, bool is_query, uint32_t *count)
{
   const uint32_t room = *count;
   *count = is_query || room > available ? available : room;
   return *count < available ? VK_INCOMPLETE : VK_SUCCESS;
}

/* How many there are of its shaders. */
static uint32_t count_executables(const struct icd_pipeline *pipeline)
{
   uint32_t count = 0;
   if (pipeline->ray_shaders)
      return pipeline->ray_shaders->num_shaders;
   if (pipeline->graph)
      return pipeline->graph->num_nodes;
   for (uint32_t i = 0; i < ABI_NUM_STAGES; i++)
      count += pipeline->shaders[i] != NULL;
   return count;
}

/* One of them, in the pipeline's order. */
static const struct icd_shader *find_executable(const struct icd_pipeline *pipeline, uint32_t index)
{
   if (pipeline->ray_shaders)
      return pipeline->ray_shaders->shaders[index];
   if (pipeline->graph)
      return pipeline->graph->shaders[index];
   for (uint32_t stage = 0; stage < ABI_NUM_STAGES; stage++) {
      if (pipeline->shaders[stage] && index-- == 0)
         return pipeline->shaders[stage];
   }
   return NULL;
}

static void set_name(char name[VK_MAX_DESCRIPTION_SIZE], const char *text)
{
   snprintf(name, VK_MAX_DESCRIPTION_SIZE, "%s", text);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineExecutablePropertiesKHR(VkDevice device, const VkPipelineInfoKHR *pPipelineInfo,
                                                                      uint32_t *pExecutableCount,
                                                                      VkPipelineExecutablePropertiesKHR *pProperties)
{
   const struct icd_pipeline *pipeline = icd_pipeline_from_handle(pPipelineInfo->pipeline);
   const VkResult result = set_count(count_executables(pipeline), !pProperties, pExecutableCount);
   for (uint32_t i = 0; pProperties && i < *pExecutableCount; i++) {
      const struct icd_shader *shader = find_executable(pipeline, i);
      pProperties[i].stages = icd_stages[shader->code.info.stage].bit;
      pProperties[i].subgroupSize = shader->binary->subgroup_size;
      set_name(pProperties[i].name, icd_stages[shader->code.info.stage].name);
      set_name(pProperties[i].description, shader->name);
   }
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineExecutableStatisticsKHR(VkDevice device,
                                                                      const VkPipelineExecutableInfoKHR *pExecutableInfo,
                                                                      uint32_t *pStatisticCount,
                                                                      VkPipelineExecutableStatisticKHR *pStatistics)
{
   const struct icd_shader *shader = find_executable(icd_pipeline_from_handle(pExecutableInfo->pipeline), pExecutableInfo->executableIndex);
   const struct abi_shader_info *info = &shader->code.info;
   const struct {
      const char *name, *description;
      uint64_t value;
   } statistics[] = {
      {"Object code", "bytes of the relocatable object", shader->binary->object_bytes},
      {"Lanes", "invocations that a vector holds", info->lanes},
      {"Frame", "bytes that a thread keeps for arrays and values across barriers", info->frame_bytes},
      {"Shared memory", "bytes of workgroup memory", info->shared_bytes},
   };
   const VkResult result = set_count(UTIL_ARRAY_SIZE(statistics), !pStatistics, pStatisticCount);
   for (uint32_t i = 0; pStatistics && i < *pStatisticCount; i++) {
      set_name(pStatistics[i].name, statistics[i].name);
      set_name(pStatistics[i].description, statistics[i].description);
      pStatistics[i].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
      pStatistics[i].value.u64 = statistics[i].value;
   }
   return result;
}

/* A text that does not fit is cut, and ends in a null character all the same. */
static VkResult copy_text(const char *text, VkPipelineExecutableInternalRepresentationKHR *out)
{
   const size_t size = strlen(text) + 1;
   out->isText = VK_TRUE;
   if (!out->pData) {
      out->dataSize = size;
      return VK_SUCCESS;
   }
   out->dataSize = UTIL_MIN(out->dataSize, size);
   if (out->dataSize) {
      memcpy(out->pData, text, out->dataSize);
      ((char *)out->pData)[out->dataSize - 1] = '\0';
   }
   return out->dataSize < size ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineExecutableInternalRepresentationsKHR(
   VkDevice device, const VkPipelineExecutableInfoKHR *pExecutableInfo, uint32_t *pInternalRepresentationCount,
   VkPipelineExecutableInternalRepresentationKHR *pInternalRepresentations)
{
   static const struct {
      const char *name, *description;
   } names[COMP_NUM_TEXTS] = {
      [COMP_TEXT_IR] = {"IR", "the compiler's own representation after its last pass"},
      [COMP_TEXT_LLVM] = {"LLVM IR", "what LLVM's code generator was given"},
      [COMP_TEXT_ASSEMBLY] = {"Assembly", "machine code"},
   };
   const struct icd_shader *shader = find_executable(icd_pipeline_from_handle(pExecutableInfo->pipeline), pExecutableInfo->executableIndex);
   const char *texts[COMP_NUM_TEXTS];
   uint32_t which[COMP_NUM_TEXTS], num_texts = 0;
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++) {
      if (shader->texts[i]) {
         which[num_texts] = i;
         texts[num_texts++] = shader->texts[i];
      }
   }
   VkResult result = set_count(num_texts, !pInternalRepresentations, pInternalRepresentationCount);
   for (uint32_t i = 0; pInternalRepresentations && i < *pInternalRepresentationCount; i++) {
      set_name(pInternalRepresentations[i].name, names[which[i]].name);
      set_name(pInternalRepresentations[i].description, names[which[i]].description);
      if (copy_text(texts[i], &pInternalRepresentations[i]) != VK_SUCCESS)
         result = VK_INCOMPLETE;
   }
   return result;
}

/* The same in each process that makes the pipeline with this build of the driver: of the code, not of the state around it. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelinePropertiesEXT(VkDevice device, const VkPipelineInfoEXT *pPipelineInfo, VkBaseOutStructure *pPipelineProperties)
{
   const struct icd_pipeline *pipeline = icd_pipeline_from_handle(pPipelineInfo->pipeline);
   VkPipelinePropertiesIdentifierEXT *identifier = icd_chain_find_out(pPipelineProperties, VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT);
   struct util_hash hash = util_hash_bytes(&pipeline->bind_point, sizeof(pipeline->bind_point));
   const uint32_t count = count_executables(pipeline);
   for (uint32_t i = 0; i < count; i++) {
      const struct icd_shader *shader = find_executable(pipeline, i);
      hash = util_hash_more(hash, &shader->key, sizeof(shader->key));
   }
   if (identifier)
      memcpy(identifier->pipelineIdentifier, &hash, sizeof(identifier->pipelineIdentifier));
   return VK_SUCCESS;
}
