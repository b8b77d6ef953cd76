/* SPDX-License-Identifier: MIT
 * Regions of images. */
#include "runtime/transfer/region.h"

#define BAND_BYTES (64u << 10)

struct rt_slices rt_slices_of(const struct rt_image *image, VkImageAspectFlags aspect, uint32_t level,
                              uint32_t base_layer, int32_t offset_z, uint32_t count)
{
   const uint32_t plane = rt_image_plane(image, aspect);
   const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
   const uint32_t have = is_3d ? rt_level_slices(&image->planes[plane], &image->planes[plane].levels[level]) : image->num_layers;
   const uint32_t first = UTIL_MIN(is_3d ? (uint32_t)offset_z / image->info->block_depth : base_layer, have);
   return (struct rt_slices){image, plane, level, first, UTIL_MIN(count, have - first)};
}

struct rt_texels rt_slices_at(const struct rt_slices *slices, uint32_t i, uint32_t sample)
{
   const bool is_3d = slices->image->type == VK_IMAGE_TYPE_3D;
   return rt_texels_of(slices->image, slices->plane, slices->level, is_3d ? 0 : slices->first + i,
                       is_3d ? slices->first + i : 0, sample);
}

uint32_t rt_num_layers(const struct rt_image *image, const VkImageSubresourceLayers *layers)
{
   return layers->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->num_layers - layers->baseArrayLayer
                                                          : layers->layerCount;
}

struct rt_bands rt_bands_of(uint32_t y, uint32_t height, uint32_t num_slices, uint64_t row_bytes)
{
   struct rt_bands bands = {.y = y, .height = height};
   bands.band = (uint32_t)util_align(UTIL_CLAMP(BAND_BYTES / UTIL_MAX(row_bytes, 1), 4, 1u << 20), 4);
   bands.per_slice = height ? (y + height - 1) / bands.band - y / bands.band + 1 : 0;
   bands.count = bands.per_slice * num_slices;
   return bands;
}

void rt_bands_item(const struct rt_bands *bands, uint32_t index, uint32_t *slice, uint32_t *y, uint32_t *height)
{
   *slice = index / bands->per_slice;
   const uint32_t band = bands->y / bands->band + index % bands->per_slice;
   const uint32_t begin = UTIL_MAX(band * bands->band, bands->y);
   const uint32_t end = UTIL_MIN((band + 1) * bands->band, bands->y + bands->height);
   *y = begin;
   *height = end - begin;
}

void rt_add_bands(struct rt_executor *executor, const struct rt_bands *bands, rt_item_fn *run, const void *data,
                  size_t size, double bytes_per_ns, uint64_t bytes, const char *describe)
{
   const struct rt_job job = {run, data, size, bands->count, (double)bytes / bytes_per_ns, describe};
   if (bands->count)
      rt_executor_add(executor, &job);
}
