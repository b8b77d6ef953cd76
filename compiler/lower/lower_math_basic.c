/* SPDX-License-Identifier: MIT
 * Remainders, ldexp and frexp, for 32 and 64 bits. */
#include "compiler/lower/lower_math.h"

#include "compiler/ir/ir_eval.h"
#include "compiler/ir/passes.h"

#include <math.h>

static struct ir_instr *constant(struct math *m, uint32_t bits, double value)
{
   return ir_const_f(&m->b, bits, value);
}

static struct ir_instr *sign_of(struct math *m, struct ir_instr *x)
{
   return ir_alu2(&m->b, IR_iand, x, ir_const(&m->b, x->bit_size, UINT64_C(1) << (x->bit_size - 1)));
}

/* The remainder below for mod by a positive constant: nothing is endless, and zeros are positive by themselves. By 1, 2, 4 and so on quotients are exact,
 * however large, but those of denormal numbers, of which those below zero give 0. */
static struct ir_instr *lower_mod_of_constant(struct math *m, struct ir_instr *x, struct ir_instr *y)
{
   const double divisor = ir_float_to_double(y->imm.c[0], 32);
   int exponent;
   struct ir_instr *zero = m_float(m, 0.0), *quotient = ir_alu1(&m->b, IR_ffloor, ir_divide_by_constant(&m->b, x, y));
   struct ir_instr *r = m_mad(m, ir_alu1(&m->b, IR_fneg, quotient), y, x);
   if (divisor >= 1.0 && frexp(divisor, &exponent) == 0.5)
      return divisor == 1.0 ? r : m_select(m, m_lt(m, r, zero), zero, r);
   struct ir_instr *is_lost = m_lt(m, y, m_abs(m, r));
   return m_select(m, is_lost, zero, m_select(m, m_lt(m, r, zero), m_add(m, r, y), r));
}

/* x - y trunc(x / y) or x - y floor(x / y). The fused operation makes the remainder exact while the quotient is; the
 * quotient was rounded and may be one too large, which shows in the sign. Remainders by infinity are x. */
static struct ir_instr *lower_remainder(struct math *m, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
   const uint32_t bits = x->bit_size;
   if (op == IR_fmod && bits == 32 && ir_can_divide_by_constant(y) && ir_float_to_double(y->imm.c[0], 32) > 0)
      return lower_mod_of_constant(m, x, y);
   struct ir_instr *zero = constant(m, bits, 0.0);
   struct ir_instr *quotient = ir_alu1(&m->b, op == IR_fmod ? IR_ffloor : IR_ftrunc, m_div(m, x, y));
   struct ir_instr *r = ir_alu3(&m->b, IR_fma, ir_alu1(&m->b, IR_fneg, quotient), y, x);
   struct ir_instr *ay = m_abs(m, y);

   struct ir_instr *is_endless = ir_alu2(&m->b, IR_iand, m_eq(m, ay, constant(m, bits, INFINITY)),
                                         m_lt(m, m_abs(m, x), constant(m, bits, INFINITY)));
   r = m_select(m, is_endless, x, r);

   /* A quotient with more digits than the format leaves nothing of the remainder, and what is there may have the other sign after the step below too. */
   struct ir_instr *is_lost = m_lt(m, ay, m_abs(m, r));

   struct ir_instr *like = op == IR_fmod ? y : x; /* whose sign the remainder has */
   struct ir_instr *differs = ir_alu2(&m->b, IR_ine, sign_of(m, r), sign_of(m, like));
   differs = ir_alu2(&m->b, IR_iand, differs, ir_alu2(&m->b, IR_fneu, r, zero));
   struct ir_instr *step = ir_alu2(&m->b, IR_ior, ay, sign_of(m, like));
   r = m_select(m, differs, m_add(m, r, step), r);
   r = m_select(m, is_lost, zero, r);
   struct ir_instr *is_zero = m_eq(m, r, zero);
   return m_select(m, is_zero, sign_of(m, like), r); /* zeros have the sign as well */
}

/* 2^n as a double, |n| <= 1022. */
static struct ir_instr *power_of_two(struct math *m, struct ir_instr *n)
{
   struct ir_instr *words[2] = {m_int(m, 0), m_shl(m, m_iadd(m, n, 1023), 20)};
   return ir_emit(&m->b, IR_pack, 1, 64, 2, words);
}

static struct ir_instr *clamp_int(struct math *m, struct ir_instr *n, int32_t limit)
{
   n = ir_alu2(&m->b, IR_imin, n, m_int(m, (uint32_t)limit));
   return ir_alu2(&m->b, IR_imax, n, m_int(m, (uint32_t)-limit));
}

/* By a power of two that is a normal number, a product rounds once; else in doubles, whose exponents hold every case. */
static struct ir_instr *lower_ldexp32(struct math *m, struct ir_instr *x, struct ir_instr *n)
{
   const int32_t known = n->op == IR_const ? (int32_t)n->imm.u[0] : INT32_MIN;
   if (known >= -126 && known <= 127)
      return m_mul(m, x, constant(m, 32, ldexp(1.0, known)));
   struct ir_instr *wide = ir_convert(&m->b, IR_f2f, 64, x);
   return ir_convert(&m->b, IR_f2f, 32, m_mul(m, wide, power_of_two(m, clamp_int(m, n, 500))));
}

/* One factor of 2^1023 or 2^-969 for exponents beyond ±1022, and what is left of them: the latter keeps 53 bits of
 * what will be a denormal, so that only the last product rounds. */
static void ldexp_step(struct math *m, struct ir_instr **x, struct ir_instr **n)
{
   struct ir_instr *is_high = ir_alu2(&m->b, IR_ilt, m_int(m, 1022), *n);
   struct ir_instr *is_low = ir_alu2(&m->b, IR_ilt, *n, m_int(m, (uint32_t)-1022));
   struct ir_instr *factor = m_select(m, is_low, constant(m, 64, 0x1p-969), constant(m, 64, 1.0));
   factor = m_select(m, is_high, constant(m, 64, 0x1p1022), factor);
   struct ir_instr *taken = m_select(m, is_low, m_int(m, 969), m_int(m, 0));
   taken = m_select(m, is_high, m_int(m, (uint32_t)-1022), taken);
   *x = m_mul(m, *x, factor);
   *n = ir_alu2(&m->b, IR_iadd, *n, taken);
}

static struct ir_instr *lower_ldexp64(struct math *m, struct ir_instr *x, struct ir_instr *n)
{
   n = clamp_int(m, n, 2200);
   ldexp_step(m, &x, &n);
   ldexp_step(m, &x, &n);
   return m_mul(m, x, power_of_two(m, clamp_int(m, n, 1022)));
}

/* Significand and exponent by bits; denormals are scaled up first. Zero, infinity and NaN are their own significand,
 * with exponent 0. */
static struct ir_instr *lower_frexp(struct math *m, struct ir_instr *x, bool wants_exponent)
{
   const uint32_t bits = x->bit_size, mantissa = bits == 32 ? 23 : 52;
   const uint64_t exponent_mask = bits == 32 ? 0xff : 0x7ff, half = bits == 32 ? 126 : 1022;
   const uint64_t sign_and_mantissa = ~(exponent_mask << mantissa);
   struct ir_instr *a = m_abs(m, x), *zero = ir_const(&m->b, bits, 0);
   struct ir_instr *least = ir_const(&m->b, bits, UINT64_C(1) << mantissa);
   struct ir_instr *is_denorm = ir_alu2(&m->b, IR_ult, a, least);
   struct ir_instr *infinity = ir_const(&m->b, bits, exponent_mask << mantissa), *is_not_finite = ir_alu2(&m->b, IR_uge, a, infinity);
   struct ir_instr *is_zero = ir_alu2(&m->b, IR_ieq, a, zero), *is_special = ir_alu2(&m->b, IR_ior, is_zero, is_not_finite);
   struct ir_instr *scaled = m_mul(m, x, constant(m, bits, ldexp(1.0, (int)mantissa + 1)));
   struct ir_instr *v = m_select(m, is_denorm, scaled, x);

   if (!wants_exponent) {
      v = ir_alu2(&m->b, IR_iand, v, ir_const(&m->b, bits, sign_and_mantissa));
      v = ir_alu2(&m->b, IR_ior, v, ir_const(&m->b, bits, half << mantissa));
      return m_select(m, is_special, x, v);
   }
   v = ir_alu2(&m->b, IR_ushr, v, ir_const(&m->b, bits, mantissa));
   if (bits == 64)
      v = ir_convert(&m->b, IR_u2u, 32, v);
   v = m_and(m, v, (uint32_t)exponent_mask);
   struct ir_instr *plain = m_int(m, (uint32_t) - (int32_t)half), *scaled_up = m_int(m, (uint32_t) - (int32_t)(half + mantissa + 1));
   struct ir_instr *exponent = ir_alu2(&m->b, IR_iadd, v, m_select(m, is_denorm, scaled_up, plain));
   return m_select(m, is_special, m_int(m, 0), exponent);
}

struct ir_instr *ir_lower_math_basic(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   switch ((enum ir_op)instr->op) {
   case IR_fmod:
   case IR_frem:
      return lower_remainder(m, instr->op, x, instr->srcs[1]);
   case IR_fldexp:
      return x->bit_size == 64 ? lower_ldexp64(m, x, instr->srcs[1]) : lower_ldexp32(m, x, instr->srcs[1]);
   default:
      return lower_frexp(m, x, instr->op == IR_ffrexp_exp);
   }
}
