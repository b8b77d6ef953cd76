/* SPDX-License-Identifier: MIT
 * Evaluates arithmetic on constants, to the bit as the machine does: for folding, and for the reference interpreter of
 * the tests. Values are bit patterns, zero-extended to 64 bits. Threads: any; the rounding mode is changed and
 * restored inside a call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ir_instr;

static inline uint64_t ir_mask_bits(uint64_t value, uint32_t bit_size)
{
   return bit_size >= 64 ? value : value & ((UINT64_C(1) << bit_size) - 1);
}

static inline int64_t ir_sign_extend(uint64_t value, uint32_t bit_size)
{
   return (int64_t)(value << (64 - bit_size)) >> (64 - bit_size);
}

/* The double that a 16-, 32- or 64-bit pattern stands for; exact. */
double ir_float_to_double(uint64_t bits, uint32_t bit_size);
/* The pattern of 16, 32 or 64 bits next to `value`, ties to even. */
uint64_t ir_float_from_double(double value, uint32_t bit_size);
/* The same towards zero. */
uint64_t ir_float_from_double_rtz(double value, uint32_t bit_size);
/* One of enum ir_numbers (ir.h). */
uint32_t ir_class_of_number(double x);
/* The NaN that arithmetic gives: positive, quiet, without payload. */
uint64_t ir_float_one_nan(uint32_t bit_size);
/* A denormal becomes a zero of its sign. */
uint64_t ir_float_flush(uint64_t bits, uint32_t bit_size);

/* 2/pi in words, the highest first, from the bit of 2^12 on; pi / 2^64. */
extern const uint32_t ir_two_over_pi[7];
#define IR_PI_BY_2_64 0x1.921fb54442d18p-63

/* The result of an IR_SCALAR | IR_PURE operation whose sources' bits are srcs[]. False if it has no constant result
 * here: transcendental functions (lowered before), or not arithmetic at all. Sizes, fp and immediates come from
 * `instr`. */
bool ir_eval(const struct ir_instr *instr, const uint64_t *srcs, uint64_t *result);
