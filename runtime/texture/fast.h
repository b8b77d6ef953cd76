/* SPDX-License-Identifier: MIT
 * Inside of fast.c: what the lanes of one vector sample, and texels of formats that are read through their own function.
 * The same arithmetic as the general code in filter.c and address.c, operation by operation. */
#pragma once

#include "runtime/texture/places.h"

struct rt_fast {
   const struct abi_image *image;
   const struct abi_sampler *sampler;
   const struct rt_format_info *info;
   uint32_t first, lanes;   /* of the call: the first lane, a bit for each that there is */
   uint32_t mask;           /* those that sample */
   uint32_t num_axes;       /* 2 or 3 */
   bool is_dense;           /* lanes are likely to be among the same few texels */
   bool has_one_level;      /* lanes may be any distance apart: worth asking memory ahead */
   const uint8_t *data;     /* of the layer that all lanes share, or of the first layer */
   bool has_own_layers;     /* lanes are in layers of their own: `layer` in words from data */
   rt_vu layer;
   rt_vf coord[3];
};

RT_SIMD rt_vf rt_fast_lerp(rt_vf a, rt_vf b, rt_vf weight)
{
   return a + weight * (b - a);
}

/* ---- any format, 2D, repeating or clamped to the edge ---- */

struct rt_fast_axis {
   rt_vu offset[2]; /* bytes within the slice, of i0 and i1 */
   rt_vf weight;
};

RT_SIMD void rt_fast_offset(rt_vu *out, const struct rt_fast *fast, const struct abi_level *level, uint32_t axis,
                            rt_vi coord)
{
   const uint32_t texel_bytes = fast->image->texel_bytes;
   const rt_vu c = (rt_vu)coord;
   if (!fast->image->is_tiled) {
      *out = c * (axis == 0 ? texel_bytes : level->row_pitch_bytes);
      return;
   }
   const uint32_t shift = axis == 0 ? level->tile_log2_x : level->tile_log2_y, mask = (1u << shift) - 1;
   const uint32_t tile = axis == 0 ? level->tile_bytes : level->tile_row_bytes;
   const uint32_t block = axis == 0 ? 16 * texel_bytes : level->block_row_bytes;
   *out = (c >> shift) * tile + ((c & mask) >> 2) * block +
          ((c & 1) | (c & 2) << 1) * (axis == 0 ? texel_bytes : 2 * texel_bytes);
}

RT_SIMD void rt_fast_find_axis(struct rt_fast_axis *out, const struct rt_fast *fast, const struct abi_level *level,
                               uint32_t axis, bool is_linear)
{
   const int32_t size = (int32_t)(axis == 0 ? level->width : level->height);
   const bool repeats = fast->sampler->address_mode[axis] == VK_SAMPLER_ADDRESS_MODE_REPEAT;
   rt_vf u;
   if (repeats) {
      const rt_vf s = rt_vf_clamp(fast->coord[axis], -8388608.0f, 8388608.0f);
      u = (s - rt_vf_floor(s)) * (float)size;
   } else {
      u = rt_vf_clamp(fast->coord[axis] * (float)size, -1048576.0f, 1048576.0f);
   }
   const rt_vf v = is_linear ? u - 0.5f : u, whole = rt_vf_floor(v);
   rt_vi i[2] = {rt_vi_from(whole), {0}};
   i[1] = i[0] + 1;
   out->weight = v - whole;
   for (uint32_t k = 0; k < (is_linear ? 2 : 1); k++) {
      if (repeats) {
         i[k] += (i[k] < 0) & size;
         i[k] -= (i[k] >= size) & size;
      } else {
         i[k] = rt_vi_clamp(i[k], 0, size - 1);
      }
      rt_fast_offset(&out->offset[k], fast, level, axis, i[k]);
   }
}

#define RT_FAST_GATHER(bytes)                                                                                          \
   case bytes:                                                                                                         \
      for (uint32_t i = 0; i < RT_SIMD_LANES; i++)                                                                     \
         memcpy(raw + i * bytes, base + at[i], bytes);                                                                 \
      break;

static inline void rt_fast_load(const struct rt_fast *fast, const uint8_t *base, rt_vu offsets, rt_vf out[4])
{
   uint8_t raw[RT_LANES * 16] __attribute__((aligned(64)));
   uint32_t at[RT_SIMD_LANES];
   rt_texels texels;
   memcpy(at, &offsets, sizeof(at));
   switch (fast->info->texel_bytes) {
      RT_FAST_GATHER(1)
      RT_FAST_GATHER(2)
      RT_FAST_GATHER(3)
      RT_FAST_GATHER(4)
      RT_FAST_GATHER(6)
      RT_FAST_GATHER(8)
      RT_FAST_GATHER(12)
      RT_FAST_GATHER(16)
   }
   fast->info->unpack_block(raw, texels);
   for (uint32_t c = 0; c < 4; c++)
      memcpy(&out[c], texels[c], sizeof(out[c]));
}

#undef RT_FAST_GATHER

/* Constant components stay as they are in general code, which doesn't mix them. */
static inline void rt_fast_sample_any(const struct rt_fast *fast, const uint8_t *base,
                                      const struct rt_fast_axis axes[2], bool is_linear, rt_vf out[4])
{
   rt_fast_load(fast, base, axes[0].offset[0] + axes[1].offset[0], out);
   if (!is_linear)
      return;
   rt_vf right[4], left[4], corner[4];
   rt_fast_load(fast, base, axes[0].offset[1] + axes[1].offset[0], right);
   rt_fast_load(fast, base, axes[0].offset[0] + axes[1].offset[1], left);
   rt_fast_load(fast, base, axes[0].offset[1] + axes[1].offset[1], corner);
   for (uint32_t c = 0; c < 4; c++)
      if (fast->info->channels[c].bits)
         out[c] = rt_fast_lerp(rt_fast_lerp(out[c], right[c], axes[0].weight),
                               rt_fast_lerp(left[c], corner[c], axes[0].weight), axes[1].weight);
}

