/* SPDX-License-Identifier: MIT
 * Blending of 16 fragments. Spec: The Framebuffer, "Blending". */
#include "runtime/fragment/output.h"

#include "runtime/draw/lanes.h"
#include "runtime/fragment/rgba8.h"
#include "runtime/fragment/tile.h"

#include <string.h>

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

/* With constant factors and ops this shrinks to a few instructions. */
RT_INLINE_LANES void blend(const struct rt_blend_attachment *b, const struct operands *o, rt_f32x16 result[4])
{
   for (uint32_t c = 0; c < 4; c++)
      result[c] = blend_channel(b, o, c);
}

/* What applications use most gets code of its own: the same operations. */
#define COMMON(sc, dc, sa, da)                                                                                         \
   {                                                                                                                   \
      VK_BLEND_FACTOR_##sc, VK_BLEND_FACTOR_##dc, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_##sa, VK_BLEND_FACTOR_##da,         \
         VK_BLEND_OP_ADD                                                                                               \
   }
#define COMMON_BLENDS(X)                                                                                               \
   X(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE, ZERO)                                                                        \
   X(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA)                                                         \
   X(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, SRC_ALPHA, ONE_MINUS_SRC_ALPHA)                                                   \
   X(ONE, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA)                                                               \
   X(ONE, ONE, ONE, ONE)                                                                                               \
   X(SRC_ALPHA, ONE, ONE, ONE)                                                                                         \
   X(SRC_ALPHA, ONE, SRC_ALPHA, ONE)                                                                                   \
   X(DST_COLOR, ZERO, DST_ALPHA, ZERO)

static const struct rt_blend_attachment common_blends[] = {
#define X(sc, dc, sa, da) COMMON(sc, dc, sa, da),
   COMMON_BLENDS(X)
#undef X
};

uint8_t rt_blend_kind(const struct rt_blend_attachment *b)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(common_blends); i++) {
      const struct rt_blend_attachment *c = &common_blends[i];
      if (b->src_color == c->src_color && b->dst_color == c->dst_color && b->color_op == c->color_op &&
          b->src_alpha == c->src_alpha && b->dst_alpha == c->dst_alpha && b->alpha_op == c->alpha_op)
         return (uint8_t)i;
   }
   return UINT8_MAX;
}

RT_INLINE_LANES void blend_by_kind(const struct rt_output *output, const struct operands *o, rt_f32x16 result[4])
{
   uint8_t kind = 0;
#define X(sc, dc, sa, da)                                                                                              \
   if (output->blend_kind == kind++) {                                                                                 \
      blend(&(const struct rt_blend_attachment)COMMON(sc, dc, sa, da), o, result);                                     \
      return;                                                                                                          \
   }
   COMMON_BLENDS(X)
#undef X
   blend(&output->blend, o, result);
}

RT_INLINE_LANES rt_f32x16 clamp_operand(const struct rt_output *output, rt_f32x16 v)
{
   if (output->is_unorm)
      return rt_clamp_f(v, 0.0f, 1.0f);
   return output->is_snorm ? rt_clamp_f(v, -1.0f, 1.0f) : v;
}

static void blend_advanced_block(const struct rt_output *output, const float (*planes)[16], const float (*dst)[16], float (*result)[16])
{
   float src[4][16] __attribute__((aligned(64)));
   for (uint32_t c = 0; c < 4; c++) {
      rt_store_f(src[c], clamp_operand(output, rt_load_f(planes[c])));
      rt_store_f(result[c], rt_load_f(dst[c]));
   }
   rt_advanced_run(output, &(struct rt_advanced_operands){
                                .src = (const char *)src, .dst = {&result[0], &result[1], &result[2], &result[3]}, .num_blocks = 1});
}

void rt_blend_block(const struct rt_output *output, const float (*planes)[16], const float (*dual)[16],
                    const float (*dst)[16], float (*result)[16])
{
   if (output->advanced.op) {
      blend_advanced_block(output, planes, dst, result);
      return;
   }
   struct operands o;
   for (uint32_t c = 0; c < 4; c++) {
      o.src[c] = clamp_operand(output, rt_load_f(planes[c]));
      o.dst[c] = rt_load_f(dst[c]);
      o.src1[c] = dual ? clamp_operand(output, rt_load_f(dual[c])) : rt_splat_f(0.0f);
   }
   o.constants = output->constants;
   rt_f32x16 blended[4];
   blend_by_kind(output, &o, blended);
   for (uint32_t c = 0; c < 4; c++)
      rt_store_f(result[c], blended[c]);
}

/* Blends whose result is a mean of source and destination: no clamp can change it. */
static bool is_mean(const struct rt_blend_attachment *b)
{
   return b->src_color == VK_BLEND_FACTOR_SRC_ALPHA && b->dst_color == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA &&
          (b->src_alpha == VK_BLEND_FACTOR_SRC_ALPHA || b->dst_alpha != VK_BLEND_FACTOR_ONE) &&
          b->color_op == VK_BLEND_OP_ADD && b->alpha_op == VK_BLEND_OP_ADD;
}

/* Unpacking, blending and packing in registers. `is_bgra` and all of *b but in the general function are constants. */
RT_INLINE_LANES rt_i32x16 blend_rgba8(const struct rt_output *output, const struct rt_blend_attachment *b, bool is_common,
                                      bool is_bgra, rt_i32x16 old, const uint32_t (*planes)[16])
{
   struct operands o;
   for (uint32_t c = 0; c < 4; c++) {
      o.src[c] = rt_clamp_f(rt_load_f(planes[c]), 0.0f, 1.0f);
      o.dst[c] = rt_unpack_rgba8(old, c, is_bgra);
      o.src1[c] = rt_splat_f(0.0f);
   }
   o.constants = output->constants;
   rt_f32x16 blended[4];
   blend(b, &o, blended);
   return is_common && is_mean(b) ? rt_pack_clamped_rgba8(blended, is_bgra) : rt_pack_rgba8(blended, is_bgra);
}

void rt_blend_rgba8(const struct rt_output *output, uint8_t *texels, const uint32_t (*planes)[16], uint32_t mask)
{
   const rt_i32x16 old = rt_load_i(texels);
   const rt_i32x16 v = output->is_bgra8 ? blend_rgba8(output, &output->blend, false, true, old, planes)
                                        : blend_rgba8(output, &output->blend, false, false, old, planes);
   int32_t keep = -1;
   if (!output->has_full_mask)
      memcpy(&keep, output->bits, 4);
   rt_store_i(texels, rt_select_i(rt_mask_lanes(mask) & keep, v, old));
}

/* The whole run, one sample, whole texels. */
RT_INLINE_LANES void blend_run(struct rt_tile *tile, const struct rt_blend_attachment *b, bool is_bgra)
{
   const struct rt_output *output = &tile->context->outputs[0];
   const struct rt_surface *surface = &tile->colors[output->attachment];
   for (uint32_t i = 0; i < tile->num_blocks; i++) {
      const struct abi_block *block = &tile->blocks[i];
      uint8_t *texels = surface->base + surface->column_bytes[tile->run[i].bx] + surface->row_bytes[tile->run[i].by];
      const rt_i32x16 old = rt_load_i(texels);
      const rt_i32x16 v = blend_rgba8(output, b, true, is_bgra, old,
                                      (const uint32_t(*)[16]) & block->outputs[output->location * 4]);
      rt_store_i(texels, rt_merge_i(block->mask_out, v, old));
   }
}

#define RUN(sc, dc, sa, da, order, is_bgra)                                                                            \
   static void run_##sc##_##dc##_##sa##_##da##_##order(struct rt_tile *tile)                                           \
   {                                                                                                                   \
      blend_run(tile, &(const struct rt_blend_attachment)COMMON(sc, dc, sa, da), is_bgra);                             \
   }
#define X(sc, dc, sa, da) RUN(sc, dc, sa, da, rgba, false) RUN(sc, dc, sa, da, bgra, true)
COMMON_BLENDS(X)
#undef X

/* By rt_blend_kind() and order of channels. */
static rt_finish_fn *const runs[][2] = {
#define X(sc, dc, sa, da) {run_##sc##_##dc##_##sa##_##da##_rgba, run_##sc##_##dc##_##sa##_##da##_bgra},
   COMMON_BLENDS(X)
#undef X
};

rt_finish_fn *rt_blend_choose_run(const struct rt_output *output)
{
   if (output->mode != RT_OUTPUT_BLEND || !(output->is_rgba8 || output->is_bgra8) || output->blend_kind == UINT8_MAX ||
       !output->has_full_mask || output->missing)
      return NULL;
   return runs[output->blend_kind][output->is_bgra8];
}
