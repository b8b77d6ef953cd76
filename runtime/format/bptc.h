/* SPDX-License-Identifier: MIT
 * Tables that BC6H and BC7 share.
 * Spec: Khronos Data Format Specification, "BPTC Compressed Texture Image Formats". */
#pragma once

#include <stdint.h>

extern const uint16_t rt_bptc_partitions2[64]; /* bit i: subset of texel i */
extern const uint32_t rt_bptc_partitions3[64]; /* two bits a texel */
/* Texels whose index has one bit less, besides texel 0: of subset 1 of 2, 1 of 3, 2 of 3. */
extern const uint8_t rt_bptc_anchors2[64], rt_bptc_anchors3_1[64], rt_bptc_anchors3_2[64];

extern const uint8_t rt_bptc_weights2[4], rt_bptc_weights3[8], rt_bptc_weights4[16];

/* Mixes with a weight of 0 to 64. */
static inline int32_t rt_bptc_mix(int32_t a, int32_t b, int32_t weight)
{
   return ((64 - weight) * a + weight * b + 32) >> 6;
}

static inline const uint8_t *rt_bptc_weights(uint32_t index_bits)
{
   return index_bits == 2 ? rt_bptc_weights2 : index_bits == 3 ? rt_bptc_weights3 : rt_bptc_weights4;
}
