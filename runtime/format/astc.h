/* SPDX-License-Identifier: MIT
 * Parts of the ASTC decoder: integer sequences, their ranges, and colour end points.
 * Spec: Khronos Data Format Specification, "ASTC Compressed Texture Image Formats". */
#pragma once

#include "runtime/format/blocks.h"

/* Ranges of values from 0, in order of size: 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40 ... 256 values. */
enum rt_astc_range {
   RT_ASTC_RANGE_2,
   RT_ASTC_RANGE_6 = 4,
   RT_ASTC_RANGE_32 = 11,
   RT_ASTC_RANGE_256 = 20,
   RT_ASTC_NUM_RANGES
};

/* Bits that `count` values take. */
uint32_t rt_astc_size_bits(enum rt_astc_range range, uint32_t count);
/* The largest range of which `count` values fit into `bits`; -1: none. */
int32_t rt_astc_largest_range(uint32_t count, uint32_t bits);
void rt_astc_read_values(struct rt_bits *bits, enum rt_astc_range range, uint32_t count, uint8_t *values);

uint8_t rt_astc_color(enum rt_astc_range range, uint8_t value); /* to 0 to 255 */
/* Values of the range, which has 32 at most, to 0 to 64. */
void rt_astc_scale_weights(enum rt_astc_range range, uint32_t count, uint8_t *weights);

/* Colour end points of a partition: 8 bits of the low range, 12 of the high one. */
struct rt_astc_ends {
   uint16_t color[2][4];
   bool is_hdr, has_hdr_alpha;
};

/* False: a mode of the high dynamic range. */
bool rt_astc_end_points(uint32_t mode, const uint8_t *v, struct rt_astc_ends *ends);
/* False: a mode of the low range. */
bool rt_astc_hdr_end_points(uint32_t mode, const uint8_t *v, struct rt_astc_ends *ends);
/* What 16 bits, mixed of end points of the high range, mean as a half. */
uint32_t rt_astc_hdr_half(uint32_t value);
