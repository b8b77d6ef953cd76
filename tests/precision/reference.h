/* SPDX-License-Identifier: MIT
 * What 32-bit functions are in double precision, for many operands at once: an error below 2^-25 ulp of a float. The C library's
 * vector functions where the compiler knows them (glibc: within 4 ulp of a double). Threads: all functions are pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum reference_parity { PARITY_NONE, PARITY_EVEN, PARITY_ODD };

struct reference {
   uint8_t number; /* of the operation, in precision.comp */
   uint8_t parity; /* enum reference_parity: values() is asked for x >= 0 alone */
   bool is_nan_beyond; /* outside of low..high the result is NaN; else such operands are not tried */
   double low, high;
   const char *range; /* for the table */
   double max_ulps;   /* what the driver holds itself to */
   void (*values)(const float *x, const float *y, double *out, uint32_t count);
   /* Two operands: pairs number first, first + 1, …; NULL for one operand, where every bit pattern is tried. */
   void (*choose)(uint32_t first, float *x, float *y, uint32_t count);
};

extern const struct reference references[];
extern const uint32_t num_references;

/* The greatest distance between got[i] and sign * expected[i], in units in the last place of the latter (spec: the smaller gap at a power
 * of two), and where it is. Infinite where one is NaN and the other not, and for an infinity that is not the rounded value. */
double reference_worst(const float *got, const double *expected, double sign, uint32_t count, uint32_t *at);
