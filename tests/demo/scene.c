/* SPDX-License-Identifier: MIT
 * The graphics part of the demonstration. */
#include "tests/demo/demo.h"
#include "tests/demo/mesh.h"

#include "scene.frag.h"
#include "scene.vert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 720, TEXTURE = 512, LEVELS = 10, NUM_MESHES = 4, NUM_OBJECTS = 12 };

struct matrix {
   float m[4][4]; /* columns */
};

static struct matrix multiply(const struct matrix *a, const struct matrix *b)
{
   struct matrix result = {0};
   for (int c = 0; c < 4; c++) {
      for (int r = 0; r < 4; r++) {
         for (int k = 0; k < 4; k++)
            result.m[c][r] += a->m[k][r] * b->m[c][k];
      }
   }
   return result;
}

/* A camera at (0, 4.2, 9.5) that looks down a little; clip space of Vulkan: y down, z from 0 to 1. */
static struct matrix camera(void)
{
   const float pitch = -0.36f, focal = 1.7f, near = 0.1f, far = 100.0f;
   const float c = cosf(pitch), s = sinf(pitch);
   const struct matrix move = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, -4.2f, -9.5f, 1}}};
   const struct matrix turn = {{{1, 0, 0, 0}, {0, c, -s, 0}, {0, s, c, 0}, {0, 0, 0, 1}}};
   const struct matrix projection = {{{focal * HEIGHT / WIDTH, 0, 0, 0},
                                      {0, -focal, 0, 0},
                                      {0, 0, far / (near - far), -1},
                                      {0, 0, near * far / (near - far), 0}}};
   const struct matrix view = multiply(&turn, &move);
   return multiply(&projection, &view);
}

struct object {
   uint32_t mesh;
   float position[3], scale, turn;
   float tint[4];
};

static const struct object objects[NUM_OBJECTS] = {
   {0, {0, -1.3f, -4}, 16, 0, {0.9f, 0.9f, 0.95f, 1}},
   {1, {0, 0.9f, 0.5f}, 1.5f, 0.4f, {1, 0.75f, 0.3f, 1}},
   {2, {-3.6f, 0.1f, 0.8f}, 1.3f, 0.0f, {0.4f, 0.7f, 1, 1}},
   {2, {3.7f, 0.0f, 0.6f}, 1.2f, 1.0f, {1, 0.45f, 0.4f, 1}},
   {3, {-2.0f, -0.6f, 3.4f}, 0.8f, 0.3f, {0.5f, 1, 0.5f, 1}},
   {3, {2.2f, -0.6f, 3.2f}, 0.8f, 0.8f, {0.9f, 0.5f, 1, 1}},
   {2, {-6.5f, 0.4f, -4}, 1.6f, 0.5f, {0.9f, 0.9f, 0.4f, 1}},
   {2, {6.5f, 0.4f, -4}, 1.6f, 0.1f, {0.4f, 0.9f, 0.9f, 1}},
   {1, {-3.2f, 1.2f, -6}, 1.4f, 1.2f, {0.8f, 0.8f, 0.9f, 1}},
   {1, {3.2f, 1.2f, -6}, 1.4f, 2.2f, {0.9f, 0.6f, 0.5f, 1}},
   {3, {0, 1.0f, -10}, 2.2f, 0.2f, {1, 0.9f, 0.8f, 1}},
   {2, {0, -0.5f, 4.6f}, 0.7f, 0.6f, {1, 1, 1, 1}},
};

/* Turned about y (and the knots a little about x), scaled, moved. */
static struct matrix model_matrix(const struct object *object)
{
   const float c = cosf(object->turn), s = sinf(object->turn), k = object->scale;
   const float tilt = object->mesh == 1 ? 0.5f : object->mesh == 3 ? 0.9f : 0.0f, ct = cosf(tilt), st = sinf(tilt);
   const struct matrix turn = {{{k * c, 0, -k * s, 0}, {0, k, 0, 0}, {k * s, 0, k * c, 0},
                                {object->position[0], object->position[1], object->position[2], 1}}};
   const struct matrix tilting = {{{1, 0, 0, 0}, {0, ct, st, 0}, {0, -st, ct, 0}, {0, 0, 0, 1}}};
   return multiply(&turn, &tilting);
}

/* A brick-and-checker pattern, so that filtering and mip levels show. */
static void fill_texture(uint8_t (*texels)[4])
{
   for (uint32_t y = 0; y < TEXTURE; y++) {
      for (uint32_t x = 0; x < TEXTURE; x++) {
         const uint32_t row = y / 64, shifted = (x + (row & 1) * 64) % TEXTURE;
         const bool is_joint = y % 64 < 5 || shifted % 128 < 5;
         const uint32_t shade = 170 + (shifted / 128 * 37 + row * 53) % 60 + (x * 13 ^ y * 7) % 16;
         const uint8_t value = (uint8_t)(is_joint ? 80 : shade);
         texels[y * TEXTURE + x][0] = value;
         texels[y * TEXTURE + x][1] = (uint8_t)(is_joint ? 80 : shade - 10);
         texels[y * TEXTURE + x][2] = (uint8_t)(is_joint ? 90 : shade - 25);
         texels[y * TEXTURE + x][3] = 255;
      }
   }
}

/* Uploads level 0 and makes the others by blits. */
static struct client_image create_texture(struct client *client)
{
   struct client_buffer staging = client_buffer_create(client, TEXTURE * TEXTURE * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   struct client_image texture =
      client_image_create(client, VK_FORMAT_R8G8B8A8_SRGB, TEXTURE, TEXTURE, LEVELS, VK_SAMPLE_COUNT_1_BIT,
                          VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   fill_texture(staging.map);

   const VkImageLayout dst = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, src = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {TEXTURE, TEXTURE, 1}};
   VkCommandBuffer cmd = client_begin(client);
   client_transition(cmd, &texture, 0, LEVELS, VK_IMAGE_LAYOUT_UNDEFINED, dst);
   vk.CmdCopyBufferToImage(cmd, staging.buffer, texture.image, dst, 1, &copy);
   for (uint32_t level = 1; level < LEVELS; level++) {
      const int32_t from = TEXTURE >> (level - 1), to = TEXTURE >> level;
      const VkImageBlit blit = {{VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1}, {{0, 0, 0}, {from, from, 1}},
                                {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1}, {{0, 0, 0}, {to, to, 1}}};
      client_transition(cmd, &texture, level - 1, 1, dst, src);
      vk.CmdBlitImage(cmd, texture.image, src, texture.image, dst, 1, &blit, VK_FILTER_LINEAR);
   }
   client_transition(cmd, &texture, LEVELS - 1, 1, dst, src);
   client_transition(cmd, &texture, 0, LEVELS, src, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
   client_run(client, cmd);
   client_buffer_destroy(client, &staging);
   return texture;
}

/* All meshes in one vertex and one index buffer. */
struct geometry {
   struct client_buffer vertices, indices;
   uint32_t first_index[NUM_MESHES], num_indices[NUM_MESHES];
   int32_t first_vertex[NUM_MESHES];
};

static struct geometry create_geometry(struct client *client)
{
   struct geometry geometry;
   struct mesh meshes[NUM_MESHES] = {
      mesh_create(mesh_plane, 64, 64, 24, 24),
      mesh_create(mesh_knot, 512, 32, 24, 2),
      mesh_create(mesh_sphere, 96, 64, 4, 2),
      mesh_create(mesh_torus, 160, 64, 8, 3),
   };
   uint32_t num_vertices = 0, num_indices = 0;

   for (uint32_t i = 0; i < NUM_MESHES; i++) {
      geometry.first_vertex[i] = (int32_t)num_vertices;
      geometry.first_index[i] = num_indices;
      geometry.num_indices[i] = meshes[i].num_indices;
      num_vertices += meshes[i].num_vertices;
      num_indices += meshes[i].num_indices;
   }
   geometry.vertices = client_buffer_create(client, num_vertices * sizeof(struct mesh_vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   geometry.indices = client_buffer_create(client, num_indices * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   for (uint32_t i = 0; i < NUM_MESHES; i++) {
      memcpy((struct mesh_vertex *)geometry.vertices.map + geometry.first_vertex[i], meshes[i].vertices,
             meshes[i].num_vertices * sizeof(struct mesh_vertex));
      memcpy((uint32_t *)geometry.indices.map + geometry.first_index[i], meshes[i].indices, meshes[i].num_indices * sizeof(uint32_t));
      mesh_destroy(&meshes[i]);
   }
   return geometry;
}

struct push { /* as in scene.vert; 128 bytes are what every device takes */
   struct matrix view_projection;
   float model_rows[3][4];
   float tint[4];
};

struct target {
   struct client_image color, depth, resolved;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
};

static struct target create_target(struct client *client)
{
   const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
   struct target target;
   target.color = client_image_create(client, format, WIDTH, HEIGHT, 1, VK_SAMPLE_COUNT_4_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   target.depth = client_image_create(client, VK_FORMAT_D32_SFLOAT, WIDTH, HEIGHT, 1, VK_SAMPLE_COUNT_4_BIT,
                                      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   target.resolved = client_image_create(client, format, WIDTH, HEIGHT, 1, VK_SAMPLE_COUNT_1_BIT,
                                         VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   target.pass = client_render_pass(client, format, VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_4_BIT, true, VK_ATTACHMENT_LOAD_OP_CLEAR);
   const VkImageView views[3] = {target.color.view, target.depth.view, target.resolved.view};
   target.framebuffer = client_framebuffer(client, target.pass, 3, views, WIDTH, HEIGHT);
   return target;
}

static void destroy_target(struct client *client, struct target *target)
{
   vk.DestroyFramebuffer(client->device, target->framebuffer, NULL);
   vk.DestroyRenderPass(client->device, target->pass, NULL);
   client_image_destroy(client, &target->color);
   client_image_destroy(client, &target->depth);
   client_image_destroy(client, &target->resolved);
}

/* Records the frame; returns how many triangles it draws. */
static uint32_t record(VkCommandBuffer cmd, const struct target *target, const struct geometry *geometry, VkPipeline pipeline,
                       VkPipelineLayout layout, const struct client_set *set, const struct client_buffer *pixels)
{
   const VkClearValue clear[2] = {{.color.float32 = {0.05f, 0.07f, 0.12f, 1}}, {.depthStencil = {1, 0}}};
   const VkDeviceSize zero = 0;
   struct push push = {.view_projection = camera()};
   uint32_t num_triangles = 0;

   client_begin_pass(cmd, target->pass, target->framebuffer, WIDTH, HEIGHT, 2, clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set->set, 0, NULL);
   vk.CmdBindVertexBuffers(cmd, 0, 1, &geometry->vertices.buffer, &zero);
   vk.CmdBindIndexBuffer(cmd, geometry->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
   for (uint32_t i = 0; i < NUM_OBJECTS; i++) {
      const uint32_t mesh = objects[i].mesh;
      const struct matrix model = model_matrix(&objects[i]);
      for (int k = 0; k < 12; k++)
         push.model_rows[k / 4][k % 4] = model.m[k % 4][k / 4];
      memcpy(push.tint, objects[i].tint, sizeof(push.tint));
      vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
      vk.CmdDrawIndexed(cmd, geometry->num_indices[mesh], 1, geometry->first_index[mesh], geometry->first_vertex[mesh], 0);
      num_triangles += geometry->num_indices[mesh] / 3;
   }
   vk.CmdEndRenderPass(cmd);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {WIDTH, HEIGHT, 1}};
   vk.CmdCopyImageToBuffer(cmd, target->resolved.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels->buffer, 1, &copy);
   client_barrier(cmd);
   return num_triangles;
}

struct demo_picture demo_scene(struct client *client)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;

   printf("scene, %d x %d pixels, 4 samples each\n", WIDTH, HEIGHT);
   demo_step("  meshes and texture");
   struct geometry geometry = create_geometry(client);
   struct client_image texture = create_texture(client);
   VkSampler sampler = client_sampler(client, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   struct client_set set = client_set_create(client, 1, &type);
   client_set_image(client, &set, 0, type, texture.view, sampler, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
   struct target target = create_target(client);
   struct client_buffer pixels = client_buffer_create(client, WIDTH * HEIGHT * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   demo_done("%s", "");

   demo_step("  compile");
   const struct client_graphics info = {
      .vertex = client_shader(client, scene_vert, sizeof(scene_vert)),
      .fragment = client_shader(client, scene_frag, sizeof(scene_frag)),
      .layout = client_pipeline_layout(client, &set, sizeof(struct push)),
      .pass = target.pass,
      .width = WIDTH,
      .height = HEIGHT,
      .samples = VK_SAMPLE_COUNT_4_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .has_depth = true,
      .has_depth_write = true,
      .stride_bytes = sizeof(struct mesh_vertex),
      .num_attributes = 3,
      .attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct mesh_vertex, position)},
                     {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct mesh_vertex, normal)},
                     {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct mesh_vertex, uv)}},
   };
   VkPipeline pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   demo_done("%s", "");

   demo_step("  render");
   VkCommandBuffer cmd = client_begin(client);
   const uint32_t num_triangles = record(cmd, &target, &geometry, pipeline, info.layout, &set, &pixels);
   client_run(client, cmd);
   demo_done("%u triangles", num_triangles);

   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   vk.DestroySampler(client->device, sampler, NULL);
   client_set_destroy(client, &set);
   destroy_target(client, &target);
   client_image_destroy(client, &texture);
   client_buffer_destroy(client, &geometry.vertices);
   client_buffer_destroy(client, &geometry.indices);
   return (struct demo_picture){pixels, WIDTH, HEIGHT};
}
