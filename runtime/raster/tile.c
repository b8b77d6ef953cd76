/* SPDX-License-Identifier: MIT
 * A tile from load op to resolve. */
#include "runtime/raster/raster.h"

#include "runtime/fragment/coarse.h"
#include "runtime/fragment/hiz.h"
#include "runtime/fragment/resolve.h"
#include "runtime/fragment/shade.h"
#include "runtime/fragment/unwritten.h"
#include "util/size.h"

#include <string.h>

enum {
   MAX_LOCAL_BYTES = 512 * 1024,
   BLOCKS_BYTES = sizeof(struct abi_block) * RT_RUN_BLOCKS,
   RUN_BYTES = BLOCKS_BYTES + (sizeof(struct rt_coarse) + 63) / 64 * 64, /* nobody touches the second part where no rate is used */
};

/* Contents that come from nowhere and are not stored need no memory but while the tile is worked on. */
static bool is_transient(const struct rt_tile_job *job, const struct rt_attachment *attachment)
{
   const VkAttachmentLoadOp load = attachment->load_op;
   return job->is_first && job->is_last && !job->has_reads && job->target->is_whole &&
          attachment->store_op == VK_ATTACHMENT_STORE_OP_DONT_CARE && attachment->view && attachment->view->data &&
          (load == VK_ATTACHMENT_LOAD_OP_CLEAR || load == VK_ATTACHMENT_LOAD_OP_DONT_CARE);
}

/* The tile's memory of its own: the run of blocks, then transient attachments as far as they fit into a cache. */
struct local {
   uint8_t *memory;
   size_t used_bytes;
};

/* Where writes are followed their shadow, too. */
static size_t local_bytes(const struct rt_tile_job *job, const struct rt_attachment *attachment)
{
   return is_transient(job, attachment) ? rt_surface_local_bytes(attachment->view) << job->target->follows_writes : 0;
}

static bool init_local(struct local *local, const struct rt_tile_job *job, struct rt_worker *worker)
{
   const struct rt_target *t = job->target;
   size_t bytes = RUN_BYTES;
   for (uint32_t i = 0; i < t->num_colors; i++)
      bytes += local_bytes(job, &t->colors[i]);
   bytes += local_bytes(job, &t->depth) + local_bytes(job, &t->stencil);
   const size_t limit_bytes = RUN_BYTES + MAX_LOCAL_BYTES;
   local->memory = rt_worker_scratch(worker, UTIL_MIN(bytes, limit_bytes));
   local->used_bytes = RUN_BYTES;
   return local->memory;
}

static void init_surface(struct rt_tile *tile, struct rt_surface *surface, const struct rt_tile_job *job,
                         const struct rt_attachment *attachment, struct local *local)
{
   const size_t bytes = local_bytes(job, attachment);
   if (bytes && local->used_bytes + bytes <= RUN_BYTES + MAX_LOCAL_BYTES) {
      rt_surface_init_local(surface, attachment->view, local->memory + local->used_bytes);
      local->used_bytes = util_size_add(local->used_bytes, bytes);
      if (UTIL_UNLIKELY(job->target->follows_writes))
         rt_tile_follow(surface, bytes / 2);
      return;
   }
   rt_surface_init(surface, attachment->view, tile->layer, (uint32_t)tile->x, (uint32_t)tile->y);
   if (UTIL_UNLIKELY(job->target->follows_writes))
      rt_tile_follow(surface, 0);
}

static void init_surfaces(struct rt_tile *tile, const struct rt_tile_job *job, struct local *local)
{
   const struct rt_target *t = tile->target;
   for (uint32_t i = 0; i < t->num_colors; i++)
      init_surface(tile, &tile->colors[i], job, &t->colors[i], local);
   init_surface(tile, &tile->depth, job, &t->depth, local);
   init_surface(tile, &tile->stencil, job, &t->stencil, local);
}

/* A position in the tile's entries, in API order. */
struct position {
   uint32_t span, entry;
};

static const struct rt_prim *prim_of(const struct rt_tile_span *span, uint32_t entry)
{
   return (const struct rt_prim *)(span->chunk->prims + (size_t)(entry & RT_ENTRY_OFFSET) * RT_PRIM_ALIGN);
}

/* `uninit`: something in front of it reads colours: it has to see what all before it wrote. */
static bool is_read_before(const struct rt_tile_job *job, const struct position *cover)
{
   bool is_read = false;
   for (uint32_t s = 0; s <= cover->span; s++) {
      const struct rt_tile_span *span = &job->spans[s];
      const uint32_t *entries = span->chunk->bin.entries + span->first;
      for (uint32_t i = 0; i < (s < cover->span ? span->count : cover->entry); i++) {
         const struct rt_prim *prim = prim_of(span, entries[i]);
         is_read |= prim->class != RT_PRIM_CLEAR && prim->draw->context->reads_colors;
      }
   }
   return is_read;
}

/* The last primitive that covers the tile and is opaque: colours of what comes before it are dead. */
static bool find_cover(const struct rt_tile_job *job, struct position *cover)
{
   for (uint32_t s = job->num_spans; s-- > 0;) {
      const struct rt_tile_span *span = &job->spans[s];
      const uint32_t *entries = span->chunk->bin.entries + span->first;
      for (uint32_t i = span->count; i-- > 0;) {
         if (!(entries[i] & RT_ENTRY_COVERS))
            continue;
         const struct rt_prim *prim = prim_of(span, entries[i]);
         if (prim->class == RT_PRIM_POLYGON && prim->draw->context->is_opaque) {
            const struct position found = {s, i};
            if (job->target->follows_writes && is_read_before(job, &found))
               return false;
            *cover = found;
            return true;
         }
      }
   }
   return false;
}

static bool is_dead(const struct rt_prim *prim)
{
   return prim->class == RT_PRIM_CLEAR ? prim->clear->aspect == VK_IMAGE_ASPECT_COLOR_BIT : prim->draw->context->is_droppable;
}

/* Nobody looks at what such an attachment starts with. */
static bool is_unused(const struct rt_tile_job *job, const struct rt_attachment *attachment)
{
   return !job->num_spans && !attachment->resolve_view && is_transient(job, attachment);
}

/* `has_cover`: colours need not be cleared. */
static void load(struct rt_tile *tile, const struct rt_tile_job *job, bool has_cover)
{
   const struct rt_target *t = tile->target;
   uint8_t texel[16] = {0};
   for (uint32_t i = 0; i < t->num_colors && !has_cover; i++) {
      if (t->colors[i].load_op != VK_ATTACHMENT_LOAD_OP_CLEAR || !tile->colors[i].base || is_unused(job, &t->colors[i]))
         continue;
      rt_format_pack_clear((VkFormat)t->colors[i].view->format, &t->colors[i].clear.color, texel);
      rt_clear_rect(tile, &tile->colors[i], t->x0, t->y0, t->x1, t->y1, texel);
   }
   if (t->depth.load_op == VK_ATTACHMENT_LOAD_OP_CLEAR && tile->depth.base && !is_unused(job, &t->depth)) {
      rt_depth_pack(rt_depth_format_of((VkFormat)t->depth.view->format), t->depth.clear.depthStencil.depth, texel);
      rt_clear_rect(tile, &tile->depth, t->x0, t->y0, t->x1, t->y1, texel);
   }
   if (t->depth.load_op == VK_ATTACHMENT_LOAD_OP_CLEAR && tile->depth.base && t->x0 <= tile->x && t->y0 <= tile->y &&
       t->x1 >= tile->x + RT_TILE && t->y1 >= tile->y + RT_TILE)
      rt_hiz_clear(
         tile, rt_depth_clear_value(rt_depth_format_of((VkFormat)t->depth.view->format), t->depth.clear.depthStencil.depth));
   if (t->stencil.load_op == VK_ATTACHMENT_LOAD_OP_CLEAR && tile->stencil.base && !is_unused(job, &t->stencil)) {
      texel[0] = (uint8_t)t->stencil.clear.depthStencil.stencil;
      rt_clear_rect(tile, &tile->stencil, t->x0, t->y0, t->x1, t->y1, texel);
   }
}

/* Adds what was counted under the current context to its queries. */
static void flush_counters(struct rt_tile *tile)
{
   const struct rt_context *c = tile->context;
   if (c && c->occlusion && tile->samples_passed)
      rt_query_add(c->occlusion, 0, tile->samples_passed);
   if (c)
      rt_context_count(c, VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT, tile->invocations);
   tile->samples_passed = tile->invocations = 0;
}

static void clear(struct rt_tile *tile, const struct rt_prim *prim)
{
   const struct rt_clear *c = prim->clear;
   if (c->aspect & VK_IMAGE_ASPECT_COLOR_BIT) {
      rt_clear_rect(tile, &tile->colors[c->attachment], prim->x0, prim->y0, prim->x1, prim->y1, c->texel);
   } else if (c->aspect & VK_IMAGE_ASPECT_DEPTH_BIT) {
      rt_clear_rect(tile, &tile->depth, prim->x0, prim->y0, prim->x1, prim->y1, c->texel);
      rt_hiz_init(tile);
      if (UTIL_UNLIKELY(tile->target->follows_writes))
         rt_tile_hold_hiz(tile);
   } else {
      rt_clear_rect(tile, &tile->stencil, prim->x0, prim->y0, prim->x1, prim->y1, c->texel);
   }
}

/* Runs a span; of its entries before number `cover` only those that leave more than colours. */
static void run_span(struct rt_tile *tile, const struct rt_tile_span *span, uint32_t cover)
{
   const uint32_t *entries = span->chunk->bin.entries + span->first;
   for (uint32_t i = 0; i < span->count && !tile->is_out_of_memory && !rt_worker_is_cancelled(tile->worker); i++) {
      const struct rt_prim *prim = prim_of(span, entries[i]);
      if (i < cover && is_dead(prim))
         continue;
      if (prim->class == RT_PRIM_CLEAR) {
         clear(tile, prim);
         continue;
      }
      if (prim->draw != tile->draw) {
         if (prim->draw->context != tile->context)
            flush_counters(tile);
         rt_fragment_bind(tile, prim->draw);
      }
      tile->prim = prim;
      rt_raster_prim(tile, prim, entries[i]);
      rt_fragment_flush(tile);
      if (UTIL_UNLIKELY(tile->context->has_rates))
         rt_coarse_shade(tile);
   }
}

void rt_tile_run(const struct rt_tile_job *job, struct rt_worker *worker)
{
   const struct rt_target *t = job->target;
   const uint32_t per_layer = t->tiles_x * t->tiles_y, in_layer = job->tile % per_layer;
   const uint32_t layer = job->tile / per_layer;
   struct rt_tile tile;
   const int32_t y = (t->tile_y0 + (int32_t)(in_layer / t->tiles_x)) * RT_TILE;
   if (t->view_mask && !(t->view_mask >> layer & 1))
      return; /* no view: nothing of the layer is touched */
   if (y + (int32_t)job->end_row <= t->y0 || y + (int32_t)job->first_row >= t->y1)
      return;
   tile.target = t;
   tile.worker = worker;
   tile.draw = NULL;
   tile.context = NULL;
   tile.layer = layer;
   tile.x = (t->tile_x0 + (int32_t)(in_layer % t->tiles_x)) * RT_TILE;
   tile.y = y;
   tile.first_row = (int32_t)job->first_row;
   tile.end_row = (int32_t)job->end_row;
   tile.num_blocks = 0;
   tile.samples_passed = tile.invocations = 0;
   tile.is_out_of_memory = false;
   tile.reported_draw = NULL;
   tile.reported = 0;
   const struct abi_image *attachments[ABI_NUM_ATTACHMENTS] = {NULL};
   for (uint32_t i = 0; i < t->num_colors; i++)
      attachments[i] = t->colors[i].view;
   attachments[ABI_ATTACHMENT_DEPTH] = t->depth.view;
   attachments[ABI_ATTACHMENT_STENCIL] = t->stencil.view;
   tile.args.attachments = attachments;
   struct local local;
   if (!init_local(&local, job, worker)) {
      __atomic_store_n(job->is_out_of_memory, true, __ATOMIC_RELAXED);
      return;
   }
   tile.blocks = (struct abi_block *)local.memory;
   tile.coarse = (struct rt_coarse *)(local.memory + BLOCKS_BYTES);
   tile.coarse->num_blocks = 0;
   init_surfaces(&tile, job, &local);
   rt_hiz_init(&tile);
   struct position cover = {0, 0};
   const bool has_cover = find_cover(job, &cover);
   if (job->is_first)
      load(&tile, job, has_cover);
   if (UTIL_UNLIKELY(t->follows_writes))
      rt_tile_hold_hiz(&tile);
   for (uint32_t i = 0; i < job->num_spans; i++)
      run_span(&tile, &job->spans[i], i < cover.span ? UINT32_MAX : i == cover.span ? cover.entry : 0);
   flush_counters(&tile);
   if (job->is_last && t->has_resolves)
      rt_resolve_tile(&tile);
   if (tile.is_out_of_memory)
      __atomic_store_n(job->is_out_of_memory, true, __ATOMIC_RELAXED);
}
