/* SPDX-License-Identifier: MIT
 * Advanced blend operations: whole equations of source and destination. One loop an operation; what does not depend on it (overlap,
 * premultiplication) is decided inside. Spec: The Framebuffer, "Advanced Blend Operations". Threads: any. */
#include "runtime/fragment/output.h"
#include "runtime/fragment/parts.h"

#include "util/macros.h"

typedef rt_pf lanes;

struct rgb {
   lanes c[3];
};

RT_INLINE_LANES lanes splat(float v)
{
   return rt_pf_set(v);
}

RT_INLINE_LANES lanes pick(rt_pi mask, lanes a, lanes b)
{
   return rt_pf_select(mask, a, b);
}

/* value / by; 0 where `by` is. */
RT_INLINE_LANES lanes divide(lanes value, lanes by)
{
   return pick(by == splat(0), splat(0), value / by);
}

/* ---- f(Cs, Cd) of one channel ---- */

RT_INLINE_LANES lanes f_none(lanes s, lanes d)
{
   return splat(0);
}

RT_INLINE_LANES lanes f_src(lanes s, lanes d)
{
   return s;
}

RT_INLINE_LANES lanes f_dst(lanes s, lanes d)
{
   return d;
}

RT_INLINE_LANES lanes f_multiply(lanes s, lanes d)
{
   return s * d;
}

RT_INLINE_LANES lanes f_screen(lanes s, lanes d)
{
   return s + d - s * d;
}

RT_INLINE_LANES lanes f_hardlight(lanes s, lanes d)
{
   const lanes dark = splat(2) * s * d, light = splat(1) - splat(2) * (splat(1) - s) * (splat(1) - d);
   return pick(s <= splat(0.5f), dark, light);
}

RT_INLINE_LANES lanes f_overlay(lanes s, lanes d)
{
   return f_hardlight(d, s);
}

RT_INLINE_LANES lanes f_darken(lanes s, lanes d)
{
   return rt_pf_min(s, d);
}

RT_INLINE_LANES lanes f_lighten(lanes s, lanes d)
{
   return rt_pf_max(s, d);
}

RT_INLINE_LANES lanes f_colordodge(lanes s, lanes d)
{
   const lanes quotient = rt_pf_min(d / (splat(1) - s), splat(1));
   return pick(d <= splat(0), splat(0), pick(s < splat(1), quotient, splat(1)));
}

RT_INLINE_LANES lanes f_colorburn(lanes s, lanes d)
{
   const lanes quotient = rt_pf_min((splat(1) - d) / s, splat(1));
   return pick(d >= splat(1), splat(1), pick(s > splat(0), splat(1) - quotient, splat(0)));
}

RT_INLINE_LANES lanes f_softlight(lanes s, lanes d)
{
   const lanes twice = splat(2) * s - splat(1);
   const lanes dark = d + twice * d * (splat(1) - d);
   const lanes light_of_dark = d + twice * d * ((splat(16) * d - splat(12)) * d + splat(3));
   const lanes light = d + twice * (rt_pf_sqrt(d) - d);
   return pick(s <= splat(0.5f), dark, pick(d <= splat(0.25f), light_of_dark, light));
}

RT_INLINE_LANES lanes f_difference(lanes s, lanes d)
{
   return (lanes)((rt_pi)(d - s) & 0x7fffffff);
}

RT_INLINE_LANES lanes f_exclusion(lanes s, lanes d)
{
   return s + d - splat(2) * s * d;
}

RT_INLINE_LANES lanes f_invert(lanes s, lanes d)
{
   return splat(1) - d;
}

RT_INLINE_LANES lanes f_invert_rgb(lanes s, lanes d)
{
   return s * (splat(1) - d);
}

RT_INLINE_LANES lanes f_lineardodge(lanes s, lanes d)
{
   return rt_pf_min(s + d, splat(1));
}

RT_INLINE_LANES lanes f_linearburn(lanes s, lanes d)
{
   return rt_pf_max(s + d - splat(1), splat(0));
}

RT_INLINE_LANES lanes f_vividlight(lanes s, lanes d)
{
   const lanes dark = splat(1) - rt_pf_min((splat(1) - d) / (splat(2) * s), splat(1));
   const lanes light = rt_pf_min(d / (splat(2) * (splat(1) - s)), splat(1));
   const lanes inside = pick(s < splat(0.5f), dark, light);
   return pick(s <= splat(0), splat(0), pick(s >= splat(1), splat(1), inside));
}

RT_INLINE_LANES lanes f_linearlight(lanes s, lanes d)
{
   return rt_pf_clamp(splat(2) * s + d - splat(1), 0.0f, 1.0f);
}

RT_INLINE_LANES lanes f_pinlight(lanes s, lanes d)
{
   const lanes low = splat(2) * s - splat(1);
   const lanes above = pick(s < splat(0.5f), splat(0), low);
   const lanes below = pick(s < splat(0.5f) * d, splat(2) * s, d);
   return pick(low > d, above, below);
}

/* A sum that 8 bits cannot distinguish from 1 counts as 1: what is stored is rounded, 0.75 to 191 / 255. So expects dEQP-VK, with 0.25 + 0.75. */
RT_INLINE_LANES lanes f_hardmix(lanes s, lanes d)
{
   return pick(s + d < splat(1 - 0.5f / 255), splat(0), splat(1));
}

/* ---- hue, saturation, luminosity ---- */

RT_INLINE_LANES lanes least(const struct rgb *v)
{
   return rt_pf_min(rt_pf_min(v->c[0], v->c[1]), v->c[2]);
}

RT_INLINE_LANES lanes largest(const struct rgb *v)
{
   return rt_pf_max(rt_pf_max(v->c[0], v->c[1]), v->c[2]);
}

RT_INLINE_LANES lanes luminosity(const struct rgb *v)
{
   return v->c[0] * splat(0.30f) + v->c[1] * splat(0.59f) + v->c[2] * splat(0.11f);
}

/* Pulls what lies outside of [0, 1] towards the luminosity, which stays. */
RT_INLINE_LANES struct rgb clip_color(struct rgb v)
{
   const lanes lum = luminosity(&v), low = least(&v), high = largest(&v);
   for (uint32_t i = 0; i < 3; i++) {
      const lanes raised = lum + ((v.c[i] - lum) * lum) / (lum - low);
      v.c[i] = pick(low < splat(0), raised, v.c[i]);
      const lanes lowered = lum + ((v.c[i] - lum) * (splat(1) - lum)) / (high - lum);
      v.c[i] = pick(high > splat(1), lowered, v.c[i]);
   }
   return v;
}

RT_INLINE_LANES struct rgb with_luminosity(struct rgb v, const struct rgb *of)
{
   const lanes more = luminosity(of) - luminosity(&v);
   for (uint32_t i = 0; i < 3; i++)
      v.c[i] += more;
   return clip_color(v);
}

RT_INLINE_LANES struct rgb with_saturation(struct rgb v, const struct rgb *of)
{
   const lanes low = least(&v), range = largest(&v) - low, wanted = largest(of) - least(of);
   for (uint32_t i = 0; i < 3; i++)
      v.c[i] = pick(range > splat(0), (v.c[i] - low) * wanted / range, splat(0));
   return v;
}

RT_INLINE_LANES struct rgb f_hsl_hue(const struct rgb *s, const struct rgb *d)
{
   return with_luminosity(with_saturation(*s, d), d);
}

RT_INLINE_LANES struct rgb f_hsl_saturation(const struct rgb *s, const struct rgb *d)
{
   return with_luminosity(with_saturation(*d, s), d);
}

RT_INLINE_LANES struct rgb f_hsl_color(const struct rgb *s, const struct rgb *d)
{
   return with_luminosity(*s, d);
}

RT_INLINE_LANES struct rgb f_hsl_luminosity(const struct rgb *s, const struct rgb *d)
{
   return with_luminosity(*d, s);
}

/* ---- the two families ---- */

/* Colours without alpha in them ("base colours"), or with. */
RT_INLINE_LANES void straighten(struct rgb *v, lanes alpha, bool is_straight)
{
   for (uint32_t i = 0; !is_straight && i < 3; i++)
      v->c[i] = divide(v->c[i], alpha);
}

RT_INLINE_LANES void premultiply(struct rgb *v, lanes alpha, bool is_straight)
{
   for (uint32_t i = 0; is_straight && i < 3; i++)
      v->c[i] *= alpha;
}

/* Shares of the texel that both cover, the source alone, the destination alone. */
RT_INLINE_LANES void find_weights(VkBlendOverlapEXT overlap, lanes s, lanes d, lanes p[3])
{
   const lanes zero = splat(0), one = splat(1);
   if (overlap == VK_BLEND_OVERLAP_CONJOINT_EXT) {
      p[0] = rt_pf_min(s, d);
      p[1] = rt_pf_max(s - d, zero);
      p[2] = rt_pf_max(d - s, zero);
   } else if (overlap == VK_BLEND_OVERLAP_DISJOINT_EXT) {
      p[0] = rt_pf_max(s + d - one, zero);
      p[1] = rt_pf_min(s, one - d);
      p[2] = rt_pf_min(d, one - s);
   } else {
      p[0] = s * d;
      p[1] = s * (one - d);
      p[2] = d * (one - s);
   }
}

struct texels {
   struct rgb s, d; /* d becomes the result, premultiplied */
   lanes sa, da;
};

/* `both`: f; x, y and z are constants. */
RT_INLINE_LANES void combine(const struct rt_blend_advanced *b, struct texels *t, const struct rgb *both, bool x, bool y, bool z)
{
   lanes p[3];
   find_weights((VkBlendOverlapEXT)b->overlap, t->sa, t->da, p);
   for (uint32_t i = 0; i < 3; i++) {
      lanes sum = both->c[i] * p[0];
      sum = y ? sum + t->s.c[i] * p[1] : sum;
      t->d.c[i] = z ? sum + t->d.c[i] * p[2] : sum;
   }
   lanes alpha = x ? p[0] : splat(0);
   alpha = y ? alpha + p[1] : alpha;
   t->da = z ? alpha + p[2] : alpha;
}

/* The rest works on premultiplied colours and says its own alpha. */

RT_INLINE_LANES void g_plus(struct texels *t)
{
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] += t->s.c[i];
   t->da += t->sa;
}

RT_INLINE_LANES void g_plus_clamped(struct texels *t)
{
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] = rt_pf_min(t->s.c[i] + t->d.c[i], splat(1));
   t->da = rt_pf_min(t->sa + t->da, splat(1));
}

RT_INLINE_LANES void g_plus_clamped_alpha(struct texels *t)
{
   t->da = rt_pf_min(t->sa + t->da, splat(1));
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] = rt_pf_min(t->s.c[i] + t->d.c[i], t->da);
}

RT_INLINE_LANES void g_plus_darker(struct texels *t)
{
   const lanes alpha = rt_pf_min(t->sa + t->da, splat(1));
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] = rt_pf_max(alpha - ((t->sa - t->s.c[i]) + (t->da - t->d.c[i])), splat(0));
   t->da = alpha;
}

RT_INLINE_LANES void g_minus(struct texels *t)
{
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] -= t->s.c[i];
   t->da -= t->sa;
}

RT_INLINE_LANES void g_minus_clamped(struct texels *t)
{
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] = rt_pf_max(t->d.c[i] - t->s.c[i], splat(0));
   t->da = rt_pf_max(t->da - t->sa, splat(0));
}

RT_INLINE_LANES void g_contrast(struct texels *t)
{
   const lanes half = t->da * splat(0.5f);
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] = half + splat(2) * (t->d.c[i] - half) * (t->s.c[i] - t->sa * splat(0.5f));
}

RT_INLINE_LANES void g_invert_ovg(struct texels *t)
{
   for (uint32_t i = 0; i < 3; i++)
      t->d.c[i] = t->sa * (splat(1) - t->d.c[i]) + (splat(1) - t->sa) * t->d.c[i];
   t->da = t->sa + t->da - t->sa * t->da;
}

RT_INLINE_LANES void g_red(struct texels *t)
{
   t->d.c[0] = t->s.c[0];
}

RT_INLINE_LANES void g_green(struct texels *t)
{
   t->d.c[1] = t->s.c[1];
}

RT_INLINE_LANES void g_blue(struct texels *t)
{
   t->d.c[2] = t->s.c[2];
}

/* ---- runs ---- */

RT_INLINE_LANES void load(const struct rt_advanced_operands *o, uint32_t block, uint32_t at, struct texels *t)
{
   const float(*src)[16] = (const float(*)[16])(const void *)(o->src + block * o->src_stride_bytes);
   for (uint32_t i = 0; i < 3; i++) {
      t->s.c[i] = rt_pf_load(&src[i][at]);
      t->d.c[i] = rt_pf_load(&o->dst[i][block][at]);
   }
   t->sa = rt_pf_load(&src[3][at]);
   t->da = rt_pf_load(&o->dst[3][block][at]);
}

RT_INLINE_LANES void store(const struct rt_blend_advanced *b, const struct rt_advanced_operands *o, uint32_t block, uint32_t at, struct texels *t)
{
   for (uint32_t i = 0; b->is_dst_straight && i < 3; i++)
      t->d.c[i] = divide(t->d.c[i], t->da);
   for (uint32_t i = 0; i < 4; i++) {
      const lanes v = i < 3 ? t->d.c[i] : t->da;
      rt_pf_store(&o->dst[i][block][at], b->clamps ? rt_pf_clamp(v, 0.0f, 1.0f) : v);
   }
}

/* Part by part of each block: what a loop over these has live fits into registers. */
#define EACH_PART(o, block, at)                                                                                        \
   for (uint32_t block = 0; block < (o)->num_blocks; block++)                                                          \
      for (uint32_t at = 0; at < 16; at += RT_PART_LANES)

typedef void advanced_fn(const struct rt_blend_advanced *b, const struct rt_advanced_operands *o);

/* X(operation, of one channel, X, Y, Z) */
#define CHANNEL_OPERATIONS(X)                                                                                          \
   X(ZERO, none, 0, 0, 0)                                                                                              \
   X(SRC, src, 1, 1, 0)                                                                                                \
   X(DST, dst, 1, 0, 1)                                                                                                \
   X(SRC_OVER, src, 1, 1, 1)                                                                                           \
   X(DST_OVER, dst, 1, 1, 1)                                                                                           \
   X(SRC_IN, src, 1, 0, 0)                                                                                             \
   X(DST_IN, dst, 1, 0, 0)                                                                                             \
   X(SRC_OUT, none, 0, 1, 0)                                                                                           \
   X(DST_OUT, none, 0, 0, 1)                                                                                           \
   X(SRC_ATOP, src, 1, 0, 1)                                                                                           \
   X(DST_ATOP, dst, 1, 1, 0)                                                                                           \
   X(XOR, none, 0, 1, 1)                                                                                               \
   X(MULTIPLY, multiply, 1, 1, 1)                                                                                      \
   X(SCREEN, screen, 1, 1, 1)                                                                                          \
   X(OVERLAY, overlay, 1, 1, 1)                                                                                        \
   X(DARKEN, darken, 1, 1, 1)                                                                                          \
   X(LIGHTEN, lighten, 1, 1, 1)                                                                                        \
   X(COLORDODGE, colordodge, 1, 1, 1)                                                                                  \
   X(COLORBURN, colorburn, 1, 1, 1)                                                                                    \
   X(HARDLIGHT, hardlight, 1, 1, 1)                                                                                    \
   X(SOFTLIGHT, softlight, 1, 1, 1)                                                                                    \
   X(DIFFERENCE, difference, 1, 1, 1)                                                                                  \
   X(EXCLUSION, exclusion, 1, 1, 1)                                                                                    \
   X(INVERT, invert, 1, 0, 1)                                                                                          \
   X(INVERT_RGB, invert_rgb, 1, 0, 1)                                                                                  \
   X(LINEARDODGE, lineardodge, 1, 1, 1)                                                                                \
   X(LINEARBURN, linearburn, 1, 1, 1)                                                                                  \
   X(VIVIDLIGHT, vividlight, 1, 1, 1)                                                                                  \
   X(LINEARLIGHT, linearlight, 1, 1, 1)                                                                                \
   X(PINLIGHT, pinlight, 1, 1, 1)                                                                                      \
   X(HARDMIX, hardmix, 1, 1, 1)

/* X(operation, of all three channels) */
#define COLOR_OPERATIONS(X)                                                                                            \
   X(HSL_HUE, hsl_hue) X(HSL_SATURATION, hsl_saturation) X(HSL_COLOR, hsl_color) X(HSL_LUMINOSITY, hsl_luminosity)

/* X(operation, of premultiplied texels) */
#define TEXEL_OPERATIONS(X)                                                                                            \
   X(PLUS, plus) X(PLUS_CLAMPED, plus_clamped) X(PLUS_CLAMPED_ALPHA, plus_clamped_alpha) X(PLUS_DARKER, plus_darker)   \
   X(MINUS, minus) X(MINUS_CLAMPED, minus_clamped) X(CONTRAST, contrast) X(INVERT_OVG, invert_ovg)                     \
   X(RED, red) X(GREEN, green) X(BLUE, blue)

#define X(name, function, x, y, z)                                                                                     \
   static void run_##name(const struct rt_blend_advanced *b, const struct rt_advanced_operands *o)                     \
   {                                                                                                                   \
      EACH_PART(o, block, at) {                                                                                        \
         struct texels t;                                                                                              \
         struct rgb both;                                                                                              \
         load(o, block, at, &t);                                                                                           \
         straighten(&t.s, t.sa, b->is_src_straight);                                                                   \
         straighten(&t.d, t.da, b->is_dst_straight);                                                                   \
         for (uint32_t i = 0; i < 3; i++)                                                                              \
            both.c[i] = f_##function(t.s.c[i], t.d.c[i]);                                                              \
         combine(b, &t, &both, x, y, z);                                                                               \
         store(b, o, block, at, &t);                                                                                       \
      }                                                                                                                \
   }
CHANNEL_OPERATIONS(X)
#undef X

#define X(name, function)                                                                                              \
   static void run_##name(const struct rt_blend_advanced *b, const struct rt_advanced_operands *o)                     \
   {                                                                                                                   \
      EACH_PART(o, block, at) {                                                                                        \
         struct texels t;                                                                                              \
         load(o, block, at, &t);                                                                                           \
         straighten(&t.s, t.sa, b->is_src_straight);                                                                   \
         straighten(&t.d, t.da, b->is_dst_straight);                                                                   \
         const struct rgb both = f_##function(&t.s, &t.d);                                                             \
         combine(b, &t, &both, true, true, true);                                                                      \
         store(b, o, block, at, &t);                                                                                       \
      }                                                                                                                \
   }
COLOR_OPERATIONS(X)
#undef X

#define X(name, function)                                                                                              \
   static void run_##name(const struct rt_blend_advanced *b, const struct rt_advanced_operands *o)                     \
   {                                                                                                                   \
      EACH_PART(o, block, at) {                                                                                        \
         struct texels t;                                                                                              \
         load(o, block, at, &t);                                                                                           \
         premultiply(&t.s, t.sa, b->is_src_straight);                                                                  \
         premultiply(&t.d, t.da, b->is_dst_straight);                                                                  \
         g_##function(&t);                                                                                             \
         store(b, o, block, at, &t);                                                                                       \
      }                                                                                                                \
   }
TEXEL_OPERATIONS(X)
#undef X

static advanced_fn *const runs[] = {
#define X(name, ...) [VK_BLEND_OP_##name##_EXT - VK_BLEND_OP_ZERO_EXT] = run_##name,
   CHANNEL_OPERATIONS(X) COLOR_OPERATIONS(X) TEXEL_OPERATIONS(X)
#undef X
};
_Static_assert(UTIL_ARRAY_SIZE(runs) == VK_BLEND_OP_BLUE_EXT - VK_BLEND_OP_ZERO_EXT + 1, "every operation");

void rt_advanced_run(const struct rt_output *output, const struct rt_advanced_operands *operands)
{
   runs[output->advanced.op - 1](&output->advanced, operands);
}
