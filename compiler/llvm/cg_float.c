/* SPDX-License-Identifier: MIT
 * Floating point: plain IEEE operations that give the same bits on every machine (decision D4). What the machine lacks at a lower
 * level is made of operations that it has, never of a library call. */
#include "compiler/ir/ir_eval.h"
#include "compiler/llvm/cg.h"
#include "compiler/llvm/cg_runs.h"

#include <math.h>

static LLVMTypeRef shape(struct cg *cg, LLVMValueRef like, LLVMTypeRef element)
{
   return cg_is_vector(like) ? LLVMVectorType(element, LLVMGetVectorSize(LLVMTypeOf(like))) : element;
}

static LLVMValueRef iconst(LLVMValueRef like, uint64_t value)
{
   return cg_const_like(LLVMTypeOf(like), value);
}

static LLVMValueRef bits_of(struct cg *cg, LLVMValueRef value)
{
   return cg_as_int(cg, value);
}

/* double to float so that rounding the result once more, to 16 bits, is right. */
static LLVMValueRef double_to_float_odd(struct cg *cg, LLVMValueRef value)
{
   LLVMBuilderRef b = cg->b;
   LLVMValueRef rounded = LLVMBuildFPTrunc(b, value, shape(cg, value, cg->f32), "");
   LLVMValueRef back = LLVMBuildFPExt(b, rounded, LLVMTypeOf(value), "");
   LLVMValueRef error = LLVMBuildFPTrunc(b, LLVMBuildFSub(b, value, back, ""), LLVMTypeOf(rounded), "");
   /* the error may underflow to zero only where half the result is zero or denormal anyway */
   return cg_round_to_odd(cg, rounded, error);
}

/* fma of floats without the instruction: the product is exact in double; the sum is rounded to odd, then to float. */
static LLVMValueRef fma_soft(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef wide = shape(cg, x, cg->f64);
   LLVMValueRef p = LLVMBuildFMul(b, LLVMBuildFPExt(b, x, wide, ""), LLVMBuildFPExt(b, y, wide, ""), "");
   return LLVMBuildFPTrunc(b, cg_sum_to_odd(cg, p, LLVMBuildFPExt(b, z, wide, "")), LLVMTypeOf(x), "");
}

static LLVMValueRef fma_op(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
   if (cg->target.level >= UTIL_CPU_V3)
      return cg_intrinsic1(cg, "llvm.fma", 3, x, y, z);
   if (cg_bits(x) == 64)
      cg_fail(cg, "fma of 64 bits needs a processor of level x86-64-v3");
   return fma_soft(cg, x, y, z);
}

/* ---- rounding to integers ---- */

/* SSE2 has no rounding instruction: numbers below 2^23 (2^52) go through an addition that leaves no fraction. */
static LLVMValueRef round_soft(struct cg *cg, enum ir_op op, LLVMValueRef x)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef type = LLVMTypeOf(x);
   const bool is_double = cg_bits(x) == 64;
   LLVMValueRef bits = bits_of(cg, x), sign_bit = iconst(bits, is_double ? UINT64_C(1) << 63 : 0x80000000u);
   LLVMValueRef magic = cg_constf_like(type, is_double ? 0x1p52 : 0x1p23);
   LLVMValueRef sign = LLVMBuildAnd(b, bits, sign_bit, "");
   LLVMValueRef magnitude = cg_as_float(cg, LLVMBuildXor(b, bits, sign, ""));
   LLVMValueRef even = LLVMBuildFSub(b, LLVMBuildFAdd(b, magnitude, magic, ""), magic, "");
   LLVMValueRef one = cg_constf_like(type, 1.0), zero = cg_constf_like(type, 0.0), result = even;
   if (op == IR_ftrunc) {
      LLVMValueRef too_big = LLVMBuildFCmp(b, LLVMRealOGT, even, magnitude, "");
      result = LLVMBuildFSub(b, even, cg_select(cg, too_big, one, zero), "");
   }
   result = cg_as_float(cg, LLVMBuildOr(b, bits_of(cg, result), sign, ""));
   if (op == IR_ffloor || op == IR_fceil) {
      LLVMValueRef wrong = LLVMBuildFCmp(b, op == IR_ffloor ? LLVMRealOGT : LLVMRealOLT, result, x, "");
      LLVMValueRef step = cg_select(cg, wrong, one, zero);
      result = op == IR_ffloor ? LLVMBuildFSub(b, result, step, "") : LLVMBuildFAdd(b, result, step, "");
      result = cg_as_float(cg, LLVMBuildOr(b, LLVMBuildAnd(b, bits_of(cg, result), LLVMBuildNot(b, sign_bit, ""), ""), sign, ""));
   }
   LLVMValueRef has_fraction = LLVMBuildFCmp(b, LLVMRealOLT, magnitude, magic, "");
   return cg_select(cg, has_fraction, result, x);
}

static LLVMValueRef round_op(struct cg *cg, enum ir_op op, LLVMValueRef x)
{
   static const char *const names[] = {"llvm.floor", "llvm.ceil", "llvm.trunc", "llvm.roundeven"};
   if (cg->target.level < UTIL_CPU_V2)
      return round_soft(cg, op, x);
   return cg_intrinsic1(cg, names[op - IR_ffloor], 1, x, NULL, NULL);
}

/* ---- one NaN: see lower/lower_nan.c ---- */

/* Of a scalar by integers, as it stands among those: a float's comparison would bring it to a vector register and its flags back. */
LLVMValueRef cg_one_nan(struct cg *cg, LLVMValueRef value)
{
   if (cg_is_vector(value) && cg_bits(value) != 16) {
      LLVMValueRef x = cg_as_float(cg, value);
      const double nan = ir_float_to_double(ir_float_one_nan(cg_bits(value)), cg_bits(value));
      return cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealUNO, x, x, ""), cg_constf_like(LLVMTypeOf(x), nan), x);
   }
   LLVMValueRef bits = bits_of(cg, value), infinity = iconst(bits, ir_float_from_double(INFINITY, cg_bits(bits)));
   LLVMValueRef magnitude = LLVMBuildAnd(cg->b, bits, iconst(bits, (UINT64_C(1) << (cg_bits(bits) - 1)) - 1), "");
   LLVMValueRef is_nan = LLVMBuildICmp(cg->b, LLVMIntUGT, magnitude, infinity, "");
   return cg_select(cg, is_nan, iconst(bits, ir_float_one_nan(cg_bits(bits))), bits);
}

/* ---- minimum and maximum: the other operand if one is NaN, -0 < +0 ---- */

enum repairs {
   REPAIRS_NAN = 1 << 0,  /* the second operand may be NaN */
   REPAIRS_ZERO = 1 << 1, /* the operands may be zeros of which the second is not the one to take */
};

/* Of operands that are equal, with the signs of both in a minimum and what both have in a maximum: zeros are the only ones that differ. */
static LLVMValueRef with_sign_of_zeros(struct cg *cg, bool is_max, LLVMValueRef a, LLVMValueRef b, LLVMValueRef result)
{
   LLVMValueRef equal = LLVMBuildFCmp(cg->b, LLVMRealOEQ, a, b, ""), x = bits_of(cg, a), y = bits_of(cg, b), bits = bits_of(cg, result);
   if (!cg_is_vector(a) || cg->target.level >= UTIL_CPU_V4) {
      LLVMValueRef both = is_max ? LLVMBuildAnd(cg->b, x, y, "") : LLVMBuildOr(cg->b, x, y, "");
      return cg_select(cg, equal, cg_as_float(cg, both), result);
   }
   LLVMValueRef mask = LLVMBuildSExt(cg->b, equal, LLVMTypeOf(x), "");
   if (!is_max)
      return cg_as_float(cg, LLVMBuildOr(cg->b, bits, LLVMBuildAnd(cg->b, mask, x, ""), ""));
   LLVMValueRef lost = LLVMBuildAnd(cg->b, mask, LLVMBuildNot(cg->b, x, ""), "");
   return cg_as_float(cg, LLVMBuildAnd(cg->b, bits, LLVMBuildNot(cg->b, lost, ""), ""));
}

/* One instruction gives the second operand where the comparison fails: for NaN and for equal ones. */
static LLVMValueRef min_or_max(struct cg *cg, bool is_max, LLVMValueRef a, LLVMValueRef b, uint32_t repairs)
{
   LLVMValueRef first = LLVMBuildFCmp(cg->b, is_max ? LLVMRealOGT : LLVMRealOLT, a, b, "");
   LLVMValueRef result = cg_select(cg, first, a, b);
   if (repairs & REPAIRS_ZERO)
      result = with_sign_of_zeros(cg, is_max, a, b, result);
   if (repairs & REPAIRS_NAN)
      result = cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealUNO, b, b, ""), a, result);
   return result;
}

LLVMValueRef cg_fmin(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   return min_or_max(cg, false, cg_as_float(cg, a), cg_as_float(cg, b), REPAIRS_NAN | REPAIRS_ZERO);
}

LLVMValueRef cg_fmax(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   return min_or_max(cg, true, cg_as_float(cg, a), cg_as_float(cg, b), REPAIRS_NAN | REPAIRS_ZERO);
}

/* With a constant that is a number one comparison does: it fails for NaN, and equal numbers are the same bits but for zeros. With zero LLVM makes an AND
 * of it and the operand, but for vectors as wide as a register, where it sees the minimum or maximum first. */
static LLVMValueRef min_or_max_const(struct cg *cg, bool is_max, LLVMValueRef a, LLVMValueRef b, double number)
{
   const bool takes_equal = number == 0 && is_max == (signbit(number) != 0); /* the zero in `a` is the one to take, or the same */
   static const LLVMRealPredicate predicates[2][2] = {{LLVMRealOLT, LLVMRealOLE}, {LLVMRealOGT, LLVMRealOGE}};
   const LLVMRealPredicate predicate = predicates[is_max][takes_equal];
   const uint32_t lanes = cg_is_vector(a) ? LLVMGetVectorSize(LLVMTypeOf(a)) : 1, width = util_cpu_register_lanes(cg->target.level);
   LLVMValueRef parts[ABI_MAX_LANES];
   if (number != 0 || takes_equal || lanes <= width || cg_bits(a) != 32 || cg->target.level >= UTIL_CPU_V4)
      return cg_select(cg, LLVMBuildFCmp(cg->b, predicate, a, b, ""), a, b);
   for (uint32_t i = 0; i < lanes / width; i++) {
      LLVMValueRef x = cg_part_of(cg, a, width, i), y = cg_part_of(cg, b, width, i);
      parts[i] = LLVMBuildSelect(cg->b, LLVMBuildFCmp(cg->b, predicate, x, y, ""), x, y, "");
   }
   return cg_join_parts(cg, parts, lanes / width);
}

/* It is no signalling NaN; what is 16 bits is converted to 32. */
static bool is_quiet(const struct ir_instr *value)
{
   return value->bit_size == 16 || (value->numbers && !(value->numbers & IR_MAY_BE_SIGNALLING));
}

/* With the operands in this order, or `is_swapped`. */
static uint32_t repairs_of(const struct ir_instr *instr, bool is_swapped)
{
   const struct ir_instr *a = instr->srcs[is_swapped], *b = instr->srcs[!is_swapped];
   const uint8_t wanted = instr->op == IR_fmin ? IR_MAY_BE_MINUS_ZERO : IR_MAY_BE_ZERO, other = wanted ^ (IR_MAY_BE_MINUS_ZERO | IR_MAY_BE_ZERO);
   uint32_t repairs = 0;
   if (!(instr->fp & IR_FP_NO_NAN) && (!b->numbers || b->numbers & IR_MAY_BE_NAN))
      repairs |= REPAIRS_NAN;
   const bool is_known = instr->numbers && (!(instr->numbers & IR_ZERO_SIGN) || !(a->numbers & wanted) || !(b->numbers & other));
   if (!(instr->fp & IR_FP_NO_SIGNED_ZERO) && !is_known)
      repairs |= REPAIRS_ZERO;
   return repairs;
}

static LLVMValueRef min_or_max_of(struct cg *cg, const struct ir_instr *instr, LLVMValueRef *a)
{
   const bool is_max = instr->op == IR_fmax;
   for (uint32_t i = 0; i < 2; i++) {
      const struct ir_instr *src = instr->srcs[i];
      const double number = ir_is_const(src) ? ir_float_to_double(src->imm.c[0], src->bit_size) : NAN;
      if (!isnan(number))
         return min_or_max_const(cg, is_max, a[!i], a[i], number);
   }
   const bool is_swapped = repairs_of(instr, true) < repairs_of(instr, false); /* zeros cost more than NaN */
   const uint32_t repairs = repairs_of(instr, is_swapped);
   if (repairs && cg_v4_has(cg, a[0]) &&
       (instr->fp & IR_FP_NO_NAN || (is_quiet(instr->srcs[0]) && is_quiet(instr->srcs[1]))))
      return cg_v4_min_or_max(cg, is_max, a[0], a[1]);
   return min_or_max(cg, is_max, a[is_swapped], a[!is_swapped], repairs);
}

/* ---- powers of two ---- */

/* Limits where numbers from 1/2 to 2 have long scaled to infinity or zero; NaN stays. The lower ones are where factors become zero, for processors take
 * hundreds of cycles for products that underflow. */
enum { BIAS = 127, MANTISSA_BITS = 23, RAISED = 25, MAX_SCALE = 2 * BIAS, MIN_SCALE = -2 * BIAS, MIN_RAISED_SCALE = -BIAS - RAISED };

static bool is_never_positive(const struct ir_instr *n)
{
   return n->numbers && !(n->numbers & (IR_MAY_BE_POSITIVE | IR_MAY_BE_INF));
}

static LLVMValueRef limited(struct cg *cg, const struct ir_instr *instr, LLVMValueRef n)
{
   LLVMTypeRef type = LLVMTypeOf(n);
   const bool is_raised = is_never_positive(instr);
   LLVMValueRef high = cg_constf_like(type, MAX_SCALE), low = cg_constf_like(type, is_raised ? MIN_RAISED_SCALE : MIN_SCALE);
   if (!is_raised)
      n = cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealOLT, high, n, ""), high, n);
   return cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealOLT, n, low, ""), low, n);
}

static LLVMValueRef fraction(struct cg *cg, const struct ir_instr *instr, LLVMValueRef x)
{
   const bool scales_any = cg_v4_has(cg, x);
   if (!scales_any)
      x = limited(cg, instr->srcs[0], x); /* as the scaling does */
   LLVMValueRef f = LLVMBuildFSub(cg->b, x, round_op(cg, IR_ffloor, x), ""), zero = LLVMConstNull(LLVMTypeOf(x));
   return scales_any ? cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealOGT, f, zero, ""), f, zero) : f; /* infinity has no fraction */
}

/* In two steps, of which the first is exact: what is never above zero is raised, and lowered at last; others are halved. A sum with 1.5 * 2^23 has no
 * room for a fraction, so that its low bits are the whole number beside it: a biased exponent, or the sum of two. */
static LLVMValueRef scale(struct cg *cg, const struct ir_instr *instr, LLVMValueRef x, LLVMValueRef n)
{
   LLVMBuilderRef b = cg->b;
   if (cg_v4_has(cg, x))
      return cg_v4_scale(cg, x, n);
   LLVMTypeRef type = LLVMTypeOf(n);
   const bool is_raised = is_never_positive(instr->srcs[1]);
   LLVMValueRef whole = round_op(cg, IR_ffloor, limited(cg, instr->srcs[1], n));
   LLVMValueRef biased = bits_of(cg, LLVMBuildFAdd(b, whole, cg_constf_like(type, 0x1.8p23 + BIAS + (is_raised ? RAISED : BIAS)), ""));
   LLVMValueRef first = is_raised ? biased : LLVMBuildLShr(b, biased, iconst(biased, 1), ""), shift = iconst(biased, MANTISSA_BITS);
   x = LLVMBuildFMul(b, x, cg_as_float(cg, LLVMBuildShl(b, first, shift, "")), "");
   LLVMValueRef rest = cg_constf_like(type, ldexp(1.0, -RAISED));
   if (!is_raised)
      rest = cg_as_float(cg, LLVMBuildShl(b, LLVMBuildSub(b, biased, first, ""), shift, ""));
   return LLVMBuildFMul(b, x, rest, "");
}

/* ---- exponent and significand ---- */

/* Denormals scaled by 2^23. */
static LLVMValueRef normalized(struct cg *cg, LLVMValueRef x, LLVMValueRef *is_small)
{
   LLVMTypeRef type = LLVMTypeOf(x);
   *is_small = LLVMBuildFCmp(cg->b, LLVMRealOLT, x, cg_constf_like(type, 0x1p-126), "");
   LLVMValueRef scaled = LLVMBuildFMul(cg->b, x, cg_constf_like(type, 0x1p23), "");
   return bits_of(cg, cg_select(cg, *is_small, scaled, x));
}

/* The exponent in its position among the bits of a normal number, unbiased. */
static LLVMValueRef exponent_bits(struct cg *cg, LLVMValueRef bits)
{
   enum { THREE_QUARTERS = 0x3f400000 };
   return LLVMBuildAnd(cg->b, LLVMBuildSub(cg->b, bits, iconst(bits, THREE_QUARTERS), ""), iconst(bits, 0xff800000), "");
}

static LLVMValueRef exponent_of(struct cg *cg, LLVMValueRef x)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef type = LLVMTypeOf(x);
   if (cg_v4_has(cg, x))
      return cg_v4_exponent(cg, x);
   LLVMValueRef zero = LLVMConstNull(type), is_small, bits = exponent_bits(cg, normalized(cg, x, &is_small));
   LLVMValueRef value = LLVMBuildFMul(b, LLVMBuildSIToFP(b, bits, type, ""), cg_constf_like(type, 0x1p-23), "");
   value = LLVMBuildFAdd(b, value, cg_select(cg, is_small, cg_constf_like(type, -23.0), zero), "");
   value = cg_select(cg, LLVMBuildFCmp(b, LLVMRealOLT, x, cg_constf_like(type, INFINITY), ""), value, x);
   LLVMValueRef is_zero = LLVMBuildFCmp(b, LLVMRealOEQ, x, zero, "");
   LLVMValueRef special = cg_select(cg, is_zero, cg_constf_like(type, -INFINITY), cg_constf_like(type, NAN));
   return cg_select(cg, LLVMBuildFCmp(b, LLVMRealOGT, x, zero, ""), value, special);
}

/* Zero and infinity come to 1 by themselves. */
static LLVMValueRef significand_of(struct cg *cg, LLVMValueRef x)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef type = LLVMTypeOf(x);
   if (cg_v4_has(cg, x))
      return cg_v4_significand(cg, x);
   LLVMValueRef is_small, bits = normalized(cg, x, &is_small);
   LLVMValueRef value = LLVMBuildSub(b, bits, exponent_bits(cg, bits), ""), sign = LLVMBuildAnd(b, bits_of(cg, x), iconst(bits, 0x80000000), "");
   value = cg_as_float(cg, LLVMBuildOr(b, value, sign, ""));
   return cg_select(cg, LLVMBuildFCmp(b, LLVMRealOGE, x, LLVMConstNull(type), ""), value, cg_constf_like(type, NAN));
}

/* ---- dispatch ---- */

LLVMValueRef cg_float_compare(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b)
{
   static const LLVMRealPredicate predicates[] = {
      [IR_feq - IR_feq] = LLVMRealOEQ,  [IR_fne - IR_feq] = LLVMRealONE,  [IR_flt - IR_feq] = LLVMRealOLT,
      [IR_fge - IR_feq] = LLVMRealOGE,  [IR_fequ - IR_feq] = LLVMRealUEQ, [IR_fneu - IR_feq] = LLVMRealUNE,
      [IR_fltu - IR_feq] = LLVMRealULT, [IR_fgeu - IR_feq] = LLVMRealUGE,
   };
   return LLVMBuildFCmp(cg->b, predicates[op - IR_feq], a, b, "");
}

/* ---- to integers: saturated, 0 for NaN ---- */

/* LLVM's saturating conversions go lane by lane. These leave nothing undefined but what a select drops: the operand is brought above the
 * lower limit, where NaN goes too, and what is beyond the upper one replaced. */
static LLVMValueRef float_to_int(struct cg *cg, LLVMValueRef value, uint32_t bits, bool is_signed)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef type = shape(cg, value, cg_int_type(cg, UTIL_MAX(bits, 32u)));
   const double high = ldexp(1.0, (int)bits - is_signed);
   LLVMValueRef low = cg_constf_like(LLVMTypeOf(value), is_signed ? -high : 0.0), limit = cg_constf_like(LLVMTypeOf(value), high);
   LLVMValueRef raised = cg_select(cg, LLVMBuildFCmp(b, LLVMRealOGT, value, low, ""), value, low);
   LLVMValueRef result = is_signed ? LLVMBuildFPToSI(b, raised, type, "") : LLVMBuildFPToUI(b, raised, type, "");
   const uint64_t greatest = UINT64_MAX >> (64 - bits) >> is_signed;
   result = cg_select(cg, LLVMBuildFCmp(b, LLVMRealOGE, value, limit, ""), cg_const_like(type, greatest), result);
   if (is_signed)
      result = cg_select(cg, LLVMBuildFCmp(b, LLVMRealUNO, value, value, ""), LLVMConstNull(type), result);
   return bits < 32 ? LLVMBuildTrunc(b, result, shape(cg, value, cg_int_type(cg, bits)), "") : result;
}

LLVMValueRef cg_float_convert(struct cg *cg, struct ir_instr *instr, LLVMValueRef a)
{
   LLVMBuilderRef b = cg->b;
   const uint32_t from = instr->srcs[0]->bit_size, to = instr->bit_size;
   if (instr->op == IR_f2i || instr->op == IR_f2u) {
      LLVMValueRef value = from == 16 ? cg_half_to_float(cg, a) : cg_as_float(cg, a);
      return float_to_int(cg, value, to, instr->op == IR_f2i);
   }
   if (instr->op == IR_i2f || instr->op == IR_u2f) {
      LLVMValueRef value = cg_as_int(cg, a);
      LLVMTypeRef type = shape(cg, a, cg_float_type(cg, to == 16 ? (from > 16 ? 64 : 32) : to));
      value = instr->op == IR_i2f ? LLVMBuildSIToFP(b, value, type, "") : LLVMBuildUIToFP(b, value, type, "");
      if (to != 16)
         return value;
      return cg_float_to_half(cg, from > 16 ? double_to_float_odd(cg, value) : value);
   }
   if (from == 16) {
      LLVMValueRef value = cg_half_to_float(cg, a);
      return to == 64 ? LLVMBuildFPExt(b, value, shape(cg, a, cg->f64), "") : value;
   }
   LLVMValueRef value = cg_as_float(cg, a);
   if (to == 16)
      return cg_float_to_half(cg, from == 64 ? double_to_float_odd(cg, value) : value);
   if (from == to)
      return value;
   return from < to ? LLVMBuildFPExt(b, value, shape(cg, a, cg->f64), "") : LLVMBuildFPTrunc(b, value, shape(cg, a, cg->f32), "");
}

static LLVMValueRef arithmetic(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a)
{
   LLVMBuilderRef b = cg->b;
   switch (instr->op) {
   case IR_fadd: return LLVMBuildFAdd(b, a[0], a[1], "");
   case IR_fsub: return LLVMBuildFSub(b, a[0], a[1], "");
   case IR_fmul: return LLVMBuildFMul(b, a[0], a[1], "");
   case IR_fdiv: return LLVMBuildFDiv(b, a[0], a[1], "");
   case IR_fma: return fma_op(cg, a[0], a[1], a[2]);
   case IR_fscale: return scale(cg, instr, a[0], a[1]);
   case IR_ffraction: return fraction(cg, instr, a[0]);
   case IR_fexponent: return exponent_of(cg, a[0]);
   case IR_fsignificand: return significand_of(cg, a[0]);
   case IR_freduce: return cg_reduce_angle(cg, a[0], instr->imm.u[0]);
   case IR_fsqrt: return cg_intrinsic1(cg, "llvm.sqrt", 1, a[0], NULL, NULL);
   case IR_fmin: case IR_fmax: return min_or_max_of(cg, instr, a);
   case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_fround_even: return round_op(cg, instr->op, a[0]);
   case IR_feq: case IR_fne: case IR_flt: case IR_fge: case IR_fequ: case IR_fneu: case IR_fltu: case IR_fgeu:
      return cg_float_compare(cg, instr->op, a[0], a[1]);
   default: cg_fail(cg, "operation %s is not supported", ir_info(instr)->name);
   }
}

/* What it gives of 16-bit floats is one, without rounding. Of the others + - * / and sqrt round right twice. */
static bool is_exact(enum ir_op op)
{
   return op == IR_fmin || op == IR_fmax || op == IR_ffloor || op == IR_fceil || op == IR_ftrunc || op == IR_fround_even;
}

/* Of the sign bit alone, for NaN too. */
static LLVMValueRef sign_op(struct cg *cg, enum ir_op op, LLVMValueRef a)
{
   if (cg_bits(a) == 16)
      return cg_half_sign(cg, op, a);
   a = cg_as_float(cg, a);
   return op == IR_fneg ? LLVMBuildFNeg(cg->b, a, "") : cg_intrinsic1(cg, "llvm.fabs", 1, a, NULL, NULL);
}

LLVMValueRef cg_float_op(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a)
{
   if (instr->fp & (IR_FP_RTZ | IR_FP_FLUSH_DENORM))
      cg_fail(cg, "%s: rounding towards zero and flushing of denormals are not supported", ir_info(instr)->name);
   if (instr->op >= IR_i2f && instr->op <= IR_f2f)
      return cg_float_convert(cg, instr, a[0]);
   const uint32_t bits = instr->srcs[0]->bit_size;
   if (instr->op == IR_fneg || instr->op == IR_fabs)
      return sign_op(cg, instr->op, a[0]);
   if (instr->op == IR_fone_nan)
      return cg_one_nan(cg, a[0]);
   const bool is_compare = instr->op >= IR_feq && instr->op <= IR_fgeu;
   if (bits != 16 || cg->target.level >= UTIL_CPU_V4_FP16) {
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         a[i] = cg_as_float(cg, a[i]);
      LLVMValueRef result = arithmetic(cg, instr, a);
      return bits == 16 && !is_compare ? bits_of(cg, result) : result;
   }
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      a[i] = cg_half_to_float(cg, a[i]);
   if (instr->op == IR_fma)
      return cg_half_fma(cg, a[0], a[1], a[2]);
   LLVMValueRef result = arithmetic(cg, instr, a);
   return is_compare ? result : is_exact(instr->op) ? cg_exact_half(cg, result) : cg_float_to_half(cg, result);
}
