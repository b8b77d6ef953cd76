/* SPDX-License-Identifier: MIT
 * Transform feedback: what is captured, in which order, and what is counted. Spec: Fixed-Function Vertex Post-Processing,
 * "Transform Feedback"; Queries, "Transform Feedback Queries", "Primitives Generated Queries"; Geometry Shading. */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "colours.geom.h"
#include "layout.vert.h"
#include "lines.geom.h"
#include "number.vert.h"
#include "points.geom.h"
#include "rows.vert.h"
#include "rows_1.geom.h"
#include "rows_24.geom.h"
#include "triangles.geom.h"
#include "white.frag.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 16, BUFFERS = 4, STREAMS = 4, UNTOUCHED = 0x5a5a5a5a };

#define FUNCTIONS(X)                                                                                                   \
   X(CmdBindTransformFeedbackBuffersEXT) X(CmdBeginTransformFeedbackEXT) X(CmdEndTransformFeedbackEXT)                 \
   X(CmdDrawIndirectByteCountEXT) X(CmdBeginQueryIndexedEXT) X(CmdEndQueryIndexedEXT)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

struct module {
   const uint32_t *words;
   size_t bytes;
};
#define MODULE(name) (struct module){name, sizeof(name)}

struct options {
   struct module vertex, geometry; /* geometry: may be empty */
   VkPrimitiveTopology topology;
   bool provokes_last, is_discarded;
   uint32_t stream;   /* that is rasterized */
   size_t words;      /* of each buffer */
};

struct scene {
   struct client client;
   struct client_buffer buffers[BUFFERS], counters, pixels;
   struct client_image image;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipelineLayout layout;
   VkShaderModule modules[3];
   VkPipeline pipeline;
   VkQueryPool captured, generated;
   size_t words;
   uint64_t results[STREAMS][2], num_generated[STREAMS]; /* written, needed */
};

static VkQueryPool make_queries(struct scene *s, VkQueryType type)
{
   VkQueryPool pool;
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = STREAMS};
   client_check(vk.CreateQueryPool(s->client.device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static void make_pipeline(struct scene *s, const struct options *o)
{
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .provokingVertexMode =
         o->provokes_last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT};
   const VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
      .pNext = &provoking,
      .rasterizationStream = o->stream};
   s->modules[0] = client_shader(&s->client, o->vertex.words, o->vertex.bytes);
   s->modules[1] = client_shader(&s->client, white_frag, sizeof(white_frag));
   if (o->geometry.bytes)
      s->modules[2] = client_shader(&s->client, o->geometry.words, o->geometry.bytes);
   s->pipeline = client_graphics_pipeline(&s->client,
                                          &(struct client_graphics){.vertex = s->modules[0],
                                                                    .fragment = s->modules[1],
                                                                    .geometry = s->modules[2],
                                                                    .layout = s->layout,
                                                                    .pass = s->pass,
                                                                    .width = SIZE,
                                                                    .height = SIZE,
                                                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                                                    .topology = o->topology,
                                                                    .is_discarded = o->is_discarded,
                                                                    .rasterization_next = &stream},
                                          VK_NULL_HANDLE);
}

static void scene_init(struct scene *s, const struct options *o)
{
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                                     .shaderTessellationAndGeometryPointSize = VK_TRUE,
                                                     .shaderClipDistance = VK_TRUE,
                                                     .shaderCullDistance = VK_TRUE,
                                                     .shaderFloat64 = VK_TRUE};
   VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
                                                           .provokingVertexLast = VK_TRUE,
                                                           .transformFeedbackPreservesProvokingVertex = VK_TRUE};
   VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
      .pNext = &provoking,
      .primitivesGeneratedQuery = VK_TRUE,
      .primitivesGeneratedQueryWithRasterizerDiscard = VK_TRUE,
      .primitivesGeneratedQueryWithNonZeroStreams = VK_TRUE};
   const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
      .pNext = &generated,
      .transformFeedback = VK_TRUE,
      .geometryStreams = VK_TRUE};
   *s = (struct scene){.words = o->words ? o->words : 1024};
   client_init(&s->client, &(struct client_options){.features = &features,
                                                    .next = &feedback,
                                                    .device_extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                                    .api_version = VK_API_VERSION_1_3});
#define X(name)                                                                                                        \
   ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(s->client.device, "vk" #name);                                        \
   CHECK(ext.name != NULL);
   FUNCTIONS(X)
#undef X
   for (uint32_t i = 0; i < BUFFERS; i++) {
      s->buffers[i] = client_buffer_create(&s->client, s->words * 4, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
      memset(s->buffers[i].map, 0x5a, s->words * 4);
   }
   s->counters = client_buffer_create(&s->client, 64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                                         VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   s->pixels = client_buffer_create(&s->client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   s->image = client_image_create(&s->client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   s->pass = client_render_pass(&s->client, s->image.format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                VK_ATTACHMENT_LOAD_OP_CLEAR);
   s->framebuffer = client_framebuffer(&s->client, s->pass, 1, &s->image.view, SIZE, SIZE);
   s->layout = client_pipeline_layout(&s->client, NULL, 0);
   s->captured = make_queries(s, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
   s->generated = make_queries(s, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
   make_pipeline(s, o);
}

static void scene_finish(struct scene *s)
{
   VkDevice device = s->client.device;
   vk.DestroyQueryPool(device, s->captured, NULL);
   vk.DestroyQueryPool(device, s->generated, NULL);
   vk.DestroyPipeline(device, s->pipeline, NULL);
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(device, s->modules[i], NULL);
   vk.DestroyPipelineLayout(device, s->layout, NULL);
   vk.DestroyFramebuffer(device, s->framebuffer, NULL);
   vk.DestroyRenderPass(device, s->pass, NULL);
   client_image_destroy(&s->client, &s->image);
   for (uint32_t i = 0; i < BUFFERS; i++)
      client_buffer_destroy(&s->client, &s->buffers[i]);
   client_buffer_destroy(&s->client, &s->counters);
   client_buffer_destroy(&s->client, &s->pixels);
   client_finish(&s->client);
}

static VkCommandBuffer begin_pass(struct scene *s)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   VkCommandBuffer cmd = client_begin(&s->client);
   vk.CmdResetQueryPool(cmd, s->captured, 0, STREAMS);
   vk.CmdResetQueryPool(cmd, s->generated, 0, STREAMS);
   client_begin_pass(cmd, s->pass, s->framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   for (uint32_t i = 0; i < STREAMS; i++) {
      ext.CmdBeginQueryIndexedEXT(cmd, s->captured, i, 0, i);
      ext.CmdBeginQueryIndexedEXT(cmd, s->generated, i, 0, i);
   }
   return cmd;
}

static void end_pass(struct scene *s, VkCommandBuffer cmd)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   for (uint32_t i = 0; i < STREAMS; i++) {
      ext.CmdEndQueryIndexedEXT(cmd, s->captured, i, i);
      ext.CmdEndQueryIndexedEXT(cmd, s->generated, i, i);
   }
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, s->image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, s->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(&s->client, cmd);
   client_check(vk.GetQueryPoolResults(s->client.device, s->captured, 0, STREAMS, sizeof(s->results), s->results, 16,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   client_check(vk.GetQueryPoolResults(s->client.device, s->generated, 0, STREAMS, sizeof(s->num_generated), s->num_generated, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
}

static void bind(struct scene *s, VkCommandBuffer cmd, VkDeviceSize offset_bytes, VkDeviceSize size_bytes)
{
   VkBuffer buffers[BUFFERS];
   VkDeviceSize offsets[BUFFERS], sizes[BUFFERS];
   for (uint32_t i = 0; i < BUFFERS; i++) {
      buffers[i] = s->buffers[i].buffer;
      offsets[i] = offset_bytes;
      sizes[i] = size_bytes;
   }
   ext.CmdBindTransformFeedbackBuffersEXT(cmd, 0, BUFFERS, buffers, offsets, sizes);
}

/* One draw, captured as a whole. */
static void draw(struct scene *s, uint32_t first, uint32_t count, uint32_t instances)
{
   VkCommandBuffer cmd = begin_pass(s);
   bind(s, cmd, 0, VK_WHOLE_SIZE);
   ext.CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
   vk.CmdDraw(cmd, count, instances, first, 0);
   ext.CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
   end_pass(s, cmd);
}

/* ---- order ---- */

/* Numbers of the vertices of the first primitives, counted from 1, and then none. */
static void check_order(VkPrimitiveTopology topology, bool provokes_last, uint32_t count, uint32_t num_captured,
                        uint32_t corners, const uint8_t *expected)
{
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(number_vert), .topology = topology, .provokes_last = provokes_last});
   draw(&s, 0, count, 1);
   const int32_t *words = s.buffers[0].map;
   for (uint32_t i = 0; i < num_captured; i++)
      CHECK_EQ(words[i * 2], expected[i]);
   CHECK_EQ(words[num_captured * 2], UNTOUCHED);
   CHECK_EQ(s.results[0][0], num_captured / corners);
   CHECK_EQ(s.results[0][1], num_captured / corners);
   CHECK_EQ(s.num_generated[0], num_captured / corners);
   CHECK_EQ(s.results[1][1], 0);
   scene_finish(&s);
}

TEST(strips_and_fans_are_taken_apart)
{
   check_order(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, 3, 3, 1, (const uint8_t[]){1, 2, 3});
   check_order(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, false, 5, 4, 2, (const uint8_t[]){1, 2, 3, 4});
   check_order(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, true, 4, 6, 2, (const uint8_t[]){1, 2, 2, 3, 3, 4});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, 8, 6, 3, (const uint8_t[]){1, 2, 3, 4, 5, 6});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, true, 6, 6, 3, (const uint8_t[]){1, 2, 3, 4, 5, 6});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, 6, 12, 3, (const uint8_t[]){1, 2, 3, 2, 4, 3, 3, 4, 5, 4, 6, 5});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, 6, 12, 3, (const uint8_t[]){1, 2, 3, 3, 2, 4, 3, 4, 5, 5, 4, 6});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, false, 5, 9, 3, (const uint8_t[]){2, 3, 1, 3, 4, 1, 4, 5, 1});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, 5, 9, 3, (const uint8_t[]){1, 2, 3, 1, 3, 4, 1, 4, 5});
   check_order(VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, false, 9, 4, 2, (const uint8_t[]){2, 3, 6, 7});
   check_order(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, false, 10, 9, 3, (const uint8_t[]){1, 3, 5, 3, 7, 5, 5, 7, 9});
}

/* So many that all chunks and threads have some. */
TEST(order_of_many)
{
   enum { PRIMS = 150000 };
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(number_vert),
                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                    .is_discarded = true,
                                    .words = PRIMS * 2 * 6});
   draw(&s, 7, PRIMS + 2, 2);
   const int32_t *words = s.buffers[0].map;
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < PRIMS * 2; i++) {
      const int32_t n = (int32_t)(i % PRIMS) + 8, odd = (int32_t)(i % PRIMS) & 1;
      const int32_t expected[3] = {n, n + 1 + odd, n + 2 - odd};
      for (uint32_t k = 0; k < 3; k++)
         num_wrong += words[(i * 3 + k) * 2] != expected[k] || words[(i * 3 + k) * 2 + 1] != (int32_t)(i / PRIMS);
   }
   CHECK_EQ(num_wrong, 0);
   CHECK_EQ(s.results[0][0], PRIMS * 2);
   CHECK_EQ(s.num_generated[0], PRIMS * 2);
   scene_finish(&s);
}

/* ---- ends of buffers, counters ---- */

TEST(whole_primitives_only)
{
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(number_vert), .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
   VkCommandBuffer cmd = begin_pass(&s);
   bind(&s, cmd, 8, 3 * 24 + 23); /* three triangles and almost a fourth, behind the first 8 bytes */
   ext.CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
   vk.CmdDraw(cmd, 6, 1, 0, 0);
   vk.CmdDraw(cmd, 9, 1, 30, 0);
   ext.CmdEndTransformFeedbackEXT(cmd, 0, 1, &s.counters.buffer, (const VkDeviceSize[]){12});
   end_pass(&s, cmd);
   static const int32_t expected[] = {1, 2, 3, 4, 5, 6, 31, 32, 33};
   const int32_t *words = s.buffers[0].map;
   CHECK_EQ(words[0], UNTOUCHED);
   for (uint32_t i = 0; i < 9; i++)
      CHECK_EQ(words[2 + i * 2], expected[i]);
   CHECK_EQ(words[2 + 18], UNTOUCHED);
   CHECK_EQ(s.results[0][0], 3);
   CHECK_EQ(s.results[0][1], 5);
   CHECK_EQ(((const uint32_t *)s.counters.map)[3], 3 * 24);
   scene_finish(&s);
}

TEST(goes_on_from_counters)
{
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(number_vert), .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   for (uint32_t i = 0; i < 3; i++) {
      VkCommandBuffer cmd = begin_pass(&s);
      bind(&s, cmd, 0, VK_WHOLE_SIZE);
      ext.CmdBeginTransformFeedbackEXT(cmd, 0, i != 0, &s.counters.buffer, (const VkDeviceSize[]){4});
      vk.CmdDraw(cmd, 2, 1, i * 10, 0);
      ext.CmdEndTransformFeedbackEXT(cmd, 0, 1, &s.counters.buffer, (const VkDeviceSize[]){4});
      vk.CmdDraw(cmd, 5, 1, 90, 0); /* not captured, but generated */
      end_pass(&s, cmd);
      CHECK_EQ(s.results[0][0], 2);
      CHECK_EQ(s.num_generated[0], 7);
      CHECK_EQ(((const uint32_t *)s.counters.map)[1], (i + 1) * 16);
   }
   const int32_t *words = s.buffers[0].map;
   static const int32_t expected[] = {1, 2, 11, 12, 21, 22};
   for (uint32_t i = 0; i < 6; i++)
      CHECK_EQ(words[i * 2], expected[i]);
   CHECK_EQ(words[12], UNTOUCHED);

   /* As many vertices as were captured, less one; each is a point. */
   VkCommandBuffer cmd = begin_pass(&s);
   ext.CmdDrawIndirectByteCountEXT(cmd, 1, 0, s.counters.buffer, 4, 8, 8);
   end_pass(&s, cmd);
   CHECK_EQ(s.num_generated[0], 5);
   scene_finish(&s);
}

/* Counters that no capture has written, counts below their offset, vertices without size. */
TEST(bad_counters)
{
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(number_vert), .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   static const uint32_t values[] = {UINT32_MAX, 4096, 4095, 4089, 3};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(values); i++) {
      ((uint32_t *)s.counters.map)[0] = values[i];
      VkCommandBuffer cmd = begin_pass(&s);
      bind(&s, cmd, 0, VK_WHOLE_SIZE);
      ext.CmdBeginTransformFeedbackEXT(cmd, 0, 1, &s.counters.buffer, NULL);
      vk.CmdDraw(cmd, 3, 1, 0, 0);
      ext.CmdEndTransformFeedbackEXT(cmd, 0, 1, &s.counters.buffer, NULL);
      end_pass(&s, cmd);
      CHECK_EQ(s.results[0][0], values[i] < 4000 ? 3 : 0);
      CHECK_EQ(s.results[0][1], 3);
      CHECK_EQ(s.num_generated[0], 3);
      cmd = begin_pass(&s); /* the counter was written: it is read in a later submission */
      ext.CmdDrawIndirectByteCountEXT(cmd, 1, 0, s.counters.buffer, 0, UINT32_MAX - 3, 8);
      ext.CmdDrawIndirectByteCountEXT(cmd, 1, 0, s.counters.buffer, 0, 0, 0);
      ext.CmdDrawIndirectByteCountEXT(cmd, 1, 0, s.counters.buffer, 64, 0, 4);
      end_pass(&s, cmd);
      CHECK_EQ(s.num_generated[0], 0);
      CHECK_EQ(((const uint32_t *)s.counters.map)[0], values[i] < 4000 ? values[i] + 24 : values[i]);
   }
   scene_finish(&s);
}

/* What goes to a buffer that is not bound is ignored. */
TEST(unbound_buffers)
{
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(layout_vert), .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   VkCommandBuffer cmd = begin_pass(&s);
   ext.CmdBindTransformFeedbackBuffersEXT(cmd, 2, 1, &s.buffers[2].buffer, (const VkDeviceSize[]){0}, NULL);
   ext.CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
   vk.CmdDraw(cmd, 2, 1, 0, 0);
   ext.CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
   end_pass(&s, cmd);
   CHECK_EQ(s.results[0][0], 2);
   CHECK_EQ(((const uint32_t *)s.buffers[0].map)[1], UNTOUCHED);
   CHECK_EQ(((const int32_t *)s.buffers[2].map)[14 + 12], 61);
   scene_finish(&s);
}

/* ---- layouts ---- */

static void check_float(const struct scene *s, uint32_t buffer, uint32_t offset_bytes, double expected)
{
   float value;
   memcpy(&value, (const char *)s->buffers[buffer].map + offset_bytes, sizeof(value));
   CHECK(value == (float)expected);
}

TEST(outputs_of_every_type)
{
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(layout_vert), .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   draw(&s, 0, 3, 1);
   for (uint32_t n = 0; n < 3; n++) {
      const double position[4] = {n + 0.25, n + 0.5, 3, 4};
      for (uint32_t i = 0; i < 4; i++)
         check_float(&s, 0, n * 64 + 4 + i * 4, position[i]);
      check_float(&s, 0, n * 64 + 24, n + 1);
      for (uint32_t i = 0; i < 3; i++)
         check_float(&s, 0, n * 64 + 32 + i * 4, n + 10 + i);
      for (uint32_t i = 0; i < 2; i++)
         check_float(&s, 0, n * 64 + 44 + i * 4, n + 20 + i);
      for (uint32_t i = 0; i < 3; i++) {
         double wide;
         memcpy(&wide, (const char *)s.buffers[1].map + n * 48 + 8 + i * 8, sizeof(wide));
         CHECK(wide == n + 0.125 + i);
      }
      for (uint32_t i = 0; i < 2; i++)
         check_float(&s, 1, n * 48 + 36 + i * 4, n + 30 + i);
      for (uint32_t b = 0; b < 2; b++) {
         const uint32_t k = n + b * 100;
         for (uint32_t i = 0; i < 3; i++)
            check_float(&s, 2 + b, n * 56 + 8 + i * 4, k + 40 + i);
         for (uint32_t i = 0; i < 6; i++)
            check_float(&s, 2 + b, n * 56 + 20 + i * 4, k + 50 + i);
         CHECK_EQ(((const int32_t *)s.buffers[2 + b].map)[n * 14 + 12], k + 60);
      }
      static const struct {
         uint32_t buffer, word;
      } gaps[] = {{0, 0}, {0, 5}, {0, 7}, {0, 13}, {0, 15}, {1, 0}, {1, 8}, {1, 11}, {2, 0}, {2, 11}, {2, 13}, {3, 1}};
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(gaps); i++) {
         const uint32_t stride = gaps[i].buffer == 0 ? 16 : gaps[i].buffer == 1 ? 12 : 14;
         CHECK_EQ(((const int32_t *)s.buffers[gaps[i].buffer].map)[n * stride + gaps[i].word], UNTOUCHED);
      }
   }
   scene_finish(&s);
}

/* ---- streams ---- */

/* What a strip of so many vertices becomes, as numbers of the strip's vertices; returns how many. Spec: "Triangle Strips". */
static uint32_t take_apart(uint32_t length, uint32_t corners, bool provokes_last, uint32_t *numbers)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i + corners <= length; i++) {
      const uint32_t odd = corners == 3 && i % 2;
      const uint32_t first[3] = {i, i + 1 + odd, i + 2 - odd}, last[3] = {i + odd, i + 1 - odd, i + 2};
      for (uint32_t k = 0; k < corners; k++)
         numbers[count++] = provokes_last ? last[k] : first[k];
   }
   return count;
}

static void check_streams(struct module geometry, uint32_t corners, bool provokes_last, uint32_t num_prims, bool is_short)
{
   static const uint32_t strides[] = {2, 4, 2, 3}, offsets[] = {0, 1, 0, 1}; /* words */
   struct scene s;
   scene_init(&s, &(struct options){.vertex = MODULE(number_vert),
                                    .geometry = geometry,
                                    .provokes_last = provokes_last,
                                    .is_discarded = num_prims > 1000,
                                    .words = is_short ? 60 : (size_t)num_prims * 80 + 64});
   draw(&s, 0, num_prims, 1);
   for (uint32_t stream = 0; stream < STREAMS; stream++) {
      const int32_t *words = s.buffers[stream].map;
      const uint64_t room = s.words / strides[stream] / corners;
      uint64_t needed = 0, num_wrong = 0;
      for (uint32_t p = 0; p < num_prims; p++) {
         for (uint32_t strip = 0; strip < (p % 3 ? 1u : 2u); strip++) {
            uint32_t numbers[64];
            const uint32_t count = take_apart(strip ? corners : corners + stream, corners, provokes_last, numbers);
            for (uint32_t i = 0; i < count; i++) {
               const uint64_t vertex = needed * corners + i;
               const int32_t *at = words + vertex * strides[stream] + offsets[stream];
               if (vertex / corners < room)
                  num_wrong += at[0] != (int32_t)p || at[1] != (int32_t)(strip * 10 + numbers[i]);
            }
            needed += count / corners;
         }
      }
      const uint64_t written = UTIL_MIN(needed, room);
      CHECK_EQ(num_wrong, 0);
      if (written * corners * strides[stream] < s.words)
         CHECK_EQ(words[written * corners * strides[stream]], UNTOUCHED);
      CHECK_EQ(s.results[stream][0], written);
      CHECK_EQ(s.results[stream][1], needed);
      CHECK_EQ(s.num_generated[stream], needed);
   }
   scene_finish(&s);
}

TEST(streams)
{
   check_streams(MODULE(points_geom), 1, false, 7, false);
   check_streams(MODULE(lines_geom), 2, false, 7, false);
   check_streams(MODULE(triangles_geom), 3, false, 7, false);
   check_streams(MODULE(triangles_geom), 3, true, 7, false);
   check_streams(MODULE(points_geom), 1, false, 50, true);
   check_streams(MODULE(triangles_geom), 3, false, 50, true);
}

/* More than chunks hold. */
TEST(streams_of_many)
{
   check_streams(MODULE(triangles_geom), 3, false, 60000, false);
}

TEST(drawn_stream)
{
   for (uint32_t stream = 0; stream < 3; stream++) {
      struct scene s;
      uint32_t num_white = 0;
      scene_init(&s, &(struct options){.vertex = MODULE(number_vert), .geometry = MODULE(colours_geom), .stream = stream});
      draw(&s, 0, 1, 1);
      for (uint32_t i = 0; i < SIZE * SIZE; i++)
         num_white += ((const uint32_t *)s.pixels.map)[i] == UINT32_MAX;
      CHECK_EQ(num_white, stream == 1 ? 16 : 0);
      CHECK_EQ(s.num_generated[0], 1);
      CHECK_EQ(s.num_generated[1], 1);
      CHECK_EQ(s.num_generated[2], 0);
      scene_finish(&s);
   }
}

/* ---- much code ---- */

/* What lanes emit at different indices, and inputs at varying ones, are the same where their code stands once and where it is calls. */
TEST(copies_of_emits)
{
   enum { TRIANGLES = 70, WORDS = TRIANGLES * 20 * 24 };
   static const char *const levels[] = {"v2", "v4"};
   static uint32_t results[4][WORDS];
   for (uint32_t i = 0; i < 4; i++) {
      struct scene s;
      setenv("VK_SWRAST_CPU", levels[i / 2], 1);
      scene_init(&s, &(struct options){.vertex = MODULE(rows_vert),
                                       .geometry = i % 2 ? MODULE(rows_24_geom) : MODULE(rows_1_geom),
                                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                       .is_discarded = true,
                                       .words = WORDS});
      draw(&s, 0, TRIANGLES * 3, 1);
      memcpy(results[i], s.buffers[0].map, sizeof(results[i]));
      CHECK(s.results[0][0] > TRIANGLES * 12);
      scene_finish(&s);
   }
   unsetenv("VK_SWRAST_CPU");
   for (uint32_t i = 1; i < 4; i++)
      CHECK(!memcmp(results[i], results[0], sizeof(results[0])));
}

int main(int argc, char **argv)
{
   return test_run_all(argc, argv);
}
