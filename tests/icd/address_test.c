/* SPDX-License-Identifier: MIT
 * Commands whose memory is given by its address: VK_KHR_device_address_commands, VK_KHR_copy_memory_indirect. Where an address may be 0, nothing is done. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "address.vert.h"
#include "identifier.comp.h"

#include <string.h>

#if defined(VK_KHR_device_address_commands) || defined(VK_KHR_copy_memory_indirect)
static const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
#endif

#ifdef VK_KHR_device_address_commands
static VkDeviceAddressRangeKHR range_of(const struct run_buffer *buffer, uint32_t first, uint32_t count)
{
   return (VkDeviceAddressRangeKHR){buffer->address + first * 4, count * 4};
}

static VkStridedDeviceAddressRangeKHR strided(const struct run_buffer *buffer, uint32_t first, uint32_t count, uint32_t stride_bytes)
{
   return (VkStridedDeviceAddressRangeKHR){buffer->address + first * 4, count * 4, stride_bytes};
}

static void wait_for_writes(const struct run_device *run)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   icd_CmdPipelineBarrier(run->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

TEST(fills_updates_and_copies)
{
   static const uint32_t updated[3] = {7, 8, 9};
   struct run_device run;
   run_init(&run, 1, bindings, 0);
   const struct run_buffer words = run_buffer(&run, 4096);
   const VkDeviceAddressRangeKHR nothing = {0, 64}, filled = range_of(&words, 1, 4), three = range_of(&words, 8, 3);
   const VkDeviceMemoryCopyKHR regions[] = {
      {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR, .srcRange = range_of(&words, 0, 12), .dstRange = range_of(&words, 100, 12)},
      {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR, .srcRange = nothing, .dstRange = range_of(&words, 200, 16)},
      {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR, .srcRange = range_of(&words, 0, 16), .dstRange = nothing},
      {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR, .srcRange = range_of(&words, 8, 3), .dstRange = range_of(&words, 300, 3)},
   };
   const VkCopyDeviceMemoryInfoKHR copy = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR, .regionCount = 4, .pRegions = regions};
   run_begin(&run);
   icd_CmdFillMemoryKHR(run.commands, &filled, 0, 0x12345678);
   icd_CmdFillMemoryKHR(run.commands, &nothing, 0, 1);
   icd_CmdUpdateMemoryKHR(run.commands, &three, 0, sizeof(updated), updated);
   icd_CmdUpdateMemoryKHR(run.commands, &nothing, 0, sizeof(updated), updated);
   wait_for_writes(&run);
   icd_CmdCopyMemoryKHR(run.commands, &copy);
   run_submit(&run);
   for (uint32_t i = 0; i < 1024; i++) {
      const uint32_t at = i >= 300 ? i - 300 + 8 : i >= 100 ? i - 100 : i;
      const bool is_there = i < 12 || (i >= 100 && i < 112) || (i >= 300 && i < 303);
      CHECK_EQ(words.map[i], !is_there ? 0 : at >= 1 && at < 5 ? 0x12345678 : at >= 8 && at < 11 ? updated[at - 8] : 0);
   }
   run_buffer_free(&run, &words);
   run_finish(&run);
}

/* 4 x 4 texels there from rows of 5, and back to rows of 6. */
TEST(images)
{
   struct run_device run;
   run_init(&run, 1, bindings, 0);
   const struct run_buffer words = run_buffer(&run, 4096);
   const struct fixture_image image = run_image(&run, VK_FORMAT_R32_UINT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.uint32 = {1}});
   VkDeviceMemoryImageCopyKHR regions[2] = {{
      .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .imageExtent = {4, 4, 1},
   }};
   const VkCopyDeviceMemoryImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR, .image = image.image, .regionCount = 2,
                                                .pRegions = regions};
   for (uint32_t i = 0; i < 32; i++)
      words.map[i] = i * 3;
   regions[1] = regions[0]; /* of no address */
   run_begin(&run);
   regions[0].addressRange = range_of(&words, 2, 20);
   regions[0].addressRowLength = 5;
   icd_CmdCopyMemoryToImageKHR(run.commands, &info);
   wait_for_writes(&run);
   regions[0].addressRange = range_of(&words, 100, 24);
   regions[0].addressRowLength = 6;
   icd_CmdCopyImageToMemoryKHR(run.commands, &info);
   run_submit(&run);
   for (uint32_t i = 0; i < 36; i++)
      CHECK_EQ(words.map[100 + i], i < 24 && i % 6 < 4 ? (2 + i / 6 * 5 + i % 6) * 3 : 0);
   fixture_image_destroy(run.f.device, &image);
   run_buffer_free(&run, &words);
   run_finish(&run);
}

TEST(dispatches_and_queries)
{
   const VkQueryPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 2};
   struct run_device run;
   VkQueryPool pool;
   VkPipeline pipeline;
   run_init(&run, 1, bindings, 0);
   const struct run_buffer words = run_buffer(&run, 4096), result = run_buffer(&run, 64);
   const VkDescriptorBufferInfo whole = {result.buffer, 0, VK_WHOLE_SIZE};
   VkPipelineShaderStageCreateInfo stage = run_stage(&run, VK_SHADER_STAGE_COMPUTE_BIT, identifier_comp, sizeof(identifier_comp));
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stage, .layout = run.layout};
   const VkDispatchIndirect2InfoKHR none = {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR},
                                    dispatch = {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR, .addressRange = range_of(&words, 5, 3)};
   const VkStridedDeviceAddressRangeKHR results = strided(&words, 20, 4, 8), nowhere = {0, 16, 8};
   fixture_require(icd_CreateComputePipelines(run.f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   fixture_require(icd_CreateQueryPool(run.f.device, &pool_info, NULL, &pool), "vkCreateQueryPool");
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL);
   for (uint32_t i = 0; i < 3; i++)
      words.map[5 + i] = 1;
   memset(words.map + 20, 0xff, 24);
   run_begin(&run);
   icd_CmdResetQueryPool(run.commands, pool, 0, 2);
   for (uint32_t i = 0; i < 2; i++) {
      icd_CmdBeginQuery(run.commands, pool, i, 0);
      icd_CmdEndQuery(run.commands, pool, i);
   }
   icd_CmdBindPipeline(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, run.layout, 0, 1, &run.set, 0, NULL);
   icd_CmdDispatchIndirect2KHR(run.commands, &none);
   icd_CmdDispatchIndirect2KHR(run.commands, &dispatch);
   icd_CmdCopyQueryPoolResultsToMemoryKHR(run.commands, pool, 0, 2, &results, 0, VK_QUERY_RESULT_WAIT_BIT);
   icd_CmdCopyQueryPoolResultsToMemoryKHR(run.commands, pool, 0, 2, &nowhere, 0, VK_QUERY_RESULT_WAIT_BIT);
   run_submit(&run);
   for (uint32_t i = 0; i < 4; i++)
      CHECK_EQ(result.map[i], i * 7 + 1);
   for (uint32_t i = 0; i < 6; i++)
      CHECK_EQ(words.map[20 + i], i % 2 || i == 4 ? UINT32_MAX : 0); /* a word each, two words apart */
   icd_DestroyQueryPool(run.f.device, pool, NULL);
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   icd_DestroyShaderModule(run.f.device, stage.module, NULL);
   run_buffer_free(&run, &words);
   run_buffer_free(&run, &result);
   run_finish(&run);
}

static VkPipeline vertex_pipeline(struct run_device *run, const VkPipelineShaderStageCreateInfo *stage)
{
   static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
   static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
   const VkPipelineDynamicStateCreateInfo states = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, NULL, 0, 1, dynamic};
   const VkPipelineVertexInputStateCreateInfo input = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, &binding, 1, &attribute};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .rasterizerDiscardEnable = VK_TRUE, .lineWidth = 1};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &rendering, .stageCount = 1, .pStages = stage, .pVertexInputState = &input,
      .pInputAssemblyState = &assembly, .pRasterizationState = &rasterization, .pDynamicState = &states, .layout = run->layout};
   VkPipeline pipeline;
   fixture_require(icd_CreateGraphicsPipelines(run->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

/* Points, each of which stores its attribute: instance 0 by an indexed indirect draw, 1 and 2 by counted ones, 3 without vertices; 4 not, by a condition. */
TEST(draws)
{
   static const VkDrawIndexedIndirectCommand indexed = {4, 1, 1, 0, 0};
   static const VkDrawIndirectCommand plain[3] = {{3, 1, 0, 1}, {2, 1, 1, 2}, {8, 1, 0, 5}};
   const uint16_t indices[] = {9, 3, 0, 5, 1};
   enum { INDEXED = 64, PLAIN = 80, COUNT = 100, INDICES = 110, NEVER = 120 };
   struct run_device run;
   run_init(&run, 1, bindings, 0);
   const struct run_buffer words = run_buffer(&run, 1024), result = run_buffer(&run, 256);
   const VkDescriptorBufferInfo whole = {result.buffer, 0, VK_WHOLE_SIZE};
   VkPipelineShaderStageCreateInfo stage = run_stage(&run, VK_SHADER_STAGE_VERTEX_BIT, address_vert, sizeof(address_vert));
   VkPipeline pipeline = vertex_pipeline(&run, &stage);
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL);
   for (uint32_t i = 0; i < INDEXED; i++)
      words.map[i] = 1000 + i;
   memcpy(words.map + INDEXED, &indexed, sizeof(indexed));
   memcpy(words.map + PLAIN, plain, sizeof(plain));
   memcpy(words.map + INDICES, indices, sizeof(indices));
   words.map[COUNT] = 2;
   memset(result.map, 0xff, 256);

   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {1, 1}, .layerCount = 1};
   const VkBindVertexBuffer3InfoKHR vertices = {.sType = VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR, .setStride = VK_TRUE,
                                                .addressRange = strided(&words, 2, 16, 12)}, /* six vertices */
                                    no_vertices = {.sType = VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR};
   const VkBindIndexBuffer3InfoKHR index = {.sType = VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR, .addressRange = range_of(&words, INDICES, 3),
                                            .indexType = VK_INDEX_TYPE_UINT16};
   const VkDrawIndirect2InfoKHR draw = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR, .addressRange = strided(&words, INDEXED, 5, 20), .drawCount = 1};
   const VkDrawIndirectCount2InfoKHR counted = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR, .addressRange = strided(&words, PLAIN, 12, 16),
                                                .countAddressRange = range_of(&words, COUNT, 1), .maxDrawCount = 3};
   const VkConditionalRenderingBeginInfo2EXT never = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT, .addressRange = range_of(&words, NEVER, 1)};
   run_begin(&run);
   icd_CmdBindPipeline(run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, run.layout, 0, 1, &run.set, 0, NULL);
   icd_CmdBindVertexBuffers3KHR(run.commands, 0, 1, &vertices);
   icd_CmdBindIndexBuffer3KHR(run.commands, &index);
   icd_CmdBeginRendering(run.commands, &rendering);
   icd_CmdDrawIndexedIndirect2KHR(run.commands, &draw);
   icd_CmdDrawIndirectCount2KHR(run.commands, &counted);
   icd_CmdBeginConditionalRendering2EXT(run.commands, &never);
   icd_CmdDraw(run.commands, 8, 1, 0, 4);
   icd_CmdEndConditionalRenderingEXT(run.commands);
   icd_CmdBindVertexBuffers3KHR(run.commands, 0, 1, &no_vertices);
   icd_CmdDraw(run.commands, 2, 1, 0, 3);
   icd_CmdEndRendering(run.commands);
   run_submit(&run);

   for (uint32_t instance = 0; instance < 6; instance++)
      for (uint32_t v = 0; v < 8; v++) {
         const bool is_drawn = instance == 0   ? v == 0 || v == 1 || v == 3 || v == 5 /* the indices from number 1 on */
                               : instance == 1 ? v < 3
                               : instance == 2 ? v == 1 || v == 2
                                               : instance == 3 && v < 2;
         CHECK_EQ(result.map[instance * 8 + v], !is_drawn ? UINT32_MAX : instance == 3 ? 0 : 1002 + 3 * v);
      }
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   icd_DestroyShaderModule(run.f.device, stage.module, NULL);
   run_buffer_free(&run, &words);
   run_buffer_free(&run, &result);
   run_finish(&run);
}
#endif

#ifdef VK_KHR_copy_memory_indirect
/* Each command's stride is larger than it; one has no size. */
TEST(copies_that_the_device_describes)
{
   enum { STRIDE = 32, COPIES = 3 };
   struct run_device run;
   run_init(&run, 1, bindings, 0);
   const struct run_buffer words = run_buffer(&run, 4096);
   for (uint32_t i = 0; i < 16; i++)
      words.map[i] = i + 1;
   for (uint32_t i = 0; i < COPIES; i++) {
      const VkCopyMemoryIndirectCommandKHR command = {words.address + i * 16, words.address + 2048 + i * 64, i == 1 ? 0 : 16};
      memcpy(words.map + 64 + i * STRIDE / 4, &command, sizeof(command));
   }
   const VkCopyMemoryIndirectInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR, .copyCount = COPIES,
                                             .copyAddressRange = {words.address + 256, COPIES * STRIDE, STRIDE}};
   run_begin(&run);
   icd_CmdCopyMemoryIndirectKHR(run.commands, &info);
   run_submit(&run);
   for (uint32_t i = 0; i < COPIES * 16; i++)
      CHECK_EQ(words.map[512 + i], i % 16 < 4 && i / 16 != 1 ? i / 16 * 4 + i % 16 + 1 : 0);
   run_buffer_free(&run, &words);
   run_finish(&run);
}
#endif

TEST_MAIN
