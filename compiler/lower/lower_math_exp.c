/* SPDX-License-Identifier: MIT
 * exp2, exp and the hyperbolic functions. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

/* (2^x - 1) / x on [0, 1]; the error of 1 + x P(x) is below 2^-22.9, so that that of all is below two units in the last place. */
static const float exp2_coefficients[] = {0x1.62e4e2p-1f, 0x1.ebd52cp-3f, 0x1.c968fcp-5f, 0x1.260848p-7f, 0x1.ee3c4ep-10f};
/* The same within 2^-28.8. */
static const float exact_coefficients[] = {0x1.62e42cp-1f, 0x1.ebfd3ap-3f, 0x1.c68af6p-5f, 0x1.3cfd8p-7f, 0x1.473760p-10f, 0x1.c444bcp-13f};
/* sinh on [0, 1], within 2^-31.6. */
static const float sinh_coefficients[] = {0x1.555556p-3f, 0x1.1110e0p-7f, 0x1.a022bap-13f, 0x1.756cacp-19f};
/* tanh on [0, 0.625], within 2^-27.7. */
static const float tanh_coefficients[] = {-0x1.555532p-2f, 0x1.1106fep-3f, -0x1.b83792p-5f, 0x1.520a3ap-6f,
                                          -0x1.756d14p-8f};

/* 2^x, given P of f = ffraction(x). */
static struct ir_instr *power_of_two(struct math *m, struct ir_instr *x, struct ir_instr *f, struct ir_instr *p)
{
   return ir_alu2(&m->b, IR_fscale, m_mad(m, p, f, m_float(m, 1.0)), x);
}

static struct ir_instr *lower_exp2(struct math *m, struct ir_instr *x)
{
   struct ir_instr *f = ir_alu1(&m->b, IR_ffraction, x);
   return power_of_two(m, x, f, M_POLY(m, f, exp2_coefficients));
}

struct ir_instr *m_exp2_of_product(struct math *m, struct ir_instr *y, struct ir_instr *x, struct ir_instr *high, struct ir_instr *low)
{
   struct ir_instr *product = m_mul(m, y, x), *negated = ir_alu1(&m->b, IR_fneg, product);
   struct ir_instr *rest = m_mad(m, y, low, m_mad(m, y, high, negated));
   rest = m_select(m, m_lt(m, m_abs(m, product), m_float(m, 256.0)), rest, m_float(m, 0.0)); /* else garbage */
   struct ir_instr *f = m_add(m, ir_alu1(&m->b, IR_ffraction, product), rest);
   return power_of_two(m, product, f, M_POLY(m, f, exact_coefficients));
}

/* The error of the product counts |x| times, for which the allowed one has room. */
static struct ir_instr *lower_exp(struct math *m, struct ir_instr *x)
{
   return lower_exp2(m, m_scale(m, x, 1.44269504088896340736));
}

/* e^x within 1 ulp. */
static struct ir_instr *exact_exp(struct math *m, struct ir_instr *x)
{
   struct ir_instr *high = m_float(m, 0x1.715476p0);
   return m_exp2_of_product(m, x, high, high, m_float(m, 0x1.4ae0cp-26));
}

/* e^a / 2. Infinite where e^a is: the precision of sinh and cosh is that of formulas with e^a in them, so that their
 * last finite values would not be right ones. */
static struct ir_instr *half_exp(struct math *m, struct ir_instr *a)
{
   return m_scale(m, exact_exp(m, a), 0.5);
}

/* (e^a ∓ e^-a) / 2 = h ∓ 1 / (4 h), h = e^a / 2; sinh below 1 by polynomial, where that would cancel. */
static struct ir_instr *lower_sinh(struct math *m, struct ir_instr *x)
{
   struct ir_instr *a = m_abs(m, x), *h = half_exp(m, a);
   struct ir_instr *large = m_sub(m, h, m_div(m, m_float(m, 0.25), h));
   struct ir_instr *small = M_ODD(m, a, m_mul(m, a, a), sinh_coefficients);
   struct ir_instr *result = m_select(m, m_lt(m, a, m_float(m, 1.0)), small, large);
   return m_xor(m, result, m_sign(m, x));
}

static struct ir_instr *lower_cosh(struct math *m, struct ir_instr *x)
{
   struct ir_instr *h = half_exp(m, m_abs(m, x));
   return m_add(m, h, m_div(m, m_float(m, 0.25), h));
}

static struct ir_instr *lower_tanh(struct math *m, struct ir_instr *x)
{
   struct ir_instr *a = m_abs(m, x), *one = m_float(m, 1.0);
   struct ir_instr *e = exact_exp(m, m_add(m, a, a));
   struct ir_instr *large = m_sub(m, one, m_div(m, m_float(m, 2.0), m_add(m, e, one)));
   struct ir_instr *small = M_ODD(m, a, m_mul(m, a, a), tanh_coefficients);
   struct ir_instr *result = m_select(m, m_lt(m, a, m_float(m, 0.625)), small, large);
   return m_xor(m, result, m_sign(m, x));
}

struct ir_instr *ir_lower_math_exp(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   switch ((enum ir_op)instr->op) {
   case IR_fexp2:
      return lower_exp2(m, x);
   case IR_fexp:
      return lower_exp(m, x);
   case IR_fsinh:
      return lower_sinh(m, x);
   case IR_fcosh:
      return lower_cosh(m, x);
   default:
      return lower_tanh(m, x);
   }
}
