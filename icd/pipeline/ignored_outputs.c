/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/ignored_outputs.h"

#include "icd/chain.h"
#include "icd/pipeline/graphics_state.h"
#include "icd/validate/uses.h"
#include "runtime/draw/output.h"

#include <string.h>

#define IS_DYNAMIC(member) (dynamic_mask >> RT_STATE_##member & 1)

/* What commands may set is as it takes the most components. */
static void assume_all(struct rt_state *state, uint64_t dynamic_mask)
{
   for (uint32_t i = 0; i < ABI_MAX_ATTACHMENTS; i++) {
      if (IS_DYNAMIC(color_write_mask))
         state->color_write_mask.mask[i] = 0xf;
      if (IS_DYNAMIC(blend_enable))
         state->blend_enable.enable[i] = 1;
      if (IS_DYNAMIC(blend) || IS_DYNAMIC(blend_advanced))
         state->blend_advanced.attachments[i].op = 1;
   }
   if (IS_DYNAMIC(color_write))
      state->color_write.enable_mask = UINT32_MAX;
   if (IS_DYNAMIC(alpha_to_coverage))
      state->alpha_to_coverage.alpha_to_coverage = 1;
}

uint32_t icd_ignored_outputs(const VkGraphicsPipelineCreateInfo *info, VkPipelineCreateFlags2 flags, VkGraphicsPipelineLibraryFlagsEXT parts)
{
   const bool has_formats = info->renderPass || icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   struct icd_target_use target;
   struct rt_state state;
   if (!(parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) || !has_formats)
      return 0;
   icd_target_use_init(&target, info, parts);
   assume_all(&state, icd_graphics_state(info, flags, parts, &state));
   uint32_t taken = state.alpha_to_coverage.alpha_to_coverage ? VK_COLOR_COMPONENT_A_BIT : 0; /* of location 0 */
   for (uint32_t i = 0; i < target.num_colors; i++) {
      const uint32_t location = target.locations[i] ? target.locations[i] - 1u : i;
      /* Without a render pass a pipeline that names no format may meet an attachment nevertheless: of any. */
      const bool is_open = !info->renderPass && target.colors[i] == VK_FORMAT_UNDEFINED;
      if (target.locations[i] != RT_NO_LOCATION)
         taken |= rt_output_components(&state, is_open ? VK_FORMAT_R32G32B32A32_SFLOAT : target.colors[i], i) << 4 * location;
   }
   return ~taken;
}
