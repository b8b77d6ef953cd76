/* SPDX-License-Identifier: MIT
 * Decoded blocks of compressed formats, kept per thread and found by their contents: never stale, whoever writes
 * images. Neighbouring invocations and calls mostly share blocks. */
#pragma once

#include "runtime/format/format.h"

/* The texels of a block, 4 components (float bits) each, row by row. Valid until the thread's next call. */
const uint32_t (*rt_block_texels(const struct rt_format_info *info, const uint8_t *block))[4];
