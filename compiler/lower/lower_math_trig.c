/* SPDX-License-Identifier: MIT
 * sin, cos, tan. The argument is reduced to [-pi/2, pi/2] by multiples of pi, for cosine by odd multiples of pi/2: then both are the
 * polynomial of sine, but for the sign. Coefficients: fit.py.
 *
 * Up to 8192 the reduction subtracts multiples of pi in three parts (after Cody & Waite), fused; the first step is exact. Larger arguments take a
 * branch that multiplies by those bits of 2/pi that matter (after Payne & Hanek), so that the reduced argument is as good for every float. */
#include "compiler/lower/lower_math.h"

/* sin(x) / x - 1 over x^2, for x^2 on [0, (pi/2)^2]; sine is within 2^-27.3. */
static const float sin_coefficients[] = {-0x1.55554cp-3f, 0x1.110edap-7f, -0x1.9f70f2p-13f, 0x1.5dc940p-19f};

/* pi in three floats. */
static const double pi_high = 0x1.921fb6p1, pi_middle = -0x1.777a5cp-24, pi_low = -0x1.ee59dap-49;
static const double one_over_pi = 0x1.45f306p-2;
/* 2/pi in words, the highest first, from the bit of 2^12 on. */
static const uint32_t two_over_pi_bits[] = {0x000517cc, 0x1b727220, 0xa94fe13a, 0xbe8fa9a6,
                                            0xee06db14, 0xacc9e21c, 0x820ff28b};
static const double pi_by_2_64 = 0x1.921fb54442d18p-63;
static const double max_fast = 8192.0;

/* |x| = n pi + r, or (n - 1/2) pi + r for cosine; of n the lowest bit, above which anything may stand. */
struct reduction {
   struct ir_region *region; /* where it is visible */
   struct ir_instr *r, *n;
};

/* The words of 2/pi from bit `first` (0 to 127) on: 96 bits, the highest first. */
static void bits_of_two_over_pi(struct math *m, struct ir_instr *first, struct ir_instr *words[3])
{
   struct ir_instr *by_64 = ir_alu2(&m->b, IR_ine, m_and(m, first, 64), m_int(m, 0));
   struct ir_instr *by_32 = ir_alu2(&m->b, IR_ine, m_and(m, first, 32), m_int(m, 0));
   struct ir_instr *left = m_and(m, first, 31), *right = m_xor(m, left, m_int(m, 31)), *pairs[5], *aligned[4];
   for (uint32_t i = 0; i < 5; i++)
      pairs[i] = m_select(m, by_64, m_int(m, two_over_pi_bits[i + 2]), m_int(m, two_over_pi_bits[i]));
   for (uint32_t i = 0; i < 4; i++)
      aligned[i] = m_select(m, by_32, pairs[i + 1], pairs[i]);
   for (uint32_t i = 0; i < 3; i++) {
      struct ir_instr *next = ir_alu2(&m->b, IR_ushr, aligned[i + 1], m_int(m, 1)); /* and 31 - left: 32 is no amount */
      words[i] = ir_alu2(&m->b, IR_ior, ir_alu2(&m->b, IR_ishl, aligned[i], left), ir_alu2(&m->b, IR_ushr, next, right));
   }
}

/* a = m 2^s, m of 24 bits: of 2/pi 2^s the bits from 2^1 down to 2^-94 give a 2/pi modulo 4, so a/pi modulo 2, with 63 bits of the fraction. No
 * float is nearer than 2^-30 to a multiple of pi/2, so 32 of them are left at worst. Infinity gives NaN. */
static void reduce_large(struct math *m, struct ir_instr *a, bool is_cosine, struct ir_instr *results[2])
{
   struct ir_instr *exponent = ir_alu2(&m->b, IR_ushr, a, m_int(m, 23)), *words[3];
   struct ir_instr *n = ir_alu2(&m->b, IR_ior, m_and(m, a, 0x7fffff), m_int(m, 0x800000));
   bits_of_two_over_pi(m, m_iadd(m, exponent, (uint32_t)-139), words); /* s = exponent - 150; 2^(1 - s) is bit 11 + s */

   struct ir_instr *carried = ir_alu2(&m->b, IR_umulh, n, words[2]);
   struct ir_instr *low = ir_alu2(&m->b, IR_iadd, ir_alu2(&m->b, IR_imul, n, words[1]), carried);
   struct ir_instr *carry = ir_convert(&m->b, IR_u2u, 32, ir_alu2(&m->b, IR_ult, low, carried));
   struct ir_instr *high = ir_alu2(&m->b, IR_iadd, ir_alu2(&m->b, IR_imul, n, words[0]), ir_alu2(&m->b, IR_umulh, n, words[1]));
   high = ir_alu2(&m->b, IR_iadd, high, carry);
   if (is_cosine)
      high = m_iadd(m, high, 0x40000000); /* 1/2 */

   /* The fraction as a signed number of 64 bits: from a half on it counts back from the next multiple. */
   struct ir_instr *fraction[2] = {m_shl(m, low, 1), m_shl(m, high, 1)};
   fraction[1] = ir_alu2(&m->b, IR_ior, fraction[1], ir_alu2(&m->b, IR_ushr, low, m_int(m, 31)));
   struct ir_instr *r = ir_convert(&m->b, IR_i2f, 64, ir_emit(&m->b, IR_pack, 1, 64, 2, fraction));
   r = ir_convert(&m->b, IR_f2f, 32, m_mul(m, r, ir_const_f(&m->b, 64, pi_by_2_64)));
   results[0] = m_add(m, r, m_sub(m, a, a));
   results[1] = ir_alu2(&m->b, IR_ushr, m_iadd(m, high, 0x40000000), m_int(m, 31));
}

/* n is a / pi, or a / pi + 1/2, to the nearest. */
static void reduce_fast(struct math *m, struct ir_instr *a, bool is_cosine, struct ir_instr *results[2])
{
   struct ir_instr *turns = is_cosine ? m_mad_const(m, a, one_over_pi, m_float(m, 0.5)) : a;
   const struct math_integer n = m_to_integer(m, turns, is_cosine ? 1.0 : one_over_pi);
   struct ir_instr *multiple = is_cosine ? m_sub(m, n.value, m_float(m, 0.5)) : n.value;
   struct ir_instr *r = m_mad_const(m, multiple, -pi_high, a); /* exact */
   r = m_mad_const(m, multiple, -pi_middle, r);
   results[0] = m_mad_const(m, multiple, -pi_low, r); /* next to multiples of pi little else is left */
   results[1] = n.bits;
}

static void reduce(struct math *m, struct ir_instr *a, bool is_cosine, struct reduction *out)
{
   struct ir_instr *fast[2], *large[2];
   reduce_fast(m, a, is_cosine, fast);

   const struct ir_builder outer = m->b;
   struct ir_instr *branch = ir_if(&m->b, m_ge(m, a, m_float(m, max_fast)));
   m->b = ir_builder_at_end(outer.shader, branch->imm.cf.regions[0]);
   m->b.line = outer.line;
   reduce_large(m, a, is_cosine, large);
   ir_jump(&m->b, IR_yield, NULL, 2, large);
   m->b = ir_builder_at_end(outer.shader, branch->imm.cf.regions[1]);
   ir_jump(&m->b, IR_yield, NULL, 2, fast);
   m->b = outer;
   out->r = ir_add_result(outer.shader, branch, 1, 32);
   out->n = ir_add_result(outer.shader, branch, 1, 32);
   out->region = outer.region;
}

static const struct reduction *reduction_of(struct math *m, struct ir_instr *x, bool is_cosine)
{
   const uint32_t key = x->index * 2 + is_cosine;
   struct reduction *known = ir_map_find(&m->reductions, key);
   if (known && known->region == m->b.region)
      return known;
   if (!known) {
      known = UTIL_ARENA_NEW(m->b.shader->arena, struct reduction);
      ir_map_add(&m->reductions, key, known);
   }
   reduce(m, m_abs(m, x), is_cosine, known);
   return known;
}

/* Next to pi/2 the polynomial may be one float above 1. cos((n - 1/2) pi + r) is sin(n pi + r). */
static struct ir_instr *sine(struct math *m, struct ir_instr *x, bool is_cosine)
{
   const struct reduction *reduction = reduction_of(m, x, is_cosine);
   struct ir_instr *r = reduction->r;
   struct ir_instr *value = m_clamp(m, M_ODD(m, r, m_mul(m, r, r), sin_coefficients), -1.0, 1.0);
   struct ir_instr *sign = m_shl(m, reduction->n, 31);
   return m_xor(m, value, is_cosine ? sign : m_xor(m, sign, m_sign(m, x)));
}

struct ir_instr *ir_lower_math_trig(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (instr->op != IR_ftan)
      return sine(m, x, instr->op == IR_fcos);
   struct ir_instr *numerator = sine(m, x, false);
   return m_div(m, numerator, sine(m, x, true));
}
