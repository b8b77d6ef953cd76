/* SPDX-License-Identifier: MIT */
#include "tests/instrument/objects.h"

#define device_function(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

/* ---- pipelines of libraries ---- */

VkPipeline objects_link(struct client *client, const struct client_graphics *info, VkPipeline libraries[2])
{
   static const VkGraphicsPipelineLibraryFlagsEXT parts[2] = {
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT | VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
   VkPipeline pipeline;
   for (uint32_t i = 0; i < 2; i++) {
      const VkPipelineCreateFlags2CreateInfoKHR flags = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .pNext = info->next, .flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR};
      const VkGraphicsPipelineLibraryCreateInfoEXT library = {
         .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .pNext = (void *)(uintptr_t)&flags, .flags = parts[i]};
      struct client_graphics part = *info;
      part.next = &library;
      libraries[i] = client_graphics_pipeline(client, &part, VK_NULL_HANDLE);
   }
   const VkPipelineLibraryCreateInfoKHR linked = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
   const VkGraphicsPipelineCreateInfo whole = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = info->layout};
   client_check(vk.CreateGraphicsPipelines(client->device, VK_NULL_HANDLE, 1, &whole, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

/* ---- shader objects ---- */

static void set_states(struct client *client, VkCommandBuffer cmd, const struct objects_pair *pair)
{
   const VkViewport viewport = {0, 0, (float)pair->width, (float)pair->height, 0, 1};
   const VkRect2D scissor = {{0, 0}, {pair->width, pair->height}};
   const VkColorComponentFlags mask = 15;
   const VkBool32 blends = VK_FALSE;
   const VkSampleMask samples = UINT32_MAX;
   device_function(client, CmdSetViewportWithCount)(cmd, 1, &viewport);
   device_function(client, CmdSetScissorWithCount)(cmd, 1, &scissor);
   device_function(client, CmdSetVertexInputEXT)(cmd, 0, NULL, 0, NULL);
   device_function(client, CmdSetPrimitiveTopology)(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   device_function(client, CmdSetPrimitiveRestartEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetRasterizerDiscardEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetRasterizationSamplesEXT)(cmd, VK_SAMPLE_COUNT_1_BIT);
   device_function(client, CmdSetSampleMaskEXT)(cmd, VK_SAMPLE_COUNT_1_BIT, &samples);
   device_function(client, CmdSetAlphaToCoverageEnableEXT)(cmd, VK_FALSE);
   device_function(client, CmdSetPolygonModeEXT)(cmd, VK_POLYGON_MODE_FILL);
   device_function(client, CmdSetCullMode)(cmd, VK_CULL_MODE_NONE);
   device_function(client, CmdSetFrontFace)(cmd, VK_FRONT_FACE_COUNTER_CLOCKWISE);
   device_function(client, CmdSetDepthTestEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetDepthWriteEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetDepthBiasEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetStencilTestEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetColorBlendEnableEXT)(cmd, 0, 1, &blends);
   device_function(client, CmdSetColorWriteMaskEXT)(cmd, 0, 1, &mask);
}

void objects_begin(struct client *client, VkCommandBuffer cmd, const struct objects_pair *pair, VkShaderEXT shaders[2])
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = pair->target->view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {pair->width, pair->height}, .layerCount = 1,
                                  .colorAttachmentCount = 1, .pColorAttachments = &color};
   for (uint32_t i = 0; i < 2; i++) {
      const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT, .stage = stages[i],
                                          .nextStage = i ? 0 : VK_SHADER_STAGE_FRAGMENT_BIT, .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                          .codeSize = pair->size_bytes[i], .pCode = pair->words[i], .pName = "main", .setLayoutCount = 1,
                                          .pSetLayouts = &pair->set_layout};
      client_check(device_function(client, CreateShadersEXT)(client->device, 1, &info, NULL, &shaders[i]), "vkCreateShadersEXT");
   }
   client_transition(cmd, pair->target, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   device_function(client, CmdBeginRendering)(cmd, &begin);
   set_states(client, cmd, pair);
   device_function(client, CmdBindShadersEXT)(cmd, 2, stages, shaders);
}

void objects_end(struct client *client, VkCommandBuffer cmd)
{
   device_function(client, CmdEndRendering)(cmd);
}

void objects_destroy(struct client *client, const VkShaderEXT shaders[2])
{
   for (uint32_t i = 0; i < 2; i++)
      device_function(client, DestroyShaderEXT)(client->device, shaders[i], NULL);
}
