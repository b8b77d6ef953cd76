/* SPDX-License-Identifier: MIT
 * Sparse blocks: the parts of images that memory is bound to, each 64 KiB of it, and where in the image's memory a block's bytes are.
 * Spec: Sparse Resources, "Standard Sparse Image Block Shapes", "Sparse Image Memory Requirements".
 *
 * A block covers tiles of the image, or a part of a tile, and these are not always one after the other: so a block is a few runs of
 * bytes. Where in a block's memory a run is depends on the shape alone, so images of one shape can share memory. */
#pragma once

#include "runtime/image/image.h"

enum { RT_SPARSE_BLOCK_BYTES = 64 << 10 };

/* In texels, or in compressed blocks; width 0: images of this type are not bound by block. Images of two dimensions have the standard
 * shapes, those of three have tiles of 64 x 64 and as many slices as fill a block. */
VkExtent3D rt_sparse_block(const struct rt_format_info *info, VkImageType type, uint32_t num_samples);
/* The same in texels always: the imageGranularity of VkSparseImageFormatProperties. */
VkExtent3D rt_sparse_granularity(const struct rt_format_info *info, VkImageType type, uint32_t num_samples);

/* `offset_bytes` in the image's memory, `block_bytes` in what is bound to the block. */
struct rt_sparse_run {
   uint64_t offset_bytes;
   uint32_t block_bytes, size_bytes;
};

enum { RT_MAX_SPARSE_RUNS = 64 };

/* The runs of the block at (x, y, z), counted in blocks; 0 if it is beyond the level or in the tail. Writes at most RT_MAX_SPARSE_RUNS. */
uint32_t rt_sparse_block_runs(const struct rt_image *image, uint32_t plane, uint32_t level, uint32_t layer, uint32_t x, uint32_t y,
                              uint32_t z, struct rt_sparse_run *runs);
