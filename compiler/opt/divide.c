/* SPDX-License-Identifier: MIT
 * Divisions by a constant become a product and a fused multiply-add.
 *
 * Requires: simplify has run (powers of two are products already); nothing has been copied or unrolled, since a quotient may differ in
 * its last bit from the division's where the exact one is within 2^-22 units of the last place from a tie. Does, where contraction is
 * allowed: 1 / c is the sum of two floats, the first rounded towards zero, so that both have one sign and infinities stay. The error is below
 * 0.500001 units in the last place, and a quotient that is a float is found exactly. Preserves: structure.
 *
 *    %2 = fdiv 1x32 %0, %1 fp=contract    →    %5 = fmul 1x32 %0, %4
 *                                              %2 = fma 1x32 %0, %3, %5 */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/passes.h"

#include <math.h>

/* Both parts of its inverse are normal numbers then. */
bool ir_can_divide_by_constant(const struct ir_instr *divisor)
{
   if (!ir_is_const(divisor) || divisor->bit_size != 32)
      return false;
   const double magnitude = fabs(ir_float_to_double(divisor->imm.c[0], 32));
   return magnitude >= 0x1p-64 && magnitude <= 0x1p64;
}

struct ir_instr *ir_divide_by_constant(struct ir_builder *b, struct ir_instr *x, const struct ir_instr *divisor)
{
   const double inverse = 1.0 / ir_float_to_double(divisor->imm.c[0], 32);
   float high = (float)inverse;
   if (fabs(high) > fabs(inverse))
      high = nextafterf(high, 0.0f);
   const double low = inverse - high;
   if (low == 0)
      return ir_alu2(b, IR_fmul, x, ir_const_f(b, 32, high));
   struct ir_instr *rest = ir_alu2(b, IR_fmul, x, ir_const_f(b, 32, low));
   return ir_alu3(b, IR_fma, x, ir_const_f(b, 32, high), rest);
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
      if (it->op != IR_fdiv || (it->fp & (IR_FP_CONTRACT | IR_FP_RTZ | IR_FP_FLUSH_DENORM)) != IR_FP_CONTRACT ||
          !ir_can_divide_by_constant(it->srcs[1]))
         continue;
      struct ir_builder b = ir_builder_before(shader, it);
      b.fp = it->fp & ~IR_FP_CONTRACT;
      it->forward = ir_divide_by_constant(&b, ir_resolve(it->srcs[0]), it->srcs[1]);
      ir_remove(it);
      has_changed = true;
   }
   return has_changed;
}

bool ir_opt_divide(struct ir_shader *shader)
{
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
