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

static void read_texels(const struct rt_image *image, uint32_t x0, uint32_t x1, uint32_t y, uint8_t *out)
{
   const struct rt_plane *plane = &image->planes[0];
   for (uint32_t x = x0; x < x1; x++, out += plane->texel_bytes) {
      const uint64_t offset = rt_level_offset(&plane->levels[0], image->is_tiled, plane->texel_bytes, x, y, 0, 0, 1);
      memcpy(out, image->data + plane->offset_bytes + offset, plane->texel_bytes);
   }
}

void icd_image_read_rows(const struct icd_image *image, VkRect2D area, void *rows, size_t pitch_bytes)
{
   const struct rt_image *rt = &image->rt;
   const struct abi_level *level = &rt->planes[0].levels[0];
   const uint8_t *base = rt->data + rt->planes[0].offset_bytes + level->offset_bytes;
   const uint32_t texel_bytes = rt->planes[0].texel_bytes;
   const uint32_t x0 = (uint32_t)area.offset.x, x1 = x0 + area.extent.width;
   const uint32_t aligned_x0 = UTIL_MIN((uint32_t)util_align(x0, 4), x1), aligned_x1 = UTIL_MAX(x1 & ~3u, aligned_x0);

   for (uint32_t i = 0; i < area.extent.height; i++) {
      const uint32_t y = (uint32_t)area.offset.y + i;
      uint8_t *out = (uint8_t *)rows + i * pitch_bytes;
      uint8_t *aligned_out = out + (aligned_x0 - x0) * texel_bytes;
      read_texels(rt, x0, aligned_x0, y, out);
      if (!rt->is_tiled)
         read_texels(rt, aligned_x0, aligned_x1, y, aligned_out);
      else if (texel_bytes == 4)
         read_blocks(level, 4, base, aligned_x0, aligned_x1, y, aligned_out);
      else if (texel_bytes == 8)
         read_blocks(level, 8, base, aligned_x0, aligned_x1, y, aligned_out);
      else
         read_blocks(level, texel_bytes, base, aligned_x0, aligned_x1, y, aligned_out);
      read_texels(rt, aligned_x1, x1, y, out + (aligned_x1 - x0) * texel_bytes);
   }
}
