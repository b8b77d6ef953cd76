/* SPDX-License-Identifier: MIT
 * What the runtime does because of what a fragment shader does: with uses that run, and with uses behind a condition that is
 * constantly false, against depth, stencil, colour, stores, samples that pass and invocations.
 * Spec: Fragment Operations; Rasterization, "Sample Shading". */
#include "tests/client/client.h"
#include "tests/test.h"

#include "corners.vert.h"
#include "facts_color.h"
#include "facts_coverage.h"
#include "facts_early.h"
#include "facts_outputs.h"
#include "facts_plain.h"
#include "facts_sample.h"
#include "facts_stencil.h"

enum { STORE = 1, DISCARD = 2, DEPTH = 4, MASK = 8, VARYING = 16, SAMPLE_ID = 32, STENCIL_REF = 64, MASK_IN = 128 };
enum { SIZE = 32, PIXELS = SIZE * SIZE };

struct outcome {
   uint64_t passed, invocations; /* with queries */
   uint32_t stores;
   uint32_t num_written; /* pixels whose depth is not the clear's, or whose stencil counted; both must agree */
   float depth;          /* of the first pixel */
   uint32_t colors[2];   /* of the first two pixels of the middle row */
};

struct target {
   struct client client;
   struct client_image color, depth;
   struct client_buffer depths, stencils, colors, counts;
   struct client_set set;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkQueryPool occlusion, statistics;
};

static VkRenderPass make_pass(struct client *client, VkSampleCountFlagBits samples)
{
   const VkAttachmentDescription attachments[2] = {
      {.format = VK_FORMAT_R8G8B8A8_UNORM, .samples = samples, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE, .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .samples = samples, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE, .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE, .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
   };
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                               depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthStencilAttachment = &depth};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 2,
                                        .pAttachments = attachments, .subpassCount = 1, .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkQueryPool make_pool(struct client *client, VkQueryType type, VkQueryPipelineStatisticFlags statistics)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type,
                                       .queryCount = 1, .pipelineStatistics = statistics};
   VkQueryPool pool;
   client_check(vk.CreateQueryPool(client->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static void init(struct target *t, VkSampleCountFlagBits samples)
{
   static const VkPhysicalDeviceFeatures features = {.fragmentStoresAndAtomics = VK_TRUE, .sampleRateShading = VK_TRUE,
                                                     .occlusionQueryPrecise = VK_TRUE, .pipelineStatisticsQuery = VK_TRUE};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkImageUsageFlags from = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
   *t = (struct target){0};
   static const char *const extensions[] = {VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME};
   client_init(&t->client, &(struct client_options){.features = &features, .device_extensions = extensions, .num_device_extensions = 1});
   t->color = client_image_create(&t->client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, samples,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | from);
   t->depth = client_image_create(&t->client, VK_FORMAT_D32_SFLOAT_S8_UINT, SIZE, SIZE, 1, samples,
                                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | from);
   t->depths = client_buffer_create(&t->client, PIXELS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   t->colors = client_buffer_create(&t->client, PIXELS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   t->stencils = client_buffer_create(&t->client, PIXELS, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   t->counts = client_buffer_create(&t->client, 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   t->set = client_set_create(&t->client, 1, &type);
   client_set_buffer(&t->client, &t->set, 0, type, &t->counts);
   t->pass = make_pass(&t->client, samples);
   t->framebuffer = client_framebuffer(&t->client, t->pass, 2, (VkImageView[]){t->color.view, t->depth.view}, SIZE, SIZE);
   t->occlusion = make_pool(&t->client, VK_QUERY_TYPE_OCCLUSION, 0);
   t->statistics = make_pool(&t->client, VK_QUERY_TYPE_PIPELINE_STATISTICS,
                             VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT);
}

static void finish(struct target *t)
{
   vk.DestroyQueryPool(t->client.device, t->occlusion, NULL);
   vk.DestroyQueryPool(t->client.device, t->statistics, NULL);
   vk.DestroyFramebuffer(t->client.device, t->framebuffer, NULL);
   vk.DestroyRenderPass(t->client.device, t->pass, NULL);
   client_set_destroy(&t->client, &t->set);
   client_buffer_destroy(&t->client, &t->depths);
   client_buffer_destroy(&t->client, &t->stencils);
   client_buffer_destroy(&t->client, &t->colors);
   client_buffer_destroy(&t->client, &t->counts);
   client_image_destroy(&t->client, &t->depth);
   client_image_destroy(&t->client, &t->color);
   client_finish(&t->client);
}

static void copy(VkCommandBuffer cmd, const struct client_image *image, VkImageAspectFlags aspect, const struct client_buffer *to)
{
   const VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   vk.CmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to->buffer, 1, &region);
}

/* One triangle over everything at depth 0.5, where the clear was 1; the stencil counts what passes. */
static void record(struct target *t, VkCommandBuffer cmd, VkPipeline pipeline, VkPipelineLayout layout, bool has_queries,
                   bool has_copies)
{
   static const float corners[3][4] = {{-1, -1, 0.5f, 1}, {3, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}};
   const VkClearValue clears[2] = {{.color.float32 = {0}}, {.depthStencil = {1, 0}}};
   vk.CmdResetQueryPool(cmd, t->occlusion, 0, 1);
   vk.CmdResetQueryPool(cmd, t->statistics, 0, 1);
   client_begin_pass(cmd, t->pass, t->framebuffer, SIZE, SIZE, 2, clears);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &t->set.set, 0, NULL);
   vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(corners), corners);
   if (has_queries) {
      vk.CmdBeginQuery(cmd, t->occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
      vk.CmdBeginQuery(cmd, t->statistics, 0, 0);
   }
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   if (has_queries) {
      vk.CmdEndQuery(cmd, t->statistics, 0);
      vk.CmdEndQuery(cmd, t->occlusion, 0);
   }
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   if (has_copies) {
      copy(cmd, &t->color, VK_IMAGE_ASPECT_COLOR_BIT, &t->colors);
      copy(cmd, &t->depth, VK_IMAGE_ASPECT_DEPTH_BIT, &t->depths);
      copy(cmd, &t->depth, VK_IMAGE_ASPECT_STENCIL_BIT, &t->stencils);
   }
   client_barrier(cmd);
}

static uint64_t query(struct target *t, VkQueryPool pool)
{
   uint64_t value;
   client_check(vk.GetQueryPoolResults(t->client.device, pool, 0, 1, 8, &value, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT), "vkGetQueryPoolResults");
   return value;
}

static struct outcome draw(const uint32_t *words, size_t bytes, uint32_t live, VkSampleCountFlagBits samples, bool has_queries)
{
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo constants = {1, &entry, sizeof(live), &live};
   const VkStencilOpState stencil = {.passOp = VK_STENCIL_OP_INCREMENT_AND_CLAMP, .compareOp = VK_COMPARE_OP_EQUAL,
                                     .compareMask = 0xff, .writeMask = 0xff, .reference = 0};
   const VkPipelineDepthStencilStateCreateInfo tests = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE, .depthCompareOp = VK_COMPARE_OP_LESS, .stencilTestEnable = VK_TRUE,
      .front = stencil, .back = stencil};
   struct target t;
   init(&t, samples);
   const VkPipelineLayout layout = client_pipeline_layout(&t.client, &t.set, 48);
   const struct client_graphics info = {
      .vertex = client_shader(&t.client, corners_vert, sizeof(corners_vert)),
      .fragment = client_shader(&t.client, words, bytes), .layout = layout, .pass = t.pass, .width = SIZE, .height = SIZE,
      .samples = samples, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .fragment_constants = &constants,
      .depth_stencil = &tests};
   const VkPipeline pipeline = client_graphics_pipeline(&t.client, &info, VK_NULL_HANDLE);
   const VkCommandBuffer cmd = client_begin(&t.client);
   record(&t, cmd, pipeline, layout, has_queries, samples == VK_SAMPLE_COUNT_1_BIT);
   client_run(&t.client, cmd);

   struct outcome o = {.stores = *(const uint32_t *)t.counts.map};
   const float *depths = t.depths.map;
   const uint8_t *stencils = t.stencils.map;
   for (uint32_t i = 0; samples == VK_SAMPLE_COUNT_1_BIT && i < PIXELS; i++) {
      CHECK_EQ(depths[i] < 1, stencils[i] == 1);
      o.num_written += depths[i] < 1;
   }
   o.depth = depths[0];
   memcpy(o.colors, (const uint32_t *)t.colors.map + SIZE * SIZE / 2, sizeof(o.colors));
   if (has_queries) {
      o.passed = query(&t, t.occlusion);
      o.invocations = query(&t, t.statistics);
   }
   vk.DestroyPipeline(t.client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(t.client.device, layout, NULL);
   vk.DestroyShaderModule(t.client.device, info.vertex, NULL);
   vk.DestroyShaderModule(t.client.device, info.fragment, NULL);
   finish(&t);
   return o;
}

#define DRAW(shader, live, has_queries) draw(facts_##shader, sizeof(facts_##shader), live, VK_SAMPLE_COUNT_1_BIT, has_queries)
#define EACH_QUERIES for (uint32_t queries = 0; queries < 2; queries++)

static void check_written(const struct outcome *o, uint32_t num_written, float depth, bool has_queries)
{
   CHECK_EQ(o->num_written, num_written);
   CHECK(o->depth == depth);
   if (has_queries) {
      CHECK_EQ(o->passed, num_written);
      CHECK_EQ(o->invocations, PIXELS);
   }
}

/* Nothing at all is left of the shader. */
TEST(all_dead)
{
   EACH_QUERIES {
      const struct outcome plain = DRAW(plain, 0, queries), outputs = DRAW(outputs, 0, queries);
      check_written(&plain, PIXELS, 0.5f, queries);
      check_written(&outputs, PIXELS, 0.5f, queries);
      CHECK_EQ(plain.stores, 0);
   }
}

TEST(discard)
{
   EACH_QUERIES {
      const struct outcome o = DRAW(plain, DISCARD, queries);
      check_written(&o, PIXELS / 2, 0.5f, queries);
   }
}

TEST(stores)
{
   EACH_QUERIES {
      const struct outcome o = DRAW(plain, STORE, queries), both = DRAW(plain, STORE | DISCARD, queries);
      check_written(&o, PIXELS, 0.5f, queries);
      check_written(&both, PIXELS / 2, 0.5f, queries);
      CHECK_EQ(o.stores, PIXELS);
      CHECK_EQ(both.stores, PIXELS);
   }
}

TEST(depth)
{
   EACH_QUERIES {
      const struct outcome o = DRAW(outputs, DEPTH, queries);
      check_written(&o, PIXELS, 0.25f, queries);
   }
}

TEST(sample_mask)
{
   EACH_QUERIES {
      const struct outcome o = DRAW(outputs, MASK, queries);
      check_written(&o, PIXELS / 2, 0.5f, queries);
   }
}

/* The test wants the clear's 0, which is the state's reference: another one fails. */
TEST(stencil_reference)
{
   EACH_QUERIES {
      const struct outcome dead = DRAW(stencil, 0, queries), live = DRAW(stencil, STENCIL_REF, queries);
      const struct outcome both = DRAW(stencil, STENCIL_REF | STORE, queries), holes = DRAW(stencil, DISCARD, queries);
      check_written(&dead, PIXELS, 0.5f, queries);
      check_written(&live, PIXELS / 2, 0.5f, queries);
      check_written(&both, PIXELS / 2, 0.5f, queries);
      CHECK_EQ(both.stores, PIXELS);
      check_written(&holes, PIXELS / 2, 0.5f, queries);
   }
}

/* Tests come before the shader, live or dead: its discards no longer matter to them. */
TEST(early_tests)
{
   EACH_QUERIES {
      const struct outcome dead = DRAW(early, 0, queries), live = DRAW(early, DISCARD | STORE, queries);
      check_written(&dead, PIXELS, 0.5f, queries);
      check_written(&live, PIXELS, 0.5f, queries);
      CHECK_EQ(live.stores, PIXELS);
   }
}

TEST(inputs_and_derivatives)
{
   EACH_QUERIES {
      const struct outcome dead = DRAW(color, 0, queries), live = DRAW(color, VARYING, queries);
      const struct outcome holes = DRAW(color, VARYING | DISCARD, queries);
      CHECK_EQ(dead.colors[0], 0x33333333);
      CHECK_EQ(dead.colors[1], 0x33333333);
      /* x of the first pixel's centre is -1 + 1/32: a quarter of that and one more is 1/128, of the second 3/128. */
      CHECK_EQ(live.colors[0], 0xff00ff02);
      CHECK_EQ(live.colors[1], 0xff00ff06);
      CHECK_EQ(holes.colors[0], 0xff00ff02);
      CHECK_EQ(holes.colors[1], 0);
      check_written(&live, PIXELS, 0.5f, queries);
      check_written(&holes, PIXELS / 2, 0.5f, queries);
   }
}

/* A static use of SampleId is enough. */
TEST(sample_shading)
{
   EACH_QUERIES {
      const VkSampleCountFlagBits four = VK_SAMPLE_COUNT_4_BIT;
      const struct outcome plain = draw(facts_plain, sizeof(facts_plain), STORE, four, queries);
      const struct outcome dead = draw(facts_sample, sizeof(facts_sample), STORE, four, queries);
      const struct outcome live = draw(facts_sample, sizeof(facts_sample), SAMPLE_ID, four, queries);
      CHECK_EQ(plain.stores, PIXELS);
      CHECK_EQ(dead.stores, PIXELS * 4);
      CHECK_EQ(live.stores, PIXELS * (0 + 1 + 2 + 3));
      if (queries) {
         CHECK_EQ(plain.passed, PIXELS * 4);
         CHECK_EQ(dead.passed, PIXELS * 4);
         CHECK_EQ(dead.invocations, PIXELS * 4);
      }
   }
}

/* Which samples are covered is made out only for who reads it; that is no sample shading. */
TEST(coverage)
{
   EACH_QUERIES {
      const VkSampleCountFlagBits four = VK_SAMPLE_COUNT_4_BIT, one = VK_SAMPLE_COUNT_1_BIT;
      const struct outcome dead = draw(facts_coverage, sizeof(facts_coverage), 0, four, queries);
      const struct outcome live = draw(facts_coverage, sizeof(facts_coverage), MASK_IN, four, queries);
      const struct outcome holes = draw(facts_coverage, sizeof(facts_coverage), MASK_IN | DISCARD, four, queries);
      const struct outcome single = draw(facts_coverage, sizeof(facts_coverage), MASK_IN, one, queries);
      CHECK_EQ(dead.stores, 0);
      CHECK_EQ(live.stores, PIXELS * 15);
      CHECK_EQ(holes.stores, PIXELS * 15);
      CHECK_EQ(single.stores, PIXELS);
      check_written(&single, PIXELS, 0.5f, queries);
      if (queries) {
         CHECK_EQ(dead.passed, PIXELS * 4);
         CHECK_EQ(live.passed, PIXELS * 4);
         CHECK_EQ(holes.passed, PIXELS * 2);
         CHECK_EQ(live.invocations, PIXELS);
      }
   }
}

TEST_MAIN
