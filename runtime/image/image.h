/* SPDX-License-Identifier: MIT
 * Image memory: where texels are (abi/image.h has the formulas), and views.
 * Spec: Resource Creation, "Images". Every image is one to three planes, each with the layout of a plain image of its own
 * format: combined depth/stencil and multi-planar formats have several. Threads: an image is constant once it is bound. */
#pragma once

#include "abi/image.h"
#include "runtime/format/format.h"

/* Of a texel buffer: code counts texels in numbers with a sign, and bytes in 32 bits. */
#define RT_MAX_TEXEL_BUFFER_ELEMENTS (1u << 29)
#define RT_MAX_TEXEL_BUFFER_BYTES (UINT64_C(1) << 31)

struct rt_plane {
   VkFormat format;
   const struct rt_format_info *info;
   uint32_t texel_bytes;
   uint64_t offset_bytes; /* from the memory that is bound: the image's, or of a disjoint image the plane's */
   uint64_t layer_bytes;
   uint8_t *data; /* of the first layer; NULL until bound */
   struct abi_level levels[ABI_MAX_LEVELS];

   /* Of an image that is bound block by block: */
   VkExtent3D sparse_block;   /* in texels, or in compressed blocks; width 0: the image is not bound so */
   uint32_t tail_first_level; /* levels from this on are a layer's tail, bound as bytes; num_levels: there is none */
   uint64_t tail_offset_bytes, tail_bytes; /* in the layer */
};

enum { RT_IMAGE_ALIGN = 64 }; /* bytes, of an image in memory; of sparse ones RT_SPARSE_BLOCK_BYTES */

struct rt_image {
   VkImageType type;
   VkFormat format;
   const struct rt_format_info *info;
   VkExtent3D extent;
   uint32_t num_levels, num_layers, num_samples;
   bool is_tiled; /* formats of blocks of two texels never are */
   bool is_placed; /* by rt_image_set_plane() */
   uint32_t num_planes;
   struct rt_plane planes[3];
   const struct abi_residency *residency; /* of the addresses it is bound to; NULL: all of them have memory */
   uint64_t size_bytes, align_bytes;
   uint32_t padding_bytes; /* that no texel uses, at the size's end: loads of the last texel stay inside */
};

/* Computes the layout. VK_ERROR_OUT_OF_DEVICE_MEMORY if it exceeds `max_bytes`. */
UTIL_MUST_CHECK VkResult rt_image_init(struct rt_image *image, VkImageType type, VkFormat format, VkExtent3D extent,
                                       uint32_t num_levels, uint32_t num_layers, uint32_t num_samples, bool is_tiled,
                                       uint64_t max_bytes);
/* The same for an image that is bound to reserved addresses; `by_block`: in blocks of rt_sparse_block(), else as bytes. */
UTIL_MUST_CHECK VkResult rt_image_init_sparse(struct rt_image *image, VkImageType type, VkFormat format, VkExtent3D extent,
                                              uint32_t num_levels, uint32_t num_layers, uint32_t num_samples, bool is_tiled,
                                              bool by_block, uint64_t max_bytes);
/* After rt_image_init(), where what stands behind the image can be read: takes padding from its end, and from those of its planes. */
void rt_image_unpad(struct rt_image *image);
/* After rt_image_init(): each plane is bound to memory of its own, of so many bytes, aligned as the image. */
void rt_image_make_disjoint(struct rt_image *image);
/* After these, of LINEAR images of one level and layer: puts a plane where somebody else has decided, and takes padding from the image's end. False, and
 * nothing is changed, if rows would overlap or their texels not be aligned, or if it would be too large. */
UTIL_MUST_CHECK bool rt_image_set_plane(struct rt_image *image, uint32_t plane, uint64_t offset_bytes, uint64_t row_pitch_bytes);
uint64_t rt_image_disjoint_bytes(const struct rt_image *image, uint32_t plane);
void rt_image_bind(struct rt_image *image, void *memory);
void rt_image_bind_plane(struct rt_image *image, uint32_t plane, void *memory);
uint32_t rt_image_plane(const struct rt_image *image, VkImageAspectFlags aspect); /* index of the aspect's plane */

/* Where a subresource of a LINEAR image is, as vkGetImageSubresourceLayout() says; compressed formats count rows of
 * blocks. */
void rt_image_subresource_layout(const struct rt_image *image, VkImageAspectFlags aspect, uint32_t level,
                                 uint32_t layer, VkSubresourceLayout *layout);

/* Fills a view; `aspect` chooses the plane (for combined formats one of DEPTH, STENCIL); with COLOR formats of several
 * parts give luma. Component swizzles as in
 * VkImageViewCreateInfo. Layer and level counts are resolved (no VK_REMAINING). 2D (array) views of 3D images: layers
 * are slices of the base level; `data` then points at the first slice and layer_bytes is the level's slice_bytes, so
 * users need not look at base_slice (0); where slices are of blocks of several texels there are no such views, and data is
 * NULL. A view with an uncompressed format on a compressed image has texels that are
 * blocks. An image without memory gives a view with data NULL. */
void rt_image_view_init(struct abi_image *view, const struct rt_image *image, VkImageViewType type, VkFormat format,
                        VkComponentMapping swizzle, VkImageAspectFlags aspect, uint32_t base_level, uint32_t num_levels,
                        uint32_t base_layer, uint32_t num_layers, float min_lod);
/* The same of a part of the format, below info->num_parts, with no swizzle. */
void rt_image_view_part(struct abi_image *view, const struct rt_image *image, VkImageViewType type,
                        const struct rt_format_info *info, uint32_t part, uint32_t base_level, uint32_t num_levels,
                        uint32_t base_layer, uint32_t num_layers);
/* Leaves of a 3D view of one level only the slices from `first` on, at most `count`. */
void rt_image_view_slice(struct abi_image *view, uint32_t first, uint32_t count);
/* A texel buffer: as many texels as fit into `range_bytes`, at most RT_MAX_TEXEL_BUFFER_ELEMENTS and RT_MAX_TEXEL_BUFFER_BYTES. */
void rt_buffer_view_init(struct abi_image *view, void *data, VkFormat format, uint64_t range_bytes);

/* Slices of a level in memory: of texels, or of compressed blocks. */
static inline uint32_t rt_level_slices(const struct rt_plane *plane, const struct abi_level *level)
{
   return UTIL_DIV_ROUND_UP(level->depth, plane->info->block_depth);
}

/* Sets what the view's `direct` says; all else is set. */
void rt_view_set_direct(struct abi_image *view);

/* Byte offset of texel (or compressed block) x, y in slice z (of blocks) of a level, sample s. */
static inline uint64_t rt_level_offset(const struct abi_level *level, bool is_tiled, uint32_t texel_bytes, uint32_t x,
                                       uint32_t y, uint32_t z, uint32_t s, uint32_t num_samples)
{
   if (!is_tiled)
      return level->offset_bytes + z * level->slice_bytes + (uint64_t)y * level->row_pitch_bytes +
             (uint64_t)x * texel_bytes;
   const uint32_t in_x = x & ((1u << level->tile_log2_x) - 1), in_y = y & ((1u << level->tile_log2_y) - 1);
   const uint32_t block_bytes = 16 * texel_bytes * num_samples;
   return level->offset_bytes + z * level->slice_bytes + (uint64_t)(x >> level->tile_log2_x) * level->tile_bytes +
          (uint64_t)(y >> level->tile_log2_y) * level->tile_row_bytes + (in_x >> 2) * block_bytes +
          (in_y >> 2) * level->block_row_bytes + s * 16 * texel_bytes +
          ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2) * texel_bytes;
}

/* The texel (or compressed block), and which sample of it, that holds the byte `offset` of a level, level->offset_bytes being the first. */
struct rt_texel_position {
   uint32_t x, y, z, sample;
};
struct rt_texel_position rt_level_texel(const struct abi_level *level, bool is_tiled, uint32_t texel_bytes, uint32_t num_samples, uint64_t offset);
