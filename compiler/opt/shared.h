/* SPDX-License-Identifier: MIT
 * Values that all invocations share: what unroll_cost.c and if_to_select.c take as made already. */
#pragma once

#include "compiler/ir/ir.h"

enum { IR_SHARED = 1 << 8 }; /* in pass_flags */

/* Whether all invocations share the result if they share the sources. */
bool ir_shares(const struct ir_instr *instr);

/* Sets pass_flags of all values: IR_SHARED or nothing. Linear in the shader's size. */
void ir_mark_shared(struct ir_shader *shader);
