/* SPDX-License-Identifier: MIT
 * Attachments by tile. */
#include "runtime/fragment/surface.h"

#include <string.h>

void rt_surface_init(struct rt_surface *surface, const struct abi_image *view, uint32_t layer, uint32_t x, uint32_t y)
{
   if (!view || !view->data) {
      surface->base = NULL;
      return;
   }
   const struct abi_level *level = &view->levels[0];
   const bool has_slices = level->depth > 1 || view->dim == ABI_DIM_3D;
   const uint32_t slice = view->base_slice + (has_slices ? layer : 0);
   surface->info = rt_format_info((VkFormat)view->format);
   surface->texel_bytes = view->texel_bytes;
   surface->num_samples = view->num_samples;
   surface->is_tiled = view->is_tiled;
   surface->row_pitch_bytes = level->row_pitch_bytes;
   surface->width = (int32_t)level->width - (int32_t)x;
   surface->height = (int32_t)level->height - (int32_t)y;

   uint8_t *data = view->data + (has_slices ? 0 : layer * view->layer_bytes);
   surface->base = data + rt_level_offset(level, view->is_tiled, view->texel_bytes, x, y, slice, 0, view->num_samples);
   if (!view->is_tiled)
      return;
   const uint32_t block_bytes = 16 * view->texel_bytes * view->num_samples;
   const uint32_t mask_x = (1u << level->tile_log2_x) - 1, mask_y = (1u << level->tile_log2_y) - 1;
   for (uint32_t b = 0; b < RT_TILE_BLOCKS; b++) {
      surface->column_bytes[b] =
         (size_t)(b * 4 >> level->tile_log2_x) * level->tile_bytes + (b * 4 & mask_x) / 4 * block_bytes;
      surface->row_bytes[b] = (size_t)(b * 4 >> level->tile_log2_y) * level->tile_row_bytes +
                              (size_t)((b * 4 & mask_y) / 4) * level->block_row_bytes;
   }
}

void rt_surface_init_local(struct rt_surface *surface, const struct abi_image *view, uint8_t *memory)
{
   const uint32_t block_bytes = 16 * view->texel_bytes * view->num_samples;
   surface->base = memory;
   surface->info = rt_format_info((VkFormat)view->format);
   surface->texel_bytes = view->texel_bytes;
   surface->num_samples = view->num_samples;
   surface->is_tiled = true;
   for (uint32_t b = 0; b < RT_TILE_BLOCKS; b++) {
      surface->column_bytes[b] = (size_t)b * block_bytes;
      surface->row_bytes[b] = (size_t)b * RT_TILE_BLOCKS * block_bytes;
   }
}

void rt_surface_gather(const struct rt_surface *surface, uint32_t bx, uint32_t by, void *buffer)
{
   const uint32_t size = surface->texel_bytes;
   for (uint32_t i = 0; i < 16; i++) {
      const int32_t x = (int32_t)(bx * 4 + (i & 1) + (i >> 1 & 2)), y = (int32_t)(by * 4 + (i >> 1 & 1) + (i >> 2 & 2));
      uint8_t *to = (uint8_t *)buffer + i * size;
      if (x < surface->width && y < surface->height)
         memcpy(to, surface->base + (size_t)y * surface->row_pitch_bytes + (size_t)x * size, size);
      else
         memset(to, 0, size);
   }
}

void rt_surface_scatter(const struct rt_surface *surface, uint32_t bx, uint32_t by, const void *buffer)
{
   const uint32_t size = surface->texel_bytes;
   for (uint32_t i = 0; i < 16; i++) {
      const int32_t x = (int32_t)(bx * 4 + (i & 1) + (i >> 1 & 2)), y = (int32_t)(by * 4 + (i >> 1 & 1) + (i >> 2 & 2));
      if (x < surface->width && y < surface->height)
         memcpy(surface->base + (size_t)y * surface->row_pitch_bytes + (size_t)x * size,
                (const uint8_t *)buffer + i * size, size);
   }
}
