/* SPDX-License-Identifier: MIT
 * Texels of a run of blocks. The operations are those of runtime/format/convert.h. */
#include "runtime/fragment/texels.h"

#include "runtime/draw/lanes.h"
#include "runtime/format/convert.h"
#include "runtime/format/srgb_lanes.h"

/* The kind of one channel. */
static enum rt_texels_kind channel_kind(const struct rt_channel *channel, uint32_t c)
{
   switch (channel->numeric) {
   case RT_UNORM: return channel->bits <= 16 ? RT_TEXELS_UNORM : RT_TEXELS_OTHER;
   case RT_SRGB: return RT_TEXELS_SRGB;
   case RT_UFLOAT: return RT_TEXELS_UFLOAT;
   case RT_SFLOAT:
      return channel->bits == 16 ? RT_TEXELS_HALF : channel->bits == 32 && channel->shift == 32 * c ? RT_TEXELS_FLOAT : RT_TEXELS_OTHER;
   default: return RT_TEXELS_OTHER;
   }
}

static enum rt_texels_kind find_kind(const struct rt_format_info *info)
{
   const uint32_t bytes = info->texel_bytes;
   enum rt_texels_kind kind = RT_TEXELS_OTHER;
   for (uint32_t c = 0; c < 4; c++) {
      if (!info->channels[c].bits)
         continue;
      const enum rt_texels_kind of_channel = channel_kind(&info->channels[c], c);
      if (kind == RT_TEXELS_SRGB && c == 3 && of_channel == RT_TEXELS_UNORM)
         continue;
      if (!of_channel || (kind && kind != of_channel))
         return RT_TEXELS_OTHER;
      kind = of_channel;
   }
   const bool is_word = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
   if (info->format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 || info->is_compressed)
      return RT_TEXELS_OTHER;
   return is_word || (bytes == 16 && kind == RT_TEXELS_FLOAT) ? kind : RT_TEXELS_OTHER;
}

void rt_texels_init(struct rt_output *output)
{
   output->texels = (uint8_t)find_kind(output->info);
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t bits = output->info->channels[c].bits;
      if (!bits || bits > 16)
         continue;
      const double max = (double)((1u << bits) - 1), head = 1.0 / (double)(1u << bits);
      output->unorm[c] = (struct rt_unorm){.head = (float)head, .tail = (float)(1.0 / max - head), .max = (float)max};
   }
}

/* ---- words ---- */

/* Words of 16 texels, as many as a texel has. `bytes` is a constant. */
RT_INLINE_LANES void load_words(uint32_t bytes, const uint8_t *texels, rt_i32x16 words[4])
{
   switch (bytes) {
   case 1: words[0] = __builtin_convertvector(*(const rt_u8x16_any *)texels, rt_i32x16); break;
   case 2: words[0] = __builtin_convertvector(*(const rt_u16x16_any *)(const void *)texels, rt_i32x16); break;
   case 4: words[0] = rt_load_i(texels); break;
   case 8: rt_load_pairs((const int32_t(*)[2])(const void *)texels, &words[0], &words[1]); break;
   default: rt_load_records(texels, 16, words); break;
   }
}

/* Changes `words`. */
RT_INLINE_LANES void store_words(uint32_t bytes, uint8_t *texels, rt_i32x16 words[4])
{
   switch (bytes) {
   case 1: *(rt_u8x16_any *)texels = __builtin_convertvector(words[0], rt_u8x16); break;
   case 2: *(rt_u16x16_any *)(void *)texels = __builtin_convertvector(words[0], rt_u16x16); break;
   case 4: rt_store_i(texels, words[0]); break;
   case 8: rt_store_pairs((int32_t(*)[2])(void *)texels, words[0], words[1]); break;
   default: rt_scatter_records(texels, 16, words); break;
   }
}

/* ---- channels ---- */

RT_INLINE_LANES rt_f32x16 decode_unorm(rt_i32x16 v, const struct rt_unorm *unorm)
{
   const rt_f32x16 f = __builtin_convertvector(v, rt_f32x16);
#if defined(__AVX512F__) /* the first product is exact */
   return (rt_f32x16)_mm512_fmadd_ps((__m512)f, _mm512_set1_ps(unorm->head), (__m512)(f * rt_splat_f(unorm->tail)));
#else
   return f * rt_splat_f(unorm->head) + f * rt_splat_f(unorm->tail);
#endif
}

RT_INLINE_LANES rt_i32x16 encode_unorm(rt_f32x16 f, const struct rt_unorm *unorm)
{
   return (rt_i32x16)(rt_clamp_f(f, 0.0f, 1.0f) * rt_splat_f(unorm->max) + rt_splat_f(0x1p23f)) & 0xffff;
}

/* Lane by lane where the level has no instruction for it. */
#define EACH_LANE(result, value, type, expression)                                                                     \
   do {                                                                                                                \
      type in_[16];                                                                                                    \
      uint32_t out_[16];                                                                                               \
      memcpy(in_, &(value), sizeof(in_));                                                                              \
      for (uint32_t i = 0; i < 16; i++) {                                                                              \
         const type x = in_[i];                                                                                        \
         out_[i] = expression;                                                                                         \
      }                                                                                                                \
      memcpy(&(result), out_, sizeof(out_));                                                                           \
   } while (0)

RT_INLINE_LANES rt_f32x16 decode_half(rt_i32x16 v)
{
   rt_f32x16 result;
#if defined(__AVX512F__)
   result = (rt_f32x16)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)v));
#else
   EACH_LANE(result, v, uint32_t, rt_half_decode(x));
#endif
   return result;
}

/* NaN is 0x7fc00000. */
RT_INLINE_LANES rt_i32x16 encode_half(rt_f32x16 v)
{
   rt_i32x16 result;
#if defined(__AVX512F__)
   result = (rt_i32x16)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
   EACH_LANE(result, v, uint32_t, rt_half_encode(x));
#endif
   return result;
}

RT_INLINE_LANES rt_f32x16 decode_srgb(rt_i32x16 v)
{
   rt_f32x16 result;
#if defined(__AVX512F__)
   result = (rt_f32x16)rt_srgb_decode_lanes((__m512i)v);
#else
   EACH_LANE(result, v, uint32_t, rt_srgb_decode_table[x]);
#endif
   return result;
}

RT_INLINE_LANES rt_i32x16 encode_srgb(rt_f32x16 v)
{
   rt_i32x16 result;
#if defined(__AVX512F__)
   result = (rt_i32x16)rt_srgb_encode_lanes((__m512)v);
#else
   EACH_LANE(result, v, float, rt_srgb_encode(x));
#endif
   return result;
}

/* As rt_small_float_decode() and rt_small_float_encode(), of positive numbers. */
RT_INLINE_LANES rt_f32x16 decode_ufloat(rt_i32x16 v, uint32_t mantissa)
{
   const rt_f32x16 scale = rt_splat_f(rt_as_float((127 - 14 - mantissa) << 23));
   const rt_i32x16 subnormal = (rt_i32x16)(__builtin_convertvector(v, rt_f32x16) * scale), exponent = v >> mantissa;
   const rt_i32x16 normal = (v << (23 - mantissa)) + (112 << 23) + ((exponent == 31) & (112 << 23));
   return (rt_f32x16)rt_select_i(exponent == 0, subnormal, normal);
}

RT_INLINE_LANES rt_i32x16 encode_ufloat(rt_f32x16 f, uint32_t mantissa)
{
   const rt_i32x16 bits = (rt_i32x16)f, magnitude = bits & 0x7fffffff, is_nan = magnitude > 0x7f800000;
   const rt_i32x16 a = magnitude & ((bits >= 0) | is_nan);
   const int32_t drop = 23 - (int32_t)mantissa, infinity = 31 << mantissa, magic = (127 + 9 - (int32_t)mantissa) << 23;
   const rt_i32x16 normal = (a + ((1 << (drop - 1)) - 1) + ((a >> drop) & 1) - (112 << 23)) >> drop;
   const rt_i32x16 subnormal = (rt_i32x16)((rt_f32x16)a + (rt_f32x16)rt_splat_i(magic)) - magic;
   const rt_i32x16 finite = rt_select_i(a < 0x38800000, subnormal, normal);
   const rt_i32x16 limited = rt_select_i(a >= 0x47800000, rt_splat_i(infinity), finite);
   return rt_select_i(is_nan, rt_splat_i(infinity | 1 << (mantissa - 1)), limited);
}

/* ---- runs; `kind` and `bytes` are constants ---- */

RT_INLINE_LANES rt_f32x16 decode(enum rt_texels_kind kind, rt_i32x16 v, uint32_t c, uint32_t bits, const struct rt_unorm *unorm)
{
   switch (kind) {
   case RT_TEXELS_HALF: return decode_half(v);
   case RT_TEXELS_UFLOAT: return decode_ufloat(v, bits - 5);
   case RT_TEXELS_FLOAT: return (rt_f32x16)v;
   case RT_TEXELS_SRGB: return c < 3 ? decode_srgb(v) : decode_unorm(v, unorm);
   default: return decode_unorm(v, unorm);
   }
}

RT_INLINE_LANES rt_i32x16 encode(enum rt_texels_kind kind, rt_f32x16 f, uint32_t c, uint32_t bits, const struct rt_unorm *unorm)
{
   switch (kind) {
   case RT_TEXELS_HALF: return encode_half(f);
   case RT_TEXELS_UFLOAT: return encode_ufloat(f, bits - 5);
   case RT_TEXELS_FLOAT: return (rt_i32x16)f;
   case RT_TEXELS_SRGB: return c < 3 ? encode_srgb(f) : encode_unorm(f, unorm);
   default: return encode_unorm(f, unorm);
   }
}

RT_INLINE_LANES void unpack(enum rt_texels_kind kind, uint32_t bytes, const struct rt_output *output, uint8_t *const *texels,
                            uint32_t count, uint32_t wanted, rt_planes planes)
{
   for (uint32_t i = 0; i < count; i++) {
      rt_i32x16 words[4] = {{0}}; /* compilers do not see which ones the format has */
      load_words(bytes, texels[i], words);
      for (uint32_t c = 0; c < 4; c++) {
         const uint32_t bits = output->info->channels[c].bits, shift = output->info->channels[c].shift;
         if (!(wanted >> c & 1))
            continue;
         if (!bits) {
            rt_store_f(planes[c][i], rt_splat_f(c == 3 ? 1.0f : 0.0f));
            continue;
         }
         rt_i32x16 v;
         if (kind == RT_TEXELS_FLOAT)
            v = words[c];
         else
            v = (rt_i32x16)((rt_u32x16)(bytes == 8 && shift >= 32 ? words[1] : words[0]) >> (shift & 31)) & ((1 << bits) - 1);
         rt_store_f(planes[c][i], decode(kind, v, c, bits, &output->unorm[c]));
      }
   }
}

RT_INLINE_LANES void pack(enum rt_texels_kind kind, uint32_t bytes, const struct rt_output *output, uint8_t *const *texels,
                          const uint16_t *masks, uint32_t count, rt_planes planes)
{
   int32_t keep[4] = {-1, -1, -1, -1};
   if (!output->has_full_mask)
      memcpy(keep, output->bits, sizeof(keep));
   for (uint32_t i = 0; i < count; i++) {
      rt_i32x16 words[4] = {{0}};
      for (uint32_t c = 0; c < 4; c++) {
         const uint32_t bits = output->info->channels[c].bits, shift = output->info->channels[c].shift;
         if (!bits || !(output->write_mask >> c & 1))
            continue;
         const rt_i32x16 v = encode(kind, rt_load_f(planes[c][i]), c, bits, &output->unorm[c]);
         if (kind == RT_TEXELS_FLOAT)
            words[c] = v;
         else if (bytes == 8 && shift >= 32)
            words[1] |= v << (shift & 31);
         else
            words[0] |= v << (shift & 31);
      }
      if (masks[i] != 0xffff || !output->has_full_mask) {
         const rt_i32x16 lanes = rt_mask_lanes(masks[i]);
         rt_i32x16 old[4] = {{0}};
         load_words(bytes, texels[i], old);
         for (uint32_t w = 0; w < (bytes < 4 ? 1 : bytes / 4); w++)
            words[w] = rt_select_i(lanes & keep[w], words[w], old[w]);
      }
      store_words(bytes, texels[i], words);
   }
}

static void unpack_others(const struct rt_format_info *info, uint8_t *const *texels, uint32_t count, rt_planes planes)
{
   for (uint32_t i = 0; i < count; i++) {
      uint32_t block[4][16] __attribute__((aligned(64)));
      info->unpack_block(texels[i], block);
      for (uint32_t c = 0; c < 4; c++)
         rt_store_i(planes[c][i], rt_load_i(block[c]));
   }
}

static void pack_others(const struct rt_output *output, uint8_t *const *texels, const uint16_t *masks, uint32_t count,
                        rt_planes planes)
{
   for (uint32_t i = 0; i < count; i++) {
      uint32_t block[4][16] __attribute__((aligned(64)));
      uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64)));
      for (uint32_t c = 0; c < 4; c++)
         rt_store_i(block[c], rt_load_i(planes[c][i]));
      output->info->pack_block(packed, (const uint32_t(*)[16])block);
      rt_merge_block(texels[i], packed, output->info->texel_bytes, masks[i], output->has_full_mask ? NULL : output->bits);
   }
}

/* The sizes that a kind has. */
#define BY_SIZE(kind, function, ...)                                                                                   \
   switch (output->info->texel_bytes) {                                                                                \
   case 1: function(kind, 1, __VA_ARGS__); break;                                                                      \
   case 2: function(kind, 2, __VA_ARGS__); break;                                                                      \
   case 4: function(kind, 4, __VA_ARGS__); break;                                                                      \
   default: function(kind, 8, __VA_ARGS__); break;                                                                     \
   }                                                                                                                   \
   break;
#define BY_KIND(function, ...)                                                                                         \
   case RT_TEXELS_UNORM: BY_SIZE(RT_TEXELS_UNORM, function, __VA_ARGS__)                                               \
   case RT_TEXELS_SRGB: BY_SIZE(RT_TEXELS_SRGB, function, __VA_ARGS__)                                                 \
   case RT_TEXELS_HALF: BY_SIZE(RT_TEXELS_HALF, function, __VA_ARGS__)                                                 \
   case RT_TEXELS_UFLOAT: function(RT_TEXELS_UFLOAT, 4, __VA_ARGS__); break;                                           \
   case RT_TEXELS_FLOAT:                                                                                               \
      switch (output->info->texel_bytes) {                                                                             \
      case 4: function(RT_TEXELS_FLOAT, 4, __VA_ARGS__); break;                                                        \
      case 8: function(RT_TEXELS_FLOAT, 8, __VA_ARGS__); break;                                                        \
      default: function(RT_TEXELS_FLOAT, 16, __VA_ARGS__); break;                                                      \
      }                                                                                                                \
      break;

void rt_texels_unpack(const struct rt_output *output, uint8_t *const *texels, uint32_t count, uint32_t wanted,
                      rt_planes planes)
{
   switch ((enum rt_texels_kind)output->texels) {
      BY_KIND(unpack, output, texels, count, wanted, planes)
   default: unpack_others(output->info, texels, count, planes); break;
   }
}

void rt_texels_pack(const struct rt_output *output, uint8_t *const *texels, const uint16_t *masks, uint32_t count,
                    rt_planes planes)
{
   switch ((enum rt_texels_kind)output->texels) {
      BY_KIND(pack, output, texels, masks, count, planes)
   default: pack_others(output, texels, masks, count, planes); break;
   }
}
