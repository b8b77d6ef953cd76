/* SPDX-License-Identifier: MIT
 * From which blocks all others of a function are reached, for SPIRV-Tools' validator. Its own CFA<>::TraversalRoots() (source/cfa.h) walks from each block
 * without predecessors through all that it reaches: backwards, from each `return` through all of the function before it, the square of a function's
 * size. Here each block is walked once; the blocks found are the same.
 *
 * The linker takes this function in place of the template's, which is weak. A version whose function has another signature keeps its own, which
 * compiler/shapes notices by its time. What is known here of C++ are the layouts of std::vector and std::function, which libstdc++'s ABI holds
 * fixed. Memory that runs out takes the jump of comp_guard_memory(). */
#include "compiler/no_memory.h"
#include "util/alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct block;

/* std::vector<BasicBlock *>. Its memory is of operator new. */
struct vector {
   const struct block **begin, **end, **capacity;
};

/* std::function<const std::vector<BasicBlock *> *(const BasicBlock *)>. It is passed by reference: it has a destructor. */
struct function {
   union {
      void *words[2];
   } functor;
   void (*manager)(void);
   const struct vector *(*invoker)(const void *functor, const struct block **block);
};

void *comp_new(size_t bytes) __asm__("_Znwm");

struct vector comp_roots(const struct vector *blocks, const struct function *successors, const struct function *predecessors) __asm__(
   "_ZN8spvtools3CFAINS_3val10BasicBlockEE14TraversalRootsERKSt6vectorIPS2_SaIS5_EESt8functionIFPS8_PKS2_EESF_");

struct walk {
   const struct block **visited; /* a set by hash */
   size_t capacity, count;       /* of it; a power of two */
   const struct block **pending; /* visited, but not what follows; in the same order */
   size_t num_pending;
};

static const struct vector *neighbours(const struct function *function, const struct block *block)
{
   return function->invoker(&function->functor, &block);
}

static const struct block **find(const struct block **visited, size_t capacity, const struct block *block)
{
   size_t at = ((uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);
   while (visited[at] && visited[at] != block)
      at = (at + 1) & (capacity - 1);
   return &visited[at];
}

static void *allocate(size_t count)
{
   void *memory = util_calloc(count, sizeof(void *));
   if (!memory)
      comp_no_memory();
   return memory;
}

static void grow(struct walk *walk)
{
   const struct walk old = *walk;
   walk->capacity = old.capacity ? 2 * old.capacity : 64;
   walk->visited = allocate(walk->capacity);
   walk->pending = allocate(walk->capacity);
   for (size_t i = 0; i < old.capacity; i++) {
      if (old.visited[i])
         *find(walk->visited, walk->capacity, old.visited[i]) = old.visited[i];
   }
   if (old.num_pending)
      memcpy(walk->pending, old.pending, old.num_pending * sizeof(*old.pending));
   util_mfree(old.visited);
   util_mfree(old.pending);
}

static void visit(struct walk *walk, const struct block *block)
{
   if (2 * walk->count >= walk->capacity)
      grow(walk);
   const struct block **entry = find(walk->visited, walk->capacity, block);
   if (*entry)
      return;
   *entry = block;
   walk->count++;
   walk->pending[walk->num_pending++] = block;
}

static bool is_visited(const struct walk *walk, const struct block *block)
{
   return walk->capacity && *find(walk->visited, walk->capacity, block);
}

static void walk_from(struct walk *walk, const struct block *root, const struct function *successors)
{
   visit(walk, root);
   while (walk->num_pending) {
      const struct vector *next = neighbours(successors, walk->pending[--walk->num_pending]);
      for (const struct block **it = next->begin; it < next->end; it++)
         visit(walk, *it);
   }
}

/* First the blocks without predecessors, then one of each cycle that none of these reaches. */
struct vector comp_roots(const struct vector *blocks, const struct function *successors, const struct function *predecessors)
{
   struct walk walk = {0};
   struct vector roots = {0};
   const size_t bytes = (size_t)((char *)blocks->end - (char *)blocks->begin);
   if (!bytes)
      return roots;
   roots.begin = comp_new(bytes);
   roots.end = roots.begin;
   roots.capacity = roots.begin + bytes / sizeof(*roots.begin);
   for (const struct block **it = blocks->begin; it < blocks->end; it++) {
      const struct vector *before = neighbours(predecessors, *it);
      if (before->begin != before->end)
         continue;
      *roots.end++ = *it;
      walk_from(&walk, *it, successors);
   }
   for (const struct block **it = blocks->begin; it < blocks->end; it++) {
      if (is_visited(&walk, *it))
         continue;
      *roots.end++ = *it;
      walk_from(&walk, *it, successors);
   }
   util_mfree(walk.visited);
   util_mfree(walk.pending);
   return roots;
}
