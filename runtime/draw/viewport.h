/* SPDX-License-Identifier: MIT
 * Viewport transforms, and the limits that follow from them: clip rectangles and the guard band.
 * Spec: Fixed-Function Vertex Post-Processing, "Controlling the Viewport"; Fragment Operations, "Scissor Test". */
#pragma once

#include "runtime/draw/target.h"
#include "runtime/state.h"

/* Window coordinates (texels) that set-up accepts: edge functions stay exact in it. */
#define RT_GUARD_LO (-16000.0f)
#define RT_GUARD_HI (32380.0f)

struct rt_rect {
   int32_t x0, y0, x1, y1; /* half-open */
};

struct rt_viewport {
   float sx, sy, sz, ox, oy, oz; /* window = ndc * s + o */
   float z_lo, z_hi;             /* of depth clamping */
   bool is_guarded;              /* what is inside the view volume is well inside the guard band too */
   struct rt_rect
      polygon_rect;          /* scissor, render area and the viewport itself: polygons are clipped to the view volume */
   struct rt_rect wide_rect; /* scissor and render area: points and lines may leave the viewport */
};

/* What viewports and scissors mean for the target. */
struct rt_viewports {
   uint32_t count;
   bool has_near_far;   /* depth clip */
   bool has_negative_z; /* the view volume is -w <= z <= w */
   struct rt_viewport items[]; /* [count] */
};

/* Of a state: 1 to RT_MAX_VIEWPORTS. */
uint32_t rt_viewports_count(const struct rt_state *state);
/* viewports: with room for so many. */
void rt_viewports_init(struct rt_viewports *viewports, const struct rt_state *state, const struct rt_target *target);
