/* SPDX-License-Identifier: MIT
 * exp2, exp and the hyperbolic functions. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

/* (2^x - 1) / x on [-0.5, 0.5]; 1 + x P(x) is within 2^-28.3. */
static const float exp2_coefficients[] = {0x1.62e430p-1f, 0x1.ebfbdcp-3f,  0x1.c6af7ap-5f,
                                          0x1.3b2dd4p-7f, 0x1.5f094ap-10f, 0x1.417856p-13f};
/* (e^x - 1 - x) / x^2 on [-ln(2)/2, ln(2)/2]; 1 + x + x^2 P(x) is within 2^-28.3. */
static const float exp_coefficients[] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558acp-5f, 0x1.12397ap-7f,
                                         0x1.6a5136p-10f};
/* sinh on [0, 1], within 2^-31.6. */
static const float sinh_coefficients[] = {0x1.555556p-3f, 0x1.1110e0p-7f, 0x1.a022bap-13f, 0x1.756cacp-19f};
/* tanh on [0, 0.625], within 2^-27.7. */
static const float tanh_coefficients[] = {-0x1.555532p-2f, 0x1.1106fep-3f, -0x1.b83792p-5f, 0x1.520a3ap-6f,
                                          -0x1.756d14p-8f};

/* ln(2) in two parts. */
static const double ln2_high = 0x1.62e43p-1, ln2_low = -0x1.05c61p-29;

/* p 2^n; the result may be denormal or infinite. NaN stays, whatever n is then. */
static struct ir_instr *scale_by_power(struct math *m, struct ir_instr *p, struct math_integer n)
{
   return ir_alu3(&m->b, IR_fscale, p, n.value, n.bits);
}

struct ir_instr *m_exp2(struct math *m, struct ir_instr *x)
{
   return m_exp2_of_two(m, m_clamp(m, x, -151.0, 129.0), NULL);
}

struct ir_instr *m_exp2_of_two(struct math *m, struct ir_instr *high, struct ir_instr *low)
{
   const struct math_integer n = m_to_exponent(m, high, 1.0);
   struct ir_instr *f = m_sub(m, high, n.value);
   if (low)
      f = m_add(m, f, low);
   return scale_by_power(m, m_mad(m, M_POLY(m, f, exp2_coefficients), f, m_float(m, 1.0)), n);
}

/* Within 1 ulp: x is reduced with more bits than it has. */
struct ir_instr *m_exp(struct math *m, struct ir_instr *x)
{
   x = m_clamp(m, x, -105.0, 90.5);
   const struct math_integer n = m_to_exponent(m, x, 1.44269504088896340736);
   struct ir_instr *r = m_mad_const(m, n.value, -ln2_low, m_mad_const(m, n.value, -ln2_high, x));
   struct ir_instr *p = m_mad(m, m_mul(m, r, r), M_POLY(m, r, exp_coefficients), r);
   return scale_by_power(m, m_add(m, p, m_float(m, 1.0)), n);
}

/* e^a / 2. Infinite where e^a is: the precision of sinh and cosh is that of formulas with e^a in them, so that their
 * last finite values would not be right ones. */
static struct ir_instr *half_exp(struct math *m, struct ir_instr *a)
{
   return m_scale(m, m_exp(m, a), 0.5);
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
   struct ir_instr *e = m_exp(m, m_add(m, a, a));
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
      return m_exp2(m, x);
   case IR_fexp:
      return m_exp(m, x);
   case IR_fsinh:
      return lower_sinh(m, x);
   case IR_fcosh:
      return lower_cosh(m, x);
   default:
      return lower_tanh(m, x);
   }
}
