/* SPDX-License-Identifier: MIT
 * Windows: geometry over the chunks that were collected, then the tiles that they touch.
 *
 * Chunks have a bounded size. When one is full before its pieces are done, the tiles are rendered with everything up to
 * there, in order, and geometry goes on; so memory is bounded and API order holds, whatever is drawn. */
#include "runtime/render/instance.h"

#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

enum {
   MAX_DIVISION = 1024, /* primitives of a patch, as far as they are foreseen */
   MANY_PIECES = 64,     /* in a chunk: collecting them is work worth sharing */
   MAX_DIVIDED_TILES = 8,
};

void rt_window_run_chunk(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   struct rt_chunk *chunk = &render->chunks[index];
   if (!chunk->is_complete && !chunk->is_out_of_memory && rt_chunk_is_empty(chunk))
      render->ops->chunk_run(chunk, worker);
}

/* What is run of a chunk before its window. */
struct early_chunk {
   struct rt_render *render;
   struct rt_chunk *chunk;
};

static void run_early(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct early_chunk *early = data;
   early->render->ops->chunk_run(early->chunk, worker);
}

void rt_window_begin_chunk(struct rt_render *render, struct rt_chunk *chunk)
{
   if (chunk->num_pieces < MANY_PIECES || rt_pool_num_threads(render->pool) == 1)
      return;
   struct early_chunk *early = UTIL_ARENA_NEW(&render->arena, struct early_chunk);
   if (!early)
      return; /* later, with all the others */
   *early = (struct early_chunk){render, chunk};
   const uint64_t number = rt_graph_add(render->graph, run_early, early, 1, 1, &render->before_geometry, 1, "vertex work");
   if (number)
      render->early[render->num_early++] = number;
}

void rt_window_run_tile(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   const uint32_t tile = render->tiles[index / render->num_bands], rows = RT_TILE / render->num_bands;
   const struct rt_tile_job job = {
      .target = &render->target,
      .tile = tile,
      .first_row = index % render->num_bands * rows,
      .end_row = (index % render->num_bands + 1) * rows,
      .spans = render->spans ? render->spans + render->first_span[tile] : NULL,
      .num_spans = render->first_span[tile + 1] - render->first_span[tile],
      .is_first = render->is_first,
      .is_last = render->is_last,
      .has_reads = render->has_reads,
      .is_out_of_memory = &render->is_out_of_memory,
   };
   render->ops->tile_run(&job, worker);
}

static bool reserve_window(struct rt_render *render, uint32_t num_spans)
{
   const uint32_t num_tiles = render->target.num_tiles;
   if (num_spans > render->span_capacity) {
      void *grown = util_realloc(render->spans, util_size_mul(2 * sizeof(*render->spans), num_spans));
      if (!grown)
         return false;
      render->spans = grown;
      render->span_capacity = num_spans * 2;
   }
   if (num_tiles > render->tile_capacity || !render->first_span) {
      const size_t wanted = UTIL_MAX(num_tiles, 256u);
      void *first = util_realloc(render->first_span, sizeof(*render->first_span) * (wanted + 1));
      if (!first)
         return false;
      render->first_span = first;
      void *tiles = util_realloc(render->tiles, sizeof(*render->tiles) * wanted);
      if (!tiles)
         return false;
      render->tiles = tiles;
      render->tile_capacity = (uint32_t)wanted;
   }
   return true;
}

/* Groups the spans of chunks [0, count) by tile, each tile's in the order of chunks, and lists the tiles to render. */
static bool collect_tiles(struct rt_render *render, uint32_t count, bool all_tiles)
{
   uint32_t num_spans = 0;
   for (uint32_t i = 0; i < count; i++)
      num_spans += render->chunks[i].bin.num_spans;
   if (!reserve_window(render, num_spans))
      return false;
   const uint32_t num_tiles = render->target.num_tiles;
   uint32_t *first = render->first_span;
   memset(first, 0, sizeof(*first) * ((size_t)num_tiles + 1));
   for (uint32_t i = 0; i < count; i++)
      for (uint32_t s = 0; s < render->chunks[i].bin.num_spans; s++)
         first[render->chunks[i].bin.spans[s].tile]++;
   uint32_t sum = 0;
   render->num_active = 0;
   for (uint32_t t = 0; t < num_tiles; t++) {
      const uint32_t n = first[t];
      if (n || all_tiles)
         render->tiles[render->num_active++] = t;
      sum += n;
      first[t] = sum; /* the end, for now: filling from the last chunk on turns it into the beginning */
   }
   first[num_tiles] = sum;
   for (uint32_t i = count; i-- > 0;) {
      const struct rt_chunk *chunk = &render->chunks[i];
      for (uint32_t s = 0; s < chunk->bin.num_spans; s++) {
         const struct rt_bin_span *span = &chunk->bin.spans[s];
         render->spans[--first[span->tile]] = (struct rt_tile_span){chunk, span->first, span->count};
      }
   }
   return true;
}

/* Tiles are divided where few of them hold all of the work. Not by the number of threads: which fragments are in a subgroup would depend on it. */
static uint32_t num_bands(const struct rt_render *render)
{
   return render->has_loops && render->target.num_tiles <= MAX_DIVIDED_TILES ? RT_TILE_BANDS : 1;
}

bool rt_window_collect_tiles(struct rt_render *render, uint32_t count, bool is_last)
{
   render->is_first = !render->is_started;
   render->is_last = is_last;
   const bool all_tiles =
      (render->is_first && render->target.has_load_clears) || (is_last && render->target.has_resolves);
   if (!collect_tiles(render, count, all_tiles))
      return false;
   render->num_bands = num_bands(render);
   render->num_active *= render->num_bands;
   render->is_started = true;
   return true;
}

bool rt_window_run_tiles(struct rt_render *render, uint32_t count, bool is_last, struct rt_worker *worker)
{
   if (!rt_window_collect_tiles(render, count, is_last))
      return false;
   if (render->num_active)
      rt_pool_run(render->pool, worker, rt_window_run_tile, render, render->num_active, 1, "rendering tiles");
   return !render->is_out_of_memory;
}

void rt_window_reset_chunk(struct rt_chunk *chunk)
{
   chunk->used_bytes = 0;
   chunk->bin.num_pairs = 0;
   chunk->bin.num_spans = 0;
   rt_xfb_store_clear(&chunk->xfb);
}

/* ---- transform feedback ---- */

static void write_store(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   rt_xfb_store_write(&render->chunks[index].xfb, &render->xfb_layout);
}

/* What chunks [0, count) have captured goes to its targets: those follow from what is before. */
static void write_captures(struct rt_render *render, uint32_t count, struct rt_worker *worker)
{
   bool has_any = false;
   if (!render->has_xfb_stores)
      return;
   for (uint32_t i = 0; i < count; i++) {
      struct rt_xfb_store *store = &render->chunks[i].xfb;
      for (uint32_t s = 0; s < ABI_MAX_STREAMS; s++) {
         if (!store->streams[s].num_prims)
            continue;
         store->streams[s].target =
            rt_xfb_take(render->xfb, &render->xfb_layout, s, store->streams[s].num_prims, render->captured[s]);
         has_any = true;
      }
   }
   if (has_any)
      rt_pool_run(render->pool, worker, write_store, render, count, 1, "transform feedback");
}

void rt_window_drop_chunks(struct rt_render *render)
{
   for (uint32_t i = 0; i < render->num_chunks; i++) {
      rt_window_reset_chunk(&render->chunks[i]);
      render->chunks[i].num_pieces = 0;
      util_mfree(render->chunks[i].saved);
      render->chunks[i].saved = NULL;
   }
   render->num_chunks = render->num_early = 0;
   render->est_bytes = 0;
   render->cleared_px = 0;
   render->has_open_chunk = false;
   render->has_xfb = render->has_xfb_stores = false;
}

/* Moves the chunks behind the first `count` to the front; the buffers of those rotate to the back. */
static void retire_chunks(struct rt_render *render, uint32_t count)
{
   for (uint32_t i = count; i < render->num_chunks; i++) {
      const struct rt_chunk swap = render->chunks[i - count];
      render->chunks[i - count] = render->chunks[i];
      render->chunks[i] = swap;
   }
   render->num_chunks -= count;
}

/* What culling leaves is much the same from window to window: where it is little, a window takes more, because each is
 * a halt for all threads. */
static void learn_use(struct rt_render *render)
{
   uint64_t used = 0, est = 0;
   for (uint32_t i = 0; i < render->num_chunks; i++) {
      used += render->chunks[i].used_bytes;
      est += render->chunks[i].est_bytes;
   }
   if (est >= RT_CHUNK_BYTES)
      render->used_256ths = (uint32_t)UTIL_CLAMP(used * 320 / est, 16u, 256u);
   render->has_excess |= used > 2 * (uint64_t)RT_WINDOW_BYTES;
}

/* Patches are divided much alike from window to window; a chunk that they fill says only that it is more than was foreseen. */
static void learn_division(struct rt_render *render)
{
   uint64_t patches = 0, divided = 0;
   bool is_full = false;
   for (uint32_t i = 0; i < render->num_chunks; i++) {
      const struct rt_chunk *chunk = &render->chunks[i];
      is_full |= chunk->num_patches && !chunk->is_complete;
      patches += chunk->is_complete ? chunk->num_patches : 0;
      divided += chunk->is_complete ? chunk->num_divided : 0;
   }
   if (patches)
      render->division = (uint32_t)UTIL_CLAMP((divided + patches - 1) / patches, 1u, (uint64_t)MAX_DIVISION);
   else if (is_full)
      render->division = UTIL_MIN(render->division * 8, (uint32_t)MAX_DIVISION);
}

void rt_window_learn(struct rt_render *render)
{
   learn_use(render);
   learn_division(render);
}

void rt_window_give_back(struct rt_render *render)
{
   for (uint32_t i = RT_WINDOW_BYTES / RT_CHUNK_BYTES; i < RT_MAX_CHUNKS && render->has_excess; i++) {
      util_mfree(render->chunks[i].prims);
      render->chunks[i].prims = NULL;
   }
   for (uint32_t i = 0; i < RT_MAX_CHUNKS; i++)
      rt_xfb_store_trim(&render->chunks[i].xfb);
   render->has_excess = false;
}

VkResult rt_window_run(struct rt_render *render, bool is_last)
{
   render->has_open_chunk = false;
   rt_graph_wait(render->graph, render->worker);
   return rt_window_run_on(render, is_last, render->worker);
}

VkResult rt_window_run_on(struct rt_render *render, bool is_last, struct rt_worker *worker)
{
   bool is_done = render->num_chunks == 0, has_learned = false;
   while (!is_done) {
      if (rt_pool_is_cancelled(render->pool))
         break;
      rt_pool_run(render->pool, worker, rt_window_run_chunk, render, render->num_chunks, 1, "vertex work");
      if (rt_pool_is_cancelled(render->pool))
         break;
      if (!has_learned)
         rt_window_learn(render);
      has_learned = true;
      uint32_t ready = 0; /* complete chunks from the front */
      for (uint32_t i = 0; i < render->num_chunks; i++)
         if (render->chunks[i].is_out_of_memory)
            goto out_of_memory;
      while (ready < render->num_chunks && render->chunks[ready].is_complete)
         ready++;
      is_done = ready == render->num_chunks;
      write_captures(render, is_done ? ready : ready + 1, worker);
      /* A chunk that is full goes with those before it and then on; what comes after it waits. */
      if (!rt_window_run_tiles(render, is_done ? ready : ready + 1, is_last && is_done, worker))
         goto out_of_memory;
      if (!is_done)
         rt_window_reset_chunk(&render->chunks[ready]);
      for (uint32_t i = 0; i < ready; i++)
         rt_window_reset_chunk(&render->chunks[i]);
      retire_chunks(render, ready);
   }
   rt_window_drop_chunks(render);
   return VK_SUCCESS;

out_of_memory:
   rt_window_drop_chunks(render);
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}
