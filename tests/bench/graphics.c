/* SPDX-License-Identifier: MIT
 * Graphics rows, on a target of 1920 x 1080. */
#include "tests/bench/bench.h"
#include "tests/demo/mesh.h"

#include "anisotropic.frag.h"
#include "billboard.geom.h"
#include "capture.vert.h"
#include "flat.frag.h"
#include "heavy.frag.h"
#include "meshlet.mesh.h"
#include "mesh.vert.h"
#include "pass.geom.h"
#include "pass.tesc.h"
#include "pass.tese.h"
#include "quad.vert.h"
#include "smooth.frag.h"
#include "texture.frag.h"
#include "trilinear.frag.h"

#include "util/macros.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080, TEXTURE = 1024, TEXTURE_LEVELS = 11 };

/* How a row samples its texture; zeros: nearest, one level. */
struct sampling {
   VkFilter filter;
   VkSamplerMipmapMode mipmap;
   float anisotropy; /* 0: off */
   bool has_levels;
};

static const struct sampling no_sampling;

struct scene {
   struct client *client;
   struct client_image color, depth, resolved, texture;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   struct client_set set;
   VkSampler sampler;
   struct client_graphics info;
   VkPipeline pipeline;
   struct client_buffer vertices, indices;
   uint32_t num_indices;
   struct client_buffer captured; /* null: draws are not captured */
   uint32_t meshlets[2]; /* of a draw; zeros: draws have vertices */
   uint32_t num_passes; /* render passes a frame, all alike; 0: one */
   VkCommandBuffer cmd;
};

#define SHADER(client, name) client_shader(client, name, sizeof(name))

/* Each level is a picture of its own: what it shows doesn't matter. */
static void scene_texture(struct scene *scene, const struct sampling *sampling)
{
   struct client *client = scene->client;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   const uint32_t num_levels = sampling->has_levels ? TEXTURE_LEVELS : 1;
   const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                             .magFilter = sampling->filter,
                                             .minFilter = sampling->filter,
                                             .mipmapMode = sampling->mipmap,
                                             .anisotropyEnable = sampling->anisotropy > 0,
                                             .maxAnisotropy = sampling->anisotropy,
                                             .maxLod = VK_LOD_CLAMP_NONE};
   VkBufferImageCopy copies[TEXTURE_LEVELS];
   struct client_buffer staging = client_buffer_create(client, TEXTURE * TEXTURE * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);

   for (uint32_t i = 0; i < TEXTURE * TEXTURE; i++)
      ((uint32_t *)staging.map)[i] = i * 2654435761u;
   for (uint32_t i = 0; i < num_levels; i++)
      copies[i] = (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1},
                                      .imageExtent = {TEXTURE >> i, TEXTURE >> i, 1}};
   scene->texture = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, TEXTURE, TEXTURE, num_levels, VK_SAMPLE_COUNT_1_BIT,
                                        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   VkCommandBuffer cmd = client_begin(client);
   client_transition(cmd, &scene->texture, 0, num_levels, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   vk.CmdCopyBufferToImage(cmd, staging.buffer, scene->texture.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, num_levels, copies);
   client_transition(cmd, &scene->texture, 0, num_levels, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
   client_run(client, cmd);
   client_buffer_destroy(client, &staging);
   client_check(vk.CreateSampler(client->device, &sampler_info, NULL, &scene->sampler), "vkCreateSampler");
   client_set_image(client, &scene->set, 0, type, scene->texture.view, scene->sampler, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

static void scene_init(struct scene *scene, struct client *client, VkSampleCountFlagBits samples, bool has_depth,
                       VkAttachmentLoadOp load_op, const struct sampling *sampling)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM, depth = has_depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED;
   const bool resolves = samples > VK_SAMPLE_COUNT_1_BIT;
   VkImageView views[3];
   uint32_t count = 0;

   *scene = (struct scene){.client = client};
   scene->color = client_image_create(client, format, WIDTH, HEIGHT, 1, samples,
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   views[count++] = scene->color.view;
   if (has_depth) {
      scene->depth = client_image_create(client, depth, WIDTH, HEIGHT, 1, samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
      views[count++] = scene->depth.view;
   }
   if (resolves) {
      scene->resolved = client_image_create(client, format, WIDTH, HEIGHT, 1, VK_SAMPLE_COUNT_1_BIT,
                                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      views[count++] = scene->resolved.view;
   }
   scene->pass = client_render_pass(client, format, depth, samples, resolves, load_op);
   scene->framebuffer = client_framebuffer(client, scene->pass, count, views, WIDTH, HEIGHT);
   scene->set = client_set_create(client, 1, &type);
   scene_texture(scene, sampling);
   scene->info = (struct client_graphics){
      .layout = client_pipeline_layout(client, &scene->set, 64),
      .pass = scene->pass,
      .width = WIDTH,
      .height = HEIGHT,
      .samples = samples,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .has_depth = has_depth,
      .has_depth_write = has_depth,
   };
}

/* 2 * columns * rows triangles, scaled to cover `scale` of the target's height. */
static void scene_mesh(struct scene *scene, mesh_surface *surface, uint32_t columns, uint32_t rows)
{
   struct mesh mesh = mesh_create(surface, columns, rows, 1, 1);
   scene->vertices = client_buffer_create(scene->client, mesh.num_vertices * sizeof(*mesh.vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   scene->indices = client_buffer_create(scene->client, mesh.num_indices * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   memcpy(scene->vertices.map, mesh.vertices, mesh.num_vertices * sizeof(*mesh.vertices));
   memcpy(scene->indices.map, mesh.indices, mesh.num_indices * 4);
   scene->num_indices = mesh.num_indices;
   scene->info.stride_bytes = sizeof(struct mesh_vertex);
   scene->info.num_attributes = 2;
   scene->info.attributes[0] = (VkVertexInputAttributeDescription){0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct mesh_vertex, position)};
   scene->info.attributes[1] = (VkVertexInputAttributeDescription){1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct mesh_vertex, normal)};
   mesh_destroy(&mesh);
}

static void scene_submit(void *data)
{
   struct scene *scene = data;
   client_submit(scene->client, scene->cmd);
}

#define device_function(scene, name) ((PFN_vk##name)vk.GetDeviceProcAddr((scene)->client->device, "vk" #name))

/* Draws of the mesh, or covering triangles where there is none. */
static void record_draws(const struct scene *scene, uint32_t draws, float scale)
{
   const float transform[16] = {scale * HEIGHT / WIDTH, 0, 0, 0, 0, scale, 0, 0, 0, 0, 0.4f, 0, 0, 0, 0.5f, 1};
   const VkDeviceSize zero = 0;

   vk.CmdBindPipeline(scene->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->pipeline);
   vk.CmdBindDescriptorSets(scene->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->info.layout, 0, 1, &scene->set.set, 0, NULL);
   vk.CmdPushConstants(scene->cmd, scene->info.layout, VK_SHADER_STAGE_ALL, 0, sizeof(transform), transform);
   if (scene->num_indices) {
      vk.CmdBindVertexBuffers(scene->cmd, 0, 1, &scene->vertices.buffer, &zero);
      vk.CmdBindIndexBuffer(scene->cmd, scene->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
   }
   if (scene->captured.buffer) {
      device_function(scene, CmdBindTransformFeedbackBuffersEXT)(scene->cmd, 0, 1, &scene->captured.buffer, &zero, NULL);
      device_function(scene, CmdBeginTransformFeedbackEXT)(scene->cmd, 0, 0, NULL, NULL);
   }
   for (uint32_t i = 0; i < draws; i++) {
      if (scene->meshlets[0])
         device_function(scene, CmdDrawMeshTasksEXT)(scene->cmd, scene->meshlets[0], scene->meshlets[1], 1);
      else if (scene->num_indices)
         vk.CmdDrawIndexed(scene->cmd, scene->num_indices, 1, 0, 0, 0);
      else
         vk.CmdDraw(scene->cmd, 3, 1, 0, i);
   }
   if (scene->captured.buffer)
      device_function(scene, CmdEndTransformFeedbackEXT)(scene->cmd, 0, 0, NULL, NULL);
}

/* Seconds of one frame of `draws` draws of the mesh, or of `draws` covering triangles where there is none. */
static double scene_measure(struct scene *scene, uint32_t draws, float scale)
{
   struct client *client = scene->client;
   const VkClearValue clear[2] = {{.color.float32 = {0, 0, 0, 1}}, {.depthStencil = {1, 0}}};

   scene->pipeline = client_graphics_pipeline(client, &scene->info, VK_NULL_HANDLE);
   scene->cmd = client_begin(client);
   for (uint32_t i = 0; i < UTIL_MAX(scene->num_passes, 1u); i++) {
      client_begin_pass(scene->cmd, scene->pass, scene->framebuffer, WIDTH, HEIGHT, 2, clear);
      record_draws(scene, draws, scale);
      vk.CmdEndRenderPass(scene->cmd);
   }
   client_end(scene->cmd);
   return bench_median(0.5, scene_submit, scene);
}

static void scene_finish(struct scene *scene)
{
   struct client *client = scene->client;
   vk.FreeCommandBuffers(client->device, client->pool, 1, &scene->cmd);
   vk.DestroyPipeline(client->device, scene->pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, scene->info.layout, NULL);
   vk.DestroyShaderModule(client->device, scene->info.vertex, NULL);
   vk.DestroyShaderModule(client->device, scene->info.fragment, NULL);
   vk.DestroyShaderModule(client->device, scene->info.geometry, NULL);
   vk.DestroyShaderModule(client->device, scene->info.mesh, NULL);
   vk.DestroyShaderModule(client->device, scene->info.control, NULL);
   vk.DestroyShaderModule(client->device, scene->info.evaluation, NULL);
   vk.DestroySampler(client->device, scene->sampler, NULL);
   client_set_destroy(client, &scene->set);
   vk.DestroyFramebuffer(client->device, scene->framebuffer, NULL);
   vk.DestroyRenderPass(client->device, scene->pass, NULL);
   if (scene->captured.buffer)
      client_buffer_destroy(client, &scene->captured);
   client_image_destroy(client, &scene->color);
   client_image_destroy(client, &scene->texture);
   if (scene->depth.image)
      client_image_destroy(client, &scene->depth);
   if (scene->resolved.image)
      client_image_destroy(client, &scene->resolved);
   if (scene->num_indices) {
      client_buffer_destroy(client, &scene->vertices);
      client_buffer_destroy(client, &scene->indices);
   }
}

enum { LAYERS = 8 };

/* Gpixel/s of covering triangles. */
static double fill_sampling(struct client *client, const uint32_t *words, size_t size_bytes, bool has_blend, bool has_depth,
                            const struct sampling *sampling)
{
   struct scene scene;
   scene_init(&scene, client, VK_SAMPLE_COUNT_1_BIT, has_depth, VK_ATTACHMENT_LOAD_OP_CLEAR, sampling);
   scene.info.vertex = SHADER(client, quad_vert);
   scene.info.fragment = client_shader(client, words, size_bytes);
   scene.info.has_blend = has_blend;
   const double seconds = scene_measure(&scene, LAYERS, 1);
   scene_finish(&scene);
   return (double)LAYERS * WIDTH * HEIGHT / seconds * 1e-9;
}

static double fill(struct client *client, const uint32_t *words, size_t size_bytes, bool has_blend, bool has_depth)
{
   return fill_sampling(client, words, size_bytes, has_blend, has_depth, &no_sampling);
}

/* Gpixel/s where nothing is hidden: each pass covers the target once. */
static double fill_passes(struct client *client, const uint32_t *words, size_t size_bytes, uint32_t passes)
{
   struct scene scene;
   scene_init(&scene, client, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_DONT_CARE, &no_sampling);
   scene.num_passes = passes;
   scene.info.vertex = SHADER(client, quad_vert);
   scene.info.fragment = client_shader(client, words, size_bytes);
   const double seconds = scene_measure(&scene, 1, 1);
   scene_finish(&scene);
   return (double)passes * WIDTH * HEIGHT / seconds * 1e-9;
}

static double row_fill_passes(struct client *client)
{
   return fill_passes(client, flat_frag, sizeof(flat_frag), LAYERS);
}

static double row_smooth_passes(struct client *client)
{
   return fill_passes(client, smooth_frag, sizeof(smooth_frag), LAYERS);
}

static double row_heavy(struct client *client)
{
   return fill_passes(client, heavy_frag, sizeof(heavy_frag), 1);
}

static double row_fill(struct client *client)
{
   return fill(client, flat_frag, sizeof(flat_frag), false, false);
}

static double row_smooth(struct client *client)
{
   return fill(client, smooth_frag, sizeof(smooth_frag), false, false);
}

static double row_blend(struct client *client)
{
   return fill(client, smooth_frag, sizeof(smooth_frag), true, false);
}

static double row_nearest(struct client *client)
{
   return fill(client, texture_frag, sizeof(texture_frag), false, false);
}

static double row_bilinear(struct client *client)
{
   const struct sampling sampling = {.filter = VK_FILTER_LINEAR};
   return fill_sampling(client, texture_frag, sizeof(texture_frag), false, false, &sampling);
}

static double row_trilinear(struct client *client)
{
   const struct sampling sampling = {VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, 0, true};
   return fill_sampling(client, trilinear_frag, sizeof(trilinear_frag), false, false, &sampling);
}

static double row_anisotropic(struct client *client)
{
   const struct sampling sampling = {VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, 16, true};
   return fill_sampling(client, anisotropic_frag, sizeof(anisotropic_frag), false, false, &sampling);
}

static double row_overdraw(struct client *client)
{
   return fill(client, smooth_frag, sizeof(smooth_frag), false, true);
}

/* Million triangles a second. */
static double triangles_through(struct client *client, VkSampleCountFlagBits samples, mesh_surface *surface, uint32_t columns,
                                uint32_t rows, float scale, VkCullModeFlags cull, void (*adapt)(struct scene *scene))
{
   struct scene scene;
   scene_init(&scene, client, samples, true, VK_ATTACHMENT_LOAD_OP_CLEAR, &no_sampling);
   scene_mesh(&scene, surface, columns, rows);
   scene.info.vertex = SHADER(client, mesh_vert);
   scene.info.fragment = SHADER(client, smooth_frag);
   scene.info.cull = cull;
   if (adapt)
      adapt(&scene);
   const double seconds = scene_measure(&scene, 1, scale);
   scene_finish(&scene);
   return 2.0 * columns * rows / seconds * 1e-6;
}

static double triangles(struct client *client, VkSampleCountFlagBits samples, mesh_surface *surface, uint32_t columns,
                        uint32_t rows, float scale, VkCullModeFlags cull)
{
   return triangles_through(client, samples, surface, columns, rows, scale, cull, NULL);
}

static double row_small(struct client *client)
{
   return triangles(client, VK_SAMPLE_COUNT_1_BIT, mesh_sphere, 512, 400, 0.9f, 0);
}

static double row_medium(struct client *client)
{
   return triangles(client, VK_SAMPLE_COUNT_1_BIT, mesh_sphere, 192, 160, 0.9f, 0);
}

static double row_msaa(struct client *client)
{
   return triangles(client, VK_SAMPLE_COUNT_4_BIT, mesh_sphere, 192, 160, 0.9f, 0);
}

/* A wall that faces away from the eye. */
static void back_wall(float u, float v, float position[3])
{
   position[0] = 1 - 2 * u;
   position[1] = 2 * v - 1;
   position[2] = 0;
}

/* Everything is culled for its facing: what is left is fetching, shading and assembling vertices. */
static double row_vertex(struct client *client)
{
   return triangles(client, VK_SAMPLE_COUNT_1_BIT, back_wall, 512, 400, 0.9f, VK_CULL_MODE_BACK_BIT);
}

/* Positions become R16G16B16A16_SNORM, normals R8G8B8A8_SNORM, where they are. */
static void pack_vertices(struct scene *scene)
{
   struct mesh_vertex *vertices = scene->vertices.map;
   const size_t num = scene->vertices.size_bytes / sizeof(*vertices);
   for (size_t i = 0; i < num; i++) {
      int16_t position[4] = {0};
      int8_t normal[4] = {0};
      for (uint32_t c = 0; c < 3; c++) {
         position[c] = (int16_t)(vertices[i].position[c] * 32767);
         normal[c] = (int8_t)(vertices[i].normal[c] * 127);
      }
      memcpy(vertices[i].position, position, sizeof(position));
      memcpy(vertices[i].normal, normal, sizeof(normal));
   }
   scene->info.attributes[0].format = VK_FORMAT_R16G16B16A16_SNORM;
   scene->info.attributes[1].format = VK_FORMAT_R8G8B8A8_SNORM;
}

static double row_vertex_packed(struct client *client)
{
   return triangles_through(client, VK_SAMPLE_COUNT_1_BIT, back_wall, 512, 400, 0.9f, VK_CULL_MODE_BACK_BIT, pack_vertices);
}

static void pass_on(struct scene *scene)
{
   scene->info.geometry = SHADER(scene->client, pass_geom);
}

/* Small triangles, and those that face away, each passed on by a geometry shader. */
static double row_geometry_small(struct client *client)
{
   return triangles_through(client, VK_SAMPLE_COUNT_1_BIT, mesh_sphere, 512, 400, 0.9f, 0, pass_on);
}

static double row_geometry(struct client *client)
{
   return triangles_through(client, VK_SAMPLE_COUNT_1_BIT, back_wall, 512, 400, 0.9f, VK_CULL_MODE_BACK_BIT, pass_on);
}

/* Million points a second, each of which becomes a square of two triangles. */
static double row_billboards(struct client *client)
{
   struct scene scene;
   scene_init(&scene, client, VK_SAMPLE_COUNT_1_BIT, true, VK_ATTACHMENT_LOAD_OP_CLEAR, &no_sampling);
   scene_mesh(&scene, mesh_sphere, 256, 200);
   scene.info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
   scene.info.vertex = SHADER(client, mesh_vert);
   scene.info.geometry = SHADER(client, billboard_geom);
   scene.info.fragment = SHADER(client, smooth_frag);
   const double seconds = scene_measure(&scene, 1, 0.9f), points = scene.num_indices;
   scene_finish(&scene);
   return points / seconds * 1e-6;
}

/* Million vertices a second, 32 bytes each, that are captured and not rasterized. */
static double row_capture(struct client *client)
{
   struct scene scene;
   scene_init(&scene, client, VK_SAMPLE_COUNT_1_BIT, true, VK_ATTACHMENT_LOAD_OP_CLEAR, &no_sampling);
   scene_mesh(&scene, mesh_sphere, 512, 400);
   scene.captured = client_buffer_create(client, (size_t)scene.num_indices * 32, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
   scene.info.vertex = SHADER(client, capture_vert);
   scene.info.fragment = SHADER(client, smooth_frag);
   scene.info.is_discarded = true;
   const double seconds = scene_measure(&scene, 1, 0.9f), vertices = scene.num_indices;
   scene_finish(&scene);
   return vertices / seconds * 1e-6;
}

/* Million patches a second, which are triangles divided by one level. */
static double patches(struct client *client, mesh_surface *surface, uint32_t columns, uint32_t rows, float level, VkCullModeFlags cull)
{
   const VkSpecializationMapEntry entry = {0, 0, sizeof(level)};
   const VkSpecializationInfo constants = {1, &entry, sizeof(level), &level};
   struct scene scene;
   scene_init(&scene, client, VK_SAMPLE_COUNT_1_BIT, true, VK_ATTACHMENT_LOAD_OP_CLEAR, &no_sampling);
   scene_mesh(&scene, surface, columns, rows);
   scene.info.vertex = SHADER(client, mesh_vert);
   scene.info.control = SHADER(client, pass_tesc);
   scene.info.evaluation = SHADER(client, pass_tese);
   scene.info.fragment = SHADER(client, smooth_frag);
   scene.info.tessellation_constants = &constants;
   scene.info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
   scene.info.patch_vertices = 3;
   scene.info.cull = cull;
   const double seconds = scene_measure(&scene, 1, 0.9f);
   scene_finish(&scene);
   return 2.0 * columns * rows / seconds * 1e-6;
}

enum { LEVEL = 16, DIVIDED = LEVEL * LEVEL * 3 / 2 }; /* triangles of a patch */

static double row_patches(struct client *client)
{
   return patches(client, back_wall, 512, 400, 1, VK_CULL_MODE_BACK_BIT);
}

static double row_divided(struct client *client)
{
   return DIVIDED * patches(client, back_wall, 40, 30, LEVEL, VK_CULL_MODE_BACK_BIT);
}

static double row_divided_small(struct client *client)
{
   return DIVIDED * patches(client, mesh_sphere, 40, 30, LEVEL, 0);
}

/* Million triangles a second, of meshlets that have 98 each. */
static double meshlets(struct client *client, VkBool32 faces_away)
{
   const VkSpecializationMapEntry entry = {0, 0, sizeof(faces_away)};
   const VkSpecializationInfo constants = {1, &entry, sizeof(faces_away), &faces_away};
   struct scene scene;
   scene_init(&scene, client, VK_SAMPLE_COUNT_1_BIT, true, VK_ATTACHMENT_LOAD_OP_CLEAR, &no_sampling);
   scene.info.mesh = SHADER(client, meshlet_mesh);
   scene.info.mesh_constants = &constants;
   scene.info.fragment = SHADER(client, smooth_frag);
   scene.info.cull = VK_CULL_MODE_FRONT_BIT; /* clockwise on the screen, unless they face away */
   scene.meshlets[0] = 74;
   scene.meshlets[1] = 58;
   const double seconds = scene_measure(&scene, 1, 1);
   scene_finish(&scene);
   return 74 * 58 * 98 / seconds * 1e-6;
}

static double row_meshlets(struct client *client)
{
   return meshlets(client, VK_TRUE);
}

static double row_meshlets_small(struct client *client)
{
   return meshlets(client, VK_FALSE);
}

const struct bench_row bench_graphics_rows[] = {
   {"plain fill", "Gpixel/s", false, row_fill},
   {"interpolated fill", "Gpixel/s", false, row_smooth},
   {"plain fill, nothing hidden", "Gpixel/s", false, row_fill_passes},
   {"interpolated, nothing hidden", "Gpixel/s", false, row_smooth_passes},
   {"arithmetic-heavy fragments", "Gpixel/s", false, row_heavy},
   {"blended fill", "Gpixel/s", false, row_blend},
   {"nearest texture", "Gpixel/s", false, row_nearest},
   {"bilinear texture", "Gpixel/s", false, row_bilinear},
   {"trilinear texture", "Gpixel/s", false, row_trilinear},
   {"anisotropic 16 texture", "Gpixel/s", false, row_anisotropic},
   {"front-to-back overdraw", "Gpixel/s", false, row_overdraw},
   {"3-pixel triangles", "Mtri/s", false, row_small},
   {"20-pixel triangles", "Mtri/s", false, row_medium},
   {"20-pixel triangles, 4x MSAA", "Mtri/s", false, row_msaa},
   {"vertex rate (all face away)", "Mtri/s", false, row_vertex},
   {"vertex rate, packed attributes (all face away)", "Mtri/s", false, row_vertex_packed},
   {"3-pixel, geometry shader", "Mtri/s", false, row_geometry_small, BENCH_NEEDS_STAGES},
   {"geometry rate (all face away)", "Mtri/s", false, row_geometry, BENCH_NEEDS_STAGES},
   {"points to squares, geometry", "Mpoint/s", false, row_billboards, BENCH_NEEDS_STAGES},
   {"capture, 32 bytes a vertex", "Mvert/s", false, row_capture, BENCH_NEEDS_CAPTURE},
   {"patches of level 1 (all face away)", "Mpatch/s", false, row_patches, BENCH_NEEDS_STAGES},
   {"tessellator rate (all face away)", "Mtri/s", false, row_divided, BENCH_NEEDS_STAGES},
   {"small triangles of patches", "Mtri/s", false, row_divided_small, BENCH_NEEDS_STAGES},
   {"meshlets (all face away)", "Mtri/s", .run = row_meshlets, .need = BENCH_NEEDS_MESHES},
   {"3-pixel, of meshlets", "Mtri/s", .run = row_meshlets_small, .need = BENCH_NEEDS_MESHES},
   {NULL, NULL, false, NULL},
};
