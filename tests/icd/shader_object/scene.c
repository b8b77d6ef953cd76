/* SPDX-License-Identifier: MIT */
#include "tests/icd/shader_object/scene.h"

#include "objects.frag.h"
#include "objects.geom.h"
#include "objects.vert.h"

#include <string.h>

enum { NUM_VERTICES = 24 };

const VkShaderStageFlagBits scene_stages[NUM_STAGES] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
                                                             VK_SHADER_STAGE_FRAGMENT_BIT};
static const struct {
   const uint32_t *words;
   size_t bytes;
} codes[NUM_STAGES] = {
   {objects_vert, sizeof(objects_vert)}, {objects_geom, sizeof(objects_geom)}, {objects_frag, sizeof(objects_frag)}};

struct vertex {
   float position[3], color[4];
};

const struct look scene_looks[NUM_LOOKS] = {
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, .has_blend = true, .has_restart = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, .cull = VK_CULL_MODE_BACK_BIT, .has_depth = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .cull = VK_CULL_MODE_FRONT_BIT, .front = VK_FRONT_FACE_CLOCKWISE, .mask = 5},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .polygon = VK_POLYGON_MODE_LINE, .has_depth = true, .has_bias = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, .has_blend = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .has_logic = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .has_geometry = true, .has_depth = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, .samples = VK_SAMPLE_COUNT_4_BIT, .has_blend = true, .has_depth = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .has_stencil = true, .has_blend = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .samples = VK_SAMPLE_COUNT_4_BIT, .has_geometry = true, .has_stencil = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .is_discarded = true},
   {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .has_depth = true, .lacks_fragment = true},
};

static VkSampleCountFlagBits samples_of(const struct look *look)
{
   return look->samples ? look->samples : VK_SAMPLE_COUNT_1_BIT;
}

static bool has_stage(const struct look *look, uint32_t stage)
{
   return stage == 1 ? look->has_geometry : stage == 2 ? !look->lacks_fragment : true;
}

VkPushConstantRange scene_push_range(void)
{
   return (VkPushConstantRange){VK_SHADER_STAGE_VERTEX_BIT, 0, 8};
}

static void init_descriptors(struct scene *s)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 1, &binding};
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
   const VkPushConstantRange range = scene_push_range();
   fixture_require(icd_CreateDescriptorSetLayout(s->f.device, &set_layout, NULL, &s->set_layout), "vkCreateDescriptorSetLayout");
   fixture_require(icd_CreateDescriptorPool(s->f.device, &pool, NULL, &s->pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, s->pool, 1, &s->set_layout};
   fixture_require(icd_AllocateDescriptorSets(s->f.device, &set, &s->set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffer = {s->tint.buffer, 0, 16};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = s->set,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                       .pBufferInfo = &buffer};
   icd_UpdateDescriptorSets(s->f.device, 1, &write, 0, NULL);
   const VkPipelineLayoutCreateInfo layout = {
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set_layout, 1, &range};
   fixture_require(icd_CreatePipelineLayout(s->f.device, &layout, NULL, &s->layout), "vkCreatePipelineLayout");
}

void scene_init(struct scene *s)
{
   *s = (struct scene){0};
   fixture_init(&s->f, NULL);
   for (uint32_t i = 0; i < 2; i++) {
      const VkSampleCountFlagBits samples = i ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
      s->color[i] = fixture_image(s->f.device, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, samples, VK_IMAGE_ASPECT_COLOR_BIT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      s->depth[i] = fixture_image(s->f.device, VK_FORMAT_D32_SFLOAT_S8_UINT, SIZE, SIZE, samples,
                                  VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
                                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   }
   s->vertices = fixture_buffer(&s->f, NUM_VERTICES * sizeof(struct vertex));
   s->tint = fixture_buffer(&s->f, 16);
   s->pixels = fixture_buffer(&s->f, SIZE * SIZE * 4);
   memcpy(s->tint.data, (const float[4]){1, 0.75f, 0.5f, 0.625f}, 16);
   struct vertex *vertices = s->vertices.data;
   uint32_t random = 7;
   for (uint32_t i = 0; i < NUM_VERTICES; i++) {
      float *values = (float *)&vertices[i];
      for (uint32_t k = 0; k < 7; k++) {
         random = random * 1664525 + 1013904223;
         const float value = (float)(random >> 8) / (1 << 24);
         values[k] = k < 2 ? value * 2 - 1 : value;
      }
   }
   init_descriptors(s);
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      const VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, codes[i].bytes, codes[i].words};
      fixture_require(icd_CreateShaderModule(s->f.device, &module, NULL, &s->modules[i]), "vkCreateShaderModule");
   }
}

void scene_finish(struct scene *s)
{
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      icd_DestroyShaderModule(s->f.device, s->modules[i], NULL);
   icd_DestroyPipelineLayout(s->f.device, s->layout, NULL);
   icd_DestroyDescriptorPool(s->f.device, s->pool, NULL);
   icd_DestroyDescriptorSetLayout(s->f.device, s->set_layout, NULL);
   fixture_buffer_destroy(&s->f, &s->vertices);
   fixture_buffer_destroy(&s->f, &s->tint);
   fixture_buffer_destroy(&s->f, &s->pixels);
   for (uint32_t i = 0; i < 2; i++) {
      fixture_image_destroy(s->f.device, &s->color[i]);
      fixture_image_destroy(s->f.device, &s->depth[i]);
   }
   fixture_finish(&s->f, NULL);
}

/* ---- as a pipeline ---- */

static const VkColorBlendEquationEXT equation = {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
                                                 VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_MAX};
static const VkStencilOpState stencil = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_CLAMP, VK_STENCIL_OP_KEEP,
                                         VK_COMPARE_OP_GREATER, 0xff, 0xff, 2};

VkPipeline scene_make_pipeline(const struct scene *s, const struct look *look)
{
   VkPipelineShaderStageCreateInfo stages[NUM_STAGES];
   uint32_t num_stages = 0;
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      if (has_stage(look, i))
         stages[num_stages++] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                                  .stage = scene_stages[i],
                                                                  .module = s->modules[i],
                                                                  .pName = "main"};
   }
   const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 12}};
   const VkPipelineVertexInputStateCreateInfo input = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, &binding, 2, attributes};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, NULL, 0, look->topology, look->has_restart};
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{1, 2}, {SIZE - 3, SIZE - 4}};
   const VkPipelineViewportStateCreateInfo viewports = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = look->is_discarded,
      .polygonMode = look->polygon,
      .cullMode = look->cull,
      .frontFace = look->front,
      .depthBiasEnable = look->has_bias,
      .depthBiasConstantFactor = 1000,
      .depthBiasSlopeFactor = 2,
      .lineWidth = 1,
   };
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = samples_of(look)};
   const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = look->has_depth,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS,
      .stencilTestEnable = look->has_stencil,
      .front = stencil,
      .back = stencil,
   };
   const VkPipelineColorBlendAttachmentState attachment = {
      look->has_blend,
      equation.srcColorBlendFactor, equation.dstColorBlendFactor, equation.colorBlendOp,
      equation.srcAlphaBlendFactor, equation.dstAlphaBlendFactor, equation.alphaBlendOp,
      15 & ~look->mask,
   };
   const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .logicOpEnable = look->has_logic,
                                                      .logicOp = VK_LOGIC_OP_XOR,
                                                      .attachmentCount = 1,
                                                      .pAttachments = &attachment};
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   const VkPipelineRenderingCreateInfo rendering = {
      VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, look->discard, 0, 1, &format, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = &rendering,
      .stageCount = num_stages,
      .pStages = stages,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewports,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &depth,
      .pColorBlendState = &blend,
      .pDynamicState = look->dynamic,
      .layout = s->layout,
   };
   VkPipeline pipeline = VK_NULL_HANDLE;
   fixture_require(icd_CreateGraphicsPipelines(s->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

/* ---- as shader objects ---- */

VkShaderCreateInfoEXT scene_shader_info(const struct scene *s, uint32_t stage, const VkPushConstantRange *range)
{
   static const VkShaderStageFlags next[NUM_STAGES] = {VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                                       VK_SHADER_STAGE_FRAGMENT_BIT, 0};
   return (VkShaderCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
      .stage = scene_stages[stage],
      .nextStage = next[stage],
      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
      .codeSize = codes[stage].bytes,
      .pCode = codes[stage].words,
      .pName = "main",
      .setLayoutCount = 1,
      .pSetLayouts = &s->set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = range,
   };
}

void scene_make_objects(const struct scene *s, const struct look *linked, VkShaderEXT objects[NUM_STAGES])
{
   const VkPushConstantRange range = scene_push_range();
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   VkShaderEXT made[NUM_STAGES];
   uint32_t count = 0, of[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      objects[i] = VK_NULL_HANDLE;
      if (linked && !has_stage(linked, i))
         continue;
      infos[count] = scene_shader_info(s, i, &range);
      infos[count].flags = linked ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0;
      of[count++] = i;
   }
   fixture_require(icd_CreateShadersEXT(s->f.device, count, infos, NULL, made), "vkCreateShadersEXT");
   for (uint32_t i = 0; i < count; i++)
      objects[of[i]] = made[i];
}

void scene_destroy_objects(const struct scene *s, const VkShaderEXT objects[NUM_STAGES])
{
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      icd_DestroyShaderEXT(s->f.device, objects[i], NULL);
}

void scene_bind_objects(const struct scene *s, const struct look *look, const VkShaderEXT objects[NUM_STAGES])
{
   VkShaderEXT bound[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      bound[i] = has_stage(look, i) ? objects[i] : VK_NULL_HANDLE;
   icd_CmdBindShadersEXT(s->f.commands, NUM_STAGES, scene_stages, bound);
}

void scene_set_state(const struct scene *s, const struct look *look)
{
   const VkCommandBuffer cmd = s->f.commands;
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{1, 2}, {SIZE - 3, SIZE - 4}};
   const VkVertexInputBindingDescription2EXT binding = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX, 1};
   const VkVertexInputAttributeDescription2EXT attributes[] = {
      {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
      {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 12}};
   const VkSampleMask all = UINT32_MAX;
   const VkBool32 has_blend = look->has_blend;
   const VkColorComponentFlags mask = 15 & ~look->mask;
   icd_CmdSetViewportWithCount(cmd, 1, &viewport);
   icd_CmdSetScissorWithCount(cmd, 1, &scissor);
   icd_CmdSetRasterizerDiscardEnable(cmd, look->is_discarded);
   icd_CmdSetVertexInputEXT(cmd, 1, &binding, 2, attributes);
   icd_CmdSetPrimitiveTopology(cmd, look->topology);
   icd_CmdSetPrimitiveRestartEnable(cmd, look->has_restart);
   icd_CmdSetRasterizationSamplesEXT(cmd, samples_of(look));
   icd_CmdSetSampleMaskEXT(cmd, samples_of(look), &all);
   icd_CmdSetAlphaToCoverageEnableEXT(cmd, VK_FALSE);
   icd_CmdSetAlphaToOneEnableEXT(cmd, VK_FALSE);
   icd_CmdSetPolygonModeEXT(cmd, look->polygon);
   icd_CmdSetLineWidth(cmd, 1);
   icd_CmdSetCullMode(cmd, look->cull);
   icd_CmdSetFrontFace(cmd, look->front);
   icd_CmdSetDepthTestEnable(cmd, look->has_depth);
   icd_CmdSetDepthWriteEnable(cmd, VK_TRUE);
   icd_CmdSetDepthCompareOp(cmd, VK_COMPARE_OP_LESS);
   icd_CmdSetDepthBoundsTestEnable(cmd, VK_FALSE);
   icd_CmdSetDepthBiasEnable(cmd, look->has_bias);
   icd_CmdSetDepthBias(cmd, 1000, 0, 2);
   icd_CmdSetDepthClampEnableEXT(cmd, VK_FALSE);
   icd_CmdSetStencilTestEnable(cmd, look->has_stencil);
   icd_CmdSetStencilOp(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, stencil.failOp, stencil.passOp, stencil.depthFailOp, stencil.compareOp);
   icd_CmdSetStencilCompareMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, stencil.compareMask);
   icd_CmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, stencil.writeMask);
   icd_CmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, stencil.reference);
   icd_CmdSetLogicOpEnableEXT(cmd, look->has_logic);
   icd_CmdSetLogicOpEXT(cmd, VK_LOGIC_OP_XOR);
   icd_CmdSetColorBlendEnableEXT(cmd, 0, 1, &has_blend);
   icd_CmdSetColorBlendEquationEXT(cmd, 0, 1, &equation);
   icd_CmdSetColorWriteMaskEXT(cmd, 0, 1, &mask);
}

/* ---- pictures ---- */

void scene_begin(const struct scene *s, const struct look *look)
{
   const bool is_multi = samples_of(look) > 1;
   const VkRenderingAttachmentInfo color = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
      .imageView = s->color[is_multi].view,
      .resolveMode = is_multi ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
      .resolveImageView = is_multi ? s->color[0].view : VK_NULL_HANDLE,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .clearValue.color.float32 = {0.25f, 0.125f, 0.5f, 1},
   };
   const VkRenderingAttachmentInfo depth = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
      .imageView = s->depth[is_multi].view,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .clearValue.depthStencil = {1, 0},
   };
   const VkRenderingInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .renderArea = {{0, 0}, {SIZE, SIZE}},
      .layerCount = 1,
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
      .pDepthAttachment = &depth,
      .pStencilAttachment = &depth,
   };
   fixture_begin(s->f.commands);
   icd_CmdBeginRendering(s->f.commands, &info);
   icd_CmdBindVertexBuffers(s->f.commands, 0, 1, &s->vertices.buffer, &(const VkDeviceSize){0});
   icd_CmdBindDescriptorSets(s->f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
}

void scene_draw(const struct scene *s, float x)
{
   icd_CmdPushConstants(s->f.commands, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 8, (const float[2]){x, 0.125f});
   icd_CmdDraw(s->f.commands, NUM_VERTICES, 1, 0, 0);
}

void scene_end(struct scene *s, const struct look *look, uint32_t pixels[SIZE * SIZE])
{
   const VkImageAspectFlags aspect = look->lacks_fragment ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   const VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   icd_CmdEndRendering(s->f.commands);
   icd_CmdCopyImageToBuffer(s->f.commands, look->lacks_fragment ? s->depth[0].image : s->color[0].image, VK_IMAGE_LAYOUT_GENERAL,
                            s->pixels.buffer, 1, &region);
   fixture_run(&s->f);
   memcpy(pixels, s->pixels.data, SIZE * SIZE * 4);
}

bool scene_is_same(const uint32_t *a, const uint32_t *b)
{
   return memcmp(a, b, SIZE * SIZE * 4) == 0;
}

uint32_t scene_count_colors(const uint32_t *pixels)
{
   uint32_t count = 0;
   for (uint32_t i = 1; i < SIZE * SIZE; i++)
      count += pixels[i] != pixels[i - 1];
   return count;
}
