/* SPDX-License-Identifier: MIT
 * Formats: one row of data each, and conversions between texels and 32-bit components.
 * Spec: Formats. The rows are generated from the registry (gen/), what we support is in format_features.c. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum rt_numeric {
   RT_NUMERIC_NONE,
   RT_UNORM,
   RT_SNORM,
   RT_USCALED,
   RT_SSCALED,
   RT_UINT,
   RT_SINT,
   RT_UFLOAT,
   RT_SFLOAT,
   RT_SRGB
};

struct rt_channel {
   uint8_t bits;       /* 0: absent */
   uint8_t shift;      /* from bit 0 of the texel read as a little-endian number */
   uint8_t numeric;    /* enum rt_numeric */
};

/* A plain format as which something of a format's texels is read; the image's extent is divided, rounding up. */
struct rt_format_part {
   VkFormat format;
   uint8_t width_divisor, height_divisor;
};

struct rt_format_source {
   uint8_t part, channel;
};

struct rt_format_info {
   VkFormat format;
   const char *name;
   uint8_t texel_bytes; /* of a texel or compressed block; of depth alone for combined depth/stencil formats */
   uint8_t block_width, block_height, block_depth; /* 1 unless compressed, or two texels share their chroma */
   uint8_t num_channels;
   struct rt_channel channels[4];     /* R G B A; depth formats: D in [0], stencil in [1], of S8_UINT in [0] */
   bool is_packed, is_compressed, is_depth, is_stencil, is_srgb, is_int, is_signed;
   bool needs_conversion; /* Spec: Formats, "Formats Requiring Sampler Y'CbCr Conversion" */
   uint8_t compat_class; /* formats with equal values here are compatible. Spec: Formats, "Compatible Formats" */
   uint8_t num_planes;   /* 1; 2 for depth + stencil (stored apart: see runtime/image); multi-planar: 2 or 3 */

   /* What sampling reads: the format itself; or of several planes each; or of one plane where two texels share their
    * chroma, luma and chroma. And in which part each of R, G, B, A is. */
   uint8_t num_parts;
   struct rt_format_part parts[3];
   struct rt_format_source sources[4];

   /* Texels <-> four 32-bit components (float bits, or integers for UINT/SINT), `count` texels `stride` bytes apart.
    * Absent components read as 0, 0, 0, 1. Packing rounds to nearest even, clamps (integers too), and maps NaN to 0 for
    * normalised formats. 64-bit numbers go as their halves, low ones first. NULL where it makes no sense: compressed and
    * multi-planar formats, blocks of two texels, more than two 64-bit components. Combined depth/stencil formats: of
    * their depth plane. */
   void (*unpack)(const void *texels, uint32_t stride, uint32_t count, uint32_t (*rgba)[4]);
   void (*pack)(void *texels, uint32_t stride, uint32_t count, const uint32_t (*rgba)[4]);
   /* The same for one 4x4 block of a tiled image, 16 contiguous texels, as four planes of 16: what the output merger
    * uses; vectorised. */
   void (*unpack_block)(const void *texels, uint32_t (*planes)[16]);
   void (*pack_block)(void *texels, const uint32_t (*planes)[16]);
   /* Compressed: decodes one block to 4 components of each of its texels, row by row, slice by slice. */
   void (*decode)(const void *block, uint32_t (*rgba)[4]);
   /* What views with a decode mode do to `count` decoded texels next; NULL: nothing. */
   void (*round)(uint32_t (*rgba)[4], uint32_t count);
};

/* Reads 64-bit components as pairs of 32 bits, low half first; absent ones as 0, 0, 0 (alpha 0 too). For formats of
 * 64-bit channels only. */
void rt_format_unpack_64(const struct rt_format_info *info, const void *texel, uint32_t components[8]);

/* Never NULL: unknown formats give the row of VK_FORMAT_UNDEFINED, whose texel_bytes is 0. */
const struct rt_format_info *rt_format_info(VkFormat format);

/* The format whose texels are the same bits without the transfer function of sRGB; others, and compressed ones, give themselves. */
const struct rt_format_info *rt_format_encoded(const struct rt_format_info *info);

/* Of ASTC formats that are not sRGB: the format as views with the decode mode R8G8B8A8_UNORM or E5B9G9R9_UFLOAT_PACK32 read it, with round set; of
 * other modes and formats `info`. Spec: Compressed Image Formats, "ASTC Decode Mode". */
const struct rt_format_info *rt_format_decode_mode(const struct rt_format_info *info, VkFormat mode);

/* Texels of a block. */
static inline uint32_t rt_format_block_texels(const struct rt_format_info *info)
{
   return (uint32_t)info->block_width * info->block_height * info->block_depth;
}

/* The features that work, 0 where the format is not supported at all. */
VkFormatFeatureFlags2 rt_format_image_features(VkFormat format, VkImageTiling tiling);
VkFormatFeatureFlags2 rt_format_buffer_features(VkFormat format);

/* The plane that has an aspect, below info->num_planes; depth if `aspect` has both. */
uint32_t rt_format_plane_index(const struct rt_format_info *info, VkImageAspectFlags aspect);
/* Its format: that of a combined depth/stencil format's plane (D24_UNORM_S8_UINT: X8_D24_UNORM_PACK32 and S8_UINT), of a
 * multi-planar format's the one that views of the plane alone have. Other formats give themselves. */
VkFormat rt_format_plane(VkFormat format, VkImageAspectFlags aspect);

/* Packs one clear colour. `texel` has room for 16 bytes. */
void rt_format_pack_clear(VkFormat format, const VkClearColorValue *color, void *texel);
