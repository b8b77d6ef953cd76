/* SPDX-License-Identifier: MIT
 * What is left of a loop's rounds when each is a copy of its own: values are numbered as if the copies stood one after the other, so that an operation
 * on constants, and one that an earlier round has made already, cost nothing. Nor does what is the same for all invocations once the round is a constant:
 * it is made once for many vectors, in front of them.
 *
 *    for (i = 0; i < 8; i++) sum += sin(x + (i & 1)) * i                  two sines of eight
 *    for (i = 0; i < 6; i++) low = min(low, dot(normalize(plane[i]), p))  six products
 *
 * Numbers are hashes: that two are equal by chance makes an estimate wrong, not a program. */
#include "compiler/opt/unroll.h"

#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/ir_map.h"
#include "compiler/opt/shared.h"

/* What an operation costs on a vector, roughly, in simple ones; those not named cost 1. */
static const uint8_t costs[IR_NUM_OPS] = {
   [IR_fdiv] = 6,    [IR_fsqrt] = 6,   [IR_idiv] = 12,   [IR_udiv] = 12,   [IR_irem] = 12,   [IR_imod] = 12,  [IR_umod] = 12,
   [IR_fmod] = 10,   [IR_frem] = 10,   [IR_fexp2] = 14,  [IR_fexp] = 16,   [IR_flog2] = 18,  [IR_flog] = 20,  [IR_fpow] = 44,
   [IR_fsin] = 24,   [IR_fcos] = 24,   [IR_ftan] = 36,   [IR_fasin] = 24,  [IR_facos] = 24,  [IR_fatan] = 24, [IR_fatan2] = 32,
   [IR_fsinh] = 32,  [IR_fcosh] = 32,  [IR_ftanh] = 32,  [IR_fasinh] = 36, [IR_facosh] = 36, [IR_fatanh] = 36,
   [IR_load_buffer] = 6, [IR_load_global] = 6, [IR_load_shared] = 6, [IR_load_table] = 6, [IR_tex] = 40, [IR_image_load] = 24, [IR_image_store] = 24,
   [IR_copy] = 40,
};

static bool is_free(const struct ir_instr *instr)
{
   return ir_is_construct(instr) || ir_is_jump(instr) || instr->op == IR_result || instr->op == IR_vec || instr->op == IR_extract || ir_is_const(instr);
}

static uint32_t cost_of(const struct ir_instr *instr)
{
   return is_free(instr) ? 0 : UTIL_MAX(costs[instr->op], 1u);
}

/* ---- contents ---- */

enum { VARIES = 1 }; /* in pass_flags */

/* Differs from round to round; pass_flags says so of what is inside and was seen. */
static bool varies(const struct ir_instr *loop, const struct ir_instr *value)
{
   return ir_is_inside(value->region, loop) && value->pass_flags & VARIES;
}

static void note_varying(struct ir_instr *value, bool varies)
{
   value->pass_flags = (uint16_t)((value->pass_flags & ~VARIES) | (varies ? VARIES : 0));
}

/* Whether what differs from round to round of `loop` ends a loop within it. */
static bool ends_by_round(const struct ir_instr *loop, const struct ir_instr *inner, const struct ir_region *region)
{
   IR_FOR_EACH (it, region) {
      for (uint32_t r = 0; r < ir_num_regions(it); r++) {
         const struct ir_instr *jump = ir_terminator(it->imm.cf.regions[r]);
         if (it->op == IR_if && jump->op == IR_break && jump->imm.cf.target == inner && varies(loop, it->srcs[0]))
            return true;
         if (it->op != IR_loop && ends_by_round(loop, inner, it->imm.cf.regions[r]))
            return true;
      }
   }
   return false;
}

static void look_into(const struct ir_instr *loop, const struct ir_region *region, struct ir_loop_contents *contents);

/* Of a nest each loop doubles what is looked at within: past this the inner ones are not looked at again. More than what is unrolled. */
enum { MAX_LOOKED = 4096 };

/* Of a loop within, once its number of rounds is known from the round around it, each round is a copy too. */
static void look_into_rounds(const struct ir_instr *loop, const struct ir_instr *inner, struct ir_loop_contents *contents)
{
   struct ir_loop_contents of_rounds = {.num_looked = contents->num_looked};
   const struct ir_region *body = inner->imm.cf.regions[0];
   if (contents->num_looked > MAX_LOOKED)
      return;
   if (!ends_by_round(loop, inner, body) && !ends_by_round(loop, inner, inner->imm.cf.regions[1]))
      return;
   for (uint32_t i = 0; i < body->num_params; i++)
      note_varying(body->params[i], true);
   look_into(loop, body, &of_rounds);
   contents->indexes_vars |= of_rounds.indexes_vars;
   contents->num_looked = of_rounds.num_looked;
}

static void look_into(const struct ir_instr *loop, const struct ir_region *region, struct ir_loop_contents *contents)
{
   IR_FOR_EACH (it, region) {
      contents->num_instrs++;
      contents->num_looked++;
      contents->has_loop_or_barrier |= it->op == IR_loop || it->op == IR_barrier;
      contents->samples |= it->op == IR_tex;
      bool differs = it->op == IR_result;
      for (uint32_t i = 0; i < it->num_srcs; i++)
         differs |= varies(loop, it->srcs[i]);
      note_varying(it, differs);
      contents->indexes_vars |= (it->op == IR_load_var || it->op == IR_store_var) && !it->imm.var.var->stays && varies(loop, it->srcs[0]);
      for (uint32_t r = 0; r < ir_num_regions(it); r++) {
         for (uint32_t i = 0; i < it->imm.cf.regions[r]->num_params; i++)
            note_varying(it->imm.cf.regions[r]->params[i], r > 0 || varies(loop, it->srcs[i]));
         look_into(loop, it->imm.cf.regions[r], contents);
      }
      if (it->op == IR_loop)
         look_into_rounds(loop, it, contents);
   }
}

struct ir_loop_contents ir_loop_contents(const struct ir_instr *loop)
{
   struct ir_loop_contents contents = {0};
   for (uint32_t r = 0; r < 2; r++) {
      const struct ir_region *region = loop->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++)
         note_varying(region->params[i], true);
      look_into(loop, region, &contents);
   }
   return contents;
}

/* ---- numbers ---- */

/* Of a value in the round that is looked at; at its pass_data. */
struct number {
   uint64_t hash;
   uint64_t value; /* if known */
   bool folds, is_known;
   bool is_shared; /* by all invocations */
};

struct numbering {
   struct ir_shader *shader;
   struct ir_instr *loop;
   uint64_t *seen; /* hashes of operations that are made, 0: none */
   uint32_t capacity, num_fresh;
   struct number *next; /* of the body's parameters */
   uint32_t copies;     /* cost so far */
};

static struct number known(uint64_t value, uint32_t bit_size)
{
   return (struct number){ir_mix(value ^ (uint64_t)bit_size << 56) | 1, value, true, true, true};
}

static struct number number_of(const struct ir_instr *value)
{
   const struct number *number = value->pass_data;
   if (number)
      return *number;
   if (ir_is_const(value) && value->num_components == 1)
      return known(value->imm.c[0], value->bit_size);
   return (struct number){.hash = ir_mix((uintptr_t)value) | 1, .folds = ir_is_const(value), .is_shared = value->pass_flags & IR_SHARED};
}

static void set_number(struct numbering *n, struct ir_instr *value, struct number number)
{
   if (!value->pass_data)
      value->pass_data = UTIL_ARENA_NEW(n->shader->arena, struct number);
   *(struct number *)value->pass_data = number;
}

/* Of a value that is like no other. */
static struct number fresh(struct numbering *n)
{
   return (struct number){.hash = ir_mix(++n->num_fresh * UINT64_C(0x100000001)) | 1};
}

/* True if no round has made it before. */
static bool is_new(struct numbering *n, uint64_t hash)
{
   uint32_t i = (uint32_t)(hash >> 32) & (n->capacity - 1);
   while (n->seen[i] && n->seen[i] != hash)
      i = (i + 1) & (n->capacity - 1);
   const bool is_new = !n->seen[i];
   n->seen[i] = hash;
   return is_new;
}

static struct number operation_number(const struct ir_instr *instr)
{
   struct number number = {.folds = instr->num_srcs > 0, .is_known = instr->num_components == 1 && instr->num_srcs && instr->num_srcs <= 4};
   uint64_t srcs[4] = {0};
   number.is_shared = ir_shares(instr);
   number.hash = ir_mix((uint64_t)instr->op << 32 | instr->num_components << 16 | instr->bit_size << 8 | instr->fp);
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const struct number src = number_of(instr->srcs[i]);
      number.hash = ir_mix(number.hash + src.hash);
      number.folds &= src.folds;
      number.is_shared &= src.is_shared;
      number.is_known &= src.is_known;
      if (number.is_known)
         srcs[i] = src.value;
   }
   for (uint32_t i = 0; i < 4; i++)
      number.hash = ir_mix(number.hash + instr->imm.u[i]);
   number.hash |= 1;
   if (number.is_known && (ir_info(instr)->flags & IR_SCALAR) && ir_eval(instr, srcs, &number.value))
      return known(number.value, instr->bit_size);
   number.is_known = false;
   return number;
}

/* ---- the walk ---- */

static bool number_region(struct numbering *n, struct ir_region *region);

/* The operands of the one jump that is left, or fresh numbers. */
static void number_joins(struct numbering *n, struct ir_instr *const *joins, uint32_t count, const struct ir_instr *jump)
{
   for (uint32_t i = 0; i < count; i++)
      set_number(n, joins[i], jump ? number_of(jump->srcs[i]) : fresh(n));
}

/* False: nothing behind it is reached. */
static bool number_construct(struct numbering *n, struct ir_instr *instr)
{
   const struct number condition = instr->op == IR_if ? number_of(instr->srcs[0]) : (struct number){0};
   const struct ir_instr *jump = NULL;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      if (condition.is_known && (condition.value == 0) != (r == 1))
         continue;
      number_region(n, instr->imm.cf.regions[r]);
      jump = condition.is_known ? ir_terminator(instr->imm.cf.regions[r]) : NULL;
   }
   number_joins(n, instr->imm.cf.results, instr->imm.cf.num_results, jump && jump->op == IR_yield ? jump : NULL);
   return !jump || jump->op == IR_yield;
}

/* False: its end is not reached. */
static bool number_region(struct numbering *n, struct ir_region *region)
{
   IR_FOR_EACH (it, region) {
      if (ir_is_construct(it)) {
         if (!number_construct(n, it))
            return false;
         continue;
      }
      if (ir_is_jump(it) || ir_is_const(it) || it->op == IR_result)
         continue;
      if (it->op == IR_extract && it->srcs[0]->op == IR_vec) {
         set_number(n, it, number_of(it->srcs[0]->srcs[it->imm.u[0]]));
         continue;
      }
      const struct number number = ir_info(it)->flags & IR_PURE || ir_shares(it) ? operation_number(it) : fresh(n);
      if (!is_free(it) && !number.folds && !number.is_shared && is_new(n, number.hash))
         n->copies += cost_of(it);
      if (it->num_components)
         set_number(n, it, number);
   }
   return true;
}

/* The next round's parameters; all at once, as they may be exchanged. */
static void next_round(struct numbering *n)
{
   struct ir_instr *loop = n->loop;
   const struct ir_instr *back = ir_loop_back_edge(loop);
   const struct ir_region *body = loop->imm.cf.regions[0];
   for (uint32_t i = 0; i < body->num_params; i++)
      n->next[i] = number_of(back->srcs[i]);
   for (uint32_t i = 0; i < body->num_params; i++)
      set_number(n, body->params[i], n->next[i]);
}

static void add_cost(const struct ir_region *region, uint32_t *cost)
{
   IR_FOR_EACH (it, region) {
      *cost += cost_of(it);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         add_cost(it->imm.cf.regions[r], cost);
   }
}

static void forget(struct ir_region *region)
{
   for (uint32_t i = 0; i < region->num_params; i++)
      region->params[i]->pass_data = NULL;
   IR_FOR_EACH (it, region) {
      it->pass_data = NULL;
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         forget(it->imm.cf.regions[r]);
   }
}

struct ir_unroll_cost ir_unroll_cost(struct ir_shader *shader, struct ir_instr *loop, uint32_t num_rounds)
{
   struct ir_region *body = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   const struct ir_jump_list *continues = &ir_jumps_of(loop)->continues;
   struct numbering n = {.shader = shader, .loop = loop, .capacity = 16};
   uint32_t round = 0;
   add_cost(body, &round);
   add_cost(cont, &round);
   while (n.capacity < 2 * num_rounds * round)
      n.capacity *= 2;
   n.seen = UTIL_ARENA_ARRAY(shader->arena, uint64_t, n.capacity);
   n.next = UTIL_ARENA_ARRAY(shader->arena, struct number, body->num_params);
   for (uint32_t i = 0; i < body->num_params; i++)
      set_number(&n, body->params[i], number_of(loop->srcs[i]));
   uint32_t num_whole = 0; /* the last one is only its test */
   for (uint32_t r = 0; r < num_rounds; r++) {
      num_whole += number_region(&n, body);
      number_joins(&n, cont->params, cont->num_params, continues->count == 1 ? continues->jumps[0] : NULL);
      number_region(&n, cont);
      next_round(&n);
   }
   forget(body);
   forget(cont);
   return (struct ir_unroll_cost){num_whole * round, n.copies};
}
