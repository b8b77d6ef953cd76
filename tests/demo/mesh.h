/* SPDX-License-Identifier: MIT
 * Triangle meshes for scenes, made from formulas. */
#pragma once

#include <stdint.h>

struct mesh_vertex {
   float position[3], normal[3], uv[2];
};

struct mesh {
   struct mesh_vertex *vertices;
   uint32_t *indices;
   uint32_t num_vertices, num_indices;
};

/* A point of a surface over u, v in [0, 1]. */
typedef void mesh_surface(float u, float v, float position[3]);

/* Samples a surface on a grid of columns x rows quads; normals by differences; the texture repeats repeat_u x repeat_v times.
 * Ends the program when memory is out. */
struct mesh mesh_create(mesh_surface *surface, uint32_t columns, uint32_t rows, float repeat_u, float repeat_v);
void mesh_destroy(struct mesh *mesh);

void mesh_sphere(float u, float v, float position[3]); /* radius 1 */
void mesh_torus(float u, float v, float position[3]);  /* radii 1 and 0.4 */
void mesh_knot(float u, float v, float position[3]);   /* a (2, 3) torus knot */
void mesh_plane(float u, float v, float position[3]);  /* [-1, 1] in x and z */
