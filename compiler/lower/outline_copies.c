/* SPDX-License-Identifier: MIT
 * Loops that copy memory become calls of one routine for each form that they have, where a shader has many of them: a copy of a structure is three words of
 * SPIR-V, and would be a loop of its own.
 *
 * Requires: analyze/divergence. Does: marks the loops with a routine of ir_shader.routines, whose inputs are what they take from outside; code generation
 * calls it instead of what stands in them. Preserves: everything, as the routine does the same in the same order; analyses of the loops.
 *
 *    loop @L %0 { … store_buffer %7, %8, %9, %10 … }     →     the same ; routine 1
 *    …, 100 times                                              routine 1:  %0 = load_input 1x64 slot=0
 *                                                                          …
 *                                                                          loop @L %4 { … } */
#include "compiler/ir/copy_loop.h"
#include "compiler/ir/passes.h"

enum {
   LEAST_LOOPS = 32, /* of a form */
   MAX_FORMS = 64,   /* of more the last ones stay loops */
   MAX_COUNT = 4096, /* rounds: nobody asks within a routine whether the device is lost */
};

struct form {
   struct ir_copy_loop first;
   uint32_t count;
   uint16_t routine;
};

struct outline {
   struct ir_shader *shader;
   struct form *forms[MAX_FORMS];
   uint32_t num_forms;
   struct ir_copy_loop copy; /* that is looked at */
   bool has_changed;
};

/* NULL: it is no such loop, or there are too many forms. */
static struct form *find_form(struct outline *o, struct ir_instr *instr)
{
   if (instr->op != IR_loop || !ir_copy_loop_find(instr, &o->copy) || o->copy.count > MAX_COUNT)
      return NULL;
   for (uint32_t i = 0; i < o->num_forms; i++) {
      if (ir_copy_loop_is_same(&o->forms[i]->first, &o->copy))
         return o->forms[i];
   }
   if (o->num_forms == MAX_FORMS)
      return NULL;
   struct form *form = UTIL_ARENA_NEW(o->shader->arena, struct form);
   form->first = o->copy;
   return o->forms[o->num_forms++] = form;
}

static void count(struct ir_instr *instr, void *data)
{
   struct form *form = find_form(data, instr);
   if (form)
      form->count++;
}

/* A variable for each access; a table is the same. */
static struct ir_var *copy_var(struct ir_shader *code, const struct ir_var *var)
{
   struct ir_var *copy = ir_var_create(code, var->size_bytes, "copied");
   copy->class = var->class;
   copy->table = var->table;
   return copy;
}

/* The loop's instructions, with what the routine has for their sources. */
static void write_body(struct ir_builder *b, const struct ir_copy_loop *copy, struct ir_instr *index, struct ir_instr *const *operands)
{
   struct ir_instr *values[IR_COPY_INSTRS], *srcs[4];
   uint32_t num_operands = 0;
   for (uint32_t i = 0; i < copy->num_instrs; i++) {
      const struct ir_instr *instr = copy->instrs[i];
      for (uint32_t s = 0; s < instr->num_srcs; s++) {
         struct ir_instr *value = instr->srcs[s];
         const uint32_t number = ir_copy_number(copy, value);
         if (value == copy->index)
            srcs[s] = index;
         else if (number < copy->num_instrs)
            srcs[s] = values[number];
         else if (ir_copy_keeps_constant(copy, instr, s))
            srcs[s] = ir_const(b, value->bit_size, value->imm.c[0]);
         else
            srcs[s] = operands[num_operands++];
      }
      values[i] = ir_emit(b, (enum ir_op)instr->op, instr->num_components, instr->bit_size, instr->num_srcs, srcs);
      values[i]->imm = instr->imm;
      if (ir_names_var(instr))
         values[i]->imm.var.var = copy_var(b->shader, instr->imm.var.var);
   }
}

static struct ir_shader *make_code(struct ir_shader *shader, const struct ir_copy_loop *copy)
{
   struct ir_builder b, body, arm;
   struct ir_shader *code = ir_routine_create(shader, &b);
   struct ir_instr *operands[IR_COPY_OPERANDS];
   code->info.shared_bytes = shader->info.shared_bytes;
   for (uint32_t i = 0; i < copy->num_operands; i++) {
      operands[i] = ir_routine_operand(&b, i, copy->operands[i]->bit_size);
      operands[i]->imm.u[1] = ir_copy_operand_is_uniform(copy->operands[i]);
   }
   struct ir_instr *zero = ir_const(&b, 32, 0), *loop = ir_loop(&b, 1, &zero);
   struct ir_region *rounds = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   struct ir_instr *index = rounds->params[0];
   body = ir_builder_at_end(code, rounds);
   struct ir_instr *test = ir_if(&body, ir_alu2(&body, IR_ult, index, ir_const(&body, 32, copy->count)));
   arm = ir_builder_at_end(code, test->imm.cf.regions[0]);
   ir_jump(&arm, IR_yield, NULL, 0, NULL);
   arm = ir_builder_at_end(code, test->imm.cf.regions[1]);
   ir_jump(&arm, IR_break, loop, 0, NULL);
   write_body(&body, copy, index, operands);
   struct ir_instr *step = ir_alu2(&body, IR_iadd, index, ir_const(&body, 32, 1));
   ir_jump(&body, IR_continue, loop, 1, &step);
   step = ir_add_param(code, cont, 1, 32);
   body = ir_builder_at_end(code, cont);
   ir_jump(&body, IR_yield, NULL, 1, &step);
   ir_routine_end(&b);
   return code;
}

static void choose(struct outline *o, struct form *form)
{
   if (form->count < LEAST_LOOPS)
      return;
   struct ir_shader *code = make_code(o->shader, &form->first);
   const uint32_t size = ir_shader_renumber(code) * form->first.count;
   form->routine = ir_routine_add(o->shader, &(struct ir_routine){.code = code, .size = size});
   o->has_changed |= form->routine != 0;
}

static void mark(struct ir_instr *instr, void *data)
{
   const struct form *form = find_form(data, instr);
   if (form)
      instr->routine = form->routine;
}

bool ir_outline_copies(struct ir_shader *shader)
{
   struct outline *o = UTIL_ARENA_NEW(shader->arena, struct outline);
   o->shader = shader;
   ir_for_each(shader, count, o);
   for (uint32_t i = 0; i < o->num_forms; i++)
      choose(o, o->forms[i]);
   if (o->has_changed)
      ir_for_each(shader, mark, o);
   return o->has_changed;
}
