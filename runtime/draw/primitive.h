/* SPDX-License-Identifier: MIT
 * A primitive that is set up: edge functions, bounds and planes; what geometry hands to the rasterizer.
 * Spec: Rasterization, "Polygons". Window positions are 24.8 fixed point; the guard band keeps them within 2^23. */
#pragma once

#include "abi/shader.h"

#include <vulkan/vulkan_core.h>

enum { RT_PRIM_ALIGN = 16, RT_MAX_EDGES = 4, RT_SMALL_TEXELS = 16 };

enum rt_prim_class {
   RT_PRIM_POLYGON, /* convex, three or four edges: triangles, lines, points */
   RT_PRIM_LINE,    /* the same with a struct rt_line behind the planes */
   RT_PRIM_CLEAR,   /* vkCmdClearAttachments */
};

/* Inside where a * x + b * y + c >= 0, (x, y) in fixed point; the top-left rule is folded into c. |a|, |b| < 2^24. */
struct rt_edge_eq {
   int32_t a, b;
   int64_t c;
};

/* One attachment to clear. */
struct rt_clear {
   VkImageAspectFlags aspect; /* one bit */
   uint32_t attachment;       /* of colours */
   uint8_t texel[16];         /* packed */
};

/* What decides the coverage of a stippled or smooth line, or of a Bresenham line with several samples, beside its edges.
 * Spec: Rasterization, "Line Stipple", "Bresenham Line Segment Rasterization", "Smooth Lines". */
struct rt_line {
   float x0, y0; /* where the segment begins, texels */
   float dx, dy; /* by which the stipple's counter grows a texel */
   float phase;  /* the counter where the segment begins */
   uint32_t factor, pattern;
   bool covers_texels; /* by their centres, all samples alike */
   float length, half_width; /* texels; smooth lines, where (dx, dy) is the line's direction */
};

struct rt_prim {
   union {
      const struct rt_draw *draw;
      const struct rt_clear *clear;
   };
   uint16_t x0, y0, x1, y1; /* texels that may be covered, half-open; inside scissor and render area */
   uint8_t class;           /* enum rt_prim_class */
   uint8_t num_edges;
   bool is_small;   /* its corners span RT_SMALL_TEXELS at most, so edge functions near it are small numbers */
   uint8_t rate;    /* shading rate: the pipeline's and the primitive's; see fragment/rate.h */
   bool is_clipped; /* the bounds cut what the edges include */
   struct abi_primitive abi;
   struct rt_edge_eq edges[]; /* [num_edges], then the planes: abi.planes points there */
};

/* num_edges must be set. */
static inline struct abi_plane *rt_prim_planes(struct rt_prim *prim)
{
   return (struct abi_plane *)(prim->edges + prim->num_edges);
}
