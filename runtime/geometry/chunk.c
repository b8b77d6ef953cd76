/* SPDX-License-Identifier: MIT
 * Chunks: runs the chain of stages over the pieces, in order, and puts a chain aside that has more than fits. */
#include "runtime/geometry/chain.h"
#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

/* Goes on with the piece. False if the chunk is full, memory is out or work is cancelled. */
static bool run_draw(struct rt_chunk *chunk, const struct rt_piece *piece, struct rt_chain *chain, struct rt_worker *worker)
{
   const struct rt_context *c = piece->draw->context;
   struct rt_packet *packet = rt_chain_packet(chain, c);
   for (;;) {
      if (chain->emitted == packet->num_prims) {
         if (rt_xfb_store_is_full(&chunk->xfb))
            return false;
         packet = rt_chain_next(chain, piece, worker);
         if (!packet)
            return !rt_worker_is_cancelled(worker);
         if (c->tes)
            chunk->num_divided += packet->num_prims;
      }
      rt_worker_progress(worker);
      chain->emitted = rt_emit_packet(&chain->emitter, chunk, piece->draw, piece->view, packet, chain->emitted);
      if (chain->emitted < packet->num_prims)
         return false;
   }
}

/* A clear is a primitive without edges, in each of its layers. next_layer counts. */
static bool run_clear(struct rt_chunk *chunk, const struct rt_piece *piece)
{
   const struct rt_target *target = chunk->target;
   const uint32_t bytes = (uint32_t)util_align(sizeof(struct rt_prim), RT_PRIM_ALIGN);
   const int64_t x1 = (int64_t)piece->rect.offset.x + piece->rect.extent.width;
   const int64_t y1 = (int64_t)piece->rect.offset.y + piece->rect.extent.height;
   const int32_t left = UTIL_MAX(piece->rect.offset.x, target->x0), right = (int32_t)UTIL_MIN(x1, target->x1);
   const int32_t top = UTIL_MAX(piece->rect.offset.y, target->y0), bottom = (int32_t)UTIL_MIN(y1, target->y1);
   if (left >= right || top >= bottom)
      return true;
   for (uint32_t i = chunk->next_layer; i < piece->num_layers; i++) {
      chunk->next_layer = i;
      if (!rt_chunk_has_room(chunk, bytes))
         return false;
      const uint32_t layer = piece->first_layer + i;
      if (layer >= target->num_layers || (target->view_mask && !(target->view_mask >> layer & 1)))
         continue;
      struct rt_prim *prim = (struct rt_prim *)(chunk->prims + chunk->used_bytes);
      prim->clear = piece->clear;
      prim->x0 = (uint16_t)left;
      prim->y0 = (uint16_t)top;
      prim->x1 = (uint16_t)right;
      prim->y1 = (uint16_t)bottom;
      prim->class = RT_PRIM_CLEAR;
      prim->num_edges = 0;
      if (!rt_bin_prim(&chunk->bin, target, prim, chunk->used_bytes, layer)) {
         chunk->is_out_of_memory = true;
         return false;
      }
      chunk->used_bytes = util_size_add32(chunk->used_bytes, bytes);
   }
   return true;
}

/* ---- a chain that is put aside ---- */

struct rt_saved_chain {
   struct rt_chain chain;
   _Alignas(64) uint8_t scratch[];
};

static bool save_chain(struct rt_chunk *chunk, const struct rt_chain *chain, const uint8_t *scratch, size_t size)
{
   struct rt_saved_chain *saved = util_malloc64(util_size_add(sizeof(*saved), size));
   if (!saved)
      return false;
   saved->chain = *chain;
   memcpy(saved->scratch, scratch, size);
   chunk->saved = saved;
   return true;
}

/* The pieces that are left are the same, so the arrays have the same offsets in the scratch memory. */
static void restore_chain(struct rt_chunk *chunk, struct rt_chain *chain, const struct rt_chain_size *size, uint8_t *scratch)
{
   struct rt_tess_cache *cache = chain->tessellation.cache; /* another worker's may have been saved */
   *chain = chunk->saved->chain;
   chain->tessellation.cache = cache;
   memcpy(scratch, chunk->saved->scratch, rt_chain_layout(chain, size, scratch));
   util_mfree(chunk->saved);
   chunk->saved = NULL;
}

/* Scratch for the largest of the pieces that are left; also the shaders' frames. NULL: memory is out. */
static uint8_t *prepare(struct rt_chunk *chunk, struct rt_chain *chain, struct rt_chain_size *size, struct rt_worker *worker)
{
   *size = (struct rt_chain_size){0};
   for (uint32_t i = chunk->next_piece; i < chunk->num_pieces; i++) {
      if (chunk->pieces[i].draw)
         rt_chain_measure(size, chunk->pieces[i].draw->context);
   }
   if ((size->frame_bytes || size->shared_bytes) && !rt_worker_reserve(worker, size->shared_bytes, size->frame_bytes))
      return NULL;
   uint8_t *scratch = rt_worker_scratch(worker, rt_chain_layout(chain, size, NULL));
   if (!scratch)
      return NULL;
   rt_chain_layout(chain, size, scratch);
   if (size->has_tessellation) {
      chain->tessellation.cache = rt_worker_keep(worker, rt_tess_cache_bytes());
      if (!chain->tessellation.cache)
         return NULL;
   }
   return scratch;
}

void rt_chunk_run(struct rt_chunk *chunk, struct rt_worker *worker)
{
   struct rt_chain chain = {0};
   struct rt_chain_size size;
   uint8_t *scratch = prepare(chunk, &chain, &size, worker);
   if (!scratch) {
      chunk->is_out_of_memory = true;
      return;
   }
   bool has_begun = chunk->saved != NULL;
   if (has_begun)
      restore_chain(chunk, &chain, &size, scratch);
   chain.xfb = &chunk->xfb;
   for (; chunk->next_piece < chunk->num_pieces; chunk->next_piece++, chunk->next_layer = 0) {
      const struct rt_piece *piece = &chunk->pieces[chunk->next_piece];
      if (piece->draw && !has_begun)
         rt_chain_begin(&chain);
      has_begun = false;
      if (!(piece->draw ? run_draw(chunk, piece, &chain, worker) : run_clear(chunk, piece)))
         break;
   }
   chunk->is_complete = chunk->next_piece == chunk->num_pieces;
   const bool is_draw = !chunk->is_complete && chunk->pieces[chunk->next_piece].draw;
   if (is_draw && !rt_worker_is_cancelled(worker) &&
       !save_chain(chunk, &chain, scratch, rt_chain_layout(&chain, &size, scratch)))
      chunk->is_out_of_memory = true;
   if (!rt_bin_sort(&chunk->bin) || chunk->xfb.is_out_of_memory)
      chunk->is_out_of_memory = true;
}
