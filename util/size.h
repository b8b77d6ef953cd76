/* SPDX-License-Identifier: MIT
 * Arithmetic of sizes that a shader or a call of the API chooses. It saturates: a sum or product that does not fit is SIZE_MAX, which no
 * limit admits and no allocator has, so that one check at the end is enough. tests/lint finds sizes that are added or multiplied without it. */
#pragma once

#include "util/macros.h"

static inline size_t util_size_add(size_t a, size_t b)
{
   size_t sum;
   return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

/* The same of sizes that are kept in 32 bits. */
static inline uint32_t util_size_add32(uint32_t a, uint32_t b)
{
   uint32_t sum;
   return __builtin_add_overflow(a, b, &sum) ? UINT32_MAX : sum;
}

static inline size_t util_size_mul(size_t a, size_t b)
{
   size_t product;
   return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* `head` bytes and then `count` elements of `size` bytes. */
static inline size_t util_size_array(size_t head, size_t count, size_t size)
{
   return util_size_add(head, util_size_mul(count, size));
}

/* Up to a multiple of `align`, a power of two. */
static inline size_t util_size_align(size_t size, size_t align)
{
   return size > SIZE_MAX - (align - 1) ? SIZE_MAX : util_align(size, align);
}

/* `count` elements of `size` bytes at the end of a block of memory, aligned to 16 bytes: where they begin. The block is as large as before and that. */
static inline size_t util_size_append(size_t *block, size_t count, size_t size)
{
   const size_t at = util_size_align(*block, 16);
   *block = util_size_array(at, count, size);
   return at;
}
