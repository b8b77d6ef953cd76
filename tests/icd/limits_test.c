/* SPDX-License-Identifier: MIT
 * Limits that only memory sets: what works at the number that is reported. Spec: Limits. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "inline_block.comp.h"
#include "limits.comp.h"
#include "reach.comp.h"

#include <string.h>

static VkPhysicalDeviceProperties2 properties_of(const struct run_device *run, void *chain)
{
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = chain};
   icd_GetPhysicalDeviceProperties2(run->f.physical_device, &properties);
   return properties;
}

/* Binds the set with `count` offsets, and dispatches. */
static void dispatch(struct run_device *run, uint32_t count, const uint32_t *offsets, uint32_t last)
{
   VkPipelineShaderStageCreateInfo stage = run_stage(run, VK_SHADER_STAGE_COMPUTE_BIT, limits_comp, sizeof(limits_comp));
   VkPipeline pipeline;
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stage, .layout = run->layout};
   fixture_require(icd_CreateComputePipelines(run->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   run_begin(run);
   icd_CmdBindPipeline(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, run->layout, 0, 1, &run->set, count, offsets);
   icd_CmdPushConstants(run->commands, run->layout, VK_SHADER_STAGE_ALL, 0, sizeof(last), &last);
   icd_CmdDispatch(run->commands, 1, 1, 1);
   run_submit(run);
   icd_DestroyPipeline(run->f.device, pipeline, NULL);
   icd_DestroyShaderModule(run->f.device, stage.module, NULL);
}

TEST(dynamic_buffers)
{
   enum { COUNT = 524288, WORDS = 1024, STEP = 64 / 4 };
   static const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, COUNT, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, COUNT, VK_SHADER_STAGE_ALL, NULL},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   struct run_device run;
   run_init(&run, 3, bindings, sizeof(uint32_t));
   const VkPhysicalDeviceLimits limits = properties_of(&run, NULL).properties.limits;
   CHECK_EQ(limits.maxDescriptorSetUniformBuffersDynamic, COUNT);
   CHECK_EQ(limits.maxDescriptorSetStorageBuffersDynamic, COUNT);
   const struct run_buffer words = run_buffer(&run, WORDS * 4 + 256), result = run_buffer(&run, 8 * 4 * 4);
   for (uint32_t i = 0; i < WORDS; i++)
      words.map[i] = i;
   const VkDescriptorBufferInfo whole = {result.buffer, 0, VK_WHOLE_SIZE};
   VkDescriptorBufferInfo *const infos = malloc(COUNT * sizeof(*infos));
   uint32_t *const offsets = malloc(2 * COUNT * sizeof(*offsets));
   fixture_require(infos && offsets ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "malloc");
   for (uint32_t i = 0; i < COUNT; i++)
      infos[i] = (VkDescriptorBufferInfo){words.buffer, 0, 4};
   for (uint32_t i = 0; i < 2 * COUNT; i++)
      offsets[i] = i % (WORDS / STEP) * STEP * 4;
   for (uint32_t binding = 0; binding < 2; binding++) {
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = run.set, .dstBinding = binding,
                                          .descriptorCount = COUNT, .descriptorType = bindings[binding].descriptorType, .pBufferInfo = infos};
      icd_UpdateDescriptorSets(run.f.device, 1, &write, 0, NULL);
   }
   run_write(&run, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL);

   dispatch(&run, 2 * COUNT, offsets, COUNT - 1);
   for (uint32_t lane = 0; lane < 8; lane++) {
      const uint32_t expected[4] = {offsets[COUNT - 1] / 4, offsets[2 * COUNT - 1] / 4, offsets[COUNT - 1 - lane] / 4, offsets[COUNT + lane * 7] / 4};
      for (uint32_t i = 0; i < 4; i++)
         CHECK_EQ(result.map[lane * 4 + i], expected[i]);
   }
   /* An application's fault: offsets that were not given are 0, and nothing behind those that were is read. */
   dispatch(&run, COUNT - 4, offsets, COUNT - 1);
   for (uint32_t lane = 0; lane < 8; lane++) {
      const uint32_t expected[4] = {0, 0, lane < 4 ? 0 : offsets[COUNT - 1 - lane] / 4, 0};
      for (uint32_t i = 0; i < 4; i++)
         CHECK_EQ(result.map[lane * 4 + i], expected[i]);
   }
   free(infos);
   free(offsets);
   run_buffer_free(&run, &words);
   run_buffer_free(&run, &result);
   run_finish(&run);
}

TEST(inline_block)
{
   enum { BYTES = 1 << 20, WORDS = BYTES / 4, LANES = 8 };
   static const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, BYTES, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   static uint32_t words[WORDS];
   struct run_device run;
   run_init(&run, 2, bindings, 4);
   VkPhysicalDeviceVulkan13Properties limits = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
   (void)properties_of(&run, &limits);
   CHECK_EQ(limits.maxInlineUniformBlockSize, BYTES);
   const struct run_buffer result = run_buffer(&run, 64);
   const VkDescriptorBufferInfo whole = {result.buffer, 0, VK_WHOLE_SIZE};
   for (uint32_t i = 0; i < WORDS; i++)
      words[i] = i * 2654435761u;
   const VkWriteDescriptorSetInlineUniformBlock block = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, .dataSize = BYTES, .pData = words};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .pNext = &block, .dstSet = run.set, .descriptorCount = BYTES,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
   icd_UpdateDescriptorSets(run.f.device, 1, &write, 0, NULL);
   run_write(&run, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL);
   for (uint32_t lane = 0; lane < LANES; lane++)
      result.map[lane] = lane == 7 ? 65536 : lane * 9000; /* the last is past the end: 0 */
   const uint32_t push = 0;
   run_compute(&run, inline_block_comp, sizeof(inline_block_comp), &push, sizeof(push));
   for (uint32_t lane = 0; lane < LANES; lane++)
      CHECK_EQ(result.map[lane], words[WORDS - 1 - 4 * lane] + (lane == 7 ? 0 : words[4 * lane * 9000]));
   run_buffer_free(&run, &result);
   run_finish(&run);
}

/* Words around the middle of a buffer of maxStorageBufferRange, and its last ones. */
TEST(storage_range)
{
   enum { LANES = 64, RESULTS = 4 * LANES + 2 };
   static const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
                                                           {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
   struct run_device run;
   run_init(&run, 2, bindings, sizeof(uint32_t));
   const uint32_t range = properties_of(&run, NULL).properties.limits.maxStorageBufferRange, count = range / 4;
   CHECK(range >= 1u << 31);
   const struct run_buffer words = run_buffer(&run, range), result = run_buffer(&run, RESULTS * 4);
   for (uint32_t i = 0; i < 2; i++) {
      const VkDescriptorBufferInfo whole = {i ? result.buffer : words.buffer, 0, VK_WHOLE_SIZE};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = run.set, .dstBinding = i,
                                          .descriptorCount = 1, .descriptorType = bindings[i].descriptorType, .pBufferInfo = &whole};
      icd_UpdateDescriptorSets(run.f.device, 1, &write, 0, NULL);
   }
   VkPipelineShaderStageCreateInfo stage = run_stage(&run, VK_SHADER_STAGE_COMPUTE_BIT, reach_comp, sizeof(reach_comp));
   VkPipeline pipeline;
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stage, .layout = run.layout};
   fixture_require(icd_CreateComputePipelines(run.f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   const uint32_t positions[] = {count - LANES, count / 2 - LANES / 2, 500000};
   for (uint32_t p = 0; p < 3; p++) {
      const uint32_t at = positions[p];
      memset(result.map, 0xcd, RESULTS * 4);
      run_begin(&run);
      icd_CmdBindPipeline(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, run.layout, 0, 1, &run.set, 0, NULL);
      icd_CmdPushConstants(run.commands, run.layout, VK_SHADER_STAGE_ALL, 0, sizeof(at), &at);
      icd_CmdDispatch(run.commands, 1, 1, 1);
      run_submit(&run);
      for (uint32_t i = 0; i < LANES; i++) {
         const uint32_t other = LANES - 1 - i;
         CHECK_EQ(words.map[at + i], i + 1);
         CHECK_EQ(words.map[at - 1000 - i * 3], i + 1001);
         CHECK_EQ(words.map[at - 200000 - i * 7919 % 4096 * 37], i + 2001);
         CHECK_EQ(result.map[i], other + 1);
         CHECK_EQ(result.map[LANES + i], other + 1001);
         CHECK_EQ(result.map[2 * LANES + i], other + 2001);
         CHECK_EQ(result.map[3 * LANES + i], 0);
      }
      CHECK_EQ(result.map[4 * LANES], count);
      CHECK_EQ(result.map[4 * LANES + 1], LANES * (LANES - 1) / 2);
   }
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   icd_DestroyShaderModule(run.f.device, stage.module, NULL);
   run_buffer_free(&run, &words);
   run_buffer_free(&run, &result);
   run_finish(&run);
}

/* Secondary command buffers in each other, the innermost of which fills a buffer. */
TEST(nesting)
{
   enum { MAX = 1024 };
   static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   struct run_device run;
   VkCommandBuffer nested[MAX];
   run_init(&run, 1, &binding, 0);
   VkPhysicalDeviceNestedCommandBufferPropertiesEXT nesting = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_PROPERTIES_EXT};
   properties_of(&run, &nesting);
   /* At level 0 of the limit secondary command buffers are, but execute none. */
   const uint32_t count = nesting.maxCommandBufferNestingLevel + 1;
   fixture_require(count > 16 && count <= MAX ? VK_SUCCESS : VK_ERROR_UNKNOWN, "maxCommandBufferNestingLevel");
   const struct run_buffer filled = run_buffer(&run, 16);
   const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, run.pool,
                                             VK_COMMAND_BUFFER_LEVEL_SECONDARY, count};
   fixture_require(icd_AllocateCommandBuffers(run.f.device, &info, nested), "vkAllocateCommandBuffers");
   for (uint32_t i = 0; i < count; i++) {
      fixture_begin(nested[i]);
      if (i)
         icd_CmdExecuteCommands(nested[i], 1, &nested[i - 1]);
      else
         icd_CmdFillBuffer(nested[i], filled.buffer, 0, VK_WHOLE_SIZE, 0x12345678);
      fixture_require(icd_EndCommandBuffer(nested[i]), "vkEndCommandBuffer");
   }
   run_begin(&run);
   icd_CmdExecuteCommands(run.commands, 1, &nested[count - 1]);
   run_submit(&run);
   for (uint32_t i = 0; i < 4; i++)
      CHECK_EQ(filled.map[i], 0x12345678);
   icd_FreeCommandBuffers(run.f.device, run.pool, count, nested);
   run_buffer_free(&run, &filled);
   run_finish(&run);
}

TEST_MAIN
