/* SPDX-License-Identifier: MIT
 * Texels of a run of blocks, to planes of channels and back: the same bits as the format's unpack_block and pack_block.
 * One sample's 16 texels stand at each address. */
#pragma once

#include "runtime/fragment/output.h"

/* How texels are read and written. */
enum rt_texels_kind {
   RT_TEXELS_OTHER, /* block by block, by the format's functions */
   RT_TEXELS_UNORM, /* each channel up to 16 bits, in a word of up to 32; so are those below */
   RT_TEXELS_SRGB,  /* alpha is UNORM */
   RT_TEXELS_HALF,
   RT_TEXELS_UFLOAT,
   RT_TEXELS_FLOAT, /* of 32 bits */
};

/* By the output's format. */
void rt_texels_init(struct rt_output *output);

typedef float rt_planes[4][16][16]; /* [channel][block][lane] */

/* The channels of `wanted` (bits) of `count` blocks, at most 16; those that the format lacks are 0, alpha 1. */
void rt_texels_unpack(const struct rt_output *output, uint8_t *const *texels, uint32_t count, uint32_t wanted,
                      rt_planes planes);
/* The lanes of `masks` and channels of the output's write mask. */
void rt_texels_pack(const struct rt_output *output, uint8_t *const *texels, const uint16_t *masks, uint32_t count,
                    rt_planes planes);
