/* SPDX-License-Identifier: MIT
 * From integer coordinates of a vector of lanes to indices of texels, with bounds; for images that have an enum rt_texel.
 * Spec: Image Operations, "Integer Texel Coordinate Operations". See include/abi/image.h for the formulas. */
#pragma once

#include "runtime/texture/decoded.h"

/* What an instruction gives, at the vector's first lane; NULL: zeros. */
struct rt_texel_coords {
   const uint32_t *coord[3], *layer, *level, *sample;
   uint32_t all_layers;        /* where `layer` is NULL: of all lanes */
   const uint32_t *offset[3];  /* added to the coordinates; NULL: zeros */
};

struct rt_texel_spots {
   rt_vu index;    /* from the image's data; 0 for lanes that are not found */
   rt_vu sub;      /* of blocks: the texel within the one that index means */
   uint32_t found; /* lanes of the mask that are inside the image */
};

RT_SIMD rt_vu rt_texel_x(const struct abi_image *image, const struct abi_level *level, rt_vu x)
{
   return rt_words_x(image, level, (rt_vi)x);
}

/* Of rows; as if there were one sample. `log2`: bytes of a texel. */
RT_SIMD rt_vu rt_texel_y(const struct abi_image *image, const struct abi_level *level, rt_vu y, uint32_t log2)
{
   if (!image->is_tiled)
      return y * (level->row_pitch_bytes >> log2);
   const rt_vu tile = (y >> 6) * (level->tile_row_bytes >> log2);
#if RT_TEX_LEVEL >= 4
   return rt_words_spread(level->tile_log2_x - 2u, (rt_vi)y) + tile;
#else
   return (((y & 3) + (y & 2)) << 1) + ((y & 0x3c) << level->tile_log2_x) + tile;
#endif
}

/* Lanes of one level, by the texels `at` and the columns and rows of what stands in memory, texels or blocks. */
RT_SIMD void rt_texel_find_level(const struct abi_image *image, const struct abi_level *level, const rt_vu at[3],
                                 const rt_vu unit[2], rt_vu slice, uint32_t mask, rt_vu *index, uint32_t *found)
{
   const uint32_t log2 = rt_texel_log2(image);
   uint32_t inside = rt_texel_below(at[0], level->width, mask);
   inside = rt_texel_below(at[1], level->height, inside);
   inside = rt_texel_below(at[2], level->depth, inside);
   const uint32_t samples_log2 = (uint32_t)__builtin_ctz(image->num_samples);
   rt_vu texel;
   if (image->dim == ABI_DIM_BUFFER)
      texel = at[0];
   else
      texel = rt_texel_x(image, level, unit[0]) + rt_texel_y(image, level, unit[1], log2 + samples_log2);
   if (samples_log2) /* a block has all texels of its first sample first */
      texel = (texel & 15) | (texel & ~15u) << samples_log2;
   texel += slice + (uint32_t)(level->offset_bytes >> log2);
   if (level->depth > 1)
      texel += at[2] * (uint32_t)(level->slice_bytes >> log2);
   *found |= inside;
   *index = (rt_vu)rt_vi_select(rt_vi_from_mask(inside), (rt_vi)texel, (rt_vi)*index);
}

RT_SIMD rt_vu rt_texel_coordinate(const struct rt_texel_coords *coords, uint32_t axis, uint32_t first, uint32_t lanes)
{
   if (!coords->coord[axis])
      return (rt_vu){0};
   const rt_vu at = (rt_vu)rt_vf_load(coords->coord[axis] + first, lanes);
   return coords->offset[axis] ? at + (rt_vu)rt_vf_load(coords->offset[axis] + first, lanes) : at;
}

/* `first` is the vector's first lane, `lanes` are those that exist, `mask` those that are wanted. */
RT_SIMD void rt_texel_find(const struct abi_image *image, const struct rt_texel_coords *coords, uint32_t first,
                           uint32_t lanes, uint32_t mask, struct rt_texel_spots *spots)
{
   const uint32_t log2 = rt_texel_log2(image);
   const struct rt_format_info *info = image->format_info;
   rt_vu at[3], unit[2], slice = {0};
   for (uint32_t a = 0; a < 3; a++)
      at[a] = rt_texel_coordinate(coords, a, first, lanes);
   spots->index = spots->sub = (rt_vu){0};
   memcpy(unit, at, sizeof(unit));
   if (info->is_compressed) {
      rt_vu within[2];
      unit[0] = rt_texel_block(info->block_width, at[0], &within[0]);
      unit[1] = rt_texel_block(info->block_height, at[1], &within[1]);
      spots->sub = rt_texel_sub(info, within[0], within[1]);
   }
   spots->found = 0;
   if (coords->layer) {
      const rt_vu layer = (rt_vu)rt_vf_load(coords->layer + first, lanes);
      mask = rt_texel_below(layer, image->num_layers, mask);
      slice = layer * (uint32_t)(image->layer_bytes >> log2);
   } else if (coords->all_layers) {
      mask = coords->all_layers < image->num_layers ? mask : 0;
      slice += coords->all_layers * (uint32_t)(image->layer_bytes >> log2);
   }
   if (coords->sample) {
      const rt_vu sample = (rt_vu)rt_vf_load(coords->sample + first, lanes);
      mask = rt_texel_below(sample, image->num_samples, mask);
      slice += sample << 4;
   }
   const float floor_of_min = __builtin_floorf(image->min_lod);
   if (!coords->level) {
      if (floor_of_min <= 0)
         rt_texel_find_level(image, &image->levels[0], at, unit, slice, mask, &spots->index, &spots->found);
      return;
   }
   const rt_vu level = (rt_vu)rt_vf_load(coords->level + first, lanes);
   mask = rt_texel_below(level, image->num_levels, mask);
   for (uint32_t pending = mask, group; pending; pending &= ~group) {
      const uint32_t number = level[(uint32_t)__builtin_ctz(pending)];
      group = rt_texel_below(level ^ number, 1, pending);
      if ((float)number >= floor_of_min)
         rt_texel_find_level(image, &image->levels[number], at, unit, slice, group, &spots->index, &spots->found);
   }
}

/* Loads the texels of the lanes that were found, of which there is one; the words of others are anything. */
RT_SIMD void rt_texel_load(const struct abi_image *image, const struct rt_texel_spots *spots, struct rt_taps *taps)
{
   const uint32_t log2 = rt_texel_log2(image);
   rt_vu run;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
      run[i] = i;
   const uint32_t start = spots->index[0];
   run += start;
   taps->sub[0] = spots->sub;
   if (UTIL_UNLIKELY(rt_texel_of(image) == RT_TEXEL_DECODED))
      rt_decoded_load(image->format_info, image->data, log2, spots->found, 1, &spots->index, taps);
   else if (spots->found == RT_SIMD_ALL && !rt_vi_any_other((rt_vi)(spots->index - run), 0, RT_SIMD_ALL))
      rt_texel_load_run(image->data + ((uint64_t)start << log2), log2, taps);
   else
      rt_texel_gather(image->data, spots->index, log2, taps, 0);
}
