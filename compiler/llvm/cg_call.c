/* SPDX-License-Identifier: MIT */
#include "compiler/llvm/cg_call.h"

struct cg_call_shape {
   struct cg_call_shape *next;
   uint32_t key[8];
   LLVMValueRef memory;
};

LLVMValueRef cg_call_find(struct cg *cg, struct cg_call_shape **list, const uint32_t key[8], uint32_t size, bool *is_new)
{
   *is_new = false;
   for (struct cg_call_shape *s = *list; s; s = s->next) {
      bool same = true;
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(s->key); i++)
         same &= s->key[i] == key[i];
      if (same)
         return s->memory;
   }
   struct cg_call_shape *shape = UTIL_ARENA_NEW(cg->arena, struct cg_call_shape);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(shape->key); i++)
      shape->key[i] = key[i];
   shape->next = *list;
   shape->memory = cg_alloca(cg, LLVMArrayType2(cg->i64, UTIL_DIV_ROUND_UP(size, 8)), 16, "call");
   *list = shape;
   *is_new = true;
   return shape->memory;
}

void cg_call_set_u32(struct cg *cg, LLVMValueRef memory, size_t offset, uint32_t value)
{
   cg_store(cg, cg_i32(cg, value), cg_gep_const(cg, memory, offset), 4);
}

void cg_call_set_ptr(struct cg *cg, LLVMValueRef memory, size_t offset, LLVMValueRef ptr)
{
   cg_store(cg, ptr, cg_gep_const(cg, memory, offset), 8);
}

void cg_call_set_arrays(struct cg *cg, LLVMValueRef memory, size_t offset, uint32_t count, uint32_t scratch)
{
   for (uint32_t i = 0; i < count; i++)
      cg_call_set_ptr(cg, memory, offset + i * sizeof(void *), cg_scratch(cg, scratch + i));
}

/* At the entry, where all calls see it: zeros, then what is the same for all calls of the shape. */
LLVMBasicBlockRef cg_call_begin(struct cg *cg, LLVMValueRef memory, uint32_t size)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   for (uint32_t i = 0; i < CG_NUM_SCRATCH; i++)
      cg_scratch(cg, i);
   LLVMPositionBuilderAtEnd(cg->b, cg->entry);
   for (uint32_t at = 0; at < size; at += 8)
      cg_store(cg, cg_i64(cg, 0), cg_gep_const(cg, memory, at), 8);
   return here;
}

void cg_call_end(struct cg *cg, LLVMBasicBlockRef here)
{
   LLVMPositionBuilderAtEnd(cg->b, here);
}

LLVMValueRef cg_call_helper(struct cg *cg, size_t helper, LLVMTypeRef result, uint32_t num_args, LLVMValueRef *args)
{
   LLVMTypeRef types[8];
   for (uint32_t i = 0; i < num_args; i++)
      types[i] = LLVMTypeOf(args[i]);
   LLVMTypeRef type = LLVMFunctionType(result, types, num_args, false);
   return LLVMBuildCall2(cg->b, type, cg_load_at(cg, cg->ptr, cg->helpers, helper), args, num_args, "");
}
