/* SPDX-License-Identifier: MIT
 * Splits primitives in two by the surface area heuristic, over bins of their centres: a range by one thread, or many ranges by all threads together.
 * Source: Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies" (2007). Threads: one user a range. */
#pragma once

#include "runtime/accel/input.h"
#include "runtime/accel/loop.h"
#include "util/simd.h"

#include <math.h>

/* A primitive while it is sorted. */
struct rt_accel_prim {
   float lo[3];
   uint32_t geometry;
   float hi[3];
   uint32_t index;
};

/* Primitives [begin, end) of an array, which box they fill, and which their centres do. */
struct rt_accel_range {
   uint32_t begin, end;
   uint32_t split; /* 1 + the number of the halves that rt_accel_split_all() made of it; 0: it did not */
   uint32_t array; /* where its primitives are while rt_accel_split_all() runs; 0 otherwise */
   struct rt_accel_box bounds, centres;
};

/* How to split: by cost; by cost what all threads split together, and in the middle of the longest axis what is a thread's own; or where half of them
 * is, so that leaves are full and the tree is even. */
enum rt_accel_tactic { RT_SPLIT_BY_COST, RT_SPLIT_BY_COST_QUICKLY, RT_SPLIT_IN_HALVES };

struct rt_accel_splitter {
   enum rt_accel_tactic tactic;
   uint32_t leaf_size;                   /* primitives of a leaf: what one costs is counted in leaves */
   uint32_t min_side;                    /* primitives on either side, unless halved */
   struct rt_accel_prim *prims;          /* [the range's end] */
   const struct rt_accel_loop *loop;     /* NULL: in this thread */
   struct rt_accel_range (*splits)[2];   /* of rt_accel_split_all(); NULL: none */
};

static inline struct rt_accel_box rt_accel_box_empty(void)
{
   const rt_vec4 inf = {INFINITY, INFINITY, INFINITY, INFINITY};
   return (struct rt_accel_box){inf, -inf};
}

static inline void rt_accel_box_add(struct rt_accel_box *box, rt_vec4 lo, rt_vec4 hi)
{
   box->lo = util_f4_min(box->lo, lo);
   box->hi = util_f4_max(box->hi, hi);
}

/* Half of its surface; an infinity or NaN for those that are too large. */
static inline float rt_accel_box_area(const struct rt_accel_box *box)
{
   const rt_vec4 d = box->hi - box->lo;
   return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

/* Bounds of the primitives begin to end. */
struct rt_accel_range rt_accel_range_of(const struct rt_accel_prim *prims, uint32_t begin, uint32_t end);
/* Splits a range of more than leaf_size primitives, whose order changes; or finds the halves that it has. What comes out depends on the input alone. */
void rt_accel_split(const struct rt_accel_splitter *splitter, const struct rt_accel_range *range,
                    struct rt_accel_range halves[2]);

/* Memory of rt_accel_split_all() beside `splits`. */
struct rt_accel_split_space {
   struct rt_accel_prim *prims; /* as many as the splitter's */
   void *memory;                /* 64-byte aligned, of rt_accel_split_bytes() */
};
/* Bytes for so many primitives. */
size_t rt_accel_split_bytes(uint64_t num_prims);
/* Splits the range, its halves and so on until they have at most whole_size primitives or max_splits are made, by the splitter's loop: all ranges of a
 * level together. The halves go to splitter->splits, `range` gets the number of its own. */
void rt_accel_split_all(const struct rt_accel_splitter *splitter, const struct rt_accel_split_space *space, struct rt_accel_range *range,
                        uint32_t whole_size, uint32_t max_splits);
