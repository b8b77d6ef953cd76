/* SPDX-License-Identifier: MIT
 * Fragment density maps: the fragments that a map asks for, in render passes and without, at offsets; formats and limits.
 * Spec: Fragment Density Map Operations. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "corners.vert.h"
#include "density.frag.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, HEIGHT = 60, MAP_WIDTH = 12, MAP_HEIGHT = 4, TEXEL_WIDTH = 8, TEXEL_HEIGHT = 16 }; /* 100 / 12 is 8, 60 / 4 is 15 */

struct scene {
   struct client client;
   struct client_image color, map;
   struct client_buffer texels, pixels;
   VkPipelineLayout layout;
   VkShaderModule vertex, fragment;
   VkOffset2D offset; /* by which the map is moved */
};

#ifdef VK_EXT_fragment_density_map_offset
static const VkImageCreateFlags moved = VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT;
#else
static const VkImageCreateFlags moved = 0;
#endif

#define DEVICE_FUNCTION(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

static void init(struct scene *s, VkSampleCountFlagBits samples)
{
   static const char *const extensions[] = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME, VK_EXT_FRAGMENT_DENSITY_MAP_2_EXTENSION_NAME,
                                            VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
#ifdef VK_EXT_fragment_density_map_offset
                                            VK_EXT_FRAGMENT_DENSITY_MAP_OFFSET_EXTENSION_NAME,
#endif
   };
   static const VkPhysicalDeviceFeatures features = {.sampleRateShading = VK_TRUE};
   VkPhysicalDeviceMaintenance5FeaturesKHR maintenance = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR, .maintenance5 = VK_TRUE};
   void *next = &maintenance;
#ifdef VK_EXT_fragment_density_map_offset
   VkPhysicalDeviceFragmentDensityMapOffsetFeaturesEXT offsets = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_OFFSET_FEATURES_EXT, .pNext = next, .fragmentDensityMapOffset = VK_TRUE};
   next = &offsets;
#endif
   VkPhysicalDeviceFragmentDensityMap2FeaturesEXT deferred = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_FEATURES_EXT, .pNext = next, .fragmentDensityMapDeferred = VK_TRUE};
   VkPhysicalDeviceVulkan13Features core = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &deferred, .dynamicRendering = VK_TRUE};
   const VkPhysicalDeviceFragmentDensityMapFeaturesEXT densities = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
      .pNext = &core,
      .fragmentDensityMap = VK_TRUE,
      .fragmentDensityMapDynamic = VK_TRUE,
      .fragmentDensityMapNonSubsampledImages = VK_TRUE};
   *s = (struct scene){0};
   client_init(&s->client, &(struct client_options){.features = &features,
                                                    .next = &densities,
                                                    .device_extensions = extensions,
                                                    .num_device_extensions = sizeof(extensions) / sizeof(extensions[0]),
                                                    .api_version = VK_API_VERSION_1_3});
   s->color = client_image_create_flags(&s->client, moved, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, 1, samples,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   s->map = client_image_create_flags(&s->client, moved, VK_FORMAT_R8G8_UNORM, MAP_WIDTH, MAP_HEIGHT, 1, VK_SAMPLE_COUNT_1_BIT,
                                VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   s->texels = client_buffer_create(&s->client, MAP_WIDTH * MAP_HEIGHT * 2, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   s->pixels = client_buffer_create(&s->client, WIDTH * HEIGHT * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   s->layout = client_pipeline_layout(&s->client, NULL, 48);
   s->vertex = client_shader(&s->client, corners_vert, sizeof(corners_vert));
   s->fragment = client_shader(&s->client, density_frag, sizeof(density_frag));
   for (uint32_t i = 0; i < MAP_WIDTH * MAP_HEIGHT * 2; i++)
      ((uint8_t *)s->texels.map)[i] = (const uint8_t[]){255, 127, 63, 90, 1}[i * 7 % 5];
}

static void finish(struct scene *s)
{
   vk.DestroyPipelineLayout(s->client.device, s->layout, NULL);
   vk.DestroyShaderModule(s->client.device, s->vertex, NULL);
   vk.DestroyShaderModule(s->client.device, s->fragment, NULL);
   client_buffer_destroy(&s->client, &s->texels);
   client_buffer_destroy(&s->client, &s->pixels);
   client_image_destroy(&s->client, &s->map);
   client_image_destroy(&s->client, &s->color);
   client_finish(&s->client);
}

static VkCommandBuffer begin(struct scene *s)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {MAP_WIDTH, MAP_HEIGHT, 1}};
   VkCommandBuffer cmd = client_begin(&s->client);
   client_transition(cmd, &s->map, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   vk.CmdCopyBufferToImage(cmd, s->texels.buffer, s->map.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
   client_transition(cmd, &s->map, 0, 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT);
   return cmd;
}

static void draw(struct scene *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_ALL, 0, 48, (const float[3][4]){{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}});
   vk.CmdDraw(cmd, 3, 1, 0, 0);
}

static void end(struct scene *s, VkCommandBuffer cmd)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {WIDTH, HEIGHT, 1}};
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, s->color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, s->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

static uint32_t edge_of(uint8_t density)
{
   return density > 127 ? 1 : density > 63 ? 2 : 4;
}

static uint32_t map_texel(uint32_t pixel, int32_t offset, int64_t texel_size, int64_t map_size)
{
   const int64_t at = (int64_t)pixel - offset;
   return at < 0 ? 0 : (uint32_t)(at / texel_size < map_size ? at / texel_size : map_size - 1);
}

/* Pixels whose fragment is not as the map says; without one, as large as a texel. */
static uint32_t count_wrong(const struct scene *s, bool has_map)
{
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++) {
         const uint32_t map_x = map_texel(x, s->offset.x, TEXEL_WIDTH, MAP_WIDTH), map_y = map_texel(y, s->offset.y, TEXEL_HEIGHT, MAP_HEIGHT);
         const uint8_t *density = (const uint8_t *)s->texels.map + (map_y * MAP_WIDTH + map_x) * 2;
         const uint8_t expected[4] = {(uint8_t)(has_map ? edge_of(density[0]) : 1), (uint8_t)(has_map ? edge_of(density[1]) : 1), 1, 255};
         wrong += memcmp((const uint8_t *)s->pixels.map + (y * WIDTH + x) * 4, expected, 4) != 0;
      }
   }
   return wrong;
}

static struct client_graphics plain(const struct scene *s)
{
   return (struct client_graphics){.vertex = s->vertex,
                                   .fragment = s->fragment,
                                   .layout = s->layout,
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
}

/* Where there is an offset the end of the rendering says so. */
static void end_pass(const struct scene *s, VkCommandBuffer cmd)
{
   VkSubpassEndInfo info = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
#ifdef VK_EXT_fragment_density_map_offset
   const VkRenderPassFragmentDensityMapOffsetEndInfoEXT offset = {VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT, NULL, 1, &s->offset};
   if (s->offset.x || s->offset.y)
      info.pNext = &offset;
#endif
   DEVICE_FUNCTION(&s->client, CmdEndRenderPass2)(cmd, &info);
}

static void end_rendering(const struct scene *s, VkCommandBuffer cmd)
{
#ifdef VK_EXT_fragment_density_map_offset
   const VkRenderPassFragmentDensityMapOffsetEndInfoEXT offset = {VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT, NULL, 1, &s->offset};
   const VkRenderingEndInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_EXT, .pNext = &offset};
   if (s->offset.x || s->offset.y) {
      DEVICE_FUNCTION(&s->client, CmdEndRendering2EXT)(cmd, &info);
      return;
   }
#endif
   DEVICE_FUNCTION(&s->client, CmdEndRendering)(cmd);
}

static void check_pass(bool has_map, VkOffset2D offset)
{
   struct scene s;
   init(&s, VK_SAMPLE_COUNT_1_BIT);
   s.offset = offset;
   const VkAttachmentDescription attachments[2] = {
      {.format = s.color.format,
       .samples = VK_SAMPLE_COUNT_1_BIT,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {.format = s.map.format,
       .samples = VK_SAMPLE_COUNT_1_BIT,
       .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
       .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .initialLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT,
       .finalLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT}};
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkRenderPassFragmentDensityMapCreateInfoEXT map = {VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT, NULL,
                                                            {has_map ? 1 : VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .pNext = &map,
                                        .attachmentCount = 2,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(s.client.device, &info, NULL, &pass), "vkCreateRenderPass");
   VkFramebuffer framebuffer = client_framebuffer(&s.client, pass, 2, (const VkImageView[]){s.color.view, s.map.view}, WIDTH, HEIGHT);
   struct client_graphics graphics = plain(&s);
   graphics.pass = pass;
   VkPipeline pipeline = client_graphics_pipeline(&s.client, &graphics, VK_NULL_HANDLE);
   const VkClearValue clears[2] = {{.color.float32 = {0}}};
   const VkRenderPassBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .renderPass = pass,
                                             .framebuffer = framebuffer,
                                             .renderArea.extent = {WIDTH, HEIGHT},
                                             .clearValueCount = 2,
                                             .pClearValues = clears};
   VkCommandBuffer cmd = begin(&s);
   vk.CmdBeginRenderPass(cmd, &begin_info, VK_SUBPASS_CONTENTS_INLINE);
   draw(&s, cmd, pipeline);
   end_pass(&s, cmd);
   end(&s, cmd);
   CHECK_EQ(count_wrong(&s, has_map), 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   vk.DestroyFramebuffer(s.client.device, framebuffer, NULL);
   vk.DestroyRenderPass(s.client.device, pass, NULL);
   finish(&s);
}

TEST(render_passes)
{
   check_pass(false, (VkOffset2D){0, 0});
   check_pass(true, (VkOffset2D){0, 0});
}

static void check_dynamic(bool has_map, VkOffset2D offset)
{
   struct scene s;
   init(&s, VK_SAMPLE_COUNT_1_BIT);
   s.offset = offset;
   const VkPipelineCreateFlags2CreateInfoKHR flags = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
      .flags = has_map ? VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT : 0};
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .pNext = &flags,
                                                    .colorAttachmentCount = 1,
                                                    .pColorAttachmentFormats = &s.color.format};
   struct client_graphics graphics = plain(&s);
   graphics.next = &rendering;
   VkPipeline pipeline = client_graphics_pipeline(&s.client, &graphics, VK_NULL_HANDLE);
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = s.color.view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingFragmentDensityMapAttachmentInfoEXT map = {VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT, NULL,
                                                               has_map ? s.map.view : VK_NULL_HANDLE,
                                                               VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .pNext = &map,
                                 .renderArea.extent = {WIDTH, HEIGHT},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   VkCommandBuffer cmd = begin(&s);
   DEVICE_FUNCTION(&s.client, CmdBeginRendering)(cmd, &info);
   draw(&s, cmd, pipeline);
   end_rendering(&s, cmd);
   end(&s, cmd);
   CHECK_EQ(count_wrong(&s, has_map), 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   finish(&s);
}

TEST(dynamic_rendering)
{
   check_dynamic(false, (VkOffset2D){0, 0});
   check_dynamic(true, (VkOffset2D){0, 0});
}

/* Multiples of the granularity, and what no map is that large for: its edge is all there is. */
#ifdef VK_EXT_fragment_density_map_offset
TEST(offsets)
{
   static const VkOffset2D offsets[] = {{8, -16}, {-24, 32}, {48, 0}, {INT32_MIN, INT32_MAX - 7}};
   for (uint32_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
      check_pass(true, offsets[i]);
      check_dynamic(true, offsets[i]);
   }
}
#endif

/* Only formats that can be read as a density may be one. */
TEST(formats)
{
   struct scene s;
   VkFormatProperties properties;
   init(&s, VK_SAMPLE_COUNT_1_BIT);
   vk.GetPhysicalDeviceFormatProperties(s.client.physical_device, VK_FORMAT_R8G8_UNORM, &properties);
   CHECK(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_FRAGMENT_DENSITY_MAP_BIT_EXT);
   vk.GetPhysicalDeviceFormatProperties(s.client.physical_device, VK_FORMAT_R32G32_SFLOAT, &properties);
   CHECK(!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_FRAGMENT_DENSITY_MAP_BIT_EXT));
   finish(&s);
}

TEST_MAIN
