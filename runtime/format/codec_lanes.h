/* SPDX-License-Identifier: MIT
 * Blocks of layouts that many applications use, in registers of AVX2 and AVX-512, where compilers make little of the templates of codec.h: halves and sRGB
 * bytes. The same bits; false: the template does it. `layout` is a compile-time constant. */
#pragma once

#include "runtime/format/convert.h"
#include "runtime/format/srgb_lanes.h"

#include <stdbool.h>
#include <string.h>

struct rt_codec_layout {
   uint32_t bytes;
   struct rt_channel channels[4];
   bool has_shared_exponent;
};

#if UTIL_SIMD_LEVEL < 3 || !defined(__FMA__)

RT_INLINE bool rt_codec_unpack_lanes(const struct rt_codec_layout *layout, const void *texels, uint32_t (*planes)[16])
{
   return false;
}

RT_INLINE bool rt_codec_pack_lanes(const struct rt_codec_layout *layout, void *texels, const uint32_t (*planes)[16])
{
   return false;
}

#else

/* One, two or four channels of 16-bit floats in their order, and no other. */
RT_INLINE bool rt_codec_is_halves(const struct rt_codec_layout *layout)
{
   const uint32_t count = layout->bytes / 2;
   bool is_so = count == 1 || count == 2 || count == 4;
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel channel = layout->channels[c];
      is_so &= c < count ? channel.bits == 16 && channel.shift == 16 * c && channel.numeric == RT_SFLOAT : channel.bits == 0;
   }
   return is_so;
}

/* Four bytes, three of them sRGB. */
RT_INLINE bool rt_codec_is_srgb8(const struct rt_codec_layout *layout)
{
   bool is_so = layout->bytes == 4;
   for (uint32_t c = 0; c < 4; c++)
      is_so &= layout->channels[c].bits == 8 && layout->channels[c].numeric == (c < 3 ? RT_SRGB : RT_UNORM);
   return is_so;
}

RT_INLINE void rt_codec_fill(uint32_t plane[16], uint32_t value)
{
   for (uint32_t i = 0; i < 16; i++)
      plane[i] = value;
}

/* ---- halves: eight at a time ---- */

/* Halves of channel c of eight texels. `count` channels. */
RT_INLINE __m128i rt_codec_take_halves(const uint8_t *texels, uint32_t count, uint32_t c)
{
   if (count == 1)
      return _mm_loadu_si128((const void *)texels);
   if (count == 2) {
      const __m128i low = _mm_loadu_si128((const void *)texels), high = _mm_loadu_si128((const void *)(texels + 16));
      const __m128i mask = _mm_set1_epi32(0xffff);
      return c ? _mm_packus_epi32(_mm_srli_epi32(low, 16), _mm_srli_epi32(high, 16)) : _mm_packus_epi32(_mm_and_si128(low, mask), _mm_and_si128(high, mask));
   }
   __m128i pairs[2];
   for (uint32_t k = 0; k < 2; k++) { /* four texels: a0 a2, a1 a3 of each channel, then a0 to a3 */
      const __m128i a = _mm_loadu_si128((const void *)(texels + 32 * k)), b = _mm_loadu_si128((const void *)(texels + 32 * k + 16));
      const __m128i even = _mm_unpacklo_epi16(a, b), odd = _mm_unpackhi_epi16(a, b);
      pairs[k] = c < 2 ? _mm_unpacklo_epi16(even, odd) : _mm_unpackhi_epi16(even, odd);
   }
   return c & 1 ? _mm_unpackhi_epi64(pairs[0], pairs[1]) : _mm_unpacklo_epi64(pairs[0], pairs[1]);
}

/* NaNs keep their bits in the template, and become quiet in registers. */
RT_INLINE bool rt_codec_has_nan_half(const uint8_t *texels, uint32_t bytes)
{
   __m256i any = _mm256_setzero_si256();
   for (uint32_t at = 0; at < bytes; at += 32) {
      const __m256i magnitude = _mm256_and_si256(_mm256_loadu_si256((const void *)(texels + at)), _mm256_set1_epi16(0x7fff));
      any = _mm256_or_si256(any, _mm256_cmpgt_epi16(magnitude, _mm256_set1_epi16(0x7c00)));
   }
   return !_mm256_testz_si256(any, any);
}

RT_INLINE bool rt_codec_unpack_halves(uint32_t count, const uint8_t *texels, uint32_t (*planes)[16])
{
   if (UTIL_UNLIKELY(rt_codec_has_nan_half(texels, 32 * count)))
      return false;
   for (uint32_t at = 0; at < 16; at += 8)
      for (uint32_t c = 0; c < count; c++)
         _mm256_storeu_ps((float *)&planes[c][at], _mm256_cvtph_ps(rt_codec_take_halves(texels + 2 * count * at, count, c)));
   for (uint32_t c = count; c < 4; c++)
      rt_codec_fill(planes[c], c == 3 ? 0x3f800000 : 0);
   return true;
}

/* NaN keeps its sign alone. */
RT_INLINE __m128i rt_codec_encode_halves(const uint32_t values[8])
{
   const __m256 v = _mm256_loadu_ps((const float *)values);
   const __m256 sign = _mm256_and_ps(v, _mm256_set1_ps(-0.0f)), nan = _mm256_or_ps(sign, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000)));
   return _mm256_cvtps_ph(_mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q)), _MM_FROUND_TO_NEAREST_INT);
}

RT_INLINE void rt_codec_pack_halves(uint32_t count, uint8_t *texels, const uint32_t (*planes)[16])
{
   for (uint32_t at = 0; at < 16; at += 8, texels += 16 * count) {
      __m128i h[4];
      for (uint32_t c = 0; c < count; c++)
         h[c] = rt_codec_encode_halves(&planes[c][at]);
      if (count == 1) {
         _mm_storeu_si128((void *)texels, h[0]);
         continue;
      }
      const __m128i low = _mm_unpacklo_epi16(h[0], h[1]), high = _mm_unpackhi_epi16(h[0], h[1]);
      if (count == 2) {
         _mm_storeu_si128((void *)texels, low);
         _mm_storeu_si128((void *)(texels + 16), high);
         continue;
      }
      const __m128i low_ba = _mm_unpacklo_epi16(h[2], h[3]), high_ba = _mm_unpackhi_epi16(h[2], h[3]);
      _mm_storeu_si128((void *)texels, _mm_unpacklo_epi32(low, low_ba));
      _mm_storeu_si128((void *)(texels + 16), _mm_unpackhi_epi32(low, low_ba));
      _mm_storeu_si128((void *)(texels + 32), _mm_unpacklo_epi32(high, high_ba));
      _mm_storeu_si128((void *)(texels + 48), _mm_unpackhi_epi32(high, high_ba));
   }
}

/* ---- sRGB bytes: a register of texels at a time ---- */

enum { RT_CODEC_LANES = UTIL_SIMD_LEVEL >= 4 ? 16 : 8 };

RT_INLINE void rt_codec_unpack_srgb8(const struct rt_codec_layout *layout, const uint8_t *texels, uint32_t (*planes)[16])
{
   for (uint32_t at = 0; at < 16; at += RT_CODEC_LANES) {
      rt_srgb_vi words, codes[3], values[3];
      memcpy(&words, texels + 4 * at, sizeof(words));
      for (uint32_t c = 0; c < 3; c++)
         codes[c] = RT_SRGB_V(srli_epi32)(RT_SRGB_V(slli_epi32)(words, 24 - layout->channels[c].shift), 24);
#if UTIL_SIMD_LEVEL >= 4
      rt_srgb_decode_three(codes, values);
#else
      for (uint32_t c = 0; c < 3; c++) {
         uint64_t numbers[8];
         util_i8_numbers(numbers, codes[c]);
         values[c] = util_i8_look_up(rt_srgb_decode_table, numbers);
      }
#endif
      for (uint32_t c = 0; c < 3; c++)
         memcpy(&planes[c][at], &values[c], sizeof(values[c]));
   }
   for (uint32_t i = 0; i < 16; i++)
      planes[3][i] = rt_as_bits(rt_unorm_decode(texels[4 * i + layout->channels[3].shift / 8], 8));
}

RT_INLINE void rt_codec_pack_srgb8(const struct rt_codec_layout *layout, uint8_t *texels, const uint32_t (*planes)[16])
{
   for (uint32_t at = 0; at < 16; at += RT_CODEC_LANES) {
      rt_srgb_vi words = {0};
      for (uint32_t c = 0; c < 3; c++) {
         rt_srgb_vf linear;
         memcpy(&linear, &planes[c][at], sizeof(linear));
         words |= RT_SRGB_V(slli_epi32)(rt_srgb_encode_lanes(linear), layout->channels[c].shift);
      }
      memcpy(texels + 4 * at, &words, sizeof(words));
   }
   for (uint32_t i = 0; i < 16; i++)
      texels[4 * i + layout->channels[3].shift / 8] = (uint8_t)rt_unorm_encode(rt_as_float(planes[3][i]), 8);
}

RT_INLINE bool rt_codec_unpack_lanes(const struct rt_codec_layout *layout, const void *texels, uint32_t (*planes)[16])
{
   if (rt_codec_is_halves(layout))
      return rt_codec_unpack_halves(layout->bytes / 2, texels, planes);
   if (!rt_codec_is_srgb8(layout))
      return false;
   rt_codec_unpack_srgb8(layout, texels, planes);
   return true;
}

RT_INLINE bool rt_codec_pack_lanes(const struct rt_codec_layout *layout, void *texels, const uint32_t (*planes)[16])
{
   if (rt_codec_is_halves(layout)) {
      rt_codec_pack_halves(layout->bytes / 2, texels, planes);
      return true;
   }
   if (!rt_codec_is_srgb8(layout))
      return false;
   rt_codec_pack_srgb8(layout, texels, planes);
   return true;
}

#endif
