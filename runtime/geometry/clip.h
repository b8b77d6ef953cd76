/* SPDX-License-Identifier: MIT
 * Clipping against the view volume, the guard band and user clip distances.
 * Spec: Fixed-Function Vertex Post-Processing, "Primitive Clipping". Only planes that a vertex's clip code names are
 * cut; the sides of the view volume are left to the polygon rectangle unless a vertex is outside of the guard band. */
#pragma once

#include "runtime/geometry/setup.h"

enum { RT_MAX_CLIP_VERTICES = 3 + 7 + 8 };

/* A clipped primitive: window vertices with attributes, at most RT_MAX_CLIP_VERTICES corners. */
struct rt_clipped {
   uint32_t count;
   struct rt_setup_vertex vertices[RT_MAX_CLIP_VERTICES];
};

/* rows: [3] of the original vertices; scratch: room for RT_MAX_CLIP_VERTICES rows. `codes`: union of the vertices'
 * codes. Gives a convex polygon, or count 0. */
void rt_clip_triangle(const struct rt_draw *draw, const struct rt_vertex *const v[3], const float *const rows[3],
                      uint32_t codes, float *scratch, struct rt_clipped *out);
/* Lines are cut at the view volume itself. Gives 0 or 2 vertices. */
void rt_clip_line(const struct rt_draw *draw, const struct rt_vertex *const v[2], const float *const rows[2],
                  uint32_t codes, float *scratch, struct rt_clipped *out);
