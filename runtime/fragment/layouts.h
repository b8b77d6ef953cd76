/* SPDX-License-Identifier: MIT
 * Layouts of texels that attachments have, as constants of the routines that blend into them (blend_texels.c) or store to them
 * (store_texels.c). */
#pragma once

#include "runtime/fragment/one_nan.h"
#include "runtime/fragment/texel_lanes.h"

/* Where channels are, of formats that many applications render to: constants in their routines. Others have a routine by the size of their
 * texels, which looks at the format. */
struct rt_texel_layout {
   enum rt_texels_class class;
   uint32_t bytes; /* of a texel */
   bool is_any;    /* the format says where channels are */
   struct {
      uint8_t bits, shift;
   } channels[4];
};

/* ---- one part; *l, and of common equations *b, are constants ---- */

RT_INLINE_LANES struct rt_channel rt_layout_channel(const struct rt_texel_layout *l, const struct rt_output *output, uint32_t c)
{
   return l->is_any ? output->info->channels[c] : (struct rt_channel){.bits = l->channels[c].bits, .shift = l->channels[c].shift};
}

RT_INLINE_LANES uint32_t rt_layout_words(const struct rt_texel_layout *l)
{
   return l->bytes < 4 ? 1 : l->bytes / 4;
}

/* Texels of four bytes, each a channel. */
RT_INLINE_LANES bool rt_layout_is_bytes(const struct rt_texel_layout *l)
{
   return !l->is_any && l->bytes == 4 && l->channels[0].bits == 8 && l->channels[3].bits == 8;
}

/* Words are as they lie in memory, from texel to texel; else a register has a word of every texel. */
RT_INLINE_LANES bool rt_layout_is_in_order(const struct rt_texel_layout *l)
{
   return UTIL_SIMD_LEVEL >= 4 && l->class == RT_TEXELS_HALF && l->bytes >= 4;
}

RT_INLINE_LANES void rt_layout_load(const struct rt_texel_layout *l, const uint8_t *texels, rt_pi words[4])
{
   if (!rt_layout_is_in_order(l))
      rt_words_load(l->bytes, texels, words);
   for (uint32_t w = 0; rt_layout_is_in_order(l) && w < rt_layout_words(l); w++)
      words[w] = rt_pi_load(texels + w * sizeof(rt_pi));
}

/* Changes `words`. */
RT_INLINE_LANES void rt_layout_store(const struct rt_texel_layout *l, uint8_t *texels, rt_pi words[4])
{
   if (!rt_layout_is_in_order(l))
      rt_words_store(l->bytes, texels, words);
   for (uint32_t w = 0; rt_layout_is_in_order(l) && w < rt_layout_words(l); w++)
      rt_pi_store(texels + w * sizeof(rt_pi), words[w]);
}

/* The attachment's channels; those that the format lacks are 0, alpha 1. */
RT_INLINE_LANES void rt_layout_unpack(const struct rt_texel_layout *l, const struct rt_output *output, const rt_pi words[4], rt_pf channels[4])
{
#if UTIL_SIMD_LEVEL >= 4
   if (rt_layout_is_in_order(l)) {
      channels[2] = rt_pf_set(0.0f);
      channels[3] = rt_pf_set(1.0f);
      rt_halves_decode(l->bytes, words, channels);
      return;
   }
#endif
#if UTIL_SIMD_LEVEL >= 4
   if (rt_layout_is_bytes(l) && l->class == RT_TEXELS_SRGB) {
      __m512i codes[3], values[3];
      for (uint32_t c = 0; c < 3; c++)
         codes[c] = (__m512i)rt_pi_byte(words[0], l->channels[c].shift / 8);
      rt_srgb_decode_three(codes, values);
      for (uint32_t c = 0; c < 3; c++)
         channels[c] = (rt_pf)values[c];
      channels[3] = rt_pf_decode_unorm(rt_pi_byte(words[0], 3), &output->unorm[3]);
      return;
   }
#endif
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel channel = rt_layout_channel(l, output, c);
      channels[c] = rt_pf_set(c == 3 ? 1.0f : 0.0f);
      if (rt_layout_is_bytes(l))
         channels[c] = rt_channel_value(l->class, rt_pi_byte(words[0], channel.shift / 8), c, 8, &output->unorm[c]);
      else if (channel.bits)
         channels[c] = rt_channel_value(l->class, rt_channel_extract(l->class, l->bytes, words, &channel, c), c, channel.bits,
                                        &output->unorm[c]);
   }
}

RT_INLINE_LANES void rt_layout_pack(const struct rt_texel_layout *l, const struct rt_output *output, const rt_pf channels[4], bool is_clamped, rt_pi words[4])
{
#if UTIL_SIMD_LEVEL >= 4
   if (rt_layout_is_in_order(l)) {
      rt_halves_encode(l->bytes, channels, words);
      return;
   }
#endif
   if (rt_layout_is_bytes(l) && (l->class == RT_TEXELS_UNORM || (l->class == RT_TEXELS_SRGB && UTIL_SIMD_LEVEL >= 3))) {
      rt_pf codes[4], bytes[4];
      for (uint32_t c = 0; c < 4; c++)
         codes[c] = channels[c] * rt_pf_set(255.0f);
#if UTIL_SIMD_LEVEL >= 3
      if (l->class == RT_TEXELS_SRGB)
         rt_srgb_encode_three((const rt_srgb_vf *)channels, (rt_srgb_vf *)codes);
#endif
      for (uint32_t c = 0; c < 4; c++)
         bytes[l->channels[c].shift / 8] = codes[c];
      words[0] = rt_pf_pack_bytes(bytes);
      return;
   }
   for (uint32_t w = 0; w < rt_layout_words(l); w++)
      words[w] = (rt_pi){0};
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel channel = rt_layout_channel(l, output, c);
      if (channel.bits)
         rt_channel_insert(l->class, l->bytes, words, &channel, c,
                           rt_channel_code(l->class, channels[c], c, channel.bits, &output->unorm[c], is_clamped));
   }
}

/* In the channels that the format has; rarely is there one. */
RT_INLINE_LANES void rt_layout_make_one_nan(const struct rt_texel_layout *l, rt_pf channels[4])
{
#if UTIL_SIMD_LEVEL >= 4 /* a comparison covers two channels at once */
   const uint32_t a = 0, b = l->channels[1].bits ? 1 : 0, c = l->channels[2].bits ? 2 : 0, d = l->channels[3].bits ? 3 : c;
   const __mmask16 low = _mm512_cmp_ps_mask((__m512)channels[a], (__m512)channels[b], _CMP_UNORD_Q);
   const __mmask16 high = _mm512_cmp_ps_mask((__m512)channels[c], (__m512)channels[d], _CMP_UNORD_Q);
   if (UTIL_UNLIKELY(low | (c ? high : 0)))
#endif
      for (uint32_t i = 0; i < 4; i++)
         channels[i] = rt_one_nan_part(channels[i]);
}

/* keep[4], bits of a texel, as word w of a part has them. */
RT_INLINE_LANES rt_pi rt_layout_kept(const struct rt_texel_layout *l, const int32_t *keep, uint32_t w)
{
   typedef int64_t pairs __attribute__((vector_size(sizeof(rt_pi))));
   int64_t pair;
   memcpy(&pair, keep, sizeof(pair));
   return rt_layout_is_in_order(l) && l->bytes == 8 ? (rt_pi)(pair - (pairs){0}) : rt_pi_set(keep[w]);
}

/* The lanes of `mask` and the bits of keep[4] from `words`, others as they were. keep: NULL: all bits. */
RT_INLINE_LANES void rt_layout_merge(const struct rt_texel_layout *l, uint32_t mask, const int32_t *keep, const rt_pi old[4], rt_pi words[4])
{
   for (uint32_t w = 0; w < rt_layout_words(l); w++) {
      uint32_t of_words = mask;
      if (rt_layout_is_in_order(l) && l->bytes == 8) { /* the words of eight texels: each bit twice */
         of_words = mask >> 8 * w & 0xff;
         of_words = (of_words | of_words << 4) & 0x0f0f;
         of_words = (of_words | of_words << 2) & 0x3333;
         of_words = ((of_words | of_words << 1) & 0x5555) * 3;
      }
      words[w] = rt_pi_merge(of_words, keep ? rt_pi_select(rt_layout_kept(l, keep, w), words[w], old[w]) : words[w], old[w]);
   }
}

#define RT_LAYOUT_RGBA8 {8, 0}, {8, 8}, {8, 16}, {8, 24}
#define RT_LAYOUT_BGRA8 {8, 16}, {8, 8}, {8, 0}, {8, 24}
/* X(name, type, bytes, whether it is for any format of that type and size, R, G, B, A) */
#define RT_LAYOUTS_LIST(X)                                                                                             \
   X(rgba8, UNORM, 4, false, RT_LAYOUT_RGBA8)                                                                          \
   X(bgra8, UNORM, 4, false, RT_LAYOUT_BGRA8)                                                                          \
   X(rgb10a2, UNORM, 4, false, {10, 0}, {10, 10}, {10, 20}, {2, 30})                                                   \
   X(rgba8_srgb, SRGB, 4, false, RT_LAYOUT_RGBA8)                                                                      \
   X(bgra8_srgb, SRGB, 4, false, RT_LAYOUT_BGRA8)                                                                      \
   X(r8, UNORM, 1, false, {8, 0})                                                                                      \
   X(rg8, UNORM, 2, false, {8, 0}, {8, 8})                                                                             \
   X(r16f, HALF, 2, false, {16, 0})                                                                                    \
   X(rg16f, HALF, 4, false, {16, 0}, {16, 16})                                                                         \
   X(rgba16f, HALF, 8, false, {16, 0}, {16, 16}, {16, 32}, {16, 48})                                                   \
   X(rg11b10f, UFLOAT, 4, false, {11, 0}, {11, 11}, {10, 22})                                                          \
   X(r32f, WORDS, 4, false, {32, 0})                                                                                   \
   X(rg32f, WORDS, 8, false, {32, 0}, {32, 32})                                                                        \
   X(rgba32f, WORDS, 16, false, {32, 0}, {32, 32}, {32, 64}, {32, 96})                                                 \
   X(unorm_1, UNORM, 1, true)                                                                                          \
   X(unorm_2, UNORM, 2, true)                                                                                          \
   X(unorm_4, UNORM, 4, true)                                                                                          \
   X(unorm_8, UNORM, 8, true)                                                                                          \
   X(srgb_1, SRGB, 1, true)                                                                                            \
   X(srgb_2, SRGB, 2, true)

#define X(name, class_of, bytes_of, any, ...)                                                                          \
   static const struct rt_texel_layout rt_layout_##name = {RT_TEXELS_##class_of, bytes_of, any, {__VA_ARGS__}};
RT_LAYOUTS_LIST(X)
#undef X

static inline bool rt_layout_is_for(const struct rt_texel_layout *l, const struct rt_output *output)
{
   bool is_same = l->class == output->texels && l->bytes == output->info->texel_bytes;
   for (uint32_t c = 0; c < 4 && !l->is_any; c++) {
      const struct rt_channel *channel = &output->info->channels[c];
      is_same &= l->channels[c].bits == channel->bits && (!channel->bits || l->channels[c].shift == channel->shift);
   }
   return is_same;
}
