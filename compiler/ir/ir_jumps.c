/* SPDX-License-Identifier: MIT
 * Lists of jumps by their target; removal of params and results in bulk. */
#include "compiler/ir/ir_jumps.h"

#include <string.h>

static void add(struct util_arena *arena, struct ir_jump_list *list, struct ir_instr *jump)
{
   if (list->count == list->capacity) {
      list->capacity = list->capacity ? list->capacity * 2 : 4;
      struct ir_instr **larger = util_arena_alloc(arena, list->capacity * sizeof(*larger));
      if (list->count)
         memcpy(larger, list->jumps, list->count * sizeof(*larger));
      list->jumps = larger;
   }
   list->jumps[list->count++] = jump;
}

static void collect(struct ir_instr *instr, void *data)
{
   struct ir_shader *shader = data;
   if (ir_is_construct(instr)) {
      instr->pass_data = UTIL_ARENA_NEW(shader->arena, struct ir_construct_jumps);
      return;
   }
   if (!ir_is_jump(instr))
      return;
   struct ir_instr *target = instr->op == IR_yield ? instr->region->owner : instr->imm.cf.target;
   if (!target || (instr->op == IR_yield && target->op == IR_loop))
      return;
   struct ir_construct_jumps *jumps = target->pass_data;
   add(shader->arena, instr->op == IR_continue ? &jumps->continues : &jumps->exits, instr);
}

void ir_collect_jumps(struct ir_shader *shader)
{
   ir_for_each(shader, collect, shader);
}

struct ir_instr *ir_join_of(const struct ir_instr *instr, uint32_t i)
{
   if (instr->op == IR_loop)
      return instr->imm.cf.regions[0]->params[i];
   if (!ir_is_jump(instr))
      return NULL;
   const struct ir_instr *target = instr->op == IR_yield ? instr->region->owner : instr->imm.cf.target;
   if (instr->op == IR_continue)
      return target->imm.cf.regions[1]->params[i];
   const bool is_round = instr->op == IR_yield && target->op == IR_loop;
   return is_round ? target->imm.cf.regions[0]->params[i] : target->imm.cf.results[i];
}

/* True if all jumps of the list give the same value, or `self`: *common is that value, `self` if there is no other. */
static bool has_common_operand(const struct ir_jump_list *list, uint32_t index, struct ir_instr *self,
                               struct ir_instr **common)
{
   *common = self;
   for (uint32_t i = 0; i < list->count; i++) {
      struct ir_instr *operand = ir_resolve(list->jumps[i]->srcs[index]);
      if (operand == *common || operand == self)
         continue;
      if (*common != self)
         return false;
      *common = operand;
   }
   return true;
}

/* True if the param of a loop's body always is its initial value, *init: the back edge brings nothing else. */
static bool is_invariant(struct ir_instr *param, const struct ir_instr *loop, struct ir_instr **init)
{
   const uint32_t index = param->imm.u[0];
   const struct ir_instr *back = ir_loop_back_edge(loop);
   *init = ir_resolve(loop->srcs[index]);
   struct ir_instr *operand = back ? ir_resolve(back->srcs[index]) : *init;

   if (operand->op == IR_param && operand->region == loop->imm.cf.regions[1] &&
       !has_common_operand(&ir_jumps_of(loop)->continues, operand->imm.u[0], param, &operand))
      return false;
   return operand == *init || operand == param;
}

struct ir_instr *ir_join_value(struct ir_instr *join)
{
   const uint32_t index = join->imm.u[0];
   struct ir_instr *owner = join->op == IR_result ? join->imm.cf.target : join->region->owner;
   const struct ir_construct_jumps *jumps = ir_jumps_of(owner);
   struct ir_instr *only;
   bool is_one;
   if (join->op == IR_result)
      is_one = has_common_operand(&jumps->exits, index, join, &only);
   else if (join->region == owner->imm.cf.regions[1])
      is_one = has_common_operand(&jumps->continues, index, join, &only);
   else
      is_one = is_invariant(join, owner, &only);
   return is_one && only != join && !ir_is_inside(only->region, owner) ? only : NULL;
}

/* Keeps the sources whose param or result is not marked. */
static void filter_operands(struct ir_instr *instr, struct ir_instr *const *targets, uint32_t count)
{
   uint32_t kept = 0;
   for (uint32_t i = 0; i < count; i++) {
      if (!(targets[i]->pass_flags & IR_DROP))
         instr->srcs[kept++] = instr->srcs[i];
   }
   instr->num_srcs = kept;
}

static void filter(struct ir_instr *instr, void *data)
{
   if (instr->op == IR_loop) {
      filter_operands(instr, instr->imm.cf.regions[0]->params, instr->imm.cf.regions[0]->num_params);
   } else if (instr->op == IR_continue) {
      const struct ir_region *cont = instr->imm.cf.target->imm.cf.regions[1];
      filter_operands(instr, cont->params, cont->num_params);
   } else if (ir_is_jump(instr)) {
      const struct ir_instr *target = instr->op == IR_yield ? instr->region->owner : instr->imm.cf.target;
      if (target && instr->op == IR_yield && target->op == IR_loop)
         filter_operands(instr, target->imm.cf.regions[0]->params, target->imm.cf.regions[0]->num_params);
      else if (target)
         filter_operands(instr, target->imm.cf.results, target->imm.cf.num_results);
   }
}

static uint32_t compact(struct ir_instr **list, uint32_t count)
{
   uint32_t kept = 0;
   for (uint32_t i = 0; i < count; i++) {
      if (list[i]->pass_flags & IR_DROP)
         continue;
      list[i]->imm.u[0] = kept;
      list[kept++] = list[i];
   }
   return kept;
}

static void compact_lists(struct ir_instr *instr, void *data)
{
   if (instr->op == IR_result && instr->pass_flags & IR_DROP)
      ir_remove(instr);
   if (!ir_is_construct(instr))
      return;
   instr->imm.cf.num_results = compact(instr->imm.cf.results, instr->imm.cf.num_results);
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct ir_region *region = instr->imm.cf.regions[r];
      region->num_params = compact(region->params, region->num_params);
   }
}

void ir_drop_marked(struct ir_shader *shader)
{
   ir_for_each(shader, filter, NULL);
   ir_for_each(shader, compact_lists, NULL);
}
