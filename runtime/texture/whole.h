/* SPDX-License-Identifier: MIT
 * Filtered, compared and gathered texels of tiled 2D images that have an enum rt_layout, of vectors whose lanes all sample: what plain.c does, with the same
 * arithmetic, where nothing has to be found out about lanes but where they sample. */
#pragma once

#include "runtime/texture/fast.h"

/* What code there is for calls of a class, by the view's layout; NULL: none. It returns the lanes for which nothing was done: those of vectors that are on
 * several levels, but of cubes; all where lanes do not sample, or with other samplers. */
typedef uint32_t rt_whole_fn(const struct abi_tex_call *call);
extern rt_whole_fn *const rt_whole_fns[ABI_NUM_TEX_CLASSES][RT_NUM_LAYOUTS];

/* Four channels of 8 bits: of ABI_TEX_CLASS_SAMPLE bytes.c, of ABI_TEX_CLASS_VOLUME volume.c. */
rt_whole_fn rt_flat_bytes;
rt_whole_fn rt_volume_bytes;

/* Whole vectors, all of whose lanes sample if wanted, with a sampler that these functions are for. */
RT_SIMD bool rt_whole_can(const struct abi_tex_call *call, bool wants_all)
{
   const struct abi_sampler *sampler = call->samplers[0];
   return UTIL_LIKELY(sampler) && sampler->is_smooth && !(call->lanes & (RT_SIMD_LANES - 1)) && !(wants_all && ~call->mask << (32 - call->lanes));
}
