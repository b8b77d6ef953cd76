/* SPDX-License-Identifier: MIT
 * What loads, stores and atomics access: addresses of lanes, bounds, LLVM's masked intrinsics. Every access through a size is checked (D11).
 *
 * Offsets are 32 bits and wrap, as the lanes' own arithmetic would: offset < size - (bytes - 1), saturated, is the whole check. No size
 * is more than ABI_MAX_BUFFER_BYTES, so an offset in bounds is positive as a signed number. */
#include "compiler/llvm/cg_memory.h"
#include "compiler/llvm/cg_target.h"

#include <stddef.h>

/* ---- what an instruction accesses ---- */

static void set_base(struct cg *cg, struct cg_mem *mem, struct ir_instr *addr)
{
   if (cg_is_uniform(cg, addr, 0))
      mem->base = LLVMBuildIntToPtr(cg->b, cg_as_int(cg, cg_scalar(cg, addr, 0)), cg->ptr, "");
   else
      mem->addresses = cg_as_int(cg, cg_vector(cg, addr, 0));
}

/* A size that differs between lanes only in that it is 0 for some: what it is for the others. */
static struct ir_instr *take_guards(struct cg *cg, struct cg_mem *mem, struct ir_instr *size)
{
   while (size->op == IR_select && ir_is_const(size->srcs[2]) && !size->srcs[2]->imm.c[0] && !cg_is_uniform(cg, size, 0)) {
      mem->guard = cg_mask_and(cg, mem->guard, cg_vector(cg, size->srcs[0], 0));
      size = size->srcs[1];
   }
   return size;
}

void cg_mem_describe(struct cg *cg, struct ir_instr *instr, struct cg_mem *mem)
{
   mem->is_hoisted = cg_is_hoisted(cg, instr);
   struct ir_instr *size;
   switch (instr->op) {
   case IR_load_buffer: case IR_store_buffer: case IR_atomic_buffer:
      set_base(cg, mem, instr->srcs[0]);
      mem->offset = instr->srcs[2];
      size = mem->base ? take_guards(cg, mem, instr->srcs[1]) : instr->srcs[1];
      if (mem->base && cg_is_uniform(cg, size, 0)) {
         mem->size = cg_as_int(cg, cg_scalar(cg, size, 0));
      } else {
         mem->guard = NULL;
         mem->sizes = cg_as_int(cg, cg_vector(cg, instr->srcs[1], 0));
         if (mem->base) { /* a size for each lane asks for addresses for each lane */
            mem->addresses = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
            mem->base = NULL;
         }
      }
      break;
   case IR_load_shared: case IR_store_shared: case IR_atomic_shared:
      mem->base = cg->shared;
      mem->offset = instr->srcs[0];
      mem->size = cg_i32(cg, cg->ir->info.shared_bytes);
      break;
   case IR_load_push:
      mem->base = cg->push;
      mem->offset = instr->srcs[0];
      mem->size = cg_i32(cg, ABI_MAX_PUSH_BYTES);
      break;
   default:
      set_base(cg, mem, instr->srcs[0]);
      mem->raw = instr->srcs[0];
      break;
   }
}

struct cg_limit {
   struct cg_limit *next;
   LLVMValueRef size, limit;
   uint32_t bytes;
};

static LLVMValueRef compute_limit(struct cg *cg, LLVMValueRef size, uint32_t bytes)
{
   LLVMTypeRef type = LLVMTypeOf(size);
   LLVMValueRef args[2] = {size, cg_const_like(type, bytes - 1)};
   return bytes == 1 ? size : cg_intrinsic(cg, "llvm.usub.sat", &type, 1, args, 2);
}

/* i32: offsets below it are in bounds for an access of `bytes`. Computed once, where the size is. */
LLVMValueRef cg_mem_limit(struct cg *cg, LLVMValueRef size, uint32_t bytes)
{
   if (LLVMIsAConstantInt(size)) {
      const uint32_t value = (uint32_t)LLVMConstIntGetZExtValue(size);
      return cg_i32(cg, value >= bytes ? value - bytes + 1 : 0);
   }
   if (LLVMIsConstant(size))
      return compute_limit(cg, size, bytes);
   for (struct cg_limit *l = cg->limits; l; l = l->next) {
      if (l->size == size && l->bytes == bytes)
         return l->limit;
   }
   struct cg_limit *l = UTIL_ARENA_NEW(cg->arena, struct cg_limit);
   LLVMBasicBlockRef here = cg_go_below(cg, size);
   *l = (struct cg_limit){.next = cg->limits, .size = size, .bytes = bytes, .limit = compute_limit(cg, size, bytes)};
   cg_enter(cg, here);
   cg->limits = l;
   return l->limit;
}

bool cg_mem_always_fits(const struct cg_mem *mem, uint32_t bytes)
{
   const uint64_t max = mem->offset ? mem->offset->below - 1 : UINT64_MAX;
   return !mem->is_hoisted && mem->size && LLVMIsAConstantInt(mem->size) && max < UINT32_MAX && max + bytes <= LLVMConstIntGetZExtValue(mem->size);
}

LLVMValueRef cg_mem_lanes_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t bytes)
{
   if (mem->raw) {
      LLVMValueRef address = cg_as_int(cg, cg_vector(cg, mem->raw, 0));
      return LLVMBuildICmp(cg->b, LLVMIntUGE, address, cg_const_like(LLVMTypeOf(address), CG_LEAST_ADDRESS), "");
   }
   if ((!mem->size && !mem->sizes) || cg_mem_always_fits(mem, bytes))
      return NULL;
   LLVMValueRef limit = mem->size ? cg_splat(cg, cg_mem_limit(cg, mem->size, bytes)) : cg_mem_limit(cg, mem->sizes, bytes);
   return cg_mask_and(cg, LLVMBuildICmp(cg->b, LLVMIntULT, cg_as_int(cg, cg_vector(cg, mem->offset, 0)), limit, ""), mem->guard);
}

LLVMValueRef cg_mem_lane_mask(struct cg *cg, const struct cg_mem *mem, uint32_t bytes, LLVMValueRef exec)
{
   return cg_mask_and(cg, exec, cg_mem_lanes_in_bounds(cg, mem, bytes));
}

LLVMValueRef cg_mem_scalar_fits(struct cg *cg, const struct cg_mem *mem, uint32_t bytes)
{
   if (mem->raw)
      return LLVMBuildICmp(cg->b, LLVMIntUGE, cg_as_int(cg, cg_scalar(cg, mem->raw, 0)), cg_i64(cg, CG_LEAST_ADDRESS), "");
   if (!mem->size || cg_mem_always_fits(mem, bytes))
      return NULL;
   LLVMValueRef offset = cg_as_int(cg, cg_scalar(cg, mem->offset, 0)), limit = cg_mem_limit(cg, mem->size, bytes);
   if (LLVMIsAConstantInt(offset) && LLVMIsAConstantInt(limit))
      return LLVMConstIntGetZExtValue(offset) < LLVMConstIntGetZExtValue(limit) ? NULL : LLVMConstInt(cg->i1, 0, false);
   return LLVMBuildICmp(cg->b, LLVMIntULT, offset, limit, "");
}

LLVMValueRef cg_mem_scalar_ptr(struct cg *cg, const struct cg_mem *mem)
{
   if (!mem->offset)
      return mem->base;
   LLVMValueRef offset = cg_as_int(cg, cg_scalar(cg, mem->offset, 0));
   return cg_gep(cg, mem->base, LLVMBuildZExt(cg->b, offset, cg->i64, ""));
}

LLVMValueRef cg_mem_lane_addresses(struct cg *cg, const struct cg_mem *mem)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i64);
   LLVMValueRef base = mem->addresses;
   if (!base)
      base = cg_splat(cg, LLVMBuildPtrToInt(cg->b, mem->base, cg->i64, ""));
   if (!mem->offset)
      return base;
   LLVMValueRef offset = LLVMBuildZExt(cg->b, cg_as_int(cg, cg_vector(cg, mem->offset, 0)), type, "");
   return LLVMBuildAdd(cg->b, base, offset, "");
}

bool cg_mem_is_uniform(struct cg *cg, const struct cg_mem *mem)
{
   return mem->base && !mem->guard && (!mem->offset || cg_is_uniform(cg, mem->offset, 0));
}

/* ---- LLVM's masked intrinsics ---- */

static LLVMValueRef masked_call(struct cg *cg, const char *name, LLVMTypeRef *types, LLVMValueRef *args, uint32_t ptr_index,
                                uint32_t num_args, uint32_t align)
{
#if LLVM_VERSION_MAJOR >= 22
   LLVMValueRef call = cg_intrinsic(cg, name, types, 2, args, num_args);
   const unsigned attribute_id = LLVMGetEnumAttributeKindForName("align", 5);
   LLVMAddCallSiteAttribute(call, ptr_index + 1, LLVMCreateEnumAttribute(cg->context, attribute_id, align));
   return call;
#else
   LLVMValueRef with_align[4];
   uint32_t n = 0;
   for (uint32_t i = 0; i < num_args; i++) {
      with_align[n++] = args[i];
      if (i == ptr_index)
         with_align[n++] = cg_i32(cg, align);
   }
   return cg_intrinsic(cg, name, types, 2, with_align, n);
#endif
}

LLVMValueRef cg_masked_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef ptr, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {type, cg->ptr};
   LLVMValueRef args[3] = {ptr, mask, LLVMConstNull(type)};
   if (!mask)
      return cg_load(cg, type, ptr, align);
   return masked_call(cg, "llvm.masked.load", types, args, 0, 3, align);
}

void cg_masked_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {LLVMTypeOf(value), cg->ptr};
   LLVMValueRef args[3] = {value, ptr, mask};
   if (mask)
      masked_call(cg, "llvm.masked.store", types, args, 1, 3, align);
   else
      cg_store(cg, value, ptr, align);
}

/* Below AVX-512 an instruction has a mask of words, and is slower than loads on many processors. */
bool cg_can_gather(const struct cg *cg)
{
   return cg->target.level >= UTIL_CPU_V4 || (cg->target.level == UTIL_CPU_V3 && cg->target.has_gathers);
}

LLVMValueRef cg_gather(struct cg *cg, LLVMTypeRef element, LLVMValueRef ptrs, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {cg_vec_type(cg, element), LLVMTypeOf(ptrs)};
   LLVMValueRef args[3] = {ptrs, cg_mask_or_full(cg, mask), LLVMConstNull(types[0])};
   return masked_call(cg, "llvm.masked.gather", types, args, 0, 3, align);
}

void cg_scatter(struct cg *cg, LLVMValueRef value, LLVMValueRef ptrs, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {LLVMTypeOf(value), LLVMTypeOf(ptrs)};
   LLVMValueRef args[3] = {value, ptrs, cg_mask_or_full(cg, mask)};
   masked_call(cg, "llvm.masked.scatter", types, args, 1, 3, align);
}

/* Pointers of all lanes for a gather or scatter. The machine sign-extends a 32-bit index: right for all offsets in bounds. */
LLVMValueRef cg_mem_lane_ptrs(struct cg *cg, const struct cg_mem *mem)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->ptr);
   if (!mem->base || !mem->offset)
      return LLVMBuildIntToPtr(cg->b, cg_mem_lane_addresses(cg, mem), type, "");
   return cg_gep(cg, mem->base, cg_as_int(cg, cg_vector(cg, mem->offset, 0)));
}

LLVMValueRef cg_ptrs_plus(struct cg *cg, LLVMValueRef ptrs, uint32_t bytes)
{
   return bytes == 0 ? ptrs : cg_gep(cg, ptrs, cg_i64(cg, bytes));
}

/* ---- order ---- */

void cg_keep_order(struct cg *cg, uint32_t access)
{
   if (access & (IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE))
      LLVMBuildFence(cg->b, LLVMAtomicOrderingSequentiallyConsistent, cg_target.keeps_order, "");
}
