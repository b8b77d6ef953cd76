/* SPDX-License-Identifier: MIT
 * Decoded blocks of compressed formats, kept per thread and found by their contents: never stale, whoever writes
 * images. Neighbouring invocations and calls mostly share blocks, and neighbouring tiles of a worker those of a texture. */
#pragma once

#include "runtime/format/format.h"

/* The texels of a block, 4 components (float bits) each, row by row. Valid until the thread's next call. */
const uint32_t (*rt_block_texels(const struct rt_format_info *info, const uint8_t *block))[4];
/* Frees what the calling thread keeps; before it ends. */
void rt_block_cache_forget(void);
