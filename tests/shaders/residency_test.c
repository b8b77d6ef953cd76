/* SPDX-License-Identifier: MIT
 * Sparse image operations, whose codes say that all is resident; least levels of detail as operands; implicit ones where images diverge.
 * Spec: "Image Operations", "Level-of-Detail Operation", "Sparse Residency". */
#include "tests/client/client.h"
#include "tests/test.h"

#include "divergent.comp.h"
#include "residency.comp.h"

enum { SIZE = 8, LEVELS = 4, N = SIZE * SIZE };

static struct client client;

static float level_value(uint32_t level, uint32_t x, uint32_t y)
{
   return (float)(100 * level + 8 * y + x);
}

static float depth_value(uint32_t x, uint32_t y)
{
   return (x ^ y) & 1 ? 0.75f : 0.25f;
}

/* Writes all levels of an image. */
static void upload(const struct client_image *image, VkImageAspectFlags aspect, VkImageLayout layout)
{
   struct client_buffer buffer = client_buffer_create(&client, 2 * N * sizeof(float), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   VkCommandBuffer cmd = client_begin(&client);
   float *next = buffer.map;
   client_transition(cmd, image, 0, image->num_levels, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   for (uint32_t level = 0; level < image->num_levels; level++) {
      const uint32_t size = image->width >> level;
      const VkBufferImageCopy copy = {.bufferOffset = (VkDeviceSize)((char *)next - (char *)buffer.map),
                                      .imageSubresource = {aspect, level, 0, 1},
                                      .imageExtent = {size, size, 1}};
      for (uint32_t i = 0; i < size * size; i++)
         next[i] = aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? depth_value(i % size, i / size) : level_value(level, i % size, i / size);
      vk.CmdCopyBufferToImage(cmd, buffer.buffer, image->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
      next += size * size;
   }
   client_transition(cmd, image, 0, image->num_levels, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, layout);
   client_run(&client, cmd);
   client_buffer_destroy(&client, &buffer);
}

static VkSampler comparing_sampler(void)
{
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .compareEnable = VK_TRUE,
                                     .compareOp = VK_COMPARE_OP_LESS,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
   VkSampler sampler;
   client_check(vk.CreateSampler(client.device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* Nearest texel of the level that a footprint of 2^lod texels chooses where `least` is the least. */
static float sampled(uint32_t x, uint32_t y, float lod, float least)
{
   const float lambda = lod > least ? lod : least;
   uint32_t level = (uint32_t)(lambda + 0.49f);
   level = level > LEVELS - 1 ? LEVELS - 1 : level;
   return level_value(level, x >> level, y >> level);
}

static void expected_residency(uint32_t n, float least, float out[8][4])
{
   const uint32_t x = n & 7, y = n >> 3 & 7, gx = x & ~1u, gy = y & ~1u;
   const float lod = (float)(n & 3);
   const float all[8][4] = {
      {level_value(0, x, y), 0, 0, 1},
      {level_value(1, x >> 1, y >> 1), 0, 0, 1},
      {level_value(0, gx, gy + 1), level_value(0, gx + 1, gy + 1), level_value(0, gx + 1, gy), level_value(0, gx, gy)},
      {level_value(0, x, y), 0, 0, 1},
      {0.5f < depth_value(x, y) ? 1.0f : 0.0f, 1, 0, 0},
      {sampled(x, y, lod, least), 0, 0, 1},
      {sampled(x, y, lod, least + (float)(n >> 4 & 1)), 0, 0, 1},
      {1, 0, 0, 0},
   };
   memcpy(out, all, sizeof(all));
}

TEST(residency)
{
   const VkDescriptorType types[4] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
   struct client_image levels = client_image_create(&client, VK_FORMAT_R32_SFLOAT, SIZE, SIZE, LEVELS, VK_SAMPLE_COUNT_1_BIT,
                                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   struct client_image depths = client_image_create(&client, VK_FORMAT_D32_SFLOAT, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   struct client_image stored = client_image_create(&client, VK_FORMAT_R32_SFLOAT, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                    VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   struct client_buffer out = client_buffer_create(&client, N * sizeof(float[8][4]), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkSampler sampler = client_sampler(&client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   VkSampler comparing = comparing_sampler();
   upload(&levels, VK_IMAGE_ASPECT_COLOR_BIT, read);
   upload(&depths, VK_IMAGE_ASPECT_DEPTH_BIT, read);
   upload(&stored, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL);

   struct client_set set = client_set_create(&client, 4, types);
   client_set_image(&client, &set, 0, types[0], levels.view, sampler, read);
   client_set_image(&client, &set, 1, types[1], depths.view, comparing, read);
   client_set_image(&client, &set, 2, types[2], stored.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_buffer(&client, &set, 3, types[3], &out);
   VkShaderModule module = client_shader(&client, residency_comp, sizeof(residency_comp));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, sizeof(float));
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   static const float leasts[] = {0.0f, 0.4f, 1.0f, 1.7f, 9.0f};
   for (size_t i = 0; i < sizeof(leasts) / sizeof(leasts[0]); i++) {
      VkCommandBuffer cmd = client_begin(&client);
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
      vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(float), &leasts[i]);
      vk.CmdDispatch(cmd, N / 16, 1, 1);
      client_barrier(cmd);
      client_run(&client, cmd);
      for (uint32_t n = 0; n < N; n++) {
         float expected[8][4];
         const float(*got)[4] = (const float(*)[4])out.map + n * 8;
         expected_residency(n, leasts[i], expected);
         for (uint32_t k = 0; k < 32; k++)
            CHECK_EQ(got[k / 4][k % 4] * 100.0f, expected[k / 4][k % 4] * 100.0f);
      }
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroySampler(client.device, sampler, NULL);
   vk.DestroySampler(client.device, comparing, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &out);
   client_image_destroy(&client, &levels);
   client_image_destroy(&client, &depths);
   client_image_destroy(&client, &stored);
}

/* A quad steps by `scale` / 8 of an image per lane: log2(scale) levels for the image of 8 texels, one less for that of 4. */
TEST(divergent_images)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
   struct client_image images[2];
   struct client_buffer out = client_buffer_create(&client, N * sizeof(float[4]), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkSampler sampler = client_sampler(&client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   VkDescriptorImageInfo infos[2];
   for (uint32_t i = 0; i < 2; i++) {
      images[i] = client_image_create(&client, VK_FORMAT_R32_SFLOAT, SIZE >> i, SIZE >> i, LEVELS - i, VK_SAMPLE_COUNT_1_BIT,
                                      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
      upload(&images[i], VK_IMAGE_ASPECT_COLOR_BIT, read);
      infos[i] = (VkDescriptorImageInfo){sampler, images[i].view, read};
   }
   const VkDescriptorSetLayoutBinding bindings[2] = {{0, types[0], 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
                                                     {1, types[1], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
   const VkDescriptorSetLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
   const VkDescriptorPoolSize sizes[2] = {{types[0], 2}, {types[1], 1}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
   struct client_set set;
   client_check(vk.CreateDescriptorSetLayout(client.device, &layout_info, NULL, &set.layout), "vkCreateDescriptorSetLayout");
   client_check(vk.CreateDescriptorPool(client.device, &pool_info, NULL, &set.pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = set.pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &set.layout};
   client_check(vk.AllocateDescriptorSets(client.device, &set_info, &set.set), "vkAllocateDescriptorSets");
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set.set,
                                       .descriptorCount = 2,
                                       .descriptorType = types[0],
                                       .pImageInfo = infos};
   vk.UpdateDescriptorSets(client.device, 1, &write, 0, NULL);
   client_set_buffer(&client, &set, 1, types[1], &out);
   VkShaderModule module = client_shader(&client, divergent_comp, sizeof(divergent_comp));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, sizeof(float));
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   for (uint32_t log2 = 0; log2 < 4; log2++) {
      const float scale = (float)(1u << log2);
      VkCommandBuffer cmd = client_begin(&client);
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
      vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(float), &scale);
      vk.CmdDispatch(cmd, 1, 1, 1);
      client_barrier(cmd);
      client_run(&client, cmd);
      for (uint32_t i = 0; i < N; i++) {
         const uint32_t x = i % 8, y = i / 8, which = (x + y) & 1, level = log2 > which ? log2 - which : 0;
         const uint32_t size = SIZE >> which >> level; /* texels of the level */
         const uint32_t u = (2 * x + 1) * size * (1u << log2) / 16 % size, v = (2 * y + 1) * size * (1u << log2) / 16 % size;
         CHECK_EQ(((const float(*)[4])out.map)[i][0], level_value(level, u, v));
      }
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroySampler(client.device, sampler, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &out);
   for (uint32_t i = 0; i < 2; i++)
      client_image_destroy(&client, &images[i]);
}

int main(int argc, char **argv)
{
   const VkPhysicalDeviceFeatures features = {.shaderResourceResidency = VK_TRUE,
                                              .shaderResourceMinLod = VK_TRUE,
                                              .shaderSampledImageArrayDynamicIndexing = VK_TRUE};
   const VkPhysicalDeviceVulkan12Features indexing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                      .descriptorIndexing = VK_TRUE,
                                                      .shaderSampledImageArrayNonUniformIndexing = VK_TRUE};
   const VkPhysicalDeviceComputeShaderDerivativesFeaturesNV derivatives = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV,
      .pNext = (void *)&indexing,
      .computeDerivativeGroupQuads = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features,
                                                 .next = &derivatives,
                                                 .device_extension = VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_2});
   const int status = test_run_all(argc, argv);
   client_finish(&client);
   return status;
}
