/* SPDX-License-Identifier: MIT
 * Inside of fast.c: level of detail of a vector of lanes, with the arithmetic of lod.c.
 * Spec: Image Operations, "Scale Factor Operation", "LOD Operation". */
#pragma once

#include "runtime/texture/fast.h"

/* Whether lanes may be on other levels than the base. */
RT_SIMD bool rt_fast_has_levels(const struct abi_tex_call *call, const struct abi_image *image, const struct abi_sampler *sampler)
{
   return image->num_levels > 1 && !(call->is_base_lod && sampler->keeps_base_lod && image->min_lod <= 0.0f);
}

RT_SIMD bool rt_fast_has_derivatives(const struct abi_tex_call *call)
{
   return !(call->flags & ABI_TEX_LOD) && (call->quad_size == 4 || call->flags & ABI_TEX_GRAD);
}

/* As log2_of() in lod.c. */
RT_SIMD rt_vf rt_fast_log2(rt_vf value)
{
   rt_vi bits = (rt_vi)value;
   const rt_vi exponent = (bits - 0x3f3504f3) >> 23;
   bits -= (rt_vi)((rt_vu)exponent << 23);
   const rt_vf x = (rt_vf)bits - 1.0f, x2 = x * x;
   const rt_vf high = (0.479925573f + x * -0.366925771f) + x2 * (0.316898187f + x * -0.202289264f);
   return rt_vf_from(exponent) + x * ((1.44270044f + x * -0.721195752f) + x2 * high);
}

/* log2 of the square root; zero and infinity are taken for the least and the largest normal numbers. */
RT_SIMD rt_vf rt_fast_half_log2(rt_vf square)
{
   return 0.5f * rt_fast_log2(rt_vf_clamp(square, 0x1p-126f, 0x1p126f));
}

/* Lane 1 or 2 of each quad less its first, the same in all four lanes. */
RT_SIMD rt_vf rt_fast_quad_difference(rt_vf v, uint32_t lane)
{
   rt_vf a = v, b = v;
#if RT_TEX_LEVEL >= 3
   a = (rt_vf)RT_V(permute_ps)((rt_raw_f)v, 0x00);
   b = (rt_vf)(lane == 1 ? RT_V(permute_ps)((rt_raw_f)v, 0x55) : RT_V(permute_ps)((rt_raw_f)v, 0xaa));
#else
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++) {
      a[i] = v[i & ~3u];
      b[i] = v[(i & ~3u) + lane];
   }
#endif
   return b - a;
}

/* Squares of the footprint's edges in texels of the base level, and the edges as vectors in coordinates. */
struct rt_fast_footprint {
   rt_vf dx[3], dy[3], rho_x2, rho_y2;
};

RT_SIMD void rt_fast_find_footprint(const struct rt_fast *fast, const struct abi_tex_call *call,
                                    struct rt_fast_footprint *f)
{
   const struct abi_level *level = &fast->image->levels[0];
   const uint32_t sizes[3] = {level->width, level->height, level->depth};
   const bool is_given = call->flags & ABI_TEX_GRAD;
   f->rho_x2 = f->rho_y2 = rt_vf_set(0);
   for (uint32_t a = 0; a < fast->num_axes; a++) {
      if (fast->has_edges) {
         f->dx[a] = fast->dx[a];
         f->dy[a] = fast->dy[a];
      } else if (is_given) {
         f->dx[a] = rt_vf_load(call->ddx[a] + fast->first, fast->lanes);
         f->dy[a] = rt_vf_load(call->ddy[a] + fast->first, fast->lanes);
      } else {
         f->dx[a] = rt_fast_quad_difference(fast->coord[a], 1);
         f->dy[a] = rt_fast_quad_difference(fast->coord[a], 2);
      }
      const rt_vf dx = f->dx[a] * (float)sizes[a], dy = f->dy[a] * (float)sizes[a];
      f->rho_x2 += dx * dx;
      f->rho_y2 += dy * dy;
   }
}

/* Whether all lanes' footprints are at most one texel of the base level across, which then is what they sample: no logarithm is needed. Where the
 * squares are at most 1, so that rt_fast_log2() is at most 0. */
RT_SIMD bool rt_fast_is_magnified(const struct rt_fast *fast, const struct abi_tex_call *call, const struct rt_fast_footprint *f)
{
   return fast->sampler->keeps_base_lod && fast->image->min_lod <= 0.0f && !(call->flags & (ABI_TEX_BIAS | ABI_TEX_MIN_LOD)) &&
          rt_vf_all_within(f->rho_x2, 1.0f, fast->mask) && rt_vf_all_within(f->rho_y2, 1.0f, fast->mask);
}

/* Samples along the longer edge of a footprint, as spread_samples() in lod.c chooses them. */
struct rt_fast_spread {
   rt_vf count, step, major[2];
   uint32_t max; /* of the mask's lanes */
};

RT_SIMD rt_vf rt_fast_find_spread(const struct rt_fast *fast, const struct rt_fast_footprint *f,
                                  struct rt_fast_spread *spread)
{
   const rt_vi is_x = (rt_vi)(f->rho_x2 > f->rho_y2);
   const rt_vf major2 = rt_vf_clamp(rt_vf_select(is_x, f->rho_x2, f->rho_y2), 0x1p-126f, 0x1p126f);
   const rt_vf minor2 = rt_vf_clamp(rt_vf_select(is_x, f->rho_y2, f->rho_x2), 0x1p-126f, 0x1p126f);
   const rt_vf ratio = rt_vf_sqrt(major2 / minor2);
   const float limit = fast->sampler->max_anisotropy;
   const rt_vf eta = rt_vf_clamp(ratio, 1.0f, limit);
   spread->count = -rt_vf_floor(-rt_vf_clamp(rt_vf_min(ratio, rt_vf_sqrt(major2)) - RT_ETA_SLACK, 1.0f, limit));
   spread->step = 1.0f / (spread->count + 1.0f);
   /* One sample is at the centre, whatever the footprint is: also where others have more. */
   const rt_vi is_long = (rt_vi)(spread->count > rt_vf_set(1));
   for (uint32_t a = 0; a < 2; a++)
      spread->major[a] = (rt_vf)((rt_vi)rt_vf_select(is_x, f->dx[a], f->dy[a]) & is_long);
   spread->max = 1;
   while (rt_vi_mask((rt_vi)(spread->count > rt_vf_set((float)spread->max))) & fast->mask)
      spread->max++;
   return rt_fast_half_log2(major2 / (eta * eta));
}

/* lambda, and the level d' of a level of detail before bias and limits. */
RT_SIMD void rt_fast_limit_lod(const struct rt_fast *fast, const struct abi_tex_call *call, rt_vf base,
                               rt_vf *lambda, rt_vf *level)
{
   const struct abi_sampler *sampler = fast->sampler;
   const float last = (float)(fast->image->num_levels - 1), view_min = fast->image->min_lod;
   rt_vf bias = rt_vf_set(sampler->lod_bias); /* within the limits: by rt_sampler_finish() */
   if (call->flags & ABI_TEX_BIAS)
      bias = rt_vf_clamp(bias + rt_vf_load(call->lod + fast->first, fast->lanes), -RT_MAX_LOD_BIAS, RT_MAX_LOD_BIAS);
   const rt_vf prime = base + bias;
   if (UTIL_UNLIKELY(call->flags & ABI_TEX_MIN_LOD)) { /* as rt_clampf(): the lower limit is that of each lane */
      const rt_vf shader_min = rt_vf_load(call->min_lod + fast->first, fast->lanes), own_min = rt_vf_set(sampler->min_lod);
      const rt_vf min = rt_vf_select((rt_vi)(own_min > shader_min), own_min, shader_min);
      *lambda = rt_vf_min(rt_vf_max(prime, min), rt_vf_set(sampler->max_lod));
   } else {
      *lambda = rt_vf_clamp(prime, sampler->min_lod, sampler->max_lod);
   }
   *level = rt_vf_clamp(*lambda, 0.0f, last);
   if (UTIL_UNLIKELY(view_min > 0.0f))
      *level = rt_vf_max(*level, rt_vf_set(view_min < last ? view_min : last));
}

/* Found by counting, not by arithmetic: processors guess how far and read texels while the level of detail is still
 * being computed. */
RT_SIMD const struct abi_level *rt_fast_level_at(const struct abi_image *image, int32_t number)
{
   const struct abi_level *level = image->levels;
   for (; number > 0; number--) {
      level++;
      __asm__("" : "+r"(level)); /* keeps the compiler from computing it */
   }
   return level;
}
