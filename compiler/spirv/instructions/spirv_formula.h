/* SPDX-License-Identifier: MIT
 * Instructions that become many operations, each a formula of its operands. The first ones are written out where they stand. Once these have taken
 * MAX_WRITTEN operations, what is larger than a call is a call of a routine, so that the code of a module is in proportion to its words. Both are the
 * same operations in the same order: a formula allows nothing (contraction, above all) that looks at what its operands are made of, or what becomes of
 * its results, so that the bits are the same too.
 * Spec: SPIR-V, "Arithmetic Instructions"; none of this shows. */
#pragma once

#include "compiler/spirv/spirv_context.h"

enum { SPIRV_MAX_OPERANDS = 32, SPIRV_MAX_RESULTS = IR_MAX_COMPONENTS };

struct spirv_formula {
   /* Emits at t->b, whose `fp` allows no contraction. Operands and results are values of as many bits, floats unless it has_bits. */
   void (*write)(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results);
   uint8_t columns, rows, others; /* what `write` needs to know: of the first matrix, and columns of the second */
   bool has_bits;                 /* operands or results are bits; so all are taken */
   bool fuses;                    /* products that are added are fused */
   bool moves;                    /* operands are the results in another order: nothing, but for calls that have them in memory in theirs */
   uint8_t num_operands, num_results;
};

/* Gives the results, with what t->b.fp says of the instruction. Fails if operands are not all of one size. */
void spirv_apply(struct spirv_ctx *t, struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results);
