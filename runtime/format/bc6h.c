/* SPDX-License-Identifier: MIT
 * BC6H: half-float colours.
 * Spec: Khronos Data Format Specification, "BPTC Compressed Texture Image Formats", BC6H. */
#include "runtime/format/blocks.h"
#include "runtime/format/bptc.h"
#include "runtime/format/decode.h"

enum { NUM_MODES = 14, FIRST_ONE_REGION_MODE = 10 };

/* Where end points stand in values[]: components of the four end points. */
enum { R0, R1, R2, R3, G0, G1, G2, G3, B0, B1, B2, B3, NUM_VALUES };

/* `count` bits of the block that go to value `target` from bit `shift` on. */
struct field {
   uint8_t target, shift, count, is_reversed;
};
#define F(target, shift, count) {target, shift, count, 0}
#define REVERSED(target, shift, count) {target, shift, count, 1}

/* The fields of each mode in the order of the block's bits, behind the mode's own 2 (modes 0 and 1) or 5 bits. */
static const struct field layouts[NUM_MODES][24] = {
   [0] = {
      F(G2, 4, 1), F(B2, 4, 1), F(B3, 4, 1), F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 5), F(G3, 4, 1),
      F(G2, 0, 4), F(G1, 0, 5), F(B3, 0, 1), F(G3, 0, 4), F(B1, 0, 5), F(B3, 1, 1), F(B2, 0, 4), F(R2, 0, 5),
      F(B3, 2, 1), F(R3, 0, 5), F(B3, 3, 1),
   },
   [1] = {
      F(G2, 5, 1), F(G3, 4, 1), F(G3, 5, 1), F(R0, 0, 7), F(B3, 0, 1), F(B3, 1, 1), F(B2, 4, 1), F(G0, 0, 7),
      F(B2, 5, 1), F(B3, 2, 1), F(G2, 4, 1), F(B0, 0, 7), F(B3, 3, 1), F(B3, 5, 1), F(B3, 4, 1), F(R1, 0, 6),
      F(G2, 0, 4), F(G1, 0, 6), F(G3, 0, 4), F(B1, 0, 6), F(B2, 0, 4), F(R2, 0, 6), F(R3, 0, 6),
   },
   [2] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 5), F(R0, 10, 1), F(G2, 0, 4), F(G1, 0, 4),
      F(G0, 10, 1), F(B3, 0, 1), F(G3, 0, 4), F(B1, 0, 4), F(B0, 10, 1), F(B3, 1, 1), F(B2, 0, 4), F(R2, 0, 5),
      F(B3, 2, 1), F(R3, 0, 5), F(B3, 3, 1),
   },
   [3] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 4), F(R0, 10, 1), F(G3, 4, 1), F(G2, 0, 4),
      F(G1, 0, 5), F(G0, 10, 1), F(G3, 0, 4), F(B1, 0, 4), F(B0, 10, 1), F(B3, 1, 1), F(B2, 0, 4), F(R2, 0, 4),
      F(B3, 0, 1), F(B3, 2, 1), F(R3, 0, 4), F(G2, 4, 1), F(B3, 3, 1),
   },
   [4] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 4), F(R0, 10, 1), F(B2, 4, 1), F(G2, 0, 4),
      F(G1, 0, 4), F(G0, 10, 1), F(B3, 0, 1), F(G3, 0, 4), F(B1, 0, 5), F(B0, 10, 1), F(B2, 0, 4), F(R2, 0, 4),
      F(B3, 1, 1), F(B3, 2, 1), F(R3, 0, 4), F(B3, 4, 1), F(B3, 3, 1),
   },
   [5] = {
      F(R0, 0, 9), F(B2, 4, 1), F(G0, 0, 9), F(G2, 4, 1), F(B0, 0, 9), F(B3, 4, 1), F(R1, 0, 5), F(G3, 4, 1),
      F(G2, 0, 4), F(G1, 0, 5), F(B3, 0, 1), F(G3, 0, 4), F(B1, 0, 5), F(B3, 1, 1), F(B2, 0, 4), F(R2, 0, 5),
      F(B3, 2, 1), F(R3, 0, 5), F(B3, 3, 1),
   },
   [6] = {
      F(R0, 0, 8), F(G3, 4, 1), F(B2, 4, 1), F(G0, 0, 8), F(B3, 2, 1), F(G2, 4, 1), F(B0, 0, 8), F(B3, 3, 1),
      F(B3, 4, 1), F(R1, 0, 6), F(G2, 0, 4), F(G1, 0, 5), F(B3, 0, 1), F(G3, 0, 4), F(B1, 0, 5), F(B3, 1, 1),
      F(B2, 0, 4), F(R2, 0, 6), F(R3, 0, 6),
   },
   [7] = {
      F(R0, 0, 8), F(B3, 0, 1), F(B2, 4, 1), F(G0, 0, 8), F(G2, 5, 1), F(G2, 4, 1), F(B0, 0, 8), F(G3, 5, 1),
      F(B3, 4, 1), F(R1, 0, 5), F(G3, 4, 1), F(G2, 0, 4), F(G1, 0, 6), F(G3, 0, 4), F(B1, 0, 5), F(B3, 1, 1),
      F(B2, 0, 4), F(R2, 0, 5), F(B3, 2, 1), F(R3, 0, 5), F(B3, 3, 1),
   },
   [8] = {
      F(R0, 0, 8), F(B3, 1, 1), F(B2, 4, 1), F(G0, 0, 8), F(B2, 5, 1), F(G2, 4, 1), F(B0, 0, 8), F(B3, 5, 1),
      F(B3, 4, 1), F(R1, 0, 5), F(G3, 4, 1), F(G2, 0, 4), F(G1, 0, 5), F(B3, 0, 1), F(G3, 0, 4), F(B1, 0, 6),
      F(B2, 0, 4), F(R2, 0, 5), F(B3, 2, 1), F(R3, 0, 5), F(B3, 3, 1),
   },
   [9] = {
      F(R0, 0, 6), F(G3, 4, 1), F(B3, 0, 2), F(B2, 4, 1), F(G0, 0, 6), F(G2, 5, 1), F(B2, 5, 1), F(B3, 2, 1),
      F(G2, 4, 1), F(B0, 0, 6), F(G3, 5, 1), F(B3, 3, 1), F(B3, 5, 1), F(B3, 4, 1), F(R1, 0, 6), F(G2, 0, 4),
      F(G1, 0, 6), F(G3, 0, 4), F(B1, 0, 6), F(B2, 0, 4), F(R2, 0, 6), F(R3, 0, 6),
   },
   [10] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 10), F(G1, 0, 10), F(B1, 0, 10),
   },
   [11] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 9), F(R0, 10, 1), F(G1, 0, 9), F(G0, 10, 1),
      F(B1, 0, 9), F(B0, 10, 1),
   },
   [12] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 8), REVERSED(R0, 10, 2), F(G1, 0, 8),
      REVERSED(G0, 10, 2), F(B1, 0, 8), REVERSED(B0, 10, 2),
   },
   [13] = {
      F(R0, 0, 10), F(G0, 0, 10), F(B0, 0, 10), F(R1, 0, 4), REVERSED(R0, 10, 6), F(G1, 0, 4),
      REVERSED(G0, 10, 6), F(B1, 0, 4), REVERSED(B0, 10, 6),
   },
};

static const struct {
   uint8_t end_bits;      /* of a whole end point */
   uint8_t delta_bits[3]; /* of the others, which are stored as differences where is_delta */
   bool is_delta;
} modes[NUM_MODES] = {
   {10, {5, 5, 5}, true}, {7, {6, 6, 6}, true},  {11, {5, 4, 4}, true}, {11, {4, 5, 4}, true},   {11, {4, 4, 5}, true},
   {9, {5, 5, 5}, true},  {8, {6, 5, 5}, true},  {8, {5, 6, 5}, true},  {8, {5, 5, 6}, true},    {6, {6, 6, 6}, false},
   {10, {0, 0, 0}, false}, {11, {9, 9, 9}, true}, {12, {8, 8, 8}, true}, {16, {4, 4, 4}, true},
};

/* Reads the mode; NUM_MODES: reserved. */
static uint32_t take_mode(struct rt_bits *bits)
{
   const uint32_t low = rt_bits_take(bits, 2);
   if (low < 2)
      return low;
   const uint32_t mode = (low == 2 ? 2 : 10) + rt_bits_take(bits, 3);
   return mode < NUM_MODES ? mode : NUM_MODES;
}

static int32_t sign_extend(int32_t value, uint32_t bits)
{
   return (int32_t)((uint32_t)value << (32 - bits)) >> (32 - bits);
}

static void read_end_points(struct rt_bits *bits, uint32_t mode, bool is_signed, int32_t values[NUM_VALUES])
{
   memset(values, 0, NUM_VALUES * sizeof(values[0]));
   for (const struct field *f = layouts[mode]; f->count; f++) {
      uint32_t v = rt_bits_take(bits, f->count);
      if (f->is_reversed) {
         uint32_t r = 0;
         for (uint32_t i = 0; i < f->count; i++)
            r |= (v >> i & 1) << (f->count - 1 - i);
         v = r;
      }
      values[f->target] |= (int32_t)(v << f->shift);
   }
   const uint32_t end_bits = modes[mode].end_bits;
   const int32_t mask = (int32_t)(1u << end_bits) - 1;
   for (uint32_t c = 0; c < 3; c++) {
      int32_t *v = values + 4 * c;
      if (modes[mode].is_delta)
         for (uint32_t i = 1; i < 4; i++)
            v[i] = (v[0] + sign_extend(v[i], modes[mode].delta_bits[c])) & mask;
      if (is_signed)
         for (uint32_t i = 0; i < 4; i++)
            v[i] = sign_extend(v[i], end_bits);
   }
}

/* An end point scaled to 16 bits. */
static int32_t unquantize(int32_t x, uint32_t bits, bool is_signed)
{
   if (!is_signed) {
      if (bits >= 15 || x == 0)
         return x;
      return x == (1 << bits) - 1 ? 0xffff : ((x << 15) + 0x4000) >> (bits - 1);
   }
   if (bits >= 16 || x == 0)
      return x;
   const int32_t magnitude = x < 0 ? -x : x;
   const int32_t scaled = magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
   return x < 0 ? -scaled : scaled;
}

/* A mixed value as a half: scaled so that the largest is the largest finite half. */
static uint32_t finish(int32_t x, bool is_signed)
{
   if (!is_signed)
      return (uint32_t)(x * 31) >> 6;
   return x < 0 ? (uint32_t)(-x * 31) >> 5 | 0x8000 : (uint32_t)(x * 31) >> 5;
}

static void decode(const void *block, uint32_t (*rgba)[4], bool is_signed)
{
   struct rt_bits bits = rt_bits_load(block);
   const uint32_t mode = take_mode(&bits);
   if (mode == NUM_MODES) {
      for (uint32_t i = 0; i < 16; i++) {
         rgba[i][0] = rgba[i][1] = rgba[i][2] = 0;
         rgba[i][3] = RT_FLOAT_ONE;
      }
      return;
   }
   int32_t values[NUM_VALUES];
   read_end_points(&bits, mode, is_signed, values);
   for (uint32_t i = 0; i < NUM_VALUES; i++)
      values[i] = unquantize(values[i], modes[mode].end_bits, is_signed);

   const bool has_two = mode < FIRST_ONE_REGION_MODE;
   const uint32_t partition = has_two ? rt_bits_take(&bits, 5) : 0, index_bits = has_two ? 3 : 4;
   const uint32_t subsets = has_two ? rt_bptc_partitions2[partition] : 0;
   const uint32_t anchor = has_two ? rt_bptc_anchors2[partition] : 0;
   const uint8_t *weights = rt_bptc_weights(index_bits);
   for (uint32_t i = 0; i < 16; i++) {
      const uint32_t index = rt_bits_take(&bits, i == 0 || i == anchor ? index_bits - 1 : index_bits);
      const uint32_t first = 2 * (subsets >> i & 1);
      for (uint32_t c = 0; c < 3; c++) {
         const int32_t *v = values + 4 * c + first;
         rgba[i][c] = rt_half_decode(finish(rt_bptc_mix(v[0], v[1], weights[index]), is_signed));
      }
      rgba[i][3] = RT_FLOAT_ONE;
   }
}

void rt_decode_bc6h_ufloat(const void *block, uint32_t (*rgba)[4])
{
   decode(block, rgba, false);
}

void rt_decode_bc6h_sfloat(const void *block, uint32_t (*rgba)[4])
{
   decode(block, rgba, true);
}
