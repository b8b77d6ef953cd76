/* SPDX-License-Identifier: MIT
 * log2, log, pow and the inverse hyperbolic functions. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

/* (ln(1 + x) - x) / x^2 on [-1/4, 1/2]; ln(1 + x) is within 2^-27.6. */
static const float log_coefficients[] = {-0x1.000000p-1f, 0x1.5555a4p-2f, -0x1.000044p-2f, 0x1.996970p-3f, -0x1.54eed6p-3f,
                                         0x1.2885e2p-3f, -0x1.0d93e0p-3f, 0x1.aca34ep-4f, -0x1.7140aep-5f};
/* log2(1 + x) / x on the same interval; within 2^-26.2. */
static const float log2_coefficients[] = {0x1.715476p0f, -0x1.715476p-1f, 0x1.ec71c8p-2f, -0x1.7155e6p-2f, 0x1.273e98p-2f,
                                          -0x1.eb7578p-3f, 0x1.ad055cp-3f, -0x1.898476p-3f, 0x1.3850f2p-3f, -0x1.083fe0p-4f};
/* asinh on [0, 0.5], within 2^-29.6. */
static const float asinh_coefficients[] = {-0x1.555536p-3f, 0x1.3324f6p-4f, -0x1.6b9690p-5f, 0x1.cd6e44p-6f,
                                           -0x1.b177dcp-7f};
/* atanh on [0, 0.5], within 2^-29.4. */
static const float atanh_coefficients[] = {0x1.555540p-2f, 0x1.99a674p-3f, 0x1.234dcep-3f,
                                           0x1.e3fc04p-4f, 0x1.a6dc10p-5f, 0x1.692e70p-3f};
/* acosh(1 + t) = sqrt(2 t) (1 + t P(t)) on [0, 0.5], within 2^-29.6. */
static const float acosh_coefficients[] = {-0x1.555536p-4f, 0x1.3324f6p-6f, -0x1.6b9690p-8f, 0x1.cd6e44p-10f,
                                           -0x1.b177dcp-12f};

static const double ln2_high = 0x1.62e42p-1, ln2_low = 0x1.fdf474p-22;

/* x = 2^e * (1 + f), f in [-1/4, 1/2). Where the logarithm of x is special, e is that or NaN. */
struct parts {
   struct ir_instr *e, *f;
};

static struct parts parts_of(struct math *m, struct ir_instr *x)
{
   struct ir_instr *significand = ir_alu1(&m->b, IR_fsignificand, x);
   return (struct parts){ir_alu1(&m->b, IR_fexponent, x), m_sub(m, significand, m_float(m, 1.0))}; /* exact */
}

struct ir_instr *m_log(struct math *m, struct ir_instr *x, struct ir_instr *bias)
{
   const struct parts parts = parts_of(m, x);
   struct ir_instr *f = parts.f, *e = bias ? m_add(m, parts.e, bias) : parts.e;
   struct ir_instr *rest = m_mad(m, m_mul(m, f, f), M_POLY(m, f, log_coefficients), m_scale(m, e, ln2_low));
   return m_mad(m, e, m_float(m, ln2_high), m_add(m, f, rest)); /* both parts are positive: an infinite e stays what it is */
}

/* Exact for powers of two. */
static struct ir_instr *lower_log2(struct math *m, struct ir_instr *x)
{
   const struct parts parts = parts_of(m, x);
   return m_mad(m, parts.f, M_POLY(m, parts.f, log2_coefficients), parts.e);
}

/* x^y = 2^(y log2(x)). An error in the exponent counts |y log2(x)| times, so that the whole and the fraction of the logarithm are multiplied apart:
 * what is left counts |y| / 2 times. x < 0 gives NaN; 0^0 and infinity^0 are 1. */
static struct ir_instr *lower_pow(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   const struct parts parts = parts_of(m, x);
   struct ir_instr *zero = m_float(m, 0.0), *p = M_POLY(m, parts.f, log2_coefficients);
   struct ir_instr *whole = m_select(m, m_eq(m, y, zero), zero, parts.e), *fraction = m_mul(m, parts.f, p);
   return m_exp2_of_product(m, y, m_mad(m, parts.f, p, whole), whole, fraction);
}

/* ln(a + sqrt(a^2 ± 1)); from 2^13 on the root is a. */
static struct ir_instr *log_of_sum(struct math *m, struct ir_instr *a, double offset)
{
   struct ir_instr *is_large = m_ge(m, a, m_float(m, 0x1p13));
   struct ir_instr *root = m_sqrt(m, m_add(m, m_mul(m, a, a), m_float(m, offset)));
   struct ir_instr *argument = m_select(m, is_large, a, m_add(m, a, root));
   return m_log(m, argument, m_select(m, is_large, m_float(m, 1.0), m_float(m, 0.0)));
}

static struct ir_instr *lower_asinh(struct math *m, struct ir_instr *x)
{
   struct ir_instr *a = m_abs(m, x), *large = log_of_sum(m, a, 1.0);
   struct ir_instr *small = M_ODD(m, a, m_mul(m, a, a), asinh_coefficients);
   struct ir_instr *result = m_select(m, m_lt(m, a, m_float(m, 0.5)), small, large);
   return m_xor(m, result, m_sign(m, x));
}

static struct ir_instr *lower_acosh(struct math *m, struct ir_instr *x)
{
   struct ir_instr *large = log_of_sum(m, x, -1.0), *t = m_sub(m, x, m_float(m, 1.0));
   struct ir_instr *root = m_sqrt(m, m_add(m, t, t));
   struct ir_instr *small = m_mad(m, m_mul(m, root, t), M_POLY(m, t, acosh_coefficients), root);
   return m_select(m, m_lt(m, x, m_float(m, 1.5)), small, large);
}

static struct ir_instr *lower_atanh(struct math *m, struct ir_instr *x)
{
   struct ir_instr *a = m_abs(m, x), *one = m_float(m, 1.0);
   struct ir_instr *large = m_log(m, m_div(m, m_add(m, one, a), m_sub(m, one, a)), NULL);
   struct ir_instr *small = M_ODD(m, a, m_mul(m, a, a), atanh_coefficients);
   struct ir_instr *result = m_select(m, m_lt(m, a, m_float(m, 0.5)), small, m_scale(m, large, 0.5));
   return m_xor(m, result, m_sign(m, x));
}

struct ir_instr *ir_lower_math_log(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   switch ((enum ir_op)instr->op) {
   case IR_flog2:
      return lower_log2(m, x);
   case IR_flog:
      return m_log(m, x, NULL);
   case IR_fpow:
      return lower_pow(m, x, instr->srcs[1]);
   case IR_fasinh:
      return lower_asinh(m, x);
   case IR_facosh:
      return lower_acosh(m, x);
   default:
      return lower_atanh(m, x);
   }
}
