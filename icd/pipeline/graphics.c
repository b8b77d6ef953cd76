/* SPDX-License-Identifier: MIT
 * Graphics pipelines. Spec: Pipelines, "Graphics Pipelines". */
#include "gen/icd_entrypoints.h"
#include "icd/cache/pipeline_cache.h"
#include "icd/chain.h"
#include "icd/pipeline/graphics_state.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"
#include "icd/render_pass.h"

/* The fragment stage is not part of a pipeline that discards all primitives. */
static bool has_rasterization(const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
   for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++) {
      if (dynamic->pDynamicStates[i] == VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE)
         return true;
   }
   return !info->pRasterizationState || !info->pRasterizationState->rasterizerDiscardEnable;
}

static uint32_t view_mask_of(const VkGraphicsPipelineCreateInfo *info)
{
   const struct icd_render_pass *pass = icd_render_pass_from_handle(info->renderPass);
   if (pass)
      return pass->subpasses[info->subpass].view_mask;
   const VkPipelineRenderingCreateInfo *rendering =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   return rendering ? rendering->viewMask : 0;
}

/* Adds the pipeline's stages to the list and notes them in `jobs`. */
static uint32_t add_stages(struct icd_stage_list *list, const VkGraphicsPipelineCreateInfo *info,
                           struct icd_pipeline_cache *cache, struct icd_stage_job **jobs)
{
   const bool is_rasterizing = has_rasterization(info);
   uint32_t count = 0;

   for (uint32_t i = 0; i < info->stageCount && count < ICD_MAX_PIPELINE_STAGES; i++) {
      if (info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && !is_rasterizing)
         continue;
      jobs[count++] = icd_stages_add(list, &info->pStages[i], icd_pipeline_layout_from_handle(info->layout), cache,
                                     icd_pipeline_flags(info->pNext, info->flags));
   }
   return count;
}

static VkResult graphics_create(struct icd_device *device, const VkGraphicsPipelineCreateInfo *info,
                                struct icd_stage_job **jobs, uint32_t num_jobs, const VkAllocationCallbacks *allocator,
                                VkPipeline *result)
{
   icd_stages_feedback(info->pNext, (const struct icd_stage_job *const *)jobs, num_jobs);
   for (uint32_t i = 0; i < num_jobs; i++) {
      if (jobs[i]->result != VK_SUCCESS)
         return jobs[i]->result;
   }
   struct icd_pipeline *pipeline = icd_object_alloc(device, allocator, sizeof(*pipeline), VK_OBJECT_TYPE_PIPELINE);
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   pipeline->bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
   for (uint32_t i = 0; i < num_jobs; i++) {
      struct icd_shader *shader = jobs[i]->shader;
      pipeline->shaders[i] = shader;
      jobs[i]->shader = NULL;
      icd_shader_to_runtime(shader, shader->code.info.stage == ABI_STAGE_FRAGMENT ? &pipeline->graphics.fragment
                                                                                   : &pipeline->graphics.vertex);
   }
   icd_pipeline_label(pipeline);
   pipeline->graphics.dynamic_mask = icd_graphics_state(info, &pipeline->graphics.state);
   pipeline->graphics.view_mask = view_mask_of(info);
   *result = icd_pipeline_to_handle(pipeline);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateGraphicsPipelines(VkDevice _device, VkPipelineCache cache, uint32_t count,
                                                           const VkGraphicsPipelineCreateInfo *infos,
                                                           const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_stage_list list;
   struct pipeline_jobs {
      struct icd_stage_job *stages[ICD_MAX_PIPELINE_STAGES];
      uint32_t count;
   } *jobs = icd_zalloc(device, allocator, sizeof(*jobs) * count, 8);

   for (uint32_t i = 0; i < count; i++)
      pipelines[i] = VK_NULL_HANDLE;
   VkResult result = icd_stages_init(&list, device, allocator, count * ICD_MAX_PIPELINE_STAGES);
   if (!jobs || result != VK_SUCCESS) {
      if (result == VK_SUCCESS)
         icd_stages_finish(&list);
      icd_free(device, allocator, jobs);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   for (uint32_t i = 0; i < count; i++)
      jobs[i].count = add_stages(&list, &infos[i], icd_pipeline_cache_from_handle(cache), jobs[i].stages);
   for (uint32_t i = 0; i < count; i++)
      icd_stages_validate(&list, jobs[i].stages, jobs[i].count);
   icd_stages_compile(&list);
   for (uint32_t i = 0; i < count; i++) {
      const VkResult one =
         graphics_create(device, &infos[i], jobs[i].stages, jobs[i].count, allocator, &pipelines[i]);
      /* An error counts for more than VK_PIPELINE_COMPILE_REQUIRED. */
      if (one != VK_SUCCESS && result >= 0)
         result = one;
      if (one != VK_SUCCESS &&
          icd_pipeline_flags(infos[i].pNext, infos[i].flags) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR)
         break;
   }
   icd_stages_finish(&list);
   icd_free(device, allocator, jobs);
   return result;
}
