/* SPDX-License-Identifier: MIT
 * Pairs of 32-bit operands for functions of two: any numbers, and those that are hard for one function. Pair number n is always the same one.
 * Threads: all functions are pure. */
#pragma once

#include <stdint.h>

/* Pairs first, first + 1, ... first + count - 1; `first` is a multiple of PAIRS_RUN. */
typedef void pairs_fn(uint32_t first, float *x, float *y, uint32_t count);

enum { PAIRS_RUN = 256 /* pairs of one sort that follow each other */ };

pairs_fn pairs_numbers;   /* neighbours in size and value, denormals, the greatest, zeros and infinities; no NaN */
pairs_fn pairs_sums;      /* and sums halfway between two floats, or beside that */
pairs_fn pairs_products;  /* the same of products, normal and denormal ones */
pairs_fn pairs_quotients; /* the same of quotients */
pairs_fn pairs_mods;      /* abs(x / y) < 2^24, finite, y not zero: multiples of y and their neighbours, denormals */
pairs_fn pairs_huge_mods; /* abs(x / y) >= 2^24, finite, y not zero */
pairs_fn pairs_scales;    /* y has the bits of an exponent: any, results that are denormal and halfway, exponents beyond everything */
pairs_fn pairs_powers;    /* x > 0, of any size or near 1; exponents that spread the result over all floats and a little beyond */
