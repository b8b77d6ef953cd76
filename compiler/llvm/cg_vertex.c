/* SPDX-License-Identifier: MIT
 * Vertex shaders: the loop over the vectors of a batch; attributes and outputs are arrays of ABI_VERTEX_BATCH lanes a slot.
 * Lanes from `count` to the end of the last vector run too, on whatever the arrays hold there; only their effects are masked. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

struct cg_vertex {
   LLVMValueRef count, inputs, outputs;
   LLVMValueRef first;   /* index of lane 0 in the batch, 64 bits */
};

static void segment_begin(struct cg *cg, struct cg_segment *segment)
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
   cg->vertex->first = LLVMBuildZExt(cg->b, first, cg->i64, "");
   if (cg->ir->info.has_side_effects || cg->ir->info.has_loops) { /* garbage could go round for ever, or be seen */
      LLVMValueRef left = LLVMBuildSub(cg->b, cg->vertex->count, first, "");
      cg->exec = LLVMBuildICmp(cg->b, LLVMIntULT, cg_iota(cg, 32, 1), cg_splat(cg, left), "");
   }
   cg_enter(cg, segment->main);
}

static void segment_end(struct cg *cg, struct cg_segment *segment)
{
   cg_branch(cg, segment->next);
   cg_enter(cg, cg->body_block);
   cg_branch(cg, segment->main);
   cg_enter(cg, segment->next);
   LLVMValueRef next = LLVMBuildAdd(cg->b, cg_load(cg, cg->i32, segment->index_var, 4), cg_i32(cg, cg->lanes), "");
   cg_store(cg, next, segment->index_var, 4);
   LLVMValueRef more = LLVMBuildICmp(cg->b, LLVMIntULT, next, cg->vertex->count, "");
   cg_branch_if(cg, more, cg->body_block, segment->end);
   cg_enter(cg, segment->end);
}

/* Position of a slot among those that are set. */
static uint32_t slot_rank(const uint64_t *set, uint32_t slot)
{
   uint32_t rank = 0;
   for (uint32_t word = 0; word < slot / 64; word++)
      rank += (uint32_t)__builtin_popcountll(set[word]);
   return rank + (uint32_t)__builtin_popcountll(set[slot / 64] & ((UINT64_C(1) << (slot % 64)) - 1));
}

static LLVMValueRef lane_array(struct cg *cg, LLVMValueRef base, uint32_t rank)
{
   LLVMValueRef array = cg_gep_const(cg, base, (uint64_t)rank * ABI_VERTEX_BATCH * sizeof(uint32_t));
   return LLVMBuildGEP2(cg->b, cg->i32, array, &cg->vertex->first, 1, "");
}

static uint32_t array_align(const struct cg *cg)
{
   return UTIL_MIN(cg->lanes * 4, 64);
}

static void load_input(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t slot = instr->imm.u[0];
   const uint64_t *set = cg->ir->info.inputs;
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   if (!cg->vertex || !(set[slot / 64] >> (slot % 64) & 1))
      cg_fail(cg, "input slot %u is not declared", slot);
   LLVMValueRef low = cg_load(cg, type, lane_array(cg, cg->vertex->inputs, slot_rank(set, slot)), array_align(cg));
   if (instr->bit_size == 64) {
      LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
      LLVMValueRef high = cg_load(cg, type, lane_array(cg, cg->vertex->inputs, slot_rank(set, slot) + 1), array_align(cg));
      high = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, high, wide, ""), cg_const_like(wide, 32), "");
      low = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, low, wide, ""), high, "");
   } else if (instr->bit_size < 32) {
      low = LLVMBuildTrunc(cg->b, low, cg_vec_type(cg, cg_int_type(cg, instr->bit_size)), "");
   }
   cg_set_vector(cg, instr, 0, low);
}

static void store_lanes(struct cg *cg, uint32_t rank, LLVMValueRef value)
{
   LLVMValueRef ptr = lane_array(cg, cg->vertex->outputs, rank);
   if (cg->exec)
      value = cg_select(cg, cg->exec, value, cg_load(cg, LLVMTypeOf(value), ptr, array_align(cg)));
   cg_store(cg, value, ptr, array_align(cg));
}

static void store_output(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t slot = instr->imm.u[0], bits = instr->srcs[0]->bit_size;
   const uint64_t *set = cg->ir->info.outputs;
   if (!(set[slot / 64] >> (slot % 64) & 1))
      cg_fail(cg, "output slot %u is not declared", slot);
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
   const uint32_t rank = slot_rank(set, slot);
   if (bits == 64) {
      store_lanes(cg, rank, LLVMBuildTrunc(cg->b, value, type, ""));
      value = LLVMBuildLShr(cg->b, value, cg_const_like(LLVMTypeOf(value), 32), "");
      store_lanes(cg, rank + 1, LLVMBuildTrunc(cg->b, value, type, ""));
   } else {
      store_lanes(cg, rank, bits < 32 ? LLVMBuildZExt(cg->b, value, type, "") : value);
   }
}

static void load_indices(struct cg *cg, struct ir_instr *instr, size_t field)
{
   LLVMValueRef array = cg_load_at(cg, cg->ptr, cg->args, field);
   LLVMValueRef ptr = LLVMBuildGEP2(cg->b, cg->i32, array, &cg->vertex->first, 1, "");
   cg_set_vector(cg, instr, 0, cg_load(cg, cg_vec_type(cg, cg->i32), ptr, 4));
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   size_t field;
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_VERTEX_INDEX: load_indices(cg, instr, offsetof(struct abi_vertex_args, vertex_index)); return;
   case IR_SYSVAL_INSTANCE_INDEX: load_indices(cg, instr, offsetof(struct abi_vertex_args, instance_index)); return;
   case IR_SYSVAL_BASE_VERTEX: field = offsetof(struct abi_vertex_args, base_vertex); break;
   case IR_SYSVAL_BASE_INSTANCE: field = offsetof(struct abi_vertex_args, base_instance); break;
   case IR_SYSVAL_DRAW_INDEX: field = offsetof(struct abi_vertex_args, draw_index); break;
   case IR_SYSVAL_VIEW_INDEX: field = offsetof(struct abi_vertex_args, view_index); break;
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); return;
   default: cg_fail(cg, "%s in a vertex shader", ir_sysval_names[instr->imm.u[0]]);
   }
   cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, field), 0);
}

static void emit(struct cg *cg)
{
   struct cg_vertex vertex = {.count = LLVMGetParam(cg->fn, 2)};
   cg->vertex = &vertex;
   vertex.inputs = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_vertex_args, inputs));
   vertex.outputs = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_vertex_args, outputs));
   cg_emit_hoisted(cg, CG_LEVEL_CALL);
   cg_emit_hoisted(cg, CG_LEVEL_PRELUDE);
   cg_emit_workgroup(cg);
   cg_branch(cg, cg->leave);
}

const struct cg_stage cg_stage_vertex = {
   .num_pointers = 2,
   .num_numbers = 1,
   .emit = emit,
   .segment_begin = segment_begin,
   .segment_end = segment_end,
   .sysval = sysval,
   .load_input = load_input,
   .store_output = store_output,
};
