/* SPDX-License-Identifier: MIT
 * Calls of the runtime with arguments in arrays of lanes: structs of include/abi/shader.h. They hold the same pointers for all calls of one shape,
 * so they are filled once, at the function's entry; a call writes the lanes, the mask and the descriptors. */
#pragma once

#include "compiler/llvm/cg.h"

#include <stddef.h>

/* Where in cg->scratch the lanes of arguments and results stand. */
enum {
   CG_SCRATCH_QUERY = 0, CG_SCRATCH_IMAGES = 6, CG_SCRATCH_SAMPLERS = 7, CG_SCRATCH_COORDS = 8, CG_SCRATCH_LOD = 12, CG_SCRATCH_DDX = 13, CG_SCRATCH_DDY = 16,
   CG_SCRATCH_OFFSET = 19, CG_SCRATCH_DREF = 22, CG_SCRATCH_SAMPLE = 23, CG_SCRATCH_MIN_LOD = 24, CG_SCRATCH_COMPONENT = 25, CG_SCRATCH_RESULT = 26,
   CG_SCRATCH_DATA = 30, CG_SCRATCH_GATHER = 30, CG_SCRATCH_GATHERED = 38,
};

/* The struct of a shape, `size` bytes. `*is_new`: it is to be filled, between cg_call_begin(), which leaves the builder at the entry, and
 * cg_call_end(). */
LLVMValueRef cg_call_find(struct cg *cg, struct cg_call_shape **list, const uint32_t key[8], uint32_t size, bool *is_new);
LLVMBasicBlockRef cg_call_begin(struct cg *cg, LLVMValueRef memory, uint32_t size);
void cg_call_end(struct cg *cg, LLVMBasicBlockRef here);
void cg_call_set_u32(struct cg *cg, LLVMValueRef memory, size_t offset, uint32_t value);
void cg_call_set_ptr(struct cg *cg, LLVMValueRef memory, size_t offset, LLVMValueRef ptr);
/* Pointers to `count` arrays of lanes in a row. */
void cg_call_set_arrays(struct cg *cg, LLVMValueRef memory, size_t offset, uint32_t count, uint32_t scratch);
/* `helper`: offset in struct abi_helpers. Up to eight arguments. */
LLVMValueRef cg_call_helper(struct cg *cg, size_t helper, LLVMTypeRef result, uint32_t num_args, LLVMValueRef *args);
