/* SPDX-License-Identifier: MIT
 * The shader stages of pipelines being created: all stages of one vkCreate*Pipelines call, compiled in parallel.
 * Spec: Pipelines. Threads: the jobs run on the device's pool; the list itself belongs to the calling thread. */
#pragma once

#include "icd/cache/shader.h"
#include "icd/device/device.h"
#include "icd/pipeline.h"

struct icd_pipeline_layout;
struct icd_sample_shading;
struct icd_shader_module;
struct icd_stage_source;

struct icd_stage_job {
   struct icd_shader_request request;
   struct icd_shader_module *inline_module; /* made from a VkShaderModuleCreateInfo in the stage's chain, or NULL */
   struct comp_spec_entry *spec_entries;
   struct comp_layout *heap_layout; /* of its own, where there are descriptor heaps; else NULL */
   bool ends_batch; /* if it fails: VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR */
   struct icd_shader *shader; /* out */
   VkResult result;           /* out */
   uint64_t duration_ns;      /* out */
};

struct icd_stage_list {
   struct icd_device *device;
   const VkAllocationCallbacks *allocator;
   struct icd_stage_job *jobs;
   uint32_t num_jobs;
   const VkPipelineBinaryInfoKHR *binaries; /* of the pipeline whose stages are added; NULL: none */
   uint32_t first_job;                      /* of that pipeline */
   uint32_t robust2;                        /* enum comp_robust2, of stages that do not say it themselves */
};

/* Room for `capacity` jobs. */
UTIL_MUST_CHECK VkResult icd_stages_init(struct icd_stage_list *list, struct icd_device *device,
                                         const VkAllocationCallbacks *allocator, uint32_t capacity);
/* Releases the shaders that nobody took (job->shader is not NULL). */
void icd_stages_finish(struct icd_stage_list *list);
/* The stages of another pipeline follow, `chain` being that of its create info: with binaries they need neither module nor compile. */
void icd_stages_begin(struct icd_stage_list *list, const void *chain);
/* Adds a stage. Its error, if any, is found in the job's result, as after a compile; only OUT_OF_HOST_MEMORY and INVALID_SHADER_NV happen here. */
struct icd_stage_job *icd_stages_add(struct icd_stage_list *list, const VkPipelineShaderStageCreateInfo *info,
                                     const struct icd_pipeline_layout *layout, struct icd_pipeline_cache *cache,
                                     VkPipelineCreateFlags2KHR flags);
/* Gives stages of one pipeline what they must know of each other to be compiled: how large the patches are that a control shader makes. */
void icd_stages_connect(struct icd_stage_job *const *jobs, uint32_t num_jobs);
/* Checks stages that make one pipeline against each other and their layout: new ones, and those of linked libraries. Also what is
 * broken then is each new one's result. `shading` is of a new fragment stage, or NULL. */
UTIL_MUST_CHECK VkResult icd_stages_validate(struct icd_stage_list *list, struct icd_stage_job *const *jobs, uint32_t num_jobs,
                                             struct icd_stage_source *const *linked, uint32_t num_linked,
                                             const struct icd_pipeline_layout *layout, const struct icd_sample_shading *shading);
/* Notes what the stages use, for messages at submission (icd/validate/uses.h). */
UTIL_MUST_CHECK VkResult icd_stages_note_uses(struct icd_stage_job *const *jobs, uint32_t num_jobs,
                                              const struct icd_pipeline_layout *layout, struct icd_pipeline *pipeline);
/* Looks up or compiles all of them, in parallel; one after the other if there are some that must not be compiled: what they find is then
 * what those before them made, and after one that ends the batch nothing is made. */
void icd_stages_compile(struct icd_stage_list *list);

/* A vkCreate*Pipelines whose pipelines have any number of stages. `infos` is the call's array of create infos. */
struct icd_staged_pipelines {
   uint32_t (*num_stages)(const void *infos, uint32_t index);
   VkPipelineCreateFlags2KHR (*flags)(const void *infos, uint32_t index);
   /* Adds the stages of one pipeline: `jobs` has room for them. */
   void (*add)(struct icd_stage_list *list, const void *infos, uint32_t index, struct icd_pipeline_cache *cache, struct icd_stage_job **jobs);
   /* Makes one pipeline of stages that are compiled; takes over the shaders of jobs that it uses. */
   VkResult (*create)(struct icd_device *device, const void *infos, uint32_t index, struct icd_stage_job *const *jobs, const VkAllocationCallbacks *allocator,
                      VkPipeline *result);
};
/* Makes all of them, and returns what the call is to return; those that are not made are VK_NULL_HANDLE. */
VkResult icd_staged_pipelines_create(const struct icd_staged_pipelines *class, struct icd_device *device, struct icd_pipeline_cache *cache, uint32_t count,
                                     const void *infos, const VkAllocationCallbacks *allocator, VkPipeline *pipelines);

/* Fills VkPipelineCreationFeedbackCreateInfo in a pipeline's chain; `jobs` are its stages. */
void icd_stages_feedback(const void *chain, const struct icd_stage_job *const *jobs, uint32_t num_jobs);

/* The flags of a pipeline: from VkPipelineCreateFlags2CreateInfo in the chain if there, else `flags`. */
VkPipelineCreateFlags2KHR icd_pipeline_flags(const void *chain, VkPipelineCreateFlags flags);
