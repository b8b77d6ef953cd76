/* SPDX-License-Identifier: MIT
 * Offsets of a fragment density map. */
#include "icd/cmd/density_offsets.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "util/size.h"

#include <string.h>

/* A map has so many layers, one at least. */
static uint32_t num_layers(const struct rt_rate_attachment *rates)
{
   return UTIL_MAX(rates->view->num_layers, 1u);
}

void icd_density_offsets_begin(struct icd_command_buffer *buffer)
{
   buffer->density_offsets = (struct icd_density_offsets){0};
}

void icd_density_offsets_add(struct icd_command_buffer *buffer, struct rt_rate_attachment *rates)
{
   struct icd_density_offsets *kept = &buffer->density_offsets;
   if (!rates->is_density)
      return;
   if (!kept->offsets) {
      kept->max_count = num_layers(rates);
      kept->offsets = rt_cmd_data(&buffer->stream, NULL, util_size_array(sizeof(*kept->offsets), kept->max_count, sizeof(kept->offsets->offsets[0])));
      if (kept->offsets)
         kept->offsets->count = 0;
   }
   rates->offsets = kept->offsets;
}

void icd_density_offsets_end(struct icd_command_buffer *buffer, const void *next)
{
#ifdef VK_EXT_fragment_density_map_offset
   const VkRenderPassFragmentDensityMapOffsetEndInfoEXT *info = icd_chain_find(next, VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT);
   const struct icd_density_offsets *kept = &buffer->density_offsets;
   if (info && kept->offsets) {
      const uint32_t count = UTIL_MIN(info->fragmentDensityOffsetCount, kept->max_count);
      memcpy(kept->offsets->offsets, info->pFragmentDensityOffsets, count * sizeof(info->pFragmentDensityOffsets[0]));
      kept->offsets->count = count;
   }
#endif
   icd_density_offsets_begin(buffer);
}
