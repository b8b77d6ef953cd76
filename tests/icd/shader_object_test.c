/* SPDX-License-Identifier: MIT
 * Shader objects draw what pipelines draw, in whatever order they, pipelines and state come; their binaries make the same shader on another device, and
 * what is no such binary makes none. */
#include "icd/cache/secret.h"
#include "icd/pipeline/shader_binary.h"
#include "tests/icd/fixture.h"
#include "tests/test.h"

#include "objects.frag.h"
#include "objects.geom.h"
#include "objects.vert.h"
#include "scenario.comp.h"

#include <string.h>

enum { SIZE = 48, NUM_STAGES = 3, NUM_VERTICES = 24, NUM_VALUES = 64, MAX_BINARY = 1 << 18 };

static const VkShaderStageFlagBits stage_bits[NUM_STAGES] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
                                                             VK_SHADER_STAGE_FRAGMENT_BIT};
static const struct {
   const uint32_t *words;
   size_t bytes;
} codes[NUM_STAGES] = {
   {objects_vert, sizeof(objects_vert)}, {objects_geom, sizeof(objects_geom)}, {objects_frag, sizeof(objects_frag)}};

struct vertex {
   float position[3], color[4];
};

struct scene {
   struct fixture f;
   struct fixture_image color[2], depth[2]; /* of one sample and of four */
   struct fixture_buffer vertices, tint, pixels;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipelineLayout layout;
   VkShaderModule modules[NUM_STAGES];
};

/* What is drawn with. */
struct look {
   VkPrimitiveTopology topology;
   VkCullModeFlags cull;
   VkFrontFace front;
   VkPolygonMode polygon;
   VkSampleCountFlagBits samples;
   bool has_geometry, has_blend, has_depth, has_stencil, has_logic, has_bias, has_restart, is_discarded, lacks_fragment;
   VkColorComponentFlags mask; /* that are not written */
};

static const struct look looks[] = {
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

static VkPushConstantRange push_range(void)
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
   const VkPushConstantRange range = push_range();
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

static void scene_init(struct scene *s)
{
   *s = (struct scene){0};
   fixture_init(&s->f, NULL);
   for (uint32_t i = 0; i < 2; i++) {
      const VkSampleCountFlagBits samples = i ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
      s->color[i] = fixture_image(&s->f, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, samples, VK_IMAGE_ASPECT_COLOR_BIT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      s->depth[i] = fixture_image(&s->f, VK_FORMAT_D32_SFLOAT_S8_UINT, SIZE, SIZE, samples,
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

static void scene_finish(struct scene *s)
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
      fixture_image_destroy(&s->f, &s->color[i]);
      fixture_image_destroy(&s->f, &s->depth[i]);
   }
   fixture_finish(&s->f, NULL);
}

/* ---- as a pipeline ---- */

static const VkColorBlendEquationEXT equation = {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
                                                 VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_MAX};
static const VkStencilOpState stencil = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_CLAMP, VK_STENCIL_OP_KEEP,
                                         VK_COMPARE_OP_GREATER, 0xff, 0xff, 2};

static VkPipeline make_pipeline(const struct scene *s, const struct look *look)
{
   VkPipelineShaderStageCreateInfo stages[NUM_STAGES];
   uint32_t num_stages = 0;
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      if (has_stage(look, i))
         stages[num_stages++] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                                  .stage = stage_bits[i],
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
      VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, NULL, 0, 1, &format, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
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
      .layout = s->layout,
   };
   VkPipeline pipeline = VK_NULL_HANDLE;
   fixture_require(icd_CreateGraphicsPipelines(s->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

/* ---- as shader objects ---- */

/* What may follow a stage differs with what is linked. */
static VkShaderCreateInfoEXT shader_info(const struct scene *s, uint32_t stage, const VkPushConstantRange *range)
{
   static const VkShaderStageFlags next[NUM_STAGES] = {VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                                       VK_SHADER_STAGE_FRAGMENT_BIT, 0};
   return (VkShaderCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
      .stage = stage_bits[stage],
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

/* All three, or those that a look has, linked. */
static void make_objects(const struct scene *s, const struct look *linked, VkShaderEXT objects[NUM_STAGES])
{
   const VkPushConstantRange range = push_range();
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   VkShaderEXT made[NUM_STAGES];
   uint32_t count = 0, of[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      objects[i] = VK_NULL_HANDLE;
      if (linked && !has_stage(linked, i))
         continue;
      infos[count] = shader_info(s, i, &range);
      infos[count].flags = linked ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0;
      of[count++] = i;
   }
   fixture_require(icd_CreateShadersEXT(s->f.device, count, infos, NULL, made), "vkCreateShadersEXT");
   for (uint32_t i = 0; i < count; i++)
      objects[of[i]] = made[i];
}

static void destroy_objects(const struct scene *s, const VkShaderEXT objects[NUM_STAGES])
{
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      icd_DestroyShaderEXT(s->f.device, objects[i], NULL);
}

static void bind_objects(const struct scene *s, const struct look *look, const VkShaderEXT objects[NUM_STAGES])
{
   VkShaderEXT bound[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      bound[i] = has_stage(look, i) ? objects[i] : VK_NULL_HANDLE;
   icd_CmdBindShadersEXT(s->f.commands, NUM_STAGES, stage_bits, bound);
}

static void set_state(const struct scene *s, const struct look *look)
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

static void begin(const struct scene *s, const struct look *look)
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

static void draw(const struct scene *s, float x)
{
   icd_CmdPushConstants(s->f.commands, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 8, (const float[2]){x, 0.125f});
   icd_CmdDraw(s->f.commands, NUM_VERTICES, 1, 0, 0);
}

/* Ends, runs, and takes what is seen; of a picture without a fragment shader, its depth. */
static void end(struct scene *s, const struct look *look, uint32_t pixels[SIZE * SIZE])
{
   const VkImageAspectFlags aspect = look->lacks_fragment ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   const VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   icd_CmdEndRendering(s->f.commands);
   icd_CmdCopyImageToBuffer(s->f.commands, look->lacks_fragment ? s->depth[0].image : s->color[0].image, VK_IMAGE_LAYOUT_GENERAL,
                            s->pixels.buffer, 1, &region);
   fixture_run(&s->f);
   memcpy(pixels, s->pixels.data, SIZE * SIZE * 4);
}

static bool is_same(const uint32_t *a, const uint32_t *b)
{
   return memcmp(a, b, SIZE * SIZE * 4) == 0;
}

static uint32_t count_colors(const uint32_t *pixels)
{
   uint32_t count = 0;
   for (uint32_t i = 1; i < SIZE * SIZE; i++)
      count += pixels[i] != pixels[i - 1];
   return count;
}

TEST(draws_what_pipelines_draw)
{
   static uint32_t expected[SIZE * SIZE], pixels[SIZE * SIZE];
   struct scene s;
   VkShaderEXT unlinked[NUM_STAGES], linked[NUM_STAGES];
   scene_init(&s);
   make_objects(&s, NULL, unlinked);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(looks); i++) {
      const struct look *look = &looks[i];
      const VkPipeline pipeline = make_pipeline(&s, look);
      make_objects(&s, look, linked);
      begin(&s, look);
      icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      draw(&s, 0);
      end(&s, look, expected);
      CHECK(count_colors(expected) > 20 || look->is_discarded);
      for (uint32_t k = 0; k < 2; k++) {
         begin(&s, look);
         bind_objects(&s, look, k ? linked : unlinked);
         set_state(&s, look);
         draw(&s, 0);
         end(&s, look, pixels);
         if (!is_same(expected, pixels))
            fprintf(stderr, "look %u, %s\n", i, k ? "linked" : "unlinked");
         CHECK(is_same(expected, pixels));
      }
      destroy_objects(&s, linked);
      icd_DestroyPipeline(s.f.device, pipeline, NULL);
   }
   destroy_objects(&s, unlinked);
   scene_finish(&s);
}

/* Pipelines and shader objects in one rendering, three draws each; state before and after, stages one by one. */
TEST(orders_do_not_matter)
{
   static uint32_t expected[SIZE * SIZE], pixels[SIZE * SIZE];
   const struct look *plain = &looks[0], *blended = &looks[9], *geometry = &looks[7];
   struct scene s;
   VkShaderEXT objects[NUM_STAGES];
   scene_init(&s);
   make_objects(&s, NULL, objects);
   const VkPipeline pipelines[] = {make_pipeline(&s, plain), make_pipeline(&s, geometry), make_pipeline(&s, blended)};
   begin(&s, plain);
   for (uint32_t i = 0; i < 3; i++) {
      icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      draw(&s, 0.25f * (float)i);
   }
   end(&s, plain, expected);

   /* Objects between pipelines: the state of the first, static, says nothing of the second's. */
   begin(&s, plain);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   draw(&s, 0);
   bind_objects(&s, geometry, objects);
   set_state(&s, geometry);
   draw(&s, 0.25f);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[2]);
   draw(&s, 0.5f);
   end(&s, plain, pixels);
   CHECK(is_same(expected, pixels));

   /* State first, stages one by one, in the order of no pipeline; the geometry stage comes and goes, by a null array. */
   begin(&s, plain);
   set_state(&s, plain);
   for (uint32_t i = NUM_STAGES; i-- > 0;)
      icd_CmdBindShadersEXT(s.f.commands, 1, &stage_bits[i], i == 1 ? NULL : &objects[i]);
   draw(&s, 0);
   set_state(&s, geometry);
   icd_CmdBindShadersEXT(s.f.commands, 1, &stage_bits[1], &objects[1]);
   draw(&s, 0.25f);
   icd_CmdBindShadersEXT(s.f.commands, 1, &stage_bits[1], NULL);
   set_state(&s, blended);
   draw(&s, 0.5f);
   end(&s, plain, pixels);
   CHECK(is_same(expected, pixels));

   /* A pipeline takes the place of all stages, also of those that it does not have. */
   begin(&s, plain);
   bind_objects(&s, geometry, objects);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   draw(&s, 0);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[1]);
   draw(&s, 0.25f);
   set_state(&s, blended);
   icd_CmdBindShadersEXT(s.f.commands, 1, &stage_bits[2], &objects[2]);
   draw(&s, 0.75f); /* without a vertex shader: nothing */
   icd_CmdBindShadersEXT(s.f.commands, 1, &stage_bits[0], &objects[0]);
   draw(&s, 0.5f);
   end(&s, plain, pixels);
   CHECK(is_same(expected, pixels));

   for (uint32_t i = 0; i < 3; i++)
      icd_DestroyPipeline(s.f.device, pipelines[i], NULL);
   destroy_objects(&s, objects);
   scene_finish(&s);
}

/* ---- compute ---- */

struct compute {
   struct fixture f;
   struct fixture_buffer buffer;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
};

static void compute_init(struct compute *c)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL,
                                                       VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, 2, bindings};
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   fixture_init(&c->f, NULL);
   c->buffer = fixture_buffer(&c->f, 4096);
   fixture_require(icd_CreateDescriptorSetLayout(c->f.device, &set_layout, NULL, &c->set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo layout = {
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &c->set_layout, 1, &range};
   fixture_require(icd_CreatePipelineLayout(c->f.device, &layout, NULL, &c->layout), "vkCreatePipelineLayout");
   memset(c->buffer.data, 0, 4096);
   ((uint32_t *)c->buffer.data)[512] = 1000;
}

static void compute_finish(struct compute *c)
{
   icd_DestroyPipelineLayout(c->f.device, c->layout, NULL);
   icd_DestroyDescriptorSetLayout(c->f.device, c->set_layout, NULL);
   fixture_buffer_destroy(&c->f, &c->buffer);
   fixture_finish(&c->f, NULL);
}

/* `binary` NULL: of SPIR-V. */
static VkResult compute_object(struct compute *c, uint32_t factor, const void *binary, size_t bytes, VkShaderEXT *object)
{
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo specialization = {1, &entry, 4, &factor};
   const VkShaderCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
      .flags = VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT | VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT,
      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
      .codeType = binary ? VK_SHADER_CODE_TYPE_BINARY_EXT : VK_SHADER_CODE_TYPE_SPIRV_EXT,
      .codeSize = binary ? bytes : sizeof(scenario_comp),
      .pCode = binary ? binary : scenario_comp,
      .pName = "main",
      .setLayoutCount = 1,
      .pSetLayouts = &c->set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &range,
      .pSpecializationInfo = &specialization,
   };
   return icd_CreateShadersEXT(c->f.device, 1, &info, NULL, object);
}

static void compute_begin(struct compute *c, uint32_t more)
{
   const VkDescriptorBufferInfo infos[] = {{c->buffer.buffer, 0, NUM_VALUES * 4}, {c->buffer.buffer, 2048, 16}};
   const VkWriteDescriptorSet writes[] = {
      {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 0, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &infos[0]},
      {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 1, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = &infos[1]},
   };
   fixture_begin(c->f.commands);
   icd_CmdPushDescriptorSet(c->f.commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 2, writes);
   icd_CmdPushConstants(c->f.commands, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &more);
}

static void bind_compute(struct compute *c, VkShaderEXT object)
{
   const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
   icd_CmdBindShadersEXT(c->f.commands, 1, &stage, &object);
}

static bool values_are(const struct compute *c, uint32_t factor, uint32_t more)
{
   const uint32_t *values = c->buffer.data;
   for (uint32_t i = 0; i < NUM_VALUES; i++) {
      if (values[i] != (i ^ 1) * factor + 1000 + more)
         return false;
   }
   return true;
}

/* The values of a dispatch of the object alone. */
static bool computes(struct compute *c, VkShaderEXT object, uint32_t factor, uint32_t more)
{
   memset(c->buffer.data, 0, NUM_VALUES * 4);
   compute_begin(c, more);
   bind_compute(c, object);
   icd_CmdDispatch(c->f.commands, NUM_VALUES / 32, 1, 1);
   fixture_run(&c->f);
   return values_are(c, factor, more);
}

TEST(compute_objects_are_bound_and_unbound)
{
   struct compute c;
   VkShaderEXT five = VK_NULL_HANDLE, seven = VK_NULL_HANDLE;
   compute_init(&c);
   CHECK_EQ(compute_object(&c, 5, NULL, 0, &five), VK_SUCCESS);
   CHECK_EQ(compute_object(&c, 7, NULL, 0, &seven), VK_SUCCESS);
   CHECK(computes(&c, five, 5, 3));
   compute_begin(&c, 4);
   bind_compute(&c, five);
   icd_CmdDispatchBase(c.f.commands, 1, 0, 0, 1, 1, 1);
   const VkMemoryBarrier written = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT, .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
   icd_CmdPipelineBarrier(c.f.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &written, 0, NULL, 0, NULL);
   bind_compute(&c, seven); /* writes over it */
   icd_CmdDispatch(c.f.commands, 2, 1, 1);
   bind_compute(&c, VK_NULL_HANDLE); /* dispatches nothing from here on */
   icd_CmdDispatch(c.f.commands, 2, 1, 1);
   fixture_run(&c.f);
   CHECK(values_are(&c, 7, 4));
   icd_DestroyShaderEXT(c.f.device, five, NULL);
   icd_DestroyShaderEXT(c.f.device, seven, NULL);
   icd_DestroyShaderEXT(c.f.device, VK_NULL_HANDLE, NULL);
   compute_finish(&c);
}

/* ---- binaries ---- */

static _Alignas(16) uint8_t binary[MAX_BINARY], other[MAX_BINARY];

static size_t get_binary(struct compute *c, VkShaderEXT object, uint8_t data[MAX_BINARY])
{
   size_t bytes = 0, small;
   fixture_require(icd_GetShaderBinaryDataEXT(c->f.device, object, &bytes, NULL), "vkGetShaderBinaryDataEXT");
   CHECK(bytes > 100 && bytes < MAX_BINARY);
   small = bytes - 1;
   memset(data, 0x5a, MAX_BINARY);
   CHECK_EQ(icd_GetShaderBinaryDataEXT(c->f.device, object, &small, data), VK_INCOMPLETE);
   for (size_t i = 0; i < bytes; i++)
      CHECK(data[i] == 0x5a);
   bytes = MAX_BINARY;
   fixture_require(icd_GetShaderBinaryDataEXT(c->f.device, object, &bytes, data), "vkGetShaderBinaryDataEXT");
   CHECK(data[bytes] == 0x5a);
   return bytes;
}

TEST(binaries_travel_between_devices)
{
   struct compute c;
   VkShaderEXT object = VK_NULL_HANDLE;
   compute_init(&c);
   CHECK_EQ(compute_object(&c, 11, NULL, 0, &object), VK_SUCCESS);
   const size_t bytes = get_binary(&c, object, binary);
   icd_DestroyShaderEXT(c.f.device, object, NULL);
   compute_finish(&c);

   for (uint32_t shift = 0; shift < 2; shift++) { /* aligned as it must be, and not */
      compute_init(&c);
      memmove(other + shift, binary, bytes);
      /* What the binary was not made of is not looked at. */
      CHECK_EQ(compute_object(&c, 99, other + shift, bytes, &object), VK_SUCCESS);
      memset(other, 0xff, bytes + shift);
      CHECK(computes(&c, object, 11, 6));
      CHECK_EQ(get_binary(&c, object, other), bytes);
      CHECK(memcmp(binary, other, bytes) == 0);
      icd_DestroyShaderEXT(c.f.device, object, NULL);
      compute_finish(&c);
   }
}

TEST(graphics_binaries_draw_the_same)
{
   static uint32_t expected[SIZE * SIZE], pixels[SIZE * SIZE];
   const struct look *look = &looks[7];
   struct scene s;
   VkShaderEXT objects[NUM_STAGES], again[NUM_STAGES];
   const VkPushConstantRange range = push_range();
   scene_init(&s);
   make_objects(&s, look, objects);
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      VkShaderCreateInfoEXT info = shader_info(&s, i, &range);
      info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
      info.codeSize = MAX_BINARY;
      info.pCode = binary;
      info.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
      fixture_require(icd_GetShaderBinaryDataEXT(s.f.device, objects[i], &info.codeSize, binary), "vkGetShaderBinaryDataEXT");
      /* A binary is that of its stage. */
      info.stage = stage_bits[(i + 1) % NUM_STAGES];
      CHECK_EQ(icd_CreateShadersEXT(s.f.device, 1, &info, NULL, &again[i]), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
      CHECK(again[i] == VK_NULL_HANDLE);
      info.stage = stage_bits[i];
      CHECK_EQ(icd_CreateShadersEXT(s.f.device, 1, &info, NULL, &again[i]), VK_SUCCESS);
   }
   for (uint32_t k = 0; k < 2; k++) {
      begin(&s, look);
      bind_objects(&s, look, k ? again : objects);
      set_state(&s, look);
      draw(&s, 0);
      end(&s, look, k ? pixels : expected);
   }
   CHECK(count_colors(expected) > 20);
   CHECK(is_same(expected, pixels));
   destroy_objects(&s, objects);
   destroy_objects(&s, again);
   scene_finish(&s);
}

static uint32_t pick(uint32_t count)
{
   static uint64_t state = 99;
   state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)(state >> 33) % count;
}

/* True if what is in `other` makes a shader, which goes again. */
static bool is_taken(struct compute *c, size_t bytes)
{
   VkShaderEXT object = (VkShaderEXT)(uintptr_t)16;
   /* A buffer of just this size, for a sanitizer to see what is read beyond. */
   uint8_t *copy = malloc(bytes ? bytes : 1);
   memcpy(copy, other, bytes);
   const VkResult result = compute_object(c, 3, copy, bytes, &object);
   free(copy);
   CHECK(result == VK_SUCCESS || (result == VK_INCOMPATIBLE_SHADER_BINARY_EXT && object == VK_NULL_HANDLE));
   icd_DestroyShaderEXT(c->f.device, object, NULL);
   return result == VK_SUCCESS;
}

TEST(what_is_no_binary_is_incompatible)
{
   enum { UUID_BYTES = 16, HASH_BYTES = 32, HEAD_BYTES = UUID_BYTES + 2 * HASH_BYTES + 16 };
   struct compute c;
   VkShaderEXT object = VK_NULL_HANDLE;
   compute_init(&c);
   CHECK_EQ(compute_object(&c, 13, NULL, 0, &object), VK_SUCCESS);
   const size_t bytes = get_binary(&c, object, binary);
   icd_DestroyShaderEXT(c.f.device, object, NULL);
   memcpy(other, binary, bytes);
   CHECK(is_taken(&c, bytes));
   for (size_t cut = 0; cut < bytes; cut += 1 + cut / 50)
      CHECK(!is_taken(&c, cut));
   CHECK(!is_taken(&c, bytes + 1));
   for (uint32_t i = 0; i < 2000; i++) {
      memcpy(other, binary, bytes);
      const size_t at = pick(2) ? pick(200) : pick((uint32_t)bytes);
      const uint8_t before = other[at];
      other[at] = pick(2) ? (uint8_t)pick(256) : (uint8_t)(before ^ 1u << pick(8));
      const bool is_unused = at >= HEAD_BYTES - 8 && at < HEAD_BYTES;
      CHECK(is_taken(&c, bytes) == (is_unused || other[at] == before));
   }
   memset(other, 0xff, bytes);
   CHECK(!is_taken(&c, bytes));
   /* Somebody who knows the secret has tagged what he likes: it does not crash when it is loaded. It is never run. */
   for (uint32_t i = 0; i < 1000; i++) {
      struct util_hash key, tag;
      memcpy(other, binary, bytes);
      for (uint32_t n = 1 + pick(4); n > 0; n--)
         other[HEAD_BYTES + 8 + pick((uint32_t)(pick(2) ? 200 : bytes - HEAD_BYTES - 8))] ^= (uint8_t)(1 + pick(255));
      memcpy(&key, other + UUID_BYTES, HASH_BYTES);
      CHECK(icd_secret_tag(key, other + HEAD_BYTES, bytes - HEAD_BYTES, &tag));
      memcpy(other + UUID_BYTES + HASH_BYTES, &tag, HASH_BYTES);
      is_taken(&c, bytes);
   }
   compute_finish(&c);
}

/* Each result is that of the first which is missing, and those around it are made. */
TEST(errors_name_the_first_that_is_missing)
{
   static const uint32_t garbage[8] = {0x07230203, 0x00010000, 0, 4, 0, 0xffffffff, 0xffffffff, 0xffffffff};
   struct scene s;
   VkShaderEXT made[NUM_STAGES];
   const VkPushConstantRange range = push_range();
   scene_init(&s);
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      infos[i] = shader_info(&s, i, &range);
   infos[1].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   infos[2].pCode = garbage;
   infos[2].codeSize = sizeof(garbage);
   CHECK_EQ(icd_CreateShadersEXT(s.f.device, NUM_STAGES, infos, NULL, made), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
   CHECK(made[0] != VK_NULL_HANDLE && made[1] == VK_NULL_HANDLE && made[2] == VK_NULL_HANDLE);
   icd_DestroyShaderEXT(s.f.device, made[0], NULL);
   CHECK_EQ(icd_CreateShadersEXT(s.f.device, 1, &infos[2], NULL, made), VK_ERROR_INITIALIZATION_FAILED);
   infos[0].pName = "nobody";
   infos[1] = infos[2] = shader_info(&s, 2, &range);
   CHECK_EQ(icd_CreateShadersEXT(s.f.device, 2, infos, NULL, made), VK_ERROR_INITIALIZATION_FAILED);
   CHECK(made[0] == VK_NULL_HANDLE && made[1] != VK_NULL_HANDLE);
   icd_DestroyShaderEXT(s.f.device, made[1], NULL);
   scene_finish(&s);
}

/* ---- memory ---- */

/* Every allocation of a call that compiles fails, once each; what was made before stands. */
TEST(each_allocation_of_a_compile_fails)
{
   struct scene s;
   VkShaderEXT made[NUM_STAGES];
   const VkPushConstantRange range = push_range();
   uint32_t num_failures = 0;
   scene_init(&s);
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      infos[i] = shader_info(&s, i, &range);
   bool is_through = false;
   for (uint64_t n = 1; !is_through && n < 10000; n++) {
      util_alloc_fail_at(n, true);
      const VkResult result = icd_CreateShadersEXT(s.f.device, NUM_STAGES, infos, NULL, made);
      is_through = util_alloc_count() < n;
      util_alloc_fail_at(0, true);
      CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
      num_failures += result != VK_SUCCESS;
      uint32_t num_made = 0;
      for (uint32_t i = 0; i < NUM_STAGES; i++)
         num_made += made[i] != VK_NULL_HANDLE;
      CHECK((result == VK_SUCCESS) == (num_made == NUM_STAGES));
      destroy_objects(&s, made);
   }
   CHECK(is_through && num_failures > 20);
   scene_finish(&s);
}

TEST_MAIN
