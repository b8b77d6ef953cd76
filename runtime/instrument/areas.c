/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/areas.h"

/* ---- whole subresources ---- */

/* Joins it with the last one where they touch. */
static void add(struct rt_areas *areas, uint64_t begin, uint64_t end)
{
   struct rt_byte_range *last = areas->count ? &areas->ranges[areas->count - 1] : NULL;
   if (last && (begin == last->end || areas->count == RT_MAX_AREAS)) {
      last->begin = UTIL_MIN(last->begin, begin);
      last->end = UTIL_MAX(last->end, end);
   } else {
      areas->ranges[areas->count++] = (struct rt_byte_range){begin, end};
   }
}

/* Levels of a layer follow each other. */
static void add_levels(struct rt_areas *areas, uint64_t layer, const struct abi_level *levels, uint32_t count)
{
   const struct abi_level *last = &levels[count - 1];
   add(areas, layer + levels[0].offset_bytes, layer + last->offset_bytes + last->slice_bytes * last->depth);
}

void rt_areas_of_view(struct rt_areas *areas, const struct abi_image *view)
{
   const uint64_t address = (uintptr_t)view->data;
   areas->count = 0;
   if (!address || !view->num_levels)
      return;
   if (view->dim == ABI_DIM_BUFFER) {
      add(areas, address, address + (uint64_t)view->levels[0].width * view->texel_bytes);
      return;
   }
   for (uint32_t layer = 0; layer < UTIL_MAX(view->num_layers, 1u); layer++)
      add_levels(areas, address + layer * view->layer_bytes, view->levels, view->num_levels);
}

static bool has_aspect(const struct rt_image *image, uint32_t plane, VkImageAspectFlags aspects)
{
   for (; aspects; aspects &= aspects - 1) {
      const VkImageAspectFlags aspect = aspects & -aspects;
      if ((aspect == VK_IMAGE_ASPECT_COLOR_BIT && image->num_planes > 1 && !image->info->is_depth && !image->info->is_stencil) ||
          rt_image_plane(image, aspect) == plane)
         return true;
   }
   return false;
}

void rt_areas_of_subresources(struct rt_areas *areas, const struct rt_image *image, const VkImageSubresourceRange *range)
{
   areas->count = 0;
   for (uint32_t p = 0; p < image->num_planes; p++) {
      const struct rt_plane *plane = &image->planes[p];
      if (!plane->data || !has_aspect(image, p, range->aspectMask) || !range->levelCount)
         continue;
      /* Layers of a 3D image are slices: the levels altogether. */
      const uint32_t first = image->type == VK_IMAGE_TYPE_3D ? 0 : range->baseArrayLayer;
      const uint32_t count = image->type == VK_IMAGE_TYPE_3D ? 1 : range->layerCount;
      for (uint32_t layer = first; layer < first + count; layer++)
         add_levels(areas, (uintptr_t)plane->data + layer * plane->layer_bytes, &plane->levels[range->baseMipLevel], range->levelCount);
   }
}

/* ---- boxes ---- */

struct rt_level_memory rt_level_memory_of(const struct rt_image *image, const struct rt_plane *plane, uint32_t level, uint32_t layer)
{
   return (struct rt_level_memory){
      .address = plane->data ? (uintptr_t)plane->data + layer * plane->layer_bytes : 0,
      .level = &plane->levels[level],
      .is_tiled = image->is_tiled,
      .texel_bytes = plane->texel_bytes,
      .num_samples = image->num_samples,
      .block_width = plane->info->block_width,
      .block_height = plane->info->block_height,
      .block_depth = plane->info->block_depth,
   };
}

/* In texels or compressed blocks of one slice. */
struct area {
   const struct rt_level_memory *memory;
   uint32_t x, y, end_x, end_y, z;
   void (*visit)(void *data, uint64_t begin, uint64_t end);
   void *data;
};

static uint64_t address_of(const struct area *area, uint32_t x, uint32_t y, uint32_t sample)
{
   const struct rt_level_memory *m = area->memory;
   return m->address + rt_level_offset(m->level, m->is_tiled, m->texel_bytes, x, y, area->z, sample, m->num_samples);
}

static void visit_texels(const struct area *area, uint32_t x, uint32_t y, uint32_t end_x, uint32_t end_y)
{
   const struct rt_level_memory *m = area->memory;
   for (uint32_t i = y; i < end_y; i++) {
      for (uint32_t k = x; k < end_x; k++) {
         for (uint32_t s = 0; s < m->num_samples; s++)
            area->visit(area->data, address_of(area, k, i, s), address_of(area, k, i, s) + m->texel_bytes);
      }
   }
}

static void visit_tiled(const struct area *area)
{
   const uint64_t block_bytes = UINT64_C(16) * area->memory->texel_bytes * area->memory->num_samples;
   for (uint32_t y = area->y; y < area->end_y; y = (y | 3) + 1) {
      for (uint32_t x = area->x; x < area->end_x; x = (x | 3) + 1) {
         const uint32_t end_x = UTIL_MIN((x | 3) + 1, area->end_x), end_y = UTIL_MIN((y | 3) + 1, area->end_y);
         if (end_x - x == 4 && end_y - y == 4)
            area->visit(area->data, address_of(area, x, y, 0), address_of(area, x, y, 0) + block_bytes);
         else
            visit_texels(area, x, y, end_x, end_y);
      }
   }
}

static void visit_slice(const struct area *area, uint32_t width, uint32_t height)
{
   const struct rt_level_memory *m = area->memory;
   const uint64_t slice = m->address + m->level->offset_bytes + area->z * m->level->slice_bytes;
   if (!area->x && !area->y && area->end_x == width && area->end_y == height) {
      area->visit(area->data, slice, slice + m->level->slice_bytes);
   } else if (m->is_tiled) {
      visit_tiled(area);
   } else {
      for (uint32_t y = area->y; y < area->end_y; y++)
         area->visit(area->data, address_of(area, area->x, y, 0), address_of(area, area->end_x - 1, y, 0) + m->texel_bytes);
   }
}

static uint32_t end_of(int32_t offset, uint32_t extent, uint32_t unit, uint32_t limit)
{
   const uint64_t end = (uint64_t)UTIL_MAX(offset, 0) + extent;
   return (uint32_t)UTIL_MIN((end + unit - 1) / unit, (uint64_t)limit);
}

void rt_box_visit(const struct rt_level_memory *memory, VkOffset3D offset, VkExtent3D extent, void (*visit)(void *data, uint64_t begin, uint64_t end),
                  void *data)
{
   const uint32_t width = UTIL_DIV_ROUND_UP(memory->level->width, memory->block_width);
   const uint32_t height = UTIL_DIV_ROUND_UP(memory->level->height, memory->block_height);
   struct area area = {
      .memory = memory,
      .x = (uint32_t)UTIL_MAX(offset.x, 0) / memory->block_width,
      .y = (uint32_t)UTIL_MAX(offset.y, 0) / memory->block_height,
      .end_x = end_of(offset.x, extent.width, memory->block_width, width),
      .end_y = end_of(offset.y, extent.height, memory->block_height, height),
      .visit = visit,
      .data = data,
   };
   const uint32_t depth = UTIL_DIV_ROUND_UP(memory->level->depth, memory->block_depth);
   const uint32_t end_z = end_of(offset.z, extent.depth, memory->block_depth, depth);
   area.z = (uint32_t)UTIL_MAX(offset.z, 0) / memory->block_depth;
   for (; memory->address && area.x < area.end_x && area.y < area.end_y && area.z < end_z; area.z++)
      visit_slice(&area, width, height);
}

/* ---- probes ---- */

/* What of an image says where its texels are: rt_level_offset() for many of them, without a branch; what is not tiled has tiles of one texel. */
struct axis {
   uint32_t shift, mask;             /* coordinate -> tile, and texel in it */
   uint64_t tile_bytes, block_bytes; /* from tile to tile, and from block to block in one */
   uint64_t in_block[4];             /* bytes */
};
struct texels {
   uint64_t address, layer_bytes, slice_bytes, sample_bytes;
   struct axis x, y;
   uint32_t width, height, depth, num_layers;
   uint32_t layer_axis; /* which coordinate is the layer; 3: none */
};

static struct axis axis_of(uint32_t log2, uint64_t tile_bytes, uint64_t block_bytes, uint64_t step_bytes)
{
   return (struct axis){log2, (1u << log2) - 1, tile_bytes, block_bytes, {0, step_bytes, 4 * step_bytes, 5 * step_bytes}};
}

static struct texels texels_of(const struct abi_image *image)
{
   const bool has_layers = image->is_arrayed || image->is_cube;
   const struct abi_level *level = &image->levels[0];
   const uint64_t bytes = image->texel_bytes;
   return (struct texels){
      .address = (uintptr_t)image->data + level->offset_bytes,
      .layer_bytes = image->layer_bytes,
      .slice_bytes = level->slice_bytes,
      .sample_bytes = image->is_tiled ? 16 * bytes : 0,
      .x = image->is_tiled ? axis_of(level->tile_log2_x, level->tile_bytes, 16 * bytes * image->num_samples, bytes) : axis_of(0, bytes, 0, 0),
      .y = image->is_tiled ? axis_of(level->tile_log2_y, level->tile_row_bytes, level->block_row_bytes, 2 * bytes) : axis_of(0, level->row_pitch_bytes, 0, 0),
      .width = level->width,
      .height = level->height,
      .depth = level->depth,
      .num_layers = image->num_layers,
      .layer_axis = !has_layers ? 3 : image->dim == ABI_DIM_1D ? 1 : 2,
   };
}

static inline uint64_t offset_along(const struct axis *axis, uint32_t at)
{
   const uint32_t in_tile = at & axis->mask;
   return (at >> axis->shift) * axis->tile_bytes + (in_tile >> 2) * axis->block_bytes + axis->in_block[in_tile & 3];
}

/* Where lanes are in one row, what they have in common is looked up once. `is_plain`: of an image without layers, slices and samples. */
static inline __attribute__((always_inline)) uint64_t row_at(const struct texels *it, const uint64_t *const *o, uint32_t lane, bool is_plain, bool *is_there)
{
   const uint32_t second = (uint32_t)o[2][lane], third = (uint32_t)o[3][lane];
   if (is_plain) {
      *is_there = (second < it->height) & (third == 0);
      return it->address + offset_along(&it->y, second);
   }
   const uint32_t y = it->layer_axis == 1 ? 0 : second, z = it->layer_axis == 2 ? 0 : third;
   const uint32_t layer = it->layer_axis == 1 ? second : it->layer_axis == 2 ? third : 0;
   *is_there = (y < it->height) & (z < it->depth) & (layer < it->num_layers);
   return it->address + layer * it->layer_bytes + z * it->slice_bytes + (uint32_t)o[4][lane] * it->sample_bytes + offset_along(&it->y, y);
}

/* Lanes `lane` to `end` - 1. Returns those that are in the image. */
static inline __attribute__((always_inline)) uint32_t find_texels(const struct texels *it, const uint64_t *const *o, uint32_t lane, uint32_t end, bool is_row,
                                                                  bool is_plain, uint64_t *addresses)
{
   bool is_there = false;
   uint64_t row = is_row ? row_at(it, o, lane, is_plain, &is_there) : 0;
   uint32_t found = 0;
   for (; lane < end; lane++) {
      const uint32_t x = (uint32_t)o[1][lane];
      if (!is_row)
         row = row_at(it, o, lane, is_plain, &is_there);
      addresses[lane] = row + offset_along(&it->x, x);
      found |= (uint32_t)(is_there & (x < it->width)) << lane;
   }
   return found;
}

/* All lanes have the same coordinates but for the first one. */
static bool are_in_row(const uint64_t *const *o, uint32_t lane, uint32_t end)
{
   const uint64_t second = o[2][lane], third = o[3][lane], sample = o[4][lane];
   uint64_t differs = 0;
   for (; lane < end; lane++)
      differs |= (o[2][lane] ^ second) | (o[3][lane] ^ third) | (o[4][lane] ^ sample);
   return !differs;
}

uint32_t rt_probed_texels(const struct abi_probe_call *call, uint32_t first, uint32_t *mask, uint64_t *addresses, uint32_t *bytes)
{
   const uint64_t *const *o = call->operands + first;
   const uint64_t descriptor = o[0][__builtin_ctz(*mask)];
   const struct abi_image *image = (const struct abi_image *)(uintptr_t)descriptor;
   uint32_t same = *mask;
   uint64_t differs = 0;
   for (uint32_t lane = 0; lane < call->lanes; lane++)
      differs |= o[0][lane] ^ descriptor;
   for (uint32_t left = differs ? *mask : 0; left; left &= left - 1)
      same &= ~((uint32_t)(o[0][__builtin_ctz(left)] != descriptor) << __builtin_ctz(left));
   *mask &= ~same;
   if (!image || !image->data)
      return 0;
   const struct texels texels = texels_of(image);
   const uint32_t lane = (uint32_t)__builtin_ctz(same), end = 32 - (uint32_t)__builtin_clz(same);
   const bool is_row = are_in_row(o, lane, end), is_plain = texels.layer_axis == 3 && texels.depth == 1 && image->num_samples == 1;
   const uint32_t found = is_row     ? find_texels(&texels, o, lane, end, true, false, addresses)
                          : is_plain ? find_texels(&texels, o, lane, end, false, true, addresses)
                                     : find_texels(&texels, o, lane, end, false, false, addresses);
   *bytes = image->texel_bytes;
   return found & same;
}
