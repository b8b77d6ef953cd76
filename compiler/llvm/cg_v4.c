/* SPDX-License-Identifier: MIT
 * Operations that AVX-512 does in one instruction, and that no operation of LLVM stands for: vectors of 32-bit floats whose result has
 * the bits of the plain sequence. */
#include "compiler/llvm/cg.h"

enum { REGISTER_LANES = 16, CURRENT_ROUNDING = 4 };

bool cg_v4_has(const struct cg *cg, LLVMValueRef value)
{
   const uint32_t lanes = cg_is_vector(value) ? LLVMGetVectorSize(LLVMTypeOf(value)) : 0;
   return cg->target.level >= UTIL_CPU_V4 && lanes >= 4 && lanes <= 2 * REGISTER_LANES && !(lanes & (lanes - 1)) &&
          LLVMGetElementType(LLVMTypeOf(value)) == cg->f32;
}

/* `count` lanes from `first` on; of two vectors side by side where `more` is given. */
static LLVMValueRef part(struct cg *cg, LLVMValueRef vector, LLVMValueRef more, uint32_t first, uint32_t count)
{
   LLVMValueRef indices[2 * REGISTER_LANES];
   for (uint32_t i = 0; i < count; i++)
      indices[i] = cg_i32(cg, first + i);
   return LLVMBuildShuffleVector(cg->b, vector, more ? more : LLVMGetPoison(LLVMTypeOf(vector)), LLVMConstVector(indices, count), "");
}

/* One register: the intrinsic takes a vector or two, perhaps an immediate, what lanes that are off get, a mask, and for 512 bits the rounding. */
static LLVMValueRef in_register(struct cg *cg, const char *name, LLVMValueRef a, LLVMValueRef b, LLVMValueRef immediate)
{
   const uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(a));
   LLVMTypeRef mask = LLVMIntTypeInContext(cg->context, UTIL_MAX(lanes, 8u));
   LLVMValueRef args[6] = {a, b};
   char full_name[64];
   uint32_t count = b ? 2 : 1;
   if (immediate)
      args[count++] = immediate;
   args[count++] = LLVMGetPoison(LLVMTypeOf(a));
   args[count++] = LLVMConstAllOnes(mask);
   if (lanes == REGISTER_LANES)
      args[count++] = cg_i32(cg, CURRENT_ROUNDING);
   snprintf(full_name, sizeof(full_name), "llvm.x86.avx512.mask.%s.ps.%u", name, lanes * 32);
   return cg_intrinsic(cg, full_name, NULL, 0, args, count);
}

static LLVMValueRef in_registers(struct cg *cg, const char *name, LLVMValueRef a, LLVMValueRef b, LLVMValueRef immediate)
{
   if (LLVMGetVectorSize(LLVMTypeOf(a)) <= REGISTER_LANES)
      return in_register(cg, name, a, b, immediate);
   LLVMValueRef halves[2];
   for (uint32_t i = 0; i < 2; i++)
      halves[i] = in_register(cg, name, part(cg, a, NULL, i * REGISTER_LANES, REGISTER_LANES),
                              b ? part(cg, b, NULL, i * REGISTER_LANES, REGISTER_LANES) : NULL, immediate);
   return part(cg, halves[0], halves[1], 0, 2 * REGISTER_LANES);
}

LLVMValueRef cg_v4_scale(struct cg *cg, LLVMValueRef x, LLVMValueRef n)
{
   return in_registers(cg, "scalef", x, n, NULL);
}

LLVMValueRef cg_v4_min_or_max(struct cg *cg, bool is_max, LLVMValueRef a, LLVMValueRef b)
{
   enum { SIGN_OF_RESULT = 1 << 2 };
   return in_registers(cg, "range", a, b, cg_i32(cg, SIGN_OF_RESULT | is_max));
}

LLVMValueRef cg_v4_significand(struct cg *cg, LLVMValueRef x)
{
   enum { FROM_THREE_QUARTERS = 3, NAN_IF_NEGATIVE = 2 << 2 };
   return in_registers(cg, "getmant", x, NULL, cg_i32(cg, FROM_THREE_QUARTERS | NAN_IF_NEGATIVE));
}

/* The instruction's is that of a significand in [1, 2): one less where ours is below 1. NaN of the significand stays. */
LLVMValueRef cg_v4_exponent(struct cg *cg, LLVMValueRef x)
{
   LLVMValueRef of_significand = in_registers(cg, "getexp", cg_v4_significand(cg, x), NULL, NULL);
   return LLVMBuildFSub(cg->b, in_registers(cg, "getexp", x, NULL, NULL), of_significand, "");
}

/* The odd one of the results rounded down and up; both are the result where that is exact, but for zeros, whose sign is the second's. */
static LLVMValueRef fma_to_odd(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
   enum { DOWN = 9, UP = 10 }; /* without exceptions */
   LLVMValueRef down_args[4] = {x, y, z, cg_i32(cg, DOWN)}, up_args[4] = {x, y, z, cg_i32(cg, UP)};
   LLVMValueRef down = cg_intrinsic(cg, "llvm.x86.avx512.vfmadd.ps.512", NULL, 0, down_args, 4);
   LLVMValueRef up = cg_intrinsic(cg, "llvm.x86.avx512.vfmadd.ps.512", NULL, 0, up_args, 4);
   LLVMValueRef bits = cg_as_int(cg, down), low = LLVMBuildAnd(cg->b, bits, cg_const_like(LLVMTypeOf(bits), 1), "");
   return cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntNE, low, LLVMConstNull(LLVMTypeOf(low)), ""), down, up);
}

LLVMValueRef cg_v4_fma_to_odd(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
   if (LLVMGetVectorSize(LLVMTypeOf(x)) == REGISTER_LANES)
      return fma_to_odd(cg, x, y, z);
   LLVMValueRef halves[2];
   for (uint32_t i = 0; i < 2; i++) {
      const uint32_t first = i * REGISTER_LANES;
      halves[i] = fma_to_odd(cg, part(cg, x, NULL, first, REGISTER_LANES), part(cg, y, NULL, first, REGISTER_LANES), part(cg, z, NULL, first, REGISTER_LANES));
   }
   return part(cg, halves[0], halves[1], 0, 2 * REGISTER_LANES);
}
