/* SPDX-License-Identifier: MIT
 * Operations that are calls of a function within the object: lower/outline.c says which. The function takes the operands as vectors, and the lanes
 * that are on as bits, and gives a vector. It is emitted at the first call. */
#include "compiler/llvm/cg.h"

static LLVMTypeRef value_type(struct cg *cg, const struct ir_instr *value)
{
   return cg_vec_type(cg, cg_int_type(cg, value->bit_size));
}

static void segment_begin(struct cg *cg, struct cg_segment *segment)
{
   cg->body_block = cg_new_block(cg, "vector");
   segment->main = cg_new_block(cg, "main");
   segment->next = cg_new_block(cg, "done");
   cg_branch(cg, cg->body_block);
   cg_enter(cg, cg->body_block);
   cg->exec = cg_mask_from_bits(cg, LLVMGetParam(cg->fn, LLVMCountParams(cg->fn) - 1));
   cg_enter(cg, segment->main);
   cg->exec = cg_mask_here(cg, cg->exec);
}

static void segment_end(struct cg *cg, struct cg_segment *segment)
{
   cg_branch(cg, segment->next);
   cg_enter(cg, cg->body_block);
   cg_branch(cg, segment->main);
   cg_enter(cg, segment->next);
}

static void no_sysval(struct cg *cg, struct ir_instr *instr)
{
   cg_fail(cg, "%s in a routine", ir_sysval_names[instr->imm.u[0]]);
}

static void load_operand(struct cg *cg, struct ir_instr *instr)
{
   cg_set_vector(cg, instr, 0, LLVMGetParam(cg->fn, instr->imm.u[0]));
}

static void store_result(struct cg *cg, struct ir_instr *instr)
{
   cg_store(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), cg->routine_result, 64);
}

static const struct cg_stage routine_stage = {
   .emit = cg_emit_body,
   .segment_begin = segment_begin,
   .segment_end = segment_end,
   .sysval = no_sysval,
   .load_input = load_operand,
   .store_output = store_result,
};

/* What it has of its own; the module, types, and tables are the caller's. */
static struct cg *begin(struct cg *caller, struct ir_shader *code, LLVMTypeRef type)
{
   struct cg *cg = UTIL_ARENA_NEW(caller->arena, struct cg);
   *cg = (struct cg){.context = caller->context, .module = caller->module, .b = caller->b, .arena = caller->arena, .ir = code, .layout = caller->layout,
                     .target = caller->target, .lanes = caller->lanes, .machine = caller->machine, .caller = caller, .stage = &routine_stage,
                     .i1 = caller->i1, .i8 = caller->i8, .i16 = caller->i16, .i32 = caller->i32, .i64 = caller->i64, .f16 = caller->f16,
                     .f32 = caller->f32, .f64 = caller->f64, .ptr = caller->ptr, .void_type = caller->void_type, .mask_type = caller->mask_type,
                     .mask_var_type = caller->mask_var_type, .zeros = caller->zeros, .wg_exec = CG_NO_SLOT, .num_vectors = 1,
                     .num_invocations = caller->lanes};
   cg->casts.arena = cg->mask_words.arena = cg->wide.arena = cg->tables.arena = cg->arena;
   cg->fn = cg_add_own_function(cg, "routine", type);
   cg->entry = cg_new_block(cg, "entry");
   cg->leave = cg_new_block(cg, "leave");
   return cg;
}

static LLVMValueRef make_function(struct cg *caller, struct ir_shader *code, const struct ir_instr *instr)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(caller->b);
   LLVMTypeRef params[4], result = value_type(caller, instr);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      params[i] = value_type(caller, instr->srcs[i]);
   params[instr->num_srcs] = caller->i32;
   struct cg *cg = begin(caller, code, LLVMFunctionType(result, params, instr->num_srcs + 1, false));
   cg->num_values = ir_shader_renumber(code);
   cg->values = UTIL_ARENA_ARRAY(cg->arena, struct cg_value, cg->num_values + 1);
   cg_analyze_levels(cg);
   cg_prepare_vars(cg);
   cg_frame_finish(cg);

   LLVMBasicBlockRef start = cg_new_block(cg, "call");
   cg_enter(cg, start);
   cg->routine_result = cg_alloca(cg, result, 64, "result");
   cg->stage->emit(cg);
   cg_enter(cg, cg->leave);
   LLVMBuildRet(cg->b, cg_load(cg, result, cg->routine_result, 64));
   cg_enter(cg, cg->entry);
   cg_branch(cg, start);
   cg_enter(cg, here);
   return cg->fn;
}

void cg_call_routine(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef args[4];
   const uint32_t index = instr->routine - 1u;
   if (!cg->routines)
      cg->routines = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, cg->ir->num_routines);
   if (!cg->routines[index])
      cg->routines[index] = make_function(cg, cg->ir->routines[index].code, instr);
   const bool is_one = instr->divergence != IR_VARYING;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      args[i] = cg_as_int(cg, cg_vector(cg, instr->srcs[i], 0));
   args[instr->num_srcs] = cg_mask_bits(cg, is_one ? NULL : cg->exec);
   LLVMValueRef function = cg->routines[index];
   cg->num_calls++;
   LLVMValueRef result = LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(function), function, args, instr->num_srcs + 1, "");
   if (is_one)
      cg_set_scalar(cg, instr, 0, LLVMBuildExtractElement(cg->b, result, cg_i32(cg, 0), ""), 0);
   else
      cg_set_vector(cg, instr, 0, result);
}
