/* SPDX-License-Identifier: MIT
 * BC7: 8-bit colours with alpha.
 * Spec: Khronos Data Format Specification, "BPTC Compressed Texture Image Formats", BC7. */
#include "runtime/format/blocks.h"
#include "runtime/format/bptc.h"
#include "runtime/format/decode.h"

struct mode {
   uint8_t subsets, partition_bits, rotation_bits, selection_bits;
   uint8_t color_bits, alpha_bits;
   uint8_t end_p_bits, subset_p_bits; /* a low bit more of each end point, or of both end points of a subset */
   uint8_t index_bits, second_index_bits;
};

static const struct mode modes[8] = {
   {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
   {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
   {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* Widens a value to 8 bits by repeating its upper bits. */
static uint8_t widen(uint32_t value, uint32_t bits)
{
   value <<= 8 - bits;
   return (uint8_t)(value | value >> bits);
}

/* ends[2 * subset + 0 or 1][component] */
static void read_end_points(struct rt_bits *bits, const struct mode *mode, uint8_t ends[6][4])
{
   const uint32_t count = 2 * mode->subsets;
   uint32_t raw[6][4] = {{0}};
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t e = 0; e < count; e++)
         raw[e][c] = rt_bits_take(bits, c < 3 ? mode->color_bits : mode->alpha_bits);
   const bool has_p = mode->end_p_bits || mode->subset_p_bits;
   uint32_t p = 0;
   for (uint32_t e = 0; e < count && has_p; e++) {
      if (mode->end_p_bits || e % 2 == 0)
         p = rt_bits_take(bits, 1);
      for (uint32_t c = 0; c < 4; c++)
         raw[e][c] = raw[e][c] << 1 | p;
   }
   for (uint32_t e = 0; e < count; e++) {
      for (uint32_t c = 0; c < 3; c++)
         ends[e][c] = widen(raw[e][c], mode->color_bits + has_p);
      ends[e][3] = mode->alpha_bits ? widen(raw[e][3], mode->alpha_bits + has_p) : 255;
   }
}

static void read_indices(struct rt_bits *bits, uint32_t count, const uint8_t anchors[3], uint8_t indices[16])
{
   for (uint32_t i = 0; i < 16; i++) {
      const bool is_anchor = i == anchors[0] || i == anchors[1] || i == anchors[2];
      indices[i] = (uint8_t)rt_bits_take(bits, is_anchor ? count - 1 : count);
   }
}

static void decode(const void *block, uint32_t (*rgba)[4], bool is_srgb)
{
   struct rt_bits bits = rt_bits_load(block);
   const uint32_t number = bits.low & 0xff ? (uint32_t)__builtin_ctz((uint32_t)(bits.low & 0xff)) : 8;
   if (number == 8) { /* reserved */
      memset(rgba, 0, 16 * sizeof(rgba[0]));
      return;
   }
   const struct mode *mode = &modes[number];
   bits.position = number + 1;
   const uint32_t partition = rt_bits_take(&bits, mode->partition_bits);
   const uint32_t rotation = rt_bits_take(&bits, mode->rotation_bits);
   const bool is_swapped = rt_bits_take(&bits, mode->selection_bits);
   uint8_t ends[6][4], indices[16], second[16], anchors[3] = {0, 0, 0};
   read_end_points(&bits, mode, ends);
   if (mode->subsets == 2)
      anchors[1] = rt_bptc_anchors2[partition];
   if (mode->subsets == 3) {
      anchors[1] = rt_bptc_anchors3_1[partition];
      anchors[2] = rt_bptc_anchors3_2[partition];
   }
   read_indices(&bits, mode->index_bits, anchors, indices);
   if (mode->second_index_bits)
      read_indices(&bits, mode->second_index_bits, anchors, second);

   const uint8_t *weights = rt_bptc_weights(mode->index_bits);
   const uint8_t *second_weights = rt_bptc_weights(mode->second_index_bits);
   for (uint32_t i = 0; i < 16; i++) {
      const uint32_t subset = mode->subsets == 2   ? rt_bptc_partitions2[partition] >> i & 1
                              : mode->subsets == 3 ? rt_bptc_partitions3[partition] >> (2 * i) & 3
                                                   : 0;
      int32_t color_weight = weights[indices[i]], alpha_weight = color_weight;
      if (mode->second_index_bits) {
         alpha_weight = second_weights[second[i]];
         if (is_swapped) {
            const int32_t t = color_weight;
            color_weight = alpha_weight;
            alpha_weight = t;
         }
      }
      uint32_t texel[4];
      for (uint32_t c = 0; c < 4; c++)
         texel[c] =
            (uint32_t)rt_bptc_mix(ends[2 * subset][c], ends[2 * subset + 1][c], c < 3 ? color_weight : alpha_weight);
      if (rotation) {
         const uint32_t t = texel[3];
         texel[3] = texel[rotation - 1];
         texel[rotation - 1] = t;
      }
      for (uint32_t c = 0; c < 4; c++)
         rgba[i][c] = rt_byte(texel[c], is_srgb && c < 3);
   }
}

void rt_decode_bc7_unorm(const void *block, uint32_t (*rgba)[4])
{
   decode(block, rgba, false);
}

void rt_decode_bc7_srgb(const void *block, uint32_t (*rgba)[4])
{
   decode(block, rgba, true);
}
