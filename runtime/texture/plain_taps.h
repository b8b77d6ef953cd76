/* SPDX-License-Identifier: MIT
 * Inside of plain.c and whole.c: texels of one numeric format, a constant, loaded and mixed in registers, and the level that lanes are on. */
#pragma once

#include "runtime/texture/fast_cube.h"
#include "runtime/texture/near.h"
#include "runtime/texture/pairs.h"
#include "runtime/texture/records.h"

/* The sizes of texels that a numeric format has, as powers of two. */
RT_SIMD bool has_size(enum rt_texel texel, uint32_t log2)
{
   switch (texel) {
   case RT_TEXEL_WORDS: return log2 >= 2;
   case RT_TEXEL_HALF: return log2 >= 1;
   case RT_TEXEL_UFLOAT:
   case RT_TEXEL_UNORM24: return log2 == 2;
   default: return true;
   }
}

/* Lanes on several faces of a cube: texels are counted from the first one. */
RT_SIMD bool has_own_faces(const struct rt_fast *fast)
{
   return fast->is_cube && fast->has_own_layers;
}

/* Of lanes anywhere: indices of texels from the level's beginning in `fast->data`. */
RT_SIMD void find_texels(rt_vu index[4], const struct rt_fast *fast, const struct abi_level *level, const struct rt_pairs *pairs, uint32_t num_taps,
                         uint32_t log2)
{
   rt_pairs_index(index, pairs, num_taps, fast->image, level, log2);
   for (uint32_t t = 0; t < num_taps && has_own_faces(fast); t++)
      index[t] += fast->layer;
}

RT_SIMD void load_words(struct rt_near_words *words, const uint8_t *base, const rt_vu index[4], uint32_t log2)
{
   for (uint32_t t = 0; t < 4; t++) {
      struct rt_taps taps;
      rt_texel_gather(base, index[t], log2, &taps, 0);
      words->low[t] = taps.word[0][0];
      if (log2 == 3)
         words->high[t] = taps.word[1][0];
   }
}

/* `log2` is a constant. */
RT_SIMD void load_size(struct rt_near_words *words, const struct rt_fast *fast, const struct abi_level *level, const struct rt_pairs *pairs,
                       uint32_t num_taps, uint32_t log2)
{
   const uint8_t *base = fast->data + level->offset_bytes;
   rt_vu index[4];
   if (UTIL_LIKELY(fast->image->is_tiled) && !has_own_faces(fast) &&
       rt_near_read(words, num_taps, level, base, log2, 0, pairs->left, pairs->right, fast->mask))
      return;
   find_texels(index, fast, level, pairs, num_taps, log2);
   for (uint32_t t = 0; t < num_taps; t++) {
      struct rt_taps taps;
      rt_texel_gather(base, index[t], log2, &taps, 0);
      words->low[t] = taps.word[0][0];
      if (log2 == 3)
         words->high[t] = taps.word[1][0];
   }
}

RT_SIMD void load(struct rt_near_words *words, const struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel,
                  const struct rt_pairs *pairs, uint32_t num_taps)
{
   const uint32_t bytes = fast->image->texel_bytes;
   if (has_size(texel, 3) && bytes == 8) {
      load_size(words, fast, level, pairs, num_taps, 3);
      return;
   }
   if (has_size(texel, 0) && bytes == 1)
      load_size(words, fast, level, pairs, num_taps, 0);
   else if (has_size(texel, 1) && bytes == 2)
      load_size(words, fast, level, pairs, num_taps, 1);
   else
      load_size(words, fast, level, pairs, num_taps, 2);
   for (uint32_t t = 0; t < num_taps; t++)
      words->high[t] = words->low[t];
}

/* Of formats of 64 bits two channels are in each word, or one where words are channels. */
RT_SIMD rt_vf channel(enum rt_texel texel, const struct rt_format_info *info, uint32_t c, const struct rt_near_words *words, uint32_t tap,
                      bool is_wide)
{
   const bool is_high = is_wide && (texel == RT_TEXEL_WORDS ? c & 1 : c >> 1);
   return rt_texel_of_word(texel, info, c, is_high ? words->high[tap] : words->low[tap]);
}

/* Whether a format without borders has the channel; of texels that are words one of 32 bits has R alone. */
RT_SIMD bool has_channel(enum rt_texel texel, const struct rt_format_info *info, uint32_t c, bool is_wide)
{
   return (texel != RT_TEXEL_WORDS || c < (is_wide ? 2 : 1)) && info->channels[c].bits;
}

RT_SIMD rt_vf mix(const rt_vf taps[4], rt_vf x, rt_vf y)
{
   return rt_fast_lerp(rt_fast_lerp(taps[0], taps[1], x), rt_fast_lerp(taps[2], taps[3], x), y);
}

enum what { NEAREST, LINEAR, COMPARE, FACE, LINE, NUM_WHATS };

/* Two channels of halves that stand in one word. */
RT_SIMD void decode_halves(const struct rt_pairs *pairs, bool is_linear, const rt_vu words[4], rt_vf out[2])
{
   rt_vf low[4], high[4];
   for (uint32_t t = 0; t < (is_linear ? 4 : 1); t++)
      rt_texel_halves(words[t], &low[t], &high[t]);
   out[0] = is_linear ? mix(low, pairs->x_weight, pairs->y_weight) : low[0];
   out[1] = is_linear ? mix(high, pairs->x_weight, pairs->y_weight) : high[0];
}

/* As channel(), but of UNORM without rt_texel_unorm_scale(). */
RT_SIMD rt_vf channel_number(enum rt_texel texel, const struct rt_format_info *info, uint32_t c, const struct rt_near_words *words, uint32_t tap,
                             bool is_wide)
{
   if (texel != RT_TEXEL_UNORM)
      return channel(texel, info, c, words, tap, is_wide);
   return rt_texel_unorm_number(&info->channels[c], is_wide && c >> 1 ? words->high[tap] : words->low[tap]);
}

/* Channels that nothing reads are left out. */
RT_SIMD void decode_width(const struct rt_fast *fast, enum rt_texel texel, bool is_linear, bool is_wide, const struct rt_near_words *words,
                          const struct rt_pairs *pairs, rt_vf out[4])
{
   const uint32_t num_taps = is_linear ? 4 : 1;
#pragma GCC unroll 4
   for (uint32_t c = 0; c < 4; c++) {
      rt_vf values[4];
      if (texel == RT_TEXEL_HALF && is_wide && !(c & 1) && (fast->channels >> c & 3) == 3) {
         decode_halves(pairs, is_linear, c ? words->high : words->low, out + c);
         c++;
         continue;
      }
      out[c] = rt_texel_absent(fast->info, c);
      if (!(fast->channels >> c & 1) || !has_channel(texel, fast->info, c, is_wide))
         continue;
      for (uint32_t t = 0; t < num_taps; t++)
         values[t] = channel_number(texel, fast->info, c, words, t, is_wide);
      out[c] = is_linear ? mix(values, pairs->x_weight, pairs->y_weight) : values[0];
      if (texel == RT_TEXEL_UNORM)
         out[c] = out[c] * rt_texel_unorm_scale(&fast->info->channels[c]);
   }
}

/* Texels of 64 bits. */
RT_SIMD void sample_wide(const struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, bool is_linear, const struct rt_pairs *pairs,
                         rt_vf out[4])
{
   struct rt_near_words words;
   if (!is_linear || !rt_records_can(texel, fast->info)) {
      load_size(&words, fast, level, pairs, is_linear ? 4 : 1, 3);
      decode_width(fast, texel, is_linear, true, &words, pairs, out);
      return;
   }
   rt_vu index[4];
   find_texels(index, fast, level, pairs, 4, 3);
   rt_records_sample(fast->data + level->offset_bytes, index, pairs, texel, fast->info, out);
}

/* Texels of four words. */
RT_SIMD void sample_four(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, const struct rt_pairs *pairs, rt_vf out[4])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   const uint32_t num_taps = is_linear ? 4 : 1;
   rt_vu index[4];
   struct rt_taps taps;
   find_texels(index, fast, level, pairs, num_taps, 4);
   if (is_linear && RT_TEX_LEVEL >= 3) {
      rt_records_sample(base, index, pairs, RT_TEXEL_WORDS, fast->info, out);
      return;
   }
   for (uint32_t t = 0; t < num_taps; t++)
      rt_texel_gather(base, index[t], 4, &taps, t);
   for (uint32_t c = 0; c < 4; c++) {
      const rt_vf values[4] = {(rt_vf)taps.word[c][0], (rt_vf)taps.word[c][1], (rt_vf)taps.word[c][2], (rt_vf)taps.word[c][3]};
      out[c] = is_linear ? mix(values, pairs->x_weight, pairs->y_weight) : values[0];
   }
}

RT_SIMD bool is_identity(const struct abi_image *image)
{
   static const uint8_t identity[4] = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_A};
   return !memcmp(image->swizzle, identity, sizeof(identity));
}

/* The number of the first of the lanes. */
RT_SIMD int32_t first_of(const struct rt_fast *fast, rt_vi number)
{
   int32_t first = number[0]; /* mostly the first lane is there: then no memory is needed */
   if (UTIL_UNLIKELY(!(fast->mask & 1)))
      first = number[(uint32_t)__builtin_ctz(fast->mask)];
   return first;
}

/* Takes the lanes whose number is that of the first one, which it returns: mostly all. */
RT_SIMD int32_t take_first(struct rt_fast *fast, rt_vi number)
{
   const int32_t first = first_of(fast, number);
   fast->mask = rt_vi_equal_lanes(number, first, fast->mask);
   return first;
}

/* Where on which faces the lanes are. */
RT_SIMD void find_faces(struct rt_fast *fast, const struct abi_tex_call *call, bool has_levels)
{
   fast->coord[2] = rt_vf_load(call->coords[2] + fast->first, fast->lanes);
   for (uint32_t a = 0; a < 2; a++) /* compilers do not see that has_edges guards them */
      fast->dx[a] = fast->dy[a] = rt_vf_set(0);
   rt_fast_find_faces(fast, call, has_levels && rt_fast_has_derivatives(call));
}

/* Too few lanes of a cube are on one level, so that any.c, which takes all together, is faster. */
RT_SIMD bool is_scattered(const struct rt_fast *fast, uint32_t lanes)
{
   return fast->is_cube && 2 * __builtin_popcount(fast->mask) < __builtin_popcount(lanes);
}

/* The number of each lane's level, or of the first of two, and the weight of the second. False: all lanes are on the base level alone. */
RT_SIMD bool find_levels(const struct rt_fast *fast, const struct abi_tex_call *call, rt_vf *whole, rt_vf *delta)
{
   rt_vf base = rt_vf_set(0), lambda, level;
   if (call->flags & ABI_TEX_LOD) {
      base = rt_vf_load(call->lod + fast->first, fast->lanes);
   } else if (rt_fast_has_derivatives(call)) {
      struct rt_fast_footprint footprint;
      rt_fast_find_footprint(fast, call, &footprint);
      if (rt_fast_is_magnified(fast, call, &footprint))
         return false;
      base = rt_fast_half_log2(rt_vf_max(footprint.rho_x2, footprint.rho_y2));
   }
   rt_fast_limit_lod(fast, call, base, &lambda, &level);
   *whole = fast->sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? rt_vf_floor(level) : -rt_vf_floor(-(level + 0.5f)) - 1.0f;
   *delta = level - *whole;
   return true;
}

/* Whether a lane is between two levels. */
RT_SIMD bool mixes_levels(const struct rt_fast *fast, rt_vf delta)
{
   return fast->sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR && rt_vf_any_positive(delta, fast->mask);
}

RT_SIMD void mix_levels(const struct rt_fast *fast, enum what what, const rt_vf lower[4], rt_vf delta, rt_vf out[4])
{
   const rt_vi is_between = (rt_vi)(delta > rt_vf_set(0));
   for (uint32_t c = 0; c < 4; c++)
      if (what == COMPARE ? c == 0 : fast->info->channels[c].bits && fast->channels >> c & 1)
         out[c] = rt_vf_select(is_between, rt_fast_lerp(out[c], lower[c], delta), out[c]);
}

/* Takes the lanes on the first one's level: that, or the first of two, and the weight of the second. */
RT_SIMD const struct abi_level *take_level(struct rt_fast *fast, const struct abi_tex_call *call, bool *mixes, rt_vf *delta)
{
   const int32_t last = (int32_t)fast->image->num_levels - 1;
   rt_vf whole;
   if (!find_levels(fast, call, &whole, delta))
      return fast->image->levels;
   const int32_t first = take_first(fast, rt_vi_from(whole));
   *mixes = first < last && mixes_levels(fast, *delta);
   return rt_fast_level_at(fast->image, first < last ? first : last);
}

