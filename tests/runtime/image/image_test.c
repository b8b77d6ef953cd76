/* SPDX-License-Identifier: MIT
 * Image layouts: every texel has bytes of its own inside the image; views refer to the same bytes. */
#include "runtime/image/image.h"
#include "tests/test.h"

#include <stdlib.h>

static const VkComponentMapping identity;

static void count_texel(uint8_t *uses, uint64_t size, uint64_t offset, uint32_t bytes)
{
   CHECK(offset + bytes <= size);
   if (offset + bytes > size)
      return;
   for (uint32_t i = 0; i < bytes; i++) {
      CHECK(uses[offset + i] == 0);
      uses[offset + i]++;
   }
}

/* Walks all texels (or blocks) of all samples of all subresources. */
static void check_layout(VkImageType type, VkFormat format, VkExtent3D extent, uint32_t levels, uint32_t layers,
                         uint32_t samples, bool is_tiled)
{
   struct rt_image image;
   CHECK_EQ(rt_image_init(&image, type, format, extent, levels, layers, samples, is_tiled, 1u << 30), VK_SUCCESS);
   uint8_t *uses = calloc(1, image.size_bytes);
   for (uint32_t p = 0; p < image.num_planes; p++) {
      const struct rt_plane *plane = &image.planes[p];
      for (uint32_t l = 0; l < levels; l++) {
         const struct abi_level *level = &plane->levels[l];
         CHECK_EQ(level->width, UTIL_DIV_ROUND_UP(UTIL_MAX(extent.width >> l, 1), p && strstr(image.info->name, "_420_") ? 2 : 1));
         const uint32_t width = UTIL_DIV_ROUND_UP(level->width, plane->info->block_width);
         const uint32_t height = UTIL_DIV_ROUND_UP(level->height, plane->info->block_height);
         for (uint32_t layer = 0; layer < layers; layer++)
            for (uint32_t z = 0; z < rt_level_slices(plane, level); z++)
               for (uint32_t y = 0; y < height; y++)
                  for (uint32_t x = 0; x < width; x++)
                     for (uint32_t s = 0; s < samples; s++)
                        count_texel(uses, image.size_bytes,
                                    plane->offset_bytes + layer * plane->layer_bytes +
                                       rt_level_offset(level, image.is_tiled, plane->texel_bytes, x, y, z, s, samples),
                                    plane->texel_bytes);
      }
   }
   free(uses);
}

TEST(layouts_are_injective)
{
   static const VkFormat formats[] = {VK_FORMAT_R8_UNORM,
                                      VK_FORMAT_R8G8B8_UNORM,
                                      VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_FORMAT_R32G32B32A32_SFLOAT,
                                      VK_FORMAT_D32_SFLOAT_S8_UINT,
                                      VK_FORMAT_D24_UNORM_S8_UINT,
                                      VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                      VK_FORMAT_ASTC_8x5_UNORM_BLOCK,
#ifdef VK_EXT_texture_compression_astc_3d
                                      VK_FORMAT_ASTC_4x3x3_UNORM_BLOCK_EXT,
                                      VK_FORMAT_ASTC_6x6x5_SRGB_BLOCK_EXT,
#endif
                                      VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                      VK_FORMAT_G16_B16_R16_3PLANE_444_UNORM};
   for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++) {
      for (int is_tiled = 0; is_tiled < 2; is_tiled++) {
         check_layout(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){1, 1, 1}, 1, 1, 1, is_tiled);
         check_layout(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){131, 70, 1}, 8, 3, 1, is_tiled);
         check_layout(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){64, 64, 1}, 7, 6, 1, is_tiled);
         check_layout(VK_IMAGE_TYPE_1D, formats[f], (VkExtent3D){300, 1, 1}, 9, 2, 1, is_tiled);
         check_layout(VK_IMAGE_TYPE_3D, formats[f], (VkExtent3D){17, 9, 21}, 5, 1, 1, is_tiled);
      }
      check_layout(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){67, 33, 1}, 1, 2, 4, true);
      check_layout(VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){7, 5, 1}, 1, 1, 16, true);
   }
   check_layout(VK_IMAGE_TYPE_2D, VK_FORMAT_B16G16R16G16_422_UNORM, (VkExtent3D){131, 70, 1}, 1, 3, 1, true);
}

TEST(absurd_sizes_are_refused)
{
   struct rt_image image;
   const VkExtent3D huge = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, large = {16384, 16384, 1};
   for (int is_tiled = 0; is_tiled < 2; is_tiled++) {
      CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_3D, VK_FORMAT_R32G32B32A32_SFLOAT, huge, 1, UINT32_MAX, 16, is_tiled,
                             UINT64_MAX),
               VK_ERROR_OUT_OF_DEVICE_MEMORY);
      CHECK_EQ(
         rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, large, 15, 1u << 24, 1, is_tiled, UINT64_MAX),
         VK_SUCCESS);
      CHECK_EQ(
         rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, large, 15, 1u << 24, 1, is_tiled, 1ull << 40),
         VK_ERROR_OUT_OF_DEVICE_MEMORY);
      CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, large, 15, 1, 1, is_tiled, 1 << 20),
               VK_ERROR_OUT_OF_DEVICE_MEMORY);
   }
   CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_UNDEFINED, large, 1, 1, 1, true, UINT64_MAX),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
   CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, large, 16, 1, 1, true, UINT64_MAX),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static uint64_t view_offset(const struct abi_image *view, uint32_t level, uint32_t layer, uint32_t x, uint32_t y,
                            uint32_t z)
{
   return (uint64_t)(uintptr_t)view->data + layer * view->layer_bytes +
          rt_level_offset(&view->levels[level], view->is_tiled, view->texel_bytes, x, y, z, 0, view->num_samples);
}

TEST(views_share_texels)
{
   struct rt_image image;
   struct abi_image whole, part;
   CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent3D){100, 60, 1}, 6, 12, 1, true,
                          1u << 30),
            VK_SUCCESS);
   uint8_t *memory = malloc(image.size_bytes);
   rt_image_bind(&image, memory);
   rt_image_view_init(&whole, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R8G8B8A8_UNORM, identity,
                      VK_IMAGE_ASPECT_COLOR_BIT, 0, 6, 0, 12, 0);
   rt_image_view_init(&part, &image, VK_IMAGE_VIEW_TYPE_CUBE, VK_FORMAT_R8G8B8A8_SRGB,
                      (VkComponentMapping){VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_IDENTITY,
                                           VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE},
                      VK_IMAGE_ASPECT_COLOR_BIT, 2, 3, 6, 6, 2.5f);
   CHECK_EQ(view_offset(&part, 1, 2, 5, 3, 0), view_offset(&whole, 3, 8, 5, 3, 0));
   CHECK(part.is_cube && !part.is_arrayed && whole.is_arrayed);
   CHECK_EQ(part.levels[0].width, 25);
   CHECK(part.min_lod == 0.5f);
   CHECK(part.swizzle[0] == VK_COMPONENT_SWIZZLE_B && part.swizzle[1] == VK_COMPONENT_SWIZZLE_G &&
         part.swizzle[2] == VK_COMPONENT_SWIZZLE_ZERO && part.swizzle[3] == VK_COMPONENT_SWIZZLE_ONE);
   free(memory);
}

TEST(slices_of_3d_images_are_layers)
{
   struct rt_image image;
   struct abi_image volume, slices;
   CHECK_EQ(
      rt_image_init(&image, VK_IMAGE_TYPE_3D, VK_FORMAT_R16_UINT, (VkExtent3D){40, 30, 20}, 4, 1, 1, true, 1u << 30),
      VK_SUCCESS);
   uint8_t *memory = malloc(image.size_bytes);
   rt_image_bind(&image, memory);
   rt_image_view_init(&volume, &image, VK_IMAGE_VIEW_TYPE_3D, VK_FORMAT_R16_UINT, identity, VK_IMAGE_ASPECT_COLOR_BIT,
                      0, 4, 0, 1, 0);
   rt_image_view_init(&slices, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R16_UINT, identity,
                      VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 3, 5, 0);
   CHECK_EQ(view_offset(&slices, 0, 2, 7, 9, 0), view_offset(&volume, 1, 0, 7, 9, 5));
   CHECK(slices.levels[0].depth == 1 && volume.levels[1].depth == 10);
   struct abi_image part;
   rt_image_view_init(&part, &image, VK_IMAGE_VIEW_TYPE_3D, VK_FORMAT_R16_UINT, identity, VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1, 0);
   rt_image_view_slice(&part, 3, 5);
   CHECK_EQ(view_offset(&part, 0, 0, 7, 9, 2), view_offset(&volume, 1, 0, 7, 9, 5));
   CHECK_EQ(part.levels[0].depth, 5);
   rt_image_view_slice(&part, 4, UINT32_MAX);
   CHECK_EQ(part.levels[0].depth, 1);
   free(memory);
}

TEST(aspects_and_blocks)
{
   struct rt_image image;
   struct abi_image view;
   CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_D24_UNORM_S8_UINT, (VkExtent3D){33, 33, 1}, 1, 1, 1, true,
                          1u << 30),
            VK_SUCCESS);
   uint8_t *memory = malloc(image.size_bytes);
   rt_image_bind(&image, memory);
   rt_image_view_init(&view, &image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D24_UNORM_S8_UINT, identity,
                      VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1, 0);
   CHECK(view.format == VK_FORMAT_S8_UINT && view.texel_bytes == 1 &&
         view.data == memory + image.planes[1].offset_bytes);
   rt_image_view_init(&view, &image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D24_UNORM_S8_UINT, identity,
                      VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1, 0);
   CHECK(view.format == VK_FORMAT_X8_D24_UNORM_PACK32 && view.texel_bytes == 4 && view.data == memory);
   free(memory);

   CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_BC3_UNORM_BLOCK, (VkExtent3D){34, 18, 1}, 2, 1, 1, false,
                          1u << 30),
            VK_SUCCESS);
   rt_image_view_init(&view, &image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32G32B32A32_UINT, identity,
                      VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1, 0);
   CHECK(view.levels[0].width == 5 && view.levels[0].height == 3 && view.texel_bytes == 16 && view.data == NULL);
   VkSubresourceLayout layout;
   rt_image_subresource_layout(&image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, &layout);
   CHECK(layout.rowPitch == 9 * 16 && layout.offset == 0 && layout.size == layout.depthPitch &&
         layout.size >= 5 * 9 * 16);
}

TEST(texel_buffers_are_bounded)
{
   static const struct {
      VkFormat format;
      uint64_t bytes;
      uint32_t texels;
   } rows[] = {
      {VK_FORMAT_R8_UINT, 1000, 1000},
      {VK_FORMAT_R32G32B32_SFLOAT, 1000, 83},
      {VK_FORMAT_R8_UINT, UINT64_C(1) << 33, 1u << 29},
      {VK_FORMAT_R32_UINT, UINT64_C(1) << 33, 1u << 29},
      {VK_FORMAT_R16G16B16A16_UINT, UINT64_C(1) << 33, 1u << 28},
      {VK_FORMAT_R32G32B32A32_UINT, UINT64_C(1) << 33, 1u << 27},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      struct abi_image view;
      rt_buffer_view_init(&view, NULL, rows[i].format, rows[i].bytes);
      CHECK_EQ(view.levels[0].width, rows[i].texels);
   }
}

TEST_MAIN
