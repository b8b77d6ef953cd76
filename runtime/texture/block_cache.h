/* SPDX-License-Identifier: MIT
 * Decoded blocks of compressed formats, kept per thread and found by their contents: never stale, whoever writes
 * images. Neighbouring invocations and calls mostly share blocks, and neighbouring tiles of a worker those of a texture. */
#pragma once

#include "runtime/format/format.h"

/* Several blocks of a format whose texels are needed at a time. */
struct rt_block_batch {
   const struct rt_format_info *info;
   struct rt_block_cache *cache;
   const uint32_t (*texels)[4]; /* 4 components (float bits) each; of a block row by row */
};

enum { RT_BLOCK_TEXELS_NONE = UINT32_MAX };

/* False when memory is out. What is found in a batch stays until the thread begins the next one. */
bool rt_block_batch_begin(struct rt_block_batch *batch, const struct rt_format_info *info);
/* The number of the block's first texel among batch->texels; RT_BLOCK_TEXELS_NONE: the batch has other blocks where it would stand. */
uint32_t rt_block_batch_find(const struct rt_block_batch *batch, const uint8_t *block);

/* The texels of one block, a batch of its own; with no memory for a cache they are valid until the thread's next call. */
const uint32_t (*rt_block_texels(const struct rt_format_info *info, const uint8_t *block))[4];
/* Frees what the calling thread keeps; before it ends. */
void rt_block_cache_forget(void);
