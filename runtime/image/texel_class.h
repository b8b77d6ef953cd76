/* SPDX-License-Identifier: MIT
 * How the texels of a view are read a vector at a time. */
#pragma once

#include "abi/image.h"
#include "runtime/format/format.h"

/* The numeric format of the channels, each within one 32-bit word of a texel of 1, 2, 4, 8 or 16 bytes; or the format of
 * blocks of 4x4 texels. */
enum rt_texel {
   RT_TEXEL_NONE,  /* texel by texel, by the format's functions */
   RT_TEXEL_WORDS, /* whole words, of any numeric format */
   RT_TEXEL_UNORM, /* up to 16 bits, as all below */
   RT_TEXEL_SNORM,
   RT_TEXEL_UINT,
   RT_TEXEL_SINT,
   RT_TEXEL_HALF,
   RT_TEXEL_SRGB, /* alpha is UNORM */
   RT_TEXEL_UFLOAT,
   RT_TEXEL_SHARED, /* E5B9G9R9 */
   RT_TEXEL_UNORM24,
   RT_TEXEL_BC1, /* the first of blocks */
   RT_TEXEL_BC2,
   RT_TEXEL_BC3,
   RT_TEXEL_BC4,
   RT_TEXEL_BC5,
   RT_NUM_TEXELS,
};

/* Of the format alone, by its channels: whether they are those of texels in memory is not looked at. */
enum rt_texel rt_texel_classify(const struct rt_format_info *info);

/* Finds view->texel and view->plain, once all else of the view is known. NONE too where 32 bits do not count the bytes, and where rows of texels are not
 * whole texels apart. */
void rt_view_set_texel(struct abi_image *view);

static inline enum rt_texel rt_texel_of(const struct abi_image *image)
{
   return (enum rt_texel)image->texel;
}

/* Of the bytes of a texel or block; for images that are not NONE. */
static inline uint32_t rt_texel_log2(const struct abi_image *image)
{
   return (uint32_t)__builtin_ctz(image->texel_bytes);
}
