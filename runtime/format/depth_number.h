/* SPDX-License-Identifier: MIT
 * Depth and stencil texels as numbers that can be compared and averaged: the integers of fixed-point depth and of stencil, the floats of others.
 * For the formats of planes: D16_UNORM, X8_D24_UNORM_PACK32, D32_SFLOAT, S8_UINT. */
#pragma once

#include "runtime/format/format.h"

#include <string.h>

static inline double rt_depth_number_load(const struct rt_format_info *info, const uint8_t *texel)
{
   uint32_t bits = 0;
   memcpy(&bits, texel, info->texel_bytes);
   if (info->format == VK_FORMAT_X8_D24_UNORM_PACK32)
      return bits & 0xffffff;
   if (info->format != VK_FORMAT_D32_SFLOAT)
      return bits;
   float number;
   memcpy(&number, &bits, sizeof(number));
   return number;
}

/* Fixed-point depth is rounded to the nearest. */
static inline void rt_depth_number_store(const struct rt_format_info *info, uint8_t *texel, double number)
{
   uint32_t bits = (uint32_t)(info->format == VK_FORMAT_D32_SFLOAT ? 0 : info->is_stencil ? number : number + 0.5);
   const float as_float = (float)number;
   if (info->format == VK_FORMAT_D32_SFLOAT)
      memcpy(&bits, &as_float, sizeof(bits));
   memcpy(texel, &bits, info->texel_bytes);
}

/* What one sample's number makes of that of those before it; of averages the sum. */
static inline double rt_depth_number_add(VkResolveModeFlagBits mode, double number, double sample)
{
   switch (mode) {
   case VK_RESOLVE_MODE_MIN_BIT: return UTIL_MIN(number, sample);
   case VK_RESOLVE_MODE_MAX_BIT: return UTIL_MAX(number, sample);
   case VK_RESOLVE_MODE_AVERAGE_BIT: return number + sample;
   default: return number; /* sample 0 */
   }
}
