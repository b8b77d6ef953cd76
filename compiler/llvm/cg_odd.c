/* SPDX-License-Identifier: MIT
 * Rounding to odd: what is rounded so can be rounded once more, to half as many bits, and is right. */
#include "compiler/llvm/cg.h"

static LLVMValueRef iconst(LLVMValueRef like, uint64_t value)
{
   return cg_const_like(LLVMTypeOf(like), value);
}

/* `rounded` is the exact value rounded to nearest, `error` exact - rounded. Gives the odd one of the two neighbours of an inexact value.
 * Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008. */
LLVMValueRef cg_round_to_odd(struct cg *cg, LLVMValueRef rounded, LLVMValueRef error)
{
   LLVMBuilderRef b = cg->b;
   LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(error)), bits = cg_as_int(cg, rounded), error_bits = cg_as_int(cg, error);
   LLVMValueRef inexact = LLVMBuildFCmp(b, LLVMRealONE, error, zero, "");
   LLVMValueRef even = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, bits, iconst(bits, 1), ""), iconst(bits, 0), "");
   /* away from zero where the error has the value's sign, else towards it */
   LLVMValueRef differ = LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildXor(b, bits, error_bits, ""), iconst(bits, 0), "");
   LLVMValueRef step = cg_select(cg, differ, LLVMConstAllOnes(LLVMTypeOf(bits)), iconst(bits, 1));
   LLVMValueRef fixed = LLVMBuildAdd(b, bits, step, "");
   return cg_as_float(cg, cg_select(cg, LLVMBuildAnd(b, inexact, even, ""), fixed, bits));
}

LLVMValueRef cg_sum_to_odd(struct cg *cg, LLVMValueRef p, LLVMValueRef c)
{
   LLVMBuilderRef b = cg->b;
   LLVMValueRef sum = LLVMBuildFAdd(b, p, c, "");
   /* Knuth's two-sum: what the addition lost */
   LLVMValueRef c_part = LLVMBuildFSub(b, sum, p, "");
   LLVMValueRef p_part = LLVMBuildFSub(b, sum, c_part, "");
   LLVMValueRef error = LLVMBuildFAdd(b, LLVMBuildFSub(b, c, c_part, ""), LLVMBuildFSub(b, p, p_part, ""), "");
   return cg_round_to_odd(cg, sum, error);
}
