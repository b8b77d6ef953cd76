/* SPDX-License-Identifier: MIT
 * Hierarchical Z: depth bounds of 16x16 regions of a tile, so that hidden primitives cost nothing per texel. Never
 * changes a result: the depth of a fragment is a chain of operations that are monotonic in x and y even when rounded,
 * so evaluating the same chain at the corners of a rectangle bounds it exactly. Bounds are in the attachment's units
 * and count for all samples. A write moves only the bound that a compare op can move, to infinity; when a region's
 * worth of blocks has been written and somebody asks, the bounds are found again from memory. */
#pragma once

#include "runtime/fragment/tile.h"

enum { RT_HIZ_REFRESH = 16, RT_HIZ_MAX_REFRESH = 256 }; /* blocks written before bounds are found again */

/* Bounds unknown. */
void rt_hiz_init(struct rt_tile *tile);
/* All of the tile has this depth. */
void rt_hiz_clear(struct rt_tile *tile, float quantized);
/* Finds a region's bounds from memory. */
void rt_hiz_update(struct rt_tile *tile, uint32_t region);

static inline void rt_hiz_written(struct rt_hiz *hiz, uint32_t region, VkCompareOp op)
{
   if (op != VK_COMPARE_OP_GREATER && op != VK_COMPARE_OP_GREATER_OR_EQUAL)
      hiz->min[region] = -__builtin_inff();
   if (op != VK_COMPARE_OP_LESS && op != VK_COMPARE_OP_LESS_OR_EQUAL)
      hiz->max[region] = __builtin_inff();
   hiz->written[region] += hiz->written[region] < RT_HIZ_MAX_REFRESH;
}

/* Depth at a window position by the same operations as blocks of fragments. */
static inline float rt_hiz_depth(const struct rt_tile *tile, float x, float y)
{
   const struct abi_primitive *p = &tile->prim->abi;
   const struct rt_depth_state *depth = &tile->context->depth;
   float z = (p->z.c + p->z.dx * (x - p->x0)) + p->z.dy * (y - p->y0);
   if (depth->has_clamp) {
      const struct rt_viewport *vp = &tile->draw->viewports->items[p->viewport];
      z = z > vp->z_lo ? z : vp->z_lo;
      z = z < vp->z_hi ? z : vp->z_hi;
   }
   return rt_depth_quantize((enum rt_depth_format)depth->format, z, depth->z_min, depth->z_max);
}

/* True if no fragment in texels [x0, x1] x [y0, y1] (window, inclusive of the far border) of the current primitive
 * passes the depth test. All lie in the region. */
static inline bool rt_hiz_hides(const struct rt_tile *tile, uint32_t region, float x0, float y0, float x1, float y1)
{
   const struct abi_plane *z = &tile->prim->abi.z;
   if (!(z->dx - z->dx == 0) || !(z->dy - z->dy == 0) || z->c != z->c)
      return false;
   const float near_x = z->dx > 0 ? x0 : x1, near_y = z->dy > 0 ? y0 : y1;
   const float far_x = z->dx > 0 ? x1 : x0, far_y = z->dy > 0 ? y1 : y0;
   switch (tile->context->depth.compare_op) {
   case VK_COMPARE_OP_LESS:
      return rt_hiz_depth(tile, near_x, near_y) >= tile->hiz.max[region];
   case VK_COMPARE_OP_LESS_OR_EQUAL:
      return rt_hiz_depth(tile, near_x, near_y) > tile->hiz.max[region];
   case VK_COMPARE_OP_GREATER:
      return rt_hiz_depth(tile, far_x, far_y) <= tile->hiz.min[region];
   case VK_COMPARE_OP_GREATER_OR_EQUAL:
      return rt_hiz_depth(tile, far_x, far_y) < tile->hiz.min[region];
   case VK_COMPARE_OP_EQUAL:
      return rt_hiz_depth(tile, near_x, near_y) > tile->hiz.max[region] ||
             rt_hiz_depth(tile, far_x, far_y) < tile->hiz.min[region];
   default:
      return false;
   }
}
