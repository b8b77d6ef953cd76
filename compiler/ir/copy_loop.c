/* SPDX-License-Identifier: MIT */
#include "compiler/ir/copy_loop.h"

#include <string.h>

bool ir_copy_operand_is_uniform(const struct ir_instr *operand)
{
   return operand->divergence <= IR_SUBGROUP_UNIFORM;
}

static struct ir_instr *sole_jump(const struct ir_region *region, enum ir_op op)
{
   struct ir_instr *jump = ir_terminator(region);
   return jump && jump->op == op && jump->link.prev == &region->instrs ? jump : NULL;
}

static struct ir_instr *next(const struct ir_instr *instr)
{
   return UTIL_CONTAINER_OF(instr->link.next, struct ir_instr, link);
}

static bool is_constant(const struct ir_instr *value, uint64_t number)
{
   return ir_is_const(value) && value->num_components == 1 && value->imm.c[0] == number;
}

/* `if index < count, else leave`, which the body begins with; NULL: it begins with something else. */
static struct ir_instr *find_test(struct ir_copy_loop *copy, const struct ir_region *body)
{
   struct ir_instr *test = UTIL_CONTAINER_OF(body->instrs.next, struct ir_instr, link);
   if (test->op != IR_ult || test->srcs[0] != copy->index || !ir_is_const(test->srcs[1]))
      return NULL;
   struct ir_instr *branch = next(test);
   if (branch->op != IR_if || branch->srcs[0] != test || branch->imm.cf.num_results)
      return NULL;
   const struct ir_instr *leave = sole_jump(branch->imm.cf.regions[1], IR_break);
   if (!sole_jump(branch->imm.cf.regions[0], IR_yield) || !leave || leave->imm.cf.target != copy->loop)
      return NULL;
   copy->count = (uint32_t)test->srcs[1]->imm.c[0];
   return branch;
}

/* What adds one to the index; NULL: something else happens to it. */
static struct ir_instr *find_step(const struct ir_copy_loop *copy, const struct ir_region *body, const struct ir_region *cont)
{
   const struct ir_instr *jump = ir_terminator(body), *back = sole_jump(cont, IR_yield);
   if (jump->op != IR_continue || jump->imm.cf.target != copy->loop || jump->num_srcs != 1 || !back || back->srcs[0] != cont->params[0])
      return NULL;
   struct ir_instr *step = jump->srcs[0];
   return step->op == IR_iadd && step->region == body && step->srcs[0] == copy->index && is_constant(step->srcs[1], 1) ? step : NULL;
}

uint32_t ir_copy_number(const struct ir_copy_loop *copy, const struct ir_instr *value)
{
   uint32_t i = 0;
   while (i < copy->num_instrs && copy->instrs[i] != value)
      i++;
   return i;
}

bool ir_copy_keeps_constant(const struct ir_copy_loop *copy, const struct ir_instr *instr, uint32_t index)
{
   return ir_is_const(instr->srcs[index]) && (instr->op != IR_iadd || instr->srcs[!index] == copy->index);
}

static bool add_word(struct ir_copy_loop *copy, uint32_t word)
{
   if (copy->num_words == IR_COPY_FORM)
      return false;
   copy->form[copy->num_words++] = word;
   return true;
}

static bool add_source(struct ir_copy_loop *copy, const struct ir_instr *instr, uint32_t index)
{
   enum { INDEX = 1 << 16, CONSTANT, OPERAND };
   struct ir_instr *value = instr->srcs[index];
   const uint32_t number = ir_copy_number(copy, value);
   if (value == copy->index)
      return add_word(copy, INDEX);
   if (number < copy->num_instrs)
      return add_word(copy, number);
   if (value->region && ir_is_inside(value->region, copy->loop))
      return false; /* what counts */
   if (ir_copy_keeps_constant(copy, instr, index))
      return value->num_components == 1 && add_word(copy, CONSTANT) && add_word(copy, (uint32_t)value->imm.c[0]) &&
             add_word(copy, (uint32_t)(value->imm.c[0] >> 32)) && add_word(copy, value->bit_size);
   if (copy->num_operands == IR_COPY_OPERANDS || value->num_components != 1 || value->bit_size < 8)
      return false;
   copy->operands[copy->num_operands++] = value;
   return add_word(copy, OPERAND) && add_word(copy, value->bit_size) && add_word(copy, ir_copy_operand_is_uniform(value));
}

static bool add_memory(struct ir_copy_loop *copy, struct ir_instr *instr)
{
   if (copy->num_memories == IR_COPY_MEMORIES)
      return false;
   copy->memories[copy->num_memories++] = instr;
   return true;
}

/* What it does, beside its sources. */
static bool add_operation(struct ir_copy_loop *copy, struct ir_instr *instr)
{
   if (!add_word(copy, instr->op) || !add_word(copy, instr->bit_size) || !add_word(copy, instr->num_components))
      return false;
   switch (instr->op) {
   case IR_iadd: case IR_imul: case IR_ishl: case IR_ushr: case IR_iand: case IR_udiv: case IR_umod: case IR_u2u: case IR_i2i: case IR_vec:
      return true;
   case IR_extract:
      return add_word(copy, instr->imm.u[0]);
   case IR_load_table:
      return add_word(copy, instr->imm.var.var->index);
   case IR_load_var:
      return instr->imm.var.var->class == IR_VAR_PLAIN && add_word(copy, instr->imm.var.var->size_bytes) && add_memory(copy, instr);
   case IR_store_var:
      copy->stores_vars = true;
      return instr->imm.var.var->class == IR_VAR_PLAIN && add_word(copy, instr->imm.var.var->size_bytes) && add_word(copy, instr->imm.var.mask) &&
             add_memory(copy, instr);
   case IR_load_push:
      return add_word(copy, instr->imm.u[0]) && add_memory(copy, instr);
   case IR_store_buffer: case IR_store_shared: case IR_store_global:
      copy->stores_others = true;
      break;
   case IR_load_buffer: case IR_load_shared: case IR_load_global:
      break;
   default:
      return false;
   }
   const bool is_shared = instr->op == IR_load_shared || instr->op == IR_store_shared;
   return add_word(copy, instr->imm.u[0]) && add_word(copy, instr->imm.u[1]) && add_word(copy, instr->imm.u[2]) && (!is_shared || add_memory(copy, instr));
}

static bool add_instr(struct ir_copy_loop *copy, struct ir_instr *instr)
{
   if (copy->num_instrs == IR_COPY_INSTRS || !add_operation(copy, instr))
      return false;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      if (!add_source(copy, instr, i))
         return false;
   }
   copy->instrs[copy->num_instrs++] = instr;
   return true;
}

bool ir_copy_loop_find(struct ir_instr *loop, struct ir_copy_loop *copy)
{
   struct ir_region *body = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   copy->num_instrs = copy->num_operands = copy->num_memories = copy->num_words = 0;
   copy->stores_vars = copy->stores_others = false;
   if (loop->op != IR_loop || loop->imm.cf.num_results || body->num_params != 1 || cont->num_params != 1 || !is_constant(loop->srcs[0], 0))
      return false;
   copy->loop = loop;
   copy->index = body->params[0];
   const struct ir_instr *test = copy->index->bit_size == 32 ? find_test(copy, body) : NULL;
   const struct ir_instr *step = test ? find_step(copy, body, cont) : NULL, *end = ir_terminator(body);
   if (!step || !add_word(copy, copy->count))
      return false;
   for (struct ir_instr *it = next(test); it != end; it = next(it)) {
      if (it != step && !add_instr(copy, it))
         return false;
   }
   return copy->stores_vars != copy->stores_others; /* which lanes do it is one question */
}

bool ir_copy_loop_is_same(const struct ir_copy_loop *a, const struct ir_copy_loop *b)
{
   return a->num_words == b->num_words && !memcmp(a->form, b->form, a->num_words * sizeof(*a->form));
}
