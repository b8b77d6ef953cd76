/* SPDX-License-Identifier: MIT
 * Reading texels: byte offsets of coordinates, gathering, unpacking and decoding of compressed blocks. */
#include "runtime/texture/batch.h"
#include "runtime/texture/block_cache.h"

#include <string.h>

void rt_tex_offsets(struct rt_tex_offset *out, const struct abi_image *image, const struct abi_level *level,
                    uint32_t axis, const int32_t *coord)
{
   const uint32_t texel_bytes = image->texel_bytes;
   if (!image->is_tiled) {
      const uint32_t pitch = axis == 0 ? texel_bytes : level->row_pitch_bytes;
      RT_EACH_LANE(i)
         out->bytes[i] = (uint32_t)coord[i] * pitch;
      return;
   }
   /* See abi/image.h: X(x) and Y(y). In Z order the bits of x have weights 1 and 4, those of y 2 and 8. */
   const uint32_t shift = axis == 0 ? level->tile_log2_x : level->tile_log2_y, mask = (1u << shift) - 1;
   const uint32_t tile = axis == 0 ? level->tile_bytes : level->tile_row_bytes;
   const uint32_t block = axis == 0 ? 16 * texel_bytes * image->num_samples : level->block_row_bytes;
   const uint32_t texel = axis == 0 ? texel_bytes : 2 * texel_bytes;
   RT_EACH_LANE(i) {
      const uint32_t c = (uint32_t)coord[i];
      out->bytes[i] = (c >> shift) * tile + ((c & mask) >> 2) * block + ((c & 1) | (c & 2) << 1) * texel;
   }
}

static void load_compressed(const struct rt_format_info *info, const struct rt_tex_refs *refs, rt_texels out)
{
   const uint8_t *block = NULL;
   const uint32_t(*texels)[4] = NULL;
   RT_EACH_LANE(i) {
      if (refs->at[i] != block) {
         block = refs->at[i];
         texels = rt_block_texels(info, block);
      }
      for (uint32_t c = 0; c < 4; c++)
         out[c][i] = texels[refs->sub[i]][c];
   }
}

#define GATHER(bytes)                                                                                                  \
   case bytes:                                                                                                         \
      RT_EACH_LANE(i)                                                                                                  \
         memcpy(raw + i * bytes, refs->at[i], bytes);                                                                  \
      break;

void rt_tex_load(const struct rt_format_info *info, const struct rt_tex_refs *refs, rt_texels out)
{
   if (info->decode) {
      load_compressed(info, refs, out);
      return;
   }
   if (!info->unpack_block) {
      memset(out, 0, sizeof(rt_texels));
      return;
   }
   uint8_t raw[RT_LANES * 16] __attribute__((aligned(64)));
   switch (info->texel_bytes) {
      GATHER(1)
      GATHER(2)
      GATHER(3)
      GATHER(4)
      GATHER(6)
      GATHER(8)
      GATHER(12)
      GATHER(16)
   }
   info->unpack_block(raw, out);
}
