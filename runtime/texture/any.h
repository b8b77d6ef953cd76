/* SPDX-License-Identifier: MIT
 * Sampling of a level by a vector of lanes, for every format that has an enum rt_texel: all address modes, borders,
 * offsets, cubes, comparison and gathering, with the arithmetic of the general code in address.c, filter.c and cube.c.
 * What it leaves to that code: cubic filters, reductions, cubes with edges that are not seamless. */
#pragma once

#include "runtime/texture/fast.h"

/* One level; `coord` of a cube are those on the face, which counts into the layer. */
void rt_any_sample(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, rt_vf out[4]);
/* Linear, of a tiled cube, lanes on levels of their own: `level` and, of two, the next one. */
void rt_any_sample_cube_apart(const struct rt_fast *fast, rt_vi level, uint32_t num_levels, rt_vf out[2][4]);
/* Not compared, not compressed. */
bool rt_any_can_sample_cube_apart(const struct rt_fast *fast);
/* The four texels of a component, by the view's swizzle; of the base level. Each has an offset of its own if
 * `offsets` is not NULL: arrays as in struct abi_tex_call. */
void rt_any_gather(const struct rt_fast *fast, uint32_t component, const uint32_t *const (*offsets)[2], rt_vf out[4]);
