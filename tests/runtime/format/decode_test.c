/* SPDX-License-Identifier: MIT
 * Decoders of compressed blocks: blocks whose texels can be computed by hand, and digests of pseudo-random blocks, which
 * were compared texel by texel with an independent decoder when they were recorded. */
#include "runtime/format/convert.h"
#include "tests/random.h"
#include "tests/test.h"

#include <math.h>

static float texels[144][4];

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
      for (uint32_t i = 0; i < (uint32_t)info->block_width * info->block_height; i++)
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
