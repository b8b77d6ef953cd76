/* SPDX-License-Identifier: MIT
 * log2, log, pow and the inverse hyperbolic functions. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

#include <math.h>

/* (ln(1 + x) - x + x^2/2) / x^3 on [sqrt(1/2) - 1, sqrt(2) - 1]; ln(1 + x) is within 2^-27.3. */
static const float log_coefficients[] = {0x1.555554p-2f, -0x1.000228p-2f, 0x1.99a022p-3f, -0x1.547218p-3f,
                                         0x1.22d8b0p-3f, -0x1.0d85d8p-3f, 0x1.056192p-3f, -0x1.38bb80p-4f};
/* (log2(1 + x) - (x - x^2/2) log2(e)) / x^3 on [-1/7, 1/7]; log2(1 + x) is within 2^-32.2. */
static const float pow_coefficients[] = {0x1.ec70b0p-2f, -0x1.715484p-2f, 0x1.27622ap-2f, -0x1.ec4e2ap-3f,
                                         0x1.b365b4p-3f, -0x1.7cffa2p-3f};
/* asinh on [0, 0.5], within 2^-29.6. */
static const float asinh_coefficients[] = {-0x1.555536p-3f, 0x1.3324f6p-4f, -0x1.6b9690p-5f, 0x1.cd6e44p-6f,
                                           -0x1.b177dcp-7f};
/* atanh on [0, 0.5], within 2^-29.4. */
static const float atanh_coefficients[] = {0x1.555540p-2f, 0x1.99a674p-3f, 0x1.234dcep-3f,
                                           0x1.e3fc04p-4f, 0x1.a6dc10p-5f, 0x1.692e70p-3f};
/* acosh(1 + t) = sqrt(2 t) (1 + t P(t)) on [0, 0.5], within 2^-29.6. */
static const float acosh_coefficients[] = {-0x1.555536p-4f, 0x1.3324f6p-6f, -0x1.6b9690p-8f, 0x1.cd6e44p-10f,
                                           -0x1.b177dcp-12f};

static const double ln2_high = 0x1.62e43p-1, ln2_low = -0x1.05c61p-29;
static const double log2_e_minus_1 = 0x1.c551dap-2;

enum { SQRT_HALF_BITS = 0x3f3504f3, EIGHT_NINTHS_BITS = 0x3f638e39, EIGHT_SEVENTHS_BITS = 0x3f924925 };

struct significand {
   struct ir_instr *e, *mantissa; /* floats: x = 2^e * mantissa */
};

/* mantissa in [sqrt(1/2), sqrt(2)), for positive finite x, denormals too. */
static struct significand split(struct math *m, struct ir_instr *x)
{
   struct ir_instr *is_denorm = ir_alu2(&m->b, IR_ult, x, m_int(m, 0x00800000));
   x = m_select(m, is_denorm, m_scale(m, x, 0x1p23), x);
   struct ir_instr *e = ir_alu2(&m->b, IR_ishr, m_iadd(m, x, -(uint32_t)SQRT_HALF_BITS), m_int(m, 23));
   struct ir_instr *mantissa = ir_alu2(&m->b, IR_isub, x, m_shl(m, e, 23));
   struct ir_instr *shift = m_select(m, is_denorm, m_float(m, 23.0), m_float(m, 0.0));
   return (struct significand){m_sub(m, ir_convert(&m->b, IR_i2f, 32, e), shift), mantissa};
}

struct math_log m_log_parts(struct math *m, struct ir_instr *x)
{
   const struct significand parts = split(m, x);
   return (struct math_log){.e = parts.e, .f = m_sub(m, parts.mantissa, m_float(m, 1.0))}; /* exact */
}

/* Logarithms of 0, negative numbers, infinity and NaN. */
static struct ir_instr *special_cases(struct math *m, struct ir_instr *x, struct ir_instr *result)
{
   struct ir_instr *infinity = m_float(m, INFINITY), *zero = m_float(m, 0.0);
   result = m_select(m, ir_alu2(&m->b, IR_fgeu, x, infinity), x, result); /* infinity, NaN */
   result = m_select(m, m_lt(m, x, zero), m_int(m, 0x7fc00000), result);
   return m_select(m, m_eq(m, x, zero), m_float(m, -INFINITY), result);
}

/* ln(1 + f) - f */
static struct ir_instr *log1p_rest(struct math *m, struct ir_instr *f)
{
   struct ir_instr *z = m_mul(m, f, f);
   struct ir_instr *p = m_mul(m, m_mul(m, f, z), M_POLY_SPLIT(m, f, z, log_coefficients));
   return m_mad_const(m, z, -0.5, p);
}

struct ir_instr *m_log(struct math *m, struct ir_instr *x, struct ir_instr *bias)
{
   struct math_log parts = m_log_parts(m, x);
   struct ir_instr *e = bias ? m_add(m, parts.e, bias) : parts.e;
   struct ir_instr *rest = log1p_rest(m, parts.f);
   rest = m_mad(m, e, m_float(m, ln2_low), rest);
   struct ir_instr *sum = m_add(m, parts.f, rest);
   return special_cases(m, x, m_mad(m, e, m_float(m, ln2_high), sum));
}

/* (f + rest) log2(e) in an order that adds the small parts first; exact for powers of two. */
static struct ir_instr *lower_log2(struct math *m, struct ir_instr *x)
{
   struct math_log parts = m_log_parts(m, x);
   struct ir_instr *rest = log1p_rest(m, parts.f), *factor = m_float(m, log2_e_minus_1);
   struct ir_instr *sum = m_mul(m, rest, factor);
   sum = m_mad(m, parts.f, factor, sum);
   sum = m_add(m, sum, rest);
   sum = m_add(m, sum, parts.f);
   return special_cases(m, x, m_add(m, sum, parts.e));
}

/* A number in two floats, of which the first is the rounded sum of both. */
struct pair {
   struct ir_instr *high, *low;
};

static struct ir_instr *negated(struct math *m, struct ir_instr *x)
{
   return ir_alu1(&m->b, IR_fneg, x);
}

static struct ir_instr *choose(struct math *m, struct ir_instr *first, double x, struct ir_instr *second, double y, double otherwise)
{
   return m_select(m, first, m_float(m, x), m_select(m, second, m_float(m, y), m_float(m, otherwise)));
}

/* f - f^2/2 with some 45 bits, |f| <= 1/7. */
static struct pair log_head(struct math *m, struct ir_instr *f, struct ir_instr *square)
{
   struct ir_instr *square_low = m_mad(m, f, f, negated(m, square));
   struct ir_instr *high = m_mad_const(m, square, -0.5, f);
   struct ir_instr *low = m_mad_const(m, square, -0.5, m_sub(m, f, high));
   return (struct pair){high, m_mad_const(m, square_low, -0.5, low)};
}

/* log2(x) with some 31 bits for positive finite x, exact for powers of two: x = 2^e / c (1 + f), where c is 5/4, 1 or 3/4 so that
 * |f| <= 1/7 and f is exact. What is left of the series after its first two terms is small enough for one float. */
static struct pair log2_in_two(struct math *m, struct ir_instr *x)
{
   const double log2_e_high = 0x1.715476p0, log2_e_low = 0x1.4ae0cp-26;
   const double low_c = 1.25, low_log2_high = -0x1.49ap-2, low_log2_low = -0x1.e12f34p-16;  /* -log2(c); e + high is exact */
   const double high_c = 0.75, high_log2_high = 0x1.a8f8p-2, high_log2_low = 0x1.e5c604p-16;
   const struct significand parts = split(m, x);
   struct ir_instr *is_low = ir_alu2(&m->b, IR_ult, parts.mantissa, m_int(m, EIGHT_NINTHS_BITS));
   struct ir_instr *is_high = ir_alu2(&m->b, IR_uge, parts.mantissa, m_int(m, EIGHT_SEVENTHS_BITS));
   struct ir_instr *c = choose(m, is_low, low_c, is_high, high_c, 1.0);
   struct ir_instr *f = m_mad(m, parts.mantissa, c, m_float(m, -1.0));
   struct ir_instr *e = m_add(m, parts.e, choose(m, is_low, low_log2_high, is_high, high_log2_high, 0.0));

   struct ir_instr *z = m_mul(m, f, f);
   const struct pair head = log_head(m, f, z);
   struct ir_instr *high = m_scale(m, head.high, log2_e_high);
   struct ir_instr *low = m_mad_const(m, head.high, log2_e_high, negated(m, high)); /* what its rounding lost */
   low = m_mad_const(m, head.low, log2_e_high, m_mad_const(m, head.high, log2_e_low, low));

   struct ir_instr *sum = m_add(m, e, high); /* |e| > |high| or e = 0: the error is exact */
   struct ir_instr *error = m_sub(m, high, m_sub(m, sum, e));
   low = m_add(m, m_add(m, low, error), choose(m, is_low, low_log2_low, is_high, high_log2_low, 0.0));
   low = m_mad(m, m_mul(m, z, f), M_POLY_SPLIT(m, f, z, pow_coefficients), low);
   struct ir_instr *result = m_add(m, sum, low);
   return (struct pair){result, m_add(m, m_sub(m, sum, result), low)};
}

/* x^y = 2^(y log2(x)), with the logarithm and the product in two parts, since an error in the exponent counts |y
 * log2(x)| times. x < 0 gives NaN, x^0 is 1. */
static struct ir_instr *lower_pow(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   const struct pair log = log2_in_two(m, x);
   struct ir_instr *high = special_cases(m, x, log.high);
   struct ir_instr *product = m_mul(m, y, high), *t = m_clamp(m, product, -160.0, 160.0);
   struct ir_instr *rest = m_mad(m, y, log.low, m_mad(m, y, high, negated(m, product)));
   rest = m_select(m, m_eq(m, t, product), rest, m_float(m, 0.0)); /* garbage where the exponent is out of range or no number */
   const struct math_integer n = m_to_integer(m, t, 1.0);
   struct ir_instr *result = m_exp2_parts(m, n, m_add(m, m_sub(m, t, n.value), rest));
   return m_select(m, m_eq(m, y, m_float(m, 0.0)), m_float(m, 1.0), result);
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
