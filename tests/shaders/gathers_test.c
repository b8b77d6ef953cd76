/* SPDX-License-Identifier: MIT
 * Gathers of several components, which the compiler makes one call of, against the texels. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "gathers.comp.h"

enum { SIZE = 16, RESULTS = 11 };

static struct client client;

static uint8_t byte_of(uint32_t x, uint32_t y, uint32_t c)
{
   return (uint8_t)(((y % SIZE) * SIZE + x % SIZE) * 7 + c * 61);
}

/* RGBA8 or R8, with those bytes. */
static struct client_image make_image(VkFormat format, uint32_t channels)
{
   struct client_buffer bytes = client_buffer_create(&client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   for (uint32_t i = 0; i < SIZE * SIZE * channels; i++)
      ((uint8_t *)bytes.map)[i] = byte_of(i / channels % SIZE, i / channels / SIZE, i % channels);
   const struct client_image image =
      client_image_create(&client, format, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   VkCommandBuffer cmd = client_begin(&client);
   client_transition(cmd, &image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   vk.CmdCopyBufferToImage(cmd, bytes.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
   client_transition(cmd, &image, 0, 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
   client_run(&client, cmd);
   client_buffer_destroy(&client, &bytes);
   return image;
}

/* The four texels whose upper left one is (x, y), in the order of a gather. */
static bool is_gathered(const float got[4], uint32_t x, uint32_t y, uint32_t c)
{
   static const uint8_t columns[4] = {0, 1, 1, 0}, rows[4] = {1, 1, 0, 0};
   bool is_good = true;
   for (uint32_t i = 0; i < 4; i++)
      is_good &= got[i] == (float)(byte_of(x + columns[i], y + rows[i], c) / 255.0);
   return is_good;
}

static bool is_all(const float got[4], float value)
{
   return got[0] == value && got[1] == value && got[2] == value && got[3] == value;
}

TEST(gathers_of_several_components)
{
   const VkDescriptorType sampled = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, types[3] = {sampled, sampled, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct client_image images[2] = {make_image(VK_FORMAT_R8G8B8A8_UNORM, 4), make_image(VK_FORMAT_R8_UNORM, 1)};
   const VkSampler sampler = client_sampler(&client, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   struct client_buffer results = client_buffer_create(&client, SIZE * SIZE * RESULTS * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(&client, 3, types);
   for (uint32_t i = 0; i < 2; i++)
      client_set_image(&client, &set, i, sampled, images[i].view, sampler, VK_IMAGE_LAYOUT_GENERAL);
   client_set_buffer(&client, &set, 2, types[2], &results);
   VkShaderModule module = client_shader(&client, gathers_comp, sizeof(gathers_comp));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   client_dispatch(&client, pipeline, layout, &set, SIZE * SIZE / 64);

   uint32_t wrong = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const uint32_t x = i % SIZE, y = i / SIZE;
      const float(*got)[4] = (const float(*)[4])results.map + i * RESULTS;
      for (uint32_t c = 0; c < 4; c++)
         wrong += !is_gathered(got[c], x, y, c);
      wrong += !is_all(got[4], 0);
      for (uint32_t k = 0; k < 2; k++)
         wrong += (x ^ y) & 1 ? !is_gathered(got[5 + k], x + 1, y + 1, 1 + k) : !is_all(got[5 + k], -1);
      wrong += !is_gathered(got[7], x, y, 0) + !is_all(got[8], 0) + !is_all(got[9], 0) + !is_all(got[10], 1);
   }
   CHECK_EQ(wrong, 0);

   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroySampler(client.device, sampler, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &results);
   for (uint32_t i = 0; i < 2; i++)
      client_image_destroy(&client, &images[i]);
}

int main(int argc, char **argv)
{
   client_init(&client, &(struct client_options){.wants_validation = true});
   const int status = test_run_all(argc, argv);
   client_finish(&client);
   return status;
}
