/* SPDX-License-Identifier: MIT
 * Double-precision values, as loops that compilers turn into vector code. */
#include "tests/precision/reference.h"
#include "tests/precision/pairs.h"
#include "tests/precision/vector.h"

#include "util/macros.h"

/* NaN counts as less than all numbers, as with the driver's clamp(). */
static inline double smooth(double x)
{
   const double t = x > -1 ? (x + 1) / 3 : 0;
   return t > 1 ? 1 : t * t * (3 - 2 * t);
}

/* x 2^n without more than one rounding, if x is a float and the result is at least 2^-1000, or 0. */
static inline double scaled_by(double x, int32_t n)
{
   const int64_t limited = n < -600 ? -600 : n > 600 ? 600 : n, bits = (1023 + limited) << 52;
   double power;
   memcpy(&power, &bits, sizeof(power));
   return x * power;
}

static inline double significand_of(double x)
{
   int exponent;
   return frexp(x, &exponent);
}

/* x - y floor(x / y) of finite floats, y not zero, rounded to a double: whole numbers, the remainder by steps of 39 bits of the quotient. */
static inline double modulo_of(float x, float y)
{
   const uint32_t a = bits_of(x) & 0x7fffffff, b = bits_of(y) & 0x7fffffff;
   const int32_t x_exponent = a >> 23 ? (int32_t)(a >> 23) : 1, y_exponent = b >> 23 ? (int32_t)(b >> 23) : 1;
   const uint64_t divisor = (b & 0x7fffff) | (b >> 23 ? 0x800000 : 0);
   uint64_t rest = (a & 0x7fffff) | (a >> 23 ? 0x800000 : 0);
   if (divisor == 0 || x != x)
      return NAN;
   int32_t difference = x_exponent - y_exponent;
   for (; difference > 0; difference -= 39)
      rest = (rest << UTIL_MIN(difference, 39)) % divisor;
   if (difference == 0 && x_exponent == y_exponent)
      rest %= divisor;
   /* in units of y's last place, or of x's where that one is smaller: then x is less than y */
   const double magnitude = x_exponent < y_exponent ? fabs((double)x) : scaled_by((double)rest, y_exponent - 150);
   const double remainder = x < 0 ? -magnitude : magnitude;
   return remainder == 0 ? copysign(0.0, y) : (remainder < 0) == (y < 0) ? remainder : remainder + y;
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
   VECTOR_CLONES static void name(const float *restrict xs, const float *restrict ys, double *restrict out, uint32_t count) \
   {                                                                                                           \
      (void)ys;                                                                                                \
      VECTOR_LOOP for (uint32_t i = 0; i < count; i++)                                                         \
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
REFERENCE(modulo, modulo_of(xs[i], ys[i]))
REFERENCE(modulo_of_3, modulo_of(xs[i], 3))
REFERENCE(three, x * 0 + 3)
REFERENCE(divisor, (double)ys[i])
REFERENCE(least, x < (double)ys[i] ? x : (double)ys[i])
REFERENCE(greatest, x > (double)ys[i] ? x : (double)ys[i])
REFERENCE(step, (double)ys[i] < x ? 0 : 1)
REFERENCE(scaled, scaled_by(x, (int32_t)bits_of(ys[i])))
REFERENCE(pow_, pow(x, (double)ys[i]))
REFERENCE(atan2_, atan2(x, (double)ys[i]))

/* ---- the table ---- */

static const char every[] = "every float", positive[] = "every x >= 0", one[] = "-1 to 1";
#define ANY 0, -INFINITY, INFINITY, every
#define BITS(text) 0, -INFINITY, INFINITY, text
#define PAIRS 0, -INFINITY, INFINITY, "every x and y"
#define FINITE 0, -0x1.fffffep127, 0x1.fffffep127, "every finite x"

const struct reference references[] = {
   {6, PARITY_NONE, true, 0, INFINITY, positive, 0.501, root, NULL, MEASURE_ROUNDED},
   {7, PARITY_NONE, true, 0, INFINITY, positive, 2, inverse_root, NULL, MEASURE_ULPS},
   {8, PARITY_NONE, ANY, 0, floor_, NULL, MEASURE_ULPS},
   {9, PARITY_NONE, ANY, 0, ceil_, NULL, MEASURE_ULPS},
   {10, PARITY_ODD, ANY, 0, trunc_, NULL, MEASURE_ULPS},
   {11, PARITY_ODD, ANY, 0, round_even, NULL, MEASURE_ULPS},
   {12, PARITY_ODD, ANY, 0, round_even, NULL, MEASURE_ULPS},
   {13, PARITY_NONE, FINITE, 1, fraction, NULL, MEASURE_ULPS},
   {14, PARITY_ODD, FINITE, 0, modf_fraction, NULL, MEASURE_ULPS},
   {15, PARITY_ODD, ANY, 0, trunc_, NULL, MEASURE_ULPS},
   {16, PARITY_NONE, ANY, 0, abs_, NULL, MEASURE_ULPS},
   {17, PARITY_NONE, FINITE, 0, sign, NULL, MEASURE_ULPS},
   {20, PARITY_NONE, ANY, 0, clamp, NULL, MEASURE_ULPS},
   {23, PARITY_NONE, ANY, 4, smooth_step, NULL, MEASURE_ULPS},
   {24, PARITY_ODD, FINITE, 0, frexp_, NULL, MEASURE_ULPS},
   {32, PARITY_NONE, BITS("every int"), 0.501, from_int, NULL, MEASURE_ROUNDED},
   {33, PARITY_NONE, BITS("every uint"), 0.501, from_uint, NULL, MEASURE_ROUNDED},
   {35, PARITY_NONE, ANY, 0, to_half, NULL, MEASURE_ULPS},
   {36, PARITY_ODD, ANY, 1, radians, NULL, MEASURE_ULPS},
   {37, PARITY_ODD, ANY, 1, degrees, NULL, MEASURE_ULPS},
   {38, PARITY_NONE, ANY, 67, exp_, NULL, MEASURE_ULPS},
   {39, PARITY_NONE, ANY, 2.5, exp2_, NULL, MEASURE_ULPS},
   {40, PARITY_NONE, true, 0, INFINITY, positive, 1, log_, NULL, MEASURE_ULPS},
   {41, PARITY_NONE, true, 0, INFINITY, positive, 2, log2_, NULL, MEASURE_ULPS},
   {43, PARITY_ODD, ANY, 1.8, sin_, NULL, MEASURE_ULPS},
   {44, PARITY_EVEN, ANY, 1.9, cos_, NULL, MEASURE_ULPS},
   {45, PARITY_ODD, ANY, 4, tan_, NULL, MEASURE_ULPS},
   {46, PARITY_ODD, true, -1, 1, one, 2.5, asin_, NULL, MEASURE_ULPS},
   {47, PARITY_NONE, true, -1, 1, one, 1.5, acos_, NULL, MEASURE_ULPS},
   {48, PARITY_ODD, ANY, 3, atan_, NULL, MEASURE_ULPS},
   {50, PARITY_ODD, 0, -88.72, 88.72, "-88.72 to 88.72", 2, sinh_, NULL, MEASURE_ULPS},
   {51, PARITY_EVEN, 0, -88.72, 88.72, "-88.72 to 88.72", 2, cosh_, NULL, MEASURE_ULPS},
   {52, PARITY_ODD, ANY, 2, tanh_, NULL, MEASURE_ULPS},
   {53, PARITY_ODD, ANY, 4, asinh_, NULL, MEASURE_ULPS},
   {54, PARITY_NONE, true, 1, INFINITY, "every x >= 1", 2.5, acosh_, NULL, MEASURE_ULPS},
   {55, PARITY_ODD, true, -1, 1, one, 2, atanh_, NULL, MEASURE_ULPS},
   {0, PARITY_NONE, PAIRS, 0.5, sum, pairs_sums, MEASURE_ROUNDED},
   {1, PARITY_NONE, PAIRS, 0.5, difference, pairs_sums, MEASURE_ROUNDED},
   {2, PARITY_NONE, PAIRS, 0.5, product, pairs_products, MEASURE_ROUNDED},
   {3, PARITY_NONE, PAIRS, 0.501, quotient, pairs_quotients, MEASURE_ROUNDED},
   {4, PARITY_NONE, BITS("abs(x / y) < 2^24"), 0.501, modulo, pairs_mods, MEASURE_ROUNDED},
   {56, PARITY_NONE, false, -50331645, 50331645, "abs(x / 3) < 2^24", 0.501, modulo_of_3, NULL, MEASURE_ROUNDED},
   {56, PARITY_NONE, FINITE, 0, three, NULL, MEASURE_WITHIN},
   {4, PARITY_NONE, BITS("abs(x / y) >= 2^24"), 0, divisor, pairs_huge_mods, MEASURE_WITHIN},
   {18, PARITY_NONE, PAIRS, 0, least, pairs_numbers, MEASURE_ULPS},
   {19, PARITY_NONE, PAIRS, 0, greatest, pairs_numbers, MEASURE_ULPS},
   {22, PARITY_NONE, PAIRS, 0, step, pairs_numbers, MEASURE_ULPS},
   {25, PARITY_NONE, BITS("every x and n"), 0.5, scaled, pairs_scales, MEASURE_ROUNDED},
   {42, PARITY_NONE, true, 0, INFINITY, "x > 0, any y", INFINITY, pow_, pairs_powers, MEASURE_ULPS},
   {49, PARITY_NONE, PAIRS, 3.5, atan2_, pairs_numbers, MEASURE_ULPS},
};
const uint32_t num_references = UTIL_ARRAY_SIZE(references);

/* ---- comparing ---- */

enum { BLOCK = 1 << 10 };

/* Fills `errors` and returns the greatest. */
VECTOR_CLONES static float measure(const float *restrict got, const double *restrict expected, double sign, float *restrict errors, uint32_t count)
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

/* Infinite but where the bits are those of the rounded value, ties to even, and of the one NaN. */
VECTOR_CLONES static float compare_bits(const float *restrict got, const double *restrict expected, double sign, float *restrict errors, uint32_t count)
{
   float worst = -1;
   _Pragma("omp simd reduction(max : worst)") for (uint32_t i = 0; i < count; i++)
   {
      const float rounded = (float)(expected[i] * sign);
      const uint32_t bits = rounded != rounded ? 0x7fc00000 : bits_of(rounded);
      errors[i] = bits_of(got[i]) == bits ? errors[i] : INFINITY;
      worst = errors[i] > worst ? errors[i] : worst;
   }
   return worst;
}

/* Infinite but where the result is zero, or has the sign of what is expected and is not greater, or both are NaN. */
VECTOR_CLONES static float measure_within(const float *restrict got, const double *restrict expected, float *restrict errors, uint32_t count)
{
   float worst = -1;
   _Pragma("omp simd reduction(max : worst)") for (uint32_t i = 0; i < count; i++)
   {
      const double share = got[i] / expected[i];
      const bool is_good = expected[i] != expected[i] ? got[i] != got[i] : share >= 0 && share <= 1;
      errors[i] = is_good ? 0 : INFINITY;
      worst = errors[i] > worst ? errors[i] : worst;
   }
   return worst;
}

double reference_worst(enum reference_measure by, const float *got, const double *expected, double sign, uint32_t count, uint32_t *at)
{
   float worst = -1, errors[BLOCK];
   for (uint32_t first = 0; first < count; first += BLOCK) {
      const uint32_t n = UTIL_MIN(count - first, (uint32_t)BLOCK);
      float here = by == MEASURE_WITHIN ? measure_within(got + first, expected + first, errors, n)
                                        : measure(got + first, expected + first, sign, errors, n);
      if (by == MEASURE_ROUNDED)
         here = compare_bits(got + first, expected + first, sign, errors, n);
      for (uint32_t i = 0; here > worst && i < n; i++)
         if (errors[i] == here) {
            worst = here;
            *at = first + i;
         }
   }
   return worst;
}
