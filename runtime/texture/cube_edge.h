/* SPDX-License-Identifier: MIT
 * Inside of any.c: texels beyond the edge of a face for a vector of lanes, as rt_tex_cube_edge() finds them.
 * Spec: Image Operations, "Cube Map Edge Handling". */
#pragma once

#include "runtime/texture/fast.h"

/* By face, then by edge (left, right, upper, lower): the neighbour, and its columns and rows: the first, the last, the same number along the edge, or
 * that counted from the other end. */
enum { RT_EDGE_FIRST = 0, RT_EDGE_SAME = 1, RT_EDGE_LAST = 2, RT_EDGE_TURNED = 3 }; /* bit 0: along the edge; bit 1: from the other end */
#define RT_EDGE(face, column, row) ((face) | RT_EDGE_##column << 3 | RT_EDGE_##row << 5)
static const uint32_t rt_cube_edges[6 * 4] = {
   RT_EDGE(4, LAST, SAME),   RT_EDGE(5, FIRST, SAME),   RT_EDGE(2, LAST, TURNED),  RT_EDGE(3, LAST, SAME),
   RT_EDGE(5, LAST, SAME),   RT_EDGE(4, FIRST, SAME),   RT_EDGE(2, FIRST, SAME),   RT_EDGE(3, FIRST, TURNED),
   RT_EDGE(1, SAME, FIRST),  RT_EDGE(0, TURNED, FIRST), RT_EDGE(5, TURNED, FIRST), RT_EDGE(4, SAME, FIRST),
   RT_EDGE(1, TURNED, LAST), RT_EDGE(0, SAME, LAST),    RT_EDGE(4, SAME, LAST),    RT_EDGE(5, TURNED, LAST),
   RT_EDGE(1, LAST, SAME),   RT_EDGE(0, FIRST, SAME),   RT_EDGE(2, SAME, LAST),    RT_EDGE(3, SAME, FIRST),
   RT_EDGE(0, LAST, SAME),   RT_EDGE(1, FIRST, SAME),   RT_EDGE(2, TURNED, FIRST), RT_EDGE(3, TURNED, LAST),
};

/* Where texels are: on the face that counts into `layer`, or one beyond an edge of it. */
struct rt_cube_texel {
   rt_vi at[2];
   rt_vu layer;
   rt_vi is_corner; /* beyond two edges: no texel is there; that of the corner is as good as any */
};

/* All ones where the bit is set. */
RT_SIMD rt_vi rt_edge_bit(rt_vi entry, uint32_t bit)
{
   return entry << (31 - bit) >> 31;
}

RT_SIMD void rt_cube_cross(struct rt_cube_texel *texel, rt_vi size, uint32_t num_layers)
{
   const rt_vi x = texel->at[0], y = texel->at[1], last = size - 1, zero = rt_vi_set(0);
   const rt_vi x_out = (rt_vi)((rt_vu)x >= (rt_vu)size), y_out = (rt_vi)((rt_vu)y >= (rt_vu)size), crosses = x_out ^ y_out;
   texel->is_corner = x_out & y_out;
   texel->at[0] = rt_vi_min(rt_vi_max(x, zero), last);
   texel->at[1] = rt_vi_min(rt_vi_max(y, zero), last);
   if (!rt_vi_mask(crosses))
      return;
   const rt_vi along = rt_vi_select(x_out, y, x);
   const rt_vi edge = rt_vi_select(x_out, (x > 0) & 1, 2 + ((y > 0) & 1));
   const rt_vi cube = (rt_vi)(texel->layer * 43691 >> 18) * 6; /* layers are fewer than 2^16: the whole sixths */
   const rt_vi entry = (rt_vi)rt_vu_gather_words((const uint8_t *)rt_cube_edges, (rt_vu)(((rt_vi)texel->layer - cube) * 4 + edge));
   for (uint32_t a = 0; a < 2; a++) {
      const rt_vi number = along & rt_edge_bit(entry, 3 + 2 * a);
      texel->at[a] = rt_vi_select(crosses, rt_vi_select(rt_edge_bit(entry, 4 + 2 * a), last - number, number), texel->at[a]);
   }
   const rt_vi layer = rt_vi_min(cube + (entry & 7), rt_vi_set((int32_t)num_layers - 1));
   texel->layer = (rt_vu)rt_vi_select(crosses, layer, (rt_vi)texel->layer);
}
