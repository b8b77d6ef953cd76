/* SPDX-License-Identifier: MIT
 * Whole blocks to and from rows, against the layout's formula, at the processor's level: any number of blocks, any
 * alignment of the rows, and nothing beyond. VK_SWRAST_CPU chooses other levels. */
#include "runtime/transfer/block_rows.h"
#include "tests/test.h"

#include <string.h>

enum { MAX_BLOCKS = 19, PITCH_BYTES = MAX_BLOCKS * 16 + 24, GUARD = 0xa5 };

static uint32_t texel(uint32_t x, uint32_t y)
{
   return 0x01000193u * (x + 1) + 0x9e3779b9u * (y + 1);
}

static uint32_t index_of(uint32_t x, uint32_t y)
{
   return x / 4 * 16 + ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
}

TEST(read_and_write)
{
   static uint32_t blocks[MAX_BLOCKS * 16 + 4], back[MAX_BLOCKS * 16 + 4];
   static uint8_t rows[4 * PITCH_BYTES + 8];
   for (uint32_t num = 0; num <= MAX_BLOCKS; num++) {
      for (uint32_t shift = 0; shift < 5; shift++) {
         memset(blocks, GUARD, sizeof(blocks));
         memset(back, GUARD, sizeof(back));
         memset(rows, GUARD, sizeof(rows));
         for (uint32_t y = 0; y < 4; y++)
            for (uint32_t x = 0; x < num * 4; x++)
               blocks[index_of(x, y)] = texel(x, y);
         rt_block_rows_read((const uint8_t *)blocks, num, NULL, rows + shift, PITCH_BYTES);
         uint32_t wrong = 0;
         for (uint32_t i = 0; i < sizeof(rows); i++) {
            const uint32_t at = i - shift, y = at / PITCH_BYTES, x = at % PITCH_BYTES / 4;
            const bool is_inside = i >= shift && y < 4 && x < num * 4;
            wrong += rows[i] != (is_inside ? (uint8_t)(texel(x, y) >> at % PITCH_BYTES % 4 * 8) : GUARD);
         }
         CHECK_EQ(wrong, 0);
         rt_block_rows_write((uint8_t *)back, num, NULL, rows + shift, PITCH_BYTES);
         CHECK_EQ(memcmp(blocks, back, sizeof(blocks)), 0);
      }
   }
}

TEST_MAIN
