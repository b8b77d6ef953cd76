/* SPDX-License-Identifier: MIT
 * Regions of images: which slices of which layers, how they are cut into items.
 * Spec: Copy Commands, "Copying Data Between Images". */
#pragma once

#include "runtime/queue/executor.h"
#include "runtime/transfer/texels.h"

/* Slices of one level of one plane, counted over layers or, for 3D images, over depth: of texels, or of compressed blocks. */
struct rt_slices {
   const struct rt_image *image;
   uint32_t plane, level;
   uint32_t first, count; /* layers; for 3D images slices */
};

/* offset_z: of 3D images, in texels. `count` more than there are is cut off. */
struct rt_slices rt_slices_of(const struct rt_image *image, VkImageAspectFlags aspect, uint32_t level,
                              uint32_t base_layer, int32_t offset_z, uint32_t count);
/* Texels of the i-th slice. */
struct rt_texels rt_slices_at(const struct rt_slices *slices, uint32_t i, uint32_t sample);
/* How many slices of a 3D image a region of so many texels has. */
static inline uint32_t rt_num_slices(const struct rt_image *image, uint32_t depth)
{
   return UTIL_DIV_ROUND_UP(depth, image->info->block_depth);
}
/* layerCount with VK_REMAINING_ARRAY_LAYERS resolved. */
uint32_t rt_num_layers(const struct rt_image *image, const VkImageSubresourceLayers *layers);

/* A rectangle of a slice, in texels (compressed blocks). */
struct rt_rect {
   uint32_t x, y, width, height;
};

/* Rows [y, y + height) of each of `num_slices` slices, cut into bands at multiples of `band`, which is a multiple of 4.
 */
struct rt_bands {
   uint32_t y, height, band;
   uint32_t per_slice, count; /* items of a slice, of all */
};

struct rt_bands rt_bands_of(uint32_t y, uint32_t height, uint32_t num_slices, uint64_t row_bytes);
/* Which slice and which rows item `index` is. */
void rt_bands_item(const struct rt_bands *bands, uint32_t index, uint32_t *slice, uint32_t *y, uint32_t *height);

/* Adds the job of a transfer over `bands`; `bytes` that it moves decide whether it is worth waking anybody. */
void rt_add_bands(struct rt_executor *executor, const struct rt_bands *bands, rt_item_fn *run, const void *data,
                  size_t size, double bytes_per_ns, uint64_t bytes, const char *describe);

/* Adds the job that copies `count` slices as bytes: from (src_x, src_y) on to `rect` of dst, both inside; texels have one size. */
void rt_copy_slices(struct rt_executor *executor, const struct rt_slices *src, uint32_t src_x, uint32_t src_y, const struct rt_slices *dst,
                    const struct rt_rect *rect, uint32_t count);
