/* SPDX-License-Identifier: MIT
 * Words of texels to components: one function a numeric format. */
#include "runtime/texture/texel.h"

RT_SIMD void decode(enum rt_texel texel, const struct rt_format_info *info, const struct rt_taps *taps, uint32_t tap,
                    rt_vf out[4])
{
   for (uint32_t c = 0; c < 4; c++)
      out[c] = info->channels[c].bits ? rt_texel_channel(texel, info, c, taps, tap) : rt_texel_absent(info, c);
}

RT_SIMD rt_vf lerp(rt_vf a, rt_vf b, rt_vf weight)
{
   return a + weight * (b - a);
}

RT_SIMD bool has_colors(enum rt_texel texel)
{
   return texel >= RT_TEXEL_BC1 && texel <= RT_TEXEL_BC3;
}

/* The three channels that colour blocks have: written out, so that what they share of a tap is done once. */
RT_SIMD void mix_colors(enum rt_texel texel, const struct rt_taps *taps, rt_vf x, rt_vf y, bool is_srgb, rt_vf out[3])
{
   const uint32_t word = texel == RT_TEXEL_BC1 ? 0 : 2;
   rt_vf values[3][4];
#pragma GCC unroll 4
   for (uint32_t t = 0; t < 4; t++)
#pragma GCC unroll 3
      for (uint32_t c = 0; c < 3; c++)
         values[c][t] = rt_texel_color(taps->word[word][t], taps->word[word + 1][t], taps->sub[t], c, texel == RT_TEXEL_BC1, is_srgb);
#pragma GCC unroll 3
   for (uint32_t c = 0; c < 3; c++)
      out[c] = lerp(lerp(values[c][0], values[c][1], x), lerp(values[c][2], values[c][3], x), y);
}

RT_SIMD void mix(enum rt_texel texel, const struct rt_format_info *info, const struct rt_taps *taps, rt_vf x, rt_vf y, rt_vf out[4])
{
   if (has_colors(texel) && info->is_srgb)
      mix_colors(texel, taps, x, y, true, out);
   else if (has_colors(texel))
      mix_colors(texel, taps, x, y, false, out);
   for (uint32_t c = has_colors(texel) ? 3 : 0; c < 4; c++) {
      if (!info->channels[c].bits) {
         out[c] = rt_texel_absent(info, c);
         continue;
      }
      rt_vf values[4];
      for (uint32_t t = 0; t < 4; t++)
         values[t] = rt_texel_channel(texel, info, c, taps, t);
      out[c] = lerp(lerp(values[0], values[1], x), lerp(values[2], values[3], x), y);
   }
}

#define TEXEL_FNS(name, texel)                                                                                         \
   static void decode_##name(const struct rt_format_info *info, const struct rt_taps *taps, uint32_t tap, rt_vf out[4])  \
   {                                                                                                                   \
      decode(texel, info, taps, tap, out);                                                                            \
   }                                                                                                                   \
   static void mix_##name(const struct rt_format_info *info, const struct rt_taps *taps, rt_vf x, rt_vf y, rt_vf out[4]) \
   {                                                                                                                   \
      mix(texel, info, taps, x, y, out);                                                                              \
   }
TEXEL_FNS(words, RT_TEXEL_WORDS)
TEXEL_FNS(unorm, RT_TEXEL_UNORM)
TEXEL_FNS(snorm, RT_TEXEL_SNORM)
TEXEL_FNS(uint, RT_TEXEL_UINT)
TEXEL_FNS(sint, RT_TEXEL_SINT)
TEXEL_FNS(half, RT_TEXEL_HALF)
TEXEL_FNS(srgb, RT_TEXEL_SRGB)
TEXEL_FNS(ufloat, RT_TEXEL_UFLOAT)
TEXEL_FNS(shared, RT_TEXEL_SHARED)
TEXEL_FNS(unorm24, RT_TEXEL_UNORM24)
TEXEL_FNS(bc1, RT_TEXEL_BC1)
TEXEL_FNS(bc2, RT_TEXEL_BC2)
TEXEL_FNS(bc3, RT_TEXEL_BC3)
TEXEL_FNS(bc4, RT_TEXEL_BC4)
TEXEL_FNS(bc5, RT_TEXEL_BC5)
TEXEL_FNS(decoded, RT_TEXEL_DECODED)

#define TEXEL_TABLE(name, type, prefix)                                                                                \
   type *const name[RT_NUM_TEXELS] = {                                                                                \
      [RT_TEXEL_WORDS] = prefix##_words,   [RT_TEXEL_UNORM] = prefix##_unorm, [RT_TEXEL_SNORM] = prefix##_snorm,    \
      [RT_TEXEL_UINT] = prefix##_uint,     [RT_TEXEL_SINT] = prefix##_sint,   [RT_TEXEL_HALF] = prefix##_half,      \
      [RT_TEXEL_SRGB] = prefix##_srgb,     [RT_TEXEL_UFLOAT] = prefix##_ufloat,                                      \
      [RT_TEXEL_SHARED] = prefix##_shared, [RT_TEXEL_UNORM24] = prefix##_unorm24,                                    \
      [RT_TEXEL_BC1] = prefix##_bc1,       [RT_TEXEL_BC2] = prefix##_bc2,     [RT_TEXEL_BC3] = prefix##_bc3,        \
      [RT_TEXEL_BC4] = prefix##_bc4,       [RT_TEXEL_BC5] = prefix##_bc5,     [RT_TEXEL_DECODED] = prefix##_decoded, \
   };
TEXEL_TABLE(rt_texel_decoders, rt_texel_decode_fn, decode)
TEXEL_TABLE(rt_texel_mixers, rt_texel_mix_fn, mix)
