/* SPDX-License-Identifier: MIT
 * Sums and constant multiples of strided values are strided: between divergence.c, which is certain of them, and likely.c, which expects them. */
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/ir/ir_eval.h"

/* Of a result of 32 or 64 bits, of sources whose lanes differ by x and by y: both wrap alike, modulo the size. False: the operation is no such. */
static inline bool ir_linear_stride(const struct ir_instr *instr, int64_t x, int64_t y, int64_t *stride)
{
   const struct ir_instr *a = instr->srcs[0], *b = instr->num_srcs > 1 ? instr->srcs[1] : NULL;
   const bool by_const = b && ir_is_const(b);
   const uint64_t factor = by_const ? b->imm.c[0] : 0;
   uint64_t result;
   switch ((enum ir_op)instr->op) {
   case IR_iadd: result = (uint64_t)x + (uint64_t)y; break;
   case IR_isub: result = (uint64_t)x - (uint64_t)y; break;
   case IR_ineg: result = 0 - (uint64_t)x; break;
   case IR_imul:
      if (!by_const && !ir_is_const(a))
         return false;
      result = by_const ? (uint64_t)x * factor : (uint64_t)y * a->imm.c[0];
      break;
   case IR_ishl:
      if (!by_const)
         return false;
      result = (uint64_t)x << (factor & (instr->bit_size - 1));
      break;
   default: return false;
   }
   *stride = ir_sign_extend(result, instr->bit_size);
   return true;
}
