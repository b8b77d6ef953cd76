/* SPDX-License-Identifier: MIT */
#include "runtime/draw/output.h"

static bool is_by_alpha(uint8_t factor)
{
   return factor == VK_BLEND_FACTOR_SRC_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA || factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
}

uint32_t rt_output_components(const struct rt_state *state, VkFormat format, uint32_t attachment)
{
   const struct rt_format_info *info = rt_format_info(format);
   const struct rt_blend_attachment *blend = &state->blend.attachments[attachment];
   uint32_t components = 0;
   for (uint32_t c = 0; c < 4; c++)
      components |= info->channels[c].bits ? 1u << c : 0;
   components &= state->color_write_mask.mask[attachment];
   if (!components || !(state->color_write.enable_mask >> attachment & 1))
      return 0;
   if (!state->blend_enable.enable[attachment] || info->is_int)
      return components;
   if (state->blend_advanced.attachments[attachment].op)
      return 0xf;
   const bool has_alpha = is_by_alpha(blend->src_color) || is_by_alpha(blend->dst_color) || is_by_alpha(blend->src_alpha) || is_by_alpha(blend->dst_alpha);
   return components | (has_alpha ? VK_COLOR_COMPONENT_A_BIT : 0);
}
