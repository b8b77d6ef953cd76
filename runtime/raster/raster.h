/* SPDX-License-Identifier: MIT
 * Rasterization of one tile: from the spans of the chunks that touch it to covered blocks of fragments.
 * Spec: Rasterization; Render Pass, "Render Pass Load/Store Operations". Threads: a tile belongs to one worker at a time. */
#pragma once

#include "runtime/fragment/tile.h"
#include "runtime/geometry/chunk.h"

/* What a tile's worker walks: the spans of all chunks that touch the tile, in API order. */
struct rt_tile_span {
   const struct rt_chunk *chunk;
   uint32_t first, count; /* of the chunk's entries */
};

struct rt_tile_job {
   const struct rt_target *target;
   uint32_t tile; /* number in the grid of all layers */
   uint32_t first_row, end_row; /* texels of the tile, multiples of 16 */
   const struct rt_tile_span *spans;
   uint32_t num_spans;
   bool is_first;          /* load ops happen */
   bool is_last;           /* resolves happen */
   bool has_reads;         /* shaders read attachments: they must be where images are */
   bool *is_out_of_memory; /* set with relaxed order */
};

/* Renders rows of one tile: load ops, spans, resolves. */
void rt_tile_run(const struct rt_tile_job *job, struct rt_worker *worker);

/* Rasterizes a polygon: finds covered blocks, tests them early and adds them to the run. entry: flags of RT_ENTRY_*. */
void rt_raster_prim(struct rt_tile *tile, const struct rt_prim *prim, uint32_t entry);
