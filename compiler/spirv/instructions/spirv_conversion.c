/* SPDX-License-Identifier: MIT
 * Conversions between numbers, and reinterpretation of bits.
 * Spec: SPIR-V, "Conversion Instructions". */
#include "compiler/spirv/instructions/spirv_instructions.h"

static struct ir_instr *convert_one(struct spirv_ctx *t, enum ir_op op, uint32_t bits, struct ir_instr *x)
{
   if ((op == IR_u2u || op == IR_i2i || op == IR_f2f) && x->bit_size == bits)
      return x;
   return ir_convert(&t->b, op, bits, x);
}

static void convert(struct spirv_ctx *t, const struct spirv_instr *in, enum ir_op op)
{
   if (spirv_is_narrow(spirv_result_type(t, in)) || spirv_is_narrow(spirv_value_type(t, spirv_word(t, in, 3)))) {
      spirv_narrow_convert(t, in);
      return;
   }
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++)
      comps[i] = convert_one(t, op, type->bits, x[i]);
   spirv_set_result(t, in, count, comps);
}

/* To the nearest half; what would be a denormal half becomes zero of the same sign. */
static void quantize(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr **comps = spirv_new_comps(t, count);
   t->b.fp &= ~(IR_FP_RTZ | IR_FP_FLUSH_DENORM);
   for (uint32_t i = 0; i < count; i++) {
      if (x[i]->bit_size != 32)
         spirv_fail(t, "OpQuantizeToF16 of something that is no 32-bit float");
      struct ir_instr *rounded = ir_convert(&t->b, IR_f2f, 32, ir_convert(&t->b, IR_f2f, 16, x[i]));
      struct ir_instr *magnitude = ir_alu2(&t->b, IR_iand, rounded, spirv_u32(t, 0x7fffffff));
      struct ir_instr *is_small = ir_alu2(&t->b, IR_ult, magnitude, spirv_u32(t, 0x38800000)); /* 2^-14 */
      struct ir_instr *zero = ir_alu2(&t->b, IR_iand, rounded, spirv_u32(t, 0x80000000));
      comps[i] = ir_select(&t->b, is_small, zero, rounded);
   }
   spirv_set_result(t, in, count, comps);
}

/* The bits from `first` on, as many as component `i` of the result has, of components of `from` bits. */
static struct ir_instr *gather_bits(struct spirv_ctx *t, struct ir_instr **x, uint32_t from, uint32_t first, uint32_t to, uint32_t result_bits)
{
   struct ir_instr *result = NULL;
   for (uint32_t at = first; at < first + to;) {
      const uint32_t i = at / from, skipped = at % from;
      struct ir_instr *part = ir_alu2(&t->b, IR_ushr, x[i], ir_const(&t->b, x[i]->bit_size, skipped));
      part = spirv_resize(t, part, result_bits, false);
      part = ir_alu2(&t->b, IR_ishl, part, ir_const(&t->b, result_bits, at - first));
      result = result ? ir_alu2(&t->b, IR_ior, result, part) : part;
      at += from - skipped;
   }
   return to < result_bits ? ir_alu2(&t->b, IR_iand, result, ir_const(&t->b, result_bits, (UINT64_C(1) << to) - 1)) : result;
}

static uint32_t bits_of(struct spirv_ctx *t, const struct spirv_type *type)
{
   const struct spirv_type *scalar = spirv_scalar_type(type);
   return scalar->class == SPIRV_TYPE_NARROW ? spirv_narrow_bits(scalar->encoding) : spirv_leaf_bits(t, type, 0);
}

static bool is_zero(const struct ir_instr *x)
{
   return ir_is_const(x) && x->num_components == 1 && !x->imm.c[0];
}

/* The same bits cut into values of another size, lowest first. A zero is one of any size: validation warns (icd/validate/tools.c). */
static void bitcast(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   struct spirv_val *source = spirv_value(t, spirv_word(t, in, 3));
   const uint32_t from_count = spirv_leaf_count(t, source->type), to_count = spirv_leaf_count(t, type);
   const uint32_t from = bits_of(t, source->type), to = bits_of(t, type);
   t->shader->moves_bits = true;
   struct ir_instr **x = spirv_comps(t, source), **comps = spirv_new_comps(t, to_count);
   if (from * from_count != to * to_count && from_count == 1 && to_count == 1 && from > 1 && to > 1 && is_zero(x[0])) {
      comps[0] = ir_const(&t->b, type->bits, 0);
      spirv_set_result(t, in, 1, comps);
      return;
   }
   if (from * from_count != to * to_count || from == 1)
      spirv_fail(t, "%s between types of different sizes", spirv_op_name(in->op));
   for (uint32_t i = 0; i < to_count; i++) {
      if (from == to) {
         comps[i] = x[i];
      } else if (from % 8 || to % 8) {
         comps[i] = gather_bits(t, x, from, i * to, to, type->bits);
      } else if (from < to) {
         const uint32_t parts = to / from;
         comps[i] = ir_emit(&t->b, IR_pack, 1, to, parts, x + i * parts);
      } else {
         const uint32_t parts = from / to;
         comps[i] = ir_emit(&t->b, IR_unpack, 1, to, 1, &x[i / parts]);
         comps[i]->imm.u[0] = i % parts;
      }
   }
   spirv_set_result(t, in, to_count, comps);
}

/* Between addresses and integers of up to 64 bits. */
static void convert_pointer(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   struct spirv_val *source = spirv_value(t, spirv_word(t, in, 3));
   const struct spirv_type *pointer = type->class == SPIRV_TYPE_POINTER ? type : source->type;
   if (pointer->class != SPIRV_TYPE_POINTER || pointer->storage != SpvStorageClassPhysicalStorageBuffer)
      spirv_fail(t, "%s of a pointer that has no address", spirv_op_name(in->op));
   struct ir_instr *result = spirv_resize(t, spirv_comps(t, source)[0], type->bits, false);
   spirv_set_result(t, in, 1, &result);
}

bool spirv_conversion(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpConvertFToU: convert(t, in, IR_f2u); return true;
   case SpvOpConvertFToS: convert(t, in, IR_f2i); return true;
   case SpvOpConvertSToF: convert(t, in, IR_i2f); return true;
   case SpvOpConvertUToF: convert(t, in, IR_u2f); return true;
   case SpvOpUConvert: convert(t, in, IR_u2u); return true;
   case SpvOpSConvert: convert(t, in, IR_i2i); return true;
   case SpvOpFConvert: convert(t, in, IR_f2f); return true;
   case SpvOpQuantizeToF16: quantize(t, in); return true;
   case SpvOpBitcast: bitcast(t, in); return true;
   case UTIL_SPV_OP_BITCAST_EXTRACT: spirv_bitcast_extract(t, in); return true;
   case SpvOpConvertPtrToU:
   case SpvOpConvertUToPtr: convert_pointer(t, in); return true;
   default: return false;
   }
}
