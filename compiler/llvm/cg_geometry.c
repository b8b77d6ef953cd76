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

/* The vertex that lanes emit, each at an index of its own. */
struct cg_emitted {
   LLVMBasicBlockRef block;
   LLVMValueRef index, dwords; /* where its rows begin; found in `block` */
   bool is_gathered;           /* its outputs are put into `rows`, and stored together when the last one is there */
   LLVMValueRef rows;          /* memory for a vector of each output */
   LLVMValueRef store;         /* the function that stores them; NULL: not made yet */
};

/* Made once for all of a vertex's outputs. */
static LLVMValueRef vertex_dwords(struct cg *cg, LLVMValueRef index)
{
   struct cg_emitted *emitted = cg->emitted;
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   if (emitted->index == index && emitted->block == here)
      return emitted->dwords;
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   LLVMValueRef held = cg_batch_clamp(cg, index, cg_i32(cg, cg->ir->info.max_vertices - 1u)); /* of lanes that are off nothing is known */
   LLVMValueRef dwords = LLVMBuildZExt(cg->b, held, wide, "");
   dwords = LLVMBuildMul(cg->b, dwords, cg_const_like(wide, (uint64_t)num_outputs(cg) * cg->batch.lanes), "");
   emitted->dwords = LLVMBuildAdd(cg->b, dwords, cg_iota(cg, 64, 1), "");
   emitted->index = index;
   emitted->block = here;
   return emitted->dwords;
}

/* From this store on all outputs of the vertex are stored, in a straight line, its flags last. */
static bool begins_vertex(struct cg *cg, const struct ir_instr *first)
{
   uint32_t count = 0;
   for (const struct util_list *link = &first->link; link != &first->region->instrs; link = link->next) {
      const struct ir_instr *it = UTIL_LIST_ENTRY(link, const struct ir_instr, link);
      if (ir_is_construct(it) || ir_is_jump(it))
         return false;
      if (it->op != IR_store_vertex)
         continue;
      if (it->srcs[0] != first->srcs[0])
         return false;
      count++;
      if (it->imm.u[0] == ABI_SLOT_VERTEX_FLAGS)
         return count == num_outputs(cg);
   }
   return false;
}

static LLVMValueRef gathered_row(struct cg *cg, LLVMValueRef rows, LLVMValueRef rank)
{
   return LLVMBuildGEP2(cg->b, cg_vec_type(cg, cg->i32), rows, &rank, 1, "");
}

/* Takes the rows behind the lanes. */
static LLVMValueRef make_store(struct cg *cg)
{
   LLVMTypeRef params[4] = {cg->ptr, cg_vec_type(cg, cg->i64), cg->i32, cg->ptr};
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "store_vertex", LLVMFunctionType(cg->void_type, params, 4, false));
   LLVMBasicBlockRef loop = cg_new_block(cg, "loop"), end = cg_new_block(cg, "end");
   cg->exec = cg_mask_from_bits(cg, LLVMGetParam(fn, 2));
   cg_branch(cg, loop);
   cg_enter(cg, loop);
   LLVMValueRef rank = LLVMBuildPhi(cg->b, cg->i64, "rank"), zero = cg_i64(cg, 0);
   LLVMAddIncoming(rank, &zero, &around.body, 1);
   LLVMValueRef dword = LLVMBuildMul(cg->b, rank, cg_i64(cg, cg->batch.lanes), "");
   LLVMValueRef base = LLVMBuildGEP2(cg->b, cg->i32, LLVMGetParam(fn, 0), &dword, 1, "");
   LLVMValueRef value = cg_load(cg, cg_vec_type(cg, cg->i32), gathered_row(cg, LLVMGetParam(fn, 3), rank), cg_batch_align(cg));
   cg->exec = cg_mask_here(cg, cg->exec);
   cg_batch_scatter(cg, base, LLVMGetParam(fn, 1), value);
   LLVMValueRef next = LLVMBuildAdd(cg->b, rank, cg_i64(cg, 1), "");
   LLVMBasicBlockRef latch = LLVMGetInsertBlock(cg->b);
   LLVMAddIncoming(rank, &next, &latch, 1);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntULT, next, cg_i64(cg, num_outputs(cg)), ""), loop, end);
   cg_enter(cg, end);
   LLVMBuildRetVoid(cg->b);
   cg_function_end(cg, &around);
   return fn;
}

static void store_gathered(struct cg *cg, LLVMValueRef index, uint32_t slot, uint32_t rank, LLVMValueRef value)
{
   struct cg_emitted *emitted = cg->emitted;
   if (!emitted->rows)
      emitted->rows = cg_alloca(cg, LLVMArrayType2(cg_vec_type(cg, cg->i32), num_outputs(cg)), 64, "rows");
   cg_store(cg, value, gathered_row(cg, emitted->rows, cg_i64(cg, rank)), cg_batch_align(cg));
   if (slot != ABI_SLOT_VERTEX_FLAGS)
      return;
   if (!emitted->store)
      emitted->store = make_store(cg);
   LLVMValueRef args[4] = {cg_batch_row(cg, cg->batch.outputs, cg_i64(cg, 0)), vertex_dwords(cg, index), cg_mask_bits(cg, cg->exec), emitted->rows};
   cg_call_own(cg, emitted->store, args, 4);
   emitted->is_gathered = false;
}

static void store_apart(struct cg *cg, const struct ir_instr *instr, uint32_t rank, LLVMValueRef value)
{
   struct cg_emitted *emitted = cg->emitted;
   LLVMValueRef index = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
   if (!emitted->is_gathered && cg->num_apart >= CG_MAX_APART)
      emitted->is_gathered = begins_vertex(cg, instr);
   if (emitted->is_gathered)
      store_gathered(cg, index, instr->imm.u[0], rank, value);
   else
      cg_batch_store_apart(cg, cg_batch_row(cg, cg->batch.outputs, cg_i64(cg, rank)), vertex_dwords(cg, index), value);
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
      store_apart(cg, instr, rank, value);
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
   struct cg_emitted emitted = {0};
   cg->emitted = &emitted;
   cg_batch_begin(cg, abi_geometry_batch(cg->ir->info.max_vertices), offsetof(struct abi_geometry_args, inputs),
                  offsetof(struct abi_geometry_args, outputs));
   cg_emit_body(cg);
   cg->emitted = NULL;
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
