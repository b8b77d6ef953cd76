/* SPDX-License-Identifier: MIT
 * Culling of triangles. */
#include "runtime/geometry/cull.h"

#include "runtime/raster/lanes.h"

typedef double f64x8 __attribute__((vector_size(64)));
typedef int32_t i32x8 __attribute__((vector_size(32)));

void rt_cull_init(struct rt_cull *cull, const struct rt_context *c, uint32_t outside_codes, uint32_t cutting_codes)
{
   const uint32_t mode = c->state.cull_mode.mode;
   const bool positive_is_front = c->state.front_face.face == VK_FRONT_FACE_CLOCKWISE;
   *cull = (struct rt_cull){
      .outside_codes = outside_codes,
      .cutting_codes = cutting_codes,
      .has_window = c->viewport_row < 0 && !c->statistics, /* statistics count what is not clipped, culled or not */
      .has_bounds = c->state.polygon_mode.mode == VK_POLYGON_MODE_FILL,
      .keeps_positive = !(mode & (positive_is_front ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT)),
      .keeps_negative = !(mode & (positive_is_front ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT)),
      .lo = c->num_samples > 1 ? 0 : 127,
      .hi = c->num_samples > 1 ? 0 : -128,
      .rect = c->viewports.items[0].polygon_rect,
   };
}

RT_INLINE_LANES rt_i32x16 min_i(rt_i32x16 a, rt_i32x16 b)
{
   return rt_select_i(a < b, a, b);
}

RT_INLINE_LANES rt_i32x16 max_i(rt_i32x16 a, rt_i32x16 b)
{
   return rt_select_i(a > b, a, b);
}

RT_INLINE_LANES f64x8 half_of(rt_i32x16 v, uint32_t half)
{
   i32x8 parts[2];
   memcpy(parts, &v, sizeof(v));
   return __builtin_convertvector(parts[half], f64x8);
}

/* Differences have 25 bits, products 50: exact in double, so the sign is. */
RT_INLINE_LANES uint32_t facing(const struct rt_cull *cull, rt_i32x16 x10, rt_i32x16 y10, rt_i32x16 x20, rt_i32x16 y20)
{
   uint32_t positive = 0, negative = 0;
   for (uint32_t h = 0; h < 2; h++) {
      const f64x8 det = half_of(x10, h) * half_of(y20, h) - half_of(x20, h) * half_of(y10, h);
#if defined(__AVX512F__)
      positive |= (uint32_t)_mm512_cmp_pd_mask((__m512d)det, _mm512_setzero_pd(), _CMP_GT_OQ) << (h * 8);
      negative |= (uint32_t)_mm512_cmp_pd_mask((__m512d)det, _mm512_setzero_pd(), _CMP_LT_OQ) << (h * 8);
#else
      for (uint32_t i = 0; i < 8; i++) {
         positive |= (uint32_t)(det[i] > 0) << (h * 8 + i);
         negative |= (uint32_t)(det[i] < 0) << (h * 8 + i);
      }
#endif
   }
   return (cull->keeps_positive ? positive : 0) | (cull->keeps_negative ? negative : 0);
}

RT_INLINE_LANES uint32_t has_samples(const struct rt_cull *cull, rt_i32x16 corners[3][4])
{
   const rt_i32x16 left = (min_i(min_i(corners[0][0], corners[1][0]), corners[2][0]) + cull->lo) >> 8;
   const rt_i32x16 right = ((max_i(max_i(corners[0][0], corners[1][0]), corners[2][0]) + cull->hi) >> 8) + 1;
   const rt_i32x16 top = (min_i(min_i(corners[0][1], corners[1][1]), corners[2][1]) + cull->lo) >> 8;
   const rt_i32x16 bottom = ((max_i(max_i(corners[0][1], corners[1][1]), corners[2][1]) + cull->hi) >> 8) + 1;
   const rt_i32x16 x0 = max_i(left, rt_splat_i(cull->rect.x0)), x1 = min_i(right, rt_splat_i(cull->rect.x1));
   const rt_i32x16 y0 = max_i(top, rt_splat_i(cull->rect.y0)), y1 = min_i(bottom, rt_splat_i(cull->rect.y1));
   return rt_sign_mask((x0 < x1) & (y0 < y1));
}

uint32_t rt_cull_triangles(const struct rt_cull *cull, const struct rt_post *vertices, const uint16_t *corners,
                           uint32_t count)
{
   rt_i32x16 v[3][4]; /* x, y, codes, z */
   for (uint32_t k = 0; k < 3; k++) {
      uint32_t offsets[16];
      for (uint32_t i = 0; i < 16; i++)
         offsets[i] = corners[i * 3 + k] * (uint32_t)sizeof(*vertices);
      rt_gather_records((const uint8_t *)vertices, offsets, v[k]);
   }
   const rt_i32x16 any = v[0][2] | v[1][2] | v[2][2], all = v[0][2] & v[1][2] & v[2][2];
   const uint32_t dropped =
      rt_sign_mask((all & (int32_t)cull->outside_codes) != 0) | rt_sign_mask((any & RT_CODE_BAD) != 0);
   uint32_t left = ~dropped & ((1u << count) - 1);
   if (!cull->has_window || !left)
      return left;
   uint32_t seen = facing(cull, v[1][0] - v[0][0], v[1][1] - v[0][1], v[2][0] - v[0][0], v[2][1] - v[0][1]);
   if (cull->has_bounds)
      seen &= has_samples(cull, v);
   return left & (seen | rt_sign_mask((any & (int32_t)cull->cutting_codes) != 0));
}
