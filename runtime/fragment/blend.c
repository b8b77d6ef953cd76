/* SPDX-License-Identifier: MIT
 * Blending of 16 fragments. Spec: The Framebuffer, "Blending". */
#include "runtime/fragment/output.h"

#include "runtime/raster/lanes.h"

/* Operands of one block; alpha values are used by factors of all channels. */
struct operands {
   rt_f32x16 src[4], dst[4], src1[4];
   const float *constants;
};

RT_INLINE_LANES rt_f32x16 factor(VkBlendFactor f, const struct operands *o, uint32_t channel)
{
   const rt_f32x16 one = rt_splat_f(1.0f);
   switch (f) {
   case VK_BLEND_FACTOR_SRC_COLOR:
      return o->src[channel];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
      return one - o->src[channel];
   case VK_BLEND_FACTOR_DST_COLOR:
      return o->dst[channel];
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
      return one - o->dst[channel];
   case VK_BLEND_FACTOR_SRC_ALPHA:
      return o->src[3];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
      return one - o->src[3];
   case VK_BLEND_FACTOR_DST_ALPHA:
      return o->dst[3];
   case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
      return one - o->dst[3];
   case VK_BLEND_FACTOR_CONSTANT_COLOR:
      return rt_splat_f(o->constants[channel]);
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return one - rt_splat_f(o->constants[channel]);
   case VK_BLEND_FACTOR_CONSTANT_ALPHA:
      return rt_splat_f(o->constants[3]);
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return one - rt_splat_f(o->constants[3]);
   case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      return channel == 3 ? one : rt_min_f(o->src[3], one - o->dst[3]);
   case VK_BLEND_FACTOR_SRC1_COLOR:
      return o->src1[channel];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
      return one - o->src1[channel];
   case VK_BLEND_FACTOR_SRC1_ALPHA:
      return o->src1[3];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return one - o->src1[3];
   default:
      return one;
   }
}

/* value * factor; zero and one are taken literally, whatever the value. */
RT_INLINE_LANES rt_f32x16 scale(VkBlendFactor f, const struct operands *o, rt_f32x16 value, uint32_t channel)
{
   if (f == VK_BLEND_FACTOR_ZERO)
      return rt_splat_f(0.0f);
   if (f == VK_BLEND_FACTOR_ONE)
      return value;
   return value * factor(f, o, channel);
}

RT_INLINE_LANES rt_f32x16 blend_channel(const struct rt_blend_attachment *b, const struct operands *o, uint32_t channel)
{
   const VkBlendFactor src_factor = (VkBlendFactor)(channel < 3 ? b->src_color : b->src_alpha);
   const VkBlendFactor dst_factor = (VkBlendFactor)(channel < 3 ? b->dst_color : b->dst_alpha);
   const rt_f32x16 s = o->src[channel], d = o->dst[channel];
   switch ((VkBlendOp)(channel < 3 ? b->color_op : b->alpha_op)) {
   case VK_BLEND_OP_SUBTRACT:
      return scale(src_factor, o, s, channel) - scale(dst_factor, o, d, channel);
   case VK_BLEND_OP_REVERSE_SUBTRACT:
      return scale(dst_factor, o, d, channel) - scale(src_factor, o, s, channel);
   case VK_BLEND_OP_MIN:
      return rt_min_f(s, d);
   case VK_BLEND_OP_MAX:
      return rt_max_f(s, d);
   default:
      return scale(src_factor, o, s, channel) + scale(dst_factor, o, d, channel);
   }
}

RT_INLINE_LANES rt_f32x16 load_source(const struct rt_output *output, const float *plane)
{
   const rt_f32x16 v = rt_load_f(plane);
   if (output->is_unorm)
      return rt_clamp_f(v, 0.0f, 1.0f);
   return output->is_snorm ? rt_clamp_f(v, -1.0f, 1.0f) : v;
}

/* With constant factors and ops this shrinks to a few instructions. */
RT_INLINE_LANES void blend(const struct rt_blend_attachment *b, const struct operands *o, float (*result)[16])
{
   for (uint32_t c = 0; c < 4; c++)
      rt_store_f(result[c], blend_channel(b, o, c));
}

/* What applications use most gets code of its own: the same operations. */
#define COMMON(sc, dc, sa, da)                                                                                         \
   {1, 0xf, VK_BLEND_FACTOR_##sc, VK_BLEND_FACTOR_##dc, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_##sa, VK_BLEND_FACTOR_##da,    \
    VK_BLEND_OP_ADD}
#define TRY_COMMON(sc, dc, sa, da)                                                                                     \
   if (b->src_color == VK_BLEND_FACTOR_##sc && b->dst_color == VK_BLEND_FACTOR_##dc &&                                  \
       b->src_alpha == VK_BLEND_FACTOR_##sa && b->dst_alpha == VK_BLEND_FACTOR_##da) {                                  \
      blend(&(const struct rt_blend_attachment)COMMON(sc, dc, sa, da), o, result);                                     \
      return;                                                                                                          \
   }

static void blend_add(const struct rt_blend_attachment *b, const struct operands *o, float (*result)[16])
{
   TRY_COMMON(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE, ZERO)
   TRY_COMMON(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA)
   TRY_COMMON(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, SRC_ALPHA, ONE_MINUS_SRC_ALPHA)
   TRY_COMMON(ONE, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA)
   TRY_COMMON(ONE, ONE, ONE, ONE)
   TRY_COMMON(SRC_ALPHA, ONE, ONE, ONE)
   blend(b, o, result);
}

void rt_blend_block(const struct rt_output *output, const float (*planes)[16], const float (*dual)[16], const float (*dst)[16],
                    float (*result)[16])
{
   struct operands o;
   float constants[4];
   for (uint32_t c = 0; c < 4; c++) {
      const float k = output->constants[c];
      constants[c] = output->is_unorm ? UTIL_CLAMP(k, 0.0f, 1.0f) : output->is_snorm ? UTIL_CLAMP(k, -1.0f, 1.0f) : k;
      o.src[c] = load_source(output, planes[c]);
      o.dst[c] = rt_load_f(dst[c]);
      o.src1[c] = dual ? load_source(output, dual[c]) : rt_splat_f(0.0f);
   }
   o.constants = constants;
   if (output->blend.color_op == VK_BLEND_OP_ADD && output->blend.alpha_op == VK_BLEND_OP_ADD)
      blend_add(&output->blend, &o, result);
   else
      blend(&output->blend, &o, result);
}
