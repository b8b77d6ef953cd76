/* SPDX-License-Identifier: MIT
 * Graphics pipelines. Spec: Pipelines, "Graphics Pipelines". */
#include "gen/icd_entrypoints.h"
#include "icd/cache/pipeline_cache.h"
#include "icd/chain.h"
#include "icd/pipeline/graphics_state.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"
#include "icd/render_pass.h"

/* The parts of a pipeline that the create info itself has; others come from libraries. */
static VkGraphicsPipelineLibraryFlagsEXT own_parts(const VkGraphicsPipelineCreateInfo *info,
                                                   const VkPipelineLibraryCreateInfoKHR *libraries)
{
   const VkGraphicsPipelineLibraryCreateInfoEXT *library =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
   if (library)
      return library->flags;
   const bool is_library = icd_pipeline_flags(info->pNext, info->flags) & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
   return is_library || (libraries && libraries->libraryCount) ? 0 : ICD_ALL_PARTS;
}

static const VkPipelineLibraryCreateInfoKHR *libraries_of(const VkGraphicsPipelineCreateInfo *info)
{
   return icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

/* The fragment stage is not part of a pipeline that discards all primitives. */
static bool has_rasterization(const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT parts)
{
   const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
   if (!(parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT))
      return true; /* a library does not know */
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

/* Adds the pipeline's own stages to the list and notes them in `jobs`. */
static uint32_t add_stages(struct icd_stage_list *list, const VkGraphicsPipelineCreateInfo *info,
                           struct icd_pipeline_cache *cache, struct icd_stage_job **jobs)
{
   const VkGraphicsPipelineLibraryFlagsEXT parts = own_parts(info, libraries_of(info));
   const bool has_fragment =
      (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) && has_rasterization(info, parts);
   const bool has_others = parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
   uint32_t count = 0;

   for (uint32_t i = 0; i < info->stageCount && count < ICD_MAX_PIPELINE_STAGES; i++) {
      if (!(info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT ? has_fragment : has_others))
         continue;
      jobs[count++] = icd_stages_add(list, &info->pStages[i], icd_pipeline_layout_from_handle(info->layout), cache,
                                     icd_pipeline_flags(info->pNext, info->flags));
   }
   return count;
}

/* Takes over a reference. */
static void add_shader(struct icd_pipeline *pipeline, uint32_t index, struct icd_shader *shader)
{
   pipeline->shaders[index] = shader;
   icd_shader_to_runtime(shader, shader->code.info.stage == ABI_STAGE_FRAGMENT ? &pipeline->graphics.fragment
                                                                                : &pipeline->graphics.vertex);
}

/* Adds parts with their state. */
static void add_parts(struct icd_pipeline *pipeline, VkGraphicsPipelineLibraryFlagsEXT parts,
                      const struct rt_state *state, uint64_t dynamic_mask, uint32_t view_mask)
{
   rt_state_apply(&pipeline->graphics.state, state, ~icd_graphics_state_groups(parts));
   pipeline->graphics.dynamic_mask |= dynamic_mask;
   pipeline->graphics.view_mask |= view_mask;
   pipeline->parts |= parts;
}

/* Parts of linked libraries. Code does not depend on the other parts, so linking copies references. */
static void link_libraries(struct icd_pipeline *pipeline, const VkPipelineLibraryCreateInfoKHR *info,
                           uint32_t num_shaders)
{
   for (uint32_t i = 0; info && i < info->libraryCount; i++) {
      const struct icd_pipeline *library = icd_pipeline_from_handle(info->pLibraries[i]);
      const struct rt_graphics_pipeline *from = &library->graphics;
      add_parts(pipeline, library->parts, &from->state, from->dynamic_mask, from->view_mask);
      for (uint32_t k = 0; k < ICD_MAX_PIPELINE_STAGES && library->shaders[k]; k++) {
         if (num_shaders == ICD_MAX_PIPELINE_STAGES)
            break;
         icd_shader_retain(library->shaders[k]);
         add_shader(pipeline, num_shaders++, library->shaders[k]);
      }
   }
}

static VkResult graphics_create(struct icd_device *device, const VkGraphicsPipelineCreateInfo *info,
                                struct icd_stage_job **jobs, uint32_t num_jobs, const VkAllocationCallbacks *allocator,
                                VkPipeline *result)
{
   const VkPipelineLibraryCreateInfoKHR *libraries = libraries_of(info);
   const VkGraphicsPipelineLibraryFlagsEXT parts = own_parts(info, libraries);
   struct rt_state state;

   icd_stages_feedback(info->pNext, (const struct icd_stage_job *const *)jobs, num_jobs);
   for (uint32_t i = 0; i < num_jobs; i++) {
      if (jobs[i]->result != VK_SUCCESS)
         return jobs[i]->result;
   }
   struct icd_pipeline *pipeline = icd_object_alloc(device, allocator, sizeof(*pipeline), VK_OBJECT_TYPE_PIPELINE);
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult noted = icd_stages_note_images(jobs, num_jobs, icd_pipeline_layout_from_handle(info->layout), pipeline);
   if (noted != VK_SUCCESS) {
      icd_object_free(device, allocator, pipeline);
      return noted;
   }

   pipeline->bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
   for (uint32_t i = 0; i < num_jobs; i++) {
      add_shader(pipeline, i, jobs[i]->shader);
      jobs[i]->shader = NULL;
   }
   const VkPipelineCreateFlags2 flags = icd_pipeline_flags(info->pNext, info->flags);
   const uint64_t dynamic_mask = icd_graphics_state(info, flags, parts, &state);
   add_parts(pipeline, parts, &state, dynamic_mask, view_mask_of(info));
   link_libraries(pipeline, libraries, num_jobs);
   icd_pipeline_label(pipeline);
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
