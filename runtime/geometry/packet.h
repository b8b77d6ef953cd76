/* SPDX-License-Identifier: MIT
 * A packet: primitives with the vertices that they use, as one stage before rasterization hands it to the next.
 * Corners are in the API's order, adjacent vertices among them, up to the chain's end: rt_packet_provoke() turns
 * triangles there. Threads: one worker at a time; the arrays lie in its scratch memory. */
#pragma once

#include "runtime/geometry/shade.h"

enum {
   RT_PACKET_PRIMS = 4096,    /* at most, where they share vertices */
   RT_PACKET_CORNERS = RT_PACKET_PRIMS * 3,
   RT_PACKET_VERTICES = 3072, /* so each packet takes a thousand triangles at least */
   RT_PACKET_PADDED = RT_PACKET_VERTICES + ABI_VERTEX_BATCH, /* the last call may write more than the packet has */
};

/* Where a mesh shader's primitive goes. */
struct rt_prim_extra {
   uint32_t layer, viewport, rate;
};

struct rt_packet {
   struct rt_batch batch; /* the vertices */
   uint32_t num_prims, corners_per_prim;
   uint16_t *corners;       /* [RT_PACKET_CORNERS] vertices of the batch, num_prims times corners_per_prim; 16 triangles can
                             * be read from each */
   uint32_t *primitive_ids; /* [RT_PACKET_PRIMS] */
   uint8_t *turns;  /* [RT_PACKET_PRIMS] which corner provokes; valid for triangles if the last vertex provokes */
   uint8_t *starts; /* [RT_PACKET_PRIMS] nonzero: the first primitive of a strip; valid for context->continues_lines */
   uint32_t *prim_values; /* [RT_PACKET_PRIMS][context->num_prim_values] what a mesh shader says of primitives */
   struct rt_prim_extra *prim_extras; /* [RT_PACKET_PRIMS] valid if context->has_prim_extras */
};

/* Vectors of triangles read defined corners behind the last one. */
static inline void rt_packet_pad(struct rt_packet *packet)
{
   __builtin_memset(packet->corners + (size_t)packet->num_prims * packet->corners_per_prim, 0, 48 * sizeof(*packet->corners));
}

/* Puts the provoking vertex of each triangle first; their winding stays. */
static inline void rt_packet_provoke(struct rt_packet *packet)
{
   for (uint32_t i = 0; i < packet->num_prims; i++) {
      uint16_t *v = packet->corners + (size_t)i * 3;
      const uint16_t five[5] = {v[0], v[1], v[2], v[0], v[1]};
      __builtin_memcpy(v, five + packet->turns[i], 3 * sizeof(*v));
   }
}
