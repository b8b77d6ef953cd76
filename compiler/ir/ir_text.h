/* SPDX-License-Identifier: MIT
 * Words that the printer and the parser of the text form share. */
#pragma once

#include "compiler/ir/ir.h"

enum { IR_NUM_ATOMICS = ABI_ATOMIC_FMUL + 1, IR_NUM_FP_FLAGS = 8 };

extern const char *const ir_stage_names[IR_NUM_STAGES];
extern const char *const ir_atomic_names[IR_NUM_ATOMICS];
extern const char *const ir_fp_names[IR_NUM_FP_FLAGS]; /* of enum ir_fp, by bit */

/* The words of an immediate that is written in words, NULL and *count = 0 for one written as a number. */
const char *const *ir_imm_names(const char *imm_name, uint32_t *count);
