/* SPDX-License-Identifier: MIT
 * Sparse blocks: they cover all bytes of a level once, in whole pages, and hold the texels that they should. */
#include "runtime/image/sparse_blocks.h"
#include "tests/test.h"

#include <stdlib.h>

static struct rt_image make(VkImageType type, VkFormat format, VkExtent3D extent, uint32_t levels, uint32_t layers, uint32_t samples)
{
   struct rt_image image;
   CHECK_EQ(rt_image_init_sparse(&image, type, format, extent, levels, layers, samples, true, true, 1ull << 40), VK_SUCCESS);
   CHECK_EQ(image.align_bytes, RT_SPARSE_BLOCK_BYTES);
   CHECK_EQ(image.size_bytes % RT_SPARSE_BLOCK_BYTES, 0);
   return image;
}

static bool is_inside(const struct rt_sparse_run *runs, uint32_t count, uint64_t offset, uint32_t bytes)
{
   for (uint32_t i = 0; i < count; i++) {
      if (offset >= runs[i].offset_bytes && offset + bytes <= runs[i].offset_bytes + runs[i].size_bytes)
         return true;
   }
   return false;
}

/* Some texels of the block, its corners among them, as far as the level has them. */
static void check_texels(const struct rt_image *image, uint32_t p, uint32_t l, uint32_t layer, const uint32_t at[3],
                         const struct rt_sparse_run *runs, uint32_t count)
{
   const struct rt_plane *plane = &image->planes[p];
   const struct abi_level *level = &plane->levels[l];
   const uint32_t size[3] = {plane->sparse_block.width, plane->sparse_block.height, plane->sparse_block.depth};
   const uint32_t extent[3] = {UTIL_DIV_ROUND_UP(level->width, plane->info->block_width),
                               UTIL_DIV_ROUND_UP(level->height, plane->info->block_height), level->depth};
   for (uint32_t k = 0; k < 64; k++) {
      uint32_t texel[3];
      for (uint32_t a = 0; a < 3; a++)
         texel[a] = at[a] * size[a] + (k >> a & 1 ? size[a] - 1 : 0) * (k < 8) + (k < 8 ? 0 : (k * 37 + a * 11) % size[a]);
      if (texel[0] >= extent[0] || texel[1] >= extent[1] || texel[2] >= extent[2])
         continue;
      const uint64_t offset = plane->offset_bytes + layer * plane->layer_bytes +
                              rt_level_offset(level, true, plane->texel_bytes, texel[0], texel[1], texel[2],
                                              image->num_samples - 1, image->num_samples);
      CHECK(is_inside(runs, count, offset, plane->texel_bytes));
   }
}

static void check_level(const struct rt_image *image, uint32_t p, uint32_t l, uint32_t layer, uint8_t *page_uses)
{
   const struct rt_plane *plane = &image->planes[p];
   const struct abi_level *level = &plane->levels[l];
   const uint32_t width = UTIL_DIV_ROUND_UP(UTIL_DIV_ROUND_UP(level->width, plane->info->block_width), plane->sparse_block.width);
   const uint32_t height = UTIL_DIV_ROUND_UP(UTIL_DIV_ROUND_UP(level->height, plane->info->block_height), plane->sparse_block.height);
   const uint32_t depth = UTIL_DIV_ROUND_UP(level->depth, plane->sparse_block.depth);
   struct rt_sparse_run runs[RT_MAX_SPARSE_RUNS];
   for (uint32_t n = 0; n < width * height * depth; n++) {
      const uint32_t at[3] = {n % width, n / width % height, n / width / height};
      const uint32_t count = rt_sparse_block_runs(image, p, l, layer, at[0], at[1], at[2], runs);
      CHECK(count > 0 && count < RT_MAX_SPARSE_RUNS);
      check_texels(image, p, l, layer, at, runs, count);
      for (uint32_t i = 0; i < count; i++) {
         CHECK_EQ((runs[i].offset_bytes | runs[i].block_bytes | runs[i].size_bytes) % ABI_PAGE_BYTES, 0);
         CHECK(runs[i].block_bytes + runs[i].size_bytes <= RT_SPARSE_BLOCK_BYTES);
         CHECK(runs[i].offset_bytes + runs[i].size_bytes <= image->size_bytes);
         for (uint64_t page = runs[i].offset_bytes; page < runs[i].offset_bytes + runs[i].size_bytes; page += ABI_PAGE_BYTES)
            CHECK_EQ(page_uses[page / ABI_PAGE_BYTES]++, 0);
      }
   }
   CHECK_EQ(rt_sparse_block_runs(image, p, l, layer, width, 0, 0, runs), 0);
   CHECK_EQ(rt_sparse_block_runs(image, p, l, layer, 0, UINT32_MAX, 0, runs), 0);
   CHECK_EQ(rt_sparse_block_runs(image, p, l, layer, 0, 0, UINT32_MAX, runs), 0);
}

static void check(VkImageType type, VkFormat format, VkExtent3D extent, uint32_t levels, uint32_t layers, uint32_t samples)
{
   const struct rt_image image = make(type, format, extent, levels, layers, samples);
   uint8_t *uses = calloc(image.size_bytes / ABI_PAGE_BYTES, 1);
   for (uint32_t p = 0; p < image.num_planes; p++) {
      const struct rt_plane *plane = &image.planes[p];
      CHECK_EQ(plane->offset_bytes % RT_SPARSE_BLOCK_BYTES, 0);
      CHECK_EQ(plane->layer_bytes % RT_SPARSE_BLOCK_BYTES, 0);
      CHECK_EQ((plane->tail_offset_bytes | plane->tail_bytes) % RT_SPARSE_BLOCK_BYTES, 0);
      for (uint32_t layer = 0; layer < layers; layer++) {
         for (uint32_t l = 0; l < plane->tail_first_level; l++)
            check_level(&image, p, l, layer, uses);
         for (uint64_t byte = 0; byte < plane->tail_bytes; byte += ABI_PAGE_BYTES)
            CHECK_EQ(uses[(plane->offset_bytes + layer * plane->layer_bytes + plane->tail_offset_bytes + byte) / ABI_PAGE_BYTES]++, 0);
      }
   }
   free(uses);
}

TEST(standard_shapes)
{
   static const struct {
      VkFormat format;
      uint32_t samples, width, height;
   } rows[] = {
      {VK_FORMAT_R8_UNORM, 1, 256, 256},           {VK_FORMAT_R16_SFLOAT, 1, 256, 128},
      {VK_FORMAT_R8G8B8A8_UNORM, 1, 128, 128},     {VK_FORMAT_R16G16B16A16_UINT, 1, 128, 64},
      {VK_FORMAT_R32G32B32A32_UINT, 1, 64, 64},    {VK_FORMAT_R8_UNORM, 2, 128, 256},
      {VK_FORMAT_R8G8B8A8_UNORM, 4, 64, 64},       {VK_FORMAT_R16_UINT, 8, 64, 64},
      {VK_FORMAT_R32G32B32A32_UINT, 8, 16, 32},    {VK_FORMAT_R32G32B32A32_UINT, 16, 16, 16},
      {VK_FORMAT_BC1_RGB_UNORM_BLOCK, 1, 512, 256}, {VK_FORMAT_BC7_UNORM_BLOCK, 1, 256, 256},
      {VK_FORMAT_R8G8B8_UNORM, 1, 0, 0},           {VK_FORMAT_R64_UINT, 1, 128, 64},
   };
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const VkExtent3D extent = rt_sparse_granularity(rt_format_info(rows[i].format), VK_IMAGE_TYPE_2D, rows[i].samples);
      CHECK_EQ(extent.width, rows[i].width);
      CHECK_EQ(extent.height, rows[i].height);
   }
   CHECK_EQ(rt_sparse_block(rt_format_info(VK_FORMAT_R8_UNORM), VK_IMAGE_TYPE_1D, 1).width, 0);
}

TEST(blocks_and_tails_are_apart_and_whole)
{
   static const VkFormat formats[] = {VK_FORMAT_R8_UNORM,          VK_FORMAT_R16_SFLOAT,          VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_FORMAT_R32G32_UINT,       VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                      VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM};
   for (uint32_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
      check(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){1000, 601, 1}, f < 7 ? 10 : 1, 2, 1);
      check(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){20, 20, 1}, 1, 1, 1);
      for (uint32_t samples = 2; samples <= 16 && f < 5; samples *= 2)
         check(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){333, 275, 1}, 1, 2, samples);
      if (f < 5)
         check(VK_IMAGE_TYPE_3D, formats[f], (VkExtent3D){130, 70, 21}, 6, 1, 1);
   }
}

TEST(too_large)
{
   struct rt_image image;
   CHECK_EQ(rt_image_init_sparse(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent3D){16384, 16384, 1}, 15, 2048, 1, true,
                                 true, 1ull << 40),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
   CHECK_EQ(rt_image_init_sparse(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, (VkExtent3D){UINT32_MAX, UINT32_MAX, 1}, 15, UINT32_MAX,
                                 1, true, true, UINT64_MAX),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_MAIN
