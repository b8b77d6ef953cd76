/* SPDX-License-Identifier: MIT
 * Integer arithmetic, comparisons, bit operations and conversions, on one lane or on all. */
#include "compiler/llvm/cg.h"

/* As wide as `type`'s lanes, with elements of `bits`. */
static LLVMTypeRef with_bits(struct cg *cg, LLVMValueRef like, uint32_t bits)
{
   LLVMTypeRef element = cg_int_type(cg, bits);
   return cg_is_vector(like) ? LLVMVectorType(element, LLVMGetVectorSize(LLVMTypeOf(like))) : element;
}

static LLVMValueRef constant(LLVMValueRef like, uint64_t value)
{
   return cg_const_like(LLVMTypeOf(like), value);
}

/* Shift amounts count modulo the width. */
static LLVMValueRef shift_amount(struct cg *cg, LLVMValueRef amount, LLVMValueRef value)
{
   const uint32_t bits = cg_bits(value);
   const uint32_t amount_bits = cg_bits(amount);
   LLVMTypeRef type = LLVMTypeOf(value);
   if (amount_bits < bits)
      amount = LLVMBuildZExt(cg->b, amount, type, "");
   else if (amount_bits > bits)
      amount = LLVMBuildTrunc(cg->b, amount, type, "");
   return LLVMBuildAnd(cg->b, amount, constant(value, bits - 1), "");
}

static LLVMValueRef int_compare(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b)
{
   static const LLVMIntPredicate predicates[] = {
      [IR_ieq - IR_ieq] = LLVMIntEQ,  [IR_ine - IR_ieq] = LLVMIntNE,  [IR_ilt - IR_ieq] = LLVMIntSLT,
      [IR_ige - IR_ieq] = LLVMIntSGE, [IR_ult - IR_ieq] = LLVMIntULT, [IR_uge - IR_ieq] = LLVMIntUGE,
   };
   return LLVMBuildICmp(cg->b, predicates[op - IR_ieq], a, b, "");
}

/* An intrinsic of two operands of one type. */
static LLVMValueRef call2(struct cg *cg, const char *name, LLVMValueRef a, LLVMValueRef b)
{
   LLVMTypeRef type = LLVMTypeOf(a);
   LLVMValueRef args[2] = {a, b};
   return cg_intrinsic(cg, name, &type, 1, args, 2);
}

/* The constant that all lanes of `value` have. */
static bool splat_constant(LLVMValueRef value, uint64_t *number)
{
   if (!LLVMIsConstant(value))
      return false;
   if (cg_is_vector(value)) {
      LLVMValueRef first = LLVMGetAggregateElement(value, 0);
      const uint32_t count = LLVMGetVectorSize(LLVMTypeOf(value));
      for (uint32_t i = 1; i < count; i++)
         if (LLVMGetAggregateElement(value, i) != first)
            return false;
      value = first;
   }
   if (!LLVMIsAConstantInt(value))
      return false;
   *number = LLVMConstIntGetZExtValue(value);
   return true;
}

/* Powers of two become shifts here: cheaper than to let LLVM find out. */
static LLVMValueRef multiply(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   uint64_t factor;
   if (splat_constant(b, &factor) && factor && !(factor & (factor - 1)))
      return factor == 1 ? a : LLVMBuildShl(cg->b, a, constant(a, (uint64_t)__builtin_ctzll(factor)), "");
   return LLVMBuildMul(cg->b, a, b, "");
}

static LLVMValueRef multiply_high(struct cg *cg, LLVMValueRef a, LLVMValueRef b, bool is_signed)
{
   const uint32_t bits = cg_bits(a);
   LLVMTypeRef wide = with_bits(cg, a, bits * 2), narrow = LLVMTypeOf(a);
   a = is_signed ? LLVMBuildSExt(cg->b, a, wide, "") : LLVMBuildZExt(cg->b, a, wide, "");
   b = is_signed ? LLVMBuildSExt(cg->b, b, wide, "") : LLVMBuildZExt(cg->b, b, wide, "");
   LLVMValueRef product = LLVMBuildMul(cg->b, a, b, "");
   return LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, product, cg_const_like(wide, bits), ""), narrow, "");
}

/* Number of leading or trailing zeros; `bits` for zero. */
static LLVMValueRef count_zeros(struct cg *cg, const char *name, LLVMValueRef value)
{
   LLVMTypeRef type = LLVMTypeOf(value);
   LLVMValueRef args[2] = {value, LLVMConstInt(cg->i1, 0, false)};
   return cg_intrinsic(cg, name, &type, 1, args, 2);
}

static LLVMValueRef highest_bit(struct cg *cg, LLVMValueRef value)
{
   /* bits - 1 - clz: -1 for zero by itself */
   return LLVMBuildSub(cg->b, constant(value, cg_bits(value) - 1), count_zeros(cg, "llvm.ctlz", value), "");
}

static LLVMValueRef lowest_bit(struct cg *cg, LLVMValueRef value)
{
   LLVMValueRef is_zero = LLVMBuildICmp(cg->b, LLVMIntEQ, value, constant(value, 0), "");
   return cg_select(cg, is_zero, LLVMConstAllOnes(LLVMTypeOf(value)), count_zeros(cg, "llvm.cttz", value));
}

static LLVMValueRef resize(struct cg *cg, LLVMValueRef value, LLVMTypeRef type, uint32_t bits)
{
   const uint32_t from = cg_bits(value);
   return from < bits ? LLVMBuildZExt(cg->b, value, type, "") : from > bits ? LLVMBuildTrunc(cg->b, value, type, "") : value;
}

/* The low `count` bits, all for counts of the width and more. */
static LLVMValueRef low_mask(struct cg *cg, LLVMValueRef count, LLVMValueRef like)
{
   const uint32_t bits = cg_bits(like);
   LLVMTypeRef type = LLVMTypeOf(like);
   LLVMValueRef all = LLVMConstAllOnes(type);
   LLVMValueRef is_all = LLVMBuildICmp(cg->b, LLVMIntUGE, count, constant(count, bits), "");
   LLVMValueRef shift = shift_amount(cg, count, like);
   LLVMValueRef mask = LLVMBuildNot(cg->b, LLVMBuildShl(cg->b, all, shift, ""), "");
   return cg_select(cg, is_all, all, mask);
}

/* True where a field starts beyond the number: it is empty. */
static LLVMValueRef starts_beyond(struct cg *cg, LLVMValueRef offset, LLVMValueRef value)
{
   return LLVMBuildICmp(cg->b, LLVMIntUGE, offset, constant(offset, cg_bits(value)), "");
}

/* Fields that go beyond the number are cut there. */
static LLVMValueRef extract_bits(struct cg *cg, LLVMValueRef value, LLVMValueRef offset, LLVMValueRef count, bool is_signed)
{
   LLVMBuilderRef b = cg->b;
   LLVMValueRef is_empty = starts_beyond(cg, offset, value), result;
   if (!is_signed) {
      LLVMValueRef shifted = LLVMBuildLShr(b, value, shift_amount(cg, offset, value), "");
      result = LLVMBuildAnd(b, shifted, low_mask(cg, count, value), "");
   } else {
      LLVMValueRef room = LLVMBuildSub(b, constant(count, cg_bits(value)), offset, "");
      LLVMValueRef kept = cg_select(cg, LLVMBuildICmp(b, LLVMIntULT, count, room, ""), count, room);
      LLVMValueRef left = LLVMBuildSub(b, room, kept, ""), right = LLVMBuildAdd(b, left, offset, "");
      LLVMValueRef top = LLVMBuildShl(b, value, shift_amount(cg, left, value), "");
      result = LLVMBuildAShr(b, top, shift_amount(cg, right, value), "");
      is_empty = LLVMBuildOr(b, is_empty, LLVMBuildICmp(b, LLVMIntEQ, count, constant(count, 0), ""), "");
   }
   return cg_select(cg, is_empty, LLVMConstNull(LLVMTypeOf(value)), result);
}

static LLVMValueRef insert_bits(struct cg *cg, LLVMValueRef *a)
{
   LLVMValueRef shift = shift_amount(cg, a[2], a[0]);
   LLVMValueRef mask = LLVMBuildShl(cg->b, low_mask(cg, a[3], a[0]), shift, "");
   LLVMValueRef in = LLVMBuildAnd(cg->b, LLVMBuildShl(cg->b, a[1], shift, ""), mask, "");
   LLVMValueRef result = LLVMBuildOr(cg->b, LLVMBuildAnd(cg->b, a[0], LLVMBuildNot(cg->b, mask, ""), ""), in, "");
   return cg_select(cg, starts_beyond(cg, a[2], a[0]), a[0], result);
}

static LLVMValueRef pack(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a, bool vector)
{
   const uint32_t part_bits = instr->srcs[0]->bit_size;
   LLVMTypeRef type = cg_type(cg, cg_int_type(cg, instr->bit_size), vector);
   LLVMValueRef result = NULL;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      LLVMValueRef part = LLVMBuildZExt(cg->b, cg_as_int(cg, a[i]), type, "");
      part = LLVMBuildShl(cg->b, part, cg_const_like(type, (uint64_t)i * part_bits), "");
      result = result ? LLVMBuildOr(cg->b, result, part, "") : part;
   }
   return result;
}

static LLVMValueRef int_op(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a)
{
   LLVMBuilderRef b = cg->b;
   switch (instr->op) {
   case IR_iadd: return LLVMBuildAdd(b, a[0], a[1], "");
   case IR_isub: return LLVMBuildSub(b, a[0], a[1], "");
   case IR_imul: return multiply(cg, a[0], a[1]);
   case IR_imulh: return multiply_high(cg, a[0], a[1], true);
   case IR_umulh: return multiply_high(cg, a[0], a[1], false);
   case IR_dot_bytes: return cg_dot_bytes(cg, instr->imm.u[0], a[0], a[1]);
   case IR_ineg: return LLVMBuildNeg(b, a[0], "");
   case IR_iabs: return call2(cg, "llvm.smax", a[0], LLVMBuildNeg(b, a[0], ""));
   case IR_idiv: case IR_udiv: case IR_irem: case IR_imod: case IR_umod: return cg_int_divide(cg, instr->op, a[0], a[1], instr->srcs[0]->below);
   case IR_imin: return call2(cg, "llvm.smin", a[0], a[1]);
   case IR_imax: return call2(cg, "llvm.smax", a[0], a[1]);
   case IR_umin: return call2(cg, "llvm.umin", a[0], a[1]);
   case IR_umax: return call2(cg, "llvm.umax", a[0], a[1]);
   case IR_iand: return cg_mask_logic(cg, LLVMAnd, a[0], a[1]);
   case IR_ior: return cg_mask_logic(cg, LLVMOr, a[0], a[1]);
   case IR_ixor: return cg_mask_logic(cg, LLVMXor, a[0], a[1]);
   case IR_inot: return cg_mask_not(cg, a[0]);
   case IR_ishl: return LLVMBuildShl(b, a[0], shift_amount(cg, a[1], a[0]), "");
   case IR_ishr: return LLVMBuildAShr(b, a[0], shift_amount(cg, a[1], a[0]), "");
   case IR_ushr: return LLVMBuildLShr(b, a[0], shift_amount(cg, a[1], a[0]), "");
   case IR_ucarry: {
      LLVMValueRef sum = LLVMBuildAdd(b, a[0], a[1], "");
      return LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntULT, sum, a[0], ""), LLVMTypeOf(a[0]), "");
   }
   case IR_uborrow: return LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntULT, a[0], a[1], ""), LLVMTypeOf(a[0]), "");
   case IR_bitreverse: return cg_intrinsic1(cg, "llvm.bitreverse", 1, a[0], NULL, NULL);
   case IR_bitcount: return cg_intrinsic1(cg, "llvm.ctpop", 1, a[0], NULL, NULL);
   case IR_find_lsb: return lowest_bit(cg, a[0]);
   case IR_find_umsb: return highest_bit(cg, a[0]);
   case IR_find_imsb: {
      LLVMValueRef sign = LLVMBuildAShr(b, a[0], constant(a[0], cg_bits(a[0]) - 1), "");
      return highest_bit(cg, LLVMBuildXor(b, a[0], sign, ""));
   }
   case IR_ubfe: return extract_bits(cg, a[0], a[1], a[2], false);
   case IR_ibfe: return extract_bits(cg, a[0], a[1], a[2], true);
   case IR_bfi: return insert_bits(cg, a);
   case IR_ieq: case IR_ine: case IR_ilt: case IR_ige: case IR_ult: case IR_uge: return int_compare(cg, instr->op, a[0], a[1]);
   default: return NULL;
   }
}

static LLVMValueRef convert(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a, bool vector)
{
   LLVMTypeRef type = cg_type(cg, cg_int_type(cg, instr->bit_size), vector);
   const uint32_t from = instr->srcs[0]->bit_size;
   switch (instr->op) {
   case IR_u2u: return resize(cg, cg_as_int(cg, a[0]), type, instr->bit_size);
   case IR_i2i:
      return from < instr->bit_size ? LLVMBuildSExt(cg->b, cg_as_int(cg, a[0]), type, "")
                                    : resize(cg, cg_as_int(cg, a[0]), type, instr->bit_size);
   case IR_pack: return pack(cg, instr, a, vector);
   case IR_unpack: {
      LLVMValueRef value = cg_as_int(cg, a[0]);
      value = LLVMBuildLShr(cg->b, value, constant(value, (uint64_t)instr->imm.u[0] * instr->bit_size), "");
      return resize(cg, value, type, instr->bit_size);
   }
   default: return NULL;
   }
}

/* Of masks: logic is shorter than a select, most of all with a constant. */
static LLVMValueRef select_bit(struct cg *cg, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b)
{
   if (LLVMIsNull(b))
      return LLVMBuildAnd(cg->b, c, a, "");
   if (LLVMIsNull(a))
      return LLVMBuildAnd(cg->b, LLVMBuildNot(cg->b, c, ""), b, "");
   return LLVMBuildOr(cg->b, LLVMBuildAnd(cg->b, c, a, ""), LLVMBuildAnd(cg->b, LLVMBuildNot(cg->b, c, ""), b, ""), "");
}

LLVMValueRef cg_alu(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a, bool vector)
{
   if (instr->op == IR_select) {
      if (instr->bit_size == 1)
         return select_bit(cg, a[0], a[1], a[2]);
      if (instr->bit_size == 16)
         return cg_half_select(cg, a[0], a[1], a[2]);
      if (LLVMTypeOf(a[1]) != LLVMTypeOf(a[2])) { /* constants know no type; as floats they may become minima and maxima */
         a[1] = cg_as_float(cg, a[1]);
         a[2] = cg_as_float(cg, a[2]);
      }
      return cg_select(cg, a[0], a[1], a[2]);
   }
   LLVMValueRef result = convert(cg, instr, a, vector);
   if (result)
      return result;
   if ((instr->op >= IR_feq && instr->op <= IR_fgeu) || (instr->op >= IR_fadd && instr->op <= IR_ffrexp_exp) ||
       (instr->op >= IR_i2f && instr->op <= IR_f2f))
      return cg_float_op(cg, instr, a);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      a[i] = cg_as_int(cg, a[i]);
   result = int_op(cg, instr, a);
   if (!result)
      cg_fail(cg, "operation %s is not supported", ir_info(instr)->name);
   return result;
}
