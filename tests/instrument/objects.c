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
   client_set_states(client, cmd, pair->width, pair->height);
   device_function(client, CmdSetVertexInputEXT)(cmd, 0, NULL, 0, NULL);
   device_function(client, CmdSetColorBlendEnableEXT)(cmd, 0, 1, &(VkBool32){VK_FALSE});
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
