/* SPDX-License-Identifier: MIT
 * The parts of the demonstration; each prints its steps with their times. */
#pragma once

#include "tests/client/client.h"

/* Prints what begins, and how long it took with a remark. */
__attribute__((format(printf, 1, 2))) void demo_step(const char *format, ...);
__attribute__((format(printf, 1, 2))) void demo_done(const char *format, ...);

/* A picture, RGBA8, in a buffer that the caller destroys. */
struct demo_picture {
   struct client_buffer pixels;
   uint32_t width, height;
};

/* A fractal, computed by a compute shader. */
struct demo_picture demo_fractal(struct client *client);
/* Lit, textured, depth-tested objects of more than 100,000 triangles with four samples a pixel. */
struct demo_picture demo_scene(struct client *client);
/* Balls under the sky, by paths of rays; the client is one of client_rays_init(). */
struct demo_picture demo_paths(struct client *client);
/* Compute jobs whose numbers are checked on the host; false if they are wrong. */
bool demo_matmul(struct client *client);
bool demo_histogram(struct client *client);
