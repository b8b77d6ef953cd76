/* SPDX-License-Identifier: MIT
 * Graphics pipelines. Spec: Pipelines, "Graphics Pipelines". */
#include "icd/pipeline/graphics.h"

#include "abi/probe.h"
#include "gen/icd_entrypoints.h"
#include "icd/cache/pipeline_cache.h"
#include "icd/chain.h"
#include "icd/pipeline/graphics_state.h"
#include "icd/pipeline/ignored_outputs.h"
#include "icd/pipeline/shaders.h"
#include "icd/pipeline/stage_source.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"
#include "icd/validate/uses.h"

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

/* Structures of a pipeline that rasterizes nothing are not read. */
static struct icd_sample_shading sample_shading(const VkGraphicsPipelineCreateInfo *info)
{
   const VkGraphicsPipelineLibraryFlagsEXT parts = own_parts(info, libraries_of(info));
   return icd_sample_shading(info, has_rasterization(info, parts) ? parts : 0);
}

uint32_t icd_graphics_add_stages(struct icd_stage_list *list, const VkGraphicsPipelineCreateInfo *info, struct icd_pipeline_cache *cache,
                                 struct icd_stage_job **jobs)
{
   const VkGraphicsPipelineLibraryFlagsEXT parts = own_parts(info, libraries_of(info));
   const bool has_fragment =
      (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) && has_rasterization(info, parts);
   const VkPipelineCreateFlags2 flags = icd_pipeline_flags(info->pNext, info->flags);
   const bool has_others = parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
   uint32_t count = 0;

   icd_stages_begin(list, info->pNext);
   for (uint32_t i = 0; i < info->stageCount && count < ABI_NUM_STAGES; i++) {
      if (!(info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT ? has_fragment : has_others))
         continue;
      jobs[count] = icd_stages_add(list, &info->pStages[i], icd_pipeline_layout_from_handle(info->layout), cache, flags);
      struct comp_shader_desc *desc = &jobs[count]->request.desc;
      if (info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && !desc->checks)
         desc->ignored_outputs = icd_ignored_outputs(info, flags, parts);
      count++;
   }
   icd_stages_connect(jobs, count);
   return count;
}

/* Adds parts with their state. */
static void add_parts(struct icd_pipeline *pipeline, VkGraphicsPipelineLibraryFlagsEXT parts,
                      const struct rt_state *state, uint64_t dynamic_mask)
{
   rt_state_apply(&pipeline->state.state, state, ~icd_graphics_state_groups(parts));
   pipeline->state.dynamic_mask |= dynamic_mask;
   pipeline->parts |= parts;
}

/* Their stages, which are not the caller's to release. Returns how many. */
static uint32_t find_sources(const VkPipelineLibraryCreateInfoKHR *info, struct icd_stage_source **sources)
{
   uint32_t count = 0;
   for (uint32_t i = 0; info && i < info->libraryCount; i++) {
      const struct icd_pipeline *library = icd_pipeline_from_handle(info->pLibraries[i]);
      for (uint32_t k = 0; k < ABI_NUM_STAGES && count < ABI_NUM_STAGES; k++) {
         if (library->sources[k])
            sources[count++] = library->sources[k];
      }
   }
   return count;
}

/* What a library keeps for those that link it. */
static VkResult keep_sources(struct icd_pipeline *pipeline, struct icd_stage_job *const *jobs, uint32_t num_jobs,
                             const VkPipelineLibraryCreateInfoKHR *libraries)
{
   struct icd_stage_source *linked[ABI_NUM_STAGES];
   const uint32_t num_linked = find_sources(libraries, linked);
   for (uint32_t i = 0; i < num_linked; i++) {
      struct icd_stage_source **source = &pipeline->sources[linked[i]->desc.stage];
      if (!*source)
         *source = icd_stage_source_retain(linked[i]);
   }
   for (uint32_t i = 0; i < num_jobs; i++) {
      struct icd_stage_source **source = &pipeline->sources[jobs[i]->request.desc.stage];
      icd_stage_source_release(*source);
      *source = icd_stage_source_create(&jobs[i]->request.desc);
      if (!*source)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   return VK_SUCCESS;
}

static VkResult note_uses(struct icd_pipeline *pipeline, struct icd_stage_job *const *jobs, uint32_t num_jobs,
                          const VkGraphicsPipelineCreateInfo *info, const VkPipelineLibraryCreateInfoKHR *libraries)
{
   VkResult result = icd_stages_note_uses(jobs, num_jobs, icd_pipeline_layout_from_handle(info->layout), pipeline);
   if (pipeline->uses)
      icd_target_use_init(&pipeline->uses->target, info, own_parts(info, libraries));
   for (uint32_t i = 0; libraries && i < libraries->libraryCount && result == VK_SUCCESS; i++)
      result = icd_shader_uses_append(&pipeline->uses, icd_pipeline_from_handle(libraries->pLibraries[i])->uses);
   return result;
}

/* Parts of linked libraries. Code does not depend on the other parts, so linking copies references. */
static void link_libraries(struct icd_pipeline *pipeline, const VkPipelineLibraryCreateInfoKHR *info)
{
   for (uint32_t i = 0; info && i < info->libraryCount; i++) {
      const struct icd_pipeline *library = icd_pipeline_from_handle(info->pLibraries[i]);
      add_parts(pipeline, library->parts, &library->state.state, library->state.dynamic_mask);
      for (uint32_t k = 0; k < ABI_NUM_STAGES; k++) {
         if (!library->shaders[k] || pipeline->shaders[k])
            continue;
         icd_shader_retain(library->shaders[k]);
         icd_pipeline_add_shader(pipeline, library->shaders[k]);
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
   const VkPipelineCreateFlags2 flags = icd_pipeline_flags(info->pNext, info->flags);
   VkResult noted = note_uses(pipeline, jobs, num_jobs, info, libraries);
   if (noted == VK_SUCCESS && flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR)
      noted = keep_sources(pipeline, jobs, num_jobs, libraries);
   if (noted != VK_SUCCESS) {
      for (uint32_t i = 0; i < ABI_NUM_STAGES; i++)
         icd_stage_source_release(pipeline->sources[i]);
      util_mfree(pipeline->uses);
      icd_object_free(device, allocator, pipeline);
      return noted;
   }

   pipeline->bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
   pipeline->graphics.has_unrestricted_depth = icd_has_extension(&device->extensions, ICD_EXT_EXT_depth_range_unrestricted);
   for (uint32_t i = 0; i < num_jobs; i++) {
      icd_pipeline_add_shader(pipeline, jobs[i]->shader);
      jobs[i]->shader = NULL;
   }
   const uint64_t dynamic_mask = icd_graphics_state(info, flags, parts, &state);
   add_parts(pipeline, parts, &state, dynamic_mask);
   link_libraries(pipeline, libraries);
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
      struct icd_stage_job *stages[ABI_NUM_STAGES];
      uint32_t count;
      VkResult result; /* of what all stages decide together */
   } *jobs = icd_zalloc(device, allocator, sizeof(*jobs) * count, 8);

   for (uint32_t i = 0; i < count; i++)
      pipelines[i] = VK_NULL_HANDLE;
   VkResult result = icd_stages_init(&list, device, allocator, count * ABI_NUM_STAGES);
   if (!jobs || result != VK_SUCCESS) {
      if (result == VK_SUCCESS)
         icd_stages_finish(&list);
      icd_free(device, allocator, jobs);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   for (uint32_t i = 0; i < count; i++)
      jobs[i].count = icd_graphics_add_stages(&list, &infos[i], icd_pipeline_cache_from_handle(cache), jobs[i].stages);
   for (uint32_t i = 0; i < count; i++) {
      struct icd_stage_source *linked[ABI_NUM_STAGES];
      const struct icd_sample_shading shading = sample_shading(&infos[i]);
      jobs[i].result = icd_stages_validate(&list, jobs[i].stages, jobs[i].count, linked, find_sources(libraries_of(&infos[i]), linked),
                                           icd_pipeline_layout_from_handle(infos[i].layout), &shading);
   }
   icd_stages_compile(&list);
   for (uint32_t i = 0; i < count; i++) {
      VkResult one = jobs[i].result;
      if (one == VK_SUCCESS || jobs[i].count)
         one = graphics_create(device, &infos[i], jobs[i].stages, jobs[i].count, allocator, &pipelines[i]);
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
