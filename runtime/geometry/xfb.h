/* SPDX-License-Identifier: MIT
 * Capture: what transform feedback writes of the vertices that the last stage before rasterization gives, whatever that
 * stage is. Where the number of primitives is known before they are shaded, each goes to its offset at once. Where it is
 * not, a chunk keeps what its primitives have in a store, and render/window.c writes the stores out in order: it counts first, so
 * that all can be written in parallel. Spec: Fixed-Function Vertex Post-Processing, "Transform Feedback".
 * Threads: a store is one worker's at a time; offsets are given in the queue's thread. */
#pragma once

#include "runtime/draw/draw.h"

struct rt_context;
struct rt_packet;

enum { RT_XFB_STORE_BYTES = 512 * 1024 }; /* of a stream, aim: a packet's worth may come on top */

/* A run of a captured vertex's words that go to a buffer side by side. */
struct rt_xfb_run {
   uint16_t first, count; /* words of the vertex as stores keep it */
   uint16_t offset_bytes;
   uint8_t buffer;
};

struct rt_xfb_stream {
   uint16_t first_word, num_words; /* of a vertex */
   uint16_t first_run, num_runs;
   uint8_t buffers; /* bit set of those that it goes to */
};

/* What a draw captures. Compared as bytes: no padding is left unset. */
struct rt_xfb_layout {
   uint32_t corners; /* of a primitive */
   bool is_counted;  /* the draw makes as many primitives as it takes */
   uint16_t strides[ABI_MAX_XFB_BUFFERS];
   struct rt_xfb_stream streams[ABI_MAX_STREAMS];
   uint16_t num_words;
   int16_t rows[ABI_MAX_STREAMS * ABI_NUM_SLOTS]; /* of the stage's outputs, by word; -1: nobody writes it */
   struct rt_xfb_run runs[ABI_MAX_XFB_RANGES];
};

/* What a chunk has captured, vertex after vertex in order, num_words each. Owns its memory. */
struct rt_xfb_store {
   struct {
      uint32_t *words;
      size_t count, capacity; /* words */
      uint64_t num_prims;
      struct rt_xfb_target target; /* when it is written out */
   } streams[ABI_MAX_STREAMS];
   bool is_out_of_memory;
};

/* The context's shaders and topology say what. */
void rt_xfb_layout_init(struct rt_xfb_layout *layout, const struct rt_context *context);

/* Room for so many primitives of a stream at the ends of its buffers, or as many as fit, which moves on; counts them in the
 * stream's query. `query`: NULL: none. */
struct rt_xfb_target rt_xfb_take(struct rt_xfb *xfb, const struct rt_xfb_layout *layout, uint32_t stream, uint64_t num_prims,
                                struct rt_query *query);

static inline bool rt_xfb_store_is_empty(const struct rt_xfb_store *store)
{
   size_t count = 0;
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++)
      count += store->streams[i].num_prims;
   return count == 0;
}
static inline bool rt_xfb_store_is_full(const struct rt_xfb_store *store)
{
   size_t count = 0;
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++)
      count += store->streams[i].count;
   return count * sizeof(uint32_t) >= RT_XFB_STORE_BYTES;
}
/* Room for a primitive; NULL when memory is out, which the store remembers. */
uint32_t *rt_xfb_store_add(struct rt_xfb_store *store, uint32_t stream, size_t num_words);
void rt_xfb_store_clear(struct rt_xfb_store *store);
/* Gives back memory that it rarely needs; it is empty. */
void rt_xfb_store_trim(struct rt_xfb_store *store);
void rt_xfb_store_finish(struct rt_xfb_store *store);
/* Writes out what the store has, to its targets. */
void rt_xfb_store_write(const struct rt_xfb_store *store, const struct rt_xfb_layout *layout);

/* Captures the packet's primitives, whose number `first` is the draw's primitive `number`: to `target`, or `store` if the
 * draw is not counted. The batch has kept its outputs; triangles are not yet turned to their provoking vertices. */
void rt_xfb_capture(const struct rt_context *context, const struct rt_packet *packet, uint64_t number,
                    const struct rt_xfb_target *target, struct rt_xfb_store *store);
/* The same of one primitive that a geometry shader has made. corners: each vertex's lane in row 0, rows `stride` apart. */
void rt_xfb_capture_prim(const struct rt_xfb_layout *layout, uint32_t stream, const uint32_t *const *corners, uint32_t stride,
                         struct rt_xfb_store *store);
