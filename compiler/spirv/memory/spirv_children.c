/* SPDX-License-Identifier: MIT
 * The children of a composite value. Up to NODE_CHILDREN are an array; more are a tree of nodes with so many each, in which nodes are missing where
 * the composite has no child of its own. A copy in which one child is another has the path to that child for itself and shares the rest: a large array
 * that is changed element by element takes memory in proportion to the changes, not to their square. */
#include "compiler/spirv/memory/spirv_values.h"

#include <string.h>

enum { NODE_BITS = 5, NODE_CHILDREN = 1 << NODE_BITS };

/* Nodes between the root and a child. */
static uint32_t levels_of(uint32_t count)
{
   uint32_t levels = 0;
   for (uint32_t nodes = count; nodes > NODE_CHILDREN; nodes = (nodes - 1) / NODE_CHILDREN + 1)
      levels++;
   return levels;
}

static uint32_t slot_at(uint32_t index, uint32_t level)
{
   return index >> NODE_BITS * level & (NODE_CHILDREN - 1);
}

static void **new_node(struct spirv_ctx *t, uint32_t count)
{
   return UTIL_ARENA_ARRAY(t->arena, void *, UTIL_MIN(count, (uint32_t)NODE_CHILDREN) + 1);
}

struct spirv_val *spirv_own_child(const struct spirv_val *composite, uint32_t index)
{
   void **node = composite->children;
   for (uint32_t level = levels_of(composite->type->count); level && node; level--)
      node = node[slot_at(index, level)];
   return node ? node[slot_at(index, 0)] : NULL;
}

uint32_t spirv_next_own_child(const struct spirv_val *composite, uint32_t from)
{
   const uint32_t count = composite->type->count, levels = levels_of(count);
   uint64_t index = from;
   while (index < count) {
      void **node = composite->children;
      uint32_t level = levels;
      while (level && node && node[slot_at((uint32_t)index, level)])
         node = node[slot_at((uint32_t)index, level--)];
      if (!node)
         break;
      if (!level && node[slot_at((uint32_t)index, 0)])
         return (uint32_t)index;
      index = ((index >> NODE_BITS * level) + 1) << NODE_BITS * level; /* behind what is missing */
   }
   return count;
}

void spirv_put_child(struct spirv_ctx *t, struct spirv_val *composite, uint32_t index, struct spirv_val *child)
{
   const uint32_t count = composite->type->count;
   if (!composite->children)
      composite->children = new_node(t, count);
   void **node = composite->children;
   for (uint32_t level = levels_of(count); level; level--) {
      void **slot = &node[slot_at(index, level)];
      if (!*slot)
         *slot = new_node(t, NODE_CHILDREN);
      node = *slot;
   }
   node[slot_at(index, 0)] = child;
}

void **spirv_copy_children(struct spirv_ctx *t, uint32_t count, void **children, uint32_t index, struct spirv_val *child)
{
   void **copied = children, **root = NULL, ***link = &root;
   for (uint32_t level = levels_of(count) + 1; level--;) {
      void **node = new_node(t, count), **slot = &node[slot_at(index, level)];
      if (copied)
         memcpy(node, copied, UTIL_MIN(count, (uint32_t)NODE_CHILDREN) * sizeof(*node));
      *link = node;
      copied = *slot;
      link = (void ***)slot;
   }
   *link = (void **)child;
   return root;
}
