/* SPDX-License-Identifier: MIT
 * The blend equations on a part of a block in registers. Spec: The Framebuffer, "Blending". */
#pragma once

#include "runtime/fragment/output.h"
#include "runtime/fragment/parts.h"

/* Operands of the part, clamped to what the format holds; alpha values are used by factors of all channels. */
struct rt_blend_operands {
   rt_pf src[4], dst[4];
   const float (*dual)[16]; /* the second source, not yet clamped; looked at where a factor says so */
   uint32_t first_lane;     /* the part's in the block */
   const struct rt_output *output;
};

RT_INLINE_LANES rt_pf rt_blend_clamp(const struct rt_output *output, rt_pf v)
{
   if (output->is_unorm)
      return rt_pf_clamp(v, 0.0f, 1.0f);
   return output->is_snorm ? rt_pf_clamp(v, -1.0f, 1.0f) : v;
}

RT_INLINE_LANES rt_pf rt_blend_factor(VkBlendFactor f, const struct rt_blend_operands *o, uint32_t channel)
{
   const rt_pf one = rt_pf_set(1.0f);
   switch (f) {
   case VK_BLEND_FACTOR_SRC_COLOR: return o->src[channel];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR: return one - o->src[channel];
   case VK_BLEND_FACTOR_DST_COLOR: return o->dst[channel];
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR: return one - o->dst[channel];
   case VK_BLEND_FACTOR_SRC_ALPHA: return o->src[3];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA: return one - o->src[3];
   case VK_BLEND_FACTOR_DST_ALPHA: return o->dst[3];
   case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA: return one - o->dst[3];
   case VK_BLEND_FACTOR_CONSTANT_COLOR: return rt_pf_set(o->output->constants[channel]);
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR: return one - rt_pf_set(o->output->constants[channel]);
   case VK_BLEND_FACTOR_CONSTANT_ALPHA: return rt_pf_set(o->output->constants[3]);
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA: return one - rt_pf_set(o->output->constants[3]);
   case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE: return channel == 3 ? one : rt_pf_min(o->src[3], one - o->dst[3]);
   case VK_BLEND_FACTOR_SRC1_COLOR: return rt_blend_clamp(o->output, rt_pf_load(&o->dual[channel][o->first_lane]));
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR: return one - rt_blend_clamp(o->output, rt_pf_load(&o->dual[channel][o->first_lane]));
   case VK_BLEND_FACTOR_SRC1_ALPHA: return rt_blend_clamp(o->output, rt_pf_load(&o->dual[3][o->first_lane]));
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA: return one - rt_blend_clamp(o->output, rt_pf_load(&o->dual[3][o->first_lane]));
   default: return one;
   }
}

/* The channels [first, first + count) of `values` times the factor; zero and one are taken literally, whatever the value. One
 * branch for all of them. */
RT_INLINE_LANES void rt_blend_scale(VkBlendFactor f, const struct rt_blend_operands *o, uint32_t first, uint32_t count,
                                    rt_pf values[4])
{
#define CASE(name)                                                                                                     \
   case VK_BLEND_FACTOR_##name:                                                                                        \
      for (uint32_t c = first; c < first + count; c++)                                                                 \
         values[c] *= rt_blend_factor(VK_BLEND_FACTOR_##name, o, c);                                                   \
      break;
   switch (f) {
   case VK_BLEND_FACTOR_ZERO:
      for (uint32_t c = first; c < first + count; c++)
         values[c] = rt_pf_set(0.0f);
      break;
   CASE(SRC_COLOR)
   CASE(ONE_MINUS_SRC_COLOR)
   CASE(DST_COLOR)
   CASE(ONE_MINUS_DST_COLOR)
   CASE(SRC_ALPHA)
   CASE(ONE_MINUS_SRC_ALPHA)
   CASE(DST_ALPHA)
   CASE(ONE_MINUS_DST_ALPHA)
   CASE(CONSTANT_COLOR)
   CASE(ONE_MINUS_CONSTANT_COLOR)
   CASE(CONSTANT_ALPHA)
   CASE(ONE_MINUS_CONSTANT_ALPHA)
   CASE(SRC_ALPHA_SATURATE)
   CASE(SRC1_COLOR)
   CASE(ONE_MINUS_SRC1_COLOR)
   CASE(SRC1_ALPHA)
   CASE(ONE_MINUS_SRC1_ALPHA)
   default: break;
   }
#undef CASE
}

/* The channels [first, first + count) of `result`, by one equation. */
RT_INLINE_LANES void rt_blend_channels(VkBlendFactor of_src, VkBlendFactor of_dst, VkBlendOp op, const struct rt_blend_operands *o,
                                       uint32_t first, uint32_t count, rt_pf result[4])
{
   rt_pf s[4], d[4];
   for (uint32_t c = first; c < first + count; c++) {
      s[c] = o->src[c];
      d[c] = o->dst[c];
   }
   if (op != VK_BLEND_OP_MIN && op != VK_BLEND_OP_MAX) {
      rt_blend_scale(of_src, o, first, count, s);
      rt_blend_scale(of_dst, o, first, count, d);
   }
   switch (op) {
   case VK_BLEND_OP_SUBTRACT:
      for (uint32_t c = first; c < first + count; c++)
         result[c] = s[c] - d[c];
      break;
   case VK_BLEND_OP_REVERSE_SUBTRACT:
      for (uint32_t c = first; c < first + count; c++)
         result[c] = d[c] - s[c];
      break;
   case VK_BLEND_OP_MIN:
      for (uint32_t c = first; c < first + count; c++)
         result[c] = rt_pf_min(s[c], d[c]);
      break;
   case VK_BLEND_OP_MAX:
      for (uint32_t c = first; c < first + count; c++)
         result[c] = rt_pf_max(s[c], d[c]);
      break;
   default:
      for (uint32_t c = first; c < first + count; c++)
         result[c] = s[c] + d[c];
      break;
   }
}

/* With a constant *b this shrinks to a few instructions. */
RT_INLINE_LANES void rt_blend_all(const struct rt_blend_attachment *b, const struct rt_blend_operands *o, rt_pf result[4])
{
   rt_blend_channels((VkBlendFactor)b->src_color, (VkBlendFactor)b->dst_color, (VkBlendOp)b->color_op, o, 0, 3, result);
   rt_blend_channels((VkBlendFactor)b->src_alpha, (VkBlendFactor)b->dst_alpha, (VkBlendOp)b->alpha_op, o, 3, 1, result);
}
