/* SPDX-License-Identifier: MIT
 * What a sampler says about how images are sampled with it, found when it is made. */
#include "runtime/texture/texture.h"

#include "util/macros.h"

static bool is_special(const struct abi_sampler *sampler)
{
   return sampler->unnormalized || sampler->reduction_mode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE ||
          sampler->mag_filter > ABI_FILTER_LINEAR || sampler->min_filter > ABI_FILTER_LINEAR ||
          sampler->address_mode[0] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
          sampler->address_mode[1] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
}

void rt_sampler_finish(struct abi_sampler *sampler)
{
   const uint8_t *modes = sampler->address_mode;
   const bool is_linear = sampler->mag_filter == ABI_FILTER_LINEAR;
   const bool is_uneven = sampler->mag_filter != sampler->min_filter || sampler->max_anisotropy > 1.0f;

   sampler->lod_bias = UTIL_CLAMP(sampler->lod_bias, -RT_MAX_LOD_BIAS, RT_MAX_LOD_BIAS);
   sampler->class = is_special(sampler)                                ? ABI_SAMPLER_SPECIAL
                   : modes[0] != modes[1]                             ? ABI_SAMPLER_MODES
                   : modes[0] == VK_SAMPLER_ADDRESS_MODE_REPEAT        ? ABI_SAMPLER_REPEAT
                   : modes[0] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE ? ABI_SAMPLER_CLAMP
                                                                      : ABI_SAMPLER_MODES;
   sampler->keeps_base_lod = sampler->lod_bias == 0.0f && sampler->min_lod <= 0.0f && sampler->max_lod >= 0.0f;
   sampler->paths[0] = is_uneven ? ABI_PATH_LEVELS : is_linear ? ABI_PATH_LINEAR : ABI_PATH_NEAREST;
   sampler->is_smooth = sampler->paths[0] == ABI_PATH_LINEAR && (sampler->class == ABI_SAMPLER_REPEAT || sampler->class == ABI_SAMPLER_CLAMP);
   sampler->paths[1] = is_uneven || !is_linear ? ABI_PATH_LEVELS : ABI_PATH_LINEAR_LEVELS;
}
