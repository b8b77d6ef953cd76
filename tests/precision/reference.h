/* SPDX-License-Identifier: MIT
 * What 32-bit functions are in double precision, for many operands at once: an error below 2^-25 ulp of a float. The C library's
 * vector functions where the compiler knows them (glibc: within 4 ulp of a double). Threads: all functions are pure. */
#pragma once

#include "tests/precision/pairs.h"

#include <stdbool.h>
#include <stdint.h>

enum reference_parity { PARITY_NONE, PARITY_EVEN, PARITY_ODD };

enum reference_measure {
   MEASURE_ULPS,    /* distance, whatever the sign of zero */
   MEASURE_ROUNDED, /* and the bits are those of the value rounded once, ties to even */
   MEASURE_WITHIN,  /* no distance: the result is between 0 and what is expected */
};

struct reference {
   uint8_t number; /* of the operation, in precision.comp */
   uint8_t parity; /* enum reference_parity: values() is asked for x >= 0 alone */
   bool is_nan_beyond; /* outside of low..high the result is NaN; else such operands are not tried */
   double low, high;
   const char *range; /* for the table */
   double max_ulps;   /* what the driver holds itself to */
   void (*values)(const float *x, const float *y, double *out, uint32_t count);
   pairs_fn *choose; /* two operands; NULL for one, where every bit pattern is tried */
   enum reference_measure measure;
};

extern const struct reference references[];
extern const uint32_t num_references;

/* The greatest distance between got[i] and sign * expected[i], in units in the last place of the latter (spec: the smaller gap at a power
 * of two), and where it is. Infinite where one is NaN and the other not, for an infinity that is not the rounded value, and where `by` is broken. */
double reference_worst(enum reference_measure by, const float *got, const double *expected, double sign, uint32_t count, uint32_t *at);
