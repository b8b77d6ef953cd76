/* SPDX-License-Identifier: MIT
 * Where attachments show the bits of computed floats: every NaN is the one of compiler/lower/lower_nan.c, since arithmetic leaves sign and
 * payload to the machine. Threads: any. */
#pragma once

#include "runtime/fragment/output.h"
#include "runtime/fragment/parts.h"

/* The attachment's texels are floats. */
static inline bool rt_shows_nan(const struct rt_output *output)
{
   return !output->is_unorm && !output->is_snorm && !output->info->is_int;
}

/* A part of a block. */
RT_INLINE_LANES rt_pf rt_one_nan_part(rt_pf v)
{
   return (rt_pf)rt_pi_select(v == v, (rt_pi)v, rt_pi_set(0x7fc00000));
}

/* Four channels of 16 texels; `result` may be `planes`. */
RT_INLINE_LANES void rt_one_nan(const float (*planes)[16], float (*result)[16])
{
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t at = 0; at < 16; at += RT_PART_LANES)
         rt_pf_store(&result[c][at], rt_one_nan_part(rt_pf_load(&planes[c][at])));
}
