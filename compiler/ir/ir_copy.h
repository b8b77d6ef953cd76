/* SPDX-License-Identifier: MIT
 * Copies of memory, an operation of the IR (`copy`): so many units, of 8, 16 or 32 bits, one after the other from one memory to another, or zeros. A pass
 * takes each for what it is, one instruction; lower/outline_copies makes a loop of it in the end, or a call.
 *
 *    copy %1, %2, %3, %4 count=5 bits=32 store_buffer access=0 align=4 stride=4 load_var v2 offsets=v3
 *       for (i = 0; i < 5; i++) buffer %1 of %2 bytes, at %3 + 4 * i = v2, at %4 + v3[i]
 *
 * The sources are those of the target's access without a value, and those of the source's access; the last one of each is the offset of the whole.
 * Owns nothing: forms are in the shader's arena. Threads: those of the shader. */
#pragma once

#include "compiler/ir/ir.h"

enum {
   IR_FEW_COPIES = 32, /* so many of one form are calls; fewer are loops */
   IR_MAX_COPY_SRCS = 6,
};

/* At the builder's position; `vars`: which variables, or tables, the target and the source are; NULL where they are none. Both forms become the shader's. */
struct ir_instr *ir_copy(struct ir_builder *b, const struct ir_copy_form *form, struct ir_instr *const *srcs, struct ir_var *const vars[2]);
/* What an access of this operation takes beside a value; 0: there is none, for zeros. */
uint32_t ir_copy_num_srcs(enum ir_op op);
/* Bits of source `index` of these. */
uint32_t ir_copy_src_bits(enum ir_op op, uint32_t index);
/* The access names a variable, or a table. */
bool ir_copy_names_var(enum ir_op op);
/* The loop that does the same, at the builder's position. */
void ir_copy_by_loop(struct ir_builder *b, const struct ir_copy_form *form, struct ir_instr *const *srcs, struct ir_var *const vars[2]);
/* The copy becomes that loop. */
void ir_copy_expand(struct ir_shader *shader, struct ir_instr *copy);
/* One code can do both, but for what the sources are. */
bool ir_copy_is_same(const struct ir_instr *a, const struct ir_instr *b);
