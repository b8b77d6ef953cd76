/* SPDX-License-Identifier: MIT
 * A render pass instance: collects draws as chunks, runs geometry over the chunks and then the tiles that they touch.
 *
 * Chunks have a bounded size. When one is full before its pieces are done, the tiles are rendered with everything up to
 * there, in order, and geometry goes on; so memory is bounded and API order holds, whatever is drawn. */
#include "runtime/render.h"

#include "runtime/geometry/chunk.h"
#include "runtime/geometry/task_shader.h"
#include "runtime/geometry/xfb.h"
#include "runtime/parts.h"
#include "runtime/raster/tile.h"
#include "util/alloc.h"
#include "util/cpu.h"
#include "util/size.h"

#include <string.h>

enum {
   MAX_CHUNKS = 128,                  /* that wait: with RT_CHUNK_BYTES a bound of memory */
   MAX_ARENA_BYTES = 16 * 1024 * 1024, /* of draws and contexts that wait */
   MAX_WHOLE_PRIMS = 1 << 30,          /* of a piece that is not cut */
   MAX_DRAW_PRIMS = 16 * 1024 * 1024,  /* primitives of a draw are added to chunks in steps */
   CHUNK_BYTES_AIM = RT_CHUNK_BYTES * 7 / 8,
   FIRST_DIVISION = 16, MOST_DIVISION = 1024, /* primitives of a patch, as far as they are foreseen */
   WINDOW_BYTES = 16 * 1024 * 1024, /* of primitives, as far as they can be foreseen: they stay in a cache */
   MAX_CLEARED_PX = 1 << 28, /* by rectangles, in a window: it is seen only at its end how far a command is */
};

/* The builds of the renderer for instruction sets above the baseline. */
extern const struct rt_level_ops rt_level_ops_v3, rt_level_ops_v4;

struct rt_render {
   struct rt_pool *pool;
   struct rt_worker *worker;
   const struct rt_level_ops *ops;

   struct rt_target target;
   bool is_open;    /* between begin and end */
   bool is_started; /* load ops have happened */
   bool has_reads;  /* a draw reads attachments */

   struct util_arena arena; /* contexts, draws, segments, clears of the chunks that wait */
   uint64_t generation;
   const struct rt_context *context; /* of `generation`; NULL: none yet */

   struct rt_chunk chunks[MAX_CHUNKS]; /* buffers are kept for reuse */
   uint32_t num_chunks;
   uint64_t est_bytes;  /* of those closed, if nothing were culled */
   uint64_t cleared_px; /* by them and the open one */
   uint32_t survival;   /* of 256 bytes that were foreseen so many were needed, in the window before; then some */
   bool has_excess;     /* a window needed far more than was foreseen */
   uint32_t division;   /* primitives that a patch is divided into, as windows before had it */
   bool has_open_chunk; /* the last one takes more pieces */

   /* One window: the spans of all chunks by tile. */
   struct rt_tile_span *spans;
   uint32_t span_capacity;
   uint32_t *first_span; /* [num_tiles + 1] */
   uint32_t *tiles;      /* those to render */
   uint32_t tile_capacity;
   uint32_t num_active;
   bool is_first, is_last;
   bool is_out_of_memory;
   uint32_t first_run, num_run; /* chunks of the geometry task */

   struct rt_task_store tasks; /* of the chunks that wait */

   /* Transform feedback of the chunks that wait. */
   bool has_xfb;                    /* there is some */
   struct rt_xfb_layout xfb_layout; /* of those whose primitives are counted when they are shaded */
   bool has_xfb_stores;             /* there are such */
   struct rt_xfb *xfb;
   struct rt_query *captured[ABI_MAX_STREAMS];
};

static const struct rt_level_ops *choose_level(void)
{
#if defined(__x86_64__)
   switch (util_cpu_level()) {
   case UTIL_CPU_V4_FP16:
   case UTIL_CPU_V4:
      return &rt_level_ops_v4;
   case UTIL_CPU_V3:
      return &rt_level_ops_v3;
   default:
      break;
   }
#endif
   return &rt_level_ops;
}

struct rt_render *rt_render_create(struct rt_pool *pool, struct rt_worker *worker)
{
   struct rt_render *render = util_calloc(1, sizeof(*render));
   if (!render)
      return NULL;
   render->pool = pool;
   render->worker = worker;
   render->ops = choose_level();
   render->survival = 256;
   render->division = FIRST_DIVISION;
   util_arena_init(&render->arena, 0);
   return render;
}

static void finish_chunk(struct rt_chunk *chunk)
{
   rt_bin_finish(&chunk->bin);
   util_mfree(chunk->pieces);
   util_mfree(chunk->prims);
   util_mfree(chunk->saved);
   rt_xfb_store_finish(&chunk->xfb);
   *chunk = (struct rt_chunk){0};
}

void rt_render_destroy(struct rt_render *render)
{
   if (!render)
      return;
   for (uint32_t i = 0; i < MAX_CHUNKS; i++)
      finish_chunk(&render->chunks[i]);
   rt_task_store_finish(&render->tasks);
   util_arena_finish(&render->arena);
   util_mfree(render->spans);
   util_mfree(render->first_span);
   util_mfree(render->tiles);
   util_mfree(render);
}

/* ---- the target ---- */

/* No image is larger, and primitives' bounds have 16 bits. */
enum { MAX_EXTENT = 16384 };

static void limit_area(struct rt_target *target, const struct rt_attachment *attachment)
{
   if (!attachment->view || !attachment->view->data)
      return;
   target->x1 = UTIL_MIN(target->x1, (int32_t)attachment->view->levels[0].width);
   target->y1 = UTIL_MIN(target->y1, (int32_t)attachment->view->levels[0].height);
   target->num_layers = UTIL_MIN(target->num_layers, UTIL_MAX(attachment->view->num_layers, 1u));
   const uint32_t num_samples = UTIL_MAX(attachment->view->num_samples, 1u);
   target->num_samples = target->num_samples ? UTIL_MIN(target->num_samples, num_samples) : num_samples; /* all have these */
   target->has_load_clears |= attachment->load_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
   target->has_resolves |= attachment->resolve_view && attachment->resolve_mode != VK_RESOLVE_MODE_NONE;
}

void rt_render_begin(struct rt_render *render, const struct rt_cmd_begin_rendering *begin)
{
   struct rt_target *t = &render->target;
   memset(t, 0, sizeof(*t));
   const int64_t right = (int64_t)begin->area.offset.x + begin->area.extent.width;
   const int64_t bottom = (int64_t)begin->area.offset.y + begin->area.extent.height;
   t->x0 = UTIL_CLAMP(begin->area.offset.x, 0, (int32_t)MAX_EXTENT);
   t->y0 = UTIL_CLAMP(begin->area.offset.y, 0, (int32_t)MAX_EXTENT);
   t->x1 = (int32_t)UTIL_MIN(right, (int64_t)MAX_EXTENT);
   t->y1 = (int32_t)UTIL_MIN(bottom, (int64_t)MAX_EXTENT);
   t->view_mask = begin->view_mask;
   t->num_layers = begin->view_mask ? 32 - (uint32_t)__builtin_clz(begin->view_mask) : UTIL_MAX(begin->num_layers, 1u);
   t->num_colors = UTIL_MIN(begin->num_colors, (uint32_t)ABI_MAX_ATTACHMENTS);
   memcpy(t->colors, begin->colors, sizeof(t->colors[0]) * t->num_colors);
   t->depth = begin->depth;
   t->stencil = begin->stencil;
   t->rates = begin->rates;
   for (uint32_t i = 0; i < t->num_colors; i++)
      limit_area(t, &t->colors[i]);
   limit_area(t, &t->depth);
   limit_area(t, &t->stencil);
   t->x1 = UTIL_MAX(t->x1, t->x0);
   t->y1 = UTIL_MAX(t->y1, t->y0);
   t->tile_x0 = t->x0 >> RT_TILE_LOG2;
   t->tile_y0 = t->y0 >> RT_TILE_LOG2;
   t->tiles_x = (uint32_t)(((t->x1 + RT_TILE - 1) >> RT_TILE_LOG2) - t->tile_x0);
   t->tiles_y = (uint32_t)(((t->y1 + RT_TILE - 1) >> RT_TILE_LOG2) - t->tile_y0);
   if (t->x0 == t->x1 || t->y0 == t->y1)
      t->tiles_x = t->tiles_y = 0;
   t->num_tiles = t->tiles_x * t->tiles_y * t->num_layers;

   render->is_open = true;
   render->is_started = begin->is_resuming;
   render->has_reads = false;
   t->is_whole = !begin->is_resuming && !begin->is_suspending;
   if (begin->is_suspending)
      t->has_resolves = false; /* the last part of the chain resolves */
   render->is_out_of_memory = false;
   render->context = NULL;
}

/* ---- windows: geometry, then tiles ---- */

static void run_chunk(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   struct rt_chunk *chunk = &render->chunks[render->first_run + index];
   if (!chunk->is_complete && rt_chunk_is_empty(chunk))
      render->ops->chunk_run(chunk, worker);
}

static void run_tile(void *data, uint32_t index, struct rt_worker *worker)
{
   struct rt_render *render = data;
   const uint32_t tile = render->tiles[index];
   const struct rt_tile_job job = {
      .target = &render->target,
      .tile = tile,
      .spans = render->spans + render->first_span[tile],
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

/* Renders tiles with what chunks [0, count) hold. `is_last`: resolves happen. */
static bool run_tiles(struct rt_render *render, uint32_t count, bool is_last)
{
   render->is_first = !render->is_started;
   render->is_last = is_last;
   const bool all_tiles =
      (render->is_first && render->target.has_load_clears) || (is_last && render->target.has_resolves);
   if (!collect_tiles(render, count, all_tiles))
      return false;
   render->is_started = true;
   if (render->num_active)
      rt_pool_run(render->pool, render->worker, run_tile, render, render->num_active, 1, "rendering tiles");
   return !render->is_out_of_memory;
}

static void reset_output(struct rt_chunk *chunk)
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

/* What chunks [0, count) have captured goes to its places: those follow from what is before. */
static void write_captures(struct rt_render *render, uint32_t count)
{
   bool has_any = false;
   if (!render->has_xfb_stores)
      return;
   for (uint32_t i = 0; i < count; i++) {
      struct rt_xfb_store *store = &render->chunks[i].xfb;
      for (uint32_t s = 0; s < ABI_MAX_STREAMS; s++) {
         if (!store->streams[s].num_prims)
            continue;
         store->streams[s].place =
            rt_xfb_take(render->xfb, &render->xfb_layout, s, store->streams[s].num_prims, render->captured[s]);
         has_any = true;
      }
   }
   if (has_any)
      rt_pool_run(render->pool, render->worker, write_store, render, count, 1, "transform feedback");
}

static void drop_chunks(struct rt_render *render)
{
   for (uint32_t i = 0; i < render->num_chunks; i++) {
      reset_output(&render->chunks[i]);
      render->chunks[i].num_pieces = 0;
      util_mfree(render->chunks[i].saved);
      render->chunks[i].saved = NULL;
   }
   render->num_chunks = 0;
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
static void learn_survival(struct rt_render *render)
{
   uint64_t used = 0, est = 0;
   for (uint32_t i = 0; i < render->num_chunks; i++) {
      used += render->chunks[i].used_bytes;
      est += render->chunks[i].est_bytes;
   }
   if (est >= RT_CHUNK_BYTES)
      render->survival = (uint32_t)UTIL_CLAMP(used * 320 / est, 16u, 256u);
   render->has_excess |= used > 2 * (uint64_t)WINDOW_BYTES;
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
      render->division = (uint32_t)UTIL_CLAMP((divided + patches - 1) / patches, 1u, (uint64_t)MOST_DIVISION);
   else if (is_full)
      render->division = UTIL_MIN(render->division * 8, (uint32_t)MOST_DIVISION);
}

/* Gives back what a window had to take beyond its usual memory. */
static void give_back(struct rt_render *render)
{
   for (uint32_t i = WINDOW_BYTES / RT_CHUNK_BYTES; i < MAX_CHUNKS && render->has_excess; i++) {
      util_mfree(render->chunks[i].prims);
      render->chunks[i].prims = NULL;
   }
   for (uint32_t i = 0; i < MAX_CHUNKS; i++)
      rt_xfb_store_trim(&render->chunks[i].xfb);
   render->has_excess = false;
}

/* Draws everything that was collected. */
static VkResult run_window(struct rt_render *render, bool is_last)
{
   render->has_open_chunk = false;
   bool is_done = render->num_chunks == 0, has_learned = false;
   while (!is_done) {
      if (rt_pool_is_cancelled(render->pool))
         break;
      render->first_run = 0;
      render->num_run = render->num_chunks;
      rt_pool_run(render->pool, render->worker, run_chunk, render, render->num_run, 1, "vertex work");
      if (rt_pool_is_cancelled(render->pool))
         break;
      if (!has_learned) {
         learn_survival(render);
         learn_division(render);
      }
      has_learned = true;
      uint32_t ready = 0; /* complete chunks from the front */
      for (uint32_t i = 0; i < render->num_chunks; i++)
         if (render->chunks[i].is_out_of_memory)
            goto out_of_memory;
      while (ready < render->num_chunks && render->chunks[ready].is_complete)
         ready++;
      is_done = ready == render->num_chunks;
      write_captures(render, is_done ? ready : ready + 1);
      /* A chunk that is full goes with those before it and then on; what comes after it waits. */
      if (!run_tiles(render, is_done ? ready : ready + 1, is_last && is_done))
         goto out_of_memory;
      if (!is_done)
         reset_output(&render->chunks[ready]);
      for (uint32_t i = 0; i < ready; i++)
         reset_output(&render->chunks[i]);
      retire_chunks(render, ready);
   }
   drop_chunks(render);
   return VK_SUCCESS;

out_of_memory:
   drop_chunks(render);
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* ---- collecting ---- */

static struct rt_chunk *open_chunk(struct rt_render *render)
{
   if (render->has_open_chunk)
      return &render->chunks[render->num_chunks - 1];
   struct rt_chunk *chunk = &render->chunks[render->num_chunks];
   if (!chunk->pieces)
      chunk->pieces = util_malloc(sizeof(*chunk->pieces) * RT_CHUNK_PIECES);
   if (!chunk->prims)
      chunk->prims = util_malloc64(RT_CHUNK_BYTES);
   if (!chunk->pieces || !chunk->prims)
      return NULL;
   chunk->target = &render->target;
   chunk->num_pieces = chunk->num_prims = chunk->est_bytes = 0;
   chunk->num_patches = 0;
   chunk->num_divided = 0;
   chunk->next_piece = chunk->next_layer = 0;
   chunk->is_complete = chunk->is_out_of_memory = false;
   reset_output(chunk);
   render->num_chunks++;
   render->has_open_chunk = true;
   return chunk;
}

/* Closes the open chunk if it is large enough. */
static void close_chunk(struct rt_render *render, const struct rt_chunk *chunk, uint32_t prims_aim)
{
   if (chunk->num_prims < prims_aim && chunk->est_bytes < CHUNK_BYTES_AIM && chunk->num_pieces < RT_CHUNK_PIECES)
      return;
   render->has_open_chunk = false;
   render->est_bytes += chunk->est_bytes;
}

static VkResult make_room(struct rt_render *render)
{
   const uint64_t bytes = render->est_bytes * render->survival / 256;
   const uint32_t most = render->has_xfb_stores ? UTIL_CLAMP(rt_pool_num_threads(render->pool) * 4, 16u, (uint32_t)MAX_CHUNKS)
                                                : MAX_CHUNKS; /* a store may hold a packet more than it aims at */
   if (render->has_open_chunk || (render->num_chunks < most && bytes < WINDOW_BYTES && render->cleared_px < MAX_CLEARED_PX))
      return VK_SUCCESS;
   return run_window(render, false);
}

/* Adds primitives [0, total) of all instances, or workgroups [0, total) of the grid, one view. */
static VkResult add_pieces(struct rt_render *render, const struct rt_draw *draw, const struct rt_mesh_grid *grid, uint64_t total, uint32_t view)
{
   const uint64_t threads = UTIL_MAX(rt_pool_num_threads(render->pool), 1u);
   const struct rt_context *c = draw->context;
   /* Small draws on many threads: smaller chunks, so that all have some. */
   const uint32_t division = c->tes ? render->division : c->ms ? UTIL_MAX(c->ms->max_primitives, 1u) : 1;
   uint32_t aim = (uint32_t)UTIL_CLAMP(UTIL_MIN(total, (uint64_t)UINT32_MAX) * division / (threads * 8), 128u, (uint64_t)RT_CHUNK_PRIMS);
   aim = UTIL_MAX(aim / division, 1u);
   /* What a geometry shader makes of one is seen only then: a strip of all vertices, but few of those that may make many do. */
   const uint32_t strip = c->gs && c->gs->max_vertices >= c->gs->corners_out ? c->gs->max_vertices + 1u - c->gs->corners_out : 1;
   const uint32_t made = division * (c->gs ? UTIL_CLAMP(strip * c->gs->num_invocations, 1u, 16u) : 1);
   const uint32_t prim_bytes = c->prim_bytes * made;
   const bool is_whole = c->continues_lines && !c->gs; /* each primitive needs to know the one before */
   for (struct rt_parts parts = rt_parts_of(render->worker, total); rt_parts_next(&parts);) {
      const VkResult result = make_room(render);
      struct rt_chunk *chunk = result == VK_SUCCESS ? open_chunk(render) : NULL;
      if (!chunk) {
         rt_parts_end(&parts);
         return result == VK_SUCCESS ? VK_ERROR_OUT_OF_HOST_MEMORY : result;
      }
      const uint32_t by_count = aim > chunk->num_prims ? aim - chunk->num_prims : 1;
      const uint32_t by_bytes =
         chunk->est_bytes < CHUNK_BYTES_AIM ? (CHUNK_BYTES_AIM - chunk->est_bytes) / prim_bytes + 1 : 1;
      const uint32_t limit = is_whole ? MAX_WHOLE_PRIMS : UTIL_MIN(by_count, by_bytes);
      const uint32_t count = (uint32_t)UTIL_MIN(total - parts.index, (uint64_t)limit);
      chunk->pieces[chunk->num_pieces++] = (struct rt_piece){.draw = draw, .grid = grid, .first = parts.index, .count = count, .view = view};
      chunk->num_prims += count;
      chunk->num_patches += c->tes ? count : 0;
      render->has_xfb |= c->xfb != NULL;
      render->has_xfb_stores |= c->xfb && !c->xfb->is_counted;
      chunk->est_bytes = is_whole ? CHUNK_BYTES_AIM : chunk->est_bytes + count * prim_bytes;
      parts.step = count;
      close_chunk(render, chunk, aim);
   }
   return VK_SUCCESS;
}

static const struct rt_context *get_context(struct rt_render *render, const struct rt_draw_state *state)
{
   if (render->context && render->generation == state->generation)
      return render->context;
   struct rt_context *context = util_arena_alloc_aligned(&render->arena, sizeof(*context), 64);
   struct rt_xfb_layout *xfb = state->xfb ? util_arena_alloc(&render->arena, sizeof(*xfb)) : NULL;
   if (!context || (state->xfb && !xfb))
      return NULL;
   rt_context_init(context, state, &render->target, xfb);
   render->context = context;
   render->generation = state->generation;
   return context;
}

/* Runs of indices between restart indices. Two walks: count, then fill. */
static bool find_segments(struct rt_render *render, struct rt_draw *draw)
{
   const struct rt_context *c = draw->context;
   const bool restarts = draw->params.is_indexed && c->state.primitive_restart.enable;
   struct rt_segment *segments = NULL;
   for (uint32_t pass = 0; pass < 2; pass++) {
      uint64_t prims = 0;
      uint32_t num = 0, first = 0;
      if (!restarts) {
         if (pass)
            segments[0] = (struct rt_segment){0, draw->params.count, 0};
         num = 1;
         prims = rt_draw_prims(draw, draw->params.count);
      }
      for (uint32_t i = 0; restarts && i <= draw->params.count; i++) {
         if (UTIL_UNLIKELY(i % 65536 == 0 && rt_pool_is_cancelled(render->pool))) {
            draw->num_segments = draw->prims = 0;
            return true;
         }
         if (i < draw->params.count && rt_index_fetch(draw, i) != c->restart_index)
            continue;
         const uint32_t n = rt_draw_prims(draw, i - first);
         if (n && pass)
            segments[num] = (struct rt_segment){first, i - first, (uint32_t)prims};
         num += n != 0;
         prims += n;
         first = i + 1;
         if (i == UINT32_MAX)
            break;
      }
      draw->num_segments = num;
      draw->prims = (uint32_t)prims;
      if (!num || !prims)
         return true;
      if (!pass) {
         segments = util_arena_alloc(&render->arena, sizeof(*segments) * num);
         if (!segments)
            return false;
      }
   }
   draw->segments = segments;
   return true;
}

/* Draws what waits when contexts and draws have piled up. */
static VkResult limit_memory(struct rt_render *render)
{
   if (render->arena.total_bytes < MAX_ARENA_BYTES)
      return VK_SUCCESS;
   const VkResult result = run_window(render, false);
   render->context = NULL;
   util_arena_reset(&render->arena);
   return result;
}

/* Where nothing can be drawn, primitives may still be captured or counted. */
static bool is_seen_without_tiles(const struct rt_draw_state *state)
{
   bool is_counted = state->xfb || state->statistics_pool || state->mesh_generated;
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++)
      is_counted |= state->generated[i] != NULL;
   return is_counted;
}

/* Before a draw is added that captures: gives its primitives their places if their number is known. What waits for its
 * own to be known goes first if the two do not go on the same way. */
static VkResult prepare_xfb(struct rt_render *render, const struct rt_draw_state *state, struct rt_draw *draw)
{
   const struct rt_xfb_layout *layout = draw->context->xfb;
   const bool goes_on = !layout->is_counted && render->xfb == state->xfb &&
                        memcmp(&render->xfb_layout, layout, sizeof(*layout)) == 0 &&
                        memcmp(render->captured, state->captured, sizeof(render->captured)) == 0;
   if (render->has_xfb_stores && !goes_on) {
      const VkResult result = run_window(render, false);
      if (result != VK_SUCCESS)
         return result;
   }
   if (layout->is_counted) {
      draw->xfb = rt_xfb_take(state->xfb, layout, 0, (uint64_t)draw->prims * draw->params.instance_count, state->captured[0]);
   } else {
      render->xfb_layout = *layout;
      render->xfb = state->xfb;
      memcpy(render->captured, state->captured, sizeof(render->captured));
   }
   return VK_SUCCESS;
}

/* A draw with its context and parameters; NULL if nothing of it would be seen, or on an error. */
static VkResult begin_draw(struct rt_render *render, const struct rt_draw_state *state, const struct rt_draw_params *params,
                           struct rt_draw **result)
{
   *result = NULL;
   if (!render->target.num_tiles && !is_seen_without_tiles(state))
      return VK_SUCCESS;
   const VkResult limit = limit_memory(render);
   if (limit != VK_SUCCESS)
      return limit;
   const struct rt_context *context = get_context(render, state);
   struct rt_draw *draw = UTIL_ARENA_NEW(&render->arena, struct rt_draw);
   if (!context || !draw)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   render->has_reads |= context->reads_attachments;
   draw->context = context;
   draw->params = *params;
   *result = draw;
   return VK_SUCCESS;
}

VkResult rt_render_draw(struct rt_render *render, const struct rt_draw_state *state,
                        const struct rt_draw_params *params)
{
   const struct rt_shader *shaders = state->pipeline->shaders;
   if (!params->count || !params->instance_count || !shaders[ABI_STAGE_VERTEX].info || shaders[ABI_STAGE_MESH].info)
      return VK_SUCCESS;
   struct rt_draw *draw;
   VkResult result = begin_draw(render, state, params, &draw);
   if (!draw)
      return result;
   const struct rt_context *context = draw->context;
   draw->topology = context->state.topology.topology;
   const struct abi_shader_info *gs = context->gs;
   const bool has_patches = draw->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
   if (context->tes)
      draw->corners = has_patches ? context->patch_vertices : 0;
   else
      draw->corners = gs ? rt_topology_adjacent((VkPrimitiveTopology)draw->topology)
                         : rt_topology_vertices((VkPrimitiveTopology)draw->topology);
   const uint32_t read = context->tes ? context->tess_corners : draw->corners; /* by a geometry shader */
   if (!draw->corners || (gs && read != gs->vertices_in))
      return VK_SUCCESS; /* not what the shaders read: invalid, and there is nothing to give them */
   if (!find_segments(render, draw))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!draw->prims || !draw->num_segments)
      return VK_SUCCESS;
   if (context->xfb)
      result = prepare_xfb(render, state, draw);

   const uint32_t views = render->target.view_mask ? render->target.view_mask : 1;
   for (uint32_t left = views; left && result == VK_SUCCESS; left &= left - 1) {
      rt_context_count(context, VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT,
                      (uint64_t)params->count * params->instance_count);
      rt_context_count(context, VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT,
                      (uint64_t)draw->prims * params->instance_count);
      result = add_pieces(render, draw, NULL, (uint64_t)draw->prims * params->instance_count, (uint32_t)__builtin_ctz(left));
   }
   return result;
}

/* Makes room for `count` tasks, or as many as there may be; gives how many. What waits is drawn first if its own take the room. */
static VkResult make_task_room(struct rt_render *render, const struct rt_context *context, uint64_t count, uint32_t *room)
{
   VkResult result = rt_task_room(&render->tasks, context, room);
   if (result == VK_SUCCESS && *room < count && render->num_chunks)
      result = run_window(render, false);
   if (result == VK_SUCCESS && !render->num_chunks) { /* nobody reads what former ones left */
      rt_task_store_clear(&render->tasks);
      result = rt_task_room(&render->tasks, context, room);
   }
   *room = (uint32_t)UTIL_MIN(count, (uint64_t)*room);
   return result;
}

/* Runs tasks [0, total) of the draw's grid, as many at a time as have room, and adds what they ask for. */
static VkResult add_tasks(struct rt_render *render, const struct rt_draw *draw, uint64_t total, uint32_t view)
{
   VkResult result = VK_SUCCESS;
   for (struct rt_parts parts = rt_parts_of(render->worker, total); rt_parts_next(&parts);) {
      uint32_t count = 0;
      result = make_task_room(render, draw->context, total - parts.index, &count);
      const uint8_t *tasks = NULL;
      if (result == VK_SUCCESS)
         tasks = rt_task_run(&render->tasks, draw, view, parts.index, count, render->worker);
      for (uint32_t i = 0; i < count && result == VK_SUCCESS && !rt_pool_is_cancelled(render->pool); i++) {
         const struct rt_mesh_grid *grid = rt_task_grid(tasks, draw->context, i);
         const uint64_t meshes = rt_mesh_grid_count(grid);
         if (meshes)
            result = add_pieces(render, draw, grid, meshes, view);
      }
      if (result != VK_SUCCESS) {
         rt_parts_end(&parts);
         return result;
      }
      parts.step = count;
   }
   return result;
}

VkResult rt_render_draw_mesh(struct rt_render *render, const struct rt_draw_state *state, const struct rt_draw_params *params)
{
   const uint64_t total = (uint64_t)params->grid[0] * params->grid[1] * params->grid[2];
   if (!total || !state->pipeline->shaders[ABI_STAGE_MESH].info)
      return VK_SUCCESS;
   struct rt_draw *draw;
   VkResult result = begin_draw(render, state, params, &draw);
   if (!draw)
      return result;
   const struct rt_context *context = draw->context;
   memcpy(draw->grid.count, params->grid, sizeof(params->grid));
   const uint32_t views = render->target.view_mask ? render->target.view_mask : 1;
   for (uint32_t left = views; left && result == VK_SUCCESS; left &= left - 1) {
      const uint32_t view = (uint32_t)__builtin_ctz(left);
      result = context->ts ? add_tasks(render, draw, total, view) : add_pieces(render, draw, &draw->grid, total, view);
   }
   return result;
}

static bool pack_clear(struct rt_render *render, const VkClearAttachment *attachment, VkImageAspectFlags aspect,
                       struct rt_clear *clear)
{
   const struct rt_target *t = &render->target;
   *clear = (struct rt_clear){.aspect = aspect, .attachment = attachment->colorAttachment};
   if (aspect == VK_IMAGE_ASPECT_COLOR_BIT) {
      if (attachment->colorAttachment >= t->num_colors || !t->colors[attachment->colorAttachment].view)
         return false;
      rt_format_pack_clear((VkFormat)t->colors[attachment->colorAttachment].view->format, &attachment->clearValue.color,
                           clear->texel);
      return true;
   }
   if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
      if (!t->depth.view)
         return false;
      rt_depth_pack(rt_depth_kind_of((VkFormat)t->depth.view->format), attachment->clearValue.depthStencil.depth,
                    clear->texel);
      return true;
   }
   clear->texel[0] = (uint8_t)attachment->clearValue.depthStencil.stencil;
   return t->stencil.view;
}

static VkResult add_clear(struct rt_render *render, const struct rt_clear *clear, const VkClearRect *rect)
{
   const VkResult result = make_room(render);
   if (result != VK_SUCCESS)
      return result;
   struct rt_chunk *chunk = open_chunk(render);
   if (!chunk)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const bool is_multiview = render->target.view_mask != 0;
   chunk->pieces[chunk->num_pieces++] = (struct rt_piece){
      .clear = clear,
      .rect = rect->rect,
      .first_layer = is_multiview ? 0 : rect->baseArrayLayer,
      .num_layers = is_multiview ? render->target.num_layers : UTIL_MIN(rect->layerCount, render->target.num_layers),
   };
   chunk->num_prims++;
   render->cleared_px += (uint64_t)rect->rect.extent.width * rect->rect.extent.height;
   close_chunk(render, chunk, render->cleared_px < MAX_CLEARED_PX ? RT_CHUNK_PRIMS : 0);
   return VK_SUCCESS;
}

VkResult rt_render_clear(struct rt_render *render, const struct rt_cmd_clear_attachments *command)
{
   if (!render->target.num_tiles)
      return VK_SUCCESS;
   VkResult result = limit_memory(render);
   for (uint32_t a = 0; a < command->num_attachments; a++) {
      for (VkImageAspectFlags left = command->attachments[a].aspectMask; left && result == VK_SUCCESS;
           left &= left - 1) {
         struct rt_clear *clear = UTIL_ARENA_NEW(&render->arena, struct rt_clear);
         if (!clear)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
         if (!pack_clear(render, &command->attachments[a], left & -left, clear))
            continue;
         for (struct rt_parts parts = rt_parts_of(render->worker, command->num_rects); rt_parts_next(&parts);) {
            result = add_clear(render, clear, &command->rects[parts.index]);
            if (result != VK_SUCCESS) {
               rt_parts_end(&parts);
               break;
            }
         }
      }
   }
   return result;
}

/* ---- ends ---- */

static VkResult finish(struct rt_render *render, bool is_last)
{
   if (!render->is_open || (!render->target.num_tiles && !render->num_chunks))
      return VK_SUCCESS;
   const bool had_chunks = render->num_chunks != 0;
   VkResult result = run_window(render, is_last);
   /* Nothing was drawn: load ops and resolves still happen. */
   const bool must_load = !render->is_started && render->target.has_load_clears;
   const bool must_resolve = is_last && render->target.has_resolves && !had_chunks;
   if (result == VK_SUCCESS && (must_load || must_resolve) && !rt_pool_is_cancelled(render->pool) &&
       !run_tiles(render, 0, is_last))
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   render->context = NULL;
   util_arena_reset(&render->arena);
   return result;
}

VkResult rt_render_flush(struct rt_render *render)
{
   return finish(render, false);
}

VkResult rt_render_flush_xfb(struct rt_render *render)
{
   return render->has_xfb ? finish(render, false) : VK_SUCCESS;
}

VkResult rt_render_end(struct rt_render *render)
{
   const VkResult result = finish(render, true);
   give_back(render);
   render->is_open = false;
   return result;
}
