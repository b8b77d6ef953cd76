/* SPDX-License-Identifier: MIT
 * An attachment as the worker of one tile sees it: blocks of 4x4 texels by their position in the tile, for OPTIMAL and
 * LINEAR images alike. Blocks of OPTIMAL images are used in place; those of LINEAR ones are gathered into a buffer and
 * scattered back. */
#pragma once

#include "runtime/draw/target.h"
#include "runtime/format/format.h"
#include "runtime/image/image.h"

struct rt_surface {
   uint8_t *base; /* of the tile; NULL: no attachment */
   const struct rt_format_info *info;
   uint32_t texel_bytes, num_samples;
   bool is_tiled;
   uint32_t row_pitch_bytes; /* LINEAR */
   int32_t width, height;    /* LINEAR: texels of the image from the tile's origin on */
   size_t column_bytes[RT_TILE_BLOCKS], row_bytes[RT_TILE_BLOCKS]; /* OPTIMAL: of blocks from base */
   uint64_t shadow_bytes; /* `uninit`: from a texel to its shadow; 0: it has none. By rt_tile_follow() */
};

enum { RT_MAX_BLOCK_BYTES = 256 }; /* one sample of a block: 16 texels of 16 bytes */

/* (x, y): the tile's origin in texels. */
void rt_surface_init(struct rt_surface *surface, const struct abi_image *view, uint32_t layer, uint32_t x, uint32_t y);
/* The same attachment in memory of the worker's own, RT_TILE * RT_TILE texels with all samples: for contents that nobody
 * sees before or after the tile. */
void rt_surface_init_local(struct rt_surface *surface, const struct abi_image *view, uint8_t *memory);
static inline size_t rt_surface_local_bytes(const struct abi_image *view)
{
   return (size_t)RT_TILE * RT_TILE * view->texel_bytes * view->num_samples;
}
void rt_surface_gather(const struct rt_surface *surface, uint32_t bx, uint32_t by, void *buffer);
void rt_surface_scatter(const struct rt_surface *surface, uint32_t bx, uint32_t by, const void *buffer);

/* The 16 texels of a block's sample: in place, or copied into `buffer`. */
static inline uint8_t *rt_surface_map(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample,
                                      void *buffer)
{
   if (surface->is_tiled)
      return surface->base + surface->column_bytes[bx] + surface->row_bytes[by] + sample * 16 * surface->texel_bytes;
   rt_surface_gather(surface, bx, by, buffer);
   return buffer;
}

/* After writing to what rt_surface_map() gave. */
static inline void rt_surface_unmap(const struct rt_surface *surface, uint32_t bx, uint32_t by, const void *texels)
{
   if (!surface->is_tiled)
      rt_surface_scatter(surface, bx, by, texels);
}
