/* SPDX-License-Identifier: MIT
 * The table of operations and their formulas. Ranges leave out where the specification gives no bound, or where a formula's
 * intermediate overflows so that it allows anything. */
#include "tests/precision/operations.h"

#include "util/macros.h"

#include <math.h>

#define FORMULA(name) static struct bounded name(const struct float_format *format, const real *x)
#define X bounded_exact(x[0])
#define Y bounded_exact(x[1])
#define Z bounded_exact(x[2])

/* ---- core ---- */

FORMULA(add) { return bounded_add(format, X, Y); }
FORMULA(sub) { return bounded_sub(format, X, Y); }
FORMULA(mul) { return bounded_mul(format, X, Y); }
FORMULA(divide) { return bounded_div(format, X, Y); }
FORMULA(rounded) { return bounded_rounded(format, x[0]); }

/* The quotient's error may cross an integer: then the formula uses another multiple. */
FORMULA(mod)
{
   const struct bounded quotient = bounded_div(format, X, Y);
   const real value = x[0] - x[1] * real_floor(x[0] / x[1]);
   const real ends[2] = {real_floor(quotient.value - quotient.error), real_floor(quotient.value + quotient.error)};
   struct bounded result = {value, 0};
   if (!(quotient.error < real_power_of_two(100)))
      return (struct bounded){value, INFINITY};
   for (uint32_t i = 0; i < 2; i++) {
      const struct bounded end = bounded_sub(format, X, bounded_mul(format, Y, bounded_exact(ends[i])));
      const real error = real_abs(end.value - value) + end.error;
      result.error = error > result.error ? error : result.error;
   }
   return result;
}

FORMULA(mod_of_3)
{
   const real operands[2] = {x[0], 3};
   return mod(format, operands);
}

FORMULA(fused)
{
   struct bounded result = bounded_add(format, bounded_mul(format, X, Y), Z);
   result.value = x[0] * x[1] + x[2];
   return result;
}

FORMULA(dot2) { return bounded_add(format, bounded_mul(format, X, Z), bounded_mul(format, Y, X)); }

/* ---- GLSL.std.450, without transcendental functions ---- */

FORMULA(root) { return bounded_sqrt(format, X); }
FORMULA(inverse_root) { return bounded_inversesqrt(format, X); }
FORMULA(floor_) { return bounded_exact(real_floor(x[0])); }
FORMULA(ceil_) { return bounded_exact(-real_floor(-x[0])); }
FORMULA(trunc_) { return bounded_exact(x[0] < 0 ? -real_floor(-x[0]) : real_floor(x[0])); }

static real nearest_even(real x)
{
   const real low = real_floor(x), rest = x - low;
   if (rest != 0.5L)
      return rest < 0.5L ? low : low + 1;
   return real_floor(low / 2) * 2 == low ? low : low + 1;
}

/* Either neighbour will do for round() of a half. */
FORMULA(round_)
{
   const real value = nearest_even(x[0]);
   return (struct bounded){value, real_abs(value - x[0]) == 0.5L ? 1 : 0};
}

FORMULA(round_even) { return bounded_exact(nearest_even(x[0])); }
FORMULA(fraction) { return bounded_rounded(format, x[0] - real_floor(x[0])); }
FORMULA(modf_fraction) { return bounded_exact(x[0] - trunc_(format, x).value); }
FORMULA(abs_) { return bounded_exact(real_abs(x[0])); }
FORMULA(sign) { return bounded_exact((x[0] > 0) - (x[0] < 0)); }
FORMULA(min_) { return bounded_exact(x[0] < x[1] ? x[0] : x[1]); }
FORMULA(max_) { return bounded_exact(x[0] > x[1] ? x[0] : x[1]); }
FORMULA(clamp) { return bounded_exact(x[0] < -1 ? -1 : x[0] > 2 ? 2 : x[0]); }
FORMULA(step) { return bounded_exact(x[1] < x[0] ? 0 : 1); }

FORMULA(mix)
{
   const struct bounded rest = bounded_sub(format, bounded_exact(1), Z);
   return bounded_add(format, bounded_mul(format, X, rest), bounded_mul(format, Y, Z));
}

FORMULA(smooth_step)
{
   const struct bounded low = bounded_exact(-1), high = bounded_exact(2);
   struct bounded t = bounded_div(format, bounded_sub(format, X, low), bounded_sub(format, high, low));
   if (t.value < 0 || t.value > 1)
      t = bounded_exact(t.value < 0 ? 0 : 1);
   const struct bounded rest = bounded_sub(format, bounded_exact(3), bounded_mul(format, bounded_exact(2), t));
   return bounded_mul(format, bounded_mul(format, t, t), rest);
}

FORMULA(frexp_) { return bounded_exact(x[0] == 0 ? 0 : x[0] * real_power_of_two(-real_exponent(x[0]) - 1)); }
FORMULA(ldexp_) { return bounded_rounded(format, x[0] * real_power_of_two((int32_t)x[1])); }
FORMULA(radians) { return bounded_mul(format, X, bounded_rounded(format, M_PIl / 180)); }
FORMULA(degrees) { return bounded_mul(format, X, bounded_rounded(format, 180 / M_PIl)); }

/* ---- geometry: of vectors as precision.comp makes them ---- */

static struct bounded length_of(const struct float_format *format, struct bounded x, struct bounded y)
{
   return bounded_sqrt(format, bounded_add(format, bounded_mul(format, x, x), bounded_mul(format, y, y)));
}

FORMULA(length2) { return length_of(format, X, Y); }
FORMULA(distance2) { return length_of(format, bounded_sub(format, X, Y), bounded_sub(format, Y, Z)); }

FORMULA(normalize2)
{
   const struct bounded dot = bounded_add(format, bounded_mul(format, X, X), bounded_mul(format, Y, Y));
   return bounded_mul(format, X, bounded_inversesqrt(format, dot));
}

/* (x y z) x (z x y): y y - x z */
FORMULA(cross3) { return bounded_sub(format, bounded_mul(format, Y, Y), bounded_mul(format, X, Z)); }

/* I = (x y), N = (z 1/2) */
FORMULA(reflect2)
{
   const struct bounded dot = bounded_add(format, bounded_mul(format, Z, X), bounded_mul(format, bounded_exact(0.5L), Y));
   return bounded_sub(format, X, bounded_mul(format, bounded_mul(format, bounded_exact(2), dot), Z));
}

/* ---- transcendental functions ---- */

/* A formula's error around the function's true value. */
static struct bounded around(long double value, struct bounded formula)
{
   const real off = real_abs(formula.value - value);
   return (struct bounded){value, formula.error + (off >= 0 ? off : 0)};
}

FORMULA(exp_) { return bounded_exp(format, X); }
FORMULA(exp2_) { return bounded_exp2(format, X); }
FORMULA(log_) { return bounded_log(format, X); }
FORMULA(log2_) { return bounded_log2(format, X); }
FORMULA(sin_) { return bounded_sin(format, X); }
FORMULA(cos_) { return bounded_cos(format, X); }
FORMULA(atan_) { return bounded_atan2(format, X, bounded_exact(1)); }
FORMULA(atan2_) { return bounded_atan2(format, X, Y); }

FORMULA(pow_)
{
   const struct bounded formula = bounded_exp2(format, bounded_mul(format, Y, bounded_log2(format, X)));
   return around(powl((long double)x[0], (long double)x[1]), formula);
}

FORMULA(tan_)
{
   return around(tanl((long double)x[0]), bounded_div(format, bounded_sin(format, X), bounded_cos(format, X)));
}

static struct bounded leg(const struct float_format *format, struct bounded x)
{
   return bounded_sqrt(format, bounded_sub(format, bounded_exact(1), bounded_mul(format, x, x)));
}

FORMULA(asin_) { return around(asinl((long double)x[0]), bounded_atan2(format, X, leg(format, X))); }
FORMULA(acos_) { return around(acosl((long double)x[0]), bounded_atan2(format, leg(format, X), X)); }

static struct bounded half_of(const struct float_format *format, struct bounded x)
{
   return bounded_mul(format, x, bounded_exact(0.5L));
}

static struct bounded sinh_of(const struct float_format *format, const real *x)
{
   return half_of(format, bounded_sub(format, bounded_exp(format, X), bounded_exp(format, bounded_exact(-x[0]))));
}

static struct bounded cosh_of(const struct float_format *format, const real *x)
{
   return half_of(format, bounded_add(format, bounded_exp(format, X), bounded_exp(format, bounded_exact(-x[0]))));
}

FORMULA(sinh_) { return around(sinhl((long double)x[0]), sinh_of(format, x)); }
FORMULA(cosh_) { return around(coshl((long double)x[0]), cosh_of(format, x)); }
FORMULA(tanh_) { return around(tanhl((long double)x[0]), bounded_div(format, sinh_of(format, x), cosh_of(format, x))); }

static struct bounded log_of_sum(const struct float_format *format, const real *x, real offset)
{
   const struct bounded square = bounded_add(format, bounded_mul(format, X, X), bounded_exact(offset));
   return bounded_log(format, bounded_add(format, X, bounded_sqrt(format, square)));
}

FORMULA(asinh_) { return around(asinhl((long double)x[0]), log_of_sum(format, x, 1)); }
FORMULA(acosh_) { return around(acoshl((long double)x[0]), log_of_sum(format, x, -1)); }

FORMULA(atanh_)
{
   const struct bounded one = bounded_exact(1);
   const struct bounded quotient = bounded_div(format, bounded_add(format, one, X), bounded_sub(format, one, X));
   return around(atanhl((long double)x[0]), half_of(format, bounded_log(format, quotient)));
}

/* ---- the table ---- */

#define ALL 16, 64
#define UP_TO_32 16, 32
static const char rounded_text[] = "correctly rounded", correct_text[] = "correct result";

const struct operation operations[] = {
   {"x + y", rounded_text, 0, 2, 0, 0, ALL, {0}, {0}, add},
   {"x - y", rounded_text, 1, 2, 0, 0, ALL, {0}, {0}, sub},
   {"x * y", rounded_text, 2, 2, 0, 0, ALL, {0}, {0}, mul},
   {"x / y", "2.5 ulp", 3, 2, 0, 0, ALL, {0}, {0}, divide},
   {"x / y beside z / y", "2.5 ulp", 57, 3, 0, 0, ALL, {0}, {0}, divide},
   {"mod(x, y)", "x - y floor(x / y)", 4, 2, 0, 0, ALL, {-1e4, 0.01}, {1e4, 100}, mod},
   {"mod(x, 3)", "x - y floor(x / y)", 56, 1, 0, 0, ALL, {-1e4}, {1e4}, mod_of_3},
   {"fma(x, y, z)", "x * y + z", 5, 3, 0, 0, ALL, {0}, {0}, fused},
   {"dot()", "sum of products", 26, 3, 0, 0, ALL, {-100, -100, -100}, {100, 100, 100}, dot2},
   {"int to float", rounded_text, 32, 1, OPERAND_INT, 0, ALL, {0}, {0}, rounded},
   {"uint to float", rounded_text, 33, 1, OPERAND_UINT, 0, ALL, {0}, {0}, rounded},
   {"to 32 bits", rounded_text, 34, 1, 0, 32, 16, 64, {0}, {0}, rounded},
   {"to 16 bits", rounded_text, 35, 1, 0, 16, 32, 64, {0}, {0}, rounded},
   {"sqrt(x)", "1 / inversesqrt(x)", 6, 1, 0, 0, ALL, {0}, {INFINITY}, root},
   {"inversesqrt(x)", "2 ulp", 7, 1, 0, 0, ALL, {1e-300}, {INFINITY}, inverse_root},
   {"floor(x)", correct_text, 8, 1, 0, 0, ALL, {0}, {0}, floor_},
   {"ceil(x)", correct_text, 9, 1, 0, 0, ALL, {0}, {0}, ceil_},
   {"trunc(x)", correct_text, 10, 1, 0, 0, ALL, {0}, {0}, trunc_},
   {"round(x)", correct_text, 11, 1, 0, 0, ALL, {0}, {0}, round_},
   {"roundEven(x)", correct_text, 12, 1, 0, 0, ALL, {0}, {0}, round_even},
   {"fract(x)", rounded_text, 13, 1, 0, 0, ALL, {0}, {0}, fraction},
   {"modf(x), fraction", rounded_text, 14, 1, 0, 0, ALL, {0}, {0}, modf_fraction},
   {"modf(x), whole", correct_text, 15, 1, 0, 0, ALL, {0}, {0}, trunc_},
   {"abs(x)", correct_text, 16, 1, 0, 0, ALL, {0}, {0}, abs_},
   {"sign(x)", correct_text, 17, 1, 0, 0, ALL, {0}, {0}, sign},
   {"min(x, y)", correct_text, 18, 2, 0, 0, ALL, {0}, {0}, min_},
   {"max(x, y)", correct_text, 19, 2, 0, 0, ALL, {0}, {0}, max_},
   {"clamp(x)", correct_text, 20, 1, 0, 0, ALL, {0}, {0}, clamp},
   {"mix(x, y, a)", "x (1 - a) + y a", 21, 3, 0, 0, ALL, {-100, -100, -2}, {100, 100, 2}, mix},
   {"step(x, y)", correct_text, 22, 2, 0, 0, ALL, {0}, {0}, step},
   {"smoothstep(x)", "t t (3 - 2 t)", 23, 1, 0, 0, ALL, {-3}, {4}, smooth_step},
   {"frexp(x)", correct_text, 24, 1, 0, 0, ALL, {0}, {0}, frexp_},
   {"ldexp(x, n)", rounded_text, 25, 2, OPERAND_FLOAT_AND_INT, 0, ALL, {0, -300}, {0, 300}, ldexp_},
   {"length()", "sqrt(dot)", 27, 2, 0, 0, ALL, {0.01, 0.01}, {100, 100}, length2},
   {"distance()", "length(x - y)", 28, 3, 0, 0, ALL, {0.01, -100, -100}, {100, -0.01, 100}, distance2},
   {"normalize()", "x inversesqrt(dot)", 29, 2, 0, 0, ALL, {0.01, 0.01}, {100, 100}, normalize2},
   {"cross()", "x * y - z * w", 30, 3, 0, 0, ALL, {-100, -100, -100}, {100, 100, 100}, cross3},
   {"reflect()", "I - 2 dot(N, I) N", 31, 3, 0, 0, ALL, {-10, -10, -1}, {10, 10, 1}, reflect2},
   {"radians(x)", "x * C", 36, 1, 0, 0, UP_TO_32, {0}, {0}, radians},
   {"degrees(x)", "x * C", 37, 1, 0, 0, UP_TO_32, {0}, {0}, degrees},
   {"exp(x)", "3 + 2 abs(x) ulp", 38, 1, 0, 0, UP_TO_32, {-104}, {90}, exp_},
   {"exp2(x)", "3 + 2 abs(x) ulp", 39, 1, 0, 0, UP_TO_32, {-150}, {129}, exp2_},
   {"log(x)", "3 ulp; 2^-21 in [1/2, 2]", 40, 1, 0, 0, UP_TO_32, {1e-300}, {INFINITY}, log_},
   {"log2(x)", "3 ulp; 2^-21 in [1/2, 2]", 41, 1, 0, 0, UP_TO_32, {1e-300}, {INFINITY}, log2_},
   {"pow(x, y)", "exp2(y log2(x))", 42, 2, 0, 0, UP_TO_32, {1e-300, -20}, {INFINITY, 20}, pow_},
   {"sin(x)", "2^-11 in [-pi, pi]", 43, 1, 0, 0, UP_TO_32, {-3.1415925}, {3.1415925}, sin_},
   {"cos(x)", "2^-11 in [-pi, pi]", 44, 1, 0, 0, UP_TO_32, {-3.1415925}, {3.1415925}, cos_},
   {"tan(x)", "sin(x) / cos(x)", 45, 1, 0, 0, UP_TO_32, {-1.57}, {1.57}, tan_},
   {"asin(x)", "atan2(x, sqrt(1 - x x))", 46, 1, 0, 0, UP_TO_32, {-1}, {1}, asin_},
   {"acos(x)", "atan2(sqrt(1 - x x), x)", 47, 1, 0, 0, UP_TO_32, {-1}, {1}, acos_},
   {"atan(x)", "4096 ulp", 48, 1, 0, 0, UP_TO_32, {0}, {0}, atan_},
   {"atan(y, x)", "4096 ulp", 49, 2, 0, 0, UP_TO_32, {0}, {0}, atan2_},
   {"sinh(x)", "(exp(x) - exp(-x)) / 2", 50, 1, 0, 0, UP_TO_32, {-88}, {88}, sinh_},
   {"cosh(x)", "(exp(x) + exp(-x)) / 2", 51, 1, 0, 0, UP_TO_32, {-88}, {88}, cosh_},
   {"tanh(x)", "sinh(x) / cosh(x)", 52, 1, 0, 0, UP_TO_32, {-40}, {40}, tanh_},
   {"asinh(x)", "log(x + sqrt(x x + 1))", 53, 1, 0, 0, UP_TO_32, {0}, {0}, asinh_},
   {"acosh(x)", "log(x + sqrt(x x - 1))", 54, 1, 0, 0, UP_TO_32, {1}, {INFINITY}, acosh_},
   {"atanh(x)", "log((1 + x) / (1 - x)) / 2", 55, 1, 0, 0, UP_TO_32, {-0.999}, {0.999}, atanh_},
};
const uint32_t num_operations = UTIL_ARRAY_SIZE(operations);
