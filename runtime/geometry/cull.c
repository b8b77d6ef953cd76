/* SPDX-License-Identifier: MIT
 * Culling of triangles. */
#include "runtime/geometry/cull.h"

#include "runtime/draw/primitive.h"

#include "runtime/draw/lanes.h"

typedef double f64x8 __attribute__((vector_size(64)));
typedef int32_t i32x8 __attribute__((vector_size(32)));

void rt_cull_init(struct rt_cull *cull, const struct rt_draw *draw, uint32_t outside_codes, uint32_t cutting_codes)
{
   const struct rt_context *c = draw->context;
   const uint32_t mode = c->state.cull_mode.mode;
   const bool positive_is_front = c->state.front_face.face == VK_FRONT_FACE_CLOCKWISE;
   *cull = (struct rt_cull){
      .outside_codes = outside_codes,
      .cutting_codes = cutting_codes,
      .has_window = !c->chooses_viewport && !c->statistics, /* statistics count what is not clipped, culled or not */
      .has_bounds = c->state.polygon_mode.mode == VK_POLYGON_MODE_FILL,
      .keeps_positive = !(mode & (positive_is_front ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT)),
      .keeps_negative = !(mode & (positive_is_front ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT)),
      .lo = c->num_samples > 1 ? 0 : 127,
      .hi = c->num_samples > 1 ? 0 : -128,
      .rect = draw->viewports->items[0].polygon_rect,
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
#if defined(__AVX512F__)
   return (f64x8)_mm512_cvtepi32_pd(half ? _mm512_extracti64x4_epi64((__m512i)v, 1)
                                         : _mm512_castsi512_si256((__m512i)v));
#else
   i32x8 parts[2];
   memcpy(parts, &v, sizeof(v));
   return __builtin_convertvector(parts[half], f64x8);
#endif
}

struct signs {
   uint32_t positive, negative;
};

/* Differences have 25 bits, products 50: exact in double, so the sign is. */
RT_INLINE_LANES struct signs determinants(rt_i32x16 corners[3][2])
{
   const rt_i32x16 x10 = corners[1][0] - corners[0][0], y10 = corners[1][1] - corners[0][1];
   const rt_i32x16 x20 = corners[2][0] - corners[0][0], y20 = corners[2][1] - corners[0][1];
   struct signs signs = {0, 0};
   for (uint32_t h = 0; h < 2; h++) {
      const f64x8 a = half_of(x10, h) * half_of(y20, h), b = half_of(x20, h) * half_of(y10, h);
#if defined(__AVX512F__)
      signs.positive |= (uint32_t)_mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ) << (h * 8);
      signs.negative |= (uint32_t)_mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ) << (h * 8);
#else
      for (uint32_t i = 0; i < 8; i++) {
         signs.positive |= (uint32_t)(a[i] > b[i]) << (h * 8 + i);
         signs.negative |= (uint32_t)(a[i] < b[i]) << (h * 8 + i);
      }
#endif
   }
   return signs;
}

/* As rt_setup_bounds(), by 16; returns the triangles whose bounds are not empty. */
RT_INLINE_LANES uint32_t find_bounds(const struct rt_cull *cull, rt_i32x16 corners[3][2], struct rt_culled *culled)
{
   const rt_i32x16 x_lo = min_i(min_i(corners[0][0], corners[1][0]), corners[2][0]);
   const rt_i32x16 x_hi = max_i(max_i(corners[0][0], corners[1][0]), corners[2][0]);
   const rt_i32x16 y_lo = min_i(min_i(corners[0][1], corners[1][1]), corners[2][1]);
   const rt_i32x16 y_hi = max_i(max_i(corners[0][1], corners[1][1]), corners[2][1]);
   const rt_i32x16 left = (x_lo + cull->lo) >> 8, right = ((x_hi + cull->hi) >> 8) + 1;
   const rt_i32x16 top = (y_lo + cull->lo) >> 8, bottom = ((y_hi + cull->hi) >> 8) + 1;
   const rt_i32x16 x0 = max_i(left, rt_splat_i(cull->rect.x0)), x1 = min_i(right, rt_splat_i(cull->rect.x1));
   const rt_i32x16 y0 = max_i(top, rt_splat_i(cull->rect.y0)), y1 = min_i(bottom, rt_splat_i(cull->rect.y1));
   const int32_t small = RT_SMALL_TEXELS * 256;
   culled->is_clipped = rt_sign_mask((x0 != left) | (y0 != top) | (x1 != right) | (y1 != bottom));
   culled->is_small = rt_sign_mask((x_hi - x_lo <= small) & (y_hi - y_lo <= small));
   rt_store_i(culled->x0, x0);
   rt_store_i(culled->y0, y0);
   rt_store_i(culled->x1, x1);
   rt_store_i(culled->y1, y1);
   return rt_sign_mask((x0 < x1) & (y0 < y1));
}

/* Drops what codes say; the triangles that wait for a cut are returned. */
static uint32_t test_codes(const struct rt_cull *cull, const struct rt_batch *batch, const uint16_t *corners,
                           struct rt_culled *culled)
{
   if (!(batch->any_codes & (cull->outside_codes | cull->cutting_codes | RT_CODE_BAD)))
      return 0;
   uint32_t cut = 0;
   for (uint32_t i = 0; i < 16; i++) {
      const uint32_t c0 = batch->codes[corners[i * 3]], c1 = batch->codes[corners[i * 3 + 1]],
                     c2 = batch->codes[corners[i * 3 + 2]];
      const bool is_dropped = (c0 & c1 & c2 & cull->outside_codes) || ((c0 | c1 | c2) & RT_CODE_BAD);
      culled->left &= ~((uint32_t)is_dropped << i);
      cut |= (uint32_t)(((c0 | c1 | c2) & cull->cutting_codes) != 0) << i;
   }
   return cut;
}

/* Returns what is left of the 16 triangles whose bits are in `present`, and fills culled if that is anything. */
RT_INLINE_LANES uint32_t cull_group(const struct rt_cull *cull, const struct rt_batch *batch, const uint16_t *corners,
                                    uint32_t present, struct rt_culled *culled)
{
   culled->left = present;
   culled->is_ready = 0;
   const uint32_t cut = test_codes(cull, batch, corners, culled);
   if (!cull->has_window || !culled->left)
      return culled->left;
   rt_i32x16 v[3][2]; /* x, y */
   for (uint32_t k = 0; k < 3; k++)
      rt_gather_pairs(batch->post, sizeof(*batch->post), corners + k, 3, v[k]);
   const struct signs signs = determinants(v);
   uint32_t seen = (cull->keeps_positive ? signs.positive : 0) | (cull->keeps_negative ? signs.negative : 0);
   culled->left &= seen | cut;
   if (!culled->left)
      return 0;
   culled->is_positive = signs.positive;
   if (cull->has_bounds) {
      seen &= find_bounds(cull, v, culled);
      culled->left &= seen | cut;
      culled->is_ready = culled->left & ~cut;
   }
   return culled->left;
}

uint32_t rt_cull_triangles(const struct rt_cull *cull, const struct rt_batch *batch, const uint16_t *corners,
                           uint32_t first, uint32_t count, struct rt_culled *culled)
{
   for (; first < count; first += 16) {
      const uint32_t present = count - first < 16 ? (1u << (count - first)) - 1 : 0xffff;
      if (cull_group(cull, batch, corners + first * 3, present, culled))
         break;
   }
   return first;
}
