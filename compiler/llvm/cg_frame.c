/* SPDX-License-Identifier: MIT
 * The worker's frame: memory for what crosses the segments of a workgroup. Each vector of the workgroup has a part of
 * the same layout; parts stand one after the other. */
#include "compiler/llvm/cg.h"
#include "util/size.h"

/* Of a whole workgroup: offsets in it are then positive as signed 32-bit numbers, whatever is multiplied to reach them. */
#define MAX_FRAME_BYTES (UINT64_C(1) << 30)

static void check_size(struct cg *cg, uint64_t bytes)
{
   if (bytes > MAX_FRAME_BYTES)
      cg_fail(cg, "variables and values across barriers of a workgroup need more than %llu MiB", (unsigned long long)MAX_FRAME_BYTES >> 20);
}

uint32_t cg_frame_alloc(struct cg *cg, uint64_t bytes, uint32_t align)
{
   const uint64_t offset = util_align(cg->frame_bytes, align), end = util_size_add(offset, bytes);
   check_size(cg, end);
   cg->frame_bytes = (uint32_t)end;
   return (uint32_t)offset;
}

uint32_t cg_frame_finish(struct cg *cg)
{
   const uint64_t part = util_align(cg->frame_bytes, 64);
   const uint64_t all = util_size_mul(part, cg->num_segments > 1 ? cg->num_vectors : 1);
   check_size(cg, all);
   cg->frame_bytes = (uint32_t)part;
   return (uint32_t)all;
}

/* All slots are given by cg_analyze_levels(), so the size of a part is known here. */
LLVMValueRef cg_frame_ptr(struct cg *cg, uint32_t offset)
{
   if (cg->num_segments <= 1)
      return cg_gep_const(cg, cg->frame, offset); /* nothing outlives a vector: all use one part */
   if (!cg->vector_frame) {
      LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
      LLVMPositionBuilderAtEnd(cg->b, cg->body_block);
      LLVMValueRef part = LLVMBuildMul(cg->b, cg->vector_index, cg_i32(cg, cg->frame_bytes), "");
      cg->vector_frame = cg_gep(cg, cg->frame, LLVMBuildZExt(cg->b, part, cg->i64, ""));
      LLVMPositionBuilderAtEnd(cg->b, here);
   }
   return cg_gep_const(cg, cg->vector_frame, offset);
}

LLVMValueRef cg_wg_mask_load(struct cg *cg, uint32_t slot)
{
   return cg_mask_from_bits(cg, cg_load(cg, cg->i32, cg_frame_ptr(cg, slot), 4));
}

void cg_wg_mask_store(struct cg *cg, uint32_t slot, LLVMValueRef mask)
{
   cg_store(cg, cg_mask_bits(cg, mask), cg_frame_ptr(cg, slot), 4);
}
