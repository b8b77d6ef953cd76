/* SPDX-License-Identifier: MIT
 * Loads of neighbouring words become one load of a vector: memory then sees one address a lane instead of one a word.
 *
 * Requires: constants folded. Does: of plain loads of 32-bit words in one region, from one buffer or shared memory, with nothing between them that
 * could write, those whose offsets are the same multiple of one value plus constants, and that lie in one aligned block of 8 or 16 bytes, become a
 * load of that block where the first of them stood:
 *
 *    %2 = imul 1x32 %1, 16
 *    %3 = load_buffer 1x32 %a, %s, %2         ->   %3 = load_buffer 4x32 %a, %s, %2
 *    %4 = iadd 1x32 %2, 8                          %4 = extract 1x32 %3 index=0
 *    %5 = load_buffer 1x32 %a, %s, %4              %5 = extract 1x32 %3 index=2
 *
 * Preserves: values. An aligned block does not wrap around, so each component is in bounds if its own load was. */
#include "compiler/ir/passes.h"

enum { MAX_GROUPS = 16, MAX_LOADS = 8, MAX_DEPTH = 6, MAX_BLOCK_BYTES = 16, MIN_BLOCK_BYTES = 8 };

/* root * scale + add, modulo 2^32. */
struct offset {
   struct ir_instr *root; /* NULL: a constant */
   uint32_t scale, add;
};

struct group {
   struct ir_instr *loads[MAX_LOADS];
   uint32_t num_loads;
   struct offset offset;  /* of the block */
   uint32_t block_bytes;
   uint32_t words[MAX_LOADS]; /* where each load begins in the block */
   uint32_t used;         /* a bit a word */
};

static bool factor_of(const struct ir_instr *value, uint32_t *factor)
{
   if (!ir_is_const(value->srcs[1]))
      return false;
   const uint32_t constant = (uint32_t)value->srcs[1]->imm.c[0];
   *factor = value->op == IR_ishl ? UINT32_C(1) << (constant & 31) : constant;
   return value->op == IR_imul || value->op == IR_ishl;
}

static struct offset split_offset(struct ir_instr *value, uint32_t depth)
{
   uint32_t factor;
   struct offset offset = {value, 1, 0};
   if (ir_is_const(value))
      return (struct offset){NULL, 0, (uint32_t)value->imm.c[0]};
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

static struct ir_instr *offset_of(const struct ir_instr *load)
{
   return load->srcs[load->num_srcs - 1];
}

static bool is_plain(const struct ir_instr *instr)
{
   return (instr->op == IR_load_buffer || instr->op == IR_load_shared) && instr->bit_size == 32 &&
          !(instr->imm.u[0] & (IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE | IR_ACCESS_COHERENT));
}

static bool is_same_memory(const struct ir_instr *a, const struct ir_instr *b)
{
   bool is_same = a->op == b->op && a->imm.u[0] == b->imm.u[0];
   for (uint32_t i = 0; is_same && i + 1 < a->num_srcs; i++)
      is_same = a->srcs[i] == b->srcs[i];
   return is_same;
}

/* ---- groups ---- */

/* The block around a load; false: it is not in one. */
static bool find_block(struct ir_instr *load, struct group *group, uint32_t *word)
{
   const struct offset offset = split_offset(offset_of(load), MAX_DEPTH);
   uint32_t bytes = MAX_BLOCK_BYTES;
   if (offset.root)
      bytes = UTIL_MIN(bytes, divisor_of(offset.root, MAX_DEPTH) * lowest_bit(offset.scale | MAX_BLOCK_BYTES));
   const uint32_t at = offset.add & (bytes - 1);
   if (bytes < MIN_BLOCK_BYTES || at % 4 || at + load->num_components * 4 > bytes)
      return false;
   *group = (struct group){.offset = offset, .block_bytes = bytes};
   group->offset.add -= at;
   *word = at / 4;
   return true;
}

static bool is_same_block(const struct group *a, const struct group *b)
{
   return a->offset.root == b->offset.root && a->offset.scale == b->offset.scale && a->offset.add == b->offset.add;
}

static void add_load(struct group *groups, uint32_t *num_groups, struct ir_instr *load)
{
   struct group block;
   uint32_t word, i = 0;
   if (!find_block(load, &block, &word))
      return;
   while (i < *num_groups && !(is_same_block(&groups[i], &block) && is_same_memory(groups[i].loads[0], load)))
      i++;
   if (i == MAX_GROUPS || (i < *num_groups && groups[i].num_loads == MAX_LOADS))
      return;
   if (i == *num_groups)
      groups[(*num_groups)++] = block;
   struct group *group = &groups[i];
   group->words[group->num_loads] = word;
   group->loads[group->num_loads++] = load;
   group->used |= ((1u << load->num_components) - 1) << word;
}

static void replace(struct ir_shader *shader, struct ir_instr *load, struct ir_instr *block, uint32_t word)
{
   struct ir_builder b = ir_builder_after(shader, block);
   struct ir_instr *components[4];
   for (uint32_t c = 0; c < load->num_components; c++)
      components[c] = ir_extract(&b, block, word + c);
   load->forward = load->num_components == 1 ? components[0] : ir_vec(&b, load->num_components, components);
   ir_remove(load);
}

/* True if the loads became one. */
static bool merge(struct ir_shader *shader, const struct group *group)
{
   struct ir_instr *first = group->loads[0], *srcs[4];
   bool is_one = false;
   for (uint32_t i = 0; i < group->num_loads; i++)
      is_one |= group->used == ((1u << group->loads[i]->num_components) - 1) << group->words[i];
   if (is_one)
      return false;
   struct ir_builder b = ir_builder_before(shader, first);
   for (uint32_t i = 0; i < first->num_srcs; i++)
      srcs[i] = first->srcs[i];
   if (group->words[0])
      srcs[first->num_srcs - 1] = ir_alu2(&b, IR_iadd, offset_of(first), ir_const(&b, 32, (uint32_t)-(4 * group->words[0])));
   struct ir_instr *block = ir_emit(&b, (enum ir_op)first->op, group->block_bytes / 4, 32, first->num_srcs, srcs);
   block->imm = first->imm;
   block->imm.u[1] = 4; /* the words' alignment */
   for (uint32_t i = 0; i < group->num_loads; i++)
      replace(shader, group->loads[i], block, group->words[i]);
   return true;
}

static bool merge_all(struct ir_shader *shader, const struct group *groups, uint32_t *num_groups)
{
   bool has_changed = false;
   for (uint32_t i = 0; i < *num_groups; i++)
      has_changed |= merge(shader, &groups[i]);
   *num_groups = 0;
   return has_changed;
}

/* ---- the pass ---- */

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   struct group groups[MAX_GROUPS];
   uint32_t num_groups = 0;
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      if (is_plain(it))
         add_load(groups, &num_groups, it);
      else if (ir_info(it)->flags & IR_EFFECT || ir_is_construct(it) || ir_is_jump(it))
         has_changed |= merge_all(shader, groups, &num_groups);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
   }
   return has_changed;
}

bool ir_opt_merge_loads(struct ir_shader *shader)
{
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
