/* SPDX-License-Identifier: MIT
 * Footprints of texels that are four channels of eight bits: where they are, reading them, mixing them with weights of
 * eight bits (limits.subTexelPrecisionBits). All of it is exact, so that no order of operations changes a result:
 * channels come out as whole numbers, 255 * 65536 at most where filtered, 255 where not.
 * Spec: Image Operations, "(u,v,w,a) to (i,j,k,l,n) Transformation", "Wrapping Operation", "Texel Filtering". */
#pragma once

#include "runtime/texture/simd.h"

enum { RT_WORDS_FRACTION = 256 }; /* weights are parts of this */

/* Along one axis. Linear: the texels on both sides; nearest: at[0] alone. */
struct rt_words_axis {
   rt_vi at[2];
   rt_vi weight; /* of at[1] */
};

/* Linear: u + 1/2 in parts, rounded to the nearest; u is at least 0. Its whole is the right texel, one more than the left,
 * its fraction the right one's weight. */
RT_SIMD rt_vi rt_words_parts(rt_vf u)
{
   return rt_vi_from(rt_vf_madd(u, rt_vf_set(RT_WORDS_FRACTION), rt_vf_set(RT_WORDS_FRACTION / 2 + 0.5f)));
}

/* x - floor(x / 2^n) * 2^n; 0 for numbers that are none, or too large for a fraction. */
RT_SIMD rt_vf rt_words_period(rt_vf x, float period)
{
#if RT_TEX_LEVEL < 3
   x = rt_vf_clamp(x, -0x1p30f, 0x1p30f); /* what rt_vf_floor() can do */
#endif
   const rt_vf whole = period == 1.0f ? rt_vf_floor(x) : period * rt_vf_floor(x * (1.0f / period));
   return rt_vf_max(x - whole, rt_vf_set(0));
}

RT_SIMD void rt_words_repeat(struct rt_words_axis *axis, rt_vf coord, int32_t size, bool is_linear)
{
   const rt_vf u = rt_words_period(coord, 1.0f) * (float)size;
   if (!is_linear) {
      const rt_vi i = rt_vi_from(u);
      axis->at[0] = i & (i != size); /* the product may round up to it */
      return;
   }
   const rt_vi parts = rt_words_parts(u), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = rt_vu_min(right - 1, rt_vi_set(size - 1));
   axis->at[1] = right & (right != size);
}

/* Outside of the centres of the first and the last texel both texels are the same one: there the weight doesn't
 * matter. */
RT_SIMD void rt_words_clamp(struct rt_words_axis *axis, rt_vf coord, int32_t size, bool is_linear, bool is_mirrored)
{
   rt_vf u = coord * (float)size;
   if (is_mirrored)
      u = rt_vf_max(u, -u);
   if (!is_linear) {
      axis->at[0] = rt_vi_from(rt_vf_clamp(u, 0.0f, (float)(size - 1)));
      return;
   }
   const rt_vi parts = rt_words_parts(rt_vf_clamp(u, 0.5f, (float)size - 0.5f)), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = right - 1;
   axis->at[1] = rt_vi_min(right, rt_vi_set(size - 1));
}

/* Texel i of the period [-1, 2 * size] of a mirrored image. */
RT_SIMD rt_vi rt_words_mirrored(rt_vi i, int32_t size)
{
   const rt_vi folded = rt_vi_select(i >= size, 2 * size - 1 - i, i);
   return folded ^ (folded >> 31); /* -1 is 0 */
}

RT_SIMD void rt_words_mirror(struct rt_words_axis *axis, rt_vf coord, int32_t size, bool is_linear)
{
   const rt_vf u = rt_words_period(coord, 2.0f) * (float)size;
   if (!is_linear) {
      axis->at[0] = rt_words_mirrored(rt_vi_from(u), size);
      return;
   }
   const rt_vi parts = rt_words_parts(u), right = parts >> 8;
   axis->weight = parts & (RT_WORDS_FRACTION - 1);
   axis->at[0] = rt_words_mirrored(right - 1, size);
   axis->at[1] = rt_words_mirrored(right, size);
}

/* `mode` may be a constant; not CLAMP_TO_BORDER. */
RT_SIMD void rt_words_axis(struct rt_words_axis *axis, rt_vf coord, uint32_t size, uint32_t mode, bool is_linear)
{
   if (mode == VK_SAMPLER_ADDRESS_MODE_REPEAT)
      rt_words_repeat(axis, coord, (int32_t)size, is_linear);
   else if (mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE)
      rt_words_clamp(axis, coord, (int32_t)size, is_linear, false);
   else if (mode == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT)
      rt_words_mirror(axis, coord, (int32_t)size, is_linear);
   else
      rt_words_clamp(axis, coord, (int32_t)size, is_linear, true);
}

/* ---- places: see abi/image.h for the formulas; here in words, for one sample ---- */

/* Levels with more than one tile across or down have tiles of 64 texels. X(x) without the tiles has the texel's place in
 * its block in the low four bits, and the lowest bit of the block's number in the next. */
#if RT_TEX_LEVEL >= 4
/* Within a tile of 1 << (n + 2) texels across, for 16-bit numbers modulo 64; RT_PLACES_X is for x. */
#define RT_PLACES_ROW(row, first, second, both) (row), (row) + (first), (row) + (second), (row) + (both)
#define RT_PLACES_4(row, block, first, second, both)                                                                   \
   RT_PLACES_ROW((row) * (block), first, second, both), RT_PLACES_ROW((row + 1) * (block), first, second, both),       \
      RT_PLACES_ROW((row + 2) * (block), first, second, both), RT_PLACES_ROW((row + 3) * (block), first, second, both)
#define RT_PLACES(block, first, second, both)                                                                          \
   {                                                                                                                   \
      RT_PLACES_4(0, block, first, second, both), RT_PLACES_4(4, block, first, second, both),                          \
         RT_PLACES_4(8, block, first, second, both), RT_PLACES_4(12, block, first, second, both),                      \
   }
enum { RT_PLACES_Y_NEAR = 1, RT_PLACES_X = 5 };
static const uint16_t rt_places[6][64] __attribute__((aligned(64))) = {
   RT_PLACES(16, 2, 8, 10),  RT_PLACES(32, 2, 8, 10),  RT_PLACES(64, 2, 8, 10),
   RT_PLACES(128, 2, 8, 10), RT_PLACES(256, 2, 8, 10), RT_PLACES(16, 1, 4, 5),
};

RT_SIMD rt_vu rt_words_place(uint32_t table, rt_vi coord)
{
   return (rt_vu)_mm512_permutex2var_epi16(_mm512_load_si512(rt_places[table]), (__m512i)coord,
                                           _mm512_load_si512(rt_places[table] + 32));
}
#endif

RT_SIMD rt_vu rt_words_x(const struct abi_image *image, const struct abi_level *level, rt_vi coord)
{
   const rt_vu c = (rt_vu)coord;
   if (!image->is_tiled)
      return c;
#if RT_TEX_LEVEL >= 4
   return rt_words_place(RT_PLACES_X, coord) + ((c & ~63u) << level->tile_log2_y);
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
   return rt_words_place(level->tile_log2_x - 2u, coord) + tile;
#else
   return (((c & 3) + (c & 2)) << 1) + (c & 0x3c) * (level->block_row_bytes / 16) + tile;
#endif
}

#if RT_TEX_LEVEL >= 4
/* Columns and rows of blocks: one in each half of a lane. */
RT_SIMD rt_vh rt_words_block(rt_vi x, rt_vi y)
{
   return (rt_vh)(x | y << 16) >> 2;
}

/* Of the corners of the 4x4 fragments: mostly their extremes. */
RT_SIMD __m128i rt_words_corners(rt_vh blocks)
{
   return _mm512_castsi512_si128(_mm512_maskz_compress_epi32(0x8421, (__m512i)blocks));
}

RT_SIMD __m128i rt_words_least(__m128i blocks)
{
   blocks = _mm_min_epu16(blocks, _mm_shuffle_epi32(blocks, 0x4e));
   return _mm_min_epu16(blocks, _mm_shuffle_epi32(blocks, 0xb1));
}

/* Bytes to a block along one axis. */
RT_SIMD uint64_t rt_words_block_bytes(uint32_t number, uint32_t block, uint32_t tile)
{
   return (number & 15) * (uint64_t)block + (number >> 4) * (uint64_t)tile;
}

/* Of the blocks `first` and the next along one axis, the even one first; twice `first` where it is the last. */
RT_SIMD void rt_words_two_blocks(uint64_t bytes[2], uint32_t first, uint32_t size, uint32_t block, uint32_t tile)
{
   const uint64_t a = rt_words_block_bytes(first, block, tile);
   const uint64_t b = rt_words_block_bytes(first + (first < (size - 1) >> 2), block, tile);
   bytes[0] = first & 1 ? b : a;
   bytes[1] = first & 1 ? a : b;
}

/* Lanes' taps from two by two blocks; `words` come as places in pairs of blocks. */
RT_SIMD void rt_words_take(rt_vu words[4], const struct abi_level *level, const uint8_t *base,
                                const struct rt_words_axis axes[2], uint32_t row, uint32_t column)
{
   uint64_t x_bytes[2], y_bytes[2];
   rt_words_two_blocks(x_bytes, column, level->width, 64, level->tile_bytes);
   rt_words_two_blocks(y_bytes, row, level->height, level->block_row_bytes, level->tile_row_bytes);
   __m512i blocks[2][2];
   for (uint32_t r = 0; r < 2; r++)
      for (uint32_t c = 0; c < 2; c++)
         blocks[r][c] = _mm512_loadu_si512(base + x_bytes[c] + y_bytes[r]);
   for (uint32_t t = 0; t < 4; t++) { /* lanes that are not taken keep their place */
      const __mmask16 is_odd = _mm512_test_epi32_mask((__m512i)axes[1].at[t >> 1], _mm512_set1_epi32(4));
      const __m512i odd = _mm512_mask2_permutex2var_epi32(blocks[1][0], (__m512i)words[t], is_odd, blocks[1][1]);
      words[t] = (rt_vu)_mm512_mask2_permutex2var_epi32(blocks[0][0], odd, _knot_mask16(is_odd), blocks[0][1]);
   }
}

/* Reads the four taps, at[t & 1] of x and at[t >> 1] of y, of lanes that all lie in two by two blocks, block by block; false
 * if they don't. */
RT_SIMD bool rt_words_load_near(rt_vu words[4], const struct abi_level *level, const uint8_t *base,
                                const struct rt_words_axis axes[2], uint32_t mask)
{
   const rt_vh near = rt_words_block(axes[0].at[0], axes[1].at[0]), far = rt_words_block(axes[0].at[1], axes[1].at[1]);
   const __m128i least = rt_words_least(rt_words_corners(near));
   const uint32_t first = (uint32_t)_mm_cvtsi128_si32(least), column = first & 0xffff, row = first >> 16;
   const __m512i origin = _mm512_broadcastd_epi32(least);
   const __m512i a = _mm512_sub_epi16((__m512i)near, origin), b = _mm512_sub_epi16((__m512i)far, origin);
   if (_mm512_mask_test_epi32_mask((__mmask16)mask, _mm512_or_si512(a, b), _mm512_set1_epi32((int)0xfffefffeu)))
      return false;
   for (uint32_t t = 0; t < 4; t++)
      words[t] = rt_words_place(RT_PLACES_X, axes[0].at[t & 1]) + rt_words_place(RT_PLACES_Y_NEAR, axes[1].at[t >> 1]);
   rt_words_take(words, level, base, axes, row, column);
   return true;
}
#endif

/* One or four texels by two axes of the slice at `base`; `slice` is added to each lane's place, in words. `near`: lanes
 * that are worth looking whether they are in the same blocks; 0: none is. */
RT_SIMD void rt_words_load(rt_vu words[4], const struct abi_image *image, const struct abi_level *level,
                           const uint8_t *base, const struct rt_words_axis axes[2], uint32_t near, bool is_linear,
                           const rt_vu *slice)
{
#if RT_TEX_LEVEL >= 4
   if (is_linear && near && image->is_tiled && !slice && rt_words_load_near(words, level, base, axes, near))
      return;
#else
   (void)near;
#endif
   rt_vu x[2], y[2];
   for (uint32_t i = 0; i < (is_linear ? 2 : 1); i++) {
      x[i] = rt_words_x(image, level, axes[0].at[i]);
      y[i] = rt_words_y(image, level, axes[1].at[i]);
      if (slice)
         y[i] += *slice;
   }
   for (uint32_t t = 0; t < (is_linear ? 4 : 1); t++)
      words[t] = rt_vu_gather_words(base, x[t & 1] + y[t >> 1]);
}

/* ---- mixing ---- */

/* Bytes 0 to 3 of each word as numbers. */
RT_SIMD void rt_words_split(rt_vu words, rt_vf out[4])
{
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_vf_from((rt_vi)(c < 3 ? words >> (8 * c) & 255 : words >> 24));
}

/* Bilinear: 16-bit products along x, then floats along y. */
RT_SIMD void rt_words_mix(const rt_vu words[4], const struct rt_words_axis axes[2], rt_vf out[4])
{
   const rt_vu wide = (rt_vu)axes[0].weight | (rt_vu)axes[0].weight << 16;
   const rt_vh right = (rt_vh)wide, left = (rt_vh)(0x01000100u - wide);
   rt_vu mixed[2][2]; /* [row][channels 0 and 2, 1 and 3] */
   for (uint32_t r = 0; r < 2; r++) {
      const rt_vu a = words[2 * r], b = words[2 * r + 1];
      mixed[r][0] = (rt_vu)((rt_vh)(a & 0x00ff00ffu) * left + (rt_vh)(b & 0x00ff00ffu) * right);
      mixed[r][1] = (rt_vu)(((rt_vh)a >> 8) * left + ((rt_vh)b >> 8) * right);
   }
   const rt_vf low = rt_vf_from(axes[1].weight), high = (float)RT_WORDS_FRACTION - low;
   for (uint32_t c = 0; c < 4; c++) {
      const rt_vu upper = mixed[0][c & 1], lower = mixed[1][c & 1];
      const rt_vf u = rt_vf_from((rt_vi)(c < 2 ? upper & 0xffff : upper >> 16));
      const rt_vf l = rt_vf_from((rt_vi)(c < 2 ? lower & 0xffff : lower >> 16));
      out[c] = rt_vf_madd(l, low, u * high);
   }
}

/* Numbers up to 255 * scale to [0, 1]: as exact as a division, as rt_unorm_decode() does it. */
RT_SIMD rt_vf rt_words_finish(rt_vf v, bool is_linear)
{
   const float scale = is_linear ? 1.0f / (RT_WORDS_FRACTION * RT_WORDS_FRACTION) : 1.0f;
   const float head = 0x1p-8f * scale, tail = (float)(1.0 / 255 - 1.0 / 256) * scale;
   return v * head + v * tail;
}
