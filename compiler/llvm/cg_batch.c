/* SPDX-License-Identifier: MIT
 * The loop over the vectors of a batch: stages whose lanes are vertices, primitives or patches, in arrays; and how such arrays, rows of
 * lanes, are read and written.
 * Lanes from `count` to the end of the last vector run too, on whatever the arrays hold there; only their effects are masked. */
#include "compiler/llvm/cg_memory.h"

void cg_batch_begin(struct cg *cg, uint32_t lanes, size_t inputs_field, size_t outputs_field)
{
   cg->batch.count = LLVMGetParam(cg->fn, 2);
   cg->batch.lanes = lanes;
   cg->batch.inputs = cg_load_at(cg, cg->ptr, cg->args, inputs_field);
   cg->batch.outputs = cg_load_at(cg, cg->ptr, cg->args, outputs_field);
}

void cg_batch_mask(struct cg *cg, LLVMValueRef first)
{
   if (!cg->ir->info.has_side_effects && !cg->ir->info.has_loops && !cg->ir->num_sites)
      return;
   LLVMValueRef left = LLVMBuildSub(cg->b, cg->batch.count, first, ""); /* garbage could go round for ever, be seen, or be reported */
   cg->exec = LLVMBuildICmp(cg->b, LLVMIntULT, cg_iota(cg, 32, 1), cg_splat(cg, left), "");
}

LLVMValueRef cg_batch_loop_begin(struct cg *cg, struct cg_segment *segment)
{
   cg->body_block = cg_new_block(cg, "vector");
   segment->main = cg_new_block(cg, "main");
   segment->next = cg_new_block(cg, "next_vector");
   segment->end = cg_new_block(cg, "segment_end");
   return segment->index = cg_count_begin(cg, cg->body_block);
}

void cg_batch_segment_begin(struct cg *cg, struct cg_segment *segment)
{
   LLVMValueRef first = cg_batch_loop_begin(cg, segment);
   cg->vector_index = LLVMBuildUDiv(cg->b, first, cg_i32(cg, cg->lanes), "");
   cg->batch.first = LLVMBuildZExt(cg->b, first, cg->i64, "");
   cg_batch_mask(cg, first);
   cg_enter(cg, segment->main);
}

void cg_batch_loop_end(struct cg *cg, struct cg_segment *segment, uint32_t step, LLVMValueRef count)
{
   cg_branch(cg, segment->next);
   cg_enter(cg, cg->body_block);
   cg_branch(cg, segment->main);
   cg_enter(cg, segment->next);
   if (segment->polls)
      cg_poll_cancel(cg, NULL);
   cg_count_end(cg, segment->index, step, count, segment->end);
}

void cg_batch_segment_end(struct cg *cg, struct cg_segment *segment)
{
   cg_batch_loop_end(cg, segment, cg->lanes, cg->batch.count);
}

/* Position of a slot among those that are set. */
uint32_t cg_slot_rank(const uint64_t *set, uint32_t slot)
{
   uint32_t rank = 0;
   for (uint32_t word = 0; word < slot / 64; word++)
      rank += (uint32_t)__builtin_popcountll(set[word]);
   return rank + (uint32_t)__builtin_popcountll(set[slot / 64] & ((UINT64_C(1) << (slot % 64)) - 1));
}

uint32_t cg_batch_rank(struct cg *cg, const uint64_t *set, uint32_t slot)
{
   const uint32_t limit = set == cg->ir->info.inputs ? ABI_NUM_PATCH_SLOTS : ABI_NUM_SLOTS;
   if (slot >= limit || !(set[slot / 64] >> (slot % 64) & 1))
      cg_fail(cg, "slot %u is not declared", slot);
   return cg_slot_rank(set, slot);
}

/* ---- rows ---- */

uint32_t cg_batch_align(const struct cg *cg)
{
   return UTIL_MIN(cg->lanes * 4, 64);
}

LLVMValueRef cg_batch_row(struct cg *cg, LLVMValueRef base, LLVMValueRef row)
{
   LLVMValueRef at = LLVMBuildMul(cg->b, row, cg_i64(cg, cg->batch.lanes), "");
   at = LLVMBuildAdd(cg->b, at, cg->batch.first, "");
   return LLVMBuildGEP2(cg->b, cg->i32, base, &at, 1, "");
}

LLVMValueRef cg_batch_load(struct cg *cg, LLVMValueRef ptr)
{
   return cg_load(cg, cg_vec_type(cg, cg->i32), ptr, cg_batch_align(cg));
}

void cg_batch_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr)
{
   if (cg->exec)
      value = cg_merge(cg, cg->exec, value, cg_batch_load(cg, ptr));
   cg_store(cg, value, ptr, cg_batch_align(cg));
}

LLVMValueRef cg_batch_clamp(struct cg *cg, LLVMValueRef index, LLVMValueRef last)
{
   if (cg_is_vector(index))
      last = cg_splat(cg, last);
   return cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntULT, index, last, ""), index, last);
}

static LLVMValueRef load_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords)
{
   if (cg_can_gather(cg)) {
      LLVMValueRef bytes = LLVMBuildShl(cg->b, dwords, cg_const_like(LLVMTypeOf(dwords), 2), "");
      return cg_gather(cg, cg->i32, cg_gep(cg, base, bytes), cg->exec, 4);
   }
   LLVMValueRef value = LLVMGetPoison(cg_vec_type(cg, cg->i32));
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef at = LLVMBuildExtractElement(cg->b, dwords, cg_i32(cg, lane), "");
      LLVMValueRef one = cg_load(cg, cg->i32, LLVMBuildGEP2(cg->b, cg->i32, base, &at, 1, ""), 4);
      value = LLVMBuildInsertElement(cg->b, value, one, cg_i32(cg, lane), "");
   }
   return value;
}

/* Each lane has memory of its own: one that is off writes back what is there. */
void cg_batch_scatter(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords, LLVMValueRef value)
{
   if (cg->target.level >= UTIL_CPU_V4) {
      LLVMValueRef bytes = LLVMBuildShl(cg->b, dwords, cg_const_like(LLVMTypeOf(dwords), 2), "");
      cg_scatter(cg, value, cg_gep(cg, base, bytes), cg->exec, 4);
      return;
   }
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef at = LLVMBuildExtractElement(cg->b, dwords, cg_i32(cg, lane), "");
      LLVMValueRef ptr = LLVMBuildGEP2(cg->b, cg->i32, base, &at, 1, "");
      LLVMValueRef one = LLVMBuildExtractElement(cg->b, value, cg_i32(cg, lane), "");
      if (cg->exec) {
         LLVMValueRef is_on = LLVMBuildExtractElement(cg->b, cg->exec, cg_i32(cg, lane), "");
         one = cg_select(cg, is_on, one, cg_load(cg, cg->i32, ptr, 4));
      }
      cg_store(cg, one, ptr, 4);
   }
}

/* Base, dwords, the lanes that are on as bits; of a store the value. */
static LLVMValueRef make_apart(struct cg *cg, bool stores)
{
   LLVMTypeRef words = cg_vec_type(cg, cg->i32), params[4] = {cg->ptr, cg_vec_type(cg, cg->i64), cg->i32, words};
   LLVMTypeRef type = LLVMFunctionType(stores ? cg->void_type : words, params, stores ? 4 : 3, false);
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, stores ? "store_apart" : "load_apart", type);
   cg->exec = cg_mask_from_bits(cg, LLVMGetParam(fn, 2));
   if (stores) {
      cg_batch_scatter(cg, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1), LLVMGetParam(fn, 3));
      LLVMBuildRetVoid(cg->b);
   } else {
      LLVMBuildRet(cg->b, load_apart(cg, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1)));
   }
   cg_function_end(cg, &around);
   return fn;
}

/* A NULL `value`: a load. */
static LLVMValueRef call_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords, LLVMValueRef value)
{
   const bool stores = value != NULL;
   LLVMValueRef *fn = &cg->apart[stores], args[4] = {base, dwords, cg_mask_bits(cg, cg->exec), value};
   if (!*fn)
      *fn = make_apart(cg, stores);
   return cg_call_own(cg, *fn, args, stores ? 4 : 3);
}

LLVMValueRef cg_batch_load_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords)
{
   return cg->num_apart++ < CG_MAX_APART ? load_apart(cg, base, dwords) : call_apart(cg, base, dwords, NULL);
}

void cg_batch_store_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords, LLVMValueRef value)
{
   if (cg->num_apart++ < CG_MAX_APART)
      cg_batch_scatter(cg, base, dwords, value);
   else
      call_apart(cg, base, dwords, value);
}

void cg_batch_load_ids(struct cg *cg, struct ir_instr *instr, size_t field)
{
   LLVMValueRef array = cg_load_at(cg, cg->ptr, cg->args, field);
   cg_set_vector(cg, instr, 0, cg_batch_load(cg, cg_batch_row(cg, array, cg_i64(cg, 0))));
}

void cg_batch_store_output(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t bits = instr->srcs[0]->bit_size;
   const uint32_t rank = cg_batch_rank(cg, cg->ir->info.outputs, instr->imm.u[0]);
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
   LLVMValueRef row = cg_batch_row(cg, cg->batch.outputs, cg_i64(cg, rank));
   if (bits == 64) {
      cg_batch_store(cg, LLVMBuildTrunc(cg->b, value, type, ""), row);
      value = LLVMBuildLShr(cg->b, value, cg_const_like(LLVMTypeOf(value), 32), "");
      row = cg_batch_row(cg, cg->batch.outputs, cg_i64(cg, rank + 1));
      cg_batch_store(cg, LLVMBuildTrunc(cg->b, value, type, ""), row);
   } else {
      cg_batch_store(cg, bits < 32 ? LLVMBuildZExt(cg->b, value, type, "") : value, row);
   }
}
