/* SPDX-License-Identifier: MIT
 * Compute pipelines. Spec: Pipelines, "Compute Pipelines". */
#include "gen/icd_entrypoints.h"
#include "icd/cache/pipeline_cache.h"
#include "icd/pipeline/nodes.h"
#include "icd/pipeline/retired.h"
#include "icd/pipeline/shaders.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"

static VkResult compute_create(struct icd_stage_list *list, const VkComputePipelineCreateInfo *info, uint32_t index,
                               const VkAllocationCallbacks *allocator, VkPipeline *result)
{
   struct icd_stage_job *job = &list->jobs[index];

   icd_stages_feedback(info->pNext, (const struct icd_stage_job *const[]){job}, 1);
   if (job->result != VK_SUCCESS)
      return job->result;
   struct icd_pipeline *pipeline = icd_object_alloc(list->device, allocator, sizeof(*pipeline), VK_OBJECT_TYPE_PIPELINE);
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult noted = icd_stages_note_uses(&job, 1, icd_pipeline_layout_from_handle(info->layout), pipeline);
   if (noted != VK_SUCCESS) {
      icd_object_free(list->device, allocator, pipeline);
      return noted;
   }
   pipeline->bind_point = VK_PIPELINE_BIND_POINT_COMPUTE;
   if (icd_is_for_graphs(icd_pipeline_flags(info->pNext, info->flags))) {
      pipeline->graph = icd_nodes_create(1);
      if (!pipeline->graph) {
         util_mfree(pipeline->uses);
         icd_object_free(list->device, allocator, pipeline);
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      }
      icd_shader_retain(job->shader);
      icd_nodes_set(pipeline->graph, 0, job->shader, &info->stage);
   }
   icd_pipeline_add_shader(pipeline, job->shader);
   job->shader = NULL;
   icd_pipeline_label(pipeline);
   *result = icd_pipeline_to_handle(pipeline);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateComputePipelines(VkDevice _device, VkPipelineCache cache, uint32_t count,
                                                          const VkComputePipelineCreateInfo *infos,
                                                          const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_stage_list list;
   VkResult result = icd_stages_init(&list, device, allocator, count);

   for (uint32_t i = 0; i < count; i++)
      pipelines[i] = VK_NULL_HANDLE;
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < count; i++) {
      icd_stages_begin(&list, infos[i].pNext);
      struct icd_stage_job *job = icd_stages_add(&list, &infos[i].stage, icd_pipeline_layout_from_handle(infos[i].layout),
                                                 icd_pipeline_cache_from_handle(cache),
                                                 icd_pipeline_flags(infos[i].pNext, infos[i].flags));
      (void)!icd_stages_validate(&list, &job, 1, NULL, 0, NULL, NULL); /* the job has the result */
   }
   icd_stages_compile(&list);
   for (uint32_t i = 0; i < count; i++) {
      const VkResult one = compute_create(&list, &infos[i], i, allocator, &pipelines[i]);
      /* An error counts for more than VK_PIPELINE_COMPILE_REQUIRED. */
      if (one != VK_SUCCESS && result >= 0)
         result = one;
      if (one != VK_SUCCESS && list.jobs[i].ends_batch)
         break;
   }
   icd_stages_finish(&list);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipeline(VkDevice device, VkPipeline _pipeline, const VkAllocationCallbacks *allocator)
{
   struct icd_pipeline *pipeline = icd_pipeline_from_handle(_pipeline);
   if (pipeline && !icd_pipeline_retire(icd_device_from_handle(device), pipeline, allocator))
      icd_pipeline_free(icd_device_from_handle(device), pipeline, allocator);
}
