/* SPDX-License-Identifier: MIT
 * Stencil test and operations on 16 values. Plain loops over bytes, which compilers vectorise. */
#include "runtime/fragment/depth.h"

#define LANES_WHERE(condition)                                                                                         \
   for (uint32_t i = 0; i < 16; i++)                                                                                   \
   pass |= (uint32_t)(condition) << i

uint32_t rt_stencil_test(const struct rt_stencil_face *face, const uint8_t values[16], const uint32_t *reference)
{
   uint8_t r[16], v[16];
   const uint8_t mask = (uint8_t)face->compare_mask;
   for (uint32_t i = 0; i < 16; i++) {
      r[i] = (uint8_t)reference[i] & mask;
      v[i] = values[i] & mask;
   }
   uint32_t pass = 0;
   switch (face->compare_op) {
   case VK_COMPARE_OP_NEVER:
      break;
   case VK_COMPARE_OP_LESS:
      LANES_WHERE(r[i] < v[i]);
      break;
   case VK_COMPARE_OP_EQUAL:
      LANES_WHERE(r[i] == v[i]);
      break;
   case VK_COMPARE_OP_LESS_OR_EQUAL:
      LANES_WHERE(r[i] <= v[i]);
      break;
   case VK_COMPARE_OP_GREATER:
      LANES_WHERE(r[i] > v[i]);
      break;
   case VK_COMPARE_OP_NOT_EQUAL:
      LANES_WHERE(r[i] != v[i]);
      break;
   case VK_COMPARE_OP_GREATER_OR_EQUAL:
      LANES_WHERE(r[i] >= v[i]);
      break;
   default:
      pass = 0xffff;
      break;
   }
   return pass;
}

static inline uint8_t operate(VkStencilOp op, uint8_t v, uint8_t reference)
{
   switch (op) {
   case VK_STENCIL_OP_ZERO:
      return 0;
   case VK_STENCIL_OP_REPLACE:
      return reference;
   case VK_STENCIL_OP_INCREMENT_AND_CLAMP:
      return v == 255 ? 255 : (uint8_t)(v + 1);
   case VK_STENCIL_OP_DECREMENT_AND_CLAMP:
      return v == 0 ? 0 : (uint8_t)(v - 1);
   case VK_STENCIL_OP_INVERT:
      return (uint8_t)~v;
   case VK_STENCIL_OP_INCREMENT_AND_WRAP:
      return (uint8_t)(v + 1);
   case VK_STENCIL_OP_DECREMENT_AND_WRAP:
      return (uint8_t)(v - 1);
   default:
      return v;
   }
}

void rt_stencil_update(const struct rt_stencil_face *face, VkStencilOp op, uint8_t values[16],
                       const uint32_t *reference, uint32_t mask)
{
   const uint8_t write = (uint8_t)face->write_mask;
   if (!mask || op == VK_STENCIL_OP_KEEP || !write)
      return;
   for (uint32_t i = 0; i < 16; i++) {
      const uint8_t lane = mask >> i & 1 ? write : 0;
      const uint8_t v = operate(op, values[i], (uint8_t)reference[i]);
      values[i] = (uint8_t)((v & lane) | (values[i] & ~lane));
   }
}
