/* SPDX-License-Identifier: MIT
 * Rows of calls_fuzzer.c of extensions whose commands name memory by its address, or whose shaders are not written in GLSL: copies whose parameters stand in
 * memory, decompression, conversion of matrices, cooperative vectors, image processing, execution graphs. What data and parameters in memory say is any bits,
 * within the world's buffers where an address would leave them. */
#pragma once

#include "tests/fuzz/calls_world.h"

/* Features for world_init(). */
void *calls_extensions_features(void *next);
void calls_extensions_init(struct world *world);

void calls_decompress(struct commands *c, struct input *in);
void calls_convert_matrices(struct commands *c, struct input *in);
void calls_copy_indirect(struct commands *c, struct input *in);
void calls_dispatch_vectors(struct commands *c, struct input *in);
void calls_process_images(struct commands *c, struct input *in);
void calls_dispatch_graph(struct commands *c, struct input *in);
