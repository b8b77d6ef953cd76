/* SPDX-License-Identifier: MIT
 * Indices that cannot be too large are not held, and not compared.
 *
 * Requires: constants folded. Does: of indices that the front end holds below what 32 bits of an offset reach, or compares with that, those that are below
 * anyway:
 *
 *    %2 = umin 1x32 %1, 16777216   ->   %1
 *    %2 = ult 1x1 %1, 536870912    ->   %2 = const 1x1 1
 *
 * Preserves: values, of dispatches within the limits of the device. */
#include "compiler/ir/passes.h"

struct drop {
   struct ir_shader *shader;
   bool has_changed;
};

static void visit(struct ir_instr *instr, void *data)
{
   struct drop *drop = data;
   if ((instr->op != IR_umin && instr->op != IR_ult) || !ir_is_const(instr->srcs[1]) || !instr->srcs[0]->below)
      return;
   const uint64_t max = instr->srcs[0]->below - 1, limit = instr->srcs[1]->imm.c[0];
   if (instr->op == IR_umin ? max > limit : max >= limit)
      return;
   struct ir_builder b = ir_builder_before(drop->shader, instr);
   instr->forward = instr->op == IR_umin ? instr->srcs[0] : ir_const(&b, 1, 1);
   ir_remove(instr);
   drop->has_changed = true;
}

bool ir_opt_held(struct ir_shader *shader)
{
   struct drop drop = {.shader = shader};
   ir_analyze_ranges_of_valid(shader);
   ir_for_each(shader, visit, &drop);
   ir_forget_ranges(shader);
   if (drop.has_changed)
      ir_resolve_all(shader);
   return drop.has_changed;
}
