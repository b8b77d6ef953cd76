/* SPDX-License-Identifier: MIT
 * Collects draws and clears: each gets its context and parameters, and is cut into pieces of chunks. */
#include "runtime/render/instance.h"

#include "runtime/geometry/overrun.h"
#include "runtime/parts.h"
#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

enum {
   MAX_ARENA_BYTES = 16 * 1024 * 1024,  /* of draws and contexts that wait */
   MAX_WHOLE_PRIMS = 1 << 30,           /* of a piece that is not cut */
   CHUNK_BYTES_AIM = RT_CHUNK_BYTES * 7 / 8,
   MANY_CHUNKS_PRIMS = 512,             /* in a chunk, where there are several for each thread */
   MAX_CLEARED_PX = 1 << 28, /* by rectangles, in a window: it is seen only at its end how far a command is */
};

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
   rt_window_reset_chunk(chunk);
   render->num_chunks++;
   render->has_open_chunk = true;
   return chunk;
}

/* Closes the open chunk if it is large enough. */
static void close_chunk(struct rt_render *render, struct rt_chunk *chunk, uint32_t prims_aim)
{
   if (chunk->num_prims < prims_aim && chunk->est_bytes < CHUNK_BYTES_AIM && chunk->num_pieces < RT_CHUNK_PIECES)
      return;
   render->has_open_chunk = false;
   render->est_bytes = util_size_add(render->est_bytes, chunk->est_bytes);
   rt_window_begin_chunk(render, chunk);
}

static VkResult make_room(struct rt_render *render)
{
   const uint64_t bytes = render->est_bytes * render->used_256ths / 256;
   const uint32_t max = render->has_xfb_stores ? UTIL_CLAMP(rt_pool_num_threads(render->pool) * 4, 16u, (uint32_t)RT_MAX_CHUNKS)
                                                : RT_MAX_CHUNKS; /* a store may hold a packet more than it aims at */
   if (render->has_open_chunk || (render->num_chunks < max && bytes < RT_WINDOW_BYTES && render->cleared_px < MAX_CLEARED_PX))
      return VK_SUCCESS;
   return rt_window_run(render, false);
}

/* Adds primitives [0, total) of all instances, or workgroups [0, total) of the grid, one view. */
static VkResult add_pieces(struct rt_render *render, const struct rt_draw *draw, const struct rt_mesh_grid *grid, uint64_t total, uint32_t view)
{
   const uint64_t threads = UTIL_MAX(rt_pool_num_threads(render->pool), 1u);
   const struct rt_context *c = draw->context;
   /* Small draws on many threads: smaller chunks, so that all have some. */
   const uint32_t division = c->tes ? render->division : c->ms ? UTIL_MAX(c->ms->max_primitives, 1u) : 1;
   uint32_t aim = (uint32_t)UTIL_CLAMP(UTIL_MIN(total, (uint64_t)UINT32_MAX) * division / (threads * 8), 128u, (uint64_t)RT_CHUNK_PRIMS);
   if (aim < MANY_CHUNKS_PRIMS && (render->has_company || render->num_chunks > threads * 8))
      aim = MANY_CHUNKS_PRIMS; /* all have some */
   aim = UTIL_MAX(aim / division, 1u);
   /* What a geometry shader makes of one is seen only then: a strip of all vertices, but few of those that may make many do. */
   const uint32_t strip = c->gs && c->gs->max_vertices >= c->gs->corners_out ? c->gs->max_vertices + 1u - c->gs->corners_out : 1;
   const uint32_t max_made = c->gs ? UTIL_MAX(strip * c->gs->num_invocations, 1u) : 1;
   /* Of the largest a window would be seconds of work in which the watchdog sees no progress of the draw: there they count for more. */
   const uint32_t made = division * UTIL_MAX(UTIL_MIN(max_made, 16u), max_made / 64);
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

/* The next restart index from `first` on, or the end of the draw. False: the work is cancelled. */
static bool find_restart(struct rt_render *render, const struct rt_draw *draw, uint32_t first, uint64_t *next)
{
   enum { STEP = 1 << 20 };
   const uint32_t count = draw->params.count;
   uint32_t end;
   do {
      if (rt_pool_is_cancelled(render->pool))
         return false;
      end = count - first < STEP ? count : first + STEP;
      first = rt_index_find(draw, first, end, draw->restart_index);
   } while (first == end && end < count);
   *next = first;
   return true;
}

/* Runs of indices between restart indices. Two walks: count, then fill. */
static bool find_runs(struct rt_render *render, struct rt_draw *draw)
{
   struct rt_segment *segments = NULL;
   rt_graph_wait_for(render->graph, render->before_geometry, render->worker); /* indices may still be written */
   for (uint32_t pass = 0; pass < 2; pass++) {
      uint64_t prims = 0;
      uint32_t num = 0, vertices = 0;
      for (uint64_t first = 0, next; first <= draw->params.count; first = next + 1) {
         if (!find_restart(render, draw, (uint32_t)first, &next)) {
            draw->num_segments = draw->prims = 0;
            return true;
         }
         const uint32_t count = (uint32_t)(next - first), n = rt_draw_prims(draw, count);
         if (n && pass)
            segments[num] = (struct rt_segment){(uint32_t)first, count, (uint32_t)prims};
         num += n != 0;
         prims += n;
         vertices += count;
      }
      draw->num_segments = num;
      draw->prims = (uint32_t)prims;
      draw->vertices = vertices;
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

static bool find_segments(struct rt_render *render, struct rt_draw *draw)
{
   if (draw->params.is_indexed && draw->context->state.primitive_restart.enable)
      return find_runs(render, draw);
   draw->prims = rt_draw_prims(draw, draw->params.count);
   draw->vertices = draw->params.count;
   draw->whole = (struct rt_segment){0, draw->params.count, 0};
   draw->segments = &draw->whole;
   draw->num_segments = 1;
   return true;
}

/* Draws what waits when contexts and draws have piled up. */
static VkResult limit_memory(struct rt_render *render)
{
   if (render->arena.total_bytes < MAX_ARENA_BYTES)
      return VK_SUCCESS;
   const VkResult result = rt_window_run(render, false);
   rt_share_forget(&render->share);
   util_arena_reset(&render->arena);
   return result;
}

/* Where nothing can be drawn, primitives may still be captured or counted. */
static bool is_seen_without_tiles(const struct rt_draw_state *state)
{
   bool is_counted = state->xfb || state->statistics || state->mesh_generated;
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++)
      is_counted |= state->generated[i] != NULL;
   return is_counted;
}

/* Before a draw is added that captures: gives its primitives their offsets if their number is known. What waits for its
 * own to be known goes first if the two do not go on alike. */
static VkResult prepare_xfb(struct rt_render *render, const struct rt_draw_state *state, struct rt_draw *draw)
{
   const struct rt_xfb_layout *layout = draw->context->xfb;
   const bool goes_on = !layout->is_counted && render->xfb == state->xfb &&
                        memcmp(&render->xfb_layout, layout, sizeof(*layout)) == 0 &&
                        memcmp(render->captured, state->captured, sizeof(render->captured)) == 0;
   if (render->has_xfb_stores && !goes_on) {
      const VkResult result = rt_window_run(render, false);
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
static VkResult begin_draw(struct rt_render *render, struct rt_draw_state *state, const struct rt_draw_params *params,
                           struct rt_draw **result)
{
   *result = NULL;
   if (!render->target.num_tiles && !is_seen_without_tiles(state))
      return VK_SUCCESS;
   const VkResult limit = limit_memory(render);
   if (limit != VK_SUCCESS)
      return limit;
   struct rt_draw *draw = UTIL_ARENA_NEW(&render->arena, struct rt_draw);
   if (!draw || !rt_share_take(&render->share, state, &render->target, &render->arena, draw))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   render->has_reads |= draw->context->reads_attachments;
   render->has_loops |= draw->context->fs && draw->context->fs->has_loops;
   draw->params = *params;
   if (rt_overrun_is_checked(render->worker))
      rt_overrun_indices(draw, render->worker);
   *result = draw;
   return VK_SUCCESS;
}

VkResult rt_render_draw(struct rt_render *render, struct rt_draw_state *state,
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
                      (uint64_t)draw->vertices * params->instance_count);
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
      result = rt_window_run(render, false);
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
      rt_graph_wait_for(render->graph, render->before_geometry, render->worker);
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

VkResult rt_render_draw_mesh(struct rt_render *render, struct rt_draw_state *state, const struct rt_draw_params *params)
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
      rt_depth_pack(rt_depth_format_of((VkFormat)t->depth.view->format), attachment->clearValue.depthStencil.depth,
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
