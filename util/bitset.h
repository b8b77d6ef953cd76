/* SPDX-License-Identifier: MIT
 * Bit sets over plain arrays of 64-bit words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool util_bitset_test(const uint64_t *set, size_t bit)
{
   return set[bit / 64] >> (bit % 64) & 1;
}

static inline void util_bitset_set(uint64_t *set, size_t bit)
{
   set[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void util_bitset_clear(uint64_t *set, size_t bit)
{
   set[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}
