/* SPDX-License-Identifier: MIT
 * From coordinates to texels along both axes of a 2D level, with the arithmetic of address.c: columns in the low half of
 * each lane, rows in the high half, as near.h takes them.
 * Spec: Image Operations, "(u,v,w,a) to (i,j,k,l,n) Transformation", "Wrapping Operation". */
#pragma once

#include "runtime/texture/axis.h"
#include "runtime/texture/texel_find.h"

struct rt_pairs {
   rt_vh left, right;          /* upper, lower; with one texel the same */
   rt_vf x_weight, y_weight;   /* of right and of lower */
};

/* The texel coordinate's whole; its fraction is the weight. */
RT_SIMD rt_vi rt_pairs_split(rt_vf u, bool has_two, rt_vf *weight)
{
   const rt_vf v = has_two ? u - 0.5f : u, whole = rt_vf_floor(v);
   *weight = v - whole;
   return rt_vi_from(whole);
}

/* One axis, any mode and offset, but no border. */
struct rt_pairs_axis {
   rt_vf coord, weight;
   rt_vi offset, at[2];
};

static __attribute__((noinline)) void rt_pairs_find_axis(struct rt_pairs_axis *axis, uint32_t size, uint32_t mode, bool has_offset, bool has_two)
{
   uint32_t outside;
   rt_vi i = rt_pairs_split(rt_axis_unnormalize(axis->coord, size, mode, false), has_two, &axis->weight);
   if (has_offset)
      i += rt_vi_clamp(axis->offset, -65536, 65536);
   axis->at[0] = rt_axis_wrap(i, (int32_t)size, mode, has_offset, &outside);
   axis->at[1] = has_two ? rt_axis_wrap(i + 1, (int32_t)size, mode, has_offset, &outside) : axis->at[0];
}

RT_SIMD void rt_pairs_find_any(struct rt_pairs *pairs, const struct rt_fast *fast, const struct abi_level *level, bool has_two)
{
   const uint8_t *modes = fast->sampler->address_mode;
   struct rt_pairs_axis x = {.coord = fast->coord[0], .offset = fast->offset[0]}, y = {.coord = fast->coord[1], .offset = fast->offset[1]};
   rt_pairs_find_axis(&x, level->width, modes[0], fast->has_offset, has_two);
   rt_pairs_find_axis(&y, level->height, modes[1], fast->has_offset, has_two);
   pairs->x_weight = x.weight;
   pairs->y_weight = y.weight;
   pairs->left = rt_vh_join(x.at[0], y.at[0] << 16);
   pairs->right = rt_vh_join(x.at[1], y.at[1] << 16);
}

/* What is farther from the level than a texel is the same as what is that far: so that halves of 32 bits count it. Linear. */
RT_SIMD rt_vi rt_pairs_clamped_of(rt_vf coord, rt_vi size, rt_vf *weight)
{
   const rt_vf scale = rt_vf_from(size);
   return rt_pairs_split(rt_vf_min(rt_vf_max(coord * scale, rt_vf_set(-1)), scale + 1.0f), true, weight);
}

RT_SIMD rt_vi rt_pairs_repeated_of(rt_vf coord, rt_vi size, bool has_two, rt_vf *weight)
{
   const rt_vf s = rt_vf_clamp(coord, -8388608.0f, 8388608.0f);
   return rt_pairs_split((s - rt_vf_floor(s)) * rt_vf_from(size), has_two, weight);
}

RT_SIMD rt_vi rt_pairs_clamped(const struct rt_fast *fast, uint32_t a, uint32_t size, bool has_two, rt_vf *weight)
{
   const rt_vf scale = rt_vf_from(rt_vi_set((int32_t)size)), u = fast->coord[a] * scale;
   if (UTIL_LIKELY(!fast->has_offset))
      return rt_pairs_split(rt_vf_min(rt_vf_max(u, rt_vf_set(-1)), scale + 1.0f), has_two, weight);
   const rt_vi whole = rt_pairs_split(rt_vf_clamp(u, -1048576.0f, 1048576.0f), has_two, weight);
   return rt_vi_clamp(whole + rt_vi_clamp(fast->offset[a], -65536, 65536), -2, (int32_t)size);
}

RT_SIMD rt_vi rt_pairs_repeated(const struct rt_fast *fast, uint32_t a, uint32_t size, bool has_two, rt_vf *weight)
{
   return rt_pairs_repeated_of(fast->coord[a], rt_vi_set((int32_t)size), has_two, weight);
}

/* Both axes together where both are clamped to the edge, or repeat. */
RT_SIMD void rt_pairs_find(struct rt_pairs *pairs, const struct rt_fast *fast, const struct abi_level *level, bool has_two)
{
   const uint32_t width = level->width, height = level->height;
   const rt_vh size = (rt_vh)rt_vi_set((int32_t)(width | height << 16));
   if (UTIL_LIKELY(fast->sampler->class == ABI_SAMPLER_CLAMP)) {
      const rt_vi x = rt_pairs_clamped(fast, 0, width, has_two, &pairs->x_weight);
      const rt_vi y = rt_pairs_clamped(fast, 1, height, has_two, &pairs->y_weight);
      const rt_vh first = rt_vh_join(x, y << 16);
      pairs->left = rt_vh_clamp_signed(first, size - 1);
      pairs->right = has_two ? rt_vh_clamp_signed(first + 1, size - 1) : pairs->left;
   } else if (UTIL_LIKELY(fast->sampler->class == ABI_SAMPLER_REPEAT && !fast->has_offset)) {
      const rt_vi x = rt_pairs_repeated(fast, 0, width, has_two, &pairs->x_weight);
      const rt_vi y = rt_pairs_repeated(fast, 1, height, has_two, &pairs->y_weight);
      const rt_vh first = rt_vh_join(x, y << 16);
      pairs->left = has_two ? rt_vh_min(first, size - 1) : rt_vh_unless_equal(first, size);
      pairs->right = has_two ? rt_vh_unless_equal(first + 1, size) : pairs->left;
   } else {
      rt_pairs_find_any(pairs, fast, level, has_two);
   }
}

/* Clamped to the edge, linear. The lanes of the mask that have no texels beyond an edge. */
RT_SIMD uint32_t rt_pairs_find_inner(struct rt_pairs *pairs, const struct rt_fast *fast, const struct abi_level *level)
{
   const rt_vh last = (rt_vh)rt_vi_set((int32_t)((level->width - 1) | (level->height - 1) << 16));
   const rt_vi x = rt_pairs_clamped(fast, 0, level->width, true, &pairs->x_weight);
   const rt_vi y = rt_pairs_clamped(fast, 1, level->height, true, &pairs->y_weight);
   const rt_vh first = rt_vh_join(x, y << 16);
   pairs->left = rt_vh_clamp_signed(first, last);
   pairs->right = rt_vh_clamp_signed(first + 1, last);
   const rt_vi moved = (rt_vi)((pairs->left ^ first) | (pairs->right ^ (first + 1)));
   return rt_vi_equal_lanes(moved, 0, fast->mask);
}

/* Of lanes anywhere: indices of texels from the level's beginning. */
RT_SIMD void rt_pairs_index(rt_vu index[4], const struct rt_pairs *pairs, uint32_t num_taps, const struct abi_image *image,
                            const struct abi_level *level, uint32_t log2)
{
   const rt_vu left = rt_texel_x(image, level, (rt_vu)pairs->left & 0xffff), upper = rt_texel_y(image, level, (rt_vu)pairs->left >> 16, log2);
   index[0] = left + upper;
   if (num_taps == 1)
      return;
   const rt_vu right = rt_texel_x(image, level, (rt_vu)pairs->right & 0xffff), lower = rt_texel_y(image, level, (rt_vu)pairs->right >> 16, log2);
   index[1] = right + upper;
   index[2] = left + lower;
   index[3] = right + lower;
}
