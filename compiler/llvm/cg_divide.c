/* SPDX-License-Identifier: MIT
 * Integer division that never traps: x/0 and INT_MIN/-1 are defined in ir_ops.h.
 * Vectors of 32 bits and less divide in double precision, which is exact: a quotient that is not whole is at least 1/divisor, so 2^-32,
 * away from the next integer, far more than the rounding error of a 53-bit quotient below 2^32. */
#include "compiler/llvm/cg.h"

static bool is_signed(enum ir_op op)
{
   return op == IR_idiv || op == IR_irem || op == IR_imod;
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

LLVMValueRef cg_int_divide(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b)
{
   LLVMValueRef is_zero, is_overflow;
   LLVMTypeRef type = LLVMTypeOf(a);
   const bool sign = is_signed(op);
   LLVMValueRef divisor = safe_divisor(cg, a, b, sign, &is_zero, &is_overflow);
   LLVMValueRef q = quotient(cg, a, divisor, sign);
   if (op == IR_idiv || op == IR_udiv)
      return cg_select(cg, is_zero, LLVMConstAllOnes(type), q);
   LLVMValueRef rest = LLVMBuildSub(cg->b, a, LLVMBuildMul(cg->b, q, divisor, ""), "");
   rest = cg_select(cg, is_zero, a, rest);
   if (op != IR_imod)
      return rest;
   /* sign of the divisor: add it where the remainder is not zero and has the other sign */
   LLVMValueRef zero = LLVMConstNull(type);
   LLVMValueRef differs = LLVMBuildICmp(cg->b, LLVMIntSLT, LLVMBuildXor(cg->b, rest, divisor, ""), zero, "");
   LLVMValueRef inexact = LLVMBuildICmp(cg->b, LLVMIntNE, rest, zero, "");
   LLVMValueRef fixed = LLVMBuildAdd(cg->b, rest, divisor, "");
   LLVMValueRef fix = LLVMBuildAnd(cg->b, LLVMBuildAnd(cg->b, differs, inexact, ""), LLVMBuildNot(cg->b, is_zero, ""), "");
   return cg_select(cg, fix, fixed, rest);
}
