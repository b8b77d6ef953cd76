/* SPDX-License-Identifier: MIT
 * Blending of a block into an attachment's texels, from words to words in registers: one routine a layout of texels. The equation is looked
 * at once a part; its branches go the same path in all blocks of a draw. The same operations as those of blend.c.
 * Spec: The Framebuffer, "Blending". */
#include "runtime/fragment/blend_lanes.h"
#include "runtime/fragment/layouts.h"
#include "runtime/fragment/merge.h"
#include "runtime/fragment/shade.h"

/* By memory: operations are functions of sixteen lanes. */
static void blend_advanced(const struct rt_output *output, const struct rt_blend_operands *o, rt_pf result[4])
{
   float src[4][16] __attribute__((aligned(64))) = {{0}}, dst[4][16] __attribute__((aligned(64))) = {{0}};
   for (uint32_t c = 0; c < 4; c++) {
      rt_pf_store(src[c], o->src[c]);
      rt_pf_store(dst[c], o->dst[c]);
   }
   rt_advanced_run(output, &(struct rt_advanced_operands){
                              .src = (const char *)src, .dst = {&dst[0], &dst[1], &dst[2], &dst[3]}, .num_blocks = 1});
   for (uint32_t c = 0; c < 4; c++)
      result[c] = rt_pf_load(dst[c]);
}

/* Of a format with one channel, which is not alpha, only that one. */
RT_INLINE_LANES void blend_plain(const struct rt_texel_layout *l, const struct rt_blend_attachment *b, const struct rt_blend_operands *o,
                                 rt_pf result[4])
{
   const bool is_single = !l->is_any && !l->channels[1].bits;
   rt_blend_channels((VkBlendFactor)b->src_color, (VkBlendFactor)b->dst_color, (VkBlendOp)b->color_op, o, 0, is_single ? 1 : 3, result);
   if (l->is_any || l->channels[3].bits)
      rt_blend_channels((VkBlendFactor)b->src_alpha, (VkBlendFactor)b->dst_alpha, (VkBlendOp)b->alpha_op, o, 3, 1, result);
}

/* Equations whose result is a mean of source and destination: no clamp can change it. */
RT_INLINE_LANES bool is_mean(const struct rt_blend_attachment *b)
{
   return b->src_color == VK_BLEND_FACTOR_SRC_ALPHA && b->dst_color == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA &&
          (b->src_alpha == VK_BLEND_FACTOR_SRC_ALPHA || b->dst_alpha != VK_BLEND_FACTOR_ONE) &&
          b->color_op == VK_BLEND_OP_ADD && b->alpha_op == VK_BLEND_OP_ADD;
}

RT_INLINE_LANES bool is_extreme(uint8_t op)
{
   return op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX;
}

/* The least and the greatest of bytes need no numbers: codes have their order. */
struct extreme {
   bool is_wanted;
   int32_t least; /* bits of the channels whose least is wanted */
};

RT_INLINE_LANES struct extreme find_extreme(const struct rt_texel_layout *l, const struct rt_output *output)
{
   const struct rt_blend_attachment *b = &output->blend;
   struct extreme extreme = {
      .is_wanted = !l->is_any && l->channels[0].bits == 8 && is_extreme(b->color_op) && is_extreme(b->alpha_op) && !output->advanced.op};
   for (uint32_t c = 0; extreme.is_wanted && c < 4; c++)
      if (l->channels[c].bits && (c < 3 ? b->color_op : b->alpha_op) == VK_BLEND_OP_MIN)
         extreme.least |= (int32_t)(0xffu << l->channels[c].shift);
   return extreme;
}

/* `common`: the equation; NULL: what the output says. Sets o->dst. */
RT_INLINE_LANES void blend_part(const struct rt_texel_layout *l, const struct rt_blend_attachment *common, const struct rt_output *output,
                                const struct extreme *extreme, const uint8_t *texels, struct rt_blend_operands *o, rt_pi old[4],
                                rt_pi words[4])
{
   const bool is_float = l->class == RT_TEXELS_HALF || l->class == RT_TEXELS_UFLOAT || l->class == RT_TEXELS_WORDS;
   rt_pf result[4];
   for (uint32_t c = 0; c < 4; c++)
      result[c] = (rt_pf){0};
   rt_layout_load(l, texels, old);
   if (!common && extreme->is_wanted) {
      rt_layout_pack(l, output, o->src, true, words);
      words[0] = rt_pi_extreme_bytes(words[0], old[0], extreme->least);
      return;
   }
   rt_layout_unpack(l, output, old, o->dst);
   if (common) {
      blend_plain(l, common, o, result);
   } else if (UTIL_UNLIKELY(output->advanced.op)) {
      blend_advanced(
         output, &(struct rt_blend_operands){.src = {o->src[0], o->src[1], o->src[2], o->src[3]}, .dst = {o->dst[0], o->dst[1], o->dst[2], o->dst[3]}}, result);
      for (uint32_t c = 0; !is_float && c < 4; c++)
         result[c] = rt_pf_clamp(result[c], 0.0f, 1.0f);
   } else {
      blend_plain(l, &output->blend, o, result);
   }
   if (is_float)
      rt_layout_make_one_nan(l, result);
   rt_layout_pack(l, output, result, common && is_mean(common), words);
}

RT_INLINE_LANES void blend_block(const struct rt_texel_layout *l, const struct rt_blend_attachment *common, const struct rt_output *output,
                                 const struct extreme *extreme, const int32_t keep[4], const struct rt_blend_item *item)
{
   const bool is_unorm = l->class == RT_TEXELS_UNORM || l->class == RT_TEXELS_SRGB;
   uint8_t *texels = item->texels;
   uint32_t mask = item->mask;
   for (uint32_t at = 0; at < ABI_BLOCK_TEXELS; at += RT_PART_LANES, texels += RT_PART_LANES * l->bytes, mask >>= RT_PART_LANES) {
      struct rt_blend_operands o; /* without an initializer, which gcc makes a loop of where much is live */
      rt_pi old[4], words[4];
      o.dual = item->dual;
      o.first_lane = at;
      o.output = output;
      for (uint32_t c = 0; c < 4; c++) {
         const rt_pf v = rt_pf_load(&item->planes[c][at]);
         o.src[c] = is_unorm ? rt_pf_clamp(v, 0.0f, 1.0f) : v;
         old[c] = (rt_pi){0};
      }
      blend_part(l, common, output, extreme, texels, &o, old, words);
      if ((mask & RT_PART_MASK) != RT_PART_MASK || !output->has_full_mask)
         rt_layout_merge(l, mask, keep, old, words);
      rt_layout_store(l, texels, words);
   }
}

RT_INLINE_LANES void blend_blocks(const struct rt_texel_layout *l, const struct rt_blend_attachment *common, const struct rt_output *output,
                                  const struct rt_blend_item *items, uint32_t count)
{
   int32_t keep[4];
   memcpy(keep, output->bits, sizeof(keep));
   const struct extreme extreme = find_extreme(l, output);
   for (uint32_t i = 0; i < count; i++)
      blend_block(l, common, output, &extreme, keep, &items[i]);
}

/* ---- routines ---- */

/* Any format and equation, by the format's functions. */
static void blend_other(const struct rt_output *output, const struct rt_blend_item *items, uint32_t count)
{
   uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64)));
   float dst[4][16] __attribute__((aligned(64))), result[4][16] __attribute__((aligned(64)));
   for (uint32_t i = 0; i < count; i++) {
      const struct rt_blend_item *item = &items[i];
      output->info->unpack_block(item->texels, (uint32_t(*)[16])dst);
      rt_blend_block(output, item->planes, item->dual, (const float(*)[16])dst, result);
      if (rt_shows_nan(output))
         rt_one_nan((const float(*)[16])result, result);
      output->info->pack_block(packed, (const uint32_t(*)[16])result);
      rt_merge_block(item->texels, packed, output->info->texel_bytes, item->mask, output->has_full_mask ? NULL : output->bits);
   }
}

#define ROUTINE(name, layout, common)                                                                                  \
   static void name(const struct rt_output *output, const struct rt_blend_item *items, uint32_t count)                 \
   {                                                                                                                   \
      blend_blocks(layout, common, output, items, count);                                                              \
   }

#define X(name, ...) ROUTINE(blend_##name, &rt_layout_##name, NULL)
RT_LAYOUTS_LIST(X)
#undef X

/* What applications use most, into what they use most, has its equation as a constant too. */
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
   X(DST_COLOR, ZERO, DST_ALPHA, ZERO)                                                                                 \
   X(ONE, ONE_MINUS_SRC_COLOR, ONE, ONE_MINUS_SRC_ALPHA)

#define X(sc, dc, sa, da)                                                                                              \
   static const struct rt_blend_attachment common_##sc##_##dc##_##sa##_##da = COMMON(sc, dc, sa, da);                  \
   ROUTINE(rgba8_##sc##_##dc##_##sa##_##da, &rt_layout_rgba8, &common_##sc##_##dc##_##sa##_##da)                       \
   ROUTINE(bgra8_##sc##_##dc##_##sa##_##da, &rt_layout_bgra8, &common_##sc##_##dc##_##sa##_##da)
COMMON_BLENDS(X)
#undef X

typedef void blend_fn(const struct rt_output *output, const struct rt_blend_item *items, uint32_t count);

/* The first that is for a format and an equation blends it. */
static const struct routine {
   const struct rt_texel_layout *layout;              /* NULL: any format */
   const struct rt_blend_attachment *common; /* NULL: any equation */
   blend_fn *blend;
} routines[] = {
#define X(sc, dc, sa, da)                                                                                              \
   {&rt_layout_rgba8, &common_##sc##_##dc##_##sa##_##da, rgba8_##sc##_##dc##_##sa##_##da},                             \
      {&rt_layout_bgra8, &common_##sc##_##dc##_##sa##_##da, bgra8_##sc##_##dc##_##sa##_##da},
   COMMON_BLENDS(X)
#undef X
#define X(name, ...) {&rt_layout_##name, NULL, blend_##name},
   RT_LAYOUTS_LIST(X)
#undef X
   {NULL, NULL, blend_other},
};
_Static_assert(UTIL_ARRAY_SIZE(routines) <= UINT8_MAX, "rt_output has a byte for the number");

/* Of alpha a factor's colour is its alpha. */
static uint8_t alpha_factor(uint8_t factor)
{
   switch (factor) {
   case VK_BLEND_FACTOR_SRC_COLOR: return VK_BLEND_FACTOR_SRC_ALPHA;
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR: return VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
   case VK_BLEND_FACTOR_DST_COLOR: return VK_BLEND_FACTOR_DST_ALPHA;
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR: return VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA;
   default: return factor;
   }
}

/* A product is written in two forms, with the same bits where operands are neither negative nor NaN. */
static void order_product(uint8_t *src, uint8_t *dst, uint8_t op, VkBlendFactor of_src, VkBlendFactor of_dst)
{
   if (op == VK_BLEND_OP_ADD && *src == VK_BLEND_FACTOR_ZERO && *dst == of_src) {
      *src = (uint8_t)of_dst;
      *dst = VK_BLEND_FACTOR_ZERO;
   }
}

static bool is_equation(const struct rt_blend_attachment *a, const struct rt_output *output)
{
   struct rt_blend_attachment b = output->blend;
   b.src_alpha = alpha_factor(b.src_alpha);
   b.dst_alpha = alpha_factor(b.dst_alpha);
   order_product(&b.src_color, &b.dst_color, b.color_op, VK_BLEND_FACTOR_SRC_COLOR, VK_BLEND_FACTOR_DST_COLOR);
   order_product(&b.src_alpha, &b.dst_alpha, b.alpha_op, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_DST_ALPHA);
   return !output->advanced.op && a->src_color == b.src_color && a->dst_color == b.dst_color && a->color_op == b.color_op &&
          a->src_alpha == b.src_alpha && a->dst_alpha == b.dst_alpha && a->alpha_op == b.alpha_op;
}

uint8_t rt_blend_routine(const struct rt_output *output)
{
   uint32_t i = 0;
   while ((routines[i].layout && !rt_layout_is_for(routines[i].layout, output)) ||
          (routines[i].common && !is_equation(routines[i].common, output)))
      i++; /* the last one is for all */
   return (uint8_t)i;
}

void rt_blend_texels(const struct rt_output *output, const struct rt_blend_item *items, uint32_t count)
{
   routines[output->blend_routine].blend(output, items, count);
}

void rt_blend_run(struct rt_tile *tile, const struct rt_output *output)
{
   const struct rt_surface *surface = &tile->colors[output->attachment];
   const uint32_t num_samples = tile->context->num_samples, sample_bytes = 16 * surface->texel_bytes;
   if (UTIL_UNLIKELY(output->missing))
      for (uint32_t i = 0; i < tile->num_blocks; i++)
         rt_output_zero_missing(output, &tile->blocks[i].outputs[output->location * 4]);
   for (uint32_t s = 0; s < num_samples; s++) {
      struct rt_blend_item items[RT_RUN_BLOCKS];
      uint32_t count = 0;
      for (uint32_t i = 0; i < tile->num_blocks; i++) {
         const struct abi_block *block = &tile->blocks[i];
         const struct rt_run_block *run = &tile->run[i];
         const uint32_t mask = run->masks[s] & block->mask_out;
         items[count] = (struct rt_blend_item){
            .texels = surface->base + surface->column_bytes[run->bx] + surface->row_bytes[run->by] + s * sample_bytes,
            .planes = (const float(*)[16]) & block->outputs[output->location * 4],
            .dual = (const float(*)[16]) & block->outputs[output->dual_slot],
            .mask = mask,
         };
         count += mask != 0;
      }
      routines[output->blend_routine].blend(output, items, count);
   }
}
