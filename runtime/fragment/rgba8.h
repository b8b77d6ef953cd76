/* SPDX-License-Identifier: MIT
 * Packing of the commonest formats, R8G8B8A8_UNORM and B8G8R8A8_UNORM, inlined into the output merger. */
#pragma once

#include <stdbool.h>

#include "runtime/draw/lanes.h"

/* Values that are in [0, 1] but for rounding. Red in the lowest byte, or blue. */
RT_INLINE_LANES rt_i32x16 rt_pack_clamped_rgba8(const rt_f32x16 planes[4], bool is_bgra)
{
   rt_i32x16 v[4];
   for (uint32_t c = 0; c < 4; c++) /* a whole number in the low bits of a float from 2^23 on */
      v[c] = (rt_i32x16)(planes[c] * rt_splat_f(255.0f) + rt_splat_f(8388608.0f));
   return (v[is_bgra ? 2 : 0] & 0xff) | v[1] << 8 | v[is_bgra ? 0 : 2] << 16 | v[3] << 24;
}

/* What info->pack_block does, inlined: the same bits. */
RT_INLINE_LANES rt_i32x16 rt_pack_rgba8(const rt_f32x16 planes[4], bool is_bgra)
{
   rt_f32x16 v[4];
   for (uint32_t c = 0; c < 4; c++)
      v[c] = rt_clamp_f(planes[c], 0.0f, 1.0f);
   return rt_pack_clamped_rgba8(v, is_bgra);
}

/* A byte as UNORM: what the format's unpack_block does (runtime/format/convert.h). The sum is v / 255 rounded once, for
 * each of the 256 values and with a fused product too, so both ways give the same bits. */
RT_INLINE_LANES rt_f32x16 rt_unorm8(rt_i32x16 v)
{
   const float head = 1.0f / 256.0f, tail = (float)(1.0 / 255.0 - 1.0 / 256.0);
   const rt_f32x16 f = __builtin_convertvector(v, rt_f32x16);
#if defined(__AVX512F__)
   return (rt_f32x16)_mm512_fmadd_ps((__m512)f, _mm512_set1_ps(tail), (__m512)(f * rt_splat_f(head)));
#else
   return f * rt_splat_f(head) + f * rt_splat_f(tail);
#endif
}

/* Channel c of 16 texels. */
RT_INLINE_LANES rt_f32x16 rt_unpack_rgba8(rt_i32x16 texels, uint32_t c, bool is_bgra)
{
   const int shift = c == 3 ? 24 : is_bgra ? 16 - 8 * (int)c : 8 * (int)c;
   return rt_unorm8(texels >> shift & 0xff);
}

RT_INLINE_LANES rt_i32x16 rt_pack_planes_rgba8(const uint32_t (*planes)[16], bool is_bgra)
{
   const rt_f32x16 v[4] = {rt_load_f(planes[0]), rt_load_f(planes[1]), rt_load_f(planes[2]), rt_load_f(planes[3])};
   return rt_pack_rgba8(v, is_bgra);
}
