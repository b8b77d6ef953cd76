/* SPDX-License-Identifier: MIT
 * Divisions by a constant become a product and a fused multiply-add; several by one divisor become products with its inverse.
 *
 * Requires: simplify has run (powers of two are products already); nothing has been copied or unrolled, since a quotient may differ in
 * its last bit from the division's where the exact one is within 2^-22 units of the last place from a tie. Does, where contraction is
 * allowed: 1 / c is the sum of two floats, the first rounded towards zero, so that both have one sign and infinities stay. The error is below
 * 0.500001 units in the last place, and a quotient that is a float is found exactly. Preserves: structure.
 *
 *    %2 = fdiv 1x32 %0, %1 fp=contract    →    %5 = fmul 1x32 %0, %4
 *                                              %2 = fma 1x32 %0, %3, %5
 *
 * A product with a rounded inverse is off by less than 2 units in the last place, where the specification allows 2.5, for divisors from 2^-126 to
 * 2^126 (Precision and Operation of SPIR-V Instructions); zeros, infinities and NaNs give what the division gives. Processors divide one vector in
 * the time of five products or more.
 *
 *    %3 = fdiv 1x32 %0, %2 fp=contract    →    %5 = fdiv 1x32 %one, %2
 *    %4 = fdiv 1x32 %1, %2 fp=contract         %3 = fmul 1x32 %0, %5
 *                                              %4 = fmul 1x32 %1, %5 */
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

static bool may_round(const struct ir_instr *instr)
{
   return instr->op == IR_fdiv && (instr->fp & (IR_FP_CONTRACT | IR_FP_RTZ | IR_FP_FLUSH_DENORM)) == IR_FP_CONTRACT;
}

/* What a divisor has in its pass_data, of the region that is looked at. */
struct divisor {
   const struct ir_region *region;
   struct ir_instr *first;   /* division by it */
   struct ir_instr *inverse; /* in front of that, once there is a second one */
};

static void multiply(struct ir_shader *shader, struct ir_instr *division, struct ir_instr *inverse)
{
   struct ir_builder b = ir_builder_before(shader, division);
   b.fp = division->fp;
   division->forward = ir_alu2(&b, IR_fmul, ir_resolve(division->srcs[0]), inverse);
   ir_remove(division);
}

static void invert(struct ir_shader *shader, struct divisor *divisor, struct ir_instr *by)
{
   struct ir_builder b = ir_builder_before(shader, divisor->first);
   b.fp = divisor->first->fp;
   divisor->inverse = ir_alu2(&b, IR_fdiv, ir_const_f(&b, 32, 1), by);
   multiply(shader, divisor->first, divisor->inverse);
}

/* True if it is not the first division by what it divides by in its region. */
static bool share_inverse(struct ir_shader *shader, struct ir_instr *division)
{
   struct ir_instr *by = ir_resolve(division->srcs[1]);
   struct divisor *divisor = by->pass_data;
   if (division->bit_size != 32 || division->num_components != 1 || ir_is_const(by))
      return false;
   if (!divisor)
      divisor = by->pass_data = UTIL_ARENA_NEW(shader->arena, struct divisor);
   if (divisor->region != division->region) {
      *divisor = (struct divisor){.region = division->region, .first = division};
      return false;
   }
   if (!divisor->inverse)
      invert(shader, divisor, by);
   multiply(shader, division, divisor->inverse);
   return true;
}

static bool divide(struct ir_shader *shader, struct ir_instr *division)
{
   if (!ir_can_divide_by_constant(division->srcs[1]))
      return share_inverse(shader, division);
   struct ir_builder b = ir_builder_before(shader, division);
   b.fp = division->fp & ~IR_FP_CONTRACT;
   division->forward = ir_divide_by_constant(&b, ir_resolve(division->srcs[0]), division->srcs[1]);
   ir_remove(division);
   return true;
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
      if (may_round(it))
         has_changed |= divide(shader, it);
   }
   return has_changed;
}

bool ir_opt_divide(struct ir_shader *shader)
{
   ir_clear_pass_data(shader);
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
