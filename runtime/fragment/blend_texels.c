/* SPDX-License-Identifier: MIT
 * Blending of a block into an attachment's texels, from words to words in registers: one routine a layout of texels. The equation is looked
 * at once a part; its branches go the same way in all blocks of a draw. The same operations as those of blend.c.
 * Spec: The Framebuffer, "Blending". */
#include "runtime/fragment/blend_lanes.h"
#include "runtime/fragment/one_nan.h"
#include "runtime/fragment/output.h"
#include "runtime/fragment/shade.h"
#include "runtime/fragment/texel_lanes.h"

/* Where channels are, of formats that many applications blend in: constants in their routines. Others have a routine by the size of their
 * texels, which looks at the format. */
struct layout {
   enum rt_texels_kind kind;
   uint32_t bytes; /* of a texel */
   bool is_any;    /* the format says where channels are */
   struct {
      uint8_t bits, shift;
   } channels[4];
};

/* ---- one part; *l, and of common equations *b, are constants ---- */

RT_INLINE_LANES struct rt_channel channel_of(const struct layout *l, const struct rt_output *output, uint32_t c)
{
   return l->is_any ? output->info->channels[c] : (struct rt_channel){.bits = l->channels[c].bits, .shift = l->channels[c].shift};
}

RT_INLINE_LANES uint32_t num_words(const struct layout *l)
{
   return l->bytes < 4 ? 1 : l->bytes / 4;
}

/* The attachment's channels; those that the format lacks are 0, alpha 1. */
RT_INLINE_LANES void unpack(const struct layout *l, const struct rt_output *output, const rt_pi words[4], rt_pf channels[4])
{
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel channel = channel_of(l, output, c);
      channels[c] = rt_pf_set(c == 3 ? 1.0f : 0.0f);
      if (channel.bits)
         channels[c] = rt_channel_value(l->kind, rt_channel_extract(l->kind, l->bytes, words, &channel, c), c, channel.bits,
                                        &output->unorm[c]);
   }
}

RT_INLINE_LANES void pack(const struct layout *l, const struct rt_output *output, const rt_pf channels[4], bool is_clamped, rt_pi words[4])
{
   for (uint32_t w = 0; w < num_words(l); w++)
      words[w] = (rt_pi){0};
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel channel = channel_of(l, output, c);
      if (channel.bits)
         rt_channel_insert(l->kind, l->bytes, words, &channel, c,
                           rt_channel_code(l->kind, channels[c], c, channel.bits, &output->unorm[c], is_clamped));
   }
}

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
RT_INLINE_LANES void blend_plain(const struct layout *l, const struct rt_blend_attachment *b, const struct rt_blend_operands *o,
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

/* `common`: the equation; NULL: what the output says. */
RT_INLINE_LANES void blend_part(const struct layout *l, const struct rt_blend_attachment *common, const struct rt_output *output,
                                const uint8_t *texels, const struct rt_blend_operands *sources, rt_pi old[4], rt_pi words[4])
{
   const bool is_float = l->kind == RT_TEXELS_HALF || l->kind == RT_TEXELS_UFLOAT || l->kind == RT_TEXELS_FLOAT;
   struct rt_blend_operands o = *sources;
   rt_pf result[4];
   for (uint32_t c = 0; c < 4; c++)
      result[c] = (rt_pf){0};
   rt_words_load(l->bytes, texels, old);
   unpack(l, output, old, o.dst);
   if (common)
      blend_plain(l, common, &o, result);
   else if (UTIL_UNLIKELY(output->advanced.op))
      blend_advanced(output, &(struct rt_blend_operands){.src = {o.src[0], o.src[1], o.src[2], o.src[3]}, .dst = {o.dst[0], o.dst[1], o.dst[2], o.dst[3]}}, result);
   else
      blend_plain(l, &output->blend, &o, result);
   for (uint32_t c = 0; is_float && c < 4; c++)
      result[c] = rt_one_nan_part(result[c]);
   pack(l, output, result, common && is_mean(common), words);
}

RT_INLINE_LANES void blend_block(const struct layout *l, const struct rt_blend_attachment *common, const struct rt_output *output,
                                 uint8_t *texels, const float (*planes)[16], const float (*dual)[16], uint32_t mask)
{
   const bool is_unorm = l->kind == RT_TEXELS_UNORM || l->kind == RT_TEXELS_SRGB;
   for (uint32_t at = 0; at < ABI_BLOCK_TEXELS; at += RT_PART_LANES, texels += RT_PART_LANES * l->bytes, mask >>= RT_PART_LANES) {
      struct rt_blend_operands o = {.dual = dual, .first_lane = at, .output = output};
      rt_pi old[4], words[4];
      for (uint32_t c = 0; c < 4; c++) {
         const rt_pf v = rt_pf_load(&planes[c][at]);
         o.src[c] = is_unorm ? rt_pf_clamp(v, 0.0f, 1.0f) : v;
         old[c] = (rt_pi){0};
      }
      blend_part(l, common, output, texels, &o, old, words);
      if ((mask & RT_PART_MASK) != RT_PART_MASK || !output->has_full_mask) {
         int32_t keep[4];
         memcpy(keep, output->bits, sizeof(keep));
         const rt_pi lanes = rt_pi_from_mask(mask);
         for (uint32_t w = 0; w < num_words(l); w++)
            words[w] = rt_pi_select(lanes & keep[w], words[w], old[w]);
      }
      rt_words_store(l->bytes, texels, words);
   }
}

/* ---- routines ---- */

/* Any format and equation, by the format's functions. */
static void blend_other(const struct rt_output *output, uint8_t *texels, const float (*planes)[16], const float (*dual)[16], uint32_t mask)
{
   uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64)));
   float dst[4][16] __attribute__((aligned(64))), result[4][16] __attribute__((aligned(64)));
   output->info->unpack_block(texels, (uint32_t(*)[16])dst);
   rt_blend_block(output, planes, dual, (const float(*)[16])dst, result);
   if (rt_shows_nan(output))
      rt_one_nan((const float(*)[16])result, result);
   output->info->pack_block(packed, (const uint32_t(*)[16])result);
   rt_merge_block(texels, packed, output->info->texel_bytes, mask, output->has_full_mask ? NULL : output->bits);
}

#define RGBA8 {8, 0}, {8, 8}, {8, 16}, {8, 24}
#define BGRA8 {8, 16}, {8, 8}, {8, 0}, {8, 24}
/* X(name, kind, bytes, whether it is for any format of that kind and size, R, G, B, A) */
#define LAYOUTS_LIST(X)                                                                                                \
   X(rgba8, UNORM, 4, false, RGBA8)                                                                                    \
   X(bgra8, UNORM, 4, false, BGRA8)                                                                                    \
   X(rgb10a2, UNORM, 4, false, {10, 0}, {10, 10}, {10, 20}, {2, 30})                                                   \
   X(rgba8_srgb, SRGB, 4, false, RGBA8)                                                                                \
   X(bgra8_srgb, SRGB, 4, false, BGRA8)                                                                                \
   X(r8, UNORM, 1, false, {8, 0})                                                                                      \
   X(rg8, UNORM, 2, false, {8, 0}, {8, 8})                                                                             \
   X(r16f, HALF, 2, false, {16, 0})                                                                                    \
   X(rg16f, HALF, 4, false, {16, 0}, {16, 16})                                                                         \
   X(rgba16f, HALF, 8, false, {16, 0}, {16, 16}, {16, 32}, {16, 48})                                                   \
   X(rg11b10f, UFLOAT, 4, false, {11, 0}, {11, 11}, {10, 22})                                                          \
   X(r32f, FLOAT, 4, false, {32, 0})                                                                                   \
   X(rg32f, FLOAT, 8, false, {32, 0}, {32, 32})                                                                        \
   X(rgba32f, FLOAT, 16, false, {32, 0}, {32, 32}, {32, 64}, {32, 96})                                                 \
   X(unorm_1, UNORM, 1, true)                                                                                          \
   X(unorm_2, UNORM, 2, true)                                                                                          \
   X(unorm_4, UNORM, 4, true)                                                                                          \
   X(unorm_8, UNORM, 8, true)                                                                                          \
   X(srgb_1, SRGB, 1, true)                                                                                            \
   X(srgb_2, SRGB, 2, true)

#define ROUTINE(name, layout, common)                                                                                  \
   static void name(const struct rt_output *output, uint8_t *texels, const float (*planes)[16], const float (*dual)[16], \
                    uint32_t mask)                                                                                     \
   {                                                                                                                   \
      blend_block(layout, common, output, texels, planes, dual, mask);                                                 \
   }

#define X(name, kind_of, bytes_of, any, ...)                                                                           \
   static const struct layout layout_##name = {RT_TEXELS_##kind_of, bytes_of, any, {__VA_ARGS__}};                     \
   ROUTINE(blend_##name, &layout_##name, NULL)
LAYOUTS_LIST(X)
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
   X(DST_COLOR, ZERO, DST_ALPHA, ZERO)

#define X(sc, dc, sa, da)                                                                                              \
   static const struct rt_blend_attachment common_##sc##_##dc##_##sa##_##da = COMMON(sc, dc, sa, da);                  \
   ROUTINE(rgba8_##sc##_##dc##_##sa##_##da, &layout_rgba8, &common_##sc##_##dc##_##sa##_##da)                          \
   ROUTINE(bgra8_##sc##_##dc##_##sa##_##da, &layout_bgra8, &common_##sc##_##dc##_##sa##_##da)
COMMON_BLENDS(X)
#undef X

typedef void blend_fn(const struct rt_output *output, uint8_t *texels, const float (*planes)[16], const float (*dual)[16], uint32_t mask);

/* The first that is for a format and an equation blends it. */
static const struct routine {
   const struct layout *layout;              /* NULL: any format */
   const struct rt_blend_attachment *common; /* NULL: any equation */
   blend_fn *blend;
} routines[] = {
#define X(sc, dc, sa, da)                                                                                              \
   {&layout_rgba8, &common_##sc##_##dc##_##sa##_##da, rgba8_##sc##_##dc##_##sa##_##da},                                \
      {&layout_bgra8, &common_##sc##_##dc##_##sa##_##da, bgra8_##sc##_##dc##_##sa##_##da},
   COMMON_BLENDS(X)
#undef X
#define X(name, ...) {&layout_##name, NULL, blend_##name},
   LAYOUTS_LIST(X)
#undef X
   {NULL, NULL, blend_other},
};
_Static_assert(UTIL_ARRAY_SIZE(routines) <= UINT8_MAX, "rt_output has a byte for the number");

static bool is_for_format(const struct layout *l, const struct rt_output *output)
{
   bool is_same = l->kind == output->texels && l->bytes == output->info->texel_bytes;
   for (uint32_t c = 0; c < 4 && !l->is_any; c++) {
      const struct rt_channel *channel = &output->info->channels[c];
      is_same &= l->channels[c].bits == channel->bits && (!channel->bits || l->channels[c].shift == channel->shift);
   }
   return is_same;
}

static bool is_equation(const struct rt_blend_attachment *a, const struct rt_output *output)
{
   const struct rt_blend_attachment *b = &output->blend;
   return !output->advanced.op && a->src_color == b->src_color && a->dst_color == b->dst_color && a->color_op == b->color_op &&
          a->src_alpha == b->src_alpha && a->dst_alpha == b->dst_alpha && a->alpha_op == b->alpha_op;
}

uint8_t rt_blend_routine(const struct rt_output *output)
{
   uint32_t i = 0;
   while ((routines[i].layout && !is_for_format(routines[i].layout, output)) ||
          (routines[i].common && !is_equation(routines[i].common, output)))
      i++; /* the last one is for all */
   return (uint8_t)i;
}

void rt_blend_texels(const struct rt_output *output, uint8_t *texels, const float (*planes)[16], const float (*dual)[16], uint32_t mask)
{
   routines[output->blend_routine].blend(output, texels, planes, dual, mask);
}

void rt_blend_run(struct rt_tile *tile, const struct rt_output *output)
{
   const struct rt_surface *surface = &tile->colors[output->attachment];
   const uint32_t num_samples = tile->context->num_samples, sample_bytes = 16 * surface->texel_bytes;
   blend_fn *const blend = routines[output->blend_routine].blend;
   for (uint32_t i = 0; i < tile->num_blocks; i++) {
      struct abi_block *block = &tile->blocks[i];
      const struct rt_run_block *run = &tile->run[i];
      uint8_t *texels = rt_surface_map(surface, run->bx, run->by, 0, NULL);
      uint32_t(*planes)[16] = &block->outputs[output->location * 4];
      if (UTIL_UNLIKELY(output->missing))
         rt_output_zero_missing(output, planes);
      for (uint32_t s = 0; s < num_samples; s++, texels += sample_bytes) {
         const uint32_t mask = run->masks[s] & block->mask_out;
         if (mask)
            blend(output, texels, (const float(*)[16])planes, (const float(*)[16]) & block->outputs[output->dual_slot], mask);
      }
   }
}
