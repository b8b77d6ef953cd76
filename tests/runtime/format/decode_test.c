/* SPDX-License-Identifier: MIT
 * Decoders of compressed blocks: blocks whose texels can be computed by hand, and digests of pseudo-random blocks, which
 * were compared texel by texel with an independent decoder when they were recorded. */
#include "runtime/format/convert.h"
#include "tests/random.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static float texels[216][4];

static void decode(VkFormat format, const uint8_t *block)
{
   rt_format_info(format)->decode(block, (uint32_t(*)[4])texels);
}

static bool is_color(const float *texel, float r, float g, float b, float a)
{
   return texel[0] == r && texel[1] == g && texel[2] == b && texel[3] == a;
}

TEST(bc1_modes)
{
   /* red and blue end points, indices 0 to 3 in each row */
   const uint8_t opaque[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4};
   decode(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, opaque);
   CHECK(is_color(texels[0], 1, 0, 0, 1) && is_color(texels[5], 0, 0, 1, 1));
   CHECK(is_color(texels[2], 2 / 3.0f, 0, 1 / 3.0f, 1) && is_color(texels[15], 1 / 3.0f, 0, 2 / 3.0f, 1));
   const uint8_t punched[8] = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4};
   decode(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, punched);
   CHECK(is_color(texels[2], 0.5f, 0, 0.5f, 1) && is_color(texels[3], 0, 0, 0, 0));
   decode(VK_FORMAT_BC1_RGB_UNORM_BLOCK, punched);
   CHECK(is_color(texels[3], 0, 0, 0, 1));
}

TEST(bc4_limits)
{
   const uint8_t block[8] = {0, 255, 0x88, 0xc6, 0xfa, 0, 0, 0}; /* indices 0 to 7 */
   decode(VK_FORMAT_BC4_UNORM_BLOCK, block);
   for (int i = 0; i < 6; i++)
      CHECK(texels[i][0] == (i == 0 ? 0.0f : i == 1 ? 1.0f : (float)(i - 1) / 5.0f));
   CHECK(texels[6][0] == 0 && texels[7][0] == 1);
   const uint8_t negative[8] = {0x80, 0x7f, 0x88, 0xc6, 0xfa, 0, 0, 0};
   decode(VK_FORMAT_BC4_SNORM_BLOCK, negative);
   CHECK(texels[0][0] == -1 && texels[1][0] == 1 && texels[6][0] == -1 && texels[7][0] == 1);
}

TEST(astc_constant_and_malformed)
{
   const uint8_t constant[16] = {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                 0xff, 0xff, 0x00, 0x80, 0x00, 0x00, 0xff, 0xff};
   decode(VK_FORMAT_ASTC_8x6_UNORM_BLOCK, constant);
   CHECK(is_color(texels[0], 1, 0.5f, 0, 1) && is_color(texels[47], 1, 0.5f, 0, 1));
   const uint8_t zeros[16] = {0};
   decode(VK_FORMAT_ASTC_12x12_UNORM_BLOCK, zeros);
   CHECK(is_color(texels[0], 1, 0, 1, 1) && is_color(texels[143], 1, 0, 1, 1));
}

/* A block of one colour, of halves; formats of the low range give magenta. */
TEST(astc_high_range)
{
   const uint8_t constant[16] = {0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                 0x00, 0x44, 0x00, 0x3c, 0x00, 0xb8, 0x00, 0x3c};
   decode(VK_FORMAT_ASTC_8x6_SFLOAT_BLOCK, constant);
   CHECK(is_color(texels[0], 4, 1, -0.5f, 1) && is_color(texels[47], 4, 1, -0.5f, 1));
   decode(VK_FORMAT_ASTC_8x6_UNORM_BLOCK, constant);
   CHECK(is_color(texels[0], 1, 0, 1, 1));
}

#ifdef VK_EXT_texture_compression_astc_3d
/* A grid of 2 x 2 x 2 weights over 4 x 4 x 4 texels, from black to white: each corner of the block has one weight's colour. */
TEST(astc_grid_of_three_dimensions)
{
   /* Weights of 3 bits: 24 bits, the fewest; luminance of 8 bits. Bits 0 to 10 of mode: r = 7, grid of 2 x 2 x 2. */
   for (uint32_t corner = 0; corner < 8; corner++) {
      uint8_t block[16] = {0x13, 0x00, 0x00, 0xfe, 0x01};
      for (uint32_t bit = 0; bit < 3; bit++) { /* bit-reversed from the end */
         const uint32_t at = 127 - (3 * corner + bit);
         block[at / 8] |= (uint8_t)(1u << at % 8);
      }
      decode(VK_FORMAT_ASTC_4x4x4_UNORM_BLOCK_EXT, block);
      for (uint32_t k = 0; k < 8; k++) {
         const uint32_t texel = (k >> 2) * 48 + (k >> 1 & 1) * 12 + (k & 1) * 3;
         const float wanted = k == corner ? 1 : 0;
         CHECK(is_color(texels[texel], wanted, wanted, wanted, 1));
      }
   }
}

TEST(astc_reserved_modes_of_three_dimensions)
{
   for (uint32_t low = 0; low < 2; low++) {
      const uint8_t block[16] = {low ? 0xec : 0x20, low ? 0x01 : 0x00}; /* bits 5 to 8 all set; bits 0 to 3 clear */
      decode(VK_FORMAT_ASTC_6x6x6_UNORM_BLOCK_EXT, block);
      CHECK(is_color(texels[0], 1, 0, 1, 1) && is_color(texels[215], 1, 0, 1, 1));
   }
}
#endif

TEST(astc_decode_modes)
{
   const struct rt_format_info *info = rt_format_info(VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK);
   const struct rt_format_info *bytes = rt_format_decode_mode(info, VK_FORMAT_R8G8B8A8_UNORM);
   const struct rt_format_info *shared = rt_format_decode_mode(info, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32);
   CHECK(bytes != info && shared != info && bytes->decode == info->decode && rt_format_decode_mode(bytes, VK_FORMAT_R16G16B16A16_SFLOAT) == bytes);
   CHECK(rt_format_decode_mode(info, VK_FORMAT_R16G16B16A16_SFLOAT) == info && !info->round);
   CHECK(rt_format_decode_mode(rt_format_info(VK_FORMAT_ASTC_4x4_SRGB_BLOCK), VK_FORMAT_R8G8B8A8_UNORM)->round == NULL);
   CHECK(rt_format_decode_mode(rt_format_info(VK_FORMAT_BC7_UNORM_BLOCK), VK_FORMAT_R8G8B8A8_UNORM)->round == NULL);
   float rgba[4][4] = {{0.5f, 1, 255.5f / 256, 0.999f / 256},
                       {1 + 1 / 1024.0f, 0.5f + 1 / 512.0f, -2, 0.25f}, {INFINITY, NAN, 3, 0}, {0x1p-24f, 0x1p-22f, 0, 1}};
   float copy[4][4];
   memcpy(copy, rgba, sizeof(copy));
   bytes->round((uint32_t(*)[4])copy, 4);
   CHECK(is_color(copy[0], 128 / 255.0f, 1, 1, 0) && is_color(copy[1], 1, 128 / 255.0f, 0, 64 / 255.0f) && copy[2][1] == 0);
   memcpy(copy, rgba, sizeof(copy));
   shared->round((uint32_t(*)[4])copy, 4);
   CHECK(is_color(copy[1], 1, 0.5f, 0, 1) && is_color(copy[2], 65408, 0, 0, 1) && is_color(copy[3], 0, 0x1p-22f, 0, 1));
}

static uint64_t digest(VkFormat format)
{
   const struct rt_format_info *info = rt_format_info(format);
   uint64_t state = (uint64_t)format, hash = 0;
   for (uint32_t k = 0; k < 400; k++) {
      uint8_t block[16];
      for (uint32_t i = 0; i < 16; i++) {
         random_step(&state);
         block[i] = (uint8_t)(state >> 56);
      }
      decode(format, block);
      for (uint32_t i = 0; i < rt_format_block_texels(info); i++)
         for (uint32_t c = 0; c < 4; c++) {
            CHECK(isfinite(texels[i][c]) || format == VK_FORMAT_BC6H_SFLOAT_BLOCK ||
                  format >= VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK);
            hash = (hash ^ rt_as_bits(texels[i][c])) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
         }
   }
   return hash;
}

TEST(digests)
{
   static const struct {
      VkFormat format;
      uint64_t hash;
   } expected[] = {
#include "tests/runtime/format/decode_digests.inc"
   };
   uint32_t count = 0;
   for (VkFormat format = VK_FORMAT_BC1_RGB_UNORM_BLOCK; format <= VK_FORMAT_ASTC_12x12_SFLOAT_BLOCK; count++) {
      const uint64_t hash = digest(format);
      if (count >= sizeof(expected) / sizeof(expected[0]) || expected[count].format != format ||
          expected[count].hash != hash) {
         fprintf(stderr, "   {VK_FORMAT_%s, 0x%016llx},\n", rt_format_info(format)->name, (unsigned long long)hash);
         test_fail(__FILE__, __LINE__, "digest");
      }
      format = format == VK_FORMAT_ASTC_12x12_SRGB_BLOCK ? VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK : format + 1;
   }
}

TEST_MAIN
