/* SPDX-License-Identifier: MIT
 * Geometry shaders: what they read, what becomes of what they emit. Spec: Geometry Shading; Drawing. */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "built_in.frag.h"
#include "colour.frag.h"
#include "layers.geom.h"
#include "lines.geom.h"
#include "numbered.vert.h"
#include "order.geom.h"
#include "points.geom.h"
#include "read_lines.geom.h"
#include "read_lines_adjacency.geom.h"
#include "read_points.geom.h"
#include "read_triangles.geom.h"
#include "read_triangles_adjacency.geom.h"
#include "strips.geom.h"
#include "views.geom.h"

#include <stdlib.h>

enum { SIZE = 32, LAYERS = 4, WORDS = 4096 };

struct module {
   const uint32_t *words;
   size_t bytes;
};
#define MODULE(name) (struct module){name, sizeof(name)}

struct options {
   struct module geometry, fragment;
   VkPrimitiveTopology topology;
   bool provokes_last, has_restart;
   int32_t length; /* specialization constant 0 of the geometry shader */
   uint32_t view_mask;
   bool is_linked; /* from two libraries */
   const void *next; /* of the pipeline */
};

struct scene {
   struct client client;
   struct client_buffer words, pixels, indices; /* of 32 bits, where there are any */
   struct client_set set;
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipelineLayout layout;
   VkShaderModule modules[3];
   VkPipeline libraries[2], pipeline;
};

static void make_target(struct scene *s, uint32_t view_mask)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .extent = {SIZE, SIZE, 1},
      .mipLevels = 1,
      .arrayLayers = LAYERS,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
   };
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(s->client.device, &info, NULL, &s->image), "vkCreateImage");
   vk.GetImageMemoryRequirements(s->client.device, s->image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(s->client.device, &allocate, NULL, &s->memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(s->client.device, s->image, s->memory, 0), "vkBindImageMemory");
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = s->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                       .format = info.format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS}};
   client_check(vk.CreateImageView(s->client.device, &view, NULL, &s->view), "vkCreateImageView");

   const VkAttachmentDescription attachment = {.format = info.format,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                               .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassMultiviewCreateInfo views = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, .subpassCount = 1, .pViewMasks = &view_mask};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .pNext = view_mask ? &views : NULL,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   client_check(vk.CreateRenderPass(s->client.device, &pass, NULL, &s->pass), "vkCreateRenderPass");
   const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                .renderPass = s->pass,
                                                .attachmentCount = 1,
                                                .pAttachments = &s->view,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .layers = view_mask ? 1 : LAYERS};
   client_check(vk.CreateFramebuffer(s->client.device, &framebuffer, NULL, &s->framebuffer), "vkCreateFramebuffer");
}

/* The stages before rasterization in one library, the rest in another. Stages: geometry, fragment, vertex. */
static void link_pipeline(struct scene *s, const VkGraphicsPipelineCreateInfo *whole)
{
   const VkPipelineShaderStageCreateInfo early[2] = {whole->pStages[0], whole->pStages[2]};
   for (uint32_t i = 0; i < 2; i++) {
      VkGraphicsPipelineLibraryCreateInfoEXT parts = {
         .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
         .flags = i ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                    : VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
      VkGraphicsPipelineCreateInfo info = *whole;
      parts.pNext = (void *)(uintptr_t)whole->pNext;
      info.pNext = &parts;
      info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
      info.stageCount = i ? 1 : 2;
      info.pStages = i ? &whole->pStages[1] : early;
      client_check(vk.CreateGraphicsPipelines(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &s->libraries[i]),
                   "vkCreateGraphicsPipelines");
   }
   const VkPipelineLibraryCreateInfoKHR linked = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                  .libraryCount = 2,
                                                  .pLibraries = s->libraries};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = s->layout};
   client_check(vk.CreateGraphicsPipelines(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipeline),
                "vkCreateGraphicsPipelines");
}

static void make_pipeline(struct scene *s, const struct options *o)
{
   const VkSpecializationMapEntry entry = {0, 0, sizeof(o->length)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(o->length), &o->length};
   VkPipelineShaderStageCreateInfo stages[3];
   static const VkShaderStageFlagBits bits[] = {VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                VK_SHADER_STAGE_VERTEX_BIT}; /* in any order */
   const struct module modules[] = {o->geometry, o->fragment, MODULE(numbered_vert)};
   for (uint32_t i = 0; i < 3; i++) {
      s->modules[i] = client_shader(&s->client, modules[i].words, modules[i].bytes);
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                    .stage = bits[i],
                                                    .module = s->modules[i],
                                                    .pName = "main",
                                                    .pSpecializationInfo = i == 0 && o->length ? &specialization : NULL};
   }
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = o->topology, .primitiveRestartEnable = o->has_restart};
   const VkViewport viewports[2] = {{0, 0, SIZE, SIZE, 0, 1}, {8, 8, 8, 8, 0, 1}};
   const VkRect2D scissors[2] = {{{0, 0}, {SIZE, SIZE}}, {{0, 0}, {SIZE, SIZE}}};
   const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                       .viewportCount = 2,
                                                       .pViewports = viewports,
                                                       .scissorCount = 2,
                                                       .pScissors = scissors};
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = o->provokes_last ? &provoking : NULL,
      .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = 1,
                                                      .pAttachments = &attachment};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = o->next,
                                              .stageCount = 3,
                                              .pStages = stages,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &viewport,
                                              .pRasterizationState = &rasterization,
                                              .pMultisampleState = &multisample,
                                              .pColorBlendState = &blend,
                                              .layout = s->layout,
                                              .renderPass = s->pass};
   if (o->is_linked)
      link_pipeline(s, &info);
   else
      client_check(vk.CreateGraphicsPipelines(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipeline),
                   "vkCreateGraphicsPipelines");
}

static void scene_init(struct scene *s, const struct options *o)
{
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                                     .shaderTessellationAndGeometryPointSize = VK_TRUE,
                                                     .shaderClipDistance = VK_TRUE,
                                                     .shaderCullDistance = VK_TRUE,
                                                     .multiViewport = VK_TRUE,
                                                     .vertexPipelineStoresAndAtomics = VK_TRUE,
                                                     .pipelineStatisticsQuery = VK_TRUE};
   VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, .provokingVertexLast = VK_TRUE};
   VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, .graphicsPipelineLibrary = VK_TRUE};
   const VkPhysicalDeviceMultiviewFeatures multiview = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
                                                        .pNext = o->is_linked ? (void *)&library : &provoking,
                                                        .multiview = VK_TRUE,
                                                        .multiviewGeometryShader = VK_TRUE};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   *s = (struct scene){0};
   client_init(&s->client, &(struct client_options){.features = &features,
                                                    .next = &multiview,
                                                    .device_extension = o->is_linked ? VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME
                                                                                     : VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME,
                                                    .api_version = VK_API_VERSION_1_3});
   s->words = client_buffer_create(&s->client, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   s->pixels = client_buffer_create(&s->client, SIZE * SIZE * LAYERS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   s->set = client_set_create(&s->client, 1, &type);
   client_set_buffer(&s->client, &s->set, 0, type, &s->words);
   s->layout = client_pipeline_layout(&s->client, &s->set, 0);
   make_target(s, o->view_mask);
   make_pipeline(s, o);
}

static void scene_finish(struct scene *s)
{
   VkDevice device = s->client.device;
   vk.DestroyPipeline(device, s->pipeline, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyPipeline(device, s->libraries[i], NULL);
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(device, s->modules[i], NULL);
   vk.DestroyPipelineLayout(device, s->layout, NULL);
   vk.DestroyFramebuffer(device, s->framebuffer, NULL);
   vk.DestroyRenderPass(device, s->pass, NULL);
   vk.DestroyImageView(device, s->view, NULL);
   vk.DestroyImage(device, s->image, NULL);
   vk.FreeMemory(device, s->memory, NULL);
   client_set_destroy(&s->client, &s->set);
   client_buffer_destroy(&s->client, &s->words);
   client_buffer_destroy(&s->client, &s->indices);
   client_buffer_destroy(&s->client, &s->pixels);
   client_finish(&s->client);
}

/* Draws vertices or indices, under a query if that is not null. */
static void draw(struct scene *s, uint32_t first, uint32_t count, uint32_t instances, VkQueryPool query)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, LAYERS},
                                     .imageExtent = {SIZE, SIZE, 1}};
   VkCommandBuffer cmd = client_begin(&s->client);
   if (query)
      vk.CmdResetQueryPool(cmd, query, 0, 1);
   client_begin_pass(cmd, s->pass, s->framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set.set, 0, NULL);
   if (query)
      vk.CmdBeginQuery(cmd, query, 0, 0);
   if (s->indices.buffer) {
      vk.CmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
      vk.CmdDrawIndexed(cmd, count, instances, first, 0, 0);
   } else {
      vk.CmdDraw(cmd, count, instances, first, 0);
   }
   if (query)
      vk.CmdEndQuery(cmd, query, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, s->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, s->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

static const uint8_t *texel(const struct scene *s, uint32_t x, uint32_t y, uint32_t layer)
{
   return (const uint8_t *)s->pixels.map + ((layer * SIZE + y) * SIZE + x) * 4;
}

/* ---- what is read ---- */

/* Vertex numbers of the first primitives, counted from 1. Spec: Drawing, "Primitive Topologies". */
static void check_order(struct module geometry, VkPrimitiveTopology topology, bool provokes_last, uint32_t count, uint32_t per_prim,
                        uint32_t num_prims, const uint8_t *expected)
{
   struct scene s;
   scene_init(&s, &(struct options){
                     .geometry = geometry, .fragment = MODULE(built_in_frag), .topology = topology, .provokes_last = provokes_last});
   draw(&s, 0, count, 1, VK_NULL_HANDLE);
   const int32_t *words = s.words.map;
   for (uint32_t i = 0; i < num_prims * per_prim; i++)
      CHECK_EQ(words[i], expected[i]);
   CHECK_EQ(words[num_prims * per_prim], 0);
   scene_finish(&s);
}

static void check_inputs(struct module geometry, VkPrimitiveTopology topology, uint32_t count, uint32_t per_prim, uint32_t num_prims,
                         const uint8_t *expected)
{
   check_order(geometry, topology, false, count, per_prim, num_prims, expected);
}

TEST(inputs_of_every_class)
{
   check_inputs(MODULE(read_points_geom), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 3, 1, 3, (const uint8_t[]){1, 2, 3});
   check_inputs(MODULE(read_lines_geom), VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 5, 2, 2, (const uint8_t[]){1, 2, 3, 4});
   check_inputs(MODULE(read_lines_geom), VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 4, 2, 3, (const uint8_t[]){1, 2, 2, 3, 3, 4});
   check_inputs(MODULE(read_triangles_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 6, 3, 2,
                (const uint8_t[]){1, 2, 3, 4, 5, 6});
   check_inputs(MODULE(read_triangles_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 6, 3, 4,
                (const uint8_t[]){1, 2, 3, 2, 4, 3, 3, 4, 5, 4, 6, 5});
   check_inputs(MODULE(read_triangles_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 5, 3, 3,
                (const uint8_t[]){2, 3, 1, 3, 4, 1, 4, 5, 1});
}

TEST(adjacent_vertices)
{
   check_inputs(MODULE(read_lines_adjacency_geom), VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 9, 4, 2,
                (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8});
   check_inputs(MODULE(read_lines_adjacency_geom), VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 5, 4, 2,
                (const uint8_t[]){1, 2, 3, 4, 2, 3, 4, 5});
   check_inputs(MODULE(read_triangles_adjacency_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 12, 6, 2,
                (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
   check_inputs(MODULE(read_triangles_adjacency_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 10, 6, 3,
                (const uint8_t[]){1, 2, 3, 7, 5, 4, 3, 6, 7, 9, 5, 1, 5, 3, 7, 10, 9, 8});
}

/* Where the last vertex provokes it is the last one that is read; windings are as ever. */
TEST(provoking_vertex_is_read_last)
{
   check_order(MODULE(read_triangles_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, true, 6, 3, 2, (const uint8_t[]){1, 2, 3, 4, 5, 6});
   check_order(MODULE(read_triangles_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, 6, 3, 4,
               (const uint8_t[]){1, 2, 3, 3, 2, 4, 3, 4, 5, 5, 4, 6});
   check_order(MODULE(read_triangles_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, 5, 3, 3, (const uint8_t[]){1, 2, 3, 1, 3, 4, 1, 4, 5});
   check_order(MODULE(read_triangles_adjacency_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, true, 10, 6, 3,
               (const uint8_t[]){1, 2, 3, 7, 5, 4, 5, 1, 3, 6, 7, 9, 5, 3, 7, 10, 9, 8});
}

/* ---- what is made of what is emitted ---- */

static void check_points(int32_t length, bool is_linked)
{
   struct scene s;
   scene_init(&s, &(struct options){.geometry = MODULE(points_geom), .fragment = MODULE(colour_frag), .length = length,
                                    .is_linked = is_linked,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   draw(&s, 0, 8, 1, VK_NULL_HANDLE);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t number = y / 4, max = length ? (uint32_t)length : number;
         const bool is_there = x < UTIL_MIN(max, 8u);
         const uint8_t expected[4] = {(uint8_t)(is_there ? x + 1 : 0), (uint8_t)(is_there ? number : 0),
                                      (uint8_t)(is_there ? y % 4 : 0), is_there ? 255 : 0};
         wrong += memcmp(texel(&s, x, y, 0), expected, 4) != 0;
      }
   }
   CHECK_EQ(wrong, 0);
   scene_finish(&s);
}

TEST(invocations_emit_different_numbers)
{
   check_points(0, false);
}

/* No more than max_vertices, however many there are. */
TEST(endless_emits)
{
   check_points(8, false);
   check_points(100000, false);
}

TEST(linked_from_libraries)
{
   check_points(0, true);
}

static void check_strips(bool provokes_last)
{
   struct scene s;
   scene_init(&s, &(struct options){.geometry = MODULE(strips_geom), .fragment = MODULE(colour_frag),
                                    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .provokes_last = provokes_last});
   draw(&s, 0, 8, 1, VK_NULL_HANDLE);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t number = x / 4, strip = y / 4;
         const bool is_there = strip < number && y % 4 < 2;
         const bool is_second = 2 * (x % 4) + 1 + 4 * (y % 4) + 2 > 8; /* right of the diagonal from (4, 0) to (0, 2) */
         const uint32_t corner = (provokes_last ? 3 : 1) + is_second;
         const bool is_on_diagonal = 2 * (x % 4) + 1 + 4 * (y % 4) + 2 == 8;
         const uint8_t *at = texel(&s, x, y, 0);
         wrong += is_there ? at[1] != number || (!is_on_diagonal && at[0] != strip * 4 + corner) : at[3] != 0;
      }
   }
   CHECK_EQ(wrong, 0);
   scene_finish(&s);
}

TEST(triangle_strips)
{
   check_strips(false);
   check_strips(true);
}

TEST(line_strips)
{
   for (uint32_t last = 0; last < 2; last++) {
      struct scene s;
      scene_init(&s, &(struct options){.geometry = MODULE(lines_geom), .fragment = MODULE(colour_frag),
                                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .provokes_last = last});
      draw(&s, 0, 8, 1, VK_NULL_HANDLE);
      uint32_t wrong = 0;
      for (uint32_t y = 0; y < SIZE; y++) {
         for (uint32_t x = 0; x < SIZE; x++) {
            const uint32_t number = x / 4, strip = y / 4;
            const uint8_t *at = texel(&s, x, y, 0);
            if (strip < number && y % 4 == 0)
               wrong += at[0] != strip * 4 + 1 + last + (x % 4 >= 2) || at[1] != number;
            else
               wrong += at[3] != 0;
         }
      }
      CHECK_EQ(wrong, 0);
      scene_finish(&s);
   }
}

/* ---- where it goes ---- */

/* Numbers from 4 on ask for layers and viewports that do not exist: such a layer is the last one, such a viewport the first. */
TEST(layers_and_viewports)
{
   struct scene s;
   scene_init(&s, &(struct options){.geometry = MODULE(layers_geom), .fragment = MODULE(built_in_frag),
                                    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   draw(&s, 0, 4, 1, VK_NULL_HANDLE);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < SIZE * SIZE; i++) {
         const uint32_t x = i % SIZE, y = i / SIZE;
         const bool is_inside = layer % 2 == 0 || (x >= 8 && x < 16 && y >= 8 && y < 16);
         const uint8_t expected[4] = {(uint8_t)(layer + 10), (uint8_t)layer, (uint8_t)(layer % 2), 255}, none[4] = {0};
         wrong += memcmp(texel(&s, x, y, layer), is_inside ? expected : none, 4) != 0;
      }
      CHECK_EQ(wrong, 0);
   }
   draw(&s, 4, 1, 1, VK_NULL_HANDLE);
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < LAYERS * SIZE * SIZE; i++)
      wrong += texel(&s, i % SIZE, i / SIZE % SIZE, i / (SIZE * SIZE))[0] != (i / (SIZE * SIZE) == LAYERS - 1 ? 14 : 0);
   CHECK_EQ(wrong, 0);
   draw(&s, 5, 2000, 1, VK_NULL_HANDLE);
   scene_finish(&s);
}

TEST(views)
{
   struct scene s;
   scene_init(&s, &(struct options){.geometry = MODULE(views_geom), .fragment = MODULE(colour_frag), .view_mask = 0xb,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   draw(&s, 0, 1, 1, VK_NULL_HANDLE);
   CHECK_EQ(texel(&s, 5, 5, 0)[0], 1);
   CHECK_EQ(texel(&s, 5, 5, 1)[0], 2);
   CHECK_EQ(texel(&s, 5, 5, 3)[0], 4);
   scene_finish(&s);
}

/* Discard rectangles cut each view, of a pipeline and of one that is linked. */
TEST(discard_rectangles_of_views)
{
   const VkRect2D rects[2] = {{{2, 3}, {20, 9}}, {{30, 30}, {9, 9}}};
   const VkPipelineDiscardRectangleStateCreateInfoEXT discard = {
      VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT, 2, rects};
   for (uint32_t is_linked = 0; is_linked < 2; is_linked++) {
      struct scene s;
      scene_init(&s, &(struct options){.geometry = MODULE(views_geom), .fragment = MODULE(colour_frag), .view_mask = 0xb, .next = &discard,
                                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .is_linked = is_linked});
      draw(&s, 0, 1, 1, VK_NULL_HANDLE);
      for (uint32_t layer = 0; layer < LAYERS; layer++) {
         uint32_t wrong = 0;
         for (uint32_t y = 0; y < SIZE; y++)
            for (uint32_t x = 0; x < SIZE; x++) {
               const bool is_cut = (x >= 2 && x < 22 && y >= 3 && y < 12) || (x >= 30 && y >= 30);
               wrong += texel(&s, x, y, layer)[0] != (is_cut ? 0 : layer + 1);
            }
         CHECK(!wrong || layer == 2); /* that is no view */
      }
      scene_finish(&s);
   }
}

/* Many primitives, so that packets and chunks end in the middle of them; statistics count each once. */
TEST(order_distances_and_statistics)
{
   enum { PRIMS = 3000, QUADS = PRIMS * 3 };
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
      .queryCount = 1,
      .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT,
   };
   struct scene s;
   VkQueryPool pool;
   scene_init(&s, &(struct options){.geometry = MODULE(order_geom), .fragment = MODULE(colour_frag),
                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
   client_check(vk.CreateQueryPool(s.client.device, &info, NULL, &pool), "vkCreateQueryPool");
   draw(&s, 0, PRIMS * 3, 1, pool);
   uint64_t counts[4] = {0};
   client_check(vk.GetQueryPoolResults(s.client.device, pool, 0, 1, sizeof(counts), counts, sizeof(counts),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   CHECK_EQ(counts[0], PRIMS * 3);
   CHECK_EQ(counts[1], QUADS);
   CHECK_EQ(counts[2], QUADS * 2);
   CHECK_EQ(counts[3], QUADS * 2);
   uint32_t wrong = 0;
   for (uint32_t x = 0; x < SIZE; x++) {
      uint32_t last = QUADS - 1;
      while (last % 5 == 4 || last % 32 > x)
         last--;
      const uint8_t expected[4] = {(uint8_t)last, (uint8_t)(last >> 8), 0, 255};
      for (uint32_t y = 0; y < SIZE; y++)
         wrong += memcmp(texel(&s, x, y, 0), expected, 4) != 0;
   }
   CHECK_EQ(wrong, 0);
   vk.DestroyQueryPool(s.client.device, pool, NULL);
   scene_finish(&s);
}

/* Indices that restart are no vertices. */
TEST(restarts_are_not_counted)
{
   static const uint32_t indices[] = {0, 1, 2, UINT32_MAX, 3, 4, UINT32_MAX, UINT32_MAX, 5, 6, 7, 8};
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                       .queryCount = 1,
                                       .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                                             VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT};
   struct scene s;
   VkQueryPool pool;
   uint64_t counts[2] = {0};
   scene_init(&s, &(struct options){.geometry = MODULE(read_lines_geom), .fragment = MODULE(built_in_frag), .has_restart = true,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP});
   s.indices = client_buffer_create(&s.client, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   memcpy(s.indices.map, indices, sizeof(indices));
   client_check(vk.CreateQueryPool(s.client.device, &info, NULL, &pool), "vkCreateQueryPool");
   draw(&s, 0, UTIL_ARRAY_SIZE(indices), 2, pool);
   client_check(vk.GetQueryPoolResults(s.client.device, pool, 0, 1, sizeof(counts), counts, sizeof(counts),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   CHECK_EQ(counts[0], 2 * 9);
   CHECK_EQ(counts[1], 2 * 6);
   vk.DestroyQueryPool(s.client.device, pool, NULL);
   scene_finish(&s);
}

TEST_MAIN
