/* SPDX-License-Identifier: MIT
 * Tests that make many pipelines from the shader scenario.comp: its layout, and a pipeline with a factor of its own. */
#pragma once

#include "tests/icd/fixture.h"

#include "scenario.comp.h"

struct scenario_compute {
   VkShaderModule module;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
};

static inline void scenario_compute_init_layouts(struct scenario_compute *s, VkDevice device)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 2,
                                                       bindings};
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   VkPipelineLayoutCreateInfo layout = {
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set_layout, 1, &range};
   fixture_require(icd_CreateDescriptorSetLayout(device, &set_layout, NULL, &s->set_layout), "vkCreateDescriptorSetLayout");
   fixture_require(icd_CreatePipelineLayout(device, &layout, NULL, &s->layout), "vkCreatePipelineLayout");
}

static inline VkResult scenario_compute_module(VkDevice device, VkShaderModule *module)
{
   const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(scenario_comp), scenario_comp};
   return icd_CreateShaderModule(device, &info, NULL, module);
}

static inline void scenario_compute_init(struct scenario_compute *s, VkDevice device)
{
   scenario_compute_init_layouts(s, device);
   fixture_require(scenario_compute_module(device, &s->module), "vkCreateShaderModule");
}

static inline void scenario_compute_finish(const struct scenario_compute *s, VkDevice device)
{
   icd_DestroyPipelineLayout(device, s->layout, NULL);
   icd_DestroyDescriptorSetLayout(device, s->set_layout, NULL);
   icd_DestroyShaderModule(device, s->module, NULL);
}

/* `specialization` may be NULL. */
static inline VkComputePipelineCreateInfo scenario_compute_info(const struct scenario_compute *s, const VkSpecializationInfo *specialization)
{
   return (VkComputePipelineCreateInfo){
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = s->module,
                .pName = "main",
                .pSpecializationInfo = specialization},
      .layout = s->layout,
   };
}

/* Code for each factor is its own. `is_hit` (may be NULL): whether `cache` had it. */
static inline VkResult scenario_compute_pipeline(const struct scenario_compute *s, VkDevice device, uint32_t factor,
                                                 VkPipelineCache cache, bool *is_hit, VkPipeline *pipeline)
{
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo specialization = {1, &entry, 4, &factor};
   VkPipelineCreationFeedback whole = {0}, stage = {0};
   const VkPipelineCreationFeedbackCreateInfo feedback = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, NULL,
                                                          &whole, 1, &stage};
   VkComputePipelineCreateInfo info = scenario_compute_info(s, &specialization);
   info.pNext = &feedback;
   const VkResult result = icd_CreateComputePipelines(device, cache, 1, &info, NULL, pipeline);
   if (is_hit)
      *is_hit = whole.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
   return result;
}
