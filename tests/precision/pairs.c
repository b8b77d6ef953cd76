/* SPDX-License-Identifier: MIT
 * Pairs by a hash of their number, as loops that compilers turn into vector code. */
#include "tests/precision/pairs.h"

#include "tests/precision/vector.h"
#include "util/macros.h"

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

/* Sign and fraction of `bits`, and that exponent, with its bias. */
static inline uint32_t with_exponent(uint32_t bits, uint32_t exponent)
{
   return (bits & 0x807fffff) | exponent << 23;
}

/* -1, 0 or 1. */
static inline uint32_t jitter(uint32_t random)
{
   return random % 3 - 1;
}

/* An odd number whose highest bit is bit `count` - 1, count from 1 to 25. */
static inline uint32_t odd(uint32_t random, uint32_t count)
{
   return ((random | 0x80000000u) >> (32 - count)) | 1;
}

struct pair {
   uint32_t x, y; /* bits of floats */
};

/* ---- sorts of pairs, from two random words ---- */

static inline struct pair any(uint32_t a, uint32_t b)
{
   return (struct pair){made_finite(a), made_finite(b)};
}

/* y is x but for some low bits and a power of two between 1/16 and 8: sums of different signs cancel. */
static inline struct pair near(uint32_t a, uint32_t b)
{
   const uint32_t x = made_finite(a), y = x + ((b & 7) << 23) - (4u << 23) + (hash(b) >> (b >> 3 & 31));
   return (struct pair){x, made_finite(y ^ (b & 0x80000000))};
}

static inline struct pair denormal(uint32_t a, uint32_t b)
{
   return (struct pair){with_exponent(a, b & 3), with_exponent(hash(b), b >> 2 & 3)};
}

static inline struct pair greatest(uint32_t a, uint32_t b)
{
   return (struct pair){with_exponent(a, 254 - (b & 3)), with_exponent(hash(b), 254 - (b >> 2 & 31))};
}

static inline uint32_t special_number(uint32_t random)
{
   static const uint32_t numbers[16] = {0, 1, 2, 0x007fffff, 0x00800000, 0x00800001, 0x33800000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
                                        0x4b800000, 0x7effffff, 0x7f7fffff, 0x7f800000};
   return numbers[random & 15] | (random << 27 & 0x80000000);
}

static inline struct pair special(uint32_t a, uint32_t b)
{
   return (struct pair){special_number(a), b & 1 ? special_number(b >> 1) : made_finite(hash(b))};
}

/* y is an odd multiple of half an ulp of x, or beside that. */
static inline struct pair half_sum(uint32_t a, uint32_t b)
{
   const uint32_t c = hash(b), exponent = 25 + b % 229, j = c % 24, fraction = odd(hash(c), j + 1) << (23 - j) & 0x7fffff;
   const uint32_t y = (a << 4 & 0x80000000) | (exponent - 24 + j) << 23 | fraction;
   return (struct pair){with_exponent(a, exponent), y + jitter(c >> 8)};
}

/* A product of 24 or 25 bits, the last of them 1. The lower exponent makes that bit half of the least denormal. */
static inline struct pair half_product(uint32_t a, uint32_t b)
{
   const uint32_t c = hash(b), s = 1 + c % 24, x = odd(a, s) << (24 - s) & 0x7fffff, y = odd(hash(c), 25 - s) << (s - 1) & 0x7fffff;
   const uint32_t x_exponent = 1 + (b >> 8) % 126, y_exponent = b & 1 ? 127 - x_exponent : 128 + (b >> 16) % 64;
   return (struct pair){((b << 4 & 0x80000000) | x_exponent << 23 | x) + jitter(c >> 8), (b << 5 & 0x80000000) | y_exponent << 23 | y};
}

/* x is y times a number that lies between two floats, rounded; y has few bits or many. */
static inline struct pair half_quotient(uint32_t a, uint32_t b)
{
   const uint32_t c = hash(b), d = hash(c), y_bits = 1 + c % 24;
   const bool is_denormal = b & 1;
   const uint32_t quotient = odd(a, is_denormal ? 1 + (b >> 1) % 25 : 25), y = odd(d, y_bits) << (24 - y_bits);
   const uint32_t y_scale = is_denormal ? c % 100 : c % 128 - 100; /* exponents may wrap around: sums are right */
   const uint32_t x_scale = is_denormal ? y_scale - 150 : y_scale + (b >> 8) % 64 - 40;
   const uint32_t x = bits_of((float)((double)quotient * y)) + (x_scale << 23) + jitter(b >> 16);
   return (struct pair){x ^ (d & 0x80000000), (bits_of((float)y) + (y_scale << 23)) ^ (d << 1 & 0x80000000)};
}

static inline struct pair mod_any(uint32_t a, uint32_t b)
{
   const uint32_t c = hash(b), exponent = 9 + c % 222;
   return (struct pair){with_exponent(a, exponent + (c >> 16) % 32 - 8), with_exponent(b, exponent)};
}

/* x is a multiple of y, or beside one. */
static inline struct pair mod_multiple(uint32_t a, uint32_t b)
{
   const uint32_t c = hash(b), d = hash(c), k_bits = 1 + c % 23, scale = (c >> 8) % 200 - 126;
   const uint32_t k = (a | 0x80000000) >> (32 - k_bits), y = odd(d, 24 - k_bits);
   return (struct pair){(bits_of((float)(k * y)) + (scale << 23) + b % 5 - 2) ^ (d & 0x80000000),
                        (bits_of((float)y) + (scale << 23)) ^ (d << 1 & 0x80000000)};
}

static inline struct pair mod_denormal(uint32_t a, uint32_t b)
{
   return (struct pair){with_exponent(a, b & 1), with_exponent(hash(b), b >> 1 & 1) | 1};
}

static inline struct pair mod_huge(uint32_t a, uint32_t b)
{
   const uint32_t c = hash(b), exponent = 26 + c % 229;
   return (struct pair){with_exponent(a, exponent), with_exponent(b, hash(c) % (exponent - 24)) | 1};
}

/* An exponent that leaves few numbers finite and not zero at the ends. */
static inline struct pair scale_any(uint32_t a, uint32_t b)
{
   return (struct pair){made_finite(a), b % 601 - 300};
}

/* The result is denormal, or beside it: halfway if the fraction ends there. */
static inline struct pair scale_denormal(uint32_t a, uint32_t b)
{
   const uint32_t x = with_exponent(a, 1 + b % 254), result = b >> 8 & 31; /* exponents with bias 24 */
   const uint32_t kept = result < 24 ? result : 23, fraction = (x & 0x7fffff) >> (23 - kept) << (23 - kept);
   return (struct pair){((x & 0xff800000) | fraction) + jitter(b >> 16), result - 23 - (x >> 23 & 0xff)};
}

static inline struct pair scale_special(uint32_t a, uint32_t b)
{
   static const uint32_t exponents[8] = {0x80000000, 0x80000001, 0xfffffe00, 0xffffff00, 0x100, 0x200, 0x7ffffffe, 0x7fffffff};
   return (struct pair){special_number(a), exponents[b & 7]};
}

static inline struct pair base(uint32_t a, uint32_t b)
{
   const uint32_t any_size = 1 + a % 0x7f7fffffu, near_one = 0x3f800000u + (uint32_t)((int32_t)a >> (9 + (b & 15)));
   return (struct pair){b >> 4 & 1 ? near_one : any_size, 0};
}

/* ---- mixtures ---- */

#define SORT(name)                                                                                                        \
   VECTOR_CLONES static void name##_run(uint32_t first, float *restrict x, float *restrict y, uint32_t count)              \
   {                                                                                                                       \
      VECTOR_LOOP for (uint32_t i = 0; i < count; i++)                                                                     \
      {                                                                                                                    \
         const uint32_t a = hash(first + i);                                                                               \
         const struct pair pair = name(a, hash(a ^ 0x9e3779b9u));                                                          \
         x[i] = as_float(pair.x);                                                                                          \
         y[i] = as_float(pair.y);                                                                                          \
      }                                                                                                                    \
   }

SORT(any) SORT(near) SORT(denormal) SORT(greatest) SORT(special) SORT(half_sum) SORT(half_product) SORT(half_quotient)
SORT(mod_any) SORT(mod_multiple) SORT(mod_denormal) SORT(mod_huge) SORT(scale_any) SORT(scale_denormal) SORT(scale_special) SORT(base)

/* Runs of each sort in turn. */
#define MIXTURE(name, ...)                                                                       \
   void name(uint32_t first, float *x, float *y, uint32_t count)                                 \
   {                                                                                             \
      static pairs_fn *const sorts[] = {__VA_ARGS__};                                            \
      for (uint32_t at = 0; at < count; at += PAIRS_RUN)                                         \
         sorts[(first + at) / PAIRS_RUN % UTIL_ARRAY_SIZE(sorts)](first + at, x + at, y + at,     \
                                                                  UTIL_MIN(count - at, (uint32_t)PAIRS_RUN)); \
   }

MIXTURE(pairs_numbers, any_run, near_run, near_run, denormal_run, greatest_run, special_run)
MIXTURE(pairs_sums, any_run, near_run, half_sum_run, half_sum_run, near_run, denormal_run, greatest_run, special_run)
MIXTURE(pairs_products, any_run, near_run, half_product_run, half_product_run, half_product_run, denormal_run, greatest_run, special_run)
MIXTURE(pairs_quotients, any_run, near_run, half_quotient_run, half_quotient_run, half_quotient_run, denormal_run, greatest_run, special_run)
MIXTURE(pairs_mods, mod_any_run, mod_multiple_run, mod_multiple_run, mod_denormal_run)
MIXTURE(pairs_huge_mods, mod_huge_run)
MIXTURE(pairs_scales, scale_any_run, scale_denormal_run, scale_denormal_run, scale_special_run)

VECTOR_CLONES static void exponents_run(uint32_t first, const float *restrict x, float *restrict y, uint32_t count)
{
   VECTOR_LOOP for (uint32_t i = 0; i < count; i++)
   {
      const uint32_t b = hash(hash(first + i) ^ 0x85ebca6bu);
      const double wanted = -150.0 + 279.0 * ((double)(b & 0x7fffffff) * 0x1p-31), log = log2((double)x[i]);
      y[i] = (float)(log == 0.0 ? wanted : wanted / log);
   }
}

void pairs_powers(uint32_t first, float *x, float *y, uint32_t count)
{
   base_run(first, x, y, count);
   exponents_run(first, x, y, count);
}
