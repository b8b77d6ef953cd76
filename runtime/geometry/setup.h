/* SPDX-License-Identifier: MIT
 * Set-up: from clipped vertices in window coordinates to primitives with edge functions and planes, in the chunk's
 * buffer and bins. Spec: Rasterization, "Points", "Line Segments", "Polygons". */
#pragma once

#include "runtime/geometry/chunk.h"
#include "runtime/geometry/cull.h"

/* A vertex that is inside the guard band. `row`: context->num_planes attributes. */
struct rt_setup_vertex {
   struct rt_post at;
   const float *row;
};

/* Where a vertex is, in 24.8, and the size of its point. */
struct rt_setup_corner {
   int32_t x, y;
   float size;
};

/* What is the same for all primitives that clipping or polygon modes make of one. */
struct rt_setup {
   struct rt_chunk *chunk;
   const struct rt_draw *draw;
   const struct rt_context *context; /* the draw's */
   const float *flat_row; /* the provoking vertex's */
   const uint32_t *prim_values; /* the primitive's own, of a mesh shader */
   const float *corner_rows[3]; /* of the primitive's vertices in the API's order; where the context has corners */
   uint32_t primitive_id, layer, viewport, view;
   uint8_t rate; /* as rt_prim.rate */
   /* polygon modes line and point: the polygon's own facing and slope */
   bool has_polygon;
   bool is_front;
   float depth_bias;
   struct rt_setup_corner corners[3]; /* polygon mode point: those that the polygon has before it is clipped */
   float stipple; /* its counter, where the next line begins */
   uint64_t num_prims; /* that clipping let through, for statistics: culling and scissors come later */
   bool is_out_of_memory;
};

/* Each drops what is culled, empty or outside of the scissor. Triangles are clipped to polygon_rect. */
void rt_setup_triangle(struct rt_setup *setup, const struct rt_setup_vertex v[3]);
/* Triangle `lane` of those that culling left, its corners in slots[0..3) of the batch; filled, in the first viewport. */
void rt_setup_culled(struct rt_setup *setup, const struct rt_batch *batch, const uint16_t *slots,
                     const struct rt_culled *culled, uint32_t lane);
void rt_setup_line(struct rt_setup *setup, const struct rt_setup_vertex v[2]);
void rt_setup_point(struct rt_setup *setup, const struct rt_setup_vertex *v, float size);

/* ---- parts that triangles, lines and points share ---- */

/* The next free primitive, with everything but edges, bounds, reference point, z, inv_w and planes filled; not yet in
 * the chunk. */
struct rt_prim *rt_setup_prim(struct rt_setup *setup, bool is_front, uint32_t num_edges);
/* The `count` edge functions of a convex polygon with corners in clockwise order as seen on the screen (y down), 24.8. */
void rt_setup_edges(struct rt_prim *prim, const int32_t (*corners)[2], uint32_t count);
/* Computes bounds inside `rect` from the extent of the corners and adds the primitive to chunk and bins; drops it if
 * nothing is left. The bounds must have been set by rt_setup_bounds(). */
void rt_setup_add(struct rt_setup *setup, struct rt_prim *prim);

/* Bounds of the texels with samples in [x0, x1] x [y0, y1] (24.8) inside rect; false if there are none. */
static inline bool rt_setup_bounds(struct rt_prim *prim, const struct rt_rect *rect, bool is_multisampled, int32_t x0,
                                   int32_t y0, int32_t x1, int32_t y1)
{
   /* One sample, at the centre: the first centre at or after x0 to the last at or before x1. Else all texels touched.
    */
   const int32_t lo = is_multisampled ? 0 : 127, hi = is_multisampled ? 0 : -128;
   const int32_t left = (x0 + lo) >> 8, right = ((x1 + hi) >> 8) + 1, top = (y0 + lo) >> 8,
                 bottom = ((y1 + hi) >> 8) + 1;
   prim->is_clipped = left < rect->x0 || top < rect->y0 || right > rect->x1 || bottom > rect->y1;
   prim->is_small = x1 - x0 <= RT_SMALL_TEXELS * 256 && y1 - y0 <= RT_SMALL_TEXELS * 256;
   if (prim->is_clipped) {
      const int32_t cut[4] = {UTIL_MAX(left, rect->x0), UTIL_MAX(top, rect->y0), UTIL_MIN(right, rect->x1),
                              UTIL_MIN(bottom, rect->y1)};
      if (cut[0] >= cut[2] || cut[1] >= cut[3])
         return false;
      prim->x0 = (uint16_t)cut[0];
      prim->y0 = (uint16_t)cut[1];
      prim->x1 = (uint16_t)cut[2];
      prim->y1 = (uint16_t)cut[3];
      return true;
   }
   if (left >= right || top >= bottom)
      return false;
   prim->x0 = (uint16_t)left;
   prim->y0 = (uint16_t)top;
   prim->x1 = (uint16_t)right;
   prim->y1 = (uint16_t)bottom;
   return true;
}
