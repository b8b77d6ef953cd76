/* SPDX-License-Identifier: MIT
 * Loops of C that become vector code for whatever processor they run on, and the C library's vector functions in them (glibc 2.35 and later). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Declared here as the ABI of vector functions has them. */
#define VECTOR1(name) _Pragma("omp declare simd notinbranch") extern double name(double x)
#define VECTOR2(name) _Pragma("omp declare simd notinbranch") extern double name(double x, double y)
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
VECTOR1(sin); VECTOR1(cos); VECTOR1(tan); VECTOR1(asin); VECTOR1(acos); VECTOR1(atan);
VECTOR1(exp); VECTOR1(exp2); VECTOR1(log); VECTOR1(log2);
VECTOR1(sinh); VECTOR1(cosh); VECTOR1(tanh); VECTOR1(asinh); VECTOR1(acosh); VECTOR1(atanh);
VECTOR2(pow); VECTOR2(atan2);
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif
#define VECTOR_LOOP _Pragma("omp simd")

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
