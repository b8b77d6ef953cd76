/* SPDX-License-Identifier: MIT
 * sin, cos, tan. The argument is reduced to [-pi/4, pi/4] and a quadrant; sine and cosine of one argument share that.
 * Coefficients: fit.py.
 *
 * Up to 8192 the reduction subtracts multiples of pi/2 in three parts (after Cody & Waite), fused; the first step is
 * exact. Larger arguments take a branch that computes in doubles: absolute error
 * below 2^-23 up to 2^30, growing with x beyond, where neighbouring floats are a hundred radians apart. */
#include "compiler/lower/lower_math.h"

/* sin(x) / x - 1 over x^2, for x^2 on [0, (pi/4)^2]; sine is within 2^-27.9. */
static const float sin_coefficients[] = {-0x1.555546p-3f, 0x1.110778p-7f, -0x1.995408p-13f};
/* (cos(x) - 1 + x^2/2) / x^4 on the same interval; cosine is within 2^-33.0. */
static const float cos_coefficients[] = {0x1.55554ap-5f, -0x1.6c0c2ap-10f, 0x1.99e914p-16f};

/* pi/2 in three floats. */
static const double pi_half_high = 0x1.921fb6p0, pi_half_middle = -0x1.777a5cp-25, pi_half_low = -0x1.ee59dap-50;
/* pi/2 in parts of 33 and 53 bits. */
static const double pi_half_double_high = 0x1.921fb544p0, pi_half_double_low = 0x1.0b4611a626331p-34;
static const double two_over_pi = 0x1.45f306dc9c883p-1;
static const double max_fast = 8192.0;

/* |x| = quadrant * pi/2 + r; of the quadrant the lower bits. */
struct reduction {
   struct ir_region *region; /* where it is visible */
   struct ir_instr *r, *quadrant;
};

static struct ir_instr *add64(struct math *m, enum ir_op op, struct ir_instr *x, double y)
{
   return ir_alu2(&m->b, op, x, ir_const_f(&m->b, 64, y));
}

/* The result is garbage, but small, for arguments so large that the products lose the angle. */
static void reduce_large(struct math *m, struct ir_instr *a, struct ir_instr *results[2])
{
   const double magic = 0x1.8p52; /* an integer stands in the low bits of the exact sum */
   struct ir_instr *x = ir_convert(&m->b, IR_f2f, 64, a);
   struct ir_instr *n = ir_alu1(&m->b, IR_fround_even, add64(m, IR_fmul, x, two_over_pi));
   x = ir_alu2(&m->b, IR_fsub, x, add64(m, IR_fmul, n, pi_half_double_high));
   x = ir_alu2(&m->b, IR_fsub, x, add64(m, IR_fmul, n, pi_half_double_low));
   struct ir_instr *r = ir_convert(&m->b, IR_f2f, 32, x);
   struct ir_instr *is_lost = m_ge(m, m_abs(m, r), m_float(m, 0.8));
   results[0] = m_select(m, is_lost, m_float(m, 0.0), r);
   struct ir_instr *sum = add64(m, IR_fadd, n, magic);
   results[1] = ir_emit(&m->b, IR_unpack, 1, 32, 1, &sum);
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
