/* SPDX-License-Identifier: MIT
 * Rows about the fixed cost of draws: many small ones with changes of state between them, and one alone with its result read back. */
#include "tests/bench/bench.h"

#include "dim.frag.h"
#include "offset.vert.h"
#include "tint.frag.h"

#include "util/macros.h"

#include <string.h>

enum { DRAWS = 10000, NUM_PIPELINES = 3 };

/* Two triangles around the origin, in a vertex buffer. */
static const float corners[6][2] = {{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}};

struct draws {
   struct client *client;
   uint32_t width, height;
   struct client_image color;
   struct client_buffer vertices, pixels;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipelineLayout layout;
   VkShaderModule vertex, fragments[2];
   VkPipeline pipelines[NUM_PIPELINES];
   VkCommandBuffer cmd;
   uint32_t sum; /* of what was read back */
};

static void draws_init_with(struct draws *draws, struct client *client, uint32_t width, uint32_t height, const void *next)
{
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   *draws = (struct draws){.client = client, .width = width, .height = height};
   draws->color = client_image_create(client, format, width, height, 1, VK_SAMPLE_COUNT_1_BIT,
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   draws->vertices = client_buffer_create(client, sizeof(corners), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   memcpy(draws->vertices.map, corners, sizeof(corners));
   draws->pixels = client_buffer_create(client, (size_t)width * height * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   draws->pass = client_render_pass(client, format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                    VK_ATTACHMENT_LOAD_OP_CLEAR);
   draws->framebuffer = client_framebuffer(client, draws->pass, 1, &draws->color.view, width, height);
   draws->layout = client_pipeline_layout(client, NULL, 32);
   draws->vertex = client_shader(client, offset_vert, sizeof(offset_vert));
   draws->fragments[0] = client_shader(client, tint_frag, sizeof(tint_frag));
   draws->fragments[1] = client_shader(client, dim_frag, sizeof(dim_frag));
   for (uint32_t i = 0; i < NUM_PIPELINES; i++) {
      const struct client_graphics info = {
         .vertex = draws->vertex,
         .fragment = draws->fragments[i == 1],
         .layout = draws->layout,
         .pass = draws->pass,
         .width = width,
         .height = height,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
         .has_blend = i == 2,
         .stride_bytes = sizeof(corners[0]),
         .num_attributes = 1,
         .attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}},
         .next = next,
      };
      draws->pipelines[i] = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   }
}

static void draws_init(struct draws *draws, struct client *client, uint32_t width, uint32_t height)
{
   draws_init_with(draws, client, width, height, NULL);
}

static void draws_finish(struct draws *draws)
{
   struct client *client = draws->client;
   vk.FreeCommandBuffers(client->device, client->pool, 1, &draws->cmd);
   for (uint32_t i = 0; i < NUM_PIPELINES; i++)
      vk.DestroyPipeline(client->device, draws->pipelines[i], NULL);
   vk.DestroyShaderModule(client->device, draws->vertex, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyShaderModule(client->device, draws->fragments[i], NULL);
   vk.DestroyPipelineLayout(client->device, draws->layout, NULL);
   vk.DestroyFramebuffer(client->device, draws->framebuffer, NULL);
   vk.DestroyRenderPass(client->device, draws->pass, NULL);
   client_image_destroy(client, &draws->color);
   client_buffer_destroy(client, &draws->vertices);
   client_buffer_destroy(client, &draws->pixels);
}

static void draws_begin(struct draws *draws)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 1}};
   const VkDeviceSize zero = 0;
   draws->cmd = client_begin(draws->client);
   client_begin_pass(draws->cmd, draws->pass, draws->framebuffer, draws->width, draws->height, 1, &clear);
   vk.CmdBindVertexBuffers(draws->cmd, 0, 1, &draws->vertices.buffer, &zero);
}

static void draws_submit(void *data)
{
   struct draws *draws = data;
   client_submit(draws->client, draws->cmd);
}

/* Of one of DRAWS quads of 16 x 16 texels over all of the target. */
static void make_constants(uint32_t i, float push[8])
{
   const float x = (float)(i % 120) / 60 - 1, y = (float)(i / 120 % 67) / 33.5f - 1;
   const float values[8] = {x + 1 / 120.0f, y + 1 / 67.0f, 8 / 960.0f, 8 / 540.0f, x * 0.5f + 0.5f, y * 0.5f + 0.5f, 0.25f, 0.5f};
   memcpy(push, values, sizeof(values));
}

static void draw_small(const struct draws *draws, uint32_t i)
{
   float push[8];
   make_constants(i, push);
   vk.CmdPushConstants(draws->cmd, draws->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
   vk.CmdDraw(draws->cmd, 6, 1, 0, 0);
}

/* Million draws a second. */
static double draws_measure(struct draws *draws)
{
   client_end(draws->cmd);
   const double seconds = bench_median(0.5, draws_submit, draws);
   draws_finish(draws);
   return DRAWS / seconds * 1e-6;
}

/* Each with another pipeline than the one before, or all with one. */
static double small_draws(struct client *client, uint32_t num_pipelines)
{
   struct draws draws;
   draws_init(&draws, client, 1920, 1080);
   draws_begin(&draws);
   for (uint32_t i = 0; i < DRAWS; i++) {
      if (i < num_pipelines || num_pipelines > 1)
         vk.CmdBindPipeline(draws.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draws.pipelines[i % num_pipelines]);
      draw_small(&draws, i);
   }
   vk.CmdEndRenderPass(draws.cmd);
   return draws_measure(&draws);
}

static double row_small_draws(struct client *client)
{
   return small_draws(client, NUM_PIPELINES);
}

static double row_push_constants(struct client *client)
{
   return small_draws(client, 1);
}

/* ---- by shader objects ---- */

#define device_function(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

static const VkShaderStageFlagBits object_stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};

/* The vertex shader and two fragment shaders. */
static void make_objects(struct client *client, VkShaderEXT objects[3])
{
   static const uint32_t *const codes[] = {offset_vert, tint_frag, dim_frag};
   static const size_t sizes[] = {sizeof(offset_vert), sizeof(tint_frag), sizeof(dim_frag)};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 32};
   VkShaderCreateInfoEXT infos[3];
   for (uint32_t i = 0; i < 3; i++) {
      infos[i] = (VkShaderCreateInfoEXT){
         .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
         .stage = object_stages[i > 0],
         .nextStage = i ? 0 : VK_SHADER_STAGE_FRAGMENT_BIT,
         .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
         .codeSize = sizes[i],
         .pCode = codes[i],
         .pName = "main",
         .pushConstantRangeCount = 1,
         .pPushConstantRanges = &range,
      };
   }
   client_check(device_function(client, CreateShadersEXT)(client->device, 3, infos, NULL, objects), "vkCreateShadersEXT");
}

/* What the pipelines have as static state. */
static void set_states(const struct draws *draws)
{
   const struct client *client = draws->client;
   const VkCommandBuffer cmd = draws->cmd;
   const VkVertexInputBindingDescription2EXT binding = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 0, sizeof(corners[0]), VK_VERTEX_INPUT_RATE_VERTEX, 1};
   const VkVertexInputAttributeDescription2EXT attribute = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
   const VkColorBlendEquationEXT equation = {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD,
                                             VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD};
   client_set_states(client, cmd, draws->width, draws->height);
   device_function(client, CmdSetVertexInputEXT)(cmd, 1, &binding, 1, &attribute);
   device_function(client, CmdSetColorBlendEquationEXT)(cmd, 0, 1, &equation);
}

/* The same as row_small_draws(): another fragment shader and another state than the one before. */
static double row_shader_objects(struct client *client)
{
   struct draws draws;
   VkShaderEXT objects[3];
   draws_init(&draws, client, 1920, 1080);
   make_objects(client, objects);
   const PFN_vkCmdBindShadersEXT bind = device_function(client, CmdBindShadersEXT);
   const PFN_vkCmdSetColorBlendEnableEXT set_blend = device_function(client, CmdSetColorBlendEnableEXT);
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = draws.color.view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .clearValue.color.float32 = {0, 0, 0, 1}};
   const VkRenderingInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {draws.width, draws.height}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
   draws.cmd = client_begin(client);
   client_transition(draws.cmd, &draws.color, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   device_function(client, CmdBeginRendering)(draws.cmd, &begin);
   vk.CmdBindVertexBuffers(draws.cmd, 0, 1, &draws.vertices.buffer, &(const VkDeviceSize){0});
   set_states(&draws);
   for (uint32_t i = 0; i < DRAWS; i++) {
      const VkShaderEXT bound[] = {objects[0], objects[i % NUM_PIPELINES == 1 ? 2 : 1]};
      const VkBool32 has_blend = i % NUM_PIPELINES == 2;
      bind(draws.cmd, 2, object_stages, bound);
      set_blend(draws.cmd, 0, 1, &has_blend);
      draw_small(&draws, i);
   }
   device_function(client, CmdEndRendering)(draws.cmd);
   const double result = draws_measure(&draws);
   for (uint32_t i = 0; i < 3; i++)
      device_function(client, DestroyShaderEXT)(client->device, objects[i], NULL);
   return result;
}

/* ---- generated ---- */

struct sequence {
   float push[8];
   VkDrawIndirectCommand draw;
};

static VkDeviceAddress address_of(struct client *client, const struct client_buffer *buffer)
{
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer->buffer};
   return device_function(client, GetBufferDeviceAddress)(client->device, &info);
}

static VkIndirectCommandsLayoutEXT make_sequences(const struct draws *draws)
{
   const VkIndirectCommandsPushConstantTokenEXT push = {{VK_SHADER_STAGE_ALL, 0, 32}};
   const VkIndirectCommandsLayoutTokenEXT tokens[] = {
      {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, .data = {.pPushConstant = &push}},
      {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT,
       .offset = offsetof(struct sequence, draw)}};
   const VkIndirectCommandsLayoutCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT, .shaderStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
      .indirectStride = sizeof(struct sequence), .pipelineLayout = draws->layout, .tokenCount = 2, .pTokens = tokens};
   VkIndirectCommandsLayoutEXT layout;
   client_check(device_function(draws->client, CreateIndirectCommandsLayoutEXT)(draws->client->device, &info, NULL, &layout),
                "vkCreateIndirectCommandsLayoutEXT");
   return layout;
}

/* The draws of row_push_constants(), from a buffer. */
static double row_generated(struct client *client)
{
   struct draws draws;
   const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                   .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
   draws_init_with(&draws, client, 1920, 1080, &flags);
   struct client_buffer sequences = client_buffer_create(client, sizeof(struct sequence) * DRAWS,
                                                         VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   for (uint32_t i = 0; i < DRAWS; i++) {
      struct sequence *sequence = (struct sequence *)sequences.map + i;
      make_constants(i, sequence->push);
      sequence->draw = (VkDrawIndirectCommand){6, 1, 0, 0};
   }
   const VkIndirectCommandsLayoutEXT layout = make_sequences(&draws);
   const VkGeneratedCommandsPipelineInfoEXT with = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = draws.pipelines[0]};
   const VkGeneratedCommandsMemoryRequirementsInfoEXT of = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT, .pNext = (void *)&with, .indirectCommandsLayout = layout,
      .maxSequenceCount = DRAWS};
   VkMemoryRequirements2 needed = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
   device_function(client, GetGeneratedCommandsMemoryRequirementsEXT)(client->device, &of, &needed);
   const size_t scratch_bytes = needed.memoryRequirements.size;
   struct client_buffer scratch = client_buffer_create(client, UTIL_MAX(scratch_bytes, 64u),
                                                       VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   const VkGeneratedCommandsInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT, .pNext = &with, .shaderStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
      .indirectCommandsLayout = layout, .indirectAddress = address_of(client, &sequences), .indirectAddressSize = sequences.size_bytes,
      .preprocessAddress = scratch_bytes ? address_of(client, &scratch) : 0, .preprocessSize = scratch_bytes, .maxSequenceCount = DRAWS};
   draws_begin(&draws);
   vk.CmdBindPipeline(draws.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draws.pipelines[0]);
   device_function(client, CmdExecuteGeneratedCommandsEXT)(draws.cmd, VK_FALSE, &info);
   vk.CmdEndRenderPass(draws.cmd);
   const double result = draws_measure(&draws);
   device_function(client, DestroyIndirectCommandsLayoutEXT)(client->device, layout, NULL);
   client_buffer_destroy(client, &sequences);
   client_buffer_destroy(client, &scratch);
   return result;
}

static void submit_and_read(void *data)
{
   struct draws *draws = data;
   client_submit(draws->client, draws->cmd);
   draws->sum += ((const uint8_t *)draws->pixels.map)[0];
}

/* Microseconds from the submission of a clear, one triangle and a copy to the host's reading of the result. */
static double row_latency(struct client *client)
{
   enum { SIZE = 64 };
   struct draws draws;
   const float push[8] = {0, 0, 0.5f, 0.5f, 1, 0.5f, 0.25f, 1};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   draws_init(&draws, client, SIZE, SIZE);
   draws_begin(&draws);
   vk.CmdBindPipeline(draws.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draws.pipelines[0]);
   vk.CmdPushConstants(draws.cmd, draws.layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
   vk.CmdDraw(draws.cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(draws.cmd);
   vk.CmdCopyImageToBuffer(draws.cmd, draws.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, draws.pixels.buffer, 1, &copy);
   client_barrier(draws.cmd);
   client_end(draws.cmd);
   const double seconds = bench_median(0.5, submit_and_read, &draws);
   draws_finish(&draws);
   return seconds * 1e6;
}

const struct bench_row bench_draw_rows[] = {
   {"10,000 draws, states change", "Mdraw/s", false, row_small_draws},
   {"10,000 draws, push constants change", "Mdraw/s", false, row_push_constants},
   {"10,000 draws, states change by shader objects", "Mdraw/s", false, row_shader_objects, BENCH_NEEDS_OBJECTS},
   {"10,000 draws, generated with push constants", "Mdraw/s", false, row_generated, BENCH_NEEDS_GENERATED},
   {"one triangle with readback", "us", true, row_latency},
   {NULL, NULL, false, NULL},
};
