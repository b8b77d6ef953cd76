/* SPDX-License-Identifier: MIT
 * SECURITY.md, "valid input", for copies between images and memory of the host: rows and layers of any pitch, of which the last row of the last layer
 * ends with its last texel. In front of the memory and behind it are pages without rights, what is between the rows stays as it was. */
#include "tests/client/client.h"
#include "tests/test.h"

#include <string.h>
#include <sys/mman.h>

enum { WIDTH = 23, HEIGHT = 11, LAYERS = 3, PAGE = 4096, ROOM = 64 * PAGE, FILL = 0xa5 };

struct functions {
   PFN_vkCopyMemoryToImageEXT to_image;
   PFN_vkCopyImageToMemoryEXT to_memory;
   PFN_vkTransitionImageLayoutEXT transition;
};

static const struct {
   VkFormat format;
   uint32_t block, bytes; /* texels a side; bytes a block */
} formats[] = {{VK_FORMAT_R8_UNORM, 1, 1},           {VK_FORMAT_R8G8_UNORM, 1, 2},           {VK_FORMAT_R8G8B8A8_UNORM, 1, 4},
               {VK_FORMAT_R16G16B16A16_SFLOAT, 1, 8}, {VK_FORMAT_R32G32B32A32_UINT, 1, 16}, {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 4, 8},
               {VK_FORMAT_BC7_UNORM_BLOCK, 4, 16},   {VK_FORMAT_D16_UNORM, 1, 2}};

static const struct copy {
   VkOffset3D offset;
   VkExtent3D extent;
   uint32_t first_layer, num_layers, row_length, image_height; /* the latter two in texels; 0: as the extent */
} copies[] = {
   {{0, 0, 0}, {WIDTH, HEIGHT, 1}, 0, 1, 0, 0},     {{0, 0, 0}, {WIDTH, HEIGHT, 1}, 0, LAYERS, 0, 0}, {{0, 0, 0}, {WIDTH, HEIGHT, 1}, 0, LAYERS, 24, 12},
   {{0, 0, 0}, {WIDTH, HEIGHT, 1}, 1, 2, 100, 28},  {{20, 8, 0}, {3, 3, 1}, 2, 1, 0, 0},              {{20, 8, 0}, {3, 3, 1}, 0, LAYERS, 4, 4},
   {{4, 4, 0}, {4, 4, 1}, 1, 1, 1000, 4},           {{0, 0, 0}, {WIDTH, 4, 1}, 0, 2, WIDTH + 1, 64},  {{4, 0, 0}, {8, HEIGHT, 1}, 0, 1, 8, 0},
};

static VkImage create_image(struct client *client, VkFormat format, VkDeviceMemory *memory)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = format, .extent = {WIDTH, HEIGHT, 1},
                                   .mipLevels = 1, .arrayLayers = LAYERS, .samples = VK_SAMPLE_COUNT_1_BIT, .tiling = VK_IMAGE_TILING_OPTIMAL,
                                   .usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT | VK_IMAGE_USAGE_SAMPLED_BIT};
   VkImage image;
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(client->device, &info, NULL, &image), "vkCreateImage");
   vk.GetImageMemoryRequirements(client->device, image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size};
   client_check(vk.AllocateMemory(client->device, &allocate, NULL, memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(client->device, image, *memory, 0), "vkBindImageMemory");
   return image;
}

static size_t blocks(uint32_t texels, uint32_t block)
{
   return (texels + block - 1) / block;
}

/* What a copy's rows are in memory, in bytes. */
struct shape {
   size_t row, num_rows, pitch, layer, total;
};

static struct shape shape_of(uint32_t f, const struct copy *copy)
{
   const uint32_t block = formats[f].block;
   const size_t row_length = blocks(copy->row_length ? copy->row_length : copy->extent.width, block);
   const size_t height = blocks(copy->image_height ? copy->image_height : copy->extent.height, block);
   struct shape s = {.row = blocks(copy->extent.width, block) * formats[f].bytes, .num_rows = blocks(copy->extent.height, block)};
   s.pitch = row_length * formats[f].bytes;
   s.layer = s.pitch * height;
   s.total = (copy->num_layers - 1) * s.layer + (s.num_rows - 1) * s.pitch + s.row;
   return s;
}

/* Whether the byte belongs to a row. */
static bool is_inside(const struct shape *s, size_t at)
{
   const size_t in_layer = at % s->layer;
   return in_layer / s->pitch < s->num_rows && in_layer % s->pitch < s->row;
}

/* Into the image and back, with the memory's start and then its end at the edge of what may be touched. */
static void check(struct client *client, const struct functions *fns, VkImage image, uint32_t f, const struct copy *copy, uint8_t *room)
{
   const struct shape s = shape_of(f, copy);
   const VkImageSubresourceLayers layers = {formats[f].format == VK_FORMAT_D16_UNORM ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                                            copy->first_layer, copy->num_layers};
   uint32_t wrong = 0;
   if (s.total > ROOM)
      client_die("there is too little room");
   for (uint32_t at_end = 0; at_end < 2; at_end++) {
      uint8_t *memory = at_end ? room + ROOM - s.total : room;
      const VkMemoryToImageCopy in = {VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT, NULL, memory, copy->row_length, copy->image_height, layers,
                                      copy->offset, copy->extent};
      const VkCopyMemoryToImageInfo in_info = {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT, NULL, 0, image, VK_IMAGE_LAYOUT_GENERAL, 1, &in};
      const VkImageToMemoryCopy out = {VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT, NULL, memory, copy->row_length, copy->image_height, layers,
                                      copy->offset, copy->extent};
      const VkCopyImageToMemoryInfo out_info = {VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT, NULL, 0, image, VK_IMAGE_LAYOUT_GENERAL, 1, &out};
      for (size_t i = 0; i < s.total; i++)
         memory[i] = (uint8_t)(i * 7 + f);
      client_check(fns->to_image(client->device, &in_info), "vkCopyMemoryToImage");
      memset(memory, FILL, s.total);
      client_check(fns->to_memory(client->device, &out_info), "vkCopyImageToMemory");
      for (size_t i = 0; i < s.total; i++)
         wrong += memory[i] != (is_inside(&s, i) ? (uint8_t)(i * 7 + f) : FILL);
   }
   CHECK_EQ(wrong, 0);
}

TEST(pitches)
{
   static const VkPhysicalDeviceHostImageCopyFeaturesEXT feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT, .hostImageCopy = VK_TRUE};
   struct client client;
   client_init(&client, &(struct client_options){.next = &feature,
                                                 .device_extension = VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_3});
   const struct functions fns = {(PFN_vkCopyMemoryToImageEXT)vk.GetDeviceProcAddr(client.device, "vkCopyMemoryToImageEXT"),
                                 (PFN_vkCopyImageToMemoryEXT)vk.GetDeviceProcAddr(client.device, "vkCopyImageToMemoryEXT"),
                                 (PFN_vkTransitionImageLayoutEXT)vk.GetDeviceProcAddr(client.device, "vkTransitionImageLayoutEXT")};
   uint8_t *all = mmap(NULL, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *room = all + PAGE;
   if (all == MAP_FAILED || mprotect(room, ROOM, PROT_READ | PROT_WRITE))
      client_die("no memory");
   for (uint32_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
      VkDeviceMemory memory;
      VkImage image = create_image(&client, formats[f].format, &memory);
      const VkHostImageLayoutTransitionInfo transition = {
         VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT, NULL, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL,
         {formats[f].format == VK_FORMAT_D16_UNORM ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS}};
      client_check(fns.transition(client.device, 1, &transition), "vkTransitionImageLayout");
      for (uint32_t c = 0; c < sizeof(copies) / sizeof(copies[0]); c++)
         check(&client, &fns, image, f, &copies[c], room);
      vk.DestroyImage(client.device, image, NULL);
      vk.FreeMemory(client.device, memory, NULL);
   }
   munmap(all, ROOM + 2 * PAGE);
   client_finish(&client);
}

TEST_MAIN
