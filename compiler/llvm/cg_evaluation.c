/* SPDX-License-Identifier: MIT
 * Tessellation evaluation shaders: a lane is a vertex. The lanes of a call are vertices of one patch, or the same vertex of patches in a
 * row; what they read lies as the control shader has left it, in rows with a lane for each patch. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

struct cg_evaluation {
   LLVMValueRef patch_inputs;      /* ptr to struct abi_patch_input, by rank */
   LLVMValueRef patch;       /* i64, of the call's first lane */
   LLVMValueRef step;        /* i64: 0 or 1 */
   LLVMValueRef has_steps;   /* i1 */
   LLVMValueRef last_vertex; /* i32 */
};

/* i64: the patch of the vector's first lane. */
static LLVMValueRef first_patch(struct cg *cg)
{
   const struct cg_evaluation *e = cg->evaluation;
   return LLVMBuildAdd(cg->b, e->patch, LLVMBuildMul(cg->b, cg->batch.first, e->step, ""), "");
}

/* What stands at `ptr` for the first lane's patch, and right behind it for the next ones. */
static LLVMValueRef load_patches(struct cg *cg, LLVMValueRef ptr)
{
   LLVMValueRef each = cg_load(cg, cg_vec_type(cg, cg->i32), ptr, 4);
   return cg_select(cg, cg->evaluation->has_steps, each, cg_splat(cg, cg_load(cg, cg->i32, ptr, 4)));
}

static void load_input(struct cg *cg, struct ir_instr *instr)
{
   const struct cg_evaluation *e = cg->evaluation;
   const uint32_t rank = cg_batch_rank(cg, cg->ir->info.inputs, instr->imm.u[0]);
   if (instr->bit_size != 32)
      cg_fail(cg, "%s of %u bits in a tessellation evaluation shader", ir_info(instr)->name, instr->bit_size);
   const uint64_t offset = rank * sizeof(struct abi_patch_input);
   LLVMValueRef at = cg_load_at(cg, cg->i32, e->patch_inputs, offset + offsetof(struct abi_patch_input, first));
   at = LLVMBuildAdd(cg->b, LLVMBuildZExt(cg->b, at, cg->i64, ""), first_patch(cg), "");
   if (instr->op == IR_load_vertex) {
      LLVMValueRef stride = cg_load_at(cg, cg->i32, e->patch_inputs, offset + offsetof(struct abi_patch_input, stride));
      stride = LLVMBuildZExt(cg->b, stride, cg->i64, "");
      if (!cg_is_uniform(cg, instr->srcs[0], 0)) {
         LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
         LLVMValueRef vertex = cg_batch_clamp(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), e->last_vertex);
         LLVMValueRef dwords = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, vertex, wide, ""), cg_splat(cg, stride), "");
         LLVMValueRef lanes = LLVMBuildMul(cg->b, cg_iota(cg, 64, 1), cg_splat(cg, e->step), "");
         dwords = LLVMBuildAdd(cg->b, LLVMBuildAdd(cg->b, dwords, lanes, ""), cg_splat(cg, at), "");
         cg_set_vector(cg, instr, 0, cg_batch_load_apart(cg, cg->batch.inputs, dwords));
         return;
      }
      LLVMValueRef vertex = cg_batch_clamp(cg, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), e->last_vertex);
      vertex = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, vertex, cg->i64, ""), stride, "");
      at = LLVMBuildAdd(cg->b, at, vertex, "");
   }
   cg_set_vector(cg, instr, 0, load_patches(cg, LLVMBuildGEP2(cg->b, cg->i32, cg->batch.inputs, &at, 1, "")));
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_TESS_COORD: {
      LLVMValueRef coords = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_evaluation_args, coords));
      for (uint32_t c = 0; c < instr->num_components; c++)
         cg_set_vector(cg, instr, c, cg_batch_load(cg, cg_batch_row(cg, coords, cg_i64(cg, c))));
      break;
   }
   case IR_SYSVAL_PRIMITIVE_ID: {
      LLVMValueRef ids = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_evaluation_args, primitive_id)), at = first_patch(cg);
      cg_set_vector(cg, instr, 0, load_patches(cg, LLVMBuildGEP2(cg->b, cg->i32, ids, &at, 1, "")));
      break;
   }
   case IR_SYSVAL_PATCH_VERTICES:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_evaluation_args, vertices_in)), 0);
      break;
   case IR_SYSVAL_VIEW_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_evaluation_args, view_index)), 0);
      break;
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); break;
   default: cg_fail(cg, "%s in a tessellation evaluation shader", ir_sysval_names[instr->imm.u[0]]);
   }
}

static void emit(struct cg *cg)
{
   struct cg_evaluation evaluation = {0};
   cg->evaluation = &evaluation;
   cg_batch_begin(cg, ABI_VERTEX_BATCH, offsetof(struct abi_evaluation_args, inputs), offsetof(struct abi_evaluation_args, outputs));
   LLVMValueRef patch = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_evaluation_args, patch));
   LLVMValueRef step = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_evaluation_args, patch_step));
   LLVMValueRef vertices_in = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_evaluation_args, vertices_in));
   evaluation.patch_inputs = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_evaluation_args, patch_inputs));
   evaluation.patch = LLVMBuildZExt(cg->b, patch, cg->i64, "");
   evaluation.step = LLVMBuildZExt(cg->b, step, cg->i64, "");
   evaluation.has_steps = LLVMBuildICmp(cg->b, LLVMIntNE, step, cg_i32(cg, 0), "");
   evaluation.last_vertex = LLVMBuildSub(cg->b, vertices_in, cg_i32(cg, 1), "");
   cg_emit_body(cg);
}
_Static_assert(offsetof(struct abi_evaluation_args, resources) == 0, "resources stand first");

const struct cg_stage cg_stage_evaluation = {
   .num_pointers = 2,
   .num_numbers = 1,
   .emit = emit,
   .segment_begin = cg_batch_segment_begin,
   .segment_end = cg_batch_segment_end,
   .sysval = sysval,
   .load_input = load_input,
   .store_output = cg_batch_store_output,
};
