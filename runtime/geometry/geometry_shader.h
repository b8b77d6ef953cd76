/* SPDX-License-Identifier: MIT
 * Geometry shaders: takes packets of primitives with all their vertices, gives packets of the primitives that the shader
 * makes of these. A lane is an invocation for one primitive; what lanes emit lies side by side, and the corners that are
 * made of it bring it into the API's order: primitive after primitive, invocation after invocation.
 * Spec: Geometry Shading. Threads: one worker at a time. */
#pragma once

#include "runtime/geometry/packet.h"
#include "runtime/geometry/xfb.h"

struct rt_geometry_shader {
   struct rt_packet packet; /* what it gives */
   uint32_t next;           /* invocation of the packet that is read: primitive * invocations + number */
   uint32_t *inputs, *outputs, *num_vertices, *primitive_ids, *invocation_ids; /* of one call: abi_geometry_args */
};

/* Words that its arrays of one call take. */
struct rt_geometry_size {
   size_t inputs, outputs;
};
void rt_geometry_measure(struct rt_geometry_size *size, const struct rt_context *context);

/* Invocations that a packet of so many primitives takes. */
static inline uint32_t rt_geometry_invocations(const struct rt_context *context, const struct rt_packet *source)
{
   return source->num_prims * context->gs->num_invocations;
}

/* Runs invocations from shader->next on, as many as have room, and moves it on. source: its batch has kept its outputs.
 * xfb: what is captured is added to it. */
void rt_geometry_run(struct rt_geometry_shader *shader, const struct rt_draw *draw, uint32_t view,
                     const struct rt_packet *source, struct rt_xfb_store *xfb, struct rt_worker *worker);
