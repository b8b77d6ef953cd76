/* SPDX-License-Identifier: MIT
 * Inside of bytes.c and fast.c: texels of four channels of 8 bits, loaded and mixed in registers. */
#pragma once

#include "runtime/texture/fast.h"
#include "runtime/texture/near.h"
#include "runtime/texture/srgb_taps.h"

/* Four texels of one layer. Not linear: one. */
RT_SIMD void load_texels(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const struct rt_words_axis axes[2],
                         bool is_linear, const rt_vu *slice, rt_vu words[4])
{
   rt_words_load(words, fast->image, level, base, axes, is_linear, slice);
   if (is_linear && !slice && fast->has_one_level)
      rt_words_prefetch(fast->image, level, base, axes);
}

RT_SIMD bool may_be_near(const struct rt_fast *fast)
{
   const bool gathers_faster = RT_TEX_LEVEL == 3 && rt_has_fast_gathers;
   return RT_TEX_LEVEL >= 3 && !gathers_faster && fast->is_dense && fast->image->is_tiled;
}

RT_SIMD bool load_found(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const struct rt_near *near,
                        rt_vh left, rt_vh right, rt_vu words[4])
{
   struct rt_near_words taps;
   if (!rt_near_read_found(&taps, 4, level, base, 2, 0, near, fast->mask))
      return rt_words_load_wide(words, level, base, left, right, fast->mask);
#pragma GCC unroll 4 /* or large functions keep taps in memory */
   for (uint32_t t = 0; t < 4; t++)
      words[t] = taps.low[t];
   return true;
}

/* Blocks that lanes near each other share are read whole; false where they are not near. */
RT_SIMD bool load_near(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, rt_vh left, rt_vh right,
                       rt_vu words[4])
{
   struct rt_near near;
   if (!may_be_near(fast))
      return false;
   rt_near_find(&near, left, right, fast->mask);
   return load_found(fast, level, base, &near, left, right, words);
}

/* The same of one texel a lane, of two by two blocks: more of them, as rows of lanes want, take as long as to gather. */
RT_SIMD bool load_one_near(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, rt_vh at, rt_vu *word)
{
   struct rt_near near;
   struct rt_near_words taps;
   if (RT_TEX_LEVEL < 4 || !may_be_near(fast) || !fast->has_quads)
      return false;
   rt_near_find(&near, at, at, fast->mask);
   if (near.is_wide & fast->mask || !rt_near_read_found(&taps, 1, level, base, 2, 0, &near, fast->mask))
      return false;
   *word = taps.low[0];
   return true;
}

/* Of lanes near each other by blocks, of others one by one. */
RT_SIMD void load_plane(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const struct rt_words_axis axes[2],
                        bool is_linear, rt_vu words[4])
{
   const rt_vh left = rt_vh_join(axes[0].at[0], axes[1].at[0] << 16);
   const bool is_near = is_linear ? load_near(fast, level, base, left, rt_vh_join(axes[0].at[1], axes[1].at[1] << 16), words)
                                  : load_one_near(fast, level, base, left, &words[0]);
   if (!is_near)
      load_texels(fast, level, base, axes, is_linear, NULL, words);
}

/* Four taps, weighted by the low bytes of `parts`. */
RT_SIMD void mix_taps(const struct rt_fast *fast, const rt_vu words[4], const rt_vi parts[2], bool is_srgb, rt_vf out[4])
{
   if (is_srgb)
      rt_srgb_mix(words, parts[0], parts[1], fast->has_quads, out);
   else
      rt_words_mix(words, parts[0], parts[1], UINT32_MAX, out);
}

/* 2D, one layer for all lanes. */
RT_SIMD void find_pairs(const struct rt_fast *fast, const struct abi_level *level, uint32_t mode, struct rt_words_pairs *pairs)
{
   if (UTIL_UNLIKELY(fast->has_offset))
      rt_words_offset_pairs(pairs, fast->coord, fast->offset, level, mode);
   else
      rt_words_pairs(pairs, fast->coord, level, mode);
}

/* Two levels, linear, step by step together: processors begin with what is near in the program, and each step waits
 * for the one before. False where the lower level's texels are not in two by two blocks. */
RT_SIMD bool sample_two_flat(const struct rt_fast *fast, const struct abi_level *levels, uint32_t mode, rt_vf upper[4],
                             rt_vf lower[4])
{
   struct rt_words_pairs pairs[2];
   struct rt_near near[2];
   rt_vu words[2][4];
   if (!may_be_near(fast) || fast->has_own_layers)
      return false;
   for (uint32_t i = 0; i < 2; i++)
      find_pairs(fast, &levels[i], mode, &pairs[i]);
   for (uint32_t i = 0; i < 2; i++)
      rt_near_find(&near[i], pairs[i].left, pairs[i].right, fast->mask);
   if (near[1].is_wide & fast->mask)
      return false;
   const uint8_t *bases[2] = {fast->data + levels[0].offset_bytes, fast->data + levels[1].offset_bytes};
   if (!load_found(fast, &levels[0], bases[0], &near[0], pairs[0].left, pairs[0].right, words[0])) {
      struct rt_words_axis axes[2];
      rt_words_split_pairs(axes, &pairs[0]);
      rt_words_load(words[0], fast->image, &levels[0], bases[0], axes, true, NULL);
   }
   load_found(fast, &levels[1], bases[1], &near[1], pairs[1].left, pairs[1].right, words[1]);
   rt_words_mix(words[0], pairs[0].parts[0], pairs[0].parts[1], UINT32_MAX, upper);
   rt_words_mix(words[1], pairs[1].parts[0], pairs[1].parts[1], UINT32_MAX, lower);
   return true;
}
