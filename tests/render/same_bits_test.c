/* SPDX-License-Identifier: MIT
 * The contract of numerics: the same bits for every vector width, thread count and instruction set level.
 * The parent runs itself once a configuration; each child renders and computes, and prints hashes that must all be equal. */
#include "tests/client/child.h"
#include "tests/demo/demo.h"
#include "tests/render/rays/crowd.h"

#include "captured_fans.geom.h"
#include "fans.frag.h"
#include "fans.geom.h"
#include "fans.vert.h"
#include "rings.frag.h"
#include "rings.mesh.h"
#include "rings.task.h"
#include "waves.frag.h"
#include "waves.tesc.h"
#include "waves.tese.h"
#include "util/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The demonstration's parts report their steps; here nobody listens. */
void demo_step(const char *format, ...)
{
   (void)format;
}

void demo_done(const char *format, ...)
{
   (void)format;
}

static void print_hash(FILE *out, struct client *client, struct demo_picture picture)
{
   const struct util_hash hash = util_hash_bytes(picture.pixels.map, (size_t)picture.width * picture.height * 4);
   fprintf(out, "%016llx%016llx ", (unsigned long long)hash.hi, (unsigned long long)hash.lo);
   client_buffer_destroy(client, &picture.pixels);
}

static void print_buffer(FILE *out, struct client *client, struct client_buffer *buffer)
{
   const struct util_hash hash = util_hash_bytes(buffer->map, buffer->size_bytes);
   fprintf(out, "%016llx%016llx ", (unsigned long long)hash.hi, (unsigned long long)hash.lo);
   client_buffer_destroy(client, buffer);
}

#define DEVICE_FUNCTION(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

enum scene {
   STARS, /* that a geometry shader makes of points */
   WAVES, /* triangles that are divided */
   RINGS, /* that tasks and mesh shaders make */
   COARSE, /* waves in fragments of several texels */
   DENSE,  /* waves in fragments as a density map has them */
};

enum { SIZE = 256, MAP_SIZE = 32 };

/* Densities of all sizes, in both directions; a pass that has them after colour and depth. */
struct density {
   struct client_image image;
   struct client_buffer texels;
   VkRenderPass pass;
};

static void density_init(struct density *density, struct client *client, VkFormat format, VkFormat depth)
{
   const VkImageLayout layout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT;
   density->image = client_image_create(client, VK_FORMAT_R8G8_UNORM, MAP_SIZE, MAP_SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                        VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   density->texels = client_buffer_create(client, MAP_SIZE * MAP_SIZE * 2, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   for (uint32_t i = 0; i < MAP_SIZE * MAP_SIZE * 2; i++)
      ((uint8_t *)density->texels.map)[i] = (const uint8_t[]){255, 127, 63, 90, 1}[i * 7 % 5];
   const VkAttachmentDescription attachments[3] = {
      {.format = format, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {.format = depth, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
      {.format = density->image.format, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD, .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .initialLayout = layout, .finalLayout = layout}};
   const VkAttachmentReference color_ref = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}, depth_ref = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   const VkRenderPassFragmentDensityMapCreateInfoEXT map = {VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT, NULL, {2, layout}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color_ref, .pDepthStencilAttachment = &depth_ref};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .pNext = &map, .attachmentCount = 3, .pAttachments = attachments,
                                        .subpassCount = 1, .pSubpasses = &subpass};
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &density->pass), "vkCreateRenderPass");
}

static void density_upload(const struct density *density, VkCommandBuffer cmd)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {MAP_SIZE, MAP_SIZE, 1}};
   client_transition(cmd, &density->image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   vk.CmdCopyBufferToImage(cmd, density->texels.buffer, density->image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
   client_transition(cmd, &density->image, 0, 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT);
}

static void density_finish(struct density *density, struct client *client)
{
   client_image_destroy(client, &density->image);
   client_buffer_destroy(client, &density->texels);
}

/* Over each other: many of these. captured: [2], for streams 0 and 1 of stars, and what the second has no room for; NULL: nothing is captured. */
static struct demo_picture draw_scene(struct client *client, const struct client_buffer *captured, enum scene scene)
{
   const bool is_divided = scene == WAVES || scene == COARSE || scene == DENSE, is_mesh = scene == RINGS;
   enum { POINTS = 5000, CORNERS = 900 };
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM, depth = VK_FORMAT_D32_SFLOAT;
   struct demo_picture picture = {.width = SIZE, .height = SIZE};
   struct client_image image = client_image_create(client, format, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   struct client_image depths =
      client_image_create(client, depth, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   struct density density = {0};
   if (scene == DENSE)
      density_init(&density, client, format, depth);
   VkRenderPass pass = scene == DENSE ? density.pass
                                      : client_render_pass(client, format, depth, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(client, pass, scene == DENSE ? 3 : 2, (const VkImageView[]){image.view, depths.view, density.image.view}, SIZE, SIZE);
   const VkPipelineFragmentShadingRateStateCreateInfoKHR rate = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR, .fragmentSize = {4, 2}};
   const struct client_graphics info = {
      .next = scene == COARSE ? &rate : NULL,
      .vertex = is_mesh ? VK_NULL_HANDLE : client_shader(client, fans_vert, sizeof(fans_vert)),
      .task = is_mesh ? client_shader(client, rings_task, sizeof(rings_task)) : VK_NULL_HANDLE,
      .mesh = is_mesh ? client_shader(client, rings_mesh, sizeof(rings_mesh)) : VK_NULL_HANDLE,
      .geometry = scene != STARS ? VK_NULL_HANDLE
                  : captured ? client_shader(client, captured_fans_geom, sizeof(captured_fans_geom))
                             : client_shader(client, fans_geom, sizeof(fans_geom)),
      .control = is_divided ? client_shader(client, waves_tesc, sizeof(waves_tesc)) : VK_NULL_HANDLE,
      .evaluation = is_divided ? client_shader(client, waves_tese, sizeof(waves_tese)) : VK_NULL_HANDLE,
      .patch_vertices = 3,
      .fragment = is_mesh      ? client_shader(client, rings_frag, sizeof(rings_frag))
                  : is_divided ? client_shader(client, waves_frag, sizeof(waves_frag))
                               : client_shader(client, fans_frag, sizeof(fans_frag)),
      .layout = client_pipeline_layout(client, NULL, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = is_divided ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
      .has_depth = true,
      .has_depth_write = true,
      .has_blend = true,
   };
   VkPipeline pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   picture.pixels = client_buffer_create(client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   const VkClearValue clears[2] = {{.color.float32 = {0, 0, 0, 0}}, {.depthStencil = {1, 0}}};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   VkCommandBuffer cmd = client_begin(client);
   if (scene == DENSE)
      density_upload(&density, cmd);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 2, clears);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   if (captured) {
      const VkBuffer buffers[2] = {captured[0].buffer, captured[1].buffer};
      DEVICE_FUNCTION(client, CmdBindTransformFeedbackBuffersEXT)(cmd, 0, 2, buffers, (const VkDeviceSize[2]){0, 0}, NULL);
      DEVICE_FUNCTION(client, CmdBeginTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
   }
   if (is_mesh)
      DEVICE_FUNCTION(client, CmdDrawMeshTasksEXT)(cmd, 40, 30, 1);
   else
      vk.CmdDraw(cmd, is_divided ? CORNERS : POINTS, 1, 0, 0);
   if (captured)
      DEVICE_FUNCTION(client, CmdEndTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture.pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(client, cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.task, NULL);
   vk.DestroyShaderModule(client->device, info.mesh, NULL);
   vk.DestroyShaderModule(client->device, info.geometry, NULL);
   vk.DestroyShaderModule(client->device, info.control, NULL);
   vk.DestroyShaderModule(client->device, info.evaluation, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   client_image_destroy(client, &image);
   client_image_destroy(client, &depths);
   if (scene == DENSE)
      density_finish(&density, client);
   return picture;
}

/* On a device of its own, with the extension. */
static void print_rings(FILE *out)
{
   struct client client;
   VkPhysicalDeviceVulkan11Features draws = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .shaderDrawParameters = VK_TRUE};
   const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = &draws, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   client_init(&client, &(struct client_options){.next = &meshes,
                                                 .device_extension = VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_3});
   print_hash(out, &client, draw_scene(&client, NULL, RINGS));
   client_finish(&client);
}

/* The same for shading rates. */
static void print_coarse(FILE *out)
{
   struct client client;
   static const VkPhysicalDeviceFeatures features = {.tessellationShader = VK_TRUE};
   const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR, .pipelineFragmentShadingRate = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features,
                                                 .next = &rates,
                                                 .device_extension = VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_2});
   print_hash(out, &client, draw_scene(&client, NULL, COARSE));
   client_finish(&client);
}

/* And for density maps. False: the map changes nothing. */
static bool print_dense(FILE *out)
{
   struct client client;
   static const VkPhysicalDeviceFeatures features = {.tessellationShader = VK_TRUE};
   const VkPhysicalDeviceFragmentDensityMapFeaturesEXT densities = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
                                                                   .fragmentDensityMap = VK_TRUE, .fragmentDensityMapNonSubsampledImages = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features,
                                                 .next = &densities,
                                                 .device_extension = VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_2});
   struct demo_picture plain = draw_scene(&client, NULL, WAVES), dense = draw_scene(&client, NULL, DENSE);
   const bool differs = memcmp(plain.pixels.map, dense.pixels.map, plain.pixels.size_bytes) != 0;
   client_buffer_destroy(&client, &plain.pixels);
   print_hash(out, &client, dense);
   client_finish(&client);
   return differs;
}

static int child(void)
{
   struct client client;
   FILE *out = fdopen(dup(STDOUT_FILENO), "w");
   if (!out || !freopen("/dev/null", "w", stdout))
      client_die("no output");
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE};
   const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
      .transformFeedback = VK_TRUE,
      .geometryStreams = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features,
                                                 .next = &feedback,
                                                 .device_extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_1});
   print_hash(out, &client, demo_fractal(&client));
   print_hash(out, &client, demo_scene(&client));
   print_hash(out, &client, draw_scene(&client, NULL, STARS));
   print_hash(out, &client, draw_scene(&client, NULL, WAVES));
   struct client_buffer captured[2];
   static const size_t sizes[2] = {8 << 20, 1000003}; /* the second ends within a vertex, before all is captured */
   for (uint32_t i = 0; i < 2; i++)
      captured[i] = client_buffer_create(&client, sizes[i], VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
   print_hash(out, &client, draw_scene(&client, captured, STARS));
   for (uint32_t i = 0; i < 2; i++)
      print_buffer(out, &client, &captured[i]);
   bool is_right = demo_matmul(&client) && demo_histogram(&client);
   client_finish(&client);
   print_rings(out);
   crowd_print(out);
   print_coarse(out);
   is_right &= print_dense(out);
   fprintf(out, "%s\n", is_right ? "right" : "wrong");
   fclose(out);
   return 0;
}

static const struct client_configuration configurations[] = {
   {"16", "1", "v4"}, {"16", "0", "v4"}, {"16", "2", "v4"}, {"16", "16", "v4"}, {"16", "64", "v4"}, {"8", "2", "v4"},
   {"8", "1", "v3"},  {"4", "2", "v3"},  {"4", "1", "v2"},  {"16", "2", "v2"},
};

int main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--child"))
      return child();
   return client_child_compare("same_bits_test", configurations, sizeof(configurations) / sizeof(configurations[0]));
}
