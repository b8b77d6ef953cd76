/* SPDX-License-Identifier: MIT
 * The loop over the vectors of a batch: stages whose lanes are vertices or primitives, in arrays.
 * Lanes from `count` to the end of the last vector run too, on whatever the arrays hold there; only their effects are masked. */
#include "compiler/llvm/cg.h"

void cg_batch_segment_begin(struct cg *cg, struct cg_segment *segment)
{
   cg->body_block = cg_new_block(cg, "vector");
   segment->main = cg_new_block(cg, "main");
   segment->next = cg_new_block(cg, "next_vector");
   segment->end = cg_new_block(cg, "segment_end");
   segment->index_var = cg_alloca(cg, cg->i32, 4, "first");
   cg_store(cg, cg_i32(cg, 0), segment->index_var, 4);
   cg_branch(cg, cg->body_block);
   cg_enter(cg, cg->body_block);
   LLVMValueRef first = cg_load(cg, cg->i32, segment->index_var, 4);
   cg->vector_index = LLVMBuildUDiv(cg->b, first, cg_i32(cg, cg->lanes), "");
   cg->batch.first = LLVMBuildZExt(cg->b, first, cg->i64, "");
   if (cg->ir->info.has_side_effects || cg->ir->info.has_loops) { /* garbage could go round for ever, or be seen */
      LLVMValueRef left = LLVMBuildSub(cg->b, cg->batch.count, first, "");
      cg->exec = LLVMBuildICmp(cg->b, LLVMIntULT, cg_iota(cg, 32, 1), cg_splat(cg, left), "");
   }
   cg_enter(cg, segment->main);
}

void cg_batch_segment_end(struct cg *cg, struct cg_segment *segment)
{
   cg_branch(cg, segment->next);
   cg_enter(cg, cg->body_block);
   cg_branch(cg, segment->main);
   cg_enter(cg, segment->next);
   if (segment->polls)
      cg_poll_cancel(cg, NULL);
   LLVMValueRef next = LLVMBuildAdd(cg->b, cg_load(cg, cg->i32, segment->index_var, 4), cg_i32(cg, cg->lanes), "");
   cg_store(cg, next, segment->index_var, 4);
   LLVMValueRef more = LLVMBuildICmp(cg->b, LLVMIntULT, next, cg->batch.count, "");
   cg_branch_if(cg, more, cg->body_block, segment->end);
   cg_enter(cg, segment->end);
}

/* Position of a slot among those that are set. */
uint32_t cg_slot_rank(const uint64_t *set, uint32_t slot)
{
   uint32_t rank = 0;
   for (uint32_t word = 0; word < slot / 64; word++)
      rank += (uint32_t)__builtin_popcountll(set[word]);
   return rank + (uint32_t)__builtin_popcountll(set[slot / 64] & ((UINT64_C(1) << (slot % 64)) - 1));
}
