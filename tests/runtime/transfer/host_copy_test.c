/* SPDX-License-Identifier: MIT
 * Copies by the host: texels go where they belong, in all layouts, layers and slices, and nowhere else. */
#include "runtime/transfer/host_copy.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

enum { ROW = 40, ROWS = 24, LAYERS = 3 };

static void make(struct rt_image *image, VkImageType type, VkFormat format, bool is_tiled)
{
   const VkExtent3D extent = {33, 21, type == VK_IMAGE_TYPE_3D ? LAYERS : 1};
   CHECK_EQ(rt_image_init(image, type, format, extent, 2, type == VK_IMAGE_TYPE_3D ? 1 : LAYERS, 1, is_tiled, 1u << 30),
            VK_SUCCESS);
   rt_image_bind(image, calloc(1, image->size_bytes));
}

static struct rt_host_region region_of(const struct rt_image *image, int32_t x, int32_t y, uint32_t width,
                                       uint32_t height)
{
   const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
   return (struct rt_host_region){.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, is_3d ? 1 : LAYERS},
                                  .offset = {x, y, 0},
                                  .extent = {width, height, is_3d ? LAYERS : 1}};
}

/* 64 bits a texel that say where it is. */
static uint64_t texel(uint32_t x, uint32_t y, uint32_t z)
{
   return 1 + x + 100 * y + 10000ull * z;
}

static void check_part(const struct rt_image *image, int32_t x0, int32_t y0, uint32_t width, uint32_t height)
{
   static uint64_t in[LAYERS][ROWS][ROW], out[LAYERS][ROWS][ROW];
   const struct rt_host_region part = region_of(image, x0, y0, width, height), all = region_of(image, 0, 0, 33, 21);
   memset(image->planes[0].data, 0, image->size_bytes);
   for (uint32_t z = 0; z < LAYERS; z++)
      for (uint32_t y = 0; y < ROWS; y++)
         for (uint32_t x = 0; x < ROW; x++)
            in[z][y][x] = texel(x, y, z);
   rt_host_copy_memory(image, &part, in, ROW, ROWS, true);
   memset(out, 0xff, sizeof(out));
   rt_host_copy_memory(image, &all, out, ROW, ROWS, false);
   for (uint32_t z = 0; z < LAYERS; z++)
      for (uint32_t y = 0; y < ROWS; y++)
         for (uint32_t x = 0; x < ROW; x++) {
            const uint32_t px = x - (uint32_t)x0, py = y - (uint32_t)y0;
            const uint64_t expected = x >= 33 || y >= 21 ? UINT64_MAX : px < width && py < height ? texel(px, py, z) : 0;
            CHECK_EQ(out[z][y][x], expected);
         }
}

TEST(parts)
{
   for (int k = 0; k < 4; k++) {
      struct rt_image image;
      make(&image, k & 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D, VK_FORMAT_R16G16B16A16_UINT, k & 2);
      check_part(&image, 0, 0, 33, 21);
      check_part(&image, 5, 3, 17, 9);
      check_part(&image, 32, 20, 1, 1);
      free(image.planes[0].data);
   }
}

TEST(bytes_and_images)
{
   struct rt_image a, b;
   make(&a, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, true);
   make(&b, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, true);
   static uint32_t in[LAYERS][21][33], out[LAYERS][21][33];
   for (uint32_t i = 0; i < LAYERS * 21 * 33; i++)
      (&in[0][0][0])[i] = i * 2654435761u;
   const struct rt_host_region all = region_of(&a, 0, 0, 33, 21);
   rt_host_copy_memory(&a, &all, in, 0, 0, true);

   const uint64_t size = rt_host_level_bytes(&a, VK_IMAGE_ASPECT_COLOR_BIT, 0);
   uint8_t *bytes = malloc(size * LAYERS);
   rt_host_copy_bytes(&a, &all, bytes, false);
   rt_host_copy_bytes(&b, &all, bytes, true);
   rt_host_copy_memory(&b, &all, out, 0, 0, false);
   CHECK(!memcmp(in, out, sizeof(in)));

   struct rt_image c;
   make(&c, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, false);
   const struct rt_host_region from = region_of(&a, 3, 2, 20, 15), to = region_of(&c, 1, 5, 20, 15);
   CHECK_EQ(rt_host_copy_image(&a, &from, &c, &to), VK_SUCCESS);
   rt_host_copy_memory(&c, &all, out, 0, 0, false);
   for (uint32_t z = 0; z < LAYERS; z++)
      for (uint32_t y = 0; y < 21; y++)
         for (uint32_t x = 0; x < 33; x++)
            CHECK_EQ(out[z][y][x], x - 1 < 20 && y - 5 < 15 ? in[z][y - 3][x + 2] : 0);
   free(bytes);
   free(a.planes[0].data);
   free(b.planes[0].data);
   free(c.planes[0].data);
}

/* Offsets and extents of compressed images are in texels, memory is in blocks. */
TEST(blocks)
{
   struct rt_image image;
   make(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_BC1_RGB_UNORM_BLOCK, true);
   uint64_t in[LAYERS][6][9], out[LAYERS][6][9];
   for (uint32_t i = 0; i < LAYERS * 6 * 9; i++)
      (&in[0][0][0])[i] = i + 1;
   const struct rt_host_region all = region_of(&image, 0, 0, 33, 21), part = region_of(&image, 8, 4, 25, 17);
   rt_host_copy_memory(&image, &all, in, 0, 0, true);
   memset(out, 0, sizeof(out));
   rt_host_copy_memory(&image, &part, out, 36, 24, false);
   for (uint32_t z = 0; z < LAYERS; z++)
      for (uint32_t y = 0; y < 5; y++)
         for (uint32_t x = 0; x < 7; x++)
            CHECK_EQ(out[z][y][x], in[z][y + 1][x + 2]);
   free(image.planes[0].data);
}

TEST_MAIN
