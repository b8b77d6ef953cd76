/* SPDX-License-Identifier: MIT
 * Which bytes of memory images and parts of them are, for the instrument. Threads: none of it is shared. */
#pragma once

#include "abi/probe.h"
#include "runtime/image/image.h"
#include "runtime/instrument/order.h"

enum { RT_MAX_AREAS = 256 };

/* More than there is room for become one that holds them all. */
struct rt_areas {
   struct rt_byte_range ranges[RT_MAX_AREAS];
   uint32_t count;
};

/* All texels of a view. */
void rt_areas_of_view(struct rt_areas *areas, const struct abi_image *view);
/* Of the aspects, levels and layers; counts are resolved. Without memory: none. */
void rt_areas_of_subresources(struct rt_areas *areas, const struct rt_image *image, const VkImageSubresourceRange *range);
/* One level of one layer in memory. */
struct rt_level_memory {
   uint64_t address; /* of the layer */
   const struct abi_level *level;
   bool is_tiled;
   uint32_t texel_bytes, num_samples;
   uint32_t block_width, block_height, block_depth; /* of compressed formats; else 1 */
};
struct rt_level_memory rt_level_memory_of(const struct rt_image *image, const struct rt_plane *plane, uint32_t level, uint32_t layer);
/* Calls visit() for the bytes of a box of texels, cut at the level's borders: for all of a slice at once where it is in the box, else for rows, or
 * for blocks of 4 x 4 and single texels. */
void rt_box_visit(const struct rt_level_memory *memory, VkOffset3D offset, VkExtent3D extent, void (*visit)(void *data, uint64_t begin, uint64_t end),
                  void *data);

/* The texels that a probe names: operands from `first` on are a descriptor, three coordinates, a sample. Of all lanes in `mask` that name the image of its
 * first one, which are taken out of it. Returns those that are somewhere; `bytes`: of each texel. */
uint32_t rt_probed_texels(const struct abi_probe_call *call, uint32_t first, uint32_t *mask, uint64_t *addresses, uint32_t *bytes);
