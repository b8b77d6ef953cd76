/* SPDX-License-Identifier: MIT
 * Texels to and from rows. Tiled images are walked block by block; a whole block is eight moves of two texels, which
 * are neighbours in memory and in a row alike. Words are little-endian, as the formats are. */
#include "runtime/transfer/texels.h"

#include "runtime/transfer/block_rows.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

struct rt_texels rt_texels_of(const struct rt_image *image, uint32_t plane, uint32_t level, uint32_t layer,
                              uint32_t slice, uint32_t sample)
{
   const struct rt_plane *p = &image->planes[plane];
   const struct abi_level *l = &p->levels[level];
   return (struct rt_texels){
      .data = p->data + layer * p->layer_bytes + l->offset_bytes + slice * l->slice_bytes +
              (image->is_tiled ? (uint64_t)sample * 16 * p->texel_bytes : 0),
      .level = l,
      .texel_bytes = p->texel_bytes,
      .block_bytes = 16 * p->texel_bytes * image->num_samples,
      .width = UTIL_DIV_ROUND_UP(l->width, p->info->block_width),
      .height = UTIL_DIV_ROUND_UP(l->height, p->info->block_height),
      .is_tiled = image->is_tiled,
   };
}

/* The block of texel (x, y). */
static uint8_t *block_at(const struct rt_texels *texels, uint32_t x, uint32_t y)
{
   const struct abi_level *level = texels->level;
   const uint32_t in_x = x & ((1u << level->tile_log2_x) - 1), in_y = y & ((1u << level->tile_log2_y) - 1);
   return texels->data + (uint64_t)(x >> level->tile_log2_x) * level->tile_bytes +
          (uint64_t)(y >> level->tile_log2_y) * level->tile_row_bytes + (in_x >> 2) * texels->block_bytes +
          (in_y >> 2) * level->block_row_bytes;
}

static uint32_t index_in_block(uint32_t x, uint32_t y)
{
   return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

uint8_t *rt_texels_at(const struct rt_texels *texels, uint32_t x, uint32_t y)
{
   if (!texels->is_tiled)
      return texels->data + (uint64_t)y * texels->level->row_pitch_bytes + (uint64_t)x * texels->texel_bytes;
   return block_at(texels, x, y) + index_in_block(x, y) * texels->texel_bytes;
}

ALWAYS_INLINE void move(uint8_t *tiled, uint8_t *row, size_t size, bool is_read)
{
   if (is_read)
      memcpy(row, tiled, size);
   else
      memcpy(tiled, row, size);
}

/* Rows [y, y + height) of a block. */
ALWAYS_INLINE void move_block_rows(uint8_t *block, uint32_t y, uint32_t height, uint8_t *row, uint64_t pitch_bytes,
                                   size_t size, bool is_read)
{
   for (uint32_t j = y; j < y + height; j++) {
      uint8_t *pair = block + ((j & 1) * 2 + (j & 2) * 4) * size;
      move(pair, row, 2 * size, is_read);
      move(pair + 4 * size, row + 2 * size, 2 * size, is_read);
      row += pitch_bytes;
   }
}

static void move_part_of_block(uint8_t *block, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *row,
                               uint64_t pitch_bytes, size_t size, bool is_read)
{
   for (uint32_t j = 0; j < height; j++) {
      for (uint32_t i = 0; i < width; i++)
         move(block + index_in_block(x + i, y + j) * size, row + i * size, size, is_read);
      row += pitch_bytes;
   }
}

/* The whole blocks of texels of one to four bytes from texel (x, y) on to the tile's edge or the area's; returns how many texels of
 * each of the four rows that is. */
ALWAYS_INLINE uint32_t move_blocks(const struct rt_texels *texels, uint32_t x, uint32_t y, uint32_t end_x, uint8_t *rows,
                                   uint64_t pitch_bytes, uint32_t size, bool is_read)
{
   const uint32_t tile = 1u << texels->level->tile_log2_x;
   const uint32_t num_x = UTIL_MIN(end_x - x, tile - (x & (tile - 1))) & ~3u;
   uint8_t *blocks = block_at(texels, x, y), *next = blocks + texels->level->tile_bytes;
   if (is_read)
      rt_block_rows_read(size, blocks, num_x / 4, next, rows, pitch_bytes);
   else
      rt_block_rows_write(size, blocks, num_x / 4, next, rows, pitch_bytes);
   return num_x;
}

/* `size` is a constant in each copy of this, but for odd sizes. */
ALWAYS_INLINE void move_tiled(const struct rt_texels *texels, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                              uint8_t *rows, uint64_t pitch_bytes, size_t size, bool is_read)
{
   const uint32_t tile_mask = (1u << texels->level->tile_log2_x) - 1;
   const uint32_t end_x = x + width, end_y = y + height;
   const bool has_runs = (size == 1 || size == 2 || size == 4) && texels->block_bytes == 16 * size;
   uint32_t num_y;
   for (uint32_t at_y = y; at_y < end_y; at_y += num_y) {
      num_y = UTIL_MIN(4 - (at_y & 3), end_y - at_y);
      uint8_t *row = rows + (at_y - y) * pitch_bytes, *block = NULL;
      uint32_t num_x;
      for (uint32_t at_x = x; at_x < end_x; at_x += num_x) {
         num_x = UTIL_MIN(4 - (at_x & 3), end_x - at_x);
         if (has_runs && num_x == 4 && num_y == 4) {
            num_x = move_blocks(texels, at_x, at_y, end_x, row, pitch_bytes, size, is_read);
            row += num_x * size;
            block = NULL;
            continue;
         }
         if (!block || (at_x & tile_mask) == 0)
            block = block_at(texels, at_x, at_y);
         if (UTIL_LIKELY(num_x == 4 && num_y == 4))
            move_block_rows(block, 0, 4, row, pitch_bytes, size, is_read);
         else if (UTIL_LIKELY(num_x == 4))
            move_block_rows(block, at_y & 3, num_y, row, pitch_bytes, size, is_read);
         else
            move_part_of_block(block, at_x & 3, at_y & 3, num_x, num_y, row, pitch_bytes, size, is_read);
         block += texels->block_bytes;
         row += num_x * size;
      }
   }
}

ALWAYS_INLINE void move_any(const struct rt_texels *texels, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                            uint8_t *rows, uint64_t pitch_bytes, bool is_read)
{
   if (!texels->is_tiled) {
      uint8_t *at = rt_texels_at(texels, x, y);
      for (uint32_t j = 0; j < height; j++)
         move(at + (uint64_t)j * texels->level->row_pitch_bytes, rows + j * pitch_bytes,
              (size_t)width * texels->texel_bytes, is_read);
      return;
   }
   switch (texels->texel_bytes) {
   case 1:
      move_tiled(texels, x, y, width, height, rows, pitch_bytes, 1, is_read);
      break;
   case 2:
      move_tiled(texels, x, y, width, height, rows, pitch_bytes, 2, is_read);
      break;
   case 4:
      move_tiled(texels, x, y, width, height, rows, pitch_bytes, 4, is_read);
      break;
   case 8:
      move_tiled(texels, x, y, width, height, rows, pitch_bytes, 8, is_read);
      break;
   case 16:
      move_tiled(texels, x, y, width, height, rows, pitch_bytes, 16, is_read);
      break;
   default:
      move_tiled(texels, x, y, width, height, rows, pitch_bytes, texels->texel_bytes, is_read);
      break;
   }
}

void rt_texels_read(const struct rt_texels *from, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    uint8_t *rows, uint64_t pitch_bytes)
{
   move_any(from, x, y, width, height, rows, pitch_bytes, true);
}

void rt_texels_write(const struct rt_texels *to, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     const uint8_t *rows, uint64_t pitch_bytes)
{
   move_any(to, x, y, width, height, (uint8_t *)rows, pitch_bytes, false);
}

bool rt_texels_are_blocks(const struct rt_texels *from, uint32_t from_x, uint32_t from_y, const struct rt_texels *to,
                          uint32_t to_x, uint32_t to_y, uint32_t width, uint32_t height)
{
   return from->is_tiled && to->is_tiled && from->texel_bytes == to->texel_bytes &&
          from->block_bytes == to->block_bytes && ((from_x | from_y | to_x | to_y) & 3) == 0 &&
          ((width & 3) == 0 || to_x + width == to->width) && ((height & 3) == 0 || to_y + height == to->height);
}

void rt_texels_copy_blocks(const struct rt_texels *from, uint32_t from_x, uint32_t from_y, const struct rt_texels *to,
                           uint32_t to_x, uint32_t to_y, uint32_t width, uint32_t height)
{
   const uint32_t from_tile = 1u << from->level->tile_log2_x, to_tile = 1u << to->level->tile_log2_x;
   for (uint32_t y = 0; y < height; y += 4) {
      uint32_t num;
      for (uint32_t x = 0; x < width; x += num) {
         /* Blocks of a row of a tile are contiguous: up to the nearer tile edge at once. */
         const uint32_t left =
            UTIL_MIN(from_tile - ((from_x + x) & (from_tile - 1)), to_tile - ((to_x + x) & (to_tile - 1)));
         num = UTIL_MIN(left, (width - x + 3) & ~3u);
         memcpy(block_at(to, to_x + x, to_y + y), block_at(from, from_x + x, from_y + y),
                (size_t)(num / 4) * to->block_bytes);
      }
   }
}
