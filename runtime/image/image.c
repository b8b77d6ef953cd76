/* SPDX-License-Identifier: MIT
 * Layout of image memory: levels of a layer one after the other, layers after each other, planes after each other. */
#include "runtime/image/image.h"

#include "runtime/image/sparse_blocks.h"

#include <string.h>

enum {
   LEVEL_ALIGN = 64,   /* a cache line, and a block of 32-bit texels */
   PITCH_ALIGN = 16,   /* LINEAR: rows */
   END_PADDING = 64, /* as many bytes as a vector */
   MAX_TILE_LOG2 = 6,
};

static uint8_t tile_log2(uint32_t extent)
{
   uint8_t log2 = 2;
   while (log2 < MAX_TILE_LOG2 && (1u << log2) < extent)
      log2++;
   return log2;
}

/* *sum += a * b unless that exceeds `limit`; false then. */
static bool add_product(uint64_t *sum, uint64_t a, uint64_t b, uint64_t limit)
{
   uint64_t product, total;
   if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, &total) || total > limit)
      return false;
   *sum = total;
   return true;
}

/* Lays out one level of `width` x `height` texels or blocks and gives the bytes of one slice; false if it is too large.
 */
static bool layout_slice(struct abi_level *level, bool is_tiled, uint32_t width, uint32_t height, uint32_t texel_bytes,
                         uint32_t samples, uint64_t limit)
{
   uint64_t slice = 0;
   limit = UTIL_MIN(limit, UINT32_MAX); /* samplers compute offsets within a slice in 32 bits */
   if (!is_tiled) {
      const uint64_t pitch = util_align((uint64_t)width * texel_bytes * samples, PITCH_ALIGN);
      if (pitch > UINT32_MAX || !add_product(&slice, pitch, height, limit))
         return false;
      level->row_pitch_bytes = (uint32_t)pitch;
   } else {
      level->tile_log2_x = tile_log2(width);
      level->tile_log2_y = tile_log2(height);
      const uint64_t tile = ((uint64_t)texel_bytes * samples) << (level->tile_log2_x + level->tile_log2_y);
      const uint64_t columns = ((uint64_t)width + (1u << level->tile_log2_x) - 1) >> level->tile_log2_x;
      const uint64_t rows = ((uint64_t)height + (1u << level->tile_log2_y) - 1) >> level->tile_log2_y;
      const uint64_t tile_row = tile * columns;
      if (tile_row > UINT32_MAX || !add_product(&slice, tile_row, rows, limit))
         return false;
      level->tile_bytes = (uint32_t)tile;
      level->tile_row_bytes = (uint32_t)tile_row;
      level->block_row_bytes = ((uint32_t)texel_bytes * samples * 16) << (level->tile_log2_x - 2);
   }
   level->slice_bytes = util_align(slice, LEVEL_ALIGN);
   return true;
}

/* Levels that do not fill a block begin a layer's tail, which like all layers begins at a block's multiple of bytes. */
static void begin_tail(struct rt_plane *plane, uint32_t level_index, uint32_t width, uint32_t height, uint64_t *layer)
{
   const struct abi_level *level = &plane->levels[level_index];
   const VkExtent3D *block = &plane->sparse_block;
   if (plane->tail_first_level <= level_index || (width >= block->width && height >= block->height && rt_level_slices(plane, level) >= block->depth))
      return;
   plane->tail_first_level = level_index;
   plane->tail_offset_bytes = *layer = util_align(*layer, RT_SPARSE_BLOCK_BYTES);
}

/* Lays out the plane at image->size_bytes and moves that past it. */
static bool layout_plane(struct rt_image *image, struct rt_plane *plane, const struct rt_format_part *part, uint64_t limit)
{
   const struct rt_format_info *info = plane->info;
   uint64_t layer = 0;
   plane->offset_bytes = image->size_bytes;
   for (uint32_t i = 0; i < image->num_levels; i++) {
      struct abi_level *level = &plane->levels[i];
      level->width = UTIL_DIV_ROUND_UP(UTIL_MAX(image->extent.width >> i, 1), part->width_divisor);
      level->height = UTIL_DIV_ROUND_UP(UTIL_MAX(image->extent.height >> i, 1), part->height_divisor);
      level->depth = UTIL_MAX(image->extent.depth >> i, 1);
      const uint32_t width = (uint32_t)UTIL_DIV_ROUND_UP((uint64_t)level->width, info->block_width);
      const uint32_t height = (uint32_t)UTIL_DIV_ROUND_UP((uint64_t)level->height, info->block_height);
      if (plane->sparse_block.width)
         begin_tail(plane, i, width, height, &layer);
      level->offset_bytes = layer;
      if (!layout_slice(level, image->is_tiled, width, height, info->texel_bytes, image->num_samples, limit) ||
          !add_product(&layer, level->slice_bytes, rt_level_slices(plane, level), limit))
         return false;
   }
   if (plane->sparse_block.width) {
      layer = util_align(layer, RT_SPARSE_BLOCK_BYTES);
      plane->tail_bytes = plane->tail_first_level < image->num_levels ? layer - plane->tail_offset_bytes : 0;
   }
   plane->layer_bytes = layer;
   return add_product(&image->size_bytes, layer, image->num_layers, limit);
}

static VkResult init(struct rt_image *image, VkImageType type, VkFormat format, VkExtent3D extent, uint32_t num_levels,
                     uint32_t num_layers, uint32_t num_samples, bool is_tiled, bool by_block, uint64_t max_bytes)
{
   static const struct rt_format_part whole = {.width_divisor = 1, .height_divisor = 1};
   const struct rt_format_info *info = rt_format_info(format);
   memset(image, 0, sizeof(*image));
   if (num_levels > ABI_MAX_LEVELS || info->texel_bytes == 0)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;

   image->type = type;
   image->format = format;
   image->info = info;
   image->extent = extent;
   image->num_levels = num_levels;
   image->num_layers = num_layers;
   image->num_samples = num_samples;
   /* Luma is read as a format of half the size: its texels have to be in rows. */
   image->is_tiled = is_tiled && info->num_parts <= info->num_planes;
   image->num_planes = info->num_planes;
   image->align_bytes = RT_IMAGE_ALIGN;

   /* Far below where sums of two such sizes wrap. */
   const uint64_t limit = UTIL_MIN(max_bytes, UINT64_MAX / 16);
   for (uint32_t p = 0; p < image->num_planes; p++) {
      struct rt_plane *plane = &image->planes[p];
      plane->format = info->num_planes > 1 ? info->parts[p].format : format;
      plane->info = rt_format_info(plane->format);
      plane->texel_bytes = plane->info->texel_bytes;
      plane->tail_first_level = num_levels;
      if (by_block)
         plane->sparse_block = rt_sparse_block(plane->info, type, num_samples);
      if (!layout_plane(image, plane, info->num_planes > 1 ? &info->parts[p] : &whole, limit))
         return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   image->padding_bytes = END_PADDING;
   image->size_bytes = util_align(image->size_bytes, RT_IMAGE_ALIGN) + image->padding_bytes;
   return image->size_bytes > limit ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

VkResult rt_image_init(struct rt_image *image, VkImageType type, VkFormat format, VkExtent3D extent,
                       uint32_t num_levels, uint32_t num_layers, uint32_t num_samples, bool is_tiled,
                       uint64_t max_bytes)
{
   return init(image, type, format, extent, num_levels, num_layers, num_samples, is_tiled, false, max_bytes);
}

VkResult rt_image_init_sparse(struct rt_image *image, VkImageType type, VkFormat format, VkExtent3D extent,
                              uint32_t num_levels, uint32_t num_layers, uint32_t num_samples, bool is_tiled, bool by_block,
                              uint64_t max_bytes)
{
   const VkResult result = init(image, type, format, extent, num_levels, num_layers, num_samples, is_tiled, by_block, max_bytes);
   rt_image_unpad(image); /* reserved addresses have more behind them */
   image->align_bytes = RT_SPARSE_BLOCK_BYTES;
   image->size_bytes = util_align(image->size_bytes, RT_SPARSE_BLOCK_BYTES);
   return result;
}

bool rt_image_set_plane(struct rt_image *image, uint32_t plane, uint64_t offset_bytes, uint64_t row_pitch_bytes)
{
   struct rt_plane *p = &image->planes[plane];
   struct abi_level *level = &p->levels[0];
   const uint64_t rows = UTIL_DIV_ROUND_UP(level->height, p->info->block_height);
   const uint64_t row_bytes = UTIL_DIV_ROUND_UP((uint64_t)level->width, p->info->block_width) * p->texel_bytes;
   const uint64_t align_bytes = p->texel_bytes & -p->texel_bytes; /* the largest power of two in it */
   uint64_t bytes = 0;
   if (image->is_tiled || image->num_levels != 1 || image->num_layers != 1 || row_pitch_bytes < row_bytes || row_pitch_bytes > UINT32_MAX ||
       (row_pitch_bytes | offset_bytes) % align_bytes || !add_product(&bytes, row_pitch_bytes, rows, UINT32_MAX) ||
       offset_bytes > UINT64_MAX / 16)
      return false;
   p->offset_bytes = offset_bytes;
   p->layer_bytes = level->slice_bytes = bytes;
   level->row_pitch_bytes = (uint32_t)row_pitch_bytes;
   if (!image->is_placed)
      image->size_bytes = 0;
   image->is_placed = true;
   image->size_bytes = UTIL_MAX(image->size_bytes, offset_bytes + bytes - row_pitch_bytes + row_bytes);
   return true;
}

uint64_t rt_image_disjoint_bytes(const struct rt_image *image, uint32_t plane)
{
   if (image->is_placed)
      return image->planes[plane].offset_bytes + image->planes[plane].layer_bytes;
   return util_align(image->planes[plane].layer_bytes * image->num_layers, RT_IMAGE_ALIGN) + image->padding_bytes;
}

void rt_image_unpad(struct rt_image *image)
{
   image->size_bytes -= image->padding_bytes;
   image->padding_bytes = 0;
}

void rt_image_make_disjoint(struct rt_image *image)
{
   for (uint32_t p = 0; p < image->num_planes; p++)
      image->planes[p].offset_bytes = 0;
}

void rt_image_bind(struct rt_image *image, void *memory)
{
   for (uint32_t p = 0; p < image->num_planes; p++)
      rt_image_bind_plane(image, p, memory);
}

void rt_image_bind_plane(struct rt_image *image, uint32_t plane, void *memory)
{
   image->planes[plane].data = (uint8_t *)memory + image->planes[plane].offset_bytes;
}

uint32_t rt_image_plane(const struct rt_image *image, VkImageAspectFlags aspect)
{
   return rt_format_plane_index(image->info, aspect);
}

void rt_image_subresource_layout(const struct rt_image *image, VkImageAspectFlags aspect, uint32_t level,
                                 uint32_t layer, VkSubresourceLayout *layout)
{
   const struct rt_plane *plane = &image->planes[rt_image_plane(image, aspect)];
   const struct abi_level *l = &plane->levels[level];
   *layout = (VkSubresourceLayout){
      .offset = plane->offset_bytes + layer * plane->layer_bytes + l->offset_bytes,
      .size = l->slice_bytes * rt_level_slices(plane, l),
      .rowPitch = image->is_tiled ? l->tile_row_bytes : l->row_pitch_bytes,
      .arrayPitch = plane->layer_bytes,
      .depthPitch = l->slice_bytes,
   };
}

/* What is left of `offset` behind the last whole `bytes` before it; `count`: how many of these there are. */
static uint64_t split_off(uint64_t offset, uint64_t bytes, uint32_t *count)
{
   *count = bytes ? (uint32_t)(offset / bytes) : 0;
   return bytes ? offset % bytes : offset;
}

struct rt_texel_position rt_level_texel(const struct abi_level *level, bool is_tiled, uint32_t texel_bytes, uint32_t num_samples, uint64_t offset)
{
   struct rt_texel_position at = {0};
   uint64_t left = split_off(offset - level->offset_bytes, level->slice_bytes, &at.z);
   if (!is_tiled) {
      left = split_off(left, level->row_pitch_bytes, &at.y);
      (void)split_off(left, texel_bytes, &at.x);
      return at;
   }
   uint32_t tile_x, tile_y, block_x, block_y, index;
   left = split_off(left, level->tile_row_bytes, &tile_y);
   left = split_off(left, level->tile_bytes, &tile_x);
   left = split_off(left, level->block_row_bytes, &block_y);
   left = split_off(left, UINT64_C(16) * texel_bytes * num_samples, &block_x);
   left = split_off(left, UINT64_C(16) * texel_bytes, &at.sample);
   (void)split_off(left, texel_bytes, &index);
   at.x = tile_x << level->tile_log2_x | block_x << 2 | (index >> 1 & 2) | (index & 1);
   at.y = tile_y << level->tile_log2_y | block_y << 2 | (index >> 2 & 2) | (index >> 1 & 1);
   return at;
}
