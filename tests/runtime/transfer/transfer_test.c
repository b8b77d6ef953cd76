/* SPDX-License-Identifier: MIT
 * Transfers of images, each checked texel by texel against rt_level_offset() and the formulas of the specification. */
#include "runtime/device.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

struct fixture {
   struct rt_device *device;
   struct rt_queue *queue;
   struct rt_cmd_stream stream;
};

static void open_fixture(struct fixture *fixture, uint32_t num_threads)
{
   const struct rt_device_options options = {.num_threads = num_threads};
   CHECK_EQ(rt_device_create(&options, &fixture->device), VK_SUCCESS);
   CHECK_EQ(rt_queue_create(fixture->device, &fixture->queue), VK_SUCCESS);
   rt_cmd_stream_init(&fixture->stream);
}

static void close_fixture(struct fixture *fixture)
{
   rt_queue_destroy(fixture->queue);
   rt_device_destroy(fixture->device);
   rt_cmd_stream_finish(&fixture->stream);
}

static void run_stream(struct fixture *fixture)
{
   struct rt_cmd_stream *const streams[] = {&fixture->stream};
   CHECK_EQ(rt_queue_submit(fixture->queue, &(struct rt_submit){.streams = streams, .num_streams = 1}), VK_SUCCESS);
   CHECK_EQ(rt_queue_wait_idle(fixture->queue), VK_SUCCESS);
   rt_cmd_stream_reset(&fixture->stream);
}

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525 + 1013904223;
   return (uint32_t)(((uint64_t)seed * limit) >> 32);
}

struct shape {
   VkImageType type;
   VkFormat format;
   VkExtent3D extent;
   uint32_t levels, layers, samples;
   bool is_tiled;
};

static struct rt_image *make_image(const struct shape *shape)
{
   struct rt_image *image = malloc(sizeof(*image));
   CHECK_EQ(rt_image_init(image, shape->type, shape->format, shape->extent, shape->levels, shape->layers,
                          shape->samples, shape->is_tiled, 1 << 30),
            VK_SUCCESS);
   uint8_t *memory = aligned_alloc(64, image->size_bytes);
   for (uint64_t i = 0; i < image->size_bytes; i++)
      memory[i] = (uint8_t)random_below(256);
   rt_image_bind(image, memory);
   return image;
}

static void free_image(struct rt_image *image)
{
   free(image->planes[0].data);
   free(image);
}

static uint8_t *texel(const struct rt_image *image, uint32_t plane, uint32_t level, uint32_t layer, uint32_t x,
                      uint32_t y, uint32_t z, uint32_t s)
{
   const struct rt_plane *p = &image->planes[plane];
   return p->data + layer * p->layer_bytes +
          rt_level_offset(&p->levels[level], image->is_tiled, p->texel_bytes, x, y, z, s, image->num_samples);
}

/* ---- buffers ---- */

struct buffer_case {
   struct shape shape;
   VkBufferImageCopy region;
};

static const struct buffer_case buffer_cases[] = {
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {300, 150, 1}, 3, 1, 1, true},
    {0, 0, 0, {1, 0, 0, 1}, {0, 0, 0}, {300, 150, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {300, 150, 1}, 3, 1, 1, true},
    {4, 37, 50, {1, 1, 0, 1}, {3, 5, 0}, {31, 42, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {300, 150, 1}, 3, 1, 1, false},
    {4, 37, 50, {1, 1, 0, 1}, {3, 5, 0}, {31, 42, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, {70, 70, 1}, 1, 3, 1, true},
    {1, 0, 80, {1, 0, 1, 2}, {1, 2, 0}, {66, 67, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R16_SFLOAT, {129, 5, 1}, 1, 1, 1, true},
    {2, 0, 0, {1, 0, 0, 1}, {2, 1, 0}, {127, 3, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R32G32_SFLOAT, {65, 64, 1}, 1, 1, 1, true},
    {8, 0, 0, {1, 0, 0, 1}, {0, 0, 0}, {65, 64, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R32G32B32A32_UINT, {33, 9, 1}, 1, 1, 1, true},
    {16, 0, 0, {1, 0, 0, 1}, {1, 1, 0}, {32, 8, 1}}},
   {{VK_IMAGE_TYPE_3D, VK_FORMAT_R8G8B8A8_UNORM, {20, 30, 17}, 2, 1, 1, true},
    {0, 24, 33, {1, 0, 0, 1}, {1, 2, 3}, {19, 28, 13}}},
   {{VK_IMAGE_TYPE_1D, VK_FORMAT_R8G8_UNORM, {500, 1, 1}, 1, 4, 1, true},
    {0, 0, 0, {1, 0, 1, 3}, {7, 0, 0}, {490, 1, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_D24_UNORM_S8_UINT, {60, 60, 1}, 1, 1, 1, true},
    {0, 0, 0, {2, 0, 0, 1}, {1, 1, 0}, {50, 50, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_D32_SFLOAT_S8_UINT, {60, 60, 1}, 1, 2, 1, true},
    {0, 0, 0, {4, 0, 1, 1}, {1, 1, 0}, {50, 50, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_BC1_RGB_UNORM_BLOCK, {101, 50, 1}, 2, 1, 1, true},
    {8, 112, 0, {1, 0, 0, 1}, {4, 8, 0}, {97, 42, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_BC7_UNORM_BLOCK, {16, 16, 1}, 5, 1, 1, true},
    {0, 0, 0, {1, 3, 0, 1}, {0, 0, 0}, {2, 2, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {1024, 777, 1}, 1, 1, 1, true},
    {0, 0, 0, {1, 0, 0, 1}, {0, 0, 0}, {1024, 777, 1}}},
};

/* Calls check(buffer texel, image texel) for each texel of the region. */
static uint32_t compare_region(const struct buffer_case *it, const struct rt_image *image, const uint8_t *buffer)
{
   const VkBufferImageCopy *r = &it->region;
   const uint32_t plane = rt_image_plane(image, r->imageSubresource.aspectMask);
   const struct rt_format_info *info = image->planes[plane].info;
   const bool is_3d = it->shape.type == VK_IMAGE_TYPE_3D;
   const uint32_t row_length = r->bufferRowLength ? r->bufferRowLength : r->imageExtent.width;
   const uint32_t image_height = r->bufferImageHeight ? r->bufferImageHeight : r->imageExtent.height;
   const uint32_t row_texels = UTIL_DIV_ROUND_UP(row_length, info->block_width),
                  rows = UTIL_DIV_ROUND_UP(image_height, info->block_height);
   const uint32_t count = is_3d ? r->imageExtent.depth : r->imageSubresource.layerCount;
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t y = 0; y < UTIL_DIV_ROUND_UP(r->imageExtent.height, info->block_height); y++) {
         for (uint32_t x = 0; x < UTIL_DIV_ROUND_UP(r->imageExtent.width, info->block_width); x++) {
            const uint8_t *a =
               buffer + r->bufferOffset + (((uint64_t)i * rows + y) * row_texels + x) * info->texel_bytes;
            const uint8_t *b = texel(
               image, plane, r->imageSubresource.mipLevel, is_3d ? 0 : r->imageSubresource.baseArrayLayer + i,
               (uint32_t)r->imageOffset.x / info->block_width + x, (uint32_t)r->imageOffset.y / info->block_height + y,
               is_3d ? (uint32_t)r->imageOffset.z + i : 0, 0);
            num_wrong += memcmp(a, b, info->texel_bytes) != 0;
         }
      }
   }
   return num_wrong;
}

static void check_buffer_case(const struct buffer_case *it, uint32_t num_threads)
{
   const size_t size = 8 << 20;
   uint8_t *buffer = malloc(size);
   for (size_t i = 0; i < size; i++)
      buffer[i] = (uint8_t)random_below(256);
   struct rt_image *image = make_image(&it->shape), *before = make_image(&it->shape);
   memcpy(before->planes[0].data, image->planes[0].data, image->size_bytes);
   struct fixture fixture;
   open_fixture(&fixture, num_threads);

   struct rt_cmd_copy_buffer_to_image *in = RT_CMD_APPEND(&fixture.stream, copy_buffer_to_image);
   in->src = buffer;
   in->dst = image;
   in->num_regions = 1;
   in->regions = &it->region;
   run_stream(&fixture);
   CHECK_EQ(compare_region(it, image, buffer), 0);

   uint8_t *out = calloc(1, size);
   struct rt_cmd_copy_image_to_buffer *back = RT_CMD_APPEND(&fixture.stream, copy_image_to_buffer);
   back->src = image;
   back->dst = out;
   back->num_regions = 1;
   back->regions = &it->region;
   run_stream(&fixture);
   CHECK_EQ(compare_region(it, image, out), 0);

   /* Nothing around the region was touched: put it back as it was. */
   uint8_t *old = calloc(1, size);
   back = RT_CMD_APPEND(&fixture.stream, copy_image_to_buffer);
   back->src = before;
   back->dst = old;
   back->num_regions = 1;
   back->regions = &it->region;
   struct rt_cmd_barrier *cmd = RT_CMD_APPEND(&fixture.stream, barrier);
   cmd->src = cmd->dst = RT_ALL_STAGES;
   in = RT_CMD_APPEND(&fixture.stream, copy_buffer_to_image);
   in->src = old;
   in->dst = image;
   in->num_regions = 1;
   in->regions = &it->region;
   run_stream(&fixture);
   CHECK(memcmp(image->planes[0].data, before->planes[0].data, image->size_bytes) == 0);

   close_fixture(&fixture);
   free_image(image);
   free_image(before);
   free(buffer);
   free(out);
   free(old);
}

TEST(buffers_and_images)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(buffer_cases); i++)
      check_buffer_case(&buffer_cases[i], 1 + i % 3);
}

/* ---- images ---- */

struct image_case {
   struct shape src, dst;
   VkImageCopy region;
};

#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
static const struct image_case image_cases[] = {
   /* aligned blocks, to the edge */
   {{VK_IMAGE_TYPE_2D, RGBA8, {300, 150, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {300, 150, 1}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {0, 0, 0}, {1, 0, 0, 1}, {0, 0, 0}, {300, 150, 1}}},
   {{VK_IMAGE_TYPE_2D, RGBA8, {301, 150, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {201, 100, 1}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {100, 48, 0}, {1, 0, 0, 1}, {4, 8, 0}, {197, 92, 1}}},
   /* misaligned */
   {{VK_IMAGE_TYPE_2D, RGBA8, {301, 150, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {201, 100, 1}, 2, 1, 1, true},
    {{1, 0, 0, 1}, {101, 47, 0}, {1, 1, 0, 1}, {3, 8, 0}, {91, 41, 1}}},
   {{VK_IMAGE_TYPE_2D, RGBA8, {90, 90, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {90, 90, 1}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {4, 4, 0}, {1, 0, 0, 1}, {8, 8, 0}, {61, 62, 1}}},
   /* linear */
   {{VK_IMAGE_TYPE_2D, RGBA8, {301, 150, 1}, 1, 1, 1, false},
    {VK_IMAGE_TYPE_2D, RGBA8, {201, 100, 1}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {101, 47, 0}, {1, 0, 0, 1}, {3, 8, 0}, {91, 41, 1}}},
   {{VK_IMAGE_TYPE_2D, RGBA8, {301, 150, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {201, 100, 1}, 1, 1, 1, false},
    {{1, 0, 0, 1}, {101, 47, 0}, {1, 0, 0, 1}, {3, 8, 0}, {91, 41, 1}}},
   {{VK_IMAGE_TYPE_2D, RGBA8, {301, 150, 1}, 1, 1, 1, false},
    {VK_IMAGE_TYPE_2D, RGBA8, {201, 100, 1}, 1, 1, 1, false},
    {{1, 0, 0, 1}, {101, 47, 0}, {1, 0, 0, 1}, {3, 8, 0}, {91, 41, 1}}},
   /* samples */
   {{VK_IMAGE_TYPE_2D, RGBA8, {70, 70, 1}, 1, 2, 4, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {80, 80, 1}, 1, 2, 4, true},
    {{1, 0, 0, 2}, {4, 4, 0}, {1, 0, 0, 2}, {8, 0, 0}, {64, 64, 1}}},
   {{VK_IMAGE_TYPE_2D, RGBA8, {70, 70, 1}, 1, 1, 4, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {80, 80, 1}, 1, 1, 4, true},
    {{1, 0, 0, 1}, {5, 6, 0}, {1, 0, 0, 1}, {8, 1, 0}, {61, 60, 1}}},
   /* slices and layers */
   {{VK_IMAGE_TYPE_3D, RGBA8, {40, 40, 20}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, RGBA8, {40, 40, 1}, 1, 9, 1, true},
    {{1, 0, 0, 1}, {4, 4, 5}, {1, 0, 2, 7}, {4, 0, 0}, {32, 32, 7}}},
   {{VK_IMAGE_TYPE_2D, RGBA8, {40, 40, 1}, 1, 9, 1, true},
    {VK_IMAGE_TYPE_3D, RGBA8, {40, 40, 20}, 1, 1, 1, true},
    {{1, 0, 2, 7}, {4, 0, 0}, {1, 0, 0, 1}, {3, 4, 5}, {32, 32, 7}}},
   {{VK_IMAGE_TYPE_3D, RGBA8, {40, 40, 20}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_3D, RGBA8, {30, 30, 10}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {1, 2, 5}, {1, 0, 0, 1}, {3, 4, 1}, {20, 21, 9}}},
   /* other formats of the same size, compressed ones */
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_R32G32_UINT, {40, 40, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, VK_FORMAT_BC1_RGB_UNORM_BLOCK, {160, 160, 1}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {1, 2, 0}, {1, 0, 0, 1}, {8, 12, 0}, {30, 31, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_BC1_RGB_UNORM_BLOCK, {101, 99, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, VK_FORMAT_R32G32_UINT, {40, 40, 1}, 1, 1, 1, true},
    {{1, 0, 0, 1}, {8, 4, 0}, {1, 0, 0, 1}, {2, 1, 0}, {93, 95, 1}}},
   {{VK_IMAGE_TYPE_2D, VK_FORMAT_D24_UNORM_S8_UINT, {64, 64, 1}, 1, 1, 1, true},
    {VK_IMAGE_TYPE_2D, VK_FORMAT_D24_UNORM_S8_UINT, {64, 64, 1}, 1, 1, 1, true},
    {{6, 0, 0, 1}, {8, 4, 0}, {6, 0, 0, 1}, {2, 1, 0}, {50, 50, 1}}},
};

static void check_image_aspect(const struct image_case *it, const struct rt_image *src, const struct rt_image *dst,
                               const struct rt_image *before, VkImageAspectFlags aspect)
{
   const VkImageCopy *r = &it->region;
   const uint32_t sp = rt_image_plane(src, aspect), dp = rt_image_plane(dst, aspect);
   const struct rt_format_info *si = src->planes[sp].info, *di = dst->planes[dp].info;
   const uint32_t width = UTIL_DIV_ROUND_UP(r->extent.width, si->block_width),
                  height = UTIL_DIV_ROUND_UP(r->extent.height, si->block_height);
   const uint32_t sx = (uint32_t)r->srcOffset.x / si->block_width, sy = (uint32_t)r->srcOffset.y / si->block_height;
   const uint32_t dx = (uint32_t)r->dstOffset.x / di->block_width, dy = (uint32_t)r->dstOffset.y / di->block_height;
   const bool s3 = src->type == VK_IMAGE_TYPE_3D, d3 = dst->type == VK_IMAGE_TYPE_3D;
   const uint32_t count = UTIL_MAX(r->extent.depth, r->srcSubresource.layerCount);
   const struct abi_level *level = &dst->planes[dp].levels[r->dstSubresource.mipLevel];
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < (d3 ? level->depth : dst->num_layers); i++) {
      const uint32_t first = d3 ? (uint32_t)r->dstOffset.z : r->dstSubresource.baseArrayLayer;
      for (uint32_t y = 0; y < UTIL_DIV_ROUND_UP(level->height, di->block_height); y++) {
         for (uint32_t x = 0; x < UTIL_DIV_ROUND_UP(level->width, di->block_width); x++) {
            for (uint32_t s = 0; s < dst->num_samples; s++) {
               const bool is_in =
                  i >= first && i < first + count && x >= dx && x < dx + width && y >= dy && y < dy + height;
               const uint32_t si_ = i - first + (s3 ? (uint32_t)r->srcOffset.z : r->srcSubresource.baseArrayLayer);
               const uint8_t *wanted =
                  is_in ? texel(src, sp, r->srcSubresource.mipLevel, s3 ? 0 : si_, x - dx + sx, y - dy + sy,
                                s3 ? si_ : 0, s)
                        : texel(before, dp, r->dstSubresource.mipLevel, d3 ? 0 : i, x, y, d3 ? i : 0, s);
               num_wrong += memcmp(texel(dst, dp, r->dstSubresource.mipLevel, d3 ? 0 : i, x, y, d3 ? i : 0, s), wanted,
                                   di->texel_bytes) != 0;
            }
         }
      }
   }
   CHECK_EQ(num_wrong, 0);
}

static void check_image_case(const struct image_case *it)
{
   struct rt_image *src = make_image(&it->src), *dst = make_image(&it->dst), *before = make_image(&it->dst);
   memcpy(before->planes[0].data, dst->planes[0].data, dst->size_bytes);
   struct fixture fixture;
   open_fixture(&fixture, 2);
   struct rt_cmd_copy_image *copy = RT_CMD_APPEND(&fixture.stream, copy_image);
   copy->src = src;
   copy->dst = dst;
   copy->num_regions = 1;
   copy->regions = &it->region;
   run_stream(&fixture);
   for (VkImageAspectFlags left = it->region.srcSubresource.aspectMask; left; left &= left - 1)
      check_image_aspect(it, src, dst, before, left & -left);
   close_fixture(&fixture);
   free_image(src);
   free_image(dst);
   free_image(before);
}

TEST(images_to_images)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(image_cases); i++)
      check_image_case(&image_cases[i]);
}

/* ---- clears ---- */

static void check_clear(const struct shape *shape, const VkImageSubresourceRange *range)
{
   struct rt_image *image = make_image(shape), *before = make_image(shape);
   memcpy(before->planes[0].data, image->planes[0].data, image->size_bytes);
   struct fixture fixture;
   open_fixture(&fixture, 3);
   const VkClearColorValue color = {.float32 = {0.25f, 0.5f, 0.75f, 1}};
   const VkClearDepthStencilValue value = {0.5f, 0x7f};
   uint8_t wanted[2][16] = {{0}, {0x7f}};
   if (range->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
      struct rt_cmd_clear_color_image *clear = RT_CMD_APPEND(&fixture.stream, clear_color_image);
      clear->image = image;
      clear->color = color;
      clear->num_ranges = 1;
      clear->ranges = range;
      rt_format_pack_clear(shape->format, &color, wanted[0]);
   } else {
      struct rt_cmd_clear_depth_stencil_image *clear = RT_CMD_APPEND(&fixture.stream, clear_depth_stencil_image);
      clear->image = image;
      clear->value = value;
      clear->num_ranges = 1;
      clear->ranges = range;
      const float half = 0.5f;
      memcpy(wanted[0], &half, 4); /* the cases are of D32_SFLOAT */
   }
   run_stream(&fixture);

   uint32_t num_wrong = 0;
   for (uint32_t p = 0; p < image->num_planes; p++) {
      const bool is_cleared =
         image->num_planes == 1 || range->aspectMask & (p ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT);
      for (uint32_t l = 0; l < image->num_levels; l++) {
         const struct abi_level *level = &image->planes[p].levels[l];
         for (uint32_t a = 0; a < image->num_layers; a++) {
            const bool is_in = is_cleared && l >= range->baseMipLevel && l < range->baseMipLevel + range->levelCount &&
                               a >= range->baseArrayLayer && a < range->baseArrayLayer + range->layerCount;
            for (uint32_t z = 0; z < level->depth; z++)
               for (uint32_t y = 0; y < level->height; y++)
                  for (uint32_t x = 0; x < level->width; x++)
                     for (uint32_t s = 0; s < image->num_samples; s++)
                        num_wrong += memcmp(texel(image, p, l, a, x, y, z, s),
                                            is_in ? wanted[p] : texel(before, p, l, a, x, y, z, s),
                                            image->planes[p].texel_bytes) != 0;
         }
      }
   }
   CHECK_EQ(num_wrong, 0);
   close_fixture(&fixture);
   free_image(image);
   free_image(before);
}

TEST(clears)
{
   static const struct {
      struct shape shape;
      VkImageSubresourceRange range;
   } cases[] = {
      {{VK_IMAGE_TYPE_2D, RGBA8, {300, 150, 1}, 4, 3, 1, true}, {1, 1, 2, 1, 2}},
      {{VK_IMAGE_TYPE_2D, RGBA8, {301, 151, 1}, 1, 1, 4, true}, {1, 0, 1, 0, 1}},
      {{VK_IMAGE_TYPE_2D, VK_FORMAT_R16G16B16A16_SFLOAT, {300, 150, 1}, 1, 1, 1, false}, {1, 0, 1, 0, 1}},
      {{VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {30, 15, 9}, 2, 1, 1, true}, {1, 0, 2, 0, 1}},
      {{VK_IMAGE_TYPE_2D, VK_FORMAT_D32_SFLOAT_S8_UINT, {100, 100, 1}, 2, 2, 1, true}, {2, 0, 1, 0, 2}},
      {{VK_IMAGE_TYPE_2D, VK_FORMAT_D32_SFLOAT_S8_UINT, {100, 100, 1}, 2, 2, 4, true}, {6, 1, 1, 1, 1}},
   };
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++)
      check_clear(&cases[i].shape, &cases[i].range);
}

/* ---- blits and resolves ---- */

static void fetch(const struct rt_image *image, uint32_t level, uint32_t layer, int32_t x, int32_t y, int32_t z,
                  float rgba[4])
{
   const struct abi_level *l = &image->planes[0].levels[level];
   x = UTIL_CLAMP(x, 0, (int32_t)l->width - 1);
   y = UTIL_CLAMP(y, 0, (int32_t)l->height - 1);
   z = UTIL_CLAMP(z, 0, (int32_t)l->depth - 1);
   image->planes[0].info->unpack(texel(image, 0, level, layer, (uint32_t)x, (uint32_t)y, (uint32_t)z, 0), 0, 1,
                                 (uint32_t(*)[4])rgba);
}

/* The formulas of the specification, one texel at a time. */
static void sample(const struct rt_image *src, uint32_t layer, const VkImageBlit *r, bool is_linear, uint32_t x,
                   uint32_t y, uint32_t z, float rgba[4])
{
   const uint32_t level = r->srcSubresource.mipLevel;
   const VkOffset3D *s = r->srcOffsets, *d = r->dstOffsets;
   const double u = (x + 0.5 - d[0].x) * (s[1].x - s[0].x) / (double)(d[1].x - d[0].x) + s[0].x;
   const double v = (y + 0.5 - d[0].y) * (s[1].y - s[0].y) / (double)(d[1].y - d[0].y) + s[0].y;
   const double w = (z + 0.5 - d[0].z) * (s[1].z - s[0].z) / (double)(d[1].z - d[0].z) + s[0].z;
   if (!is_linear) {
      fetch(src, level, layer, (int32_t)floor(u), (int32_t)floor(v), (int32_t)floor(w), rgba);
      return;
   }
   const double at[3] = {floor(u - 0.5), floor(v - 0.5), floor(w - 0.5)};
   const double f[3] = {u - 0.5 - at[0], v - 0.5 - at[1], w - 0.5 - at[2]};
   double sum[4] = {0};
   for (int i = 0; i < 8; i++) {
      float one[4];
      fetch(src, level, layer, (int32_t)at[0] + (i & 1), (int32_t)at[1] + (i >> 1 & 1), (int32_t)at[2] + (i >> 2), one);
      const double weight = (i & 1 ? f[0] : 1 - f[0]) * (i & 2 ? f[1] : 1 - f[1]) * (i & 4 ? f[2] : 1 - f[2]);
      for (int c = 0; c < 4; c++)
         sum[c] += weight * one[c];
   }
   for (int c = 0; c < 4; c++)
      rgba[c] = (float)sum[c];
}

static void check_blit(const struct shape *src_shape, const struct shape *dst_shape, const VkImageBlit *region,
                       bool is_linear, float tolerance)
{
   struct rt_image *src = make_image(src_shape), *dst = make_image(dst_shape), *before = make_image(dst_shape);
   memcpy(before->planes[0].data, dst->planes[0].data, dst->size_bytes);
   struct fixture fixture;
   open_fixture(&fixture, 2);
   struct rt_cmd_blit_image *blit = RT_CMD_APPEND(&fixture.stream, blit_image);
   blit->src = src;
   blit->dst = dst;
   blit->filter = is_linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
   blit->num_regions = 1;
   blit->regions = region;
   run_stream(&fixture);

   const uint32_t level = region->dstSubresource.mipLevel;
   const struct abi_level *l = &dst->planes[0].levels[level];
   const VkOffset3D *d = region->dstOffsets;
   const int32_t lo[3] = {UTIL_MIN(d[0].x, d[1].x), UTIL_MIN(d[0].y, d[1].y), UTIL_MIN(d[0].z, d[1].z)};
   const int32_t hi[3] = {UTIL_MAX(d[0].x, d[1].x), UTIL_MAX(d[0].y, d[1].y), UTIL_MAX(d[0].z, d[1].z)};
   uint32_t num_wrong = 0;
   for (uint32_t a = 0; a < dst->num_layers; a++)
      for (int32_t z = 0; z < (int32_t)l->depth; z++)
         for (int32_t y = 0; y < (int32_t)l->height; y++)
            for (int32_t x = 0; x < (int32_t)l->width; x++) {
               const bool is_in = x >= lo[0] && x < hi[0] && y >= lo[1] && y < hi[1] && z >= lo[2] && z < hi[2] &&
                                  a >= region->dstSubresource.baseArrayLayer &&
                                  a < region->dstSubresource.baseArrayLayer + region->dstSubresource.layerCount;
               const uint8_t *got = texel(dst, 0, level, a, (uint32_t)x, (uint32_t)y, (uint32_t)z, 0);
               if (!is_in) {
                  num_wrong += memcmp(got, texel(before, 0, level, a, (uint32_t)x, (uint32_t)y, (uint32_t)z, 0),
                                      dst->planes[0].texel_bytes) != 0;
                  continue;
               }
               float wanted[4], value[4];
               sample(src, a - region->dstSubresource.baseArrayLayer + region->srcSubresource.baseArrayLayer, region,
                      is_linear, (uint32_t)x, (uint32_t)y, (uint32_t)z, wanted);
               dst->planes[0].info->unpack(got, 0, 1, (uint32_t(*)[4])value);
               for (int c = 0; c < dst->planes[0].info->num_channels; c++)
                  num_wrong += !(fabsf(value[c] - wanted[c]) <= tolerance);
            }
   CHECK_EQ(num_wrong, 0);
   close_fixture(&fixture);
   free_image(src);
   free_image(dst);
   free_image(before);
}

TEST(blits)
{
   static const struct shape rgba = {VK_IMAGE_TYPE_2D, RGBA8, {97, 61, 1}, 3, 3, 1, true};
   static const struct shape bgra = {VK_IMAGE_TYPE_2D, VK_FORMAT_B8G8R8A8_UNORM, {130, 140, 1}, 1, 3, 1, true};
   static const struct shape linear = {VK_IMAGE_TYPE_2D, VK_FORMAT_R16G16B16A16_UNORM, {130, 140, 1}, 1, 3, 1, false};
   static const struct shape srgb = {VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_SRGB, {50, 40, 1}, 1, 1, 1, true};
   static const struct shape volume = {VK_IMAGE_TYPE_3D, RGBA8, {20, 30, 16}, 2, 1, 1, true};
   static const VkImageBlit up = {{1, 0, 0, 2}, {{3, 4, 0}, {60, 50, 1}}, {1, 0, 1, 2}, {{1, 2, 0}, {129, 139, 1}}};
   static const VkImageBlit mirrored = {
      {1, 0, 0, 1}, {{60, 4, 0}, {3, 50, 1}}, {1, 0, 1, 1}, {{1, 130, 0}, {100, 10, 1}}};
   static const VkImageBlit down = {{1, 1, 2, 1}, {{0, 0, 0}, {48, 30, 1}}, {1, 0, 0, 1}, {{7, 5, 0}, {20, 20, 1}}};
   static const VkImageBlit to_srgb = {{1, 0, 0, 1}, {{0, 0, 0}, {97, 61, 1}}, {1, 0, 0, 1}, {{0, 0, 0}, {50, 40, 1}}};
   static const VkImageBlit mips = {{1, 0, 0, 1}, {{0, 0, 0}, {20, 30, 16}}, {1, 1, 0, 1}, {{0, 0, 0}, {10, 15, 8}}};
   static const struct shape even = {VK_IMAGE_TYPE_2D, RGBA8, {106, 70, 1}, 2, 3, 1, true};
   static const struct shape halves = {VK_IMAGE_TYPE_2D, VK_FORMAT_R16G16B16A16_UNORM, {53, 35, 1}, 1, 3, 1, true};
   static const VkImageBlit halved = {{1, 0, 0, 2}, {{0, 0, 0}, {106, 70, 1}}, {1, 0, 1, 2}, {{0, 0, 0}, {53, 35, 1}}};
   static const VkImageBlit part_halved = {{1, 0, 0, 2}, {{16, 8, 0}, {96, 64, 1}}, {1, 0, 1, 2}, {{4, 4, 0}, {44, 32, 1}}};
   static const VkImageBlit shifted = {{1, 0, 0, 2}, {{18, 9, 0}, {98, 65, 1}}, {1, 0, 1, 2}, {{4, 4, 0}, {44, 32, 1}}};
   static const VkImageBlit z_mirrored = {
      {1, 1, 0, 1}, {{0, 0, 7}, {10, 15, 1}}, {1, 0, 0, 1}, {{1, 2, 0}, {17, 29, 15}}};
   for (int is_linear = 0; is_linear < 2; is_linear++) {
      const float tolerance = is_linear ? 0.6f / 255 : 0.5f / 255;
      check_blit(&rgba, &bgra, &up, is_linear, tolerance);
      check_blit(&rgba, &rgba,
                 &(VkImageBlit){{1, 0, 0, 1}, {{0, 0, 0}, {97, 61, 1}}, {1, 1, 1, 1}, {{0, 0, 0}, {48, 30, 1}}},
                 is_linear, tolerance);
      check_blit(&rgba, &bgra, &mirrored, is_linear, tolerance);
      check_blit(&rgba, &linear, &mirrored, is_linear, 2.0f / 65535);
      check_blit(
         &linear, &rgba,
         &(VkImageBlit){up.dstSubresource, {{5, 5, 0}, {90, 90, 1}}, up.srcSubresource, {{0, 0, 0}, {97, 61, 1}}},
         is_linear, tolerance);
      check_blit(&rgba, &bgra, &down, is_linear, tolerance);
      check_blit(&even, &halves, &halved, is_linear, 2.0f / 65535);
      check_blit(&even, &halves, &part_halved, is_linear, 2.0f / 65535);
      check_blit(&even, &halves, &shifted, is_linear, 2.0f / 65535);
      check_blit(&even, &even, &(VkImageBlit){halved.srcSubresource, {{0, 0, 0}, {106, 70, 1}}, {1, 1, 0, 2}, {{0, 0, 0}, {53, 35, 1}}}, is_linear, tolerance);
      check_blit(&rgba, &srgb, &to_srgb, is_linear, 0.6f / 64);
      check_blit(&volume, &volume, &mips, is_linear, tolerance);
      check_blit(&volume, &volume, &z_mirrored, is_linear, tolerance);
   }
}

/* Slices of a volume become layers, here backwards, and layers slices. */
TEST(blits_of_slices_and_layers)
{
   static const struct shape volume = {VK_IMAGE_TYPE_3D, RGBA8, {9, 7, 6}, 1, 1, 1, true};
   static const struct shape layered = {VK_IMAGE_TYPE_2D, RGBA8, {9, 7, 1}, 1, 5, 1, true};
   static const VkImageBlit to_layers = {{1, 0, 0, 1}, {{0, 0, 5}, {9, 7, 2}}, {1, 0, 1, 3}, {{0, 0, 0}, {9, 7, 1}}};
   static const VkImageBlit to_slices = {{1, 0, 2, 3}, {{0, 0, 0}, {9, 7, 1}}, {1, 0, 0, 1}, {{0, 0, 1}, {9, 7, 4}}};
   for (int is_back = 0; is_back < 2; is_back++) {
      struct rt_image *slices = make_image(&volume), *layers = make_image(&layered);
      struct fixture fixture;
      uint32_t wrong = 0;
      open_fixture(&fixture, 2);
      struct rt_cmd_blit_image *blit = RT_CMD_APPEND(&fixture.stream, blit_image);
      blit->src = is_back ? layers : slices;
      blit->dst = is_back ? slices : layers;
      blit->filter = is_back ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
      blit->num_regions = 1;
      blit->regions = is_back ? &to_slices : &to_layers;
      run_stream(&fixture);
      for (uint32_t k = 0; k < 3; k++) {
         for (uint32_t i = 0; i < 9 * 7; i++) {
            const uint8_t *slice = texel(slices, 0, 0, 0, i % 9, i / 9, is_back ? 1 + k : 4 - k, 0);
            wrong += memcmp(slice, texel(layers, 0, 0, is_back ? 2 + k : 1 + k, i % 9, i / 9, 0, 0), 4) != 0;
         }
      }
      CHECK_EQ(wrong, 0);
      close_fixture(&fixture);
      free_image(slices);
      free_image(layers);
   }
}

/* A row of four texels. */
static void check_row(VkFormat from_format, const void *values, uint32_t value_bytes, VkFormat to_format, const void *wanted, uint32_t wanted_bytes)
{
   const struct shape from = {VK_IMAGE_TYPE_2D, from_format, {4, 1, 1}, 1, 1, 1, true}, to = {VK_IMAGE_TYPE_2D, to_format, {4, 1, 1}, 1, 1, 1, true};
   static const VkImageBlit region = {{1, 0, 0, 1}, {{0, 0, 0}, {4, 1, 1}}, {1, 0, 0, 1}, {{0, 0, 0}, {4, 1, 1}}};
   struct rt_image *src = make_image(&from), *dst = make_image(&to);
   struct fixture fixture;
   open_fixture(&fixture, 1);
   for (uint32_t x = 0; x < 4; x++)
      memcpy(texel(src, 0, 0, 0, x, 0, 0, 0), (const uint8_t *)values + x * value_bytes, value_bytes);
   struct rt_cmd_blit_image *blit = RT_CMD_APPEND(&fixture.stream, blit_image);
   blit->src = src;
   blit->dst = dst;
   blit->num_regions = 1;
   blit->regions = &region;
   run_stream(&fixture);
   for (uint32_t x = 0; x < 4; x++)
      CHECK(!memcmp(texel(dst, 0, 0, 0, x, 0, 0, 0), (const uint8_t *)wanted + x * wanted_bytes, wanted_bytes));
   close_fixture(&fixture);
   free_image(src);
   free_image(dst);
}

TEST(integer_blits_clamp)
{
   check_row(VK_FORMAT_R32_SINT, (const int32_t[4]){1000, -1000, 5, -6}, 4, VK_FORMAT_R8_SINT, (const int8_t[4]){127, -128, 5, -6}, 1);
}

TEST(scaled_integers_are_numbers)
{
   CHECK(rt_format_image_features(VK_FORMAT_R8_USCALED, VK_IMAGE_TILING_OPTIMAL) & VK_FORMAT_FEATURE_2_BLIT_SRC_BIT);
   CHECK(rt_format_image_features(VK_FORMAT_R16_SSCALED, VK_IMAGE_TILING_LINEAR) & VK_FORMAT_FEATURE_2_BLIT_DST_BIT);
   check_row(VK_FORMAT_R8_USCALED, (const uint8_t[4]){0, 5, 200, 255}, 1, VK_FORMAT_R32_SFLOAT, (const float[4]){0, 5, 200, 255}, 4);
   check_row(VK_FORMAT_R8_SSCALED, (const int8_t[4]){0, 127, -1, -128}, 1, VK_FORMAT_R32_SFLOAT, (const float[4]){0, 127, -1, -128}, 4);
   check_row(VK_FORMAT_R32_SFLOAT, (const float[4]){-3, 40, 300, 1e9f}, 4, VK_FORMAT_R8_USCALED, (const uint8_t[4]){0, 40, 255, 255}, 1);
   check_row(VK_FORMAT_R32_SFLOAT, (const float[4]){-3, 40, -4e4f, 1e9f}, 4, VK_FORMAT_R16_SSCALED, (const int16_t[4]){-3, 40, -32768, 32767}, 2);
}

/* Of texels whose x is below 20, samples are alike. */
static void check_resolve(const VkImageResolve *region)
{
   static const struct shape from = {VK_IMAGE_TYPE_2D, RGBA8, {90, 70, 1}, 1, 3, 4, true};
   static const struct shape to = {VK_IMAGE_TYPE_2D, RGBA8, {99, 99, 1}, 1, 3, 1, true};
   struct rt_image *src = make_image(&from), *dst = make_image(&to), *before = make_image(&to);
   memcpy(before->planes[0].data, dst->planes[0].data, dst->size_bytes);
   for (uint32_t i = 0; i < 3 * 70 * 20; i++)
      for (uint32_t s = 1; s < 4; s++)
         memcpy(texel(src, 0, 0, i / 1400, i % 20, i / 20 % 70, 0, s), texel(src, 0, 0, i / 1400, i % 20, i / 20 % 70, 0, 0), 4);
   struct fixture fixture;
   open_fixture(&fixture, 2);
   struct rt_cmd_resolve_image *resolve = RT_CMD_APPEND(&fixture.stream, resolve_image);
   resolve->src = src;
   resolve->dst = dst;
   resolve->mode = VK_RESOLVE_MODE_AVERAGE_BIT;
   resolve->num_regions = 1;
   resolve->regions = region;
   run_stream(&fixture);
   uint32_t num_wrong = 0;
   for (uint32_t a = 0; a < 3; a++)
      for (uint32_t y = 0; y < 99; y++)
         for (uint32_t x = 0; x < 99; x++)
            for (uint32_t c = 0; c < 4; c++) {
               const uint32_t from_x = x - (uint32_t)region->dstOffset.x, from_y = y - (uint32_t)region->dstOffset.y;
               const int32_t got = texel(dst, 0, 0, a, x, y, 0, 0)[c];
               int32_t sum = 4 * texel(before, 0, 0, a, x, y, 0, 0)[c];
               if (a && from_x < region->extent.width && from_y < region->extent.height) {
                  sum = 0;
                  for (uint32_t s = 0; s < 4; s++)
                     sum += texel(src, 0, 0, a - 1, from_x + (uint32_t)region->srcOffset.x, from_y + (uint32_t)region->srcOffset.y, 0, s)[c];
               }
               num_wrong += abs(got * 4 - sum) > 2;
            }
   CHECK_EQ(num_wrong, 0);
   close_fixture(&fixture);
   free_image(src);
   free_image(dst);
   free_image(before);
}

TEST(resolves)
{
   static const VkImageResolve anywhere = {{1, 0, 0, 2}, {3, 5, 0}, {1, 0, 1, 2}, {10, 11, 0}, {80, 60, 1}};
   static const VkImageResolve in_blocks = {{1, 0, 0, 2}, {4, 8, 0}, {1, 0, 1, 2}, {12, 20, 0}, {80, 60, 1}};
   static const VkImageResolve to_the_edge = {{1, 0, 0, 2}, {0, 0, 0}, {1, 0, 1, 2}, {12, 40, 0}, {87, 59, 1}};
   check_resolve(&anywhere);
   check_resolve(&in_blocks);
   check_resolve(&to_the_edge);
}

/* Beside each other, formats by their functions: a mean, and of infinities with two signs the one NaN. */
TEST(resolves_of_floats)
{
   static const struct shape from = {VK_IMAGE_TYPE_2D, VK_FORMAT_R32_SFLOAT, {8, 8, 1}, 1, 1, 2, true};
   static const struct shape to = {VK_IMAGE_TYPE_2D, VK_FORMAT_R32_SFLOAT, {8, 8, 1}, 1, 1, 1, true};
   for (uint32_t shift = 0; shift < 2; shift++) { /* by blocks, and by rows */
      const VkImageResolve region = {{1, 0, 0, 1}, {0, 0, 0}, {1, 0, 0, 1}, {(int32_t)shift, 0, 0}, {8 - shift, 8, 1}};
      struct rt_image *src = make_image(&from), *dst = make_image(&to);
      for (uint32_t i = 0; i < 64; i++) {
         const float values[2] = {i % 3 ? (float)i : INFINITY, i % 3 ? (float)i + 1 : -INFINITY};
         for (uint32_t s = 0; s < 2; s++)
            memcpy(texel(src, 0, 0, 0, i % 8, i / 8, 0, s), &values[s], 4);
      }
      struct fixture fixture;
      open_fixture(&fixture, 1);
      struct rt_cmd_resolve_image *resolve = RT_CMD_APPEND(&fixture.stream, resolve_image);
      resolve->src = src;
      resolve->dst = dst;
      resolve->mode = VK_RESOLVE_MODE_AVERAGE_BIT;
      resolve->num_regions = 1;
      resolve->regions = &region;
      run_stream(&fixture);
      for (uint32_t i = 0; i < 64; i++) {
         if (i % 8 + shift >= 8)
            continue;
         const float mean = (float)i + 0.5f;
         uint32_t got, wanted = 0x7fc00000;
         if (i % 3)
            memcpy(&wanted, &mean, 4);
         memcpy(&got, texel(dst, 0, 0, 0, i % 8 + shift, i / 8, 0, 0), 4);
         CHECK_EQ(got, wanted);
      }
      close_fixture(&fixture);
      free_image(src);
      free_image(dst);
   }
}

TEST_MAIN
