/* SPDX-License-Identifier: MIT
 * sRGB transfer function, exact on every machine: table look-ups instead of powf().
 * Spec: Khronos Data Format Specification, "sRGB transfer functions". The tables are made by gen/formats.py. */
#pragma once

#include <stdint.h>

enum {
   RT_SRGB_FIRST_BUCKET = (127 - 13) << 7, /* bits >> 16 of 2^-13: everything below encodes to 0 */
   RT_SRGB_LAST_BUCKET = 127 << 7,         /* of 1.0 */
};

extern const uint32_t rt_srgb_decode_table[256]; /* code to float bits, correctly rounded */
extern const uint32_t rt_srgb_filtered_table[256]; /* to float bits of whole numbers up to UINT16_MAX, the nearest: what linear filters mix */
extern const int16_t rt_srgb_signed_table[256]; /* the same numbers less 2^15 */
extern const uint32_t rt_srgb_encode_table[RT_SRGB_LAST_BUCKET - RT_SRGB_FIRST_BUCKET + 1];

/* The nearest 8-bit code of a linear value: clamps to [0, 1], NaN gives 0. Each bucket of 2^16 floats holds at most one
 * limit between codes; its entry makes the low bits carry into the next code from that limit on. */
static inline uint32_t rt_srgb_encode(float linear)
{
   union {
      float f;
      int32_t i;
   } u = {.f = linear < 1.0f ? linear : 1.0f};
   u.f = linear == linear ? u.f : 0.0f;
   const int32_t first = RT_SRGB_FIRST_BUCKET << 16;
   const int32_t bits = u.i > first ? u.i : first; /* negative floats are negative integers */
   return (rt_srgb_encode_table[(bits >> 16) - RT_SRGB_FIRST_BUCKET] + ((uint32_t)bits & 0xffff)) >> 16;
}
