/* SPDX-License-Identifier: MIT
 * Bins: which primitives of one chunk touch which tile, in API order.
 * A binner collects (tile, entry) pairs; sorting groups them by tile and leaves one span for each tile that is touched.
 * Threads: one writer; readers after rt_bin_sort(). */
#pragma once

#include "runtime/draw/primitive.h"
#include "runtime/draw/target.h"

/* An entry: the primitive's offset in the chunk's buffer in units of RT_PRIM_ALIGN bytes, and flags that say what the
 * tile's worker may not assume. No flag set: the primitive covers the whole tile. */
enum {
   RT_ENTRY_EDGE_SHIFT = 24, /* four bits: edge i may cross the tile */
   RT_ENTRY_BOUNDS = 1 << 28, /* the bounds cut the tile */
   RT_ENTRY_COVERS = 1 << 29, /* all of the tile that lies in the render area is covered */
   RT_ENTRY_OFFSET = (1 << 24) - 1,
};

struct rt_bin_pair {
   uint32_t tile, entry;
};

struct rt_bin_span {
   uint32_t tile, first, count; /* entries[first, first + count) */
};

struct rt_bin {
   struct rt_bin_pair *pairs;
   uint32_t num_pairs, pair_capacity;
   uint32_t *entries; /* [num_pairs] */
   uint32_t entry_capacity;
   struct rt_bin_span *spans;
   uint32_t num_spans, span_capacity;
   uint32_t *counts; /* scratch of the sort */
   uint32_t count_capacity;
};

/* Adds the primitive to all tiles of `layer` that it may cover. False when memory is out. */
UTIL_MUST_CHECK bool rt_bin_prim(struct rt_bin *bin, const struct rt_target *target, const struct rt_prim *prim,
                                 uint32_t offset, uint32_t layer);

/* The same; small primitives in one tile need no more than this. */
UTIL_MUST_CHECK static inline bool rt_bin_add(struct rt_bin *bin, const struct rt_target *target,
                                              const struct rt_prim *prim, uint32_t offset, uint32_t layer)
{
   const uint32_t tx = prim->x0 >> RT_TILE_LOG2, ty = prim->y0 >> RT_TILE_LOG2;
   if (!prim->is_small || tx != (uint32_t)(prim->x1 - 1) >> RT_TILE_LOG2 ||
       ty != (uint32_t)(prim->y1 - 1) >> RT_TILE_LOG2 || bin->num_pairs >= bin->pair_capacity)
      return rt_bin_prim(bin, target, prim, offset, layer);
   const uint32_t row = layer * target->tiles_y + ty - (uint32_t)target->tile_y0;
   const uint32_t edges = ((1u << prim->num_edges) - 1) << RT_ENTRY_EDGE_SHIFT;
   bin->pairs[bin->num_pairs++] = (struct rt_bin_pair){row * target->tiles_x + tx - (uint32_t)target->tile_x0,
                                                       offset / RT_PRIM_ALIGN | edges | RT_ENTRY_BOUNDS};
   return true;
}

/* Makes entries and spans (ascending by tile) from the pairs. False when memory is out. */
UTIL_MUST_CHECK bool rt_bin_sort(struct rt_bin *bin);
void rt_bin_finish(struct rt_bin *bin);
