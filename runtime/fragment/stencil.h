/* SPDX-License-Identifier: MIT
 * Stencil test and operations on 16 values in a register. Spec: Fragment Operations, "Stencil Test". */
#pragma once

#include "runtime/draw/lanes.h"
#include "runtime/draw/depth.h"

/* One bit a lane of a comparison. */
RT_INLINE_LANES uint32_t rt_bytes_where(rt_u8x16 condition)
{
#if defined(__SSE2__)
   return (uint32_t)_mm_movemask_epi8((__m128i)condition);
#else
   const rt_u8x16 bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
   const rt_u8x16 set = condition & bits;
   uint32_t low = 0, high = 0;
   for (uint32_t i = 0; i < 8; i++) {
      low |= set[i];
      high |= set[i + 8];
   }
   return low | high << 8;
#endif
}

/* Lanes 0xff where the bit is set, else 0. */
RT_INLINE_LANES rt_u8x16 rt_bytes_of_mask(uint32_t mask)
{
#if UTIL_SIMD_LEVEL >= 4
   return (rt_u8x16)_mm_movm_epi8((__mmask16)mask);
#else
   const rt_u8x16 bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
   const uint8_t low = (uint8_t)mask, high = (uint8_t)(mask >> 8);
   const rt_u8x16 bytes = {low, low, low, low, low, low, low, low, high, high, high, high, high, high, high, high};
   return (rt_u8x16)((bytes & bits) != 0);
#endif
}

/* The lanes that pass. */
RT_INLINE_LANES uint32_t rt_stencil_test(const struct rt_stencil_face *face, rt_u8x16 values, rt_u8x16 references)
{
   const uint8_t mask = (uint8_t)face->compare_mask;
   const rt_u8x16 r = references & mask, v = values & mask;
   switch (face->compare_op) {
   case VK_COMPARE_OP_NEVER: return 0;
   case VK_COMPARE_OP_LESS: return rt_bytes_where((rt_u8x16)(r < v));
   case VK_COMPARE_OP_EQUAL: return rt_bytes_where((rt_u8x16)(r == v));
   case VK_COMPARE_OP_LESS_OR_EQUAL: return rt_bytes_where((rt_u8x16)(r <= v));
   case VK_COMPARE_OP_GREATER: return rt_bytes_where((rt_u8x16)(r > v));
   case VK_COMPARE_OP_NOT_EQUAL: return rt_bytes_where((rt_u8x16)(r != v));
   case VK_COMPARE_OP_GREATER_OR_EQUAL: return rt_bytes_where((rt_u8x16)(r >= v));
   default: return 0xffff;
   }
}

RT_INLINE_LANES rt_u8x16 rt_stencil_operate(VkStencilOp op, rt_u8x16 v, rt_u8x16 reference)
{
   switch (op) {
   case VK_STENCIL_OP_ZERO: return (rt_u8x16){0};
   case VK_STENCIL_OP_REPLACE: return reference;
   case VK_STENCIL_OP_INCREMENT_AND_CLAMP: return v - (rt_u8x16)(v != 255);
   case VK_STENCIL_OP_DECREMENT_AND_CLAMP: return v + (rt_u8x16)(v != 0);
   case VK_STENCIL_OP_INVERT: return ~v;
   case VK_STENCIL_OP_INCREMENT_AND_WRAP: return v + 1;
   case VK_STENCIL_OP_DECREMENT_AND_WRAP: return v - 1;
   default: return v;
   }
}

/* What `old` becomes in the lanes of `mask`, into `values`. */
RT_INLINE_LANES void rt_stencil_update(const struct rt_stencil_face *face, VkStencilOp op, rt_u8x16 old, rt_u8x16 references, uint32_t mask,
                                       rt_u8x16 *values)
{
   if (!mask || op == VK_STENCIL_OP_KEEP)
      return;
   const rt_u8x16 changed = rt_bytes_of_mask(mask) & (uint8_t)face->write_mask;
   *values = (rt_stencil_operate(op, old, references) & changed) | (*values & ~changed);
}
