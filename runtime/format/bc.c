/* SPDX-License-Identifier: MIT
 * BC1 to BC5. Interpolation is in exact fractions, divided once.
 * Spec: Khronos Data Format Specification, "S3TC Compressed Texture Image Formats", "RGTC Compressed Texture Image
 * Formats". */
#include "runtime/format/blocks.h"
#include "runtime/format/decode.h"

/* Colour blocks: two 5:6:5 end points and 2 bits of index a texel. `punch`: end points in ascending order mean three
 * colours and black, which has alpha 0 if the format has alpha. */
static void decode_color(const uint8_t *block, uint32_t (*rgba)[4], bool is_srgb, bool may_punch, bool has_alpha)
{
   const uint64_t bits = rt_load64(block);
   const uint32_t ends[2] = {bits & 0xffff, bits >> 16 & 0xffff};
   const bool is_punched = may_punch && ends[0] <= ends[1];
   uint32_t palette[4][4];
   for (uint32_t c = 0; c < 3; c++) {
      const uint32_t shift = c == 0 ? 11 : c == 1 ? 5 : 0;
      const int32_t max = c == 1 ? 63 : 31, a = (int32_t)(ends[0] >> shift) & max,
                    b = (int32_t)(ends[1] >> shift) & max;
      palette[0][c] = rt_fraction(a, max, is_srgb);
      palette[1][c] = rt_fraction(b, max, is_srgb);
      palette[2][c] = is_punched ? rt_fraction(a + b, 2 * max, is_srgb) : rt_fraction(2 * a + b, 3 * max, is_srgb);
      palette[3][c] = is_punched ? 0 : rt_fraction(a + 2 * b, 3 * max, is_srgb);
   }
   for (uint32_t i = 0; i < 4; i++)
      palette[i][3] = i == 3 && is_punched && has_alpha ? 0 : RT_FLOAT_ONE;
   for (uint32_t i = 0; i < 16; i++)
      memcpy(rgba[i], palette[bits >> (32 + 2 * i) & 3], sizeof(palette[0]));
}

/* One component: two 8-bit end points and 3 bits of index a texel. */
static void decode_channel(const uint8_t *block, uint32_t (*rgba)[4], uint32_t channel, bool is_signed)
{
   const uint64_t bits = rt_load64(block);
   int32_t a = is_signed ? (int8_t)block[0] : block[0], b = is_signed ? (int8_t)block[1] : block[1];
   const bool has_limits = a <= b;
   const int32_t max = is_signed ? 127 : 255, parts = has_limits ? 5 : 7;
   if (is_signed) {
      a = a < -127 ? -127 : a;
      b = b < -127 ? -127 : b;
   }
   uint32_t palette[8];
   palette[0] = rt_as_bits((float)a / (float)max);
   palette[1] = rt_as_bits((float)b / (float)max);
   for (int32_t i = 1; i < parts; i++)
      palette[1 + i] = rt_as_bits((float)((parts - i) * a + i * b) / (float)(parts * max));
   if (has_limits) {
      palette[6] = is_signed ? 0xbf800000 : 0;
      palette[7] = RT_FLOAT_ONE;
   }
   for (uint32_t i = 0; i < 16; i++)
      rgba[i][channel] = palette[bits >> (16 + 3 * i) & 7];
}

static void clear_to_opaque(uint32_t (*rgba)[4])
{
   for (uint32_t i = 0; i < 16; i++) {
      rgba[i][0] = rgba[i][1] = rgba[i][2] = 0;
      rgba[i][3] = RT_FLOAT_ONE;
   }
}

#define COLOR_DECODERS(suffix, is_srgb)                                                                                \
   void rt_decode_bc1_rgb_##suffix(const void *block, uint32_t (*rgba)[4])                                             \
   {                                                                                                                   \
      decode_color(block, rgba, is_srgb, true, false);                                                                 \
   }                                                                                                                   \
   void rt_decode_bc1_rgba_##suffix(const void *block, uint32_t (*rgba)[4])                                            \
   {                                                                                                                   \
      decode_color(block, rgba, is_srgb, true, true);                                                                  \
   }                                                                                                                   \
   void rt_decode_bc2_##suffix(const void *block, uint32_t (*rgba)[4])                                                 \
   {                                                                                                                   \
      const uint64_t alpha = rt_load64(block);                                                                         \
      decode_color((const uint8_t *)block + 8, rgba, is_srgb, false, false);                                           \
      for (uint32_t i = 0; i < 16; i++)                                                                                \
         rgba[i][3] = rt_as_bits(rt_unorm_decode(alpha >> (4 * i) & 15, 4));                                           \
   }                                                                                                                   \
   void rt_decode_bc3_##suffix(const void *block, uint32_t (*rgba)[4])                                                 \
   {                                                                                                                   \
      decode_color((const uint8_t *)block + 8, rgba, is_srgb, false, false);                                           \
      decode_channel(block, rgba, 3, false);                                                                           \
   }
COLOR_DECODERS(unorm, false)
COLOR_DECODERS(srgb, true)

#define CHANNEL_DECODERS(suffix, is_signed)                                                                            \
   void rt_decode_bc4_##suffix(const void *block, uint32_t (*rgba)[4])                                                 \
   {                                                                                                                   \
      clear_to_opaque(rgba);                                                                                           \
      decode_channel(block, rgba, 0, is_signed);                                                                       \
   }                                                                                                                   \
   void rt_decode_bc5_##suffix(const void *block, uint32_t (*rgba)[4])                                                 \
   {                                                                                                                   \
      clear_to_opaque(rgba);                                                                                           \
      decode_channel(block, rgba, 0, is_signed);                                                                       \
      decode_channel((const uint8_t *)block + 8, rgba, 1, is_signed);                                                  \
   }
CHANNEL_DECODERS(unorm, false)
CHANNEL_DECODERS(snorm, true)
