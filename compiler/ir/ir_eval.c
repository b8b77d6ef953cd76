/* SPDX-License-Identifier: MIT
 * Arithmetic on constants. Rounded operations run on the host's IEEE arithmetic in the wanted rounding mode, behind
 * volatile operands so that the C compiler neither folds nor moves them; 16-bit floats go through wider types and are
 * rounded once. */
#include "compiler/ir/ir_eval.h"

#include "compiler/ir/ir.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static double double_from_bits(uint64_t bits)
{
   double value;
   memcpy(&value, &bits, sizeof(value));
   return value;
}

static uint64_t bits_from_double(double value)
{
   uint64_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static float float_from_bits(uint64_t bits)
{
   const uint32_t low = (uint32_t)bits;
   float value;
   memcpy(&value, &low, sizeof(value));
   return value;
}

static uint32_t bits_from_float(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* ---- formats ---- */

struct float_format {
   uint32_t bits, mantissa_bits;
   int32_t bias;
};

static struct float_format float_format(uint32_t bit_size)
{
   switch (bit_size) {
   case 16:
      return (struct float_format){16, 10, 15};
   case 32:
      return (struct float_format){32, 23, 127};
   default:
      return (struct float_format){64, 52, 1023};
   }
}

static uint64_t sign_bit(uint32_t bit_size)
{
   return UINT64_C(1) << (bit_size - 1);
}

static uint64_t infinity_bits(uint32_t bit_size)
{
   const struct float_format f = float_format(bit_size);
   return ((UINT64_C(1) << (f.bits - 1 - f.mantissa_bits)) - 1) << f.mantissa_bits;
}

static bool is_nan_bits(uint64_t bits, uint32_t bit_size)
{
   return (bits & (sign_bit(bit_size) - 1)) > infinity_bits(bit_size);
}

uint64_t ir_float_one_nan(uint32_t bit_size)
{
   return infinity_bits(bit_size) | UINT64_C(1) << (float_format(bit_size).mantissa_bits - 1);
}

double ir_float_to_double(uint64_t bits, uint32_t bit_size)
{
   if (bit_size == 64)
      return double_from_bits(bits);
   if (bit_size == 32)
      return float_from_bits(bits);

   const double sign = bits & 0x8000 ? -1.0 : 1.0;
   const uint32_t exponent = bits >> 10 & 31, mantissa = bits & 1023;
   if (exponent == 31) { /* keeps sign and payload of a NaN */
      return double_from_bits((bits & 0x8000) << 48 | UINT64_C(0x7ff) << 52 | (uint64_t)mantissa << 42 |
                              (mantissa ? UINT64_C(1) << 51 : 0));
   }
   return exponent ? sign * ldexp(1024 + mantissa, (int)exponent - 25) : sign * ldexp(mantissa, -24);
}

/* Integer arithmetic only: right in any rounding mode of the host. */
static uint64_t narrow_double(double value, uint32_t bit_size, bool toward_zero)
{
   const uint64_t bits = bits_from_double(value);
   if (bit_size == 64)
      return bits;

   const struct float_format f = float_format(bit_size);
   const uint64_t sign = bits >> 63 ? sign_bit(bit_size) : 0;
   const uint64_t infinity = infinity_bits(bit_size);
   const int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
   uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);

   if (exponent == 1024) {
      if (!mantissa)
         return sign | infinity;
      return sign | infinity | UINT64_C(1) << (f.mantissa_bits - 1) | mantissa >> (52 - f.mantissa_bits);
   }
   if (exponent > f.bias)
      return sign | (toward_zero ? infinity - 1 : infinity);
   if (exponent < -f.bias - (int32_t)f.mantissa_bits)
      return sign; /* below half of the least denormal, or a denormal of the double format */

   mantissa |= UINT64_C(1) << 52;
   uint32_t shift = 52 - f.mantissa_bits;
   uint64_t biased = 0;
   if (exponent < 1 - f.bias)
      shift += (uint32_t)(1 - f.bias - exponent);
   else
      biased = (uint64_t)(exponent + f.bias - 1) << f.mantissa_bits; /* the hidden bit adds one */
   const uint64_t kept = mantissa >> shift, lost = mantissa & ((UINT64_C(1) << shift) - 1);
   const uint64_t half = UINT64_C(1) << (shift - 1);
   const bool up = !toward_zero && (lost > half || (lost == half && kept & 1));
   return sign | (biased + kept + up); /* a carry runs into the exponent, up to infinity */
}

uint64_t ir_float_from_double(double value, uint32_t bit_size)
{
   return narrow_double(value, bit_size, false);
}

uint64_t ir_float_from_double_rtz(double value, uint32_t bit_size)
{
   return narrow_double(value, bit_size, true);
}

uint64_t ir_float_flush(uint64_t bits, uint32_t bit_size)
{
   const struct float_format f = float_format(bit_size);
   const bool is_denorm = !(bits & infinity_bits(bit_size)) && (bits & ((UINT64_C(1) << f.mantissa_bits) - 1));
   return is_denorm ? bits & sign_bit(bit_size) : bits;
}

/* ---- rounded float operations ---- */

/* x * y + z as if with one more bit that is set where bits were lost: rounding it again to 16 bits is exact. */
static double fma_to_odd(double x, double y, double z)
{
   const double product = x * y; /* exact: at most 22 bits */
   const double sum = product + z;
   const double part = sum - product;
   const double error = (product - (sum - part)) + (z - part);
   uint64_t bits = bits_from_double(sum);
   if (error == 0.0 || isnan(error) || isinf(sum) || bits & 1)
      return sum;
   bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
   return double_from_bits(bits);
}

static double rounded_double(enum ir_op op, double a, double b, double c)
{
   volatile double x = a, y = b, z = c, result = 0.0;
   switch (op) {
   case IR_fadd:
      result = x + y;
      break;
   case IR_fsub:
      result = x - y;
      break;
   case IR_fmul:
      result = x * y;
      break;
   case IR_fdiv:
      result = x / y;
      break;
   case IR_fsqrt:
      result = sqrt(x);
      break;
   default:
      result = fma(x, y, z);
      break;
   }
   return result;
}

static float rounded_float(enum ir_op op, float a, float b, float c)
{
   volatile float x = a, y = b, z = c, result = 0.0f;
   switch (op) {
   case IR_fadd:
      result = x + y;
      break;
   case IR_fsub:
      result = x - y;
      break;
   case IR_fmul:
      result = x * y;
      break;
   case IR_fdiv:
      result = x / y;
      break;
   case IR_fsqrt:
      result = sqrtf(x);
      break;
   default:
      result = fmaf(x, y, z);
      break;
   }
   return result;
}

/* With 24 bits between, rounding + - * / and sqrt first to 32 and then to 16 bits is the same as at once. */
static uint64_t rounded(enum ir_op op, uint32_t bit_size, const uint64_t *s, bool toward_zero)
{
   if (bit_size == 64)
      return bits_from_double(
         rounded_double(op, double_from_bits(s[0]), double_from_bits(s[1]), double_from_bits(s[2])));
   if (bit_size == 32)
      return bits_from_float(rounded_float(op, float_from_bits(s[0]), float_from_bits(s[1]), float_from_bits(s[2])));

   const double x = ir_float_to_double(s[0], 16), y = ir_float_to_double(s[1], 16), z = ir_float_to_double(s[2], 16);
   if (op == IR_fma)
      return narrow_double(toward_zero ? rounded_double(op, x, y, z) : fma_to_odd(x, y, z), 16, toward_zero);
   return narrow_double(rounded_float(op, (float)x, (float)y, (float)z), 16, toward_zero);
}

static uint64_t min_max(enum ir_op op, uint32_t bit_size, uint64_t x, uint64_t y)
{
   if (is_nan_bits(x, bit_size))
      return y;
   if (is_nan_bits(y, bit_size))
      return x;
   const double a = ir_float_to_double(x, bit_size), b = ir_float_to_double(y, bit_size);
   const bool x_is_less = a < b || (a == b && x & sign_bit(bit_size));
   return x_is_less == (op == IR_fmin) ? x : y;
}

static uint64_t round_to_integral(enum ir_op op, uint32_t bit_size, uint64_t bits)
{
   const double x = ir_float_to_double(bits, bit_size);
   double result;
   if (isnan(x))
      return bits;
   switch (op) {
   case IR_ffloor:
      result = floor(x);
      break;
   case IR_fceil:
      result = ceil(x);
      break;
   case IR_ftrunc:
      result = trunc(x);
      break;
   default: /* to nearest, ties to even, whatever the host's mode */
      result = floor(x);
      if (x - result > 0.5 || (x - result == 0.5 && fmod(result, 2.0) != 0.0))
         result += 1.0;
      result = copysign(result, x);
      break;
   }
   return narrow_double(result, bit_size, false);
}

static bool compare_floats(enum ir_op op, double x, double y)
{
   const bool unordered = isnan(x) || isnan(y);
   switch (op) {
   case IR_feq:
      return !unordered && x == y;
   case IR_fne:
      return !unordered && x != y;
   case IR_flt:
      return !unordered && x < y;
   case IR_fge:
      return !unordered && x >= y;
   case IR_fequ:
      return unordered || x == y;
   case IR_fneu:
      return unordered || x != y;
   case IR_fltu:
      return unordered || x < y;
   default:
      return unordered || x >= y;
   }
}

const uint32_t ir_two_over_pi[] = {0x000517cc, 0x1b727220, 0xa94fe13a, 0xbe8fa9a6, 0xee06db14, 0xacc9e21c, 0x820ff28b};

/* Word number `which` of 2/pi from bit `first` (0 to 127) on. */
static uint32_t word_of_two_over_pi(uint32_t first, uint32_t which)
{
   const uint32_t at = first / 32 + which, left = first % 32;
   return (uint32_t)(((uint64_t)ir_two_over_pi[at] << 32 | ir_two_over_pi[at + 1]) << left >> 32);
}

/* x = m 2^s, m of 24 bits: of 2/pi 2^s the bits from 2^1 down to 2^-94 give x 2/pi modulo 4, so x/pi modulo 2, with 63 bits of the fraction. No
 * float is nearer than 2^-30 to a multiple of pi/2, so 32 of them are left at worst. The fraction is a signed number of 64 bits: from a half on it counts
 * back from the next multiple. */
static uint64_t reduce_angle(uint32_t x, bool is_cosine)
{
   const uint32_t first = ((x >> 23) - 139) & 127, n = (x & 0x7fffff) | 0x800000;
   const uint64_t low = (uint64_t)(n * word_of_two_over_pi(first, 1)) + ((uint64_t)n * word_of_two_over_pi(first, 2) >> 32);
   uint32_t high = n * word_of_two_over_pi(first, 0) + (uint32_t)((uint64_t)n * word_of_two_over_pi(first, 1) >> 32) + (uint32_t)(low >> 32);
   if (is_cosine)
      high += 0x40000000; /* 1/2 */
   const int64_t fraction = (int64_t)(((uint64_t)high << 32 | (uint32_t)low) << 1);
   const float number = float_from_bits(x), r = (float)((double)fraction * IR_PI_BY_2_64) + (number - number);
   return bits_from_float(r) ^ (uint64_t)(((high + 0x40000000) >> 31) << 31);
}

/* IR_fscale of 32-bit floats. */
static double scaled(double x, double n)
{
   return isnan(n) ? NAN : ldexp(x, (int)floor(UTIL_CLAMP(n, -400.0, 400.0)));
}

static double fraction_of(double x)
{
   return isinf(x) ? 0 : x - floor(x);
}

/* IR_fexponent or IR_fsignificand of a 32-bit float. */
static double part_of(enum ir_op op, double x)
{
   const bool wants_exponent = op == IR_fexponent;
   int exponent;
   if (!(x >= 0))
      return NAN;
   if (x == 0)
      return wants_exponent ? -INFINITY : copysign(1.0, x);
   if (isinf(x))
      return wants_exponent ? x : 1.0;
   double significand = frexp(x, &exponent); /* in [1/2, 1) */
   if (significand < 0.75) {
      significand *= 2;
      exponent--;
   }
   return wants_exponent ? exponent : significand;
}

static bool eval_float(const struct ir_instr *instr, const uint64_t *srcs, uint64_t *result)
{
   const enum ir_op op = instr->op;
   const uint32_t bits = instr->srcs[0]->bit_size;
   const bool flush = instr->fp & IR_FP_FLUSH_DENORM, rtz = instr->fp & IR_FP_RTZ;
   uint64_t s[3] = {0};
   for (uint32_t i = 0; i < instr->num_srcs && i < 3; i++)
      s[i] = srcs[i];

   switch (op) {
   case IR_fadd:
   case IR_fsub:
   case IR_fmul:
   case IR_fdiv:
   case IR_fsqrt:
   case IR_fma: {
      const int mode = fegetround();
      fesetround(rtz ? FE_TOWARDZERO : FE_TONEAREST);
      *result = rounded(op, bits, s, rtz);
      fesetround(mode);
      break;
   }
   case IR_fscale: /* exact in 64 bits */
      *result = narrow_double(scaled(ir_float_to_double(s[0], bits), ir_float_to_double(s[1], bits)), bits, rtz);
      break;
   case IR_ffraction:
      *result = narrow_double(fraction_of(ir_float_to_double(s[0], bits)), bits, rtz);
      break;
   case IR_freduce:
      *result = reduce_angle((uint32_t)s[0], instr->imm.u[0]);
      return true;
   case IR_fexponent:
   case IR_fsignificand:
      *result = narrow_double(part_of(op, ir_float_to_double(s[0], bits)), bits, rtz);
      break;
   case IR_fneg:
      *result = s[0] ^ sign_bit(bits);
      break;
   case IR_fabs:
      *result = s[0] & ~sign_bit(bits);
      break;
   case IR_fone_nan:
      *result = is_nan_bits(s[0], bits) ? ir_float_one_nan(bits) : s[0];
      return true;
   case IR_fmin:
   case IR_fmax:
      *result = min_max(op, bits, s[0], s[1]);
      break;
   case IR_ffloor:
   case IR_fceil:
   case IR_ftrunc:
   case IR_fround_even:
      *result = round_to_integral(op, bits, s[0]);
      break;
   case IR_f2f:
      *result = narrow_double(ir_float_to_double(s[0], bits), instr->bit_size, rtz);
      break;
   default:
      if (op < IR_feq || op > IR_fgeu)
         return false;
      *result = compare_floats(op, ir_float_to_double(s[0], bits), ir_float_to_double(s[1], bits));
      return true;
   }
   if (flush)
      *result = ir_float_flush(*result, instr->bit_size);
   if (op != IR_fneg && op != IR_fabs && is_nan_bits(*result, instr->bit_size)) /* those two leave all other bits */
      *result = ir_float_one_nan(instr->bit_size);
   return true;
}

/* ---- integers ---- */

static uint64_t divide(enum ir_op op, uint32_t bits, uint64_t x, uint64_t y)
{
   const int64_t a = ir_sign_extend(x, bits), b = ir_sign_extend(y, bits);
   switch (op) {
   case IR_udiv:
      return y ? x / y : UINT64_MAX;
   case IR_umod:
      return y ? x % y : x;
   case IR_idiv:
      return b == 0 ? UINT64_MAX : b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
   case IR_irem:
      return b == 0 ? x : b == -1 ? 0 : (uint64_t)(a % b);
   default: { /* imod */
      if (b == 0)
         return x;
      const int64_t rest = b == -1 ? 0 : a % b;
      return (uint64_t)(rest && (rest < 0) != (b < 0) ? rest + b : rest);
   }
   }
}

static uint64_t reverse(uint64_t value, uint32_t bits)
{
   uint64_t result = 0;
   for (uint32_t i = 0; i < bits; i++)
      result |= (value >> i & 1) << (bits - 1 - i);
   return result;
}

static uint64_t highest_bit(uint64_t value)
{
   return value ? 63 - (uint64_t)__builtin_clzll(value) : UINT64_MAX;
}

/* Bits [offset, offset + count) of a word; counts and offsets beyond it are cut off, so that the result is always
 * defined. */
static uint64_t field_mask(uint32_t bits, uint64_t offset, uint64_t count)
{
   if (offset >= bits || count == 0)
      return 0;
   return ir_mask_bits(ir_mask_bits(UINT64_MAX, (uint32_t)UTIL_MIN(count, bits)) << offset, bits);
}

static uint64_t extract_field(bool is_signed, uint32_t bits, uint64_t x, uint64_t offset, uint64_t count)
{
   const uint64_t mask = field_mask(bits, offset, count);
   if (!mask)
      return 0;
   const uint64_t field = (x & mask) >> offset;
   return is_signed ? (uint64_t)ir_sign_extend(field, (uint32_t)__builtin_popcountll(mask)) : field;
}

static uint64_t dot_bytes(uint32_t signs, uint64_t x, uint64_t y)
{
   int64_t sum = 0;
   for (uint32_t i = 0; i < 32; i += 8)
      sum += (signs & 1 ? (int8_t)(x >> i) : (uint8_t)(x >> i)) * (signs & 2 ? (int8_t)(y >> i) : (uint8_t)(y >> i));
   return (uint64_t)sum;
}

static uint64_t multiply_high(bool is_signed, uint32_t bits, uint64_t x, uint64_t y)
{
   if (is_signed)
      return (uint64_t)(((__int128)ir_sign_extend(x, bits) * ir_sign_extend(y, bits)) >> bits);
   return (uint64_t)(((unsigned __int128)x * y) >> bits);
}

static bool eval_integer(const struct ir_instr *instr, const uint64_t *s, uint64_t *result)
{
   const uint32_t bits = instr->srcs[0]->bit_size;
   const uint64_t x = s[0], y = instr->num_srcs > 1 ? s[1] : 0;
   const int64_t sx = ir_sign_extend(x, bits), sy = ir_sign_extend(y, bits);
   const uint32_t amount = (uint32_t)(y & (bits - 1));
   uint64_t r;

   switch ((enum ir_op)instr->op) {
   case IR_iadd: r = x + y; break;
   case IR_isub: r = x - y; break;
   case IR_imul: r = x * y; break;
   case IR_imulh: r = multiply_high(true, bits, x, y); break;
   case IR_umulh: r = multiply_high(false, bits, x, y); break;
   case IR_dot_bytes: r = dot_bytes(instr->imm.u[0], x, y); break;
   case IR_ineg: r = -x; break;
   case IR_iabs: r = sx < 0 ? -x : x; break;
   case IR_idiv:
   case IR_udiv:
   case IR_irem:
   case IR_imod:
   case IR_umod: r = divide(instr->op, bits, x, y); break;
   case IR_imin: r = sx < sy ? x : y; break;
   case IR_imax: r = sx > sy ? x : y; break;
   case IR_umin: r = x < y ? x : y; break;
   case IR_umax: r = x > y ? x : y; break;
   case IR_iand: r = x & y; break;
   case IR_ior: r = x | y; break;
   case IR_ixor: r = x ^ y; break;
   case IR_inot: r = ~x; break;
   case IR_ishl: r = x << amount; break;
   case IR_ishr: r = (uint64_t)(sx >> amount); break;
   case IR_ushr: r = x >> amount; break;
   case IR_ucarry: r = ir_mask_bits(x + y, bits) < x; break;
   case IR_uborrow: r = x < y; break;
   case IR_bitreverse: r = reverse(x, bits); break;
   case IR_bitcount: r = (uint64_t)__builtin_popcountll(x); break;
   case IR_find_lsb: r = x ? (uint64_t)__builtin_ctzll(x) : UINT64_MAX; break;
   case IR_find_umsb: r = highest_bit(x); break;
   case IR_find_imsb: r = highest_bit(ir_mask_bits(sx < 0 ? ~x : x, bits)); break;
   case IR_ubfe: r = extract_field(false, bits, x, y, s[2]); break;
   case IR_ibfe: r = extract_field(true, bits, x, y, s[2]); break;
   case IR_bfi: {
      const uint64_t mask = field_mask(bits, s[2], s[3]);
      r = mask ? (x & ~mask) | (y << s[2] & mask) : x;
      break;
   }
   case IR_ieq: r = x == y; break;
   case IR_ine: r = x != y; break;
   case IR_ilt: r = sx < sy; break;
   case IR_ige: r = sx >= sy; break;
   case IR_ult: r = x < y; break;
   case IR_uge: r = x >= y; break;
   case IR_select: r = x ? s[1] : s[2]; break;
   case IR_i2i: r = (uint64_t)sx; break;
   case IR_u2u: r = x; break;
   default: return false;
   }
   *result = ir_mask_bits(r, instr->bit_size);
   return true;
}

/* ---- between the two ---- */

static uint64_t int_to_float(bool is_signed, uint64_t x, uint32_t from_bits, uint32_t to_bits, bool rtz)
{
   const bool negative = is_signed && ir_sign_extend(x, from_bits) < 0;
   uint64_t magnitude = negative ? -(uint64_t)ir_sign_extend(x, from_bits) : x;
   const uint64_t sign = negative ? sign_bit(to_bits) : 0;
   if (!magnitude)
      return 0;

   const struct float_format f = float_format(to_bits);
   const uint32_t top = (uint32_t)highest_bit(magnitude);
   uint64_t rounding = 0;
   if (top <= f.mantissa_bits) {
      magnitude <<= f.mantissa_bits - top;
   } else {
      const uint32_t shift = top - f.mantissa_bits;
      const uint64_t lost = magnitude & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
      magnitude >>= shift;
      rounding = !rtz && (lost > half || (lost == half && magnitude & 1));
   }
   const uint64_t result = ((uint64_t)(top + (uint32_t)f.bias - 1) << f.mantissa_bits) + magnitude + rounding;
   const uint64_t infinity = infinity_bits(to_bits);
   return sign | (result < infinity ? result : rtz ? infinity - 1 : infinity);
}

static uint64_t float_to_int(bool is_signed, double x, uint32_t to_bits)
{
   if (isnan(x))
      return 0;
   const double limit = ldexp(1.0, (int)(is_signed ? to_bits - 1 : to_bits));
   if (is_signed) {
      if (x >= limit)
         return sign_bit(to_bits) - 1;
      if (x <= -limit)
         return sign_bit(to_bits);
      return ir_mask_bits((uint64_t)(int64_t)x, to_bits);
   }
   if (x <= 0.0)
      return 0;
   return x >= limit ? ir_mask_bits(UINT64_MAX, to_bits) : (uint64_t)x;
}

static uint64_t frexp_significand(uint64_t bits, uint32_t bit_size, int *exponent)
{
   const double x = ir_float_to_double(bits, bit_size);
   *exponent = 0;
   if (x == 0.0 || isinf(x))
      return bits;
   if (isnan(x))
      return ir_float_one_nan(bit_size);
   return narrow_double(frexp(x, exponent), bit_size, false);
}

static bool eval_conversion(const struct ir_instr *instr, const uint64_t *s, uint64_t *result)
{
   const uint32_t from = instr->srcs[0]->bit_size, to = instr->bit_size;
   int exponent;

   switch ((enum ir_op)instr->op) {
   case IR_i2f:
   case IR_u2f:
      *result = int_to_float(instr->op == IR_i2f, s[0], from, to, instr->fp & IR_FP_RTZ);
      return true;
   case IR_f2i:
   case IR_f2u:
      *result = float_to_int(instr->op == IR_f2i, ir_float_to_double(s[0], from), to);
      return true;
   case IR_ffrexp_sig:
      *result = frexp_significand(s[0], from, &exponent);
      return true;
   case IR_ffrexp_exp:
      frexp_significand(s[0], from, &exponent);
      *result = ir_mask_bits((uint64_t)(int64_t)exponent, to);
      return true;
   case IR_pack:
      *result = 0;
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         *result |= s[i] << (i * from);
      return true;
   case IR_unpack:
      *result = ir_mask_bits(s[0] >> (instr->imm.u[0] * to), to);
      return true;
   default:
      return false;
   }
}

uint32_t ir_class_of_number(double x)
{
   if (isnan(x))
      return IR_MAY_BE_NAN;
   if (isinf(x))
      return signbit(x) ? IR_MAY_BE_MINUS_INF : IR_MAY_BE_INF;
   if (x == 0)
      return signbit(x) ? IR_MAY_BE_MINUS_ZERO : IR_MAY_BE_ZERO;
   return signbit(x) ? IR_MAY_BE_NEGATIVE : IR_MAY_BE_POSITIVE;
}

bool ir_eval(const struct ir_instr *instr, const uint64_t *srcs, uint64_t *result)
{
   const uint32_t wanted = IR_SCALAR | IR_PURE;
   if ((ir_info(instr)->flags & wanted) != wanted || !instr->num_srcs)
      return false;
   if (instr->op == IR_load_table) {
      const struct ir_table *table = instr->imm.var.var->table;
      *result = table->elements[UTIL_MIN(srcs[0], table->count - 1)];
      return true;
   }
   return eval_integer(instr, srcs, result) || eval_float(instr, srcs, result) ||
          eval_conversion(instr, srcs, result);
}
