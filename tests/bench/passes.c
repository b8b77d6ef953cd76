/* SPDX-License-Identifier: MIT
 * Rows about many small render passes a frame: shadow maps, which have nothing to do with each other; mip chains, each level of which is made of the
 * one before; filters of which every fourth is a compute shader. Barriers say what there is to wait for, and no more. */
#include "tests/bench/bench.h"
#include "tests/demo/mesh.h"

#include "passes_quad.vert.h"
#include "shadow.vert.h"
#include "taps.frag.h"
#include "tone.comp.h"

#include <string.h>

enum { PASSES = 200, SHADOW = 128, CHAIN_LEVELS = 8, CHAINS = PASSES / CHAIN_LEVELS, FILTERS = 4, FILTER_WIDTH = 240, FILTER_HEIGHT = 135 };

#define SHADER(client, name) client_shader(client, name, sizeof(name))

struct passes {
   struct client *client;
   bool is_depth;
   VkRenderPass pass;
   VkShaderModule modules[3];
   VkPipelineLayout layout, compute_layout;
   VkPipeline pipelines[CHAIN_LEVELS + 1]; /* by level of a chain; the last one: compute */
   VkSampler sampler;
   struct client_image images[PASSES];
   VkImageView views[PASSES + CHAINS]; /* what passes render to and read */
   VkFramebuffer framebuffers[PASSES];
   struct client_set sets[PASSES];
   struct client_buffer vertices, indices;
   uint32_t num_indices;
   VkCommandBuffer cmd;
};

/* One attachment, and no dependency that is not recorded. */
static VkRenderPass render_pass(struct client *client, VkFormat format, bool is_depth)
{
   const VkAttachmentDescription attachment = {.format = format,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = is_depth ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = !is_depth,
                                         .pColorAttachments = &reference,
                                         .pDepthStencilAttachment = is_depth ? &reference : NULL};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static void passes_init(struct passes *passes, struct client *client, bool is_depth)
{
   *passes = (struct passes){.client = client, .is_depth = is_depth};
   passes->pass = render_pass(client, is_depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM, is_depth);
   passes->sampler = client_sampler(client, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   passes->cmd = client_begin(client);
}

static VkImageView level_view(const struct passes *passes, const struct client_image *image, uint32_t level)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = image->format,
                                       .subresourceRange = {passes->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}};
   VkImageView view;
   client_check(vk.CreateImageView(passes->client->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

static struct client_image image(struct passes *passes, uint32_t width, uint32_t height, uint32_t num_levels, VkImageUsageFlags usage)
{
   struct client_image made = client_image_create(passes->client, passes->is_depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM, width, height,
                                                  num_levels, VK_SAMPLE_COUNT_1_BIT, usage | (passes->is_depth ? 0 : VK_IMAGE_USAGE_TRANSFER_DST_BIT));
   client_transition(passes->cmd, &made, 0, num_levels, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   if (!passes->is_depth) { /* what the first pass reads */
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, num_levels, 0, 1};
      vk.CmdClearColorImage(passes->cmd, made.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){0}, 1, &range);
   }
   return made;
}

/* Images are ready; what is recorded from here on is measured. */
static void begin(struct passes *passes)
{
   client_run(passes->client, passes->cmd);
   passes->cmd = client_begin(passes->client);
}

static void begin_pass(const struct passes *passes, VkFramebuffer framebuffer, uint32_t width, uint32_t height)
{
   const VkClearValue clear = {.depthStencil = {1, 0}};
   client_begin_pass(passes->cmd, passes->pass, framebuffer, width, height, 1, &clear);
}

static void barrier(const struct passes *passes, VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags read)
{
   const VkMemoryBarrier info = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = read};
   vk.CmdPipelineBarrier(passes->cmd, from, to, 0, 1, &info, 0, NULL, 0, NULL);
}

static VkPipeline filter_pipeline(const struct passes *passes, uint32_t width, uint32_t height)
{
   const struct client_graphics info = {
      .vertex = passes->modules[0],
      .fragment = passes->modules[1],
      .layout = passes->layout,
      .pass = passes->pass,
      .width = width,
      .height = height,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   return client_graphics_pipeline(passes->client, &info, VK_NULL_HANDLE);
}

/* A triangle that covers the target, made of what the set reads. */
static void filter(const struct passes *passes, VkPipeline pipeline, const struct client_set *set, VkFramebuffer framebuffer, uint32_t width, uint32_t height)
{
   begin_pass(passes, framebuffer, width, height);
   vk.CmdBindPipeline(passes->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(passes->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->layout, 0, 1, &set->set, 0, NULL);
   vk.CmdDraw(passes->cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(passes->cmd);
}

static void passes_submit(void *data)
{
   struct passes *passes = data;
   client_submit(passes->client, passes->cmd);
}

/* Thousand passes a second. */
static double passes_measure(struct passes *passes)
{
   struct client *client = passes->client;
   const VkDevice device = client->device;
   client_end(passes->cmd);
   const double seconds = bench_median(0.5, passes_submit, passes);
   vk.FreeCommandBuffers(device, client->pool, 1, &passes->cmd);
   for (uint32_t i = 0; i <= CHAIN_LEVELS; i++)
      vk.DestroyPipeline(device, passes->pipelines[i], NULL);
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(device, passes->modules[i], NULL);
   for (uint32_t i = 0; i < PASSES; i++) {
      vk.DestroyFramebuffer(device, passes->framebuffers[i], NULL);
      if (passes->sets[i].layout)
         client_set_destroy(client, &passes->sets[i]);
      if (passes->images[i].image)
         client_image_destroy(client, &passes->images[i]);
   }
   for (uint32_t i = 0; i < PASSES + CHAINS; i++)
      vk.DestroyImageView(device, passes->views[i], NULL);
   if (passes->num_indices) {
      client_buffer_destroy(client, &passes->vertices);
      client_buffer_destroy(client, &passes->indices);
   }
   vk.DestroyPipelineLayout(device, passes->layout, NULL);
   vk.DestroyPipelineLayout(device, passes->compute_layout, NULL);
   vk.DestroySampler(device, passes->sampler, NULL);
   vk.DestroyRenderPass(device, passes->pass, NULL);
   return PASSES / seconds * 1e-3;
}

/* 1,024 triangles in the depth of each of 200 images. */
static double row_shadow_maps(struct client *client)
{
   static struct passes passes;
   const float transform[16] = {0.9f, 0, 0, 0, 0, 0.9f, 0, 0, 0, 0, 0.4f, 0, 0, 0, 0.5f, 1};
   const VkDeviceSize zero = 0;
   passes_init(&passes, client, true);
   struct mesh mesh = mesh_create(mesh_torus, 32, 16, 1, 1);
   passes.num_indices = mesh.num_indices;
   passes.vertices = client_buffer_create(client, mesh.num_vertices * sizeof(*mesh.vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   passes.indices = client_buffer_create(client, mesh.num_indices * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   memcpy(passes.vertices.map, mesh.vertices, mesh.num_vertices * sizeof(*mesh.vertices));
   memcpy(passes.indices.map, mesh.indices, mesh.num_indices * 4);
   mesh_destroy(&mesh);
   passes.modules[0] = SHADER(client, shadow_vert);
   passes.layout = client_pipeline_layout(client, NULL, sizeof(transform));
   const struct client_graphics info = {
      .vertex = passes.modules[0],
      .layout = passes.layout,
      .pass = passes.pass,
      .width = SHADOW,
      .height = SHADOW,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .has_depth = true,
      .has_depth_write = true,
      .stride_bytes = sizeof(struct mesh_vertex),
      .num_attributes = 1,
      .attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct mesh_vertex, position)}},
   };
   passes.pipelines[0] = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   for (uint32_t i = 0; i < PASSES; i++) {
      passes.images[i] = image(&passes, SHADOW, SHADOW, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
      passes.framebuffers[i] = client_framebuffer(client, passes.pass, 1, &passes.images[i].view, SHADOW, SHADOW);
   }
   begin(&passes);
   for (uint32_t i = 0; i < PASSES; i++) {
      begin_pass(&passes, passes.framebuffers[i], SHADOW, SHADOW);
      vk.CmdBindPipeline(passes.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, passes.pipelines[0]);
      vk.CmdBindVertexBuffers(passes.cmd, 0, 1, &passes.vertices.buffer, &zero);
      vk.CmdBindIndexBuffer(passes.cmd, passes.indices.buffer, 0, VK_INDEX_TYPE_UINT32);
      vk.CmdPushConstants(passes.cmd, passes.layout, VK_SHADER_STAGE_ALL, 0, sizeof(transform), transform);
      vk.CmdDrawIndexed(passes.cmd, passes.num_indices, 1, 0, 0, 0);
      vk.CmdEndRenderPass(passes.cmd);
   }
   return passes_measure(&passes);
}

static void filters_init(struct passes *passes, struct client *client)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   passes_init(passes, client, false);
   passes->modules[0] = SHADER(client, passes_quad_vert);
   passes->modules[1] = SHADER(client, taps_frag);
   passes->sets[0] = client_set_create(client, 1, &type);
   passes->layout = client_pipeline_layout(client, &passes->sets[0], 0);
}

/* 25 images of 256 x 256 texels, one after the other, level by level. */
static double row_mip_chains(struct client *client)
{
   static struct passes passes;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   filters_init(&passes, client);
   for (uint32_t l = 0; l < CHAIN_LEVELS; l++)
      passes.pipelines[l] = filter_pipeline(&passes, 128 >> l, 128 >> l);
   for (uint32_t c = 0; c < CHAINS; c++) {
      passes.images[c] = image(&passes, 256, 256, CHAIN_LEVELS + 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
      for (uint32_t l = 0; l <= CHAIN_LEVELS; l++)
         passes.views[c * (CHAIN_LEVELS + 1) + l] = level_view(&passes, &passes.images[c], l);
      for (uint32_t l = 0; l < CHAIN_LEVELS; l++) {
         const VkImageView *views = &passes.views[c * (CHAIN_LEVELS + 1) + l];
         const uint32_t i = c * CHAIN_LEVELS + l;
         passes.framebuffers[i] = client_framebuffer(client, passes.pass, 1, &views[1], 128 >> l, 128 >> l);
         if (i)
            passes.sets[i] = client_set_create(client, 1, &type);
         client_set_image(client, &passes.sets[i], 0, type, views[0], passes.sampler, VK_IMAGE_LAYOUT_GENERAL);
      }
   }
   begin(&passes);
   for (uint32_t i = 0; i < PASSES; i++) {
      const uint32_t l = i % CHAIN_LEVELS;
      filter(&passes, passes.pipelines[l], &passes.sets[i], passes.framebuffers[i], 128 >> l, 128 >> l);
      barrier(&passes, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
              VK_ACCESS_SHADER_READ_BIT);
   }
   return passes_measure(&passes);
}

/* Four pictures in a ring, each made of the one before: three by fragment shaders, one by a compute shader. */
static double row_filters(struct client *client)
{
   static struct passes passes;
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   const VkPipelineStageFlags shaders = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                              stages = shaders | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
   const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
   filters_init(&passes, client);
   passes.pipelines[0] = filter_pipeline(&passes, FILTER_WIDTH, FILTER_HEIGHT);
   for (uint32_t i = 0; i < FILTERS; i++)
      passes.images[i] = image(&passes, FILTER_WIDTH, FILTER_HEIGHT, 1,
                               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
   for (uint32_t i = 0; i < FILTERS; i++) {
      const bool is_compute = i == FILTERS - 1;
      if (i)
         passes.sets[i] = client_set_create(client, is_compute ? 2 : 1, types);
      client_set_image(client, &passes.sets[i], 0, types[0], passes.images[(i + FILTERS - 1) % FILTERS].view, passes.sampler, VK_IMAGE_LAYOUT_GENERAL);
      if (is_compute)
         client_set_image(client, &passes.sets[i], 1, types[1], passes.images[i].view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
      else
         passes.framebuffers[i] = client_framebuffer(client, passes.pass, 1, &passes.images[i].view, FILTER_WIDTH, FILTER_HEIGHT);
   }
   passes.modules[2] = SHADER(client, tone_comp);
   passes.compute_layout = client_pipeline_layout(client, &passes.sets[FILTERS - 1], 0);
   passes.pipelines[CHAIN_LEVELS] = client_compute_pipeline(client, passes.modules[2], passes.compute_layout, VK_NULL_HANDLE, NULL);
   begin(&passes);
   vk.CmdBindPipeline(passes.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, passes.pipelines[CHAIN_LEVELS]);
   vk.CmdBindDescriptorSets(passes.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, passes.compute_layout, 0, 1, &passes.sets[FILTERS - 1].set, 0, NULL);
   for (uint32_t i = 0; i < PASSES; i++) {
      if (i % FILTERS == FILTERS - 1)
         vk.CmdDispatch(passes.cmd, (FILTER_WIDTH + 7) / 8, (FILTER_HEIGHT + 7) / 8, 1);
      else
         filter(&passes, passes.pipelines[0], &passes.sets[i % FILTERS], passes.framebuffers[i % FILTERS], FILTER_WIDTH, FILTER_HEIGHT);
      barrier(&passes, stages, writes, stages, VK_ACCESS_SHADER_READ_BIT | writes);
   }
   return passes_measure(&passes);
}

const struct bench_row bench_pass_rows[] = {
   {"200 small passes, shadow maps", "kpass/s", false, row_shadow_maps},
   {"200 small passes, mip chains", "kpass/s", false, row_mip_chains},
   {"200 small passes, filters and compute", "kpass/s", false, row_filters},
   {NULL, NULL, false, NULL},
};
