/* SPDX-License-Identifier: MIT
 * Sparse buffers and images: what has memory keeps what is written, the rest reads as zeros and forgets; shaders learn which is which.
 * Spec: Sparse Resources. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "sparse.comp.h"

enum { BLOCK = 64 << 10, WIDTH = 300, HEIGHT = 200, N = WIDTH * HEIGHT, BLOCK_TEXELS = 128, COLUMNS = 3, ROWS = 2 };

static struct client client;
static PFN_vkQueueBindSparse bind_sparse;
static PFN_vkGetImageSparseMemoryRequirements get_requirements;

static VkBuffer sparse_buffer(VkDeviceSize size)
{
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
                                             VK_BUFFER_CREATE_SPARSE_ALIASED_BIT,
                                    .size = size,
                                    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkBuffer buffer;
   client_check(vk.CreateBuffer(client.device, &info, NULL, &buffer), "vkCreateBuffer");
   return buffer;
}

static VkImage sparse_image(uint32_t width, uint32_t height, uint32_t levels)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT |
                                            VK_IMAGE_CREATE_SPARSE_ALIASED_BIT,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R32_UINT,
                                   .extent = {width, height, 1},
                                   .mipLevels = levels,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VkImage image;
   client_check(vk.CreateImage(client.device, &info, NULL, &image), "vkCreateImage");
   return image;
}

static VkImageView view_of(VkImage image)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R32_UINT,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   VkImageView view;
   client_check(vk.CreateImageView(client.device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

static VkDeviceMemory allocate(VkDeviceSize size)
{
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, size, 0};
   VkDeviceMemory memory;
   client_check(vk.AllocateMemory(client.device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

static VkResult try_bind(const VkBindSparseInfo *info)
{
   const VkResult result = bind_sparse(client.queue, 1, info, VK_NULL_HANDLE);
   return result == VK_SUCCESS ? vk.QueueWaitIdle(client.queue) : result;
}

static void bind_buffer(VkBuffer buffer, uint32_t block, VkDeviceMemory memory, VkDeviceSize offset)
{
   const VkSparseMemoryBind bind = {(VkDeviceSize)block * BLOCK, BLOCK, memory, offset, 0};
   const VkSparseBufferMemoryBindInfo buffers = {buffer, 1, &bind};
   client_check(try_bind(&(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &buffers}),
                "vkQueueBindSparse");
}

static void bind_block(VkImage image, uint32_t column, uint32_t row, VkDeviceMemory memory, VkDeviceSize offset)
{
   const uint32_t x = column * BLOCK_TEXELS, y = row * BLOCK_TEXELS;
   const VkExtent3D extent = {WIDTH - x < BLOCK_TEXELS ? WIDTH - x : BLOCK_TEXELS, HEIGHT - y < BLOCK_TEXELS ? HEIGHT - y : BLOCK_TEXELS, 1};
   const VkSparseImageMemoryBind bind = {
      {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, {(int32_t)x, (int32_t)y, 0}, extent, memory, offset, 0};
   const VkSparseImageMemoryBindInfo images = {image, 1, &bind};
   client_check(try_bind(&(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageBindCount = 1, .pImageBinds = &images}),
                "vkQueueBindSparse");
}

/* ---- what a shader sees ---- */

struct scene {
   VkBuffer buffer;
   VkImage image;
   VkImageView view;
   struct client_buffer out;
   struct client_set set;
   VkShaderModule module;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkSampler sampler;
};

static struct scene scene_create(void)
{
   const VkDescriptorType types[4] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct scene s = {.buffer = sparse_buffer(N * 4), .image = sparse_image(WIDTH, HEIGHT, 1)};
   s.view = view_of(s.image);
   s.out = client_buffer_create(&client, N * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   s.set = client_set_create(&client, 4, types);
   s.sampler = client_sampler(&client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   const struct client_buffer words = {.buffer = s.buffer, .size_bytes = N * 4};
   client_set_buffer(&client, &s.set, 0, types[0], &words);
   client_set_image(&client, &s.set, 1, types[1], s.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&client, &s.set, 2, types[2], s.view, s.sampler, VK_IMAGE_LAYOUT_GENERAL);
   client_set_buffer(&client, &s.set, 3, types[3], &s.out);
   s.module = client_shader(&client, sparse_comp, sizeof(sparse_comp));
   s.layout = client_pipeline_layout(&client, &s.set, 12);
   s.pipeline = client_compute_pipeline(&client, s.module, s.layout, VK_NULL_HANDLE, NULL);
   return s;
}

static void scene_destroy(struct scene *s)
{
   vk.DestroyPipeline(client.device, s->pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, s->layout, NULL);
   vk.DestroyShaderModule(client.device, s->module, NULL);
   vk.DestroySampler(client.device, s->sampler, NULL);
   client_set_destroy(&client, &s->set);
   client_buffer_destroy(&client, &s->out);
   vk.DestroyImageView(client.device, s->view, NULL);
   vk.DestroyImage(client.device, s->image, NULL);
   vk.DestroyBuffer(client.device, s->buffer, NULL);
}

static void record(VkCommandBuffer cmd, const struct scene *s, uint32_t is_writing)
{
   const uint32_t push[3] = {is_writing, WIDTH, N};
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set.set, 0, NULL);
   vk.CmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
   vk.CmdDispatch(cmd, (N + 63) / 64, 1, 1);
   client_barrier(cmd);
}

/* Writes everything if it should, then reads everything. */
static const uint32_t (*run(struct scene *s, bool is_writing))[4]
{
   VkCommandBuffer cmd = client_begin(&client);
   if (is_writing)
      record(cmd, s, 1);
   record(cmd, s, 0);
   client_run(&client, cmd);
   return (const uint32_t(*)[4])s->out.map;
}

static void check(const uint32_t (*got)[4], uint32_t words_bound, uint32_t blocks_bound)
{
   uint32_t wrong = 0;
   for (uint32_t n = 0; n < N; n++) {
      const uint32_t block = n % WIDTH / BLOCK_TEXELS + n / WIDTH / BLOCK_TEXELS * COLUMNS;
      const bool has_word = words_bound >> (n * 4 / BLOCK) & 1, has_texel = blocks_bound >> block & 1;
      const uint32_t expected[4] = {has_word ? n + 1 : 0, has_texel ? n + 1 : 0, has_texel ? n + 1 : 0, has_texel ? 7 : 0};
      wrong += memcmp(got[n], expected, sizeof(expected)) != 0;
   }
   CHECK_EQ(wrong, 0);
}

TEST(what_has_memory_keeps_what_is_written)
{
   struct scene s = scene_create();
   VkDeviceMemory memory = allocate(8 * BLOCK);
   check(run(&s, false), 0, 0);
   check(run(&s, true), 0, 0);
   bind_buffer(s.buffer, 1, memory, 0);
   bind_buffer(s.buffer, 3, memory, 5 * BLOCK);
   bind_block(s.image, 0, 0, memory, 1 * BLOCK);
   bind_block(s.image, 2, 1, memory, 2 * BLOCK);
   check(run(&s, true), 1 << 1 | 1 << 3, 1 << 0 | 1 << 5);
   check(run(&s, false), 1 << 1 | 1 << 3, 1 << 0 | 1 << 5);
   /* Another block's memory is taken away; what this one has stays. */
   bind_block(s.image, 0, 0, VK_NULL_HANDLE, 0);
   bind_buffer(s.buffer, 3, VK_NULL_HANDLE, 0);
   check(run(&s, false), 1 << 1, 1 << 5);
   /* Pages outlive the memory that they came from. */
   vk.FreeMemory(client.device, memory, NULL);
   check(run(&s, true), 1 << 1, 1 << 5);
   scene_destroy(&s);
}

TEST(one_memory_at_several_offsets)
{
   struct scene s = scene_create();
   VkDeviceMemory memory = allocate(2 * BLOCK);
   bind_buffer(s.buffer, 0, memory, 0);
   bind_buffer(s.buffer, 2, memory, BLOCK);
   run(&s, true);
   bind_buffer(s.buffer, 2, memory, 0);
   const uint32_t(*got)[4] = run(&s, false);
   for (uint32_t i = 0; i < BLOCK / 4; i += 97)
      CHECK_EQ(got[i][0], got[i + 2 * BLOCK / 4][0]);
   /* Of two images of one shape too. */
   VkImage other = sparse_image(WIDTH, HEIGHT, 1);
   bind_block(other, 1, 1, memory, BLOCK);
   bind_block(s.image, 0, 1, memory, BLOCK);
   VkCommandBuffer cmd = client_begin(&client);
   const VkClearColorValue color = {.uint32 = {0x1234}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vk.CmdClearColorImage(cmd, other, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   client_barrier(cmd);
   client_run(&client, cmd);
   got = run(&s, false);
   CHECK_EQ(got[BLOCK_TEXELS * WIDTH + 5][1], 0x1234);
   CHECK_EQ(got[BLOCK_TEXELS * WIDTH + BLOCK_TEXELS][1], 0);
   vk.DestroyImage(client.device, other, NULL);
   vk.FreeMemory(client.device, memory, NULL);
   scene_destroy(&s);
}

/* Runs of bound blocks that begin, end and lie within what is filled, whose ends are within blocks. */
TEST(fills_go_where_memory_is)
{
   enum { NUM_BLOCKS = 12, BEGIN = BLOCK / 2 + 4, END = NUM_BLOCKS * BLOCK - BLOCK / 4 - 4, VALUE = 0x01020304 };
   static const bool is_bound[NUM_BLOCKS] = {[0] = true, [3] = true, [4] = true, [5] = true, [8] = true, [11] = true};
   VkBuffer buffer = sparse_buffer(NUM_BLOCKS * BLOCK);
   VkDeviceMemory memory = allocate(NUM_BLOCKS * BLOCK);
   struct client_buffer out = client_buffer_create(&client, NUM_BLOCKS * BLOCK, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   for (uint32_t block = 0; block < NUM_BLOCKS; block++) {
      if (is_bound[block])
         bind_buffer(buffer, block, memory, block * BLOCK);
   }
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdFillBuffer(cmd, buffer, 0, VK_WHOLE_SIZE, 0);
   client_barrier(cmd);
   vk.CmdFillBuffer(cmd, buffer, BEGIN, END - BEGIN, VALUE);
   client_barrier(cmd);
   vk.CmdCopyBuffer(cmd, buffer, out.buffer, 1, &(VkBufferCopy){.size = NUM_BLOCKS * BLOCK});
   client_run(&client, cmd);
   const uint32_t *words = out.map;
   for (uint32_t i = 0; i < NUM_BLOCKS * BLOCK / 4; i++)
      CHECK_EQ(words[i], is_bound[i * 4 / BLOCK] && i * 4 >= BEGIN && i * 4 < END ? VALUE : 0);
   client_buffer_destroy(&client, &out);
   vk.DestroyBuffer(client.device, buffer, NULL);
   vk.FreeMemory(client.device, memory, NULL);
}

TEST(mip_tails)
{
   VkImage image = sparse_image(512, 300, 10);
   VkSparseImageMemoryRequirements requirements;
   VkMemoryRequirements whole;
   uint32_t count = 1;
   vk.GetImageMemoryRequirements(client.device, image, &whole);
   get_requirements(client.device, image, &count, &requirements);
   CHECK_EQ(count, 1);
   CHECK_EQ(whole.alignment, BLOCK);
   CHECK_EQ(requirements.formatProperties.imageGranularity.width, BLOCK_TEXELS);
   CHECK_EQ(requirements.imageMipTailFirstLod, 2); /* 128 x 75 */
   CHECK_EQ(requirements.imageMipTailSize % BLOCK, 0);
   CHECK(requirements.imageMipTailOffset + requirements.imageMipTailSize <= whole.size);
   VkDeviceMemory memory = allocate(requirements.imageMipTailSize);
   const VkSparseMemoryBind tail = {requirements.imageMipTailOffset, requirements.imageMipTailSize, memory, 0, 0};
   const VkSparseImageOpaqueMemoryBindInfo opaque = {image, 1, &tail};
   const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageOpaqueBindCount = 1, .pImageOpaqueBinds = &opaque};
   CHECK_EQ(try_bind(&info), VK_SUCCESS);
   vk.DestroyImage(client.device, image, NULL);
   vk.FreeMemory(client.device, memory, NULL);
}

/* Against the rules, so nothing is asked of the results but that nothing else is harmed. */
TEST(binds_of_offsets_that_are_not_there)
{
   struct scene s = scene_create();
   VkDeviceMemory memory = allocate(BLOCK), small = allocate(4096);
   const VkSparseMemoryBind ranges[] = {
      {0, UINT64_MAX, memory, 0, 0},        {UINT64_MAX - 4095, BLOCK, memory, 0, 0}, {64 * BLOCK, BLOCK, memory, 0, 0},
      {0, BLOCK, memory, BLOCK, 0},         {0, BLOCK, memory, UINT64_MAX - 4095, 0}, {0, 2 * BLOCK, memory, 0, 0},
      {7, 100, memory, 0, 0},               {0, BLOCK, memory, 7, 0},                 {0, BLOCK, small, 0, 0},
      {3 * BLOCK, 100 * BLOCK, VK_NULL_HANDLE, 0, 0},
   };
   const uint32_t num_ranges = sizeof(ranges) / sizeof(ranges[0]);
   const VkSparseBufferMemoryBindInfo buffers = {s.buffer, num_ranges, ranges};
   const VkSparseImageOpaqueMemoryBindInfo opaque = {s.image, num_ranges, ranges};
   const VkImageSubresource first = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
   const VkSparseImageMemoryBind blocks[] = {
      {first, {-128, 0, 0}, {128, 128, 1}, memory, 0, 0},
      {first, {1 << 30, 0, 0}, {128, 128, 1}, memory, 0, 0},
      {first, {0, 0, 1 << 30}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, memory, 0, 0},
      {first, {0, 0, 0}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, memory, 64 * BLOCK, 0},
      {{VK_IMAGE_ASPECT_COLOR_BIT, 9, 0}, {0, 0, 0}, {128, 128, 1}, memory, 0, 0},
      {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 99}, {0, 0, 0}, {128, 128, 1}, memory, 0, 0},
   };
   const VkSparseImageMemoryBindInfo images = {s.image, sizeof(blocks) / sizeof(blocks[0]), blocks};
   const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                  .bufferBindCount = 1,
                                  .pBufferBinds = &buffers,
                                  .imageOpaqueBindCount = 1,
                                  .pImageOpaqueBinds = &opaque,
                                  .imageBindCount = 1,
                                  .pImageBinds = &images};
   CHECK_EQ(try_bind(&info), VK_SUCCESS);
   check(run(&s, true), 0, 0);
   vk.FreeMemory(client.device, memory, NULL);
   vk.FreeMemory(client.device, small, NULL);
   scene_destroy(&s);
}

/* Spec: Sparse Resources, "Sparse Physical Device Features": aliasing needs no blocks. */
TEST(classes_of_images)
{
   const PFN_vkGetPhysicalDeviceImageFormatProperties get = (PFN_vkGetPhysicalDeviceImageFormatProperties)client.get(
      client.instance, "vkGetPhysicalDeviceImageFormatProperties");
   const VkImageCreateFlags binding = VK_IMAGE_CREATE_SPARSE_BINDING_BIT, residency = binding | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
   const struct {
      VkFormat format;
      VkImageType type;
      VkImageCreateFlags flags;
      VkResult expected;
   } rows[] = {
      {VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_1D, binding | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT, VK_SUCCESS},
      {VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_1D, residency, VK_ERROR_FORMAT_NOT_SUPPORTED},
      {VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_3D, residency, VK_SUCCESS},
      {VK_FORMAT_BC7_UNORM_BLOCK, VK_IMAGE_TYPE_2D, residency, VK_SUCCESS},
      {VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_TYPE_2D, residency, VK_SUCCESS},
      {VK_FORMAT_R8G8B8_UNORM, VK_IMAGE_TYPE_2D, binding, VK_SUCCESS},
      {VK_FORMAT_R8G8B8_UNORM, VK_IMAGE_TYPE_2D, residency, VK_ERROR_FORMAT_NOT_SUPPORTED},
   };
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      VkImageFormatProperties properties;
      CHECK_EQ(get(client.physical_device, rows[i].format, rows[i].type, VK_IMAGE_TILING_OPTIMAL,
                   VK_IMAGE_USAGE_SAMPLED_BIT, rows[i].flags, &properties), rows[i].expected);
   }
}

TEST(sizes_beyond_reason)
{
   const VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                           .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
                                           .size = UINT64_MAX - 5,
                                           .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VkBuffer buffer;
   CHECK_EQ(vk.CreateBuffer(client.device, &buffer_info, NULL, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
   VkImage large = sparse_image(16384, 16384, 15); /* a gigabyte of addresses, no memory */
   vk.DestroyImage(client.device, large, NULL);
}

int main(int argc, char **argv)
{
   const VkPhysicalDeviceFeatures features = {.shaderResourceResidency = VK_TRUE,
                                              .sparseBinding = VK_TRUE,
                                              .sparseResidencyBuffer = VK_TRUE,
                                              .sparseResidencyImage2D = VK_TRUE,
                                              .sparseResidencyAliased = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features});
   bind_sparse = (PFN_vkQueueBindSparse)vk.GetDeviceProcAddr(client.device, "vkQueueBindSparse");
   get_requirements =
      (PFN_vkGetImageSparseMemoryRequirements)vk.GetDeviceProcAddr(client.device, "vkGetImageSparseMemoryRequirements");
   const int status = test_run_all(argc, argv);
   client_finish(&client);
   return status;
}
