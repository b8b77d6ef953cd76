/* SPDX-License-Identifier: MIT
 * Depth bounds, stencil and depth tests of blocks of fragments.
 * Spec: Fragment Operations, "Depth Test", "Stencil Test", "Depth Bounds Test". */
#pragma once

#include "runtime/draw/depth.h"

struct abi_block;
struct rt_tile;
struct rt_prim;

struct rt_target;
/* `is_unrestricted`: VK_EXT_depth_range_unrestricted. */
void rt_depth_state_init(struct rt_depth_state *depth, const struct rt_state *state, const struct rt_target *target,
                         bool is_unrestricted);

/* Tests the lanes `mask` of the block (bx, by) (in blocks of the tile) at one sample, updates the attachments and
 * returns the lanes that pass. `shader_z` and `shader_stencil`: [16] values that the fragment shader exported, or NULL.
 * `write`: false to test only. */
uint32_t rt_depth_stencil_test(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask,
                               const float *shader_z, const uint32_t *shader_stencil, bool write);

/* Tests of a block. One sample: the lanes of `mask` that pass; masks is not used. Several: masks[s] of each in and out, and their union is
 * returned. `shaded`: behind the shader, what it gave; NULL: before it. */
typedef uint32_t rt_depth_test_fn(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask, uint16_t *masks, const struct abi_block *shaded);
/* The function for the tile's context and attachments, before the shader and behind it. */
rt_depth_test_fn *rt_depth_choose_early(const struct rt_tile *tile);
rt_depth_test_fn *rt_depth_choose_late(const struct rt_tile *tile);

/* Smallest and largest depth of 16 stored texels, folded into min and max. */
void rt_depth_range(enum rt_depth_format format, const uint8_t *texels, float min[16], float max[16]);

/* A depth value, kept between lo and hi (0 and 1 but for floats), in the attachment's units: what is stored for it. Monotonic, and the
 * same bits as the tests of blocks. */
float rt_depth_quantize(enum rt_depth_format format, float z, float lo, float hi);
/* What a clear stores. */
float rt_depth_clear_value(enum rt_depth_format format, float z);

/* The bits of a clear value, as stored; returns the texel's bytes. */
uint32_t rt_depth_pack(enum rt_depth_format format, float depth, uint8_t texel[16]);
