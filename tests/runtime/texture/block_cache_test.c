/* SPDX-License-Identifier: MIT
 * Decoded blocks are those of the decoder, however formats and blocks follow each other, and with no memory for a cache. */
#include "runtime/texture/block_cache.h"
#include "tests/test.h"
#include "util/alloc.h"

#include <string.h>

enum { NUM_CALLS = 20000, NUM_BLOCKS = 3000 };

/* One of each size of block that is kept apart, and two that share a size. */
static const VkFormat formats[] = {
   VK_FORMAT_BC7_UNORM_BLOCK,       VK_FORMAT_BC1_RGBA_SRGB_BLOCK,    VK_FORMAT_ASTC_4x4_UNORM_BLOCK,
   VK_FORMAT_ASTC_6x5_SRGB_BLOCK,   VK_FORMAT_ASTC_8x8_UNORM_BLOCK,   VK_FORMAT_ASTC_8x8_SRGB_BLOCK,
   VK_FORMAT_ASTC_12x12_SRGB_BLOCK, VK_FORMAT_ASTC_10x10_UNORM_BLOCK,
};

static uint32_t random_bits(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static void check_calls(uint32_t num_calls)
{
   uint32_t seed = 1, num_wrong = 0;
   for (uint32_t i = 0; i < num_calls; i++) {
      const struct rt_format_info *info = rt_format_info(formats[random_bits(&seed) % UTIL_ARRAY_SIZE(formats)]);
      uint32_t of_block = random_bits(&seed) % NUM_BLOCKS, words[4], expected[216][4];
      for (uint32_t k = 0; k < 4; k++)
         words[k] = random_bits(&of_block) << 8 | (random_bits(&of_block) & 0xff);
      info->decode(words, expected);
      const uint32_t(*texels)[4] = rt_block_texels(info, (const uint8_t *)words);
      num_wrong += memcmp(texels, expected, rt_format_block_texels(info) * sizeof(texels[0])) != 0;
   }
   CHECK_EQ(num_wrong, 0);
}

TEST(texels_are_the_decoders)
{
   check_calls(NUM_CALLS);
   rt_block_cache_forget();
   check_calls(NUM_CALLS);
   rt_block_cache_forget();
}

/* A block that was decoded stays, although others of its format and of other formats are decoded after it. */
TEST(blocks_of_a_tile_stay)
{
   enum { NUM_OF_TILE = 64 };
   const struct rt_format_info *info = rt_format_info(VK_FORMAT_ASTC_8x8_UNORM_BLOCK), *other = rt_format_info(VK_FORMAT_ASTC_6x5_SRGB_BLOCK);
   uint8_t blocks[NUM_OF_TILE][16];
   const uint32_t(*texels[NUM_OF_TILE])[4];
   uint32_t seed = 7, num_kept = 0;
   for (uint32_t i = 0; i < NUM_OF_TILE; i++) {
      for (uint32_t k = 0; k < 16; k++)
         blocks[i][k] = (uint8_t)random_bits(&seed);
   }
   for (uint32_t i = 0; i < NUM_OF_TILE; i++) {
      texels[i] = rt_block_texels(info, blocks[i]);
      (void)rt_block_texels(other, blocks[i]);
   }
   for (uint32_t i = 0; i < NUM_OF_TILE; i++) {
      bool is_alone = true;
      for (uint32_t k = 0; k < NUM_OF_TILE; k++)
         is_alone &= k == i || texels[k] != texels[i];
      num_kept += is_alone;
   }
   CHECK(num_kept >= NUM_OF_TILE / 2); /* of 16 slots hardly any block would be alone */
   rt_block_cache_forget();
}

/* What is found in a batch is there until its end, and only where two others stand there is nothing found. */
TEST(blocks_of_a_batch_stay)
{
   enum { NUM_OF_BATCH = 64 };
   uint32_t seed = 3, num_wrong = 0, num_found = 0, num_none = 0;
   for (uint32_t i = 0; i < 2000; i++) {
      const struct rt_format_info *info = rt_format_info(formats[random_bits(&seed) % UTIL_ARRAY_SIZE(formats)]);
      uint32_t blocks[NUM_OF_BATCH][4], first[NUM_OF_BATCH], expected[216][4];
      struct rt_block_batch batch;
      CHECK(rt_block_batch_begin(&batch, info));
      for (uint32_t k = 0; k < NUM_OF_BATCH; k++) {
         for (uint32_t w = 0; w < 4; w++)
            blocks[k][w] = random_bits(&seed) << 8 | (random_bits(&seed) & 0xff);
         first[k] = rt_block_batch_find(&batch, (const uint8_t *)blocks[k]);
      }
      for (uint32_t k = 0; k < NUM_OF_BATCH; k++) {
         if (first[k] == RT_BLOCK_TEXELS_NONE) {
            num_none++;
            continue;
         }
         info->decode(blocks[k], expected);
         num_wrong += memcmp(batch.texels + first[k], expected, rt_format_block_texels(info) * sizeof(expected[0])) != 0;
         num_found++;
      }
   }
   CHECK_EQ(num_wrong, 0);
   CHECK(num_none > 0 && num_found > 8 * num_none);
   rt_block_cache_forget();
}

TEST(without_memory_blocks_are_decoded_each_time)
{
   util_alloc_fail_at(1, false);
   check_calls(1000);
   util_alloc_fail_at(0, false);
   rt_block_cache_forget();
}

TEST_MAIN
