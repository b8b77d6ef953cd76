/* SPDX-License-Identifier: MIT
 * Blending of 16 fragments. Spec: The Framebuffer, "Blending". */
#include "runtime/fragment/output.h"

#include "runtime/fragment/blend_lanes.h"

#include <string.h>

static void blend_advanced_block(const struct rt_output *output, const float (*planes)[16], const float (*dst)[16], float (*result)[16])
{
   float src[4][16] __attribute__((aligned(64)));
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t at = 0; at < ABI_BLOCK_TEXELS; at += RT_PART_LANES)
         rt_pf_store(&src[c][at], rt_blend_clamp(output, rt_pf_load(&planes[c][at])));
   memcpy(result, dst, 4 * sizeof(*dst));
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
   for (uint32_t at = 0; at < ABI_BLOCK_TEXELS; at += RT_PART_LANES) {
      struct rt_blend_operands o = {.dual = dual, .first_lane = at, .output = output};
      for (uint32_t c = 0; c < 4; c++) {
         o.src[c] = rt_blend_clamp(output, rt_pf_load(&planes[c][at]));
         o.dst[c] = rt_pf_load(&dst[c][at]);
      }
      rt_pf blended[4];
      rt_blend_all(&output->blend, &o, blended);
      for (uint32_t c = 0; c < 4; c++)
         rt_pf_store(&result[c][at], blended[c]);
   }
}
