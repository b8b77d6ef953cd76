/* SPDX-License-Identifier: MIT
 * Operations that AVX-512 does in one instruction, and that no operation of LLVM stands for: vectors of 32-bit floats whose result has
 * the bits of the plain sequence; words of memory by shuffles of cache lines. */
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

/* ---- bytes of words ---- */

/* For each byte of a word: what puts it into all four bytes of the word, in the 128 bits of a shuffle. */
static LLVMValueRef byte_shuffles(struct cg *cg)
{
   LLVMValueRef bytes[64];
   for (uint32_t i = 0; i < 64; i++)
      bytes[i] = LLVMConstInt(cg->i8, i / 16 + (i & 12), false);
   return cg_const_memory(cg, LLVMConstVector(bytes, 64));
}

static LLVMValueRef decode_bytes(struct cg *cg, LLVMValueRef words, LLVMValueRef shuffle)
{
   enum { UP = 10 }; /* without exceptions */
   LLVMTypeRef bytes = LLVMVectorType(cg->i8, 64), ints = LLVMVectorType(cg->i32, REGISTER_LANES);
   LLVMValueRef shuffle_args[2] = {LLVMBuildBitCast(cg->b, words, bytes, ""), shuffle};
   LLVMValueRef four = cg_intrinsic(cg, "llvm.x86.avx512.pshuf.b.512", NULL, 0, shuffle_args, 2);
   LLVMTypeRef types[2] = {LLVMVectorType(cg->f32, REGISTER_LANES), ints};
   LLVMValueRef args[2] = {LLVMBuildBitCast(cg->b, four, ints, ""), cg_i32(cg, UP)};
   LLVMValueRef number = cg_intrinsic(cg, "llvm.x86.avx512.uitofp.round", types, 2, args, 2);
   return LLVMBuildFMul(cg->b, number, cg_constf_like(types[0], 0x1p-32), "");
}

/* v / 255 in binary repeats v's bits forever, so that what is beyond a float's precision begins with v's first bit, and the nearest float is the
 * next larger one: that of the first 32 bits. */
LLVMValueRef cg_v4_decode_bytes(struct cg *cg, LLVMValueRef words, LLVMValueRef shift)
{
   LLVMValueRef halves[2], at = LLVMBuildZExt(cg->b, LLVMBuildShl(cg->b, shift, cg_i32(cg, 1), ""), cg->i64, "");
   LLVMValueRef one = cg_load(cg, LLVMVectorType(cg->i8, 16), cg_gep(cg, byte_shuffles(cg), at), 16), indices[64];
   for (uint32_t i = 0; i < 64; i++)
      indices[i] = cg_i32(cg, i & 15);
   LLVMValueRef shuffle = LLVMBuildShuffleVector(cg->b, one, LLVMGetPoison(LLVMTypeOf(one)), LLVMConstVector(indices, 64), "");
   if (cg->lanes == REGISTER_LANES)
      return decode_bytes(cg, words, shuffle);
   for (uint32_t i = 0; i < 2; i++)
      halves[i] = decode_bytes(cg, part(cg, words, NULL, i * REGISTER_LANES, REGISTER_LANES), shuffle);
   return part(cg, halves[0], halves[1], 0, 2 * REGISTER_LANES);
}

/* One shuffle of two registers, where to shift, truncate and join takes five instructions. */
LLVMValueRef cg_v4_quarter(struct cg *cg, LLVMValueRef texels, uint32_t c)
{
   const uint32_t count = UTIL_MIN(cg->lanes, (uint32_t)REGISTER_LANES);
   LLVMValueRef halves[2], indices[REGISTER_LANES];
   for (uint32_t i = 0; i < count; i++)
      indices[i] = cg_i32(cg, 4 * i + c);
   for (uint32_t i = 0; i < cg->lanes / count; i++) {
      LLVMValueRef quarters = LLVMBuildBitCast(cg->b, part(cg, texels, NULL, i * count, count), LLVMVectorType(cg->i16, 4 * count), "");
      halves[i] = LLVMBuildShuffleVector(cg->b, quarters, LLVMGetPoison(LLVMTypeOf(quarters)), LLVMConstVector(indices, count), "");
   }
   return cg->lanes == count ? halves[0] : part(cg, halves[0], halves[1], 0, 2 * count);
}

/* ---- words of memory ---- */

/* Lanes whose cache lines are looked at. Blocks of texels: the corners of four by four fragments; elsewhere the ends and middles of rows of 8 or 16,
 * which are in three or five blocks wherever they begin. Words in a row are in two lines. */
static const struct corners {
   uint8_t count, lanes[6];
} of_fragments = {4, {0, 5, 10, 15}}, of_rows = {6, {0, 4, 7, 8, 12, 15}}, of_words = {4, {0, 7, 8, 15}};

/* The lane's number in all lanes. */
static LLVMValueRef broadcast(struct cg *cg, LLVMValueRef vector, uint32_t lane)
{
   LLVMValueRef indices[REGISTER_LANES];
   for (uint32_t i = 0; i < REGISTER_LANES; i++)
      indices[i] = cg_i32(cg, lane);
   return LLVMBuildShuffleVector(cg->b, vector, LLVMGetPoison(LLVMTypeOf(vector)), LLVMConstVector(indices, REGISTER_LANES), "");
}

/* Lanes that are in none of the lines before get their word from the next one. */
static LLVMValueRef from_lines(struct cg *cg, const struct corners *corners, LLVMValueRef base, LLVMValueRef index, LLVMValueRef line,
                               const LLVMValueRef *is_left)
{
   LLVMValueRef result = NULL;
   for (uint32_t i = 0; i < corners->count; i++) {
      LLVMValueRef number = LLVMBuildExtractElement(cg->b, line, cg_i32(cg, corners->lanes[i]), "");
      LLVMValueRef bytes = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, number, cg->i64, ""), cg_i64(cg, 6), "");
      LLVMValueRef words = cg_load(cg, LLVMTypeOf(index), cg_gep(cg, base, bytes), 4);
      LLVMValueRef args[2] = {words, index};
      words = cg_intrinsic(cg, "llvm.x86.avx512.permvar.si.512", NULL, 0, args, 2);
      result = result ? cg_select(cg, is_left[i], words, result) : words;
   }
   return result;
}

/* Lanes that were far from each other mostly are so again: then this many gathers do not look. */
enum { BLIND_GATHERS = 16 };

/* How many gathers are not to look, in memory. */
static LLVMValueRef blind_var(struct cg *cg)
{
   LLVMValueRef var = cg_alloca(cg, cg->i32, 4, "blind");
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMPositionBuilderAtEnd(cg->b, cg->entry);
   cg_store(cg, cg_i32(cg, 0), var, 4);
   LLVMPositionBuilderAtEnd(cg->b, here);
   return var;
}

/* In memory: it is no value that all of the function would have to carry along. */
static void set_blind(struct cg *cg, LLVMValueRef var, LLVMValueRef count)
{
   LLVMSetVolatile(cg_store(cg, count, var, 4), true);
}

/* Sixteen lanes; `base` is where a cache line begins. */
static LLVMValueRef gather_register(struct cg *cg, const struct corners *corners, LLVMValueRef blind, LLVMValueRef base, LLVMValueRef index, LLVMValueRef mask)
{
   LLVMBasicBlockRef blocks[2] = {cg_new_block(cg, "lines"), cg_new_block(cg, "gather")}, end = cg_new_block(cg, "gathered");
   LLVMBasicBlockRef look = cg_new_block(cg, "look"), skip = cg_new_block(cg, "blind"), far = cg_new_block(cg, "far");
   LLVMValueRef count = cg_load(cg, cg->i32, blind, 4), is_left[7] = {mask}, values[2];
   LLVMSetVolatile(count, true);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, count, cg_i32(cg, 0), ""), look, skip);
   cg_enter(cg, skip);
   set_blind(cg, blind, LLVMBuildSub(cg->b, count, cg_i32(cg, 1), ""));
   cg_branch(cg, blocks[1]);
   cg_enter(cg, look);
   LLVMValueRef line = LLVMBuildLShr(cg->b, index, cg_const_like(LLVMTypeOf(index), 4), "");
   for (uint32_t i = 0; i < corners->count; i++) {
      LLVMValueRef is_other = LLVMBuildICmp(cg->b, LLVMIntNE, line, broadcast(cg, line, corners->lanes[i]), "");
      is_left[i + 1] = LLVMBuildAnd(cg->b, is_left[i], is_other, "");
   }
   LLVMValueRef bits = LLVMBuildBitCast(cg->b, is_left[corners->count], cg->i16, "");
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, bits, LLVMConstNull(cg->i16), ""), blocks[0], far);
   cg_enter(cg, far);
   set_blind(cg, blind, cg_i32(cg, BLIND_GATHERS));
   cg_branch(cg, blocks[1]);
   cg_enter(cg, blocks[0]);
   values[0] = cg_select(cg, mask, from_lines(cg, corners, base, index, line, is_left), LLVMConstNull(LLVMTypeOf(index)));
   cg_branch(cg, end);
   cg_enter(cg, blocks[1]);
   values[1] = cg_select(cg, mask, cg_load_apart(cg, cg->i32, cg->i32, base, index, 4), LLVMConstNull(LLVMTypeOf(index)));
   cg_branch(cg, end);
   cg_enter(cg, end);
   LLVMValueRef words = LLVMBuildPhi(cg->b, LLVMTypeOf(index), "words");
   LLVMAddIncoming(words, values, blocks, 2);
   return words;
}

bool cg_v4_has_registers(const struct cg *cg)
{
   return cg->target.level >= UTIL_CPU_V4 && cg->lanes % REGISTER_LANES == 0;
}

bool cg_has_gathers(const struct cg *cg)
{
   return cg->target.level >= UTIL_CPU_V4 && cg->target.has_gathers;
}

/* Lines are read whole: what is beyond the words is in the same page as one of them. Of lanes that are off it is the line of the first word. */
LLVMValueRef cg_v4_gather_words(struct cg *cg, bool are_blocks, LLVMValueRef base, LLVMValueRef index, LLVMValueRef mask)
{
   const struct corners *const corners = !are_blocks ? &of_words : cg->fragment ? &of_fragments : &of_rows;
   LLVMTypeRef type = LLVMTypeOf(index);
   LLVMValueRef beyond = LLVMBuildAnd(cg->b, LLVMBuildPtrToInt(cg->b, base, cg->i64, ""), cg_i64(cg, 60), "");
   LLVMValueRef words = LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, beyond, cg_i64(cg, 2), ""), cg->i32, "");
   mask = cg_mask_or_full(cg, mask);
   index = LLVMBuildAdd(cg->b, cg_select(cg, mask, index, LLVMConstNull(type)), cg_splat(cg, words), "");
   base = cg_gep(cg, base, LLVMBuildNeg(cg->b, beyond, ""));
   LLVMValueRef blind = blind_var(cg);
   if (cg->lanes == REGISTER_LANES)
      return gather_register(cg, corners, blind, base, index, mask);
   LLVMValueRef halves[2];
   for (uint32_t i = 0; i < 2; i++)
      halves[i] = gather_register(cg, corners, blind, base, part(cg, index, NULL, i * REGISTER_LANES, REGISTER_LANES),
                                  part(cg, mask, NULL, i * REGISTER_LANES, REGISTER_LANES));
   return part(cg, halves[0], halves[1], 0, 2 * REGISTER_LANES);
}
