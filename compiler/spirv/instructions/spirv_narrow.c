/* SPDX-License-Identifier: MIT
 * Narrow floats: bfloat16, 8 bits with an exponent of 4 or 5, and those for blocks with a common scale. A value is its bits; what computes with it goes
 * through 32-bit floats, of which each narrow one is one, and rounds once, to nearest even. Execution modes do not count for them. Those for blocks are
 * converted to other floats only.
 * Spec: SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types, SPV_VALVE_mixed_float_dot_product; OCP 8-bit Floating Point Specification (OFP8),
 * OCP Microscaling Formats (MX). */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include "compiler/spirv/memory/spirv_values.h"
#include "util/narrow_float.h"
#include "util/spirv_numbers.h"

#include <math.h>

static const struct util_narrow_format *format_of(const struct spirv_type *type)
{
   switch (type->encoding) {
   case UTIL_SPV_ENCODING_E4M3: return &util_narrow_e4m3;
   case UTIL_SPV_ENCODING_E5M2: return &util_narrow_e5m2;
   case UTIL_SPV_ENCODING_E2M3: return &util_narrow_e2m3;
   case UTIL_SPV_ENCODING_E3M2: return &util_narrow_e3m2;
   case UTIL_SPV_ENCODING_E2M1: return &util_narrow_e2m1;
   default: return &util_narrow_bfloat16;
   }
}

/* Of SPV_EXT_ocp_microscaling_types: nothing is converted to it. */
static bool is_for_blocks(const struct spirv_type *type)
{
   return type->class == SPIRV_TYPE_NARROW && type->encoding >= UTIL_SPV_ENCODING_E2M3 && type->encoding <= UTIL_SPV_ENCODING_MXINT8;
}

/* ---- constants ---- */

double spirv_narrow_to_double(const struct spirv_type *type, uint64_t bits)
{
   if (type->encoding == UTIL_SPV_ENCODING_E8M0)
      return bits == 0xff ? NAN : ldexp(1, (int)bits - 127);
   if (type->encoding == UTIL_SPV_ENCODING_MXINT8)
      return (int8_t)bits / 64.0;
   return util_narrow_to_double(format_of(type), bits);
}

uint64_t spirv_narrow_from_double(const struct spirv_type *type, double value, bool saturates)
{
   return util_narrow_from_double(format_of(type), value, saturates);
}

static struct ir_instr *op2(struct spirv_ctx *t, enum ir_op op, struct ir_instr *x, uint64_t y)
{
   return ir_alu2(&t->b, op, x, ir_const(&t->b, x->bit_size, y));
}

/* ---- to 32-bit floats ---- */

/* The exponent alone: of 0 it is that of a denormal. */
static struct ir_instr *widen_scale(struct spirv_ctx *t, struct ir_instr *bits)
{
   struct ir_instr *value = ir_select(&t->b, op2(t, IR_ieq, bits, 0), spirv_u32(t, 0x00400000), op2(t, IR_ishl, bits, 23));
   return ir_select(&t->b, op2(t, IR_ieq, bits, 0xff), spirv_u32(t, 0x7fc00000), value);
}

static struct ir_instr *widen(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x)
{
   struct ir_instr *bits = ir_convert(&t->b, IR_u2u, 32, x);
   switch (type->encoding) {
   case UTIL_SPV_ENCODING_BFLOAT16: return op2(t, IR_ishl, bits, 16);
   case UTIL_SPV_ENCODING_E5M2: /* the upper half of a half */
      return ir_convert(&t->b, IR_f2f, 32, ir_convert(&t->b, IR_u2u, 16, op2(t, IR_ishl, bits, 8)));
   case UTIL_SPV_ENCODING_E8M0: return widen_scale(t, bits);
   case UTIL_SPV_ENCODING_MXINT8: return op2(t, IR_fmul, ir_convert(&t->b, IR_i2f, 32, x), 0x3c800000); /* 64ths */
   default: break;
   }
   /* As a half the number is 2 to the power of 15 - bias too small. */
   const struct util_narrow_format *f = format_of(type);
   const uint32_t sign = 1u << (f->bits - 1);
   struct ir_instr *magnitude = op2(t, IR_iand, bits, sign - 1);
   struct ir_instr *half = ir_convert(&t->b, IR_u2u, 16, op2(t, IR_ishl, magnitude, 10 - f->mantissa_bits));
   struct ir_instr *value = op2(t, IR_fmul, ir_convert(&t->b, IR_f2f, 32, half), (127 + 15 - f->bias) << 23);
   if (f->largest < sign - 1)
      value = ir_select(&t->b, op2(t, IR_ieq, magnitude, f->nan), spirv_u32(t, 0x7fc00000), value);
   return ir_alu2(&t->b, IR_ior, value, op2(t, IR_ishl, op2(t, IR_iand, bits, sign), 32 - f->bits));
}

/* ---- from floats ---- */

/* To 32 bits, so that what is rounded to fewer then is rounded once: a number between two floats becomes the one of them that is odd. */
static struct ir_instr *to_odd(struct spirv_ctx *t, struct ir_instr *x)
{
   if (x->bit_size != 64)
      return x->bit_size == 32 ? x : ir_convert(&t->b, IR_f2f, 32, x);
   struct ir_instr *nearest = ir_convert(&t->b, IR_f2f, 32, x), *back = ir_convert(&t->b, IR_f2f, 64, nearest);
   struct ir_instr *is_above = ir_alu2(&t->b, IR_flt, ir_alu1(&t->b, IR_fabs, x), ir_alu1(&t->b, IR_fabs, back));
   struct ir_instr *below = ir_alu2(&t->b, IR_isub, nearest, ir_convert(&t->b, IR_u2u, 32, is_above));
   return ir_select(&t->b, ir_alu2(&t->b, IR_fneu, back, x), op2(t, IR_ior, below, 1), nearest);
}

/* The upper bits of what is left when `drop` low bits are rounded away. */
static struct ir_instr *round_off(struct spirv_ctx *t, struct ir_instr *bits, uint32_t drop)
{
   struct ir_instr *odd = op2(t, IR_iand, op2(t, IR_ushr, bits, drop), 1);
   struct ir_instr *sum = ir_alu2(&t->b, IR_iadd, op2(t, IR_iadd, bits, (UINT64_C(1) << (drop - 1)) - 1), odd);
   return op2(t, IR_ushr, sum, drop);
}

static struct ir_instr *to_8_bits(struct spirv_ctx *t, const struct util_narrow_format *f, struct ir_instr *x, bool saturates)
{
   const uint32_t drop = 23 - f->mantissa_bits;
   const uint32_t least_normal = (127 + 1 - f->bias) << 23;
   /* Added to a small number, this leaves its multiples of the least denormal in the lowest bits, rounded by the addition. */
   const uint32_t magic = (127 + 1 - f->bias - f->mantissa_bits + 23) << 23;
   struct ir_instr *magnitude = op2(t, IR_iand, x, 0x7fffffff);
   struct ir_instr *normal = op2(t, IR_isub, round_off(t, magnitude, drop), (127 - f->bias) << f->mantissa_bits);
   struct ir_instr *small = op2(t, IR_isub, op2(t, IR_fadd, magnitude, magic), magic);
   struct ir_instr *result = ir_select(&t->b, op2(t, IR_ult, magnitude, least_normal), small, normal);
   struct ir_instr *is_large = ir_alu2(&t->b, IR_ult, spirv_u32(t, f->largest), result);
   result = ir_select(&t->b, is_large, spirv_u32(t, saturates ? f->largest : f->overflow), result);
   result = ir_select(&t->b, ir_alu2(&t->b, IR_ult, spirv_u32(t, 0x7f800000), magnitude), spirv_u32(t, f->nan), result);
   struct ir_instr *sign = op2(t, IR_iand, op2(t, IR_ushr, x, 24), 0x80);
   return ir_convert(&t->b, IR_u2u, 8, ir_alu2(&t->b, IR_ior, result, sign));
}

struct ir_instr *spirv_to_narrow(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x, bool saturates)
{
   x = to_odd(t, x);
   if (type->encoding != UTIL_SPV_ENCODING_BFLOAT16)
      return to_8_bits(t, format_of(type), x, saturates);
   struct ir_instr *is_nan = ir_alu2(&t->b, IR_fneu, x, x);
   return ir_convert(&t->b, IR_u2u, 16, ir_select(&t->b, is_nan, spirv_u32(t, 0x7fc0), round_off(t, x, 16)));
}

/* ---- integers ---- */

/* As a 64-bit float; of what has more bits than that keeps, the last one is set if any is that is lost. */
static struct ir_instr *from_integer(struct spirv_ctx *t, struct ir_instr *x, bool is_signed)
{
   if (x->bit_size < 64)
      return ir_convert(&t->b, is_signed ? IR_i2f : IR_u2f, 64, x);
   struct ir_instr *is_negative = is_signed ? op2(t, IR_ilt, x, 0) : ir_const(&t->b, 1, 0);
   struct ir_instr *magnitude = ir_select(&t->b, is_negative, ir_alu1(&t->b, IR_ineg, x), x);
   struct ir_instr *lost = ir_convert(&t->b, IR_u2u, 64, op2(t, IR_ine, op2(t, IR_iand, magnitude, 0x7ff), 0));
   struct ir_instr *upper = ir_alu2(&t->b, IR_ior, op2(t, IR_ushr, magnitude, 11), lost);
   struct ir_instr *large = op2(t, IR_fmul, ir_convert(&t->b, IR_u2f, 64, upper), UINT64_C(0x40a0000000000000)); /* 2048 */
   struct ir_instr *is_large = op2(t, IR_uge, magnitude, UINT64_C(1) << 53);
   struct ir_instr *value = ir_select(&t->b, is_large, large, ir_convert(&t->b, IR_u2f, 64, magnitude));
   return ir_select(&t->b, is_negative, ir_alu1(&t->b, IR_fneg, value), value);
}

/* ---- instructions ---- */

/* The classes of types that an instruction converts. */
static bool can_convert(uint32_t op, const struct spirv_type *from, const struct spirv_type *to)
{
   const bool from_float = from->class == SPIRV_TYPE_FLOAT || from->class == SPIRV_TYPE_NARROW;
   const bool to_float = to->class == SPIRV_TYPE_FLOAT || to->class == SPIRV_TYPE_NARROW;
   switch (op) {
   case SpvOpFConvert: return from_float && to_float && !is_for_blocks(to);
   case SpvOpConvertFToU:
   case SpvOpConvertFToS: return from_float && !is_for_blocks(from) && to->class == SPIRV_TYPE_INT;
   case SpvOpConvertUToF:
   case SpvOpConvertSToF: return from->class == SPIRV_TYPE_INT && to_float && !is_for_blocks(to);
   default: return false;
   }
}

struct ir_instr *spirv_narrow_convert_one(struct spirv_ctx *t, uint32_t op, const struct spirv_type *to, const struct spirv_type *from, struct ir_instr *x,
                                          bool saturates)
{
   if (!can_convert(op, from, to))
      spirv_fail(t, "%s between types that it does not convert", spirv_op_name(op));
   if (from->class == SPIRV_TYPE_NARROW)
      x = widen(t, from, x);
   switch (op) {
   case SpvOpConvertFToU: return ir_convert(&t->b, IR_f2u, to->bits, x);
   case SpvOpConvertFToS: return ir_convert(&t->b, IR_f2i, to->bits, x);
   case SpvOpConvertSToF:
   case SpvOpConvertUToF: return spirv_to_narrow(t, to, from_integer(t, x, op == SpvOpConvertSToF), saturates);
   default: /* SpvOpFConvert */
      if (to->class == SPIRV_TYPE_NARROW)
         return spirv_to_narrow(t, to, x, saturates);
      return to->bits == 32 ? x : ir_convert(&t->b, IR_f2f, to->bits, x);
   }
}

void spirv_narrow_convert(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in), *to = spirv_scalar_type(type);
   const struct spirv_type *from = spirv_scalar_type(spirv_value_type(t, spirv_word(t, in, 3)));
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr **x = spirv_comps_of(t, in->words[3], count);
   struct ir_instr **comps = spirv_new_comps(t, count);
   const bool saturates = spirv_find_decoration(t, in->words[2], -1, UTIL_SPV_DECORATION_SATURATES) != NULL;
   t->b.fp = 0;
   for (uint32_t i = 0; i < count; i++)
      comps[i] = spirv_narrow_convert_one(t, in->op, to, from, x[i], saturates);
   spirv_set_result(t, in, count, comps);
}

/* The field of bits of each component that begins at the offset. */
void spirv_bitcast_extract(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in), *to = spirv_scalar_type(type);
   const struct spirv_type *from = spirv_scalar_type(spirv_value_type(t, spirv_word(t, in, 3)));
   const uint32_t count = spirv_leaf_count(t, type);
   if (to->class != SPIRV_TYPE_NARROW || from->class != SPIRV_TYPE_INT)
      spirv_fail(t, "%s between types that it does not convert", spirv_op_name(in->op));
   struct ir_instr **x = spirv_comps_of(t, in->words[3], count), **comps = spirv_new_comps(t, count);
   struct ir_instr *offset = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, 4)), from->bits, false);
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *field = op2(t, IR_iand, ir_alu2(&t->b, IR_ushr, x[i], offset), (1u << spirv_narrow_bits(to->encoding)) - 1);
      comps[i] = spirv_resize(t, field, to->bits, false);
   }
   spirv_set_result(t, in, count, comps);
}

void spirv_narrow_dot(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t count = spirv_leaf_count(t, spirv_value_type(t, spirv_word(t, in, 3)));
   struct ir_instr **x = spirv_comps_of(t, in->words[3], count), **y = spirv_comps_of(t, spirv_word(t, in, 4), count), *sum = NULL;
   if (type->class != SPIRV_TYPE_NARROW || spirv_scalar_type(spirv_value_type(t, in->words[3])) != type ||
       spirv_scalar_type(spirv_value_type(t, in->words[4])) != type)
      spirv_fail(t, "dot product of different types");
   t->b.fp = 0;
   for (uint32_t i = 0; i < count; i++) { /* products are exact */
      struct ir_instr *product =
         ir_alu2(&t->b, IR_fmul, ir_convert(&t->b, IR_f2f, 64, widen(t, type, x[i])), ir_convert(&t->b, IR_f2f, 64, widen(t, type, y[i])));
      sum = sum ? ir_alu2(&t->b, IR_fadd, sum, product) : product;
   }
   struct ir_instr *result = spirv_to_narrow(t, type, sum, false);
   spirv_set_result(t, in, 1, &result);
}

/* ---- with an accumulator ---- */

/* The types that each instruction takes, by the class, the width and the number of the factors' components. */
static bool can_mix(uint32_t op, const struct spirv_type *factor, uint32_t count, const struct spirv_type *result)
{
   const bool is_half = factor->class == SPIRV_TYPE_FLOAT && factor->bits == 16;
   const bool has_16_bits = is_half || (factor->class == SPIRV_TYPE_NARROW && factor->bits == 16);
   const bool is_float32 = result->class == SPIRV_TYPE_FLOAT && result->bits == 32;
   switch (op) {
   case UTIL_SPV_OP_FDOT2_MIX_ACC32: return count == 2 && has_16_bits && is_float32;
   case UTIL_SPV_OP_FDOT2_MIX_ACC16: return count == 2 && has_16_bits && result == factor;
   default: return count == 4 && factor->class == SPIRV_TYPE_NARROW && factor->bits == 8 && is_float32;
   }
}

struct ir_instr *spirv_to_float32(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x)
{
   if (type->class == SPIRV_TYPE_NARROW)
      return widen(t, type, x);
   return type->bits == 32 ? x : ir_convert(&t->b, IR_f2f, 32, x);
}

void spirv_mixed_dot(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *result = spirv_result_type(t, in), *vector = spirv_value_type(t, spirv_word(t, in, 3)), *factor = spirv_scalar_type(vector);
   const uint32_t count = spirv_leaf_count(t, vector);
   if (!can_mix(in->op, factor, count, result) || spirv_value_type(t, spirv_word(t, in, 4)) != vector || spirv_value_type(t, spirv_word(t, in, 5)) != result)
      spirv_fail(t, "%s of types that it does not take", spirv_op_name(in->op));
   struct ir_instr **x = spirv_comps_of(t, in->words[3], count), **y = spirv_comps_of(t, in->words[4], count), *sum = NULL;
   for (uint32_t i = 0; i < count; i++) { /* products are exact */
      struct ir_instr *product = ir_alu2(&t->b, IR_fmul, spirv_to_float32(t, factor, x[i]), spirv_to_float32(t, factor, y[i]));
      sum = sum ? ir_alu2(&t->b, IR_fadd, sum, product) : product;
   }
   sum = ir_alu2(&t->b, IR_fadd, sum, spirv_to_float32(t, result, spirv_scalar(t, in->words[5])));
   if (result->class == SPIRV_TYPE_NARROW)
      sum = spirv_to_narrow(t, result, sum, false);
   else if (result->bits == 16)
      sum = ir_convert(&t->b, IR_f2f, 16, sum);
   spirv_set_result(t, in, 1, &sum);
}
