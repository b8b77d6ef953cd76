/* SPDX-License-Identifier: MIT
 * Vertex shaders: attributes and outputs are arrays of ABI_VERTEX_BATCH lanes a slot. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

static LLVMValueRef load_slot(struct cg *cg, uint32_t rank)
{
   return cg_batch_load(cg, cg_batch_row(cg, cg->batch.inputs, cg_i64(cg, rank)));
}

static void load_input(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t rank = cg_batch_rank(cg, cg->ir->info.inputs, instr->imm.u[0]);
   LLVMValueRef low = load_slot(cg, rank);
   if (instr->bit_size == 64) {
      LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
      LLVMValueRef high = load_slot(cg, rank + 1);
      high = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, high, wide, ""), cg_const_like(wide, 32), "");
      low = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, low, wide, ""), high, "");
   } else if (instr->bit_size < 32) {
      low = LLVMBuildTrunc(cg->b, low, cg_vec_type(cg, cg_int_type(cg, instr->bit_size)), "");
   }
   cg_set_vector(cg, instr, 0, low);
}

/* The arrays are aligned to their elements. */
static void load_indices(struct cg *cg, struct ir_instr *instr, size_t field)
{
   LLVMValueRef array = cg_load_at(cg, cg->ptr, cg->args, field);
   LLVMValueRef ptr = LLVMBuildGEP2(cg->b, cg->i32, array, &cg->batch.first, 1, "");
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
   cg_batch_begin(cg, ABI_VERTEX_BATCH, offsetof(struct abi_vertex_args, inputs), offsetof(struct abi_vertex_args, outputs));
   cg_emit_body(cg);
}

const struct cg_stage cg_stage_vertex = {
   .num_pointers = 2,
   .num_numbers = 1,
   .emit = emit,
   .segment_begin = cg_batch_segment_begin,
   .segment_end = cg_batch_segment_end,
   .sysval = sysval,
   .load_input = load_input,
   .store_output = cg_batch_store_output,
};
