/* SPDX-License-Identifier: MIT
 * Sums of four products of bytes, what quantized networks are made of: by the machine's sums of such products where it has them; else by those of two
 * products of halves, bytes 0 and 2 and bytes 1 and 3 of each word at once; else byte by byte. */
#include "compiler/llvm/cg_runs.h"
#include "compiler/llvm/cg_target.h"

#include <string.h>

/* Bytes 0 and 2, or 1 and 3, of each word as the numbers that its halves hold. */
static LLVMValueRef halves_of(struct cg *cg, LLVMValueRef words, bool is_odd, bool is_signed)
{
   LLVMTypeRef type = LLVMVectorType(LLVMIntTypeInContext(cg->context, 16), 2 * LLVMGetVectorSize(LLVMTypeOf(words)));
   LLVMValueRef halves = LLVMBuildBitCast(cg->b, words, type, ""), eight = cg_const_like(type, 8);
   if (!is_odd)
      halves = LLVMBuildShl(cg->b, halves, eight, "");
   return is_signed ? LLVMBuildAShr(cg->b, halves, eight, "") : LLVMBuildLShr(cg->b, halves, eight, "");
}

/* The machine's sums of two products of halves, where it has them. */
static LLVMValueRef dot_halves(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   LLVMValueRef parts[ABI_MAX_LANES], args[2];
   const uint32_t count = LLVMGetVectorSize(LLVMTypeOf(a)), width = UTIL_MIN(count, 2 * util_cpu_register_lanes(cg->target.level));
   for (uint32_t i = 0; i < count / width; i++) {
      args[0] = cg_part_of(cg, a, width, i);
      args[1] = cg_part_of(cg, b, width, i);
      parts[i] = cg_intrinsic(cg, cg_target.dot_halves(width), NULL, 0, args, 2);
   }
   return cg_join_parts(cg, parts, count / width);
}

/* Of unsigned bytes by signed ones, with the machine's instruction. */
static LLVMValueRef dot_mixed(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   LLVMValueRef parts[ABI_MAX_LANES];
   const uint32_t count = LLVMGetVectorSize(LLVMTypeOf(a)), width = UTIL_MIN(count, util_cpu_register_lanes(cg->target.level));
   const char *name = cg_target.dot_bytes(cg->target.level, width);
   LLVMTypeRef types[3]; /* versions of LLVM differ: words or bytes */
   LLVMGetParamTypes(LLVMIntrinsicGetType(cg->context, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0), types);
   for (uint32_t i = 0; i < count / width; i++) {
      LLVMValueRef args[3] = {LLVMConstNull(types[0]), LLVMBuildBitCast(cg->b, cg_part_of(cg, a, width, i), types[1], ""),
                              LLVMBuildBitCast(cg->b, cg_part_of(cg, b, width, i), types[2], "")};
      parts[i] = cg_intrinsic(cg, name, NULL, 0, args, 3);
   }
   return cg_join_parts(cg, parts, count / width);
}

/* What is signed as what is not or the reverse is 128 more or less, which times the other bytes is subtracted. */
static LLVMValueRef dot_by_machine(struct cg *cg, uint32_t signs, LLVMValueRef a, LLVMValueRef b)
{
   LLVMValueRef tops = cg_const_like(LLVMTypeOf(a), 0x80808080);
   switch (signs & 3) {
   case 1: return dot_mixed(cg, b, a);
   case 2: return dot_mixed(cg, a, b);
   case 3: return LLVMBuildSub(cg->b, dot_mixed(cg, LLVMBuildXor(cg->b, a, tops, ""), b), dot_mixed(cg, tops, b), "");
   default: return LLVMBuildSub(cg->b, dot_mixed(cg, a, LLVMBuildXor(cg->b, b, tops, "")), dot_mixed(cg, a, tops), "");
   }
}

static LLVMValueRef product_of_bytes(struct cg *cg, uint32_t signs, LLVMValueRef a, LLVMValueRef b, uint32_t index)
{
   LLVMValueRef up = cg_const_like(LLVMTypeOf(a), 24 - 8 * index), down = cg_const_like(LLVMTypeOf(a), 24), srcs[2] = {a, b};
   for (uint32_t i = 0; i < 2; i++) {
      LLVMValueRef high = LLVMBuildShl(cg->b, srcs[i], up, "");
      srcs[i] = signs >> i & 1 ? LLVMBuildAShr(cg->b, high, down, "") : LLVMBuildLShr(cg->b, high, down, "");
   }
   return LLVMBuildMul(cg->b, srcs[0], srcs[1], "");
}

LLVMValueRef cg_dot_bytes(struct cg *cg, uint32_t signs, LLVMValueRef a, LLVMValueRef b)
{
   LLVMValueRef sum = NULL;
   if (cg_is_vector(a) && cg_target.dot_bytes && cg_target.dot_bytes(cg->target.level, UTIL_MIN(cg->lanes, util_cpu_register_lanes(cg->target.level))))
      return dot_by_machine(cg, signs, a, b);
   if (cg_is_vector(a) && cg_target.dot_halves && cg_target.dot_halves(UTIL_MIN(2 * cg->lanes, 2 * util_cpu_register_lanes(cg->target.level)))) {
      for (uint32_t k = 0; k < 2; k++) {
         LLVMValueRef pairs = dot_halves(cg, halves_of(cg, a, k, signs & 1), halves_of(cg, b, k, signs & 2));
         sum = sum ? LLVMBuildAdd(cg->b, sum, pairs, "") : pairs;
      }
      return sum;
   }
   for (uint32_t i = 0; i < 4; i++) {
      LLVMValueRef product = product_of_bytes(cg, signs, a, b, i);
      sum = sum ? LLVMBuildAdd(cg->b, sum, product, "") : product;
   }
   return sum;
}
