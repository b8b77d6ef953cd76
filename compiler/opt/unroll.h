/* SPDX-License-Identifier: MIT
 * What unrolling a loop would make of it: between unroll.c and unroll_cost.c. */
#pragma once

#include "compiler/ir/ir.h"

struct ir_loop_contents {
   uint32_t num_instrs; /* of a round */
   uint32_t num_looked; /* those, and again as often as a loop within was looked at for its rounds */
   bool indexes_vars;   /* an access to a variable at an offset that differs from round to round */
   bool has_loop_or_barrier;
   bool samples;        /* by a call, which takes far longer than the loop around it */
};

struct ir_loop_contents ir_loop_contents(const struct ir_instr *loop);

/* In simple operations on a vector: as the loop is, all rounds together, and as copies of which all that is equal is left once. */
struct ir_unroll_cost {
   uint32_t rounds, copies;
};

/* Takes time in proportion to rounds and instructions. pass_data of what is inside is NULL before and after. */
struct ir_unroll_cost ir_unroll_cost(struct ir_shader *shader, struct ir_instr *loop, uint32_t num_rounds);
