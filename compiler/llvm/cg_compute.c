/* SPDX-License-Identifier: MIT
 * Compute, task and mesh shaders: the loop over workgroups, the loop over the vectors of a workgroup, and the identifiers of an invocation.
 * Invocation index in the workgroup = vector * lanes + lane; lanes run along x first. */
#include "compiler/llvm/cg.h"
#include "util/debug.h"

#include <stddef.h>

struct cg_compute {
   LLVMValueRef x, y, z, count; /* arguments */
   LLVMValueRef workgroup[3];   /* ids, base included */
};

/* ---- the loop over vectors ---- */

static void segment_begin(struct cg *cg, struct cg_segment *segment)
{
   cg->body_block = cg_new_block(cg, "vector");
   segment->main = cg_new_block(cg, "main");
   segment->end = cg_new_block(cg, "segment_end");
   segment->next = segment->end;
   if (cg->num_vectors > 1) {
      segment->next = cg_new_block(cg, "next_vector");
      cg->vector_index = segment->index = cg_count_begin(cg, cg->body_block);
   } else {
      cg_branch(cg, cg->body_block);
      cg_enter(cg, cg->body_block);
      cg->vector_index = cg_i32(cg, 0);
   }
   if (segment->index && util_debug_order(NULL) != UTIL_ORDER_FORWARD)
      cg->vector_index = LLVMBuildSub(cg->b, cg_i32(cg, cg->num_vectors - 1), cg->vector_index, "");
   if (cg->is_partial && cg->wg_exec == CG_NO_SLOT) {
      LLVMValueRef left = LLVMBuildSub(cg->b, cg_i32(cg, cg->num_invocations),
                                       LLVMBuildMul(cg->b, cg->vector_index, cg_i32(cg, cg->lanes), ""), "");
      cg->exec = LLVMBuildICmp(cg->b, LLVMIntULT, cg_iota(cg, 32, 1), cg_splat(cg, left), "");
   }
   cg_enter(cg, segment->main);
}

static void segment_end(struct cg *cg, struct cg_segment *segment)
{
   cg_branch(cg, segment->next);
   cg_enter(cg, cg->body_block);
   cg_branch(cg, segment->main);
   if (cg->num_vectors > 1) {
      cg_enter(cg, segment->next);
      if (segment->polls)
         cg_poll_cancel(cg, NULL);
      cg_count_end(cg, segment->index, 1, cg_i32(cg, cg->num_vectors), segment->end);
   } else {
      cg_enter(cg, segment->end);
   }
}

/* ---- identifiers ---- */

static LLVMValueRef udiv_const(struct cg *cg, LLVMValueRef value, uint32_t divisor)
{
   return LLVMBuildUDiv(cg->b, value, cg_const_like(LLVMTypeOf(value), divisor), "");
}

static LLVMValueRef umod_const(struct cg *cg, LLVMValueRef value, uint32_t divisor)
{
   return LLVMBuildURem(cg->b, value, cg_const_like(LLVMTypeOf(value), divisor), "");
}

/* Which vector of the workgroup this is; known where there is one alone, so that it can be asked for outside of the loop over vectors. */
static LLVMValueRef vector_index(struct cg *cg)
{
   return cg->num_vectors == 1 ? cg_i32(cg, 0) : cg->vector_index;
}

/* Rows are whole vectors: y and z are one for the vector, x is strided. */
static void local_id_of_rows(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t *size = cg->ir->info.local_size;
   const uint32_t vectors = size[0] / cg->lanes;
   LLVMValueRef row = udiv_const(cg, vector_index(cg), vectors);
   LLVMValueRef x = LLVMBuildMul(cg->b, umod_const(cg, vector_index(cg), vectors), cg_i32(cg, cg->lanes), "");
   cg_set_scalar(cg, instr, 0, x, 1);
   cg_set_scalar(cg, instr, 1, size[2] == 1 ? row : umod_const(cg, row, size[1]), 0);
   cg_set_scalar(cg, instr, 2, size[2] == 1 ? cg_i32(cg, 0) : udiv_const(cg, row, size[1]), 0);
}

/* A vector is some whole rows: x is a constant vector, the row a constant vector plus the first row. */
static void local_id_of_vectors(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t *size = cg->ir->info.local_size;
   uint32_t x[32], row[32];
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      x[lane] = lane % size[0];
      row[lane] = lane / size[0];
   }
   LLVMValueRef first = LLVMBuildMul(cg->b, vector_index(cg), cg_i32(cg, cg->lanes / size[0]), "");
   LLVMValueRef rows = LLVMBuildAdd(cg->b, cg_splat(cg, first), cg_const_vector_u32(cg, row), "");
   cg_set_vector(cg, instr, 0, cg_const_vector_u32(cg, x));
   cg_set_vector(cg, instr, 1, size[2] == 1 ? rows : umod_const(cg, rows, size[1]));
   if (size[2] == 1)
      cg_set_scalar(cg, instr, 2, cg_i32(cg, 0), 0);
   else
      cg_set_vector(cg, instr, 2, udiv_const(cg, rows, size[1]));
}

static void emit_local_id(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t *size = cg->ir->info.local_size;
   LLVMValueRef index = LLVMBuildMul(cg->b, vector_index(cg), cg_i32(cg, cg->lanes), "");
   if (size[1] == 1 && size[2] == 1) {
      cg_set_scalar(cg, instr, 0, index, 1);
      cg_set_scalar(cg, instr, 1, cg_i32(cg, 0), 0);
      cg_set_scalar(cg, instr, 2, cg_i32(cg, 0), 0);
   } else if (size[0] % cg->lanes == 0) {
      local_id_of_rows(cg, instr);
   } else if (cg->lanes % size[0] == 0) {
      local_id_of_vectors(cg, instr);
   } else {
      LLVMValueRef all = LLVMBuildAdd(cg->b, cg_splat(cg, index), cg_iota(cg, 32, 1), "");
      LLVMValueRef row = udiv_const(cg, all, size[0]);
      cg_set_vector(cg, instr, 0, umod_const(cg, all, size[0]));
      cg_set_vector(cg, instr, 1, umod_const(cg, row, size[1]));
      cg_set_vector(cg, instr, 2, udiv_const(cg, row, size[1]));
   }
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_LOCAL_ID: emit_local_id(cg, instr); break;
   case IR_SYSVAL_WORKGROUP_ID:
      for (uint32_t c = 0; c < 3; c++)
         cg_set_scalar(cg, instr, c, cg->compute->workgroup[c], 0);
      break;
   case IR_SYSVAL_NUM_WORKGROUPS:
      for (uint32_t c = 0; c < 3; c++)
         cg_set_scalar(cg, instr, c, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_compute_args, num_workgroups) + c * 4), 0);
      break;
   case IR_SYSVAL_LOCAL_INDEX:
      cg_set_scalar(cg, instr, 0, LLVMBuildMul(cg->b, vector_index(cg), cg_i32(cg, cg->lanes), ""), 1);
      break;
   case IR_SYSVAL_SUBGROUP_ID: cg_set_scalar(cg, instr, 0, udiv_const(cg, vector_index(cg), cg->ir->subgroup_size / cg->lanes), 0); break;
   case IR_SYSVAL_DEVICE_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_compute_args, device_index)), 0);
      break;
   case IR_SYSVAL_VIEW_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_compute_args, view_index)), 0);
      break;
   case IR_SYSVAL_DRAW_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_compute_args, draw_index)), 0);
      break;
   case IR_SYSVAL_NODE:
      for (uint32_t c = 0; c < 3; c++) {
         LLVMValueRef node = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_compute_args, node));
         cg_set_scalar(cg, instr, c, cg_load_at(cg, cg->i64, node, 8 * c), 0);
      }
      break;
   default: cg_fail(cg, "%s in a shader with workgroups", ir_sysval_names[instr->imm.u[0]]);
   }
}

/* ---- the function ---- */

/* Bytes from `first`, a multiple of 64, to `end`. */
static void fill_shared(struct cg *cg, uint32_t first, uint32_t end, bool with_ones)
{
   const uint32_t bytes = (uint32_t)util_align(end, 64);
   LLVMTypeRef line = LLVMVectorType(cg->i32, 16);
   LLVMValueRef offset_var = cg_alloca(cg, cg->i64, 8, "fill"), value = with_ones ? LLVMConstAllOnes(line) : LLVMConstNull(line);
   LLVMBasicBlockRef loop = cg_new_block(cg, "fill_loop"), done = cg_new_block(cg, "fill_end");
   cg_store(cg, cg_i64(cg, first), offset_var, 8);
   cg_branch(cg, loop);
   cg_enter(cg, loop);
   LLVMValueRef offset = cg_load(cg, cg->i64, offset_var, 8);
   LLVMSetVolatile(cg_store(cg, value, cg_gep(cg, cg->shared, offset), 64), true); /* never a call of memset */
   offset = LLVMBuildAdd(cg->b, offset, cg_i64(cg, 64), "");
   cg_store(cg, offset, offset_var, 8);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntULT, offset, cg_i64(cg, bytes), ""), loop, done);
   cg_enter(cg, done);
}

static void emit(struct cg *cg)
{
   struct cg_compute compute = {
      .x = LLVMGetParam(cg->fn, 2), .y = LLVMGetParam(cg->fn, 3), .z = LLVMGetParam(cg->fn, 4), .count = LLVMGetParam(cg->fn, 5)};
   cg->compute = &compute;
   LLVMValueRef first[3] = {compute.x, compute.y, compute.z};
   for (uint32_t c = 0; c < 3; c++) {
      LLVMValueRef base = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_compute_args, base) + c * 4);
      compute.workgroup[c] = first[c] = LLVMBuildAdd(cg->b, first[c], base, "");
   }
   cg_emit_hoisted(cg, CG_LEVEL_CALL);

   LLVMBasicBlockRef loop = cg_new_block(cg, "workgroup");
   LLVMValueRef done_var = cg_alloca(cg, cg->i32, 4, "done");
   cg_store(cg, cg_i32(cg, 0), done_var, 4);
   cg_branch(cg, loop); /* there is one workgroup at least */
   cg_enter(cg, loop);
   compute.workgroup[0] = LLVMBuildAdd(cg->b, first[0], cg_load(cg, cg->i32, done_var, 4), "");
   if (cg_follows(cg))
      cg_follow_workgroup(cg, compute.workgroup);
   cg_emit_hoisted(cg, CG_LEVEL_PRELUDE);
   const uint32_t shared_bytes = cg->ir->info.shared_shadow ? cg->ir->info.shared_shadow : cg->ir->info.shared_bytes;
   if (cg->ir->info.zero_shared && shared_bytes > abi_first_variable(&cg->ir->info))
      fill_shared(cg, abi_first_variable(&cg->ir->info), shared_bytes, false);
   const uint32_t shadow = cg->ir->info.shared_shadow + abi_first_variable(&cg->ir->info);
   if (cg->ir->info.shared_shadow && shadow < cg->ir->info.shared_bytes)
      fill_shared(cg, shadow, cg->ir->info.shared_bytes, !cg->ir->info.zero_shared);
   cg_emit_workgroup(cg);
   LLVMValueRef done = LLVMBuildAdd(cg->b, cg_load(cg, cg->i32, done_var, 4), cg_i32(cg, 1), "");
   cg_store(cg, done, done_var, 4);
   LLVMValueRef count = cg_select(cg, cg_is_cancelled(cg), cg_i32(cg, 0), compute.count);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntULT, done, count, ""), loop, cg->leave);
}

#define WORKGROUPS                                                                                                     \
   {                                                                                                                   \
      .num_pointers = 2, .num_numbers = 4, .emit = emit, .segment_begin = segment_begin, .segment_end = segment_end,   \
      .sysval = sysval,                                                                                                \
   }
const struct cg_stage cg_stage_compute = WORKGROUPS, cg_stage_task = WORKGROUPS, cg_stage_mesh = WORKGROUPS;
