/* SPDX-License-Identifier: MIT
 * The fused multiply-add of 64 bits in integers, rounded once: for machines without the instruction, and towards zero. Product and
 * addend are aligned in 128 bits, of which the last one is set where bits beyond it were lost. */
#include "compiler/lower/lower_float.h"

#define INFINITY_BITS UINT64_C(0x7ff0000000000000)
#define HIDDEN_BIT (UINT64_C(1) << 52)

struct wide { /* an unsigned number of 128 bits */
   struct ir_instr *high, *low;
};

/* |x| = mantissa * 2^(exponent - 1075), the mantissa in [2^52, 2^53); garbage for zero, infinity and NaN. */
struct parts {
   struct ir_instr *exponent, *mantissa;
};

static struct ir_instr *number(struct ir_builder *b, uint64_t value)
{
   return ir_const(b, 64, value);
}

static struct ir_instr *op(struct ir_builder *b, enum ir_op which, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(b, which, x, y);
}

static struct ir_instr *op_const(struct ir_builder *b, enum ir_op which, struct ir_instr *x, uint64_t y)
{
   return ir_alu2(b, which, x, number(b, y));
}

/* The bit of a condition. */
static struct ir_instr *bit(struct ir_builder *b, struct ir_instr *condition)
{
   return ir_convert(b, IR_u2u, 64, condition);
}

static struct wide select_wide(struct ir_builder *b, struct ir_instr *condition, struct wide x, struct wide y)
{
   return (struct wide){ir_select(b, condition, x.high, y.high), ir_select(b, condition, x.low, y.low)};
}

/* Denormals are scaled up first. */
static struct parts split(struct ir_builder *b, struct ir_instr *magnitude)
{
   struct ir_instr *is_small = op_const(b, IR_ult, magnitude, HIDDEN_BIT);
   struct ir_instr *v = ir_select(b, is_small, op(b, IR_fmul, magnitude, ir_const_f(b, 64, 0x1p64)), magnitude);
   struct ir_instr *exponent = op_const(b, IR_ushr, v, 52);
   return (struct parts){
      op(b, IR_isub, exponent, ir_select(b, is_small, number(b, 64), number(b, 0))),
      op_const(b, IR_ior, op_const(b, IR_iand, v, HIDDEN_BIT - 1), HIDDEN_BIT),
   };
}

/* By 0 to 127; the last bit is set where bits were lost. */
static struct wide shift_right(struct ir_builder *b, struct wide x, struct ir_instr *amount)
{
   struct ir_instr *is_far = op_const(b, IR_uge, amount, 64), *zero = number(b, 0);
   struct wide near = select_wide(b, is_far, (struct wide){zero, x.high}, x);
   amount = op_const(b, IR_iand, amount, 63);
   struct ir_instr *lost_mask = op_const(b, IR_isub, op(b, IR_ishl, number(b, 1), amount), 1);
   struct ir_instr *lost = op(b, IR_ior, op(b, IR_iand, near.low, lost_mask), ir_select(b, is_far, x.low, zero));
   struct ir_instr *moved = op(b, IR_ishl, op_const(b, IR_ishl, near.high, 1), op(b, IR_isub, number(b, 63), amount));
   struct ir_instr *low = op(b, IR_ior, op(b, IR_ushr, near.low, amount), moved);
   return (struct wide){op(b, IR_ushr, near.high, amount), op(b, IR_ior, low, bit(b, op(b, IR_ine, lost, zero)))};
}

static struct wide add(struct ir_builder *b, struct wide x, struct wide y)
{
   struct ir_instr *low = op(b, IR_iadd, x.low, y.low);
   return (struct wide){op(b, IR_iadd, op(b, IR_iadd, x.high, y.high), bit(b, op(b, IR_ult, low, x.low))), low};
}

static struct wide subtract(struct ir_builder *b, struct wide x, struct wide y)
{
   struct ir_instr *borrow = bit(b, op(b, IR_ult, x.low, y.low));
   return (struct wide){op(b, IR_isub, op(b, IR_isub, x.high, y.high), borrow), op(b, IR_isub, x.low, y.low)};
}

static struct ir_instr *is_less(struct ir_builder *b, struct wide x, struct wide y)
{
   struct ir_instr *low = op(b, IR_iand, op(b, IR_ieq, x.high, y.high), op(b, IR_ult, x.low, y.low));
   return op(b, IR_ior, op(b, IR_ult, x.high, y.high), low);
}

/* x * 2^exponent as a float's magnitude, x not zero. */
static struct ir_instr *pack(struct ir_builder *b, struct wide x, struct ir_instr *exponent, bool toward_zero)
{
   struct ir_instr *zero = number(b, 0), *is_low = op(b, IR_ieq, x.high, zero);
   x = select_wide(b, is_low, (struct wide){x.low, zero}, x);
   struct ir_instr *lead = op(b, IR_isub, number(b, 63), ir_alu1(b, IR_find_umsb, x.high));
   exponent = op(b, IR_isub, exponent, op(b, IR_iadd, lead, ir_select(b, is_low, number(b, 64), zero)));
   struct ir_instr *moved = op(b, IR_ushr, op_const(b, IR_ushr, x.low, 1), op(b, IR_isub, number(b, 63), lead));
   struct ir_instr *h = op(b, IR_ior, op(b, IR_ishl, x.high, lead), moved);
   h = op(b, IR_ior, h, bit(b, op(b, IR_ine, op(b, IR_ishl, x.low, lead), zero)));
   /* now h * 2^(exponent + 64), its highest bit set; one bit less, so that no shift is by 64 */
   h = op(b, IR_ior, op_const(b, IR_ushr, h, 1), op_const(b, IR_iand, h, 1));
   struct ir_instr *biased = op_const(b, IR_imin, op_const(b, IR_iadd, exponent, 1150), 2047);
   struct ir_instr *missing = op(b, IR_imax, op(b, IR_isub, number(b, 1), biased), zero); /* denormal: by so much */
   struct ir_instr *shift = op_const(b, IR_iadd, missing, 10), *is_gone = op(b, IR_ilt, number(b, 63), shift);
   h = ir_select(b, is_gone, number(b, 1), h);
   shift = ir_select(b, is_gone, number(b, 63), shift);

   struct ir_instr *result = op(b, IR_ushr, h, shift);
   if (!toward_zero) {
      struct ir_instr *one = number(b, 1), *half = op(b, IR_ishl, one, op_const(b, IR_isub, shift, 1));
      struct ir_instr *rest = op(b, IR_iand, h, op_const(b, IR_isub, op(b, IR_ishl, one, shift), 1));
      struct ir_instr *is_odd_tie = op(b, IR_iand, bit(b, op(b, IR_ieq, rest, half)), result);
      struct ir_instr *up = op(b, IR_ior, bit(b, op(b, IR_ult, half, rest)), op(b, IR_iand, is_odd_tie, one));
      result = op(b, IR_iadd, result, up);
   }
   struct ir_instr *steps = op(b, IR_imax, op_const(b, IR_isub, biased, 1), zero);
   result = op(b, IR_iadd, result, op_const(b, IR_ishl, steps, 52)); /* the hidden bit adds one */
   return op_const(b, IR_umin, result, toward_zero ? INFINITY_BITS - 1 : INFINITY_BITS);
}

/* For finite numbers, x and y not zero. */
static struct ir_instr *finite_fma(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z,
                                   bool toward_zero)
{
   const uint64_t sign_bit = UINT64_C(1) << 63;
   struct ir_instr *zero = number(b, 0), *z_magnitude = ir_alu1(b, IR_fabs, z);
   const struct parts px = split(b, ir_alu1(b, IR_fabs, x)), py = split(b, ir_alu1(b, IR_fabs, y));
   const struct parts pz = split(b, z_magnitude);
   struct ir_instr *has_z = op(b, IR_ine, z_magnitude, zero);

   /* product * 2^(product_exponent - 2171), the product below 2^127; addend * 2^(z_exponent - 1149) */
   struct ir_instr *mx = op_const(b, IR_ishl, px.mantissa, 11), *my = op_const(b, IR_ishl, py.mantissa, 10);
   struct wide product = {op(b, IR_umulh, mx, my), op(b, IR_imul, mx, my)};
   struct wide addend = {ir_select(b, has_z, op_const(b, IR_ishl, pz.mantissa, 10), zero), zero};
   struct ir_instr *product_exponent = op_const(b, IR_isub, op(b, IR_iadd, px.exponent, py.exponent), 2171);
   struct ir_instr *z_exponent = ir_select(b, has_z, op_const(b, IR_isub, pz.exponent, 1149), product_exponent);
   struct ir_instr *exponent = op(b, IR_imax, product_exponent, z_exponent), *limit = number(b, 127);
   product = shift_right(b, product, op(b, IR_imin, op(b, IR_isub, exponent, product_exponent), limit));
   addend = shift_right(b, addend, op(b, IR_imin, op(b, IR_isub, exponent, z_exponent), limit));

   struct ir_instr *signs = op(b, IR_ixor, x, y), *differ = op(b, IR_ilt, op(b, IR_ixor, signs, z), zero);
   struct ir_instr *is_swapped = is_less(b, product, addend);
   const struct wide larger = select_wide(b, is_swapped, addend, product);
   const struct wide smaller = select_wide(b, is_swapped, product, addend);
   const struct wide sum = select_wide(b, differ, subtract(b, larger, smaller), add(b, larger, smaller));
   struct ir_instr *sign = op_const(b, IR_iand, ir_select(b, is_swapped, z, signs), sign_bit);
   struct ir_instr *result = op(b, IR_ior, pack(b, sum, exponent, toward_zero), sign);
   struct ir_instr *is_zero = op(b, IR_ieq, op(b, IR_ior, sum.high, sum.low), zero);
   return ir_select(b, is_zero, zero, result);
}

struct ir_instr *ir_lower_fma64(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z,
                                bool toward_zero)
{
   struct ir_instr *infinity = number(b, INFINITY_BITS), *zero = number(b, 0);
   struct ir_instr *ax = ir_alu1(b, IR_fabs, x), *ay = ir_alu1(b, IR_fabs, y), *az = ir_alu1(b, IR_fabs, z);
   struct ir_instr *has_no_product = op(b, IR_ior, op(b, IR_uge, ax, infinity), op(b, IR_uge, ay, infinity));
   struct ir_instr *is_zero = op(b, IR_ior, op(b, IR_ieq, ax, zero), op(b, IR_ieq, ay, zero));
   has_no_product = op(b, IR_ior, has_no_product, is_zero);
   /* the plain operations are exact here; a finite product does not change an infinite or undefined sum */
   struct ir_instr *product = ir_select(b, has_no_product, op(b, IR_fmul, x, y), zero);
   struct ir_instr *is_plain = op(b, IR_ior, has_no_product, op(b, IR_uge, az, infinity));
   return ir_select(b, is_plain, op(b, IR_fadd, product, z), finite_fma(b, x, y, z, toward_zero));
}
