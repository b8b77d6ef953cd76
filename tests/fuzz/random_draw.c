/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/random_draw.h"

#include "util/macros.h"

#include "random_frag.h"
#include "random_mesh.h"
#include "random_tesc.h"
#include "random_tese.h"
#include "random_vert.h"

#include <string.h>

/* What stands around a stage. Bits: 1 << stage, of fixed shaders. */
static const struct {
   uint32_t stages, num_vertices; /* num_vertices: what is drawn, or workgroups */
   VkPrimitiveTopology topology;
} draws[] = {
   [ABI_STAGE_VERTEX] = {1u << ABI_STAGE_FRAGMENT, RANDOM_DRAW_TEXELS, VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
   [ABI_STAGE_CONTROL] = {1u << ABI_STAGE_VERTEX | 1u << ABI_STAGE_EVALUATION | 1u << ABI_STAGE_FRAGMENT, RANDOM_DRAW_TEXELS / 4,
                          VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
   [ABI_STAGE_EVALUATION] = {1u << ABI_STAGE_VERTEX | 1u << ABI_STAGE_CONTROL | 1u << ABI_STAGE_FRAGMENT, RANDOM_DRAW_TEXELS / 4,
                             VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
   [ABI_STAGE_GEOMETRY] = {1u << ABI_STAGE_VERTEX | 1u << ABI_STAGE_FRAGMENT, RANDOM_DRAW_TEXELS / 2, VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
   [ABI_STAGE_TASK] = {1u << ABI_STAGE_MESH, RANDOM_DRAW_TEXELS / RANDOM_SPIRV_LOCAL_SIZE, VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
   [ABI_STAGE_MESH] = {1u << ABI_STAGE_FRAGMENT, RANDOM_DRAW_TEXELS / RANDOM_SPIRV_LOCAL_SIZE, VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
   [ABI_STAGE_FRAGMENT] = {1u << ABI_STAGE_VERTEX, 3, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
};

static VkRenderPass create_pass(struct client *client)
{
   VkAttachmentDescription attachments[RANDOM_DRAW_COLORS];
   VkAttachmentReference references[RANDOM_DRAW_COLORS];
   for (uint32_t i = 0; i < RANDOM_DRAW_COLORS; i++) {
      attachments[i] = (VkAttachmentDescription){.format = VK_FORMAT_R32G32B32A32_UINT,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                 .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                 .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
      references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   }
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = RANDOM_DRAW_COLORS, .pColorAttachments = references};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = RANDOM_DRAW_COLORS,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

void random_draw_init(struct random_draw *draw, struct client *client, const struct client_set *set, VkPipelineLayout layout)
{
   VkImageView views[RANDOM_DRAW_COLORS];
   *draw = (struct random_draw){.client = client, .set = set, .layout = layout, .pass = create_pass(client)};
   for (uint32_t i = 0; i < RANDOM_DRAW_COLORS; i++) {
      draw->images[i] = client_image_create(client, VK_FORMAT_R32G32B32A32_UINT, RANDOM_SPIRV_COLUMNS, RANDOM_SPIRV_ROWS, 1, VK_SAMPLE_COUNT_1_BIT,
                                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      views[i] = draw->images[i].view;
   }
   draw->framebuffer = client_framebuffer(client, draw->pass, RANDOM_DRAW_COLORS, views, RANDOM_SPIRV_COLUMNS, RANDOM_SPIRV_ROWS);
   draw->words = client_buffer_create(client, RANDOM_DRAW_TEXELS * RANDOM_SPIRV_OUTPUTS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   draw->fixed[ABI_STAGE_VERTEX] = client_shader(client, random_vert, sizeof(random_vert));
   draw->fixed[ABI_STAGE_CONTROL] = client_shader(client, random_tesc, sizeof(random_tesc));
   draw->fixed[ABI_STAGE_EVALUATION] = client_shader(client, random_tese, sizeof(random_tese));
   draw->fixed[ABI_STAGE_MESH] = client_shader(client, random_mesh, sizeof(random_mesh));
   draw->fixed[ABI_STAGE_FRAGMENT] = client_shader(client, random_frag, sizeof(random_frag));
   draw->draw_mesh_tasks = (PFN_vkCmdDrawMeshTasksEXT)vk.GetDeviceProcAddr(client->device, "vkCmdDrawMeshTasksEXT");
}

void random_draw_finish(struct random_draw *draw)
{
   struct client *client = draw->client;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(draw->fixed); i++)
      vk.DestroyShaderModule(client->device, draw->fixed[i], NULL);
   vk.DestroyFramebuffer(client->device, draw->framebuffer, NULL);
   vk.DestroyRenderPass(client->device, draw->pass, NULL);
   for (uint32_t i = 0; i < RANDOM_DRAW_COLORS; i++)
      client_image_destroy(client, &draw->images[i]);
   client_buffer_destroy(client, &draw->words);
}

static VkPipeline create_pipeline(struct random_draw *draw, enum abi_stage stage, VkShaderModule shader)
{
   VkShaderModule modules[ABI_STAGE_FRAGMENT + 1];
   for (uint32_t i = 0; i <= ABI_STAGE_FRAGMENT; i++)
      modules[i] = i == stage ? shader : draws[stage].stages >> i & 1 ? draw->fixed[i] : VK_NULL_HANDLE;
   return client_graphics_pipeline(draw->client,
                                   &(struct client_graphics){.vertex = modules[ABI_STAGE_VERTEX],
                                                             .control = modules[ABI_STAGE_CONTROL],
                                                             .evaluation = modules[ABI_STAGE_EVALUATION],
                                                             .geometry = modules[ABI_STAGE_GEOMETRY],
                                                             .task = modules[ABI_STAGE_TASK],
                                                             .mesh = modules[ABI_STAGE_MESH],
                                                             .fragment = modules[ABI_STAGE_FRAGMENT],
                                                             .patch_vertices = 1,
                                                             .layout = draw->layout,
                                                             .pass = draw->pass,
                                                             .width = RANDOM_SPIRV_COLUMNS,
                                                             .height = RANDOM_SPIRV_ROWS,
                                                             .samples = VK_SAMPLE_COUNT_1_BIT,
                                                             .topology = draws[stage].topology,
                                                             .num_colors = RANDOM_DRAW_COLORS},
                                   VK_NULL_HANDLE);
}

void random_draw_run(struct random_draw *draw, enum abi_stage stage, VkShaderModule shader)
{
   struct client *client = draw->client;
   const VkClearValue clears[RANDOM_DRAW_COLORS] = {0};
   VkPipeline pipeline = create_pipeline(draw, stage, shader);
   VkCommandBuffer cmd = client_begin(client);
   client_begin_pass(cmd, draw->pass, draw->framebuffer, RANDOM_SPIRV_COLUMNS, RANDOM_SPIRV_ROWS, RANDOM_DRAW_COLORS, clears);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->layout, 0, 1, &draw->set->set, 0, NULL);
   if (stage == ABI_STAGE_TASK || stage == ABI_STAGE_MESH)
      draw->draw_mesh_tasks(cmd, draws[stage].num_vertices, 1, 1);
   else
      vk.CmdDraw(cmd, draws[stage].num_vertices, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   for (uint32_t i = 0; i < RANDOM_DRAW_COLORS; i++) {
      const VkBufferImageCopy region = {.bufferOffset = i * RANDOM_DRAW_TEXELS * 16,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {RANDOM_SPIRV_COLUMNS, RANDOM_SPIRV_ROWS, 1}};
      vk.CmdCopyImageToBuffer(cmd, draw->images[i].image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, draw->words.buffer, 1, &region);
   }
   client_barrier(cmd);
   client_run(client, cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
}

uint32_t random_draw_word(const struct random_draw *draw, uint32_t invocation, uint32_t word)
{
   const uint32_t *words = draw->words.map;
   return words[(word / 4 * RANDOM_DRAW_TEXELS + invocation) * 4 + word % 4];
}

bool random_draw_has_words(enum abi_stage stage)
{
   return stage != ABI_STAGE_TASK;
}
