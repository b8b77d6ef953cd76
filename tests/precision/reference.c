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

#define REFERENCE(name, expression)                                                                            \
   CLONES static void name(const float *restrict xs, const float *restrict ys, double *restrict out, uint32_t count) \
   {                                                                                                           \
      (void)ys;                                                                                                \
      _Pragma("omp simd") for (uint32_t i = 0; i < count; i++)                                                 \
      {                                                                                                        \
         const double x = xs[i];                                                                               \
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
REFERENCE(quotient, x / (double)ys[i])
REFERENCE(pow_, pow(x, (double)ys[i]))
REFERENCE(atan2_, atan2(x, (double)ys[i]))

/* ---- pairs: by a hash of their number ---- */

static inline uint32_t hash(uint32_t x)
{
   x = (x ^ x >> 16) * 0x7feb352du;
   x = (x ^ x >> 15) * 0x846ca68bu;
   return x ^ x >> 16;
}

static inline float as_float(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   return value;
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

const struct reference references[] = {
   {6, PARITY_NONE, true, 0, INFINITY, positive, 0.501, root, NULL},
   {7, PARITY_NONE, true, 0, INFINITY, positive, 2, inverse_root, NULL},
   {8, PARITY_NONE, ANY, 0, floor_, NULL},
   {9, PARITY_NONE, ANY, 0, ceil_, NULL},
   {10, PARITY_ODD, ANY, 0, trunc_, NULL},
   {12, PARITY_ODD, ANY, 0, round_even, NULL},
   {13, PARITY_NONE, 0, -0x1.fffffep127, 0x1.fffffep127, "every finite x", 1, fraction, NULL},
   {36, PARITY_ODD, ANY, 1, radians, NULL},
   {37, PARITY_ODD, ANY, 1, degrees, NULL},
   {38, PARITY_NONE, ANY, 1, exp_, NULL},
   {39, PARITY_NONE, ANY, 1, exp2_, NULL},
   {40, PARITY_NONE, true, 0, INFINITY, positive, 1, log_, NULL},
   {41, PARITY_NONE, true, 0, INFINITY, positive, 1.5, log2_, NULL},
   {43, PARITY_ODD, ANY, 1.7, sin_, NULL},
   {44, PARITY_EVEN, ANY, 1.7, cos_, NULL},
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
   {3, PARITY_NONE, ANY, 0.501, quotient, choose_numbers},
   {42, PARITY_NONE, true, 0, INFINITY, "x > 0, any y", 4, pow_, choose_powers},
   {49, PARITY_NONE, ANY, 32, atan2_, choose_numbers},
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
