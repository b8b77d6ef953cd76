/* SPDX-License-Identifier: MIT */
#include "util/narrow_float.h"

#include <math.h>

const struct util_narrow_format util_narrow_e4m3 = {8, 3, 7, 0x7e, 0x7f, 0x7f}, util_narrow_e5m2 = {8, 2, 15, 0x7b, 0x7c, 0x7e},
                                util_narrow_bfloat16 = {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0}, util_narrow_half = {16, 10, 15, 0x7bff, 0x7c00, 0x7e00},
                                util_narrow_e2m3 = {6, 3, 1, 0x1f}, util_narrow_e3m2 = {6, 2, 3, 0x1f}, util_narrow_e2m1 = {4, 1, 1, 0x7};

double util_narrow_to_double(const struct util_narrow_format *f, uint64_t bits)
{
   const uint32_t sign = 1u << (f->bits - 1), magnitude = (uint32_t)bits & (sign - 1), exponent = magnitude >> f->mantissa_bits;
   const uint32_t mantissa = magnitude & ((1u << f->mantissa_bits) - 1);
   const int power = (int)(exponent ? exponent : 1) - (int)f->bias - (int)f->mantissa_bits;
   double value = ldexp(mantissa + (exponent ? 1u << f->mantissa_bits : 0), power);
   if (magnitude > f->largest)
      value = magnitude == f->overflow && f->overflow != f->nan ? INFINITY : NAN;
   return bits & sign ? -value : value;
}

uint64_t util_narrow_from_double(const struct util_narrow_format *f, double value, bool saturates)
{
   const int least = 1 - (int)f->bias;
   int exponent = least;
   const uint64_t sign = signbit(value) ? UINT64_C(1) << (f->bits - 1) : 0;
   if (isnan(value))
      return f->nan | sign;
   double code = INFINITY;
   if (!isinf(value)) {
      (void)frexp(value, &exponent); /* that of a mantissa below 1 */
      exponent = value != 0 && exponent - 1 > least ? exponent - 1 : least;
      code = ldexp(exponent - least, (int)f->mantissa_bits) + nearbyint(ldexp(fabs(value), (int)f->mantissa_bits - exponent));
   }
   return (code <= f->largest ? (uint64_t)code : saturates ? f->largest : f->overflow) | sign;
}
