/* SPDX-License-Identifier: MIT
 * Floats of 4 to 16 bits as numbers, and numbers as the nearest of them. Source: IEEE 754, OCP 8-bit Floating Point Specification (OFP8), OCP
 * Microscaling Formats (MX). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct util_narrow_format {
   uint32_t bits, mantissa_bits, bias;
   uint32_t largest;  /* finite; if it is the last code there is neither infinity nor NaN, and nothing is made a number of this format */
   uint32_t overflow; /* what is too large becomes that: infinity, or where there is none a NaN */
   uint32_t nan;
};

extern const struct util_narrow_format util_narrow_e4m3, util_narrow_e5m2, util_narrow_bfloat16, util_narrow_half, util_narrow_e2m3, util_narrow_e3m2,
   util_narrow_e2m1;

double util_narrow_to_double(const struct util_narrow_format *format, uint64_t bits);
/* To nearest even; if it saturates, what is too large becomes the largest. */
uint64_t util_narrow_from_double(const struct util_narrow_format *format, double value, bool saturates);
