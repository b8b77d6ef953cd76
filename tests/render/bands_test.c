/* SPDX-License-Identifier: MIT
 * Small targets are rendered by bands of their tiles where a fragment shader has loops, large ones tile by tile: both give the same texels. Triangles of
 * all sizes, blended in order, depth, samples and their resolve, clears within the pass. */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "bands.frag.h"
#include "bands.vert.h"

#include <string.h>

enum { SIZE = 61, LARGE = 1024, TRIANGLES = 400 };

struct target {
   struct client_image color, depth, resolved;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
};

static void make_target(struct client *client, struct target *t, uint32_t size, VkSampleCountFlagBits samples)
{
   const VkFormat color = VK_FORMAT_R8G8B8A8_UNORM, depth = VK_FORMAT_D32_SFLOAT;
   const bool resolves = samples != VK_SAMPLE_COUNT_1_BIT;
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
   *t = (struct target){.color = client_image_create(client, color, size, size, 1, samples, usage),
                        .depth = client_image_create(client, depth, size, size, 1, samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)};
   if (resolves)
      t->resolved = client_image_create(client, color, size, size, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   t->pass = client_render_pass(client, color, depth, samples, resolves, VK_ATTACHMENT_LOAD_OP_CLEAR);
   t->framebuffer = client_framebuffer(client, t->pass, resolves ? 3 : 2, (const VkImageView[]){t->color.view, t->depth.view, t->resolved.view}, size, size);
}

static void destroy_target(struct client *client, struct target *t)
{
   vk.DestroyFramebuffer(client->device, t->framebuffer, NULL);
   vk.DestroyRenderPass(client->device, t->pass, NULL);
   client_image_destroy(client, &t->color);
   client_image_destroy(client, &t->depth);
   if (t->resolved.image)
      client_image_destroy(client, &t->resolved);
}

/* The first SIZE x SIZE texels of a target of `size` x `size`. */
static void render(struct client *client, uint32_t size, VkSampleCountFlagBits samples, const struct client_buffer *pixels)
{
   const uint32_t rounds = 5;
   struct target t;
   make_target(client, &t, size, samples);
   const struct client_graphics info = {
      .vertex = client_shader(client, bands_vert, sizeof(bands_vert)),
      .fragment = client_shader(client, bands_frag, sizeof(bands_frag)),
      .layout = client_pipeline_layout(client, NULL, sizeof(rounds)),
      .pass = t.pass,
      .width = SIZE,
      .height = SIZE,
      .samples = samples,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .has_depth = true,
      .has_depth_write = true,
      .has_blend = true,
   };
   VkPipeline pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   const VkClearValue clears[2] = {{.color.float32 = {0.1f, 0.2f, 0.3f, 1.0f}}, {.depthStencil.depth = 0.8f}};
   const VkClearAttachment cleared[2] = {{VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color.float32 = {1, 0, 0, 1}}},
                                         {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .clearValue.depthStencil.depth = 0.9f}};
   const VkClearRect rects[2] = {{{{5, 13}, {40, 22}}, 0, 1}, {{{30, 3}, {20, 55}}, 0, 1}};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   VkCommandBuffer cmd = client_begin(client);
   client_begin_pass(cmd, t.pass, t.framebuffer, size, size, 2, clears);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdPushConstants(cmd, info.layout, VK_SHADER_STAGE_ALL, 0, sizeof(rounds), &rounds);
   vk.CmdDraw(cmd, 3 * TRIANGLES, 1, 0, 0);
   vk.CmdClearAttachments(cmd, 2, cleared, 2, rects);
   vk.CmdDraw(cmd, 3 * TRIANGLES, 1, 3 * TRIANGLES, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, t.resolved.image ? t.resolved.image : t.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels->buffer, 1, &region);
   client_barrier(cmd);
   client_run(client, cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   destroy_target(client, &t);
}

static void check(VkSampleCountFlagBits samples)
{
   struct client client;
   struct client_buffer pixels[2];
   client_init(&client, &(struct client_options){.api_version = VK_API_VERSION_1_1});
   for (uint32_t i = 0; i < 2; i++) {
      pixels[i] = client_buffer_create(&client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
      render(&client, i ? LARGE : SIZE, samples, &pixels[i]);
   }
   const uint32_t *small = pixels[0].map, *large = pixels[1].map;
   uint32_t differing = 0, changes = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      differing += small[i] != large[i];
      changes += i && small[i] != small[i - 1];
   }
   CHECK_EQ(differing, 0);
   CHECK(changes > SIZE * SIZE / 2); /* something is there */
   for (uint32_t i = 0; i < 2; i++)
      client_buffer_destroy(&client, &pixels[i]);
   client_finish(&client);
}

TEST(one_sample)
{
   check(VK_SAMPLE_COUNT_1_BIT);
}

TEST(four_samples)
{
   check(VK_SAMPLE_COUNT_4_BIT);
}

TEST_MAIN
