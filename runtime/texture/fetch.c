/* SPDX-License-Identifier: MIT
 * Reading single texels by integer coordinates. Coordinates outside give zeros (alpha 1 where the format has none).
 * Spec: Image Operations, "Integer Texel Coordinate Operations"; robustness of image accesses. */
#include "runtime/texture/batch.h"

static uint8_t zeros[64]; /* never written */

void rt_tex_fetch(struct rt_tex_batch *batch, rt_texels out)
{
   const bool has_level = batch->flags & ABI_TEX_LOD, has_sample = batch->flags & ABI_TEX_SAMPLE;
   const struct rt_tex_location location = {
      .coords = {(const uint32_t *)batch->icoord[0], (const uint32_t *)batch->icoord[1],
                 (const uint32_t *)batch->icoord[2]},
      .layer = (const uint32_t *)batch->ilayer,
      .level = has_level ? (const uint32_t *)batch->ilod : NULL,
      .sample = has_sample ? (const uint32_t *)batch->isample : NULL,
   };
   struct rt_tex_refs refs;
   uint8_t *at[RT_LANES];
   const uint32_t found = rt_tex_find(batch->image, &location, batch->mask, zeros, at, refs.sub);
   RT_EACH_LANE(i)
      refs.at[i] = at[i];
   rt_tex_load(batch->info, &refs, out);
   if (UTIL_UNLIKELY(batch->absent != NULL))
      *batch->absent |= rt_tex_absent(batch->image, refs.at, found);
   if (!batch->info->is_compressed)
      return;
   /* A block of zeros need not decode to zeros. */
   for (uint32_t c = 0; c < 4; c++)
      RT_EACH_LANE(i)
         if (!(found >> i & 1))
            out[c][i] = batch->components & 1u << c || c < 3 ? 0 : 0x3f800000;
}
