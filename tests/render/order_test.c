/* SPDX-License-Identifier: MIT
 * Commands in a random order, with barriers for what depends on each other and none beside: what may overlap must give what the same commands give one
 * submission each. Render passes with and without indirect draws, dispatches, blits and fills use a few images and buffers in all roles; barriers name the
 * least stages, some are events. Occlusion counts are the same; timestamps go up. VK_SWRAST_THREADS says on how many threads.
 * Spec: Synchronization and Cache Control, "Execution and Memory Dependencies". */
#include "tests/client/client.h"
#include "tests/test.h"

#include "order.comp.h"
#include "order.frag.h"
#include "order.vert.h"

#include <stdlib.h>
#include <string.h>

enum {
   NUM_IMAGES = 4, NUM_BUFFERS = 3, NUM_RESOURCES = NUM_IMAGES + NUM_BUFFERS + 1, ARGS = NUM_IMAGES + NUM_BUFFERS, /* the last one: indirect parameters */
   WORDS = 64, NUM_OPS = 80, NUM_SETS = NUM_IMAGES * NUM_IMAGES * NUM_BUFFERS, NUM_SEEDS = 24, MAX_USES = 5,
};

static const uint32_t sizes[NUM_IMAGES][2] = {{60, 50}, {60, 50}, {200, 130}, {200, 130}}; /* a tile; several */

enum op_class { OP_PASS, OP_COMPUTE_IMAGE, OP_COMPUTE_BUFFER, OP_BLIT, OP_FILL, OP_ARGS, NUM_CLASSES };

struct op {
   enum op_class class;
   uint32_t number; /* of the operation */
   uint32_t from, to, in; /* images; a buffer that is read: the next one is written */
   bool clears, adds, is_indirect, is_event, has_timestamp;
   VkPipelineStageFlags between; /* a barrier is two, by these stages; 0: one */
};

struct order {
   struct client client;
   struct client_image images[NUM_IMAGES];
   struct client_buffer buffers[NUM_BUFFERS + 1], pixels[NUM_IMAGES];
   struct client_set sets[NUM_SETS];
   VkRenderPass passes[2]; /* load, clear */
   VkFramebuffer framebuffers[NUM_IMAGES];
   VkPipelineLayout layout;
   VkPipeline draws[NUM_IMAGES], compute;
   VkShaderModule modules[3];
   VkSampler sampler;
   VkQueryPool occlusion, timestamps;
   VkEvent events[NUM_OPS];
};

#define device_function(order, name) ((PFN_vk##name)vk.GetDeviceProcAddr((order)->client.device, "vk" #name))

static uint32_t random_state;

static uint32_t random_below(uint32_t count)
{
   random_state = random_state * 1664525u + 1013904223u;
   return (random_state >> 8) % count;
}

/* ---- objects ---- */

static VkRenderPass render_pass(struct order *order, bool clears)
{
   const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(order->client.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkQueryPool query_pool(struct order *order, VkQueryType type)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = NUM_OPS};
   VkQueryPool pool;
   client_check(vk.CreateQueryPool(order->client.device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static struct client_set *set_of(struct order *order, const struct op *op)
{
   return &order->sets[(op->from * NUM_IMAGES + op->to) * NUM_BUFFERS + op->in];
}

static void make_sets(struct order *order)
{
   const VkDescriptorType types[4] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   struct client *client = &order->client;
   for (uint32_t i = 0; i < NUM_SETS; i++) {
      const struct op op = {.in = i % NUM_BUFFERS, .to = i / NUM_BUFFERS % NUM_IMAGES, .from = i / NUM_BUFFERS / NUM_IMAGES};
      struct client_set *set = set_of(order, &op);
      *set = client_set_create(client, 4, types);
      client_set_image(client, set, 0, types[0], order->images[op.from].view, order->sampler, VK_IMAGE_LAYOUT_GENERAL);
      client_set_buffer(client, set, 1, types[1], &order->buffers[op.in]);
      client_set_buffer(client, set, 2, types[2], &order->buffers[(op.in + 1) % NUM_BUFFERS]);
      client_set_image(client, set, 3, types[3], order->images[op.to].view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   }
}

static void order_init(struct order *order)
{
   const VkPhysicalDeviceFeatures features = {.fragmentStoresAndAtomics = VK_TRUE, .occlusionQueryPrecise = VK_TRUE};
   const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   struct client *client = &order->client;
   *order = (struct order){0};
   client_init(client, &(struct client_options){.features = &features});
   for (uint32_t i = 0; i < NUM_IMAGES; i++) {
      order->images[i] = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, sizes[i][0], sizes[i][1], 1, VK_SAMPLE_COUNT_1_BIT,
                                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
      order->pixels[i] = client_buffer_create(client, (size_t)sizes[i][0] * sizes[i][1] * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   }
   for (uint32_t i = 0; i <= NUM_BUFFERS; i++)
      order->buffers[i] = client_buffer_create(client, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   order->sampler = client_sampler(client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   make_sets(order);
   order->layout = client_pipeline_layout(client, &order->sets[0], 8);
   order->modules[0] = client_shader(client, order_vert, sizeof(order_vert));
   order->modules[1] = client_shader(client, order_frag, sizeof(order_frag));
   order->modules[2] = client_shader(client, order_comp, sizeof(order_comp));
   order->compute = client_compute_pipeline(client, order->modules[2], order->layout, VK_NULL_HANDLE, NULL);
   for (uint32_t i = 0; i < 2; i++)
      order->passes[i] = render_pass(order, i == 1);
   for (uint32_t i = 0; i < NUM_IMAGES; i++) {
      const struct client_graphics info = {.vertex = order->modules[0],
                                           .fragment = order->modules[1],
                                           .layout = order->layout,
                                           .pass = order->passes[0],
                                           .width = sizes[i][0],
                                           .height = sizes[i][1],
                                           .samples = VK_SAMPLE_COUNT_1_BIT,
                                           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
      order->draws[i] = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
      order->framebuffers[i] = client_framebuffer(client, order->passes[0], 1, &order->images[i].view, sizes[i][0], sizes[i][1]);
   }
   order->occlusion = query_pool(order, VK_QUERY_TYPE_OCCLUSION);
   order->timestamps = query_pool(order, VK_QUERY_TYPE_TIMESTAMP);
   for (uint32_t i = 0; i < NUM_OPS; i++)
      client_check(device_function(order, CreateEvent)(client->device, &event, NULL, &order->events[i]), "vkCreateEvent");
}

static void order_finish(struct order *order)
{
   struct client *client = &order->client;
   const VkDevice device = client->device;
   for (uint32_t i = 0; i < NUM_OPS; i++)
      device_function(order, DestroyEvent)(device, order->events[i], NULL);
   vk.DestroyQueryPool(device, order->occlusion, NULL);
   vk.DestroyQueryPool(device, order->timestamps, NULL);
   for (uint32_t i = 0; i < NUM_IMAGES; i++) {
      vk.DestroyFramebuffer(device, order->framebuffers[i], NULL);
      vk.DestroyPipeline(device, order->draws[i], NULL);
      client_image_destroy(client, &order->images[i]);
      client_buffer_destroy(client, &order->pixels[i]);
   }
   vk.DestroyPipeline(device, order->compute, NULL);
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(device, order->modules[i], NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyRenderPass(device, order->passes[i], NULL);
   vk.DestroyPipelineLayout(device, order->layout, NULL);
   for (uint32_t i = 0; i < NUM_SETS; i++)
      client_set_destroy(client, &order->sets[i]);
   for (uint32_t i = 0; i <= NUM_BUFFERS; i++)
      client_buffer_destroy(client, &order->buffers[i]);
   vk.DestroySampler(device, order->sampler, NULL);
   client_finish(client);
}

/* ---- what operations use ---- */

struct use {
   uint32_t resource;
   VkPipelineStageFlags stage;
   bool is_write;
};

static uint32_t find_uses(const struct op *op, struct use uses[MAX_USES])
{
   const uint32_t in = NUM_IMAGES + op->in, out = NUM_IMAGES + (op->in + 1) % NUM_BUFFERS;
   uint32_t count = 0;
   switch (op->class) {
   case OP_PASS:
      uses[count++] = (struct use){op->from, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, false};
      uses[count++] = (struct use){in, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, false};
      uses[count++] = (struct use){op->to, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, true};
      if (op->adds)
         uses[count++] = (struct use){out, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, true};
      if (op->is_indirect)
         uses[count++] = (struct use){ARGS, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, false};
      break;
   case OP_COMPUTE_IMAGE:
   case OP_COMPUTE_BUFFER:
      uses[count++] = (struct use){op->from, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, false};
      uses[count++] = (struct use){in, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, false};
      uses[count++] = (struct use){op->class == OP_COMPUTE_IMAGE ? op->to : out, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, true};
      break;
   case OP_BLIT:
      uses[count++] = (struct use){op->from, VK_PIPELINE_STAGE_TRANSFER_BIT, false};
      uses[count++] = (struct use){op->to, VK_PIPELINE_STAGE_TRANSFER_BIT, true};
      break;
   case OP_FILL: uses[count++] = (struct use){in, VK_PIPELINE_STAGE_TRANSFER_BIT, true}; break;
   default: uses[count++] = (struct use){ARGS, VK_PIPELINE_STAGE_TRANSFER_BIT, true}; break;
   }
   return count;
}

/* Stages: of the last write, those that it has been made visible to, and those that have read since. */
struct history {
   VkPipelineStageFlags written, visible, read;
};

static void synchronize(struct order *order, VkCommandBuffer cmd, const struct op *op, struct history histories[NUM_RESOURCES])
{
   const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   struct use uses[MAX_USES];
   const uint32_t count = find_uses(op, uses);
   VkPipelineStageFlags src = 0, dst = 0;
   for (uint32_t i = 0; i < count; i++) {
      const struct history *history = &histories[uses[i].resource];
      const VkPipelineStageFlags before = (history->visible & uses[i].stage ? 0 : history->written) | (uses[i].is_write ? history->read : 0);
      src |= before;
      dst |= before ? uses[i].stage : 0;
   }
   if (src && op->is_event) {
      device_function(order, CmdSetEvent)(cmd, order->events[op->number], src);
      device_function(order, CmdWaitEvents)(cmd, 1, &order->events[op->number], src, dst, 1, &memory, 0, NULL, 0, NULL);
   } else if (src) {
      vk.CmdPipelineBarrier(cmd, src, op->between ? op->between : dst, 0, 1, &memory, 0, NULL, 0, NULL);
      if (op->between)
         vk.CmdPipelineBarrier(cmd, op->between, dst, 0, 1, &memory, 0, NULL, 0, NULL);
   }
   for (uint32_t i = 0; i < NUM_RESOURCES; i++)
      histories[i].visible |= histories[i].written & src ? dst : 0;
   for (uint32_t i = 0; i < count; i++) {
      struct history *history = &histories[uses[i].resource];
      if (uses[i].is_write)
         *history = (struct history){.written = uses[i].stage};
      else
         history->read |= uses[i].stage;
   }
}

/* ---- recording ---- */

static void record_pass(struct order *order, VkCommandBuffer cmd, const struct op *op)
{
   const VkClearValue clear = {.color.float32 = {0.25f, 0.5f, 0.75f, 1}};
   client_begin_pass(cmd, order->passes[op->clears], order->framebuffers[op->to], sizes[op->to][0], sizes[op->to][1], 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, order->draws[op->to]);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, order->layout, 0, 1, &set_of(order, op)->set, 0, NULL);
   vk.CmdBeginQuery(cmd, order->occlusion, op->number, VK_QUERY_CONTROL_PRECISE_BIT);
   if (op->is_indirect)
      vk.CmdDrawIndirect(cmd, order->buffers[NUM_BUFFERS].buffer, 0, 1, 0);
   else
      vk.CmdDraw(cmd, 3, 1 + op->number % 3, 0, 0);
   vk.CmdEndQuery(cmd, order->occlusion, op->number);
   vk.CmdEndRenderPass(cmd);
}

static void record(struct order *order, VkCommandBuffer cmd, const struct op *op)
{
   const uint32_t push[2] = {op->number, op->class == OP_COMPUTE_BUFFER || op->adds};
   vk.CmdPushConstants(cmd, order->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
   switch (op->class) {
   case OP_PASS: record_pass(order, cmd, op); break;
   case OP_COMPUTE_IMAGE:
   case OP_COMPUTE_BUFFER:
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, order->compute);
      vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, order->layout, 0, 1, &set_of(order, op)->set, 0, NULL);
      vk.CmdDispatch(cmd, (sizes[op->to][0] + 7) / 8, (sizes[op->to][1] + 7) / 8, 1);
      break;
   case OP_BLIT: {
      const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      const VkImageBlit blit = {layers, {{0, 0, 0}, {(int32_t)sizes[op->from][0], (int32_t)sizes[op->from][1], 1}},
                                layers, {{0, 0, 0}, {(int32_t)sizes[op->to][0], (int32_t)sizes[op->to][1], 1}}};
      vk.CmdBlitImage(cmd, order->images[op->from].image, VK_IMAGE_LAYOUT_GENERAL, order->images[op->to].image, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                      VK_FILTER_NEAREST);
      break;
   }
   case OP_FILL: vk.CmdFillBuffer(cmd, order->buffers[op->in].buffer, 0, WORDS * 4, op->number * 2246822519u); break;
   default: {
      const VkDrawIndirectCommand args = {3, 1 + op->number % 4, 0, op->number % 5};
      vk.CmdUpdateBuffer(cmd, order->buffers[NUM_BUFFERS].buffer, 0, sizeof(args), &args);
      break;
   }
   }
   if (op->has_timestamp)
      vk.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, order->timestamps, op->number);
}

/* What all begins with. */
static void reset(struct order *order)
{
   VkCommandBuffer cmd = client_begin(&order->client);
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   for (uint32_t i = 0; i < NUM_IMAGES; i++) {
      const VkClearColorValue color = {.float32 = {(float)i / 8, 0.5f, 0.25f, 1}};
      client_transition(cmd, &order->images[i], 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vk.CmdClearColorImage(cmd, order->images[i].image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   }
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      vk.CmdFillBuffer(cmd, order->buffers[i].buffer, 0, WORDS * 4, i * 3266489917u);
   const VkDrawIndirectCommand args = {3, 1, 0, 0};
   vk.CmdUpdateBuffer(cmd, order->buffers[NUM_BUFFERS].buffer, 0, sizeof(args), &args);
   vk.CmdResetQueryPool(cmd, order->occlusion, 0, NUM_OPS);
   vk.CmdResetQueryPool(cmd, order->timestamps, 0, NUM_OPS);
   client_barrier(cmd);
   client_run(&order->client, cmd);
   for (uint32_t i = 0; i < NUM_OPS; i++)
      client_check(device_function(order, ResetEvent)(order->client.device, order->events[i]), "vkResetEvent");
}

/* ---- results ---- */

struct results {
   uint8_t pixels[NUM_IMAGES][200 * 130 * 4];
   uint32_t words[NUM_BUFFERS][WORDS];
   uint64_t samples[NUM_OPS];
};

static void read_results(struct order *order, const struct op *ops, struct results *results)
{
   struct client *client = &order->client;
   VkCommandBuffer cmd = client_begin(client);
   client_barrier(cmd);
   for (uint32_t i = 0; i < NUM_IMAGES; i++) {
      const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {sizes[i][0], sizes[i][1], 1}};
      vk.CmdCopyImageToBuffer(cmd, order->images[i].image, VK_IMAGE_LAYOUT_GENERAL, order->pixels[i].buffer, 1, &copy);
   }
   client_barrier(cmd);
   client_run(client, cmd);
   memset(results, 0, sizeof(*results));
   for (uint32_t i = 0; i < NUM_IMAGES; i++)
      memcpy(results->pixels[i], order->pixels[i].map, order->pixels[i].size_bytes);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      memcpy(results->words[i], order->buffers[i].map, WORDS * 4);
   uint64_t before_ns = 0;
   for (uint32_t i = 0; i < NUM_OPS; i++) {
      uint64_t ns = before_ns;
      if (ops[i].has_timestamp)
         CHECK_EQ(vk.GetQueryPoolResults(client->device, order->timestamps, i, 1, sizeof(ns), &ns, sizeof(ns), VK_QUERY_RESULT_64_BIT), VK_SUCCESS);
      CHECK(ns >= before_ns);
      before_ns = ns;
      if (ops[i].class == OP_PASS)
         CHECK_EQ(vk.GetQueryPoolResults(client->device, order->occlusion, i, 1, sizeof(uint64_t), &results->samples[i], sizeof(uint64_t), VK_QUERY_RESULT_64_BIT),
                  VK_SUCCESS);
   }
}

static void make_ops(struct op ops[NUM_OPS])
{
   static const enum op_class classes[] = {OP_PASS, OP_PASS, OP_PASS, OP_PASS, OP_PASS, OP_COMPUTE_IMAGE, OP_COMPUTE_BUFFER, OP_BLIT, OP_FILL, OP_ARGS};
   static const VkPipelineStageFlags between[] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                                  VK_PIPELINE_STAGE_VERTEX_SHADER_BIT};
   for (uint32_t i = 0; i < NUM_OPS; i++) {
      struct op *op = &ops[i];
      *op = (struct op){.class = classes[random_below(sizeof(classes) / sizeof(classes[0]))], .number = i, .from = random_below(NUM_IMAGES), .in = random_below(NUM_BUFFERS)};
      op->to = (op->from + 1 + random_below(NUM_IMAGES - 1)) % NUM_IMAGES;
      op->clears = random_below(2);
      op->adds = op->class == OP_PASS && random_below(4) == 0;
      op->is_indirect = op->class == OP_PASS && random_below(6) == 0;
      op->between = random_below(4) == 0 ? between[random_below(4)] : 0;
      op->is_event = random_below(24) == 0;
      op->has_timestamp = random_below(6) == 0;
   }
}

static struct results alone, together; /* too large for a stack */

static void check_seed(struct order *order, uint32_t seed)
{
   struct op ops[NUM_OPS];
   struct history histories[NUM_RESOURCES] = {{0}};
   random_state = seed * 2654435761u;
   make_ops(ops);

   reset(order);
   for (uint32_t i = 0; i < NUM_OPS; i++) {
      VkCommandBuffer cmd = client_begin(&order->client);
      record(order, cmd, &ops[i]);
      client_run(&order->client, cmd);
   }
   read_results(order, ops, &alone);

   reset(order);
   VkCommandBuffer cmd = client_begin(&order->client);
   for (uint32_t i = 0; i < NUM_OPS; i++) {
      synchronize(order, cmd, &ops[i], histories);
      record(order, cmd, &ops[i]);
   }
   client_run(&order->client, cmd);
   read_results(order, ops, &together);

   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < NUM_IMAGES; i++)
      num_wrong += memcmp(alone.pixels[i], together.pixels[i], sizeof(alone.pixels[i])) != 0;
   num_wrong += memcmp(alone.words, together.words, sizeof(alone.words)) != 0;
   num_wrong += memcmp(alone.samples, together.samples, sizeof(alone.samples)) != 0;
   if (num_wrong)
      printf("seed %u: %u results differ\n", seed, num_wrong);
   CHECK_EQ(num_wrong, 0);
}

TEST(what_may_overlap_gives_the_same)
{
   static struct order order;
   order_init(&order);
   for (uint32_t seed = 1; seed <= NUM_SEEDS; seed++)
      check_seed(&order, seed);
   order_finish(&order);
}

TEST_MAIN
