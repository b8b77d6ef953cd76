/* SPDX-License-Identifier: MIT
 * Calls of routines with many operands or results, which pass them in memory, a row of lanes each: the operands in one array or two, of matrices and vectors
 * above all, and the results in another. What a call gives stays there until the last call behind it in its region that takes all of it as one array, which
 * then reads it where it is; who asks for one of the values has it loaded right below the call. Arrays that were written for one call serve the next ones in
 * the same basic block. So a product of two products is a call and no more. */
#include "compiler/llvm/cg_rows.h"

#include <string.h>

enum {
   NUM_WRITTEN = 16, /* arrays of operands that were written last; more than a call has */
   MAX_KEPT_BYTES = 1 << 20, /* of results that are kept */
   MAX_PARAMS = 4 + CG_MAX_POINTERS,
};

struct cg_kept_rows {
   uint32_t *num_takers; /* by the call's index */
   struct cg_rows **results; /* the same; NULL: it was not emitted yet, or is no such call */
   uint32_t num_kept;
   struct written {
      LLVMBasicBlockRef block; /* where it was written; NULL: nowhere */
      LLVMValueRef memory;
      struct ir_instr *operands[CG_MAX_ROWS];
      uint32_t count;
   } written[NUM_WRITTEN];
   uint32_t next_written;
};

bool cg_has_rows(const struct ir_instr *instr)
{
   return instr->num_srcs > CG_MAX_REGISTERS || instr->num_components > 1;
}

/* ---- results ---- */

static bool is_result(const struct ir_instr *operand, const struct ir_instr *call, uint32_t index)
{
   return operand->op == IR_extract && operand->srcs[0] == call && operand->imm.u[0] == index;
}

/* The call that gave the operands in their order, or most of them, in the same region and as often executed; NULL: there is none. */
static const struct ir_instr *producer(struct cg *cg, const struct ir_instr *instr, struct ir_instr *const *operands, uint32_t count, bool *gave_all)
{
   const struct ir_instr *some = operands[count / 2]->op == IR_extract ? operands[count / 2] : operands[0];
   const struct ir_instr *call = some->op == IR_extract ? some->srcs[0] : NULL;
   uint32_t num_given = 0;
   if (!call || !ir_is_call(call) || call->num_components != count || call->bit_size != instr->bit_size || call->region != instr->region)
      return NULL;
   for (uint32_t i = 0; i < count; i++)
      num_given += is_result(operands[i], call, i);
   const struct cg_value *x = cg_value(cg, call), *y = cg_value(cg, instr);
   *gave_all = num_given == count;
   return num_given >= count - count / 4 && x->level == y->level && x->def_segment == y->def_segment ? call : NULL;
}

uint32_t cg_rows_num_first(const struct cg *cg, const struct ir_instr *instr)
{
   const uint32_t count = cg->ir->routines[ir_called_routine(instr) - 1u].num_first;
   return count ? UTIL_MIN(count, instr->num_srcs) : instr->num_srcs;
}

static void note_takers(struct ir_instr *instr, void *data)
{
   struct cg *cg = data;
   if (!ir_is_call(instr) || !cg_has_rows(instr))
      return;
   for (uint32_t first = 0, end = cg_rows_num_first(cg, instr); first < instr->num_srcs; first = end, end = instr->num_srcs) {
      bool gave_all;
      const struct ir_instr *call = producer(cg, instr, instr->srcs + first, end - first, &gave_all);
      if (call)
         cg->kept_rows->num_takers[call->index]++;
   }
}

static struct cg_kept_rows *kept_rows(struct cg *cg)
{
   if (!cg->kept_rows) {
      cg->kept_rows = UTIL_ARENA_NEW(cg->arena, struct cg_kept_rows);
      cg->kept_rows->num_takers = UTIL_ARENA_ARRAY(cg->arena, uint32_t, cg->num_values + 1);
      cg->kept_rows->results = UTIL_ARENA_ARRAY(cg->arena, struct cg_rows *, cg->num_values + 1);
      ir_for_each(cg->ir, note_takers, cg);
   }
   return cg->kept_rows;
}

static LLVMTypeRef array_type(struct cg *cg)
{
   return LLVMArrayType2(cg_vec_type(cg, cg->i64), CG_MAX_ROWS);
}

static uint32_t array_bytes(const struct cg *cg)
{
   return CG_MAX_ROWS * cg_row_bytes(cg, 64);
}

/* After its operands were taken: memory that was theirs alone may be that of the results. */
static struct cg_rows *begin_results(struct cg *cg, const struct ir_instr *instr, LLVMValueRef scratch)
{
   struct cg_kept_rows *kept = kept_rows(cg);
   struct cg_rows *rows = UTIL_ARENA_NEW(cg->arena, struct cg_rows);
   *rows = (struct cg_rows){.memory = scratch, .bit_size = instr->bit_size};
   if (kept->num_takers[instr->index] && kept->num_kept < MAX_KEPT_BYTES / array_bytes(cg) && instr->num_components <= CG_MAX_ROWS) {
      rows->memory = cg_take_var(cg, array_type(cg), "results");
      rows->num_takers = kept->num_takers[instr->index];
      kept->num_kept++;
   }
   return kept->results[instr->index] = rows;
}

/* ---- operands ---- */

static LLVMValueRef find_written(struct cg *cg, struct ir_instr *const *operands, uint32_t count)
{
   const struct cg_kept_rows *kept = cg->kept_rows;
   for (uint32_t i = 0; i < NUM_WRITTEN; i++) {
      const struct written *it = &kept->written[i];
      if (it->block == LLVMGetInsertBlock(cg->b) && it->count == count && !memcmp(it->operands, operands, count * sizeof(struct ir_instr *)))
         return it->memory;
   }
   return NULL;
}

static LLVMValueRef new_written(struct cg *cg, struct ir_instr *const *operands, uint32_t count)
{
   struct cg_kept_rows *kept = cg->kept_rows;
   struct written *it = &kept->written[kept->next_written];
   kept->next_written = (kept->next_written + 1) % NUM_WRITTEN;
   it->memory = it->memory ? it->memory : cg_alloca(cg, array_type(cg), 64, "operands");
   it->block = LLVMGetInsertBlock(cg->b);
   it->count = count;
   memcpy(it->operands, operands, count * sizeof(struct ir_instr *));
   return it->memory;
}

/* `origin`: a call's results, that were most of the operands; NULL: none. */
static LLVMValueRef write_operands(struct cg *cg, struct ir_instr *const *operands, uint32_t count, const struct ir_instr *call, const struct cg_rows *origin,
                                   LLVMValueRef scratch)
{
   LLVMValueRef memory = count <= CG_MAX_ROWS ? new_written(cg, operands, count) : scratch;
   if (origin) {
      const uint32_t align = cg_row_align(cg, origin->bit_size);
      LLVMBuildMemCpy(cg->b, memory, align, origin->memory, align, cg_i64(cg, (uint64_t)count * cg_row_bytes(cg, origin->bit_size)));
   }
   for (uint32_t i = 0; i < count; i++) {
      if (!origin || !is_result(operands[i], call, i))
         cg_store_row(cg, memory, operands[i]->bit_size, i, cg_vector(cg, operands[i], 0));
   }
   return memory;
}

/* All of the operands in one array. */
static LLVMValueRef take_operands(struct cg *cg, struct ir_instr *instr, uint32_t first, uint32_t count, LLVMValueRef scratch)
{
   struct ir_instr *const *operands = instr->srcs + first;
   bool gave_all;
   const struct ir_instr *call = producer(cg, instr, operands, count, &gave_all);
   const struct cg_rows *results = call ? cg->kept_rows->results[call->index] : NULL;
   if (results && !results->num_takers)
      results = NULL;
   if (results && gave_all)
      return results->memory;
   LLVMValueRef memory = find_written(cg, operands, count);
   return memory ? memory : write_operands(cg, operands, count, call, results, scratch);
}

static void give_back(struct cg *cg, struct ir_instr *instr, uint32_t first, uint32_t count)
{
   bool gave_all;
   const struct ir_instr *call = producer(cg, instr, instr->srcs + first, count, &gave_all);
   struct cg_rows *results = call ? cg->kept_rows->results[call->index] : NULL;
   if (!results || !results->num_takers || --results->num_takers)
      return;
   cg_give_var(cg, array_type(cg), results->memory);
   cg->kept_rows->num_kept--;
}

/* Memory for the rows of any call. */
static LLVMValueRef scratch_rows(struct cg *cg, uint32_t count)
{
   if (cg->num_call_rows < count) {
      cg->call_rows = cg_alloca(cg, LLVMArrayType2(cg_vec_type(cg, cg->i64), count), 64, "rows");
      cg->num_call_rows = count;
   }
   return cg->call_rows;
}

/* ---- calls ---- */

LLVMTypeRef cg_rows_function_type(struct cg *cg, const struct ir_instr *instr, uint32_t num_pointers)
{
   LLVMTypeRef params[MAX_PARAMS];
   const uint32_t has_others = cg_rows_num_first(cg, instr) < instr->num_srcs;
   uint32_t count = 0;
   while (count < 2 + has_others + num_pointers) /* operands, others, the pointers, results */
      params[count++] = cg->ptr;
   params[count++] = cg->i32;
   return LLVMFunctionType(cg->void_type, params, count, false);
}

void cg_call_with_rows(struct cg *cg, struct ir_instr *instr, LLVMValueRef function, const LLVMValueRef *pointers, uint32_t num_pointers,
                       LLVMValueRef lanes)
{
   const uint32_t count = cg_rows_num_first(cg, instr), num_others = instr->num_srcs - count;
   LLVMValueRef scratch = scratch_rows(cg, instr->num_srcs + instr->num_components), args[MAX_PARAMS];
   uint32_t num_args = 0;
   kept_rows(cg);
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      if (instr->srcs[i]->bit_size != instr->bit_size)
         cg_fail(cg, "operands of a call of several sizes");
   }
   args[num_args++] = take_operands(cg, instr, 0, count, scratch);
   if (num_others)
      args[num_args++] = take_operands(cg, instr, count, num_others, cg_gep_const(cg, scratch, count * cg_row_bytes(cg, 64)));
   give_back(cg, instr, 0, count);
   if (num_others)
      give_back(cg, instr, count, num_others);
   struct cg_rows *results = begin_results(cg, instr, cg_gep_const(cg, scratch, instr->num_srcs * cg_row_bytes(cg, 64)));
   for (uint32_t i = 0; i < num_pointers; i++)
      args[num_args++] = pointers[i];
   args[num_args++] = results->memory;
   args[num_args++] = lanes;
   results->call = cg_call_own(cg, function, args, num_args);
   for (uint32_t i = 0; i < instr->num_components; i++)
      cg_set_row(cg, instr, i, results);
}
