/* SPDX-License-Identifier: MIT */
#include "runtime/image/sparse_blocks.h"
#include "util/size.h"

enum { TILE = 64 }; /* texels along the edges of a level's tiles, where it has so many */

/* By log2 of the texel's bytes: log2 of the extents of a block of one sample. */
static const uint8_t flat_log2[5][2] = {{8, 8}, {8, 7}, {7, 7}, {7, 6}, {6, 6}};
/* By log2 of the samples: what of them is taken from x and from y. */
static const uint8_t samples_log2[5][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}};

VkExtent3D rt_sparse_block(const struct rt_format_info *info, VkImageType type, uint32_t num_samples)
{
   const uint32_t bytes = info->texel_bytes;
   if (type == VK_IMAGE_TYPE_1D || !bytes || bytes > 16 || bytes & (bytes - 1) || num_samples > 16 ||
       (info->block_width > 1 && !info->is_compressed) || info->num_planes > 1)
      return (VkExtent3D){0, 0, 0};
   const uint32_t texel = (uint32_t)__builtin_ctz(bytes), samples = (uint32_t)__builtin_ctz(num_samples);
   if (type == VK_IMAGE_TYPE_3D)
      return (VkExtent3D){TILE, TILE, RT_SPARSE_BLOCK_BYTES / (TILE * TILE * bytes)};
   return (VkExtent3D){1u << (flat_log2[texel][0] - samples_log2[samples][0]),
                       1u << (flat_log2[texel][1] - samples_log2[samples][1]), 1};
}

VkExtent3D rt_sparse_granularity(const struct rt_format_info *info, VkImageType type, uint32_t num_samples)
{
   VkExtent3D extent = rt_sparse_block(info, type, num_samples);
   extent.width *= info->block_width;
   extent.height *= info->block_height;
   extent.depth *= info->block_depth;
   return extent;
}

/* ---- runs ---- */

struct list {
   struct rt_sparse_run *runs;
   uint32_t count;
};

/* Longer, if it goes on where the last one ends in both memories. */
static void add_run(struct list *list, uint64_t offset_bytes, uint32_t block_bytes, uint32_t size_bytes)
{
   struct rt_sparse_run *last = list->count ? &list->runs[list->count - 1] : NULL;
   if (last && last->offset_bytes + last->size_bytes == offset_bytes && last->block_bytes + last->size_bytes == block_bytes)
      last->size_bytes = util_size_add32(last->size_bytes, size_bytes);
   else if (list->count < RT_MAX_SPARSE_RUNS)
      list->runs[list->count++] = (struct rt_sparse_run){offset_bytes, block_bytes, size_bytes};
}

/* What the block has of one tile: all of it, or some columns or rows of its 4x4 blocks. */
static void add_part_of_tile(struct list *list, const struct abi_level *level, uint64_t slice, uint32_t x, uint32_t y,
                             uint32_t width, uint32_t height, uint32_t texel_bytes, uint32_t num_samples, uint32_t block_bytes)
{
   const uint32_t row_bytes = width / ABI_BLOCK * 16 * texel_bytes * num_samples;
   for (uint32_t row = 0; row < height; row += ABI_BLOCK) {
      const uint64_t at = rt_level_offset(level, true, texel_bytes, x, y + row, 0, 0, num_samples);
      add_run(list, slice + at, block_bytes + row / ABI_BLOCK * row_bytes, row_bytes);
   }
}

uint32_t rt_sparse_block_runs(const struct rt_image *image, uint32_t plane_index, uint32_t level_index, uint32_t layer, uint32_t x,
                              uint32_t y, uint32_t z, struct rt_sparse_run *runs)
{
   const struct rt_plane *plane = &image->planes[plane_index];
   const struct abi_level *level = &plane->levels[level_index];
   const VkExtent3D *block = &plane->sparse_block;
   if (!block->width || level_index >= plane->tail_first_level || layer >= image->num_layers)
      return 0;
   const uint32_t level_width = UTIL_DIV_ROUND_UP(level->width, plane->info->block_width);
   const uint32_t level_height = UTIL_DIV_ROUND_UP(level->height, plane->info->block_height);
   const uint32_t level_slices = rt_level_slices(plane, level);
   const uint32_t width = UTIL_MIN(block->width, (uint32_t)TILE), height = UTIL_MIN(block->height, (uint32_t)TILE);
   const uint32_t part_bytes = width * height * plane->texel_bytes * image->num_samples;
   const uint64_t base = plane->offset_bytes + layer * plane->layer_bytes;
   struct list list = {runs, 0};
   uint32_t block_bytes = 0;
   for (uint64_t slice = (uint64_t)z * block->depth; slice < ((uint64_t)z + 1) * block->depth; slice++) {
      for (uint64_t ty = (uint64_t)y * block->height; ty < ((uint64_t)y + 1) * block->height; ty += height) {
         for (uint64_t tx = (uint64_t)x * block->width; tx < ((uint64_t)x + 1) * block->width; tx += width) {
            if (tx < level_width && ty < level_height && slice < level_slices)
               add_part_of_tile(&list, level, base + slice * level->slice_bytes, (uint32_t)tx, (uint32_t)ty, width, height,
                                plane->texel_bytes, image->num_samples, block_bytes);
            block_bytes = util_size_add32(block_bytes, part_bytes);
         }
      }
   }
   return list.count;
}
