/* SPDX-License-Identifier: MIT
 * From a coordinate to texels along one axis, with the arithmetic of address.c: any.c and plain.c.
 * Spec: Image Operations, "(u,v,w,a) to (i,j,k,l,n) Transformation", "Wrapping Operation". */
#pragma once

#include "runtime/texture/fast.h"

RT_SIMD rt_vf rt_axis_unnormalize(rt_vf coord, uint32_t size, uint32_t mode, bool is_unnormalized)
{
   const float scale = is_unnormalized ? 1.0f : (float)size;
   const bool repeats = mode == VK_SAMPLER_ADDRESS_MODE_REPEAT, mirrors = mode == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
   if (is_unnormalized || (!repeats && !mirrors))
      return rt_vf_clamp(coord * scale, -1048576.0f, 1048576.0f);
   const rt_vf s = rt_vf_clamp(coord, -8388608.0f, 8388608.0f);
   return (repeats ? s - rt_vf_floor(s) : s - 2.0f * rt_vf_floor(s * 0.5f)) * scale;
}

/* `outside`: the lanes beyond a border; `at` is their nearest texel then. */
RT_SIMD rt_vi rt_axis_wrap(rt_vi i, int32_t size, uint32_t mode, bool is_far, uint32_t *outside)
{
   *outside = 0;
   switch (mode) {
   case VK_SAMPLER_ADDRESS_MODE_REPEAT:
      if (is_far)
         return rt_words_modulo(i, size);
      i += (i < 0) & size;
      return i - ((i >= size) & size);
   case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: {
      i = is_far ? rt_words_modulo(i, 2 * size) : i + ((i < 0) & (2 * size));
      const rt_vi m = i - ((i >= 2 * size) & (2 * size)) - size;
      return size - 1 - (m ^ (m >> 31));
   }
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER: {
      const rt_vi inside = rt_vi_clamp(i, 0, size - 1);
      *outside = rt_vi_mask(inside != i);
      return inside;
   }
   case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE: return rt_vi_clamp(i ^ (i >> 31), 0, size - 1);
   default: return rt_vi_clamp(i, 0, size - 1);
   }
}
