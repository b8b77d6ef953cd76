/* SPDX-License-Identifier: MIT
 * Accesses of vectors, bytes and half words at an address of each lane's own, of words where the machine takes them lane by lane, and atomic operations
 * there, become calls of one routine for each form that they have, where a shader has very many of them: in line each is up to a hundred instructions of
 * the machine.
 *
 * Requires: analyze/divergence. Does: marks the accesses with a routine of ir_shader.routines, whose inputs are the access's sources, and then the
 * components that a store has; its outputs are what a load gives. Preserves: everything.
 *
 *    %4 = load_buffer 3x32 %1, %2, %3    →     the same ; routine 1
 *    …, 1,000 times                            routine 1:  %0 = load_input 1x64 slot=0
 *                                                          …
 *                                                          %3 = load_buffer 3x32 %0, %1, %2
 *                                                          store_output … */
#include "compiler/ir/passes.h"
#include "util/size.h"

enum {
   LEAST_ACCESSES = 1536, /* of a form: fewer are quicker without calls, around which vectors are in no register */
   LEAST_NARROW = 512,    /* components, each of which is much code */
   LEAST_ATOMICS = 512,
   MAX_FORMS = 32,       /* of more the last ones stay in line */
   MAX_SOURCES = 5,
   MAX_BYTES = 3 << 20, /* that all of them load and store: what outlives a call needs stack, of which a quick machine gives each value its own */
};

struct form {
   const struct ir_instr *first;
   uint32_t count;
   uint16_t routine;
};

struct outline {
   struct ir_shader *shader;
   struct form forms[MAX_FORMS];
   uint32_t num_forms;
   uint64_t num_bytes; /* that calls load and store */
   bool has_changed;
};

static bool is_store(const struct ir_instr *instr)
{
   return instr->num_components == 0;
}

/* What is loaded, or stored. */
static const struct ir_instr *value_of(const struct ir_instr *instr)
{
   return is_store(instr) ? instr->srcs[instr->num_srcs - 1] : instr;
}

static bool is_atomic(const struct ir_instr *instr)
{
   return instr->op == IR_atomic_buffer || instr->op == IR_atomic_shared || instr->op == IR_atomic_global;
}

/* Vectors and narrow components are much code on all machines. */
static bool is_bulky_value(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const struct ir_instr *value = value_of(instr);
   return value->num_components > 1 || value->bit_size < 32 || (is_store(instr) ? shader->goes_apart : shader->loads_apart);
}

static bool is_bulky(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const struct ir_instr *offset;
   switch (instr->op) {
   case IR_load_buffer: case IR_store_buffer: offset = instr->srcs[2]; break;
   case IR_load_shared: case IR_store_shared: case IR_load_global: case IR_store_global: offset = instr->srcs[0]; break;
   case IR_atomic_buffer: return instr->srcs[2]->divergence >= IR_STRIDED;
   case IR_atomic_shared: case IR_atomic_global: return instr->srcs[0]->divergence >= IR_STRIDED;
   default: return false;
   }
   const bool is_apart = offset->divergence == IR_VARYING && !offset->run;
   return is_apart && is_bulky_value(shader, instr) && !(instr->imm.u[0] & (IR_ACCESS_VOLATILE | IR_ACCESS_ATOMIC));
}

static bool is_same(const struct ir_instr *a, const struct ir_instr *b)
{
   const struct ir_instr *x = value_of(a), *y = value_of(b);
   bool is_same = a->op == b->op && x->num_components == y->num_components && x->bit_size == y->bit_size;
   for (uint32_t i = 0; is_same && i < 3; i++)
      is_same = a->imm.u[i] == b->imm.u[i];
   for (uint32_t i = 0; is_same && i < a->num_srcs - is_store(a); i++)
      is_same = ir_is_lane_uniform(a->srcs[i]) == ir_is_lane_uniform(b->srcs[i]);
   return is_same;
}

/* NULL: the instruction stays in line. */
static struct form *find_form(struct outline *o, const struct ir_instr *instr)
{
   if (!is_bulky(o->shader, instr))
      return NULL;
   for (uint32_t i = 0; i < o->num_forms; i++) {
      if (is_same(o->forms[i].first, instr))
         return &o->forms[i];
   }
   if (o->num_forms == MAX_FORMS)
      return NULL;
   o->forms[o->num_forms] = (struct form){.first = instr};
   return &o->forms[o->num_forms++];
}

static void count(struct ir_instr *instr, void *data)
{
   struct form *form = find_form(data, instr);
   if (form)
      form->count++;
}

static struct ir_shader *make_code(struct ir_shader *shader, const struct ir_instr *instr)
{
   struct ir_builder b;
   struct ir_shader *code = ir_routine_create(shader, &b);
   struct ir_instr *srcs[MAX_SOURCES], *components[4];
   const struct ir_instr *value = value_of(instr);
   const uint32_t num_srcs = instr->num_srcs - is_store(instr);
   code->info.shared_bytes = shader->info.shared_bytes;
   for (uint32_t i = 0; i < num_srcs; i++)
      srcs[i] = ir_routine_operand_for(&b, i, instr->srcs[i]);
   for (uint32_t c = 0; is_store(instr) && c < value->num_components; c++)
      components[c] = ir_routine_operand(&b, num_srcs + c, value->bit_size);
   if (is_store(instr))
      srcs[num_srcs] = ir_vec(&b, value->num_components, components);
   struct ir_instr *access = ir_emit(&b, (enum ir_op)instr->op, instr->num_components, instr->bit_size, instr->num_srcs, srcs);
   access->imm = instr->imm;
   for (uint32_t c = 0; c < instr->num_components; c++)
      ir_routine_result(&b, c, ir_extract(&b, access, c));
   ir_routine_end(&b);
   return code;
}

static bool is_frequent(const struct form *form)
{
   const struct ir_instr *value = value_of(form->first);
   if (is_atomic(form->first))
      return form->count >= LEAST_ATOMICS;
   return value->bit_size < 32 ? form->count * value->num_components >= LEAST_NARROW : form->count >= LEAST_ACCESSES;
}

static void choose(struct outline *o, struct form *form)
{
   if (!is_frequent(form))
      return;
   const uint32_t size = o->shader->info.lanes * value_of(form->first)->num_components;
   form->routine = ir_routine_add(o->shader, &(struct ir_routine){.code = make_code(o->shader, form->first), .size = size});
   o->has_changed |= form->routine != 0;
}

static void mark(struct ir_instr *instr, void *data)
{
   struct outline *o = data;
   const struct form *form = find_form(o, instr);
   const struct ir_instr *value = form && form->routine ? value_of(instr) : NULL;
   const uint64_t bytes = value ? util_size_add(o->num_bytes, value->num_components * value->bit_size / 8 * o->shader->info.lanes) : 0;
   if (!value || bytes > MAX_BYTES)
      return;
   o->num_bytes = bytes;
   instr->routine = form->routine;
}

bool ir_outline_accesses(struct ir_shader *shader)
{
   struct outline *o = UTIL_ARENA_NEW(shader->arena, struct outline);
   o->shader = shader;
   ir_for_each(shader, count, o);
   for (uint32_t i = 0; i < o->num_forms; i++)
      choose(o, &o->forms[i]);
   if (o->has_changed)
      ir_for_each(shader, mark, o);
   return o->has_changed;
}
