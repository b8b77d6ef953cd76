/* SPDX-License-Identifier: MIT
 * How an attachment's texels are read and written in lanes (texel_lanes.h), with the same bits as by the format's unpack_block and
 * pack_block. */
#pragma once

#include "runtime/fragment/output.h"

/* How texels are read and written. */
enum rt_texels_class {
   RT_TEXELS_OTHER, /* block by block, by the format's functions */
   RT_TEXELS_UNORM, /* each channel up to 16 bits, in a word of up to 32; so are those below */
   RT_TEXELS_SRGB,  /* alpha is UNORM */
   RT_TEXELS_HALF,
   RT_TEXELS_UFLOAT,
   RT_TEXELS_WORDS, /* floats and integers of 32 bits */
   RT_TEXELS_SNORM, /* each channel up to 16 bits, in a word of up to 32; so are those below */
   RT_TEXELS_UINT,
   RT_TEXELS_SINT,
};

/* By the output's format. */
void rt_texels_init(struct rt_output *output);
