/* SPDX-License-Identifier: MIT
 * Numbers with the error that Vulkan allows for them. Spec: Vulkan Environment for SPIR-V, "Precision of Individual Operations".
 *
 * `value` is what infinitely precise arithmetic gives, `error` how far a result may be from it. A formula that an operation's
 * precision is inherited from is evaluated with these functions: operands' errors are carried along, each operation adds its own.
 * Threads: all functions are pure. */
#pragma once

#include <stdint.h>

#if __LDBL_MANT_DIG__ == 113
typedef long double real; /* 113 bits */
#else
__extension__ typedef __float128 real; /* 113 bits */
#endif

struct float_format {
   uint32_t bits, mantissa_bits;
   int32_t max_exponent; /* of the greatest number; the least normal one has 1 - max_exponent */
};
extern const struct float_format float_formats[3]; /* 16, 32, 64 bits */

struct bounded {
   real value, error;
};

real real_abs(real x);
real real_floor(real x);
real real_sqrt(real x);
/* The exponent e with 2^e <= |x| < 2^(e + 1), x finite and not zero. */
int32_t real_exponent(real x);
/* 2^n for any n. */
real real_power_of_two(int32_t n);
/* The spec's ulp(x): the least distance of numbers around x, which is finite. */
real real_ulp(const struct float_format *format, real x);
/* The greatest finite number. */
real real_max(const struct float_format *format);

struct bounded bounded_exact(real x);
/* value rounded once: half an ulp. */
struct bounded bounded_rounded(const struct float_format *format, real x);
struct bounded bounded_add(const struct float_format *format, struct bounded x, struct bounded y);
struct bounded bounded_sub(const struct float_format *format, struct bounded x, struct bounded y);
struct bounded bounded_mul(const struct float_format *format, struct bounded x, struct bounded y);
struct bounded bounded_div(const struct float_format *format, struct bounded x, struct bounded y);
struct bounded bounded_inversesqrt(const struct float_format *format, struct bounded x);
struct bounded bounded_sqrt(const struct float_format *format, struct bounded x);
struct bounded bounded_exp(const struct float_format *format, struct bounded x);
struct bounded bounded_exp2(const struct float_format *format, struct bounded x);
struct bounded bounded_log(const struct float_format *format, struct bounded x);
struct bounded bounded_log2(const struct float_format *format, struct bounded x);
struct bounded bounded_sin(const struct float_format *format, struct bounded x); /* |x| <= pi */
struct bounded bounded_cos(const struct float_format *format, struct bounded x);
struct bounded bounded_atan2(const struct float_format *format, struct bounded y, struct bounded x);
