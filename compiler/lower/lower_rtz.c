/* SPDX-License-Identifier: MIT
 * Operations that round towards zero, made of such that round to nearest.
 *
 * 16 and 32 bits are computed in 64 and narrowed. Products are exact there; quotients and roots are further from every narrow number
 * than the rounding to 64 bits moves them; sums are rounded to odd (after Boldo & Melquiond, "Emulation of a FMA and correctly rounded
 * sums", 2008). 64 bits: sums and products in integers; quotients and roots step back where the residual says that they are too
 * large. */
#include "compiler/lower/lower_float.h"

static struct ir_instr *real(struct ir_builder *b, double value)
{
   return ir_const_f(b, 64, value);
}

static struct ir_instr *op(struct ir_builder *b, enum ir_op which, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(b, which, x, y);
}

static struct ir_instr *magnitude(struct ir_builder *b, struct ir_instr *x)
{
   return ir_alu1(b, IR_fabs, x);
}

/* The number before `x` towards zero, if it is to be; infinity's is the largest number. */
static struct ir_instr *step_back(struct ir_builder *b, struct ir_instr *x, struct ir_instr *condition)
{
   const uint32_t bits = x->bit_size;
   return op(b, IR_isub, x, ir_select(b, condition, ir_const(b, bits, 1), ir_const(b, bits, 0)));
}

static struct ir_instr *narrow(struct ir_builder *b, uint32_t bits, struct ir_instr *x)
{
   if (bits >= x->bit_size)
      return ir_convert(b, IR_f2f, bits, x);
   struct ir_instr *nearest = ir_convert(b, IR_f2f, bits, x);
   struct ir_instr *back = ir_convert(b, IR_f2f, x->bit_size, nearest);
   return step_back(b, nearest, op(b, IR_flt, magnitude(b, x), magnitude(b, back)));
}

/* x + y of 64 bits without overflow: of the two neighbours of an inexact sum the odd one. */
static struct ir_instr *add_to_odd(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y)
{
   struct ir_instr *sum = op(b, IR_fadd, x, y);
   struct ir_instr *y_part = op(b, IR_fsub, sum, x), *x_part = op(b, IR_fsub, sum, y_part);
   struct ir_instr *error = op(b, IR_fadd, op(b, IR_fsub, y, y_part), op(b, IR_fsub, x, x_part));
   struct ir_instr *is_inexact = op(b, IR_fne, error, real(b, 0.0)), *zero = ir_const(b, 64, 0);
   struct ir_instr *is_even = op(b, IR_ieq, op(b, IR_iand, sum, ir_const(b, 64, 1)), zero);
   struct ir_instr *is_larger = op(b, IR_ilt, op(b, IR_ixor, sum, error), zero); /* than the exact sum */
   struct ir_instr *odd = op(b, IR_iadd, sum, ir_select(b, is_larger, ir_const(b, 64, UINT64_MAX), ir_const(b, 64, 1)));
   return ir_select(b, op(b, IR_iand, is_inexact, is_even), odd, sum);
}

static struct ir_instr *narrow_operation(struct ir_builder *b, const struct ir_instr *instr)
{
   struct ir_instr *s[3];
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      s[i] = ir_convert(b, IR_f2f, 64, instr->srcs[i]);
   switch ((enum ir_op)instr->op) {
   case IR_fadd: return add_to_odd(b, s[0], s[1]);
   case IR_fsub: return add_to_odd(b, s[0], ir_alu1(b, IR_fneg, s[1]));
   case IR_fma: return add_to_odd(b, op(b, IR_fmul, s[0], s[1]), s[2]);
   case IR_fsqrt: return ir_alu1(b, IR_fsqrt, s[0]);
   default: return op(b, (enum ir_op)instr->op, s[0], s[1]);
   }
}

/* ---- 64 bits ---- */

/* True if |a| * |b| > |c|, a * b close to c. Small numbers are scaled so that nothing is lost: c and the smaller factor. */
static struct ir_instr *exceeds(struct ir_builder *b, struct ir_instr *a, struct ir_instr *factor, struct ir_instr *c)
{
   a = magnitude(b, a);
   factor = magnitude(b, factor);
   c = magnitude(b, c);
   struct ir_instr *one = real(b, 1.0), *up = real(b, 0x1p600), *is_small = op(b, IR_flt, c, one);
   struct ir_instr *is_a_smaller = op(b, IR_flt, a, factor);
   struct ir_instr *a_scale = ir_select(b, op(b, IR_iand, is_small, is_a_smaller), up, one);
   struct ir_instr *scale = ir_select(b, is_small, up, one);
   struct ir_instr *factor_scale = ir_select(b, is_a_smaller, one, scale);
   struct ir_instr *residual = ir_lower_fma64(b, op(b, IR_fmul, a, a_scale), op(b, IR_fmul, factor, factor_scale),
                                              ir_alu1(b, IR_fneg, op(b, IR_fmul, c, scale)), false);
   return op(b, IR_flt, real(b, 0.0), residual);
}

static struct ir_instr *wide_operation(struct ir_builder *b, const struct ir_instr *instr)
{
   struct ir_instr *const *s = instr->srcs, *result;
   switch ((enum ir_op)instr->op) {
   case IR_fadd: return ir_lower_fma64(b, s[0], real(b, 1.0), s[1], true);
   case IR_fsub: return ir_lower_fma64(b, s[0], real(b, 1.0), ir_alu1(b, IR_fneg, s[1]), true);
   case IR_fmul: return ir_lower_fma64(b, s[0], s[1], real(b, -0.0), true);
   case IR_fma: return ir_lower_fma64(b, s[0], s[1], s[2], true);
   case IR_fsqrt:
      result = ir_alu1(b, IR_fsqrt, s[0]);
      return step_back(b, result, exceeds(b, result, result, s[0]));
   default:
      result = op(b, IR_fdiv, s[0], s[1]);
      return step_back(b, result, exceeds(b, result, s[1], s[0]));
   }
}

/* ---- integers to floats: the bits that do not fit are cleared first ---- */

static struct ir_instr *from_integer(struct ir_builder *b, const struct ir_instr *instr)
{
   const uint32_t bits = instr->bit_size, digits = bits == 16 ? 11 : bits == 32 ? 24 : 53;
   const bool is_signed = instr->op == IR_i2f;
   struct ir_instr *x = instr->srcs[0];
   if (x->bit_size < 64)
      x = ir_convert(b, is_signed ? IR_i2i : IR_u2u, 64, x);
   struct ir_instr *zero = ir_const(b, 64, 0), *value = is_signed ? ir_alu1(b, IR_iabs, x) : x;
   if (bits == 16)
      value = op(b, IR_umin, value, ir_const(b, 64, 65504));
   struct ir_instr *top = ir_alu1(b, IR_find_umsb, value);
   struct ir_instr *spare = op(b, IR_imax, op(b, IR_isub, top, ir_const(b, 64, digits - 1)), zero);
   value = op(b, IR_ishl, op(b, IR_ushr, value, spare), spare);
   value = ir_convert(b, IR_u2f, bits, value);
   return is_signed ? ir_select(b, op(b, IR_ilt, x, zero), ir_alu1(b, IR_fneg, value), value) : value;
}

struct ir_instr *ir_lower_toward_zero(struct ir_builder *b, const struct ir_instr *instr)
{
   if (instr->op == IR_i2f || instr->op == IR_u2f)
      return from_integer(b, instr);
   if (instr->op == IR_f2f)
      return narrow(b, instr->bit_size, instr->srcs[0]);
   return instr->bit_size == 64 ? wide_operation(b, instr) : narrow(b, instr->bit_size, narrow_operation(b, instr));
}
