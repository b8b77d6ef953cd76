/* SPDX-License-Identifier: MIT
 * Aligned blocks of 8 or 16 bytes that plain accesses of 32-bit words lie in: between merge_loads.c and merge_stores.c. */
#pragma once

#include "compiler/ir/ir.h"

/* An offset into a buffer or shared memory, as root * scale + add, modulo 2^32. */
struct ir_split_offset {
   struct ir_instr *root; /* NULL: a constant */
   uint32_t scale, add;
};

struct ir_block_of {
   struct ir_split_offset offset; /* of its first byte */
   uint32_t bytes;
};

/* Loads and stores of 32-bit words in buffers or shared memory that nothing orders. */
bool ir_is_plain_access(const struct ir_instr *instr);

/* Of a plain access. */
struct ir_instr *ir_offset_of(const struct ir_instr *access);

/* Two accesses of one operation to one buffer, or to shared memory, by the same rules. */
bool ir_is_same_memory(const struct ir_instr *a, const struct ir_instr *b);

/* The block that `num_words` words at an offset lie in, and the first one's number in it; false: in none. It does not wrap around. */
bool ir_find_block(struct ir_instr *offset, uint32_t num_words, struct ir_block_of *block, uint32_t *word);

bool ir_is_same_block(const struct ir_block_of *a, const struct ir_block_of *b);
