/* SPDX-License-Identifier: MIT
 * One component between its bits in a texel and 32 bits of float or integer. No branches on data: loops over these
 * vectorise. Spec: Fundamentals, "Fixed-Point Data Conversions" and "Floating-Point Format Conversions"; Khronos Data
 * Format Specification. Assumes the default rounding mode; results don't depend on denormals being flushed. */
#pragma once

#include "runtime/format/format.h"
#include "runtime/format/srgb.h"

#define RT_INLINE static inline __attribute__((always_inline))

RT_INLINE float rt_as_float(uint32_t bits)
{
   union {
      uint32_t u;
      float f;
   } v = {.u = bits};
   return v.f;
}

RT_INLINE uint32_t rt_as_bits(float value)
{
   union {
      float f;
      uint32_t u;
   } v = {.f = value};
   return v.u;
}

/* ---- small floats: 5 bits of exponent with bias 15, `m` bits of mantissa, no sign ---- */

RT_INLINE uint32_t rt_small_float_decode(uint32_t v, uint32_t m)
{
   const uint32_t exponent = v >> m, shifted = v << (23 - m);
   /* scale of subnormals: 2^(-14 - m) */
   const uint32_t subnormal = rt_as_bits((float)(int32_t)v * rt_as_float((127 - 14 - m) << 23));
   const uint32_t normal = shifted + ((exponent == 31 ? 224u : 112u) << 23);
   return exponent == 0 ? subnormal : normal;
}

/* `a`: bits of a non-negative float, infinity or NaN. Rounds to nearest even, overflows to infinity. */
RT_INLINE uint32_t rt_small_float_encode(uint32_t a, uint32_t m)
{
   const uint32_t drop = 23 - m, infinity = 31u << m;
   const uint32_t normal = (a + ((1u << (drop - 1)) - 1) + ((a >> drop) & 1) - (112u << 23)) >> drop;
   /* Adding a power of two whose last place is that of subnormals rounds for us. */
   const uint32_t magic = (127 + 9 - m) << 23;
   const uint32_t subnormal = rt_as_bits(rt_as_float(a) + rt_as_float(magic)) - magic;
   const uint32_t finite = a < 0x38800000u ? subnormal : normal;
   const uint32_t clamped = a >= 0x47800000u ? infinity : finite;
   return a > 0x7f800000u ? infinity | 1u << (m - 1) : clamped;
}

RT_INLINE uint32_t rt_half_decode(uint32_t h)
{
   return rt_small_float_decode(h & 0x7fff, 10) | (h & 0x8000) << 16;
}

RT_INLINE uint32_t rt_half_encode(uint32_t f)
{
   return rt_small_float_encode(f & 0x7fffffff, 10) | (f >> 16 & 0x8000);
}

/* ---- normalised ---- */

/* v / max to nearest for |v| <= max = 2^bits - 1, bits <= 16: the product with 2^-bits is exact, so only the sum
 * rounds. */
RT_INLINE float rt_divide_by_max(int32_t v, uint32_t bits)
{
   const double head = 1.0 / (double)(1u << bits);
   const float tail = (float)(1.0 / (double)((1u << bits) - 1) - head);
   return (float)v * (float)head + (float)v * tail;
}

RT_INLINE float rt_unorm_decode(uint32_t v, uint32_t bits)
{
   if (bits > 16)
      return (float)(int32_t)v / (float)((1u << bits) - 1);
   return rt_divide_by_max((int32_t)v, bits);
}

RT_INLINE float rt_snorm_decode(int32_t v, uint32_t bits)
{
   const float f = rt_divide_by_max(v, bits - 1);
   return f > -1.0f ? f : -1.0f;
}

RT_INLINE uint32_t rt_unorm_encode(float f, uint32_t bits)
{
   const float low = f > 0.0f ? f : 0.0f; /* NaN too */
   const float x = low < 1.0f ? low : 1.0f;
   if (bits > 16) {
      union {
         double d;
         uint64_t u;
      } v = {.d = (double)x * (double)((1u << bits) - 1) + 0x1p52};
      return (uint32_t)v.u;
   }
   return rt_as_bits(x * (float)((1u << bits) - 1) + 0x1p23f) & 0xffff;
}

RT_INLINE uint32_t rt_snorm_encode(float f, uint32_t bits)
{
   const float number = f == f ? f : 0.0f;
   const float low = number > -1.0f ? number : -1.0f;
   const float x = low < 1.0f ? low : 1.0f;
   return rt_as_bits(x * (float)((1u << (bits - 1)) - 1) + 0x1.8p23f) & ((1u << bits) - 1);
}

/* ---- any channel; `bits` and `numeric` are compile-time constants ---- */

/* `raw`: the channel in the low bits, others zero. */
RT_INLINE uint32_t rt_channel_decode(uint32_t raw, uint32_t bits, uint32_t numeric)
{
   const int32_t extended = (int32_t)(raw << (32 - bits)) >> (32 - bits);
   switch (numeric) {
   case RT_UNORM: return rt_as_bits(rt_unorm_decode(raw, bits));
   case RT_SNORM: return rt_as_bits(rt_snorm_decode(extended, bits));
   case RT_USCALED: return rt_as_bits((float)(int32_t)raw);
   case RT_SSCALED: return rt_as_bits((float)extended);
   case RT_UINT: return raw;
   case RT_SINT: return (uint32_t)extended;
   case RT_UFLOAT: return rt_small_float_decode(raw, bits - 5);
   case RT_SFLOAT: return bits == 16 ? rt_half_decode(raw) : raw;
   case RT_SRGB: return rt_srgb_decode_table[raw];
   default: return 0;
   }
}

/* The channel's bits, others zero. */
RT_INLINE uint32_t rt_channel_encode(uint32_t value, uint32_t bits, uint32_t numeric)
{
   const float f = rt_as_float(value);
   const uint32_t max = bits == 32 ? UINT32_MAX : (1u << (bits & 31)) - 1;
   const int32_t smax = (int32_t)(max >> 1);
   switch (numeric) {
   case RT_UNORM: return rt_unorm_encode(f, bits);
   case RT_SNORM: return rt_snorm_encode(f, bits);
   case RT_USCALED: {
      const float low = f > 0.0f ? f : 0.0f;
      return rt_as_bits((low < (float)max ? low : (float)max) + 0x1p23f) & max;
   }
   case RT_SSCALED: {
      const float number = f == f ? f : 0.0f;
      const float low = number > (float)(-smax - 1) ? number : (float)(-smax - 1);
      return rt_as_bits((low < (float)smax ? low : (float)smax) + 0x1.8p23f) & max;
   }
   case RT_UINT: return value < max ? value : max;
   case RT_SINT: {
      const int32_t low = (int32_t)value > -smax - 1 ? (int32_t)value : -smax - 1;
      return (uint32_t)(low < smax ? low : smax) & max;
   }
   case RT_UFLOAT: {
      const uint32_t positive = (int32_t)value < 0 && value <= 0xff800000u ? 0 : value & 0x7fffffff;
      return rt_small_float_encode(positive, bits - 5);
   }
   case RT_SFLOAT: return bits == 16 ? rt_half_encode(value) : value;
   case RT_SRGB: return rt_srgb_encode(f);
   default: return 0;
   }
}

/* ---- shared exponent. Spec: Data Format Specification, "Shared exponent format"; 9 bits each, 5 of exponent with bias
 * 15 ---- */

RT_INLINE float rt_e5b9g9r9_decode(uint32_t texel, uint32_t channel)
{
   const float scale = rt_as_float(((texel >> 27) + 127 - 15 - 9) << 23);
   return (float)(int32_t)(texel >> (9 * channel) & 0x1ff) * scale;
}

RT_INLINE uint32_t rt_e5b9g9r9_round(float scaled)
{
   const int32_t whole = (int32_t)scaled;
   return (uint32_t)whole + (scaled - (float)whole >= 0.5f);
}

RT_INLINE uint32_t rt_e5b9g9r9_encode(uint32_t r, uint32_t g, uint32_t b)
{
   const uint32_t values[3] = {r, g, b};
   float c[3];
   for (int i = 0; i < 3; i++) {
      const float f = rt_as_float(values[i]);
      const float low = f > 0.0f ? f : 0.0f;
      c[i] = low < 65408.0f ? low : 65408.0f;
   }
   const float rg = c[0] > c[1] ? c[0] : c[1], max = rg > c[2] ? rg : c[2];
   const int32_t log2 = (int32_t)(rt_as_bits(max) >> 23) - 127;
   const int32_t preliminary = (log2 > -16 ? log2 : -16) + 16;
   const float first_scale = rt_as_float((uint32_t)(127 + 24 - preliminary) << 23);
   const int32_t exponent = preliminary + (rt_e5b9g9r9_round(max * first_scale) == 512);
   const float scale = rt_as_float((uint32_t)(127 + 24 - exponent) << 23);
   return rt_e5b9g9r9_round(c[0] * scale) | rt_e5b9g9r9_round(c[1] * scale) << 9 |
          rt_e5b9g9r9_round(c[2] * scale) << 18 | (uint32_t)exponent << 27;
}
