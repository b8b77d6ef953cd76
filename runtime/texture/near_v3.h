/* SPDX-License-Identifier: MIT
 * Inside of near.h: registers of eight lanes. A half block is 4x2 texels, of 32 bits one register. Two across and two down hold the taps of
 * fragments; of a row of lanes, whose upper and whose lower taps are a row each, four across. For texels of up to 32 bits. */
#pragma once

#include "runtime/texture/texel.h"

#if RT_TEX_LEVEL == 3
struct rt_near {
   __m128i first;            /* the first half block's texel: column, row, in the lowest 32 bits */
   __m256i left, right;      /* counted from there */
   uint32_t is_wide, is_far; /* lanes with taps beyond two by two half blocks; beyond sixteen texels across or in other rows than the first lane's */
};

/* Sixteen bytes for both halves of a register: a constant in memory. */
#define RT_NEAR_BYTES(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

RT_SIMD uint32_t rt_near_nonzero(__m256i v)
{
   return RT_SIMD_ALL & ~(uint32_t)_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32(v, _mm256_setzero_si256()));
}

RT_SIMD __m256i rt_near_first_lane(rt_vh v)
{
   return _mm256_broadcastd_epi32(_mm256_castsi256_si128((__m256i)v));
}

RT_SIMD void rt_near_count_from(struct rt_near *near, __m128i texel, rt_vh left, rt_vh right)
{
   near->first = _mm_and_si128(texel, _mm_set1_epi32((int)0xfffefffcu));
   const __m256i origin = _mm256_broadcastd_epi32(near->first);
   near->left = _mm256_sub_epi16((__m256i)left, origin);
   near->right = _mm256_sub_epi16((__m256i)right, origin);
   near->is_wide = rt_near_nonzero(_mm256_and_si256(_mm256_or_si256(near->left, near->right), _mm256_set1_epi32((int)0xfffcfff8u)));
   near->is_far = 0;
}

RT_SIMD void rt_near_find_far(struct rt_near *near, rt_vh left, rt_vh right)
{
   const __m256i moved =
      _mm256_or_si256(_mm256_xor_si256((__m256i)left, rt_near_first_lane(left)), _mm256_xor_si256((__m256i)right, rt_near_first_lane(right)));
   const __m256i columns = _mm256_and_si256(_mm256_or_si256(near->left, near->right), _mm256_set1_epi32(0xfff0));
   near->is_far = rt_near_nonzero(_mm256_or_si256(columns, _mm256_srli_epi32(moved, 16)));
}

/* The first and the last lane mostly have the extremes. */
RT_SIMD void rt_near_find(struct rt_near *near, rt_vh left, rt_vh right, uint32_t mask)
{
   const __m128i last = _mm_shuffle_epi32(_mm256_extracti128_si256((__m256i)left, 1), 0xff);
   rt_near_count_from(near, _mm_min_epu16(_mm256_castsi256_si128((__m256i)left), last), left, right);
   if (near->is_wide & mask)
      rt_near_find_far(near, left, right);
}

/* Bytes from the level's beginning to blocks by their numbers along an axis. */
RT_SIMD __m128i rt_near_to_blocks(__m128i number, __m128i block, __m128i tile)
{
   const __m128i in_tile = _mm_and_si128(number, _mm_set1_epi32(15));
   return _mm_add_epi32(_mm_mullo_epi32(in_tile, block), _mm_mullo_epi32(_mm_srli_epi32(number, 4), tile));
}

/* Of half blocks that the level does not have its last ones. From abi_level's fields in registers of four numbers: two columns, two rows. */
RT_SIMD void rt_near_two_by_two(const uint8_t *at[4], const struct rt_near *near, const struct abi_level *level, const uint8_t *base, uint32_t log2)
{
   const __m128i unit = _mm_setr_epi32(2, 2, 1, 1), is_row = _mm_setr_epi32(0, 0, 1, 1);
   const __m128i size = _mm_shuffle_epi32(_mm_loadl_epi64((const void *)&level->width), 0x50);
   const __m128i tile = _mm_loadu_si128((const void *)&level->tile_bytes); /* of tiles, rows of tiles, rows of blocks */
   const __m128i block = _mm_blend_epi32(_mm_set1_epi32(16 << log2), _mm_shuffle_epi32(tile, 0xaa), 0xc);
   const __m128i last = _mm_srlv_epi32(_mm_add_epi32(size, _mm_set1_epi32(-1)), unit);
   const __m128i first = _mm_srlv_epi32(_mm_shuffle_epi32(_mm_cvtepu16_epi32(near->first), 0x50), unit);
   const __m128i number = _mm_min_epi32(_mm_add_epi32(first, _mm_setr_epi32(0, 1, 0, 1)), last);
   const __m128i blocks = rt_near_to_blocks(_mm_srlv_epi32(number, is_row), block, _mm_shuffle_epi32(tile, 0x50));
   const __m128i bytes = _mm_add_epi32(blocks, _mm_slli_epi32(_mm_and_si128(number, is_row), (int)(3 + log2)));
   const __m128i sums = _mm_add_epi32(_mm_shuffle_epi32(bytes, 0x44), _mm_shuffle_epi32(bytes, 0xfa));
   const uint64_t upper = (uint64_t)_mm_cvtsi128_si64(sums), lower = (uint64_t)_mm_extract_epi64(sums, 1);
   at[0] = base + (uint32_t)upper;
   at[1] = base + (upper >> 32);
   at[2] = base + (uint32_t)lower;
   at[3] = base + (lower >> 32);
}

/* A row of four half blocks, where the lanes' upper or lower taps are. */
RT_SIMD void rt_near_row(const uint8_t *at[4], uint32_t row, const struct rt_near *near, const struct abi_level *level, const uint8_t *base, uint32_t log2)
{
   const uint32_t first = (uint32_t)_mm_cvtsi128_si32(near->first), block = row >> 2;
   const uint8_t *from = base + (block & 15) * level->block_row_bytes + (block >> 4) * level->tile_row_bytes + ((row >> 1 & 1) << (3 + log2));
   const __m128i last = _mm_set1_epi32((int)((level->width - 1) >> 2));
   const __m128i number = _mm_min_epi32(_mm_add_epi32(_mm_set1_epi32((int)((first & 0xffff) >> 2)), _mm_setr_epi32(0, 1, 2, 3)), last);
   const __m128i bytes = rt_near_to_blocks(number, _mm_set1_epi32(16 << log2), _mm_set1_epi32((int)level->tile_bytes));
   const uint64_t low = (uint64_t)_mm_cvtsi128_si64(bytes), high = (uint64_t)_mm_extract_epi64(bytes, 1);
   at[0] = from + (uint32_t)low;
   at[1] = from + (low >> 32);
   at[2] = from + (uint32_t)high;
   at[3] = from + (high >> 32);
}

/* ---- positions ---- */

/* A byte a tap, upper left, upper right, lower left, lower right: the texel within its half block, three bits; bit 3: the right one of two half
 * blocks; 4: the lower one; 5: of four in a row the last two. */
RT_SIMD __m256i rt_near_positions(const struct rt_near *near)
{
   const __m256i columns = RT_NEAR_BYTES(0, 1, 4, 5, 8, 9, 12, 13, 32, 33, 36, 37, 40, 41, 44, 45);
   const __m256i rows = RT_NEAR_BYTES(0, 2, 16, 18, 0, 2, 16, 18, 0, 2, 16, 18, 0, 2, 16, 18);
   const __m256i x_bytes = RT_NEAR_BYTES(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13);
   const __m256i y_bytes = RT_NEAR_BYTES(2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15);
   const __m256i both = _mm256_or_si256(near->left, _mm256_slli_epi32(near->right, 8)); /* columns, then rows; of lanes that are far anything */
   const __m256i x = _mm256_shuffle_epi8(columns, _mm256_shuffle_epi8(both, x_bytes));
   const __m256i y = _mm256_shuffle_epi8(rows, _mm256_shuffle_epi8(both, y_bytes));
   return _mm256_add_epi8(x, y);
}

/* b where the highest bit of a byte, of a word is set. Of the intrinsics compilers make comparisons with zero, which they then do apart. */
RT_SIMD __m256i rt_near_blend_bytes(__m256i a, __m256i b, __m256i is_b)
{
   __m256i result;
   __asm__("vpblendvb %3, %2, %1, %0" : "=x"(result) : "x"(a), "x"(b), "x"(is_b));
   return result;
}

RT_SIMD __m256i rt_near_blend_words(__m256i a, __m256i b, __m256i is_b)
{
   __m256i result;
   __asm__("vblendvps %3, %2, %1, %0" : "=x"(result) : "x"(a), "x"(b), "x"(is_b));
   return result;
}

/* b where the bit of each byte's position is set. */
RT_SIMD __m256i rt_near_choose(__m256i a, __m256i b, __m256i positions, int bit)
{
   return rt_near_blend_bytes(a, b, _mm256_slli_epi16(positions, 7 - bit));
}

/* ---- words ---- */

RT_SIMD __m256i rt_near_load_half(const uint8_t *at)
{
   return _mm256_loadu_si256((const void *)at);
}

/* What the bits of a tap's position choose: columns of half blocks by bit 3, rows by bit 4. */
RT_SIMD __m256i rt_near_tap_mask(__m256i positions, uint32_t tap, int bit)
{
   return _mm256_slli_epi32(positions, 31 - 8 * (int)tap - bit);
}

RT_SIMD void rt_near_words_two(rt_vu out[4], uint32_t num_taps, const uint8_t *const at[4], __m256i positions)
{
   const __m256i is_right[2] = {rt_near_tap_mask(positions, 0, 3), rt_near_tap_mask(positions, 1, 3)};
   const __m256i is_lower[2] = {rt_near_tap_mask(positions, 0, 4), rt_near_tap_mask(positions, 2, 4)};
   __m256i half[4];
   for (uint32_t i = 0; i < 4; i++)
      half[i] = rt_near_load_half(at[i]);
#pragma GCC unroll 4
   for (uint32_t t = 0; t < num_taps; t++) {
      const __m256i index = _mm256_srli_epi32(positions, 8 * (int)t); /* its lowest three bits count */
      __m256i rows[2];
      for (uint32_t r = 0; r < 2; r++)
         rows[r] = rt_near_blend_words(_mm256_permutevar8x32_epi32(half[2 * r], index), _mm256_permutevar8x32_epi32(half[2 * r + 1], index), is_right[t & 1]);
      out[t] = (rt_vu)rt_near_blend_words(rows[0], rows[1], is_lower[t >> 1]);
   }
}

/* The taps of a row: of half blocks side by side the texels of that row, two a register. */
RT_SIMD void rt_near_words_row(rt_vu out[2], uint32_t num_taps, const uint8_t *const at[4], bool is_odd, const __m256i index[2])
{
   __m256i half[4], texels[2];
   for (uint32_t i = 0; i < 4; i++)
      half[i] = rt_near_load_half(at[i]);
   for (uint32_t k = 0; k < 2; k++)
      texels[k] = is_odd ? _mm256_unpackhi_epi64(half[2 * k], half[2 * k + 1]) : _mm256_unpacklo_epi64(half[2 * k], half[2 * k + 1]);
#pragma GCC unroll 2
   for (uint32_t t = 0; t < num_taps; t++)
      out[t] = (rt_vu)rt_near_blend_words(_mm256_permutevar8x32_epi32(texels[0], index[t]), _mm256_permutevar8x32_epi32(texels[1], index[t]),
                                          _mm256_slli_epi32(index[t], 28));
}

/* Columns as rt_near_words_row() has them: bits 0, 2, 1, then the last two half blocks. */
RT_SIMD __m256i rt_near_column(__m256i texel)
{
   const __m256i columns = RT_NEAR_BYTES(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
   return _mm256_shuffle_epi8(columns, _mm256_or_si256(texel, _mm256_set1_epi32((int)0xffffff00u)));
}

/* ---- halves and bytes: tables of sixteen bytes ---- */

RT_SIMD __m256i rt_near_table(const uint8_t *at)
{
   return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)at));
}

/* Two half blocks of bytes. */
RT_SIMD __m256i rt_near_table_of_two(const uint8_t *a, const uint8_t *b)
{
   return _mm256_broadcastsi128_si256(_mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64((const void *)a)), (const void *)b)));
}

/* Two taps of halves, the first or the last two: bytes within a half block; positions' bits are one higher. */
RT_SIMD __m256i rt_near_half_positions(__m256i positions, uint32_t pair)
{
   const __m256i upper = RT_NEAR_BYTES(0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13);
   const __m256i lower = RT_NEAR_BYTES(2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15);
   const __m256i doubled = _mm256_add_epi8(positions, positions);
   return _mm256_or_si256(_mm256_shuffle_epi8(doubled, pair ? lower : upper), _mm256_set1_epi16(0x0100));
}

RT_SIMD __m256i rt_near_halves_of_two(const uint8_t *left, const uint8_t *right, __m256i bytes)
{
   return rt_near_choose(_mm256_shuffle_epi8(rt_near_table(left), bytes), _mm256_shuffle_epi8(rt_near_table(right), bytes), bytes, 4);
}

/* ---- taps ---- */

/* Of words one after the other. Of halves two a register, the upper and the lower ones; of bytes four in one. */
RT_SIMD void rt_near_read_two(rt_vu out[4], uint32_t num_taps, const uint8_t *const at[4], uint32_t log2, __m256i positions)
{
   if (log2 == 2) {
      rt_near_words_two(out, num_taps, at, positions);
   } else if (log2 == 1) {
      for (uint32_t pair = 0; pair < 2; pair++) {
         const __m256i bytes = rt_near_half_positions(positions, pair);
         const __m256i upper = rt_near_halves_of_two(at[0], at[1], bytes), lower = rt_near_halves_of_two(at[2], at[3], bytes);
         out[pair] = (rt_vu)rt_near_choose(upper, lower, bytes, 5);
      }
   } else {
      const __m256i upper = _mm256_shuffle_epi8(rt_near_table_of_two(at[0], at[1]), positions);
      const __m256i lower = _mm256_shuffle_epi8(rt_near_table_of_two(at[2], at[3]), positions);
      out[0] = (rt_vu)rt_near_choose(upper, lower, positions, 4);
   }
}

RT_SIMD void rt_near_read_row(rt_vu out[4], uint32_t num_taps, const struct rt_near *near, const struct abi_level *level, const uint8_t *base, uint32_t log2)
{
   const uint32_t top = (uint32_t)_mm_cvtsi128_si32(near->first) >> 16;
   const __m256i sides[2] = {near->left, near->right}, index[2] = {rt_near_column(near->left), rt_near_column(near->right)};
   const __m256i in_row = _mm256_set1_epi32(0x0003000f); /* of rows that wrap around what is below 0 */
   const struct rt_near inside = {.left = _mm256_and_si256(near->left, in_row), .right = _mm256_and_si256(near->right, in_row)};
   const __m256i positions = rt_near_positions(&inside);
   __m256i bytes[2];
   for (uint32_t r = 0; r < 2; r++) {
      const uint32_t below = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(sides[r])) >> 16; /* or above, modulo 2^16 */
      const uint32_t row = UTIL_MIN((top + below) & 0xffff, level->height - 1);
      const uint8_t *at[4];
      rt_near_row(at, row, near, level, base, log2);
      if (log2 == 2) {
         if (row & 1)
            rt_near_words_row(out + 2 * r, num_taps > 1 ? 2 : 1, at, true, index);
         else
            rt_near_words_row(out + 2 * r, num_taps > 1 ? 2 : 1, at, false, index);
      } else if (log2 == 1) {
         const __m256i pair = rt_near_half_positions(positions, r);
         out[r] = (rt_vu)rt_near_choose(rt_near_halves_of_two(at[0], at[1], pair), rt_near_halves_of_two(at[2], at[3], pair), pair, 6);
      } else {
         bytes[r] = rt_near_choose(_mm256_shuffle_epi8(rt_near_table_of_two(at[0], at[1]), positions),
                                   _mm256_shuffle_epi8(rt_near_table_of_two(at[2], at[3]), positions), positions, 5);
      }
   }
   if (log2 == 0)
      out[0] = (rt_vu)_mm256_blend_epi16(bytes[0], bytes[1], 0xaa);
}

RT_SIMD bool rt_near_read_packed(rt_vu out[4], uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2, const struct rt_near *near,
                                 uint32_t mask)
{
   if (UTIL_LIKELY(!(near->is_wide & mask))) {
      const uint8_t *at[4];
      rt_near_two_by_two(at, near, level, base, log2);
      rt_near_read_two(out, num_taps, at, log2, rt_near_positions(near));
      return true;
   }
   if (near->is_far & mask)
      return false;
   rt_near_read_row(out, num_taps, near, level, base, log2);
   return true;
}

RT_SIMD bool rt_near_read_found(struct rt_near_words *words, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2,
                                uint32_t unit_log2, const struct rt_near *near, uint32_t mask)
{
   if (log2 == 3 || !rt_near_read_packed(words->low, num_taps, level, base, log2, near, mask))
      return false;
   const rt_vu packed[2] = {words->low[0], words->low[1]};
   const uint32_t bits = 8u << log2;
#pragma GCC unroll 4
   for (uint32_t t = 0; log2 < 2 && t < num_taps; t++)
      words->low[t] = packed[t * bits / 32] >> (t * bits % 32) & ((1u << bits) - 1);
   return true;
}

/* One tap of 32 bits takes as long as to gather it; where gathers are fast, four. */
RT_SIMD bool rt_near_read(struct rt_near_words *words, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2, uint32_t unit_log2,
                          rt_vh left, rt_vh right, uint32_t mask)
{
   struct rt_near near;
   if (log2 == 3 || num_taps == 1 || (log2 == 2 && rt_has_fast_gathers))
      return false;
   rt_near_find(&near, left, right, mask);
   return rt_near_read_found(words, num_taps, level, base, log2, unit_log2, &near, mask);
}

/* As near.h has it. */
RT_SIMD bool rt_near_read_rows(rt_vu rows[2], const struct abi_level *level, const uint8_t *base, uint32_t log2, rt_vh left, rt_vh right, uint32_t mask)
{
   struct rt_near near;
   rt_vu packed[4];
   rt_near_find(&near, left, right, mask);
   if (!rt_near_read_packed(packed, 4, level, base, log2, &near, mask))
      return false;
   const __m256i upper = RT_NEAR_BYTES(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1);
   const __m256i lower = RT_NEAR_BYTES(2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1);
   rows[0] = log2 == 0 ? (rt_vu)_mm256_shuffle_epi8((__m256i)packed[0], upper) : packed[0];
   rows[1] = log2 == 0 ? (rt_vu)_mm256_shuffle_epi8((__m256i)packed[0], lower) : packed[1];
   return true;
}
#endif
