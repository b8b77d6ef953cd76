/* SPDX-License-Identifier: MIT
 * Copies between images and memory of the application. */
#include "runtime/transfer/host_copy.h"

#include "runtime/transfer/region.h"
#include "util/alloc.h"
#include "util/size.h"

#include <stdlib.h>
#include <string.h>

/* A region in texels (compressed blocks), cut to its level. */
struct part {
   struct rt_slices slices;
   const struct rt_format_info *info;
   uint32_t x, y, width, height;
};

static uint32_t cut(uint32_t size, uint32_t offset, uint32_t have)
{
   return offset < have ? UTIL_MIN(size, have - offset) : 0;
}

static struct part part_of(const struct rt_image *image, const struct rt_host_region *region)
{
   const VkImageSubresourceLayers *layers = &region->layers;
   const uint32_t count = image->type == VK_IMAGE_TYPE_3D ? rt_num_slices(image, region->extent.depth) : layers->layerCount;
   struct part part = {.slices = rt_slices_of(image, layers->aspectMask, layers->mipLevel, layers->baseArrayLayer,
                                              region->offset.z, count)};
   part.info = image->planes[part.slices.plane].info;
   const struct rt_texels texels = rt_texels_of(image, part.slices.plane, part.slices.level, 0, 0, 0);
   part.x = (uint32_t)region->offset.x / part.info->block_width;
   part.y = (uint32_t)region->offset.y / part.info->block_height;
   part.width = cut(UTIL_DIV_ROUND_UP(region->extent.width, part.info->block_width), part.x, texels.width);
   part.height = cut(UTIL_DIV_ROUND_UP(region->extent.height, part.info->block_height), part.y, texels.height);
   return part;
}

void rt_host_copy_memory(const struct rt_image *image, const struct rt_host_region *region, void *memory,
                         uint32_t row_length, uint32_t image_height, bool is_to_image)
{
   const struct part part = part_of(image, region);
   row_length = row_length ? row_length : region->extent.width;
   image_height = image_height ? image_height : region->extent.height;
   const uint64_t row_bytes =
      (uint64_t)UTIL_DIV_ROUND_UP(row_length, part.info->block_width) * part.info->texel_bytes;
   const uint64_t slice_bytes = row_bytes * UTIL_DIV_ROUND_UP(image_height, part.info->block_height);
   for (uint32_t i = 0; i < part.slices.count; i++) {
      const struct rt_texels texels = rt_slices_at(&part.slices, i, 0);
      uint8_t *rows = (uint8_t *)memory + i * slice_bytes;
      if (is_to_image)
         rt_texels_write(&texels, part.x, part.y, part.width, part.height, rows, row_bytes);
      else
         rt_texels_read(&texels, part.x, part.y, part.width, part.height, rows, row_bytes);
   }
}

uint64_t rt_host_level_bytes(const struct rt_image *image, VkImageAspectFlags aspect, uint32_t level)
{
   const struct rt_plane *plane = &image->planes[rt_image_plane(image, aspect)];
   const struct abi_level *l = &plane->levels[level];
   return l->slice_bytes * rt_level_slices(plane, l);
}

void rt_host_copy_bytes(const struct rt_image *image, const struct rt_host_region *region, void *memory,
                        bool is_to_image)
{
   const VkImageSubresourceLayers *layers = &region->layers;
   const struct rt_plane *plane = &image->planes[rt_image_plane(image, layers->aspectMask)];
   const uint64_t size = rt_host_level_bytes(image, layers->aspectMask, layers->mipLevel);
   for (uint32_t i = 0; i < layers->layerCount; i++) {
      uint8_t *level = plane->data + (layers->baseArrayLayer + i) * plane->layer_bytes +
                       plane->levels[layers->mipLevel].offset_bytes;
      uint8_t *bytes = (uint8_t *)memory + i * size;
      memcpy(is_to_image ? level : bytes, is_to_image ? bytes : level, size);
   }
}

VkResult rt_host_copy_image(const struct rt_image *src, const struct rt_host_region *from, const struct rt_image *dst,
                            const struct rt_host_region *to)
{
   const struct part a = part_of(src, from), b = part_of(dst, to);
   const uint32_t width = UTIL_MIN(a.width, b.width), height = UTIL_MIN(a.height, b.height);
   const uint32_t num_slices = UTIL_MIN(a.slices.count, b.slices.count);
   const uint32_t num_samples = UTIL_MIN(src->num_samples, dst->num_samples);
   const uint64_t pitch_bytes = (uint64_t)width * a.info->texel_bytes;
   uint8_t *rows = util_malloc(util_size_array(1, pitch_bytes, ABI_BLOCK));
   if (!rows)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < num_slices; i++) {
      for (uint32_t s = 0; s < num_samples; s++) {
         const struct rt_texels in = rt_slices_at(&a.slices, i, s), out = rt_slices_at(&b.slices, i, s);
         for (uint32_t y = 0; y < height; y += ABI_BLOCK) {
            const uint32_t num = UTIL_MIN(height - y, (uint32_t)ABI_BLOCK);
            rt_texels_read(&in, a.x, a.y + y, width, num, rows, pitch_bytes);
            rt_texels_write(&out, b.x, b.y + y, width, num, rows, pitch_bytes);
         }
      }
   }
   util_mfree(rows);
   return VK_SUCCESS;
}
