/* SPDX-License-Identifier: MIT
 * What programs pack into float attachments as bits, numbers of objects and the like, stays what it is; NaNs that are computed are one NaN. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "float_bits.frag.h"
#include "float_bits.vert.h"
#include "float_constants.frag.h"
#include "float_texels.frag.h"

#include "util/macros.h"

enum { SIZE = 4, ONE_NAN = 0x7fc00000 };

static VkPipeline create(struct run_device *run, const VkPipelineShaderStageCreateInfo stages[2])
{
   static const VkFormat formats[2] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT};
   static const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   static const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   static const VkPipelineColorBlendAttachmentState attachments[2] = {{.colorWriteMask = 15}, {.colorWriteMask = 15}};
   const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = 2, .pColorAttachmentFormats = formats};
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const VkPipelineViewportStateCreateInfo viewports = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
   const VkPipelineRasterizationStateCreateInfo rasterization = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                             .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 2, .pAttachments = attachments};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &rendering, .stageCount = 2,
                                              .pStages = stages, .pVertexInputState = &input, .pInputAssemblyState = &assembly,
                                              .pViewportState = &viewports, .pRasterizationState = &rasterization, .pMultisampleState = &multisample,
                                              .pColorBlendState = &blend, .layout = run->layout};
   VkPipeline pipeline;
   fixture_require(icd_CreateGraphicsPipelines(run->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

/* Both attachments to `results`, one behind the other. */
static void draw(struct run_device *run, VkPipeline pipeline, uint32_t number, const struct run_buffer *results)
{
   const struct { uint32_t number; float negative; } push = {number, -1};
   struct fixture_image images[2];
   VkRenderingAttachmentInfo attachments[2];
   for (uint32_t i = 0; i < 2; i++) {
      images[i] = run_image(run, VK_FORMAT_R32G32B32A32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.float32 = {5}});
      attachments[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = images[i].view,
                                                   .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                   .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   }
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1,
                                      .colorAttachmentCount = 2, .pColorAttachments = attachments};
   run_begin(run);
   icd_CmdBindPipeline(run->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdBindDescriptorSets(run->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, run->layout, 0, 1, &run->set, 0, NULL);
   icd_CmdPushConstants(run->commands, run->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
   icd_CmdBeginRendering(run->commands, &rendering);
   icd_CmdDraw(run->commands, 3, 1, 0, 0);
   icd_CmdEndRendering(run->commands);
   for (uint32_t i = 0; i < 2; i++) {
      const VkBufferImageCopy region = {.bufferOffset = i * SIZE * SIZE * 16, .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {SIZE, SIZE, 1}};
      icd_CmdCopyImageToBuffer(run->commands, images[i].image, VK_IMAGE_LAYOUT_GENERAL, results->buffer, 1, &region);
   }
   run_submit(run);
   for (uint32_t i = 0; i < 2; i++)
      fixture_image_destroy(run->f.device, &images[i]);
}

static const uint32_t numbers[] = {0x7fffffff, 0xfffffff0, 0x7f812345, 0xffc00001, 7};

enum source { CASTS, TEXELS, CONSTANTS };

/* What the shader gives at each number: of casts the number and one that counts up, of the texel numbers[n] twice; or its constants. */
static void check(const uint32_t *words, size_t size_bytes, enum source source)
{
   static const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
   struct run_device run;
   VkBufferView view;
   run_init(&run, 1, bindings, 8);
   const struct run_buffer results = run_buffer(&run, 2 * SIZE * SIZE * 16), texels = run_buffer(&run, 256);
   const VkBufferViewCreateInfo view_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = texels.buffer, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .range = VK_WHOLE_SIZE};
   VkPipelineShaderStageCreateInfo stages[2] = {run_stage(&run, VK_SHADER_STAGE_VERTEX_BIT, float_bits_vert, sizeof(float_bits_vert)),
                                                run_stage(&run, VK_SHADER_STAGE_FRAGMENT_BIT, words, size_bytes)};
   const VkPipeline pipeline = create(&run, stages);
   fixture_require(icd_CreateBufferView(run.f.device, &view_info, NULL, &view), "vkCreateBufferView");
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, NULL, NULL, &view);
   for (uint32_t n = 0; n < UTIL_ARRAY_SIZE(numbers); n++) {
      texels.map[4 * n] = texels.map[4 * n + 1] = numbers[n];
      draw(&run, pipeline, source == TEXELS ? n : numbers[n], &results);
      for (uint32_t i = 0; i < SIZE * SIZE; i++) {
         const uint32_t *packed = results.map + 4 * i, *computed = packed + 4 * SIZE * SIZE;
         CHECK_EQ(packed[0], source == CONSTANTS ? 0xffc00000 : numbers[n]);
         CHECK_EQ(packed[1], source == CONSTANTS ? ONE_NAN : numbers[n] + (source == CASTS ? i % SIZE : 0));
         CHECK_EQ(packed[2], ONE_NAN);
         CHECK_EQ(packed[3], 0x3f800000);
         CHECK_EQ(computed[0], ONE_NAN);
         CHECK_EQ(computed[1], ONE_NAN);
         CHECK_EQ(computed[2], 0x40000000);
      }
   }
   icd_DestroyBufferView(run.f.device, view, NULL);
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderModule(run.f.device, stages[i].module, NULL);
   run_buffer_free(&run, &results);
   run_buffer_free(&run, &texels);
   run_finish(&run);
}

TEST(bits_that_become_floats)
{
   check(float_bits_frag, sizeof(float_bits_frag), CASTS);
}

TEST(texels_that_are_copied)
{
   check(float_texels_frag, sizeof(float_texels_frag), TEXELS);
}

TEST(constants)
{
   check(float_constants_frag, sizeof(float_constants_frag), CONSTANTS);
}

TEST_MAIN
