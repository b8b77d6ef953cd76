/* SPDX-License-Identifier: MIT
 * 16-bit floats on machines that have no arithmetic for them: computed in 32 bits and rounded at once, so that the bits are those of 16-bit
 * arithmetic (decision D4). A value has two forms, 16-bit integers and the same numbers as 32-bit floats (cg.wide), so that a chain of operations
 * converts only where it rounds; the form that nobody reads is dropped by LLVM. */
#include "compiler/llvm/cg.h"

static LLVMTypeRef shape(struct cg *cg, LLVMValueRef like, LLVMTypeRef element)
{
   return cg_is_vector(like) ? LLVMVectorType(element, LLVMGetVectorSize(LLVMTypeOf(like))) : element;
}

static LLVMValueRef iconst(LLVMValueRef like, uint64_t value)
{
   return cg_const_like(LLVMTypeOf(like), value);
}

/* Stands in the middle of a block, where cg_as_float() must not be asked. */
static LLVMValueRef half_to_float_soft(struct cg *cg, LLVMValueRef half)
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef words = shape(cg, half, cg->i32), floats = shape(cg, half, cg->f32);
   LLVMValueRef h = LLVMBuildZExt(b, half, words, "");
   LLVMValueRef sign = LLVMBuildShl(b, LLVMBuildAnd(b, h, iconst(h, 0x8000), ""), iconst(h, 16), "");
   LLVMValueRef magnitude = LLVMBuildShl(b, LLVMBuildAnd(b, h, iconst(h, 0x7fff), ""), iconst(h, 13), "");
   /* scaling by 2^112 sets the exponent right, for denormals too; infinity and NaN get the greatest exponent */
   LLVMValueRef scaled = LLVMBuildFMul(b, LLVMBuildBitCast(b, magnitude, floats, ""), cg_constf_like(floats, 0x1p112), "");
   LLVMValueRef is_special = LLVMBuildICmp(b, LLVMIntUGE, magnitude, iconst(h, 0x7c00u << 13), "");
   LLVMValueRef special = LLVMBuildOr(b, magnitude, iconst(h, 0x7f800000), "");
   LLVMValueRef result = cg_select(cg, is_special, special, LLVMBuildBitCast(b, scaled, words, ""));
   return LLVMBuildBitCast(b, LLVMBuildOr(b, result, sign, ""), floats, "");
}

static LLVMValueRef float_to_half_soft(struct cg *cg, LLVMValueRef value)
{
   LLVMBuilderRef b = cg->b;
   LLVMValueRef f = cg_as_int(cg, value);
   LLVMValueRef sign = LLVMBuildAnd(b, LLVMBuildLShr(b, f, iconst(f, 16), ""), iconst(f, 0x8000), "");
   LLVMValueRef m = LLVMBuildAnd(b, f, iconst(f, 0x7fffffff), "");
   /* normal: round the mantissa to even in integers; overflow runs into infinity by itself */
   LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, m, iconst(f, 13), ""), iconst(f, 1), "");
   LLVMValueRef rounded = LLVMBuildAdd(b, LLVMBuildAdd(b, m, iconst(f, 0xfff), ""), odd, "");
   LLVMValueRef normal = LLVMBuildSub(b, LLVMBuildLShr(b, rounded, iconst(f, 13), ""), iconst(f, 112 << 10), "");
   LLVMValueRef is_big = LLVMBuildICmp(b, LLVMIntUGE, m, iconst(f, 0x47800000), "");
   normal = cg_select(cg, is_big, iconst(f, 0x7c00), normal);
   /* denormal: adding 0.5 lets the adder shift and round */
   LLVMValueRef half = cg_constf_like(LLVMTypeOf(value), 0.5);
   LLVMValueRef shifted = LLVMBuildFAdd(b, cg_as_float(cg, m), half, "");
   LLVMValueRef denormal = LLVMBuildSub(b, cg_as_int(cg, shifted), iconst(f, 0x3f000000), "");
   LLVMValueRef is_small = LLVMBuildICmp(b, LLVMIntULT, m, iconst(f, 0x38800000), "");
   LLVMValueRef result = cg_select(cg, is_small, denormal, normal);
   LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntUGT, m, iconst(f, 0x7f800000), "");
   LLVMValueRef nan = LLVMBuildOr(b, LLVMBuildLShr(b, m, iconst(f, 13), ""), iconst(f, 0x7e00), "");
   nan = LLVMBuildAnd(b, nan, iconst(f, 0x7fff), "");
   result = LLVMBuildOr(b, cg_select(cg, is_nan, nan, result), sign, "");
   return LLVMBuildTrunc(b, result, shape(cg, value, cg->i16), "");
}

/* Made once, right below the value, for all who ask. */
LLVMValueRef cg_half_to_float(struct cg *cg, LLVMValueRef value)
{
   value = cg_as_int(cg, value);
   LLVMValueRef wide = ir_map_find(&cg->wide, (uintptr_t)value);
   if (wide)
      return wide;
   const bool is_constant = LLVMIsConstant(value);
   LLVMBasicBlockRef here = is_constant ? NULL : cg_go_below(cg, value);
   if (cg->target.level < UTIL_CPU_V3)
      wide = half_to_float_soft(cg, value);
   else
      wide = LLVMBuildFPExt(cg->b, LLVMBuildBitCast(cg->b, value, shape(cg, value, cg->f16), ""), shape(cg, value, cg->f32), "");
   if (is_constant)
      return wide;
   cg_enter(cg, here);
   ir_map_add(&cg->wide, (uintptr_t)value, wide);
   return wide;
}

LLVMValueRef cg_float_to_half(struct cg *cg, LLVMValueRef value)
{
   if (cg->target.level < UTIL_CPU_V3)
      return float_to_half_soft(cg, value);
   return cg_as_int(cg, LLVMBuildFPTrunc(cg->b, value, shape(cg, value, cg->f16), ""));
}

/* `half` in 32 bits is `wide`. */
static LLVMValueRef with_wide(struct cg *cg, LLVMValueRef half, LLVMValueRef wide)
{
   if (!LLVMIsConstant(half) && !ir_map_find(&cg->wide, (uintptr_t)half))
      ir_map_add(&cg->wide, (uintptr_t)half, wide);
   return half;
}

LLVMValueRef cg_exact_half(struct cg *cg, LLVMValueRef wide)
{
   return with_wide(cg, cg_float_to_half(cg, wide), wide);
}

LLVMValueRef cg_half_sign(struct cg *cg, enum ir_op op, LLVMValueRef a)
{
   LLVMValueRef x = cg_as_int(cg, a), sign = iconst(x, 0x8000), wide = ir_map_find(&cg->wide, (uintptr_t)x);
   LLVMValueRef result = op == IR_fneg ? LLVMBuildXor(cg->b, x, sign, "") : LLVMBuildAnd(cg->b, x, LLVMBuildNot(cg->b, sign, ""), "");
   if (!wide)
      return result;
   return with_wide(cg, result, op == IR_fneg ? LLVMBuildFNeg(cg->b, wide, "") : cg_intrinsic1(cg, "llvm.fabs", 1, wide, NULL, NULL));
}

LLVMValueRef cg_half_select(struct cg *cg, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b)
{
   a = cg_as_int(cg, a);
   b = cg_as_int(cg, b);
   LLVMValueRef result = cg_select(cg, condition, a, b);
   const bool is_wide[2] = {ir_map_find(&cg->wide, (uintptr_t)a) != NULL, ir_map_find(&cg->wide, (uintptr_t)b) != NULL};
   if ((!is_wide[0] && !is_wide[1]) || (!is_wide[0] && !LLVMIsConstant(a)) || (!is_wide[1] && !LLVMIsConstant(b)))
      return result;
   return with_wide(cg, result, cg_select(cg, condition, cg_half_to_float(cg, a), cg_half_to_float(cg, b)));
}

/* ---- fused multiply-add ---- */

/* The product of two 16-bit floats is exact in 32 bits; the result is rounded to odd there, so that rounding it once more is right. */
static LLVMValueRef fma_here(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
   return cg_float_to_half(cg, cg_sum_to_odd(cg, LLVMBuildFMul(cg->b, x, y, ""), z));
}

static LLVMValueRef make_fma(struct cg *cg, LLVMTypeRef type)
{
   LLVMTypeRef params[3] = {type, type, type};
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "fma16", LLVMFunctionType(cg_vec_type(cg, cg->i16), params, 3, false));
   LLVMBuildRet(cg->b, fma_here(cg, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1), LLVMGetParam(fn, 2)));
   cg_function_end(cg, &around);
   return fn;
}

/* Beyond what kernels have that people unroll it is a call: in line it is thirty instructions of the machine. */
LLVMValueRef cg_half_fma(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
   enum { MAX_IN_LINE = 1024 };
   LLVMTypeRef type = LLVMTypeOf(x);
   if (cg_v4_has(cg, x) && LLVMGetVectorSize(type) >= 16)
      return cg_float_to_half(cg, cg_v4_fma_to_odd(cg, x, y, z));
   if (!cg_is_vector(x) || LLVMGetVectorSize(type) != cg->lanes || cg->num_half_fmas++ < MAX_IN_LINE)
      return fma_here(cg, x, y, z);
   if (!cg->half_fma)
      cg->half_fma = make_fma(cg, type);
   LLVMValueRef args[3] = {x, y, z};
   return cg_call_own(cg, cg->half_fma, args, 3);
}
