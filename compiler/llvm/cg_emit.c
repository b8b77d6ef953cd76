/* SPDX-License-Identifier: MIT
 * Dispatch of instructions to the files of their families, and the operations that only move components. */
#include "compiler/ir/passes.h"
#include "compiler/llvm/cg.h"
#include "compiler/llvm/cg_target.h"

enum { SCOPE_DEVICE = 1, SCOPE_QUEUE_FAMILY = 5 }; /* as in SPIR-V */

static void emit_const(struct cg *cg, struct ir_instr *instr)
{
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_set_scalar(cg, instr, c, LLVMConstInt(cg_int_type(cg, instr->bit_size), instr->op == IR_undef ? 0 : instr->imm.c[c], false), 0);
}

static void emit_vec(struct cg *cg, struct ir_instr *instr)
{
   for (uint32_t c = 0; c < instr->num_srcs; c++) {
      const struct cg_comp comp = cg_comps(cg, instr->srcs[c])[0];
      cg_set_comp(cg, instr, c, &comp);
   }
}

static void emit_extract(struct cg *cg, struct ir_instr *instr)
{
   const struct cg_comp comp = cg_comps(cg, instr->srcs[0])[instr->imm.u[0]];
   cg_set_comp(cg, instr, 0, &comp);
   if (instr->divergence != IR_VARYING && !comp.is_scalar) /* the analysis knows more than the producer said */
      cg_set_scalar(cg, instr, 0, cg_scalar(cg, instr->srcs[0], instr->imm.u[0]), instr->divergence == IR_STRIDED ? instr->stride : 0);
}

/* The machine does it for one lane. */
static bool is_short_for_one(const struct ir_instr *instr)
{
   return ir_is_int_division(instr) || ir_is_of_bits(instr) || ir_is_int_conversion(instr) || instr->op == IR_imul;
}

/* A division by what is the same for all lanes, and no constant, for which LLVM has multiplications. */
static bool divides_by_scalar(struct cg *cg, const struct ir_instr *instr)
{
   return ir_is_int_division(instr) && instr->bit_size <= 32 && cg_is_uniform(cg, instr->srcs[1], 0) && !ir_is_const(instr->srcs[1]);
}

/* Arithmetic: on lane 0 alone where that stands for all lanes. */
static void emit_alu(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef srcs[8];
   bool all_uniform = true;
   if (instr->num_srcs > UTIL_ARRAY_SIZE(srcs))
      cg_fail(cg, "%s has %u sources", ir_info(instr)->name, instr->num_srcs);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      all_uniform &= cg_is_uniform(cg, instr->srcs[i], 0);
   const bool scalar = instr->divergence != IR_VARYING || all_uniform;
   if (!scalar && divides_by_scalar(cg, instr)) {
      LLVMValueRef a = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), b = cg_as_int(cg, cg_scalar(cg, instr->srcs[1], 0));
      cg_set_vector(cg, instr, 0, cg_int_divide_by_scalar(cg, instr->op, a, b));
      return;
   }
   if (instr->routine && !(scalar && is_short_for_one(instr))) {
      cg_call_routine(cg, instr);
      return;
   }
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      srcs[i] = scalar ? cg_scalar(cg, instr->srcs[i], 0) : cg_vector(cg, instr->srcs[i], 0);
   LLVMValueRef result = cg_alu(cg, instr, srcs, !scalar);
   if (scalar)
      cg_set_scalar(cg, instr, 0, result, instr->divergence == IR_STRIDED && !all_uniform ? instr->stride : 0);
   else
      cg_set_vector(cg, instr, 0, result);
}

static void emit_clock(struct cg *cg, struct ir_instr *instr)
{
   cg_set_scalar(cg, instr, 0, cg_intrinsic(cg, cg_target.clock, NULL, 0, NULL, 0), 0);
}

static void emit_barrier(struct cg *cg, struct ir_instr *instr)
{
   /* Lanes of a vector run in step and a workgroup in one thread: order for other threads is all that is left. */
   const bool is_wide = instr->imm.u[1] <= SCOPE_DEVICE || instr->imm.u[1] == SCOPE_QUEUE_FAMILY;
   if (instr->imm.u[2] != 0 && is_wide)
      LLVMBuildFence(cg->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}

/* Where in its subgroup the vector starts. */
static LLVMValueRef first_of_subgroup(struct cg *cg)
{
   const uint32_t count = ir_subgroup_invocations(cg->ir);
   if (cg->lanes >= count || (cg->compute && cg->num_vectors == 1))
      return cg_i32(cg, 0);
   LLVMValueRef first = LLVMBuildMul(cg->b, cg->vector_index, cg_i32(cg, cg->lanes), "");
   return LLVMBuildAnd(cg->b, first, cg_i32(cg, count - 1), "");
}

void cg_emit_sysval(struct cg *cg, struct ir_instr *instr)
{
   if (instr->imm.u[0] == IR_SYSVAL_SUBGROUP_LANE)
      cg_set_scalar(cg, instr, 0, first_of_subgroup(cg), 1);
   else
      cg->stage->sysval(cg, instr);
}

/* `emit` is NULL where the stage has no such interface. */
static void emit_interface(struct cg *cg, struct ir_instr *instr, void (*emit)(struct cg *cg, struct ir_instr *instr))
{
   if (!emit)
      cg_fail(cg, "%s in a shader without such an interface", ir_info(instr)->name);
   emit(cg, instr);
}

static void emit_access(struct cg *cg, struct ir_instr *instr, void (*emit)(struct cg *cg, struct ir_instr *instr))
{
   (instr->routine ? cg_call_access : emit)(cg, instr);
}

void cg_emit_instr(struct cg *cg, struct ir_instr *instr)
{
   if (instr->num_components && cg_value(cg, instr)->level >= CG_LEVEL_PRELUDE && cg_value(cg, instr)->segment == 0)
      return; /* hoisted, already there */
   switch (instr->op) {
   case IR_const: case IR_undef: emit_const(cg, instr); break;
   case IR_vec: emit_vec(cg, instr); break;
   case IR_extract: emit_extract(cg, instr); break;
   case IR_call: case IR_call_ordered: cg_call_routine(cg, instr); break;
   case IR_attachment_desc: cg_fragment_attachment(cg, instr); break;
   case IR_buffer_addr: case IR_buffer_size: case IR_image_desc: case IR_sampler_desc: case IR_structure_desc:
      cg_emit_descriptor(cg, instr);
      break;
   case IR_load_buffer: case IR_load_global: case IR_load_shared: case IR_load_push: emit_access(cg, instr, cg_emit_load); break;
   case IR_store_buffer: case IR_store_global: case IR_store_shared: emit_access(cg, instr, cg_emit_store); break;
   case IR_atomic_buffer: case IR_atomic_global: case IR_atomic_shared: emit_access(cg, instr, cg_emit_atomic); break;
   case IR_load_var: cg_emit_load_var(cg, instr); break;
   case IR_store_var: cg_emit_store_var(cg, instr); break;
   case IR_load_table: cg_emit_load_table(cg, instr); break;
   case IR_load_ray: case IR_store_ray: case IR_ray_clear: case IR_ray_proceed: case IR_ray_commit: case IR_ray_fetch: case IR_ray_copy: case IR_ray_address:
      cg_emit_ray(cg, instr);
      break;
   case IR_trace_ray: case IR_trace_object: case IR_execute_object: case IR_call_shader: case IR_report_hit: cg_emit_shader_call(cg, instr); break;
   case IR_node_call: cg_emit_node_call(cg, instr); break;
   case IR_load_input: case IR_load_vertex: emit_interface(cg, instr, cg->stage->load_input); break;
   case IR_interp: cg_fragment_interp(cg, instr); break;
   case IR_load_row: case IR_store_row: emit_interface(cg, instr, cg->stage->access_row); break;
   case IR_store_output: case IR_store_vertex: emit_interface(cg, instr, cg->stage->store_output); break;
   case IR_sysval: cg_emit_sysval(cg, instr); break;
   case IR_multiply_matrices: case IR_transpose_matrix: cg_emit_matrices(cg, instr); break;
   case IR_tex: cg_emit_tex(cg, instr); break;
   case IR_image_load: case IR_image_store: case IR_image_atomic: case IR_image_query: cg_emit_image(cg, instr); break;
   case IR_barrier: emit_barrier(cg, instr); break;
   case IR_vote_any: case IR_vote_all: case IR_vote_eq: case IR_elect: case IR_ballot: case IR_read_first: case IR_shuffle:
   case IR_reduce: case IR_match: case IR_reduce_part: case IR_ddx: case IR_ddy: case IR_is_helper: case IR_quad_lanes: cg_emit_cross(cg, instr); break;
   case IR_demote: cg_fragment_demote(cg, instr); break;
   case IR_probe: case IR_probe_value: cg_emit_probe(cg, instr); break;
   case IR_clock: emit_clock(cg, instr); break;
   case IR_copy: cg_call_copy(cg, instr); break;
   case IR_if: case IR_loop: case IR_block: cg_emit_construct(cg, instr); return;
   case IR_param: case IR_result: break; /* set by their construct */
   case IR_yield: case IR_break: case IR_continue: cg_emit_jump(cg, instr); return;
   default: emit_alu(cg, instr); break;
   }
   if (instr->num_components)
      cg_value_done(cg, instr);
}
