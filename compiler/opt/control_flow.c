/* SPDX-License-Identifier: MIT
 * Fewer constructs and fewer jumps.
 *
 * Requires: nothing. Does, from the inside out:
 *  - an `if` with a constant condition becomes its one side; what lies behind a jump goes;
 *  - a loop without `continue` becomes a block; a block that nobody breaks out of becomes its body;
 *  - an `if` of which both sides end in the same jump yields instead, and the jump stands behind it;
 *  - where one side of an `if` leaves, the instructions of the other side move behind it;
 *  - where one side of an `if` jumps to where the region ends anyhow, the rest of the region moves into the other side:
 *
 *        block @B {                                     if %c {
 *           if %c { break @B } else { yield }              yield
 *           rest                               →        } else {
 *           yield                                          rest
 *        }                                                 yield
 *                                                       }
 *
 *    so early returns and `continue` cost no masks of their own. Not over barriers: these are simplest in a block.
 * Preserves: what is executed, and in which order. */
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

#include <string.h>

enum {
   MAX_DEPTH = 48, /* of regions that the last rule makes */
   MAX_CHAIN = 16, /* how many it puts into each other: of more the last ones, as all that is within so many costs each a mask */
};

struct counts { /* at a construct's pass_data: jumps that name it */
   uint32_t breaks, continues;
};

struct flow {
   struct ir_shader *shader;
   bool has_changed;
};

static struct counts *counts_of(const struct ir_instr *construct)
{
   return construct->pass_data;
}

static void count_jump(const struct ir_instr *jump, int32_t change)
{
   if (jump->op == IR_break)
      counts_of(jump->imm.cf.target)->breaks += (uint32_t)change;
   else if (jump->op == IR_continue)
      counts_of(jump->imm.cf.target)->continues += (uint32_t)change;
}

static void prepare(struct ir_instr *instr, void *data)
{
   const struct ir_shader *shader = data;
   if (ir_is_construct(instr))
      instr->pass_data = UTIL_ARENA_NEW(shader->arena, struct counts);
   else
      count_jump(instr, 1);
}

static void discount(const struct ir_instr *instr)
{
   count_jump(instr, -1);
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      IR_FOR_EACH (it, instr->imm.cf.regions[r])
         discount(it);
   }
}

/* Removes all instructions of the region behind `instr`. */
static void remove_rest(struct ir_instr *instr)
{
   struct ir_region *region = instr->region;
   while (instr->link.next != &region->instrs) {
      struct ir_instr *next = UTIL_LIST_ENTRY(instr->link.next, struct ir_instr, link);
      discount(next);
      ir_remove(next);
   }
}

static bool is_same_jump(const struct ir_instr *a, const struct ir_instr *b)
{
   return a->op == b->op && a->imm.cf.target == b->imm.cf.target;
}

static void move_instrs(struct util_list *first, struct util_list *end, struct ir_region *to, struct util_list *before)
{
   while (first != end) {
      struct util_list *next = first->next;
      util_list_remove(first);
      util_list_add_before(first, before);
      UTIL_LIST_ENTRY(first, struct ir_instr, link)->region = to;
      first = next;
   }
}

static void replace_jump(struct flow *f, struct ir_instr *jump, enum ir_op op, struct ir_instr *target,
                         uint32_t num_srcs, struct ir_instr *const *srcs)
{
   struct ir_builder b = ir_builder_before(f->shader, jump);
   count_jump(ir_jump(&b, op, target, num_srcs, srcs), 1);
   count_jump(jump, -1);
   ir_remove(jump);
}

/* The results of an `if` or block that only `jump` still gives: they become its operands. */
static void forward_results(struct ir_instr *construct, const struct ir_instr *jump)
{
   for (uint32_t i = 0; i < construct->imm.cf.num_results; i++) {
      construct->imm.cf.results[i]->forward = ir_resolve(jump->srcs[i]);
      ir_remove(construct->imm.cf.results[i]);
   }
   construct->imm.cf.num_results = 0;
}

/* Puts the instructions of one of its regions instead of the construct. True if the parent region now ends with them.
 * */
static bool splice(struct flow *f, struct ir_instr *construct, struct ir_region *region)
{
   struct ir_instr *jump = ir_terminator(region);
   f->has_changed = true;
   if (jump->op == IR_yield) {
      forward_results(construct, jump);
      ir_remove(jump);
      move_instrs(region->instrs.next, &region->instrs, construct->region, &construct->link);
      ir_remove(construct);
      return false;
   }
   remove_rest(construct);
   move_instrs(region->instrs.next, &region->instrs, construct->region, &construct->link);
   ir_remove(construct);
   return true;
}

/* ---- an `if` that nobody leaves at its end ---- */

/* Adds results for operands that are made inside; others are seen from outside already. Fills what the jump behind
 * takes. */
static void make_operands(struct flow *f, struct ir_instr *construct, struct ir_instr *const jumps[2],
                          uint32_t num_jumps, struct ir_instr **outside, struct ir_instr **yields[2],
                          uint32_t *num_yields)
{
   *num_yields = 0;
   for (uint32_t i = 0; i < jumps[0]->num_srcs; i++) {
      struct ir_instr *first = ir_resolve(jumps[0]->srcs[i]), *last = ir_resolve(jumps[num_jumps - 1]->srcs[i]);
      if (first == last && !ir_is_inside(first->region, construct)) {
         outside[i] = first;
         continue;
      }
      outside[i] = ir_add_result(f->shader, construct, first->num_components, first->bit_size);
      yields[0][*num_yields] = first;
      yields[1][*num_yields] = last;
      (*num_yields)++;
   }
}

/* Both sides end in jumps. The jump of side `last`, or of both if they are the same, goes behind the `if`, the
 * region's end. */
static void merge_sides(struct flow *f, struct ir_instr *construct)
{
   struct ir_instr *jumps[2] = {ir_terminator(construct->imm.cf.regions[0]),
                                ir_terminator(construct->imm.cf.regions[1])};
   const bool is_same = is_same_jump(jumps[0], jumps[1]);
   struct util_arena *arena = f->shader->arena;

   remove_rest(construct);
   construct->imm.cf.num_results = 0;
   if (!is_same && jumps[0]->op == IR_continue) { /* a loop's body ends in `continue` if it can */
      struct ir_instr *swap = jumps[0];
      jumps[0] = jumps[1];
      jumps[1] = swap;
   }
   const uint32_t num_merged = is_same ? 2 : 1;
   struct ir_instr *const *merged = is_same ? jumps : &jumps[1];
   const uint32_t count = merged[0]->num_srcs;
   struct ir_instr **outside = UTIL_ARENA_ARRAY(arena, struct ir_instr *, count), **yields[2];
   for (uint32_t r = 0; r < 2; r++)
      yields[r] = UTIL_ARENA_ARRAY(arena, struct ir_instr *, count);

   uint32_t num_yields;
   make_operands(f, construct, merged, num_merged, outside, yields, &num_yields);
   struct ir_builder b = ir_builder_at_end(f->shader, construct->region);
   b.line = merged[0]->line;
   count_jump(ir_jump(&b, merged[0]->op, merged[0]->imm.cf.target, count, outside), 1);
   for (uint32_t r = 0; r < num_merged; r++)
      replace_jump(f, merged[r], IR_yield, NULL, num_yields, yields[r]);
   f->has_changed = true;
}

/* ---- the rest of a region into one side ---- */

static bool has_barrier(const struct ir_instr *instr)
{
   if (instr->op == IR_barrier)
      return true;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      IR_FOR_EACH (it, instr->imm.cf.regions[r]) {
         if (has_barrier(it))
            return true;
      }
   }
   return false;
}

static bool rest_is_movable(const struct ir_instr *construct)
{
   const struct ir_region *region = construct->region;
   uint32_t depth = 0;
   for (const struct ir_region *outer = region; outer->owner; outer = outer->owner->region)
      depth++;
   if (depth > MAX_DEPTH)
      return false;
   for (const struct util_list *node = construct->link.next; node != &region->instrs; node = node->next) {
      if (has_barrier(UTIL_LIST_ENTRY(node, struct ir_instr, link)))
         return false;
   }
   return true;
}

/* A jump like `jump` somewhere in the sides of an `if`, not below loops or blocks. */
static bool contains_jump(const struct ir_instr *construct, const struct ir_instr *jump)
{
   for (uint32_t r = 0; r < 2; r++) {
      IR_FOR_EACH (it, construct->imm.cf.regions[r]) {
         if (ir_is_jump(it) ? is_same_jump(it, jump) : it->op == IR_if && contains_jump(it, jump))
            return true;
      }
   }
   return false;
}

static void tidy_tail(struct flow *f, struct ir_region *region);

/* The side that yields takes what follows the `if` in the region, with its own copy of the region's jump. */
static void sink_rest(struct flow *f, struct ir_instr *construct, struct ir_region *side)
{
   struct ir_instr *yield = ir_terminator(side), *jump = ir_terminator(construct->region);
   for (uint32_t i = 0; i < jump->num_srcs; i++)
      jump->srcs[i] = ir_resolve(jump->srcs[i]);
   forward_results(construct, yield);
   move_instrs(construct->link.next, &jump->link, side, &yield->link);
   for (uint32_t i = 0; i < jump->num_srcs; i++)
      jump->srcs[i] = ir_resolve(jump->srcs[i]); /* results of the `if` are its operands now */
   replace_jump(f, yield, jump->op, jump->imm.cf.target, jump->num_srcs, jump->srcs);
   tidy_tail(f, side);
   merge_sides(f, construct);
}

/* The `if` is the last thing before the region's jump: its sides take the jump, are tidied, and give it back. */
static void tidy_last_if(struct flow *f, struct ir_instr *construct, struct ir_instr *jump)
{
   const bool had_changed = f->has_changed;
   struct ir_instr *target = jump->imm.cf.target;
   const struct counts before = *counts_of(target);
   struct ir_instr **operands = UTIL_ARENA_ARRAY(f->shader->arena, struct ir_instr *, jump->num_srcs);
   for (uint32_t r = 0; r < 2; r++) {
      struct ir_instr *yield = ir_terminator(construct->imm.cf.regions[r]);
      if (yield->op != IR_yield)
         continue;
      for (uint32_t i = 0; i < jump->num_srcs; i++) {
         struct ir_instr *value = ir_resolve(jump->srcs[i]);
         const bool is_own = value->op == IR_result && value->imm.cf.target == construct;
         operands[i] = is_own ? ir_resolve(yield->srcs[value->imm.u[0]]) : value;
      }
      replace_jump(f, yield, jump->op, target, jump->num_srcs, operands);
   }
   const enum ir_op op = jump->op;
   for (uint32_t r = 0; r < 2; r++) {
      const struct ir_instr *end = ir_terminator(construct->imm.cf.regions[r]);
      if (end->op == op && end->imm.cf.target == target)
         tidy_tail(f, construct->imm.cf.regions[r]);
   }
   merge_sides(f, construct);
   const struct counts *after = counts_of(target);
   f->has_changed = had_changed || after->breaks < before.breaks || after->continues < before.continues;
}

/* Which side of the `if` yields while the other one ends in a jump like `jump`; -1: none. */
static int yielding_side(const struct ir_instr *construct, const struct ir_instr *jump)
{
   for (int r = 0; construct->op == IR_if && r < 2; r++) {
      if (is_same_jump(ir_terminator(construct->imm.cf.regions[r]), jump) && ir_terminator(construct->imm.cf.regions[1 - r])->op == IR_yield)
         return 1 - r;
   }
   return -1;
}

/* The region ends in break or continue: lets earlier jumps to the same target end there too. */
static void tidy_tail(struct flow *f, struct ir_region *region)
{
   struct ir_instr *jump = ir_terminator(region), *last_if = NULL;
   uint32_t num_left = 0;
   IR_FOR_EACH (it, region)
      num_left += yielding_side(it, jump) >= 0;
   IR_FOR_EACH (it, region) {
      if (it->op == IR_result || it == jump)
         continue;
      last_if = it->op == IR_if ? it : NULL;
      const int side = yielding_side(it, jump);
      if (side >= 0 && num_left-- <= MAX_CHAIN && rest_is_movable(it)) {
         sink_rest(f, it, it->imm.cf.regions[side]);
         return;
      }
   }
   if (last_if && contains_jump(last_if, jump))
      tidy_last_if(f, last_if, jump);
}

/* ---- constructs ---- */

/* One side leaves, so what follows is executed by the lanes of the other side only: what that side holds may as well
 * follow, without a mask of its own and without results. */
static void empty_side(struct flow *f, struct ir_instr *construct, struct ir_region *side)
{
   struct ir_instr *yield = ir_terminator(side);
   if (&yield->link == side->instrs.next && !construct->imm.cf.num_results)
      return;
   forward_results(construct, yield);
   yield->num_srcs = 0;
   move_instrs(side->instrs.next, &yield->link, construct->region, construct->link.next);
   f->has_changed = true;
}

static bool process_region(struct flow *f, struct ir_region *region);

static void loop_to_block(struct flow *f, struct ir_instr *loop)
{
   struct ir_region *body = loop->imm.cf.regions[0];
   for (uint32_t i = 0; i < body->num_params; i++)
      body->params[i]->forward = ir_resolve(loop->srcs[i]);
   body->num_params = 0;
   IR_FOR_EACH (it, loop->imm.cf.regions[1])
      discount(it);
   loop->imm.cf.regions[1] = NULL;
   loop->op = IR_block;
   loop->num_srcs = 0;
   f->has_changed = true;
}

/* Returns true if the block is gone and its region ends where it stood. */
static bool process_block(struct flow *f, struct ir_instr *block)
{
   struct ir_region *body = block->imm.cf.regions[0];
   struct ir_instr *jump = ir_terminator(body);
   if (jump->op == IR_yield)
      replace_jump(f, jump, IR_break, block, jump->num_srcs, jump->srcs);
   tidy_tail(f, body);
   jump = ir_terminator(body);
   if (jump->op == IR_break && jump->imm.cf.target == block)
      replace_jump(f, jump, IR_yield, NULL, jump->num_srcs, jump->srcs);
   return !counts_of(block)->breaks && splice(f, block, body);
}

/* Returns true if nothing follows the construct (or what it became) any more. */
static bool process_construct(struct flow *f, struct ir_instr *instr)
{
   for (uint32_t r = 0; r < ir_num_regions(instr); r++)
      process_region(f, instr->imm.cf.regions[r]);

   if (instr->op == IR_loop && !counts_of(instr)->continues)
      loop_to_block(f, instr);
   if (instr->op == IR_block)
      return process_block(f, instr);
   if (instr->op == IR_loop) {
      tidy_tail(f, instr->imm.cf.regions[0]);
      return false;
   }
   const struct ir_instr *condition = ir_resolve(instr->srcs[0]);
   if (ir_is_const(condition)) {
      struct ir_region *dead = instr->imm.cf.regions[condition->imm.c[0] ? 1 : 0];
      IR_FOR_EACH (it, dead)
         discount(it);
      return splice(f, instr, instr->imm.cf.regions[condition->imm.c[0] ? 0 : 1]);
   }
   bool ends = false;
   if (ir_terminator(instr->imm.cf.regions[0])->op != IR_yield &&
       ir_terminator(instr->imm.cf.regions[1])->op != IR_yield) {
      merge_sides(f, instr);
      ends = true;
   }
   for (uint32_t r = 0; r < 2; r++) {
      if (ir_terminator(instr->imm.cf.regions[r])->op == IR_yield &&
          ir_terminator(instr->imm.cf.regions[1 - r])->op != IR_yield)
         empty_side(f, instr, instr->imm.cf.regions[r]);
   }
   return ends;
}

static bool process_region(struct flow *f, struct ir_region *region)
{
   struct util_list *node = region->instrs.next;
   while (node != &region->instrs) {
      struct ir_instr *instr = UTIL_LIST_ENTRY(node, struct ir_instr, link);
      node = node->next;
      if (!ir_is_construct(instr))
         continue;
      while (node != &region->instrs && UTIL_LIST_ENTRY(node, struct ir_instr, link)->op == IR_result)
         node = node->next; /* they may go */
      if (process_construct(f, instr))
         return true;
   }
   return false;
}

bool ir_opt_control_flow(struct ir_shader *shader)
{
   struct flow f = {.shader = shader};
   ir_for_each(shader, prepare, shader);
   process_region(&f, shader->body);
   ir_resolve_all(shader);
   return f.has_changed;
}
