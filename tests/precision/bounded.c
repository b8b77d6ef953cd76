/* SPDX-License-Identifier: MIT
 * Arithmetic on values with allowed errors. */
#include "tests/precision/bounded.h"

#include "util/macros.h"

#include <math.h>

const struct float_format float_formats[3] = {{16, 10, 15}, {32, 23, 127}, {64, 52, 1023}};

real real_abs(real x)
{
   return x < 0 ? -x : x;
}

real real_floor(real x)
{
   if (real_abs(x) >= real_power_of_two(112))
      return x;
   const real magic = real_power_of_two(112); /* leaves no fraction */
   real rounded = x < 0 ? (x - magic) + magic : (x + magic) - magic;
   return rounded > x ? rounded - 1 : rounded;
}

real real_sqrt(real x)
{
   const real limit = real_power_of_two(16000);
   if (!(x > 0) || !(x <= limit))
      return x == 0 ? 0 : x > 0 ? x : (real)NAN;
   const int32_t shift = real_exponent(x) / 2;
   const real scaled = x * real_power_of_two(-shift) * real_power_of_two(-shift);
   real root = sqrtl((long double)scaled);
   root = (root + scaled / root) / 2; /* 64 bits become 113 */
   return root * real_power_of_two(shift);
}

int32_t real_exponent(real x)
{
   int32_t exponent = 0;
   x = real_abs(x);
   for (; x >= 0x1p64L; x *= 0x1p-64L)
      exponent += 64;
   for (; x < 0x1p-64L; x *= 0x1p64L)
      exponent -= 64;
   long double top = (long double)x;
   if ((real)top > x)
      top = nextafterl(top, 0.0L);
   return exponent + ilogbl(top);
}

real real_power_of_two(int32_t n)
{
   real result = 1;
   for (; n > 1000; n -= 1000)
      result *= 0x1p1000L;
   for (; n < -1000; n += 1000)
      result *= 0x1p-1000L;
   return result * ldexpl(1.0L, n);
}

real real_ulp(const struct float_format *format, real x)
{
   const int32_t least = 1 - format->max_exponent;
   int32_t exponent = x == 0 ? least : real_exponent(x);
   if (x != 0 && real_abs(x) == real_power_of_two(exponent))
      exponent--; /* the gap below a power of two is the smaller one */
   exponent = UTIL_CLAMP(exponent, least, format->max_exponent);
   return real_power_of_two(exponent - (int32_t)format->mantissa_bits);
}

real real_max(const struct float_format *format)
{
   return (2 - real_power_of_two(-(int32_t)format->mantissa_bits)) * real_power_of_two(format->max_exponent);
}

struct bounded bounded_exact(real x)
{
   return (struct bounded){x, 0};
}

/* What an operation that is exact up to `ulps` makes of a value that is uncertain already. */
static struct bounded add_ulps(const struct float_format *format, real value, real error, real ulps)
{
   if (!(real_abs(value) + error <= real_max(format))) /* may overflow, or was without a bound before */
      return (struct bounded){value, INFINITY};
   return (struct bounded){value, error + ulps * real_ulp(format, real_abs(value) + error)};
}

struct bounded bounded_rounded(const struct float_format *format, real x)
{
   return (struct bounded){x, real_ulp(format, x) / 2};
}

struct bounded bounded_add(const struct float_format *format, struct bounded x, struct bounded y)
{
   return add_ulps(format, x.value + y.value, x.error + y.error, 0.5L);
}

struct bounded bounded_sub(const struct float_format *format, struct bounded x, struct bounded y)
{
   return add_ulps(format, x.value - y.value, x.error + y.error, 0.5L);
}

struct bounded bounded_mul(const struct float_format *format, struct bounded x, struct bounded y)
{
   const real error = real_abs(x.value) * y.error + real_abs(y.value) * x.error + x.error * y.error;
   return add_ulps(format, x.value * y.value, error, 0.5L);
}

/* Where the divisor may be zero, or out of the range for which there is a bound, anything goes. */
struct bounded bounded_div(const struct float_format *format, struct bounded x, struct bounded y)
{
   const real least = real_abs(y.value) - y.error, limit = real_power_of_two(format->max_exponent - 1);
   const real value = x.value / y.value;
   if (!(least >= 1 / limit) || real_abs(y.value) + y.error > limit)
      return (struct bounded){value, INFINITY};
   return add_ulps(format, value, (real_abs(x.value) + x.error) / least - real_abs(value), 2.5L);
}

/* f at both ends of the operand's range. */
static struct bounded monotone(struct bounded x, real (*f)(real x))
{
   const real value = f(x.value), limit = real_power_of_two(16000);
   if (!(x.error <= limit) || !(real_abs(x.value) <= limit)) /* anything goes already */
      return (struct bounded){value, INFINITY};
   if (x.error == 0)
      return (struct bounded){value, 0};
   const real below = real_abs(f(x.value - x.error) - value), above = real_abs(f(x.value + x.error) - value);
   if (!(below >= 0) || !(above >= 0)) /* not a number: out of the domain */
      return (struct bounded){value, INFINITY};
   return (struct bounded){value, below > above ? below : above};
}

static real inversesqrt_of(real x)
{
   return 1 / real_sqrt(x);
}

struct bounded bounded_inversesqrt(const struct float_format *format, struct bounded x)
{
   const struct bounded result = monotone(x, inversesqrt_of);
   return add_ulps(format, result.value, result.error, 2);
}

struct bounded bounded_sqrt(const struct float_format *format, struct bounded x)
{
   if (x.value == 0)
      return (struct bounded){0, x.error == 0 ? 0 : real_sqrt(x.error)};
   struct bounded result = bounded_div(format, bounded_exact(1), bounded_inversesqrt(format, x));
   result.value = real_sqrt(x.value);
   return result;
}

static struct bounded exponential(const struct float_format *format, struct bounded x, real (*f)(real x))
{
   const struct bounded result = monotone(x, f);
   return add_ulps(format, result.value, result.error, (format->bits == 16 ? 1 : 3) + 2 * (real_abs(x.value) + x.error));
}

static real exp_of(real x) { return expl((long double)x); }
static real exp2_of(real x) { return exp2l((long double)x); }
static real log_of(real x) { return logl((long double)x); }
static real log2_of(real x) { return log2l((long double)x); }

struct bounded bounded_exp(const struct float_format *format, struct bounded x)
{
   return exponential(format, x, exp_of);
}

struct bounded bounded_exp2(const struct float_format *format, struct bounded x)
{
   return exponential(format, x, exp2_of);
}

static struct bounded logarithm(const struct float_format *format, struct bounded x, real (*f)(real x))
{
   const struct bounded result = monotone(x, f);
   if (x.value >= 0.5L && x.value <= 2)
      return (struct bounded){result.value, result.error + (format->bits == 16 ? 0x1p-7L : 0x1p-21L)};
   return add_ulps(format, result.value, result.error, 3);
}

struct bounded bounded_log(const struct float_format *format, struct bounded x)
{
   return logarithm(format, x, log_of);
}

struct bounded bounded_log2(const struct float_format *format, struct bounded x)
{
   return logarithm(format, x, log2_of);
}

struct bounded bounded_sin(const struct float_format *format, struct bounded x)
{
   return (struct bounded){sinl((long double)x.value), x.error + (format->bits == 16 ? 0x1p-7L : 0x1p-11L)};
}

struct bounded bounded_cos(const struct float_format *format, struct bounded x)
{
   return (struct bounded){cosl((long double)x.value), x.error + (format->bits == 16 ? 0x1p-7L : 0x1p-11L)};
}

/* The angle moves by no more than the operands' errors over their distance from the origin. */
struct bounded bounded_atan2(const struct float_format *format, struct bounded y, struct bounded x)
{
   const real value = atan2l((long double)y.value, (long double)x.value);
   const real radius = real_sqrt(x.value * x.value + y.value * y.value) - x.error - y.error;
   const real error = x.error + y.error > 0 ? (radius > 0 ? (x.error + y.error) / radius : (real)INFINITY) : 0;
   return add_ulps(format, value, error, format->bits == 16 ? 5 : 4096);
}
