/* SPDX-License-Identifier: MIT
 * One ray against the eight boxes of a node, and against the four triangles or boxes of a block.
 * Sources: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection" (2013); Ize, "Robust BVH Ray Traversal" (2013).
 *
 * Boxes: where a ray may be rounded to be inside, it is. All that is rounded, of a box's side and of the triangle in
 * it, is relative to distances from the ray's origin to the node's far end; D is the largest of them along an axis. So
 * each side moves outward by RT_BOX_SLACK * D, and nothing that the triangle's test would find is left out, for all
 * numbers that do not overflow; sides that do overflow become NaN and limit nothing.
 *
 * Triangles: edges are functions of their two vertices, in which exchanging them changes the sign and no bit; zeros are
 * found again in double precision, where the products are exact. A ray through an edge or a vertex counts as one that
 * passes beside it, always on the same side: so of the triangles around it exactly one is hit, or at a silhouette an
 * even number. */
#pragma once

#include "runtime/accel/lanes.h"
#include "runtime/accel/tree.h"

#define RT_BOX_SLACK 0x1p-20f

/* A ray in the space of a structure. */
struct rt_ray_space {
   float origin[4];  /* the last is 0 */
   float inverse[4]; /* of the direction; of something small where it is zero, or as good as zero beside its other
                        components */
   float slack[4];   /* RT_BOX_SLACK times its magnitude */
   uint32_t is_negative[3];
   uint32_t kx, ky, kz; /* z is the longest axis; x and y keep the orientation */
   float sx, sy, sz;    /* shear and scale that take the direction to (0, 0, 1) */
};

static inline void rt_ray_space_init(struct rt_ray_space *space, const float origin[3], const float direction[3])
{
   float longest = 0.0f;
   space->kz = 0;
   for (uint32_t axis = 0; axis < 3; axis++) {
      if (fabsf(direction[axis]) > longest) {
         longest = fabsf(direction[axis]);
         space->kz = axis;
      }
   }
   const float least = longest * 0x1p-60f > 0x1p-100f ? longest * 0x1p-60f : 0x1p-100f;
   for (uint32_t axis = 0; axis < 3; axis++) {
      const float d = fabsf(direction[axis]) > least ? direction[axis] : copysignf(least, direction[axis]);
      space->origin[axis] = origin[axis];
      space->inverse[axis] = 1.0f / d;
      space->slack[axis] = RT_BOX_SLACK * fabsf(space->inverse[axis]);
      space->is_negative[axis] = d < 0.0f;
   }
   space->origin[3] = space->inverse[3] = space->slack[3] = 0.0f;
   const uint32_t a = (space->kz + 1) % 3, b = (space->kz + 2) % 3;
   const bool is_turned = direction[space->kz] < 0.0f;
   space->kx = is_turned ? b : a;
   space->ky = is_turned ? a : b;
   space->sx = direction[space->kx] / direction[space->kz];
   space->sy = direction[space->ky] / direction[space->kz];
   space->sz = 1.0f / direction[space->kz];
}

/* The children whose boxes the ray is in between tmin and tmax, and from where on. */
RT_LANES uint32_t rt_ray_test_node(const struct rt_ray_space *space, const struct rt_accel_node *node, float tmin,
                                   float tmax, float t[8])
{
   const rt_f4 scale = rt_f4_load(node->scale), inverse = rt_f4_load(space->inverse),
               rel = rt_f4_load(node->origin) - rt_f4_load(space->origin);
   const rt_f4 reach = (rt_f4)((rt_i4)rel & 0x7fffffff) + 255.0f * scale;
   const float xy = reach[0] > reach[1] ? reach[0] : reach[1], distance = xy > reach[2] ? xy : reach[2];
   const rt_f4 slack = rt_f4_load(space->slack) * distance, step = scale * inverse, base = rel * inverse;
   const rt_f4 nearest = base - slack, farthest = base + slack;
   rt_f8 begin = rt_f8_set(tmin), end = rt_f8_set(tmax);
   for (uint32_t axis = 0; axis < 3; axis++) {
      const uint32_t side = space->is_negative[axis];
      const rt_f8 in = rt_f8_from_bytes(node->bounds[axis][side]), out = rt_f8_from_bytes(node->bounds[axis][side ^ 1]);
      begin = rt_f8_max(in * step[axis] + nearest[axis], begin);
      end = rt_f8_min(out * step[axis] + farthest[axis], end);
   }
   memcpy(t, &begin, sizeof(begin));
   return rt_i8_mask(begin <= end);
}

/* What a ray finds in a block: lanes that are hit, and of those where. */
struct rt_block_hits {
   uint32_t mask;
   uint32_t front; /* lanes whose triangle faces the origin, unless flipped */
   float t[RT_ACCEL_BLOCK], u[RT_ACCEL_BLOCK], v[RT_ACCEL_BLOCK];
};

/* The edge function of vertices b and c without rounding of products. One that is zero counts as what it is for a ray a little
 * further along x, and much less along y: *sign is that of it then, else 0. */
static inline float rt_ray_exact_edge(float xb, float yb, float xc, float yc, int32_t *sign)
{
   const float edge = (float)((double)xc * (double)yb - (double)yc * (double)xb);
   *sign = edge != 0.0f ? 0 : yc > yb || (yc == yb && xb > xc) ? 1 : -1;
   return edge;
}

/* The edge functions of a lane. */
static inline void rt_ray_exact_edges(uint32_t lane, const rt_f4 x[3], const rt_f4 y[3], rt_f4 edges[3],
                                      rt_i4 *has_negative, rt_i4 *has_positive)
{
   for (uint32_t i = 0; i < 3; i++) {
      const uint32_t b = (i + 1) % 3, c = (i + 2) % 3;
      int32_t sign;
      edges[i][lane] = rt_ray_exact_edge(x[b][lane], y[b][lane], x[c][lane], y[c][lane], &sign);
      if (sign)
         (*(sign > 0 ? has_positive : has_negative))[lane] = -1;
   }
}

/* tmin excluded, tmax included: the caller knows what is there already. */
RT_LANES void rt_ray_test_triangles(const struct rt_ray_space *space, const struct rt_accel_block *block, float tmin,
                                    float tmax, struct rt_block_hits *hits)
{
   rt_f4 x[3], y[3], z[3], edges[3];
   for (uint32_t i = 0; i < 3; i++) {
      z[i] = rt_f4_load(block->vertices[i][space->kz]) - space->origin[space->kz];
      x[i] = rt_f4_load(block->vertices[i][space->kx]) - space->origin[space->kx] - space->sx * z[i];
      y[i] = rt_f4_load(block->vertices[i][space->ky]) - space->origin[space->ky] - space->sy * z[i];
   }
   for (uint32_t i = 0; i < 3; i++) {
      const uint32_t b = (i + 1) % 3, c = (i + 2) % 3;
      edges[i] = x[c] * y[b] - y[c] * x[b];
   }
   rt_i4 has_negative = {0}, has_positive = {0};
   for (uint32_t zeros = rt_i4_mask((edges[0] == 0.0f) | (edges[1] == 0.0f) | (edges[2] == 0.0f)); zeros;
        zeros &= zeros - 1)
      rt_ray_exact_edges((uint32_t)__builtin_ctz(zeros), x, y, edges, &has_negative, &has_positive);
   has_negative |= (edges[0] < 0.0f) | (edges[1] < 0.0f) | (edges[2] < 0.0f);
   has_positive |= (edges[0] > 0.0f) | (edges[1] > 0.0f) | (edges[2] > 0.0f);
   const rt_f4 determinant = edges[0] + edges[1] + edges[2];
   const rt_i4 is_inside = ~(has_negative & has_positive) & ((determinant < 0.0f) | (determinant > 0.0f));
   hits->mask = 0;
   if (!rt_i4_mask(is_inside))
      return;
   const rt_f4 t =
      (edges[0] * (space->sz * z[0]) + edges[1] * (space->sz * z[1]) + edges[2] * (space->sz * z[2])) / determinant;
   hits->mask = rt_i4_mask(is_inside & (t > tmin) & (t <= tmax));
   if (!hits->mask)
      return;
   const rt_f4 u = edges[1] / determinant, v = edges[2] / determinant;
   hits->front = rt_i4_mask(determinant > 0.0f);
   memcpy(hits->t, &t, sizeof(t));
   memcpy(hits->u, &u, sizeof(u));
   memcpy(hits->v, &v, sizeof(v));
}

/* The boxes that the ray is in between tmin and tmax, both included; larger by what may be rounded. */
static inline uint32_t rt_ray_test_boxes(const struct rt_ray_space *space, const struct rt_accel_block *block,
                                         float tmin, float tmax)
{
   rt_f4 begin = rt_f4_set(tmin), end = rt_f4_set(tmax), distance = rt_f4_set(0.0f), sides[2][3];
   for (uint32_t side = 0; side < 2; side++) {
      for (uint32_t axis = 0; axis < 3; axis++) {
         sides[side][axis] = rt_f4_load(block->boxes[side][axis]) - space->origin[axis];
         const rt_f4 magnitude = (rt_f4)((rt_i4)sides[side][axis] & 0x7fffffff);
         const rt_i4 is_longer = magnitude > distance;
         distance = (rt_f4)(((rt_i4)magnitude & is_longer) | ((rt_i4)distance & ~is_longer));
      }
   }
   rt_i4 is_there = sides[0][0] <= sides[1][0];
   for (uint32_t axis = 0; axis < 3; axis++) {
      const uint32_t side = space->is_negative[axis];
      const rt_f4 slack = distance * space->slack[axis];
      const rt_f4 in = sides[side][axis] * space->inverse[axis] - slack,
                  out = sides[side ^ 1][axis] * space->inverse[axis] + slack;
      const rt_i4 is_later = in > begin, is_sooner = out < end;
      begin = (rt_f4)(((rt_i4)in & is_later) | ((rt_i4)begin & ~is_later));
      end = (rt_f4)(((rt_i4)out & is_sooner) | ((rt_i4)end & ~is_sooner));
   }
   return rt_i4_mask((begin <= end) & is_there);
}
