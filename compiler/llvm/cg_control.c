/* SPDX-License-Identifier: MIT
 * Tessellation control shaders: a lane is a patch, a vector one invocation of several patches, a workgroup all invocations of the patches
 * of a call. So gl_InvocationID is one for a vector, and what it chooses are whole rows. What invocations share lies in rows too,
 * a row of a lane for each component: abi_control_args.outputs. Barriers cut the loop over the vectors as in a compute shader.
 * Vector number patches / lanes * vertices_out + invocation; those of patches that a call does not have are not run. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

struct cg_control {
   LLVMValueRef invocation;  /* i32, of this vector */
   LLVMValueRef last_vertex; /* i32, of the patch that is read */
   LLVMValueRef vertices_in; /* i64 */
};

static void segment_begin(struct cg *cg, struct cg_segment *segment)
{
   const uint32_t invocations = cg->ir->info.vertices_out;
   cg->vector_index = cg_batch_loop_begin(cg, segment);
   cg->control->invocation = LLVMBuildURem(cg->b, cg->vector_index, cg_i32(cg, invocations), "");
   LLVMValueRef first = LLVMBuildUDiv(cg->b, cg->vector_index, cg_i32(cg, invocations), "");
   first = LLVMBuildMul(cg->b, first, cg_i32(cg, cg->lanes), "");
   cg->batch.first = LLVMBuildZExt(cg->b, first, cg->i64, "");
   cg_batch_mask(cg, first);
   cg_enter(cg, segment->main);
}

static void segment_end(struct cg *cg, struct cg_segment *segment)
{
   cg_batch_loop_end(cg, segment, 1, cg->vectors_on);
}

/* Beyond the patch: its last vertex. */
static void load_input(struct cg *cg, struct ir_instr *instr)
{
   if (instr->op != IR_load_vertex || instr->bit_size != 32)
      cg_fail(cg, "%s in a tessellation control shader", ir_info(instr)->name);
   const uint32_t rank = cg_batch_rank(cg, cg->ir->info.inputs, instr->imm.u[0]);
   LLVMValueRef first = LLVMBuildMul(cg->b, cg->control->vertices_in, cg_i64(cg, rank), "");
   if (cg_is_uniform(cg, instr->srcs[0], 0)) {
      LLVMValueRef row = cg_batch_clamp(cg, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), cg->control->last_vertex);
      row = LLVMBuildAdd(cg->b, LLVMBuildZExt(cg->b, row, cg->i64, ""), first, "");
      cg_set_vector(cg, instr, 0, cg_batch_load(cg, cg_batch_row(cg, cg->batch.inputs, row)));
      return;
   }
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   LLVMValueRef vertex = cg_batch_clamp(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), cg->control->last_vertex);
   LLVMValueRef dwords = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, vertex, wide, ""), cg_const_like(wide, cg->batch.lanes), "");
   dwords = LLVMBuildAdd(cg->b, dwords, cg_iota(cg, 64, 1), "");
   cg_set_vector(cg, instr, 0, cg_batch_load_apart(cg, cg_batch_row(cg, cg->batch.inputs, first), dwords));
}

static void access_row(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef last = cg_i32(cg, cg->ir->info.num_rows - 1u), value = NULL;
   if (instr->op == IR_store_row)
      value = cg_as_int(cg, cg_vector(cg, instr->srcs[1], 0));
   if (cg_is_uniform(cg, instr->srcs[0], 0)) {
      LLVMValueRef row = cg_batch_clamp(cg, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), last);
      LLVMValueRef ptr = cg_batch_row(cg, cg->batch.outputs, LLVMBuildZExt(cg->b, row, cg->i64, ""));
      if (value)
         cg_batch_store(cg, value, ptr);
      else
         cg_set_vector(cg, instr, 0, cg_batch_load(cg, ptr));
      return;
   }
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   LLVMValueRef row = cg_batch_clamp(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), last);
   LLVMValueRef dwords = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, row, wide, ""), cg_const_like(wide, cg->batch.lanes), "");
   LLVMValueRef base = cg_batch_row(cg, cg->batch.outputs, cg_i64(cg, 0));
   dwords = LLVMBuildAdd(cg->b, dwords, cg_iota(cg, 64, 1), "");
   if (value)
      cg_batch_store_apart(cg, base, dwords, value);
   else
      cg_set_vector(cg, instr, 0, cg_batch_load_apart(cg, base, dwords));
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_INVOCATION_ID: cg_set_scalar(cg, instr, 0, cg->control->invocation, 0); break;
   case IR_SYSVAL_PRIMITIVE_ID: cg_batch_load_ids(cg, instr, offsetof(struct abi_control_args, primitive_id)); break;
   case IR_SYSVAL_PATCH_VERTICES:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_control_args, vertices_in)), 0);
      break;
   case IR_SYSVAL_VIEW_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_control_args, view_index)), 0);
      break;
   case IR_SYSVAL_TAKEN_OUTPUTS:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_control_args, taken_levels)), 0);
      break;
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); break;
   default: cg_fail(cg, "%s in a tessellation control shader", ir_sysval_names[instr->imm.u[0]]);
   }
}

static void emit(struct cg *cg)
{
   const struct abi_shader_info *info = &cg->ir->info;
   struct cg_control control = {0};
   if (!info->vertices_out || !info->num_rows)
      cg_fail(cg, "a tessellation control shader without a patch");
   cg->control = &control;
   cg_batch_begin(cg, abi_control_batch(info->num_rows), offsetof(struct abi_control_args, inputs),
                  offsetof(struct abi_control_args, outputs));
   LLVMValueRef vertices_in = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_control_args, vertices_in));
   control.last_vertex = LLVMBuildSub(cg->b, vertices_in, cg_i32(cg, 1), "");
   control.vertices_in = LLVMBuildZExt(cg->b, vertices_in, cg->i64, "");
   LLVMValueRef vectors = LLVMBuildAdd(cg->b, cg->batch.count, cg_i32(cg, cg->lanes - 1), "");
   vectors = LLVMBuildUDiv(cg->b, vectors, cg_i32(cg, cg->lanes), "");
   cg->vectors_on = LLVMBuildMul(cg->b, vectors, cg_i32(cg, info->vertices_out), "");
   cg_emit_body(cg);
}
_Static_assert(offsetof(struct abi_control_args, resources) == 0, "resources stand first");

const struct cg_stage cg_stage_control = {
   .num_pointers = 2,
   .num_numbers = 1,
   .emit = emit,
   .segment_begin = segment_begin,
   .segment_end = segment_end,
   .sysval = sysval,
   .load_input = load_input,
   .access_row = access_row,
};
