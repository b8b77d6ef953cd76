/* SPDX-License-Identifier: MIT
 * What block decoders share: bits of a 128-bit block, and 8-bit or fractional components as float bits. */
#pragma once

#include "runtime/format/convert.h"

#include <string.h>

/* A block as a little-endian number, and a position in it. */
struct rt_bits {
   uint64_t low, high;
   uint32_t position;
};

RT_INLINE uint64_t rt_load64(const void *bytes)
{
   uint64_t v;
   memcpy(&v, bytes, 8); /* little-endian machines only, as all of the driver */
   return v;
}

RT_INLINE struct rt_bits rt_bits_load(const void *block)
{
   return (struct rt_bits){rt_load64(block), rt_load64((const uint8_t *)block + 8), 0};
}

/* Up to 32 bits from `first` on; bits past the end are 0. */
RT_INLINE uint32_t rt_bits_get(const struct rt_bits *bits, uint32_t first, uint32_t count)
{
   uint64_t value = first < 64 ? bits->low >> first : first < 128 ? bits->high >> (first - 64) : 0;
   if (first && first < 64)
      value |= bits->high << (64 - first);
   return (uint32_t)(value & ((1ull << count) - 1));
}

RT_INLINE uint32_t rt_bits_take(struct rt_bits *bits, uint32_t count)
{
   const uint32_t value = rt_bits_get(bits, bits->position, count);
   bits->position += count;
   return value;
}

/* numerator / denominator in [0, 1]; of an sRGB component the nearest 8-bit code is what gets decoded. */
RT_INLINE uint32_t rt_fraction(int32_t numerator, int32_t denominator, bool is_srgb)
{
   if (is_srgb)
      return rt_srgb_decode_table[(numerator * 510 + denominator) / (2 * denominator)];
   return rt_as_bits((float)numerator / (float)denominator);
}

RT_INLINE uint32_t rt_byte(uint32_t code, bool is_srgb)
{
   return is_srgb ? rt_srgb_decode_table[code] : rt_as_bits(rt_unorm_decode(code, 8));
}

enum { RT_FLOAT_ONE = 0x3f800000 };
