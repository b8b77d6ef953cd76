/* SPDX-License-Identifier: MIT
 * From integer coordinates to memory, with bounds. */
#include "runtime/texture/batch.h"

#include <string.h>

static const uint32_t zeros[RT_LANES];

/* Any level, sample and format, lane by lane. */
static uint32_t find_each(const struct abi_image *image, const struct rt_tex_location *location, uint32_t mask, void *outside,
                          uint8_t *at[RT_LANES], uint8_t sub[RT_LANES])
{
   const struct rt_format_info *info = image->format_info;
   const uint32_t bw = info->block_width, bh = info->block_height, bd = info->block_depth;
   uint32_t found = 0;
   RT_EACH_LANE(i) {
      at[i] = outside;
      sub[i] = 0;
      const uint32_t level_index = location->level ? location->level[i] : 0, layer = location->layer ? location->layer[i] : 0;
      const uint32_t sample = location->sample ? location->sample[i] : 0;
      if (!(mask >> i & 1) || level_index >= image->num_levels || layer >= image->num_layers ||
          sample >= image->num_samples || (float)level_index < __builtin_floorf(image->min_lod))
         continue;
      const struct abi_level *level = &image->levels[level_index];
      const uint32_t x = location->coords[0][i], y = location->coords[1] ? location->coords[1][i] : 0;
      const uint32_t z = location->coords[2] ? location->coords[2][i] : 0;
      if (x >= level->width || y >= level->height || z >= level->depth)
         continue;
      sub[i] = (uint8_t)((z % bd * bh + y % bh) * bw + x % bw);
      at[i] =
         image->data + layer * image->layer_bytes +
         rt_level_offset(level, image->is_tiled, image->texel_bytes, x / bw, y / bh, z / bd, sample, image->num_samples);
      found |= 1u << i;
   }
   return found;
}

/* The base level of a plain image. */
static uint32_t find_plain(const struct abi_image *image, const struct rt_tex_location *location, uint32_t mask,
                           void *outside, uint8_t *at[RT_LANES])
{
   const struct abi_level *level = &image->levels[0];
   const uint32_t *x = location->coords[0], *y = location->coords[1] ? location->coords[1] : zeros;
   const uint32_t *z = location->coords[2] ? location->coords[2] : zeros, *layer = location->layer ? location->layer : zeros;
   int32_t inside[RT_LANES], cx[RT_LANES], cy[RT_LANES];
   uint64_t slice[RT_LANES];
   uint32_t found = 0;
   RT_EACH_LANE(i) {
      inside[i] = (x[i] < level->width) & (y[i] < level->height) & (z[i] < level->depth) &
                  (layer[i] < image->num_layers) & (mask >> i & 1);
      cx[i] = inside[i] ? (int32_t)x[i] : 0;
      cy[i] = inside[i] ? (int32_t)y[i] : 0;
   }
   RT_EACH_LANE(i) {
      slice[i] = z[i] * level->slice_bytes + layer[i] * image->layer_bytes;
      found |= (uint32_t)inside[i] << i;
   }
   uint8_t *base = image->data + level->offset_bytes;
   if (image->dim == ABI_DIM_BUFFER) { /* may exceed 4 GB */
      RT_EACH_LANE(i)
         at[i] = inside[i] ? base + (uint64_t)x[i] * image->texel_bytes : outside;
      return found;
   }
   struct rt_tex_offset ox, oy;
   rt_tex_offsets(&ox, image, level, 0, cx);
   rt_tex_offsets(&oy, image, level, 1, cy);
   RT_EACH_LANE(i)
      at[i] = inside[i] ? base + slice[i] + ox.bytes[i] + oy.bytes[i] : outside;
   return found;
}

uint32_t rt_tex_find(const struct abi_image *image, const struct rt_tex_location *location, uint32_t mask, void *outside,
                     uint8_t *at[RT_LANES], uint8_t sub[RT_LANES])
{
   const struct rt_format_info *info = image->format_info;
   if (location->level || location->sample || info->is_compressed || image->min_lod >= 1.0f)
      return find_each(image, location, mask, outside, at, sub);
   memset(sub, 0, RT_LANES);
   return find_plain(image, location, mask, outside, at);
}
