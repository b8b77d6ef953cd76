/* SPDX-License-Identifier: MIT
 * SECURITY.md, "time", for commands whose memory is given by its address, of extensions: copies whose parameters stand in memory, decompression, conversion of
 * matrices. Each has too many parts, or one that is too large. The device is lost and all threads are back within the time-out and a second. */
#include "tests/attack/hangs.h"
#include "tests/test.h"
#include "util/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(VK_KHR_copy_memory_indirect) && defined(VK_EXT_memory_decompression)

/* No machine is so quick that it does all of this within a minute. */
enum { SIZE = 4096, BYTES = SIZE * SIZE * 4, NUM_PARTS = 1 << 20, NUM_MATRICES = 1 << 16, SLOW_BYTES = 1 << 20 };
static const VkDeviceSize ENDLESS_BYTES = (VkDeviceSize)3 << 30;

#define FUNCTIONS(X)                                                                                                   \
   X(GetBufferDeviceAddress) X(CmdCopyMemoryIndirectKHR) X(CmdCopyMemoryToImageIndirectKHR) X(CmdDecompressMemoryEXT)  \
   X(CmdDecompressMemoryIndirectCountEXT) X(CmdConvertCooperativeVectorMatrixNV)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

struct scene {
   struct client client;
   struct hangs_heard heard;
   struct client_buffer from, to, args; /* the first two BYTES and more, zeros */
   VkDeviceAddress from_address, to_address, args_address;
};

static VkDeviceAddress address_of(struct client *client, const struct client_buffer *buffer)
{
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer->buffer};
   return ext.GetBufferDeviceAddress(client->device, &info);
}

/* With room for the parameters of NUM_PARTS parts. */
static void start(struct scene *s, VkDeviceSize from_bytes, size_t part_bytes)
{
   static const char *const extensions[] = {VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME, VK_EXT_MEMORY_DECOMPRESSION_EXTENSION_NAME,
                                            VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME};
   VkPhysicalDeviceCooperativeVectorFeaturesNV vectors = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV,
                                                          .cooperativeVector = VK_TRUE};
   VkPhysicalDeviceMemoryDecompressionFeaturesEXT decompression = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_FEATURES_EXT,
                                                                   .pNext = &vectors, .memoryDecompression = VK_TRUE};
   VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR copies = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
                                                           .pNext = &decompression, .indirectMemoryCopy = VK_TRUE, .indirectMemoryToImageCopy = VK_TRUE};
   const VkPhysicalDeviceVulkan12Features core = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &copies, .bufferDeviceAddress = VK_TRUE};
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
   *s = (struct scene){0};
   client_init(&s->client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &s->heard, .next = &core, .device_extensions = extensions,
                                                    .num_device_extensions = UTIL_ARRAY_SIZE(extensions), .api_version = VK_API_VERSION_1_3});
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(s->client.device, "vk" #name);
   FUNCTIONS(X)
#undef X
   s->from = client_buffer_create_unwritten(&s->client, from_bytes, usage);
   s->to = client_buffer_create_unwritten(&s->client, BYTES, usage);
   s->args = client_buffer_create(&s->client, UTIL_MAX(part_bytes * NUM_PARTS, (size_t)64), usage);
   s->from_address = address_of(&s->client, &s->from);
   s->to_address = address_of(&s->client, &s->to);
   s->args_address = address_of(&s->client, &s->args);
}

static void repeat(struct scene *s, const void *part, size_t part_bytes)
{
   for (size_t i = 0; i < NUM_PARTS; i++)
      memcpy((uint8_t *)s->args.map + i * part_bytes, part, part_bytes);
}

static void check(struct scene *s, VkCommandBuffer cmd)
{
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&s->client, cmd), &s->heard, begin_s);
}

static void finish(struct scene *s)
{
   client_buffer_destroy(&s->client, &s->from);
   client_buffer_destroy(&s->client, &s->to);
   client_buffer_destroy(&s->client, &s->args);
   client_finish(&s->client);
}

TEST(indirect_copies)
{
   struct scene s;
   start(&s, BYTES, sizeof(VkCopyMemoryIndirectCommandKHR));
   repeat(&s, &(VkCopyMemoryIndirectCommandKHR){s.from_address, s.to_address, BYTES}, sizeof(VkCopyMemoryIndirectCommandKHR));
   const VkCopyMemoryIndirectInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
                                             .copyCount = NUM_PARTS,
                                             .copyAddressRange = {s.args_address, s.args.size_bytes, sizeof(VkCopyMemoryIndirectCommandKHR)}};
   VkCommandBuffer cmd = client_begin(&s.client);
   ext.CmdCopyMemoryIndirectKHR(cmd, &info);
   check(&s, cmd);
   finish(&s);
}

TEST(indirect_copies_to_an_image)
{
   const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   VkImageSubresourceLayers *all = malloc(NUM_PARTS * sizeof(*all));
   struct scene s;
   start(&s, BYTES, sizeof(VkCopyMemoryToImageIndirectCommandKHR));
   struct client_image image = client_image_create(&s.client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
   repeat(&s, &(VkCopyMemoryToImageIndirectCommandKHR){.srcAddress = s.from_address, .imageSubresource = layers, .imageExtent = {SIZE, SIZE, 1}},
          sizeof(VkCopyMemoryToImageIndirectCommandKHR));
   for (uint32_t i = 0; all && i < NUM_PARTS; i++)
      all[i] = layers;
   const VkCopyMemoryToImageIndirectInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR,
                                                    .copyCount = NUM_PARTS,
                                                    .copyAddressRange = {s.args_address, s.args.size_bytes, sizeof(VkCopyMemoryToImageIndirectCommandKHR)},
                                                    .dstImage = image.image,
                                                    .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                    .pImageSubresources = all};
   VkCommandBuffer cmd = client_begin(&s.client);
   client_transition(cmd, &image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   CHECK(all != NULL);
   if (all)
      ext.CmdCopyMemoryToImageIndirectKHR(cmd, &info);
   free(all);
   check(&s, cmd);
   client_image_destroy(&s.client, &image);
   finish(&s);
}

/* Zeros are empty blocks, one after the other: 450,000 in each region. */
TEST(decompression)
{
   struct scene s;
   start(&s, BYTES, sizeof(VkDecompressMemoryRegionEXT));
   repeat(&s, &(VkDecompressMemoryRegionEXT){s.from_address, s.to_address, SLOW_BYTES, 65536}, sizeof(VkDecompressMemoryRegionEXT));
   VkCommandBuffer cmd = client_begin(&s.client);
   const uint32_t count = NUM_PARTS;
   vk.CmdUpdateBuffer(cmd, s.to.buffer, 0, sizeof(count), &count);
   client_barrier(cmd);
   ext.CmdDecompressMemoryIndirectCountEXT(cmd, VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT, s.args_address, s.to_address, NUM_PARTS,
                                           sizeof(VkDecompressMemoryRegionEXT));
   check(&s, cmd);
   finish(&s);
}

/* One region of a billion empty blocks. */
TEST(decompression_of_one_region)
{
   struct scene s;
   start(&s, ENDLESS_BYTES, 0);
   const VkDecompressMemoryRegionEXT region = {s.from_address, s.to_address, ENDLESS_BYTES, 65536};
   const VkDecompressMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DECOMPRESS_MEMORY_INFO_EXT,
                                           .decompressionMethod = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT,
                                           .regionCount = 1,
                                           .pRegions = &region};
   VkCommandBuffer cmd = client_begin(&s.client);
   ext.CmdDecompressMemoryEXT(cmd, &info);
   check(&s, cmd);
   finish(&s);
}

TEST(conversion_of_matrices)
{
   struct scene s;
   size_t bytes = BYTES;
   start(&s, BYTES, 0);
   const VkConvertCooperativeVectorMatrixInfoNV info = {.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV,
                                                        .srcSize = BYTES,
                                                        .srcData.deviceAddress = s.from_address,
                                                        .pDstSize = &bytes,
                                                        .dstData.deviceAddress = s.to_address,
                                                        .srcComponentType = VK_COMPONENT_TYPE_FLOAT32_KHR,
                                                        .dstComponentType = VK_COMPONENT_TYPE_FLOAT32_KHR,
                                                        .numRows = SIZE,
                                                        .numColumns = SIZE,
                                                        .srcLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
                                                        .srcStride = 4 * SIZE,
                                                        .dstLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV,
                                                        .dstStride = 4 * SIZE};
   VkConvertCooperativeVectorMatrixInfoNV *infos = malloc(NUM_MATRICES * sizeof(*infos));
   for (uint32_t i = 0; infos && i < NUM_MATRICES; i++)
      infos[i] = info;
   VkCommandBuffer cmd = client_begin(&s.client);
   CHECK(infos != NULL);
   if (infos)
      ext.CmdConvertCooperativeVectorMatrixNV(cmd, NUM_MATRICES, infos);
   free(infos);
   check(&s, cmd);
   finish(&s);
}

#endif

int main(int argc, char **argv)
{
   hangs_environment();
   return test_run_all(argc, argv);
}
