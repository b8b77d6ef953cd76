/* SPDX-License-Identifier: MIT
 * Whole blocks to and from rows, against the layout's formula, at the processor's level: any number of blocks, any
 * alignment of the rows, and nothing beyond. VK_SWRAST_CPU chooses other levels. */
#include "runtime/transfer/block_rows.h"
#include "tests/test.h"

#include <string.h>

enum { MAX_BLOCKS = 19, MAX_PITCH_BYTES = MAX_BLOCKS * 16 + 24, GUARD = 0xa5 };

static uint32_t texel(uint32_t x, uint32_t y)
{
   return 0x01000193u * (x + 1) + 0x9e3779b9u * (y + 1);
}

static uint32_t index_of(uint32_t x, uint32_t y)
{
   return x / 4 * 16 + ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
}

static void check_blocks(uint32_t size, uint32_t num, uint32_t shift)
{
   static uint8_t blocks[(MAX_BLOCKS * 16 + 4) * 4], back[sizeof(blocks)], rows[4 * MAX_PITCH_BYTES + 8];
   const uint32_t pitch_bytes = MAX_BLOCKS * 4 * size + 24;
   memset(blocks, GUARD, sizeof(blocks));
   memset(back, GUARD, sizeof(back));
   memset(rows, GUARD, sizeof(rows));
   for (uint32_t y = 0; y < 4; y++)
      for (uint32_t x = 0; x < num * 4; x++)
         memcpy(blocks + index_of(x, y) * size, &(uint32_t){texel(x, y)}, size);
   rt_block_rows_read(size, blocks, num, NULL, rows + shift, pitch_bytes);
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < sizeof(rows); i++) {
      const uint32_t at = i - shift, y = at / pitch_bytes, x = at % pitch_bytes / size;
      const bool is_inside = i >= shift && y < 4 && x < num * 4;
      wrong += rows[i] != (is_inside ? (uint8_t)(texel(x, y) >> at % pitch_bytes % size * 8) : GUARD);
   }
   CHECK_EQ(wrong, 0);
   rt_block_rows_write(size, back, num, NULL, rows + shift, pitch_bytes);
   CHECK_EQ(memcmp(blocks, back, sizeof(blocks)), 0);
}

TEST(read_and_write)
{
   for (uint32_t size = 1; size <= 4; size *= 2)
      for (uint32_t num = 0; num <= MAX_BLOCKS; num++)
         for (uint32_t shift = 0; shift < 5; shift++)
            check_blocks(size, num, shift);
}

TEST_MAIN
