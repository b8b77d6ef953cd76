/* SPDX-License-Identifier: MIT
 * The rows of random calls that read descriptors and commands from memory: descriptor buffers, which hold descriptors or anything else, and generated commands,
 * whose counts are small and whose pipelines are any numbers. Threads: one. */
#pragma once

#include "tests/fuzz/calls_world.h"

/* Features that the device is to have; `next` follows them. */
void *calls_generated_features(void *next);
/* After calls_rays_init(). */
void calls_generated_init(struct world *w);

/* The rows: of the host, outside of a rendering, and within. */
void calls_write_descriptors(struct commands *c, struct input *in);
void calls_write_sequences(struct commands *c, struct input *in);
void calls_dispatch_with_descriptors(struct commands *c, struct input *in);
void calls_generate_dispatches(struct commands *c, struct input *in);
void calls_generate_draws(struct commands *c, struct input *in);
