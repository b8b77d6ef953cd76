/* SPDX-License-Identifier: MIT
 * Footprints of texels that are four channels of eight bits: which texels they are, and mixing them with weights of eight
 * bits (limits.subTexelPrecisionBits). All of it is exact, so that no order of operations changes a result: channels come
 * out as whole numbers up to 255, divided by 256 and with 16 bits more where filtered.
 * Spec: Image Operations, "(u,v,w,a) to (i,j,k,l,n) Transformation", "Wrapping Operation", "Texel Filtering". */
#pragma once

#include "runtime/texture/simd.h"

enum { RT_WORDS_FRACTION = 256 }; /* weights are parts of this */

/* Along one axis. Linear: the texels on both sides; nearest: at[0] alone. */
struct rt_words_axis {
   rt_vi at[2];
   rt_vi weight; /* of at[1] */
};

/* Linear: u + 1/2 in parts, rounded to the nearest; u is at least 0. Its whole is the right texel, one more than the
 * left, its fraction the right one's weight. */
RT_SIMD rt_vi rt_words_parts(rt_vf u)
{
   return rt_vi_from(rt_vf_madd(u, rt_vf_set(RT_WORDS_FRACTION), rt_vf_set(RT_WORDS_FRACTION / 2 + 0.5f)));
}

/* x - floor(x / 2^n) * 2^n; 0 for numbers that are none, or too large for a fraction. */
RT_SIMD rt_vf rt_words_period(rt_vf x, float period)
{
#if RT_TEX_LEVEL < 3
   x = rt_vf_clamp(x, -0x1p30f, 0x1p30f); /* what rt_vf_floor() can do */
#endif
   const rt_vf whole = period == 1.0f ? rt_vf_floor(x) : period * rt_vf_floor(x * (1.0f / period));
   return rt_vf_max(x - whole, rt_vf_set(0));
}

RT_SIMD void rt_words_repeat(struct rt_words_axis *axis, rt_vf coord, int32_t size, bool is_linear)
{
   const rt_vf u = rt_words_period(coord, 1.0f) * (float)size;
   if (!is_linear) {
      const rt_vi i = rt_vi_from(u);
      axis->at[0] = i & (i != size); /* the product may round up to it */
      return;
   }
   const rt_vi parts = rt_words_parts(u), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = rt_vu_min(right - 1, rt_vi_set(size - 1));
   axis->at[1] = right & (right != size);
}

/* Outside of the centres of the first and the last texel both texels are the same one: there the weight doesn't
 * matter. */
RT_SIMD void rt_words_clamp(struct rt_words_axis *axis, rt_vf coord, int32_t size, bool is_linear, bool is_mirrored)
{
   rt_vf u = coord * (float)size;
   if (is_mirrored)
      u = rt_vf_max(u, -u);
   if (!is_linear) {
      axis->at[0] = rt_vi_from(rt_vf_clamp(u, 0.0f, (float)(size - 1)));
      return;
   }
   const rt_vi parts = rt_words_parts(rt_vf_clamp(u, 0.5f, (float)size - 0.5f)), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = right - 1;
   axis->at[1] = rt_vi_min(right, rt_vi_set(size - 1));
}

/* Texel i of the period [-1, 2 * size] of a mirrored image. */
RT_SIMD rt_vi rt_words_mirrored(rt_vi i, int32_t size)
{
   const rt_vi folded = rt_vi_select(i >= size, 2 * size - 1 - i, i);
   return folded ^ (folded >> 31); /* -1 is 0 */
}

RT_SIMD void rt_words_mirror(struct rt_words_axis *axis, rt_vf coord, int32_t size, bool is_linear)
{
   const rt_vf u = rt_words_period(coord, 2.0f) * (float)size;
   if (!is_linear) {
      axis->at[0] = rt_words_mirrored(rt_vi_from(u), size);
      return;
   }
   const rt_vi parts = rt_words_parts(u), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = rt_words_mirrored(right - 1, size);
   axis->at[1] = rt_words_mirrored(right, size);
}

/* `mode` may be a constant; not CLAMP_TO_BORDER. */
RT_SIMD void rt_words_axis(struct rt_words_axis *axis, rt_vf coord, uint32_t size, uint32_t mode, bool is_linear)
{
   if (mode == VK_SAMPLER_ADDRESS_MODE_REPEAT)
      rt_words_repeat(axis, coord, (int32_t)size, is_linear);
   else if (mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE)
      rt_words_clamp(axis, coord, (int32_t)size, is_linear, false);
   else if (mode == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT)
      rt_words_mirror(axis, coord, (int32_t)size, is_linear);
   else
      rt_words_clamp(axis, coord, (int32_t)size, is_linear, true);
}

/* i modulo size, for |i| < 2^23. */
RT_SIMD rt_vi rt_words_modulo(rt_vi i, int32_t size)
{
   const rt_vi rest = i - rt_vi_from(rt_vf_floor(rt_vf_from(i) / (float)size)) * size;
   const rt_vi low = rest + ((rest < 0) & size);
   return low - ((low >= size) & size);
}

/* One texel with an offset, which is applied before wrapping. */
RT_SIMD rt_vi rt_words_wrap(rt_vi i, int32_t size, uint32_t mode)
{
   switch (mode) {
   case VK_SAMPLER_ADDRESS_MODE_REPEAT: return rt_words_modulo(i, size);
   case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: return rt_words_mirrored(rt_words_modulo(i, 2 * size), size);
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE: return rt_vi_clamp(i, 0, size - 1);
   default: return rt_vi_clamp(i ^ (i >> 31), 0, size - 1);
   }
}

/* With an offset in texels. */
RT_SIMD void rt_words_offset_axis(struct rt_words_axis *axis, rt_vf coord, rt_vi offset, uint32_t size, uint32_t mode,
                                  bool is_linear)
{
   const float limit = 0x1p20f;
   rt_vf u;
   if (mode == VK_SAMPLER_ADDRESS_MODE_REPEAT || mode == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT)
      u = rt_words_period(coord, mode == VK_SAMPLER_ADDRESS_MODE_REPEAT ? 1.0f : 2.0f) * (float)size;
   else
      u = rt_vf_clamp(coord * (float)size, -limit, limit);
   const rt_vi shift = rt_vi_clamp(offset, -65536, 65536);
   if (!is_linear) {
      axis->at[0] = rt_words_wrap(rt_vi_from(rt_vf_floor(u)) + shift, (int32_t)size, mode);
      return;
   }
   const rt_vi parts = rt_vi_from(rt_vf_floor(u * RT_WORDS_FRACTION + (RT_WORDS_FRACTION / 2 + 0.5f))), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = rt_words_wrap(right - 1 + shift, (int32_t)size, mode);
   axis->at[1] = rt_words_wrap(right + shift, (int32_t)size, mode);
}

/* Both axes at once, where both repeat or are clamped to the edge, linear: x in the low half of each lane, y in the high
 * one. */
struct rt_words_pairs {
   rt_vh left, right; /* upper, lower */
   rt_vi parts[2];    /* of x and y: their low eight bits are the weights of right and lower */
};

/* Of sizes in texels. */
RT_SIMD void rt_words_pairs_of(struct rt_words_pairs *pairs, const rt_vf coord[2], rt_vi width, rt_vi height, uint32_t mode)
{
   const rt_vf sizes[2] = {rt_vf_from(width), rt_vf_from(height)};
   const bool is_repeat = mode == VK_SAMPLER_ADDRESS_MODE_REPEAT;
   for (uint32_t a = 0; a < 2; a++)
      pairs->parts[a] = rt_words_parts(is_repeat ? rt_words_period(coord[a], 1.0f) * sizes[a]
                                                 : rt_vf_min(rt_vf_max(coord[a] * sizes[a], rt_vf_set(0.5f)), sizes[a] - 0.5f));
   const rt_vh size = (rt_vh)(width | height << 16);
   const rt_vh next = rt_vh_join(pairs->parts[0] >> 8, pairs->parts[1] << 8);
   pairs->left = is_repeat ? rt_vh_min(next - 1, size - 1) : next - 1;
   pairs->right = is_repeat ? rt_vh_unless_equal(next, size) : rt_vh_min(next, size - 1);
}

RT_SIMD void rt_words_pairs(struct rt_words_pairs *pairs, const rt_vf coord[2], const struct abi_level *level, uint32_t mode)
{
   rt_words_pairs_of(pairs, coord, rt_vi_set((int32_t)level->width), rt_vi_set((int32_t)level->height), mode);
}

/* With offsets in texels. Beyond the edges all is the same: a texel from there is as good as any. */
RT_SIMD rt_vi rt_words_clamped_right(rt_vi *parts, rt_vf coord, rt_vi offset, int32_t size)
{
   const rt_vf u = rt_vf_clamp(coord * (float)size, -0x1p20f, 0x1p20f);
   *parts = rt_vi_from(rt_vf_floor(u * RT_WORDS_FRACTION + (RT_WORDS_FRACTION / 2 + 0.5f)));
   return rt_vi_clamp((*parts >> 8) + rt_vi_clamp(offset, -65536, 65536), -1, size);
}

RT_SIMD void rt_words_offset_pairs(struct rt_words_pairs *pairs, const rt_vf coord[2], const rt_vi offset[2], const struct abi_level *level,
                                   uint32_t mode)
{
   if (mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) {
      const rt_vh last = (rt_vh)rt_vi_set((int32_t)((level->width - 1) | (level->height - 1) << 16));
      const rt_vi x = rt_words_clamped_right(&pairs->parts[0], coord[0], offset[0], (int32_t)level->width);
      const rt_vi y = rt_words_clamped_right(&pairs->parts[1], coord[1], offset[1], (int32_t)level->height);
      const rt_vh next = rt_vh_join(x, y << 16);
      pairs->left = rt_vh_clamp_signed(next - 1, last);
      pairs->right = rt_vh_clamp_signed(next, last);
      return;
   }
   struct rt_words_axis axes[2];
   rt_words_offset_axis(&axes[0], coord[0], offset[0], level->width, mode, true);
   rt_words_offset_axis(&axes[1], coord[1], offset[1], level->height, mode, true);
   pairs->parts[0] = axes[0].weight;
   pairs->parts[1] = axes[1].weight;
   pairs->left = rt_vh_join(axes[0].at[0], axes[1].at[0] << 16);
   pairs->right = rt_vh_join(axes[0].at[1], axes[1].at[1] << 16);
}

RT_SIMD void rt_words_split_pairs(struct rt_words_axis axes[2], const struct rt_words_pairs *pairs)
{
   axes[0].at[0] = (rt_vi)pairs->left & 0xffff;
   axes[0].at[1] = (rt_vi)pairs->right & 0xffff;
   axes[1].at[0] = (rt_vi)((rt_vu)pairs->left >> 16);
   axes[1].at[1] = (rt_vi)((rt_vu)pairs->right >> 16);
}

/* ---- mixing ---- */

/* Bytes 0 to 3 of each word as numbers. */
RT_SIMD void rt_words_split(rt_vu words, rt_vf out[4])
{
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_vf_from((rt_vi)(c < 3 ? words >> (8 * c) & 255 : words >> 24));
}

/* Channels 0 and 2 or 1 and 3 of a row, mixed along x: products of 16 bits. */
RT_SIMD rt_vu rt_words_mix_row(rt_vu a, rt_vu b, rt_vh left, rt_vh right, bool is_odd)
{
   if (is_odd)
      return (rt_vu)(((rt_vh)a >> 8) * left + ((rt_vh)b >> 8) * right);
   return (rt_vu)((rt_vh)(a & 0x00ff00ffu) * left + (rt_vh)(b & 0x00ff00ffu) * right);
}

/* Bilinear: 16-bit products along x, then floats along y. The low bytes of x and y are the weights. `channels`: a bit for each that is wanted; others
 * are zeros. */
RT_SIMD void rt_words_mix(const rt_vu words[4], rt_vi x, rt_vi y, uint32_t channels, rt_vf out[4])
{
   const rt_vh right = rt_vh_low_byte(x), left = RT_WORDS_FRACTION - right;
   const rt_vf half = (rt_vf)rt_vi_replace(y, RT_WORDS_FRACTION - 1, 0x3f000000); /* 1/2, and the weight times 2^-24 */
   const rt_vf low = half - 0.5f, high = (0.5f + 0x1p-16f) - half;
#pragma GCC unroll 2
   for (uint32_t odd = 0; odd < 2; odd++) {
      out[odd] = out[odd + 2] = rt_vf_set(0);
      if (!(channels >> odd & 5))
         continue;
      const rt_vu upper = rt_words_mix_row(words[0], words[1], left, right, odd), lower = rt_words_mix_row(words[2], words[3], left, right, odd);
      if (UTIL_LIKELY(channels >> odd & 1))
         out[odd] = rt_vf_madd(rt_vf_from((rt_vi)(lower & 0xffff)), low, rt_vf_from((rt_vi)(upper & 0xffff)) * high);
      if (UTIL_LIKELY(channels >> odd & 4))
         out[odd + 2] = rt_vf_madd(rt_vf_from((rt_vi)(lower >> 16)), low, rt_vf_from((rt_vi)(upper >> 16)) * high);
   }
}

/* Bytes to [0, 1]: as exact as a division, as rt_unorm_decode() does it; filtered ones are divided by 256 already. */
RT_SIMD rt_vf rt_words_finish(rt_vf v, bool is_linear)
{
   const float tail = (float)(1.0 / 255 - 1.0 / 256);
   return is_linear ? v + v * (256 * tail) : v * 0x1p-8f + v * tail;
}
