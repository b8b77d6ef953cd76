/* SPDX-License-Identifier: MIT
 * Copies of memory become calls of one routine for each form that they have, where a shader has many of them, and loops where it has few: a copy of a
 * structure is three words of SPIR-V, and would be a loop of its own.
 *
 * ir_expand_copies() requires nothing; it makes loops of those that are few, that are long, and of all of shaders that are instrumented, and of routines.
 * ir_outline_copies() requires analyze/divergence; it marks the others with a routine of ir_shader.routines, whose inputs are their sources. Both preserve
 * everything: the routine is the loop.
 *
 *    copy %1, %2, %3, %4 count=5 bits=32 …     →     the same ; routine 1
 *    …, 100 times                                    routine 1:  %0 = load_input 1x64 slot=0
 *                                                                …
 *                                                                loop @L %4 { … } */
#include "compiler/ir/ir_copy.h"
#include "compiler/ir/passes.h"

enum {
   MAX_FORMS = 32,   /* of more the last ones become loops */
   MAX_COUNT = 4096, /* units: nobody asks within a routine whether the device is lost */
};

/* ---- loops ---- */

struct expansion {
   struct ir_shader *shader;
   struct {
      const struct ir_instr *first;
      uint32_t count;
   } forms[MAX_FORMS];
   uint32_t num_forms;
   bool has_changed;
};

/* Its number; MAX_FORMS: there are too many. */
static uint32_t find_form(struct expansion *e, const struct ir_instr *copy)
{
   uint32_t i = 0;
   while (i < e->num_forms && !ir_copy_is_same(e->forms[i].first, copy))
      i++;
   if (i == e->num_forms && i < MAX_FORMS)
      e->forms[e->num_forms++].first = copy;
   return i;
}

static bool is_callable(const struct expansion *e, const struct ir_instr *copy)
{
   return !e->shader->checks && !ir_is_routine(e->shader) && copy->imm.copy.form->count <= MAX_COUNT;
}

static void count(struct ir_instr *instr, void *data)
{
   struct expansion *e = data;
   const uint32_t i = instr->op == IR_copy && is_callable(e, instr) ? find_form(e, instr) : MAX_FORMS;
   if (i < MAX_FORMS)
      e->forms[i].count++;
}

static void expand(struct ir_instr *instr, void *data)
{
   struct expansion *e = data;
   if (instr->op != IR_copy)
      return;
   const uint32_t i = is_callable(e, instr) ? find_form(e, instr) : MAX_FORMS;
   if (i < MAX_FORMS && e->forms[i].count >= IR_FEW_COPIES)
      return;
   ir_copy_expand(e->shader, instr);
   e->has_changed = true;
}

bool ir_expand_copies(struct ir_shader *shader)
{
   struct expansion e = {.shader = shader};
   ir_for_each(shader, count, &e);
   ir_for_each(shader, expand, &e);
   return e.has_changed;
}

/* ---- calls ---- */

/* Copies with the same code, of the same of whose sources one value is for all lanes. */
struct form {
   struct form *next;
   const struct ir_instr *first;
   uint16_t routine;
};

struct outline {
   struct ir_shader *shader;
   struct form *forms;
};

static bool is_same(const struct ir_instr *a, const struct ir_instr *b)
{
   bool is_same = ir_copy_is_same(a, b);
   for (uint32_t i = 0; is_same && i < a->num_srcs; i++)
      is_same = ir_is_lane_uniform(a->srcs[i]) == ir_is_lane_uniform(b->srcs[i]);
   return is_same;
}

/* A variable for each that is named; a table is the same. */
static struct ir_var *copy_var(struct ir_shader *code, const struct ir_var *var)
{
   if (!var)
      return NULL;
   struct ir_var *copy = ir_var_create(code, var->size_bytes, "copied");
   copy->class = var->class;
   copy->table = var->table;
   return copy;
}

static struct ir_shader *make_code(struct ir_shader *shader, const struct ir_instr *copy)
{
   struct ir_builder b;
   struct ir_shader *code = ir_routine_create(shader, &b);
   struct ir_copy_form form = *copy->imm.copy.form;
   struct ir_instr *srcs[IR_MAX_COPY_SRCS];
   struct ir_var *vars[2];
   code->info.shared_bytes = shader->info.shared_bytes;
   for (uint32_t i = 0; i < copy->num_srcs; i++)
      srcs[i] = ir_routine_operand_for(&b, i, copy->srcs[i]);
   for (uint32_t s = 0; s < 2; s++) {
      vars[s] = copy_var(code, copy->imm.copy.vars[s]);
      form.sides[s].offsets = copy_var(code, form.sides[s].offsets);
   }
   ir_copy_by_loop(&b, &form, srcs, vars);
   ir_routine_end(&b);
   return code;
}

static void outline(struct ir_instr *instr, void *data)
{
   struct outline *o = data;
   if (instr->op != IR_copy)
      return;
   struct form *form = o->forms;
   while (form && !is_same(form->first, instr))
      form = form->next;
   if (!form) {
      form = UTIL_ARENA_NEW(o->shader->arena, struct form);
      struct ir_shader *code = make_code(o->shader, instr);
      const uint32_t size = ir_shader_renumber(code) * instr->imm.copy.form->count;
      *form = (struct form){.next = o->forms, .first = instr, .routine = ir_routine_add(o->shader, &(struct ir_routine){.code = code, .size = size})};
      o->forms = form;
   }
   instr->routine = form->routine;
}

bool ir_outline_copies(struct ir_shader *shader)
{
   struct outline o = {.shader = shader};
   ir_for_each(shader, outline, &o);
   return o.forms != NULL;
}
