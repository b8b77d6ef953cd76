/* SPDX-License-Identifier: MIT
 * log2, log, pow and the inverse hyperbolic functions. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

#include <math.h>

/* (ln(1 + x) - x + x^2/2) / x^3 on [sqrt(1/2) - 1, sqrt(2) - 1]; ln(1 + x) is within 2^-27.3. */
static const float log_coefficients[] = {0x1.555554p-2f, -0x1.000228p-2f, 0x1.99a022p-3f, -0x1.547218p-3f,
                                         0x1.22d8b0p-3f, -0x1.0d85d8p-3f, 0x1.056192p-3f, -0x1.38bb80p-4f};
/* (log2(1 + x) - x log2(e)) / x^2 on the same interval; log2(1 + x) is within 2^-27.7. */
static const float log2_coefficients[] = {-0x1.715470p-1f, 0x1.ec7094p-2f, -0x1.715ad6p-2f, 0x1.277ef8p-2f, -0x1.eaae42p-3f,
                                          0x1.a2e44ap-3f, -0x1.879520p-3f, 0x1.7e2532p-3f, -0x1.c31c18p-4f};
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
static const double log2_e_high = 0x1.715476p0, log2_e_low = 0x1.4ae0cp-26;

enum { SQRT_HALF_BITS = 0x3f3504f3, ELEVEN_SIXTEENTHS_BITS = 0x3f300000 };

/* What the arithmetic below may take for granted: a positive normal number. Other operands are rare and take a branch. */
struct operand {
   struct ir_instr *x;       /* scaled if it was denormal; 1 where the logarithm is special: of 0, negative numbers, infinity and NaN */
   struct ir_instr *shift;   /* what is to be added to the exponent, */
   struct ir_instr *special; /* and to the logarithm: 0 or a special one. NULL: shift has it */
};

/* For pow with the exponent y a special logarithm stands apart, and is 0 where y is. Gives x, shift and perhaps special. */
static void rare_operand(struct math *m, struct ir_instr *x, struct ir_instr *y, struct ir_instr *out[3])
{
   struct ir_instr *zero = m_float(m, 0.0), *shift = m_float(m, -23.0);
   struct ir_instr *is_special = ir_alu2(&m->b, IR_uge, m_iadd(m, x, (uint32_t)-1), m_int(m, 0x7fffff));
   struct ir_instr *of_negative = m_select(m, m_lt(m, x, zero), m_int(m, 0x7fc00000), x);
   struct ir_instr *special = m_select(m, m_eq(m, x, zero), m_float(m, -INFINITY), of_negative);
   out[0] = m_select(m, is_special, m_float(m, 1.0), m_scale(m, x, 0x1p23));
   out[1] = m_select(m, is_special, y ? zero : special, shift);
   if (y)
      out[2] = m_select(m, is_special, m_select(m, m_eq(m, y, zero), zero, special), zero);
}

static struct operand operand_of(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   const uint32_t count = y ? 3 : 2;
   struct ir_instr *zero = m_float(m, 0.0), *usual[3] = {x, zero, zero}, *rare[3], *results[3] = {0};
   struct ir_instr *is_rare = ir_alu2(&m->b, IR_uge, m_iadd(m, x, (uint32_t)-0x00800000), m_int(m, 0x7f000000));
   const struct ir_builder outer = m->b;
   struct ir_instr *branch = ir_if(&m->b, is_rare);
   m->b = ir_builder_at_end(outer.shader, branch->imm.cf.regions[0]);
   m->b.line = outer.line;
   rare_operand(m, x, y, rare);
   ir_jump(&m->b, IR_yield, NULL, count, rare);
   m->b = ir_builder_at_end(outer.shader, branch->imm.cf.regions[1]);
   ir_jump(&m->b, IR_yield, NULL, count, usual);
   m->b = outer;
   for (uint32_t i = 0; i < count; i++)
      results[i] = ir_add_result(outer.shader, branch, 1, 32);
   return (struct operand){results[0], results[1], results[2]};
}

struct significand {
   struct ir_instr *e, *mantissa; /* floats: x = 2^e * mantissa */
};

/* mantissa in [least, 2 least), for positive normal x. */
static struct significand split(struct math *m, const struct operand *operand, uint32_t least_bits)
{
   struct ir_instr *x = operand->x, *e = m_and(m, m_iadd(m, x, -least_bits), 0xff800000);
   struct ir_instr *mantissa = ir_alu2(&m->b, IR_isub, x, e);
   return (struct significand){m_mad_const(m, ir_convert(&m->b, IR_i2f, 32, e), 0x1p-23, operand->shift), mantissa};
}

/* x = 2^e * (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1). Where the logarithm of x is special, that is e, and f is 0. */
struct parts {
   struct ir_instr *e, *f;
};

static struct parts parts_of(struct math *m, struct ir_instr *x)
{
   const struct operand operand = operand_of(m, x, NULL);
   const struct significand s = split(m, &operand, SQRT_HALF_BITS);
   return (struct parts){.e = s.e, .f = m_sub(m, s.mantissa, m_float(m, 1.0))}; /* exact */
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
   const struct parts parts = parts_of(m, x);
   struct ir_instr *e = bias ? m_add(m, parts.e, bias) : parts.e;
   struct ir_instr *rest = log1p_rest(m, parts.f);
   rest = m_mad(m, e, m_float(m, ln2_low), rest); /* both parts are positive: an infinite e stays what it is */
   struct ir_instr *sum = m_add(m, parts.f, rest);
   return m_mad(m, e, m_float(m, ln2_high), sum);
}

/* Exact for powers of two. */
static struct ir_instr *lower_log2(struct math *m, struct ir_instr *x)
{
   const struct parts parts = parts_of(m, x);
   struct ir_instr *f = parts.f, *z = m_mul(m, f, f);
   struct ir_instr *rest = m_mad(m, z, M_POLY_SPLIT(m, f, z, log2_coefficients), m_scale(m, f, log2_e_low));
   return m_add(m, m_mad_const(m, f, log2_e_high, rest), parts.e);
}

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

/* log2(x) with some 31 bits for positive normal x, exact for powers of two: x = 2^e / c (1 + f), where c is 5/4, 1 or 3/4, the one next to
 * 2 - mantissa, so that f is between -5/32 and 1/8 and exact. What is left of the series after its first two terms is small enough for one
 * float. -log2(c) is a polynomial of c - 1 through three points, with a high part so short that its sum with e is exact. */
static struct pair log2_in_two(struct math *m, const struct operand *operand)
{
   const double quarters = 0x1.8p21; /* a float of this size has no room for less */
   const double c_high[] = {-0x1.7954p0, 0x1.7d6p-1}, c_low[] = {0x1.c8563cp-18, 0x1.25b3eep-19};
   const struct significand parts = split(m, operand, ELEVEN_SIXTEENTHS_BITS);
   struct ir_instr *c = m_sub(m, m_sub(m, m_float(m, quarters + 2.0), parts.mantissa), m_float(m, quarters));
   struct ir_instr *k = m_sub(m, c, m_float(m, 1.0)), *f = m_mad(m, parts.mantissa, c, m_float(m, -1.0));
   struct ir_instr *e = m_mad(m, k, m_mad_const(m, k, c_high[1], m_float(m, c_high[0])), parts.e);

   struct ir_instr *z = m_mul(m, f, f);
   const struct pair head = log_head(m, f, z);
   struct ir_instr *high = m_scale(m, head.high, log2_e_high);
   struct ir_instr *low = m_mad_const(m, head.high, log2_e_high, negated(m, high)); /* what its rounding lost */
   low = m_mad_const(m, head.low, log2_e_high, m_mad_const(m, head.high, log2_e_low, low));

   struct ir_instr *sum = m_add(m, e, high); /* |e| > |high| or e = 0: the error is exact */
   struct ir_instr *error = m_sub(m, high, m_sub(m, sum, e));
   low = m_mad(m, k, m_mad_const(m, k, c_low[1], m_float(m, c_low[0])), m_add(m, low, error));
   low = m_mad(m, m_mul(m, z, f), M_POLY_SPLIT(m, f, z, pow_coefficients), low);
   struct ir_instr *result = m_add(m, sum, low);
   return (struct pair){result, m_add(m, m_sub(m, sum, result), low)};
}

/* x^y = 2^(y log2(x)), with the logarithm and the product in two parts, since an error in the exponent counts |y
 * log2(x)| times. x < 0 gives NaN, x^0 is 1. */
static struct ir_instr *lower_pow(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   const struct operand operand = operand_of(m, x, y);
   const struct pair log = log2_in_two(m, &operand);
   struct ir_instr *high = m_add(m, log.high, operand.special);
   struct ir_instr *product = m_mul(m, y, high), *t = m_clamp(m, product, -160.0, 160.0);
   struct ir_instr *rest = m_mad(m, y, log.low, m_mad(m, y, high, negated(m, product)));
   rest = m_select(m, m_eq(m, t, product), rest, m_float(m, 0.0)); /* garbage where the exponent is out of range or no number */
   const struct math_integer n = m_to_exponent(m, t, 1.0);
   return m_exp2_parts(m, n, m_add(m, m_sub(m, t, n.value), rest));
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
