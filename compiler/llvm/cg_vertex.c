/* SPDX-License-Identifier: MIT
 * Vertex shaders: attributes and outputs are arrays of ABI_VERTEX_BATCH lanes a slot. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

struct cg_vertex {
   LLVMValueRef inputs, outputs;
};

static LLVMValueRef lane_array(struct cg *cg, LLVMValueRef base, uint32_t rank)
{
   LLVMValueRef array = cg_gep_const(cg, base, (uint64_t)rank * ABI_VERTEX_BATCH * sizeof(uint32_t));
   return LLVMBuildGEP2(cg->b, cg->i32, array, &cg->batch.first, 1, "");
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
   LLVMValueRef low = cg_load(cg, type, lane_array(cg, cg->vertex->inputs, cg_slot_rank(set, slot)), array_align(cg));
   if (instr->bit_size == 64) {
      LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
      LLVMValueRef high = cg_load(cg, type, lane_array(cg, cg->vertex->inputs, cg_slot_rank(set, slot) + 1), array_align(cg));
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
   const uint32_t rank = cg_slot_rank(set, slot);
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
   struct cg_vertex vertex = {0};
   cg->vertex = &vertex;
   cg->batch.count = LLVMGetParam(cg->fn, 2);
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
   .segment_begin = cg_batch_segment_begin,
   .segment_end = cg_batch_segment_end,
   .sysval = sysval,
   .load_input = load_input,
   .store_output = store_output,
};
