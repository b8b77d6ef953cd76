/* SPDX-License-Identifier: MIT
 * Accesses of each lane alone: of what the machine does not gather and scatter, which are bytes and half words everywhere. In line each is a hundred
 * instructions; beyond the first ones of a shader they are calls of functions that the object has once for each size. */
#include "compiler/llvm/cg_memory.h"

enum { MAX_IN_LINE = 256 };

static LLVMValueRef *function_of(struct cg *cg, bool stores, LLVMTypeRef element)
{
   uint32_t index = 0;
   for (uint32_t bits = LLVMGetIntTypeWidth(element); bits > 8; bits /= 2)
      index++;
   return &cg->lane_functions[stores][index];
}

static LLVMValueRef pointer_of(struct cg *cg, LLVMValueRef address)
{
   return LLVMBuildIntToPtr(cg->b, address, cg->ptr, "");
}

static LLVMValueRef load_here(struct cg *cg, LLVMTypeRef element, LLVMValueRef addresses, uint32_t align)
{
   LLVMValueRef result = LLVMGetPoison(cg_vec_type(cg, element));
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef ptr = pointer_of(cg, LLVMBuildExtractElement(cg->b, addresses, cg_i32(cg, lane), ""));
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, element, ptr, align), cg_i32(cg, lane), "");
   }
   return result;
}

static LLVMValueRef make_load(struct cg *cg, LLVMTypeRef element)
{
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "load_lanes", LLVMFunctionType(cg_vec_type(cg, element), &wide, 1, false));
   LLVMBuildRet(cg->b, load_here(cg, element, LLVMGetParam(fn, 0), 1));
   cg_function_end(cg, &around);
   return fn;
}

LLVMValueRef cg_load_lanes(struct cg *cg, LLVMTypeRef element, LLVMValueRef addresses, uint32_t align)
{
   if (cg->num_lane_accesses++ < MAX_IN_LINE)
      return load_here(cg, element, addresses, align);
   LLVMValueRef *fn = function_of(cg, false, element);
   if (!*fn)
      *fn = make_load(cg, element);
   return cg_call_own(cg, *fn, &addresses, 1);
}

/* A vector in memory of the function that is emitted. */
static LLVMValueRef in_memory(struct cg *cg, LLVMValueRef vector)
{
   LLVMValueRef memory = cg_alloca(cg, LLVMTypeOf(vector), 64, "lanes");
   cg_store(cg, vector, memory, 64);
   return memory;
}

/* Addresses, lanes that are on as bits, values. */
static LLVMValueRef make_store(struct cg *cg, LLVMTypeRef element)
{
   LLVMTypeRef params[3] = {cg_vec_type(cg, cg->i64), cg->i32, cg_vec_type(cg, element)};
   const uint32_t bits = LLVMGetIntTypeWidth(element);
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "store_lanes", LLVMFunctionType(cg->void_type, params, 3, false));
   LLVMValueRef addresses = in_memory(cg, LLVMGetParam(fn, 0)), values = in_memory(cg, LLVMGetParam(fn, 2));
   LLVMBasicBlockRef test = cg_new_block(cg, "test"), body = cg_new_block(cg, "lane"), end = cg_new_block(cg, "end");
   LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->b);
   LLVMValueRef on = LLVMGetParam(fn, 1);
   cg_branch(cg, test);
   cg_enter(cg, test);
   LLVMValueRef left = LLVMBuildPhi(cg->b, cg->i32, "left");
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntNE, left, cg_i32(cg, 0), ""), body, end);
   cg_enter(cg, body);
   LLVMValueRef args[2] = {left, LLVMConstInt(cg->i1, 1, false)}, lane = cg_intrinsic(cg, "llvm.cttz", &cg->i32, 1, args, 2);
   LLVMValueRef address = cg_load(cg, cg->i64, cg_lane_ptr(cg, addresses, 64, lane), 8);
   cg_store(cg, cg_load(cg, element, cg_lane_ptr(cg, values, bits, lane), bits / 8), pointer_of(cg, address), 1);
   LLVMValueRef rest = LLVMBuildAnd(cg->b, left, LLVMBuildSub(cg->b, left, cg_i32(cg, 1), ""), "");
   LLVMAddIncoming(left, &on, &before, 1);
   LLVMAddIncoming(left, &rest, &body, 1);
   cg_branch(cg, test);
   cg_enter(cg, end);
   LLVMBuildRetVoid(cg->b);
   cg_function_end(cg, &around);
   return fn;
}

bool cg_store_lanes(struct cg *cg, LLVMValueRef addresses, LLVMValueRef mask, LLVMValueRef value)
{
   if (cg->num_lane_accesses++ < MAX_IN_LINE)
      return false;
   LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
   LLVMValueRef *fn = function_of(cg, true, element), args[3] = {addresses, cg_mask_bits(cg, mask), value};
   if (!*fn)
      *fn = make_store(cg, element);
   cg_call_own(cg, *fn, args, 3);
   return true;
}
