/* SPDX-License-Identifier: MIT
 * Splits primitives in two by the surface area heuristic, over bins of their centres.
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
   struct rt_accel_box bounds, centres;
};

/* How to split: by cost; by cost what all threads split together, and in the middle of the longest axis what is a thread's own; or where half of them
 * is, so that leaves are full and the tree is even. */
enum rt_accel_tactic { RT_SPLIT_BY_COST, RT_SPLIT_BY_COST_QUICKLY, RT_SPLIT_IN_HALVES };

struct rt_accel_splitter {
   enum rt_accel_tactic tactic;
   uint32_t leaf_size;                 /* primitives of a leaf: what one costs is counted in leaves */
   uint32_t min_side;                  /* primitives on either side, unless halved */
   struct rt_accel_prim *prims;        /* [the range's end] */
   struct rt_accel_prim *spare;        /* as many; this and what follows: for splits by many threads */
   struct rt_accel_split_space *space; /* NULL: a range is one piece, split in place */
   const struct rt_accel_loop *loop;   /* NULL: in this thread */
};

size_t rt_accel_split_space_bytes(void);

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
/* Splits a range of more than leaf_size primitives, whose order changes. What comes out depends on the input alone. */
void rt_accel_split(const struct rt_accel_splitter *splitter, const struct rt_accel_range *range,
                    struct rt_accel_range halves[2]);
