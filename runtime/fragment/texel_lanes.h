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

/* Of a number below 2^15 in magnitude, or NaN. */
RT_INLINE_LANES rt_pi rt_pf_encode_unorm_cut(rt_pf f, const struct rt_unorm *unorm)
{
#if UTIL_SIMD_LEVEL >= 3 /* the least integer stands for NaN */
   const rt_pi number = (rt_pi)RT_PART_BYTES(cvtps_epi32)((rt_part_floats)(f * rt_pf_set(unorm->max)));
   return rt_pi_min(rt_pi_max(number, (rt_pi){0}), rt_pi_set((int32_t)unorm->max));
#else
   return rt_pf_encode_unorm(rt_pf_clamp(f, 0.0f, 1.0f), unorm);
#endif
}

RT_INLINE_LANES rt_pi rt_pf_encode_snorm(rt_pf f, uint32_t bits)
{
   const rt_pf number = (rt_pf)((rt_pi)f & (f == f)), max = rt_pf_set((float)((1 << (bits - 1)) - 1));
   return (rt_pi)(rt_pf_clamp(number, -1.0f, 1.0f) * max + rt_pf_set(0x1.8p23f)) & ((1 << bits) - 1);
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

/* Without a sign, `mantissa` below 10. */
RT_INLINE_LANES rt_pf rt_pf_decode_ufloat(rt_pi v, uint32_t mantissa)
{
#if UTIL_SIMD_LEVEL >= 3 /* a half whose last bits are 0 */
   return rt_pf_decode_half(v << (10 - mantissa));
#else
   return rt_pf_decode_small(v, mantissa);
#endif
}

/* Negative numbers are 0, NaN is 0x7fc00000. */
RT_INLINE_LANES rt_pi rt_pf_encode_ufloat(rt_pf f, uint32_t mantissa)
{
   const rt_pi bits = rt_pi_max((rt_pi)f, (rt_pi){0});
#if UTIL_SIMD_LEVEL >= 3
   /* Adding a number whose last place is that of the result rounds; of subnormals it is always the same one. Then a half holds it. */
   const rt_pf low = rt_pf_min(rt_pf_set(0x1p17f), (rt_pf)bits);
   const rt_pi exponent = rt_pi_max((rt_pi)low & 0x7f800000, rt_pi_set((127 - 14) << 23));
   const rt_pf magic = (rt_pf)((rt_pu)exponent + ((23 - mantissa) << 23 | 1 << 22)); /* wraps for NaN: any number will do */
   return rt_pf_encode_half((low + magic) - magic) >> (10 - mantissa);
#else
   return rt_pf_encode_small(bits, mantissa);
#endif
}

RT_INLINE_LANES rt_pf rt_pf_decode_srgb(rt_pi v)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)rt_srgb_decode_lanes((__m512i)v);
#elif UTIL_SIMD_LEVEL >= 3
   uint64_t codes[RT_PART_LANES];
   util_i8_numbers(codes, (__m256i)v);
   return (rt_pf)util_i8_look_up(rt_srgb_decode_table, codes);
#else
   rt_pi bits;
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      bits[i] = (int32_t)rt_srgb_decode_table[v[i]];
   return (rt_pf)bits;
#endif
}

RT_INLINE_LANES rt_pi rt_pf_encode_srgb(rt_pf f)
{
#if UTIL_SIMD_LEVEL >= 3
   return (rt_pi)rt_srgb_encode_lanes((rt_srgb_vf)f);
#else
   rt_pi codes;
   for (uint32_t i = 0; i < RT_PART_LANES; i++)
      codes[i] = (int32_t)rt_srgb_encode(f[i]);
   return codes;
#endif
}

#if UTIL_SIMD_LEVEL >= 4
/* ---- texels of two or four halves, as they lie in memory ---- */

/* Of the words of two registers: those of channels 0 and 1, then 2 and 3 where there are four; and back. */
static const uint16_t rt_halves_split[2][2][32] __attribute__((aligned(64))) = {
#define EVERY(step, at) at, at + step, at + 2 * step, at + 3 * step, at + 4 * step, at + 5 * step, at + 6 * step, at + 7 * step, at + 8 * step, at + 9 * step, \
      at + 10 * step, at + 11 * step, at + 12 * step, at + 13 * step, at + 14 * step, at + 15 * step
   {{EVERY(2, 0), EVERY(2, 1)}, {0}},
   {{EVERY(4, 0), EVERY(4, 1)}, {EVERY(4, 2), EVERY(4, 3)}},
#undef EVERY
};
static const uint16_t rt_halves_join[2][2][32] __attribute__((aligned(64))) = {
#define TWO(at) at, at + 16
#define FOUR(at) at, at + 16, at + 32, at + 48
   {{TWO(0), TWO(1), TWO(2), TWO(3), TWO(4), TWO(5), TWO(6), TWO(7), TWO(8), TWO(9), TWO(10), TWO(11), TWO(12), TWO(13), TWO(14), TWO(15)}, {0}},
   {{FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), FOUR(5), FOUR(6), FOUR(7)}, {FOUR(8), FOUR(9), FOUR(10), FOUR(11), FOUR(12), FOUR(13), FOUR(14), FOUR(15)}},
#undef TWO
#undef FOUR
};

/* `bytes`: 4 or 8, of a texel. */
RT_INLINE_LANES void rt_halves_decode(uint32_t bytes, const rt_pi raw[2], rt_pf channels[4])
{
   for (uint32_t i = 0; i < bytes / 4; i++) {
      const __m512i index = _mm512_load_si512(rt_halves_split[bytes / 8][i]);
      const __m512i two = _mm512_permutex2var_epi16((__m512i)raw[0], index, (__m512i)raw[bytes / 8]);
      channels[2 * i] = (rt_pf)_mm512_cvtph_ps(_mm512_castsi512_si256(two));
      channels[2 * i + 1] = (rt_pf)_mm512_cvtph_ps(_mm512_extracti64x4_epi64(two, 1));
   }
}

/* NaN is 0x7fc00000. */
RT_INLINE_LANES void rt_halves_encode(uint32_t bytes, const rt_pf channels[4], rt_pi raw[2])
{
   __m512i two[2];
   for (uint32_t i = 0; i < bytes / 4; i++) {
      const __m256i low = _mm512_cvtps_ph((__m512)channels[2 * i], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      const __m256i high = _mm512_cvtps_ph((__m512)channels[2 * i + 1], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      two[i] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
   }
   for (uint32_t i = 0; i < bytes / 4; i++)
      raw[i] = (rt_pi)_mm512_permutex2var_epi16(two[0], _mm512_load_si512(rt_halves_join[bytes / 8][i]), two[bytes / 8]);
}
#endif

/* ---- channels; `class` is a constant ---- */

/* The bits of channel c in a texel's words, in the low bits of the result. */
RT_INLINE_LANES rt_pi rt_channel_extract(enum rt_texels_class class, uint32_t bytes, const rt_pi words[4], const struct rt_channel *channel,
                                         uint32_t c)
{
   if (class == RT_TEXELS_WORDS)
      return words[c];
   const rt_pu word = (rt_pu)(bytes == 8 && channel->shift >= 32 ? words[1] : words[0]);
   return (rt_pi)(word >> (channel->shift & 31)) & ((1 << channel->bits) - 1);
}

/* The other direction: bits of the channel in `words` must be 0 before. */
RT_INLINE_LANES void rt_channel_insert(enum rt_texels_class class, uint32_t bytes, rt_pi words[4], const struct rt_channel *channel, uint32_t c,
                                       rt_pi v)
{
   if (class == RT_TEXELS_WORDS)
      words[c] = v;
   else if (bytes == 8 && channel->shift >= 32)
      words[1] |= v << (channel->shift & 31);
   else
      words[0] |= v << (channel->shift & 31);
}

RT_INLINE_LANES rt_pf rt_channel_value(enum rt_texels_class class, rt_pi v, uint32_t c, uint32_t bits, const struct rt_unorm *unorm)
{
   switch (class) {
   case RT_TEXELS_HALF: return rt_pf_decode_half(v);
   case RT_TEXELS_UFLOAT: return rt_pf_decode_ufloat(v, bits - 5);
   case RT_TEXELS_WORDS: return (rt_pf)v;
   case RT_TEXELS_SRGB: return c < 3 ? rt_pf_decode_srgb(v) : rt_pf_decode_unorm(v, unorm);
   default: return rt_pf_decode_unorm(v, unorm);
   }
}

/* UNORM is below 2^15 in magnitude; `is_clamped`: and in [0, 1]. Of integers `f` are the bits. */
RT_INLINE_LANES rt_pi rt_channel_code(enum rt_texels_class class, rt_pf f, uint32_t c, uint32_t bits, const struct rt_unorm *unorm,
                                      bool is_clamped)
{
   switch (class) {
   case RT_TEXELS_HALF: return rt_pf_encode_half(f);
   case RT_TEXELS_UFLOAT: return rt_pf_encode_ufloat(f, bits - 5);
   case RT_TEXELS_WORDS: return (rt_pi)f;
   case RT_TEXELS_SNORM: return rt_pf_encode_snorm(f, bits);
   case RT_TEXELS_UINT: return rt_pu_min((rt_pu)f, (1u << bits) - 1);
   case RT_TEXELS_SINT: return rt_pi_max(rt_pi_min((rt_pi)f, rt_pi_set((1 << (bits - 1)) - 1)), rt_pi_set(-(1 << (bits - 1)))) & ((1 << bits) - 1);
   case RT_TEXELS_SRGB:
      if (c < 3)
         return rt_pf_encode_srgb(f);
      return rt_pf_encode_unorm_cut(f, unorm);
   default: return is_clamped ? rt_pf_encode_unorm(f, unorm) : rt_pf_encode_unorm_cut(f, unorm);
   }
}
