/* SPDX-License-Identifier: MIT
 * asin, acos, atan, atan2. Coefficients: fit.py. */
#include "compiler/lower/lower_math.h"

#include <math.h>

/* (asin(x) / x - 1) / x^2 for x^2 on [0, 1/4]; asin is within 2^-27.6. */
static const float asin_coefficients[] = {0x1.5555c8p-3f, 0x1.330206p-4f, 0x1.747b72p-5f, 0x1.8c415ap-6f,
                                          0x1.5959aap-5f};
/* The same of atan for |x| up to tan(pi/8); within 2^-25.5. */
static const float atan_coefficients[] = {-0x1.555454p-2f, 0x1.9924dap-3f, -0x1.1c3804p-3f, 0x1.49e6e8p-4f};

static const double pi = 0x1.921fb6p1, pi_half = 0x1.921fb6p0, pi_quarter = 0x1.921fb6p-1; /* as floats */
static const double pi_half_error = -0x1.777a5cp-25;                                       /* true minus float */
static const double tan_pi_eighth = 0x1.a8279ap-2;

/* Above 1/2: asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)). */
static struct ir_instr *lower_asin_acos(struct math *m, struct ir_instr *x, bool is_acos)
{
   struct ir_instr *a = m_abs(m, x), *sign = m_sign(m, x);
   struct ir_instr *is_large = m_lt(m, m_float(m, 0.5), a);
   struct ir_instr *half = m_scale(m, m_sub(m, m_float(m, 1.0), a), 0.5);
   struct ir_instr *z = m_select(m, is_large, half, m_mul(m, a, a));
   struct ir_instr *s = m_select(m, is_large, m_sqrt(m, half), a);
   struct ir_instr *p = M_ODD(m, s, z, asin_coefficients), *twice = m_add(m, p, p);
   struct ir_instr *quarter_turn = m_float(m, pi_half), *error = m_float(m, pi_half_error);

   if (!is_acos) {
      struct ir_instr *large = m_sub(m, quarter_turn, m_sub(m, twice, error));
      return m_xor(m, m_select(m, is_large, large, p), sign);
   }
   struct ir_instr *negative = m_sub(m, m_float(m, pi), m_sub(m, twice, m_scale(m, error, 2.0)));
   struct ir_instr *is_negative = ir_alu2(&m->b, IR_ilt, x, m_int(m, 0));
   struct ir_instr *large = m_select(m, is_negative, negative, twice);
   struct ir_instr *small = m_sub(m, quarter_turn, m_sub(m, m_xor(m, p, sign), error));
   return m_select(m, is_large, large, small);
}

/* atan(low / high) for 0 <= low <= high: above tan(pi/8), pi/4 + atan((low - high) / (low + high)). */
static struct ir_instr *atan_of_ratio(struct math *m, struct ir_instr *low, struct ir_instr *high)
{
   struct ir_instr *is_near = m_lt(m, m_scale(m, high, tan_pi_eighth), low);
   struct ir_instr *numerator = m_select(m, is_near, m_sub(m, low, high), low);
   struct ir_instr *denominator = m_select(m, is_near, m_add(m, low, high), high);
   struct ir_instr *t = m_div(m, numerator, denominator);
   struct ir_instr *angle = M_ODD(m, t, m_mul(m, t, t), atan_coefficients);
   return m_add(m, angle, m_select(m, is_near, m_float(m, pi_quarter), m_float(m, 0.0)));
}

static struct ir_instr *lower_atan(struct math *m, struct ir_instr *x)
{
   struct ir_instr *a = m_abs(m, x), *one = m_float(m, 1.0);
   struct ir_instr *is_steep = m_lt(m, one, a);
   struct ir_instr *angle = atan_of_ratio(m, m_select(m, is_steep, one, a), m_select(m, is_steep, a, one));
   angle = m_select(m, is_steep, m_sub(m, m_float(m, pi_half), angle), angle);
   return m_xor(m, angle, m_sign(m, x));
}

/* Of (0, 0) it is 0 or pi by the sign of x, of two infinities an odd multiple of pi/4. */
static struct ir_instr *lower_atan2(struct math *m, struct ir_instr *y, struct ir_instr *x)
{
   struct ir_instr *ax = m_abs(m, x), *ay = m_abs(m, y), *infinity = m_float(m, INFINITY);
   struct ir_instr *is_steep = m_lt(m, ax, ay);
   struct ir_instr *low = m_select(m, is_steep, ax, ay), *high = m_select(m, is_steep, ay, ax);

   /* Large ones are scaled, so that their sum is finite, and small ones, so that no product of theirs is denormal. */
   struct ir_instr *is_small = m_lt(m, high, m_float(m, 0x1p-100)), *one = m_float(m, 1.0);
   struct ir_instr *scale = m_select(m, m_lt(m, m_float(m, 0x1p125), high), m_float(m, 0.25), m_select(m, is_small, m_float(m, 0x1p64), one));
   struct ir_instr *is_corner =
      ir_alu2(&m->b, IR_iand, m_eq(m, low, high),
              ir_alu2(&m->b, IR_ior, m_eq(m, high, infinity), m_eq(m, high, m_float(m, 0.0))));
   struct ir_instr *corner = m_select(m, m_eq(m, high, infinity), m_float(m, 1.0), m_float(m, 0.0));
   low = m_select(m, is_corner, corner, m_mul(m, low, scale));
   high = m_select(m, is_corner, m_float(m, 1.0), m_mul(m, high, scale));

   struct ir_instr *angle = atan_of_ratio(m, low, high);
   angle = m_select(m, is_steep, m_sub(m, m_float(m, pi_half), angle), angle);
   struct ir_instr *is_left = ir_alu2(&m->b, IR_ilt, x, m_int(m, 0)); /* -0 too */
   angle = m_select(m, is_left, m_sub(m, m_float(m, pi), angle), angle);
   struct ir_instr *result = m_xor(m, angle, m_sign(m, y));
   struct ir_instr *is_nan = ir_alu2(&m->b, IR_fneu, m_add(m, x, y), m_add(m, x, y)); /* or infinities of two signs */
   struct ir_instr *keeps = ir_alu2(&m->b, IR_ior, is_corner, ir_alu1(&m->b, IR_inot, is_nan));
   return m_select(m, keeps, result, m_int(m, 0x7fc00000));
}

struct ir_instr *ir_lower_math_arc(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   switch ((enum ir_op)instr->op) {
   case IR_fasin:
      return lower_asin_acos(m, x, false);
   case IR_facos:
      return lower_asin_acos(m, x, true);
   case IR_fatan:
      return lower_atan(m, x);
   default:
      return lower_atan2(m, x, instr->srcs[1]);
   }
}
