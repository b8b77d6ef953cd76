/* SPDX-License-Identifier: MIT
 * Rows of what becomes of colours: eight layers over 1024 x 1024 pixels. Blended by format, equation, write mask and number of targets; or
 * stored by format, in a render pass for each layer, so that none hides another. */
#include "tests/bench/bench.h"

#include "blends.frag.h"
#include "blends_quad.vert.h"
#include "blends_unsigned.frag.h"

#include "util/macros.h"

enum { SIZE = 1024, LAYERS = 8, MAX_TARGETS = 2 };

struct blending {
   VkFormat format;
   VkBlendFactor src, dst;
   VkBlendOp op;
   VkColorComponentFlags write_mask;
   uint32_t num_targets;
   bool is_stored; /* without blending */
};

/* X(name of functions, name of rows, format, source factor, destination factor, operation, write mask, targets) */
#define BLENDINGS_LIST(X)                                                                                              \
   X(alpha_rgba8, "alpha, rgba8", R8G8B8A8_UNORM, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)                         \
   X(add_rgba8, "add, rgba8", R8G8B8A8_UNORM, ONE, ONE, ADD, 0xf, 1)                                                   \
   X(multiply_rgba8, "multiply, rgba8", R8G8B8A8_UNORM, ZERO, SRC_COLOR, ADD, 0xf, 1)                                  \
   X(screen_rgba8, "screen, rgba8", R8G8B8A8_UNORM, ONE, ONE_MINUS_SRC_COLOR, ADD, 0xf, 1)                             \
   X(max_rgba8, "max, rgba8", R8G8B8A8_UNORM, ONE, ONE, MAX, 0xf, 1)                                                   \
   X(subtract_rgba8, "subtract, rgba8", R8G8B8A8_UNORM, SRC_ALPHA, ONE, REVERSE_SUBTRACT, 0xf, 1)                      \
   X(masked_rgba8, "alpha, no alpha written", R8G8B8A8_UNORM, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0x7, 1)             \
   X(two_rgba8, "alpha, two targets", R8G8B8A8_UNORM, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 2)                     \
   X(alpha_srgb8, "alpha, srgb8", R8G8B8A8_SRGB, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)                          \
   X(alpha_r8, "alpha, r8", R8_UNORM, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)                                     \
   X(alpha_rgb10a2, "alpha, rgb10a2", A2B10G10R10_UNORM_PACK32, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)           \
   X(alpha_rgba16f, "alpha, rgba16f", R16G16B16A16_SFLOAT, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)                \
   X(add_rgba16f, "add, rgba16f", R16G16B16A16_SFLOAT, ONE, ONE, ADD, 0xf, 1)                                          \
   X(alpha_rg11b10f, "alpha, rg11b10f", B10G11R11_UFLOAT_PACK32, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)          \
   X(add_r32f, "add, r32f", R32_SFLOAT, ONE, ONE, ADD, 0xf, 1)                                                         \
   X(alpha_rgba32f, "alpha, rgba32f", R32G32B32A32_SFLOAT, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, 0xf, 1)

/* X(name of functions, name of rows, format, write mask) */
#define STORES_LIST(X)                                                                                                 \
   X(rgba8, "rgba8", R8G8B8A8_UNORM, 0xf)                                                                              \
   X(rgb8, "rgba8, no alpha written", R8G8B8A8_UNORM, 0x7)                                                             \
   X(srgb8, "srgb8", R8G8B8A8_SRGB, 0xf)                                                                               \
   X(snorm8, "rgba8 snorm", R8G8B8A8_SNORM, 0xf)                                                                       \
   X(r8, "r8", R8_UNORM, 0xf)                                                                                          \
   X(rg8, "rg8", R8G8_UNORM, 0xf)                                                                                      \
   X(rgb565, "rgb565", R5G6B5_UNORM_PACK16, 0xf)                                                                       \
   X(r16, "r16", R16_UNORM, 0xf)                                                                                       \
   X(rgba16, "rgba16", R16G16B16A16_UNORM, 0xf)                                                                        \
   X(rgb10a2, "rgb10a2", A2B10G10R10_UNORM_PACK32, 0xf)                                                                \
   X(rg11b10f, "rg11b10f", B10G11R11_UFLOAT_PACK32, 0xf)                                                               \
   X(r16f, "r16f", R16_SFLOAT, 0xf)                                                                                    \
   X(rg16f, "rg16f", R16G16_SFLOAT, 0xf)                                                                               \
   X(rgba16f, "rgba16f", R16G16B16A16_SFLOAT, 0xf)                                                                     \
   X(r32f, "r32f", R32_SFLOAT, 0xf)                                                                                    \
   X(rg32f, "rg32f", R32G32_SFLOAT, 0xf)                                                                               \
   X(rgba32f, "rgba32f", R32G32B32A32_SFLOAT, 0xf)                                                                     \
   X(r8ui, "r8ui", R8_UINT, 0xf)                                                                                       \
   X(r32ui, "r32ui", R32_UINT, 0xf)                                                                                    \
   X(rgba8ui, "rgba8ui", R8G8B8A8_UINT, 0xf)                                                                           \
   X(rgba16ui, "rgba16ui", R16G16B16A16_UINT, 0xf)                                                                     \
   X(rgba32ui, "rgba32ui", R32G32B32A32_UINT, 0xf)

static bool is_unsigned(VkFormat format)
{
   return format == VK_FORMAT_R8_UINT || format == VK_FORMAT_R32_UINT || format == VK_FORMAT_R8G8B8A8_UINT ||
          format == VK_FORMAT_R16G16B16A16_UINT || format == VK_FORMAT_R32G32B32A32_UINT;
}

static VkRenderPass create_pass(struct client *client, const struct blending *blending)
{
   VkAttachmentDescription attachments[MAX_TARGETS];
   VkAttachmentReference references[MAX_TARGETS];
   for (uint32_t i = 0; i < blending->num_targets; i++) {
      attachments[i] = (VkAttachmentDescription){.format = blending->format,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = blending->is_stored ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                 .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                 .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
      references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   }
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = blending->num_targets,
                                         .pColorAttachments = references};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = blending->num_targets,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkPipeline create_pipeline(struct client *client, const struct blending *blending, VkRenderPass pass,
                                  VkPipelineLayout layout, const VkShaderModule modules[2])
{
   const VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_VERTEX_BIT, .module = modules[0], .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_FRAGMENT_BIT, .module = modules[1], .pName = "main"},
   };
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                   .viewportCount = 1,
                                                   .pViewports = &viewport,
                                                   .scissorCount = 1,
                                                   .pScissors = &scissor};
   const VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendAttachmentState attachment = {.blendEnable = !blending->is_stored,
                                                           .srcColorBlendFactor = blending->src,
                                                           .dstColorBlendFactor = blending->dst,
                                                           .colorBlendOp = blending->op,
                                                           .srcAlphaBlendFactor = blending->src,
                                                           .dstAlphaBlendFactor = blending->dst,
                                                           .alphaBlendOp = blending->op,
                                                           .colorWriteMask = blending->write_mask};
   const VkPipelineColorBlendAttachmentState attachments[MAX_TARGETS] = {attachment, attachment};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = blending->num_targets,
                                                      .pAttachments = attachments};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .stageCount = 2,
                                              .pStages = stages,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &view,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
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

static void job_submit(void *data)
{
   struct job *job = data;
   client_submit(job->client, job->cmd);
}

/* Gpixel/s of layers; two targets count once. */
static double measure(struct client *client, const struct blending *blending)
{
   struct client_image images[MAX_TARGETS];
   VkImageView views[MAX_TARGETS];
   VkClearValue clears[MAX_TARGETS];
   for (uint32_t i = 0; i < blending->num_targets; i++) {
      images[i] = client_image_create(client, blending->format, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      views[i] = images[i].view;
      clears[i] = (VkClearValue){.color.float32 = {0.2f, 0.4f, 0.1f, 0.5f}};
   }
   const VkRenderPass pass = create_pass(client, blending);
   const VkFramebuffer framebuffer = client_framebuffer(client, pass, blending->num_targets, views, SIZE, SIZE);
   const VkPipelineLayout layout = client_pipeline_layout(client, NULL, 0);
   const VkShaderModule modules[2] = {client_shader(client, blends_quad_vert, sizeof(blends_quad_vert)),
                                      is_unsigned(blending->format) ? client_shader(client, blends_unsigned_frag, sizeof(blends_unsigned_frag))
                                                              : client_shader(client, blends_frag, sizeof(blends_frag))};
   const VkPipeline pipeline = create_pipeline(client, blending, pass, layout, modules);
   struct job job = {client, client_begin(client)};
   for (uint32_t i = 0; i < (blending->is_stored ? LAYERS : 1); i++) {
      client_begin_pass(job.cmd, pass, framebuffer, SIZE, SIZE, blending->num_targets, clears);
      vk.CmdBindPipeline(job.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (uint32_t k = 0; k < (blending->is_stored ? 1 : LAYERS); k++)
         vk.CmdDraw(job.cmd, 3, 1, 0, 0);
      vk.CmdEndRenderPass(job.cmd);
      client_barrier(job.cmd);
   }
   client_end(job.cmd);
   const double seconds = bench_median(0.3, job_submit, &job);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &job.cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyShaderModule(client->device, modules[i], NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   for (uint32_t i = 0; i < blending->num_targets; i++)
      client_image_destroy(client, &images[i]);
   return (double)LAYERS * SIZE * SIZE / seconds * 1e-9;
}

#define DEFINE(id, text, vk_format, source, destination, operation, mask, targets)                                     \
   static double blend_##id(struct client *client)                                                                     \
   {                                                                                                                   \
      static const struct blending blending = {VK_FORMAT_##vk_format, VK_BLEND_FACTOR_##source,                        \
                                               VK_BLEND_FACTOR_##destination, VK_BLEND_OP_##operation, mask, targets}; \
      return measure(client, &blending);                                                                               \
   }
BLENDINGS_LIST(DEFINE)

#define DEFINE_STORE(id, text, vk_format, mask)                                                                        \
   static double store_##id(struct client *client)                                                                     \
   {                                                                                                                   \
      static const struct blending blending = {                                                                        \
         .format = VK_FORMAT_##vk_format, .write_mask = mask, .num_targets = 1, .is_stored = true};                    \
      return measure(client, &blending);                                                                               \
   }
STORES_LIST(DEFINE_STORE)

#define ROW(id, text, ...) {"blend " text, "Gpixel/s", false, blend_##id},
const struct bench_row bench_blend_rows[] = {
#define STORE_ROW(id, text, ...) {"colours to " text, "Gpixel/s", false, store_##id},
   BLENDINGS_LIST(ROW) STORES_LIST(STORE_ROW){NULL, NULL, false, NULL},
};
