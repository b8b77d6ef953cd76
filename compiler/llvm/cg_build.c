/* SPDX-License-Identifier: MIT
 * Shorthand over LLVM's builder: types, constants, memory, masks, loops over lanes. */
#include "compiler/ir/ir_eval.h"
#include "compiler/llvm/cg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cg_fail(struct cg *cg, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   while (cg->caller)
      cg = cg->caller;
   free(cg->message);
   cg->message = strdup(text);
   longjmp(cg->on_error, 1);
}

/* ---- types and constants ---- */

LLVMTypeRef cg_int_type(struct cg *cg, uint32_t bits)
{
   switch (bits) {
   case 1: return cg->i1;
   case 8: return cg->i8;
   case 16: return cg->i16;
   case 32: return cg->i32;
   case 64: return cg->i64;
   default: return LLVMIntTypeInContext(cg->context, bits);
   }
}

LLVMTypeRef cg_float_type(struct cg *cg, uint32_t bits)
{
   return bits == 16 ? cg->f16 : bits == 64 ? cg->f64 : cg->f32;
}

LLVMTypeRef cg_vec_type(struct cg *cg, LLVMTypeRef element)
{
   return LLVMVectorType(element, cg->lanes);
}

LLVMTypeRef cg_type(struct cg *cg, LLVMTypeRef element, bool vector)
{
   return vector ? cg_vec_type(cg, element) : element;
}

bool cg_is_vector(LLVMValueRef value)
{
   return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static LLVMTypeRef element_type(LLVMTypeRef type)
{
   return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

uint32_t cg_bits(LLVMValueRef value)
{
   LLVMTypeRef type = element_type(LLVMTypeOf(value));
   switch (LLVMGetTypeKind(type)) {
   case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
   case LLVMHalfTypeKind: return 16;
   case LLVMFloatTypeKind: return 32;
   default: return 64;
   }
}

LLVMBasicBlockRef cg_go_below(struct cg *cg, LLVMValueRef value)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   if (!LLVMIsAInstruction(value)) {
      LLVMPositionBuilderAtEnd(cg->b, cg->entry); /* an argument: entry is open until the end */
      return here;
   }
   LLVMValueRef next = LLVMGetNextInstruction(value);
   while (next && LLVMIsAPHINode(next))
      next = LLVMGetNextInstruction(next);
   if (next)
      LLVMPositionBuilderBefore(cg->b, next);
   else
      LLVMPositionBuilderAtEnd(cg->b, LLVMGetInstructionParent(value));
   return here;
}

/* Made once, right below the value, for all who ask. */
static LLVMValueRef cast(struct cg *cg, LLVMValueRef value, LLVMTypeRef element)
{
   LLVMTypeRef type = LLVMTypeOf(value);
   if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
      element = LLVMVectorType(element, LLVMGetVectorSize(type));
   if (LLVMIsConstant(value))
      return LLVMConstBitCast(value, element);
   LLVMValueRef result = ir_map_find(&cg->casts, (uintptr_t)value);
   if (result)
      return result;
   LLVMBasicBlockRef here = cg_go_below(cg, value);
   result = LLVMBuildBitCast(cg->b, value, element, "");
   cg_enter(cg, here);
   ir_map_add(&cg->casts, (uintptr_t)value, result);
   ir_map_add(&cg->casts, (uintptr_t)result, value);
   return result;
}

static bool is_int(LLVMValueRef value)
{
   return LLVMGetTypeKind(element_type(LLVMTypeOf(value))) == LLVMIntegerTypeKind;
}

LLVMValueRef cg_as_int(struct cg *cg, LLVMValueRef value)
{
   return is_int(value) ? value : cast(cg, value, cg_int_type(cg, cg_bits(value)));
}

LLVMValueRef cg_as_float(struct cg *cg, LLVMValueRef value)
{
   return is_int(value) ? cast(cg, value, cg_float_type(cg, cg_bits(value))) : value;
}

static LLVMValueRef const_splat(LLVMValueRef scalar, uint32_t count)
{
   LLVMValueRef values[64];
   for (uint32_t i = 0; i < count; i++)
      values[i] = scalar;
   return LLVMConstVector(values, count);
}

LLVMValueRef cg_const_like(LLVMTypeRef type, uint64_t value)
{
   if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
      return LLVMConstInt(type, value, false);
   return const_splat(LLVMConstInt(LLVMGetElementType(type), value, false), LLVMGetVectorSize(type));
}

LLVMValueRef cg_constf_like(LLVMTypeRef type, double value)
{
   if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
      return LLVMConstReal(type, value);
   return const_splat(LLVMConstReal(LLVMGetElementType(type), value), LLVMGetVectorSize(type));
}

LLVMValueRef cg_i32(struct cg *cg, uint32_t value)
{
   return LLVMConstInt(cg->i32, value, false);
}

LLVMValueRef cg_i64(struct cg *cg, uint64_t value)
{
   return LLVMConstInt(cg->i64, value, false);
}

LLVMValueRef cg_splat(struct cg *cg, LLVMValueRef scalar)
{
   if (LLVMIsConstant(scalar))
      return const_splat(scalar, cg->lanes);
   LLVMTypeRef type = cg_vec_type(cg, LLVMTypeOf(scalar));
   LLVMValueRef one = LLVMBuildInsertElement(cg->b, LLVMGetPoison(type), scalar, cg_i32(cg, 0), "");
   return LLVMBuildShuffleVector(cg->b, one, LLVMGetPoison(type), LLVMConstNull(cg_vec_type(cg, cg->i32)), "");
}

LLVMValueRef cg_const_global(struct cg *cg, LLVMValueRef constant, uint32_t align, const char *name)
{
   LLVMValueRef global = LLVMAddGlobal(cg->module, LLVMTypeOf(constant), name);
   LLVMSetInitializer(global, constant);
   LLVMSetGlobalConstant(global, true);
   LLVMSetLinkage(global, LLVMPrivateLinkage);
   LLVMSetAlignment(global, align);
   return global;
}

LLVMValueRef cg_const_memory(struct cg *cg, LLVMValueRef constant)
{
   LLVMValueRef global = ir_map_find(&cg->tables, (uintptr_t)constant);
   if (!global) {
      global = cg_const_global(cg, constant, 64, "lanes");
      ir_map_add(&cg->tables, (uintptr_t)constant, global);
   }
   return global;
}

/* The machine takes a vector of different constants from memory anyway. LLVM, to which it is a load, does not look at every lane of it time
 * and again while it selects instructions. */
static LLVMValueRef from_memory(struct cg *cg, LLVMValueRef constant)
{
   return cg_load(cg, LLVMTypeOf(constant), cg_const_memory(cg, constant), 64);
}

LLVMValueRef cg_iota_n(struct cg *cg, uint32_t count, uint32_t bits, uint64_t step)
{
   LLVMValueRef values[128];
   LLVMTypeRef type = cg_int_type(cg, bits);
   for (uint32_t i = 0; i < count; i++)
      values[i] = LLVMConstInt(type, ir_mask_bits(step * i, bits), false);
   return from_memory(cg, LLVMConstVector(values, count));
}

LLVMValueRef cg_iota(struct cg *cg, uint32_t bits, uint64_t step)
{
   return cg_iota_n(cg, cg->lanes, bits, step);
}

LLVMValueRef cg_const_vector_u32(struct cg *cg, const uint32_t *in)
{
   LLVMValueRef values[64];
   for (uint32_t i = 0; i < cg->lanes; i++)
      values[i] = cg_i32(cg, in[i]);
   return from_memory(cg, LLVMConstVector(values, cg->lanes));
}

LLVMValueRef cg_intrinsic(struct cg *cg, const char *name, LLVMTypeRef *types, uint32_t num_types, LLVMValueRef *args,
                          uint32_t num_args)
{
   const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
   if (id == 0)
      cg_fail(cg, "LLVM has no intrinsic %s", name);
   LLVMValueRef fn = LLVMGetIntrinsicDeclaration(cg->module, id, types, num_types);
   return LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(fn), fn, args, num_args, "");
}

LLVMValueRef cg_call_own(struct cg *cg, LLVMValueRef fn, LLVMValueRef *args, uint32_t num_args)
{
   cg->num_calls++;
   return LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(fn), fn, args, num_args, "");
}

LLVMValueRef cg_intrinsic1(struct cg *cg, const char *name, uint32_t num_args, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
   LLVMTypeRef type = LLVMTypeOf(a);
   LLVMValueRef args[3] = {a, b, c};
   return cg_intrinsic(cg, name, &type, 1, args, num_args);
}

LLVMValueRef cg_select(struct cg *cg, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b)
{
   return LLVMBuildSelect(cg->b, condition, a, b, "");
}

LLVMValueRef cg_merge(struct cg *cg, LLVMValueRef mask, LLVMValueRef value, LLVMValueRef old)
{
   if (cg->target.level < UTIL_CPU_V4)
      old = LLVMBuildFreeze(cg->b, old, "");
   return cg_select(cg, mask, value, old);
}

/* ---- memory ---- */

LLVMValueRef cg_gep(struct cg *cg, LLVMValueRef base, LLVMValueRef offset_bytes)
{
   return LLVMBuildGEP2(cg->b, cg->i8, base, &offset_bytes, 1, "");
}

LLVMValueRef cg_gep_const(struct cg *cg, LLVMValueRef base, uint64_t offset_bytes)
{
   return offset_bytes == 0 ? base : cg_gep(cg, base, cg_i64(cg, offset_bytes));
}

LLVMValueRef cg_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef ptr, uint32_t align)
{
   LLVMValueRef value = LLVMBuildLoad2(cg->b, type, ptr, "");
   LLVMSetAlignment(value, align);
   return value;
}

static uint32_t natural_align(struct cg *cg, LLVMTypeRef type)
{
   switch (LLVMGetTypeKind(type)) {
   case LLVMPointerTypeKind:
   case LLVMDoubleTypeKind: return 8;
   case LLVMFloatTypeKind: return 4;
   case LLVMIntegerTypeKind: return UTIL_MAX(1, LLVMGetIntTypeWidth(type) / 8);
   default: return 4;
   }
}

LLVMValueRef cg_load_at(struct cg *cg, LLVMTypeRef type, LLVMValueRef base, uint64_t offset_bytes)
{
   return cg_load(cg, type, cg_gep_const(cg, base, offset_bytes), natural_align(cg, type));
}

LLVMValueRef cg_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr, uint32_t align)
{
   LLVMValueRef store = LLVMBuildStore(cg->b, value, ptr);
   LLVMSetAlignment(store, align);
   return store;
}

LLVMValueRef cg_alloca(struct cg *cg, LLVMTypeRef type, uint32_t align, const char *name)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMPositionBuilderAtEnd(cg->b, cg->entry);
   LLVMValueRef memory = LLVMBuildAlloca(cg->b, type, name);
   LLVMSetAlignment(memory, align);
   LLVMPositionBuilderAtEnd(cg->b, here);
   return memory;
}

static struct cg_free_vars *free_vars(struct cg *cg, LLVMTypeRef type)
{
   struct cg_free_vars *free_vars = cg->free_vars;
   for (; free_vars->type && free_vars->type != type; free_vars++) {
      if (free_vars + 1 == cg->free_vars + UTIL_ARRAY_SIZE(cg->free_vars))
         cg_fail(cg, "variables of more than %zu types", UTIL_ARRAY_SIZE(cg->free_vars));
   }
   free_vars->type = type;
   return free_vars;
}

LLVMValueRef cg_take_var(struct cg *cg, LLVMTypeRef type, const char *name)
{
   struct cg_free_vars *list = free_vars(cg, type);
   struct cg_free_var *free_var = list->first;
   if (!free_var)
      return cg_alloca(cg, type, LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? 8 : 64, name);
   list->first = free_var->next;
   return free_var->var;
}

void cg_give_var(struct cg *cg, LLVMTypeRef type, LLVMValueRef var)
{
   struct cg_free_vars *list = free_vars(cg, type);
   struct cg_free_var *free_var = UTIL_ARENA_NEW(cg->arena, struct cg_free_var);
   *free_var = (struct cg_free_var){list->first, var};
   list->first = free_var;
}

LLVMValueRef cg_scratch(struct cg *cg, uint32_t index)
{
   if (!cg->scratch[index])
      cg->scratch[index] = cg_alloca(cg, LLVMArrayType2(cg->i64, cg->lanes), 64, "scratch");
   return cg->scratch[index];
}

LLVMBasicBlockRef cg_new_block(struct cg *cg, const char *name)
{
   cg->deep_blocks += UTIL_MAX(cg->num_scopes, (uint32_t)CG_USUAL_DEPTH) - CG_USUAL_DEPTH;
   return LLVMAppendBasicBlockInContext(cg->context, cg->fn, name);
}

void cg_enter(struct cg *cg, LLVMBasicBlockRef block)
{
   LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->b);
   /* In the order of the program, as cg_split.c looks for where values live. */
   LLVMValueRef fn = LLVMGetBasicBlockParent(block);
   if (!LLVMGetFirstInstruction(block) && block != LLVMGetEntryBasicBlock(fn) && before && before != block && LLVMGetBasicBlockParent(before) == fn)
      LLVMMoveBasicBlockAfter(block, before);
   LLVMPositionBuilderAtEnd(cg->b, block);
}

void cg_branch(struct cg *cg, LLVMBasicBlockRef to)
{
   LLVMBuildBr(cg->b, to);
}

void cg_branch_if(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
   LLVMBuildCondBr(cg->b, condition, yes, no);
}

void cg_branch_expected(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef expected, LLVMBasicBlockRef rare)
{
   enum { ODDS = 2000 };
   static const char profile[] = "prof", branch_weights[] = "branch_weights";
   LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(cg->context, branch_weights, sizeof(branch_weights) - 1), LLVMValueAsMetadata(cg_i32(cg, ODDS)),
                                 LLVMValueAsMetadata(cg_i32(cg, 1))};
   LLVMValueRef branch = LLVMBuildCondBr(cg->b, condition, expected, rare);
   LLVMMetadataRef node = LLVMMDNodeInContext2(cg->context, weights, 3);
   LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(cg->context, profile, sizeof(profile) - 1), LLVMMetadataAsValue(cg->context, node));
}

LLVMValueRef cg_count_begin(struct cg *cg, LLVMBasicBlockRef round)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMValueRef zero = cg_i32(cg, 0);
   cg_branch(cg, round);
   cg_enter(cg, round);
   LLVMValueRef index = LLVMBuildPhi(cg->b, cg->i32, "index");
   LLVMAddIncoming(index, &zero, &here, 1);
   return index;
}

void cg_count_end(struct cg *cg, LLVMValueRef index, uint32_t step, LLVMValueRef count, LLVMBasicBlockRef end)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMValueRef next = LLVMBuildAdd(cg->b, index, cg_i32(cg, step), "");
   LLVMAddIncoming(index, &next, &here, 1);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntULT, next, count, ""), LLVMGetInstructionParent(index), end);
   cg_enter(cg, end);
}

/* ---- vectors of other lengths ---- */

LLVMValueRef cg_shuffle(struct cg *cg, LLVMValueRef a, LLVMValueRef b, const uint32_t *indices, uint32_t count)
{
   LLVMValueRef values[128];
   for (uint32_t i = 0; i < count; i++)
      values[i] = cg_i32(cg, indices[i]);
   return LLVMBuildShuffleVector(cg->b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)), LLVMConstVector(values, count), "");
}

LLVMValueRef cg_part_of(struct cg *cg, LLVMValueRef all, uint32_t count, uint32_t index)
{
   uint32_t indices[128];
   if (count == LLVMGetVectorSize(LLVMTypeOf(all)))
      return all;
   for (uint32_t i = 0; i < count; i++)
      indices[i] = index * count + i;
   return cg_shuffle(cg, all, NULL, indices, count);
}

LLVMValueRef cg_permute_words(struct cg *cg, LLVMValueRef words, LLVMValueRef index)
{
   LLVMValueRef args[2] = {words, index};
   const bool is_wide = LLVMGetVectorSize(LLVMTypeOf(words)) == 16;
   return cg_intrinsic(cg, is_wide ? "llvm.x86.avx512.permvar.si.512" : "llvm.x86.avx2.permd", NULL, 0, args, 2);
}

/* ---- masks ---- */

LLVMValueRef cg_mask_full(struct cg *cg)
{
   return LLVMConstAllOnes(cg->mask_type);
}

LLVMValueRef cg_mask_or_full(struct cg *cg, LLVMValueRef mask)
{
   return mask ? mask : cg_mask_full(cg);
}

LLVMValueRef cg_mask_bits(struct cg *cg, LLVMValueRef mask)
{
   if (!mask)
      return cg_i32(cg, cg->lanes == 32 ? UINT32_MAX : (1u << cg->lanes) - 1);
   LLVMValueRef bits = LLVMBuildBitCast(cg->b, mask, cg_int_type(cg, cg->lanes), "");
   return LLVMBuildZExt(cg->b, bits, cg->i32, "");
}

LLVMValueRef cg_mask_from_bits(struct cg *cg, LLVMValueRef bits)
{
   if (cg->target.level >= UTIL_CPU_V4) {
      bits = LLVMBuildTrunc(cg->b, bits, cg_int_type(cg, cg->lanes), "");
      return LLVMBuildBitCast(cg->b, bits, cg->mask_type, "");
   }
   /* without mask registers a test of each lane's bit is shorter than what the bit cast becomes */
   uint32_t lane_bits[32];
   for (uint32_t i = 0; i < cg->lanes; i++)
      lane_bits[i] = 1u << i;
   LLVMValueRef each = LLVMBuildAnd(cg->b, cg_splat(cg, bits), cg_const_vector_u32(cg, lane_bits), "");
   return LLVMBuildICmp(cg->b, LLVMIntNE, each, LLVMConstNull(LLVMTypeOf(each)), "");
}

static LLVMValueRef from_words(struct cg *cg, LLVMValueRef words)
{
   LLVMValueRef mask = LLVMBuildICmp(cg->b, LLVMIntSLT, words, LLVMConstNull(cg->mask_var_type), "");
   if (LLVMIsAInstruction(mask))
      ir_map_add(&cg->mask_words, (uintptr_t)mask, words);
   return mask;
}

/* The words of a mask, made where it is made, so that whatever it dominates may read them. */
static LLVMValueRef words_of(struct cg *cg, LLVMValueRef mask)
{
   if (!LLVMIsAInstruction(mask))
      return LLVMBuildSExt(cg->b, mask, cg->mask_var_type, "");
   LLVMValueRef words = ir_map_find(&cg->mask_words, (uintptr_t)mask);
   if (words)
      return words;
   LLVMBasicBlockRef here = cg_go_below(cg, mask);
   words = LLVMBuildSExt(cg->b, mask, cg->mask_var_type, "");
   cg_enter(cg, here);
   ir_map_add(&cg->mask_words, (uintptr_t)mask, words);
   return words;
}

/* A mask that changes between comparisons' lanes and those of words. */
static bool has_words(const struct cg *cg, LLVMValueRef mask)
{
   return mask && cg->mask_var_type != cg->mask_type && LLVMTypeOf(mask) == cg->mask_type && LLVMIsAInstruction(mask);
}

/* A mask of one register, any of whose lanes is on where any is of `mask`: LLVM would pack the lanes of several. */
static LLVMValueRef joined_registers(struct cg *cg, LLVMValueRef mask)
{
   const uint32_t width = UTIL_MIN(util_cpu_register_lanes(cg->target.level), cg->lanes);
   LLVMValueRef words = words_of(cg, mask), any = cg_part_of(cg, words, width, 0);
   for (uint32_t i = 1; i < cg->lanes / width; i++)
      any = LLVMBuildOr(cg->b, any, cg_part_of(cg, words, width, i), "");
   return LLVMBuildICmp(cg->b, LLVMIntSLT, any, LLVMConstNull(LLVMTypeOf(any)), "");
}

LLVMValueRef cg_mask_any(struct cg *cg, LLVMValueRef mask)
{
   if (!mask)
      return LLVMConstInt(cg->i1, 1, false);
   mask = has_words(cg, mask) ? joined_registers(cg, mask) : mask;
   LLVMValueRef bits = LLVMBuildBitCast(cg->b, mask, cg_int_type(cg, LLVMGetVectorSize(LLVMTypeOf(mask))), "");
   return LLVMBuildICmp(cg->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
}

LLVMValueRef cg_mask_all(struct cg *cg, LLVMValueRef mask)
{
   return LLVMBuildICmp(cg->b, LLVMIntEQ, cg_mask_bits(cg, mask), cg_mask_bits(cg, NULL), "");
}

LLVMValueRef cg_mask_logic(struct cg *cg, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b)
{
   if (has_words(cg, a) && has_words(cg, b))
      return from_words(cg, LLVMBuildBinOp(cg->b, op, words_of(cg, a), words_of(cg, b), ""));
   return LLVMBuildBinOp(cg->b, op, a, b, "");
}

LLVMValueRef cg_mask_not(struct cg *cg, LLVMValueRef mask)
{
   return has_words(cg, mask) ? from_words(cg, LLVMBuildNot(cg->b, words_of(cg, mask), "")) : LLVMBuildNot(cg->b, mask, "");
}

LLVMValueRef cg_mask_and(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   if (!a || !b)
      return a ? a : b;
   return cg_mask_logic(cg, LLVMAnd, a, b);
}

LLVMValueRef cg_mask_and_not(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   return b ? cg_mask_and(cg, a, cg_mask_not(cg, b)) : LLVMConstNull(cg->mask_type);
}

LLVMValueRef cg_mask_var(struct cg *cg, const char *name)
{
   return cg_take_var(cg, cg->mask_var_type, name);
}

LLVMValueRef cg_mask_here(struct cg *cg, LLVMValueRef mask)
{
   if (!has_words(cg, mask) || LLVMGetInstructionParent(mask) == LLVMGetInsertBlock(cg->b))
      return mask;
   return from_words(cg, words_of(cg, mask));
}

bool cg_is_same_mask(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   const void *words = ir_map_find(&cg->mask_words, (uintptr_t)a);
   return a == b || (words && words == ir_map_find(&cg->mask_words, (uintptr_t)b));
}

LLVMValueRef cg_mask_load(struct cg *cg, LLVMValueRef var)
{
   LLVMValueRef value = cg_load(cg, cg->mask_var_type, var, 64);
   return cg->mask_var_type == cg->mask_type ? value : from_words(cg, value);
}

void cg_mask_store(struct cg *cg, LLVMValueRef var, LLVMValueRef mask)
{
   mask = cg_mask_or_full(cg, mask);
   if (cg->mask_var_type != cg->mask_type)
      mask = words_of(cg, mask);
   cg_store(cg, mask, var, 64);
}

LLVMValueRef cg_fragment_live(struct cg *cg)
{
   return cg_mask_from_bits(cg, cg_load(cg, cg->i32, cg->live_bits, 4));
}

LLVMValueRef cg_fragment_is_helper(struct cg *cg)
{
   return LLVMBuildNot(cg->b, cg_fragment_live(cg), "");
}

LLVMValueRef cg_effect_mask(struct cg *cg)
{
   if (!cg->fragment)
      return cg->exec;
   return cg_mask_and(cg, cg->exec, cg_fragment_live(cg));
}

/* ---- loops over lanes ---- */

void cg_lane_loop_begin(struct cg *cg, LLVMValueRef mask, struct cg_lane_loop *loop)
{
   loop->body = cg_new_block(cg, "lane");
   loop->end = cg_new_block(cg, "lane_end");
   loop->bits_var = cg_take_var(cg, cg->i32, "lane_bits");
   LLVMValueRef bits = cg_mask_bits(cg, mask);
   cg_store(cg, bits, loop->bits_var, 4);
   if (mask)
      cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntNE, bits, cg_i32(cg, 0), ""), loop->body, loop->end);
   else
      cg_branch(cg, loop->body);
   cg_enter(cg, loop->body);
   bits = cg_load(cg, cg->i32, loop->bits_var, 4);
   LLVMValueRef args[2] = {bits, LLVMConstInt(cg->i1, 1, false)};
   loop->lane = cg_intrinsic(cg, "llvm.cttz", &cg->i32, 1, args, 2);
}

void cg_lane_loop_end(struct cg *cg, struct cg_lane_loop *loop)
{
   LLVMValueRef bits = cg_load(cg, cg->i32, loop->bits_var, 4);
   LLVMValueRef rest = LLVMBuildAnd(cg->b, bits, LLVMBuildSub(cg->b, bits, cg_i32(cg, 1), ""), "");
   cg_store(cg, rest, loop->bits_var, 4);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntNE, rest, cg_i32(cg, 0), ""), loop->body, loop->end);
   cg_enter(cg, loop->end);
   cg_give_var(cg, cg->i32, loop->bits_var);
}

/* Two of them at a time: moving them there takes longest. */
void cg_lane_numbers(struct cg *cg, LLVMValueRef index, LLVMValueRef numbers[ABI_MAX_LANES])
{
   const uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(index));
   LLVMValueRef pairs = LLVMBuildBitCast(cg->b, index, LLVMVectorType(cg->i64, lanes / 2), "");
   for (uint32_t i = 0; i < lanes / 2; i++) {
      LLVMValueRef pair = LLVMBuildExtractElement(cg->b, pairs, cg_i32(cg, i), "");
      numbers[2 * i] = LLVMBuildAnd(cg->b, pair, cg_i64(cg, UINT32_MAX), "");
      numbers[2 * i + 1] = LLVMBuildLShr(cg->b, pair, cg_i64(cg, 32), "");
   }
}

LLVMValueRef cg_load_apart(struct cg *cg, LLVMTypeRef element, LLVMTypeRef unit, LLVMValueRef base, LLVMValueRef index, uint32_t align)
{
   const uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(index));
   LLVMValueRef numbers[ABI_MAX_LANES], result = LLVMGetPoison(LLVMVectorType(element, lanes));
   cg_lane_numbers(cg, index, numbers);
   for (uint32_t i = 0; i < lanes; i++) {
      LLVMValueRef ptr = LLVMBuildGEP2(cg->b, unit, base, &numbers[i], 1, "");
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, element, ptr, align), cg_i32(cg, i), "");
   }
   return result;
}

LLVMValueRef cg_spill(struct cg *cg, uint32_t scratch, LLVMValueRef vector)
{
   LLVMValueRef memory = cg_scratch(cg, scratch);
   cg_store(cg, vector, memory, 64);
   return memory;
}

LLVMValueRef cg_lane_ptr(struct cg *cg, LLVMValueRef memory, uint32_t bits, LLVMValueRef lane)
{
   return LLVMBuildGEP2(cg->b, cg_int_type(cg, bits), memory, &lane, 1, "");
}

/* ---- rows: vectors of all lanes, one after the other ---- */

static LLVMTypeRef row_type(struct cg *cg, uint32_t bit_size)
{
   return cg_vec_type(cg, cg_int_type(cg, bit_size));
}

uint32_t cg_row_bytes(const struct cg *cg, uint32_t bit_size)
{
   return cg->lanes * bit_size / 8;
}

uint32_t cg_row_align(const struct cg *cg, uint32_t bit_size)
{
   return UTIL_MIN(cg_row_bytes(cg, bit_size), 64);
}

LLVMValueRef cg_load_row(struct cg *cg, LLVMValueRef rows, uint32_t bit_size, uint32_t index)
{
   return cg_load(cg, row_type(cg, bit_size), cg_gep_const(cg, rows, index * cg_row_bytes(cg, bit_size)), cg_row_align(cg, bit_size));
}

LLVMValueRef cg_load_row_lane(struct cg *cg, LLVMValueRef rows, uint32_t bit_size, uint32_t index)
{
   return cg_load(cg, cg_int_type(cg, bit_size), cg_gep_const(cg, rows, index * cg_row_bytes(cg, bit_size)), bit_size / 8);
}

void cg_store_row(struct cg *cg, LLVMValueRef rows, uint32_t bit_size, uint32_t index, LLVMValueRef vector)
{
   cg_store(cg, cg_as_int(cg, vector), cg_gep_const(cg, rows, index * cg_row_bytes(cg, bit_size)), cg_row_align(cg, bit_size));
}
