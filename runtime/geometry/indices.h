/* SPDX-License-Identifier: MIT
 * Topologies and index buffers: which vertices make a primitive.
 * Spec: Drawing, "Primitive Topologies", "Programmable Primitive Shading". A position is a vertex's number in the draw,
 * before the index buffer. */
#pragma once

#include "runtime/draw/context.h"

/* Primitives that `count` vertices make; 0 for topologies that are not supported. */
uint32_t rt_topology_prims(VkPrimitiveTopology topology, uint32_t count);
/* The same of the draw's topology, patches too. */
uint32_t rt_draw_prims(const struct rt_draw *draw, uint32_t count);
/* Corners of a primitive: 1, 2 or 3; 0: not supported. */
uint32_t rt_topology_vertices(VkPrimitiveTopology topology);
/* The same with adjacent vertices: 4 and 6 too. */
uint32_t rt_topology_adjacent(VkPrimitiveTopology topology);

/* The segment that holds primitive `prim` of an instance. */
uint32_t rt_segments_find(const struct rt_draw *draw, uint32_t prim);

/* Positions of the vertices of `count` primitives from local primitive `first` of a segment on, in the API's order; for
 * geometry shaders with the vertex that provokes at the end, if the last one does.
 * positions: [count * draw->corners]. */
void rt_assemble(const struct rt_draw *draw, const struct rt_segment *segment, uint32_t first, uint32_t count,
                 uint32_t *positions);
/* Where the last vertices provoke: the number of that corner of each of these triangles. */
void rt_find_turns(VkPrimitiveTopology topology, uint32_t first, uint32_t count, uint8_t *turns);

/* The index at a position; 0 outside of the buffer. */
uint32_t rt_index_fetch(const struct rt_draw *draw, uint32_t position);

/* The first of the positions [first, end) that has it; `end`: none. */
uint32_t rt_index_find(const struct rt_draw *draw, uint32_t first, uint32_t end, uint32_t index);

/* The indices at positions [first, first + count); 0 outside of the buffer. Fills `indices`, or returns the buffer's own
 * memory, which the application may change at any time. */
const uint32_t *rt_index_run(const struct rt_draw *draw, uint32_t first, uint32_t count, uint32_t *indices);

/* Positions to indices, in place. */
void rt_index_translate(const struct rt_draw *draw, uint32_t *positions, uint32_t count);
