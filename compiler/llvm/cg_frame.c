/* SPDX-License-Identifier: MIT
 * The worker's frame: memory for what crosses the segments of a workgroup. Each vector of the workgroup has a part of
 * the same layout; parts stand one after the other. */
#include "compiler/llvm/cg.h"

uint32_t cg_frame_alloc(struct cg *cg, uint32_t bytes, uint32_t align)
{
   const uint32_t offset = (uint32_t)util_align(cg->frame_bytes, align);
   cg->frame_bytes = offset + bytes;
   return offset;
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
