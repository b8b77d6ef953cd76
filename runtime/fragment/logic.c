/* SPDX-License-Identifier: MIT
 * Logical operations on packed texels. Spec: The Framebuffer, "Logical Operations". */
#include "runtime/fragment/output.h"

#define EACH(expression)                                                                                               \
   for (uint32_t i = 0; i < size_bytes; i++)                                                                           \
      r[i] = (uint8_t)(expression);                                                                                    \
   break

void rt_logic_block(VkLogicOp op, const void *src, const void *dst, void *result, uint32_t size_bytes)
{
   const uint8_t *s = src, *d = dst;
   uint8_t *r = result;
   switch (op) {
   case VK_LOGIC_OP_CLEAR:
      EACH(0);
   case VK_LOGIC_OP_AND:
      EACH(s[i] & d[i]);
   case VK_LOGIC_OP_AND_REVERSE:
      EACH(s[i] & ~d[i]);
   case VK_LOGIC_OP_AND_INVERTED:
      EACH(~s[i] & d[i]);
   case VK_LOGIC_OP_NO_OP:
      EACH(d[i]);
   case VK_LOGIC_OP_XOR:
      EACH(s[i] ^ d[i]);
   case VK_LOGIC_OP_OR:
      EACH(s[i] | d[i]);
   case VK_LOGIC_OP_NOR:
      EACH(~(s[i] | d[i]));
   case VK_LOGIC_OP_EQUIVALENT:
      EACH(~(s[i] ^ d[i]));
   case VK_LOGIC_OP_INVERT:
      EACH(~d[i]);
   case VK_LOGIC_OP_OR_REVERSE:
      EACH(s[i] | ~d[i]);
   case VK_LOGIC_OP_COPY_INVERTED:
      EACH(~s[i]);
   case VK_LOGIC_OP_OR_INVERTED:
      EACH(~s[i] | d[i]);
   case VK_LOGIC_OP_NAND:
      EACH(~(s[i] & d[i]));
   case VK_LOGIC_OP_SET:
      EACH(0xff);
   default:
      EACH(s[i]);
   }
}
