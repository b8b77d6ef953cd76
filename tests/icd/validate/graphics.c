/* SPDX-License-Identifier: MIT */
#include "tests/icd/validate/graphics.h"

VkGraphicsPipelineLibraryFlagsEXT graphics_parts(VkShaderStageFlagBits stage)
{
   return stage == VK_SHADER_STAGE_VERTEX_BIT
             ? VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT | VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
             : VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT | VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
}

VkResult graphics_create(VkDevice device, const struct graphics *g, VkPipeline *pipeline)
{
   static const VkPipelineColorBlendAttachmentState written[4] = {
      {.colorWriteMask = 0xf}, {.colorWriteMask = 0xf}, {.colorWriteMask = 0xf}, {.colorWriteMask = 0xf}};
   static const VkPipelineVertexInputStateCreateInfo none = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   static const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                                   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const uint32_t size_px = g->size_px ? g->size_px : 4;
   const VkViewport viewport = {0, 0, (float)size_px, (float)size_px, 0, 1};
   const VkRect2D scissor = {{0, 0}, {size_px, size_px}};
   const VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1,
                                                        .pViewports = &viewport,
                                                        .scissorCount = 1,
                                                        .pScissors = &scissor};
   const VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                          .rasterizerDiscardEnable = g->is_discarding,
                                                          .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = g->samples ? g->samples : VK_SAMPLE_COUNT_1_BIT,
                                                         .sampleShadingEnable = g->min_shading > 0,
                                                         .minSampleShading = g->min_shading};
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = g->tests_depth,
                                                        .depthWriteEnable = g->tests_depth,
                                                        .depthCompareOp = VK_COMPARE_OP_ALWAYS};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = g->pass ? 1 : g->num_colors,
                                                      .pAttachments = written};
   const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                     .dynamicStateCount = g->num_dynamic,
                                                     .pDynamicStates = g->dynamic};
   const VkPipelineLibraryCreateInfoKHR linked = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = g->num_libraries, .pLibraries = g->libraries};
   const VkGraphicsPipelineLibraryCreateInfoEXT own = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .pNext = &linked, .flags = g->parts | g->own_parts};
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .pNext = g->parts | g->own_parts ? (const void *)&own : &linked,
                                                    .viewMask = g->view_mask,
                                                    .colorAttachmentCount = g->num_colors,
                                                    .pColorAttachmentFormats = g->colors,
                                                    .depthAttachmentFormat = g->depth,
                                                    .stencilAttachmentFormat = g->stencil};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = &rendering,
                                              .flags = g->flags | (g->parts ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0),
                                              .stageCount = g->num_stages,
                                              .pStages = g->stages,
                                              .pVertexInputState = g->vertices ? g->vertices : &none,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &viewports,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
                                              .pDepthStencilState = &depth,
                                              .pColorBlendState = &blend,
                                              .pDynamicState = &dynamic,
                                              .layout = g->layout,
                                              .renderPass = g->pass,
                                              .subpass = g->subpass};
   return icd_CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
}

VkResult graphics_of_stages(VkDevice device, const struct graphics *whole, const VkPipelineShaderStageCreateInfo stages[2], bool is_linked,
                            VkPipeline *pipeline)
{
   VkPipeline libraries[2] = {VK_NULL_HANDLE};
   VkResult result = VK_SUCCESS;
   struct graphics g = *whole;
   for (uint32_t i = 0; i < 2 && is_linked && result == VK_SUCCESS; i++) {
      g.num_stages = 1;
      g.stages = &stages[i];
      g.parts = graphics_parts(stages[i].stage);
      result = graphics_create(device, &g, &libraries[i]);
   }
   g = *whole;
   g.num_stages = is_linked ? 0 : 2;
   g.stages = stages;
   g.num_libraries = is_linked ? 2 : 0;
   g.libraries = libraries;
   if (result == VK_SUCCESS)
      result = graphics_create(device, &g, pipeline);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyPipeline(device, libraries[i], NULL);
   return result;
}
