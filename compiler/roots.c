/* SPDX-License-Identifier: MIT
 * From which blocks all others of a function are reached, for SPIRV-Tools' validator. Its own CFA<>::TraversalRoots() (source/cfa.h) walks from each block
 * without predecessors through all that it reaches: backwards, from each `return` through all of the function before it, the square of a function's
 * size. Here each block is walked once; the blocks found are the same.
 *
 * The linker takes this function in place of the template's, which is weak. A version whose function has another signature keeps its own, which
 * compiler/shapes notices by its time. What is known here of C++ are the layouts of std::vector and std::function, which libstdc++'s ABI holds
 * fixed. Memory that runs out takes the jump of comp_guard_memory(). */
#include "compiler/ir/ir_map.h"
#include "compiler/no_memory.h"

struct block;

/* std::vector<BasicBlock *>. Its memory is of operator new. */
struct vector {
   const struct block **begin, **end, **capacity;
};

/* std::function<const std::vector<BasicBlock *> *(const BasicBlock *)>. It is passed by reference: it has a destructor. */
struct function {
   void *functor[2];
   void (*manager)(void);
   const struct vector *(*invoker)(const void *functor, const struct block **block);
};

void *comp_new(size_t bytes) __asm__("_Znwm");

struct vector comp_roots(const struct vector *blocks, const struct function *successors, const struct function *predecessors) __asm__(
   "_ZN8spvtools3CFAINS_3val10BasicBlockEE14TraversalRootsERKSt6vectorIPS2_SaIS5_EESt8functionIFPS8_PKS2_EESF_");

/* A block that was visited. */
struct node {
   const struct block *block;
   struct node *pending; /* the next whose successors are still to be visited */
};

struct walk {
   struct util_arena arena;
   struct ir_map nodes; /* by block */
   struct node *pending;
};

static const struct vector *neighbours(const struct function *function, const struct block *block)
{
   return function->invoker(function->functor, &block);
}

static bool is_visited(const struct walk *walk, const struct block *block)
{
   return ir_map_find(&walk->nodes, (uintptr_t)block) != NULL;
}

static void visit(struct walk *walk, const struct block *block)
{
   if (is_visited(walk, block))
      return;
   struct node *node = UTIL_ARENA_NEW(&walk->arena, struct node);
   *node = (struct node){block, walk->pending};
   ir_map_add(&walk->nodes, (uintptr_t)block, node);
   walk->pending = node;
}

static void walk_from(struct walk *walk, const struct block *root, const struct function *successors)
{
   visit(walk, root);
   while (walk->pending) {
      const struct vector *next = neighbours(successors, walk->pending->block);
      walk->pending = walk->pending->pending;
      for (const struct block **it = next->begin; it < next->end; it++)
         visit(walk, *it);
   }
}

/* First the blocks without predecessors, then one of each cycle that none of these reaches. `roots` has room for all blocks. */
static void find_roots(struct walk *walk, const struct vector *blocks, const struct function *successors, const struct function *predecessors,
                       struct vector *roots)
{
   for (const struct block **it = blocks->begin; it < blocks->end; it++) {
      const struct vector *before = neighbours(predecessors, *it);
      if (before->begin != before->end)
         continue;
      *roots->end++ = *it;
      walk_from(walk, *it, successors);
   }
   for (const struct block **it = blocks->begin; it < blocks->end; it++) {
      if (is_visited(walk, *it))
         continue;
      *roots->end++ = *it;
      walk_from(walk, *it, successors);
   }
}

struct vector comp_roots(const struct vector *blocks, const struct function *successors, const struct function *predecessors)
{
   const size_t count = (size_t)(blocks->end - blocks->begin);
   struct vector roots = {0};
   struct walk walk = {0};
   jmp_buf on_oom;
   if (!count)
      return roots;
   roots.begin = roots.end = comp_new(count * sizeof(*roots.begin));
   roots.capacity = roots.begin + count;
   util_arena_init(&walk.arena, 0);
   walk.arena.on_oom = &on_oom;
   walk.nodes.arena = &walk.arena;
   const bool is_out = setjmp(on_oom) != 0;
   if (!is_out)
      find_roots(&walk, blocks, successors, predecessors, &roots);
   util_arena_finish(&walk.arena);
   if (is_out)
      comp_no_memory();
   return roots;
}
