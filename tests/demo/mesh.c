/* SPDX-License-Identifier: MIT */
#include "tests/demo/mesh.h"

#include "tests/client/client.h"

#include <math.h>
#include <stdlib.h>

static const float TAU = 6.28318531f;

static void normalize(float v[3])
{
   const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
   for (int i = 0; i < 3; i++)
      v[i] = length > 0 ? v[i] / length : 0;
}

static void cross(const float a[3], const float b[3], float result[3])
{
   for (int i = 0; i < 3; i++)
      result[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normal_at(mesh_surface *surface, float u, float v, float normal[3])
{
   /* At a sphere's poles the derivative along u vanishes: look a little aside. */
   const float h = 1e-3f, w = v < h ? h : v > 1 - h ? 1 - h : v;
   float a[3], b[3], du[3], dv[3];

   surface(u - h, w, a);
   surface(u + h, w, b);
   for (int i = 0; i < 3; i++)
      du[i] = b[i] - a[i];
   surface(u, w - h, a);
   surface(u, w + h, b);
   for (int i = 0; i < 3; i++)
      dv[i] = b[i] - a[i];
   cross(dv, du, normal);
   normalize(normal);
}

struct mesh mesh_create(mesh_surface *surface, uint32_t columns, uint32_t rows, float repeat_u, float repeat_v)
{
   struct mesh mesh = {.num_vertices = (columns + 1) * (rows + 1), .num_indices = columns * rows * 6};
   mesh.vertices = malloc(mesh.num_vertices * sizeof(*mesh.vertices));
   mesh.indices = malloc(mesh.num_indices * sizeof(*mesh.indices));
   if (!mesh.vertices || !mesh.indices)
      client_die("out of memory");

   struct mesh_vertex *vertex = mesh.vertices;
   for (uint32_t y = 0; y <= rows; y++) {
      for (uint32_t x = 0; x <= columns; x++, vertex++) {
         const float u = (float)x / (float)columns, v = (float)y / (float)rows;
         surface(u, v, vertex->position);
         normal_at(surface, u, v, vertex->normal);
         vertex->uv[0] = u * repeat_u;
         vertex->uv[1] = v * repeat_v;
      }
   }
   uint32_t *index = mesh.indices;
   for (uint32_t y = 0; y < rows; y++) {
      for (uint32_t x = 0; x < columns; x++) {
         const uint32_t a = y * (columns + 1) + x, b = a + columns + 1;
         const uint32_t quad[6] = {a, b, a + 1, a + 1, b, b + 1};
         for (int i = 0; i < 6; i++)
            *index++ = quad[i];
      }
   }
   return mesh;
}

void mesh_destroy(struct mesh *mesh)
{
   free(mesh->vertices);
   free(mesh->indices);
}

void mesh_sphere(float u, float v, float position[3])
{
   const float a = u * TAU, b = (v - 0.5f) * TAU / 2;
   position[0] = cosf(a) * cosf(b);
   position[1] = sinf(b);
   position[2] = sinf(a) * cosf(b);
}

void mesh_torus(float u, float v, float position[3])
{
   const float a = u * TAU, b = v * TAU, r = 1 + 0.4f * cosf(b);
   position[0] = r * cosf(a);
   position[1] = 0.4f * sinf(b);
   position[2] = r * sinf(a);
}

static void knot_center(float t, float position[3])
{
   const float a = 2 * t * TAU, b = 3 * t * TAU, r = 1 + 0.45f * cosf(b);
   position[0] = r * cosf(a);
   position[1] = 0.6f * sinf(b);
   position[2] = r * sinf(a);
}

void mesh_knot(float u, float v, float position[3])
{
   /* A tube around the knot: a frame from the tangent and the direction to the axis. */
   float center[3], ahead[3], tangent[3], side[3], up[3];
   knot_center(u, center);
   knot_center(u + 1e-3f, ahead);
   for (int i = 0; i < 3; i++)
      tangent[i] = ahead[i] - center[i];
   normalize(tangent);
   const float outward[3] = {center[0], 0, center[2]};
   cross(tangent, outward, up);
   normalize(up);
   cross(up, tangent, side);
   const float c = 0.22f * cosf(v * TAU), s = 0.22f * sinf(v * TAU);
   for (int i = 0; i < 3; i++)
      position[i] = center[i] + c * side[i] + s * up[i];
}

void mesh_plane(float u, float v, float position[3])
{
   position[0] = 2 * u - 1;
   position[1] = 0;
   position[2] = 2 * v - 1;
}
