/* SPDX-License-Identifier: MIT
 * Indices that cannot be too large are not held.
 *
 * Requires: constants folded. Does: of indices that the front end holds below what 32 bits of an offset reach, those that are below anyway:
 *
 *    %2 = umin 1x32 %1, 536870912   ->   %1
 *
 * Preserves: values, of dispatches within the limits of the device. */
#include "compiler/ir/passes.h"

static void drop(struct ir_instr *instr, void *data)
{
   if (instr->op != IR_umin || !ir_is_const(instr->srcs[1]) || !instr->srcs[0]->below || instr->srcs[0]->below - 1 > instr->srcs[1]->imm.c[0])
      return;
   instr->forward = instr->srcs[0];
   ir_remove(instr);
   *(bool *)data = true;
}

bool ir_opt_held(struct ir_shader *shader)
{
   bool has_changed = false;
   ir_analyze_ranges_of_valid(shader);
   ir_for_each(shader, drop, &has_changed);
   ir_forget_ranges(shader);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
