/* SPDX-License-Identifier: MIT
 * Which jumps give a construct's results and parameters their values, and removal of many of these at once.
 * The lists live in the shader's arena. Threads: the shader's user. */
#pragma once

#include "compiler/ir/ir.h"

struct ir_jump_list {
   struct ir_instr **jumps;
   uint32_t count, capacity;
};

/* At ir_instr.pass_data of each construct after ir_collect_jumps(). */
struct ir_construct_jumps {
   struct ir_jump_list exits;     /* operand i is a value of result i: yields of if, block; breaks of loop, block */
   struct ir_jump_list continues; /* loop: operand i is a value of the continue region's param i */
};

/* Fills pass_data of every construct. The body's params of a loop take the loop's own sources and, if it is a yield,
 * the operands of the continue region's last jump. */
void ir_collect_jumps(struct ir_shader *shader);

static inline const struct ir_construct_jumps *ir_jumps_of(const struct ir_instr *construct)
{
   return construct->pass_data;
}

/* The yield that leads back to a loop's body, or NULL. */
static inline struct ir_instr *ir_loop_back_edge(const struct ir_instr *loop)
{
   struct ir_instr *jump = ir_terminator(loop->imm.cf.regions[1]);
   return jump && jump->op == IR_yield ? jump : NULL;
}

/* The param or result that source i of a jump, or initial value i of a loop, becomes; NULL for what is none of these. */
struct ir_instr *ir_join_of(const struct ir_instr *instr, uint32_t i);

/* The one value from outside the construct that a param or result always is, or NULL. After ir_collect_jumps(). */
struct ir_instr *ir_join_value(struct ir_instr *join);

enum { IR_DROP = 1 << 15 };

/* Removes all params and results that have IR_DROP in pass_flags, and the operands for them; linear in the shader's
 * size. */
void ir_drop_marked(struct ir_shader *shader);
