/* SPDX-License-Identifier: MIT
 * What commands read and write by themselves, by type. Spec: the chapter of each command; "Access Types", table "Supported access types".
 * Builds of acceleration structures are in
 * watch_accel.c. What transform feedback captures is known when it ends: rt_watch_captured(). */
#include "runtime/cmd/scopes.h"
#include "runtime/instrument/areas.h"
#include "runtime/instrument/watch.h"
#include "runtime/matrix/convert.h"

#include <string.h>

#define STAGE(name) VK_PIPELINE_STAGE_2_##name##_BIT
#define ACCESS(name) VK_ACCESS_2_##name##_BIT

static const struct rt_watched_use copy_read = {STAGE(COPY), ACCESS(TRANSFER_READ), false, false};
static const struct rt_watched_use copy_write = {STAGE(COPY), ACCESS(TRANSFER_WRITE), true, false};
static const struct rt_watched_use blit_read = {STAGE(BLIT), ACCESS(TRANSFER_READ), false, false};
static const struct rt_watched_use blit_write = {STAGE(BLIT), ACCESS(TRANSFER_WRITE), true, false};
static const struct rt_watched_use resolve_read = {STAGE(RESOLVE), ACCESS(TRANSFER_READ), false, false};
static const struct rt_watched_use resolve_write = {STAGE(RESOLVE), ACCESS(TRANSFER_WRITE), true, false};
static const struct rt_watched_use clear_write = {STAGE(CLEAR), ACCESS(TRANSFER_WRITE), true, false};
/* Fills and updates are transfers; either stage is taken for theirs. */
static const struct rt_watched_use fill_write = {STAGE(COPY) | STAGE(CLEAR), ACCESS(TRANSFER_WRITE), true, false};
static const struct rt_watched_use indirect_read = {STAGE(DRAW_INDIRECT), ACCESS(INDIRECT_COMMAND_READ), false, false, true};

/* What visitors of boxes get. */
struct user {
   struct rt_watch *watch;
   const struct rt_watched_use *use;
};

static void use_bytes(void *data, uint64_t begin, uint64_t end)
{
   const struct user *user = data;
   rt_watch_use(user->watch, user->use, begin, end);
}

static void use_memory(struct rt_watch *watch, const struct rt_watched_use *use, const void *data, uint64_t bytes)
{
   if (data && bytes)
      rt_watch_use(watch, use, (uintptr_t)data, (uintptr_t)data + bytes);
}

/* ---- images ---- */

static void use_plane(struct rt_watch *watch, const struct rt_watched_use *use, const struct rt_image *image, uint32_t plane,
                      const VkImageSubresourceLayers *layers, VkOffset3D offset, VkExtent3D extent)
{
   struct user user = {watch, use};
   const bool has_slices = image->type == VK_IMAGE_TYPE_3D;
   for (uint32_t i = 0; i < (has_slices ? 1 : layers->layerCount); i++) {
      const struct rt_level_memory memory =
         rt_level_memory_of(image, &image->planes[plane], layers->mipLevel, has_slices ? 0 : layers->baseArrayLayer + i);
      rt_box_visit(&memory, offset, extent, use_bytes, &user);
   }
}

static void use_image(struct rt_watch *watch, const struct rt_watched_use *use, const struct rt_image *image, const VkImageSubresourceLayers *layers,
                      VkOffset3D offset, VkExtent3D extent)
{
   uint32_t planes = 0;
   for (VkImageAspectFlags aspects = layers->aspectMask; aspects; aspects &= aspects - 1)
      planes |= 1u << rt_image_plane(image, aspects & -aspects);
   for (; planes; planes &= planes - 1)
      use_plane(watch, use, image, (uint32_t)__builtin_ctz(planes), layers, offset, extent);
}

static VkExtent3D with_slices(const struct rt_image *image, VkExtent3D extent, uint32_t other_layers)
{
   return image->type == VK_IMAGE_TYPE_3D ? (VkExtent3D){extent.width, extent.height, UTIL_MAX(extent.depth, other_layers)}
                                          : (VkExtent3D){extent.width, extent.height, 1};
}

/* Extents count texels of the source; of blocks of another size as many. */
static VkExtent3D at_destination(const struct rt_image *src, const struct rt_image *dst, VkExtent3D extent)
{
   extent.width = UTIL_DIV_ROUND_UP(extent.width, src->info->block_width) * dst->info->block_width;
   extent.height = UTIL_DIV_ROUND_UP(extent.height, src->info->block_height) * dst->info->block_height;
   extent.depth = UTIL_DIV_ROUND_UP(extent.depth, src->info->block_depth) * dst->info->block_depth;
   return extent;
}

static void of_copy_image(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_image *copy = (const struct rt_cmd_copy_image *)cmd;
   for (uint32_t i = 0; i < copy->num_regions; i++) {
      const VkImageCopy *r = &copy->regions[i];
      use_image(watch, &copy_read, copy->src, &r->srcSubresource, r->srcOffset, with_slices(copy->src, r->extent, r->dstSubresource.layerCount));
      use_image(watch, &copy_write, copy->dst, &r->dstSubresource, r->dstOffset,
                with_slices(copy->dst, at_destination(copy->src, copy->dst, r->extent), r->srcSubresource.layerCount));
   }
}

/* A box between two corners in any order. */
static void use_corners(struct rt_watch *watch, const struct rt_watched_use *use, const struct rt_image *image, const VkImageSubresourceLayers *layers,
                        const VkOffset3D corners[2])
{
   const VkOffset3D least = {UTIL_MIN(corners[0].x, corners[1].x), UTIL_MIN(corners[0].y, corners[1].y), UTIL_MIN(corners[0].z, corners[1].z)};
   const VkExtent3D extent = {(uint32_t)(UTIL_MAX(corners[0].x, corners[1].x) - least.x), (uint32_t)(UTIL_MAX(corners[0].y, corners[1].y) - least.y),
                              (uint32_t)(UTIL_MAX(corners[0].z, corners[1].z) - least.z)};
   use_image(watch, use, image, layers, least, extent);
}

static void of_blit_image(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_blit_image *blit = (const struct rt_cmd_blit_image *)cmd;
   for (uint32_t i = 0; i < blit->num_regions; i++) {
      use_corners(watch, &blit_read, blit->src, &blit->regions[i].srcSubresource, blit->regions[i].srcOffsets);
      use_corners(watch, &blit_write, blit->dst, &blit->regions[i].dstSubresource, blit->regions[i].dstOffsets);
   }
}

static void of_resolve_image(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_resolve_image *resolve = (const struct rt_cmd_resolve_image *)cmd;
   for (uint32_t i = 0; i < resolve->num_regions; i++) {
      const VkImageResolve *r = &resolve->regions[i];
      use_image(watch, &resolve_read, resolve->src, &r->srcSubresource, r->srcOffset, r->extent);
      use_image(watch, &resolve_write, resolve->dst, &r->dstSubresource, r->dstOffset, r->extent);
   }
}

static void use_ranges(struct rt_watch *watch, const struct rt_image *image, const VkImageSubresourceRange *ranges, uint32_t count)
{
   struct rt_areas areas;
   for (uint32_t i = 0; i < count; i++) {
      rt_areas_of_subresources(&areas, image, &ranges[i]);
      for (uint32_t k = 0; k < areas.count; k++)
         rt_watch_use(watch, &clear_write, areas.ranges[k].begin, areas.ranges[k].end);
   }
}

static void of_clear_color_image(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_clear_color_image *clear = (const struct rt_cmd_clear_color_image *)cmd;
   use_ranges(watch, clear->image, clear->ranges, clear->num_ranges);
}

static void of_clear_depth_stencil_image(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_clear_depth_stencil_image *clear = (const struct rt_cmd_clear_depth_stencil_image *)cmd;
   use_ranges(watch, clear->image, clear->ranges, clear->num_ranges);
}

/* ---- buffers ---- */

static void of_copy_buffer(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_buffer *copy = (const struct rt_cmd_copy_buffer *)cmd;
   for (uint32_t i = 0; i < copy->num_regions; i++) {
      use_memory(watch, &copy_read, copy->src + copy->regions[i].srcOffset, copy->regions[i].size);
      use_memory(watch, &copy_write, copy->dst + copy->regions[i].dstOffset, copy->regions[i].size);
   }
}

static void of_fill_buffer(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_fill_buffer *fill = (const struct rt_cmd_fill_buffer *)cmd;
   use_memory(watch, &fill_write, fill->dst, fill->size_bytes);
}

static void of_update_buffer(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_update_buffer *update = (const struct rt_cmd_update_buffer *)cmd;
   use_memory(watch, &fill_write, update->dst, update->size_bytes);
}

/* The buffer's side of a copy from or to an image: row by row, or a layer at once where rows follow each other. */
static void use_rows(struct rt_watch *watch, const struct rt_watched_use *use, const uint8_t *data, const struct rt_image *image,
                     const VkBufferImageCopy *r)
{
   const struct rt_plane *plane = &image->planes[rt_image_plane(image, r->imageSubresource.aspectMask)];
   const struct rt_format_info *info = plane->info;
   const uint64_t width = UTIL_DIV_ROUND_UP(r->imageExtent.width, info->block_width);
   const uint64_t height = UTIL_DIV_ROUND_UP(r->imageExtent.height, info->block_height);
   const uint64_t pitch = r->bufferRowLength ? UTIL_DIV_ROUND_UP(r->bufferRowLength, info->block_width) : width;
   const uint64_t rows = r->bufferImageHeight ? UTIL_DIV_ROUND_UP(r->bufferImageHeight, info->block_height) : height;
   const uint64_t deep = UTIL_DIV_ROUND_UP(r->imageExtent.depth, info->block_depth);
   const uint64_t slices = deep * (image->type == VK_IMAGE_TYPE_3D ? 1 : r->imageSubresource.layerCount);
   for (uint64_t z = 0; z < slices; z++) {
      const uint8_t *slice = data + r->bufferOffset + z * rows * pitch * info->texel_bytes;
      if (pitch == width)
         use_memory(watch, use, slice, height * pitch * info->texel_bytes);
      for (uint64_t y = 0; pitch != width && y < height; y++)
         use_memory(watch, use, slice + y * pitch * info->texel_bytes, width * info->texel_bytes);
   }
}

static void of_copy_buffer_to_image(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_buffer_to_image *copy = (const struct rt_cmd_copy_buffer_to_image *)cmd;
   for (uint32_t i = 0; i < copy->num_regions; i++) {
      use_rows(watch, &copy_read, copy->src, copy->dst, &copy->regions[i]);
      use_image(watch, &copy_write, copy->dst, &copy->regions[i].imageSubresource, copy->regions[i].imageOffset, copy->regions[i].imageExtent);
   }
}

static void of_copy_image_to_buffer(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_image_to_buffer *copy = (const struct rt_cmd_copy_image_to_buffer *)cmd;
   for (uint32_t i = 0; i < copy->num_regions; i++) {
      use_image(watch, &copy_read, copy->src, &copy->regions[i].imageSubresource, copy->regions[i].imageOffset, copy->regions[i].imageExtent);
      use_rows(watch, &copy_write, copy->dst, copy->src, &copy->regions[i]);
   }
}

static void of_copy_query_results(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_query_results *copy = (const struct rt_cmd_copy_query_results *)cmd;
   const uint32_t bytes = copy->flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
   for (uint32_t i = 0; i < copy->count; i++)
      use_memory(watch, &copy_write, copy->dst + i * copy->stride_bytes, bytes);
}

/* ---- parameters in memory ---- */

static void of_dispatch_indirect(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   use_memory(watch, &indirect_read, ((const struct rt_cmd_dispatch_indirect *)cmd)->args, sizeof(VkDispatchIndirectCommand));
}

static void of_draw_indirect(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_draw_indirect *draw = (const struct rt_cmd_draw_indirect *)cmd;
   const uint32_t bytes = draw->draw_type == RT_DRAW_MESH      ? sizeof(VkDrawMeshTasksIndirectCommandEXT)
                          : draw->draw_type == RT_DRAW_INDEXED ? sizeof(VkDrawIndexedIndirectCommand)
                                                          : sizeof(VkDrawIndirectCommand);
   uint32_t count = draw->max_draws;
   if (draw->count) {
      uint32_t wanted;
      use_memory(watch, &indirect_read, draw->count, sizeof(*draw->count));
      memcpy(&wanted, draw->count, sizeof(wanted));
      count = UTIL_MIN(count, wanted);
   }
   for (uint32_t i = 0; i < count; i++)
      use_memory(watch, &indirect_read, draw->args + (uint64_t)i * draw->stride_bytes, bytes);
}

static void of_trace_rays_indirect(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_trace_rays_indirect *trace = (const struct rt_cmd_trace_rays_indirect *)cmd;
   use_memory(watch, &indirect_read, (const void *)(uintptr_t)trace->address,
              trace->has_table ? sizeof(VkTraceRaysIndirectCommand2KHR) : sizeof(VkTraceRaysIndirectCommandKHR));
}

/* Of very many infos the first ones. */
static void of_dispatch_nodes(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   enum { MAX_INFOS = 1 << 16 };
   static const struct rt_watched_use use = {STAGE(COMPUTE_SHADER), ACCESS(SHADER_STORAGE_READ), false, false, true};
   const struct rt_cmd_dispatch_nodes *dispatch = (const struct rt_cmd_dispatch_nodes *)cmd;
   struct rt_node_infos infos = dispatch->infos;
   if (dispatch->is_recorded)
      return;
   if (dispatch->indirect) {
      use_memory(watch, &use, dispatch->indirect, sizeof(infos));
      memcpy(&infos, dispatch->indirect, sizeof(infos));
   }
   for (uint32_t i = 0; i < infos.count && i < MAX_INFOS; i++) {
      struct rt_node_dispatch info;
      const void *at = (const void *)(uintptr_t)(infos.dispatches + i * infos.stride_bytes);
      use_memory(watch, &use, at, sizeof(info));
      memcpy(&info, at, sizeof(info));
      use_memory(watch, &use, (const void *)(uintptr_t)info.payloads, info.count * info.stride_bytes);
   }
}

/* Not looked at: tables that indirect parameters name. */
static void of_trace_rays(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use use = {VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, false, false};
   const struct rt_ray_table *table = &((const struct rt_cmd_trace_rays *)cmd)->table;
   const struct rt_ray_region *const regions[] = {&table->generation, &table->miss, &table->hit, &table->callable};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(regions); i++)
      use_memory(watch, &use, (const void *)(uintptr_t)regions[i]->address, regions[i]->size_bytes);
}

static void of_begin_conditional(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use use = {VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, false,
                                             false, true};
   use_memory(watch, &use, ((const struct rt_cmd_begin_conditional *)cmd)->value, sizeof(uint32_t));
}

static void of_execute_generated(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   /* with a preprocess step of its own in it, or after one */
   static const struct rt_watched_use use = {STAGE(DRAW_INDIRECT) | VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_EXT,
                                             ACCESS(INDIRECT_COMMAND_READ) | VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_EXT, false, false, true};
   const struct rt_cmd_execute_generated *it = (const struct rt_cmd_execute_generated *)cmd;
   uint32_t count = it->max_sequences;
   if (it->count) {
      uint32_t wanted;
      use_memory(watch, &use, it->count, sizeof(*it->count));
      memcpy(&wanted, it->count, sizeof(wanted));
      count = UTIL_MIN(count, wanted);
   }
   use_memory(watch, &use, it->args, (uint64_t)count * it->list->stride_bytes);
}

static void of_copy_indirect(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use parameters = {RT_STAGE_COPY_INDIRECT, ACCESS(INDIRECT_COMMAND_READ), false, false, true};
   const struct rt_cmd_copy_indirect *it = (const struct rt_cmd_copy_indirect *)cmd;
   for (uint32_t i = 0; i < it->count; i++) {
      const uint8_t *args = it->args + i * it->stride_bytes;
      use_memory(watch, &parameters, args, it->image ? sizeof(struct rt_image_copy) : sizeof(struct rt_memory_copy));
      if (it->image) {
         VkBufferImageCopy region;
         const uint8_t *src;
         if (!rt_indirect_region(it, i, &region, &src))
            continue;
         use_rows(watch, &copy_read, src, it->image, &region);
         use_image(watch, &copy_write, it->image, &region.imageSubresource, region.imageOffset, region.imageExtent);
      } else {
         const struct rt_memory_copy copy = rt_indirect_copy(it, i);
         use_memory(watch, &copy_read, (const uint8_t *)(uintptr_t)copy.src, copy.size_bytes);
         use_memory(watch, &copy_write, (const uint8_t *)(uintptr_t)copy.dst, copy.size_bytes);
      }
   }
}

static void of_decompress(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   /* parameters as all indirect commands have them, too */
   static const struct rt_watched_use parameters = {RT_STAGE_DECOMPRESSION | STAGE(DRAW_INDIRECT),
                                                    RT_ACCESS_DECOMPRESSION_READ | ACCESS(INDIRECT_COMMAND_READ), false, false, true};
   static const struct rt_watched_use read = {RT_STAGE_DECOMPRESSION, RT_ACCESS_DECOMPRESSION_READ, false, false};
   static const struct rt_watched_use write = {RT_STAGE_DECOMPRESSION, RT_ACCESS_DECOMPRESSION_WRITE, true, false};
   const struct rt_cmd_decompress *it = (const struct rt_cmd_decompress *)cmd;
   if (it->count)
      use_memory(watch, &parameters, it->count, sizeof(uint32_t));
   for (uint32_t i = 0; i < rt_decompress_count(it); i++) {
      const struct rt_decompression region = rt_decompress_region(it, i);
      if (it->count)
         use_memory(watch, &parameters, it->args + i * it->stride_bytes, sizeof(region));
      use_memory(watch, &read, (const uint8_t *)(uintptr_t)region.src, region.src_bytes);
      use_memory(watch, &write, (const uint8_t *)(uintptr_t)region.dst, region.dst_bytes);
   }
}

static void of_convert_matrices(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use read = {VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV, ACCESS(TRANSFER_READ), false, false};
   static const struct rt_watched_use write = {VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV, ACCESS(TRANSFER_WRITE), true, false};
   const struct rt_cmd_convert_matrices *it = (const struct rt_cmd_convert_matrices *)cmd;
   for (uint32_t i = 0; i < it->count; i++) {
      const struct rt_matrix_conversion *conversion = &it->conversions[i];
      const uint64_t src = rt_matrix_bytes(&conversion->from, conversion->rows, conversion->columns);
      const uint64_t dst = rt_matrix_bytes(&conversion->to, conversion->rows, conversion->columns);
      use_memory(watch, &read, conversion->src, UTIL_MIN(src, conversion->src_bytes));
      use_memory(watch, &write, conversion->dst, UTIL_MIN(dst, conversion->dst_bytes));
   }
}

/* ---- transform feedback ---- */

#define CAPTURE VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT

static void of_begin_xfb(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use use = {CAPTURE, VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, false, false, true};
   for (uint32_t i = 0; i < ABI_MAX_XFB_BUFFERS; i++)
      use_memory(watch, &use, ((const struct rt_cmd_begin_xfb *)cmd)->counters[i], sizeof(uint32_t));
}

static void of_end_xfb(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use use = {CAPTURE, VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, true, false};
   for (uint32_t i = 0; i < ABI_MAX_XFB_BUFFERS; i++)
      use_memory(watch, &use, ((const struct rt_cmd_end_xfb *)cmd)->counters[i], sizeof(uint32_t));
}

void rt_watch_captured(struct rt_watch *watch, const uint8_t *begin, const uint8_t *end)
{
   static const struct rt_watched_use use = {CAPTURE, VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, true, false};
   if (watch->count && begin < end)
      rt_watch_use(watch, &use, (uintptr_t)begin, (uintptr_t)end);
}

static void of_draw_byte_count(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   static const struct rt_watched_use use = {STAGE(DRAW_INDIRECT) | CAPTURE,
                                             ACCESS(INDIRECT_COMMAND_READ) | VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, false, false, true};
   use_memory(watch, &use, ((const struct rt_cmd_draw_byte_count *)cmd)->counter, sizeof(uint32_t));
}

/* ---- renderings ---- */

static void use_attachment(struct rt_watch *watch, const struct rt_watched_use *use, const struct abi_image *view)
{
   const struct rt_cmd_begin_rendering *begin = watch->begin;
   struct user user = {watch, use};
   if (!view || !view->data)
      return;
   const struct rt_format_info *info = view->format_info;
   const uint32_t count = begin->view_mask ? 32 - (uint32_t)__builtin_clz(begin->view_mask) : begin->num_layers;
   for (uint32_t layer = 0; layer < UTIL_MIN(count, view->num_layers); layer++) {
      const struct rt_level_memory memory = {(uintptr_t)view->data + layer * view->layer_bytes, &view->levels[0], view->is_tiled, view->texel_bytes,
                                             view->num_samples, info->block_width, info->block_height, info->block_depth};
      if (!begin->view_mask || begin->view_mask >> layer & 1)
         rt_box_visit(&memory, (VkOffset3D){begin->area.offset.x, begin->area.offset.y, 0},
                      (VkExtent3D){begin->area.extent.width, begin->area.extent.height, 1}, use_bytes, &user);
   }
}

static void load(struct rt_watch *watch, const struct rt_attachment *attachment, bool is_color)
{
   const bool is_read = attachment->load_op == VK_ATTACHMENT_LOAD_OP_LOAD;
   const struct rt_watched_use use = {
      .stages = is_color ? STAGE(COLOR_ATTACHMENT_OUTPUT) : STAGE(EARLY_FRAGMENT_TESTS),
      .accesses = is_color ? (is_read ? ACCESS(COLOR_ATTACHMENT_READ) : ACCESS(COLOR_ATTACHMENT_WRITE))
                           : (is_read ? ACCESS(DEPTH_STENCIL_ATTACHMENT_READ) : ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE)),
      .is_write = !is_read,
      .is_attachment = true,
   };
   if (attachment->load_op != VK_ATTACHMENT_LOAD_OP_NONE_EXT)
      use_attachment(watch, &use, attachment->view);
}

static const struct rt_watched_use color_write = {STAGE(COLOR_ATTACHMENT_OUTPUT), ACCESS(COLOR_ATTACHMENT_WRITE), true, true};

static bool is_unused(const struct rt_attachment *attachment)
{
   return attachment->store_op == VK_ATTACHMENT_STORE_OP_NONE && attachment->load_op == VK_ATTACHMENT_LOAD_OP_NONE_EXT;
}

static void end_color(struct rt_watch *watch, const struct rt_attachment *attachment)
{
   if (!is_unused(attachment))
      use_attachment(watch, &color_write, attachment->view);
   use_attachment(watch, &color_write, attachment->resolve_view);
}

/* Subpasses but the first one load what the one before stored, which the API knows nothing of. */
static bool goes_on(const struct rt_watch *watch, const struct rt_attachment *attachment)
{
   return watch->begin->subpass > 1 && attachment->load_op == VK_ATTACHMENT_LOAD_OP_LOAD;
}

/* What is read only, or goes on, tests alone read. */
static void end_depth(struct rt_watch *watch, const struct rt_attachment *attachment, bool is_tested)
{
   static const struct rt_watched_use depth = {STAGE(LATE_FRAGMENT_TESTS), ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE), true, true};
   static const struct rt_watched_use tests = {STAGE(EARLY_FRAGMENT_TESTS), ACCESS(DEPTH_STENCIL_ATTACHMENT_READ), false, true};
   static const struct rt_watched_use depth_read = {STAGE(LATE_FRAGMENT_TESTS), ACCESS(DEPTH_STENCIL_ATTACHMENT_READ), false, true};
   if (is_tested && goes_on(watch, attachment))
      use_attachment(watch, &tests, attachment->view);
   if (attachment->is_read_only ? is_tested : !is_unused(attachment))
      use_attachment(watch, attachment->is_read_only ? &depth_read : &depth, attachment->view);
   use_attachment(watch, &color_write, attachment->resolve_view);
}

static void begin_depth(struct rt_watch *watch, const struct rt_attachment *attachment)
{
   if (!goes_on(watch, attachment))
      load(watch, attachment, false);
}

static void of_begin_rendering(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_begin_rendering *begin = watch->begin = (const struct rt_cmd_begin_rendering *)cmd;
   for (uint32_t i = 0; !begin->is_resuming && i < begin->num_colors; i++)
      load(watch, &begin->colors[i], true);
   if (!begin->is_resuming) {
      watch->tests_depth = watch->tests_stencil = false;
      begin_depth(watch, &begin->depth);
      begin_depth(watch, &begin->stencil);
   }
}

static void of_end_rendering(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   const struct rt_cmd_begin_rendering *begin = watch->begin;
   if (!begin || begin->is_suspending)
      return;
   for (uint32_t i = 0; i < begin->num_colors; i++)
      end_color(watch, &begin->colors[i]);
   end_depth(watch, &begin->depth, watch->tests_depth);
   end_depth(watch, &begin->stencil, watch->tests_stencil);
}

static void (*const users[RT_NUM_COMMANDS])(struct rt_watch *watch, const struct rt_cmd *cmd) = {
   [RT_CMD_copy_buffer] = of_copy_buffer,
   [RT_CMD_fill_buffer] = of_fill_buffer,
   [RT_CMD_update_buffer] = of_update_buffer,
   [RT_CMD_copy_image] = of_copy_image,
   [RT_CMD_copy_buffer_to_image] = of_copy_buffer_to_image,
   [RT_CMD_copy_image_to_buffer] = of_copy_image_to_buffer,
   [RT_CMD_blit_image] = of_blit_image,
   [RT_CMD_resolve_image] = of_resolve_image,
   [RT_CMD_clear_color_image] = of_clear_color_image,
   [RT_CMD_clear_depth_stencil_image] = of_clear_depth_stencil_image,
   [RT_CMD_copy_indirect] = of_copy_indirect,
   [RT_CMD_decompress] = of_decompress,
   [RT_CMD_convert_matrices] = of_convert_matrices,
   [RT_CMD_copy_query_results] = of_copy_query_results,
   [RT_CMD_dispatch_indirect] = of_dispatch_indirect,
   [RT_CMD_draw_indirect] = of_draw_indirect,
   [RT_CMD_dispatch_nodes] = of_dispatch_nodes,
   [RT_CMD_trace_rays] = of_trace_rays,
   [RT_CMD_trace_rays_indirect] = of_trace_rays_indirect,
   [RT_CMD_begin_conditional] = of_begin_conditional,
   [RT_CMD_begin_rendering] = of_begin_rendering,
   [RT_CMD_end_rendering] = of_end_rendering,
   [RT_CMD_execute_generated] = of_execute_generated,
   [RT_CMD_begin_xfb] = of_begin_xfb,
   [RT_CMD_end_xfb] = of_end_xfb,
   [RT_CMD_draw_byte_count] = of_draw_byte_count,
   [RT_CMD_build_accel] = rt_watch_accel,
   [RT_CMD_copy_accel] = rt_watch_accel,
   [RT_CMD_write_accel_properties] = rt_watch_accel,
};

bool rt_watch_decides(const struct rt_cmd *cmd)
{
   switch (cmd->type) {
   case RT_CMD_dispatch_indirect:
   case RT_CMD_dispatch_nodes:
   case RT_CMD_draw_indirect:
   case RT_CMD_draw_byte_count:
   case RT_CMD_trace_rays: /* shader records, as the launch looks them up: rt_watch_records() */
   case RT_CMD_trace_rays_indirect:
   case RT_CMD_begin_conditional:
   case RT_CMD_execute_generated:
   case RT_CMD_copy_indirect:
   case RT_CMD_decompress:
   case RT_CMD_begin_xfb:
   case RT_CMD_build_accel: return true;
   default: return false;
   }
}

void rt_watch_uses(struct rt_watch *watch, const struct rt_cmd *cmd)
{
   if (users[cmd->type])
      users[cmd->type](watch, cmd);
}

/* ---- vertices and indices ---- */

static void use_buffer(struct rt_watch *watch, const struct rt_watched_use *use, const struct rt_vertex_buffer *buffer, uint64_t begin, uint64_t end)
{
   begin = UTIL_MIN(begin, buffer->size_bytes);
   end = UTIL_MIN(end, buffer->size_bytes);
   use_memory(watch, use, buffer->data ? buffer->data + begin : NULL, end - begin);
}

/* The least and the greatest index that is no restart; false: there is none. */
static bool find_indices(const struct rt_watched_draw *draw, uint64_t *least, uint64_t *greatest)
{
   const uint32_t bytes = draw->index_bytes;
   *least = UINT64_MAX;
   *greatest = 0;
   for (uint64_t i = draw->first; i < (uint64_t)draw->first + draw->count; i++) {
      uint32_t index = 0;
      if (!draw->index_buffer.data || (i + 1) * bytes > draw->index_buffer.size_bytes)
         break;
      memcpy(&index, draw->index_buffer.data + i * bytes, bytes);
      if (draw->state->primitive_restart.enable && index == draw->restart_index)
         continue;
      *least = UTIL_MIN(*least, index);
      *greatest = UTIL_MAX(*greatest, index);
   }
   return *least <= *greatest;
}

static void use_attribute(struct rt_watch *watch, const struct rt_watched_draw *draw, const struct rt_vertex_attribute *attribute, uint64_t least,
                          uint64_t greatest)
{
   static const struct rt_watched_use use = {STAGE(VERTEX_ATTRIBUTE_INPUT), ACCESS(VERTEX_ATTRIBUTE_READ), false, false};
   const uint32_t divisor = draw->state->vertex_input.divisors[attribute->binding];
   const uint64_t stride = draw->state->vertex_strides.strides[attribute->binding];
   const uint32_t bytes = rt_format_info((VkFormat)attribute->format)->texel_bytes;
   if (divisor) {
      least = draw->first_instance;
      greatest = least + (divisor == RT_DIVISOR_ZERO ? 0 : (draw->instance_count - 1) / divisor);
   }
   if (bytes)
      use_buffer(watch, &use, &draw->vertex_buffers[attribute->binding], least * stride + attribute->offset_bytes,
                 greatest * stride + attribute->offset_bytes + bytes);
}

void rt_watch_tests(struct rt_watch *watch, const struct rt_state *state)
{
   watch->tests_depth |= state->depth_test.enable || state->depth_bounds_test.enable;
   watch->tests_stencil |= state->stencil_test.enable;
}

void rt_watch_draw(struct rt_watch *watch, const struct rt_watched_draw *draw)
{
   static const struct rt_watched_use indices = {STAGE(INDEX_INPUT), ACCESS(INDEX_READ), false, false, true};
   uint64_t least = draw->first, greatest = (uint64_t)draw->first + draw->count - 1;
   if (!watch->count || !draw->count || !draw->instance_count)
      return;
   if (draw->is_indexed) {
      use_buffer(watch, &indices, &draw->index_buffer, (uint64_t)draw->first * draw->index_bytes,
                 ((uint64_t)draw->first + draw->count) * draw->index_bytes);
      if (!watch->hazards || !find_indices(draw, &least, &greatest))
         return;
      least = (uint64_t)UTIL_MAX((int64_t)least + draw->vertex_offset, INT64_C(0));
      greatest = (uint64_t)UTIL_MAX((int64_t)greatest + draw->vertex_offset, INT64_C(0));
   }
   for (uint32_t i = 0; watch->hazards /* whose components the shader asks for itself */ && draw->inputs && i < RT_MAX_VERTEX_ATTRIBUTES; i++) {
      const uint32_t slot = ABI_SLOT_USER + i * 4;
      const struct rt_vertex_attribute *attribute = &draw->state->vertex_input.attributes[i];
      if (attribute->is_enabled && draw->inputs[slot / 64] >> slot % 64 & 15)
         use_attribute(watch, draw, attribute, least, greatest);
   }
}
