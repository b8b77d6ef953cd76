/* SPDX-License-Identifier: MIT
 * The commonest formats, R8G8B8A8_UNORM and B8G8R8A8_UNORM, inlined into the output merger: parts of a block in registers. */
#pragma once

#include "runtime/fragment/parts.h"

#include <stdbool.h>

/* What info->pack_block does: the same bits. Red in the lowest byte, or blue. */
RT_INLINE_LANES rt_pi rt_pack_rgba8(const rt_pf planes[4], bool is_bgra)
{
   rt_pf v[4]; /* of NaN the least is NaN */
   for (uint32_t k = 0; k < 4; k++)
      v[k] = rt_pf_min(rt_pf_set(1.0f), planes[is_bgra && k < 3 ? 2 - k : k]) * rt_pf_set(255.0f);
   return rt_pf_pack_bytes(v);
}

/* A byte as UNORM: what the format's unpack_block does (runtime/format/convert.h). The sum is v / 255 rounded once, for
 * each of the 256 values and with a fused product too, so both give the same bits. */
RT_INLINE_LANES rt_pf rt_unorm8(rt_pi v)
{
   const float head = 1.0f / 256.0f, tail = (float)(1.0 / 255.0 - 1.0 / 256.0);
   const rt_pf f = __builtin_convertvector(v, rt_pf);
#if UTIL_SIMD_LEVEL >= 4
   return (rt_pf)_mm512_fmadd_ps((__m512)f, _mm512_set1_ps(tail), (__m512)(f * rt_pf_set(head)));
#else
   return f * rt_pf_set(head) + f * rt_pf_set(tail);
#endif
}

/* Channel c of a part's texels. */
RT_INLINE_LANES rt_pf rt_unpack_rgba8(rt_pi texels, uint32_t c, bool is_bgra)
{
   return rt_unorm8(rt_pi_byte(texels, is_bgra && c < 3 ? 2 - c : c));
}
