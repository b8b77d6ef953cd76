/* SPDX-License-Identifier: MIT
 * Rows of fixed functions around shaders that do little: depth, stencil, samples, points and lines. Eight layers over 1024 x 1024 pixels, each nearer
 * than the one before, or a grid of small primitives. */
#include "tests/bench/bench.h"

#include "fixed_frag.h"
#include "fixed_discard.h"
#include "fixed_depth.h"
#include "fixed_vert.h"
#include "fixed_grid.h"
#include "fixed_lines.h"

#include "util/macros.h"

enum { SIZE = 1024, LAYERS = 8, GRID = 256 };

enum shader { PLAIN, DISCARDS, WRITES_DEPTH, NONE };

struct fixed {
   VkFormat depth;
   VkSampleCountFlagBits samples;
   enum shader shader;
   VkCompareOp compare;
   VkBool32 writes_depth, tests_stencil;
   VkStencilOpState stencil;
   VkPrimitiveTopology topology; /* not triangles: a grid of such primitives */
   float width;                  /* of lines */
   VkBool32 covers_by_alpha, shades_samples, counts;
   VkBool32 has_repeat; /* a second round where all are EQUAL */
};

static VkRenderPass create_pass(struct client *client, const struct fixed *fixed)
{
   VkAttachmentDescription attachments[3] = {
      {.format = VK_FORMAT_R8G8B8A8_UNORM,
       .samples = fixed->samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = fixed->samples > 1 ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
   };
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}, resolve = {1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   uint32_t count = 1;
   if (fixed->samples > 1) {
      attachments[count] = attachments[0];
      attachments[count].samples = VK_SAMPLE_COUNT_1_BIT;
      attachments[count++].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
   }
   const VkAttachmentReference depth = {count, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   if (fixed->depth)
      attachments[count++] = (VkAttachmentDescription){.format = fixed->depth,
                                                       .samples = fixed->samples,
                                                       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                       .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                       .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &color,
                                         .pResolveAttachments = fixed->samples > 1 ? &resolve : NULL,
                                         .pDepthStencilAttachment = fixed->depth ? &depth : NULL};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = count,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkPipeline create_pipeline(struct client *client, const struct fixed *fixed, VkRenderPass pass, VkPipelineLayout layout,
                                  const VkShaderModule modules[2], VkCompareOp compare)
{
   const VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_VERTEX_BIT, .module = modules[0], .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_FRAGMENT_BIT, .module = modules[1], .pName = "main"},
   };
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                            .topology = fixed->topology};
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                   .viewportCount = 1,
                                                   .pViewports = &viewport,
                                                   .scissorCount = 1,
                                                   .pScissors = &scissor};
   const VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                          .lineWidth = fixed->width > 0 ? fixed->width : 1};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = fixed->samples,
                                                         .sampleShadingEnable = fixed->shades_samples,
                                                         .minSampleShading = 1,
                                                         .alphaToCoverageEnable = fixed->covers_by_alpha};
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = compare != VK_COMPARE_OP_NEVER,
                                                        .depthWriteEnable = fixed->writes_depth,
                                                        .depthCompareOp = compare,
                                                        .stencilTestEnable = fixed->tests_stencil,
                                                        .front = fixed->stencil,
                                                        .back = fixed->stencil};
   const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = 1,
                                                      .pAttachments = &attachment};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .stageCount = modules[1] ? 2 : 1,
                                              .pStages = stages,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &view,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
                                              .pDepthStencilState = &depth,
                                              .pColorBlendState = &blend,
                                              .layout = layout,
                                              .renderPass = pass};
   VkPipeline pipeline;
   client_check(vk.CreateGraphicsPipelines(client->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

struct job {
   struct client *client;
   VkCommandBuffer cmd;
};

static void submit(void *data)
{
   struct job *job = data;
   client_submit(job->client, job->cmd);
}

static VkShaderModule fragment_shader(struct client *client, enum shader shader)
{
   switch (shader) {
   case DISCARDS: return client_shader(client, fixed_discard, sizeof(fixed_discard));
   case WRITES_DEPTH: return client_shader(client, fixed_depth, sizeof(fixed_depth));
   case NONE: return VK_NULL_HANDLE;
   default: return client_shader(client, fixed_frag, sizeof(fixed_frag));
   }
}

static VkShaderModule vertex_shader(struct client *client, VkPrimitiveTopology topology)
{
   switch (topology) {
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST: return client_shader(client, fixed_vert, sizeof(fixed_vert));
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST: return client_shader(client, fixed_lines, sizeof(fixed_lines));
   default: return client_shader(client, fixed_grid, sizeof(fixed_grid));
   }
}

/* Gpixel/s of layers, or millions of primitives. */
static double measure(struct client *client, const struct fixed *fixed)
{
   const bool is_grid = fixed->topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   struct client_image images[3];
   VkImageView views[3];
   uint32_t count = 0;
   images[count] = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, fixed->samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   views[count] = images[count].view;
   count++;
   if (fixed->samples > 1) {
      images[count] = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      views[count] = images[count].view;
      count++;
   }
   if (fixed->depth) {
      images[count] = client_image_create(client, fixed->depth, SIZE, SIZE, 1, fixed->samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
      views[count] = images[count].view;
      count++;
   }
   const VkRenderPass pass = create_pass(client, fixed);
   const VkFramebuffer framebuffer = client_framebuffer(client, pass, count, views, SIZE, SIZE);
   const VkPipelineLayout layout = client_pipeline_layout(client, NULL, 0);
   const VkShaderModule modules[2] = {vertex_shader(client, fixed->topology), fragment_shader(client, fixed->shader)};
   const VkPipeline pipelines[2] = {create_pipeline(client, fixed, pass, layout, modules, fixed->compare),
                                    create_pipeline(client, fixed, pass, layout, modules, VK_COMPARE_OP_EQUAL)};
   const VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
   VkQueryPool queries;
   client_check(vk.CreateQueryPool(client->device, &query_info, NULL, &queries), "vkCreateQueryPool");
   const VkClearValue clears[3] = {{.color.float32 = {0}}, {.depthStencil = {1, 0}}, {.depthStencil = {1, 0}}};
   struct job job = {client, client_begin(client)};
   vk.CmdResetQueryPool(job.cmd, queries, 0, 1);
   client_begin_pass(job.cmd, pass, framebuffer, SIZE, SIZE, count, clears);
   vk.CmdBindPipeline(job.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   if (fixed->counts)
      vk.CmdBeginQuery(job.cmd, queries, 0, 0);
   if (is_grid)
      vk.CmdDraw(job.cmd, GRID * GRID * (fixed->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ? 2 : 1), 1, 0, 0);
   for (uint32_t i = 0; i < (is_grid ? 0 : LAYERS); i++)
      vk.CmdDraw(job.cmd, 3, 1, 0, fixed->has_repeat ? 0 : i);
   if (fixed->counts)
      vk.CmdEndQuery(job.cmd, queries, 0);
   vk.CmdEndRenderPass(job.cmd);
   client_end(job.cmd);
   const double seconds = bench_median(0.25, submit, &job);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &job.cmd);
   vk.DestroyQueryPool(client->device, queries, NULL);
   for (uint32_t i = 0; i < 2; i++) {
      vk.DestroyPipeline(client->device, pipelines[i], NULL);
      vk.DestroyShaderModule(client->device, modules[i], NULL);
   }
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   for (uint32_t i = 0; i < count; i++)
      client_image_destroy(client, &images[i]);
   return is_grid ? GRID * GRID / seconds * 1e-6 : (double)LAYERS * SIZE * SIZE / seconds * 1e-9;
}

#define STENCIL(op, with, reference_) {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_##op, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_##with, 0xff, 0xff, reference_}
#define LAYERED(id, text, vk_format, with, writes, ...)                                                                \
   X(id, text, "Gpixel/s", .depth = VK_FORMAT_##vk_format, .samples = 1, .compare = VK_COMPARE_OP_##with, .writes_depth = writes, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, __VA_ARGS__)
#define ROWS                                                                                                           \
   LAYERED(d16, "fixed: each nearer, d16", D16_UNORM, LESS, true)                                                      \
   LAYERED(d24s8, "fixed: each nearer, d24s8", D24_UNORM_S8_UINT, LESS, true)                                          \
   LAYERED(d32, "fixed: each nearer, d32", D32_SFLOAT, LESS, true)                                                     \
   LAYERED(d32_4x, "fixed: each nearer, d32, 4x", D32_SFLOAT, LESS, true, .samples = 4)                                \
   LAYERED(equal, "fixed: at one depth, less or equal", D32_SFLOAT, LESS_OR_EQUAL, true, .has_repeat = true)           \
   LAYERED(farther, "fixed: each nearer, greater", D32_SFLOAT, GREATER, true)                                          \
   LAYERED(no_write, "fixed: tested, not written, d24s8", D24_UNORM_S8_UINT, LESS, false)                              \
   LAYERED(depth_d16, "fixed: depth alone, d16", D16_UNORM, LESS, true, .shader = NONE)                                \
   LAYERED(depth_d32, "fixed: depth alone, d32", D32_SFLOAT, LESS, true, .shader = NONE)                               \
   LAYERED(discards, "fixed: discards, d32", D32_SFLOAT, LESS, true, .shader = DISCARDS)                               \
   LAYERED(discards_4x, "fixed: discards, d32, 4x", D32_SFLOAT, LESS, true, .shader = DISCARDS, .samples = 4)          \
   LAYERED(writes_depth, "fixed: depth by the shader, d32", D32_SFLOAT, LESS, true, .shader = WRITES_DEPTH)            \
   LAYERED(stencil_count, "fixed: stencil counts, d24s8", D24_UNORM_S8_UINT, LESS, true, .tests_stencil = true,        \
           .stencil = STENCIL(INCREMENT_AND_WRAP, ALWAYS, 0))                                                          \
   LAYERED(stencil_alone, "fixed: stencil counts, s8", S8_UINT, NEVER, false, .tests_stencil = true,                   \
           .stencil = STENCIL(INCREMENT_AND_CLAMP, ALWAYS, 0))                                                         \
   LAYERED(stencil_equal, "fixed: stencil equal, keep, d24s8", D24_UNORM_S8_UINT, NEVER, false, .tests_stencil = true, \
           .stencil = STENCIL(KEEP, EQUAL, 0))                                                                         \
   LAYERED(stencil_never, "fixed: stencil not equal, d24s8", D24_UNORM_S8_UINT, NEVER, false, .tests_stencil = true,   \
           .stencil = STENCIL(KEEP, NOT_EQUAL, 0))                                                                     \
   LAYERED(occlusion, "fixed: counted, each nearer, d32", D32_SFLOAT, LESS, true, .counts = true)                      \
   LAYERED(occlusion_none, "fixed: counted, no depth", UNDEFINED, NEVER, false, .counts = true)                        \
   LAYERED(fill_4x, "fixed: fill, 4x", UNDEFINED, NEVER, false, .samples = 4)                                          \
   LAYERED(samples_4x, "fixed: shaded by sample, 4x", UNDEFINED, NEVER, false, .samples = 4, .shades_samples = true)   \
   LAYERED(alpha_4x, "fixed: coverage by alpha, 4x", UNDEFINED, NEVER, false, .samples = 4, .covers_by_alpha = true)   \
   GRIDDED(points, "fixed: points of 1 pixel", POINT_LIST, 1)                                                          \
   GRIDDED(lines, "fixed: lines of 8 pixels", LINE_LIST, 1)                                                            \
   GRIDDED(lines_wide, "fixed: lines of 8 pixels, 4 wide", LINE_LIST, 4)                                               \
   GRIDDED(strip, "fixed: line strip", LINE_STRIP, 1)
#define GRIDDED(id, text, primitive, line_width)                                                                            \
   X(id, text, "Mprimitive/s", .samples = 1, .compare = VK_COMPARE_OP_NEVER, .topology = VK_PRIMITIVE_TOPOLOGY_##primitive, .width = line_width)

#pragma GCC diagnostic ignored "-Woverride-init"
#define X(id, text, unit, ...)                                                                                         \
   static double run_##id(struct client *client)                                                                       \
   {                                                                                                                   \
      static const struct fixed fixed = {__VA_ARGS__};                                                                 \
      return measure(client, &fixed);                                                                                  \
   }
ROWS
#undef X

const struct bench_row bench_fixed_rows[] = {
#define X(id, text, unit, ...) {text, unit, false, run_##id},
   ROWS
#undef X
   {NULL, NULL, false, NULL},
};
