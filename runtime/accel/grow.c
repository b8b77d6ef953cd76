/* SPDX-License-Identifier: MIT
 * Opens ranges into eight until they are leaves. */
#include "runtime/accel/grow.h"

static uint32_t range_count(const struct rt_accel_range *range)
{
   return range->end - range->begin;
}

/* More primitives than a tree of so few nodes above each other holds, unless it is even. Six a node: halves are not
 * quite equal. */
static bool must_be_even(const struct rt_accel_grower *grower, uint32_t count, uint32_t depth)
{
   uint64_t capacity = grower->splitter.leaf_size;
   for (uint32_t i = depth + 1; i < grower->max_depth && capacity < count; i++)
      capacity *= 6;
   return count > capacity;
}

/* Which to split next: the one with the largest surface, or with the most primitives; `count` if none can be. */
static uint32_t choose(const struct rt_accel_splitter *splitter, uint32_t whole_size,
                       const struct rt_accel_range *children, uint32_t count)
{
   uint32_t chosen = count;
   float largest = -1.0f;
   for (uint32_t i = 0; i < count; i++) {
      if (range_count(&children[i]) <= whole_size)
         continue;
      const float area = splitter->tactic == RT_SPLIT_IN_HALVES ? (float)range_count(&children[i])
                                                                : rt_accel_box_area(&children[i].bounds);
      if (!(area <= largest) || chosen == count) {
         largest = area;
         chosen = i;
      }
   }
   return chosen;
}

uint32_t rt_accel_open(const struct rt_accel_grower *grower, const struct rt_accel_range *range, uint32_t depth,
                       struct rt_accel_range children[RT_ACCEL_WIDTH])
{
   struct rt_accel_splitter splitter = grower->splitter;
   uint32_t count = 1, chosen;
   children[0] = *range;
   if (must_be_even(grower, range_count(range), depth)) {
      splitter.tactic = RT_SPLIT_IN_HALVES;
      splitter.splits = NULL;
   }
   while (count < RT_ACCEL_WIDTH && (chosen = choose(&splitter, grower->whole_size, children, count)) < count) {
      struct rt_accel_range halves[2];
      rt_accel_split(&splitter, &children[chosen], halves);
      for (uint32_t i = count; i > chosen + 1; i--)
         children[i] = children[i - 1];
      children[chosen] = halves[0];
      children[chosen + 1] = halves[1];
      count++;
   }
   return count;
}

static uint32_t grow_leaf(struct rt_accel_grower *grower, const struct rt_accel_range *range)
{
   if (grower->has_instances)
      return rt_accel_ref(RT_REF_LEAF, grower->splitter.prims[range->begin].index);
   if (grower->num_leaves == grower->max_leaves) {
      grower->is_full = true;
      return rt_accel_ref(RT_REF_NONE, 0);
   }
   grower->leaves[grower->num_leaves] = (struct rt_accel_leaf_range){range->begin, range->end};
   return rt_accel_ref(RT_REF_LEAF, grower->num_leaves++);
}

void rt_accel_grow(struct rt_accel_grower *grower, const struct rt_accel_range *range, uint32_t depth)
{
   struct rt_accel_range children[RT_ACCEL_WIDTH];
   struct rt_accel_box boxes[RT_ACCEL_WIDTH];
   uint32_t refs[RT_ACCEL_WIDTH];
   if (grower->num_nodes == grower->max_nodes || depth >= grower->max_depth) {
      grower->is_full = true;
      return;
   }
   struct rt_accel_node *node = &grower->nodes[grower->num_nodes++];
   const uint32_t count = rt_accel_open(grower, range, depth, children);
   for (uint32_t i = 0; i < count && !grower->is_full; i++) {
      boxes[i] = children[i].bounds;
      if (range_count(&children[i]) <= grower->splitter.leaf_size) {
         refs[i] = grow_leaf(grower, &children[i]);
      } else {
         refs[i] = rt_accel_ref(RT_REF_NODE, grower->num_nodes);
         rt_accel_grow(grower, &children[i], depth + 1);
      }
   }
   if (!grower->is_full)
      rt_accel_node_encode(node, boxes, refs, count);
}
