/* SPDX-License-Identifier: MIT
 * Culling of triangles by 16: outside of the view volume, not finite, facing away, without area or without a
 * sample in their bounds. What is left goes on one by one; culling decides nothing that set-up would not decide too.
 * Spec: Rasterization, "Polygons", "Basic Polygon Rasterization"; Fixed-Function Vertex Post-Processing. */
#pragma once

#include "runtime/geometry/shade.h"

/* What culling needs of a draw's state. */
struct rt_cull {
   uint32_t outside_codes; /* a triangle whose vertices all have one of these is outside */
   uint32_t cutting_codes; /* one that has one of these has no window coordinates yet: it is kept */
   bool has_window;        /* window coordinates are those of the triangle's viewport, and may decide */
   bool has_bounds;        /* it is filled: it needs a sample inside its bounds */
   bool keeps_positive, keeps_negative; /* sign of the determinant of its window coordinates */
   int32_t lo, hi;                      /* as in rt_setup_bounds() */
   struct rt_rect rect;
};

/* What culling found out about 16 triangles. */
struct rt_culled {
   uint32_t left;     /* bit i: triangle i goes on */
   uint32_t is_ready; /* it is uncut and what follows is valid: rt_setup_culled() may take it */
   uint32_t is_positive, is_clipped, is_small;                 /* determinant; see struct rt_prim */
   int32_t x0[16], y0[16], x1[16], y1[16]; /* bounds inside the rectangle of polygons */
};

void rt_cull_init(struct rt_cull *cull, const struct rt_draw *draw, uint32_t outside_codes, uint32_t cutting_codes);

/* Culls 16 triangles after another, from number `first` (a multiple of 16) of `count` on, and stops at those of which
 * something is left: returns their number, or `count` or more. corners: [count * 3] vertices of the batch, then as many
 * as 16 triangles have that can be read too. */
uint32_t rt_cull_triangles(const struct rt_cull *cull, const struct rt_batch *batch, const uint16_t *corners,
                           uint32_t first, uint32_t count, struct rt_culled *culled);
