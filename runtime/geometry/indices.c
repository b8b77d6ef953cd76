/* SPDX-License-Identifier: MIT
 * Topologies and index buffers. */
#include "runtime/geometry/indices.h"

#include <string.h>

uint32_t rt_topology_vertices(VkPrimitiveTopology topology)
{
   switch (topology) {
   case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
      return 1;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return 2;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return 3;
   default:
      return 0;
   }
}

uint32_t rt_topology_adjacent(VkPrimitiveTopology topology)
{
   switch (topology) {
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return 4;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return 6;
   default:
      return rt_topology_vertices(topology);
   }
}

uint32_t rt_topology_prims(VkPrimitiveTopology topology, uint32_t count)
{
   switch (topology) {
   case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
      return count;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
      return count / 2;
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
      return count >= 2 ? count - 1 : 0;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
      return count / 3;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
      return count >= 3 ? count - 2 : 0;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
      return count / 4;
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return count >= 4 ? count - 3 : 0;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
      return count / 6;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return count >= 6 ? (count - 4) / 2 : 0;
   default:
      return 0;
   }
}

uint32_t rt_draw_prims(const struct rt_draw *draw, uint32_t count)
{
   if (draw->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
      return draw->corners ? count / draw->corners : 0;
   return rt_topology_prims((VkPrimitiveTopology)draw->topology, count);
}

uint32_t rt_segments_find(const struct rt_draw *draw, uint32_t prim)
{
   uint32_t lo = 0, hi = draw->num_segments;
   while (hi - lo > 1) {
      const uint32_t mid = lo + (hi - lo) / 2;
      if (draw->segments[mid].first_prim <= prim)
         lo = mid;
      else
         hi = mid;
   }
   return lo;
}

/* Spec: the vertices of strip triangle i are i, i + (1 + i%2), i + (2 - i%2). `step`: positions from vertex to vertex. */
static void assemble_strip(uint32_t base, uint32_t step, uint32_t first, uint32_t count, uint32_t *out)
{
   for (uint32_t i = 0; i < count; i++, out += 3) {
      const uint32_t p = first + i, odd = p & 1;
      out[0] = base + p * step;
      out[1] = base + (p + 1 + odd) * step;
      out[2] = base + (p + 2 - odd) * step;
   }
}

/* Spec: "Triangle Strips With Adjacency". `last`: the strip's last triangle. */
static void assemble_adjacent_strip(uint32_t base, uint32_t last, uint32_t first, uint32_t count, uint32_t *out)
{
   for (uint32_t i = 0; i < count; i++, out += 6) {
      const uint32_t p = first + i, odd = p & 1, at = base + p * 2;
      const uint32_t before = p ? at - 2 : at + 1, beyond = p == last ? at + 5 : at + 6;
      out[0] = at;
      out[1] = odd ? at + 3 : before;
      out[2] = odd ? at + 4 : at + 2;
      out[3] = beyond;
      out[4] = odd ? at + 2 : at + 4;
      out[5] = odd ? before : at + 3;
   }
}

/* `count` primitives of the vertices that `order` names, each `step` positions after the one before. */
static void assemble_steps(uint32_t base, uint32_t step, uint32_t first, uint32_t count, const uint8_t *order,
                           uint32_t corners, uint32_t *out)
{
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t k = 0; k < corners; k++)
         *out++ = base + (first + i) * step + order[k];
   }
}

/* For geometry shaders triangles end with the vertex that provokes, as OpenGL and other drivers have it; their winding stays. */
static void end_with_provoking(VkPrimitiveTopology topology, uint32_t first, uint32_t count, uint32_t corners, uint32_t *positions)
{
   const uint32_t step = corners / 3; /* 2: with an adjacent vertex each */
   for (uint32_t i = 0; i < count; i++, positions += corners) {
      uint32_t turned[6];
      uint8_t turn;
      rt_find_turns(topology, first + i, 1, &turn);
      for (uint32_t k = 0; k < corners; k++)
         turned[k] = positions[(k + (turn + 1) * step) % corners];
      memcpy(positions, turned, corners * sizeof(*positions));
   }
}

void rt_assemble(const struct rt_draw *draw, const struct rt_segment *segment, uint32_t first, uint32_t count,
                 uint32_t *positions)
{
   static const uint8_t in_order[] = {0, 1, 2, 3, 4, 5}, inner_line[] = {1, 2}, inner_triangle[] = {0, 2, 4};
   const uint32_t base = segment->first, corners = draw->corners;
   uint32_t *out = positions;
   switch (draw->topology) {
   case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
      assemble_steps(base, 1, first, count, in_order, corners, out);
      break;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
      assemble_steps(base, corners, first, count, in_order, corners, out);
      break;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
      assemble_steps(base, 4, first, count, corners == 4 ? in_order : inner_line, corners, out);
      break;
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      assemble_steps(base, 1, first, count, corners == 4 ? in_order : inner_line, corners, out);
      break;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
      assemble_strip(base, 1, first, count, out);
      break;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN: /* i + 1, i + 2, 0 */
      for (uint32_t i = 0; i < count; i++, out += 3) {
         out[0] = base + first + i + 1;
         out[1] = base + first + i + 2;
         out[2] = base;
      }
      break;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
      assemble_steps(base, 6, first, count, corners == 6 ? in_order : inner_triangle, corners, out);
      break;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      if (corners == 6)
         assemble_adjacent_strip(base, (segment->count - 4) / 2 - 1, first, count, out);
      else
         assemble_strip(base, 2, first, count, out);
      break;
   default:
      break;
   }
   if (draw->context->gs && draw->context->state.provoking_vertex.last && (corners == 3 || corners == 6))
      end_with_provoking((VkPrimitiveTopology)draw->topology, first, count, corners, positions);
}

void rt_find_turns(VkPrimitiveTopology topology, uint32_t first, uint32_t count, uint8_t *turns)
{
   const bool is_strip = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
                         topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
   const uint8_t turn = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ? 1 : 2;
   for (uint32_t i = 0; i < count; i++)
      turns[i] = is_strip ? 2 - ((first + i) & 1) : turn;
}

uint32_t rt_index_fetch(const struct rt_draw *draw, uint32_t position)
{
   const uint64_t at = ((uint64_t)draw->params.first + position) * draw->index_bytes;
   const uint8_t *data = draw->index_buffer.data;
   if (!data || at + draw->index_bytes > draw->index_buffer.size_bytes)
      return 0;
   switch (draw->index_bytes) {
   case 1:
      return data[at];
   case 2: {
      uint16_t v;
      __builtin_memcpy(&v, data + at, 2);
      return v;
   }
   default: {
      uint32_t v;
      __builtin_memcpy(&v, data + at, 4);
      return v;
   }
   }
}

/* Blocks that have it nowhere are passed over; of `count` indices. */
#define FIND(type)                                                                                                     \
   for (; i + FIND_STEP <= count; i += FIND_STEP) {                                                                    \
      type block[FIND_STEP], found = 0;                                                                                \
      __builtin_memcpy(block, data + (size_t)i * sizeof(type), sizeof(block));                                         \
      for (uint32_t k = 0; k < FIND_STEP; k++)                                                                         \
         found |= block[k] == (type)index;                                                                             \
      if (found)                                                                                                       \
         break;                                                                                                        \
   }                                                                                                                   \
   break

uint32_t rt_index_find(const struct rt_draw *draw, uint32_t first, uint32_t end, uint32_t index)
{
   enum { FIND_STEP = 64 };
   const uint64_t begin = ((uint64_t)draw->params.first + first) * draw->index_bytes, size_bytes = draw->index_buffer.size_bytes;
   const uint8_t *data = draw->index_buffer.data;
   const uint64_t inside = data && begin < size_bytes ? (size_bytes - begin) / draw->index_bytes : 0;
   const uint32_t count = (uint32_t)UTIL_MIN(inside, (uint64_t)(end - first));
   uint32_t i = 0;
   if ((uint64_t)index >> 8 * draw->index_bytes)
      return end;
   data += count ? begin : 0;
   switch (draw->index_bytes) {
   case 1:
      FIND(uint8_t);
   case 2:
      FIND(uint16_t);
   default:
      FIND(uint32_t);
   }
   while (i < count && rt_index_fetch(draw, first + i) != index)
      i++;
   return i < count || !index ? first + i : end;
}

/* All positions are inside the buffer. */
#define TRANSLATE(type)                                                                                                \
   for (uint32_t i = 0; i < count; i++) {                                                                              \
      type index;                                                                                                      \
      __builtin_memcpy(&index, data + (size_t)positions[i] * sizeof(type), sizeof(type));                              \
      positions[i] = index;                                                                                            \
   }                                                                                                                   \
   break

void rt_index_translate(const struct rt_draw *draw, uint32_t *positions, uint32_t count)
{
   uint32_t last = 0;
   for (uint32_t i = 0; i < count; i++)
      last = UTIL_MAX(last, positions[i]);
   const uint64_t begin = (uint64_t)draw->params.first * draw->index_bytes;
   const uint64_t end = begin + ((uint64_t)last + 1) * draw->index_bytes;
   if (!draw->index_buffer.data || end > draw->index_buffer.size_bytes) {
      for (uint32_t i = 0; i < count; i++)
         positions[i] = rt_index_fetch(draw, positions[i]);
      return;
   }
   const uint8_t *data = draw->index_buffer.data + begin;
   switch (draw->index_bytes) {
   case 1:
      TRANSLATE(uint8_t);
   case 2:
      TRANSLATE(uint16_t);
   default:
      TRANSLATE(uint32_t);
   }
}

#define WIDEN(type)                                                                                                    \
   for (uint32_t i = 0; i < count; i++) {                                                                              \
      type index;                                                                                                      \
      __builtin_memcpy(&index, data + (size_t)i * sizeof(type), sizeof(type));                                         \
      indices[i] = index;                                                                                              \
   }                                                                                                                   \
   break

const uint32_t *rt_index_run(const struct rt_draw *draw, uint32_t first, uint32_t count, uint32_t *indices)
{
   const uint64_t begin = ((uint64_t)draw->params.first + first) * draw->index_bytes;
   if (!draw->index_buffer.data ||
       begin + (uint64_t)count * draw->index_bytes > draw->index_buffer.size_bytes) {
      for (uint32_t i = 0; i < count; i++)
         indices[i] = rt_index_fetch(draw, first + i);
      return indices;
   }
   const uint8_t *data = draw->index_buffer.data + begin;
   switch (draw->index_bytes) {
   case 1:
      WIDEN(uint8_t);
   case 2:
      WIDEN(uint16_t);
   default:
      if ((uintptr_t)data % sizeof(uint32_t) == 0)
         return (const uint32_t *)(const void *)data;
      __builtin_memcpy(indices, data, (size_t)count * sizeof(uint32_t));
      break;
   }
   return indices;
}
