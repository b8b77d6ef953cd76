/* SPDX-License-Identifier: MIT
 * Depth and stencil tests as a draw has them. Spec: Fragment Operations. */
#pragma once

#include "runtime/state.h"

enum rt_depth_format { RT_DEPTH_NONE, RT_DEPTH_D16, RT_DEPTH_X8D24, RT_DEPTH_D32F };

struct rt_depth_state {
   bool is_active; /* any test that can change or needs the attachments */
   bool has_depth_test, has_depth_write, has_bounds_test, has_stencil_test;
   bool is_simple;     /* the depth test and nothing else */
   bool can_cull;      /* hierarchical Z may drop fragments that fail the depth test: nothing else sees them */
   uint8_t format;     /* enum rt_depth_format of the attachment */
   uint8_t compare_op; /* VkCompareOp */
   bool has_clamp;     /* depth clamp */
   float bounds_min, bounds_max;    /* in units of the attachment: see rt_depth_quantize() */
   float z_min, z_max;              /* what is stored: 0 to 1, or all that a float can be */
   struct rt_stencil_face faces[2]; /* front, back */
};

static inline enum rt_depth_format rt_depth_format_of(VkFormat format)
{
   switch (format) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_D16_UNORM_S8_UINT:
      return RT_DEPTH_D16;
   case VK_FORMAT_X8_D24_UNORM_PACK32:
   case VK_FORMAT_D24_UNORM_S8_UINT:
      return RT_DEPTH_X8D24;
   case VK_FORMAT_D32_SFLOAT:
   case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return RT_DEPTH_D32F;
   default:
      return RT_DEPTH_NONE;
   }
}
