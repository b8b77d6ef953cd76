/* SPDX-License-Identifier: MIT
 * Nodes of eight children over a range of primitives. Source: Wald, Benthin, Boulos, "Getting Rid of Packets: Efficient
 * SIMD Single-Ray Traversal using Multi-branching BVHs" (2008): the child with the largest surface is split until there
 * are eight. Threads: one user an object. */
#pragma once

#include "runtime/accel/split.h"

/* Primitives [begin, end) of a leaf. */
struct rt_accel_leaf_range {
   uint32_t begin, end;
};

/* A tree that grows: indices of nodes and leaves count from its own first ones. */
struct rt_accel_grower {
   struct rt_accel_splitter splitter;
   uint32_t whole_size; /* primitives of a range that is not opened further */
   bool has_instances;  /* a leaf's index is that of its one instance, and `leaves` is not used */
   uint32_t max_depth;
   struct rt_accel_node *nodes;
   struct rt_accel_leaf_range *leaves;
   uint32_t max_nodes, max_leaves, num_nodes, num_leaves;
   bool is_full; /* it would not fit */
};

/* Splits a range into at most eight: returns how many. `depth` nodes are above; a tree that gets too deep is made even.
 */
uint32_t rt_accel_open(const struct rt_accel_grower *grower, const struct rt_accel_range *range, uint32_t depth,
                       struct rt_accel_range children[RT_ACCEL_WIDTH]);
/* Makes the node of a range that is not empty and all that is below; the first is the root. With is_full set what was
 * made is of no use. */
void rt_accel_grow(struct rt_accel_grower *grower, const struct rt_accel_range *range, uint32_t depth);

/* Writes the boxes of `count` children in eight bits a side, rounded outward, and what the children are. */
void rt_accel_node_encode(struct rt_accel_node *node, const struct rt_accel_box *boxes, const uint32_t *refs,
                          uint32_t count);
