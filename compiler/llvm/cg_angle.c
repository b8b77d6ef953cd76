/* SPDX-License-Identifier: MIT
 * Large arguments of sine and cosine: a function of the object that few calls come to, one for all of a shader, so that the code around them keeps its
 * registers and is made in little time; with AVX-512 the first few of a shader stand in line. What it calculates: reduce_angle() in ir/ir_eval.c, to the
 * bit. */
#include "compiler/llvm/cg.h"

#include "compiler/ir/ir_eval.h"

enum { NUM_WORDS = 3 };

struct angle {
   LLVMBuilderRef b;
   LLVMTypeRef word, wide; /* one of 32 bits and one of 64 for each lane */
};

static LLVMValueRef word(const struct angle *angle, uint32_t value)
{
   return cg_const_like(angle->word, value);
}

static LLVMValueRef has_bit(const struct angle *angle, LLVMValueRef x, uint32_t bit)
{
   return LLVMBuildICmp(angle->b, LLVMIntNE, LLVMBuildAnd(angle->b, x, word(angle, bit), ""), LLVMConstNull(angle->word), "");
}

/* The high half of the product. */
static LLVMValueRef multiply_high(const struct angle *angle, LLVMValueRef x, LLVMValueRef y)
{
   LLVMBuilderRef b = angle->b;
   LLVMValueRef product = LLVMBuildMul(b, LLVMBuildZExt(b, x, angle->wide, ""), LLVMBuildZExt(b, y, angle->wide, ""), "");
   return LLVMBuildTrunc(b, LLVMBuildLShr(b, product, cg_const_like(angle->wide, 32), ""), angle->word, "");
}

/* 96 bits of 2/pi from bit `first` on, the highest first. */
static void bits_of_two_over_pi(const struct angle *angle, LLVMValueRef first, LLVMValueRef words[NUM_WORDS])
{
   LLVMBuilderRef b = angle->b;
   LLVMValueRef by_64 = has_bit(angle, first, 64), by_32 = has_bit(angle, first, 32), pairs[NUM_WORDS + 2], aligned[NUM_WORDS + 1];
   LLVMValueRef left = LLVMBuildAnd(b, first, word(angle, 31), ""), right = LLVMBuildXor(b, left, word(angle, 31), "");
   for (uint32_t i = 0; i < NUM_WORDS + 2; i++)
      pairs[i] = LLVMBuildSelect(b, by_64, word(angle, ir_two_over_pi[i + 2]), word(angle, ir_two_over_pi[i]), "");
   for (uint32_t i = 0; i < NUM_WORDS + 1; i++)
      aligned[i] = LLVMBuildSelect(b, by_32, pairs[i + 1], pairs[i], "");
   for (uint32_t i = 0; i < NUM_WORDS; i++) {
      LLVMValueRef next = LLVMBuildLShr(b, aligned[i + 1], word(angle, 1), ""); /* and 31 - left: 32 is no amount */
      words[i] = LLVMBuildOr(b, LLVMBuildShl(b, aligned[i], left, ""), LLVMBuildLShr(b, next, right, ""), "");
   }
}

/* The 64 bits as a double, rounded once: both halves are exact, and there is no instruction for the whole below AVX-512. */
static LLVMValueRef to_double(struct cg *cg, const struct angle *angle, LLVMValueRef low, LLVMValueRef high)
{
   LLVMBuilderRef b = angle->b;
   LLVMTypeRef type = cg_is_vector(low) ? LLVMVectorType(cg->f64, LLVMGetVectorSize(angle->word)) : cg->f64;
   LLVMValueRef scaled = LLVMBuildFMul(b, LLVMBuildSIToFP(b, high, type, ""), cg_constf_like(type, 0x1p32), "");
   return LLVMBuildFAdd(b, scaled, LLVMBuildUIToFP(b, low, type, ""), "");
}

static LLVMValueRef reduce(struct cg *cg, const struct angle *angle, LLVMValueRef x, bool is_cosine)
{
   LLVMBuilderRef b = angle->b;
   LLVMValueRef bits = LLVMBuildBitCast(b, x, angle->word, ""), words[NUM_WORDS];
   LLVMValueRef n = LLVMBuildOr(b, LLVMBuildAnd(b, bits, word(angle, 0x7fffff), ""), word(angle, 0x800000), "");
   bits_of_two_over_pi(angle, LLVMBuildSub(b, LLVMBuildLShr(b, bits, word(angle, 23), ""), word(angle, 139), ""), words);

   LLVMValueRef carried = multiply_high(angle, n, words[2]), low = LLVMBuildAdd(b, LLVMBuildMul(b, n, words[1], ""), carried, "");
   LLVMValueRef carry = LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntULT, low, carried, ""), angle->word, "");
   LLVMValueRef high = LLVMBuildAdd(b, LLVMBuildMul(b, n, words[0], ""), multiply_high(angle, n, words[1]), "");
   high = LLVMBuildAdd(b, high, carry, "");
   if (is_cosine)
      high = LLVMBuildAdd(b, high, word(angle, 0x40000000), ""); /* 1/2 */

   LLVMValueRef top = LLVMBuildOr(b, LLVMBuildShl(b, high, word(angle, 1), ""), LLVMBuildLShr(b, low, word(angle, 31), ""), "");
   LLVMValueRef fraction = to_double(cg, angle, LLVMBuildShl(b, low, word(angle, 1), ""), top);
   LLVMValueRef r = LLVMBuildFMul(b, fraction, cg_constf_like(LLVMTypeOf(fraction), IR_PI_BY_2_64), "");
   r = LLVMBuildFAdd(b, LLVMBuildFPTrunc(b, r, LLVMTypeOf(x), ""), LLVMBuildFSub(b, x, x, ""), "");
   LLVMValueRef turns = LLVMBuildAdd(b, high, word(angle, 0x40000000), "");
   LLVMValueRef sign = LLVMBuildAnd(b, turns, word(angle, 0x80000000), "");
   return LLVMBuildBitCast(b, LLVMBuildXor(b, LLVMBuildBitCast(b, r, angle->word, ""), sign, ""), LLVMTypeOf(x), "");
}

static struct angle angle_of(struct cg *cg, LLVMValueRef x)
{
   struct angle angle = {.b = cg->b, .word = cg->i32, .wide = cg->i64};
   if (cg_is_vector(x)) {
      angle.word = LLVMVectorType(cg->i32, LLVMGetVectorSize(LLVMTypeOf(x)));
      angle.wide = LLVMVectorType(cg->i64, LLVMGetVectorSize(LLVMTypeOf(x)));
   }
   return angle;
}

/* Of vectors the callee saves all registers but those of AVX-512, so that who calls has them whether or not anybody comes here. A function without
 * a vector LLVM ends with vzeroupper, saved or not. */
static uint32_t convention_of(LLVMValueRef x)
{
   return cg_is_vector(x) ? LLVMPreserveAllCallConv : LLVMCCallConv;
}

static LLVMValueRef make_function(struct cg *cg, LLVMTypeRef type, const struct angle *angle, bool is_cosine)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMValueRef fn = cg_add_cold_function(cg, is_cosine ? "reduce_cosine" : "reduce_sine", type);
   LLVMSetFunctionCallConv(fn, convention_of(LLVMGetParam(fn, 0)));
   LLVMPositionBuilderAtEnd(cg->b, LLVMAppendBasicBlockInContext(cg->context, fn, "entry"));
   LLVMBuildRet(cg->b, reduce(cg, angle, LLVMGetParam(fn, 0), is_cosine));
   LLVMPositionBuilderAtEnd(cg->b, here);
   return fn;
}

LLVMValueRef cg_reduce_angle(struct cg *cg, LLVMValueRef x, bool is_cosine)
{
   enum { MAX_IN_LINE = 8 }; /* of a shader with AVX-512, where a call costs registers; more of them take long to compile */
   const struct angle angle = angle_of(cg, x);
   LLVMTypeRef type = LLVMTypeOf(x), fn_type = LLVMFunctionType(type, &type, 1, false);
   if (cg->target.level >= UTIL_CPU_V4 && cg->num_reduced++ < MAX_IN_LINE)
      return reduce(cg, &angle, x, is_cosine);
   LLVMValueRef *fn = &cg->reduce_angle[cg_is_vector(x)][is_cosine];
   if (!*fn)
      *fn = make_function(cg, fn_type, &angle, is_cosine);
   LLVMValueRef result = LLVMBuildCall2(cg->b, fn_type, *fn, &x, 1, "");
   LLVMSetInstructionCallConv(result, convention_of(x));
   return result;
}
