/* SPDX-License-Identifier: MIT
 * Execution graph pipelines: each stage is a node, libraries bring theirs along. Spec: Execution Graphs. */
#include "gen/icd_entrypoints.h"
#include "gen/icd_spirv.h"

#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
#include "icd/cache/pipeline_cache.h"
#include "icd/pipeline/nodes.h"
#include "icd/pipeline/shaders.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"

#include <string.h>

/* ---- creation ---- */

static const struct icd_nodes *library_of(const VkPipelineLibraryCreateInfoKHR *info, uint32_t index)
{
   return icd_pipeline_from_handle(info->pLibraries[index])->graph;
}

static uint32_t count_nodes(const VkExecutionGraphPipelineCreateInfoAMDX *info)
{
   uint32_t count = info->stageCount;
   for (uint32_t i = 0; info->pLibraryInfo && i < info->pLibraryInfo->libraryCount; i++) {
      const struct icd_nodes *library = library_of(info->pLibraryInfo, i);
      count += library ? library->num_nodes : 0;
   }
   return count;
}

static VkResult pipeline_create(struct icd_device *device, const void *infos, uint32_t number, struct icd_stage_job *const *jobs,
                                const VkAllocationCallbacks *allocator, VkPipeline *result)
{
   const VkExecutionGraphPipelineCreateInfoAMDX *info = (const VkExecutionGraphPipelineCreateInfoAMDX *)infos + number;
   icd_stages_feedback(info->pNext, (const struct icd_stage_job *const *)jobs, info->stageCount);
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (jobs[i]->result != VK_SUCCESS)
         return jobs[i]->result;
   }
   struct icd_pipeline *pipeline = icd_object_alloc(device, allocator, sizeof(*pipeline), VK_OBJECT_TYPE_PIPELINE);
   struct icd_nodes *nodes = pipeline ? icd_nodes_create(count_nodes(info)) : NULL;
   if (!nodes) {
      icd_object_free(device, allocator, pipeline);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   pipeline->bind_point = VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX;
   pipeline->graph = nodes;
   for (uint32_t i = 0; i < info->stageCount; i++) {
      icd_nodes_set(nodes, i, jobs[i]->shader, &info->pStages[i]);
      jobs[i]->shader = NULL;
   }
   uint32_t first = info->stageCount;
   for (uint32_t i = 0; info->pLibraryInfo && i < info->pLibraryInfo->libraryCount; i++) {
      const struct icd_nodes *library = library_of(info->pLibraryInfo, i);
      if (!library)
         continue;
      icd_nodes_add_library(nodes, first, library);
      first += library->num_nodes;
   }
   pipeline->nodes = icd_nodes_link(nodes);
   icd_pipeline_label(pipeline);
   *result = icd_pipeline_to_handle(pipeline);
   return VK_SUCCESS;
}

static uint32_t num_stages(const void *infos, uint32_t index)
{
   return ((const VkExecutionGraphPipelineCreateInfoAMDX *)infos)[index].stageCount;
}

static VkPipelineCreateFlags2KHR flags_of(const void *infos, uint32_t index)
{
   const VkExecutionGraphPipelineCreateInfoAMDX *info = (const VkExecutionGraphPipelineCreateInfoAMDX *)infos + index;
   return icd_pipeline_flags(info->pNext, info->flags);
}

static void add_stages(struct icd_stage_list *list, const void *infos, uint32_t index, struct icd_pipeline_cache *cache, struct icd_stage_job **jobs)
{
   const VkExecutionGraphPipelineCreateInfoAMDX *info = (const VkExecutionGraphPipelineCreateInfoAMDX *)infos + index;
   const struct icd_pipeline_layout *layout = icd_pipeline_layout_from_handle(info->layout);
   const VkPipelineCreateFlags2KHR flags = flags_of(infos, index);
   icd_stages_begin(list, info->pNext);
   for (uint32_t i = 0; i < info->stageCount; i++) {
      jobs[i] = icd_stages_add(list, &info->pStages[i], layout, cache, flags);
      if (jobs[i]->result == VK_SUCCESS && jobs[i]->request.desc.stage != ABI_STAGE_COMPUTE)
         jobs[i]->result = VK_ERROR_INVALID_SHADER_NV;
      /* no stage has an interface with another one; the job has the result */
      (void)!icd_stages_validate(list, &jobs[i], 1, NULL, 0, layout, NULL);
   }
}

static const struct icd_staged_pipelines staged = {.num_stages = num_stages, .flags = flags_of, .add = add_stages, .create = pipeline_create};

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateExecutionGraphPipelinesAMDX(VkDevice _device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                                                     const VkExecutionGraphPipelineCreateInfoAMDX *pCreateInfos,
                                                                     const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
   return icd_staged_pipelines_create(&staged, icd_device_from_handle(_device), icd_pipeline_cache_from_handle(pipelineCache), createInfoCount, pCreateInfos,
                                      pAllocator, pPipelines);
}

/* ---- queries ---- */

/* Records live in the process's memory: none of the application's is used. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetExecutionGraphPipelineScratchSizeAMDX(VkDevice device, VkPipeline executionGraph,
                                                                            VkExecutionGraphPipelineScratchSizeAMDX *pSizeInfo)
{
   pSizeInfo->minSize = pSizeInfo->maxSize = pSizeInfo->sizeGranularity = 64;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetExecutionGraphPipelineNodeIndexAMDX(VkDevice device, VkPipeline executionGraph,
                                                                          const VkPipelineShaderStageNodeCreateInfoAMDX *pNodeInfo, uint32_t *pNodeIndex)
{
   const struct icd_pipeline *pipeline = icd_pipeline_from_handle(executionGraph);
   *pNodeIndex = rt_node_find(&pipeline->nodes, icd_node_name(pNodeInfo->pName), pNodeInfo->index);
   return *pNodeIndex != UINT32_MAX ? VK_SUCCESS : VK_ERROR_UNKNOWN;
}
#endif
