/* SPDX-License-Identifier: MIT
 * The rows of random calls that are about rays: structures that are built, updated, copied and serialized, rays through them by queries and by pipelines.
 * Corners, boxes and rays are what the buffers of the world hold, whatever that is; instances name structures that are there, or none. What stands in a
 * binding table is a handle. Threads: one. */
#pragma once

#include "tests/fuzz/calls_world.h"

/* Features that the device is to have; `next` follows them. */
void *calls_rays_features(void *next);
/* After world_init(). */
void calls_rays_init(struct world *w);

/* The rows; all but the first are commands outside of a rendering. */
void calls_write_instances(struct commands *c, struct input *in);
void calls_build(struct commands *c, struct input *in);
void calls_copy_structure(struct commands *c, struct input *in);
void calls_query_rays(struct commands *c, struct input *in);
void calls_trace_rays(struct commands *c, struct input *in);
