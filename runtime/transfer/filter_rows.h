/* SPDX-License-Identifier: MIT
 * Linear filtering of rows of texels, in the processor's widest registers; the same bits in all. A row is groups of 16 texels, as
 * unpack_block and pack_block have them: [group][component][texel]. Threads: pure functions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RT_ROW_GROUP = 16, RT_ROW_SLACK = 32 };

typedef float rt_row_group[4][RT_ROW_GROUP];

/* Texels that are mixed along a row, of each texel of the destination; arrays are of whole groups. `second` is not before `first`, and both go in
 * one direction within a group. */
struct rt_row_taps {
   int32_t *first, *second;
   float *weights; /* of the second */
};

/* What two rows give: low + (high - low) * weight, four planes, `stride` floats apart: a multiple of 16, at least 16 * num_groups + RT_ROW_SLACK. */
typedef void rt_rows_mix_fn(const rt_row_group *low, const rt_row_group *high, float weight, uint32_t num_groups, float *planes, size_t stride);
/* Of planes: first + (second - first) * weight; there is one NaN. Reads at most RT_ROW_SLACK floats beyond the last texel. */
typedef void rt_rows_pick_fn(const float *planes, size_t stride, const struct rt_row_taps *taps, uint32_t num_groups, rt_row_group *dst);

/* Of 4x4 blocks, texels in the order of blocks: what four that are neighbours (right, below, both) give at half the size, each texel the mean of 2x2; by the
 * operations of the others. */
typedef void rt_blocks_halve_fn(const rt_row_group src[4], rt_row_group *dst);

rt_rows_mix_fn rt_rows_mix_at, rt_rows_mix_at_v3, rt_rows_mix_at_v4;
rt_rows_pick_fn rt_rows_pick_at, rt_rows_pick_at_v3, rt_rows_pick_at_v4;
rt_blocks_halve_fn rt_blocks_halve_at, rt_blocks_halve_at_v3, rt_blocks_halve_at_v4;

/* Those of the processor's level. */
extern rt_rows_mix_fn *rt_rows_mix;
extern rt_rows_pick_fn *rt_rows_pick;
extern rt_blocks_halve_fn *rt_blocks_halve;
