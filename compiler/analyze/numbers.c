/* SPDX-License-Identifier: MIT
 * Which floats a value may be, and where the sign of a zero can be seen: what spares minimum and maximum their care for NaN and zeros, and powers
 * of two the half of their steps.
 *
 * Requires: functions are lowered, so that it is the arithmetic that runs. Does: if there is a minimum or maximum of two that are no constants, or a
 * power of two, fills `numbers` of every value: the classes that it may be of, read as a float of its size, IR_MAY_BE_SIGNALLING, and IR_ZERO_SIGN where
 * +0 in place of -0, or the reverse, could change anything but the sign of a zero that nobody looks at.
 * Preserves: everything.
 *
 * Classes go forward and grow until no walk adds any, from the empty set, so that what goes round in a loop is no worse than what comes in. Pairs of
 * operands are taken class by class; whether a NaN may be signalling goes forward with them. What looks at a sign goes backwards in the same manner.
 *
 *    %2 = fmul 1x32 %0, %0      no number below zero, nor -0
 *    %3 = fsqrt 1x32 %2
 *    %5 = fmin 1x32 %3, %4      zeros need no care, whatever %4 is: of zeros that are equal %4 is right */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

#include <math.h>

enum {
   NUM_CLASSES = 7,
   NEGATIVE = IR_MAY_BE_MINUS_INF | IR_MAY_BE_NEGATIVE,
   ZEROS = IR_MAY_BE_MINUS_ZERO | IR_MAY_BE_ZERO,
   INFINITIES = IR_MAY_BE_MINUS_INF | IR_MAY_BE_INF,
   MINUS = NEGATIVE | IR_MAY_BE_MINUS_ZERO, /* with the sign bit */
   FINITE = IR_MAY_BE_NEGATIVE | IR_MAY_BE_POSITIVE,
};

struct analysis {
   bool has_changed;
};

/* ---- classes of results ---- */

/* The bits of the classes are in order, from -infinity to infinity, and NaN above: the same with the other sign. */
static uint32_t negated(uint32_t x)
{
   uint32_t result = x & IR_MAY_BE_NAN;
   for (uint32_t i = 0; i < 6; i++)
      result |= x >> i & 1 ? 1u << (5 - i) : 0;
   return result;
}

static uint32_t without_sign(uint32_t x)
{
   return (x & ~(uint32_t)MINUS) | (negated(x) & ~(uint32_t)MINUS);
}

/* With the sign bit, or without. */
static uint32_t with_sign(uint32_t x, bool is_minus)
{
   return is_minus ? negated(x) : x;
}

/* Of one class each. */
static uint32_t of_sum(uint32_t x, uint32_t y)
{
   if ((x | y) & IR_MAY_BE_NAN || (x | y) == INFINITIES)
      return IR_MAY_BE_NAN;
   if ((x | y) & INFINITIES)
      return (x | y) & INFINITIES;
   if (x & ZEROS)
      return y & ZEROS && x != y ? IR_MAY_BE_ZERO : y;
   if (y & ZEROS)
      return x;
   if (x != y)
      return FINITE | IR_MAY_BE_ZERO; /* exact where it is small */
   return x | (x & IR_MAY_BE_NEGATIVE ? IR_MAY_BE_MINUS_INF : IR_MAY_BE_INF);
}

static uint32_t of_product(uint32_t x, uint32_t y)
{
   const uint32_t size_x = without_sign(x), size_y = without_sign(y), sizes = size_x | size_y;
   const bool is_minus = !(x & MINUS) != !(y & MINUS);
   if (sizes & IR_MAY_BE_NAN || sizes == (IR_MAY_BE_ZERO | IR_MAY_BE_INF))
      return IR_MAY_BE_NAN;
   if (sizes & (IR_MAY_BE_ZERO | IR_MAY_BE_INF))
      return with_sign(sizes & (IR_MAY_BE_ZERO | IR_MAY_BE_INF), is_minus);
   return with_sign(IR_MAY_BE_ZERO | IR_MAY_BE_POSITIVE | IR_MAY_BE_INF, is_minus);
}

static uint32_t of_quotient(uint32_t x, uint32_t y)
{
   const uint32_t size_y = without_sign(y);
   const uint32_t inverse = size_y & IR_MAY_BE_ZERO ? IR_MAY_BE_INF : size_y & IR_MAY_BE_INF ? IR_MAY_BE_ZERO : size_y;
   if (inverse == size_y)
      return of_product(x, y);
   /* by zero or infinity: infinite stays what it is, and so does zero */
   const bool is_minus = !(x & MINUS) != !(y & MINUS);
   const uint32_t size_x = without_sign(x);
   if (size_x & IR_MAY_BE_NAN || size_x == size_y)
      return IR_MAY_BE_NAN;
   return with_sign(inverse, is_minus);
}

static uint32_t of_min(uint32_t x, uint32_t y)
{
   return x == IR_MAY_BE_NAN ? y : y == IR_MAY_BE_NAN ? x : UTIL_MIN(x, y);
}

static uint32_t of_max(uint32_t x, uint32_t y)
{
   return x == IR_MAY_BE_NAN ? y : y == IR_MAY_BE_NAN ? x : UTIL_MAX(x, y);
}

/* Of all pairs; of a value with itself both are of one class. */
static uint32_t of_pairs(uint32_t x, uint32_t y, bool is_same, uint32_t (*combine)(uint32_t x, uint32_t y))
{
   uint32_t result = 0;
   if (x == IR_MAY_BE_ANY && y == IR_MAY_BE_ANY && !is_same)
      return IR_MAY_BE_ANY;
   for (uint32_t i = 0; i < NUM_CLASSES; i++) {
      for (uint32_t k = is_same ? i : 0; k < (is_same ? i + 1 : NUM_CLASSES); k++)
         result |= x >> i & y >> k & 1 ? combine(1u << i, 1u << k) : 0;
   }
   return result;
}

/* A product next to it that is not rounded cancels it exactly, or leaves more than the least number: the sum is no zero that has lost its number. */
static bool is_far_from_zero(const struct ir_instr *addend)
{
   if (!ir_is_const(addend) || addend->bit_size == 16)
      return false;
   return fabs(ir_float_to_double(addend->imm.c[0], addend->bit_size)) >= (addend->bit_size == 32 ? 0x1p-100 : 0x1p-900);
}

static uint32_t of_fma(const struct ir_instr *instr)
{
   const struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1], *z = instr->srcs[2];
   const uint32_t product = of_pairs(x->numbers & IR_MAY_BE_ANY, y->numbers & IR_MAY_BE_ANY, x == y, of_product);
   uint32_t exact = product; /* not rounded: no infinity but of infinities, and zero only where it is rounded later */
   if (!((x->numbers | y->numbers) & INFINITIES))
      exact &= ~(uint32_t)INFINITIES;
   uint32_t sum = of_pairs(exact, z->numbers & IR_MAY_BE_ANY, false, of_sum);
   if (product & FINITE && !is_far_from_zero(z)) /* rounded to zero with the sign of what it was */
      sum |= (sum & IR_MAY_BE_NEGATIVE ? IR_MAY_BE_MINUS_ZERO : 0) | (sum & IR_MAY_BE_POSITIVE ? IR_MAY_BE_ZERO : 0);
   if (sum & IR_MAY_BE_NEGATIVE)
      sum |= IR_MAY_BE_MINUS_INF;
   if (sum & IR_MAY_BE_POSITIVE)
      sum |= IR_MAY_BE_INF;
   return sum;
}

/* Of two zeros either is taken where nobody looks at their signs, unless one is a constant. */
static uint32_t of_min_or_max(const struct ir_instr *instr)
{
   const struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   const uint32_t result = of_pairs(x->numbers & IR_MAY_BE_ANY, y->numbers & IR_MAY_BE_ANY, x == y, instr->op == IR_fmin ? of_min : of_max);
   const bool is_exact = ir_is_const(x) || ir_is_const(y) || !(x->numbers & ZEROS) || !(y->numbers & ZEROS);
   return is_exact || !(result & ZEROS) ? result : result | ((x->numbers | y->numbers) & ZEROS);
}

static uint32_t of_sqrt(uint32_t x)
{
   return (x & ~(uint32_t)NEGATIVE) | (x & NEGATIVE ? IR_MAY_BE_NAN : 0);
}

/* To an integer: what is small may become zero of its sign. */
static uint32_t of_rounded(enum ir_op op, uint32_t x)
{
   if (op != IR_fceil && x & IR_MAY_BE_POSITIVE)
      x |= IR_MAY_BE_ZERO;
   if (op != IR_ffloor && x & IR_MAY_BE_NEGATIVE)
      x |= IR_MAY_BE_MINUS_ZERO;
   return x;
}

/* Scaled, or rounded to fewer bits. */
static uint32_t of_scaled(uint32_t x)
{
   if (x & IR_MAY_BE_POSITIVE)
      x |= IR_MAY_BE_ZERO | IR_MAY_BE_INF;
   if (x & IR_MAY_BE_NEGATIVE)
      x |= IR_MAY_BE_MINUS_ZERO | IR_MAY_BE_MINUS_INF;
   return x;
}

static uint32_t of_constant(const struct ir_instr *instr)
{
   uint32_t all = 0;
   if (instr->bit_size < 16)
      return IR_MAY_BE_ANY;
   for (uint32_t i = 0; i < instr->num_components; i++)
      all |= ir_class_of_number(ir_float_to_double(instr->imm.c[i], instr->bit_size));
   return all;
}

static uint32_t of_all_sources(const struct ir_instr *instr, uint32_t first)
{
   uint32_t all = 0;
   for (uint32_t i = first; i < instr->num_srcs; i++)
      all |= instr->srcs[i]->numbers;
   return all & IR_MAY_BE_ANY;
}

static uint32_t of_value(const struct ir_instr *instr)
{
   const uint32_t x = instr->num_srcs > 0 ? instr->srcs[0]->numbers & IR_MAY_BE_ANY : 0;
   const uint32_t y = instr->num_srcs > 1 ? instr->srcs[1]->numbers & IR_MAY_BE_ANY : 0;
   const bool is_same = instr->num_srcs > 1 && instr->srcs[0] == instr->srcs[1];
   switch ((enum ir_op)instr->op) {
   case IR_const: return of_constant(instr);
   case IR_i2f: return FINITE | IR_MAY_BE_ZERO | (instr->bit_size == 16 ? INFINITIES : 0);
   case IR_u2f: return IR_MAY_BE_POSITIVE | IR_MAY_BE_ZERO | (instr->bit_size == 16 ? IR_MAY_BE_INF : 0);
   case IR_fadd: return of_pairs(x, y, is_same, of_sum);
   case IR_fsub: return is_same ? IR_MAY_BE_ZERO | IR_MAY_BE_NAN : of_pairs(x, negated(y), false, of_sum);
   case IR_fmul: return of_pairs(x, y, is_same, of_product);
   case IR_fdiv: return of_pairs(x, y, is_same, of_quotient);
   case IR_fma: return of_fma(instr);
   case IR_fneg: return negated(x);
   case IR_fabs: return without_sign(x);
   case IR_fmin: case IR_fmax: return of_min_or_max(instr);
   case IR_fsqrt: return of_sqrt(x);
   case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_fround_even: return of_rounded(instr->op, x);
   case IR_fscale: return of_scaled(x) | (y & IR_MAY_BE_NAN);
   case IR_ffraction: return IR_MAY_BE_POSITIVE | ZEROS | (x & IR_MAY_BE_NAN);
   case IR_f2f: return instr->bit_size < instr->srcs[0]->bit_size ? of_scaled(x) : x;
   case IR_fone_nan: case IR_extract: case IR_read_first: return x;
   case IR_select: return of_all_sources(instr, 1);
   case IR_vec: return of_all_sources(instr, 0);
   case IR_image_load: return instr->imm.u[2] & IR_ACCESS_NORMALIZED ? FINITE | ZEROS : IR_MAY_BE_ANY;
   case IR_load_table: return instr->imm.var.var->table->numbers;
   default: return IR_MAY_BE_ANY;
   }
}

/* Arithmetic gives quiet NaN only; what passes bits on may pass a signalling one. */
static uint32_t of_signals(const struct ir_instr *instr)
{
   uint32_t all = 0;
   switch ((enum ir_op)instr->op) {
   case IR_i2f: case IR_u2f: case IR_fadd: case IR_fsub: case IR_fmul: case IR_fdiv: case IR_fma: case IR_fsqrt: case IR_fscale: case IR_ffraction:
   case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_fround_even: case IR_fone_nan:
      return 0;
   case IR_f2f:
      return instr->bit_size != instr->srcs[0]->bit_size ? 0 : instr->srcs[0]->numbers & IR_MAY_BE_SIGNALLING;
   case IR_const: case IR_load_table: case IR_image_load:
      return of_value(instr) & IR_MAY_BE_NAN ? IR_MAY_BE_SIGNALLING : 0;
   case IR_fneg: case IR_fabs: case IR_fmin: case IR_fmax: case IR_extract: case IR_read_first: case IR_vec: case IR_select:
      for (uint32_t i = instr->op == IR_select; i < instr->num_srcs; i++)
         all |= instr->srcs[i]->numbers;
      return all & IR_MAY_BE_SIGNALLING;
   default:
      return IR_MAY_BE_SIGNALLING;
   }
}

static void add(struct analysis *a, struct ir_instr *value, uint32_t numbers)
{
   a->has_changed |= (value->numbers & numbers) != numbers;
   value->numbers |= (uint16_t)numbers;
}

static void find_classes(struct ir_instr *instr, void *data)
{
   struct analysis *a = data;
   if (instr->num_components && instr->op != IR_result)
      add(a, instr, of_value(instr) | of_signals(instr));
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      struct ir_instr *join = ir_join_of(instr, i);
      if (join)
         add(a, join, instr->srcs[i]->numbers & (IR_MAY_BE_ANY | IR_MAY_BE_SIGNALLING));
   }
}

/* ---- who looks at the sign of a zero ---- */

static bool may_be(const struct ir_instr *value, uint32_t classes)
{
   return value->numbers & classes;
}

/* A product of the first two sources may be -0. */
static bool product_may_be_minus_zero(const struct ir_instr *instr)
{
   const struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   return of_pairs(x->numbers & IR_MAY_BE_ANY, y->numbers & IR_MAY_BE_ANY, x == y, of_product) & IR_MAY_BE_MINUS_ZERO;
}

/* Whether the instruction looks at the sign of source i if that is zero. */
static bool sees_zero_sign(const struct ir_instr *instr, uint32_t i)
{
   const bool is_seen = instr->numbers & IR_ZERO_SIGN;
   switch ((enum ir_op)instr->op) {
   case IR_fadd: /* only two of -0 give -0 */
      return is_seen && may_be(instr->srcs[!i], IR_MAY_BE_MINUS_ZERO);
   case IR_fsub:
      return is_seen && may_be(instr->srcs[!i], i == 0 ? IR_MAY_BE_ZERO : IR_MAY_BE_MINUS_ZERO);
   case IR_fma:
      return is_seen && (i < 2 ? may_be(instr->srcs[2], IR_MAY_BE_MINUS_ZERO) : product_may_be_minus_zero(instr));
   case IR_fdiv:
      return i == 1 || is_seen;
   case IR_feq: case IR_fne: case IR_flt: case IR_fge: case IR_fequ: case IR_fneu: case IR_fltu: case IR_fgeu:
   case IR_fabs: case IR_f2i: case IR_f2u:
      return false;
   case IR_select:
      return i > 0 && is_seen;
   case IR_fscale:
      return i > 0 || is_seen;
   case IR_fmul: case IR_fmin: case IR_fmax: case IR_fneg: case IR_fsqrt: case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_fround_even:
   case IR_f2f: case IR_fone_nan: case IR_vec: case IR_extract:
      return is_seen;
   default:
      return true;
   }
}

/* Uses before definitions, but for what goes round in loops. */
static void find_seen(struct analysis *a, struct ir_region *region)
{
   for (struct util_list *node = region->instrs.prev; node != &region->instrs; node = node->prev) {
      struct ir_instr *it = UTIL_LIST_ENTRY(node, struct ir_instr, link);
      for (uint32_t r = ir_num_regions(it); r-- > 0;)
         find_seen(a, it->imm.cf.regions[r]);
      for (uint32_t i = 0; i < it->num_srcs; i++) {
         const struct ir_instr *join = ir_join_of(it, i);
         if (join ? join->numbers & IR_ZERO_SIGN : sees_zero_sign(it, i))
            add(a, it->srcs[i], IR_ZERO_SIGN);
      }
   }
}

/* ---- the pass ---- */

static void clear(struct ir_instr *instr, void *data)
{
   const bool is_choice = instr->op == IR_fmin || instr->op == IR_fmax;
   *(bool *)data |= instr->op == IR_fscale || (is_choice && !ir_is_const(instr->srcs[0]) && !ir_is_const(instr->srcs[1]));
   instr->numbers = 0;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         instr->imm.cf.regions[r]->params[i]->numbers = 0;
   }
}

void ir_analyze_numbers(struct ir_shader *shader)
{
   struct analysis a;
   bool is_asked = false;
   ir_for_each(shader, clear, &is_asked);
   if (!is_asked)
      return;
   do {
      a.has_changed = false;
      ir_for_each(shader, find_classes, &a);
   } while (a.has_changed);
   do {
      a.has_changed = false;
      find_seen(&a, shader->body);
   } while (a.has_changed);
}
