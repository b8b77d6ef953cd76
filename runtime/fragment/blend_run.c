/* SPDX-License-Identifier: MIT
 * Blending of a run of blocks, channel by channel: what to do is decided once a channel, not once a block. The same
 * operations as those of blend.c on one block. Spec: The Framebuffer, "Blending". */
#include "runtime/draw/lanes.h"
#include "runtime/fragment/one_nan.h"
#include "runtime/fragment/shade.h"
#include "runtime/fragment/texels.h"
#include "runtime/fragment/tile.h"

_Static_assert(RT_RUN_BLOCKS <= sizeof(rt_planes) / sizeof(float[4][16]), "a run fits into planes");

/* One value a lane of each block, `stride_bytes` from block to block. */
struct plane {
   const char *at;
   size_t stride_bytes;
};

enum scaling { SCALE_ZERO, SCALE_ONE, SCALE_BY, SCALE_BY_REST, NUM_SCALINGS }; /* REST: 1 - value */

struct factor {
   enum scaling scaling;
   struct plane by;
};

/* What a run blends. */
struct run {
   const struct rt_output *output;
   uint32_t num_blocks;
   struct plane src[4], dual[4], dst[4], constants[4], saturate;
};

static struct plane plane_of(const void *at, size_t stride_bytes)
{
   return (struct plane){at, stride_bytes};
}

static struct factor find_factor(const struct run *run, VkBlendFactor f, uint32_t channel)
{
   switch (f) {
   case VK_BLEND_FACTOR_ZERO: return (struct factor){.scaling = SCALE_ZERO};
   case VK_BLEND_FACTOR_SRC_COLOR: return (struct factor){SCALE_BY, run->src[channel]};
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR: return (struct factor){SCALE_BY_REST, run->src[channel]};
   case VK_BLEND_FACTOR_DST_COLOR: return (struct factor){SCALE_BY, run->dst[channel]};
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR: return (struct factor){SCALE_BY_REST, run->dst[channel]};
   case VK_BLEND_FACTOR_SRC_ALPHA: return (struct factor){SCALE_BY, run->src[3]};
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA: return (struct factor){SCALE_BY_REST, run->src[3]};
   case VK_BLEND_FACTOR_DST_ALPHA: return (struct factor){SCALE_BY, run->dst[3]};
   case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA: return (struct factor){SCALE_BY_REST, run->dst[3]};
   case VK_BLEND_FACTOR_CONSTANT_COLOR: return (struct factor){SCALE_BY, run->constants[channel]};
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR: return (struct factor){SCALE_BY_REST, run->constants[channel]};
   case VK_BLEND_FACTOR_CONSTANT_ALPHA: return (struct factor){SCALE_BY, run->constants[3]};
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA: return (struct factor){SCALE_BY_REST, run->constants[3]};
   case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      return channel == 3 ? (struct factor){.scaling = SCALE_ONE} : (struct factor){SCALE_BY, run->saturate};
   case VK_BLEND_FACTOR_SRC1_COLOR: return (struct factor){SCALE_BY, run->dual[channel]};
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR: return (struct factor){SCALE_BY_REST, run->dual[channel]};
   case VK_BLEND_FACTOR_SRC1_ALPHA: return (struct factor){SCALE_BY, run->dual[3]};
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA: return (struct factor){SCALE_BY_REST, run->dual[3]};
   default: return (struct factor){.scaling = SCALE_ONE};
   }
}

/* ---- one channel; `op`, and of both factors how they scale, are constants ---- */

RT_INLINE_LANES rt_f32x16 scale(enum scaling scaling, const struct plane *by, uint32_t block, rt_f32x16 value)
{
   switch (scaling) {
   case SCALE_ZERO: return rt_splat_f(0.0f); /* whatever the value */
   case SCALE_ONE: return value;
   case SCALE_BY: return value * rt_load_f(by->at + block * by->stride_bytes);
   default: return value * (rt_splat_f(1.0f) - rt_load_f(by->at + block * by->stride_bytes));
   }
}

RT_INLINE_LANES void blend_scaled(VkBlendOp op, enum scaling of_src, enum scaling of_dst, const struct plane *src,
                                  const struct plane *src_by, const struct plane *dst_by, float (*dst)[16], uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const rt_f32x16 s = scale(of_src, src_by, i, rt_load_f(src->at + i * src->stride_bytes));
      const rt_f32x16 d = scale(of_dst, dst_by, i, rt_load_f(dst[i]));
      rt_store_f(dst[i], op == VK_BLEND_OP_SUBTRACT ? s - d : op == VK_BLEND_OP_REVERSE_SUBTRACT ? d - s : s + d);
   }
}

typedef void blend_fn(const struct plane *src, const struct plane *src_by, const struct plane *dst_by, float (*dst)[16],
                      uint32_t count);

#define BLEND_FN(op, src, dst)                                                                                         \
   static void blend_##op##_##src##_##dst(const struct plane *s, const struct plane *s_by, const struct plane *d_by,   \
                                          float (*d)[16], uint32_t count)                                              \
   {                                                                                                                   \
      blend_scaled(VK_BLEND_OP_##op, SCALE_##src, SCALE_##dst, s, s_by, d_by, d, count);                               \
   }
#define BLEND_FNS_OF_SRC(op, src)                                                                                      \
   BLEND_FN(op, src, ZERO) BLEND_FN(op, src, ONE) BLEND_FN(op, src, BY) BLEND_FN(op, src, BY_REST)
#define BLEND_FNS(op)                                                                                                  \
   BLEND_FNS_OF_SRC(op, ZERO) BLEND_FNS_OF_SRC(op, ONE) BLEND_FNS_OF_SRC(op, BY) BLEND_FNS_OF_SRC(op, BY_REST)
BLEND_FNS(ADD)
BLEND_FNS(SUBTRACT)
BLEND_FNS(REVERSE_SUBTRACT)

#define BLEND_ROW(op, src)                                                                                             \
   {blend_##op##_##src##_ZERO, blend_##op##_##src##_ONE, blend_##op##_##src##_BY, blend_##op##_##src##_BY_REST}
#define BLEND_TABLE(op) {BLEND_ROW(op, ZERO), BLEND_ROW(op, ONE), BLEND_ROW(op, BY), BLEND_ROW(op, BY_REST)}
static blend_fn *const blend_fns[][NUM_SCALINGS][NUM_SCALINGS] = {
   [VK_BLEND_OP_ADD] = BLEND_TABLE(ADD),
   [VK_BLEND_OP_SUBTRACT] = BLEND_TABLE(SUBTRACT),
   [VK_BLEND_OP_REVERSE_SUBTRACT] = BLEND_TABLE(REVERSE_SUBTRACT),
};

static void blend_extreme(bool is_max, const struct plane *src, float (*dst)[16], uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const rt_f32x16 s = rt_load_f(src->at + i * src->stride_bytes), d = rt_load_f(dst[i]);
      rt_store_f(dst[i], is_max ? rt_max_f(s, d) : rt_min_f(s, d));
   }
}

static void blend_channel(const struct run *run, uint32_t channel, float (*dst)[16])
{
   const struct rt_blend_attachment *b = &run->output->blend;
   const VkBlendOp op = (VkBlendOp)(channel < 3 ? b->color_op : b->alpha_op);
   if (op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX) {
      blend_extreme(op == VK_BLEND_OP_MAX, &run->src[channel], dst, run->num_blocks);
      return;
   }
   const struct factor src = find_factor(run, (VkBlendFactor)(channel < 3 ? b->src_color : b->src_alpha), channel);
   const struct factor by = find_factor(run, (VkBlendFactor)(channel < 3 ? b->dst_color : b->dst_alpha), channel);
   const uint32_t row = op == VK_BLEND_OP_SUBTRACT || op == VK_BLEND_OP_REVERSE_SUBTRACT ? op : VK_BLEND_OP_ADD;
   blend_fns[row][src.scaling][by.scaling](&run->src[channel], &src.by, &by.by, dst, run->num_blocks);
}

/* ---- runs ---- */

static bool uses_dst_alpha(uint8_t factor)
{
   return factor == VK_BLEND_FACTOR_DST_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA ||
          factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
}

static bool uses_source_alpha(uint8_t factor)
{
   return factor == VK_BLEND_FACTOR_SRC_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA ||
          factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE || factor == VK_BLEND_FACTOR_SRC1_ALPHA ||
          factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

/* Of a source: those that are written, and alpha where it is a factor. */
static uint32_t source_channels(const struct rt_output *output, uint32_t written)
{
   const struct rt_blend_attachment *b = &output->blend;
   const bool has_factor = uses_source_alpha(b->src_color) || uses_source_alpha(b->dst_color) ||
                           uses_source_alpha(b->src_alpha) || uses_source_alpha(b->dst_alpha);
   return written | (has_factor ? VK_COLOR_COMPONENT_A_BIT : 0);
}

/* Of the attachment. */
static uint32_t wanted_channels(const struct rt_output *output, uint32_t written)
{
   const struct rt_blend_attachment *b = &output->blend;
   const bool has_factor = uses_dst_alpha(b->src_color) || uses_dst_alpha(b->dst_color) || uses_dst_alpha(b->src_alpha) ||
                           uses_dst_alpha(b->dst_alpha);
   return written | (has_factor ? VK_COLOR_COMPONENT_A_BIT : 0);
}

/* What the shader gave, limited to what the format holds. */
static void clamp_source(const struct rt_output *output, struct rt_tile *tile, uint32_t first_plane, uint32_t channels)
{
   if (!output->is_unorm && !output->is_snorm)
      return;
   const float low = output->is_unorm ? 0.0f : -1.0f;
   for (uint32_t i = 0; i < tile->num_blocks; i++)
      for (uint32_t c = 0; c < 4; c++) {
         uint32_t *plane = tile->blocks[i].outputs[first_plane + c];
         if (channels >> c & 1)
            rt_store_f(plane, rt_clamp_f(rt_load_f(plane), low, 1.0f));
      }
}

static void find_planes(struct run *run, const struct rt_tile *tile, rt_planes dst, const float (*constants)[16],
                        float (*saturate)[16])
{
   const struct rt_output *output = run->output;
   const uint32_t(*outputs)[16] = tile->blocks[0].outputs;
   for (uint32_t c = 0; c < 4; c++) {
      run->src[c] = plane_of(outputs[output->location * 4 + c], sizeof(struct abi_block));
      run->dual[c] = plane_of(outputs[ABI_FRAG_DUAL_SOURCE + c], sizeof(struct abi_block));
      run->dst[c] = plane_of(dst[c], sizeof(dst[c][0]));
      run->constants[c] = plane_of(constants[c], 0);
   }
   run->saturate = plane_of(saturate, sizeof(saturate[0]));
}

static void find_saturate(const struct run *run, const rt_planes dst, float (*saturate)[16])
{
   for (uint32_t i = 0; i < run->num_blocks; i++)
      rt_store_f(saturate[i],
                 rt_min_f(rt_load_f(run->src[3].at + i * run->src[3].stride_bytes), rt_splat_f(1.0f) - rt_load_f(dst[3][i])));
}

/* Of one sample: needs all channels at a time. */
static void blend_advanced(const struct rt_output *output, const struct rt_tile *tile, rt_planes planes)
{
   rt_advanced_run(output, &(struct rt_advanced_operands){.src = (const char *)tile->blocks[0].outputs[output->location * 4],
                                                            .src_stride_bytes = sizeof(struct abi_block),
                                                            .dst = {planes[0], planes[1], planes[2], planes[3]},
                                                            .num_blocks = tile->num_blocks});
   for (uint32_t c = 0; rt_shows_nan(output) && c < 4; c++)
      rt_one_nan_planes(planes[c], tile->num_blocks);
}

void rt_blend_run(struct rt_tile *tile, const struct rt_output *output)
{
   const bool is_advanced = output->advanced.op;
   const struct rt_surface *surface = &tile->colors[output->attachment];
   const struct rt_blend_attachment *b = &output->blend;
   const uint32_t count = tile->num_blocks;
   rt_planes planes __attribute__((aligned(64)));
   float constants[4][16] __attribute__((aligned(64))), saturate[RT_RUN_BLOCKS][16] __attribute__((aligned(64)));
   struct run run = {.output = output, .num_blocks = count};
   uint32_t written = 0;
   for (uint32_t c = 0; c < 4; c++) {
      written |= output->info->channels[c].bits && output->write_mask >> c & 1 ? 1u << c : 0;
      rt_store_f(constants[c], rt_splat_f(output->constants[c]));
   }
   clamp_source(output, tile, output->location * 4u, is_advanced ? 0xf : source_channels(output, written));
   if (output->has_dual_source)
      clamp_source(output, tile, ABI_FRAG_DUAL_SOURCE, source_channels(output, written));
   find_planes(&run, tile, planes, (const float(*)[16])constants, saturate);
   for (uint32_t s = 0; s < tile->context->num_samples; s++) {
      uint8_t *texels[RT_RUN_BLOCKS];
      uint16_t masks[RT_RUN_BLOCKS];
      for (uint32_t i = 0; i < count; i++) {
         texels[i] = rt_surface_map(surface, tile->run[i].bx, tile->run[i].by, s, NULL);
         masks[i] = tile->run[i].masks[s];
      }
      rt_texels_unpack(output, texels, count, is_advanced ? 0xf : wanted_channels(output, written), planes);
      if (is_advanced) {
         blend_advanced(output, tile, planes);
         rt_texels_pack(output, texels, masks, count, planes);
         continue;
      }
      if (b->src_color == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE || b->dst_color == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE)
         find_saturate(&run, (const float(*)[16][16])planes, saturate);
      for (uint32_t c = 0; c < 4; c++) { /* alpha, which may be a factor of the others, last */
         if (!(written >> c & 1))
            continue;
         blend_channel(&run, c, planes[c]);
         if (rt_shows_nan(output))
            rt_one_nan_planes(planes[c], count);
      }
      rt_texels_pack(output, texels, masks, count, planes);
   }
}
