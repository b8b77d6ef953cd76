/* SPDX-License-Identifier: MIT
 * Geometry shaders: a lane is an invocation for one primitive. Vertices that are read stand in rows of lanes, a row for each slot
 * and vertex of the primitive; those that are emitted in rows of lanes, a row for each emitted vertex and slot. */
#include "compiler/llvm/cg_memory.h"

#include <stddef.h>

struct cg_geometry {
   LLVMValueRef inputs, outputs, num_vertices;
   uint32_t lanes;       /* of a row */
   uint32_t num_outputs; /* rows of a vertex */
};

static uint32_t array_align(const struct cg *cg)
{
   return UTIL_MIN(cg->lanes * 4, 64);
}

/* This vector's lanes of row `row` (64 bits). */
static LLVMValueRef row_ptr(struct cg *cg, LLVMValueRef base, LLVMValueRef row)
{
   LLVMValueRef at = LLVMBuildMul(cg->b, row, cg_i64(cg, cg->geometry->lanes), "");
   at = LLVMBuildAdd(cg->b, at, cg->batch.first, "");
   return LLVMBuildGEP2(cg->b, cg->i32, base, &at, 1, "");
}

static LLVMValueRef clamp(struct cg *cg, LLVMValueRef index, uint32_t last)
{
   LLVMValueRef limit = cg_const_like(LLVMTypeOf(index), last);
   return cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntULT, index, limit, ""), index, limit);
}

static void load_input(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t slot = instr->imm.u[0], count = cg->ir->info.vertices_in;
   const uint64_t *set = cg->ir->info.inputs;
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   if (instr->op != IR_load_vertex || instr->bit_size != 32 || !count || !(set[slot / 64] >> (slot % 64) & 1))
      cg_fail(cg, "input slot %u is not declared", slot);
   const uint32_t first = cg_slot_rank(set, slot) * count;
   LLVMValueRef value;
   if (cg_is_uniform(cg, instr->srcs[0], 0)) {
      LLVMValueRef row = LLVMBuildZExt(cg->b, clamp(cg, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), count - 1), cg->i64, "");
      row = LLVMBuildAdd(cg->b, row, cg_i64(cg, first), "");
      value = cg_load(cg, type, row_ptr(cg, cg->geometry->inputs, row), array_align(cg));
   } else {
      LLVMValueRef vertex = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
      value = NULL;
      for (uint32_t v = count; v-- > 0;) { /* beyond the last one: that */
         LLVMValueRef one = cg_load(cg, type, row_ptr(cg, cg->geometry->inputs, cg_i64(cg, first + v)), array_align(cg));
         LLVMValueRef is_it = LLVMBuildICmp(cg->b, LLVMIntEQ, vertex, cg_const_like(LLVMTypeOf(vertex), v), "");
         value = value ? cg_select(cg, is_it, one, value) : one;
      }
   }
   cg_set_vector(cg, instr, 0, value);
}

static void store_row(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr)
{
   if (cg->exec)
      value = cg_select(cg, cg->exec, value, cg_load(cg, LLVMTypeOf(value), ptr, array_align(cg)));
   cg_store(cg, value, ptr, array_align(cg));
}

/* Lanes that have emitted different numbers of vertices. Each has memory of its own: one that is off, of whose number nothing is
 * known, writes back what is there. */
static void store_apart(struct cg *cg, LLVMValueRef index, uint32_t rank, LLVMValueRef value)
{
   const struct cg_geometry *g = cg->geometry;
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   index = LLVMBuildZExt(cg->b, clamp(cg, index, cg->ir->info.max_vertices - 1u), wide, "");
   LLVMValueRef dwords = LLVMBuildMul(cg->b, index, cg_const_like(wide, (uint64_t)g->num_outputs * g->lanes), "");
   dwords = LLVMBuildAdd(cg->b, dwords, cg_iota(cg, 64, 1), "");
   LLVMValueRef base = row_ptr(cg, g->outputs, cg_i64(cg, rank));
   if (cg->target.level >= UTIL_CPU_V4) {
      LLVMValueRef bytes = LLVMBuildShl(cg->b, dwords, cg_const_like(wide, 2), "");
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

static void store_output(struct cg *cg, struct ir_instr *instr)
{
   struct cg_geometry *g = cg->geometry;
   const uint32_t slot = instr->imm.u[0];
   struct ir_instr *source = instr->srcs[instr->num_srcs - 1];
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, source, 0));
   if (instr->op == IR_store_output && slot == ABI_SLOT_NUM_VERTICES) {
      store_row(cg, value, row_ptr(cg, g->num_vertices, cg_i64(cg, 0)));
      return;
   }
   const uint64_t *set = cg->ir->info.outputs;
   if (instr->op != IR_store_vertex || slot >= ABI_NUM_SLOTS || source->bit_size != 32 || !(set[slot / 64] >> (slot % 64) & 1))
      cg_fail(cg, "output slot %u is not declared", slot);
   const uint32_t rank = cg_slot_rank(set, slot);
   if (!cg_is_uniform(cg, instr->srcs[0], 0)) {
      store_apart(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), rank, value);
      return;
   }
   LLVMValueRef row = LLVMBuildZExt(cg->b, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), cg->i64, "");
   row = LLVMBuildMul(cg->b, clamp(cg, row, cg->ir->info.max_vertices - 1u), cg_i64(cg, g->num_outputs), "");
   store_row(cg, value, row_ptr(cg, g->outputs, LLVMBuildAdd(cg->b, row, cg_i64(cg, rank), "")));
}

static void load_ids(struct cg *cg, struct ir_instr *instr, size_t field)
{
   LLVMValueRef array = cg_load_at(cg, cg->ptr, cg->args, field);
   cg_set_vector(cg, instr, 0, cg_load(cg, cg_vec_type(cg, cg->i32), row_ptr(cg, array, cg_i64(cg, 0)), array_align(cg)));
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_PRIMITIVE_ID: load_ids(cg, instr, offsetof(struct abi_geometry_args, primitive_id)); break;
   case IR_SYSVAL_INVOCATION_ID: load_ids(cg, instr, offsetof(struct abi_geometry_args, invocation_id)); break;
   case IR_SYSVAL_VIEW_INDEX:
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_geometry_args, view_index)), 0);
      break;
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); break;
   default: cg_fail(cg, "%s in a geometry shader", ir_sysval_names[instr->imm.u[0]]);
   }
}

static void emit(struct cg *cg)
{
   struct cg_geometry geometry = {.lanes = abi_geometry_batch(cg->ir->info.max_vertices)};
   cg->geometry = &geometry;
   cg->batch.count = LLVMGetParam(cg->fn, 2);
   geometry.num_outputs = cg_slot_rank(cg->ir->info.outputs, ABI_NUM_SLOTS);
   geometry.inputs = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_geometry_args, inputs));
   geometry.outputs = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_geometry_args, outputs));
   geometry.num_vertices = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_geometry_args, num_vertices));
   cg_emit_hoisted(cg, CG_LEVEL_CALL);
   cg_emit_hoisted(cg, CG_LEVEL_PRELUDE);
   cg_emit_workgroup(cg);
   cg_branch(cg, cg->leave);
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
