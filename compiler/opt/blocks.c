/* SPDX-License-Identifier: MIT
 * Which aligned block of memory a plain access lies in, as far as its offset says. */
#include "compiler/opt/blocks.h"

enum { MAX_DEPTH = 6, MAX_BLOCK_BYTES = 16, MIN_BLOCK_BYTES = 8 };

static bool factor_of(const struct ir_instr *value, uint32_t *factor)
{
   if (!ir_is_const(value->srcs[1]))
      return false;
   const uint32_t constant = (uint32_t)value->srcs[1]->imm.c[0];
   *factor = value->op == IR_ishl ? UINT32_C(1) << (constant & 31) : constant;
   return value->op == IR_imul || value->op == IR_ishl;
}

static struct ir_split_offset split_offset(struct ir_instr *value, uint32_t depth)
{
   uint32_t factor;
   struct ir_split_offset offset = {value, 1, 0};
   if (ir_is_const(value))
      return (struct ir_split_offset){NULL, 0, (uint32_t)value->imm.c[0]};
   if (!depth || value->num_srcs != 2)
      return offset;
   if (value->op == IR_iadd && ir_is_const(value->srcs[1])) {
      offset = split_offset(value->srcs[0], depth - 1);
      offset.add += (uint32_t)value->srcs[1]->imm.c[0];
   } else if (factor_of(value, &factor)) {
      offset = split_offset(value->srcs[0], depth - 1);
      offset.scale *= factor;
      offset.add *= factor;
   }
   return offset;
}

/* A power of two that divides the number; 0: it is 0. */
static uint32_t lowest_bit(uint32_t number)
{
   return number & -number;
}

/* A power of two that divides the value, MAX_BLOCK_BYTES at most. */
static uint32_t divisor_of(const struct ir_instr *value, uint32_t depth)
{
   uint32_t divisor = 1, factor;
   if (ir_is_const(value))
      divisor = lowest_bit((uint32_t)value->imm.c[0] | MAX_BLOCK_BYTES);
   else if (!depth || value->num_srcs != 2)
      return 1;
   else if (value->op == IR_iadd)
      divisor = UTIL_MIN(divisor_of(value->srcs[0], depth - 1), divisor_of(value->srcs[1], depth - 1));
   else if (value->op == IR_iand)
      divisor = UTIL_MAX(divisor_of(value->srcs[0], depth - 1), divisor_of(value->srcs[1], depth - 1));
   else if (factor_of(value, &factor))
      divisor = divisor_of(value->srcs[0], depth - 1) * lowest_bit(factor | MAX_BLOCK_BYTES);
   return UTIL_MIN(divisor, (uint32_t)MAX_BLOCK_BYTES);
}

struct ir_instr *ir_offset_of(const struct ir_instr *access)
{
   const bool is_store = !access->num_components;
   return access->srcs[access->num_srcs - (is_store ? 2 : 1)];
}

bool ir_is_plain_access(const struct ir_instr *instr)
{
   const uint32_t ordered = IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE | IR_ACCESS_COHERENT;
   if (instr->op == IR_load_buffer || instr->op == IR_load_shared)
      return instr->bit_size == 32 && !(instr->imm.u[0] & ordered);
   if (instr->op == IR_store_buffer || instr->op == IR_store_shared)
      return instr->srcs[instr->num_srcs - 1]->bit_size == 32 && !(instr->imm.u[0] & ordered);
   return false;
}

bool ir_is_same_memory(const struct ir_instr *a, const struct ir_instr *b)
{
   const bool is_shared = a->op == IR_load_shared || a->op == IR_store_shared;
   bool is_same = a->op == b->op && a->imm.u[0] == b->imm.u[0];
   for (uint32_t i = 0; is_same && !is_shared && i < 2; i++) /* address and size */
      is_same = a->srcs[i] == b->srcs[i];
   return is_same;
}

bool ir_find_block(struct ir_instr *offset, uint32_t num_words, struct ir_block_of *block, uint32_t *word)
{
   const struct ir_split_offset split = split_offset(offset, MAX_DEPTH);
   uint32_t bytes = MAX_BLOCK_BYTES;
   if (split.root)
      bytes = UTIL_MIN(bytes, divisor_of(split.root, MAX_DEPTH) * lowest_bit(split.scale | MAX_BLOCK_BYTES));
   const uint32_t at = split.add & (bytes - 1);
   if (bytes < MIN_BLOCK_BYTES || at % 4 || at + num_words * 4 > bytes)
      return false;
   *block = (struct ir_block_of){split, bytes};
   block->offset.add -= at;
   *word = at / 4;
   return true;
}

bool ir_is_same_block(const struct ir_block_of *a, const struct ir_block_of *b)
{
   return a->offset.root == b->offset.root && a->offset.scale == b->offset.scale && a->offset.add == b->offset.add;
}
