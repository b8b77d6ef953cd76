/* SPDX-License-Identifier: MIT
 * Unrolls short counted loops that index variables dynamically, so that the variables can be promoted, and those of which
 * a good part folds when the round is a constant, or is the same in several rounds.
 *
 * Requires: constant sources folded (run simplify before); contraction decided, as a product of constants folds.
 * Does: a loop whose number of rounds follows from constants, and that either holds an access to a variable at an offset
 * that differs from round to round or pays by the costs below, becomes a block with one copy of the body for each round; `continue` becomes
 * a break out of the round's own block, `break` one out of the outer block. Other breaks and continues may be there.
 * The test that ends the loop has a constant condition in each copy: run simplify and control_flow afterwards. Preserves: what is executed. */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"
#include "compiler/opt/shared.h"
#include "compiler/opt/unroll.h"

enum { MAX_ROUNDS = 64, MAX_INSTRS = 2048, MAX_EVAL_DEPTH = 12, MAX_PARAMS = 256 };

/* Of loops that are unrolled because less is left, by a third or more, or little at all: what a loop, and all loops of a shader, may become. In the
 * units of unroll_cost.c. */
enum { MAX_LOOP_COST = 2048, MAX_SHADER_COST = 8192, MAX_SHORT_COST = 160 };

/* Of few rounds, which may have much in common with those of a loop around them. */
enum { MAX_FEW_COST = 320, FEW_ROUNDS = 5 /* with the last test */ };

enum { MAX_INDEXING = 1 << 16 }; /* instructions that the loops of a shader that index variables may become */

struct unroller {
   struct ir_shader *shader;
   struct ir_instr *loop;
   struct ir_instr *outer, *round; /* blocks: what break and continue of the loop leave in the copy */
   uint64_t *values, *next_values; /* of the body's params in the round that is looked at */
   bool *is_known, *next_is_known;
};

/* ---- how often does it run ---- */

static bool eval(const struct unroller *u, struct ir_instr *value, uint32_t depth, uint64_t *result);

static bool eval_param(const struct unroller *u, const struct ir_instr *param, uint32_t depth, uint64_t *result)
{
   const uint32_t index = param->imm.u[0];
   if (param->region == u->loop->imm.cf.regions[0]) {
      *result = u->values[index];
      return u->is_known[index];
   }
   if (param->region != u->loop->imm.cf.regions[1])
      return false;
   const struct ir_jump_list *continues = &ir_jumps_of(u->loop)->continues;
   uint64_t other;
   if (!continues->count || !eval(u, continues->jumps[0]->srcs[index], depth, result))
      return false;
   for (uint32_t i = 1; i < continues->count; i++) {
      if (!eval(u, continues->jumps[i]->srcs[index], depth, &other) || other != *result)
         return false;
   }
   return true;
}

static bool eval(const struct unroller *u, struct ir_instr *value, uint32_t depth, uint64_t *result)
{
   uint64_t srcs[4];
   if (ir_is_const(value) && value->num_components == 1) {
      *result = value->imm.c[0];
      return true;
   }
   if (!depth || value->num_srcs > 4)
      return false;
   if (value->op == IR_param)
      return eval_param(u, value, depth - 1, result);
   if ((ir_info(value)->flags & (IR_PURE | IR_SCALAR)) != (IR_PURE | IR_SCALAR) || !value->num_srcs)
      return false;
   for (uint32_t i = 0; i < value->num_srcs; i++) {
      if (!eval(u, value->srcs[i], depth - 1, &srcs[i]))
         return false;
   }
   return ir_eval(value, srcs, result);
}

/* Which side of an `if` ends by breaking out of the loop, or -1. */
static int breaking_side(const struct unroller *u, const struct ir_instr *instr)
{
   for (int r = 0; instr->op == IR_if && r < 2; r++) {
      const struct ir_instr *jump = ir_terminator(instr->imm.cf.regions[r]);
      if (jump->op == IR_break && jump->imm.cf.target == u->loop)
         return r;
   }
   return -1;
}

enum verdict { GOES_ON, ENDS, UNKNOWN };

/* What the first test in the region that can be known says, if every round comes to it (or leaves before). */
static enum verdict test_region(const struct unroller *u, const struct ir_region *region)
{
   IR_FOR_EACH (it, region) {
      const int side = breaking_side(u, it);
      uint64_t condition;
      if (side >= 0 && eval(u, it->srcs[0], MAX_EVAL_DEPTH, &condition))
         return (condition != 0) == (side == 0) ? ENDS : GOES_ON;
      for (uint32_t r = 0; r < ir_num_regions(it); r++) {
         if (ir_contains_continue(it->imm.cf.regions[r], u->loop))
            return UNKNOWN;
      }
   }
   return UNKNOWN;
}

static void next_round(struct unroller *u, const struct ir_instr *back)
{
   for (uint32_t i = 0; i < u->loop->num_srcs; i++)
      u->next_is_known[i] = eval(u, back->srcs[i], MAX_EVAL_DEPTH, &u->next_values[i]);
   uint64_t *values = u->values;
   bool *is_known = u->is_known;
   u->values = u->next_values;
   u->is_known = u->next_is_known;
   u->next_values = values;
   u->next_is_known = is_known;
}

/* The number of times that the body is entered, or 0 if unknown or too large. */
static uint32_t count_rounds(struct unroller *u, uint32_t max_rounds)
{
   const struct ir_instr *back = ir_loop_back_edge(u->loop);
   const uint32_t count = u->loop->num_srcs;
   if (!back || count > MAX_PARAMS)
      return 0;
   u->values = UTIL_ARENA_ARRAY(u->shader->arena, uint64_t, count);
   u->next_values = UTIL_ARENA_ARRAY(u->shader->arena, uint64_t, count);
   u->is_known = UTIL_ARENA_ARRAY(u->shader->arena, bool, count);
   u->next_is_known = UTIL_ARENA_ARRAY(u->shader->arena, bool, count);
   for (uint32_t i = 0; i < count; i++)
      u->is_known[i] = eval(u, u->loop->srcs[i], 1, &u->values[i]);
   for (uint32_t round = 1; round <= max_rounds; round++) {
      enum verdict verdict = test_region(u, u->loop->imm.cf.regions[0]);
      if (verdict == UNKNOWN)
         verdict = test_region(u, u->loop->imm.cf.regions[1]);
      if (verdict == ENDS)
         return round;
      if (verdict == UNKNOWN)
         return 0;
      next_round(u, back);
   }
   return 0;
}

/* ---- copying ---- */

static void clone_region(struct unroller *u, struct ir_region *from, struct ir_builder *b);

/* A value of the loop's inside has its copy in pass_data. */
static struct ir_instr *copied(struct ir_instr *value)
{
   return value->pass_data ? value->pass_data : value;
}

static struct ir_instr **copied_srcs(struct unroller *u, const struct ir_instr *instr)
{
   struct ir_instr **srcs = UTIL_ARENA_ARRAY(u->shader->arena, struct ir_instr *, instr->num_srcs);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      srcs[i] = copied(instr->srcs[i]);
   return srcs;
}

static void clone_params(struct unroller *u, const struct ir_region *from, struct ir_region *to, bool exist)
{
   for (uint32_t i = 0; i < from->num_params; i++) {
      struct ir_instr *param = from->params[i];
      param->pass_data = exist ? to->params[i] : ir_add_param(u->shader, to, param->num_components, param->bit_size);
   }
}

static void clone_construct(struct unroller *u, struct ir_instr *instr, struct ir_builder *b)
{
   struct ir_instr **srcs = copied_srcs(u, instr), *copy;
   copy = instr->op == IR_if      ? ir_if(b, srcs[0])
          : instr->op == IR_block ? ir_block(b)
                                  : ir_loop(b, instr->num_srcs, srcs);
   instr->pass_data = copy;
   copy->line = instr->line;
   for (uint32_t i = 0; i < instr->imm.cf.num_results; i++) {
      struct ir_instr *result = instr->imm.cf.results[i];
      result->pass_data = ir_add_result(u->shader, copy, result->num_components, result->bit_size);
   }
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct ir_builder inner = ir_builder_at_end(u->shader, copy->imm.cf.regions[r]);
      if (instr->op == IR_loop)
         clone_params(u, instr->imm.cf.regions[r], copy->imm.cf.regions[r], r == 0);
      clone_region(u, instr->imm.cf.regions[r], &inner);
   }
}

static void clone_jump(struct unroller *u, struct ir_instr *instr, struct ir_builder *b)
{
   enum ir_op op = instr->op;
   struct ir_instr *target = op == IR_yield ? NULL : instr->imm.cf.target;
   if (target == u->loop && target) {
      target = op == IR_break ? u->outer : u->round;
      op = IR_break;
   } else if (target && ir_is_inside(target->region, u->loop)) {
      target = target->pass_data;
   }
   ir_jump(b, op, target, instr->num_srcs, copied_srcs(u, instr));
}

static void clone_instr(struct unroller *u, struct ir_instr *instr, struct ir_builder *b)
{
   struct ir_instr *copy = ir_instr_create(u->shader, instr->op, instr->num_components, instr->bit_size,
                                           instr->num_srcs, copied_srcs(u, instr));
   copy->imm = instr->imm;
   copy->fp = instr->fp;
   copy->line = instr->line;
   ir_insert(b, copy);
   instr->pass_data = copy;
}

static void clone_region(struct unroller *u, struct ir_region *from, struct ir_builder *b)
{
   IR_FOR_EACH (it, from) {
      b->line = it->line;
      if (ir_is_construct(it)) {
         clone_construct(u, it, b);
         b->before = &b->region->instrs;
      } else if (ir_is_jump(it)) {
         clone_jump(u, it, b);
      } else if (it->op != IR_result) {
         clone_instr(u, it, b);
      }
   }
}

/* One round: its block with the body, then the continue region up to its yield, whose operands start the next round. */
static void clone_round(struct unroller *u, struct ir_builder *b)
{
   struct ir_region *body = u->loop->imm.cf.regions[0], *cont = u->loop->imm.cf.regions[1];
   u->round = ir_block(b);
   for (uint32_t i = 0; i < cont->num_params; i++) {
      struct ir_instr *param = cont->params[i];
      param->pass_data = ir_add_result(u->shader, u->round, param->num_components, param->bit_size);
   }
   struct ir_builder inner = ir_builder_at_end(u->shader, u->round->imm.cf.regions[0]);
   clone_region(u, body, &inner);
   clone_region(u, cont, b);

   struct ir_instr *yield = ir_terminator(u->outer->imm.cf.regions[0]);
   for (uint32_t i = 0; i < body->num_params; i++)
      body->params[i]->pass_data = yield->srcs[i];
   ir_remove(yield);
}

static void unroll(struct unroller *u, uint32_t num_rounds)
{
   struct ir_instr *loop = u->loop;
   const struct ir_region *body = loop->imm.cf.regions[0];
   struct ir_builder b = ir_builder_before(u->shader, loop);
   u->outer = ir_block(&b);
   for (uint32_t i = 0; i < loop->imm.cf.num_results; i++) {
      struct ir_instr *result = loop->imm.cf.results[i];
      result->forward = ir_add_result(u->shader, u->outer, result->num_components, result->bit_size);
   }
   for (uint32_t i = 0; i < body->num_params; i++)
      body->params[i]->pass_data = loop->srcs[i];
   b = ir_builder_at_end(u->shader, u->outer->imm.cf.regions[0]);
   for (uint32_t round = 0; round < num_rounds; round++)
      clone_round(u, &b);

   struct ir_instr **undefs = UTIL_ARENA_ARRAY(u->shader->arena, struct ir_instr *, loop->imm.cf.num_results);
   for (uint32_t i = 0; i < loop->imm.cf.num_results; i++)
      undefs[i] = ir_undef(&b, loop->imm.cf.results[i]->num_components, loop->imm.cf.results[i]->bit_size);
   ir_jump(&b, IR_yield, NULL, loop->imm.cf.num_results, undefs); /* never reached */
   ir_remove(loop);                                               /* its results go when the walk comes to them */
}

/* ---- the pass ---- */

static bool pays(struct ir_shader *shader, struct ir_instr *loop, uint32_t num_rounds)
{
   const struct ir_loop_contents contents = ir_loop_contents(loop);
   if (contents.num_instrs > MAX_INSTRS / num_rounds)
      return false;
   if (contents.indexes_vars && shader->copies_memory)
      return false; /* they are many, and become calls: lower/outline_copies */
   if (contents.indexes_vars) {
      shader->unrolled.num_indexing += num_rounds * contents.num_instrs;
      return shader->unrolled.num_indexing <= MAX_INDEXING;
   }
   if (contents.has_loop_or_barrier)
      return false;
   const struct ir_unroll_cost cost = ir_unroll_cost(shader, loop, num_rounds);
   const bool are_few = num_rounds <= FEW_ROUNDS && !contents.samples;
   const bool is_short = cost.copies <= (are_few ? MAX_FEW_COST : MAX_SHORT_COST), spares_much = 3 * (uint64_t)cost.copies <= 2 * (uint64_t)cost.rounds;
   if ((!is_short && !spares_much) || cost.copies > MAX_LOOP_COST || shader->unrolled.cost + cost.copies > MAX_SHADER_COST)
      return false;
   shader->unrolled.cost += cost.copies;
   return true;
}

static bool try_unroll(struct ir_shader *shader, struct ir_instr *loop)
{
   struct unroller u = {.shader = shader, .loop = loop};
   const uint32_t num_rounds = count_rounds(&u, MAX_ROUNDS);
   if (!num_rounds)
      return false;
   if (!pays(shader, loop, num_rounds))
      return false;
   unroll(&u, num_rounds);
   return true;
}

/* Inner loops first. A copy's jumps are not listed, so a loop around an unrolled one waits for the next run of the
 * pass. */
static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      if (it->op == IR_result && it->forward)
         ir_remove(it);
      bool inner_has_changed = false;
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         inner_has_changed |= process_region(shader, it->imm.cf.regions[r]);
      if (it->op == IR_loop && !inner_has_changed)
         inner_has_changed = try_unroll(shader, it);
      has_changed |= inner_has_changed;
   }
   return has_changed;
}

bool ir_opt_unroll(struct ir_shader *shader)
{
   ir_clear_pass_data(shader);
   ir_mark_shared(shader);
   ir_collect_jumps(shader);
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
