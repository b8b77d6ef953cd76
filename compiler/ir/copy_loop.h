/* SPDX-License-Identifier: MIT
 * Loops that copy memory: counted by a constant, without a value that goes from one round to the next, of loads, stores and the arithmetic of their
 * offsets alone. Two of them with the same form do the same to other operands, so that one function serves both.
 *
 *    loop @L %0 {                          form: 64 rounds of
 *    body(%1 1x32):                           a = index * 4
 *       %2 = ult 1x1 %1, %64                  b = a + operand 0
 *       if %2 { yield } else { break @L }     c = load_buffer operand 1, operand 2, b
 *       %3 = imul 1x32 %1, %4                 store_var memory 0, a, c
 *       …
 *
 * Owns nothing. Threads: those of the shader. */
#pragma once

#include "compiler/ir/ir.h"

enum {
   IR_COPY_INSTRS = 24,
   IR_COPY_OPERANDS = 12,
   IR_COPY_MEMORIES = 4, /* accesses of variables, shared memory and push constants, whose base is no operand */
   IR_COPY_FORM = 400,   /* words */
};

struct ir_copy_loop {
   struct ir_instr *loop, *index;
   uint32_t count; /* of rounds */
   struct ir_instr *instrs[IR_COPY_INSTRS]; /* in order, without those that count */
   uint32_t num_instrs;
   struct ir_instr *operands[IR_COPY_OPERANDS]; /* values from outside, each time one is named */
   uint32_t num_operands;
   struct ir_instr *memories[IR_COPY_MEMORIES]; /* the accesses */
   uint32_t num_memories;
   bool stores_vars, stores_others;
   uint32_t form[IR_COPY_FORM]; /* the same words, the same form */
   uint32_t num_words;
};

/* False: it is another loop, or not of one store at least. After analyze/divergence: operands that are one for all lanes are that in the form. */
bool ir_copy_loop_find(struct ir_instr *loop, struct ir_copy_loop *copy);
bool ir_copy_loop_is_same(const struct ir_copy_loop *a, const struct ir_copy_loop *b);
/* One scalar for all lanes of a vector. */
bool ir_copy_operand_is_uniform(const struct ir_instr *operand);
/* Source `index` of the instruction stays in the form: a constant that is no base of an offset. */
bool ir_copy_keeps_constant(const struct ir_copy_loop *copy, const struct ir_instr *instr, uint32_t index);
/* Of the value among instrs; num_instrs: it is none of them. */
uint32_t ir_copy_number(const struct ir_copy_loop *copy, const struct ir_instr *value);
