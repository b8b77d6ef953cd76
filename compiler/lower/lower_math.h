/* SPDX-License-Identifier: MIT
 * Shared by the files of lower_math: short names for building 32-bit arithmetic, and the cores that several functions
 * use.
 *
 * Sequences consist of plain IEEE operations without floating-point flags, in a fixed order: the same bits on every
 * machine. Products that feed sums are fused: half the operations where the machine has the instruction, and the same
 * result, slowly, where it has not; see m_mad(). */
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/ir/ir_map.h"

struct math {
   struct ir_builder b;
   struct ir_map reductions; /* of sines and cosines: by argument */
};

/* ---- constants ---- */

static inline struct ir_instr *m_float(struct math *m, double value)
{
   return ir_const_f(&m->b, 32, value);
}

static inline struct ir_instr *m_int(struct math *m, uint32_t value)
{
   return ir_const(&m->b, 32, value);
}

/* ---- floats ---- */

static inline struct ir_instr *m_add(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_fadd, x, y);
}

static inline struct ir_instr *m_sub(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_fsub, x, y);
}

static inline struct ir_instr *m_mul(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_fmul, x, y);
}

static inline struct ir_instr *m_div(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_fdiv, x, y);
}

static inline struct ir_instr *m_scale(struct math *m, struct ir_instr *x, double factor)
{
   return m_mul(m, x, m_float(m, factor));
}

static inline struct ir_instr *m_sqrt(struct math *m, struct ir_instr *x)
{
   return ir_alu1(&m->b, IR_fsqrt, x);
}

static inline struct ir_instr *m_abs(struct math *m, struct ir_instr *x)
{
   return ir_alu1(&m->b, IR_fabs, x);
}

/* x * y + z, rounded once. */
static inline struct ir_instr *m_mad(struct math *m, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z)
{
   return ir_alu3(&m->b, IR_fma, x, y, z);
}

/* x * factor + z, rounded once. */
static inline struct ir_instr *m_mad_const(struct math *m, struct ir_instr *x, double factor, struct ir_instr *z)
{
   return m_mad(m, x, m_float(m, factor), z);
}

/* c[0] + c[1] x + … */
static inline struct ir_instr *m_poly(struct math *m, struct ir_instr *x, const float *c, uint32_t count)
{
   struct ir_instr *sum = m_float(m, c[count - 1]);
   for (uint32_t i = count - 1; i-- > 0;)
      sum = m_mad(m, sum, x, m_float(m, c[i]));
   return sum;
}

#define M_POLY(m, x, c) m_poly(m, x, c, UTIL_ARRAY_SIZE(c))

/* x + x z P(z): what odd functions are near 0. */
static inline struct ir_instr *m_odd(struct math *m, struct ir_instr *x, struct ir_instr *z, const float *c,
                                     uint32_t count)
{
   return m_mad(m, m_mul(m, x, z), m_poly(m, z, c, count), x);
}

#define M_ODD(m, x, z, c) m_odd(m, x, z, c, UTIL_ARRAY_SIZE(c))

static inline struct ir_instr *m_select(struct math *m, struct ir_instr *c, struct ir_instr *x, struct ir_instr *y)
{
   return ir_select(&m->b, c, x, y);
}

/* Comparisons: false for NaN. */
static inline struct ir_instr *m_lt(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_flt, x, y);
}

static inline struct ir_instr *m_ge(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_fge, x, y);
}

static inline struct ir_instr *m_eq(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_feq, x, y);
}

/* NaN stays, unlike with fmin and fmax. */
static inline struct ir_instr *m_clamp(struct math *m, struct ir_instr *x, double low, double high)
{
   struct ir_instr *l = m_float(m, low), *h = m_float(m, high);
   x = m_select(m, m_lt(m, h, x), h, x);
   return m_select(m, m_lt(m, x, l), l, x);
}

/* ---- bits ---- */

static inline struct ir_instr *m_and(struct math *m, struct ir_instr *x, uint32_t mask)
{
   return ir_alu2(&m->b, IR_iand, x, m_int(m, mask));
}

static inline struct ir_instr *m_xor(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&m->b, IR_ixor, x, y);
}

static inline struct ir_instr *m_iadd(struct math *m, struct ir_instr *x, uint32_t value)
{
   return ir_alu2(&m->b, IR_iadd, x, m_int(m, value));
}

static inline struct ir_instr *m_shl(struct math *m, struct ir_instr *x, uint32_t amount)
{
   return ir_alu2(&m->b, IR_ishl, x, m_int(m, amount));
}

static inline struct ir_instr *m_sign(struct math *m, struct ir_instr *x)
{
   return m_and(m, x, 0x80000000);
}

/* x * factor to the nearest integer, |x * factor| < 2^22. The sum with 1.5 * 2^23 has no room for a fraction: the integer
 * stands in its low bits, of which `bits` has 22 and a sign above. */
struct math_integer {
   struct ir_instr *value; /* float */
   struct ir_instr *bits;
};

static inline struct math_integer m_to_integer(struct math *m, struct ir_instr *x, double factor)
{
   struct ir_instr *magic = m_float(m, 12582912.0);
   struct ir_instr *sum = factor == 1.0 ? m_add(m, x, magic) : m_mad_const(m, x, factor, magic);
   return (struct math_integer){m_sub(m, sum, magic), sum};
}

/* ---- cores ---- */

/* 2^(y (high + low)), within some ulp of that of the exact product, where x is the rounded sum of high and low. lower_math_exp.c */
struct ir_instr *m_exp2_of_product(struct math *m, struct ir_instr *y, struct ir_instr *x, struct ir_instr *high, struct ir_instr *low);

/* ln(x * 2^bias) with the special cases of x. lower_math_log.c */
struct ir_instr *m_log(struct math *m, struct ir_instr *x, struct ir_instr *bias);

/* ---- the functions: a value equal to instr of 32 bits (lower_math_basic: of any size) ---- */

struct ir_instr *ir_lower_math_exp(struct math *m, const struct ir_instr *instr);   /* exp2 exp sinh cosh tanh */
struct ir_instr *ir_lower_math_log(struct math *m, const struct ir_instr *instr);   /* log2 log pow asinh acosh atanh */
struct ir_instr *ir_lower_math_trig(struct math *m, const struct ir_instr *instr);  /* sin cos tan */
struct ir_instr *ir_lower_math_arc(struct math *m, const struct ir_instr *instr);   /* asin acos atan atan2 */
struct ir_instr *ir_lower_math_basic(struct math *m, const struct ir_instr *instr); /* mod rem ldexp frexp */
