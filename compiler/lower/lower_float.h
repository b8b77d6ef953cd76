/* SPDX-License-Identifier: MIT
 * Shared by the files of lower_float_env: sequences that stand for one rounded operation. They are built where the builder stands,
 * which must have no floating-point flags. */
#pragma once

#include "compiler/ir/ir.h"

/* x * y + z of 64 bits, rounded once: to nearest even, or towards zero. lower_fma64.c */
struct ir_instr *ir_lower_fma64(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z,
                                bool toward_zero);

/* The operation of `instr` (fadd, fsub, fmul, fdiv, fma, fsqrt, f2f, i2f or u2f), rounded towards zero. lower_rtz.c */
struct ir_instr *ir_lower_toward_zero(struct ir_builder *b, const struct ir_instr *instr);
