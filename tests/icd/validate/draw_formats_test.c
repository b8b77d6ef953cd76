/* SPDX-License-Identifier: MIT
 * Attributes, attachments and views that do not fit the types that shaders declare: one message each under VK_SWRAST_DEBUG=validate,
 * none where all fit, whether the pipeline is whole or linked, and a result that is the same each time. */
#include "icd/device/device.h"
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "formats.frag.h"
#include "formats.vert.h"

enum { SIZE = 4, NUM_ATTRIBUTES = 3, NONE = 3 };

static const VkFormat fitting[NUM_ATTRIBUTES] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R64G64_SFLOAT};

struct scene {
   struct run_device run;
   struct fixture_image floats, uints;
   struct run_buffer vertices, texels;
};

/* What one draw is given: an attribute of another format, VK_FORMAT_UNDEFINED: of none. */
struct given {
   uint32_t location; /* NONE: all fit */
   VkFormat format;
   bool is_dynamic, is_linked, is_secondary;
   const struct fixture_image *target, *sampled;
};

static void scene_init(struct scene *s)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_ALL, NULL};
   setenv("VK_SWRAST_DEBUG", "nocache,validate", 1);
   run_init(&s->run, 1, &binding, 0);
   s->floats = run_image(&s->run, VK_FORMAT_R32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.float32 = {1}});
   s->uints = run_image(&s->run, VK_FORMAT_R32_UINT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.uint32 = {7}});
   s->vertices = run_buffer(&s->run, 256);
   s->texels = run_buffer(&s->run, SIZE * SIZE * 4);
   for (uint32_t i = 0; i < 64; i++)
      s->vertices.map[i] = i % 4 ? 0 : 0x3f800000; /* 1.0 */
}

static void scene_finish(struct scene *s)
{
   fixture_image_destroy(s->run.f.device, &s->floats);
   fixture_image_destroy(s->run.f.device, &s->uints);
   run_buffer_free(&s->run, &s->vertices);
   run_buffer_free(&s->run, &s->texels);
   run_finish(&s->run);
}

/* ---- pipelines ---- */

static uint32_t attributes(const struct given *given, VkVertexInputAttributeDescription *out)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < NUM_ATTRIBUTES; i++) {
      const VkFormat format = i == given->location ? given->format : fitting[i];
      if (format != VK_FORMAT_UNDEFINED)
         out[count++] = (VkVertexInputAttributeDescription){i, 0, format, 0};
   }
   return count;
}

static VkPipeline scene_pipeline(struct scene *s, const struct given *given)
{
   static const VkDynamicState vertex_input = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
   VkVertexInputAttributeDescription descriptions[NUM_ATTRIBUTES];
   const VkVertexInputBindingDescription binding = {0, 0, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkPipelineVertexInputStateCreateInfo vertices = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                          .vertexBindingDescriptionCount = 1,
                                                          .pVertexBindingDescriptions = &binding,
                                                          .vertexAttributeDescriptionCount = attributes(given, descriptions),
                                                          .pVertexAttributeDescriptions = descriptions};
   const struct graphics whole = {.layout = s->run.layout,
                                  .vertices = &vertices,
                                  .num_dynamic = given->is_dynamic,
                                  .dynamic = &vertex_input,
                                  .num_colors = 1,
                                  .colors = {given->target == &s->uints ? VK_FORMAT_R32_UINT : VK_FORMAT_R32_SFLOAT}};
   VkPipelineShaderStageCreateInfo stages[2];
   VkPipeline pipeline;
   stages[0] = run_stage(&s->run, VK_SHADER_STAGE_VERTEX_BIT, formats_vert, sizeof(formats_vert));
   stages[1] = run_stage(&s->run, VK_SHADER_STAGE_FRAGMENT_BIT, formats_frag, sizeof(formats_frag));
   fixture_require(graphics_of_stages(s->run.f.device, &whole, stages, given->is_linked, &pipeline), "vkCreateGraphicsPipelines");
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderModule(s->run.f.device, stages[i].module, NULL);
   return pipeline;
}

/* ---- draws ---- */

static void set_vertex_input(VkCommandBuffer commands, const struct given *given)
{
   VkVertexInputAttributeDescription descriptions[NUM_ATTRIBUTES];
   VkVertexInputAttributeDescription2EXT attributes2[NUM_ATTRIBUTES];
   const VkVertexInputBindingDescription2EXT binding = {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 0, 0,
                                                        VK_VERTEX_INPUT_RATE_VERTEX, 1};
   const uint32_t count = attributes(given, descriptions);
   for (uint32_t i = 0; i < count; i++)
      attributes2[i] = (VkVertexInputAttributeDescription2EXT){VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL,
                                                               descriptions[i].location, 0, descriptions[i].format, 0};
   icd_CmdSetVertexInputEXT(commands, 1, &binding, count, attributes2);
}

static void record_draw(struct scene *s, VkCommandBuffer commands, const struct given *given, VkPipeline pipeline)
{
   const VkDeviceSize zero = 0;
   icd_CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->run.layout, 0, 1, &s->run.set, 0, NULL);
   icd_CmdBindVertexBuffers(commands, 0, 1, &s->vertices.buffer, &zero);
   if (given->is_dynamic)
      set_vertex_input(commands, given);
   icd_CmdDraw(commands, 3, 1, 0, 0);
}

static VkCommandBuffer record_secondary(struct scene *s, const struct given *given, VkPipeline pipeline)
{
   VkCommandBuffer commands;
   const VkFormat format = given->target == &s->uints ? VK_FORMAT_R32_UINT : VK_FORMAT_R32_SFLOAT;
   const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, s->run.pool,
                                             VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1};
   const VkCommandBufferInheritanceRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
                                                              .colorAttachmentCount = 1,
                                                              .pColorAttachmentFormats = &format,
                                                              .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
   fixture_require(icd_AllocateCommandBuffers(s->run.f.device, &info, &commands), "vkAllocateCommandBuffers");
   fixture_require(icd_BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
   record_draw(s, commands, given, pipeline);
   fixture_require(icd_EndCommandBuffer(commands), "vkEndCommandBuffer");
   return commands;
}

/* Draws and returns the first texel's bits; the ears have heard what was reported. */
static uint32_t draw(struct scene *s, const struct given *given)
{
   struct run_device *run = &s->run;
   const VkPipeline pipeline = scene_pipeline(s, given);
   const VkDescriptorImageInfo image = {VK_NULL_HANDLE, given->sampled->view, VK_IMAGE_LAYOUT_GENERAL};
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = given->target->view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                      .flags = given->is_secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
                                      .renderArea = {{0, 0}, {SIZE, SIZE}},
                                      .layerCount = 1,
                                      .colorAttachmentCount = 1,
                                      .pColorAttachments = &color};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   const VkCommandBuffer secondary = given->is_secondary ? record_secondary(s, given, pipeline) : VK_NULL_HANDLE;
   run_write(run, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &image, NULL, NULL);
   atomic_store(&run->f.ears.count, 0);
   run->f.ears.id[0] = 0;
   run_begin(run);
   icd_CmdBeginRendering(run->commands, &rendering);
   if (secondary)
      icd_CmdExecuteCommands(run->commands, 1, &secondary);
   else
      record_draw(s, run->commands, given, pipeline);
   icd_CmdEndRendering(run->commands);
   icd_CmdCopyImageToBuffer(run->commands, given->target->image, VK_IMAGE_LAYOUT_GENERAL, s->texels.buffer, 1, &region);
   run_submit(run);
   icd_DestroyPipeline(run->f.device, pipeline, NULL);
   return s->texels.map[0];
}

/* Draws twice: the same message, if any, and the same texels. */
static uint32_t check(struct scene *s, const struct given *given, const char *id)
{
   const uint32_t texel = draw(s, given);
   for (uint32_t i = 0; i < 2; i++) {
      if (atomic_load(&s->run.f.ears.count) != (id ? 1u : 0u) || (id && strcmp(s->run.f.ears.id, id) != 0))
         fprintf(stderr, "%u messages, %s instead of %s: %s\n", s->run.f.ears.count, s->run.f.ears.id, id ? id : "none", s->run.f.ears.text);
      CHECK_EQ(atomic_load(&s->run.f.ears.count), id ? 1u : 0u);
      CHECK(!id || (!strcmp(s->run.f.ears.id, id) && strstr(s->run.f.ears.text, id)));
      if (!i)
         CHECK_EQ(draw(s, given), texel);
   }
   return texel;
}

TEST(attributes)
{
   static const struct {
      uint32_t location;
      VkFormat format;
      const char *of_pipeline, *of_command;
   } rows[] = {
      {0, VK_FORMAT_R8G8B8A8_UINT, "Input-08733", "Input-08734"},
      {1, VK_FORMAT_R16G16_UINT, "Input-08733", "Input-08734"},
      {1, VK_FORMAT_R16G16_SSCALED, "Input-08733", "Input-08734"},
      {0, VK_FORMAT_R64G64_SFLOAT, "pVertexInputState-08929", "format-08936"},
      {2, VK_FORMAT_R32G32_SFLOAT, "pVertexInputState-08930", "format-08937"},
      {2, VK_FORMAT_R64_SFLOAT, "pVertexInputState-09198", "None-09203"},
      {1, VK_FORMAT_UNDEFINED, "Input-07904", "Input-07939"},
   };
   struct scene s;
   scene_init(&s);
   CHECK(!icd_device_from_handle(s.run.f.device)->features.legacyVertexAttributes);
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (uint32_t variant = 0; variant < 4; variant++) {
         char id[100];
         const struct given given = {.location = rows[i].location, .format = rows[i].format, .is_dynamic = variant & 1, .is_linked = variant & 2,
                                     .target = &s.floats, .sampled = &s.floats};
         snprintf(id, sizeof(id), variant & 1 ? "VUID-vkCmdDraw-%s" : "VUID-VkGraphicsPipelineCreateInfo-%s",
                  variant & 1 ? rows[i].of_command : rows[i].of_pipeline);
         check(&s, &given, id);
      }
   }
   scene_finish(&s);
}

/* Where the vertex input is dynamic, numbers of another type may be what is wanted: their bits, of doubles never. */
TEST(legacy_attributes)
{
   static const struct {
      uint32_t location;
      VkFormat format;
      const char *of_pipeline, *of_command;
   } rows[] = {
      {0, VK_FORMAT_R8G8B8A8_UINT, "VUID-VkGraphicsPipelineCreateInfo-Input-08733", NULL},
      {1, VK_FORMAT_R16G16_SSCALED, "VUID-VkGraphicsPipelineCreateInfo-Input-08733", NULL},
      {2, VK_FORMAT_R32G32_SINT, "VUID-VkGraphicsPipelineCreateInfo-Input-08733", "VUID-vkCmdDraw-Input-08734"},
   };
   struct scene s;
   scene_init(&s);
   icd_device_from_handle(s.run.f.device)->features.legacyVertexAttributes = true;
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (uint32_t is_dynamic = 0; is_dynamic < 2; is_dynamic++) {
         const struct given given = {.location = rows[i].location, .format = rows[i].format, .is_dynamic = is_dynamic,
                                     .target = &s.floats, .sampled = &s.floats};
         check(&s, &given, is_dynamic ? rows[i].of_command : rows[i].of_pipeline);
      }
   }
   scene_finish(&s);
}

TEST(fitting)
{
   static const struct {
      uint32_t location;
      VkFormat format;
   } rows[] = {{NONE, 0}, {0, VK_FORMAT_R8G8B8A8_UNORM}, {0, VK_FORMAT_R8G8_USCALED}, {1, VK_FORMAT_R32_SINT}, {2, VK_FORMAT_R64G64B64_SFLOAT}};
   struct scene s;
   scene_init(&s);
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (uint32_t variant = 0; variant < 8; variant++) {
         const struct given given = {.location = rows[i].location, .format = rows[i].format, .is_dynamic = variant & 1, .is_linked = variant & 2,
                                     .is_secondary = variant & 4, .target = &s.floats, .sampled = &s.floats};
         check(&s, &given, NULL);
      }
   }
   scene_finish(&s);
}

/* Floats in an attachment of integers: their bits. */
TEST(attachments)
{
   struct scene s;
   scene_init(&s);
   for (uint32_t variant = 0; variant < 4; variant++) {
      const struct given given = {.location = NONE, .is_linked = variant & 1, .is_secondary = variant & 2, .target = &s.uints, .sampled = &s.floats};
      CHECK_EQ(check(&s, &given, "vk_swrast-output-format"), 0x3f800000);
   }
   scene_finish(&s);
}

/* The views of linked libraries. */
TEST(views)
{
   struct scene s;
   scene_init(&s);
   for (uint32_t variant = 0; variant < 4; variant++) {
      const struct given given = {.location = NONE, .is_linked = variant & 1, .is_secondary = variant & 2, .target = &s.floats, .sampled = &s.uints};
      check(&s, &given, "VUID-vkCmdDraw-format-07753");
   }
   scene_finish(&s);
}

TEST_MAIN
