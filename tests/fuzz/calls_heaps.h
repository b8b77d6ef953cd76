/* SPDX-License-Identifier: MIT
 * The rows of random calls that find descriptors in heaps: by offsets, by indices in push data and in memory, which are any numbers, through descriptors, or
 * bytes that are none. Buffers that push data names by address are those of the world. Threads: one. */
#pragma once

#include "tests/fuzz/calls_world.h"

/* Features that the device is to have; `next` follows them. */
void *calls_heaps_features(void *next);
/* After world_init(). */
void calls_heaps_init(struct world *w);

/* The rows: of the host, and outside of a rendering. */
void calls_write_heaps(struct commands *c, struct input *in);
void calls_dispatch_with_heaps(struct commands *c, struct input *in);
