/* SPDX-License-Identifier: MIT
 * How an instruction's lanes address memory: shared by loads, stores, atomics and variables. */
#pragma once

#include "compiler/llvm/cg.h"

/* A lane's access is at base (or its own of `addresses`) + offset. */
struct cg_mem {
   LLVMValueRef base;      /* ptr; NULL: `addresses` */
   LLVMValueRef addresses; /* <lanes x i64> */
   LLVMValueRef size;      /* i32, of what `base` points at */
   LLVMValueRef sizes;     /* <lanes x i32>, with `addresses`; both NULL: not checked */
   LLVMValueRef guard;     /* <lanes x i1>, with `size`: the lanes for which it is that, and not 0; NULL: all */
   struct ir_instr *offset; /* 32 bits; NULL: 0 */
   struct ir_instr *raw;    /* an address of the application's: those below CG_LEAST_ADDRESS count as out of bounds; NULL: none */
   uint32_t align;
   bool is_hoisted; /* cg_is_hoisted() */
};

/* Nothing is ever mapped below (vm.mmap_min_addr): what a null pointer and offsets in the structure behind it reach. */
#define CG_LEAST_ADDRESS UINT64_C(0x10000)

void cg_mem_describe(struct cg *cg, struct ir_instr *instr, struct cg_mem *mem);
bool cg_mem_is_uniform(struct cg *cg, const struct cg_mem *mem);
LLVMValueRef cg_mem_limit(struct cg *cg, LLVMValueRef size, uint32_t bytes);
/* Lanes of `exec` whose access of `bytes` bytes is in bounds; NULL: all. */
LLVMValueRef cg_mem_lane_mask(struct cg *cg, const struct cg_mem *mem, uint32_t bytes, LLVMValueRef exec);
/* The same whether or not they are on. */
LLVMValueRef cg_mem_lanes_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t bytes);
/* i1, of a uniform offset: in bounds; NULL: known to be. */
LLVMValueRef cg_mem_scalar_fits(struct cg *cg, const struct cg_mem *mem, uint32_t bytes);
/* True if every lane that is on is known to be in bounds. */
bool cg_mem_always_fits(const struct cg_mem *mem, uint32_t bytes);
LLVMValueRef cg_mem_scalar_ptr(struct cg *cg, const struct cg_mem *mem);
LLVMValueRef cg_mem_lane_addresses(struct cg *cg, const struct cg_mem *mem);
LLVMValueRef cg_mem_lane_ptrs(struct cg *cg, const struct cg_mem *mem);
LLVMValueRef cg_ptrs_plus(struct cg *cg, LLVMValueRef ptrs, uint32_t bytes);
/* Of consecutive elements; `mask` NULL: all. */
LLVMValueRef cg_masked_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef ptr, LLVMValueRef mask, uint32_t align);
void cg_masked_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr, LLVMValueRef mask, uint32_t align);
/* Before and after an access: in the order of the program, seen from other threads, if it is atomic or volatile. Vectors of loads and stores are not
 * atomic to LLVM, but to the processor, which may keep loads in order, and stores: then this costs no instruction. */
void cg_keep_order(struct cg *cg, uint32_t access);
/* cg_lane.c: integers at each lane's own address, which can be read. Stores of lanes that are on: false where few were made so far, and nothing is
 * emitted. */
LLVMValueRef cg_load_lanes(struct cg *cg, LLVMTypeRef element, LLVMValueRef addresses, uint32_t align);
UTIL_MUST_CHECK bool cg_store_lanes(struct cg *cg, LLVMValueRef addresses, LLVMValueRef mask, LLVMValueRef value);
bool cg_can_gather(const struct cg *cg); /* in one instruction that is not slower than loads of each lane */
LLVMValueRef cg_gather(struct cg *cg, LLVMTypeRef element, LLVMValueRef ptrs, LLVMValueRef mask, uint32_t align);
void cg_scatter(struct cg *cg, LLVMValueRef value, LLVMValueRef ptrs, LLVMValueRef mask, uint32_t align);
