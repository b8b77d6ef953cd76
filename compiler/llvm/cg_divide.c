/* SPDX-License-Identifier: MIT
 * Integer division that never traps: x/0 and INT_MIN/-1 are defined in ir_ops.h.
 * Vectors of 32 bits and less divide in double precision, which is exact: a quotient that is not whole is at least 1/divisor, so 2^-32,
 * away from the next integer, far more than the rounding error of a 53-bit quotient below 2^32. By a divisor that is the same for all lanes they are
 * multiplied: half of the reciprocal more is as far from the integers on both sides. */
#include "compiler/llvm/cg.h"

static bool is_signed(enum ir_op op)
{
   return op == IR_idiv || op == IR_irem || op == IR_imod;
}

/* The quotient of small numbers by a constant as one product and a shift; NULL: these may be too large for it. With m = ceil(2^s / d) the product is
 * too large by n * (m * d - 2^s) / d / 2^s, which is less than 1 / d. */
static LLVMValueRef quotient_of_small(struct cg *cg, LLVMValueRef n, LLVMValueRef divisor, uint64_t below)
{
   LLVMTypeRef type = LLVMTypeOf(n);
   LLVMValueRef element = cg_is_vector(divisor) && LLVMIsConstant(divisor) ? LLVMGetAggregateElement(divisor, 0) : NULL;
   const uint64_t d = element && LLVMIsAConstantInt(element) ? LLVMConstIntGetZExtValue(element) : 0;
   if (!below || below > 1u << 20 || !d || d > 1u << 20 || cg_bits(n) != 32 || !(d & (d - 1)))
      return NULL;
   for (uint32_t s = 1; s < 32; s++) {
      const uint64_t m = ((UINT64_C(1) << s) + d - 1) / d;
      if ((below - 1) * (m * d - (UINT64_C(1) << s)) < UINT64_C(1) << s)
         return (below - 1) * m > UINT32_MAX
                   ? NULL
                   : LLVMBuildLShr(cg->b, LLVMBuildMul(cg->b, n, cg_const_like(type, m), ""), cg_const_like(type, s), "");
   }
   return NULL;
}

/* A divisor that every dividend may be divided by; *is_zero and *is_overflow (signed only, else NULL) say where it differs. */
static LLVMValueRef safe_divisor(struct cg *cg, LLVMValueRef a, LLVMValueRef b, bool sign, LLVMValueRef *is_zero, LLVMValueRef *is_overflow)
{
   LLVMTypeRef type = LLVMTypeOf(a);
   LLVMValueRef one = cg_const_like(type, 1);
   *is_zero = LLVMBuildICmp(cg->b, LLVMIntEQ, b, LLVMConstNull(type), "");
   *is_overflow = NULL;
   LLVMValueRef element = cg_is_vector(b) && LLVMIsConstant(b) ? LLVMGetAggregateElement(b, 0) : b;
   if (LLVMIsAConstantInt(element) && LLVMConstIntGetSExtValue(element) != 0 && LLVMConstIntGetSExtValue(element) != -1)
      return b; /* vectors of constants are splats here */
   LLVMValueRef replace = *is_zero;
   if (sign) {
      LLVMValueRef is_min = LLVMBuildICmp(cg->b, LLVMIntEQ, a, cg_const_like(type, UINT64_C(1) << (cg_bits(a) - 1)), "");
      LLVMValueRef is_minus_one = LLVMBuildICmp(cg->b, LLVMIntEQ, b, LLVMConstAllOnes(type), "");
      *is_overflow = LLVMBuildAnd(cg->b, is_min, is_minus_one, "");
      replace = LLVMBuildOr(cg->b, replace, *is_overflow, "");
   }
   return cg_select(cg, replace, one, b); /* INT_MIN / 1 is what INT_MIN / -1 must give */
}

static LLVMValueRef quotient_in_double(struct cg *cg, LLVMValueRef a, LLVMValueRef b, bool sign)
{
   LLVMTypeRef type = LLVMTypeOf(a), wide = cg_vec_type(cg, cg->f64);
   /* conversions from and to signed are there on every level; unsigned go through 64 bits where they are not */
   if (sign) {
      LLVMValueRef q = LLVMBuildFDiv(cg->b, LLVMBuildSIToFP(cg->b, a, wide, ""), LLVMBuildSIToFP(cg->b, b, wide, ""), "");
      return LLVMBuildFPToSI(cg->b, q, type, "");
   }
   LLVMValueRef q = LLVMBuildFDiv(cg->b, LLVMBuildUIToFP(cg->b, a, wide, ""), LLVMBuildUIToFP(cg->b, b, wide, ""), "");
   return LLVMBuildFPToUI(cg->b, q, type, "");
}

static LLVMValueRef quotient(struct cg *cg, LLVMValueRef a, LLVMValueRef b, bool sign)
{
   if (cg_is_vector(a) && cg_bits(a) <= 32 && !LLVMIsConstant(b))
      return quotient_in_double(cg, a, b, sign);
   return sign ? LLVMBuildSDiv(cg->b, a, b, "") : LLVMBuildUDiv(cg->b, a, b, "");
}

/* The quotient towards zero, of a vector by a scalar that is not zero: by its size, so that INT_MIN / -1 is nothing special. */
static LLVMValueRef quotient_by_scalar(struct cg *cg, LLVMValueRef a, LLVMValueRef divisor, bool sign)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef wide = cg_vec_type(cg, cg->f64), type = LLVMTypeOf(a), longs = cg_vec_type(cg, cg->i64);
   LLVMValueRef size = sign ? cg_intrinsic1(cg, "llvm.smax", 2, divisor, LLVMBuildNeg(b, divisor, ""), NULL) : divisor;
   LLVMValueRef reciprocal = LLVMBuildFDiv(b, LLVMConstReal(cg->f64, 1), LLVMBuildUIToFP(b, size, cg->f64, ""), "");
   LLVMValueRef half = cg_splat(cg, LLVMBuildFMul(b, reciprocal, LLVMConstReal(cg->f64, 0.5), ""));
   LLVMValueRef number = sign ? LLVMBuildSIToFP(b, a, wide, "") : LLVMBuildUIToFP(b, a, wide, "");
   LLVMValueRef product = LLVMBuildFMul(b, number, cg_splat(cg, reciprocal), "");
   if (!sign)
      return LLVMBuildFPToUI(b, LLVMBuildFAdd(b, product, half, ""), type, "");
   LLVMValueRef signs = LLVMBuildAnd(b, LLVMBuildBitCast(b, product, longs, ""), cg_const_like(longs, UINT64_C(1) << 63), "");
   half = LLVMBuildBitCast(b, LLVMBuildOr(b, LLVMBuildBitCast(b, half, longs, ""), signs, ""), wide, "");
   LLVMValueRef q = LLVMBuildFPToSI(b, LLVMBuildFAdd(b, product, half, ""), type, "");
   LLVMValueRef is_negative = LLVMBuildICmp(b, LLVMIntSLT, divisor, LLVMConstNull(LLVMTypeOf(divisor)), "");
   return cg_select(cg, is_negative, LLVMBuildNeg(b, q, ""), q);
}

/* What follows from a quotient. `is_zero`: of the divisor, which is another then. */
static LLVMValueRef result_of(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef divisor, LLVMValueRef is_zero, LLVMValueRef q)
{
   LLVMTypeRef type = LLVMTypeOf(a);
   if (op == IR_idiv || op == IR_udiv)
      return cg_select(cg, is_zero, LLVMConstAllOnes(type), q);
   LLVMValueRef rest = LLVMBuildSub(cg->b, a, LLVMBuildMul(cg->b, q, divisor, ""), "");
   if (op == IR_imod) { /* sign of the divisor: add it where the remainder is not zero and has the other sign */
      LLVMValueRef zero = LLVMConstNull(type);
      LLVMValueRef differs = LLVMBuildICmp(cg->b, LLVMIntSLT, LLVMBuildXor(cg->b, rest, divisor, ""), zero, "");
      LLVMValueRef inexact = LLVMBuildICmp(cg->b, LLVMIntNE, rest, zero, "");
      rest = cg_select(cg, LLVMBuildAnd(cg->b, differs, inexact, ""), LLVMBuildAdd(cg->b, rest, divisor, ""), rest);
   }
   return cg_select(cg, is_zero, a, rest);
}

LLVMValueRef cg_int_divide(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b, uint64_t below)
{
   LLVMValueRef is_zero, is_overflow, small = quotient_of_small(cg, a, b, below);
   if (small)
      return result_of(cg, op, a, b, LLVMBuildICmp(cg->b, LLVMIntEQ, b, LLVMConstNull(LLVMTypeOf(b)), ""), small);
   const bool sign = is_signed(op);
   LLVMValueRef divisor = safe_divisor(cg, a, b, sign, &is_zero, &is_overflow);
   return result_of(cg, op, a, divisor, is_zero, quotient(cg, a, divisor, sign));
}

LLVMValueRef cg_int_divide_by_scalar(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b)
{
   LLVMTypeRef type = LLVMTypeOf(b);
   LLVMValueRef is_zero = LLVMBuildICmp(cg->b, LLVMIntEQ, b, LLVMConstNull(type), "");
   LLVMValueRef divisor = cg_select(cg, is_zero, LLVMConstInt(type, 1, false), b);
   return result_of(cg, op, a, cg_splat(cg, divisor), is_zero, quotient_by_scalar(cg, a, divisor, is_signed(op)));
}
