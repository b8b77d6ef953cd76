/* SPDX-License-Identifier: MIT
 * Algebraic identities that keep every bit of the result, or that the instruction's floating-point flags allow. */
#pragma once

#include "compiler/ir/ir.h"

/* A value equal to `instr` that is simpler, or NULL. New instructions are inserted at the builder's position, right
 * before `instr`; `instr` itself stays. Its sources are resolved. */
struct ir_instr *ir_algebra(struct ir_builder *b, struct ir_instr *instr);

/* The part for floating-point operations. */
struct ir_instr *ir_algebra_float(struct ir_builder *b, struct ir_instr *instr);
