/* SPDX-License-Identifier: MIT
 * Ray pipelines: stages are compiled as those of others are, groups name them, libraries bring theirs along.
 * Spec: Pipelines, "Ray Tracing Pipelines"; Shader Binding Table. */
#include "icd/pipeline/rays.h"

#include "gen/icd_entrypoints.h"
#include "icd/cache/pipeline_cache.h"
#include "icd/chain.h"
#include "icd/pipeline/shaders.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"
#include "runtime/rays/rays.h"
#include "util/size.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

/* ---- shaders and groups ---- */

static struct icd_ray_shaders *shaders_create(uint32_t num_shaders, uint32_t num_groups)
{
   size_t size = sizeof(struct icd_ray_shaders);
   const size_t shaders = util_size_append(&size, num_shaders, sizeof(struct icd_shader *));
   const size_t runs = util_size_append(&size, num_shaders, sizeof(struct rt_shader)), labels = util_size_append(&size, num_shaders, 160);
   const size_t groups = util_size_append(&size, num_groups, sizeof(struct rt_ray_group));
   const size_t slots = util_size_append(&size, rt_ray_num_slots(num_groups), sizeof(uint32_t));
   char *memory = util_calloc(1, size);
   struct icd_ray_shaders *result = (struct icd_ray_shaders *)memory;
   if (!memory)
      return NULL;
   *result = (struct icd_ray_shaders){num_shaders, num_groups, (void *)(memory + shaders), (void *)(memory + runs), (void *)(memory + labels),
                                      (void *)(memory + groups), (void *)(memory + slots)};
   return result;
}

void icd_ray_shaders_destroy(struct icd_ray_shaders *shaders)
{
   for (uint32_t i = 0; shaders && i < shaders->num_shaders; i++)
      icd_shader_release(shaders->shaders[i]);
   util_mfree(shaders);
}

/* Takes over a reference. */
static void set_shader(struct icd_pipeline *pipeline, uint32_t index, struct icd_shader *shader)
{
   const struct abi_shader_info *info = &shader->code.info;
   struct rt_ray_pipeline *rays = &pipeline->rays;
   pipeline->ray_shaders->shaders[index] = shader;
   pipeline->ray_shaders->runs[index] = (struct rt_shader){.info = info, .run = shader->code.run, .name = shader->name};
   rays->max_payload_words = UTIL_MAX(rays->max_payload_words, info->payload_words);
   rays->max_frame_bytes = UTIL_MAX(rays->max_frame_bytes, info->frame_bytes);
}

static const struct rt_shader *find_run(const struct icd_ray_shaders *shaders, uint32_t index)
{
   return index < shaders->num_shaders ? &shaders->runs[index] : NULL; /* VK_SHADER_UNUSED_KHR */
}

static struct rt_ray_group group_of(const struct icd_ray_shaders *shaders, const VkRayTracingShaderGroupCreateInfoKHR *info)
{
   const uint64_t id = icd_ray_group_id(info->pShaderGroupCaptureReplayHandle);
   if (info->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR)
      return (struct rt_ray_group){.general = find_run(shaders, info->generalShader), .id = id};
   const bool is_box = info->type == VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
   return (struct rt_ray_group){.closest_hit = find_run(shaders, info->closestHitShader), .any_hit = find_run(shaders, info->anyHitShader),
                                .intersection = is_box ? find_run(shaders, info->intersectionShader) : NULL, .id = id};
}

static const struct rt_shader *moved(const struct rt_shader *run, const struct icd_ray_shaders *from, const struct icd_ray_shaders *to, uint32_t first)
{
   return run ? &to->runs[first + (uint32_t)(run - from->runs)] : NULL;
}

/* The library's shaders and groups behind those that are there. */
static void link_library(struct icd_pipeline *pipeline, const struct icd_ray_shaders *from, uint32_t first_shader, uint32_t first_group)
{
   struct icd_ray_shaders *to = pipeline->ray_shaders;
   for (uint32_t i = 0; i < from->num_shaders; i++) {
      icd_shader_retain(from->shaders[i]);
      set_shader(pipeline, first_shader + i, from->shaders[i]);
   }
   for (uint32_t i = 0; i < from->num_groups; i++) {
      const struct rt_ray_group *group = &from->groups[i];
      to->groups[first_group + i] = (struct rt_ray_group){
         .general = moved(group->general, from, to, first_shader), .closest_hit = moved(group->closest_hit, from, to, first_shader),
         .any_hit = moved(group->any_hit, from, to, first_shader), .intersection = moved(group->intersection, from, to, first_shader), .id = group->id};
   }
}

/* ---- creation ---- */

static uint32_t ray_flags_of(VkPipelineCreateFlags2KHR flags)
{
   return (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR ? ABI_RAY_SKIP_TRIANGLES : 0) |
          (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR ? ABI_RAY_SKIP_AABBS : 0);
}

static bool has_dynamic_stack(const VkPipelineDynamicStateCreateInfo *info)
{
   for (uint32_t i = 0; info && i < info->dynamicStateCount; i++) {
      if (info->pDynamicStates[i] == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR)
         return true;
   }
   return false;
}

static void count_libraries(const VkPipelineLibraryCreateInfoKHR *info, uint32_t *num_shaders, uint32_t *num_groups)
{
   for (uint32_t i = 0; info && i < info->libraryCount; i++) {
      const struct icd_ray_shaders *library = icd_pipeline_from_handle(info->pLibraries[i])->ray_shaders;
      *num_shaders += library->num_shaders;
      *num_groups += library->num_groups;
   }
}

static VkResult pipeline_create(struct icd_device *device, const void *infos, uint32_t number, struct icd_stage_job *const *jobs,
                                const VkAllocationCallbacks *allocator, VkPipeline *result)
{
   const VkRayTracingPipelineCreateInfoKHR *info = (const VkRayTracingPipelineCreateInfoKHR *)infos + number;
   uint32_t num_shaders = info->stageCount, num_groups = info->groupCount;
   icd_stages_feedback(info->pNext, (const struct icd_stage_job *const *)jobs, info->stageCount);
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (jobs[i]->result != VK_SUCCESS)
         return jobs[i]->result;
   }
   count_libraries(info->pLibraryInfo, &num_shaders, &num_groups);
   struct icd_pipeline *pipeline = icd_object_alloc(device, allocator, sizeof(*pipeline), VK_OBJECT_TYPE_PIPELINE);
   struct icd_ray_shaders *shaders = pipeline ? shaders_create(num_shaders, num_groups) : NULL;
   if (!shaders) {
      icd_object_free(device, allocator, pipeline);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   pipeline->bind_point = VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
   pipeline->ray_shaders = shaders;
   pipeline->rays = (struct rt_ray_pipeline){
      .groups = shaders->groups,
      .slots = shaders->slots,
      .num_groups = num_groups,
      .slot_mask = rt_ray_num_slots(num_groups) - 1,
      .ray_flags = ray_flags_of(icd_pipeline_flags(info->pNext, info->flags)),
      .max_recursion = UTIL_MIN(info->maxPipelineRayRecursionDepth, RT_RAY_MAX_RECURSION),
      .has_dynamic_stack = has_dynamic_stack(info->pDynamicState),
   };
   for (uint32_t i = 0; i < info->stageCount; i++) {
      set_shader(pipeline, i, jobs[i]->shader);
      jobs[i]->shader = NULL;
   }
   for (uint32_t i = 0; i < info->groupCount; i++)
      shaders->groups[i] = group_of(shaders, &info->pGroups[i]);
   uint32_t first_shader = info->stageCount, first_group = info->groupCount;
   for (uint32_t i = 0; info->pLibraryInfo && i < info->pLibraryInfo->libraryCount; i++) {
      const struct icd_ray_shaders *library = icd_pipeline_from_handle(info->pLibraryInfo->pLibraries[i])->ray_shaders;
      link_library(pipeline, library, first_shader, first_group);
      first_shader += library->num_shaders;
      first_group += library->num_groups;
   }
   rt_ray_slots_fill(shaders->slots, rt_ray_num_slots(num_groups), shaders->groups, num_groups);
   icd_pipeline_label(pipeline);
   *result = icd_pipeline_to_handle(pipeline);
   return VK_SUCCESS;
}

/* Whether the module may look at other invocations of a subgroup; one that is known by its hash alone is not asked. */
static bool may_see_subgroups(const struct comp_shader_desc *desc)
{
   for (size_t at = 5; at + 1 < desc->num_words && (desc->words[at] & 0xffff) == SpvOpCapability; at += 2) {
      const uint32_t capability = desc->words[at + 1];
      if ((capability >= SpvCapabilityGroupNonUniform && capability <= SpvCapabilityGroupNonUniformQuad) ||
          capability == SpvCapabilityGroupNonUniformPartitionedNV || capability == SpvCapabilityGroupNonUniformRotateKHR ||
          capability == SpvCapabilitySubgroupBallotKHR || capability == SpvCapabilitySubgroupVoteKHR)
         return true;
   }
   return false;
}

/* A subgroup of a hit shader is made of rays that one subgroup of its caller traced. So if one stage sees subgroups, vectors of all are
 * subgroups: the machine's width must not show. */
static void share_subgroups(struct icd_stage_job *const *jobs, uint32_t count)
{
   bool is_seen = false;
   for (uint32_t i = 0; i < count; i++)
      is_seen |= may_see_subgroups(&jobs[i]->request.desc);
   for (uint32_t i = 0; i < count && is_seen; i++)
      jobs[i]->request.desc.target.lanes = COMP_SUBGROUP_SIZE;
}

static uint32_t num_stages(const void *infos, uint32_t index)
{
   return ((const VkRayTracingPipelineCreateInfoKHR *)infos)[index].stageCount;
}

static VkPipelineCreateFlags2KHR flags_of(const void *infos, uint32_t index)
{
   const VkRayTracingPipelineCreateInfoKHR *info = (const VkRayTracingPipelineCreateInfoKHR *)infos + index;
   return icd_pipeline_flags(info->pNext, info->flags);
}

static void add_stages(struct icd_stage_list *list, const void *infos, uint32_t index, struct icd_pipeline_cache *cache, struct icd_stage_job **jobs)
{
   const VkRayTracingPipelineCreateInfoKHR *info = (const VkRayTracingPipelineCreateInfoKHR *)infos + index;
   const VkPipelineCreateFlags2KHR flags = flags_of(infos, index);
   icd_stages_begin(list, info->pNext);
   for (uint32_t i = 0; i < info->stageCount; i++) {
      jobs[i] = icd_stages_add(list, &info->pStages[i], icd_pipeline_layout_from_handle(info->layout), cache, flags);
      /* no stage has an interface with another one; the job has the result */
      (void)!icd_stages_validate(list, &jobs[i], 1, NULL, 0, icd_pipeline_layout_from_handle(info->layout), NULL);
   }
   share_subgroups(jobs, info->stageCount);
}

static const struct icd_staged_pipelines staged = {.num_stages = num_stages, .flags = flags_of, .add = add_stages, .create = pipeline_create};

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateRayTracingPipelinesKHR(VkDevice _device, VkDeferredOperationKHR deferredOperation,
                                                                VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                                                const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
                                                                const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
   const VkResult result = icd_staged_pipelines_create(&staged, icd_device_from_handle(_device), icd_pipeline_cache_from_handle(pipelineCache),
                                                       createInfoCount, pCreateInfos, pAllocator, pPipelines);
   return result == VK_SUCCESS && deferredOperation ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}
