/* SPDX-License-Identifier: MIT
 * How the texels of a view are read a vector at a time. */
#pragma once

#include "abi/image.h"
#include "runtime/format/format.h"

/* The numeric format of the channels, each within one 32-bit word of a texel of 1, 2, 4, 8 or 16 bytes; or the format of
 * blocks of texels. */
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
   RT_TEXEL_BC1, /* the first of blocks; to BC5 4x4 texels */
   RT_TEXEL_BC2,
   RT_TEXEL_BC3,
   RT_TEXEL_BC4,
   RT_TEXEL_BC5,
   RT_TEXEL_DECODED, /* whole blocks, by the format's functions, to words */
   RT_NUM_TEXELS,
};

/* Channels as they stand in texels, that have code of their own for vectors whose lanes all sample. X(name, enum rt_texel, log2 of a texel's bytes,
 * bits of R G B A, shifts of R G B A). Of texels that are words each word is a channel. */
#define RT_LAYOUTS(X)                                                                                                  \
   X(R8, UNORM, 0, 8, 0, 0, 0, 0, 0, 0, 0)                                                                             \
   X(RG8, UNORM, 1, 8, 8, 0, 0, 0, 8, 0, 0)                                                                            \
   X(R16, UNORM, 1, 16, 0, 0, 0, 0, 0, 0, 0)                                                                           \
   X(RGBA8, UNORM, 2, 8, 8, 8, 8, 0, 8, 16, 24)                                                                        \
   X(RGB10A2, UNORM, 2, 10, 10, 10, 2, 0, 10, 20, 30)                                                                  \
   X(RGBA16, UNORM, 3, 16, 16, 16, 16, 0, 16, 32, 48)                                                                  \
   X(R16F, HALF, 1, 16, 0, 0, 0, 0, 0, 0, 0)                                                                           \
   X(RG16F, HALF, 2, 16, 16, 0, 0, 0, 16, 0, 0)                                                                        \
   X(RGBA16F, HALF, 3, 16, 16, 16, 16, 0, 16, 32, 48)                                                                  \
   X(R32F, WORDS, 2, 32, 0, 0, 0, 0, 0, 0, 0)                                                                          \
   X(RG32F, WORDS, 3, 32, 32, 0, 0, 0, 32, 0, 0)                                                                       \
   X(RG11B10F, UFLOAT, 2, 11, 11, 10, 0, 0, 11, 22, 0)

/* Those that have code of their own at integer coordinates, too. Of RGBA32 and the like channels may be integers. */
#define RT_FETCHED_LAYOUTS(X)                                                                                          \
   RT_LAYOUTS(X)                                                                                                       \
   X(RGBA8_SRGB, SRGB, 2, 8, 8, 8, 8, 0, 8, 16, 24)                                                                    \
   X(BGRA8_SRGB, SRGB, 2, 8, 8, 8, 8, 16, 8, 0, 24)                                                                    \
   X(RGBA32, WORDS, 4, 32, 32, 32, 32, 0, 32, 64, 96)

/* Of tiled 2D images of one layer, and of cubes and their arrays, whose components are their channels; of any with four channels of 8 bits, 2D or 3D. */
enum rt_layout {
   RT_LAYOUT_NONE, /* nothing bound, too */
#define X(name, ...) RT_LAYOUT_##name,
   RT_FETCHED_LAYOUTS(X)
#undef X
   RT_NUM_TILED_LAYOUTS,
   RT_LAYOUT_BYTES = RT_NUM_TILED_LAYOUTS, /* UNORM or sRGB, in any order */
   RT_LAYOUT_VOLUME_BYTES,                 /* UNORM, 3D */
   RT_NUM_LAYOUTS
};

/* Of the format alone, by its channels: whether they are those of texels in memory is not looked at. */
enum rt_texel rt_texel_classify(const struct rt_format_info *info);

/* Finds view->texel, view->plain, view->layout and view->packing, once all else of the view is known. NONE too where 32 bits do not count the bytes, and where
 * rows of texels are not whole texels apart. */
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
