/* SPDX-License-Identifier: MIT
 * Rendering commands: parameters for runtime/render/render.h.
 * Spec: Render Pass; Drawing Commands. Indirect parameters are read here, after the work that barriers put before vertex work. */
#include "runtime/device.h"
#include "runtime/grid.h"
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "util/timeline.h"

#include <stdio.h>
#include <string.h>

static void check(struct rt_executor *executor, VkResult result)
{
   if (UTIL_UNLIKELY(result != VK_SUCCESS))
      rt_device_lose(executor->device, "out of memory while rendering");
}

void rt_execute_begin_rendering(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_begin_rendering *begin = (const struct rt_cmd_begin_rendering *)cmd;
   rt_executor_order(executor, RT_STAGES_OTHER, 1u << RT_STAGES_GEOMETRY | 1u << RT_STAGES_FRAGMENT);
   if (!rt_passes_begin(executor, begin)) {
      rt_device_lose(executor->device, "out of memory for the renderer");
      return;
   }
   executor->is_rendering = true;
   executor->rendering_since_ns = util_timeline_begin();
   executor->view_mask = begin->view_mask;
   /* Spec: vkCmdSetRenderingAttachmentLocations lasts until the rendering ends. */
   memset(&executor->state.color_locations, 0, sizeof(executor->state.color_locations));
   executor->draw.dirty |= RT_DIRTY_CONTEXT;
}

void rt_execute_end_rendering(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   if (!executor->is_rendering)
      return;
   executor->is_rendering = false;
   executor->view_mask = 0;
   executor->num_closed_queries = executor->num_pending_queries;
   rt_passes_end(executor);
   util_timeline_end(executor->rendering_since_ns, "pass", "rendering");
}

void rt_execute_clear_attachments(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   if (executor->is_rendering)
      check(executor, rt_render_clear(executor->render, (const struct rt_cmd_clear_attachments *)cmd));
}

/* Each draw is reported by itself. */
static void watch_draw(const struct rt_executor *executor, struct rt_watch *watch, const struct rt_draw_params *params)
{
   const struct rt_graphics_pipeline *pipeline = executor->draw.pipeline;
   const struct abi_shader_info *vertex = pipeline ? pipeline->shaders[ABI_STAGE_VERTEX].info : NULL;
   const struct rt_watched_draw watched = {
      .is_indexed = params->is_indexed,
      .count = params->count,
      .instance_count = params->instance_count,
      .first = params->first,
      .first_instance = params->first_instance,
      .vertex_offset = params->vertex_offset,
      .state = &executor->state,
      .vertex_buffers = executor->draw.vertex_buffers,
      .index_buffer = executor->draw.index_buffer,
      .index_bytes = executor->draw.index_bytes,
      .restart_index = executor->draw.restart_index,
      .inputs = vertex ? vertex->inputs : NULL,
   };
   if (pipeline && executor->is_rendering)
      rt_watch_draw(watch, &watched);
}

static void draw(struct rt_executor *executor, const struct rt_draw_params *params)
{
   executor->draw.order = rt_executor_next_order(executor);
   if (UTIL_UNLIKELY(executor->watch != NULL)) {
      watch_draw(executor, executor->watch, params);
      rt_watch_tests(executor->watch, &executor->state);
   }
   if (UTIL_UNLIKELY(executor->readers != NULL) && params->is_indexed) {
      rt_executor_await_geometry(executor);
      watch_draw(executor, executor->readers, params);
   }
   if (params->count && params->instance_count && executor->is_rendering && executor->draw.pipeline)
      check(executor, rt_render_draw(executor->render, &executor->draw, params));
}

void rt_execute_draw(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_draw *it = (const struct rt_cmd_draw *)cmd;
   const struct rt_draw_params params = {
      .count = it->vertex_count,
      .instance_count = it->instance_count,
      .first = it->first_vertex,
      .first_instance = it->first_instance,
      .draw_index = it->draw_index,
   };
   draw(executor, &params);
}

void rt_execute_draw_indexed(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_draw_indexed *it = (const struct rt_cmd_draw_indexed *)cmd;
   const struct rt_draw_params params = {
      .is_indexed = true,
      .count = it->index_count,
      .instance_count = it->instance_count,
      .first = it->first_index,
      .first_instance = it->first_instance,
      .vertex_offset = it->vertex_offset,
      .draw_index = it->draw_index,
   };
   draw(executor, &params);
}

static void draw_mesh(struct rt_executor *executor, const struct rt_draw_params *params)
{
   const uint32_t *grid = params->grid;
   uint64_t count;
   if (!executor->is_rendering || !executor->draw.pipeline)
      return;
   if (!rt_grid_count(grid, &count)) {
      char reason[128];
      snprintf(reason, sizeof(reason), "a draw of %u x %u x %u workgroups", grid[0], grid[1], grid[2]);
      rt_device_lose(executor->device, reason);
      return;
   }
   executor->draw.order = rt_executor_next_order(executor);
   if (UTIL_UNLIKELY(executor->watch != NULL))
      rt_watch_tests(executor->watch, &executor->state);
   check(executor, rt_render_draw_mesh(executor->render, &executor->draw, params));
}

void rt_execute_draw_mesh(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct rt_draw_params params = {0};
   memcpy(params.grid, ((const struct rt_cmd_draw_mesh *)cmd)->grid, sizeof(params.grid));
   draw_mesh(executor, &params);
}

static struct rt_draw_params read_indirect(const uint8_t *args, enum rt_draw_type draw_type, uint32_t draw_index)
{
   if (draw_type == RT_DRAW_MESH) {
      VkDrawMeshTasksIndirectCommandEXT it;
      memcpy(&it, args, sizeof(it));
      return (struct rt_draw_params){.grid = {it.groupCountX, it.groupCountY, it.groupCountZ}, .draw_index = draw_index};
   }
   if (draw_type == RT_DRAW_INDEXED) {
      VkDrawIndexedIndirectCommand it;
      memcpy(&it, args, sizeof(it));
      return (struct rt_draw_params){
         .is_indexed = true,
         .count = it.indexCount,
         .instance_count = it.instanceCount,
         .first = it.firstIndex,
         .first_instance = it.firstInstance,
         .vertex_offset = it.vertexOffset,
         .draw_index = draw_index,
      };
   }
   VkDrawIndirectCommand it;
   memcpy(&it, args, sizeof(it));
   return (struct rt_draw_params){
      .count = it.vertexCount,
      .instance_count = it.instanceCount,
      .first = it.firstVertex,
      .first_instance = it.firstInstance,
      .draw_index = draw_index,
   };
}

/* Spec: vkCmdDrawIndirectByteCountEXT. A count that is less than the offset, or a vertex without size, is nothing to draw. */
void rt_execute_draw_byte_count(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_draw_byte_count *it = (const struct rt_cmd_draw_byte_count *)cmd;
   uint32_t bytes;
   rt_executor_await_geometry(executor);
   memcpy(&bytes, it->counter, sizeof(bytes));
   const struct rt_draw_params params = {
      .count = bytes > it->offset_bytes && it->stride_bytes ? (bytes - it->offset_bytes) / it->stride_bytes : 0,
      .instance_count = it->instance_count,
      .first_instance = it->first_instance,
   };
   draw(executor, &params);
}

void rt_execute_draw_indirect(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_draw_indirect *it = (const struct rt_cmd_draw_indirect *)cmd;
   uint32_t count = it->max_draws;
   rt_executor_await_geometry(executor);
   if (it->count) {
      uint32_t wanted;
      memcpy(&wanted, it->count, sizeof(wanted));
      count = UTIL_MIN(count, wanted);
   }
   for (struct rt_parts parts = rt_parts_of(&executor->worker, count); rt_parts_next(&parts);) {
      const struct rt_draw_params params =
         read_indirect(it->args + parts.index * it->stride_bytes, it->draw_type, (uint32_t)parts.index);
      if (it->draw_type == RT_DRAW_MESH)
         draw_mesh(executor, &params);
      else
         draw(executor, &params);
   }
}
