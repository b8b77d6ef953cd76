/* SPDX-License-Identifier: MIT
 * Sizes that wrap: arrays of a shader whose sum has few low bits, counts and extents of the API up to the largest number. Each gives an error or
 * works; nothing is allocated smaller than it is used. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "private_arrays_4.h"
#include "private_arrays_5.h"

#include <stdlib.h>

static VkResult create_pipeline(struct client *client, const uint32_t *words, size_t size_bytes, uint32_t count, VkPipeline *pipeline,
                                VkPipelineLayout layout)
{
   const VkSpecializationMapEntry entry = {0, 0, sizeof(count)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(count), &count};
   VkShaderModule module = client_shader(client, words, size_bytes);
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &specialization},
      .layout = layout,
   };
   const VkResult result = vk.CreateComputePipelines(client->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
   vk.DestroyShaderModule(client->device, module, NULL);
   return result;
}

/* Whether a pipeline with arrays of `count` elements can be made; if so, its arrays must hold what is written to them. */
static bool holds(const uint32_t *words, size_t size_bytes, uint32_t num_arrays, uint32_t count)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   client_init(&client, &(struct client_options){0});
   struct client_set set = client_set_create(&client, 1, &type);
   struct client_buffer buffer = client_buffer_create(&client, 48 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = VK_NULL_HANDLE;
   uint32_t *data = buffer.map;
   const VkResult result = create_pipeline(&client, words, size_bytes, count, &pipeline, layout);
   CHECK_EQ(result == VK_SUCCESS, pipeline != VK_NULL_HANDLE);
   if (pipeline) {
      client_set_buffer(&client, &set, 0, type, &buffer);
      for (uint32_t i = 0; i < 16; i++) {
         data[i] = data[i + 32] = count / 16 * i + 7; /* from one end of the arrays to the other */
         data[i + 16] = i * 1000;
      }
      client_dispatch(&client, pipeline, layout, &set, 1);
      for (uint32_t i = 0; i < 16; i++)
         CHECK_EQ(data[i], num_arrays * i * 1000 + num_arrays * (num_arrays - 1) / 2);
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_buffer_destroy(&client, &buffer);
   client_set_destroy(&client, &set);
   client_finish(&client);
   return result == VK_SUCCESS;
}

TEST(arrays_of_an_invocation)
{
   static const char *const lanes[] = {"4", "8", "16", "32"};
   for (uint32_t i = 0; i < 4; i++) {
      setenv("VK_SWRAST_LANES", lanes[i], 1);
      CHECK(!holds(private_arrays_5, sizeof(private_arrays_5), 5, 1 << 24));
      CHECK_EQ(holds(private_arrays_4, sizeof(private_arrays_4), 4, 1 << 24), i == 0); /* 4 lanes: just 1 GiB */
      CHECK(holds(private_arrays_5, sizeof(private_arrays_5), 5, 1 << 12));
   }
   unsetenv("VK_SWRAST_LANES");
}

/* ---- the API ---- */

static const uint32_t counts[] = {1, 0xffff, 0x10000, 0x0fffffff, 0x10000000, 0x10000001, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
static const uint64_t sizes[] = {1,
                                 0x7fffffff,
                                 0x80000000,
                                 0xffffffff,
                                 UINT64_C(0x100000000),
                                 UINT64_C(0x7fffffffffffffff),
                                 UINT64_C(0x8000000000000000),
                                 UINT64_C(0xfffffffffffffff0),
                                 UINT64_C(0xffffffffffffffc1),
                                 UINT64_C(0xffffffffffffffff)};
#define EACH(array, i) for (size_t i = 0; i < sizeof(array) / sizeof((array)[0]); i++)

static bool is_refusal(VkResult result)
{
   return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

TEST(buffers_and_memory)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   EACH(sizes, i) {
      const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = sizes[i], .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
      VkBuffer buffer;
      const VkResult result = vk.CreateBuffer(client.device, &info, NULL, &buffer);
      CHECK(result == VK_SUCCESS || is_refusal(result));
      if (result == VK_SUCCESS) {
         VkMemoryRequirements requirements;
         vk.GetBufferMemoryRequirements(client.device, buffer, &requirements);
         CHECK(requirements.size >= sizes[i]);
         vk.DestroyBuffer(client.device, buffer, NULL);
      }
      const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = sizes[i]};
      VkDeviceMemory memory;
      const VkResult allocated = vk.AllocateMemory(client.device, &allocate, NULL, &memory);
      CHECK(allocated == VK_SUCCESS || is_refusal(allocated));
      CHECK(allocated != VK_SUCCESS || sizes[i] < UINT64_C(1) << 47);
      if (allocated == VK_SUCCESS)
         vk.FreeMemory(client.device, memory, NULL);
   }
   client_finish(&client);
}

TEST(images)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   EACH(counts, w) EACH(counts, l) for (uint32_t samples = 1; samples <= 8; samples *= 8) {
      const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                      .extent = {counts[w], counts[l], 1},
                                      .mipLevels = 1,
                                      .arrayLayers = counts[(w + l) % 10],
                                      .samples = (VkSampleCountFlagBits)samples,
                                      .tiling = w % 2 ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
      VkImage image;
      const VkResult result = vk.CreateImage(client.device, &info, NULL, &image);
      CHECK(result == VK_SUCCESS || is_refusal(result));
      if (result == VK_SUCCESS) {
         VkMemoryRequirements requirements;
         vk.GetImageMemoryRequirements(client.device, image, &requirements);
         const long double texels = (long double)counts[w] * counts[l] * counts[(w + l) % 10] * samples;
         CHECK((long double)requirements.size >= texels * 16);
         vk.DestroyImage(client.device, image, NULL);
      }
   }
   client_finish(&client);
}

TEST(descriptors_and_queries)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   EACH(counts, i) {
      const VkDescriptorPoolSize size[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, counts[i]}, {VK_DESCRIPTOR_TYPE_SAMPLER, counts[i]}};
      const VkDescriptorPoolCreateInfo pool_info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = counts[i], .poolSizeCount = 2, .pPoolSizes = size};
      /* As many objects as can be counted are too many to make in a test, but not too many to refuse. */
      if (counts[i] > 0x10000 && counts[i] < 0x80000000)
         continue;
      VkDescriptorPool pool;
      const VkResult pooled = vk.CreateDescriptorPool(client.device, &pool_info, NULL, &pool);
      CHECK(pooled == VK_SUCCESS || is_refusal(pooled) || pooled == VK_ERROR_FRAGMENTATION_EXT);
      if (pooled == VK_SUCCESS)
         vk.DestroyDescriptorPool(client.device, pool, NULL);
   }
   EACH(counts, i) {
      VkDescriptorSetLayoutBinding bindings[16];
      for (uint32_t b = 0; b < 16; b++)
         bindings[b] = (VkDescriptorSetLayoutBinding){b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, counts[i], VK_SHADER_STAGE_ALL, NULL};
      const VkDescriptorSetLayoutCreateInfo layout_info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 16, .pBindings = bindings};
      VkDescriptorSetLayout layout;
      const VkResult laid_out = vk.CreateDescriptorSetLayout(client.device, &layout_info, NULL, &layout);
      CHECK(laid_out == VK_SUCCESS || is_refusal(laid_out));
      CHECK_EQ(laid_out == VK_SUCCESS, (uint64_t)counts[i] * 16 * 16 <= UINT32_MAX);
      if (laid_out == VK_SUCCESS)
         vk.DestroyDescriptorSetLayout(client.device, layout, NULL);
   }
   EACH(counts, i) {
      const VkQueryPoolCreateInfo query_info = {
         .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = counts[i]};
      if (counts[i] > 0x10000 && counts[i] < 0x80000000)
         continue;
      VkQueryPool queries;
      const VkResult queried = vk.CreateQueryPool(client.device, &query_info, NULL, &queries);
      CHECK(queried == VK_SUCCESS || is_refusal(queried));
      if (queried == VK_SUCCESS)
         vk.DestroyQueryPool(client.device, queries, NULL);
   }
   client_finish(&client);
}

TEST_MAIN
