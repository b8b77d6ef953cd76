/* SPDX-License-Identifier: MIT
 * Clears of whole subresources outside of rendering.
 * Spec: Clear Commands, "Clearing Images Outside of a Render Pass Instance". */
#include "runtime/parts.h"
#include "runtime/transfer/region.h"

#include <string.h>

#define BYTES_PER_NS 8.0
/* A multiple of every texel size (1 to 16, and 3, 6, 12, 24, 32) and of 64. */
#define PATTERN_BYTES 192

struct clear {
   struct rt_slices slices;
   struct rt_bands bands;
   uint32_t texel_bytes;
   uint8_t pattern[PATTERN_BYTES];
};

static void fill(const struct clear *clear, uint8_t *dst, uint64_t size_bytes)
{
   const uint8_t *pattern = clear->pattern;
   if (memcmp(pattern, pattern + 1, PATTERN_BYTES - 1) == 0) {
      memset(dst, pattern[0], size_bytes);
      return;
   }
   for (; size_bytes >= PATTERN_BYTES; size_bytes -= PATTERN_BYTES, dst += PATTERN_BYTES)
      memcpy(dst, pattern, PATTERN_BYTES);
   memcpy(dst, pattern, size_bytes);
}

/* A tiled image's rows are contiguous from one tile row to the next: bands are whole tile rows then, padding and all
 * samples included. */
static void run_clear(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct clear *clear = data;
   uint32_t slice, y, height;
   rt_bands_item(&clear->bands, index, &slice, &y, &height);
   const struct rt_texels texels = rt_slices_at(&clear->slices, slice, 0);
   const struct abi_level *level = texels.level;
   if (!texels.is_tiled) {
      for (uint32_t j = 0; j < height; j++)
         fill(clear, rt_texels_at(&texels, 0, y + j), (uint64_t)texels.width * clear->texel_bytes);
      return;
   }
   const uint32_t first = y >> level->tile_log2_y, last = (y + height - 1) >> level->tile_log2_y;
   fill(clear, texels.data + (uint64_t)first * level->tile_row_bytes,
        (uint64_t)(last - first + 1) * level->tile_row_bytes);
}

static void clear_level(struct rt_executor *executor, struct clear *clear, const struct rt_image *image,
                        VkImageAspectFlags aspect, uint32_t level, const VkImageSubresourceRange *range)
{
   const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
   clear->slices = rt_slices_of(image, aspect, level, range->baseArrayLayer, 0, is_3d ? UINT32_MAX : range->layerCount);
   const struct rt_texels texels = rt_texels_of(image, clear->slices.plane, level, 0, 0, 0);
   const uint64_t row_bytes = (uint64_t)texels.width * clear->texel_bytes * image->num_samples;

   clear->bands = rt_bands_of(0, texels.height, clear->slices.count, row_bytes);
   if (image->is_tiled) { /* bands begin at tiles */
      const uint32_t tile = 1u << texels.level->tile_log2_y;
      clear->bands.band = (uint32_t)util_align(clear->bands.band, tile);
      clear->bands.per_slice = UTIL_DIV_ROUND_UP(texels.height, clear->bands.band);
      clear->bands.count = clear->bands.per_slice * clear->slices.count;
   }
   rt_add_bands(executor, &clear->bands, run_clear, clear, sizeof(*clear), BYTES_PER_NS,
                row_bytes * texels.height * clear->slices.count, "clear of an image");
}

static void clear_range(struct rt_executor *executor, const struct rt_image *image, VkImageAspectFlags aspect,
                        const void *texel, const VkImageSubresourceRange *range)
{
   struct clear clear = {.texel_bytes = image->planes[rt_image_plane(image, aspect)].texel_bytes};
   for (uint32_t i = 0; i < PATTERN_BYTES; i++)
      clear.pattern[i] = ((const uint8_t *)texel)[i % clear.texel_bytes];
   const uint32_t end =
      range->levelCount == VK_REMAINING_MIP_LEVELS ? image->num_levels : range->baseMipLevel + range->levelCount;
   for (uint32_t level = range->baseMipLevel; level < end && level < image->num_levels; level++)
      clear_level(executor, &clear, image, aspect, level, range);
}

void rt_execute_clear_color_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_clear_color_image *clear = (const struct rt_cmd_clear_color_image *)cmd;
   uint8_t texel[32] = {0};
   rt_format_pack_clear(clear->image->format, &clear->color, texel);
   for (struct rt_parts parts = rt_parts_of(&executor->worker, clear->num_ranges); rt_parts_next(&parts);)
      clear_range(executor, clear->image, VK_IMAGE_ASPECT_COLOR_BIT, texel, &clear->ranges[parts.index]);
}

void rt_execute_clear_depth_stencil_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_clear_depth_stencil_image *clear = (const struct rt_cmd_clear_depth_stencil_image *)cmd;
   const struct rt_image *image = clear->image;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, clear->num_ranges); rt_parts_next(&parts);) {
      const VkImageSubresourceRange *range = &clear->ranges[parts.index];
      if (range->aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT) {
         uint8_t texel[16] = {0};
         const VkClearColorValue color = {.float32 = {clear->value.depth}};
         rt_format_pack_clear(image->planes[rt_image_plane(image, VK_IMAGE_ASPECT_DEPTH_BIT)].format, &color, texel);
         clear_range(executor, image, VK_IMAGE_ASPECT_DEPTH_BIT, texel, range);
      }
      if (range->aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT) {
         const uint8_t texel = (uint8_t)clear->value.stencil;
         clear_range(executor, image, VK_IMAGE_ASPECT_STENCIL_BIT, &texel, range);
      }
   }
}
