/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/instructions/spirv_formula.h"

enum {
   MAX_WRITTEN = 8192, /* operations of a lane's 32 bits; see lower/outline.c, which counts the same */
   LEAST_MOVED = 16,
};

/* A formula that was met, for one size of floats and one environment of theirs. */
struct spirv_routine {
   struct spirv_routine *next;
   struct spirv_formula formula;
   uint8_t bits, fp;
   uint16_t routine; /* 0: there is none yet */
   uint32_t size;    /* operations; 0: it has not been written yet */
};

static bool is_same(const struct spirv_formula *a, const struct spirv_formula *b)
{
   return a->write == b->write && a->columns == b->columns && a->rows == b->rows && a->others == b->others && a->fuses == b->fuses;
}

static struct spirv_routine *find(struct spirv_ctx *t, const struct spirv_formula *formula, uint8_t bits)
{
   for (struct spirv_routine *it = t->routines; it; it = it->next) {
      if (is_same(&it->formula, formula) && it->bits == bits && it->fp == t->b.fp)
         return it;
   }
   struct spirv_routine *routine = UTIL_ARENA_NEW(t->arena, struct spirv_routine);
   *routine = (struct spirv_routine){.next = t->routines, .formula = *formula, .bits = bits, .fp = t->b.fp};
   t->routines = routine;
   return routine;
}

/* Of writing it once more. */
static uint32_t cost(const struct spirv_routine *routine)
{
   return routine->size * UTIL_MAX(routine->bits / 32u, 1u);
}

/* Of a call instead, in the same: of operands that the first matrix is not, which the call before gave or had too, and of results. */
static uint32_t call_cost(const struct spirv_formula *formula)
{
   return formula->num_operands - formula->columns * formula->rows + formula->num_results;
}

/* Instead of writing it once more. */
static bool is_called(const struct spirv_ctx *t, const struct spirv_formula *formula, const struct spirv_routine *routine)
{
   if (t->shader->checks) /* where values are watched each operation is one */
      return false;
   if (formula->moves)
      return t->calls_formulas && formula->num_results >= LEAST_MOVED;
   return t->num_written + cost(routine) > MAX_WRITTEN && cost(routine) > call_cost(formula);
}

static uint16_t make_routine(struct spirv_ctx *t, const struct spirv_routine *routine)
{
   const struct ir_builder saved = t->b;
   struct ir_instr *operands[SPIRV_MAX_OPERANDS], *results[SPIRV_MAX_RESULTS];
   struct ir_shader *code = ir_routine_create(t->shader, &t->b);
   for (uint32_t i = 0; i < routine->formula.num_operands; i++)
      operands[i] = ir_routine_operand(&t->b, i, routine->bits);
   t->b.fp = routine->fp;
   routine->formula.write(t, &routine->formula, operands, results);
   for (uint32_t i = 0; i < routine->formula.num_results; i++)
      ir_routine_result(&t->b, i, results[i]);
   ir_routine_end(&t->b);
   t->b = saved;
   return ir_routine_add(t->shader, &(struct ir_routine){.code = code, .size = routine->size, .is_from_spirv = true, .sees_bits = routine->formula.has_bits,
                                                          .num_first = (uint32_t)routine->formula.columns * routine->formula.rows});
}

static void write_here(struct spirv_ctx *t, struct spirv_routine *routine, struct ir_instr *const *operands, struct ir_instr **results)
{
   const uint32_t before = t->shader->num_values;
   routine->formula.write(t, &routine->formula, operands, results);
   routine->size = t->shader->num_values - before;
   t->num_written += cost(routine);
}

void spirv_apply(struct spirv_ctx *t, struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   for (uint32_t i = 1; i < formula->num_operands; i++) {
      if (operands[i]->bit_size != operands[0]->bit_size)
         spirv_fail(t, "operands of %u and %u bits", operands[0]->bit_size, operands[i]->bit_size);
   }
   const uint8_t fp = t->b.fp;
   formula->fuses = fp & IR_FP_CONTRACT;
   t->b.fp &= IR_FP_RTZ | IR_FP_FLUSH_DENORM;
   struct spirv_routine *routine = find(t, formula, operands[0]->bit_size);
   const bool is_one = is_called(t, formula, routine);
   if (is_one && !routine->routine)
      routine->routine = make_routine(t, routine);
   if (!is_one || !routine->routine) {
      write_here(t, routine, operands, results);
   } else {
      struct ir_instr *call = ir_emit(&t->b, IR_call, formula->num_results, operands[0]->bit_size, formula->num_operands, operands);
      call->imm.u[0] = routine->routine;
      call->imm.u[1] = formula->has_bits;
      t->calls_formulas = true;
      for (uint32_t i = 0; i < formula->num_results; i++)
         results[i] = ir_extract(&t->b, call, i);
   }
   t->b.fp = fp;
}
