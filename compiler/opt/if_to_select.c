/* SPDX-License-Identifier: MIT
 * Small ifs without effects become selects: both sides are computed, no branch or mask is needed.
 *
 * Requires: nothing. Does: an `if` whose sides hold only cheap pure arithmetic and end in yield is replaced by these
 * instructions and one select for each result. What all invocations share, loads too, is made once for many vectors: it counts little.
 * Inner ifs first, so that nests go as well. Preserves: the rest of the structure.
 *
 *    %3 1x32 = if %0 {                %2 = iadd 1x32 %1, %1
 *       %2 = iadd 1x32 %1, %1    →    %3 = select 1x32 %0, %2, %1
 *       yield %2
 *    } else {
 *       yield %1
 *    } */
#include "compiler/ir/passes.h"
#include "compiler/opt/shared.h"

enum { MAX_COST = 10, TOO_MUCH = 1000, MAX_SHARED = 48 /* instructions of a side */ };

/* About how many machine instructions a vector of them takes. */
static uint32_t cost(const struct ir_instr *instr)
{
   switch ((enum ir_op)instr->op) {
   case IR_const:
   case IR_undef:
   case IR_vec:
   case IR_extract:
   case IR_sysval:
      return 0;
   case IR_imulh:
   case IR_umulh:
   case IR_bitreverse:
   case IR_bitcount:
   case IR_find_lsb:
   case IR_find_umsb:
   case IR_find_imsb:
   case IR_load_push:
   case IR_load_table:
      return 3;
   case IR_fdiv:
   case IR_fsqrt:
      return 5;
   case IR_idiv:
   case IR_udiv:
   case IR_irem:
   case IR_imod:
   case IR_umod:
      return TOO_MUCH;
   default:
      if (!(ir_info(instr)->flags & IR_PURE) || (instr->op >= IR_fmod && instr->op <= IR_ffrexp_exp) ||
          !(ir_info(instr)->flags & IR_SCALAR))
         return TOO_MUCH;
      return 1;
   }
}

static uint32_t region_cost(const struct ir_region *region)
{
   uint32_t sum = 0, num_shared = 0;
   IR_FOR_EACH (it, region) {
      if (ir_is_jump(it))
         return it->op == IR_yield ? sum : TOO_MUCH;
      if (it->pass_flags & IR_SHARED && num_shared++ < MAX_SHARED)
         continue;
      sum += cost(it);
      if (sum > MAX_COST)
         return TOO_MUCH;
   }
   return TOO_MUCH;
}

static struct ir_instr *select_value(struct ir_builder *b, struct ir_instr *condition, struct ir_instr *x,
                                     struct ir_instr *y)
{
   struct ir_instr *parts[4];
   if (x == y)
      return x;
   for (uint32_t i = 0; i < x->num_components; i++)
      parts[i] = ir_select(b, condition, ir_extract(b, x, i), ir_extract(b, y, i));
   return ir_vec(b, x->num_components, parts);
}

static void move_out(struct ir_instr *construct, struct ir_region *region)
{
   IR_FOR_EACH (it, region) {
      if (ir_is_jump(it))
         break;
      util_list_remove(&it->link);
      util_list_add_before(&it->link, &construct->link);
      it->region = construct->region;
   }
}

static bool try_select(struct ir_shader *shader, struct ir_instr *construct)
{
   const uint32_t costs[2] = {region_cost(construct->imm.cf.regions[0]), region_cost(construct->imm.cf.regions[1])};
   if (costs[0] + costs[1] + construct->imm.cf.num_results > MAX_COST)
      return false;
   const struct ir_instr *yields[2];
   for (uint32_t r = 0; r < 2; r++) {
      yields[r] = ir_terminator(construct->imm.cf.regions[r]);
      move_out(construct, construct->imm.cf.regions[r]);
   }
   struct ir_builder b = ir_builder_before(shader, construct);
   for (uint32_t i = 0; i < construct->imm.cf.num_results; i++) {
      struct ir_instr *x = ir_resolve(yields[0]->srcs[i]), *y = ir_resolve(yields[1]->srcs[i]);
      construct->imm.cf.results[i]->forward = select_value(&b, ir_resolve(construct->srcs[0]), x, y);
   }
   ir_remove(construct); /* its results go when the walk comes to them */
   return true;
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
      if (it->op == IR_if)
         has_changed |= try_select(shader, it);
      else if (it->op == IR_result && it->forward)
         ir_remove(it);
   }
   return has_changed;
}

bool ir_opt_if_to_select(struct ir_shader *shader)
{
   ir_mark_shared(shader);
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
