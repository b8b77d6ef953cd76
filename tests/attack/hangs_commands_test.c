/* SPDX-License-Identifier: MIT
 * SECURITY.md, "time", for commands other than dispatches and plain draws: each is one whose parts all end soon, but are too many; or one that a few commands
 * record and that is executed for ever. The device is lost and all threads are back within the time-out and a second, in processor time. */
#include "tests/attack/hangs.h"
#include "tests/test.h"
#include "util/macros.h"
#include "util/sanitizers.h"

#include "hangs_comp_2.h"
#include "hangs_frag.h"
#include "hangs_geom_0.h"
#include "hangs_geom_1.h"
#include "hangs_vert.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* So much that also the quickest memory needs many times what is allowed. */
enum { SIZE = 16, BIG = 4096, BYTES = BIG * BIG * 4, NUM_REGIONS = 600000 };

enum class {
   COPY_BUFFER,
   COPY_IMAGE,
   COPY_TO_IMAGE,
   COPY_TO_BUFFER,
   BLIT,
   RESOLVE,
   CLEAR_COLOR,
   NUM_CLASSES,
};

struct transfers {
   struct client client;
   struct hangs_heard heard;
   struct client_buffer from, to;
   struct client_image image, other, samples;
};

static void *regions_of(size_t size, const void *region)
{
   char *regions = malloc(size * NUM_REGIONS);
   for (uint32_t i = 0; regions && i < NUM_REGIONS; i++)
      memcpy(regions + size * i, region, size);
   return regions;
}

static PFN_vkVoidFunction get(struct client *client, const char *name)
{
   PFN_vkVoidFunction function = vk.GetDeviceProcAddr(client->device, name);
   if (!function)
      client_die("no %s", name);
   return function;
}

/* The same bytes over and over. */
static void record(struct transfers *t, VkCommandBuffer cmd, enum class class)
{
   const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
   const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   const VkOffset3D end = {BIG, BIG, 1}, short_end = {BIG / 2 + 1, BIG - 1, 1};
   const VkExtent3D extent = {BIG, BIG, 1};
   void *regions = NULL;
   if (class == COPY_BUFFER) {
      regions = regions_of(sizeof(VkBufferCopy), &(VkBufferCopy){.size = BYTES});
      vk.CmdCopyBuffer(cmd, t->from.buffer, t->to.buffer, NUM_REGIONS, regions);
   } else if (class == COPY_IMAGE) {
      regions = regions_of(sizeof(VkImageCopy), &(VkImageCopy){.srcSubresource = layers, .dstSubresource = layers, .extent = extent});
      ((PFN_vkCmdCopyImage)get(&t->client, "vkCmdCopyImage"))(cmd, t->image.image, layout, t->other.image, layout, NUM_REGIONS, regions);
   } else if (class == COPY_TO_IMAGE || class == COPY_TO_BUFFER) {
      regions = regions_of(sizeof(VkBufferImageCopy), &(VkBufferImageCopy){.imageSubresource = layers, .imageExtent = extent});
      if (class == COPY_TO_IMAGE)
         vk.CmdCopyBufferToImage(cmd, t->from.buffer, t->image.image, layout, NUM_REGIONS, regions);
      else
         vk.CmdCopyImageToBuffer(cmd, t->image.image, layout, t->to.buffer, NUM_REGIONS, regions);
   } else if (class == BLIT) {
      const VkImageBlit blit = {.srcSubresource = layers, .srcOffsets[1] = short_end, .dstSubresource = layers, .dstOffsets[1] = end};
      regions = regions_of(sizeof(blit), &blit);
      vk.CmdBlitImage(cmd, t->image.image, layout, t->other.image, layout, NUM_REGIONS, regions, VK_FILTER_LINEAR);
   } else if (class == RESOLVE) {
      regions = regions_of(sizeof(VkImageResolve), &(VkImageResolve){.srcSubresource = layers, .dstSubresource = layers, .extent = extent});
      vk.CmdResolveImage(cmd, t->samples.image, layout, t->image.image, layout, NUM_REGIONS, regions);
   } else {
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      regions = regions_of(sizeof(range), &range);
      vk.CmdClearColorImage(cmd, t->image.image, layout, &(VkClearColorValue){.float32 = {0.3f}}, NUM_REGIONS, regions);
   }
   CHECK(regions != NULL);
   free(regions);
}

static void transfer(enum class class)
{
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   struct transfers t = {0};
   client_init(&t.client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &t.heard});
   struct client *client = &t.client;
   t.from = client_buffer_create(client, BYTES, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   t.to = client_buffer_create(client, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   t.image = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, BIG, BIG, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   t.other = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, BIG, BIG, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   t.samples = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, BIG, BIG, 1, VK_SAMPLE_COUNT_4_BIT, usage);
   VkCommandBuffer cmd = client_begin(client);
   struct client_image *const images[] = {&t.image, &t.other, &t.samples};
   for (uint32_t i = 0; i < 3; i++)
      client_transition(cmd, images[i], 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   record(&t, cmd, class);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(client, cmd), &t.heard, begin_s);
   for (uint32_t i = 0; i < 3; i++)
      client_image_destroy(client, images[i]);
   client_buffer_destroy(client, &t.from);
   client_buffer_destroy(client, &t.to);
   client_finish(client);
}

TEST(transfers)
{
   for (enum class class = 0; class < NUM_CLASSES; class++) {
      const int before = test_failures_in_case;
      transfer(class);
      if (test_failures_in_case != before)
         printf("transfer %u\n", class);
   }
}

/* One region that alone would take minutes: half of an image without memory is scaled into the other half. */
TEST(large_region)
{
   enum { WIDTH = 16384, LAYERS = 1024 };
   struct client client;
   struct hangs_heard heard = {0};
   client_init(&client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &heard,
                                                 .features = &(VkPhysicalDeviceFeatures){.sparseBinding = VK_TRUE, .sparseResidencyImage2D = VK_TRUE}});
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = VK_FORMAT_R8_UNORM,
      .extent = {WIDTH, WIDTH, 1},
      .mipLevels = 1,
      .arrayLayers = 2 * LAYERS,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
   };
   const VkImageBlit region = {
      .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, LAYERS},
      .srcOffsets[1] = {WIDTH / 2 + 1, WIDTH - 1, 1},
      .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, LAYERS, LAYERS},
      .dstOffsets[1] = {WIDTH, WIDTH, 1},
   };
   VkImage image;
   client_check(vk.CreateImage(client.device, &info, NULL, &image), "vkCreateImage");
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBlitImage(cmd, image, VK_IMAGE_LAYOUT_GENERAL, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region, VK_FILTER_LINEAR);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&client, cmd), &heard, begin_s);
   vk.DestroyImage(client.device, image, NULL);
   client_finish(&client);
}

/* ---- render passes ---- */

/* `rects`: so many rectangles cleared instead of a draw. */
static void render(const uint32_t *geometry, size_t geometry_bytes, uint32_t num_instances, uint32_t num_rects)
{
   struct client client;
   struct hangs_heard heard = {0};
   const uint32_t size = num_rects ? BIG : SIZE;
   client_init(&client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &heard,
                                                 .features = &(VkPhysicalDeviceFeatures){.geometryShader = VK_TRUE}});
   struct client_image image = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, size, size, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkRenderPass pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                          VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(&client, pass, 1, &image.view, size, size);
   struct client_graphics info = {
      .vertex = client_shader(&client, hangs_vert, sizeof(hangs_vert)),
      .geometry = geometry ? client_shader(&client, geometry, geometry_bytes) : VK_NULL_HANDLE,
      .fragment = client_shader(&client, hangs_frag, sizeof(hangs_frag)),
      .layout = client_pipeline_layout(&client, NULL, 0),
      .pass = pass,
      .width = size,
      .height = size,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   VkPipeline pipeline = client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   VkCommandBuffer cmd = client_begin(&client);
   client_begin_pass(cmd, pass, framebuffer, size, size, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   if (num_rects) {
      const VkClearRect rect = {.rect.extent = {size, size}, .layerCount = 1};
      VkClearRect *rects = calloc(num_rects, sizeof(*rects));
      CHECK(rects != NULL);
      for (uint32_t i = 0; rects && i < num_rects; i++)
         rects[i] = rect;
      const VkClearAttachment attachment = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear};
      if (rects)
         vk.CmdClearAttachments(cmd, 1, &attachment, num_rects, rects);
      free(rects);
   } else {
      vk.CmdDraw(cmd, 3, num_instances, 0, 0);
   }
   vk.CmdEndRenderPass(cmd);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&client, cmd), &heard, begin_s);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, info.layout, NULL);
   vk.DestroyShaderModule(client.device, info.vertex, NULL);
   vk.DestroyShaderModule(client.device, info.geometry, NULL);
   vk.DestroyShaderModule(client.device, info.fragment, NULL);
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   client_image_destroy(&client, &image);
   client_finish(&client);
}

TEST(geometry_shaders)
{
   render(hangs_geom_0, sizeof(hangs_geom_0), UINT32_MAX, 0);
   render(hangs_geom_1, sizeof(hangs_geom_1), 1, 0);
}

TEST(cleared_rectangles)
{
   render(NULL, 0, 0, 1000000);
}

/* ---- streams that execute streams ---- */

enum { DEPTH = 12, TIMES = 100, NUM_QUERIES = 1 << 16 };

static VkCommandBuffer secondary(struct client *client)
{
   VkCommandBuffer cmd;
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = client->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                           .pInheritanceInfo = &inheritance};
   client_check(vk.AllocateCommandBuffers(client->device, &info, &cmd), "vkAllocateCommandBuffers");
   client_check(vk.BeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   return cmd;
}

static VkQueryPool query_pool(struct client *client, uint32_t count)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = count};
   VkQueryPool pool;
   client_check(vk.CreateQueryPool(client->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

/* The innermost of 100^12: a small dispatch, a state, nothing, a reset of many queries, a copy of their results. */
static void nest(uint32_t class)
{
   struct client client;
   struct hangs_heard heard = {0};
   const VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT, .nestedCommandBuffer = VK_TRUE,
      .nestedCommandBufferSimultaneousUse = VK_TRUE};
   client_init(&client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &heard, .next = &nested,
                                                 .device_extension = VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_1});
   PFN_vkCmdExecuteCommands execute = (PFN_vkCmdExecuteCommands)get(&client, "vkCmdExecuteCommands");
   VkShaderModule module = client_shader(&client, hangs_comp_2, sizeof(hangs_comp_2));
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client_set set = client_set_create(&client, 1, &type);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 4);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   VkQueryPool queries = query_pool(&client, NUM_QUERIES);
   struct client_buffer results = client_buffer_create(&client, NUM_QUERIES * 8, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VkCommandBuffer cmd = secondary(&client), inner[TIMES];
   if (class == 3) {
      vk.CmdResetQueryPool(cmd, queries, 0, NUM_QUERIES);
   } else if (class == 4) {
      ((PFN_vkCmdCopyQueryPoolResults)get(&client, "vkCmdCopyQueryPoolResults"))(
         cmd, queries, 0, NUM_QUERIES, results.buffer, 0, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_PARTIAL_BIT);
   } else if (class == 0) {
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdDispatch(cmd, 1, 1, 1);
   } else if (class == 1) {
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   }
   for (uint32_t depth = 0; depth <= DEPTH; depth++) {
      client_end(cmd);
      for (uint32_t i = 0; i < TIMES; i++)
         inner[i] = cmd;
      cmd = depth < DEPTH ? secondary(&client) : client_begin(&client);
      execute(cmd, TIMES, inner);
   }
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&client, cmd), &heard, begin_s);
   client_buffer_destroy(&client, &results);
   vk.DestroyQueryPool(client.device, queries, NULL);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   client_finish(&client);
}

TEST(secondaries_in_secondaries)
{
   for (uint32_t class = 0; class < 5; class++)
      nest(class);
}

/* ---- addresses and pools without memory ---- */

static long peak_kib(void)
{
   struct rusage usage;
   return getrusage(RUSAGE_SELF, &usage) ? LONG_MAX : usage.ru_maxrss;
}

enum { SPARSE_MIB = 4096, SOURCE_MIB = 64, MAX_MORE_MIB = 2048 };

/* What a command says to an address of which none has memory takes none, or for a moment; how many MiB more stood at once. */
static long write_sparse(struct client *client, VkCommandBuffer cmd)
{
   const long begin_kib = peak_kib();
   CHECK_EQ(hangs_run(client, cmd), VK_SUCCESS);
   const long more_mib = (peak_kib() - begin_kib) >> 10;
   printf("%ld MiB more for %d MiB\n", more_mib, SPARSE_MIB);
   return more_mib;
}

static VkBuffer sparse_client(struct client *client)
{
   client_init(client, &(struct client_options){.features = &(VkPhysicalDeviceFeatures){.sparseBinding = VK_TRUE, .sparseResidencyBuffer = VK_TRUE}});
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
                                    .size = (VkDeviceSize)SPARSE_MIB << 20};
   VkBuffer buffer;
   client_check(vk.CreateBuffer(client->device, &info, NULL, &buffer), "vkCreateBuffer");
   return buffer;
}

TEST(sparse_fill)
{
   struct client client;
   VkBuffer buffer = sparse_client(&client);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdFillBuffer(cmd, buffer, 0, VK_WHOLE_SIZE, 1);
   CHECK(write_sparse(&client, cmd) < SOURCE_MIB);
   vk.DestroyBuffer(client.device, buffer, NULL);
   client_finish(&client);
}

/* Pages stand for a while, and are forgotten. How quickly a machine makes them is not what is tested. */
TEST(sparse_copy)
{
   setenv("VK_SWRAST_TIMEOUT", "60", 1);
   struct client client;
   VkBuffer buffer = sparse_client(&client);
   struct client_buffer source = client_buffer_create(&client, (VkDeviceSize)SOURCE_MIB << 20, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   VkBufferCopy regions[SPARSE_MIB / SOURCE_MIB];
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(regions); i++)
      regions[i] = (VkBufferCopy){.dstOffset = i * ((VkDeviceSize)SOURCE_MIB << 20), .size = (VkDeviceSize)SOURCE_MIB << 20};
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdCopyBuffer(cmd, source.buffer, buffer, UTIL_ARRAY_SIZE(regions), regions);
   const long more_mib = write_sparse(&client, cmd);
#ifndef __SANITIZE_THREAD__ /* which has memory of its own for all that is written */
   CHECK(more_mib < MAX_MORE_MIB);
#endif
   client_buffer_destroy(&client, &source);
   vk.DestroyBuffer(client.device, buffer, NULL);
   client_finish(&client);
   hangs_environment();
}

/* A gigabyte of queries that nobody used: what is reset, by the host and by a command, takes no memory then. */
TEST(large_query_pool)
{
   const uint32_t count = 1 << 23;
   struct client client;
   client_init(&client, &(struct client_options){.next = &(VkPhysicalDeviceHostQueryResetFeatures){
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, NULL, VK_TRUE},
                                                 .api_version = VK_API_VERSION_1_2});
   const long begin_kib = peak_kib();
   VkQueryPool queries = query_pool(&client, count);
   ((PFN_vkResetQueryPool)get(&client, "vkResetQueryPool"))(client.device, queries, 0, count);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdResetQueryPool(cmd, queries, 0, count);
   CHECK_EQ(hangs_run(&client, cmd), VK_SUCCESS);
   const long more_kib = peak_kib() - begin_kib;
   printf("%ld MiB more for a pool of a GiB\n", more_kib >> 10);
#ifndef __SANITIZE_THREAD__
   CHECK(more_kib < 512 << 10);
#endif
   vk.DestroyQueryPool(client.device, queries, NULL);
   client_finish(&client);
}

int main(int argc, char **argv)
{
   hangs_environment();
   return test_run_all(argc, argv);
}
