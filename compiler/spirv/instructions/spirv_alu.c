/* SPDX-License-Identifier: MIT
 * Arithmetic, bit, relational and logical instructions: component by component, one row of a table each.
 * Spec: SPIR-V, "Arithmetic Instructions", "Bit Instructions", "Relational and Logical Instructions". */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include "util/spirv_numbers.h"

enum alu_flags {
   SWAP = 1 << 0,   /* a > b is b < a */
   SHIFT = 1 << 1,  /* the second operand may have another width */
   RESIZE = 1 << 2, /* the result may have another width */
};

struct alu_row {
   uint16_t ir;          /* enum ir_op */
   uint8_t num_operands; /* 0: not in the table */
   uint8_t flags;
};

static const struct alu_row rows[SpvOpBitCount + 1] = {
   [SpvOpSNegate] = {IR_ineg, 1, 0},
   [SpvOpFNegate] = {IR_fneg, 1, 0},
   [SpvOpIAdd] = {IR_iadd, 2, 0},
   [SpvOpFAdd] = {IR_fadd, 2, 0},
   [SpvOpISub] = {IR_isub, 2, 0},
   [SpvOpFSub] = {IR_fsub, 2, 0},
   [SpvOpIMul] = {IR_imul, 2, 0},
   [SpvOpFMul] = {IR_fmul, 2, 0},
   [SpvOpUDiv] = {IR_udiv, 2, 0},
   [SpvOpSDiv] = {IR_idiv, 2, 0},
   [SpvOpFDiv] = {IR_fdiv, 2, 0},
   [SpvOpUMod] = {IR_umod, 2, 0},
   [SpvOpSRem] = {IR_irem, 2, 0},
   [SpvOpSMod] = {IR_imod, 2, 0},
   [SpvOpFRem] = {IR_frem, 2, 0},
   [SpvOpFMod] = {IR_fmod, 2, 0},
   [SpvOpShiftRightLogical] = {IR_ushr, 2, SHIFT},
   [SpvOpShiftRightArithmetic] = {IR_ishr, 2, SHIFT},
   [SpvOpShiftLeftLogical] = {IR_ishl, 2, SHIFT},
   [SpvOpBitwiseOr] = {IR_ior, 2, 0},
   [SpvOpBitwiseXor] = {IR_ixor, 2, 0},
   [SpvOpBitwiseAnd] = {IR_iand, 2, 0},
   [SpvOpNot] = {IR_inot, 1, 0},
   [SpvOpBitReverse] = {IR_bitreverse, 1, 0},
   [SpvOpBitCount] = {IR_bitcount, 1, RESIZE},
   [SpvOpLogicalEqual] = {IR_ieq, 2, 0},
   [SpvOpLogicalNotEqual] = {IR_ine, 2, 0},
   [SpvOpLogicalOr] = {IR_ior, 2, 0},
   [SpvOpLogicalAnd] = {IR_iand, 2, 0},
   [SpvOpLogicalNot] = {IR_inot, 1, 0},
   [SpvOpIEqual] = {IR_ieq, 2, 0},
   [SpvOpINotEqual] = {IR_ine, 2, 0},
   [SpvOpUGreaterThan] = {IR_ult, 2, SWAP},
   [SpvOpSGreaterThan] = {IR_ilt, 2, SWAP},
   [SpvOpUGreaterThanEqual] = {IR_uge, 2, 0},
   [SpvOpSGreaterThanEqual] = {IR_ige, 2, 0},
   [SpvOpULessThan] = {IR_ult, 2, 0},
   [SpvOpSLessThan] = {IR_ilt, 2, 0},
   [SpvOpULessThanEqual] = {IR_uge, 2, SWAP},
   [SpvOpSLessThanEqual] = {IR_ige, 2, SWAP},
   [SpvOpFOrdEqual] = {IR_feq, 2, 0},
   [SpvOpFUnordEqual] = {IR_fequ, 2, 0},
   [SpvOpFOrdNotEqual] = {IR_fne, 2, 0},
   [SpvOpLessOrGreater] = {IR_fne, 2, 0},
   [SpvOpFUnordNotEqual] = {IR_fneu, 2, 0},
   [SpvOpFOrdLessThan] = {IR_flt, 2, 0},
   [SpvOpFUnordLessThan] = {IR_fltu, 2, 0},
   [SpvOpFOrdGreaterThan] = {IR_flt, 2, SWAP},
   [SpvOpFUnordGreaterThan] = {IR_fltu, 2, SWAP},
   [SpvOpFOrdLessThanEqual] = {IR_fge, 2, SWAP},
   [SpvOpFUnordLessThanEqual] = {IR_fgeu, 2, SWAP},
   [SpvOpFOrdGreaterThanEqual] = {IR_fge, 2, 0},
   [SpvOpFUnordGreaterThanEqual] = {IR_fgeu, 2, 0},
};

static void check_sizes(struct spirv_ctx *t, const struct spirv_instr *in, const struct ir_instr *x,
                        const struct ir_instr *y)
{
   if (x->bit_size != y->bit_size)
      spirv_fail(t, "%s: operands of %u and %u bits", spirv_op_name(in->op), x->bit_size, y->bit_size);
}

static void translate_row(struct spirv_ctx *t, const struct spirv_instr *in, const struct alu_row *row)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr **y = row->num_operands == 2 ? spirv_comps_of(t, spirv_word(t, in, 4), count) : NULL;
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      if (!y) {
         comps[i] = ir_alu1(&t->b, row->ir, x[i]);
         if (row->flags & RESIZE)
            comps[i] = spirv_resize(t, comps[i], type->bits, false);
         continue;
      }
      struct ir_instr *second = row->flags & SHIFT ? spirv_resize(t, y[i], x[i]->bit_size, false) : y[i];
      check_sizes(t, in, x[i], second);
      comps[i] = row->flags & SWAP ? ir_alu2(&t->b, row->ir, second, x[i]) : ir_alu2(&t->b, row->ir, x[i], second);
   }
   spirv_set_result(t, in, count, comps);
}

/* ---- what tests floats ---- */

static struct ir_instr *is_nan(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_alu2(&t->b, IR_fneu, x, x);
}

static struct ir_instr *is_inf(struct spirv_ctx *t, struct ir_instr *x)
{
   static const uint64_t infinity[] = {0x7c00, 0x7f800000, UINT64_C(0x7ff0000000000000)};
   const uint32_t which = x->bit_size == 16 ? 0 : x->bit_size == 32 ? 1 : 2;
   return ir_alu2(&t->b, IR_feq, ir_alu1(&t->b, IR_fabs, x), ir_const(&t->b, x->bit_size, infinity[which]));
}

static void classify(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr **comps = spirv_new_comps(t, count);
   if (!spirv_is_float(spirv_value_type(t, in->words[3])))
      spirv_fail(t, "%s of something that is no float", spirv_op_name(in->op));
   for (uint32_t i = 0; i < count; i++)
      comps[i] = in->op == SpvOpIsNan ? is_nan(t, x[i]) : is_inf(t, x[i]);
   spirv_set_result(t, in, count, comps);
}

static void ordered(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count),
                   **y = spirv_comps_of(t, spirv_word(t, in, 4), count);
   const bool is_ordered = in->op == SpvOpOrdered;
   const enum ir_op compare = is_ordered ? IR_feq : IR_fneu;
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      comps[i] = ir_alu2(&t->b, is_ordered ? IR_iand : IR_ior, ir_alu2(&t->b, compare, x[i], x[i]),
                         ir_alu2(&t->b, compare, y[i], y[i]));
   }
   spirv_set_result(t, in, count, comps);
}

static void any_all(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_value_type(t, spirv_word(t, in, 3)));
   struct ir_instr **x = spirv_comps_of(t, in->words[3], 0);
   struct ir_instr *result = x[0];
   for (uint32_t i = 1; i < count; i++)
      result = ir_alu2(&t->b, in->op == SpvOpAny ? IR_ior : IR_iand, result, x[i]);
   spirv_set_result(t, in, 1, &result);
}

/* ---- select ---- */

static struct spirv_val *select_value(struct spirv_ctx *t, const struct spirv_type *type,
                                      struct ir_instr *const *condition, uint32_t num_conditions, struct spirv_val *x,
                                      struct spirv_val *y)
{
   if (x == y)
      return x;
   if (!spirv_types_match(t, x->type, type) || !spirv_types_match(t, y->type, type))
      spirv_fail(t, "OpSelect between values of different types");
   if (!spirv_is_leaf(type)) {
      struct spirv_val *val = spirv_new_composite(t, type);
      for (uint32_t i = 0; i < type->count; i++) {
         struct spirv_val *child = spirv_child(t, x, i);
         spirv_put_child(t, val, i, select_value(t, child->type, condition, 1, child, spirv_child(t, y, i)));
      }
      return val;
   }
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr *const *a = spirv_comps(t, x), *const *b = spirv_comps(t, y);
   struct ir_instr **comps = spirv_new_comps(t, count);
   if (num_conditions != 1 && num_conditions != count)
      spirv_fail(t, "OpSelect with a condition that does not fit");
   for (uint32_t i = 0; i < count; i++)
      comps[i] = ir_select(&t->b, condition[num_conditions == 1 ? 0 : i], a[i], b[i]);
   return spirv_new_leaf(t, type, comps);
}

static void translate_select(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   struct spirv_val *condition = spirv_value(t, spirv_word(t, in, 3));
   const uint32_t num_conditions = spirv_leaf_count(t, condition->type);
   if (condition->type->bits != 1)
      spirv_fail(t, "the condition of OpSelect is not a boolean");
   spirv_take_apart(t, type);
   spirv_set_value(t, spirv_word(t, in, 2),
                   select_value(t, type, spirv_comps(t, condition), num_conditions,
                                spirv_value(t, spirv_word(t, in, 4)), spirv_value(t, spirv_word(t, in, 5))));
}

/* ---- two results ---- */

static void extended(struct spirv_ctx *t, const struct spirv_instr *in)
{
   static const struct {
      uint16_t op, low, high;
   } table[] = {
      {SpvOpIAddCarry, IR_iadd, IR_ucarry},
      {SpvOpISubBorrow, IR_isub, IR_uborrow},
      {SpvOpUMulExtended, IR_imul, IR_umulh},
      {SpvOpSMulExtended, IR_imul, IR_imulh},
   };
   uint32_t row = 0;
   while (table[row].op != in->op)
      row++;
   const struct spirv_type *type = spirv_result_type(t, in);
   if (type->class != SPIRV_TYPE_STRUCT || type->count != 2)
      spirv_fail(t, "%s needs a structure of two members", spirv_op_name(in->op));
   const uint32_t count = spirv_leaf_count(t, type->members[0].type);
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count),
                   **y = spirv_comps_of(t, spirv_word(t, in, 4), count);
   struct ir_instr **low = spirv_new_comps(t, count), **high = spirv_new_comps(t, count);
   if (spirv_leaf_count(t, type->members[1].type) != count)
      spirv_fail(t, "%s: the structure's members differ", spirv_op_name(in->op));
   for (uint32_t i = 0; i < count; i++) {
      check_sizes(t, in, x[i], y[i]);
      low[i] = ir_alu2(&t->b, table[row].low, x[i], y[i]);
      high[i] = ir_alu2(&t->b, table[row].high, x[i], y[i]);
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   spirv_put_child(t, val, 0, spirv_new_leaf(t, type->members[0].type, low));
   spirv_put_child(t, val, 1, spirv_new_leaf(t, type->members[1].type, high));
   spirv_set_value(t, spirv_word(t, in, 2), val);
}

/* ---- bit fields ---- */

static void bit_field(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   const bool is_insert = in->op == SpvOpBitFieldInsert;
   const uint32_t at = is_insert ? 5 : 4;
   struct ir_instr **base = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr **insert = is_insert ? spirv_comps_of(t, spirv_word(t, in, 4), count) : NULL;
   struct ir_instr *offset = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, at)), 32, false);
   struct ir_instr *bits = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, at + 1)), 32, false);
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      if (is_insert) {
         check_sizes(t, in, base[i], insert[i]);
         comps[i] = ir_emit(&t->b, IR_bfi, 0, 0, 4, (struct ir_instr *[]){base[i], insert[i], offset, bits});
      } else {
         comps[i] = ir_alu3(&t->b, in->op == SpvOpBitFieldSExtract ? IR_ibfe : IR_ubfe, base[i], offset, bits);
      }
   }
   spirv_set_result(t, in, count, comps);
}

/* ---- dot products ---- */

struct ir_instr *spirv_dot(struct spirv_ctx *t, uint32_t count, struct ir_instr *const *x, struct ir_instr *const *y)
{
   struct ir_instr *sum = NULL;
   for (uint32_t i = 0; i < count; i++) {
      if (x[i]->bit_size != y[i]->bit_size)
         spirv_fail(t, "dot product of different types");
      struct ir_instr *product = ir_alu2(&t->b, IR_fmul, x[i], y[i]);
      sum = sum ? ir_alu2(&t->b, IR_fadd, sum, product) : product;
   }
   return sum;
}

static void float_dot(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (spirv_is_narrow(spirv_result_type(t, in))) {
      spirv_narrow_dot(t, in);
      return;
   }
   const uint32_t count = spirv_leaf_count(t, spirv_value_type(t, spirv_word(t, in, 3)));
   struct ir_instr **x = spirv_comps_of(t, in->words[3], count);
   struct ir_instr *result = spirv_dot(t, count, x, spirv_comps_of(t, spirv_word(t, in, 4), count));
   spirv_set_result(t, in, 1, &result);
}

/* Of vectors that stand packed in 32 bits. */
static struct ir_instr *packed_dot(struct spirv_ctx *t, const struct spirv_instr *in, bool x_signed, bool y_signed)
{
   struct ir_instr *srcs[2];
   for (uint32_t i = 0; i < 2; i++) {
      srcs[i] = spirv_scalar(t, spirv_word(t, in, 3 + i));
      if (srcs[i]->bit_size != 32)
         spirv_fail(t, "packed vectors must have 32 bits");
   }
   struct ir_instr *sum = ir_emit(&t->b, IR_dot_bytes, 1, 32, 2, srcs);
   sum->imm.u[0] = (uint32_t)x_signed | (uint32_t)y_signed << 1;
   return sum;
}

static struct ir_instr *vector_dot(struct spirv_ctx *t, const struct spirv_instr *in, bool x_signed, bool y_signed, uint32_t bits)
{
   const uint32_t count = spirv_leaf_count(t, spirv_value_type(t, spirv_word(t, in, 3)));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count), **y = spirv_comps_of(t, spirv_word(t, in, 4), count), *sum = NULL;
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *product = ir_alu2(&t->b, IR_imul, spirv_resize(t, x[i], bits, x_signed), spirv_resize(t, y[i], bits, y_signed));
      sum = sum ? ir_alu2(&t->b, IR_iadd, sum, product) : product;
   }
   return sum;
}

/* sum + accumulator without overflow: clamped where the sign of the result is wrong, or below an addend. */
static struct ir_instr *add_saturated(struct spirv_ctx *t, struct ir_instr *sum, struct ir_instr *acc, bool is_signed)
{
   const uint32_t bits = sum->bit_size;
   struct ir_instr *total = ir_alu2(&t->b, IR_iadd, sum, acc);
   if (!is_signed)
      return ir_select(&t->b, ir_alu2(&t->b, IR_ult, total, acc), ir_const(&t->b, bits, UINT64_MAX), total);
   struct ir_instr *zero = ir_const(&t->b, bits, 0);
   struct ir_instr *greatest = ir_const(&t->b, bits, (UINT64_C(1) << (bits - 1)) - 1);
   struct ir_instr *least = ir_const(&t->b, bits, UINT64_C(1) << (bits - 1));
   struct ir_instr *differs =
      ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_ixor, total, sum), ir_alu2(&t->b, IR_ixor, total, acc));
   struct ir_instr *limit = ir_select(&t->b, ir_alu2(&t->b, IR_ilt, acc, zero), least, greatest);
   return ir_select(&t->b, ir_alu2(&t->b, IR_ilt, differs, zero), limit, total);
}

/* Saturating forms sum up in 64 bits or the result's own width, whichever is wider, then clamp once. */
static void integer_dot(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool saturates = in->op == SpvOpSDotAccSat || in->op == SpvOpUDotAccSat || in->op == SpvOpSUDotAccSat;
   const bool x_signed = in->op != SpvOpUDot && in->op != SpvOpUDotAccSat;
   const bool y_signed = in->op == SpvOpSDot || in->op == SpvOpSDotAccSat;
   const uint32_t bits = spirv_result_type(t, in)->bits;
   const uint32_t wide = saturates ? 64 : bits;
   const bool is_packed = spirv_is_scalar(spirv_value_type(t, spirv_word(t, in, 3)));
   struct ir_instr *sum = is_packed ? spirv_resize(t, packed_dot(t, in, x_signed, y_signed), wide, x_signed)
                                    : vector_dot(t, in, x_signed, y_signed, wide);
   if (saturates) {
      struct ir_instr *acc = spirv_scalar(t, spirv_word(t, in, 5));
      sum = add_saturated(t, sum, spirv_resize(t, acc, 64, x_signed), x_signed);
      if (bits < 64) {
         const uint64_t greatest = (UINT64_C(1) << (x_signed ? bits - 1 : bits)) - 1;
         sum = ir_alu2(&t->b, x_signed ? IR_imin : IR_umin, sum, ir_const(&t->b, 64, greatest));
         if (x_signed)
            sum = ir_alu2(&t->b, IR_imax, sum, ir_const(&t->b, 64, ~greatest));
         sum = ir_convert(&t->b, IR_u2u, bits, sum);
      }
   }
   spirv_set_result(t, in, 1, &sum);
}

static void vector_times_scalar(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr *factor = spirv_scalar(t, spirv_word(t, in, 4));
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      check_sizes(t, in, x[i], factor);
      comps[i] = ir_alu2(&t->b, IR_fmul, x[i], factor);
   }
   spirv_set_result(t, in, count, comps);
}

static void fused(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count), **y = spirv_comps_of(t, spirv_word(t, in, 4), count),
                   **z = spirv_comps_of(t, spirv_word(t, in, 5), count);
   struct ir_instr **comps = spirv_new_comps(t, count);
   if (!spirv_is_float(type))
      spirv_fail(t, "%s of something that is no float", spirv_op_name(in->op));
   for (uint32_t i = 0; i < count; i++) {
      check_sizes(t, in, x[i], y[i]);
      check_sizes(t, in, x[i], z[i]);
      comps[i] = ir_alu3(&t->b, IR_fma, x[i], y[i], z[i]);
   }
   spirv_set_result(t, in, count, comps);
}

bool spirv_alu(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op < UTIL_ARRAY_SIZE(rows) && rows[in->op].num_operands) {
      translate_row(t, in, &rows[in->op]);
      return true;
   }
   switch (in->op) {
   case SpvOpIsNan:
   case SpvOpIsInf: classify(t, in); return true;
   case SpvOpOrdered:
   case SpvOpUnordered: ordered(t, in); return true;
   case SpvOpAny:
   case SpvOpAll: any_all(t, in); return true;
   case SpvOpSelect: translate_select(t, in); return true;
   case SpvOpIAddCarry:
   case SpvOpISubBorrow:
   case SpvOpUMulExtended:
   case SpvOpSMulExtended: extended(t, in); return true;
   case SpvOpBitFieldInsert:
   case SpvOpBitFieldSExtract:
   case SpvOpBitFieldUExtract: bit_field(t, in); return true;
   case UTIL_SPV_OP_FMA: fused(t, in); return true;
   case SpvOpDot: float_dot(t, in); return true;
   case UTIL_SPV_OP_FDOT2_MIX_ACC32:
   case UTIL_SPV_OP_FDOT2_MIX_ACC16:
   case UTIL_SPV_OP_FDOT4_MIX_ACC32: spirv_mixed_dot(t, in); return true;
   case SpvOpVectorTimesScalar: vector_times_scalar(t, in); return true;
   case SpvOpSDot:
   case SpvOpUDot:
   case SpvOpSUDot:
   case SpvOpSDotAccSat:
   case SpvOpUDotAccSat:
   case SpvOpSUDotAccSat: integer_dot(t, in); return true;
   default: return false;
   }
}
