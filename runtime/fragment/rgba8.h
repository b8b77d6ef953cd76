/* SPDX-License-Identifier: MIT
 * Packing of the commonest formats, R8G8B8A8_UNORM and B8G8R8A8_UNORM, inlined into the output merger. */
#pragma once

#include <stdbool.h>

#include "runtime/raster/lanes.h"

/* What info->pack_block does, inlined: the same bits. Red in the lowest byte, or blue. */
RT_INLINE_LANES rt_i32x16 rt_pack_rgba8(const rt_f32x16 planes[4], bool is_bgra)
{
   rt_i32x16 v[4];
   for (uint32_t c = 0; c < 4; c++) /* a whole number in the low bits of a float from 2^23 on */
      v[c] = (rt_i32x16)(rt_clamp_f(planes[c], 0.0f, 1.0f) * rt_splat_f(255.0f) + rt_splat_f(8388608.0f));
   return (v[is_bgra ? 2 : 0] & 0xff) | v[1] << 8 | v[is_bgra ? 0 : 2] << 16 | v[3] << 24;
}

RT_INLINE_LANES rt_i32x16 rt_pack_planes_rgba8(const uint32_t (*planes)[16], bool is_bgra)
{
   const rt_f32x16 v[4] = {rt_load_f(planes[0]), rt_load_f(planes[1]), rt_load_f(planes[2]), rt_load_f(planes[3])};
   return rt_pack_rgba8(v, is_bgra);
}
