/* SPDX-License-Identifier: MIT
 * Reading single texels by integer coordinates. Coordinates outside give zeros (alpha 1 where the format has none).
 * Spec: Image Operations, "Integer Texel Coordinate Operations"; robustness of image accesses. */
#include "runtime/texture/batch.h"

static const uint8_t zeros[64];

static bool find_texel(const struct rt_tex_batch *batch, uint32_t lane, struct rt_tex_refs *refs)
{
   const struct abi_image *image = batch->image;
   const uint32_t x = (uint32_t)batch->icoord[0][lane], y = (uint32_t)batch->icoord[1][lane];
   const uint32_t z = (uint32_t)batch->icoord[2][lane], level_index = (uint32_t)batch->ilod[lane];
   const uint32_t layer = (uint32_t)batch->ilayer[lane], sample = (uint32_t)batch->isample[lane];
   if (level_index >= image->num_levels || layer >= image->num_layers || sample >= image->num_samples ||
       (float)level_index < __builtin_floorf(image->min_lod))
      return false;
   const struct abi_level *level = &image->levels[level_index];
   if (x >= level->width || y >= level->height || z >= level->depth)
      return false;
   const uint32_t bw = batch->info->block_width, bh = batch->info->block_height;
   refs->sub[lane] = (uint8_t)(y % bh * bw + x % bw);
   refs->at[lane] = image->data + layer * image->layer_bytes +
                    rt_level_offset(level, image->is_tiled, image->texel_bytes, x / bw, y / bh, z, sample, image->num_samples);
   return true;
}

void rt_tex_fetch(struct rt_tex_batch *batch, rt_texels out)
{
   struct rt_tex_refs refs;
   uint32_t valid = 0;
   RT_EACH_LANE(i) {
      refs.at[i] = zeros;
      refs.sub[i] = 0;
      if (batch->mask >> i & 1)
         valid |= (uint32_t)find_texel(batch, i, &refs) << i;
   }
   rt_tex_load(batch->info, &refs, out);
   if (!batch->info->is_compressed)
      return;
   /* A block of zeros need not decode to zeros. */
   for (uint32_t c = 0; c < 4; c++)
      RT_EACH_LANE(i)
         if (!(valid >> i & 1))
            out[c][i] = batch->components & 1u << c || c < 3 ? 0 : 0x3f800000;
}
