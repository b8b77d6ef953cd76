/* SPDX-License-Identifier: MIT
 * Gathering: which vertices the primitives of a packet need, each index once where that is cheap to know, and which of
 * them are the corners of each primitive. Spec: Drawing, "Primitive Topologies", "Programmable Primitive Shading".
 * Threads: one worker at a time; the arrays lie in its scratch memory. */
#pragma once

#include "runtime/geometry/indices.h"
#include "runtime/geometry/packet.h"

enum { RT_GATHER_CACHE_ENTRIES = 2048 };

struct rt_gather {
   uint64_t *cache_keys; /* [RT_GATHER_CACHE_ENTRIES] stamp << 32 | index: direct-mapped, so a miss shades a vertex twice;
                          * undefined while stamp is 0 */
   uint16_t *cache_slots;
   uint32_t stamp;
   uint8_t *marks;      /* [RT_PACKET_VERTICES] */
   uint16_t *slots;     /* [RT_PACKET_VERTICES] */
   uint32_t *positions; /* [RT_PACKET_CORNERS] */
};

/* Gathers primitives of the draw from number `first` on, over instances and segments, `count` at most, as many as fit,
 * at least one. Fills the packet, and the indices of its vertices. */
void rt_gather(struct rt_gather *gather, struct rt_packet *packet, const struct rt_draw *draw, uint64_t first, uint32_t count);
