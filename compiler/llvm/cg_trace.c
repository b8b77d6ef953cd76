/* SPDX-License-Identifier: MIT
 * Shaders of ray pipelines: a call is one vector of invocations, whose payloads, hits and records are rows of lanes in the arguments; what
 * they call goes through the table of helpers with a struct abi_shader_call. All state is in the arguments and the worker's frame, so that
 * the runtime may run another shader within a call, with a frame of its own. */
#include "compiler/llvm/cg_call.h"

#include <stddef.h>

/* ---- the function ---- */

/* Lanes beyond the count are never on: what they hold is the runtime's. */
static void segment_begin(struct cg *cg, struct cg_segment *segment)
{
   LLVMValueRef first = cg_batch_loop_begin(cg, segment);
   cg->vector_index = cg_i32(cg, 0);
   LLVMValueRef left = LLVMBuildSub(cg->b, cg->batch.count, first, "");
   cg->exec = LLVMBuildICmp(cg->b, LLVMIntULT, cg_iota(cg, 32, 1), cg_splat(cg, left), "");
   cg_enter(cg, segment->main);
}

static void emit(struct cg *cg)
{
   cg->batch.count = LLVMGetParam(cg->fn, 2);
   cg->batch.lanes = cg->lanes;
   cg_emit_body(cg);
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_LAUNCH_ID:
      for (uint32_t c = 0; c < 3; c++) {
         LLVMValueRef row = cg_gep_const(cg, cg->args, offsetof(struct abi_ray_args, launch_id) + c * sizeof(uint32_t) * ABI_RAY_LANES);
         cg_set_vector(cg, instr, c, cg_load(cg, cg_vec_type(cg, cg->i32), row, cg_row_align(cg, 32)));
      }
      break;
   case IR_SYSVAL_LAUNCH_SIZE:
      for (uint32_t c = 0; c < 3; c++)
         cg_set_scalar(cg, instr, c, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_ray_args, launch_size) + c * 4), 0);
      break;
   case IR_SYSVAL_SHADER_RECORD: {
      LLVMValueRef records = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, records));
      cg_set_vector(cg, instr, 0, cg_load(cg, cg_vec_type(cg, cg->i64), records, cg_row_align(cg, 64)));
      break;
   }
   case IR_SYSVAL_RECORD_TABLES:
      for (uint32_t c = 0; c < 4; c++)
         cg_set_scalar(cg, instr, c, cg_load_at(cg, cg->i64, cg->args, offsetof(struct abi_ray_args, tables) + c * 8), 0);
      break;
   case IR_SYSVAL_SUBGROUP_ID:
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); break;
   default: cg_fail(cg, "%s in a shader of a ray pipeline", ir_sysval_names[instr->imm.u[0]]);
   }
}

/* An any-hit shader's verdict. */
static void store_output(struct cg *cg, struct ir_instr *instr)
{
   if (instr->op != IR_store_output || instr->imm.u[0] != ABI_SLOT_VERDICT)
      cg_fail(cg, "%s in a shader of a ray pipeline", ir_info(instr)->name);
   LLVMValueRef verdicts = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, verdicts));
   cg_batch_store(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), verdicts);
}

/* ---- calls ---- */

static LLVMValueRef field(struct cg *cg, size_t offset)
{
   return cg_gep_const(cg, cg->shader_call, offset);
}

static void store_rows(struct cg *cg, uint32_t row, struct ir_instr *value)
{
   for (uint32_t c = 0; c < value->num_components; c++) {
      LLVMValueRef lanes = cg_as_int(cg, cg_vector(cg, value, c));
      const size_t offset = offsetof(struct abi_shader_call, rows) + (row + c) * sizeof(uint32_t) * ABI_RAY_LANES;
      if (value->bit_size == 64) {
         LLVMTypeRef type = cg_vec_type(cg, cg->i32);
         LLVMValueRef high = LLVMBuildLShr(cg->b, lanes, cg_const_like(LLVMTypeOf(lanes), 32), "");
         cg_store(cg, LLVMBuildTrunc(cg->b, high, type, ""), field(cg, offset + sizeof(uint32_t) * ABI_RAY_LANES), cg_row_align(cg, 32));
         lanes = LLVMBuildTrunc(cg->b, lanes, type, "");
      }
      cg_store(cg, lanes, field(cg, offset), cg_row_align(cg, 32));
   }
}

static void begin_call(struct cg *cg, const struct ir_instr *instr)
{
   if (!cg->shader_call)
      cg->shader_call = cg_alloca(cg, LLVMArrayType2(cg->i64, sizeof(struct abi_shader_call) / 8), 64, "call");
   cg_store(cg, cg->args, field(cg, offsetof(struct abi_shader_call, args)), 8);
   cg_store(cg, cg_i32(cg, cg->lanes), field(cg, offsetof(struct abi_shader_call, lanes)), 4);
   cg_store(cg, cg_mask_bits(cg, cg->exec), field(cg, offsetof(struct abi_shader_call, mask)), 4);
   const struct ir_var *data = ir_names_var(instr) ? instr->imm.var.var : NULL;
   cg_store(cg, data ? cg_var_base(cg, data) : LLVMConstNull(cg->ptr), field(cg, offsetof(struct abi_shader_call, data)), 8);
   cg_store(cg, cg_i32(cg, data ? data->size_bytes / 4 : 0), field(cg, offsetof(struct abi_shader_call, data_words)), 4);
}

static size_t helper_of(enum ir_op op)
{
   switch (op) {
   case IR_trace_ray: return offsetof(struct abi_helpers, trace_ray);
   case IR_trace_object: return offsetof(struct abi_helpers, trace_object);
   case IR_execute_object: return offsetof(struct abi_helpers, execute_object);
   default: return offsetof(struct abi_helpers, call_shader);
   }
}

void cg_emit_shader_call(struct cg *cg, struct ir_instr *instr)
{
   uint32_t row = 0;
   begin_call(cg, instr);
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      store_rows(cg, row, instr->srcs[i]);
      row += instr->srcs[i]->num_components * UTIL_MAX(instr->srcs[i]->bit_size / 32u, 1u);
   }
   LLVMValueRef args[2] = {cg->worker, cg->shader_call};
   if (instr->op != IR_report_hit) {
      cg_call_helper(cg, helper_of(instr->op), cg->void_type, 2, args);
      cg_poll_cancel(cg, NULL);
      return;
   }
   LLVMValueRef accepted = cg_call_helper(cg, offsetof(struct abi_helpers, report_hit), cg->i32, 2, args);
   LLVMValueRef ended = cg_load(cg, cg->i32, field(cg, offsetof(struct abi_shader_call, ended)), 4);
   cg_set_vector(cg, instr, 0, cg_mask_from_bits(cg, accepted));
   cg_set_vector(cg, instr, 1, cg_mask_from_bits(cg, ended));
}

/* All six stages are alike: what differs is which of the arguments the runtime fills. */
#define X(name)                                                                                                        \
   const struct cg_stage cg_stage_##name = {                                                                           \
      .num_pointers = 2,                                                                                               \
      .num_numbers = 1,                                                                                                \
      .emit = emit,                                                                                                    \
      .segment_begin = segment_begin,                                                                                  \
      .segment_end = cg_batch_segment_end,                                                                             \
      .sysval = sysval,                                                                                                \
      .store_output = store_output,                                                                                    \
   };
X(raygen)
X(any_hit)
X(closest_hit)
X(miss)
X(intersection)
X(callable)
#undef X
