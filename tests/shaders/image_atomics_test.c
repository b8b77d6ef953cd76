/* SPDX-License-Identifier: MIT
 * Atomic operations on images through the loader, against the same on the host: what does not depend on the order. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "image_atomics.comp.h"

#include <stdlib.h>

enum { SIZE = 64, BINS = 16, ROWS = 8, INITIAL = 0x1234 };

static struct client client;

/* R32 images with the words of `from`, and back. */
static struct client_image make_image(VkFormat format, uint32_t width, uint32_t height, const struct client_buffer *from)
{
   const struct client_image image = client_image_create(&client, format, width, height, 1, VK_SAMPLE_COUNT_1_BIT,
                                                         VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {width, height, 1}};
   VkCommandBuffer cmd = client_begin(&client);
   client_transition(cmd, &image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vk.CmdCopyBufferToImage(cmd, from->buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   client_barrier(cmd);
   client_run(&client, cmd);
   return image;
}

static void read_image(const struct client_image *image, const struct client_buffer *to)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {image->width, image->height, 1}};
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, to->buffer, 1, &region);
   client_barrier(cmd);
   client_run(&client, cmd);
}

static uint32_t value_of(uint32_t id)
{
   const uint32_t v = id * 2654435761u;
   return v ^ v >> 15;
}

struct expected {
   uint32_t bins[ROWS][BINS];
   int32_t signed_bins[2][BINS];
};

static void compute(struct expected *e)
{
   for (uint32_t b = 0; b < BINS; b++) {
      for (uint32_t r = 0; r < ROWS; r++)
         e->bins[r][b] = r == 2 || r == 4 ? UINT32_MAX : 0;
      e->signed_bins[0][b] = INT32_MAX;
      e->signed_bins[1][b] = INT32_MIN;
   }
   for (uint32_t id = 0; id < SIZE * SIZE; id++) {
      const uint32_t v = value_of(id), b = v & (BINS - 1);
      const int32_t s = (int32_t)v;
      e->bins[0][b]++;
      e->bins[1][b] += v;
      e->bins[2][b] = v < e->bins[2][b] ? v : e->bins[2][b];
      e->bins[3][b] = v > e->bins[3][b] ? v : e->bins[3][b];
      e->bins[4][b] &= v | 0xffff;
      e->bins[5][b] |= v & 0xffff0;
      e->bins[6][b] ^= v;
      e->bins[7][b] += v & 0x300 ? 0 : 3;
      e->signed_bins[0][b] = s < e->signed_bins[0][b] ? s : e->signed_bins[0][b];
      e->signed_bins[1][b] = s > e->signed_bins[1][b] ? s : e->signed_bins[1][b];
   }
}

static void check_results(const uint32_t *results, const uint32_t *own, const struct expected *e)
{
   static bool is_taken[BINS][SIZE * SIZE];
   uint32_t wrong = 0;
   memset(is_taken, 0, sizeof(is_taken));
   for (uint32_t id = 0; id < SIZE * SIZE; id++) {
      const uint32_t v = value_of(id), b = v & (BINS - 1), ticket = results[4 * id];
      wrong += ticket >= e->bins[0][b] || is_taken[b][ticket]; /* each number once */
      if (ticket < SIZE * SIZE)
         is_taken[b][ticket] = true;
      wrong += results[4 * id + 1] != INITIAL + id;
      wrong += results[4 * id + 2] != v;
      wrong += results[4 * id + 3] != 0;
      wrong += own[id] != (v & 16 ? v : 7);
   }
   CHECK_EQ(wrong, 0);
}

TEST(image_atomics)
{
   const VkDescriptorType types[4] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
   struct client_buffer words[3] = {client_buffer_create(&client, ROWS * BINS * 4, usage), client_buffer_create(&client, 2 * BINS * 4, usage),
                                    client_buffer_create(&client, SIZE * SIZE * 4, usage)};
   struct client_buffer results = client_buffer_create(&client, SIZE * SIZE * 16, usage);
   struct expected expected;
   compute(&expected);
   for (uint32_t i = 0; i < ROWS * BINS; i++)
      ((uint32_t *)words[0].map)[i] = i / BINS == 2 || i / BINS == 4 ? UINT32_MAX : 0;
   for (uint32_t i = 0; i < 2 * BINS; i++)
      ((int32_t *)words[1].map)[i] = i < BINS ? INT32_MAX : INT32_MIN;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      ((uint32_t *)words[2].map)[i] = INITIAL + i;
   struct client_image images[3] = {make_image(VK_FORMAT_R32_UINT, BINS, ROWS, &words[0]), make_image(VK_FORMAT_R32_SINT, BINS, 2, &words[1]),
                                    make_image(VK_FORMAT_R32_UINT, SIZE, SIZE, &words[2])};
   struct client_set set = client_set_create(&client, 4, types);
   for (uint32_t i = 0; i < 3; i++)
      client_set_image(&client, &set, i, types[i], images[i].view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_buffer(&client, &set, 3, types[3], &results);
   VkShaderModule module = client_shader(&client, image_atomics_comp, sizeof(image_atomics_comp));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDispatch(cmd, SIZE / 8, SIZE / 8, 1);
   client_barrier(cmd);
   client_run(&client, cmd);
   for (uint32_t i = 0; i < 3; i++)
      read_image(&images[i], &words[i]);

   CHECK_EQ(memcmp(words[0].map, expected.bins, sizeof(expected.bins)), 0);
   CHECK_EQ(memcmp(words[1].map, expected.signed_bins, sizeof(expected.signed_bins)), 0);
   check_results(results.map, words[2].map, &expected);

   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &results);
   for (uint32_t i = 0; i < 3; i++) {
      client_image_destroy(&client, &images[i]);
      client_buffer_destroy(&client, &words[i]);
   }
}

int main(int argc, char **argv)
{
   client_init(&client, &(struct client_options){.wants_validation = false});
   const int status = test_run_all(argc, argv);
   client_finish(&client);
   return status;
}
