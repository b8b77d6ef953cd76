/* SPDX-License-Identifier: MIT */
#include "compiler/ir/ir_copy.h"

#include <string.h>

uint32_t ir_copy_num_srcs(enum ir_op op)
{
   return op == IR_undef ? 0 : op == IR_load_buffer || op == IR_store_buffer ? 3 : 1;
}

uint32_t ir_copy_src_bits(enum ir_op op, uint32_t index)
{
   const bool is_buffer = op == IR_load_buffer || op == IR_store_buffer;
   return op == IR_load_global || op == IR_store_global || (is_buffer && index == 0) ? 64 : 32;
}

bool ir_copy_names_var(enum ir_op op)
{
   return op == IR_load_var || op == IR_store_var || op == IR_load_table;
}

struct ir_instr *ir_copy(struct ir_builder *b, const struct ir_copy_form *form, struct ir_instr *const *srcs, struct ir_var *const vars[2])
{
   const uint32_t num_srcs = ir_copy_num_srcs(form->sides[0].op) + ir_copy_num_srcs(form->sides[1].op);
   struct ir_instr *copy = ir_emit(b, IR_copy, 0, 0, num_srcs, srcs);
   copy->imm.copy.form = UTIL_ARENA_NEW(b->shader->arena, struct ir_copy_form);
   *copy->imm.copy.form = *form;
   for (uint32_t s = 0; s < 2; s++)
      copy->imm.copy.vars[s] = vars[s];
   return copy;
}

/* ---- as a loop ---- */

/* From the beginning of the whole to the unit. */
static struct ir_instr *unit_offset(struct ir_builder *b, const struct ir_copy_side *side, struct ir_instr *index)
{
   if (!side->offsets)
      return ir_alu2(b, IR_imul, index, ir_const(b, 32, side->stride));
   struct ir_instr *offset = ir_emit(b, IR_load_table, 1, 32, 1, &index);
   offset->imm.var.var = side->offsets;
   return offset;
}

/* `value`: what is stored; NULL: the side is loaded. */
static struct ir_instr *access_unit(struct ir_builder *b, const struct ir_copy_form *form, uint32_t s, struct ir_instr *const *srcs, struct ir_var *var,
                                    struct ir_instr *index, struct ir_instr *value)
{
   const struct ir_copy_side *side = &form->sides[s];
   const uint32_t num_srcs = ir_copy_num_srcs(side->op);
   struct ir_instr *operands[IR_MAX_COPY_SRCS / 2 + 1], *offset = unit_offset(b, side, index);
   memcpy(operands, srcs, num_srcs * sizeof(struct ir_instr *));
   struct ir_instr **where = &operands[num_srcs - 1];
   if ((*where)->bit_size == 64)
      offset = ir_convert(b, IR_u2u, 64, offset);
   *where = ir_alu2(b, IR_iadd, *where, offset);
   if (side->op == IR_load_table)
      *where = ir_alu2(b, IR_ushr, *where, ir_const(b, 32, (uint32_t)__builtin_ctz(form->bit_size / 8)));
   operands[num_srcs] = value;
   struct ir_instr *access = ir_emit(b, side->op, !value, value ? 0 : form->bit_size, num_srcs + (value != NULL), operands);
   if (ir_names_var(access)) {
      access->imm.var.var = var;
   } else if (side->op == IR_load_push) {
      access->imm.u[0] = side->align;
   } else {
      access->imm.u[0] = side->access;
      access->imm.u[1] = side->align;
   }
   if (value)
      access->imm.u[2] = 1; /* the mask */
   return access;
}

void ir_copy_by_loop(struct ir_builder *b, const struct ir_copy_form *form, struct ir_instr *const *srcs, struct ir_var *const vars[2])
{
   struct ir_instr *zero = ir_const(b, 32, 0), *loop = ir_loop(b, 1, &zero);
   struct ir_region *rounds = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   struct ir_instr *index = rounds->params[0];
   struct ir_builder body = ir_builder_at_end(b->shader, rounds);
   body.line = b->line;
   struct ir_instr *test = ir_if(&body, ir_alu2(&body, IR_ult, index, ir_const(&body, 32, form->count)));
   struct ir_builder arm = ir_builder_at_end(b->shader, test->imm.cf.regions[0]);
   ir_jump(&arm, IR_yield, NULL, 0, NULL);
   arm = ir_builder_at_end(b->shader, test->imm.cf.regions[1]);
   ir_jump(&arm, IR_break, loop, 0, NULL);
   const bool has_source = form->sides[1].op != IR_undef;
   struct ir_instr *const *from = srcs + ir_copy_num_srcs(form->sides[0].op);
   struct ir_instr *unit = has_source ? access_unit(&body, form, 1, from, vars[1], index, NULL) : ir_const(&body, form->bit_size, 0);
   access_unit(&body, form, 0, srcs, vars[0], index, unit);
   struct ir_instr *next = ir_alu2(&body, IR_iadd, index, ir_const(&body, 32, 1));
   ir_jump(&body, IR_continue, loop, 1, &next);
   next = ir_add_param(b->shader, cont, 1, 32);
   body = ir_builder_at_end(b->shader, cont);
   ir_jump(&body, IR_yield, NULL, 1, &next);
}

void ir_copy_expand(struct ir_shader *shader, struct ir_instr *copy)
{
   struct ir_builder b = ir_builder_before(shader, copy);
   ir_copy_by_loop(&b, copy->imm.copy.form, copy->srcs, copy->imm.copy.vars);
   ir_remove(copy);
}

/* ---- which are alike ---- */

static bool is_same_side(const struct ir_copy_side *a, const struct ir_copy_side *b)
{
   return a->op == b->op && a->access == b->access && a->align == b->align && a->stride == b->stride && a->offsets == b->offsets;
}

bool ir_copy_is_same(const struct ir_instr *a, const struct ir_instr *b)
{
   const struct ir_copy_form *x = a->imm.copy.form, *y = b->imm.copy.form;
   bool is_same = x->count == y->count && x->bit_size == y->bit_size;
   for (uint32_t s = 0; is_same && s < 2; s++) {
      const struct ir_var *v = a->imm.copy.vars[s], *w = b->imm.copy.vars[s];
      is_same = is_same_side(&x->sides[s], &y->sides[s]) && (v == w || (v && w && !v->table && !w->table && v->size_bytes == w->size_bytes));
   }
   return is_same;
}
