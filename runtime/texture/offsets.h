/* SPDX-License-Identifier: MIT
 * Where texels of 32 bits are, in words, and reading them; see include/abi/image.h for the formulas. */
#pragma once

#include "runtime/texture/words.h"

/* Levels with more than one tile across or down have tiles of 64 texels. X(x) without the tiles has the texel's offset in
 * its block in the low four bits, and the lowest bit of the block's number in the next. */
#if RT_TEX_LEVEL >= 4
/* Within a tile of 1 << (n + 2) texels across, for 16-bit numbers modulo 64; RT_TEXEL_OFFSETS_X is for x. */
#define RT_TEXEL_OFFSETS_ROW(row, first, second, both) (row), (row) + (first), (row) + (second), (row) + (both)
#define RT_TEXEL_OFFSETS_4(row, block, first, second, both)                                                            \
   RT_TEXEL_OFFSETS_ROW((row) * (block), first, second, both), RT_TEXEL_OFFSETS_ROW((row + 1) * (block), first, second, both),       \
      RT_TEXEL_OFFSETS_ROW((row + 2) * (block), first, second, both), RT_TEXEL_OFFSETS_ROW((row + 3) * (block), first, second, both)
#define RT_TEXEL_OFFSETS(block, first, second, both)                                                                   \
   {                                                                                                                   \
      RT_TEXEL_OFFSETS_4(0, block, first, second, both), RT_TEXEL_OFFSETS_4(4, block, first, second, both),            \
         RT_TEXEL_OFFSETS_4(8, block, first, second, both), RT_TEXEL_OFFSETS_4(12, block, first, second, both),        \
   }
enum { RT_TEXEL_OFFSETS_X = 5 };
static const uint16_t rt_texel_offsets[6][64] __attribute__((aligned(64))) = {
   RT_TEXEL_OFFSETS(16, 2, 8, 10),  RT_TEXEL_OFFSETS(32, 2, 8, 10),  RT_TEXEL_OFFSETS(64, 2, 8, 10),
   RT_TEXEL_OFFSETS(128, 2, 8, 10), RT_TEXEL_OFFSETS(256, 2, 8, 10), RT_TEXEL_OFFSETS(16, 1, 4, 5),
};

RT_SIMD rt_vu rt_words_spread(uint32_t table, rt_vi coord)
{
   return (rt_vu)_mm512_permutex2var_epi16(_mm512_load_si512(rt_texel_offsets[table]), (__m512i)coord,
                                           _mm512_load_si512(rt_texel_offsets[table] + 32));
}
#endif

RT_SIMD rt_vu rt_words_x(const struct abi_image *image, const struct abi_level *level, rt_vi coord)
{
   const rt_vu c = (rt_vu)coord;
   if (!image->is_tiled)
      return c;
#if RT_TEX_LEVEL >= 4
   return rt_words_spread(RT_TEXEL_OFFSETS_X, coord) + ((c & ~63u) << level->tile_log2_y);
#else
   return ((c & 3) + (c & 2)) | (c & 0x3c) << 2 | (c & ~63u) << level->tile_log2_y;
#endif
}

RT_SIMD rt_vu rt_words_y(const struct abi_image *image, const struct abi_level *level, rt_vi coord)
{
   const rt_vu c = (rt_vu)coord;
   if (!image->is_tiled)
      return c * (level->row_pitch_bytes / 4);
   const rt_vu tile = (c >> 6) * (level->tile_row_bytes / 4);
#if RT_TEX_LEVEL >= 4
   return rt_words_spread(level->tile_log2_x - 2u, coord) + tile;
#else
   return (((c & 3) + (c & 2)) << 1) + (c & 0x3c) * (level->block_row_bytes / 16) + tile;
#endif
}

/* One or four texels by two axes of the slice at `base`; `slice` is added to each lane's offset, in words: lanes in slices of their own load one by
 * one, since there are two slices of taps to wait for. */
RT_SIMD void rt_words_load(rt_vu words[4], const struct abi_image *image, const struct abi_level *level,
                           const uint8_t *base, const struct rt_words_axis axes[2], bool is_linear, const rt_vu *slice)
{
   rt_vu x[2], y[2];
   for (uint32_t i = 0; i < (is_linear ? 2 : 1); i++) {
      x[i] = rt_words_x(image, level, axes[0].at[i]);
      y[i] = rt_words_y(image, level, axes[1].at[i]);
      if (slice)
         y[i] += *slice;
   }
   for (uint32_t t = 0; t < (is_linear ? 4 : 1); t++)
      words[t] = slice ? rt_vu_load_words(base, x[t & 1] + y[t >> 1]) : rt_vu_gather_words(base, x[t & 1] + y[t >> 1]);
}

/* ---- four taps of lanes that are near each other ---- */

#if RT_TEX_LEVEL >= 4
/* Of the corners of the 4x4 fragments, columns and rows: mostly their extremes. */
RT_SIMD __m128i rt_words_least(rt_vh pairs)
{
   const __m512i corners = _mm512_castsi128_si512(_mm_setr_epi32(0, 5, 10, 15));
   __m128i least = _mm512_castsi512_si128(_mm512_permutexvar_epi32(corners, (__m512i)pairs));
   least = _mm_min_epu16(least, _mm_shuffle_epi32(least, 0x4e));
   return _mm_min_epu16(least, _mm_shuffle_epi32(least, 0xb1));
}

/* Bytes to block `number` along one axis. */
RT_SIMD uint32_t rt_words_to_block(uint32_t number, uint32_t block, uint32_t tile)
{
   return (number & 15) * block + (number >> 4) * tile;
}

/* Bytes from block `number` to itself and the two that follow; 0 to those that the level doesn't have. */
RT_SIMD void rt_words_steps(uint64_t steps[3], uint32_t number, uint32_t size, uint32_t block, uint32_t tile)
{
   const uint32_t last = (size - 1) >> 2, in_tile = number & 15, jump = tile - 16 * block;
   steps[0] = 0;
   steps[1] = number + 1 > last ? 0 : block + (in_tile + 1 > 15 ? jump : 0);
   steps[2] = number + 2 > last ? 0 : 2 * block + (in_tile + 2 > 15 ? jump : 0);
}

/* Lanes' taps from two by two blocks. Offsets of columns are 1, 4 and 16, of rows 2, 8 and 32, by their lowest three
 * bits; `flip` has what those bits are changed by to index the table. */
RT_SIMD void rt_words_take(rt_vu words[4], const __m512i blocks[2][2], rt_vh left, rt_vh right, __m512i flip)
{
   const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 16, 17, 20, 21, 0, 2, 8, 10, 32, 34, 40, 42));
   const __m512i bits = _mm512_set1_epi32(0x00070007); /* & bits ^ flip */
   const __m512i l = _mm512_shuffle_epi8(table, _mm512_ternarylogic_epi32((__m512i)left, bits, flip, 0x6a));
   const __m512i r = _mm512_shuffle_epi8(table, _mm512_ternarylogic_epi32((__m512i)right, bits, flip, 0x6a));
   const __m512i y[2] = {_mm512_srli_epi32(l, 16), _mm512_srli_epi32(r, 16)};
   for (uint32_t t = 0; t < 4; t++) { /* lanes that are not taken keep their offset; bits of rows above are ignored */
      const __mmask16 is_odd = _mm512_test_epi32_mask(y[t >> 1], _mm512_set1_epi32(32));
      const __m512i offset = _mm512_add_epi32(t & 1 ? r : l, y[t >> 1]);
      const __m512i odd = _mm512_mask2_permutex2var_epi32(blocks[1][0], offset, is_odd, blocks[1][1]);
      words[t] = (rt_vu)_mm512_mask2_permutex2var_epi32(blocks[0][0], odd, _knot_mask16(is_odd), blocks[0][1]);
   }
}

/* Whether the taps lie in eight by eight texels, wherever those begin: then reads them, from three by three blocks. The
 * columns of the third block that are wanted are others than those of the first one, so both fit into one register. */
RT_SIMD bool rt_words_load_wide(rt_vu words[4], const struct abi_level *level, const uint8_t *base, rt_vh left,
                                rt_vh right, uint32_t mask)
{
   const __m128i least = rt_words_least(left);
   const __m512i origin = _mm512_broadcastd_epi32(least);
   const __m512i a = _mm512_sub_epi16((__m512i)left, origin), b = _mm512_sub_epi16((__m512i)right, origin);
   if (_mm512_mask_test_epi32_mask((__mmask16)mask, _mm512_or_si512(a, b), _mm512_set1_epi32((int)0xfff8fff8u)))
      return false;
   const uint32_t first = (uint32_t)_mm_cvtsi128_si32(least);
   const uint32_t column = (first & 0xffff) >> 2, row = first >> 18, row_bytes = level->block_row_bytes;
   const uint8_t *from = base + (rt_words_to_block(column, 64, level->tile_bytes) +
                                 rt_words_to_block(row, row_bytes, level->tile_row_bytes));
   uint64_t x[3], y[3];
   rt_words_steps(x, column, level->width, 64, level->tile_bytes);
   rt_words_steps(y, row, level->height, row_bytes, level->tile_row_bytes);
   /* Texels of a block whose column is below 0, 1, 2, 3; those whose row is. */
   const __mmask16 columns = (__mmask16)(0x5f5f0f0f05050000u >> 16 * (first & 3));
   const __mmask16 rows = (__mmask16)(0x33ff00ff00330000u >> 16 * (first >> 16 & 3));
   __m512i blocks[2][2];
   for (uint32_t r = 0; r < 2; r++)
      for (uint32_t c = 0; c < 2; c++) {
         __m512i block = _mm512_loadu_si512(from + x[c] + y[r]);
         if (c == 0)
            block = _mm512_mask_loadu_epi32(block, columns, from + x[2] + y[r]);
         if (r == 0)
            block = _mm512_mask_loadu_epi32(block, rows, from + x[c] + y[2]);
         if (c == 0 && r == 0)
            block = _mm512_mask_loadu_epi32(block, columns & rows, from + x[2] + y[2]);
         blocks[r][c] = block;
      }
   /* Odd blocks come first where the first one is odd. */
   const __m512i odd = _mm512_and_si512(origin, _mm512_set1_epi32(0x00040004));
   rt_words_take(words, blocks, left, right, _mm512_or_si512(odd, _mm512_set1_epi32((int)0x80088000)));
   return true;
}

/* The next vector mostly is the four fragments to the right: asks for its texels, as far apart as these are. Pays where
 * four taps each wait for memory. */
RT_SIMD void rt_words_prefetch(const struct abi_image *image, const struct abi_level *level, const uint8_t *base,
                               const struct rt_words_axis axes[2])
{
   const int32_t sizes[2] = {(int32_t)level->width, (int32_t)level->height};
   rt_vi at[2];
   for (uint32_t a = 0; a < 2; a++) { /* fragments 0 and 4 are two apart */
      const __m512i v = (__m512i)axes[a].at[0];
      const __m512i step = _mm512_sub_epi32(_mm512_shuffle_i32x4(v, v, 0x55), _mm512_shuffle_i32x4(v, v, 0));
      at[a] = rt_vi_clamp(axes[a].at[0] + 2 * (rt_vi)_mm512_permutexvar_epi32(_mm512_setzero_si512(), step), 0,
                          sizes[a] - 1);
   }
   const __m512i offsets = (__m512i)(rt_words_x(image, level, at[0]) + rt_words_y(image, level, at[1]));
   for (uint32_t i = 0; i < 4; i++) {
      const __m128i four = i == 0   ? _mm512_castsi512_si128(offsets)
                           : i == 1 ? _mm512_extracti32x4_epi32(offsets, 1)
                           : i == 2 ? _mm512_extracti32x4_epi32(offsets, 2)
                                    : _mm512_extracti32x4_epi32(offsets, 3);
      const uint64_t low = (uint64_t)_mm_cvtsi128_si64(four), high = (uint64_t)_mm_extract_epi64(four, 1);
      _mm_prefetch((const char *)base + 4 * (low & UINT32_MAX), _MM_HINT_T0);
      _mm_prefetch((const char *)base + 4 * (low >> 32), _MM_HINT_T0);
      _mm_prefetch((const char *)base + 4 * (high & UINT32_MAX), _MM_HINT_T0);
      _mm_prefetch((const char *)base + 4 * (high >> 32), _MM_HINT_T0);
   }
}
#else /* blocks are larger than registers */
RT_SIMD bool rt_words_load_wide(rt_vu words[4], const struct abi_level *level, const uint8_t *base, rt_vh left,
                                rt_vh right, uint32_t mask)
{
   return false;
}

RT_SIMD void rt_words_prefetch(const struct abi_image *image, const struct abi_level *level, const uint8_t *base,
                               const struct rt_words_axis axes[2])
{
}
#endif
