/* SPDX-License-Identifier: MIT
 * Filtered, compared and gathered texels of tiled 2D images that have an enum rt_layout, of vectors whose lanes all sample: what plain.c does, with the same
 * arithmetic, where nothing has to be found out about lanes but where they sample. */
#pragma once

#include "runtime/texture/fast.h"

/* A call that rt_whole_can() takes. The lanes for which nothing was done: those of vectors that are on several levels. */
uint32_t rt_whole_sample(const struct abi_tex_call *call);

RT_SIMD bool rt_whole_can(const struct abi_tex_call *call, const struct abi_image *image, const struct abi_sampler *sampler)
{
   const uint32_t others = ~(uint32_t)(ABI_TEX_LOD | ABI_TEX_BIAS | ABI_TEX_GRAD | ABI_TEX_SIGNED | ABI_TEX_DREF | ABI_TEX_COMPONENT | ABI_TEX_ARRAYED);
   const uint32_t lanes = (uint32_t)((UINT64_C(1) << call->lanes) - 1);
   const bool is_smooth = sampler->paths[0] == ABI_PATH_LINEAR && (sampler->class == ABI_SAMPLER_CLAMP || sampler->class == ABI_SAMPLER_REPEAT);
   return rt_layout_of(image) && is_smooth && !(call->flags & others) && !(call->lanes & (RT_SIMD_LANES - 1)) && !(~call->mask & lanes) &&
          call->dim == ABI_DIM_2D && image->num_layers == 1;
}
