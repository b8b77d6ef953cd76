/* SPDX-License-Identifier: MIT
 * A chunk: pieces of draws that one worker turns into primitives and bins. Chunks are in API order, and so are the
 * pieces in each, so that walking the bins of all chunks in order gives API order without locks. Owns: its buffers, of
 * bounded size; a chunk that is full stops and goes on when its primitives have been drawn. Threads: one worker at a
 * time. */
#pragma once

#include "runtime/geometry/bin.h"
#include "runtime/geometry/indices.h"
#include "runtime/geometry/xfb.h"

enum {
   RT_CHUNK_PRIMS = 4096,        /* aim */
   RT_CHUNK_BYTES = 1024 * 1024, /* of primitives */
   RT_CHUNK_PAIRS = 64 * 1024,   /* of bins, unless one primitive has more */
   RT_CHUNK_PIECES = 256,
   RT_MAX_CLIPPED = 16, /* triangles that clipping makes of one, at most */
   RT_MAX_PARTS = (RT_MAX_CLIPPED + 2) * 3, /* and the lines that a polygon mode makes of these */
};

/* Primitives [first, first + count) of a draw, counted over all its instances; workgroups of a grid; or one attachment's clear of
 * a rectangle. */
struct rt_piece {
   const struct rt_draw *draw; /* NULL: a clear */
   const struct rt_mesh_grid *grid; /* NULL: primitives */
   uint64_t first;
   uint32_t count;
   uint32_t view; /* multiview: the view, and the layer */
   const struct rt_clear *clear;
   VkRect2D rect;
   uint32_t first_layer, num_layers;
};

struct rt_chunk {
   const struct rt_target *target;
   struct rt_piece *pieces; /* [RT_CHUNK_PIECES] */
   uint32_t num_pieces;
   uint32_t num_prims; /* of all pieces, before clipping */
   uint32_t num_patches; /* of these, and what they were divided into so far */
   uint64_t num_divided;
   uint32_t est_bytes;

   /* progress */
   uint32_t next_piece, next_layer;  /* where to go on; layers of a clear */
   struct rt_saved_chain *saved; /* of the piece where the chunk was full: nothing is shaded again; NULL: none */
   bool is_complete;
   bool is_out_of_memory;

   /* output */
   uint8_t *prims; /* [RT_CHUNK_BYTES], struct rt_prim at multiples of RT_PRIM_ALIGN; never moves */
   uint32_t used_bytes;
   struct rt_bin bin;
   struct rt_xfb_store xfb;
};

/* Room for the primitives that one may become. */
static inline bool rt_chunk_has_room(const struct rt_chunk *chunk, uint32_t prim_bytes)
{
   return chunk->used_bytes + prim_bytes * RT_MAX_PARTS <= RT_CHUNK_BYTES && chunk->bin.num_pairs < RT_CHUNK_PAIRS;
}

/* It has nothing that waits to be drawn or written. */
static inline bool rt_chunk_is_empty(const struct rt_chunk *chunk)
{
   return !chunk->used_bytes && rt_xfb_store_is_empty(&chunk->xfb);
}

/* Goes on until the chunk is complete or full, then sorts its bins. Sets is_complete, is_out_of_memory. */
void rt_chunk_run(struct rt_chunk *chunk, struct rt_worker *worker);
