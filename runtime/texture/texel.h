/* SPDX-License-Identifier: MIT
 * Texels of a vector of lanes: from an index to words of memory, and from words to components, for the formats that have
 * an enum rt_texel. The same arithmetic as runtime/format/convert.h, operation by operation. Indices count texels from
 * the image's data, or from a level's. */
#pragma once

#include "runtime/format/convert.h"
#include "runtime/texture/offsets.h"
#include "runtime/image/texel_class.h"

/* The words of up to four texels a lane. */
struct rt_taps {
   rt_vu word[4][4]; /* [word][tap] */
   rt_vu sub[4];     /* of blocks: the texel within it, row by row */
};

/* The words of one or four taps, of lanes that are near each other. */
struct rt_near_words {
   rt_vu low[4], high[4]; /* high: of texels of 64 bits */
};

/* Lanes below `limit`, of the mask. */
RT_SIMD uint32_t rt_texel_below(rt_vu v, uint32_t limit, uint32_t mask)
{
#if RT_TEX_LEVEL >= 4
   return _mm512_mask_cmplt_epu32_mask((__mmask16)mask, (__m512i)v, _mm512_set1_epi32((int)limit));
#else
   return rt_vi_mask((rt_vi)(v < limit)) & mask;
#endif
}

/* ---- one texel a lane ---- */

/* Byte and half-word texels: the word around them, moved down. */
RT_SIMD rt_vu rt_texel_gather_small(const uint8_t *base, rt_vu index, uint32_t log2)
{
   const uintptr_t odd = (uintptr_t)base & 3;
   const rt_vu bytes = (index << log2) + (uint32_t)odd;
   const rt_vu word = rt_vu_gather_words(base - odd, bytes >> 2);
   return word >> ((bytes & 3) << 3) & (log2 ? 0xffffu : 0xffu);
}

#if RT_TEX_LEVEL >= 4
RT_SIMD __m512i rt_texel_load_four(const uint8_t *base, const uint32_t *index)
{
   __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(base + 16 * (uint64_t)index[0])));
   v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(base + 16 * (uint64_t)index[4])), 1);
   v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(base + 16 * (uint64_t)index[8])), 2);
   return _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(base + 16 * (uint64_t)index[12])), 3);
}

/* Rows of four words in each 128 bits to columns. */
RT_SIMD void rt_texel_transpose(const __m512i rows[4], struct rt_taps *taps, uint32_t tap)
{
   const __m512i a = _mm512_unpacklo_epi32(rows[0], rows[1]), b = _mm512_unpackhi_epi32(rows[0], rows[1]);
   const __m512i c = _mm512_unpacklo_epi32(rows[2], rows[3]), d = _mm512_unpackhi_epi32(rows[2], rows[3]);
   taps->word[0][tap] = (rt_vu)_mm512_unpacklo_epi64(a, c);
   taps->word[1][tap] = (rt_vu)_mm512_unpackhi_epi64(a, c);
   taps->word[2][tap] = (rt_vu)_mm512_unpacklo_epi64(b, d);
   taps->word[3][tap] = (rt_vu)_mm512_unpackhi_epi64(b, d);
}

/* Two vectors of eight texels of 64 bits to their low and high words. */
RT_SIMD void rt_texel_split_pairs(__m512i a, __m512i b, struct rt_taps *taps, uint32_t tap)
{
   const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
   taps->word[0][tap] = (rt_vu)_mm512_permutex2var_epi32(a, even, b);
   taps->word[1][tap] = (rt_vu)_mm512_permutex2var_epi32(a, _mm512_or_si512(even, _mm512_set1_epi32(1)), b);
}

/* Eight texels of 64 bits. Into zeros: gathers wait for what they merge with. */
RT_SIMD __m512i rt_texel_load_eight(const uint8_t *base, __m256i index)
{
   __m512i zeros = _mm512_setzero_si512();
   __asm__("" : "+v"(zeros));
   return _mm512_mask_i32gather_epi64(zeros, 0xff, index, base, 8);
}
#endif

#if RT_TEX_LEVEL == 3
/* Texels of 64 bits in registers, of lanes 0, 1, 4, 5 and of 2, 3, 6, 7, to their low and high words. */
RT_SIMD void rt_texel_split_pairs(const __m256 rows[2], struct rt_taps *taps, uint32_t tap)
{
   taps->word[0][tap] = (rt_vu)_mm256_shuffle_ps(rows[0], rows[1], 0x88);
   taps->word[1][tap] = (rt_vu)_mm256_shuffle_ps(rows[0], rows[1], 0xdd);
}

/* Texels of 64 bits: a load each. */
RT_SIMD void rt_texel_gather_pairs(const uint8_t *base, rt_vu index, struct rt_taps *taps, uint32_t tap)
{
   const double *const texels = (const double *)(const void *)base; /* for their bits */
   uint64_t i[RT_SIMD_LANES];
   __m256 rows[2];
   util_i8_numbers(i, (__m256i)index);
   for (uint32_t r = 0; r < 2; r++) {
      const __m128d low = _mm_loadh_pd(_mm_load_sd(&texels[i[2 * r]]), &texels[i[2 * r + 1]]);
      const __m128d high = _mm_loadh_pd(_mm_load_sd(&texels[i[2 * r + 4]]), &texels[i[2 * r + 5]]);
      rows[r] = _mm256_castpd_ps(_mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1));
   }
   rt_texel_split_pairs(rows, taps, tap);
}

/* Texels of 128 bits in registers: row k has those of lanes k and k + 4. */
RT_SIMD void rt_texel_transpose(const __m256 rows[4], struct rt_taps *taps, uint32_t tap)
{
   const __m256 a = _mm256_unpacklo_ps(rows[0], rows[1]), b = _mm256_unpackhi_ps(rows[0], rows[1]);
   const __m256 c = _mm256_unpacklo_ps(rows[2], rows[3]), d = _mm256_unpackhi_ps(rows[2], rows[3]);
   taps->word[0][tap] = (rt_vu)_mm256_shuffle_ps(a, c, 0x44);
   taps->word[1][tap] = (rt_vu)_mm256_shuffle_ps(a, c, 0xee);
   taps->word[2][tap] = (rt_vu)_mm256_shuffle_ps(b, d, 0x44);
   taps->word[3][tap] = (rt_vu)_mm256_shuffle_ps(b, d, 0xee);
}

RT_SIMD __m256 rt_texel_load_two(const uint8_t *low, const uint8_t *high)
{
   const __m256 v = _mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)low));
   return _mm256_insertf128_ps(v, _mm_loadu_ps((const float *)(const void *)high), 1);
}

/* Texels of 128 bits: a load each. */
RT_SIMD void rt_texel_gather_fours(const uint8_t *base, rt_vu index, struct rt_taps *taps, uint32_t tap)
{
   uint64_t i[RT_SIMD_LANES];
   __m256 rows[4];
   util_i8_numbers(i, (__m256i)index);
   for (uint32_t k = 0; k < 4; k++)
      rows[k] = rt_texel_load_two(base + 16 * i[k], base + 16 * i[k + 4]);
   rt_texel_transpose(rows, taps, tap);
}
#endif

/* Lanes may be anywhere; every index must be readable. */
RT_SIMD void rt_texel_gather(const uint8_t *base, rt_vu index, uint32_t log2, struct rt_taps *taps, uint32_t tap)
{
   switch (log2) {
   case 0:
   case 1: taps->word[0][tap] = rt_texel_gather_small(base, index, log2); break;
   case 2: taps->word[0][tap] = rt_vu_gather_words(base, index); break;
#if RT_TEX_LEVEL >= 4
   case 3:
      rt_texel_split_pairs(rt_texel_load_eight(base, _mm512_castsi512_si256((__m512i)index)),
                           rt_texel_load_eight(base, _mm512_extracti64x4_epi64((__m512i)index, 1)), taps, tap);
      break;
   default: {
      uint32_t at[16] __attribute__((aligned(64)));
      memcpy(at, &index, sizeof(at));
      const __m512i rows[4] = {rt_texel_load_four(base, at), rt_texel_load_four(base, at + 1),
                               rt_texel_load_four(base, at + 2), rt_texel_load_four(base, at + 3)};
      rt_texel_transpose(rows, taps, tap);
   }
#else
#if RT_TEX_LEVEL == 3
   case 3: rt_texel_gather_pairs(base, index, taps, tap); break;
   default: rt_texel_gather_fours(base, index, taps, tap); break;
#else
   default:
      for (uint32_t w = 0; w < 1u << (log2 - 2); w++)
         taps->word[w][tap] = rt_vu_gather_words(base + 4 * w, index << (log2 - 2));
#endif
#endif
   }
}

/* The texels of consecutive lanes from base on; those of the mask must be readable. */
RT_SIMD void rt_texel_load_run(const uint8_t *base, uint32_t log2, struct rt_taps *taps)
{
#if RT_TEX_LEVEL >= 4
   switch (log2) {
   case 0: taps->word[0][0] = (rt_vu)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)base)); break;
   case 1: taps->word[0][0] = (rt_vu)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)base)); break;
   case 2: taps->word[0][0] = (rt_vu)_mm512_loadu_si512(base); break;
   case 3: rt_texel_split_pairs(_mm512_loadu_si512(base), _mm512_loadu_si512(base + 64), taps, 0); break;
   default: {
      __m512i v[4], rows[4]; /* texel 4 i + k of v[i] is to be in 128 bits i of rows[k] */
      for (uint32_t i = 0; i < 4; i++)
         v[i] = _mm512_loadu_si512(base + 64 * i);
      const __m512i a = _mm512_shuffle_i32x4(v[0], v[1], 0x44), b = _mm512_shuffle_i32x4(v[0], v[1], 0xee);
      const __m512i c = _mm512_shuffle_i32x4(v[2], v[3], 0x44), d = _mm512_shuffle_i32x4(v[2], v[3], 0xee);
      rows[0] = _mm512_shuffle_i32x4(a, c, 0x88);
      rows[1] = _mm512_shuffle_i32x4(a, c, 0xdd);
      rows[2] = _mm512_shuffle_i32x4(b, d, 0x88);
      rows[3] = _mm512_shuffle_i32x4(b, d, 0xdd);
      rt_texel_transpose(rows, taps, 0);
   }
   }
#elif RT_TEX_LEVEL == 3
   switch (log2) {
   case 0: taps->word[0][0] = (rt_vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)base)); break;
   case 1: taps->word[0][0] = (rt_vu)_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)base)); break;
   case 2: taps->word[0][0] = (rt_vu)_mm256_loadu_si256((const void *)base); break;
   case 3: {
      const __m256 rows[2] = {rt_texel_load_two(base, base + 32), rt_texel_load_two(base + 16, base + 48)};
      rt_texel_split_pairs(rows, taps, 0);
      break;
   }
   default: {
      __m256 rows[4];
      for (uint32_t k = 0; k < 4; k++)
         rows[k] = rt_texel_load_two(base + 16 * k, base + 16 * (k + 4));
      rt_texel_transpose(rows, taps, 0);
   }
   }
#else
   rt_vu index;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
      index[i] = i;
   rt_texel_gather(base, index, log2, taps, 0);
#endif
}

/* ---- components ---- */

/* The sRGB table at codes below 256. */
RT_SIMD rt_vf rt_texel_srgb(rt_vu code)
{
#if RT_TEX_LEVEL >= 4 /* in registers: half of what a gather takes */
   const __m512i index = (__m512i)code;
   __m512i part[8];
   for (uint32_t i = 0; i < 8; i++)
      part[i] = _mm512_permutex2var_epi32(_mm512_loadu_si512(rt_srgb_decode_table + 32 * i), index,
                                          _mm512_loadu_si512(rt_srgb_decode_table + 32 * i + 16));
   for (uint32_t bit = 5, count = 4; bit < 8; bit++, count /= 2) {
      const __mmask16 is_set = _mm512_test_epi32_mask(index, _mm512_set1_epi32(1 << bit));
      for (uint32_t i = 0; i < count; i++)
         part[i] = _mm512_mask_blend_epi32(is_set, part[2 * i], part[2 * i + 1]);
   }
   return (rt_vf)part[0];
#else
   return (rt_vf)rt_vu_gather_words((const uint8_t *)rt_srgb_decode_table, code);
#endif
}

/* What channels of 0 to 16 bits are unpacked with: tables, since numbers that are made in general registers come to vectors late. */
static const struct rt_texel_width {
   uint32_t mask;
   float scale, tail, factor; /* 1 / 2^bits; what 1 / max is more; the same times 2^bits */
} rt_texel_widths[17] = {
#define RT_TAIL(bits) (float)(1.0 / (double)((1u << (bits)) - 1) - 1.0 / (double)(1u << (bits)))
#define RT_WIDTH(bits) {(1u << (bits)) - 1, 1.0f / (float)(1u << (bits)), RT_TAIL(bits), RT_TAIL(bits) * (float)(1u << (bits))}
   {0, 1, 0, 0}, RT_WIDTH(1),  RT_WIDTH(2),  RT_WIDTH(3),  RT_WIDTH(4),  RT_WIDTH(5),  RT_WIDTH(6),  RT_WIDTH(7), RT_WIDTH(8),
   RT_WIDTH(9),  RT_WIDTH(10), RT_WIDTH(11), RT_WIDTH(12), RT_WIDTH(13), RT_WIDTH(14), RT_WIDTH(15), RT_WIDTH(16),
#undef RT_TAIL
#undef RT_WIDTH
};
static const uint32_t rt_texel_shifts[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* Of the word that a channel is in, the channel and what lies above it. */
RT_SIMD rt_vu rt_texel_shift(rt_vu word, uint32_t shift)
{
#if RT_TEX_LEVEL >= 3
   if (!__builtin_constant_p(shift))
      return (rt_vu)RT_V(srl_epi32)((rt_raw_i)word, _mm_cvtsi32_si128((int)rt_texel_shifts[shift & 31]));
#endif
   return word >> (shift & 31);
}

/* A byte put into all four bytes of its word: four shuffles of 128 bits, by the byte. */
static const uint8_t rt_texel_byte_shuffles[4][16] = {
   {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12},
   {1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13},
   {2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 10, 10, 14, 14, 14, 14},
   {3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15},
};

RT_SIMD bool rt_texel_is_byte(const struct rt_channel *channel)
{
   return RT_TEX_LEVEL >= 4 && channel->bits == 8 && !(channel->shift & 7);
}

/* As rt_texel_unorm_number(), of numbers that are no bytes. */
RT_SIMD rt_vf rt_texel_unorm_of(rt_vf number, uint32_t bits)
{
   return rt_vf_madd(number, rt_vf_set(rt_texel_widths[bits].factor), number);
}

/* A UNORM channel of the word that it is in, times rt_texel_unorm_scale(): a power of two, so that taps may be mixed before they are multiplied by its
 * inverse, with the same bits. Number / max is the nearest float in either case: fused or not (all numbers of up to 16 bits have been tried);
 * of a byte, whose quotient has the byte's bits again and again in binary, so that after a float's 24 bits comes a one, rounded up. */
RT_SIMD rt_vf rt_texel_unorm_number(const struct rt_channel *channel, rt_vu word)
{
   const uint32_t bits = channel->bits;
#if RT_TEX_LEVEL >= 4
   if (rt_texel_is_byte(channel)) {
      const __m512i shuffle = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)rt_texel_byte_shuffles[channel->shift >> 3 & 3]));
      return (rt_vf)_mm512_cvt_roundepu32_ps(_mm512_shuffle_epi8((__m512i)word, shuffle), _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
   }
#endif
   return rt_texel_unorm_of(rt_vf_from((rt_vi)(rt_texel_shift(word, channel->shift) & rt_texel_widths[bits].mask)), bits);
}

/* The inverse. */
RT_SIMD float rt_texel_unorm_scale(const struct rt_channel *channel)
{
   return rt_texel_is_byte(channel) ? 0x1p-32f : rt_texel_widths[channel->bits].scale;
}

/* As rt_divide_by_max(): the product with a power of two is exact, so that it may be fused. */
RT_SIMD rt_vf rt_texel_divide_by_max(rt_vi v, uint32_t bits)
{
   const rt_vf number = rt_vf_from(v);
   return rt_vf_madd(number, rt_vf_set(rt_texel_widths[bits].scale), number * rt_texel_widths[bits].tail);
}

/* As rt_small_float_decode(). */
RT_SIMD rt_vu rt_texel_small_float(rt_vu v, uint32_t mantissa)
{
   const rt_vu subnormal = (rt_vu)(rt_vf_from((rt_vi)v) * rt_as_float((127 - 14 - mantissa) << 23));
   const rt_vi is_special = (v >> mantissa) == 31, is_small = (v >> mantissa) == 0;
   const rt_vu normal = (v << (23 - mantissa)) + (112u << 23) + ((rt_vu)is_special & (112u << 23));
   return (rt_vu)rt_vi_select(is_small, (rt_vi)subnormal, (rt_vi)normal);
}

/* As rt_half_decode(), of the low half of each lane. */
RT_SIMD rt_vf rt_texel_half(rt_vu v)
{
#if RT_TEX_LEVEL >= 4
   return (rt_vf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)v));
#elif RT_TEX_LEVEL >= 3
   const __m128i low = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1);
   const __m256i halves = _mm256_shuffle_epi8((__m256i)v, _mm256_broadcastsi128_si256(low));
   return (rt_vf)_mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0x08)));
#else
   const rt_vu magnitude = v & 0x7fff, is_nan = (rt_vu)(magnitude > 0x7c00u);
   return (rt_vf)(rt_texel_small_float(magnitude, 10) | (v & 0x8000) << 16 | (is_nan & 0x00400000u));
#endif
}

/* Both halves of each lane. */
RT_SIMD void rt_texel_halves(rt_vu v, rt_vf *low, rt_vf *high)
{
#if RT_TEX_LEVEL >= 4
   const __m512i order = _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6,
                                          4, 2, 0);
   const __m512i sorted = _mm512_permutexvar_epi16(order, (__m512i)v);
   *low = (rt_vf)_mm512_cvtph_ps(_mm512_castsi512_si256(sorted));
   *high = (rt_vf)_mm512_cvtph_ps(_mm512_extracti64x4_epi64(sorted, 1));
#elif RT_TEX_LEVEL >= 3
   const __m128i order = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
   const __m256i sorted = _mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)v, _mm256_broadcastsi128_si256(order)), 0xd8);
   *low = (rt_vf)_mm256_cvtph_ps(_mm256_castsi256_si128(sorted));
   *high = (rt_vf)_mm256_cvtph_ps(_mm256_extracti128_si256(sorted, 1));
#else
   *low = rt_texel_half(v);
   *high = rt_texel_half(v >> 16);
#endif
}

RT_SIMD rt_vu rt_texel_select(rt_vi condition, uint32_t a, uint32_t b)
{
   return (rt_vu)rt_vi_select(condition, rt_vi_set((int32_t)a), rt_vi_set((int32_t)b));
}

/* ---- blocks; as runtime/format/bc.c decodes them ---- */

/* What the four colours of a block have of its two ends, in sixths: the first end's part in the low half, the other's in the high one. */
RT_SIMD rt_vh rt_texel_parts(rt_vu index, rt_vi is_punched)
{
   return (rt_vh)(rt_texel_select(is_punched, 0x03600306, 0x42602406) >> (index << 2) & 0x00070007);
}

/* A sum of parts over 6 * max: the nearest float, fused or not; all sums have been tried. Of sRGB the nearest code is what gets decoded:
 * floor(n / d + 1/2), exact in floats for numbers this small. */
RT_SIMD rt_vf rt_texel_fraction(rt_vi sum, uint32_t max, bool is_srgb)
{
   const rt_vf n = rt_vf_from(sum), d = rt_vf_set((float)(6 * max));
   if (is_srgb)
      return rt_texel_srgb((rt_vu)rt_vi_from((n * 510.0f + d) / (2.0f * d)));
   return max == 31 ? rt_vf_madd(n, rt_vf_set(0x1.6058p-8f), n * 0x1.605816p-28f) : rt_vf_madd(n, rt_vf_set(0x1.5acp-9f), n * 0x1.5ac056p-27f);
}

/* Component `c` of a colour block; 3: alpha of those that may be punched through. */
RT_SIMD rt_vf rt_texel_color(rt_vu ends, rt_vu indices, rt_vu sub, uint32_t c, bool may_punch, bool is_srgb)
{
   const rt_vu index = indices >> (sub << 1) & 3;
   const rt_vi is_punched = may_punch ? (rt_vi)((ends & 0xffff) <= (ends >> 16)) : rt_vi_set(0);
   if (c == 3)
      return (rt_vf)rt_vi_select(is_punched & (rt_vi)(index == 3), rt_vi_set(0), rt_vi_set(0x3f800000));
   const uint16_t shift = c == 0 ? 11 : c == 1 ? 5 : 0, max = c == 1 ? 63 : 31;
   return rt_texel_fraction(rt_vh_dot(rt_texel_parts(index, is_punched), (rt_vh)ends >> shift & max), max, is_srgb);
}

/* A block of one channel: two ends of 8 bits, 3 bits of index a texel. */
RT_SIMD rt_vf rt_texel_ramp(rt_vu low, rt_vu high, rt_vu sub, bool is_signed)
{
   const rt_vu position = sub * 3 + 16, in_word = position & 31;
   const rt_vu across = low >> in_word | high << 1 << (31 - in_word);
   const rt_vi index = rt_vi_select((rt_vi)(position > 31u), (rt_vi)(high >> in_word), (rt_vi)across) & 7;
   const int32_t max = is_signed ? 127 : 255;
   rt_vi a = is_signed ? (rt_vi)(low << 24) >> 24 : (rt_vi)(low & 255);
   rt_vi b = is_signed ? (rt_vi)(low << 16) >> 24 : (rt_vi)(low >> 8 & 255);
   const rt_vi has_limits = a <= b, parts = rt_vi_select(has_limits, rt_vi_set(5), rt_vi_set(7));
   if (is_signed) {
      a = rt_vi_max(a, rt_vi_set(-127));
      b = rt_vi_max(b, rt_vi_set(-127));
   }
   const rt_vi of_b = rt_vi_select(index == 0, rt_vi_set(0), rt_vi_select(index == 1, parts, index - 1));
   const rt_vi denominator = parts * max;
   rt_vi numerator = (parts - of_b) * a + of_b * b;
   numerator = rt_vi_select(has_limits & (index == 6), is_signed ? -denominator : rt_vi_set(0), numerator);
   numerator = rt_vi_select(has_limits & (index == 7), denominator, numerator);
   return rt_vf_from(numerator) / rt_vf_from(denominator);
}

/* Component `c`, which the format has, of a block. */
RT_SIMD rt_vf rt_texel_of_block(enum rt_texel texel, const struct rt_format_info *info, uint32_t c,
                                const struct rt_taps *taps, uint32_t tap)
{
   const rt_vu sub = taps->sub[tap];
   if (texel == RT_TEXEL_BC4 || texel == RT_TEXEL_BC5) {
      const uint32_t word = texel == RT_TEXEL_BC5 && c ? 2 : 0;
      return rt_texel_ramp(taps->word[word][tap], taps->word[word + 1][tap], sub, info->is_signed);
   }
   if (texel == RT_TEXEL_BC1)
      return rt_texel_color(taps->word[0][tap], taps->word[1][tap], sub, c, true, info->is_srgb);
   if (c < 3)
      return rt_texel_color(taps->word[2][tap], taps->word[3][tap], sub, c, false, info->is_srgb);
   if (texel == RT_TEXEL_BC3)
      return rt_texel_ramp(taps->word[0][tap], taps->word[1][tap], sub, false);
   const rt_vi is_high = (rt_vi)(sub > 7u);
   const rt_vu word = (rt_vu)rt_vi_select(is_high, (rt_vi)taps->word[1][tap], (rt_vi)taps->word[0][tap]);
   return rt_texel_divide_by_max((rt_vi)(word >> ((sub & 7) << 2) & 15), 4);
}

/* Channel `c`, which the format has, of the word that it is in; `texel` is a constant, and no block. */
RT_SIMD rt_vf rt_texel_of_word(enum rt_texel texel, const struct rt_format_info *info, uint32_t c, rt_vu word)
{
   const struct rt_channel channel = info->channels[c];
   const uint32_t bits = channel.bits, shift = channel.shift & 31;
   const rt_vu value = rt_texel_shift(word, shift) & ((1u << (bits & 31)) - 1);
   switch (texel) {
   case RT_TEXEL_UNORM: return rt_texel_unorm_number(&info->channels[c], word) * rt_texel_unorm_scale(&info->channels[c]);
   case RT_TEXEL_SNORM:
      return rt_vf_max(rt_texel_divide_by_max((rt_vi)(word << (32 - bits - shift)) >> (32 - bits), bits - 1), rt_vf_set(-1));
   case RT_TEXEL_UINT: return (rt_vf)value;
   case RT_TEXEL_SINT: return (rt_vf)((rt_vi)(word << (32 - bits - shift)) >> (32 - bits));
   case RT_TEXEL_HALF: return rt_texel_half(word >> shift);
   case RT_TEXEL_SRGB:
      return channel.numeric == RT_SRGB ? rt_texel_srgb(value)
                                        : rt_texel_divide_by_max((rt_vi)value, 8);
   case RT_TEXEL_UFLOAT: return (rt_vf)rt_texel_small_float(value, bits - 5);
   case RT_TEXEL_SHARED: return rt_vf_from((rt_vi)value) * (rt_vf)(((word >> 27) + (127 - 15 - 9)) << 23);
   case RT_TEXEL_UNORM24: return rt_vf_from((rt_vi)value) / (float)((1u << 24) - 1);
   default: return (rt_vf)word;
   }
}

/* The same of the words of one tap, of blocks too. */
RT_SIMD rt_vf rt_texel_channel(enum rt_texel texel, const struct rt_format_info *info, uint32_t c,
                               const struct rt_taps *taps, uint32_t tap)
{
   if (texel == RT_TEXEL_DECODED)
      return (rt_vf)taps->word[c][tap];
   if (texel >= RT_TEXEL_BC1)
      return rt_texel_of_block(texel, info, c, taps, tap);
   return rt_texel_of_word(texel, info, c, taps->word[info->channels[c].shift >> 5][tap]);
}

/* Which block a texel is in along an axis on which blocks have `size` texels, and which texel it is there. */
RT_SIMD rt_vu rt_texel_block(uint32_t size, rt_vu at, rt_vu *within)
{
   if (UTIL_LIKELY(size == 4)) {
      *within = at & 3;
      return at >> 2;
   }
   const rt_vu block = (rt_vu)rt_vi_from((rt_vf_from((rt_vi)at) + 0.5f) * (1.0f / (float)size)); /* images are small enough for floats */
   *within = at - block * size;
   return block;
}

/* The texel within a block, from those along its axes. */
RT_SIMD rt_vu rt_texel_sub(const struct rt_format_info *info, rt_vu x, rt_vu y)
{
   return x + (UTIL_LIKELY(info->block_width == 4) ? y << 2 : y * info->block_width);
}

/* What an absent channel is. */
RT_SIMD rt_vf rt_texel_absent(const struct rt_format_info *info, uint32_t c)
{
   return c < 3 ? rt_vf_set(0) : (rt_vf)rt_vi_set(info->is_int ? 1 : 0x3f800000);
}

/* Components of one tap. */
typedef void rt_texel_decode_fn(const struct rt_format_info *info, const struct rt_taps *taps, uint32_t tap, rt_vf out[4]);
/* Four taps, mixed by the weights of the right and of the lower ones; absent channels are constants. */
typedef void rt_texel_mix_fn(const struct rt_format_info *info, const struct rt_taps *taps, rt_vf x, rt_vf y, rt_vf out[4]);

/* By enum rt_texel. */
extern rt_texel_decode_fn *const rt_texel_decoders[RT_NUM_TEXELS];
extern rt_texel_mix_fn *const rt_texel_mixers[RT_NUM_TEXELS];
