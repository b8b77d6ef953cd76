/* SPDX-License-Identifier: MIT
 * Names and text of commands. */
#include "runtime/cmd/print.h"

#include "runtime/cmd/scopes.h"
#include "util/debug.h"

#include <inttypes.h>
#include <stdio.h>

const char *rt_cmd_name(enum rt_cmd_type type)
{
   static const char *const names[RT_NUM_COMMANDS] = {
#define X(name) [RT_CMD_##name] = #name,
      RT_COMMANDS(X)
#undef X
   };
   return (uint32_t)type < RT_NUM_COMMANDS ? names[type] : "unknown command";
}

typedef int print_fn(char *text, size_t room, const struct rt_cmd *cmd);

#define PRINT(name, ...)                                                                                               \
   static int print_##name(char *text, size_t room, const struct rt_cmd *cmd)                                          \
   {                                                                                                                   \
      const struct rt_cmd_##name *it = (const struct rt_cmd_##name *)cmd;                                              \
      return snprintf(text, room, __VA_ARGS__);                                                                        \
   }

PRINT(bind_compute, "%s", it->pipeline && it->pipeline->shader.name ? it->pipeline->shader.name : "")
static int print_bind_graphics(char *text, size_t room, const struct rt_cmd *cmd)
{
   const struct rt_graphics_pipeline *pipeline = ((const struct rt_cmd_bind_graphics *)cmd)->pipeline;
   int length = 0;
   for (uint32_t i = 0; pipeline && i < ABI_NUM_STAGES; i++) {
      const size_t at = UTIL_MIN((size_t)length, room);
      if (pipeline->shaders[i].info)
         length += snprintf(text + at, room - at, "%s%s", length ? ", " : "",
                            pipeline->shaders[i].name ? pipeline->shaders[i].name : "");
   }
   return length;
}
PRINT(bind_sets, "points 0x%x, sets %u + %u", it->bind_points, it->first_set, it->num_sets)
PRINT(push_constants, "bytes %u + %u", it->offset_bytes, it->size_bytes)
PRINT(dispatch, "%u x %u x %u, base %u %u %u", it->count[0], it->count[1], it->count[2], it->base[0], it->base[1],
      it->base[2])
PRINT(copy_buffer, "%p to %p, %u regions", (const void *)it->src, (void *)it->dst, it->num_regions)
PRINT(fill_buffer, "%p, %" PRIu64 " bytes with 0x%08x", (void *)it->dst, it->size_bytes, it->value)
PRINT(update_buffer, "%p, %" PRIu64 " bytes", (void *)it->dst, it->size_bytes)
PRINT(copy_image, "%s to %s, %u regions", rt_format_info(it->src->format)->name, rt_format_info(it->dst->format)->name,
      it->num_regions)
PRINT(copy_buffer_to_image, "%s, %u regions", rt_format_info(it->dst->format)->name, it->num_regions)
PRINT(copy_image_to_buffer, "%s, %u regions", rt_format_info(it->src->format)->name, it->num_regions)
PRINT(blit_image, "%s to %s, %s, %u regions", rt_format_info(it->src->format)->name,
      rt_format_info(it->dst->format)->name, it->filter == VK_FILTER_LINEAR ? "linear" : "nearest", it->num_regions)
PRINT(resolve_image, "%s, %u regions", rt_format_info(it->src->format)->name, it->num_regions)
PRINT(clear_color_image, "%s, %u ranges", rt_format_info(it->image->format)->name, it->num_ranges)
PRINT(clear_depth_stencil_image, "%s, %u ranges", rt_format_info(it->image->format)->name, it->num_ranges)
PRINT(begin_rendering, "area %d %d %u x %u, %u layers, view mask 0x%x, %u colors%s%s", it->area.offset.x,
      it->area.offset.y, it->area.extent.width, it->area.extent.height, it->num_layers, it->view_mask, it->num_colors,
      it->depth.view ? ", depth" : "", it->stencil.view ? ", stencil" : "")
PRINT(clear_attachments, "%u attachments, %u rects", it->num_attachments, it->num_rects)
PRINT(set_state, "group %u, bytes %u + %u", it->group, it->offset_bytes, it->size_bytes)
PRINT(bind_vertex_buffers, "%u + %u", it->first, it->count)
PRINT(bind_index_buffer, "%" PRIu64 " bytes, %u an index", it->size_bytes, it->index_bytes)
PRINT(draw, "%u vertices from %u, %u instances from %u", it->vertex_count, it->first_vertex, it->instance_count,
      it->first_instance)
PRINT(draw_indexed, "%u indices from %u, vertex offset %d, %u instances from %u", it->index_count, it->first_index,
      it->vertex_offset, it->instance_count, it->first_instance)
PRINT(draw_indirect, "%s%s, at most %u",
      it->draw_type == RT_DRAW_MESH      ? "meshes"
      : it->draw_type == RT_DRAW_INDEXED ? "indexed"
                                    : "not indexed",
      it->count ? ", counted" : "", it->max_draws)
PRINT(draw_mesh, "%u x %u x %u", it->grid[0], it->grid[1], it->grid[2])
PRINT(set_event, "%p = %u", (void *)it->event, it->value)
PRINT(wait_events, "%u events", it->count)
PRINT(begin_query, "%u", it->query)
PRINT(end_query, "%u", it->query)
PRINT(reset_queries, "%u + %u", it->first, it->count)
PRINT(copy_query_results, "%u + %u, flags 0x%x", it->first, it->count, it->flags)
PRINT(write_timestamp, "%u", it->query)
PRINT(bind_xfb_buffers, "%u + %u", it->first, it->count)
PRINT(draw_byte_count, "less %u bytes, %u a vertex, %u instances from %u", it->offset_bytes, it->stride_bytes, it->instance_count,
      it->first_instance)
PRINT(build_accel, "%u", it->count)
PRINT(copy_accel, "mode %u, %p to %p", it->mode, it->from.data, it->to.data)
PRINT(write_accel_properties, "queries %u + %u", it->first, it->count)
PRINT(set_ray_stack, "%u bytes", it->bytes)
PRINT(trace_rays, "%u x %u x %u", it->size[0], it->size[1], it->size[2])
PRINT(trace_rays_indirect, "at 0x%" PRIx64 "%s", it->address, it->has_table ? ", with its table" : "")
PRINT(dispatch_nodes, "%s, %u", it->indirect ? "counted" : "", it->infos.count)
PRINT(set_restart_index, "0x%x", it->index)
PRINT(copy_indirect, "%u%s", it->count, it->image ? ", to an image" : "")
PRINT(convert_matrices, "%u", it->count)
PRINT(decompress, "at most %u%s", it->max_count, it->count ? ", counted" : "")
PRINT(write_marker, "%p = %u", (void *)it->dst, it->value)
PRINT(execute_generated, "at most %u%s, %u tokens", it->max_sequences, it->count ? ", counted" : "", it->list->count)
PRINT(execute, "%u streams", it->count)
PRINT(label, "%s", it->text ? it->text : "ends")

/* Why what follows waits: scope by scope. */
static int print_dependency(char *text, size_t room, const struct rt_cmd *cmd)
{
   const struct rt_cmd_dependency *it = (const struct rt_cmd_dependency *)cmd;
   size_t length = 0;
   for (uint32_t i = 0; i < it->count; i++) {
      const struct rt_cmd_scope *scope = &it->scopes[i];
      length += (size_t)snprintf(text + UTIL_MIN(length, room), room - UTIL_MIN(length, room), "%s", i ? "; " : "");
      length += rt_scope_print(text + UTIL_MIN(length, room), room - UTIL_MIN(length, room), scope->src_stages, scope->src_accesses);
      length += (size_t)snprintf(text + UTIL_MIN(length, room), room - UTIL_MIN(length, room), " before ");
      length += rt_scope_print(text + UTIL_MIN(length, room), room - UTIL_MIN(length, room), scope->dst_stages, scope->dst_accesses);
      length += (size_t)snprintf(text + UTIL_MIN(length, room), room - UTIL_MIN(length, room), "%s%s", scope->num_ranges ? ", of a part of memory" : "",
                                 scope->is_transition ? ", a layout transition" : "");
   }
   return (int)length;
}

static print_fn *const functions[RT_NUM_COMMANDS] = {
#define ENTRY(name) [RT_CMD_##name] = print_##name
   ENTRY(bind_compute),
   ENTRY(bind_graphics),
   ENTRY(bind_sets),
   ENTRY(push_constants),
   ENTRY(dispatch),
   ENTRY(copy_buffer),
   ENTRY(fill_buffer),
   ENTRY(update_buffer),
   ENTRY(copy_image),
   ENTRY(copy_buffer_to_image),
   ENTRY(copy_image_to_buffer),
   ENTRY(blit_image),
   ENTRY(resolve_image),
   ENTRY(clear_color_image),
   ENTRY(clear_depth_stencil_image),
   ENTRY(begin_rendering),
   ENTRY(clear_attachments),
   ENTRY(set_state),
   ENTRY(bind_vertex_buffers),
   ENTRY(bind_index_buffer),
   ENTRY(draw),
   ENTRY(draw_indexed),
   ENTRY(draw_indirect),
   ENTRY(draw_mesh),
   ENTRY(set_event),
   ENTRY(wait_events),
   ENTRY(begin_query),
   ENTRY(end_query),
   ENTRY(reset_queries),
   ENTRY(copy_query_results),
   ENTRY(write_timestamp),
   ENTRY(execute),
   ENTRY(bind_xfb_buffers),
   ENTRY(draw_byte_count),
   ENTRY(build_accel),
   ENTRY(copy_accel),
   ENTRY(write_accel_properties),
   ENTRY(set_ray_stack),
   ENTRY(dispatch_nodes),
   ENTRY(trace_rays),
   ENTRY(trace_rays_indirect),
   ENTRY(set_restart_index),
   ENTRY(copy_indirect),
   ENTRY(decompress),
   ENTRY(convert_matrices),
   ENTRY(write_marker),
   ENTRY(execute_generated),
   ENTRY(label),
   ENTRY(dependency),
#undef ENTRY
};

void rt_cmd_print(const struct rt_cmd *cmd, uint32_t nesting)
{
   char text[512] = "";
   if (functions[cmd->type])
      functions[cmd->type](text, sizeof(text), cmd);
   util_log("%*s%s %s", (int)nesting * 2, "", rt_cmd_name(cmd->type), text);
}
