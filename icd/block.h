/* SPDX-License-Identifier: MIT
 * An object and its arrays in one allocation: offsets are added up first, then pointed to. One allocation means one
 * failure to unwind. */
#pragma once

#include "util/size.h"

/* Adds `count` elements of `size` bytes to a block that so far has *block_bytes; returns their offset, a multiple
 * of 16. A block that is too large saturates, so that its allocation fails. */
static inline size_t icd_block_add(size_t *block_bytes, size_t count, size_t size)
{
   const size_t offset = util_size_align(*block_bytes, 16);
   *block_bytes = util_size_array(offset, count, size);
   return offset;
}

/* The memory at an offset that icd_block_add() gave. */
static inline void *icd_block_at(void *block, size_t offset)
{
   return (char *)block + offset;
}
