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
#include "compiler/opt/blocks.h"

enum { MAX_GROUPS = 16, MAX_LOADS = 8 };

struct group {
   struct ir_instr *loads[MAX_LOADS];
   uint32_t num_loads;
   struct ir_block_of block;
   uint32_t words[MAX_LOADS]; /* where each load begins in the block */
   uint32_t used;         /* a bit a word */
};

/* ---- groups ---- */

static void add_load(struct group *groups, uint32_t *num_groups, struct ir_instr *load)
{
   struct ir_block_of block;
   uint32_t word, i = 0;
   if (!ir_find_block(ir_offset_of(load), load->num_components, &block, &word))
      return;
   while (i < *num_groups && !(ir_is_same_block(&groups[i].block, &block) && ir_is_same_memory(groups[i].loads[0], load)))
      i++;
   if (i == MAX_GROUPS || (i < *num_groups && groups[i].num_loads == MAX_LOADS))
      return;
   if (i == *num_groups)
      groups[(*num_groups)++] = (struct group){.block = block};
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
      srcs[first->num_srcs - 1] = ir_alu2(&b, IR_iadd, ir_offset_of(first), ir_const(&b, 32, (uint32_t)-(4 * group->words[0])));
   struct ir_instr *block = ir_emit(&b, (enum ir_op)first->op, group->block.bytes / 4, 32, first->num_srcs, srcs);
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
      if (ir_is_plain_access(it) && it->num_components)
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
