/* SPDX-License-Identifier: MIT
 * The end of the chain of stages before rasterization: from packets, in API order, to a chunk's primitives and bins.
 * Spec: Fixed-Function Vertex Post-Processing. Threads: one worker at a time. */
#pragma once

#include "runtime/geometry/chunk.h"
#include "runtime/geometry/packet.h"

struct rt_emitter {
   float *clip_rows;   /* [RT_MAX_CLIP_VERTICES] rows */
   float *corner_rows; /* [3] rows */
   float stipple;      /* the counter of lines, from packet to packet */
   const struct rt_packet *packet; /* during a call */
};

/* Sets up the packet's primitives from number `first` on until the chunk is full; triangles start with their provoking
 * vertex. Returns the number of the first that waits: the packet's number of primitives if none does. */
uint32_t rt_emit_packet(struct rt_emitter *emitter, struct rt_chunk *chunk, const struct rt_draw *draw, uint32_t view,
                        const struct rt_packet *packet, uint32_t first);
