/* SPDX-License-Identifier: MIT
 * 2D images and their arrays, one code for each numeric format of up to 64 bits a texel: filtered, nearest, compared, gathered, where the lanes of a
 * vector share level and layer and there is no border. All values stay in registers from the coordinates to the result. */
#pragma once

#include "runtime/texture/fast.h"

#define rt_plain_sample_face RT_TEX_NAME(rt_plain_sample_face)
#define rt_plain_sample RT_TEX_NAME(rt_plain_sample)

/* A call that is uniform, of an image that has an enum rt_texel and dim 2D. False: this is not plain, and results may be written in part. */
bool rt_plain_sample(const struct abi_tex_call *call);

/* A level of a cube, linear, coordinates on the one face that all lanes share, whose texels are at fast->data. False: nothing was done, as lanes
 * have texels on other faces or the format has no code here. */
bool rt_plain_sample_face(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4]);
