/* SPDX-License-Identifier: MIT
 * SECURITY.md, "valid input": coordinates of texels, levels and derivatives may be any bits, NaN, infinities and 2^31 among them. Nothing is reached but what
 * is bound, and results are the same for every number of lanes. */
#include "tests/client/client.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/macros.h"

#include "coordinates.h"

#include <stdlib.h>
#include <string.h>

enum { INVOCATIONS = 64 * 64, SIZE = 64, NUM_LEVELS = 4 };

static const uint32_t edges[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x80000000, 0x00000001, 0x807fffff, 0x4f000000,
                                 0xcf000000, 0x4effffff, 0x5f000000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x7fffffff, 0xffffffff, 63, 64, 0x41000000};

static uint32_t next(uint64_t *state)
{
   return (uint32_t)(random_step(state) >> 32);
}

static uint32_t number(uint64_t *state)
{
   const uint32_t choice = next(state), bits = next(state);
   const float ordinary = (float)(bits & 0xffff) / 32768.0f - 0.5f;
   uint32_t word;
   memcpy(&word, &ordinary, 4);
   return choice % 4 == 0 ? edges[(choice >> 4) % (UTIL_ARRAY_SIZE(edges))] : choice % 4 == 1 ? bits : choice % 4 == 2 ? bits & 63 : word;
}

/* General layout, filled with one value a level. */
static struct client_image make_image(struct client *client, VkFormat format, uint32_t num_levels, VkImageUsageFlags usage)
{
   struct client_image image = client_image_create(client, format, SIZE, SIZE, num_levels, VK_SAMPLE_COUNT_1_BIT, usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   struct client_buffer texels = client_buffer_create(client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   for (uint32_t i = 0; i < SIZE * SIZE * 4; i++)
      ((uint8_t *)texels.map)[i] = (uint8_t)(i * 37 % 251);
   VkCommandBuffer cmd = client_begin(client);
   client_transition(cmd, &image, 0, num_levels, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t level = 0; level < num_levels; level++) {
      const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1}, .imageExtent = {SIZE >> level, SIZE >> level, 1}};
      vk.CmdCopyBufferToImage(cmd, texels.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   }
   client_barrier(cmd);
   client_run(client, cmd);
   client_buffer_destroy(client, &texels);
   return image;
}

static void run(const char *lanes, VkFormat format, uint32_t *results)
{
   static const VkDescriptorType types[5] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                             VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   struct client client;
   uint64_t state = 1;
   setenv("VK_SWRAST_LANES", lanes, 1);
   client_init(&client, &(struct client_options){0});
   struct client_buffer in = client_buffer_create(&client, INVOCATIONS * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_buffer out = client_buffer_create(&client, INVOCATIONS * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   for (uint32_t i = 0; i < INVOCATIONS * 4; i++)
      ((uint32_t *)in.map)[i] = number(&state);
   struct client_image sampled = make_image(&client, format, NUM_LEVELS, VK_IMAGE_USAGE_SAMPLED_BIT);
   struct client_image stored = make_image(&client, VK_FORMAT_R8G8B8A8_UNORM, 1, VK_IMAGE_USAGE_STORAGE_BIT);
   VkSampler repeated = client_sampler(&client, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   VkSampler mirrored = client_sampler(&client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT);
   struct client_set set = client_set_create(&client, 5, types);
   client_set_buffer(&client, &set, 0, types[0], &in);
   client_set_buffer(&client, &set, 1, types[1], &out);
   client_set_image(&client, &set, 2, types[2], sampled.view, repeated, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&client, &set, 3, types[3], sampled.view, mirrored, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&client, &set, 4, types[4], stored.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   VkShaderModule module = client_shader(&client, coordinates, sizeof(coordinates));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   client_dispatch(&client, pipeline, layout, &set, INVOCATIONS / 64);
   memcpy(results, out.map, INVOCATIONS * 16);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   vk.DestroySampler(client.device, repeated, NULL);
   vk.DestroySampler(client.device, mirrored, NULL);
   client_image_destroy(&client, &sampled);
   client_image_destroy(&client, &stored);
   client_buffer_destroy(&client, &in);
   client_buffer_destroy(&client, &out);
   client_finish(&client);
}

TEST(coordinates)
{
   static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R16G16_SFLOAT};
   static const char *const lanes[] = {"8", "16", "32"};
   static uint32_t expected[INVOCATIONS * 4], results[INVOCATIONS * 4];
   for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++) {
      run("4", formats[f], expected);
      for (uint32_t l = 0; l < UTIL_ARRAY_SIZE(lanes); l++) {
         run(lanes[l], formats[f], results);
         for (uint32_t i = 0; i < INVOCATIONS * 4; i++) {
            if (results[i] != expected[i])
               fprintf(stderr, "format %d, %s lanes, invocation %u:\n", (int)formats[f], lanes[l], i / 4);
            CHECK_EQ(results[i], expected[i]);
         }
      }
   }
}

TEST_MAIN
