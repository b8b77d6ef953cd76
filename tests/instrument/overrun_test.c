/* SPDX-License-Identifier: MIT
 * Draws that read past the end of vertex and index buffers are reported with the vertex, or the index, and the buffer; repaired ones are not. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "overrun_vert.h"

enum { SIZE = 16, NUM_VERTICES = 4, STRIDE = 20, NUM_INDICES = 6, MAX_HEARD = 8 };

/* What is drawn of four vertices of 20 bytes, a position and a shift. */
struct draw {
   const char *name;
   bool is_indexed;
   uint32_t count, num_instances, first, stride_bytes;
   uint32_t offset_bytes; /* of the vertex buffer's binding */
   uint16_t indices[NUM_INDICES];
   uint32_t num_expected;
   const char *expected[2][3]; /* what messages say */
};

static const struct draw draws[] = {
   {"as many as there are", .count = 4, .num_instances = 3, .stride_bytes = STRIDE},
   {"one vertex too many", .count = 5, .num_instances = 2, .stride_bytes = STRIDE, .num_expected = 2,
    .expected = {{"read of 12 bytes at offset 80 is past the end of a buffer of 80 bytes", "location 0, buffer \"the vertices\"", "vertex 4 of instance 0"},
                 {"read of 8 bytes at offset 92 is past the end", "location 1, buffer \"the vertices\"", "vertex 4 of instance 0"}}},
   {"begins too late", .count = 4, .num_instances = 1, .first = 1, .stride_bytes = STRIDE, .num_expected = 2,
    .expected = {{"location 0", "offset 80", "vertex 4 of instance 0"}, {"location 1", "offset 92", "vertex 4 of instance 0"}}},
   {"too large a stride", .count = 3, .num_instances = 1, .stride_bytes = 34, .num_expected = 1,
    .expected = {{"read of 8 bytes at offset 80 is past the end", "location 1", "vertex 2 of instance 0"}}},
   {"bound too late", .count = 3, .num_instances = 1, .stride_bytes = STRIDE, .offset_bytes = 40, .num_expected = 2,
    .expected = {{"offset 40 is past the end of a buffer of 40 bytes", "location 0", "vertex 2 of instance 0"}, {"offset 52", "location 1", "vertex 2"}}},
   {"indices in bounds", true, .count = 6, .num_instances = 1, .stride_bytes = STRIDE, .indices = {0, 1, 2, 2, 1, 3}},
   {"an index too large", true, .count = 6, .num_instances = 1, .stride_bytes = STRIDE, .indices = {0, 1, 2, 2, 1, 4}, .num_expected = 2,
    .expected = {{"location 0", "offset 80", "vertex 4 of instance 0"}, {"location 1", "offset 92", "vertex 4 of instance 0"}}},
   {"too many indices", true, .count = 9, .num_instances = 1, .stride_bytes = STRIDE, .indices = {0, 1, 2, 2, 1, 3}, .num_expected = 1,
    .expected = {{"read of 2 bytes at offset 12 is past the end of a buffer of 12 bytes", "index buffer, buffer \"the indices\"", "by index 6 of the draw"}}},
   {"indices from behind", true, .count = 3, .num_instances = 1, .first = 7, .stride_bytes = STRIDE, .num_expected = 1,
    .expected = {{"read of 2 bytes at offset 14 is past the end", "index buffer", "by index 0 of the draw"}}},
};

struct heard {
   uint32_t count;
   char message[MAX_HEARD][1024];
};

static void listen(void *data, const char *id, const char *message)
{
   struct heard *heard = data;
   if (!strncmp(id, "SANITIZE-", strlen("SANITIZE-")) && heard->count < MAX_HEARD)
      snprintf(heard->message[heard->count++], sizeof(heard->message[0]), "%s", message);
}

static void check(const struct draw *draw, const struct heard *heard)
{
   bool is_right = heard->count == draw->num_expected;
   for (uint32_t i = 0; is_right && i < heard->count; i++) {
      for (uint32_t t = 0; t < 3; t++)
         is_right = is_right && strstr(heard->message[i], draw->expected[i][t]) != NULL;
      is_right = is_right && strstr(heard->message[i], "SANITIZE-bounds-buffer") && strstr(heard->message[i], "pipeline \"the draw\"");
   }
   if (is_right)
      return;
   for (uint32_t i = 0; i < heard->count; i++)
      printf("   %s\n", heard->message[i]);
   test_fail(__FILE__, __LINE__, draw->name);
}

static void run(const struct draw *draw)
{
   struct client client;
   struct heard heard = {0};
   client_init(&client, &(struct client_options){.on_message = listen, .on_message_data = &heard});
   struct client_buffer vertices = client_buffer_create(&client, NUM_VERTICES * STRIDE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   struct client_buffer indices = client_buffer_create(&client, sizeof(draw->indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   client_name(&client, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)vertices.buffer, "the vertices");
   client_name(&client, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)indices.buffer, "the indices");
   memcpy(indices.map, draw->indices, sizeof(draw->indices));
   struct client_image image = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   VkRenderPass pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                          VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(&client, pass, 1, &image.view, SIZE, SIZE);
   struct client_graphics info = {
      .vertex = client_shader(&client, overrun_vert, sizeof(overrun_vert)),
      .layout = client_pipeline_layout(&client, NULL, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = draw->is_indexed ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
      .stride_bytes = draw->stride_bytes,
      .num_attributes = 2,
      .attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32_SFLOAT, 12}},
      .is_discarded = true,
   };
   VkPipeline pipeline = client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)pipeline, "the draw");
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   const VkDeviceSize offset = draw->offset_bytes;
   VkCommandBuffer cmd = client_begin(&client);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &offset);
   vk.CmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
   if (draw->is_indexed)
      vk.CmdDrawIndexed(cmd, draw->count, draw->num_instances, draw->first, 0, 0);
   else
      vk.CmdDraw(cmd, draw->count, draw->num_instances, draw->first, 0);
   vk.CmdEndRenderPass(cmd);
   client_run(&client, cmd);
   check(draw, &heard);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, info.layout, NULL);
   vk.DestroyShaderModule(client.device, info.vertex, NULL);
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   client_image_destroy(&client, &image);
   client_buffer_destroy(&client, &indices);
   client_buffer_destroy(&client, &vertices);
   client_finish(&client);
}

TEST(vertex_and_index_buffers)
{
   for (size_t i = 0; i < sizeof(draws) / sizeof(draws[0]); i++)
      run(&draws[i]);
}

TEST_MAIN
