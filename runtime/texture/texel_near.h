/* SPDX-License-Identifier: MIT
 * Taps of lanes that are near each other in a tiled image: two by two blocks of texels are read whole, and lanes take
 * theirs out of registers. For texels of up to 64 bits; see places.h. */
#pragma once

#include "runtime/texture/texel.h"

#if RT_TEX_LEVEL >= 4
/* One or four taps of blocks of words, from positions in two by two blocks. */
RT_SIMD void rt_near_take_words(rt_vu *out, uint32_t num_taps, const __m512i blocks[2][2], const __m512i positions[4])
{
   for (uint32_t t = 0; t < num_taps; t++) {
      const __mmask16 is_odd = _mm512_test_epi32_mask(positions[t], _mm512_set1_epi32(32));
      const __m512i odd = _mm512_mask2_permutex2var_epi32(blocks[1][0], positions[t], is_odd, blocks[1][1]);
      out[t] = (rt_vu)_mm512_mask2_permutex2var_epi32(blocks[0][0], odd, _knot_mask16(is_odd), blocks[0][1]);
   }
}

/* The same of half-words, 32 a register. */
RT_SIMD void rt_near_take_halves(rt_vu *out, uint32_t num_taps, __m512i upper, __m512i lower, const __m512i positions[4])
{
   for (uint32_t t = 0; t < num_taps; t++)
      out[t] = (rt_vu)_mm512_permutex2var_epi16(upper, positions[t], lower) & 0xffff;
}

RT_SIMD void rt_near_find_positions(__m512i positions[4], rt_vh left, rt_vh right)
{
   const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 16, 17, 20, 21, 0, 2, 8, 10, 32, 34, 40, 42));
   const __m512i bits = _mm512_set1_epi32(0x00070007), flip = _mm512_set1_epi32((int)0x80088000);
   const __m512i l = _mm512_shuffle_epi8(table, _mm512_ternarylogic_epi32((__m512i)left, bits, flip, 0x6a));
   const __m512i r = _mm512_shuffle_epi8(table, _mm512_ternarylogic_epi32((__m512i)right, bits, flip, 0x6a));
   const __m512i upper = _mm512_srli_epi32(l, 16), lower = _mm512_srli_epi32(r, 16);
   positions[0] = _mm512_add_epi32(l, upper);
   positions[1] = _mm512_add_epi32(r, upper);
   positions[2] = _mm512_add_epi32(l, lower);
   positions[3] = _mm512_add_epi32(r, lower);
}

/* Lanes in rows, as those of compute shaders: words of up to four blocks across and two down, from `first` on, a column and in the high half a
 * row of blocks. */
RT_SIMD bool rt_near_load_rows(struct rt_taps *taps, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, __m128i first,
                               rt_vh left, rt_vh right, uint32_t width, uint32_t height, uint32_t mask)
{
   const __m512i origin = _mm512_slli_epi16(_mm512_broadcastd_epi32(first), 2);
   const __m512i a = _mm512_sub_epi16((__m512i)left, origin), b = _mm512_sub_epi16((__m512i)right, origin);
   if (_mm512_mask_test_epi32_mask((__mmask16)mask, _mm512_or_si512(a, b), _mm512_set1_epi32((int)0xfff8fff0u)))
      return false;
   const uint32_t column = (uint32_t)_mm_cvtsi128_si32(first) & 0xffff, row = (uint32_t)_mm_cvtsi128_si32(first) >> 16;
   const uint32_t last_column = (width - 1) >> 2, last_row = (height - 1) >> 2;
   __m512i blocks[2][4];
   for (uint32_t r = 0; r < 2; r++) {
      const uint32_t y = rt_words_to_block(UTIL_MIN(row + r, last_row), level->block_row_bytes, level->tile_row_bytes);
      for (uint32_t c = 0; c < 4; c++)
         blocks[r][c] = _mm512_loadu_si512(base + (rt_words_to_block(UTIL_MIN(column + c, last_column), 64, level->tile_bytes) + y));
   }
   /* The texel within its block, four bits; then its column of blocks, two bits, and its row. */
   const __m512i columns = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 16, 17, 20, 21, 32, 33, 36, 37, 48, 49, 52, 53));
   const __m512i rows = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 8, 10, 64, 66, 72, 74, 0, 0, 0, 0, 0, 0, 0, 0));
   const __m512i low = _mm512_set1_epi32(0xff);
   const __m512i x[2] = {_mm512_and_si512(_mm512_shuffle_epi8(columns, a), low), _mm512_and_si512(_mm512_shuffle_epi8(columns, b), low)};
   const __m512i y[2] = {_mm512_shuffle_epi8(rows, _mm512_srli_epi32(a, 16)), _mm512_shuffle_epi8(rows, _mm512_srli_epi32(b, 16))};
   for (uint32_t t = 0; t < num_taps; t++) {
      const __m512i position = _mm512_add_epi32(x[t & 1], y[t >> 1]);
      const __mmask16 is_right = _mm512_test_epi32_mask(position, _mm512_set1_epi32(32));
      __m512i of_row[2];
      for (uint32_t r = 0; r < 2; r++)
         of_row[r] = _mm512_mask_blend_epi32(is_right, _mm512_permutex2var_epi32(blocks[r][0], position, blocks[r][1]),
                                             _mm512_permutex2var_epi32(blocks[r][2], position, blocks[r][3]));
      taps->word[0][t] = (rt_vu)_mm512_mask_blend_epi32(_mm512_test_epi32_mask(position, _mm512_set1_epi32(64)), of_row[0], of_row[1]);
   }
   return true;
}

/* `left` and `right` are columns in the low half of each lane and rows in the high half. False where lanes of the mask
 * have taps outside of two by two blocks, or of four by two of words. `base` is the level's. */
RT_SIMD bool rt_near_load(struct rt_taps *taps, uint32_t num_taps, const struct abi_level *level, const uint8_t *base,
                          uint32_t log2, rt_vh left, rt_vh right, uint32_t width, uint32_t height, uint32_t mask)
{
   struct rt_words_near near;
   rt_words_find_near(&near, left, right);
   if (log2 > 3)
      return false;
   if (near.outside & mask)
      return log2 == 2 && rt_near_load_rows(taps, num_taps, level, base, near.first, left, right, width, height, mask);
   const uint32_t first = (uint32_t)_mm_cvtsi128_si32(near.first), block_bytes = 16u << log2;
   uint32_t x[2], y[2];
   rt_words_two_blocks(x, first & 0xffff, width, block_bytes, level->tile_bytes);
   rt_words_two_blocks(y, first >> 16, height, level->block_row_bytes, level->tile_row_bytes);
   __m512i positions[4], rows[2], low[2][2], high[2][2];
   rt_near_find_positions(positions, left, right);
   switch (log2) {
   case 0:
      for (uint32_t r = 0; r < 2; r++)
         rows[r] = _mm512_cvtepu8_epi16(_mm256_set_m128i(_mm_loadu_si128((const void *)(base + (x[1] + y[r]))),
                                                         _mm_loadu_si128((const void *)(base + (x[0] + y[r])))));
      rt_near_take_halves(taps->word[0], num_taps, rows[0], rows[1], positions);
      return true;
   case 1:
      for (uint32_t r = 0; r < 2; r++)
         rows[r] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)(base + (x[0] + y[r])))),
                                      _mm256_loadu_si256((const void *)(base + (x[1] + y[r]))), 1);
      rt_near_take_halves(taps->word[0], num_taps, rows[0], rows[1], positions);
      return true;
   case 2:
      for (uint32_t r = 0; r < 2; r++)
         for (uint32_t c = 0; c < 2; c++)
            low[r][c] = _mm512_loadu_si512(base + (x[c] + y[r]));
      rt_near_take_words(taps->word[0], num_taps, low, positions);
      return true;
   default:
      for (uint32_t r = 0; r < 2; r++)
         for (uint32_t c = 0; c < 2; c++) {
            const uint8_t *block = base + (x[c] + y[r]);
            struct rt_taps words;
            rt_texel_split_pairs(_mm512_loadu_si512(block), _mm512_loadu_si512(block + 64), &words, 0);
            low[r][c] = (__m512i)words.word[0][0];
            high[r][c] = (__m512i)words.word[1][0];
         }
      rt_near_take_words(taps->word[0], num_taps, low, positions);
      rt_near_take_words(taps->word[1], num_taps, high, positions);
      return true;
   }
}
#else /* blocks are larger than registers */
RT_SIMD bool rt_near_load(struct rt_taps *taps, uint32_t num_taps, const struct abi_level *level, const uint8_t *base,
                          uint32_t log2, rt_vh left, rt_vh right, uint32_t width, uint32_t height, uint32_t mask)
{
   return false;
}
#endif
