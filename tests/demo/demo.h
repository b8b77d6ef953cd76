/* SPDX-License-Identifier: MIT
 * The parts of the demonstration; each prints its steps with their times. */
#pragma once

#include "tests/client/client.h"

/* Prints what begins, and how long it took with a remark. */
__attribute__((format(printf, 1, 2))) void demo_step(const char *format, ...);
__attribute__((format(printf, 1, 2))) void demo_done(const char *format, ...);

/* Writes fractal.png, computed by a compute shader. */
void demo_fractal(struct client *client, const char *directory);
/* Compute jobs whose numbers are checked on the host; false if they are wrong. */
bool demo_matmul(struct client *client);
bool demo_histogram(struct client *client);
/* Writes scene.png: lit, textured, depth-tested objects of more than 100,000 triangles with four samples a pixel. */
void demo_scene(struct client *client, const char *directory);
