/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/written.h"

#include "abi/probe.h"
#include "runtime/accel/command.h"
#include "runtime/image/image.h"
#include "runtime/instrument/areas.h"
#include "runtime/instrument/instrument.h"
#include "runtime/matrix/convert.h"
#include "util/sanitizers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };

/* ---- memory ---- */

static _Atomic uint64_t next_address = ABI_SHADOWED_BEGIN;

static uint8_t *shadow_of(const void *data)
{
   return (uint8_t *)((uintptr_t)data + ABI_SHADOW_DISTANCE);
}

#ifdef __SANITIZE_THREAD__
/* ThreadSanitizer needs these addresses itself, and ends a process that asks for them. */
static bool map_at(uint64_t address, size_t size_bytes)
{
   return false;
}
#else
static bool map_at(uint64_t address, size_t size_bytes)
{
   void *const wanted = (void *)(uintptr_t)address;
   void *got = mmap(wanted, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
   if (got == MAP_FAILED)
      return false;
   if (got != wanted)
      munmap(got, size_bytes);
   return got == wanted;
}
#endif

/* Addresses are given out once: half a tebibyte is enough for a search. */
void *rt_followed_create(size_t size_bytes)
{
   const size_t size = util_align(size_bytes, PAGE_BYTES);
   const uint64_t address = atomic_fetch_add(&next_address, size + PAGE_BYTES);
   if (size_bytes > ABI_SHADOW_DISTANCE || !abi_has_shadow(address + size))
      return NULL;
   if (!map_at(address, size))
      return NULL;
   if (!map_at(address + ABI_SHADOW_DISTANCE, size)) {
      munmap((void *)(uintptr_t)address, size);
      return NULL;
   }
   memset(shadow_of((void *)(uintptr_t)address), 0xff, size);
   return (void *)(uintptr_t)address;
}

void rt_followed_destroy(void *data, size_t size_bytes)
{
   const size_t size = util_align(size_bytes, PAGE_BYTES);
   munmap(shadow_of(data), size);
   munmap(data, size);
}

void rt_written(const void *data, uint64_t size_bytes)
{
   if (abi_has_shadow((uintptr_t)data))
      memset(shadow_of(data), 0, size_bytes);
}

void rt_unwritten(const void *data, uint64_t size_bytes)
{
   if (!abi_has_shadow((uintptr_t)data))
      return;
   memset(shadow_of(data), 0xff, size_bytes);
   rt_unwritten_note((uintptr_t)data, (uintptr_t)data + size_bytes);
}

/* ---- what became unwritten ---- */

enum { NUM_RECENT = 256 };

static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER; /* of those that write */
static struct {
   _Atomic uint64_t begin, end; /* relaxed: whoever reads asks afterwards whether they have been written again */
} recent[NUM_RECENT];
static _Atomic uint64_t num_noted; /* released when its range is there */

void rt_unwritten_note(uint64_t begin, uint64_t end)
{
   pthread_mutex_lock(&noting);
   const uint64_t number = atomic_load_explicit(&num_noted, memory_order_relaxed);
   atomic_store_explicit(&recent[number % NUM_RECENT].begin, begin, memory_order_relaxed);
   atomic_store_explicit(&recent[number % NUM_RECENT].end, end, memory_order_relaxed);
   atomic_store_explicit(&num_noted, number + 1, memory_order_release);
   pthread_mutex_unlock(&noting);
}

uint64_t rt_unwritten_epoch(void)
{
   return atomic_load_explicit(&num_noted, memory_order_acquire);
}

bool rt_is_unwritten_since(uint64_t epoch, uint64_t begin, uint64_t end)
{
   const uint64_t now = rt_unwritten_epoch();
   bool is_found = now - epoch >= NUM_RECENT;
   for (uint64_t i = epoch; !is_found && i < now; i++)
      is_found = atomic_load_explicit(&recent[i % NUM_RECENT].begin, memory_order_relaxed) < end &&
                 atomic_load_explicit(&recent[i % NUM_RECENT].end, memory_order_relaxed) > begin;
   return is_found || rt_unwritten_epoch() - epoch >= NUM_RECENT;
}

uint64_t rt_find_unwritten(const void *data, uint64_t size_bytes)
{
   uint64_t at = 0, word;
   if (!abi_has_shadow((uintptr_t)data))
      return size_bytes;
   const uint8_t *shadow = shadow_of(data);
   for (; at + sizeof(word) <= size_bytes; at += sizeof(word)) {
      memcpy(&word, shadow + at, sizeof(word));
      if (word)
         break;
   }
   while (at < size_bytes && !shadow[at])
      at++;
   return at;
}

static void copied(const void *src, const void *dst, uint64_t size_bytes)
{
   if (!abi_has_shadow((uintptr_t)dst) || !abi_has_shadow((uintptr_t)src)) {
      rt_written(dst, size_bytes);
      return;
   }
   memmove(shadow_of(dst), shadow_of(src), size_bytes);
   rt_unwritten_note((uintptr_t)dst, (uintptr_t)dst + size_bytes);
}

/* ---- images ---- */

static void subresources_written(const struct rt_image *image, const VkImageSubresourceRange *range)
{
   struct rt_areas areas;
   rt_areas_of_subresources(&areas, image, range);
   for (uint32_t i = 0; i < areas.count; i++)
      rt_written((void *)(uintptr_t)areas.ranges[i].begin, areas.ranges[i].end - areas.ranges[i].begin);
}

static void now_written(void *data, uint64_t begin, uint64_t end)
{
   rt_written((void *)(uintptr_t)begin, end - begin);
}

static void now_unwritten(void *data, uint64_t begin, uint64_t end)
{
   memset(shadow_of((void *)(uintptr_t)begin), 0xff, end - begin);
}

/* Planes of the aspects: a bit each. */
static uint32_t planes_of(const struct rt_image *image, VkImageAspectFlags aspects)
{
   uint32_t planes = 0;
   if (aspects & VK_IMAGE_ASPECT_COLOR_BIT && !image->info->is_depth && !image->info->is_stencil)
      return (1u << image->num_planes) - 1;
   for (; aspects; aspects &= aspects - 1)
      planes |= 1u << rt_image_plane(image, aspects & -aspects);
   return planes;
}

void rt_written_box(const struct rt_image *image, const VkImageSubresourceLayers *layers, VkOffset3D offset, VkExtent3D extent)
{
   const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
   const uint32_t first = is_3d ? 0 : layers->baseArrayLayer, end = is_3d ? 1 : UTIL_MIN(first + layers->layerCount, image->num_layers);
   for (uint32_t planes = planes_of(image, layers->aspectMask); planes; planes &= planes - 1) {
      const struct rt_plane *plane = &image->planes[__builtin_ctz(planes)];
      for (uint32_t layer = first; layer < end; layer++) {
         const struct rt_level_memory memory = rt_level_memory_of(image, plane, layers->mipLevel, layer);
         rt_box_visit(&memory, offset, extent, now_written, NULL);
      }
   }
}

void rt_unwritten_area(const struct abi_image *view, const VkRect2D *area, uint32_t num_layers, uint32_t view_mask)
{
   if (!view || !view->data || !abi_has_shadow((uintptr_t)view->data))
      return;
   const struct rt_format_info *info = view->format_info;
   const struct abi_level *level = &view->levels[0];
   const uint32_t count = view_mask ? 32 - (uint32_t)__builtin_clz(view_mask) : num_layers;
   for (uint32_t layer = 0; layer < UTIL_MIN(count, UTIL_MAX(view->num_layers, 1u)); layer++) {
      if (view_mask && !(view_mask >> layer & 1))
         continue;
      const struct rt_level_memory memory = {(uintptr_t)view->data + layer * view->layer_bytes, level, view->is_tiled, view->texel_bytes, view->num_samples,
                                             info->block_width, info->block_height, info->block_depth};
      rt_box_visit(&memory, (VkOffset3D){area->offset.x, area->offset.y, 0}, (VkExtent3D){area->extent.width, area->extent.height, 1},
                   now_unwritten, NULL);
      const uint64_t first = memory.address + level->offset_bytes;
      rt_unwritten_note(first, first + level->slice_bytes * level->depth);
   }
}

/* ---- commands ---- */

static void by_copy_buffer(const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_buffer *copy = (const struct rt_cmd_copy_buffer *)cmd;
   for (uint32_t i = 0; i < copy->num_regions; i++)
      copied(copy->src + copy->regions[i].srcOffset, copy->dst + copy->regions[i].dstOffset, copy->regions[i].size);
}

static void by_fill_buffer(const struct rt_cmd *cmd)
{
   const struct rt_cmd_fill_buffer *fill = (const struct rt_cmd_fill_buffer *)cmd;
   rt_written(fill->dst, fill->size_bytes);
}

static void by_update_buffer(const struct rt_cmd *cmd)
{
   const struct rt_cmd_update_buffer *update = (const struct rt_cmd_update_buffer *)cmd;
   rt_written(update->dst, update->size_bytes);
}

/* Of the buffer that holds the address, all behind it: what lies between rows counts as written too. */
static void buffer_written(const void *data)
{
   struct rt_range range;
   const uint32_t buffers = 1u << RT_RANGE_BUFFER | 1u << RT_RANGE_ADDRESSED_BUFFER;
   if (data && rt_range_find((uintptr_t)data, 1, buffers, &range))
      rt_written(data, range.end - (uintptr_t)data);
}

/* Those of copies between images and buffers whose shadows are not copied: queue/carry.c. Layers of one image may be slices of the other. */
static void region_written(const struct rt_image *dst, const VkImageSubresourceLayers *layers, VkOffset3D offset, VkExtent3D extent,
                           const VkImageSubresourceLayers *src)
{
   VkImageSubresourceLayers to = *layers;
   if (dst->type == VK_IMAGE_TYPE_3D && src)
      extent.depth = UTIL_MAX(extent.depth, src->layerCount);
   else if (dst->type != VK_IMAGE_TYPE_3D)
      to.layerCount = UTIL_MAX(to.layerCount, extent.depth);
   extent.depth = dst->type == VK_IMAGE_TYPE_3D ? extent.depth : 1;
   offset.z = dst->type == VK_IMAGE_TYPE_3D ? offset.z : 0;
   rt_written_box(dst, &to, offset, extent);
}

/* The extent is in texels of the source: both sides are of as many blocks. */
static VkExtent3D extent_in(const struct rt_image *dst, const struct rt_image *src, VkExtent3D extent)
{
   return (VkExtent3D){UTIL_DIV_ROUND_UP(extent.width, src->info->block_width) * dst->info->block_width,
                       UTIL_DIV_ROUND_UP(extent.height, src->info->block_height) * dst->info->block_height,
                       UTIL_DIV_ROUND_UP(extent.depth, src->info->block_depth) * dst->info->block_depth};
}

static void by_copy_image(const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_image *it = (const struct rt_cmd_copy_image *)cmd;
   for (uint32_t i = 0; i < it->num_regions; i++) {
      const VkImageCopy *region = &it->regions[i];
      region_written(it->dst, &region->dstSubresource, region->dstOffset, extent_in(it->dst, it->src, region->extent), &region->srcSubresource);
   }
}

static void by_copy_buffer_to_image(const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_buffer_to_image *it = (const struct rt_cmd_copy_buffer_to_image *)cmd;
   for (uint32_t i = 0; i < it->num_regions; i++)
      region_written(it->dst, &it->regions[i].imageSubresource, it->regions[i].imageOffset, it->regions[i].imageExtent, NULL);
}

static void by_copy_image_to_buffer(const struct rt_cmd *cmd)
{
   buffer_written(((const struct rt_cmd_copy_image_to_buffer *)cmd)->dst);
}

static void by_blit_image(const struct rt_cmd *cmd)
{
   const struct rt_cmd_blit_image *it = (const struct rt_cmd_blit_image *)cmd;
   for (uint32_t i = 0; i < it->num_regions; i++) {
      const VkOffset3D a = it->regions[i].dstOffsets[0], b = it->regions[i].dstOffsets[1];
      const VkOffset3D first = {UTIL_MIN(a.x, b.x), UTIL_MIN(a.y, b.y), UTIL_MIN(a.z, b.z)};
      const VkExtent3D extent = {(uint32_t)(UTIL_MAX(a.x, b.x) - first.x), (uint32_t)(UTIL_MAX(a.y, b.y) - first.y), (uint32_t)(UTIL_MAX(a.z, b.z) - first.z)};
      region_written(it->dst, &it->regions[i].dstSubresource, first, extent, &it->regions[i].srcSubresource);
   }
}

static void by_resolve_image(const struct rt_cmd *cmd)
{
   const struct rt_cmd_resolve_image *it = (const struct rt_cmd_resolve_image *)cmd;
   for (uint32_t i = 0; i < it->num_regions; i++)
      region_written(it->dst, &it->regions[i].dstSubresource, it->regions[i].dstOffset, it->regions[i].extent, &it->regions[i].srcSubresource);
}

static void by_clear_color_image(const struct rt_cmd *cmd)
{
   const struct rt_cmd_clear_color_image *it = (const struct rt_cmd_clear_color_image *)cmd;
   for (uint32_t i = 0; i < it->num_ranges; i++)
      subresources_written(it->image, &it->ranges[i]);
}

static void by_clear_depth_stencil_image(const struct rt_cmd *cmd)
{
   const struct rt_cmd_clear_depth_stencil_image *it = (const struct rt_cmd_clear_depth_stencil_image *)cmd;
   for (uint32_t i = 0; i < it->num_ranges; i++)
      subresources_written(it->image, &it->ranges[i]);
}

static void by_dependency(const struct rt_cmd *cmd)
{
   const struct rt_cmd_dependency *it = (const struct rt_cmd_dependency *)cmd;
   for (uint32_t i = 0; i < it->count; i++) {
      for (uint32_t k = 0; it->scopes[i].is_discarding && k < it->scopes[i].num_ranges; k++)
         rt_unwritten((void *)(uintptr_t)it->scopes[i].ranges[k][0], it->scopes[i].ranges[k][1] - it->scopes[i].ranges[k][0]);
   }
}

static bool discards(const struct rt_cmd_dependency *it)
{
   bool is_found = false;
   for (uint32_t i = 0; i < it->count; i++)
      is_found |= it->scopes[i].is_discarding;
   return is_found;
}

static void by_bind_xfb_buffers(const struct rt_cmd *cmd)
{
   const struct rt_cmd_bind_xfb_buffers *bind = (const struct rt_cmd_bind_xfb_buffers *)cmd;
   for (uint32_t i = 0; i < bind->count; i++) {
      if (bind->ranges[i].data)
         rt_written(bind->ranges[i].data, bind->ranges[i].size_bytes);
   }
}

static void by_end_xfb(const struct rt_cmd *cmd)
{
   const struct rt_cmd_end_xfb *end = (const struct rt_cmd_end_xfb *)cmd;
   for (uint32_t i = 0; i < ABI_MAX_XFB_BUFFERS; i++) {
      if (end->counters[i])
         rt_written(end->counters[i], sizeof(uint32_t));
   }
}

static void by_build_accel(const struct rt_cmd *cmd)
{
   const struct rt_cmd_build_accel *build = (const struct rt_cmd_build_accel *)cmd;
   for (uint32_t i = 0; i < build->count; i++)
      rt_written(build->builds[i].target.data, build->builds[i].target.size_bytes);
}

static void by_copy_accel(const struct rt_cmd *cmd)
{
   buffer_written(((const struct rt_cmd_copy_accel *)cmd)->to.data);
}

/* Between addresses. */
static void by_copy_indirect(const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_indirect *it = (const struct rt_cmd_copy_indirect *)cmd;
   for (uint32_t i = 0; i < it->count; i++) {
      const struct rt_memory_copy copy = rt_indirect_copy(it, i);
      copied((const void *)(uintptr_t)copy.src, (const void *)(uintptr_t)copy.dst, copy.size_bytes);
   }
}

static void by_decompress(const struct rt_cmd *cmd)
{
   const struct rt_cmd_decompress *it = (const struct rt_cmd_decompress *)cmd;
   for (uint32_t i = 0; i < rt_decompress_count(it); i++) {
      const struct rt_decompression region = rt_decompress_region(it, i);
      rt_written((const void *)(uintptr_t)region.dst, UTIL_MIN(region.dst_bytes, (uint64_t)RT_MAX_DECOMPRESSED_BYTES));
   }
}

static void by_convert_matrices(const struct rt_cmd *cmd)
{
   const struct rt_cmd_convert_matrices *it = (const struct rt_cmd_convert_matrices *)cmd;
   for (uint32_t i = 0; i < it->count; i++) {
      const struct rt_matrix_conversion *conversion = &it->conversions[i];
      rt_written(conversion->dst, UTIL_MIN(rt_matrix_bytes(&conversion->to, conversion->rows, conversion->columns), conversion->dst_bytes));
   }
}

static void (*const writers[RT_NUM_COMMANDS])(const struct rt_cmd *cmd) = {
   [RT_CMD_copy_buffer] = by_copy_buffer,
   [RT_CMD_fill_buffer] = by_fill_buffer,
   [RT_CMD_update_buffer] = by_update_buffer,
   [RT_CMD_copy_indirect] = by_copy_indirect,
   [RT_CMD_decompress] = by_decompress,
   [RT_CMD_convert_matrices] = by_convert_matrices,
   [RT_CMD_copy_image] = by_copy_image,
   [RT_CMD_copy_buffer_to_image] = by_copy_buffer_to_image,
   [RT_CMD_copy_image_to_buffer] = by_copy_image_to_buffer,
   [RT_CMD_blit_image] = by_blit_image,
   [RT_CMD_resolve_image] = by_resolve_image,
   [RT_CMD_clear_color_image] = by_clear_color_image,
   [RT_CMD_clear_depth_stencil_image] = by_clear_depth_stencil_image,
   [RT_CMD_dependency] = by_dependency,
   [RT_CMD_bind_xfb_buffers] = by_bind_xfb_buffers,
   [RT_CMD_end_xfb] = by_end_xfb,
   [RT_CMD_build_accel] = by_build_accel,
   [RT_CMD_copy_accel] = by_copy_accel,
};

/* What attachments become queue/unwritten.c and tiles say. */
bool rt_command_writes(const struct rt_cmd *cmd)
{
   if (cmd->type == RT_CMD_dependency)
      return discards((const struct rt_cmd_dependency *)cmd);
   return cmd->type == RT_CMD_begin_rendering || writers[cmd->type];
}

void rt_written_by_command(const struct rt_cmd *cmd)
{
   if (writers[cmd->type])
      writers[cmd->type](cmd);
}
