/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/stages.h"

#include "icd/cache/pipeline_cache.h"
#include "icd/chain.h"
#include "icd/instrument/instrument.h"
#include "icd/pipeline/heap_layout.h"
#include "icd/pipeline/pipeline_binary.h"
#include "icd/pipeline/stage_source.h"
#include "icd/pipeline_layout.h"
#include "icd/shader_module.h"
#include "icd/stage.h"
#include "icd/validate/uses.h"
#include "icd/validate/validate.h"
#include "runtime/device.h"
#include "util/cpu.h"
#include "util/size.h"
#include "util/thread.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

static bool is_robust2(VkPipelineRobustnessBufferBehavior behavior, bool is_default)
{
   return behavior == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2 ||
          (behavior == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT && is_default);
}

/* enum comp_robust2: what a chain asks for, else `other`. */
static uint32_t robust2_of(const struct icd_device *device, const void *chain, uint32_t other)
{
   const VkPipelineRobustnessCreateInfo *info = icd_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
   const bool is_default = device->features.robustBufferAccess2;
   if (!info)
      return other;
   return (is_robust2(info->storageBuffers, is_default) ? COMP_ROBUST2_STORAGE : 0) | (is_robust2(info->uniformBuffers, is_default) ? COMP_ROBUST2_UNIFORM : 0);
}

static uint32_t robust2_of_device(const struct icd_device *device)
{
   return device->features.robustBufferAccess2 ? COMP_ROBUST2_STORAGE | COMP_ROBUST2_UNIFORM : 0;
}

VkResult icd_stages_init(struct icd_stage_list *list, struct icd_device *device, const VkAllocationCallbacks *allocator,
                         uint32_t capacity)
{
   *list = (struct icd_stage_list){.device = device, .allocator = allocator, .robust2 = robust2_of_device(device)};
   list->jobs = icd_zalloc(device, allocator, sizeof(*list->jobs) * capacity, 16);
   return list->jobs || !capacity ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void icd_stages_finish(struct icd_stage_list *list)
{
   for (uint32_t i = 0; i < list->num_jobs; i++) {
      struct icd_stage_job *job = &list->jobs[i];
      icd_shader_release(job->shader);
      icd_free(list->device, list->allocator, job->spec_entries);
      icd_free(list->device, list->allocator, job->heap_layout);
      icd_object_free(list->device, list->allocator, job->inline_module);
   }
   icd_free(list->device, list->allocator, list->jobs);
}

static VkResult job_set_specialization(struct icd_stage_list *list, struct icd_stage_job *job,
                                       const VkSpecializationInfo *spec)
{
   if (!spec || !spec->mapEntryCount)
      return VK_SUCCESS;
   job->spec_entries = icd_alloc(list->device, list->allocator, sizeof(*job->spec_entries) * spec->mapEntryCount, 8);
   if (!job->spec_entries)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < spec->mapEntryCount; i++) {
      const VkSpecializationMapEntry *entry = &spec->pMapEntries[i];
      job->spec_entries[i] = (struct comp_spec_entry){entry->constantID, entry->offset, entry->size};
   }
   job->request.desc.spec_entries = job->spec_entries;
   job->request.desc.num_spec_entries = spec->mapEntryCount;
   job->request.desc.spec_data = spec->pData;
   job->request.desc.spec_data_bytes = spec->dataSize;
   return VK_SUCCESS;
}

/* What a stage's chain says instead of a module. `hash` alone is set where that is an identifier: only a cache may have its code. Code that would have to
 * be compiled again, for texts or by whom a library is linked, is not to be had so.
 * VK_PIPELINE_COMPILE_REQUIRED, VK_ERROR_INVALID_SHADER_NV, those of icd_shader_module_create(). */
static VkResult find_module(struct icd_stage_list *list, struct icd_stage_job *job, const void *chain, VkPipelineCreateFlags2KHR flags, struct util_hash *hash)
{
   const VkPipelineCreateFlags2KHR again = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
   const VkShaderModuleCreateInfo *code = icd_chain_find(chain, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
   const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
      icd_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
   if (code)
      return icd_shader_module_create(list->device, code, list->allocator, &job->inline_module);
   if (!identifier || !identifier->identifierSize)
      return VK_ERROR_INVALID_SHADER_NV;
   return icd_shader_module_identified(identifier, hash) && !(flags & again) ? VK_SUCCESS : VK_PIPELINE_COMPILE_REQUIRED;
}

void icd_stages_begin(struct icd_stage_list *list, const void *chain)
{
   const VkPipelineBinaryInfoKHR *binaries = icd_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
   list->binaries = binaries && binaries->binaryCount ? binaries : NULL;
   list->first_job = list->num_jobs;
   list->robust2 = robust2_of(list->device, chain, robust2_of_device(list->device));
}

/* The code of the index-th stage of that class; NULL: it is not among them. No reference is given. */
static struct icd_shader *binary_of_stage(const VkPipelineBinaryInfoKHR *info, enum abi_stage stage, uint32_t index)
{
   for (uint32_t i = 0; i < info->binaryCount; i++) {
      const struct icd_pipeline_binary *binary = icd_pipeline_binary_from_handle(info->pPipelineBinaries[i]);
      if (binary && binary->shader->code.info.stage == stage && index-- == 0)
         return binary->shader;
   }
   return NULL;
}

/* Code that is there: what follows finds it made, and no words to check. */
static void take_binary(struct icd_stage_list *list, struct icd_stage_job *job, const char *entry_point, enum abi_stage stage)
{
   const uint64_t begin_ns = util_now_ns();
   uint32_t index = 0;
   for (const struct icd_stage_job *other = &list->jobs[list->first_job]; other < job; other++)
      index += other->request.desc.stage == stage;
   job->request.desc = (struct comp_shader_desc){.stage = stage, .entry_point = entry_point};
   job->shader = binary_of_stage(list->binaries, stage, index);
   job->result = job->shader ? VK_SUCCESS : VK_ERROR_INVALID_SHADER_NV;
   if (job->shader)
      icd_shader_retain(job->shader);
   job->duration_ns = UTIL_MAX(util_now_ns() - begin_ns, UINT64_C(1));
}

static bool has_64bit_indices(VkPipelineCreateFlags2KHR flags)
{
#ifdef VK_EXT_shader_64bit_indexing
   return (flags & VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT) != 0;
#else
   return false;
#endif
}

struct icd_stage_job *icd_stages_add(struct icd_stage_list *list, const VkPipelineShaderStageCreateInfo *info,
                                     const struct icd_pipeline_layout *layout, struct icd_pipeline_cache *cache,
                                     VkPipelineCreateFlags2KHR flags)
{
   struct icd_stage_job *job = &list->jobs[list->num_jobs++];
   const struct icd_shader_module *module = icd_shader_module_from_handle(info->module);
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *subgroup =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);

   const enum abi_stage stage = icd_stage_of(info->stage);
   job->ends_batch = (flags & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR) != 0;
   if (stage == ABI_NUM_STAGES) {
      job->result = VK_ERROR_INVALID_SHADER_NV;
      return job;
   }
   if (list->binaries) {
      take_binary(list, job, info->pName, stage);
      return job;
   }
   if (icd_has_heaps(flags) && !(job->heap_layout = icd_heap_layout_create(list->device, list->allocator, info->pNext))) {
      job->result = VK_ERROR_OUT_OF_HOST_MEMORY;
      return job;
   }
   struct util_hash hash = {0};
   if (!module) {
      job->result = find_module(list, job, info->pNext, flags, &hash);
      if (job->result != VK_SUCCESS)
         return job;
      module = job->inline_module;
   }
   job->request = (struct icd_shader_request){
      .desc = {
         .words = module ? module->words : NULL,
         .num_words = module ? module->num_words : 0,
         .module_hash = module ? module->hash : hash,
         .stage = stage,
         .entry_point = info->pName,
         .layout = job->heap_layout ? job->heap_layout : layout ? &layout->comp : NULL,
         .target = {util_cpu_lanes(), util_cpu_level(), util_cpu_max_lanes(), util_cpu_has_fast_gathers()},
         .checks = icd_checks(),
         .trace = *icd_trace(),
         .required_subgroup_size = subgroup ? subgroup->requiredSubgroupSize : 0,
         .view_index_is_device_index = (flags & VK_PIPELINE_CREATE_2_VIEW_INDEX_FROM_DEVICE_INDEX_BIT_KHR) != 0,
         .has_64bit_indices = has_64bit_indices(flags),
         .robust2 = robust2_of(list->device, info->pNext, list->robust2),
      },
      .cache = cache,
      .wants_texts = (flags & VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR) != 0,
      .must_not_compile = !module || (flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR) != 0,
   };
   job->result = job_set_specialization(list, job, info->pSpecializationInfo);
   return job;
}

/* What the entry point's execution mode OutputVertices says; 0: nothing. The words may be of any type. */
static uint32_t output_vertices(const struct comp_shader_desc *desc)
{
   uint32_t entry = 0;
   const size_t name_bytes = strlen(desc->entry_point) + 1;
   const uint32_t model = desc->stage == ABI_STAGE_CONTROL ? SpvExecutionModelTessellationControl : SpvExecutionModelTessellationEvaluation;
   for (size_t at = 5, count; at < desc->num_words; at += count) {
      const uint32_t *words = desc->words + at;
      const uint32_t op = words[0] & 0xffff;
      count = words[0] >> 16;
      if (!count || count > desc->num_words - at || op == SpvOpFunction)
         return 0;
      if (op == SpvOpEntryPoint && count > 3 && words[1] == model && name_bytes <= (count - 3) * sizeof(*words) &&
          !memcmp(words + 3, desc->entry_point, name_bytes))
         entry = words[2];
      if (op == SpvOpExecutionMode && count > 3 && entry && words[1] == entry && words[2] == SpvExecutionModeOutputVertices)
         return words[3];
   }
   return 0;
}

void icd_stages_connect(struct icd_stage_job *const *jobs, uint32_t num_jobs)
{
   struct comp_shader_desc *control = NULL, *evaluation = NULL;
   for (uint32_t i = 0; i < num_jobs; i++) {
      struct comp_shader_desc *desc = &jobs[i]->request.desc;
      if (jobs[i]->result == VK_SUCCESS && desc->stage == ABI_STAGE_CONTROL)
         control = desc;
      if (jobs[i]->result == VK_SUCCESS && desc->stage == ABI_STAGE_EVALUATION)
         evaluation = desc;
   }
   if (control && evaluation && !output_vertices(control))
      control->patch_vertices_out = output_vertices(evaluation);
}

VkResult icd_stages_validate(struct icd_stage_list *list, struct icd_stage_job *const *jobs, uint32_t num_jobs,
                             struct icd_stage_source *const *linked, uint32_t num_linked, const struct icd_pipeline_layout *layout,
                             const struct icd_sample_shading *shading)
{
   const struct comp_shader_desc *descs[2 * ABI_NUM_STAGES];
   struct comp_shader_desc of_libraries[ABI_NUM_STAGES];
   uint32_t count = 0;
   for (uint32_t i = 0; i < num_jobs; i++) {
      if (jobs[i]->result != VK_SUCCESS)
         return jobs[i]->result;
      if (jobs[i]->request.desc.num_words) /* others are in the cache since they passed */
         descs[count++] = &jobs[i]->request.desc;
   }
   for (uint32_t i = 0; i < num_linked; i++) {
      if (!linked[i]->desc.num_words)
         continue;
      of_libraries[i] = linked[i]->desc;
      of_libraries[i].layout = layout ? &layout->comp : NULL;
      descs[count++] = &of_libraries[i];
   }
   const VkResult result = count ? icd_validate_pipeline(list->device, descs, count, shading) : VK_SUCCESS;
   for (uint32_t i = 0; i < num_jobs; i++)
      jobs[i]->result = result;
   return result;
}

VkResult icd_stages_note_uses(struct icd_stage_job *const *jobs, uint32_t num_jobs, const struct icd_pipeline_layout *layout,
                              struct icd_pipeline *pipeline)
{
   const struct comp_shader_desc *descs[ABI_NUM_STAGES];
   for (uint32_t i = 0; i < num_jobs; i++)
      descs[i] = &jobs[i]->request.desc;
   return icd_shader_uses_create(descs, num_jobs, layout, &pipeline->uses);
}

static void compile_one(void *data, uint32_t index)
{
   struct icd_stage_list *list = data;
   struct icd_stage_job *job = &list->jobs[index];
   if (job->result != VK_SUCCESS || job->shader)
      return;
   const uint64_t begin_ns = util_now_ns();
   job->result = icd_shader_acquire(list->device, &job->request, &job->shader);
   job->duration_ns = util_now_ns() - begin_ns;
}

static void compile_in_order(struct icd_stage_list *list)
{
   bool has_ended = false;
   for (uint32_t i = 0; i < list->num_jobs; i++) {
      struct icd_stage_job *job = &list->jobs[i];
      if (has_ended && job->result == VK_SUCCESS)
         job->result = VK_PIPELINE_COMPILE_REQUIRED;
      compile_one(list, i);
      has_ended |= job->result != VK_SUCCESS && job->ends_batch;
   }
}

void icd_stages_compile(struct icd_stage_list *list)
{
   bool is_ordered = list->num_jobs == 1;
   for (uint32_t i = 0; i < list->num_jobs; i++)
      is_ordered |= list->jobs[i].request.must_not_compile;
   if (is_ordered)
      compile_in_order(list);
   else
      rt_device_parallel_for(list->device->rt, list->num_jobs, compile_one, list);
}

VkResult icd_staged_pipelines_create(const struct icd_staged_pipelines *class, struct icd_device *device, struct icd_pipeline_cache *cache, uint32_t count,
                                     const void *infos, const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
   struct icd_stage_list list;
   uint32_t num_stages = 0, first = 0;
   for (uint32_t i = 0; i < count; i++) {
      pipelines[i] = VK_NULL_HANDLE;
      num_stages += class->num_stages(infos, i);
   }
   VkResult result = icd_stages_init(&list, device, allocator, num_stages);
   if (result != VK_SUCCESS)
      return result;
   struct icd_stage_job **jobs = icd_zalloc(device, allocator, util_size_mul(num_stages, sizeof(*jobs)), 8);
   if (!jobs && num_stages) {
      icd_stages_finish(&list);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   for (uint32_t i = 0; i < count; first += class->num_stages(infos, i++))
      class->add(&list, infos, i, cache, jobs ? &jobs[first] : NULL);
   icd_stages_compile(&list);
   first = 0;
   for (uint32_t i = 0; i < count; first += class->num_stages(infos, i++)) {
      const VkResult one = class->create(device, infos, i, jobs ? &jobs[first] : NULL, allocator, &pipelines[i]);
      if (one != VK_SUCCESS && result >= 0) /* an error counts for more than VK_PIPELINE_COMPILE_REQUIRED */
         result = one;
      if (one != VK_SUCCESS && class->flags(infos, i) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR)
         break;
   }
   icd_stages_finish(&list);
   icd_free(device, allocator, jobs);
   return result;
}

void icd_stages_feedback(const void *chain, const struct icd_stage_job *const *jobs, uint32_t num_jobs)
{
   const VkPipelineCreationFeedbackCreateInfo *info =
      icd_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
   if (!info)
      return;
   VkPipelineCreationFeedback whole = {.flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT};
   if (num_jobs) /* what has no stages of its own asks no cache */
      whole.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
   for (uint32_t i = 0; i < num_jobs; i++) {
      const bool is_hit = jobs[i]->request.is_cache_hit;
      VkPipelineCreationFeedback stage = {.flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT, .duration = jobs[i]->duration_ns};
      if (is_hit)
         stage.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
      else
         whole.flags &= ~(VkFlags)VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
      whole.duration += stage.duration;
      if (i < info->pipelineStageCreationFeedbackCount)
         info->pPipelineStageCreationFeedbacks[i] = stage;
   }
   *info->pPipelineCreationFeedback = whole;
}

VkPipelineCreateFlags2KHR icd_pipeline_flags(const void *chain, VkPipelineCreateFlags flags)
{
   const VkPipelineCreateFlags2CreateInfoKHR *flags2 =
      icd_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
   return flags2 ? flags2->flags : flags;
}
