/* SPDX-License-Identifier: MIT
 * Pipelines that are destroyed before the commands that use them are executed, as DXVK's Direct3D 9 does at the end of a device: they run. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "retired.comp.h"

enum { NUM_PIPELINES = 3, NUM = 64 };

static VkPipeline create(const struct run_device *run, VkPipelineShaderStageCreateInfo stage)
{
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stage, .layout = run->layout};
   VkPipeline pipeline;
   fixture_require(icd_CreateComputePipelines(run->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   return pipeline;
}

static VkSemaphore timeline(const struct run_device *run)
{
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   VkSemaphore semaphore;
   fixture_require(icd_CreateSemaphore(run->f.device, &info, NULL, &semaphore), "vkCreateSemaphore");
   return semaphore;
}

/* Submits what is recorded; it begins when the semaphore has the value. */
static void submit_behind(struct run_device *run, VkSemaphore semaphore, uint64_t value)
{
   static const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, .waitSemaphoreValueCount = 1, .pWaitSemaphoreValues = &value};
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = &values, .waitSemaphoreCount = 1, .pWaitSemaphores = &semaphore,
                                .pWaitDstStageMask = &stages, .commandBufferCount = 1, .pCommandBuffers = &run->commands};
   fixture_require(icd_EndCommandBuffer(run->commands), "vkEndCommandBuffer");
   fixture_require(icd_QueueSubmit(run->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
}

TEST(destroyed_before_they_run)
{
   static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   struct run_device run;
   run_init(&run, 1, &binding, 4);
   const struct run_buffer results = run_buffer(&run, NUM * sizeof(uint32_t));
   const VkDescriptorBufferInfo info = {results.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &info, NULL);
   const VkPipelineShaderStageCreateInfo stage = run_stage(&run, VK_SHADER_STAGE_COMPUTE_BIT, retired_comp, sizeof(retired_comp));
   const VkSemaphore semaphore = timeline(&run);
   for (uint32_t n = 1; n <= NUM_PIPELINES; n++) { /* the second and third end the first and second */
      const VkPipeline pipeline = create(&run, stage);
      memset(results.map, 0, NUM * sizeof(uint32_t));
      run_begin(&run);
      icd_CmdBindPipeline(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, run.layout, 0, 1, &run.set, 0, NULL);
      icd_CmdDispatch(run.commands, 1, 1, 1);
      submit_behind(&run, semaphore, n);
      icd_DestroyPipeline(run.f.device, pipeline, NULL);
      const VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = n};
      fixture_require(icd_SignalSemaphore(run.f.device, &signal), "vkSignalSemaphore");
      fixture_require(icd_QueueWaitIdle(run.queue), "vkQueueWaitIdle");
      icd_FreeCommandBuffers(run.f.device, run.pool, 1, &run.commands);
      for (uint32_t i = 0; i < NUM; i++)
         CHECK_EQ(results.map[i], 3 * i + 1);
   }
   icd_DestroySemaphore(run.f.device, semaphore, NULL);
   icd_DestroyShaderModule(run.f.device, stage.module, NULL);
   run_buffer_free(&run, &results);
   run_finish(&run);
}

TEST_MAIN
