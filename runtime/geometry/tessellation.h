/* SPDX-License-Identifier: MIT
 * Tessellation: takes packets of patches, gives packets of what they are divided into. Control shaders run for many patches a
 * call, a lane a patch, and what they write stays in rows of such lanes, where evaluation shaders read it. The lanes of those are
 * vertices of one patch or, where patches in a row are divided alike into little, the same vertex of these.
 * A packet that is full ends between two pieces of a pattern; the next one goes on there. Spec: Tessellation.
 * Threads: one worker at a time. */
#pragma once

#include "runtime/geometry/packet.h"
#include "runtime/geometry/tessellator.h"

struct rt_tessellation {
   struct rt_packet packet; /* what it gives */
   uint32_t next;           /* patch of the packet that is read: not given to the control shader yet */
   uint32_t batch_first, batch_count, batch_next; /* patches that it was given last; of them, the one in hand */
   uint32_t piece;          /* of that one's pattern */
   uint32_t *inputs, *outputs, *primitive_ids; /* abi_control_args */
   float *coords;           /* abi_evaluation_args */
   struct rt_tess_cache *cache; /* the worker's */
};

/* Words that its arrays take. */
struct rt_tessellation_size {
   size_t inputs, outputs;
};
void rt_tessellation_measure(struct rt_tessellation_size *size, const struct rt_context *context);

/* Before the first patch of a packet. */
static inline void rt_tessellation_begin(struct rt_tessellation *tess)
{
   tess->next = tess->batch_count = tess->batch_next = tess->piece = 0;
}
/* All of the packet is done. */
static inline bool rt_tessellation_is_done(const struct rt_tessellation *tess, const struct rt_packet *source)
{
   return tess->next == source->num_prims && tess->batch_next == tess->batch_count;
}

/* Goes on with the packet until it is done or the own packet is full. source: its batch has kept its outputs. */
void rt_tessellation_run(struct rt_tessellation *tess, const struct rt_draw *draw, uint32_t view, const struct rt_packet *source,
                         struct rt_worker *worker);
