/* SPDX-License-Identifier: MIT
 * A render pass instance at work, as the files of this folder share it: draws are collected as chunks of bounded size, a
 * window of chunks is worked on, and so on. Owns its memory, which it keeps between instances. Threads: the queue's; items
 * of a window's tasks read it, and write the chunk or tile that they are of. Once put off it is its tasks', until they are done. */
#pragma once

#include "runtime/geometry/chunk.h"
#include "runtime/geometry/task_shader.h"
#include "runtime/geometry/xfb.h"
#include "runtime/raster/raster.h"
#include "runtime/render/level.h"
#include "runtime/render/render.h"
#include "runtime/render/share.h"
#include "util/arena.h"

enum {
   RT_MAX_CHUNKS = 128,                     /* that wait: with RT_CHUNK_BYTES a bound of memory */
   RT_WINDOW_BYTES = 16 * 1024 * 1024,      /* of primitives, as far as they can be foreseen: they stay in a cache */
   RT_FIRST_DIVISION = 16,                  /* primitives of a patch, before any is known */
};

struct rt_render {
   struct rt_pool *pool;
   struct rt_worker *worker;
   struct rt_graph *graph; /* the queue's: instances that were put off; vertex work of chunks that are closed, while more are collected */
   const struct rt_level_ops *ops;

   struct rt_target target;
   bool is_open;    /* between begin and end */
   bool is_started; /* load ops have happened */
   bool has_reads;  /* a draw reads attachments */
   bool has_loops;  /* a draw's fragment shader has them */
   bool has_company; /* other instances keep the threads busy */

   struct util_arena arena; /* contexts, draws, segments, clears of the chunks that wait */
   struct rt_share share;   /* what the next draw may point to, in the arena */

   struct rt_chunk chunks[RT_MAX_CHUNKS]; /* buffers are kept for reuse; in a graph's task each is its worker's until rt_window_run() */
   uint32_t num_chunks;
   uint64_t before_geometry;           /* a task of the graph; 0: none */
   uint64_t early[RT_MAX_CHUNKS];      /* tasks of the chunks that have begun */
   uint32_t num_early;
   uint64_t est_bytes;  /* of those closed, if nothing were culled */
   uint64_t cleared_px; /* by them and the open one */
   uint32_t used_256ths; /* of 256 bytes that were foreseen so many were needed, in the window before; then some */
   bool has_excess;     /* a window needed far more than was foreseen */
   uint32_t division;   /* primitives that a patch is divided into, as windows before had it */
   bool has_open_chunk; /* the last one takes more pieces */

   /* One window: the spans of all chunks by tile. */
   struct rt_tile_span *spans;
   uint32_t span_capacity;
   uint32_t *first_span; /* [num_tiles + 1] */
   uint32_t *tiles;      /* those to render */
   uint32_t tile_capacity;
   uint32_t num_active;  /* bands of tiles */
   uint32_t num_bands;   /* of a tile: 1 or RT_TILE_BANDS, which workers render each by itself */
   bool is_first, is_last;
   bool has_rest; /* put off, and a chunk is full: more than one window is needed */
   bool is_out_of_memory;

   struct rt_task_store tasks; /* of the chunks that wait */

   /* Transform feedback of the chunks that wait. */
   bool has_xfb;                    /* there is some */
   struct rt_xfb_layout xfb_layout; /* of those whose primitives are counted when they are shaded */
   bool has_xfb_stores;             /* there are such */
   struct rt_xfb *xfb;
   struct rt_query *captured[ABI_MAX_STREAMS];
};

/* render.c */
/* Runs what was collected, and load operations and resolves that are left. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_render_finish_on(struct rt_render *render, bool is_last, struct rt_worker *worker);
/* There is nothing that it could do. */
bool rt_render_is_empty(const struct rt_render *render);

/* window.c */
/* Waits for the graph, then draws everything that was collected. `is_last`: resolves happen. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_window_run(struct rt_render *render, bool is_last);
/* The same on any thread, when all that it waits for is done. */
UTIL_MUST_CHECK VkResult rt_window_run_on(struct rt_render *render, bool is_last, struct rt_worker *worker);
/* Geometry of the closed chunk begins on another thread, as long as its draws are small: collecting them takes time too. */
void rt_window_begin_chunk(struct rt_render *render, struct rt_chunk *chunk);
/* Renders tiles with what chunks [0, count) hold. False when memory is out. */
UTIL_MUST_CHECK bool rt_window_run_tiles(struct rt_render *render, uint32_t count, bool is_last, struct rt_worker *worker);
/* The halves of it: lists the active tiles, an item each of the other. */
UTIL_MUST_CHECK bool rt_window_collect_tiles(struct rt_render *render, uint32_t count, bool is_last);
rt_item_fn rt_window_run_tile;
/* An item a chunk. */
rt_item_fn rt_window_run_chunk;
/* After all chunks have run: they foretell the next ones. */
void rt_window_learn(struct rt_render *render);
/* Nothing waits any more. */
void rt_window_drop_chunks(struct rt_render *render);
/* Gives back what a window had to take beyond its usual memory. */
void rt_window_give_back(struct rt_render *render);
/* The chunk has nothing that waits to be drawn or written any more. */
void rt_window_reset_chunk(struct rt_chunk *chunk);
