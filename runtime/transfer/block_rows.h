/* SPDX-License-Identifier: MIT
 * Whole 4x4 blocks of texels of one, two or four bytes, one sample, to and from four rows, with the widest registers of the
 * processor: the bulk of uploads, of readbacks and of what windows show. abi/image.h has the order in a block.
 * Threads: pure functions. */
#pragma once

#include <stdint.h>

/* `num_blocks` blocks one after the other are 4 * num_blocks texels of each row. `next` is where the caller will go on
 * in the image: it comes into the cache meanwhile; any address will do. texel_bytes: 1, 2 or 4. */
void rt_block_rows_read(uint32_t texel_bytes, const uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, uint8_t *rows,
                        uint64_t pitch_bytes);
void rt_block_rows_write(uint32_t texel_bytes, uint8_t *blocks, uint32_t num_blocks, const uint8_t *next, const uint8_t *rows,
                         uint64_t pitch_bytes);
