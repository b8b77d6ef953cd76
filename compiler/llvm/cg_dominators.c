/* SPDX-License-Identifier: MIT
 * Which blocks of a function come before others on every path. The tree of dominators is found as by Cooper, Harvey and Kennedy, "A simple, fast dominance
 * algorithm": over blocks in reverse postorder, until nothing changes. */
#include "compiler/llvm/cg.h"

#include <string.h>

/* Indices are positions in reverse postorder, the entry's is 0. */
struct cg_dominators {
   struct ir_map index; /* of blocks, from 1 on; those that are not reached have none */
   uint32_t *first, *count; /* of a walk over the tree, each block's position in it and how many are below it, itself included */
};

struct walk {
   LLVMBasicBlockRef block;
   uint32_t next; /* successor */
};

static uint32_t index_of(const struct cg_dominators *d, LLVMBasicBlockRef block)
{
   return (uint32_t)(uintptr_t)ir_map_find(&d->index, (uintptr_t)block);
}

static uint32_t num_successors(LLVMBasicBlockRef block)
{
   return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef block, uint32_t i)
{
   return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), i);
}

/* All that are reached from the entry, the last ones first. */
static LLVMBasicBlockRef *find_order(struct cg *cg, LLVMValueRef fn, uint32_t *count)
{
   const uint32_t max = LLVMCountBasicBlocks(fn);
   struct ir_map seen = {.arena = cg->arena};
   struct walk *stack = UTIL_ARENA_ARRAY(cg->arena, struct walk, max);
   LLVMBasicBlockRef *order = UTIL_ARENA_ARRAY(cg->arena, LLVMBasicBlockRef, max);
   uint32_t depth = 1;
   stack[0].block = LLVMGetEntryBasicBlock(fn);
   ir_map_add(&seen, (uintptr_t)stack[0].block, fn);
   for (*count = 0; depth > 0;) {
      struct walk *top = &stack[depth - 1];
      if (top->next == num_successors(top->block)) {
         order[(*count)++] = top->block;
         depth--;
         continue;
      }
      LLVMBasicBlockRef to = successor(top->block, top->next++);
      if (!ir_map_find(&seen, (uintptr_t)to)) {
         ir_map_add(&seen, (uintptr_t)to, fn);
         stack[depth++] = (struct walk){.block = to};
      }
   }
   return order;
}

/* The closest block that dominates both. */
static uint32_t common(const uint32_t *parents, uint32_t a, uint32_t b)
{
   while (a != b) {
      while (a > b)
         a = parents[a];
      while (b > a)
         b = parents[b];
   }
   return a;
}

static uint32_t *find_parents(struct cg *cg, const struct cg_dominators *d, const LLVMBasicBlockRef *order, uint32_t count)
{
   enum { UNKNOWN = UINT32_MAX };
   uint32_t *parents = UTIL_ARENA_ARRAY(cg->arena, uint32_t, count);
   memset(parents, 0xff, sizeof(*parents) * count);
   parents[0] = 0;
   for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (uint32_t from = 0; from < count; from++) {
         LLVMBasicBlockRef block = order[count - 1 - from];
         for (uint32_t i = 0; i < num_successors(block); i++) {
            const uint32_t to = index_of(d, successor(block, i)) - 1;
            const uint32_t parent = parents[to] == UNKNOWN ? from : common(parents, parents[to], from);
            is_changed |= parent != parents[to];
            parents[to] = parent;
         }
      }
   }
   return parents;
}

struct cg_dominators *cg_find_dominators(struct cg *cg, LLVMValueRef fn)
{
   uint32_t count;
   struct cg_dominators *d = UTIL_ARENA_NEW(cg->arena, struct cg_dominators);
   LLVMBasicBlockRef *const order = find_order(cg, fn, &count);
   d->index.arena = cg->arena;
   for (uint32_t i = 0; i < count; i++)
      ir_map_add(&d->index, (uintptr_t)order[count - 1 - i], (void *)(uintptr_t)(i + 1));
   const uint32_t *const parents = find_parents(cg, d, order, count);
   uint32_t *next = UTIL_ARENA_ARRAY(cg->arena, uint32_t, count); /* position of each block's next child */
   d->first = UTIL_ARENA_ARRAY(cg->arena, uint32_t, count);
   d->count = UTIL_ARENA_ARRAY(cg->arena, uint32_t, count);
   for (uint32_t i = count; i-- > 0;) {
      d->count[i]++;
      if (i)
         d->count[parents[i]] += d->count[i];
   }
   next[0] = 1;
   for (uint32_t i = 1; i < count; i++) {
      d->first[i] = next[parents[i]];
      next[parents[i]] += d->count[i];
      next[i] = d->first[i] + 1;
   }
   return d;
}

bool cg_dominates(const struct cg_dominators *d, LLVMBasicBlockRef block, LLVMBasicBlockRef other)
{
   const uint32_t a = index_of(d, block), b = index_of(d, other);
   return a && b && d->first[b - 1] - d->first[a - 1] < d->count[a - 1];
}
