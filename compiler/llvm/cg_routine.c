/* SPDX-License-Identifier: MIT
 * Operations that are calls of a function within the object: lower/outline.c and spirv/instructions/spirv_formula.c say which. The function takes the
 * operands as vectors, and the lanes that are on as bits, and gives a vector. What has many operands or results takes and gives them in memory (cg_rows.c).
 * It is emitted at the first call. One that reads memory of the shader's, or has loops, also takes where that is, and polls.
 * Copies of memory and accesses are calls too (lower/outline_copies.c, outline_accesses.c): of a function that takes what is one for all lanes as it
 * is, and where variables and other memory of the caller are. What it loads it gives as a structure of vectors. */
#include "compiler/ir/ir_copy.h"
#include "compiler/llvm/cg_rows.h"

/* What a routine takes of the caller besides its operands, in this order, in front of where its results go and of the lanes. */
enum {
   TAKES_WORKER = 1 << 0, /* it has loops, which poll */
   TAKES_SETS = 1 << 1,
   TAKES_PUSH = 1 << 2,
   TAKES_SHARED = 1 << 3,
   NUM_CONTEXTS = CG_MAX_POINTERS,
};

enum { MAX_PARAMS = CG_MAX_REGISTERS + NUM_CONTEXTS + 1 };

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
   const uint32_t index = instr->imm.u[0], is_other = index >= cg->num_first_rows;
   if (cg->routine_result)
      cg_set_vector(cg, instr, 0, LLVMGetParam(cg->fn, index));
   else
      cg_set_vector(cg, instr, 0, cg_load_row(cg, LLVMGetParam(cg->fn, is_other), instr->bit_size, is_other ? index - cg->num_first_rows : index));
}

static void store_result(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef vector = cg_vector(cg, instr->srcs[0], 0);
   if (cg->routine_result)
      cg_store(cg, cg_as_int(cg, vector), cg->routine_result, 64);
   else
      cg_store_row(cg, LLVMGetParam(cg->fn, LLVMCountParams(cg->fn) - 2), instr->srcs[0]->bit_size, instr->imm.u[0], vector);
}

static const struct cg_stage routine_stage = {
   .emit = cg_emit_body,
   .segment_begin = segment_begin,
   .segment_end = segment_end,
   .sysval = no_sysval,
   .load_input = load_operand,
   .store_output = store_result,
};

static void load_copy_operand(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef operand = LLVMGetParam(cg->fn, instr->imm.u[0]);
   if (instr->imm.u[1])
      cg_set_scalar(cg, instr, 0, operand, 0);
   else
      cg_set_vector(cg, instr, 0, operand);
}

static void store_loaded(struct cg *cg, struct ir_instr *instr)
{
   cg_store_row(cg, cg->routine_result, instr->srcs[0]->bit_size, instr->imm.u[0], cg_vector(cg, instr->srcs[0], 0));
}

static const struct cg_stage copy_stage = {
   .emit = cg_emit_body,
   .segment_begin = segment_begin,
   .segment_end = segment_end,
   .sysval = no_sysval,
   .load_input = load_copy_operand,
   .store_output = store_loaded,
};

/* What it has of its own; the module, types, and tables are the caller's. */
static struct cg *begin(struct cg *caller, struct ir_shader *code, LLVMTypeRef type, const struct cg_stage *stage)
{
   struct cg *cg = UTIL_ARENA_NEW(caller->arena, struct cg);
   *cg = (struct cg){.context = caller->context, .module = caller->module, .b = caller->b, .arena = caller->arena, .ir = code, .layout = caller->layout,
                     .target = caller->target, .lanes = caller->lanes, .machine = caller->machine, .caller = caller, .stage = stage,
                     .i1 = caller->i1, .i8 = caller->i8, .i16 = caller->i16, .i32 = caller->i32, .i64 = caller->i64, .f16 = caller->f16,
                     .f32 = caller->f32, .f64 = caller->f64, .ptr = caller->ptr, .void_type = caller->void_type, .mask_type = caller->mask_type,
                     .mask_var_type = caller->mask_var_type, .zeros = caller->zeros, .wg_exec = CG_NO_SLOT, .num_vectors = 1,
                     .num_invocations = caller->lanes};
   cg->casts.arena = cg->mask_words.arena = cg->wide.arena = cg->tables.arena = cg->var_calls.arena = cg->arena;
   cg->fn = cg_add_own_function(cg, "routine", type);
   cg->entry = cg_new_block(cg, "entry");
   cg->leave = cg_new_block(cg, "leave");
   cg->num_values = ir_shader_renumber(code);
   cg->values = UTIL_ARENA_ARRAY(cg->arena, struct cg_value, cg->num_values + 1);
   cg_analyze_levels(cg);
   return cg;
}

/* ---- what a routine takes of the caller ---- */

static void find_context(struct ir_instr *instr, void *data)
{
   uint32_t *context = data;
   switch (instr->op) {
   case IR_loop: *context |= TAKES_WORKER; break;
   case IR_buffer_addr: case IR_buffer_size: *context |= TAKES_SETS; break;
   case IR_load_push: *context |= TAKES_PUSH; break;
   case IR_load_shared: *context |= TAKES_SHARED; break;
   default: break;
   }
}

/* The pointers that `context` has bits of; how many. */
static uint32_t context_pointers(struct cg *cg, uint32_t context, LLVMValueRef *pointers)
{
   LLVMValueRef const all[NUM_CONTEXTS] = {cg->worker, cg->bound_sets, cg->push, cg->shared};
   uint32_t count = 0;
   for (uint32_t i = 0; i < NUM_CONTEXTS; i++) {
      if (context >> i & 1)
         pointers[count++] = all[i];
   }
   return count;
}

/* The parameters from `first` on. */
static void take_context(struct cg *cg, uint32_t context, uint32_t first)
{
   LLVMValueRef *const all[NUM_CONTEXTS] = {&cg->worker, &cg->bound_sets, &cg->push, &cg->shared};
   for (uint32_t i = 0; i < NUM_CONTEXTS; i++) {
      if (context >> i & 1)
         *all[i] = LLVMGetParam(cg->fn, first++);
   }
}

/* A device that is lost stays so: once a routine has polled in vain it ends at once whenever it is called. */
static void begin_polls(struct cg *cg)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   cg_enter(cg, cg->entry);
   cg->cancel = cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, cancel));
   cg_enter(cg, here);
   cg_poll_cancel(cg, NULL);
}

static void emit_code(struct cg *cg)
{
   LLVMBasicBlockRef start = cg_new_block(cg, "call");
   cg_enter(cg, start);
   if (cg->worker)
      begin_polls(cg);
   cg->stage->emit(cg);
   cg_enter(cg, cg->entry);
   cg_branch(cg, start);
   cg_enter(cg, cg->leave);
}

static LLVMTypeRef registers_function_type(struct cg *cg, const struct ir_instr *instr, uint32_t num_pointers)
{
   LLVMTypeRef params[MAX_PARAMS];
   uint32_t count = 0;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      params[count++] = value_type(cg, instr->srcs[i]);
   for (uint32_t i = 0; i < num_pointers; i++)
      params[count++] = cg->ptr;
   params[count++] = cg->i32;
   return LLVMFunctionType(value_type(cg, instr), params, count, false);
}

/* What it gives where it ends early is not looked at, but is some number. */
static LLVMValueRef new_result(struct cg *cg, LLVMTypeRef type)
{
   LLVMValueRef result = cg_alloca(cg, type, 64, "result");
   if (cg->worker) {
      cg_enter(cg, cg->entry);
      cg_store(cg, LLVMConstNull(type), result, 64);
   }
   return result;
}

static LLVMValueRef make_function(struct cg *caller, struct ir_shader *code, const struct ir_instr *instr, uint32_t context)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(caller->b);
   LLVMValueRef pointers[NUM_CONTEXTS];
   const bool has_rows = cg_has_rows(instr);
   const uint32_t num_pointers = context_pointers(caller, context, pointers);
   struct cg *cg = begin(caller, code, (has_rows ? cg_rows_function_type : registers_function_type)(caller, instr, num_pointers), &routine_stage);
   cg->num_first_rows = cg_rows_num_first(caller, instr);
   take_context(cg, context, !has_rows ? instr->num_srcs : cg->num_first_rows < instr->num_srcs ? 2 : 1);
   cg_prepare_vars(cg);
   cg_frame_finish(cg);
   LLVMTypeRef result = value_type(cg, instr);
   cg->routine_result = has_rows ? NULL : new_result(cg, result);
   emit_code(cg);
   if (has_rows)
      LLVMBuildRetVoid(cg->b);
   else
      LLVMBuildRet(cg->b, cg_load(cg, result, cg->routine_result, 64));
   cg_enter(cg, here);
   return cg->fn;
}

static void call_in_registers(struct cg *cg, struct ir_instr *instr, LLVMValueRef function, const LLVMValueRef *pointers, uint32_t num_pointers,
                              LLVMValueRef lanes)
{
   LLVMValueRef args[MAX_PARAMS];
   uint32_t count = 0;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      args[count++] = cg_as_int(cg, cg_vector(cg, instr->srcs[i], 0));
   for (uint32_t i = 0; i < num_pointers; i++)
      args[count++] = pointers[i];
   args[count++] = lanes;
   LLVMValueRef vector = cg_call_own(cg, function, args, count);
   if (instr->divergence != IR_VARYING)
      cg_set_scalar(cg, instr, 0, LLVMBuildExtractElement(cg->b, vector, cg_i32(cg, 0), ""), 0);
   else
      cg_set_vector(cg, instr, 0, vector);
}

/* The routine that is called; its function is NULL until that is made. */
static struct cg_routine *find_routine(struct cg *cg, const struct ir_instr *instr)
{
   if (!cg->routines)
      cg->routines = UTIL_ARENA_ARRAY(cg->arena, struct cg_routine, cg->ir->num_routines);
   return &cg->routines[ir_called_routine(instr) - 1u];
}

void cg_call_routine(struct cg *cg, struct ir_instr *instr)
{
   struct cg_routine *routine = find_routine(cg, instr);
   if (!routine->function) {
      struct ir_shader *code = cg->ir->routines[ir_called_routine(instr) - 1u].code;
      if (instr->op == IR_call_ordered)
         ir_for_each(code, find_context, &routine->context);
      routine->function = make_function(cg, code, instr, routine->context);
   }
   LLVMValueRef pointers[NUM_CONTEXTS];
   const uint32_t num_pointers = context_pointers(cg, routine->context, pointers);
   LLVMValueRef lanes = cg_mask_bits(cg, instr->divergence == IR_VARYING ? cg->exec : NULL);
   (cg_has_rows(instr) ? cg_call_with_rows : call_in_registers)(cg, instr, routine->function, pointers, num_pointers, lanes);
}

/* ---- memory ---- */

/* One for all lanes as it is. */
static LLVMValueRef operand_of(struct cg *cg, struct ir_instr *value)
{
   return cg_as_int(cg, ir_is_lane_uniform(value) ? cg_scalar(cg, value, 0) : cg_vector(cg, value, 0));
}

enum {
   MAX_COPY_PARAMS = IR_MAX_COPY_SRCS + 2 + 1, /* sources, where the two memories are, lanes */
   MAX_ACCESS_PARAMS = 3 + 4 + 2,              /* sources, components or what atomic operations take, base, lanes */
   MAX_MEMORY_PARAMS = UTIL_MAX((int)MAX_COPY_PARAMS, (int)MAX_ACCESS_PARAMS),
};

/* The generator of a routine that takes such arguments, at its beginning. */
static struct cg *begin_memory(struct cg *caller, struct ir_shader *code, LLVMTypeRef result, LLVMValueRef *args, uint32_t num_args)
{
   LLVMTypeRef params[MAX_MEMORY_PARAMS];
   for (uint32_t i = 0; i < num_args; i++)
      params[i] = LLVMTypeOf(args[i]);
   return begin(caller, code, LLVMFunctionType(result, params, num_args, false), &copy_stage);
}

/* ---- copies ---- */

static bool is_shared(enum ir_op op)
{
   return op == IR_load_shared || op == IR_store_shared || op == IR_atomic_shared;
}

static bool is_of_var(enum ir_op op)
{
   return op == IR_load_var || op == IR_store_var;
}

/* Where the caller has what is copied, beside the sources: how many. */
static uint32_t copied_memories(struct cg *cg, const struct ir_instr *copy, LLVMValueRef *pointers)
{
   uint32_t count = 0;
   for (uint32_t s = 0; s < 2; s++) {
      const enum ir_op op = copy->imm.copy.form->sides[s].op;
      if (is_of_var(op))
         pointers[count++] = cg_var_base(cg, copy->imm.copy.vars[s]);
      else if (op == IR_load_push || is_shared(op))
         pointers[count++] = op == IR_load_push ? cg->push : cg->shared;
   }
   return count;
}

/* The first one from `node` on that is no table, which stand beside the code. */
static struct ir_var *next_var(const struct util_list *node)
{
   struct ir_var *var = UTIL_CONTAINER_OF(node, struct ir_var, link);
   while (var->table)
      var = UTIL_CONTAINER_OF(var->link.next, struct ir_var, link);
   return var;
}

/* The parameters from `param` on, in the same order; so are the routine's own variables. */
static void take_memories(struct cg *cg, const struct ir_copy_form *form, uint32_t param)
{
   const struct util_list *node = cg->ir->vars.next;
   cg->var_alloca = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, cg->ir->num_vars + 1);
   cg->var_slot = UTIL_ARENA_ARRAY(cg->arena, uint32_t, cg->ir->num_vars + 1);
   for (uint32_t s = 0; s < 2; s++) {
      const enum ir_op op = form->sides[s].op;
      if (is_of_var(op)) {
         const struct ir_var *var = next_var(node);
         cg->var_slot[var->index] = CG_NO_SLOT;
         cg->var_alloca[var->index] = LLVMGetParam(cg->fn, param++);
         node = var->link.next;
      } else if (op == IR_load_push) {
         cg->push = LLVMGetParam(cg->fn, param++);
      } else if (is_shared(op)) {
         cg->shared = LLVMGetParam(cg->fn, param++);
      }
   }
}

static LLVMValueRef make_copy(struct cg *caller, struct ir_shader *code, const struct ir_instr *copy, LLVMValueRef *args, uint32_t num_args)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(caller->b);
   struct cg *cg = begin_memory(caller, code, caller->void_type, args, num_args);
   take_memories(cg, copy->imm.copy.form, copy->num_srcs);
   cg_frame_finish(cg);
   emit_code(cg);
   LLVMBuildRetVoid(cg->b);
   cg_enter(cg, here);
   return cg->fn;
}

void cg_call_copy(struct cg *cg, struct ir_instr *copy)
{
   LLVMValueRef args[MAX_COPY_PARAMS], *function = &find_routine(cg, copy)->function;
   uint32_t count = 0;
   if (copy->imm.copy.polls_first)
      cg_poll_cancel(cg, copy);
   for (uint32_t i = 0; i < copy->num_srcs; i++)
      args[count++] = operand_of(cg, copy->srcs[i]);
   count += copied_memories(cg, copy, args + count);
   args[count++] = cg_mask_bits(cg, ir_written_var(copy) ? cg->exec : cg_effect_mask(cg)); /* variables of helpers count */
   if (!*function)
      *function = make_copy(cg, cg->ir->routines[copy->routine - 1u].code, copy, args, count);
   cg->num_calls++; /* as long as two: addresses and offsets are kept for the next ones */
   cg_call_own(cg, *function, args, count);
}

/* ---- accesses ---- */

static bool is_store(const struct ir_instr *instr)
{
   return instr->num_components == 0;
}

static LLVMTypeRef loaded_type(struct cg *cg, const struct ir_instr *instr)
{
   LLVMTypeRef types[4];
   for (uint32_t c = 0; c < instr->num_components; c++)
      types[c] = value_type(cg, instr);
   return is_store(instr) ? cg->void_type : LLVMStructTypeInContext(cg->context, types, instr->num_components, false);
}

static void return_loaded(struct cg *cg, const struct ir_instr *instr)
{
   LLVMValueRef result = LLVMGetPoison(loaded_type(cg, instr));
   for (uint32_t c = 0; c < instr->num_components; c++)
      result = LLVMBuildInsertValue(cg->b, result, cg_load_row(cg, cg->routine_result, instr->bit_size, c), c, "");
   LLVMBuildRet(cg->b, result);
}

static LLVMValueRef make_access(struct cg *caller, struct ir_shader *code, const struct ir_instr *instr, LLVMValueRef *args, uint32_t num_args)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(caller->b);
   struct cg *cg = begin_memory(caller, code, loaded_type(caller, instr), args, num_args);
   if (is_shared(instr->op))
      cg->shared = LLVMGetParam(cg->fn, num_args - 2);
   cg_frame_finish(cg);
   if (!is_store(instr))
      cg->routine_result = cg_alloca(cg, LLVMArrayType2(value_type(cg, instr), instr->num_components), 64, "loaded");
   emit_code(cg);
   if (is_store(instr))
      LLVMBuildRetVoid(cg->b);
   else
      return_loaded(cg, instr);
   cg_enter(cg, here);
   return cg->fn;
}

void cg_call_access(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t num_srcs = instr->num_srcs - is_store(instr);
   LLVMValueRef args[MAX_ACCESS_PARAMS], *function = &find_routine(cg, instr)->function;
   uint32_t count = 0;
   for (uint32_t i = 0; i < num_srcs; i++)
      args[count++] = operand_of(cg, instr->srcs[i]);
   for (uint32_t c = 0; is_store(instr) && c < instr->srcs[num_srcs]->num_components; c++)
      args[count++] = cg_as_int(cg, cg_vector(cg, instr->srcs[num_srcs], c));
   if (is_shared(instr->op))
      args[count++] = cg->shared;
   args[count++] = cg_mask_bits(cg, ir_info(instr)->flags & IR_EFFECT ? cg_effect_mask(cg) : cg->exec);
   if (!*function)
      *function = make_access(cg, cg->ir->routines[instr->routine - 1u].code, instr, args, count);
   LLVMValueRef loaded = cg_call_own(cg, *function, args, count);
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_set_vector(cg, instr, c, LLVMBuildExtractValue(cg->b, loaded, c, ""));
}
