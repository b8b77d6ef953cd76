/* SPDX-License-Identifier: MIT
 * Inside of near.h: registers of sixteen lanes, of 32 bits a block. Two blocks across and two down hold the taps of fragments, four across those of rows
 * of lanes. For texels of up to 64 bits. */
#pragma once

#include "runtime/texture/texel.h"

#if RT_TEX_LEVEL >= 4
/* Where the blocks begin, and the taps counted from there. */
struct rt_near {
   __m128i first; /* the first block's texel: column, row, in the lowest 32 bits */
   __m512i left, right;
   __mmask16 is_wide, is_far; /* lanes with taps beyond two by two blocks; beyond four by two */
};

RT_SIMD void rt_near_count_from(struct rt_near *near, __m128i texel, rt_vh left, rt_vh right)
{
   near->first = _mm_and_si128(texel, _mm_set1_epi16(-4));
   const __m512i origin = _mm512_broadcastd_epi32(near->first);
   near->left = _mm512_sub_epi16((__m512i)left, origin);
   near->right = _mm512_sub_epi16((__m512i)right, origin);
   const __m512i both = _mm512_or_si512(near->left, near->right);
   near->is_wide = _mm512_test_epi32_mask(both, _mm512_set1_epi32((int)0xfff8fff8u));
   near->is_far = _mm512_test_epi32_mask(both, _mm512_set1_epi32((int)0xfff8fff0u));
}

/* Mostly the first lane is in the first block: then nothing has to be compared to find that. */
RT_SIMD void rt_near_find(struct rt_near *near, rt_vh left, rt_vh right, uint32_t mask)
{
   rt_near_count_from(near, _mm512_castsi512_si128((__m512i)left), left, right);
   if (UTIL_UNLIKELY(near->is_far & mask))
      rt_near_count_from(near, rt_words_least(left), left, right);
}

/* Bytes from the level's beginning to blocks by their numbers along an axis. */
RT_SIMD __m128i rt_near_to_blocks(__m128i number, __m128i block, __m128i tile)
{
   const __m128i in_tile = _mm_and_si128(number, _mm_set1_epi32(15));
   return _mm_add_epi32(_mm_mullo_epi32(in_tile, block), _mm_mullo_epi32(_mm_srli_epi32(number, 4), tile));
}

/* Of blocks that the level does not have its last ones. Two across, from abi_level's fields in registers of four numbers: two columns, two rows. */
RT_SIMD void rt_near_two_blocks(uint32_t offsets[4], const struct rt_near *near, const struct abi_level *level, uint32_t log2, uint32_t unit_log2)
{
   const __m128i size = _mm_shuffle_epi32(_mm_loadl_epi64((const void *)&level->width), 0x50);
   const __m128i tile = _mm_loadu_si128((const void *)&level->tile_bytes); /* of tiles, rows of tiles, rows of blocks */
   const __m128i block = _mm_blend_epi32(_mm_set1_epi32(16 << log2), _mm_shuffle_epi32(tile, 0xaa), 0xc);
   const __m128i last = _mm_srli_epi32(_mm_add_epi32(size, _mm_set1_epi32(-1)), (int)(2 + unit_log2));
   const __m128i first = _mm_srli_epi32(_mm_shuffle_epi32(_mm_cvtepu16_epi32(near->first), 0x50), 2);
   const __m128i number = _mm_min_epi32(_mm_add_epi32(first, _mm_setr_epi32(0, 1, 0, 1)), last);
   const __m128i bytes = rt_near_to_blocks(number, block, _mm_shuffle_epi32(tile, 0x50));
   const __m128i sums = _mm_add_epi32(_mm_shuffle_epi32(bytes, 0x44), _mm_shuffle_epi32(bytes, 0xfa));
   const uint64_t upper = (uint64_t)_mm_cvtsi128_si64(sums), lower = (uint64_t)_mm_extract_epi64(sums, 1);
   offsets[0] = (uint32_t)upper;
   offsets[1] = (uint32_t)(upper >> 32);
   offsets[2] = (uint32_t)lower;
   offsets[3] = (uint32_t)(lower >> 32);
}

/* Four across. */
RT_SIMD void rt_near_four_blocks(uint32_t x[4], uint32_t y[2], const struct rt_near *near, const struct abi_level *level, uint32_t log2, uint32_t unit_log2)
{
   const uint32_t first = (uint32_t)_mm_cvtsi128_si32(near->first), row = first >> 18, last_row = (level->height - 1) >> (2 + unit_log2);
   const __m128i last = _mm_set1_epi32((int)((level->width - 1) >> (2 + unit_log2)));
   const __m128i number = _mm_min_epi32(_mm_add_epi32(_mm_set1_epi32((int)((first & 0xffff) >> 2)), _mm_setr_epi32(0, 1, 2, 3)), last);
   const __m128i bytes = rt_near_to_blocks(number, _mm_set1_epi32(16 << log2), _mm_set1_epi32((int)level->tile_bytes));
   _mm_storeu_si128((void *)x, bytes);
   for (uint32_t r = 0; r < 2; r++)
      y[r] = rt_words_to_block(UTIL_MIN(row + r, last_row), level->block_row_bytes, level->tile_row_bytes);
}

/* Of taps: the texel within its block, four bits; above those the column of blocks, one bit, or two of four columns; then the row. What is
 * in the high halves does not matter. */
RT_SIMD void rt_near_positions(__m512i positions[4], const struct rt_near *near)
{
   const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 16, 17, 20, 21, 0, 2, 8, 10, 32, 34, 40, 42));
   const __m512i rows = _mm512_set1_epi32((int)0x80088000u); /* rows are looked up in the table's second half; zeros between */
   const __m512i x[2] = {_mm512_shuffle_epi8(table, _mm512_or_si512(near->left, rows)), _mm512_shuffle_epi8(table, _mm512_or_si512(near->right, rows))};
   for (uint32_t t = 0; t < 4; t++)
      positions[t] = _mm512_add_epi32(x[t & 1], _mm512_srli_epi32(x[t >> 1], 16));
}

RT_SIMD void rt_near_wide_positions(__m512i positions[4], const struct rt_near *near)
{
   const __m512i columns = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 16, 17, 20, 21, 32, 33, 36, 37, 48, 49, 52, 53));
   const __m512i rows = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 8, 10, 64, 66, 72, 74, 0, 2, 8, 10, 64, 66, 72, 74));
   const __m512i others = _mm512_set1_epi32((int)0x80808000u); /* bytes that a table is not for become zero */
   const __m512i x[2] = {_mm512_shuffle_epi8(columns, _mm512_or_si512(near->left, others)), _mm512_shuffle_epi8(columns, _mm512_or_si512(near->right, others))};
   const __m512i y[2] = {_mm512_shuffle_epi8(rows, _mm512_or_si512(_mm512_srli_epi32(near->left, 16), others)),
                         _mm512_shuffle_epi8(rows, _mm512_or_si512(_mm512_srli_epi32(near->right, 16), others))};
   for (uint32_t t = 0; t < 4; t++)
      positions[t] = _mm512_add_epi32(x[t & 1], y[t >> 1]);
}

/* Sixteen texels a register, two by two. */
RT_SIMD void rt_near_take(rt_vu out[4], uint32_t num_taps, const __m512i blocks[4], const __m512i positions[4])
{
   for (uint32_t t = 0; t < num_taps; t++) {
      const __mmask16 is_lower = _mm512_test_epi32_mask(positions[t], _mm512_set1_epi32(32));
      const __m512i upper = _mm512_permutex2var_epi32(blocks[0], positions[t], blocks[1]);
      const __m512i lower = _mm512_permutex2var_epi32(blocks[2], positions[t], blocks[3]);
      out[t] = (rt_vu)_mm512_mask_blend_epi32(is_lower, upper, lower);
   }
}

/* Four by two. */
RT_SIMD void rt_near_take_wide(rt_vu out[4], uint32_t num_taps, const __m512i blocks[8], const __m512i positions[4])
{
   for (uint32_t t = 0; t < num_taps; t++) {
      const __mmask16 is_right = _mm512_test_epi32_mask(positions[t], _mm512_set1_epi32(32));
      const __mmask16 is_lower = _mm512_test_epi32_mask(positions[t], _mm512_set1_epi32(64));
      __m512i rows[2];
      for (uint32_t r = 0; r < 2; r++)
         rows[r] = _mm512_mask_blend_epi32(is_right, _mm512_permutex2var_epi32(blocks[4 * r], positions[t], blocks[4 * r + 1]),
                                           _mm512_permutex2var_epi32(blocks[4 * r + 2], positions[t], blocks[4 * r + 3]));
      out[t] = (rt_vu)_mm512_mask_blend_epi32(is_lower, rows[0], rows[1]);
   }
}

/* Two blocks of texels of 8 or 16 bits, as half-words. */
RT_SIMD __m512i rt_near_load_halves(const uint8_t *a, const uint8_t *b, uint32_t log2)
{
   if (log2 == 0)
      return _mm512_cvtepu8_epi16(_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)a)), _mm_loadu_si128((const void *)b), 1));
   return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)a)), _mm256_loadu_si256((const void *)b), 1);
}

/* 32 texels of 16 bits a register. */
RT_SIMD void rt_near_take_halves(rt_vu out[4], uint32_t num_taps, __m512i upper, __m512i lower, const __m512i positions[4])
{
   for (uint32_t t = 0; t < num_taps; t++)
      out[t] = (rt_vu)_mm512_maskz_permutex2var_epi16(0x55555555, upper, positions[t], lower);
}

/* Texels of 64 bits: their low and high words, a register each of a block. */
RT_SIMD void rt_near_load_pairs(const uint8_t *block, __m512i *low, __m512i *high)
{
   const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
   const __m512i a = _mm512_loadu_si512(block), b = _mm512_loadu_si512(block + 64);
   *low = _mm512_permutex2var_epi32(a, even, b);
   *high = _mm512_permutex2var_epi32(a, _mm512_or_si512(even, _mm512_set1_epi32(1)), b);
}

RT_SIMD void rt_near_load_two(struct rt_near_words *words, uint32_t num_taps, const uint8_t *const at[4], uint32_t log2, const __m512i positions[4])
{
   if (log2 < 2) {
      rt_near_take_halves(words->low, num_taps, rt_near_load_halves(at[0], at[1], log2), rt_near_load_halves(at[2], at[3], log2), positions);
      return;
   }
   __m512i low[4], high[4];
   for (uint32_t i = 0; i < 4; i++)
      if (log2 == 2)
         low[i] = _mm512_loadu_si512(at[i]);
      else
         rt_near_load_pairs(at[i], &low[i], &high[i]);
   rt_near_take(words->low, num_taps, low, positions);
   if (log2 == 3)
      rt_near_take(words->high, num_taps, high, positions);
}

RT_SIMD void rt_near_load_four(struct rt_near_words *words, uint32_t num_taps, const uint8_t *base, const uint32_t x[4], const uint32_t y[2], uint32_t log2,
                               const __m512i positions[4])
{
   if (log2 < 2) {
      for (uint32_t r = 0; r < 2; r++) {
         const __m512i left = rt_near_load_halves(base + (x[0] + y[r]), base + (x[1] + y[r]), log2);
         const __m512i right = rt_near_load_halves(base + (x[2] + y[r]), base + (x[3] + y[r]), log2);
         rt_vu row[4];
         rt_near_take_halves(row, num_taps, left, right, positions);
         for (uint32_t t = 0; t < num_taps; t++)
            words->low[t] =
               r == 0 ? row[t]
                      : (rt_vu)_mm512_mask_blend_epi32(_mm512_test_epi32_mask(positions[t], _mm512_set1_epi32(64)), (__m512i)words->low[t], (__m512i)row[t]);
      }
      return;
   }
   __m512i low[8], high[8];
   for (uint32_t i = 0; i < 8; i++)
      if (log2 == 2)
         low[i] = _mm512_loadu_si512(base + (x[i & 3] + y[i >> 2]));
      else
         rt_near_load_pairs(base + (x[i & 3] + y[i >> 2]), &low[i], &high[i]);
   rt_near_take_wide(words->low, num_taps, low, positions);
   if (log2 == 3)
      rt_near_take_wide(words->high, num_taps, high, positions);
}

/* `log2`, of a texel's bytes, `unit_log2` and `num_taps` are constants. A unit is a texel, or 2: a compressed block of 4x4. False where lanes
 * of the mask have taps elsewhere: nothing is read. `base` is the level's. */
RT_SIMD bool rt_near_read_found(struct rt_near_words *words, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2,
                                uint32_t unit_log2, const struct rt_near *near, uint32_t mask)
{
   __m512i positions[4];
   if (UTIL_LIKELY(!(near->is_wide & mask))) {
      uint32_t offsets[4];
      rt_near_two_blocks(offsets, near, level, log2, unit_log2);
      const uint8_t *const at[4] = {base + offsets[0], base + offsets[1], base + offsets[2], base + offsets[3]};
      rt_near_positions(positions, near);
      rt_near_load_two(words, num_taps, at, log2, positions);
      return true;
   }
   if (near->is_far & mask)
      return false;
   uint32_t x[4], y[2];
   rt_near_four_blocks(x, y, near, level, log2, unit_log2);
   rt_near_wide_positions(positions, near);
   rt_near_load_four(words, num_taps, base, x, y, log2, positions);
   return true;
}

RT_SIMD bool rt_near_read(struct rt_near_words *words, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2, uint32_t unit_log2,
                          rt_vh left, rt_vh right, uint32_t mask)
{
   struct rt_near near;
   rt_near_find(&near, left, right, mask);
   return rt_near_read_found(words, num_taps, level, base, log2, unit_log2, &near, mask);
}
#endif
