/* SPDX-License-Identifier: MIT
 * What a module of any words is put through: shader module, pipeline, and if it is valid a run. What is refused, and with which code, is free; what runs
 * may lose the device, which is then made anew. Programs end where a result is none that the specification lists. Threads: one at a time. */
#pragma once

#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"

enum { TRIAL_BINDINGS = 6, TRIAL_SETS = 2 };

struct module_trial {
   struct full_device f;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkRenderPass pass;
   bool runs; /* what follows is there then */
   struct fixture run; /* queue, pool and commands */
   VkDescriptorPool descriptors;
   VkDescriptorSet sets[TRIAL_SETS];
   struct fixture_buffer buffer;
   struct fixture_image image;
   VkSampler sampler;
   VkFramebuffer framebuffer;
   VkShaderModule triangle; /* the vertex shader of fragment shaders */
};

struct trial_result {
   bool is_valid, is_pipeline; /* the latter: made without validation */
};

/* runs: valid modules are executed, on a device without bufferDeviceAddress, since shaders that have it may write anywhere. */
void module_trial_init(struct module_trial *trial, bool runs);
void module_trial_finish(struct module_trial *trial);

/* The stage of the first entry point that is called "main"; 0: there is none, or of a stage that makes no pipeline here. */
VkShaderStageFlagBits module_trial_stage(const uint32_t *words, size_t num_words);

/* With validation a shader module, without it a pipeline too; one that passes makes a pipeline in any case, of a module or, is_inline, of the words in the
 * stage. `stage`: 0 for no pipelines. */
struct trial_result module_trial_run(struct module_trial *trial, const uint32_t *words, size_t num_words, VkShaderStageFlagBits stage,
                                     bool is_inline);
