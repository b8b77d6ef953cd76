/* SPDX-License-Identifier: MIT
 * Double-precision values, as loops that compilers turn into vector code. */
#include "tests/precision/reference.h"

#include "util/macros.h"

#include <math.h>
#include <string.h>

/* The loops call the C library's vector functions: declared here as the ABI of vector functions has them. */
#define VECTOR1(name) _Pragma("omp declare simd notinbranch") extern double name(double x)
#define VECTOR2(name) _Pragma("omp declare simd notinbranch") extern double name(double x, double y)
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
VECTOR1(sin); VECTOR1(cos); VECTOR1(tan); VECTOR1(asin); VECTOR1(acos); VECTOR1(atan);
VECTOR1(exp); VECTOR1(exp2); VECTOR1(log); VECTOR1(log2);
VECTOR1(sinh); VECTOR1(cosh); VECTOR1(tanh); VECTOR1(asinh); VECTOR1(acosh); VECTOR1(atanh);
VECTOR2(pow); VECTOR2(atan2);
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

static inline float as_float(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   return value;
}

static inline uint32_t bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* NaN counts as less than all numbers, as with the driver's clamp(). */
static inline double smooth(double x)
{
   const double t = x > -1 ? (x + 1) / 3 : 0;
   return t > 1 ? 1 : t * t * (3 - 2 * t);
}

static inline double significand_of(double x)
{
   int exponent;
   return frexp(x, &exponent);
}

/* Both exact: the remainder, and y added to it. */
static inline double modulo_of(double x, double y)
{
   const double rest = fmod(x, y);
   return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/* The bits of x rounded to 16 bits, to the nearest even one. Seen as a (denormal) float, an ulp of that is one of the 16-bit number. */
static inline uint32_t half_of(double x)
{
   const double magnitude = fabs(x);
   int64_t bits;
   memcpy(&bits, &magnitude, sizeof(bits));
   int64_t exponent = (bits >> 52) - 1023;
   exponent = exponent < -14 ? -14 : exponent > 16 ? 16 : exponent;
   const int64_t scale_bits = (1023 + 10 - exponent) << 52;
   double scale;
   memcpy(&scale, &scale_bits, sizeof(scale));
   const double fraction = rint(fmin(magnitude, 65536.0) * scale);
   uint32_t half = (uint32_t)((int32_t)fraction + (int32_t)((exponent + 14) << 10));
   half = half > 0x7c00 ? 0x7c00 : half;
   return x != x ? 0x7e00 : half | (x < 0 || (x == 0 && signbit(x)) ? 0x8000 : 0);
}

#define REFERENCE(name, expression)                                                                            \
   CLONES static void name(const float *restrict xs, const float *restrict ys, double *restrict out, uint32_t count) \
   {                                                                                                           \
      (void)ys;                                                                                                \
      _Pragma("omp simd") for (uint32_t i = 0; i < count; i++)                                                 \
      {                                                                                                        \
         const double x = xs[i];                                                                               \
         (void)x;                                                                                              \
         out[i] = expression;                                                                                  \
      }                                                                                                        \
   }

REFERENCE(root, sqrt(x))
REFERENCE(inverse_root, 1.0 / sqrt(x))
REFERENCE(floor_, floor(x))
REFERENCE(ceil_, ceil(x))
REFERENCE(trunc_, trunc(x))
REFERENCE(round_even, rint(x))
REFERENCE(fraction, x - floor(x))
REFERENCE(modf_fraction, x - trunc(x))
REFERENCE(abs_, fabs(x))
REFERENCE(sign, (x > 0) - (x < 0))
REFERENCE(clamp, x > 2 ? 2 : x > -1 ? x : -1)
REFERENCE(smooth_step, smooth(x))
REFERENCE(frexp_, significand_of(x))
REFERENCE(from_int, (double)(int32_t)bits_of(xs[i]))
REFERENCE(from_uint, (double)bits_of(xs[i]))
REFERENCE(to_half, as_float(half_of(x)))
REFERENCE(radians, x * (M_PI / 180))
REFERENCE(degrees, x * (180 / M_PI))
REFERENCE(exp_, exp(x))
REFERENCE(exp2_, exp2(x))
REFERENCE(log_, log(x))
REFERENCE(log2_, log2(x))
REFERENCE(sin_, sin(x))
REFERENCE(cos_, cos(x))
REFERENCE(tan_, tan(x))
REFERENCE(asin_, asin(x))
REFERENCE(acos_, acos(x))
REFERENCE(atan_, atan(x))
REFERENCE(sinh_, sinh(x))
REFERENCE(cosh_, cosh(x))
REFERENCE(tanh_, tanh(x))
REFERENCE(asinh_, asinh(x))
REFERENCE(acosh_, acosh(x))
REFERENCE(atanh_, atanh(x))
REFERENCE(sum, x + (double)ys[i])
REFERENCE(difference, x - (double)ys[i])
REFERENCE(product, x * (double)ys[i])
REFERENCE(quotient, x / (double)ys[i])
REFERENCE(modulo, modulo_of(x, ys[i]))
REFERENCE(least, x < (double)ys[i] ? x : (double)ys[i])
REFERENCE(greatest, x > (double)ys[i] ? x : (double)ys[i])
REFERENCE(step, (double)ys[i] < x ? 0 : 1)
REFERENCE(scaled, ldexp(x, (int32_t)bits_of(ys[i])))
REFERENCE(pow_, pow(x, (double)ys[i]))
REFERENCE(atan2_, atan2(x, (double)ys[i]))

/* ---- pairs: by a hash of their number ---- */

static inline uint32_t hash(uint32_t x)
{
   x = (x ^ x >> 16) * 0x7feb352du;
   x = (x ^ x >> 15) * 0x846ca68bu;
   return x ^ x >> 16;
}

static inline uint32_t made_finite(uint32_t bits)
{
   return (bits & 0x7f800000) == 0x7f800000 ? bits ^ 0x40000000 : bits;
}

/* Half of them any numbers, half neighbours in size: y is x but for some low bits and a power of two between 1/8 and 8. */
static void choose_numbers(uint32_t first, float *x, float *y, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t a = hash(first + i), b = hash(a ^ 0x9e3779b9u), c = hash(b);
      const uint32_t bits = made_finite(a);
      const uint32_t near_x = bits + ((b & 7) << 23) - (4u << 23) + (c >> (b >> 3 & 31));
      x[i] = as_float(bits);
      y[i] = as_float(made_finite(b >> 8 & 1 ? near_x ^ (b & 0x80000000) : b));
   }
}

/* Quotients that floor() of a float keeps: the operands that the operation's bound is for. */
static void choose_quotients(uint32_t first, float *x, float *y, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t a = hash(first + i), b = hash(a ^ 0x9e3779b9u);
      x[i] = (float)((double)(int32_t)a * (1e4 / 0x1p31));
      y[i] = 0.01f + (float)(b >> 8) * (99.99f / 0x1p24f);
   }
}

/* Any number, and an exponent that leaves few of them finite and not zero at the ends. */
static void choose_scales(uint32_t first, float *x, float *y, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t a = hash(first + i), b = hash(a ^ 0x9e3779b9u);
      x[i] = as_float(made_finite(a));
      y[i] = as_float((uint32_t)((int32_t)(b % 601) - 300));
   }
}

/* Bases of any size, or near 1 where the logarithm is small; exponents that spread the result over all floats and a little beyond. */
CLONES static void choose_powers(uint32_t first, float *restrict x, float *restrict y, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t a = hash(first + i), b = hash(a ^ 0x9e3779b9u);
      const uint32_t any = 1 + a % 0x7f7fffffu, near_one = 0x3f800000u + (uint32_t)((int32_t)a >> (9 + (b & 15)));
      x[i] = as_float(b >> 4 & 1 ? near_one : any);
   }
   _Pragma("omp simd") for (uint32_t i = 0; i < count; i++)
   {
      const uint32_t b = hash(hash(first + i) ^ 0x85ebca6bu);
      const double wanted = -150.0 + 279.0 * ((double)(b & 0x7fffffff) * 0x1p-31), log = log2((double)x[i]);
      y[i] = (float)(log == 0.0 ? wanted : wanted / log);
   }
}

/* ---- the table ---- */

static const char every[] = "every float", positive[] = "every x >= 0", one[] = "-1 to 1";
#define ANY 0, -INFINITY, INFINITY, every
#define BITS(text) 0, -INFINITY, INFINITY, text
#define PAIRS 0, -INFINITY, INFINITY, "finite x and y"
#define FINITE 0, -0x1.fffffep127, 0x1.fffffep127, "every finite x"

const struct reference references[] = {
   {6, PARITY_NONE, true, 0, INFINITY, positive, 0.501, root, NULL},
   {7, PARITY_NONE, true, 0, INFINITY, positive, 2, inverse_root, NULL},
   {8, PARITY_NONE, ANY, 0, floor_, NULL},
   {9, PARITY_NONE, ANY, 0, ceil_, NULL},
   {10, PARITY_ODD, ANY, 0, trunc_, NULL},
   {11, PARITY_ODD, ANY, 0, round_even, NULL},
   {12, PARITY_ODD, ANY, 0, round_even, NULL},
   {13, PARITY_NONE, FINITE, 1, fraction, NULL},
   {14, PARITY_ODD, FINITE, 0, modf_fraction, NULL},
   {15, PARITY_ODD, ANY, 0, trunc_, NULL},
   {16, PARITY_NONE, ANY, 0, abs_, NULL},
   {17, PARITY_NONE, FINITE, 0, sign, NULL},
   {20, PARITY_NONE, ANY, 0, clamp, NULL},
   {23, PARITY_NONE, ANY, 4, smooth_step, NULL},
   {24, PARITY_ODD, FINITE, 0, frexp_, NULL},
   {32, PARITY_NONE, BITS("every int"), 0.501, from_int, NULL},
   {33, PARITY_NONE, BITS("every uint"), 0.501, from_uint, NULL},
   {35, PARITY_NONE, ANY, 0, to_half, NULL},
   {36, PARITY_ODD, ANY, 1, radians, NULL},
   {37, PARITY_ODD, ANY, 1, degrees, NULL},
   {38, PARITY_NONE, ANY, 1.1, exp_, NULL},
   {39, PARITY_NONE, ANY, 1, exp2_, NULL},
   {40, PARITY_NONE, true, 0, INFINITY, positive, 1, log_, NULL},
   {41, PARITY_NONE, true, 0, INFINITY, positive, 2, log2_, NULL},
   {43, PARITY_ODD, ANY, 1.8, sin_, NULL},
   {44, PARITY_EVEN, ANY, 1.9, cos_, NULL},
   {45, PARITY_ODD, ANY, 4, tan_, NULL},
   {46, PARITY_ODD, true, -1, 1, one, 2.5, asin_, NULL},
   {47, PARITY_NONE, true, -1, 1, one, 1.5, acos_, NULL},
   {48, PARITY_ODD, ANY, 3, atan_, NULL},
   {50, PARITY_ODD, 0, -88.72, 88.72, "-88.72 to 88.72", 2, sinh_, NULL},
   {51, PARITY_EVEN, 0, -88.72, 88.72, "-88.72 to 88.72", 2, cosh_, NULL},
   {52, PARITY_ODD, ANY, 2, tanh_, NULL},
   {53, PARITY_ODD, ANY, 4, asinh_, NULL},
   {54, PARITY_NONE, true, 1, INFINITY, "every x >= 1", 2.5, acosh_, NULL},
   {55, PARITY_ODD, true, -1, 1, one, 2, atanh_, NULL},
   {0, PARITY_NONE, PAIRS, 0.501, sum, choose_numbers},
   {1, PARITY_NONE, PAIRS, 0.501, difference, choose_numbers},
   {2, PARITY_NONE, PAIRS, 0.501, product, choose_numbers},
   {3, PARITY_NONE, PAIRS, 0.501, quotient, choose_numbers},
   {4, PARITY_NONE, BITS("abs(x) <= 10^4, y 0.01 to 100"), 0.501, modulo, choose_quotients},
   {18, PARITY_NONE, PAIRS, 0, least, choose_numbers},
   {19, PARITY_NONE, PAIRS, 0, greatest, choose_numbers},
   {22, PARITY_NONE, PAIRS, 0, step, choose_numbers},
   {25, PARITY_NONE, PAIRS, 0.501, scaled, choose_scales},
   {42, PARITY_NONE, true, 0, INFINITY, "x > 0, any y", 4, pow_, choose_powers},
   {49, PARITY_NONE, PAIRS, 3.5, atan2_, choose_numbers},
};
const uint32_t num_references = UTIL_ARRAY_SIZE(references);

/* ---- comparing ---- */

enum { BLOCK = 1 << 10 };

/* Fills `errors` and returns the greatest. */
CLONES static float measure(const float *restrict got, const double *restrict expected, double sign, float *restrict errors, uint32_t count)
{
   float worst = -1;
   _Pragma("omp simd reduction(max : worst)") for (uint32_t i = 0; i < count; i++)
   {
      const double e = expected[i] * sign, g = got[i], magnitude = fabs(e);
      int64_t bits;
      memcpy(&bits, &magnitude, sizeof(bits));
      int64_t exponent = (bits - (bits != 0)) >> 52; /* of the gap below */
      exponent = exponent < 1023 - 126 ? 1023 - 126 : exponent;
      const int64_t scale_bits = (2 * 1023 + 23 - exponent) << 52;
      double scale;
      memcpy(&scale, &scale_bits, sizeof(scale));
      double error = fabs(g - e) * scale;
      const bool overflows = magnitude >= 0x1.ffffffp127, is_infinite = fabs(g) > 0x1.fffffep127;
      error = overflows ? (g == (e > 0 ? INFINITY : -INFINITY) ? 0.0 : INFINITY) : is_infinite ? INFINITY : error;
      error = e != e ? (g != g ? 0.0 : INFINITY) : g != g ? INFINITY : error;
      errors[i] = (float)error;
      worst = errors[i] > worst ? errors[i] : worst;
   }
   return worst;
}

double reference_worst(const float *got, const double *expected, double sign, uint32_t count, uint32_t *at)
{
   float worst = -1, errors[BLOCK];
   for (uint32_t first = 0; first < count; first += BLOCK) {
      const uint32_t n = UTIL_MIN(count - first, (uint32_t)BLOCK);
      const float here = measure(got + first, expected + first, sign, errors, n);
      for (uint32_t i = 0; here > worst && i < n; i++)
         if (errors[i] == here) {
            worst = here;
            *at = first + i;
         }
   }
   return worst;
}
