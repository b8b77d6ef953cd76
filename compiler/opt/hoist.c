/* SPDX-License-Identifier: MIT
 * Loop-invariant values move in front of their loops.
 *
 * Requires: nothing. Does: a pure value, or a load of memory that nobody writes, whose sources are all made outside
 * the loop moves out, as far as that holds. Loads are bounds-checked and no operation traps, so executing one early is
 * harmless; it must only not be wasted: from within an `if` nothing moves but what costs nothing there in both cases.
 * Preserves: structure; order of effects. */
#include "compiler/ir/passes.h"

static bool is_movable(const struct ir_instr *instr)
{
   if (instr->op == IR_param || instr->op == IR_result)
      return false;
   if (ir_info(instr)->flags & IR_PURE)
      return true;
   const bool is_plain_load = instr->op == IR_load_buffer || instr->op == IR_load_global;
   return is_plain_load && instr->imm.u[0] & IR_ACCESS_READ_ONLY && !(instr->imm.u[0] & IR_ACCESS_VOLATILE);
}

static bool is_invariant(const struct ir_instr *instr, const struct ir_instr *loop)
{
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      if (ir_is_inside(instr->srcs[i]->region, loop))
         return false;
   }
   return true;
}

/* `region` is executed in every round of the loop, up to where `*is_always` says. */
static bool hoist_from_region(struct ir_region *region, struct ir_instr *loop, bool is_always)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      const bool is_free = it->op == IR_const || it->op == IR_undef || it->op == IR_sysval;
      if (is_movable(it) && (is_always || is_free) && is_invariant(it, loop)) {
         util_list_remove(&it->link);
         util_list_add_before(&it->link, &loop->link);
         it->region = loop->region;
         has_changed = true;
      }
      for (uint32_t r = 0; r < ir_num_regions(it); r++) {
         const bool runs = is_always && (it->op == IR_block || (it->op == IR_loop && r == 0));
         has_changed |= hoist_from_region(it->imm.cf.regions[r], loop, runs);
      }
   }
   return has_changed;
}

/* Inner loops first: what leaves them may leave the outer ones too. */
static bool process_region(struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(it->imm.cf.regions[r]);
      if (it->op == IR_loop) {
         has_changed |= hoist_from_region(it->imm.cf.regions[0], it, true);
         has_changed |= hoist_from_region(it->imm.cf.regions[1], it, true);
      }
   }
   return has_changed;
}

bool ir_opt_hoist(struct ir_shader *shader)
{
   return process_region(shader->body);
}
