/* SPDX-License-Identifier: MIT
 * Identities of integers, booleans, selects, vectors and conversions. */
#include "compiler/opt/algebra.h"

#include "compiler/ir/ir_eval.h"

typedef struct ir_instr *rule_fn(struct ir_builder *b, struct ir_instr *instr);

static bool is_value(const struct ir_instr *instr, uint64_t value)
{
   return ir_is_const(instr) && instr->num_components == 1 && instr->imm.c[0] == ir_mask_bits(value, instr->bit_size);
}

static struct ir_instr *same_const(struct ir_builder *b, const struct ir_instr *like, uint64_t value)
{
   return ir_const(b, like->bit_size, value);
}

static bool is_power_of_two(const struct ir_instr *instr, uint32_t *log2)
{
   if (!ir_is_const(instr) || __builtin_popcountll(instr->imm.c[0]) != 1)
      return false;
   *log2 = (uint32_t)__builtin_ctzll(instr->imm.c[0]);
   return true;
}

/* ---- arithmetic ---- */

static struct ir_instr *rule_iadd(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (is_value(y, 0))
      return x;
   if (ir_is_const(y) && x->op == IR_iadd && ir_is_const(x->srcs[1]))
      return ir_alu2(b, IR_iadd, x->srcs[0], same_const(b, y, x->srcs[1]->imm.c[0] + y->imm.c[0]));
   if (y->op == IR_ineg)
      return ir_alu2(b, IR_isub, x, y->srcs[0]);
   if (x->op == IR_ineg && !ir_is_const(y))
      return ir_alu2(b, IR_isub, y, x->srcs[0]);
   if (x->op == IR_isub && x->srcs[1] == y)
      return x->srcs[0];
   return NULL;
}

static struct ir_instr *rule_isub(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (x == y)
      return same_const(b, instr, 0);
   if (ir_is_const(y))
      return ir_alu2(b, IR_iadd, x, same_const(b, y, -y->imm.c[0]));
   if (is_value(x, 0))
      return ir_alu1(b, IR_ineg, y);
   if (y->op == IR_ineg)
      return ir_alu2(b, IR_iadd, x, y->srcs[0]);
   if (x->op == IR_iadd && x->srcs[1] == y)
      return x->srcs[0];
   if (x->op == IR_iadd && x->srcs[0] == y)
      return x->srcs[1];
   return NULL;
}

static struct ir_instr *rule_imul(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (is_value(y, 0))
      return y;
   if (is_value(y, 1))
      return x;
   if (is_value(y, UINT64_MAX))
      return ir_alu1(b, IR_ineg, x);
   if (ir_is_const(y) && x->op == IR_imul && ir_is_const(x->srcs[1]))
      return ir_alu2(b, IR_imul, x->srcs[0], same_const(b, y, x->srcs[1]->imm.c[0] * y->imm.c[0]));
   return NULL;
}

/* An operation that is its own inverse. */
static struct ir_instr *rule_involution(struct ir_builder *b, struct ir_instr *instr)
{
   return instr->srcs[0]->op == instr->op ? instr->srcs[0]->srcs[0] : NULL;
}

static struct ir_instr *rule_divide(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   uint32_t log2;
   if (is_value(y, 1))
      return instr->op == IR_udiv || instr->op == IR_idiv ? x : same_const(b, instr, 0);
   if (!is_power_of_two(y, &log2))
      return NULL;
   if (instr->op == IR_udiv)
      return ir_alu2(b, IR_ushr, x, same_const(b, y, log2));
   if (instr->op == IR_umod || (instr->op == IR_imod && log2 + 1 < y->bit_size))
      return ir_alu2(b, IR_iand, x, same_const(b, y, y->imm.c[0] - 1));
   return NULL;
}

static struct ir_instr *rule_min_max(struct ir_builder *b, struct ir_instr *instr)
{
   return instr->srcs[0] == instr->srcs[1] ? instr->srcs[0] : NULL;
}

static struct ir_instr *rule_iand(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (x == y || is_value(y, UINT64_MAX))
      return x;
   if (is_value(y, 0))
      return y;
   if (ir_is_const(y) && x->op == IR_iand && ir_is_const(x->srcs[1]))
      return ir_alu2(b, IR_iand, x->srcs[0], same_const(b, y, x->srcs[1]->imm.c[0] & y->imm.c[0]));
   return NULL;
}

static struct ir_instr *rule_ior(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (x == y || is_value(y, 0))
      return x;
   return is_value(y, UINT64_MAX) ? y : NULL;
}

static struct ir_instr *rule_ixor(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (x == y)
      return same_const(b, instr, 0);
   if (is_value(y, 0))
      return x;
   return is_value(y, UINT64_MAX) ? ir_alu1(b, IR_inot, x) : NULL;
}

static struct ir_instr *rule_shift(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (is_value(x, 0))
      return x;
   if (!ir_is_const(y))
      return NULL;
   const uint64_t amount = y->imm.c[0] & (instr->bit_size - 1);
   if (!amount)
      return x;
   if (x->op == instr->op && ir_is_const(x->srcs[1])) {
      const uint64_t sum = amount + (x->srcs[1]->imm.c[0] & (instr->bit_size - 1));
      if (sum < instr->bit_size)
         return ir_alu2(b, instr->op, x->srcs[0], same_const(b, y, sum));
   }
   return NULL;
}

/* ---- comparisons and booleans ---- */

static enum ir_op inverse_comparison(enum ir_op op)
{
   switch (op) {
   case IR_ieq: return IR_ine;
   case IR_ine: return IR_ieq;
   case IR_ilt: return IR_ige;
   case IR_ige: return IR_ilt;
   case IR_ult: return IR_uge;
   case IR_uge: return IR_ult;
   case IR_feq: return IR_fneu;
   case IR_fne: return IR_fequ;
   case IR_flt: return IR_fgeu;
   case IR_fge: return IR_fltu;
   case IR_fequ: return IR_fne;
   case IR_fneu: return IR_feq;
   case IR_fltu: return IR_fge;
   case IR_fgeu: return IR_flt;
   default: return IR_NUM_OPS;
   }
}

static struct ir_instr *rule_inot(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (x->op == IR_inot)
      return x->srcs[0];
   const enum ir_op inverse = inverse_comparison(x->op);
   if (inverse == IR_NUM_OPS)
      return NULL;
   struct ir_instr *result = ir_alu2(b, inverse, x->srcs[0], x->srcs[1]);
   result->fp = x->fp;
   return result;
}

/* The condition behind a number that is one of two constants. */
static bool is_choice(const struct ir_instr *x, struct ir_instr **condition, uint64_t *if_true, uint64_t *if_false)
{
   if (x->op == IR_select && ir_is_const(x->srcs[1]) && ir_is_const(x->srcs[2])) {
      *condition = x->srcs[0];
      *if_true = x->srcs[1]->imm.c[0];
      *if_false = x->srcs[2]->imm.c[0];
      return true;
   }
   if ((x->op == IR_u2u || x->op == IR_i2i) && x->srcs[0]->bit_size == 1) {
      *condition = x->srcs[0];
      *if_true = x->op == IR_u2u ? 1 : ir_mask_bits(UINT64_MAX, x->bit_size);
      *if_false = 0;
      return true;
   }
   return false;
}

static bool is_choice_or_const(const struct ir_instr *x)
{
   struct ir_instr *condition;
   uint64_t if_true, if_false;
   return ir_is_const(x) || is_choice(x, &condition, &if_true, &if_false);
}

static struct ir_instr *choose(struct ir_builder *b, struct ir_instr *condition, bool if_true, bool if_false)
{
   if (if_true == if_false)
      return ir_const(b, 1, if_true);
   return if_true ? condition : ir_alu1(b, IR_inot, condition);
}

static struct ir_instr *rule_compare(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1], *condition;
   uint64_t if_true, if_false, results[2];
   if (x == y)
      return ir_const(b, 1, instr->op == IR_ieq || instr->op == IR_ige || instr->op == IR_uge);
   if (ir_is_const(y) && is_choice(x, &condition, &if_true, &if_false)) {
      ir_eval(instr, (uint64_t[]){if_true, y->imm.c[0]}, &results[0]);
      ir_eval(instr, (uint64_t[]){if_false, y->imm.c[0]}, &results[1]);
      return choose(b, condition, results[0], results[1]);
   }
   if (ir_is_const(y) && x->op == IR_select && is_choice_or_const(x->srcs[1]) && is_choice_or_const(x->srcs[2]))
      return ir_select(b, x->srcs[0], ir_alu2(b, instr->op, x->srcs[1], y), ir_alu2(b, instr->op, x->srcs[2], y));
   if (x->bit_size == 1 && ir_is_const(y) && (instr->op == IR_ieq || instr->op == IR_ine))
      return y->imm.c[0] == (instr->op == IR_ieq) ? x : ir_alu1(b, IR_inot, x);
   if (is_value(y, 0) && (instr->op == IR_ult || instr->op == IR_uge))
      return ir_const(b, 1, instr->op == IR_uge);
   if (is_value(y, 1) && (instr->op == IR_ult || instr->op == IR_uge))
      return ir_alu2(b, instr->op == IR_ult ? IR_ieq : IR_ine, x, same_const(b, y, 0));
   return NULL;
}

static struct ir_instr *rule_select(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *c = instr->srcs[0], *x = instr->srcs[1], *y = instr->srcs[2];
   if (x == y)
      return x;
   if (ir_is_const(c))
      return c->imm.c[0] ? x : y;
   if (c->op == IR_inot)
      return ir_select(b, c->srcs[0], y, x);
   if (x->op == IR_select && x->srcs[0] == c)
      return ir_select(b, c, x->srcs[1], y);
   if (y->op == IR_select && y->srcs[0] == c)
      return ir_select(b, c, x, y->srcs[2]);
   if (instr->bit_size == 1) {
      if (ir_is_const(x) && ir_is_const(y))
         return choose(b, c, x->imm.c[0], y->imm.c[0]);
      if (is_value(x, 1) || x == c)
         return ir_alu2(b, IR_ior, c, y);
      if (is_value(y, 0) || y == c)
         return ir_alu2(b, IR_iand, c, x);
   }
   if (c->op == IR_ilt || c->op == IR_ult) {
      const enum ir_op min = c->op == IR_ilt ? IR_imin : IR_umin, max = c->op == IR_ilt ? IR_imax : IR_umax;
      if (c->srcs[0] == x && c->srcs[1] == y)
         return ir_alu2(b, min, x, y);
      if (c->srcs[0] == y && c->srcs[1] == x)
         return ir_alu2(b, max, x, y);
   }
   return NULL;
}

/* ---- vectors and conversions ---- */

static struct ir_instr *rule_extract(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   const uint32_t index = instr->imm.u[0];
   if (x->num_components == 1)
      return x;
   if (x->op == IR_vec)
      return x->srcs[index];
   if (ir_is_const(x))
      return ir_const(b, x->bit_size, x->imm.c[index]);
   return x->op == IR_undef ? ir_undef(b, 1, x->bit_size) : NULL;
}

static struct ir_instr *rule_vec(struct ir_builder *b, struct ir_instr *instr)
{
   bool is_whole = true, is_const = true;
   struct ir_instr *first = instr->srcs[0];
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const struct ir_instr *src = instr->srcs[i];
      is_whole = is_whole && src->op == IR_extract && src->imm.u[0] == i && src->srcs[0] == first->srcs[0];
      is_const &= ir_is_const(src);
   }
   if (is_whole && first->srcs[0]->num_components == instr->num_components)
      return first->srcs[0];
   if (!is_const)
      return NULL;
   struct ir_instr *result = ir_emit(b, IR_const, instr->num_components, instr->bit_size, 0, NULL);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      result->imm.c[i] = instr->srcs[i]->imm.c[0];
   return result;
}

static struct ir_instr *rule_resize(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (x->bit_size == instr->bit_size)
      return x;
   if (x->op != IR_u2u && x->op != IR_i2i)
      return NULL;
   struct ir_instr *inner = x->srcs[0];
   const bool is_narrowing = instr->bit_size < x->bit_size, has_widened = inner->bit_size < x->bit_size;
   if (is_narrowing) /* only the low bits count; from a widened value, how it was widened */
      return ir_convert(b, instr->bit_size > inner->bit_size ? x->op : IR_u2u, instr->bit_size, inner);
   if (has_widened && (x->op == instr->op || x->op == IR_u2u)) /* a zero-extended value has no sign */
      return ir_convert(b, x->op, instr->bit_size, inner);
   return NULL;
}

static struct ir_instr *rule_pack(struct ir_builder *b, struct ir_instr *instr)
{
   const struct ir_instr *first = instr->srcs[0];
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const struct ir_instr *src = instr->srcs[i];
      if (src->op != IR_unpack || src->imm.u[0] != i || src->srcs[0] != first->srcs[0])
         return NULL;
   }
   return first->srcs[0]->bit_size == instr->bit_size ? first->srcs[0] : NULL;
}

static struct ir_instr *rule_unpack(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (x->bit_size == instr->bit_size)
      return x;
   if (x->op == IR_pack && x->srcs[0]->bit_size == instr->bit_size)
      return x->srcs[instr->imm.u[0]];
   if (x->op == IR_u2u && x->srcs[0]->bit_size == instr->bit_size)
      return instr->imm.u[0] ? same_const(b, instr, 0) : x->srcs[0];
   return NULL;
}

static rule_fn *const rules[IR_NUM_OPS] = {
   [IR_iadd] = rule_iadd,
   [IR_isub] = rule_isub,
   [IR_imul] = rule_imul,
   [IR_ineg] = rule_involution,
   [IR_bitreverse] = rule_involution,
   [IR_inot] = rule_inot,
   [IR_udiv] = rule_divide,
   [IR_idiv] = rule_divide,
   [IR_umod] = rule_divide,
   [IR_irem] = rule_divide,
   [IR_imod] = rule_divide,
   [IR_imin] = rule_min_max,
   [IR_imax] = rule_min_max,
   [IR_umin] = rule_min_max,
   [IR_umax] = rule_min_max,
   [IR_iand] = rule_iand,
   [IR_ior] = rule_ior,
   [IR_ixor] = rule_ixor,
   [IR_ishl] = rule_shift,
   [IR_ishr] = rule_shift,
   [IR_ushr] = rule_shift,
   [IR_ieq] = rule_compare,
   [IR_ine] = rule_compare,
   [IR_ilt] = rule_compare,
   [IR_ige] = rule_compare,
   [IR_ult] = rule_compare,
   [IR_uge] = rule_compare,
   [IR_select] = rule_select,
   [IR_extract] = rule_extract,
   [IR_vec] = rule_vec,
   [IR_i2i] = rule_resize,
   [IR_u2u] = rule_resize,
   [IR_pack] = rule_pack,
   [IR_unpack] = rule_unpack,
};

struct ir_instr *ir_algebra(struct ir_builder *b, struct ir_instr *instr)
{
   rule_fn *rule = rules[instr->op];
   return rule ? rule(b, instr) : ir_algebra_float(b, instr);
}
