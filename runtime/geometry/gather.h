/* SPDX-License-Identifier: MIT
 * Gathering: which vertices the primitives of a batch need, each index once where that is cheap to know, and which of
 * them are the corners of each primitive. Spec: Drawing, "Primitive Topologies", "Programmable Primitive Shading".
 * Threads: one worker at a time; the arrays lie in its scratch memory. */
#pragma once

#include "runtime/geometry/shade.h"

enum {
   RT_BATCH_PRIMS = 4096,    /* at most, where they share vertices */
   RT_BATCH_VERTICES = 3072, /* so each batch takes a thousand triangles at least */
   RT_GATHER_CACHE_ENTRIES = 2048,
};

struct rt_gather {
   uint64_t *cache_keys; /* [RT_GATHER_CACHE_ENTRIES] stamp << 32 | index: direct-mapped, so a miss shades a vertex twice */
   uint16_t *cache_slots;
   uint32_t stamp;
   uint8_t *marks;      /* [RT_BATCH_VERTICES] */
   uint16_t *slots;     /* [RT_BATCH_VERTICES] */
   uint32_t *positions; /* [RT_BATCH_PRIMS * 3] */

   /* Output. */
   uint16_t *corners;       /* [RT_BATCH_PRIMS * 3] vertices of the batch; 16 triangles can be read from each */
   uint32_t *primitive_ids; /* [RT_BATCH_PRIMS], rounded up to 16 */
   uint8_t *starts; /* [RT_BATCH_PRIMS] nonzero: the first primitive of a strip; for context->continues_lines */
};

/* Gathers primitives of the draw from number `first` on, over instances and segments, `count` at most; returns how many
 * fit, at least one. Fills the batch's indices and all output arrays. */
uint32_t rt_gather(struct rt_gather *gather, struct rt_batch *batch, const struct rt_draw *draw, uint64_t first,
                   uint32_t count, uint32_t corners_per_prim);
