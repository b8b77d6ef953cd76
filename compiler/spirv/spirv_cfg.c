/* SPDX-License-Identifier: MIT
 * A function's control-flow graph and dominator tree.
 *
 * The edges of branches are completed by those of structure: from a header to its merge block and its continue target,
 * as "structural dominance" asks. So whatever belongs to a construct hangs below its header in the tree, and merge
 * blocks come where lanes that parted meet again, however they got there. Source of the dominators: Cooper, Harvey,
 * Kennedy, "A Simple, Fast Dominance Algorithm". */
#include "compiler/spirv/spirv_cfg.h"
#include "compiler/ir/ir_eval.h"

#include <stdlib.h>

static struct spirv_block *block_of(struct spirv_ctx *t, const struct spirv_function *function, uint32_t id)
{
   const struct spirv_id *record = spirv_id(t, id);
   if (record->class != SPIRV_ID_BLOCK || record->block->function != function)
      spirv_fail(t, "id %u is not a block of function %u", id, function->id);
   return record->block;
}

static void add_succ(struct spirv_block *block, struct spirv_block *succ)
{
   block->succs[block->num_succs++] = succ;
}

static uint32_t selector_bits(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_id *record = spirv_id(t, spirv_word(t, in, 1));
   if (record->result_type)
      return spirv_type(t, record->result_type)->bits;
   return record->class == SPIRV_ID_VALUE ? record->value->type->bits : 32;
}

uint32_t spirv_switch_literal_words(struct spirv_ctx *t, const struct spirv_instr *in)
{
   return selector_bits(t, in) == 64 ? 2 : 1;
}

static int compare_blocks(const void *a, const void *b)
{
   const struct spirv_block *x = *(struct spirv_block *const *)a, *y = *(struct spirv_block *const *)b;
   return x->id < y->id ? -1 : x->id > y->id;
}

/* Cases often share a target: each counts once. */
static void remove_duplicate_succs(struct spirv_block *block)
{
   qsort(block->succs, block->num_succs, sizeof(*block->succs), compare_blocks);
   uint32_t kept = 0;
   for (uint32_t i = 0; i < block->num_succs; i++) {
      if (i == 0 || block->succs[i] != block->succs[kept - 1])
         block->succs[kept++] = block->succs[i];
   }
   block->num_succs = kept;
}

uint32_t spirv_branch_target(struct spirv_ctx *t, const struct spirv_instr *in, uint64_t bits)
{
   if (in->op == SpvOpBranchConditional)
      return spirv_word(t, in, bits & 1 ? 2 : 3);
   const uint32_t literal_words = spirv_switch_literal_words(t, in), bit_size = selector_bits(t, in);
   for (uint32_t i = 3; i + literal_words < in->count; i += literal_words + 1) {
      if (ir_mask_bits(spirv_switch_literal(&in->words[i], literal_words), bit_size) == bits)
         return in->words[i + literal_words];
   }
   return spirv_word(t, in, 2);
}

/* Whether a branch's condition or selector is a constant of the module, as most are that specialization sets. */
static bool is_decided(struct spirv_ctx *t, const struct spirv_instr *in, uint64_t *bits)
{
   if (in->op != SpvOpBranchConditional && in->op != SpvOpSwitch)
      return false;
   const struct spirv_id *record = spirv_id(t, spirv_word(t, in, 1));
   return record->class == SPIRV_ID_VALUE && !record->result_type && spirv_is_constant(record->value, bits);
}

/* Successors by branches; room is left for the two of structure. */
static void find_succs(struct spirv_ctx *t, struct spirv_function *function, struct spirv_block *block)
{
   const struct spirv_instr *in = &block->terminator;
   uint64_t bits;
   block->succs = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, in->op == SpvOpSwitch ? in->count + 2 : 4);
   block->is_decided = is_decided(t, in, &bits);
   if (block->is_decided) {
      add_succ(block, block_of(t, function, spirv_branch_target(t, in, bits)));
      return;
   }
   switch (in->op) {
   case SpvOpBranch:
      add_succ(block, block_of(t, function, spirv_word(t, in, 1)));
      break;
   case SpvOpBranchConditional:
      add_succ(block, block_of(t, function, spirv_word(t, in, 2)));
      add_succ(block, block_of(t, function, spirv_word(t, in, 3)));
      break;
   case SpvOpSwitch: {
      add_succ(block, block_of(t, function, spirv_word(t, in, 2)));
      const uint32_t step = spirv_switch_literal_words(t, in) + 1;
      for (uint32_t i = 3; i + step <= in->count; i += step)
         add_succ(block, block_of(t, function, in->words[i + step - 1]));
      break;
   }
   default:
      break;
   }
   remove_duplicate_succs(block);
}

static void mark_reachable(struct spirv_ctx *t, struct spirv_function *function)
{
   struct spirv_block **stack = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, function->num_blocks);
   uint32_t depth = 0;
   stack[depth++] = function->blocks[0];
   function->blocks[0]->is_reachable = true;
   while (depth) {
      struct spirv_block *block = stack[--depth];
      find_succs(t, function, block);
      for (uint32_t i = 0; i < block->num_succs; i++) {
         if (!block->succs[i]->is_reachable) {
            block->succs[i]->is_reachable = true;
            stack[depth++] = block->succs[i];
         }
      }
   }
}

/* The successors by structure: at the front, so that the walk finishes them first and puts them last. */
static struct spirv_block *walk_succ(struct spirv_ctx *t, const struct spirv_block *block, uint32_t index)
{
   const uint32_t structural[2] = {block->merge, block->continue_target};
   for (uint32_t i = 0; i < 2; i++) {
      if (!structural[i])
         continue;
      struct spirv_block *target = block_of(t, block->function, structural[i]);
      if (target->is_reachable && index-- == 0)
         return target;
   }
   return index < block->num_succs ? block->succs[index] : NULL;
}

/* Orders reachable blocks: each before those that it leads to, back edges aside. */
static void sort_blocks(struct spirv_ctx *t, struct spirv_function *function)
{
   struct walk {
      struct spirv_block *block;
      uint32_t next;
   };
   const uint32_t count = function->num_blocks;
   struct walk *stack = UTIL_ARENA_ARRAY(t->arena, struct walk, count);
   struct spirv_block **finished = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, count);
   uint32_t depth = 0, num_finished = 0;

   stack[depth++] = (struct walk){function->blocks[0], 0};
   function->blocks[0]->is_visited = true;
   while (depth) {
      struct walk *top = &stack[depth - 1];
      struct spirv_block *succ = walk_succ(t, top->block, top->next++);
      if (!succ) {
         finished[num_finished++] = top->block;
         depth--;
      } else if (!succ->is_visited) {
         succ->is_visited = true;
         stack[depth++] = (struct walk){succ, 0};
      }
   }
   function->num_sorted = num_finished;
   function->sorted = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, num_finished);
   for (uint32_t i = 0; i < num_finished; i++) {
      function->sorted[i] = finished[num_finished - 1 - i];
      function->sorted[i]->order = i;
   }
}

static struct spirv_block *common_dominator(struct spirv_block *a, struct spirv_block *b)
{
   while (a != b) {
      if (a->order > b->order)
         a = a->idom;
      else
         b = b->idom;
   }
   return a;
}

static void find_dominators(struct spirv_ctx *t, struct spirv_function *function)
{
   struct spirv_block *entry = function->sorted[0];
   entry->idom = entry;
   for (bool changed = true; changed;) {
      changed = false;
      /* pushes along edges instead of pulling from predecessors: no lists of those are needed */
      for (uint32_t i = 0; i < function->num_sorted; i++) {
         struct spirv_block *block = function->sorted[i];
         struct spirv_block *succ;
         for (uint32_t s = 0; (succ = walk_succ(t, block, s)); s++) {
            struct spirv_block *idom = succ->idom ? common_dominator(succ->idom, block) : block;
            if (succ != entry && idom != succ->idom && idom != succ) {
               succ->idom = idom;
               changed = true;
            }
         }
      }
   }
   entry->idom = NULL;
}

static bool dominates(const struct spirv_block *a, const struct spirv_block *b)
{
   while (b && b->order > a->order)
      b = b->idom;
   return a == b;
}

static void classify_edges(struct spirv_ctx *t, struct spirv_function *function)
{
   for (uint32_t i = 0; i < function->num_sorted; i++) {
      struct spirv_block *block = function->sorted[i];
      for (uint32_t s = 0; s < block->num_succs; s++) {
         struct spirv_block *succ = block->succs[s];
         if (succ->order > block->order) {
            succ->num_forward_preds++;
         } else if (dominates(succ, block)) {
            succ->is_loop = true;
            if (!succ->continue_target)
               spirv_fail(t, "block %u is branched back to, but has no OpLoopMerge", succ->id);
         } else {
            spirv_fail(t, "the branch from block %u to block %u is not structured", block->id, succ->id);
         }
      }
      if (block->merge)
         block_of(t, function, block->merge)->is_target = true;
      if (block->continue_target)
         block_of(t, function, block->continue_target)->is_target = true;
      if (block->terminator.op == SpvOpReturnValue)
         function->num_returns++;
   }
   for (uint32_t i = 0; i < function->num_sorted; i++) {
      struct spirv_block *block = function->sorted[i];
      if (block->num_forward_preds > 1)
         block->is_target = true;
   }
   function->sorted[0]->is_target = false;
}

static void link_children(struct spirv_ctx *t, struct spirv_function *function)
{
   for (uint32_t i = 1; i < function->num_sorted; i++)
      function->sorted[i]->idom->num_children++;
   for (uint32_t i = 0; i < function->num_sorted; i++) {
      struct spirv_block *block = function->sorted[i];
      block->children = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, block->num_children + 1);
      block->num_children = 0;
   }
   for (uint32_t i = 1; i < function->num_sorted; i++) {
      struct spirv_block *idom = function->sorted[i]->idom;
      idom->children[idom->num_children++] = function->sorted[i];
   }
}

/* Cases that others fall into would nest in a block each, and a jump would leave all of them: the square of their number. Those of a large
 * switch stand one after the other instead. */
static void find_steps(struct spirv_function *function)
{
   enum { MAX_NESTED = 8 };
   for (uint32_t i = 0; i < function->num_sorted; i++) {
      struct spirv_block *block = function->sorted[i];
      if (block->terminator.op != SpvOpSwitch || block->num_succs <= MAX_NESTED || block->continue_target)
         continue;
      for (uint32_t s = 0; s < block->num_succs; s++) {
         const struct spirv_block *to = block->succs[s];
         block->has_steps |= to->idom == block && to->is_target && to->id != block->merge;
      }
      for (uint32_t s = 0; block->has_steps && s < block->num_succs; s++) {
         struct spirv_block *to = block->succs[s];
         if (to->idom == block && to->id != block->merge)
            to->step_of = block;
      }
   }
}

void spirv_analyze_function(struct spirv_ctx *t, struct spirv_function *function)
{
   if (function->is_analyzed)
      return;
   function->is_analyzed = true;
   if (!function->num_blocks)
      spirv_fail(t, "function %u has no body", function->id);
   if (function->num_param_ids != function->num_params)
      spirv_fail(t, "function %u has fewer parameters than its type", function->id);
   mark_reachable(t, function);
   sort_blocks(t, function);
   find_dominators(t, function);
   classify_edges(t, function);
   link_children(t, function);
   find_steps(function);
}
