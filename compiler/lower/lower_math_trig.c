/* SPDX-License-Identifier: MIT
 * sin, cos, tan. The argument is reduced to [-pi/4, pi/4] and a quadrant; sine and cosine of one argument share that.
 * Coefficients: fit.py.
 *
 * Up to 8192 the reduction subtracts multiples of pi/2 in three parts (after Cody & Waite), fused; the first step is
 * exact. Larger arguments take a branch that multiplies by those bits of 2/pi that matter (after Payne & Hanek), so that
 * the reduced argument is as good for every float. */
#include "compiler/lower/lower_math.h"

/* sin(x) / x - 1 over x^2, for x^2 on [0, (pi/4)^2]; sine is within 2^-27.9. */
static const float sin_coefficients[] = {-0x1.555546p-3f, 0x1.110778p-7f, -0x1.995408p-13f};
/* (cos(x) - 1 + x^2/2) / x^4 on the same interval; cosine is within 2^-33.0. */
static const float cos_coefficients[] = {0x1.55554ap-5f, -0x1.6c0c2ap-10f, 0x1.99e914p-16f};

/* pi/2 in three floats. */
static const double pi_half_high = 0x1.921fb6p0, pi_half_middle = -0x1.777a5cp-25, pi_half_low = -0x1.ee59dap-50;
/* 2/pi in words, the highest first, from the bit of 2^12 on. */
static const uint32_t two_over_pi_bits[] = {0x000517cc, 0x1b727220, 0xa94fe13a, 0xbe8fa9a6,
                                            0xee06db14, 0xacc9e21c, 0x820ff28b};
static const double pi_half_by_2_64 = 0x1.921fb54442d18p-64;
static const double two_over_pi = 0x1.45f306dc9c883p-1;
static const double max_fast = 8192.0;

/* |x| = quadrant * pi/2 + r; of the quadrant the lower bits. */
struct reduction {
   struct ir_region *region; /* where it is visible */
   struct ir_instr *r, *quadrant;
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

/* a = n 2^s, n of 24 bits: of 2/pi 2^s the bits from 2^1 down to 2^-94 give a 2/pi modulo 4 with 62 bits of the fraction. No
 * float is nearer than 2^-30 to a multiple of pi/2, so 32 of them are left at worst. Infinity gives NaN. */
static void reduce_large(struct math *m, struct ir_instr *a, struct ir_instr *results[2])
{
   struct ir_instr *exponent = ir_alu2(&m->b, IR_ushr, a, m_int(m, 23)), *words[3];
   struct ir_instr *n = ir_alu2(&m->b, IR_ior, m_and(m, a, 0x7fffff), m_int(m, 0x800000));
   bits_of_two_over_pi(m, m_iadd(m, exponent, (uint32_t)-139), words); /* s = exponent - 150; 2^(1 - s) is bit 11 + s */

   struct ir_instr *carried = ir_alu2(&m->b, IR_umulh, n, words[2]);
   struct ir_instr *low = ir_alu2(&m->b, IR_iadd, ir_alu2(&m->b, IR_imul, n, words[1]), carried);
   struct ir_instr *carry = ir_convert(&m->b, IR_u2u, 32, ir_alu2(&m->b, IR_ult, low, carried));
   struct ir_instr *high = ir_alu2(&m->b, IR_iadd, ir_alu2(&m->b, IR_imul, n, words[0]), ir_alu2(&m->b, IR_umulh, n, words[1]));
   high = ir_alu2(&m->b, IR_iadd, high, carry);

   /* The fraction as a signed number of 64 bits: from a half on it counts back from the next quadrant. */
   struct ir_instr *fraction[2] = {m_shl(m, low, 2), m_shl(m, high, 2)};
   fraction[1] = ir_alu2(&m->b, IR_ior, fraction[1], ir_alu2(&m->b, IR_ushr, low, m_int(m, 30)));
   struct ir_instr *r = ir_convert(&m->b, IR_i2f, 64, ir_emit(&m->b, IR_pack, 1, 64, 2, fraction));
   r = ir_convert(&m->b, IR_f2f, 32, m_mul(m, r, ir_const_f(&m->b, 64, pi_half_by_2_64)));
   results[0] = m_add(m, r, m_sub(m, a, a));
   results[1] = ir_alu2(&m->b, IR_ushr, m_iadd(m, high, 0x20000000), m_int(m, 30));
}

static void reduce(struct math *m, struct ir_instr *a, struct reduction *out)
{
   const struct math_integer n = m_to_integer(m, a, two_over_pi);
   struct ir_instr *fast[2], *large[2];
   struct ir_instr *r = m_mad_const(m, n.value, -pi_half_high, a); /* exact */
   r = m_mad_const(m, n.value, -pi_half_middle, r);
   fast[0] = m_mad_const(m, n.value, -pi_half_low, r);
   fast[1] = n.bits;

   const struct ir_builder outer = m->b;
   struct ir_instr *branch = ir_if(&m->b, m_ge(m, a, m_float(m, max_fast)));
   m->b = ir_builder_at_end(outer.shader, branch->imm.cf.regions[0]);
   m->b.line = outer.line;
   reduce_large(m, a, large);
   ir_jump(&m->b, IR_yield, NULL, 2, large);
   m->b = ir_builder_at_end(outer.shader, branch->imm.cf.regions[1]);
   ir_jump(&m->b, IR_yield, NULL, 2, fast);
   m->b = outer;
   out->r = ir_add_result(outer.shader, branch, 1, 32);
   out->quadrant = ir_add_result(outer.shader, branch, 1, 32);
   out->region = outer.region;
}

static const struct reduction *reduction_of(struct math *m, struct ir_instr *x)
{
   struct reduction *known = ir_map_find(&m->reductions, x->index);
   if (known && known->region == m->b.region)
      return known;
   if (!known) {
      known = UTIL_ARENA_NEW(m->b.shader->arena, struct reduction);
      ir_map_add(&m->reductions, x->index, known);
   }
   reduce(m, m_abs(m, x), known);
   return known;
}

static struct ir_instr *sine(struct math *m, struct ir_instr *r, struct ir_instr *z)
{
   return M_ODD(m, r, z, sin_coefficients);
}

static struct ir_instr *cosine(struct math *m, struct ir_instr *z)
{
   struct ir_instr *low = m_mad_const(m, z, -0.5, m_float(m, 1.0));
   return m_mad(m, m_mul(m, z, z), M_POLY(m, z, cos_coefficients), low);
}

struct ir_instr *ir_lower_math_trig(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *result;
   const struct reduction *reduction = reduction_of(m, x);
   struct ir_instr *r = reduction->r, *quadrant = reduction->quadrant;
   struct ir_instr *z = m_mul(m, r, r), *s = sine(m, r, z), *c = cosine(m, z);
   struct ir_instr *is_odd = ir_alu2(&m->b, IR_ine, m_and(m, quadrant, 1), m_int(m, 0));

   if (instr->op == IR_ftan) { /* tan(r + pi/2) = -1 / tan(r) */
      result = m_div(m, m_select(m, is_odd, c, s), m_select(m, is_odd, s, c));
      return m_xor(m, result, m_xor(m, m_shl(m, quadrant, 31), m_sign(m, x)));
   }
   const bool is_sin = instr->op == IR_fsin;
   result = is_sin ? m_select(m, is_odd, c, s) : m_select(m, is_odd, s, c);
   struct ir_instr *half_turns = is_sin ? quadrant : m_iadd(m, quadrant, 1);
   struct ir_instr *sign = m_shl(m, m_and(m, half_turns, 2), 30);
   return m_xor(m, result, is_sin ? m_xor(m, sign, m_sign(m, x)) : sign);
}
