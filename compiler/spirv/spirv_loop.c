/* SPDX-License-Identifier: MIT
 * Counted loops. */
#include "compiler/spirv/spirv_loop.h"

#include "compiler/spirv/memory/spirv_values.h"

struct spirv_loop spirv_loop_begin(struct spirv_ctx *t, struct ir_instr *count)
{
   struct ir_instr *first = spirv_u32(t, 0);
   struct spirv_loop loop = {.instr = ir_loop(&t->b, 1, &first)};
   struct ir_region *body = loop.instr->imm.cf.regions[0];
   loop.behind = t->b;
   loop.index = body->params[0];
   t->b = ir_builder_at_end(t->shader, body);
   t->b.line = loop.behind.line;
   t->b.fp = loop.behind.fp;
   struct ir_instr *branch = ir_if(&t->b, ir_alu2(&t->b, IR_ult, loop.index, count));
   struct ir_builder arm = ir_builder_at_end(t->shader, branch->imm.cf.regions[0]);
   ir_jump(&arm, IR_yield, NULL, 0, NULL);
   arm = ir_builder_at_end(t->shader, branch->imm.cf.regions[1]);
   ir_jump(&arm, IR_break, loop.instr, 0, NULL);
   return loop;
}

void spirv_loop_end(struct spirv_ctx *t, const struct spirv_loop *loop)
{
   struct ir_region *cont = loop->instr->imm.cf.regions[1];
   struct ir_instr *next = ir_alu2(&t->b, IR_iadd, loop->index, spirv_u32(t, 1));
   ir_jump(&t->b, IR_continue, loop->instr, 1, &next);
   next = ir_add_param(t->shader, cont, 1, 32);
   t->b = ir_builder_at_end(t->shader, cont);
   ir_jump(&t->b, IR_yield, NULL, 1, &next);
   t->b = loop->behind;
}
