/* SPDX-License-Identifier: MIT
 * 2D images and their arrays, one code for each numeric format of up to 64 bits a texel: filtered, nearest, compared, gathered, where there is no
 * border; 1D images of one level, as tables are; cubes, filtered, where no lane needs texels of two faces. All values stay in registers from the
 * coordinates to the result. */
#pragma once

#include "runtime/texture/fast.h"

/* A call that is uniform, of an image that is plain (enum abi_plain) and has the call's dim. The lanes for which nothing was done. */
uint32_t rt_plain_sample(const struct abi_tex_call *call);
