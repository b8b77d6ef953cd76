/* SPDX-License-Identifier: MIT
 * sin, cos, tan. The argument is reduced to [-pi/2, pi/2] by multiples of pi, for cosine by odd multiples of pi/2: then both are the
 * polynomial of sine, but for the sign. Coefficients: fit.py.
 *
 * Up to 2^18 the reduction subtracts multiples of pi in three parts (after Cody & Waite), fused; the first step is exact, and what it leaves is below
 * 1.6, since the quotient by pi has an error too. Hashes of pixels' positions, common as they are, take sines of that size. Larger arguments take a
 * branch to an operation, and that to a function, since few come there; it multiplies by those bits of 2/pi that matter (after Payne & Hanek), so
 * that the reduced argument is as good for every float. */
#include "compiler/lower/lower_math.h"

/* sin(x) / x - 1 over x^2, for x^2 on [0, 1.6^2]; sine is within 2^-27. */
static const float sin_coefficients[] = {-0x1.55554ap-3f, 0x1.110e88p-7f, -0x1.9f61c6p-13f, 0x1.5cefd2p-19f};

/* pi in three floats. */
static const double pi_high = 0x1.921fb6p1, pi_middle = -0x1.777a5cp-24, pi_low = -0x1.ee59dap-49;
static const double one_over_pi = 0x1.45f306p-2;
static const double max_fast = 0x1p18;

/* |x| = n pi + r, or (n - 1/2) pi + r for cosine; of n the lowest bit, above which anything may stand. */
struct reduction {
   struct ir_region *region; /* where it is visible */
   struct ir_instr *r, *n;
};

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
   large[0] = ir_alu1(&m->b, IR_freduce, a);
   large[0]->imm.u[0] = is_cosine;
   large[1] = m_int(m, 0); /* its sign is what that of n would make of it */
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
