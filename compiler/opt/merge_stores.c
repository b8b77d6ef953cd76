/* SPDX-License-Identifier: MIT
 * Stores of neighbouring words become one store of a vector: lanes whose words follow each other then write whole runs of memory.
 *
 * Requires: constants folded. Does: of plain stores of 32-bit words in one region, one after the other with nothing between them that could read or
 * write that memory, those to different words of one aligned block of 8 or 16 bytes (opt/blocks.h) that leave no gap become one store where the last
 * of them stood:
 *
 *    %2 = imul 1x32 %1, 8
 *    store_buffer %a, %s, %2, %x mask=1            %2 = imul 1x32 %1, 8
 *    %3 = iadd 1x32 %2, 4                     ->   %4 = vec 2x32 %x, %y
 *    store_buffer %a, %s, %3, %y mask=1            store_buffer %a, %s, %2, %4 mask=3
 *
 * Preserves: memory. Each word of a store is bounds-checked by itself. */
#include "compiler/ir/passes.h"
#include "compiler/opt/blocks.h"

enum { MAX_WORDS = 4 };

struct group {
   struct ir_instr *stores[MAX_WORDS];
   uint32_t num_stores;
   struct ir_block_of block;
   struct ir_instr *words[MAX_WORDS]; /* the store that writes each word of the block, or NULL */
};

static struct ir_instr *value_of(const struct ir_instr *store)
{
   return store->srcs[store->num_srcs - 1];
}

static bool is_plain_store(const struct ir_instr *instr)
{
   return ir_is_plain_access(instr) && !instr->num_components && ir_writes_all(instr);
}

/* False: it is in another block, or writes a word again. */
static bool add_store(struct group *group, struct ir_instr *store)
{
   const uint32_t num_words = value_of(store)->num_components;
   struct ir_block_of block;
   uint32_t word;
   if (!ir_find_block(ir_offset_of(store), num_words, &block, &word))
      return false;
   if (group->num_stores && !(ir_is_same_block(&group->block, &block) && ir_is_same_memory(group->stores[0], store)))
      return false;
   for (uint32_t i = 0; i < num_words; i++)
      if (group->words[word + i])
         return false;
   group->block = block;
   group->stores[group->num_stores++] = store;
   for (uint32_t i = 0; i < num_words; i++)
      group->words[word + i] = store;
   return true;
}

/* The words from the first written one on, and their number; 0: there are gaps. */
static uint32_t count_words(const struct group *group, uint32_t *first)
{
   uint32_t count = 0;
   *first = 0;
   while (!group->words[*first])
      ++*first;
   while (*first + count < MAX_WORDS && group->words[*first + count])
      count++;
   for (uint32_t i = *first + count; i < MAX_WORDS; i++)
      if (group->words[i])
         return 0;
   return count;
}

/* The store's first word in the block. */
static uint32_t first_word(const struct group *group, const struct ir_instr *store)
{
   uint32_t word = 0;
   while (group->words[word] != store)
      word++;
   return word;
}

/* Ends the group; true if its stores became one. */
static bool merge(struct ir_shader *shader, struct group *group)
{
   const struct group merged = *group;
   struct ir_instr *parts[MAX_WORDS], *srcs[4];
   uint32_t first;
   *group = (struct group){0};
   const uint32_t count = merged.num_stores > 1 ? count_words(&merged, &first) : 0;
   if (!count)
      return false;
   struct ir_instr *lowest = merged.words[first], *last = merged.stores[merged.num_stores - 1];
   struct ir_builder b = ir_builder_before(shader, last);
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *store = merged.words[first + i];
      parts[i] = ir_extract(&b, value_of(store), first + i - first_word(&merged, store));
   }
   for (uint32_t i = 0; i + 1 < lowest->num_srcs; i++)
      srcs[i] = lowest->srcs[i];
   srcs[lowest->num_srcs - 1] = ir_vec(&b, count, parts);
   struct ir_instr *store = ir_emit(&b, (enum ir_op)lowest->op, 0, 0, lowest->num_srcs, srcs);
   store->imm = lowest->imm;
   store->imm.u[1] = 4; /* the words' alignment */
   store->imm.u[2] = (1u << count) - 1;
   for (uint32_t i = 0; i < merged.num_stores; i++)
      ir_remove(merged.stores[i]);
   return true;
}

/* Whether stores of the group may not move past it. */
static bool is_ordered(const struct group *group, const struct ir_instr *instr)
{
   if (ir_is_construct(instr) || ir_is_jump(instr))
      return true;
   if (!group->num_stores || instr->op == IR_load_var || instr->op == IR_store_var)
      return false;
   const bool is_shared = group->stores[0]->op == IR_store_shared;
   if (instr->op == IR_load_shared)
      return is_shared;
   if (instr->op == IR_load_buffer || instr->op == IR_load_global)
      return instr->imm.u[0] & (IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE) || !(is_shared || instr->imm.u[0] & IR_ACCESS_READ_ONLY);
   return ir_info(instr)->flags & (IR_EFFECT | IR_READS);
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   struct group group = {0};
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      if (is_plain_store(it)) {
         if (!add_store(&group, it)) {
            has_changed |= merge(shader, &group);
            add_store(&group, it);
         }
         continue;
      }
      if (is_ordered(&group, it))
         has_changed |= merge(shader, &group);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
   }
   return has_changed;
}

bool ir_opt_merge_stores(struct ir_shader *shader)
{
   return process_region(shader, shader->body);
}
