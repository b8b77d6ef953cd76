/* SPDX-License-Identifier: MIT
 * Where attachments show the bits of computed floats: every NaN is the one of compiler/lower/lower_nan.c, since arithmetic leaves sign and
 * payload to the machine. Threads: any. */
#pragma once

#include "runtime/draw/lanes.h"
#include "runtime/fragment/output.h"

/* The attachment's texels are floats. */
static inline bool rt_shows_nan(const struct rt_output *output)
{
   return !output->is_unorm && !output->is_snorm && !output->info->is_int;
}

/* 16 values of each of `count` blocks. */
RT_INLINE_LANES void rt_one_nan_planes(float (*plane)[16], uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const rt_f32x16 v = rt_load_f(plane[i]);
      rt_store_i(plane[i], rt_select_i(v == v, (rt_i32x16)v, rt_splat_i(0x7fc00000)));
   }
}

/* Four channels of 16 texels; `result` may be `planes`. */
RT_INLINE_LANES void rt_one_nan(const float (*planes)[16], float (*result)[16])
{
   for (uint32_t c = 0; c < 4; c++) {
      const rt_f32x16 v = rt_load_f(planes[c]);
      rt_store_i(result[c], rt_select_i(v == v, (rt_i32x16)v, rt_splat_i(0x7fc00000)));
   }
}
