/* SPDX-License-Identifier: MIT
 * The output merger: one block, one attachment. */
#include "runtime/fragment/output.h"

#include "runtime/draw/target.h"
#include "runtime/fragment/merge.h"
#include "runtime/fragment/one_nan.h"
#include "runtime/fragment/texels.h"

#include <string.h>

static bool is_identity(const struct rt_blend_attachment *b)
{
   return b->src_color == VK_BLEND_FACTOR_ONE && b->dst_color == VK_BLEND_FACTOR_ZERO &&
          b->color_op == VK_BLEND_OP_ADD && b->src_alpha == VK_BLEND_FACTOR_ONE &&
          b->dst_alpha == VK_BLEND_FACTOR_ZERO && b->alpha_op == VK_BLEND_OP_ADD;
}

/* The bits of a texel that the channels in `mask` own. */
static void channel_bits(struct rt_output *output)
{
   const struct rt_format_info *info = output->info;
   memset(output->bits, 0, sizeof(output->bits));
   output->has_full_mask = true;
   for (uint32_t c = 0; c < 4; c++) {
      if (!info->channels[c].bits)
         continue;
      if (!(output->write_mask >> c & 1)) {
         output->has_full_mask = false;
         continue;
      }
      for (uint32_t b = 0; b < info->channels[c].bits; b++) {
         const uint32_t bit = info->channels[c].shift + b;
         output->bits[bit / 8] |= (uint8_t)(1u << bit % 8);
      }
   }
}

/* fs: NULL: there is none. */
static bool init_one(struct rt_output *output, const struct rt_state *s, const struct abi_image *view, uint32_t index,
                     uint64_t written, const struct abi_shader_info *fs)
{
   const struct rt_blend_attachment *blend = &s->blend.attachments[index];
   const uint8_t mapped = s->color_locations.location[index];
   if (mapped == RT_NO_LOCATION)
      return false;
   const uint32_t location = mapped ? mapped - 1u : index;
   const uint32_t components = (uint32_t)(written >> (location * 4)) & 0xf;
   const uint32_t dual_slot = ABI_FRAG_DUAL_SOURCE + 4 * UTIL_MIN(location, ABI_MAX_DUAL_SOURCES - 1u);
   /* The second source of dual-source blending stands for its location even where the first is not written. */
   const bool is_written = components || (location < ABI_MAX_DUAL_SOURCES && written >> dual_slot & 0xf);
   const uint8_t write_mask = s->color_write_mask.mask[index];
   if (!view || !view->data || !rt_format_info((VkFormat)view->format)->pack_block || !is_written ||
       !write_mask || !(s->color_write.enable_mask >> index & 1))
      return false;
   *output = (struct rt_output){
      .attachment = (uint8_t)index, .location = (uint8_t)location, .dual_slot = (uint8_t)dual_slot, .blend = *blend, .write_mask = write_mask};
   output->info = rt_format_info((VkFormat)view->format);
   output->missing = (uint8_t)(~components & rt_output_components(s, (VkFormat)view->format, index));
   const enum rt_numeric numeric =
      (enum rt_numeric)output->info->channels[output->info->channels[0].bits ? 0 : 3].numeric;
   output->is_unorm = numeric == RT_UNORM || numeric == RT_SRGB;
   output->is_snorm = numeric == RT_SNORM;
   output->makes_one_nan = rt_shows_nan(output) && !(output->info->channels[0].bits == 32 && fs && fs->keeps_bits >> location & 1);
   for (uint32_t c = 0; c < 4; c++) {
      const float k = s->blend_constants.rgba[c];
      output->constants[c] = output->is_unorm   ? UTIL_CLAMP(k, 0.0f, 1.0f)
                             : output->is_snorm ? UTIL_CLAMP(k, -1.0f, 1.0f)
                                                : k;
   }
   output->advanced = s->blend_advanced.attachments[index];
   rt_texels_init(output);
   channel_bits(output);
   /* Spec: "Logical Operations": not on float and sRGB attachments; blending is off for all then. */
   const bool has_logic = s->logic_op_enable.enable;
   output->mode = RT_OUTPUT_DIRECT;
   if (has_logic && !output->info->is_srgb && numeric != RT_SFLOAT && numeric != RT_UFLOAT) {
      output->mode = s->logic_op.op == VK_LOGIC_OP_COPY ? RT_OUTPUT_DIRECT : RT_OUTPUT_LOGIC;
      output->logic_op = (uint8_t)s->logic_op.op;
   } else if (!has_logic && s->blend_enable.enable[index] && !output->info->is_int && output->advanced.op) {
      output->mode = RT_OUTPUT_BLEND;
   } else if (!has_logic && s->blend_enable.enable[index] && !output->info->is_int && !is_identity(blend)) {
      output->mode = RT_OUTPUT_BLEND;
   }
   output->blend_routine = rt_blend_routine(output);
   output->store_routine = rt_store_routine(output);
   return true;
}

uint32_t rt_output_init(struct rt_output outputs[ABI_MAX_ATTACHMENTS], const struct rt_state *state,
                        const struct rt_target *target, uint64_t written, const struct abi_shader_info *fs)
{
   uint32_t num = 0;
   for (uint32_t i = 0; i < target->num_colors; i++)
      num += init_one(&outputs[num], state, target->colors[i].view, i, written, fs);
   return num;
}

/* The same colours for all samples. */
static void write_direct(const struct rt_output *output, const struct rt_surface *surface, uint32_t bx, uint32_t by,
                         const uint16_t *masks, uint32_t num_samples, const uint32_t (*planes)[16])
{
   uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64))), buffer[RT_MAX_BLOCK_BYTES];
   if (num_samples == 1 && masks[0] == 0xffff && output->has_full_mask && surface->is_tiled) {
      output->info->pack_block(rt_surface_map(surface, bx, by, 0, NULL), planes);
      return;
   }
   output->info->pack_block(packed, planes);
   for (uint32_t s = 0; s < num_samples; s++) {
      if (!masks[s])
         continue;
      uint8_t *texels = rt_surface_map(surface, bx, by, s, buffer);
      rt_merge_block(texels, packed, surface->texel_bytes, masks[s], output->has_full_mask ? NULL : output->bits);
      rt_surface_unmap(surface, bx, by, texels);
   }
}

void rt_output_block(const struct rt_output *output, const struct rt_surface *surface, uint32_t bx, uint32_t by,
                     const uint16_t *masks, uint32_t num_samples, const uint32_t (*planes)[16],
                     const uint32_t (*dual)[16])
{
   if (output->mode == RT_OUTPUT_DIRECT) {
      write_direct(output, surface, bx, by, masks, num_samples, planes);
      return;
   }
   uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64))), buffer[RT_MAX_BLOCK_BYTES];
   uint8_t source[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64)));
   if (output->mode == RT_OUTPUT_LOGIC)
      output->info->pack_block(source, planes);
   for (uint32_t s = 0; s < num_samples; s++) {
      if (!masks[s])
         continue;
      uint8_t *texels = rt_surface_map(surface, bx, by, s, buffer);
      if (output->mode == RT_OUTPUT_BLEND) {
         const struct rt_blend_item item = {texels, (const float(*)[16])planes, (const float(*)[16])dual, masks[s]};
         rt_blend_texels(output, &item, 1);
      } else {
         rt_logic_block((VkLogicOp)output->logic_op, source, texels, packed, surface->texel_bytes * 16);
         rt_merge_block(texels, packed, surface->texel_bytes, masks[s], output->has_full_mask ? NULL : output->bits);
      }
      rt_surface_unmap(surface, bx, by, texels);
   }
}
