/* SPDX-License-Identifier: MIT
 * Advanced blend operations against the formulas of the specification, one texel at a time in double precision. */
#include "runtime/fragment/output.h"
#include "tests/runtime/raster/fixture.h"

#define OP(name) (VK_BLEND_OP_##name##_EXT)

static double lum(const double *c)
{
   return 0.30 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}

static double least(const double *c)
{
   return fmin(c[0], fmin(c[1], c[2]));
}

static double largest(const double *c)
{
   return fmax(c[0], fmax(c[1], c[2]));
}

static void set_lum(const double *base, const double *of, double *r)
{
   for (uint32_t i = 0; i < 3; i++)
      r[i] = base[i] + lum(of) - lum(base);
   const double l = lum(r), low = least(r), high = largest(r);
   for (uint32_t i = 0; low < 0 && i < 3; i++)
      r[i] = l + (r[i] - l) * l / (l - low);
   for (uint32_t i = 0; high > 1 && i < 3; i++)
      r[i] = l + (r[i] - l) * (1 - l) / (high - l);
}

static void set_lum_sat(const double *base, const double *sat, const double *of, double *r)
{
   double color[3] = {0};
   const double range = largest(base) - least(base);
   for (uint32_t i = 0; range > 0 && i < 3; i++)
      color[i] = (base[i] - least(base)) * (largest(sat) - least(sat)) / range;
   set_lum(color, of, r);
}

static double channel(VkBlendOp op, double s, double d)
{
   switch ((int)op) {
   case OP(SRC): case OP(SRC_OVER): case OP(SRC_IN): case OP(SRC_ATOP): return s;
   case OP(DST): case OP(DST_OVER): case OP(DST_IN): case OP(DST_ATOP): return d;
   case OP(MULTIPLY): return s * d;
   case OP(SCREEN): return s + d - s * d;
   case OP(OVERLAY): return d <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
   case OP(DARKEN): return fmin(s, d);
   case OP(LIGHTEN): return fmax(s, d);
   case OP(COLORDODGE): return d <= 0 ? 0 : s < 1 ? fmin(1, d / (1 - s)) : 1;
   case OP(COLORBURN): return d >= 1 ? 1 : s > 0 ? 1 - fmin(1, (1 - d) / s) : 0;
   case OP(HARDLIGHT): return s <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
   case OP(SOFTLIGHT):
      return s <= 0.5 ? d - (1 - 2 * s) * d * (1 - d)
             : d <= 0.25 ? d + (2 * s - 1) * d * ((16 * d - 12) * d + 3) : d + (2 * s - 1) * (sqrt(d) - d);
   case OP(DIFFERENCE): return fabs(d - s);
   case OP(EXCLUSION): return s + d - 2 * s * d;
   case OP(INVERT): return 1 - d;
   case OP(INVERT_RGB): return s * (1 - d);
   case OP(LINEARDODGE): return s + d <= 1 ? s + d : 1;
   case OP(LINEARBURN): return s + d > 1 ? s + d - 1 : 0;
   case OP(VIVIDLIGHT): return s <= 0 ? 0 : s < 0.5 ? 1 - fmin(1, (1 - d) / (2 * s)) : s < 1 ? fmin(1, d / (2 * (1 - s))) : 1;
   case OP(LINEARLIGHT): return 2 * s + d > 2 ? 1 : 2 * s + d > 1 ? 2 * s + d - 1 : 0;
   case OP(PINLIGHT): return 2 * s - 1 > d ? (s < 0.5 ? 0 : 2 * s - 1) : (s < 0.5 * d ? 2 * s : d);
   case OP(HARDMIX): return s + d < 1 - 0.5 / 255 ? 0 : 1;
   default: return 0;
   }
}

/* X, Y and Z as bits 0, 1 and 2. */
static uint32_t coefficients(VkBlendOp op)
{
   switch ((int)op) {
   case OP(ZERO): return 0;
   case OP(SRC): case OP(DST_ATOP): return 3;
   case OP(DST): case OP(SRC_ATOP): case OP(INVERT): case OP(INVERT_RGB): return 5;
   case OP(SRC_IN): case OP(DST_IN): return 1;
   case OP(SRC_OUT): return 2;
   case OP(DST_OUT): return 4;
   case OP(XOR): return 6;
   default: return 7;
   }
}

static void combined(VkBlendOp op, VkBlendOverlapEXT overlap, const double *s, const double *d, double *r)
{
   const double a = s[3], b = d[3];
   const double weights[3][3] = {{a * b, a * (1 - b), b * (1 - a)},
                                 {fmax(a + b - 1, 0), fmin(a, 1 - b), fmin(b, 1 - a)},
                                 {fmin(a, b), fmax(a - b, 0), fmax(b - a, 0)}};
   const double *p = weights[overlap];
   const uint32_t xyz = coefficients(op);
   double f[3];
   for (uint32_t i = 0; i < 3; i++)
      f[i] = channel(op, s[i], d[i]);
   if (op == OP(HSL_HUE))
      set_lum_sat(s, d, d, f);
   else if (op == OP(HSL_SATURATION))
      set_lum_sat(d, s, d, f);
   else if (op == OP(HSL_COLOR))
      set_lum(s, d, f);
   else if (op == OP(HSL_LUMINOSITY))
      set_lum(d, s, f);
   for (uint32_t i = 0; i < 3; i++)
      r[i] = f[i] * p[0] + (xyz >> 1 & 1) * s[i] * p[1] + (xyz >> 2 & 1) * d[i] * p[2];
   r[3] = (xyz & 1) * p[0] + (xyz >> 1 & 1) * p[1] + (xyz >> 2 & 1) * p[2];
}

static void premultiplied(VkBlendOp op, const double *s, const double *d, double *r)
{
   const double a = s[3], b = d[3];
   for (uint32_t i = 0; i < 3; i++) {
      const double x = s[i], y = d[i];
      switch ((int)op) {
      case OP(PLUS): r[i] = x + y; break;
      case OP(PLUS_CLAMPED): r[i] = fmin(1, x + y); break;
      case OP(PLUS_CLAMPED_ALPHA): r[i] = fmin(fmin(1, a + b), x + y); break;
      case OP(PLUS_DARKER): r[i] = fmax(0, fmin(1, a + b) - ((a - x) + (b - y))); break;
      case OP(MINUS): r[i] = y - x; break;
      case OP(MINUS_CLAMPED): r[i] = fmax(0, y - x); break;
      case OP(CONTRAST): r[i] = b / 2 + 2 * (y - b / 2) * (x - a / 2); break;
      case OP(INVERT_OVG): r[i] = a * (1 - y) + (1 - a) * y; break;
      default: r[i] = i == (uint32_t)op - OP(RED) ? x : y; break;
      }
   }
   switch ((int)op) {
   case OP(PLUS): r[3] = a + b; break;
   case OP(PLUS_CLAMPED): case OP(PLUS_CLAMPED_ALPHA): case OP(PLUS_DARKER): r[3] = fmin(1, a + b); break;
   case OP(MINUS): r[3] = b - a; break;
   case OP(MINUS_CLAMPED): r[3] = fmax(0, b - a); break;
   case OP(INVERT_OVG): r[3] = a + b - a * b; break;
   default: r[3] = b; break;
   }
}

/* Colours are stored as `state` says; alphas are not 0. */
static void expect(const struct rt_blend_advanced *state, const float *src, const float *dst, double *r)
{
   const VkBlendOp op = (VkBlendOp)(VK_BLEND_OP_ZERO_EXT + state->op - 1);
   double s[4], d[4];
   for (uint32_t i = 0; i < 4; i++) {
      s[i] = (double)src[i];
      d[i] = (double)dst[i];
   }
   const bool is_combined = op < OP(PLUS);
   for (uint32_t i = 0; i < 3; i++) {
      s[i] *= is_combined && !state->is_src_straight ? 1 / s[3] : !is_combined && state->is_src_straight ? s[3] : 1;
      d[i] *= is_combined && !state->is_dst_straight ? 1 / d[3] : !is_combined && state->is_dst_straight ? d[3] : 1;
   }
   if (is_combined)
      combined(op, (VkBlendOverlapEXT)state->overlap, s, d, r);
   else
      premultiplied(op, s, d, r);
   for (uint32_t i = 0; state->is_dst_straight && i < 3; i++)
      r[i] = r[3] ? r[i] / r[3] : 0;
   for (uint32_t i = 0; state->clamps && i < 4; i++)
      r[i] = fmin(fmax(r[i], 0), 1);
}

static const float alphas[] = {0.125f, 0.375f, 0.75f, 1.0f};
static const float levels[] = {0.0f, 0.0625f, 0.3125f, 0.5625f, 0.6875f, 0.9375f, 1.0f};

/* 16 pairs of colours; base colours lie in [0, 1], none at a step of a formula. */
static void fill(uint32_t seed, const struct rt_blend_advanced *state, float (*src)[16], float (*dst)[16])
{
   for (uint32_t k = 0; k < 16; k++) {
      src[3][k] = alphas[k & 3];
      dst[3][k] = alphas[k >> 2];
      for (uint32_t i = 0; i < 3; i++) {
         src[i][k] = levels[(fixture_random(&seed) >> 9) % 7] * (state->is_src_straight ? 1 : src[3][k]);
         dst[i][k] = levels[(fixture_random(&seed) >> 9) % 7] * 0.984375f * (state->is_dst_straight ? 1 : dst[3][k]);
      }
   }
}

static uint32_t count_wrong(const struct rt_blend_advanced *state, uint32_t seed)
{
   float src[4][16], dst[4][16], result[4][16];
   uint32_t wrong = 0;
   fill(seed, state, src, dst);
   const struct rt_output output = {.info = rt_format_info(VK_FORMAT_R32G32B32A32_SFLOAT), .advanced = *state};
   rt_blend_block(&output, (const float(*)[16])src, NULL, (const float(*)[16])dst, result);
   for (uint32_t k = 0; k < 16; k++) {
      const float s[4] = {src[0][k], src[1][k], src[2][k], src[3][k]}, d[4] = {dst[0][k], dst[1][k], dst[2][k], dst[3][k]};
      double r[4];
      expect(state, s, d, r);
      for (uint32_t i = 0; i < 4; i++)
         if (!(fabs((double)result[i][k] - r[i]) <= 2e-5 * fmax(1, fabs(r[i])))) {
            fprintf(stderr, "operation %u, overlap %u: channel %u is %g, not %g (%g %g %g %g over %g %g %g %g)\n", state->op, state->overlap,
                    i, (double)result[i][k], r[i], (double)s[0], (double)s[1], (double)s[2], (double)s[3], (double)d[0], (double)d[1],
                    (double)d[2], (double)d[3]);
            wrong++;
         }
   }
   return wrong;
}

TEST(formulas)
{
   uint32_t wrong = 0;
   for (uint32_t op = OP(ZERO); op <= OP(BLUE); op++)
      for (uint32_t variant = 0; variant < 24; variant++) {
         const struct rt_blend_advanced state = {
            .op = (uint8_t)(op - OP(ZERO) + 1),
            .overlap = (uint8_t)(variant % 3),
            .is_src_straight = variant / 3 & 1,
            .is_dst_straight = variant / 6 & 1,
            .clamps = variant / 12 & 1,
         };
         for (uint32_t seed = 1; seed < 5; seed++)
            wrong += count_wrong(&state, seed * 1000 + op % 1000);
      }
   CHECK_EQ(wrong, 0);
}

/* Nothing there is nothing, and what is ill-formed harms nobody else. */
TEST(alpha_zero)
{
   const float src[4][16] = {{0}}, dst[4][16] = {{0, 0.5f}, {0}, {0}, {0, 0.5f}};
   for (uint32_t op = OP(ZERO); op <= OP(BLUE); op++) {
      const struct rt_output output = {.info = rt_format_info(VK_FORMAT_R32G32B32A32_SFLOAT),
                                       .advanced = {.op = (uint8_t)(op - OP(ZERO) + 1)}};
      float result[4][16];
      rt_blend_block(&output, src, NULL, dst, result);
      for (uint32_t i = 0; i < 4; i++)
         CHECK(result[i][0] == 0 && result[i][1] >= 0 && result[i][1] <= 1);
   }
}

/* Through a draw: the run of blocks gives what single blocks do, and formats clamp. */
TEST(draws)
{
   struct fixture f;
   struct fixture_image color;
   static const struct fixture_vertex v[3] = {
      {{-1, -1, 0.5f, 1}, {0.5f, 0.25f, 0, 0.5f}}, {{3, -1, 0.5f, 1}, {0.5f, 0.25f, 0, 0.5f}}, {{-1, 3, 0.5f, 1}, {0.5f, 0.25f, 0, 0.5f}}};
   for (uint32_t is_tiled = 0; is_tiled < 2; is_tiled++) {
      fixture_init(&f, 0);
      fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 1, 1, is_tiled);
      fixture_target(&f, &color, NULL);
      f.begin.colors[0].clear.color = (VkClearColorValue){.float32 = {1, 0, 0.6f, 0.8f}};
      f.state.blend_enable.enable[0] = 1;
      f.state.blend_advanced.attachments[0].op = OP(PLUS) - OP(ZERO) + 1;
      fixture_render(&f, v, 3);
      const uint8_t *t = fixture_texel(&color, 6, 1, 0, 0);
      CHECK(t[0] == 255 && t[1] == 64 && t[2] == 153 && t[3] == 255);
      fixture_image_finish(&color);
      fixture_finish(&f);
   }
}
TEST_MAIN
