/* SPDX-License-Identifier: MIT
 * From tiles to rows: the one copy that presenting costs. include/abi/image.h has the layout. */
#include "icd/resource/image.h"
#include "icd/wsi/swapchain.h"

#include <string.h>

/* In a 4x4 block two texels that are neighbours in a row are neighbours in memory; pairs are in Z order:
 *    0 2
 *    1 3
 *    4 6
 *    5 7 */
static inline void read_block_row(uint8_t *out, const uint8_t *block, uint32_t y, uint32_t pair_bytes)
{
   const uint8_t *first = block + ((y & 1) + (y & 2) * 2) * pair_bytes;
   memcpy(out, first, pair_bytes);
   memcpy(out + pair_bytes, first + 2 * pair_bytes, pair_bytes);
}

/* Row `y`, texels x0 to x1, which are multiples of 4. */
static inline void read_blocks(const struct abi_level *level, uint32_t texel_bytes, const uint8_t *base, uint32_t x0,
                               uint32_t x1, uint32_t y, uint8_t *out)
{
   const uint32_t tile_mask_x = (1u << level->tile_log2_x) - 1, tile_mask_y = (1u << level->tile_log2_y) - 1;
   const uint8_t *row = base + (uint64_t)(y >> level->tile_log2_y) * level->tile_row_bytes +
                        ((y & tile_mask_y) >> 2) * level->block_row_bytes;
   for (uint32_t x = x0; x < x1; x += 4, out += 4 * texel_bytes) {
      const uint8_t *block = row + (uint64_t)(x >> level->tile_log2_x) * level->tile_bytes +
                             ((x & tile_mask_x) >> 2) * 16 * texel_bytes;
      read_block_row(out, block, y & 3, 2 * texel_bytes);
   }
}

/* Four rows, from the first row of a row of blocks on, of 32-bit texels: each block is one cache line, read once. */
static void read_block_lines(const struct abi_level *level, const uint8_t *base, uint32_t x0, uint32_t x1, uint32_t y,
                             uint8_t *out, size_t pitch_bytes)
{
   typedef uint64_t pairs __attribute__((vector_size(16), aligned(4), may_alias));
   const uint32_t tile_mask_x = (1u << level->tile_log2_x) - 1, tile_mask_y = (1u << level->tile_log2_y) - 1;
   const uint8_t *row = base + (uint64_t)(y >> level->tile_log2_y) * level->tile_row_bytes +
                        ((y & tile_mask_y) >> 2) * level->block_row_bytes;
   for (uint32_t x = x0; x < x1;) {
      const uint32_t end = UTIL_MIN(x1, (x | tile_mask_x) + 1);
      const pairs *block = (const pairs *)(const void *)(row + (uint64_t)(x >> level->tile_log2_x) * level->tile_bytes +
                                                         (x & tile_mask_x) * 16);
      for (; x < end; x += 4, block += 4, out += 16) {
         *(pairs *)(void *)out = __builtin_shufflevector(block[0], block[1], 0, 2);
         *(pairs *)(void *)(out + pitch_bytes) = __builtin_shufflevector(block[0], block[1], 1, 3);
         *(pairs *)(void *)(out + 2 * pitch_bytes) = __builtin_shufflevector(block[2], block[3], 0, 2);
         *(pairs *)(void *)(out + 3 * pitch_bytes) = __builtin_shufflevector(block[2], block[3], 1, 3);
      }
   }
}

static void read_texels(const struct rt_image *image, uint32_t x0, uint32_t x1, uint32_t y, uint8_t *out)
{
   const struct rt_plane *plane = &image->planes[0];
   for (uint32_t x = x0; x < x1; x++, out += plane->texel_bytes) {
      const uint64_t offset = rt_level_offset(&plane->levels[0], image->is_tiled, plane->texel_bytes, x, y, 0, 0, 1);
      memcpy(out, image->data + plane->offset_bytes + offset, plane->texel_bytes);
   }
}

/* Where an area is, and which of its columns belong to whole blocks: [aligned_x0, aligned_x1). */
struct columns {
   uint32_t x0, aligned_x0, aligned_x1, x1;
};

static void read_row(const struct rt_image *rt, const struct columns *columns, uint32_t y, uint8_t *out)
{
   const struct rt_plane *plane = &rt->planes[0];
   const struct abi_level *level = &plane->levels[0];
   const uint8_t *base = rt->data + plane->offset_bytes + level->offset_bytes;
   const uint32_t texel_bytes = plane->texel_bytes, x0 = columns->aligned_x0, x1 = columns->aligned_x1;
   uint8_t *aligned_out = out + (x0 - columns->x0) * texel_bytes;

   read_texels(rt, columns->x0, x0, y, out);
   if (!rt->is_tiled)
      read_texels(rt, x0, x1, y, aligned_out);
   else if (texel_bytes == 4)
      read_blocks(level, 4, base, x0, x1, y, aligned_out);
   else if (texel_bytes == 8)
      read_blocks(level, 8, base, x0, x1, y, aligned_out);
   else
      read_blocks(level, texel_bytes, base, x0, x1, y, aligned_out);
   read_texels(rt, x1, columns->x1, y, aligned_out + (x1 - x0) * texel_bytes);
}

void icd_image_read_rows(const struct icd_image *image, VkRect2D area, void *rows, size_t pitch_bytes)
{
   const struct rt_image *rt = &image->rt;
   const struct rt_plane *plane = &rt->planes[0];
   const struct abi_level *level = &plane->levels[0];
   const uint8_t *base = rt->data + plane->offset_bytes + level->offset_bytes;
   const uint32_t x0 = (uint32_t)area.offset.x, x1 = x0 + area.extent.width;
   const uint32_t y0 = (uint32_t)area.offset.y, y1 = y0 + area.extent.height;
   const uint32_t aligned_x0 = UTIL_MIN((uint32_t)util_align(x0, 4), x1);
   const struct columns columns = {x0, aligned_x0, UTIL_MAX(x1 & ~3u, aligned_x0), x1};
   const bool has_lines = rt->is_tiled && plane->texel_bytes == 4 && pitch_bytes % 4 == 0;

   for (uint32_t y = y0; y < y1;) {
      uint8_t *out = (uint8_t *)rows + (y - y0) * pitch_bytes;
      if (!has_lines || y % 4 != 0 || y1 - y < 4) {
         read_row(rt, &columns, y++, out);
         continue;
      }
      read_block_lines(level, base, columns.aligned_x0, columns.aligned_x1, y, out + (columns.aligned_x0 - x0) * 4,
                       pitch_bytes);
      for (uint32_t end = y + 4; y < end; y++, out += pitch_bytes) {
         read_texels(rt, columns.x0, columns.aligned_x0, y, out);
         read_texels(rt, columns.aligned_x1, columns.x1, y, out + (columns.aligned_x1 - x0) * 4);
      }
   }
}
