/* SPDX-License-Identifier: MIT
 * log2, log, pow and the inverse hyperbolic functions. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

/* (ln(1 + x) - x) / x^2 on [-1/4, 1/2]; ln(1 + x) is within 2^-27.6. */
static const float log_coefficients[] = {-0x1.000000p-1f, 0x1.5555a4p-2f, -0x1.000044p-2f, 0x1.996970p-3f, -0x1.54eed6p-3f,
                                         0x1.2885e2p-3f, -0x1.0d93e0p-3f, 0x1.aca34ep-4f, -0x1.7140aep-5f};
/* log2(1 + x) / x on the same interval; within 2^-26.2. */
static const float log2_coefficients[] = {0x1.715476p0f, -0x1.715476p-1f, 0x1.ec71c8p-2f, -0x1.7155e6p-2f, 0x1.273e98p-2f,
                                          -0x1.eb7578p-3f, 0x1.ad055cp-3f, -0x1.898476p-3f, 0x1.3850f2p-3f, -0x1.083fe0p-4f};
/* (log2(1 + x) - (x - x^2/2) log2(e)) / x^3 on [-5/32, 1/8]; log2(1 + x) is within 2^-32.0. */
static const float pow_coefficients[] = {0x1.ec70a6p-2f, -0x1.715542p-2f, 0x1.276aa6p-2f, -0x1.eb4574p-3f,
                                         0x1.b0307cp-3f, -0x1.a7a632p-3f};
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

/* ---- powers ---- */

/* A number in two floats, of which the first is the rounded sum of both. */
struct pair {
   struct ir_instr *high, *low;
};

static struct ir_instr *negated(struct math *m, struct ir_instr *x)
{
   return ir_alu1(&m->b, IR_fneg, x);
}

/* f - f^2/2 with some 45 bits, |f| <= 5/32. */
static struct pair log_head(struct math *m, struct ir_instr *f, struct ir_instr *square)
{
   struct ir_instr *square_low = m_mad(m, f, f, negated(m, square));
   struct ir_instr *high = m_mad_const(m, square, -0.5, f);
   struct ir_instr *low = m_mad_const(m, square, -0.5, m_sub(m, f, high));
   return (struct pair){high, m_mad_const(m, square_low, -0.5, low)};
}

/* log2(2^e * significand) with some 31 bits, exact for powers of two: 2^e / c (1 + f), where c is 5/4, 1 or 3/4, the one next to
 * 2 - significand, so that f is between -5/32 and 1/8 and exact. What is left of the series after its first two terms is small enough for one
 * float. -log2(c) is a polynomial of c - 1 through three points, with a high part so short that its sum with e is exact. */
static struct pair log2_in_two(struct math *m, struct ir_instr *exponent, struct ir_instr *significand)
{
   const double quarters = 0x1.8p21; /* a float of this size has no room for less */
   const double c_high[] = {-0x1.7954p0, 0x1.7d6p-1}, c_low[] = {0x1.c8563cp-18, 0x1.25b3eep-19};
   struct ir_instr *near = m_sub(m, m_sub(m, m_float(m, quarters + 2.0), significand), m_float(m, quarters));
   struct ir_instr *c = ir_alu2(&m->b, IR_fmax, near, m_float(m, 0.75));
   struct ir_instr *k = m_sub(m, c, m_float(m, 1.0)), *f = m_mad(m, significand, c, m_float(m, -1.0));
   struct ir_instr *e = m_mad(m, k, m_mad_const(m, k, c_high[1], m_float(m, c_high[0])), exponent);

   struct ir_instr *z = m_mul(m, f, f);
   const struct pair head = log_head(m, f, z);
   struct ir_instr *high = m_scale(m, head.high, m_log2_e_high);
   struct ir_instr *low = m_mad_const(m, head.high, m_log2_e_high, negated(m, high)); /* what its rounding lost */
   low = m_mad_const(m, head.low, m_log2_e_high, m_mad_const(m, head.high, m_log2_e_low, low));

   struct ir_instr *sum = m_add(m, e, high); /* |e| > |high| or e = 0: the error is exact */
   struct ir_instr *error = m_sub(m, high, m_sub(m, sum, e));
   low = m_mad(m, k, m_mad_const(m, k, c_low[1], m_float(m, c_low[0])), m_add(m, low, error));
   low = m_mad(m, m_mul(m, z, f), M_POLY(m, f, pow_coefficients), low);
   struct ir_instr *result = m_add(m, sum, low);
   return (struct pair){result, m_add(m, m_sub(m, sum, result), low)};
}

/* x^y = 2^(y log2(x)), with the logarithm and the product in two parts, since an error in the exponent counts |y log2(x)| times. A special
 * logarithm, of 0, infinity, NaN and what is negative, has one part. x < 0 gives NaN, x^0 is 1. */
static struct ir_instr *lower_pow(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   struct ir_instr *zero = m_float(m, 0.0), *exponent = ir_alu1(&m->b, IR_fexponent, x);
   struct ir_instr *is_usual = m_lt(m, m_abs(m, exponent), m_float(m, 256.0));
   struct ir_instr *significand = m_select(m, is_usual, ir_alu1(&m->b, IR_fsignificand, x), m_float(m, 1.0));
   const struct pair log = log2_in_two(m, m_select(m, is_usual, exponent, zero), significand);
   struct ir_instr *high = m_select(m, is_usual, log.high, m_select(m, m_eq(m, y, zero), zero, exponent));
   return m_exp2_of_product(m, y, high, log.low);
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
