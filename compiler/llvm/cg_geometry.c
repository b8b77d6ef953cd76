/* SPDX-License-Identifier: MIT
 * Geometry shaders: a lane is an invocation for one primitive. Vertices that are read stand in rows of lanes, a row for each slot
 * and vertex of the primitive; those that are emitted in rows of lanes, a row for each emitted vertex and slot. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

/* Rows of a vertex. */
static uint32_t num_outputs(const struct cg *cg)
{
   return cg_slot_rank(cg->ir->info.outputs, ABI_NUM_SLOTS);
}

static void load_input(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t count = cg->ir->info.vertices_in;
   if (instr->op != IR_load_vertex || instr->bit_size != 32 || !count)
      cg_fail(cg, "%s in a geometry shader", ir_info(instr)->name);
   const uint32_t first = cg_batch_rank(cg, cg->ir->info.inputs, instr->imm.u[0]) * count;
   LLVMValueRef value;
   if (cg_is_uniform(cg, instr->srcs[0], 0)) {
      LLVMValueRef row = cg_batch_clamp(cg, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), cg_i32(cg, count - 1));
      row = LLVMBuildAdd(cg->b, LLVMBuildZExt(cg->b, row, cg->i64, ""), cg_i64(cg, first), "");
      value = cg_batch_load(cg, cg_batch_row(cg, cg->batch.inputs, row));
   } else {
      LLVMValueRef vertex = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
      value = NULL;
      for (uint32_t v = count; v-- > 0;) { /* beyond the last one: that */
         LLVMValueRef one = cg_batch_load(cg, cg_batch_row(cg, cg->batch.inputs, cg_i64(cg, first + v)));
         LLVMValueRef is_it = LLVMBuildICmp(cg->b, LLVMIntEQ, vertex, cg_const_like(LLVMTypeOf(vertex), v), "");
         value = value ? cg_select(cg, is_it, one, value) : one;
      }
   }
   cg_set_vector(cg, instr, 0, value);
}

/* Of lanes that have emitted different numbers of vertices; made once for all of a vertex's outputs. */
static LLVMValueRef vertex_dwords(struct cg *cg, LLVMValueRef index)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   if (cg->emitted.index == index && cg->emitted.block == here)
      return cg->emitted.dwords;
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   LLVMValueRef held = cg_batch_clamp(cg, index, cg_i32(cg, cg->ir->info.max_vertices - 1u)); /* of lanes that are off nothing is known */
   LLVMValueRef dwords = LLVMBuildZExt(cg->b, held, wide, "");
   dwords = LLVMBuildMul(cg->b, dwords, cg_const_like(wide, (uint64_t)num_outputs(cg) * cg->batch.lanes), "");
   dwords = LLVMBuildAdd(cg->b, dwords, cg_iota(cg, 64, 1), "");
   cg->emitted.index = index;
   cg->emitted.block = here;
   cg->emitted.dwords = dwords;
   return dwords;
}

static void store_output(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t slot = instr->imm.u[0];
   struct ir_instr *source = instr->srcs[instr->num_srcs - 1];
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, source, 0));
   if (instr->op == IR_store_output && slot == ABI_SLOT_NUM_VERTICES) {
      LLVMValueRef counts = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_geometry_args, num_vertices));
      cg_batch_store(cg, value, cg_batch_row(cg, counts, cg_i64(cg, 0)));
      return;
   }
   if (instr->op != IR_store_vertex || source->bit_size != 32)
      cg_fail(cg, "%s in a geometry shader", ir_info(instr)->name);
   const uint32_t rank = cg_batch_rank(cg, cg->ir->info.outputs, slot);
   if (!cg_is_uniform(cg, instr->srcs[0], 0)) {
      LLVMValueRef dwords = vertex_dwords(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)));
      cg_batch_store_apart(cg, cg_batch_row(cg, cg->batch.outputs, cg_i64(cg, rank)), dwords, value);
      return;
   }
   LLVMValueRef row = cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0));
   row = LLVMBuildZExt(cg->b, cg_batch_clamp(cg, row, cg_i32(cg, cg->ir->info.max_vertices - 1u)), cg->i64, "");
   row = LLVMBuildMul(cg->b, row, cg_i64(cg, num_outputs(cg)), "");
   cg_batch_store(cg, value, cg_batch_row(cg, cg->batch.outputs, LLVMBuildAdd(cg->b, row, cg_i64(cg, rank), "")));
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_PRIMITIVE_ID: cg_batch_load_ids(cg, instr, offsetof(struct abi_geometry_args, primitive_id)); break;
   case IR_SYSVAL_INVOCATION_ID: cg_batch_load_ids(cg, instr, offsetof(struct abi_geometry_args, invocation_id)); break;
   case IR_SYSVAL_VIEW_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_geometry_args, view_index)), 0);
      break;
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); break;
   default: cg_fail(cg, "%s in a geometry shader", ir_sysval_names[instr->imm.u[0]]);
   }
}

static void emit(struct cg *cg)
{
   cg_batch_begin(cg, abi_geometry_batch(cg->ir->info.max_vertices), offsetof(struct abi_geometry_args, inputs),
                  offsetof(struct abi_geometry_args, outputs));
   cg_emit_body(cg);
}
_Static_assert(offsetof(struct abi_geometry_args, resources) == 0, "resources stand first");

const struct cg_stage cg_stage_geometry = {
   .num_pointers = 2,
   .num_numbers = 1,
   .emit = emit,
   .segment_begin = cg_batch_segment_begin,
   .segment_end = cg_batch_segment_end,
   .sysval = sysval,
   .load_input = load_input,
   .store_output = store_output,
};
