/* SPDX-License-Identifier: MIT
 * Reading texels: byte offsets of coordinates, gathering, unpacking and decoding of compressed blocks. */
#include "runtime/texture/batch.h"

#include <string.h>

void rt_tex_offsets(struct rt_tex_offset *out, const struct abi_image *image, const struct abi_level *level, uint32_t axis,
                    const int32_t *coord)
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

/* Blocks decoded in one call; neighbouring lanes mostly share them. */
struct decoded {
   const uint8_t *block;
   uint32_t rgba[144][4];
};

static void load_compressed(const struct rt_format_info *info, const struct rt_tex_refs *refs, rt_texels out)
{
   struct decoded cache[4];
   uint32_t used = 0, next = 0;
   RT_EACH_LANE(i) {
      uint32_t c = 0;
      while (c < used && cache[c].block != refs->at[i])
         c++;
      if (c == used) {
         c = next;
         next = (next + 1) % UTIL_ARRAY_SIZE(cache);
         used = UTIL_MAX(used, c + 1);
         cache[c].block = refs->at[i];
         info->decode(refs->at[i], cache[c].rgba);
      }
      for (uint32_t k = 0; k < 4; k++)
         out[k][i] = cache[c].rgba[refs->sub[i]][k];
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
