/* SPDX-License-Identifier: MIT
 * Rectangles of texels of one slice of an image, to and from rows of memory.
 * A "texel" is a compressed block for compressed formats; all coordinates count in those. abi/image.h has the layouts.
 */
#pragma once

#include "runtime/image/image.h"

/* One slice of one level of one layer, one sample. */
struct rt_texels {
   uint8_t *data; /* of texel (0, 0) */
   const struct abi_level *level;
   uint32_t texel_bytes;
   uint32_t block_bytes; /* tiled: of a 4x4 block with all samples */
   uint32_t width, height;
   bool is_tiled;
};

struct rt_texels rt_texels_of(const struct rt_image *image, uint32_t plane, uint32_t level, uint32_t layer,
                              uint32_t slice, uint32_t sample);

/* Texels [x, x + width) x [y, y + height) to rows that are pitch_bytes apart, and back. */
void rt_texels_read(const struct rt_texels *from, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    uint8_t *rows, uint64_t pitch_bytes);
void rt_texels_write(const struct rt_texels *to, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     const uint8_t *rows, uint64_t pitch_bytes);

/* True if rt_texels_copy_blocks() can do it: both tiled alike, whole blocks (or what reaches beyond them is padding).
 */
bool rt_texels_are_blocks(const struct rt_texels *from, uint32_t from_x, uint32_t from_y, const struct rt_texels *to,
                          uint32_t to_x, uint32_t to_y, uint32_t width, uint32_t height);
/* Copies whole blocks, with all their samples; `from` and `to` are of sample 0. */
void rt_texels_copy_blocks(const struct rt_texels *from, uint32_t from_x, uint32_t from_y, const struct rt_texels *to,
                           uint32_t to_x, uint32_t to_y, uint32_t width, uint32_t height);

/* Where texel (x, y) is. */
uint8_t *rt_texels_at(const struct rt_texels *texels, uint32_t x, uint32_t y);
