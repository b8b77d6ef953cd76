/* SPDX-License-Identifier: MIT
 * Integer functions of SPV_INTEL_shader_integer_functions2: counts of zeros, differences, averages, sums that stay at the ends of their range. */
#include "compiler/spirv/instructions/spirv_instructions.h"

struct integer {
   struct spirv_ctx *t;
   struct ir_instr *x, *y;
   uint32_t bits;
};

static struct ir_instr *op(const struct integer *i, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&i->t->b, op, x, y);
}

static struct ir_instr *constant(const struct integer *i, uint64_t value)
{
   return ir_const(&i->t->b, i->bits, value);
}

/* Where x is zero: as many as it has bits. */
static struct ir_instr *count_zeros(const struct integer *i, bool is_leading)
{
   struct ir_instr *zero = op(i, IR_ieq, i->x, constant(i, 0));
   struct ir_instr *found = spirv_resize(i->t, ir_alu1(&i->t->b, is_leading ? IR_find_umsb : IR_find_lsb, i->x), i->bits, true);
   struct ir_instr *count = is_leading ? op(i, IR_isub, constant(i, i->bits - 1), found) : found;
   return ir_select(&i->t->b, zero, constant(i, i->bits), count);
}

static struct ir_instr *difference(const struct integer *i, bool is_signed)
{
   struct ir_instr *is_less = op(i, is_signed ? IR_ilt : IR_ult, i->x, i->y);
   return ir_select(&i->t->b, is_less, op(i, IR_isub, i->y, i->x), op(i, IR_isub, i->x, i->y));
}

/* Without the bit that a sum would need more: what both have, and half of what one has. */
static struct ir_instr *average(const struct integer *i, bool is_signed, bool rounds_up)
{
   struct ir_instr *half = op(i, is_signed ? IR_ishr : IR_ushr, op(i, IR_ixor, i->x, i->y), constant(i, 1));
   return rounds_up ? op(i, IR_isub, op(i, IR_ior, i->x, i->y), half) : op(i, IR_iadd, op(i, IR_iand, i->x, i->y), half);
}

static struct ir_instr *saturated_signed(const struct integer *i, bool is_sum)
{
   const uint64_t lowest = UINT64_C(1) << (i->bits - 1);
   struct ir_builder *b = &i->t->b;
   struct ir_instr *zero = constant(i, 0), *result = op(i, is_sum ? IR_iadd : IR_isub, i->x, i->y);
   struct ir_instr *against = is_sum ? op(i, IR_ixor, i->y, result) : op(i, IR_ixor, i->x, i->y); /* the sign that must agree, or differ */
   struct ir_instr *overflow = op(i, IR_ilt, op(i, IR_iand, op(i, IR_ixor, i->x, result), against), zero);
   struct ir_instr *end = ir_select(b, op(i, IR_ilt, i->x, zero), constant(i, lowest), constant(i, lowest - 1));
   return ir_select(b, overflow, end, result);
}

static struct ir_instr *saturated_unsigned(const struct integer *i, bool is_sum)
{
   struct ir_instr *result = op(i, is_sum ? IR_iadd : IR_isub, i->x, i->y);
   struct ir_instr *overflow = is_sum ? op(i, IR_ult, result, i->x) : op(i, IR_ult, i->x, i->y);
   return ir_select(&i->t->b, overflow, constant(i, is_sum ? UINT64_MAX >> (64 - i->bits) : 0), result);
}

static struct ir_instr *product(const struct integer *i, bool is_signed)
{
   return op(i, IR_imul, i->x, spirv_resize(i->t, spirv_resize(i->t, i->y, 16, false), i->bits, is_signed));
}

static struct ir_instr *compute(const struct integer *i, SpvOp opcode)
{
   switch (opcode) {
   case SpvOpUCountLeadingZerosINTEL: return count_zeros(i, true);
   case SpvOpUCountTrailingZerosINTEL: return count_zeros(i, false);
   case SpvOpAbsISubINTEL: return difference(i, true);
   case SpvOpAbsUSubINTEL: return difference(i, false);
   case SpvOpIAddSatINTEL: return saturated_signed(i, true);
   case SpvOpUAddSatINTEL: return saturated_unsigned(i, true);
   case SpvOpIAverageINTEL: return average(i, true, false);
   case SpvOpUAverageINTEL: return average(i, false, false);
   case SpvOpIAverageRoundedINTEL: return average(i, true, true);
   case SpvOpUAverageRoundedINTEL: return average(i, false, true);
   case SpvOpISubSatINTEL: return saturated_signed(i, false);
   case SpvOpUSubSatINTEL: return saturated_unsigned(i, false);
   case SpvOpIMul32x16INTEL: return product(i, true);
   default: return product(i, false);
   }
}

bool spirv_integer(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op < SpvOpUCountLeadingZerosINTEL || in->op > SpvOpUMul32x16INTEL)
      return false;
   const bool is_unary = in->op <= SpvOpUCountTrailingZerosINTEL;
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count), **y = is_unary ? x : spirv_comps_of(t, spirv_word(t, in, 4), count);
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      const struct integer integer = {t, x[i], spirv_resize(t, y[i], x[i]->bit_size, false), x[i]->bit_size};
      comps[i] = compute(&integer, (SpvOp)in->op);
   }
   spirv_set_result(t, in, count, comps);
   return true;
}
