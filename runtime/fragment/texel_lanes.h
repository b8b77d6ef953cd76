/* SPDX-License-Identifier: MIT
 * Texels of a part of a block as words, and channels as floats, in registers. The operations are those of runtime/format/convert.h. */
#pragma once

#include "runtime/format/convert.h"
#include "runtime/format/srgb_lanes.h"
#include "runtime/fragment/parts.h"
#include "runtime/fragment/texels.h"

/* ---- words ---- */

/* As many words as a texel has. `bytes` is a constant. */
RT_INLINE_LANES void rt_words_load(uint32_t bytes, const uint8_t *texels, rt_pi words[4])
{
   switch (bytes) {
   case 1: words[0] = rt_pi_load_u8(texels); break;
   case 2: words[0] = rt_pi_load_u16(texels); break;
   case 4: words[0] = rt_pi_load(texels); break;
   case 8: rt_pi_load_pairs(texels, words); break;
   default: rt_pi_load_records(texels, words); break;
   }
}

/* Changes `words`. */
RT_INLINE_LANES void rt_words_store(uint32_t bytes, uint8_t *texels, rt_pi words[4])
{
   switch (bytes) {
   case 1: rt_pi_store_u8(texels, words[0]); break;
   case 2: rt_pi_store_u16(texels, words[0]); break;
   case 4: rt_pi_store(texels, words[0]); break;
   case 8: rt_pi_store_pairs(texels, words); break;
   default: rt_pi_store_records(texels, words); break;
   }
}

/* ---- numeric formats ---- */

RT_INLINE_LANES rt_pf rt_pf_decode_unorm(rt_pi v, const struct rt_unorm *unorm)
{
   const rt_pf f = __builtin_convertvector(v, rt_pf);
#if UTIL_SIMD_LEVEL >= 4 /* the first product is exact */
   return (rt_pf)_mm512_fmadd_ps((__m512)f, _mm512_set1_ps(unorm->head), (__m512)(f * rt_pf_set(unorm->tail)));
#else
   return f * rt_pf_set(unorm->head) + f * rt_pf_set(unorm->tail);
#endif
}

/* Of a number in [0, 1], but for rounding. */
RT_INLINE_LANES rt_pi rt_pf_encode_unorm(rt_pf f, const struct rt_unorm *unorm)
{
   return (rt_pi)(f * rt_pf_set(unorm->max) + rt_pf_set(0x1p23f)) & 0xffff;
}

/* As rt_small_float_decode() and rt_small_float_encode(). */
RT_INLINE_LANES rt_pf rt_pf_decode_small(rt_pi v, uint32_t mantissa)
{
   const rt_pf scale = rt_pf_set(rt_as_float((127 - 14 - mantissa) << 23));
   const rt_pi subnormal = (rt_pi)(__builtin_convertvector(v, rt_pf) * scale), exponent = v >> mantissa;
   const rt_pi normal = (v << (23 - mantissa)) + (112 << 23) + ((exponent == 31) & (112 << 23));
   return (rt_pf)rt_pi_select(exponent == 0, subnormal, normal);
}

RT_INLINE_LANES rt_pi rt_pf_encode_small(rt_pi a, uint32_t mantissa)
{
   const int32_t drop = 23 - (int32_t)mantissa, infinity = 31 << mantissa, magic = (127 + 9 - (int32_t)mantissa) << 23;
   const rt_pi normal = (a + ((1 << (drop - 1)) - 1) + ((a >> drop) & 1) - (112 << 23)) >> drop;
   const rt_pi subnormal = (rt_pi)((rt_pf)a + (rt_pf)rt_pi_set(magic)) - magic;
   const rt_pi finite = rt_pi_select(a < 0x38800000, subnormal, normal);
   const rt_pi limited = rt_pi_select(a >= 0x47800000, rt_pi_set(infinity), finite);
   return rt_pi_select(a > 0x7f800000, rt_pi_set(infinity | 1 << (mantissa - 1)), limited);
}

/* Without a sign: negative numbers are 0. */
RT_INLINE_LANES rt_pi rt_pf_encode_ufloat(rt_pf f, uint32_t mantissa)
{
   const rt_pi bits = (rt_pi)f, magnitude = bits & 0x7fffffff;
   return rt_pf_encode_small(magnitude & ((bits >= 0) | (magnitude > 0x7f800000)), mantissa);
}

RT_INLINE_LANES rt_pf rt_pf_decode_half(rt_pi v)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)v));
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pf)_mm256_cvtph_ps(rt_pi_half_words(v));
#else
   return (rt_pf)((rt_pi)rt_pf_decode_small(v & 0x7fff, 10) | (v & 0x8000) << 16);
#endif
}

/* NaN is 0x7fc00000. */
RT_INLINE_LANES rt_pi rt_pf_encode_half(rt_pf f)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)f, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif UTIL_SIMD_LEVEL >= 3
   return (rt_pi)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)f, _MM_FROUND_TO_NEAREST_INT));
#else
   const rt_pi bits = (rt_pi)f;
   return rt_pf_encode_small(bits & 0x7fffffff, 10) | (bits >> 16 & 0x8000);
#endif
}

RT_INLINE_LANES rt_pf rt_pf_decode_srgb(rt_pi v)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)rt_srgb_decode_lanes((__m512i)v);
#else
   rt_pi bits;
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      bits[i] = (int32_t)rt_srgb_decode_table[v[i]];
   return (rt_pf)bits;
#endif
}

RT_INLINE_LANES rt_pi rt_pf_encode_srgb(rt_pf f)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pi)rt_srgb_encode_lanes((__m512)f);
#else
   rt_pi codes;
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      codes[i] = (int32_t)rt_srgb_encode(f[i]);
   return codes;
#endif
}

/* ---- channels; `kind` is a constant ---- */

/* The bits of channel c in a texel's words, in the low bits of the result. */
RT_INLINE_LANES rt_pi rt_channel_extract(enum rt_texels_kind kind, uint32_t bytes, const rt_pi words[4], const struct rt_channel *channel,
                                         uint32_t c)
{
   if (kind == RT_TEXELS_FLOAT)
      return words[c];
   const rt_pu word = (rt_pu)(bytes == 8 && channel->shift >= 32 ? words[1] : words[0]);
   return (rt_pi)(word >> (channel->shift & 31)) & ((1 << channel->bits) - 1);
}

/* The other direction: bits of the channel in `words` must be 0 before. */
RT_INLINE_LANES void rt_channel_insert(enum rt_texels_kind kind, uint32_t bytes, rt_pi words[4], const struct rt_channel *channel, uint32_t c,
                                       rt_pi v)
{
   if (kind == RT_TEXELS_FLOAT)
      words[c] = v;
   else if (bytes == 8 && channel->shift >= 32)
      words[1] |= v << (channel->shift & 31);
   else
      words[0] |= v << (channel->shift & 31);
}

RT_INLINE_LANES rt_pf rt_channel_value(enum rt_texels_kind kind, rt_pi v, uint32_t c, uint32_t bits, const struct rt_unorm *unorm)
{
   switch (kind) {
   case RT_TEXELS_HALF: return rt_pf_decode_half(v);
   case RT_TEXELS_UFLOAT: return rt_pf_decode_small(v, bits - 5);
   case RT_TEXELS_FLOAT: return (rt_pf)v;
   case RT_TEXELS_SRGB: return c < 3 ? rt_pf_decode_srgb(v) : rt_pf_decode_unorm(v, unorm);
   default: return rt_pf_decode_unorm(v, unorm);
   }
}

/* `is_clamped`: UNORM is known to be in [0, 1]. */
RT_INLINE_LANES rt_pi rt_channel_code(enum rt_texels_kind kind, rt_pf f, uint32_t c, uint32_t bits, const struct rt_unorm *unorm,
                                      bool is_clamped)
{
   switch (kind) {
   case RT_TEXELS_HALF: return rt_pf_encode_half(f);
   case RT_TEXELS_UFLOAT: return rt_pf_encode_ufloat(f, bits - 5);
   case RT_TEXELS_FLOAT: return (rt_pi)f;
   case RT_TEXELS_SRGB:
      if (c < 3)
         return rt_pf_encode_srgb(f);
      return rt_pf_encode_unorm(rt_pf_clamp(f, 0.0f, 1.0f), unorm);
   default: return rt_pf_encode_unorm(is_clamped ? f : rt_pf_clamp(f, 0.0f, 1.0f), unorm);
   }
}
