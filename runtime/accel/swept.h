/* SPDX-License-Identifier: MIT
 * One ray against the four spheres or linear swept spheres of a block, in double precision. A swept sphere is the hull of a sphere at either end: where the
 * ray enters the hull, on the cone between the ends or on one of the ends, is the only hit; where that end has no cap there is none.
 * Spec: Acceleration Structures, "Geometry"; Ray Traversal, "Ray Intersection Candidate Determination".
 * Exact IEEE operations only, as in lanes.h. */
#pragma once

#include "runtime/accel/intersect.h"

typedef double rt_d4 __attribute__((vector_size(32)));
typedef int64_t rt_l4 __attribute__((vector_size(32)));

RT_LANES rt_d4 rt_d4_set(double x)
{
   return x - (rt_d4){0};
}

RT_LANES rt_d4 rt_d4_from_f4(rt_f4 v)
{
   return __builtin_convertvector(v, rt_d4);
}

RT_LANES rt_d4 rt_d4_select(rt_l4 mask, rt_d4 a, rt_d4 b)
{
   return (rt_d4)(((rt_l4)a & mask) | ((rt_l4)b & ~mask));
}

/* 0 where there is none. */
RT_LANES rt_d4 rt_d4_sqrt(rt_d4 v)
{
   const rt_d4 radicand = rt_d4_select(v > 0.0, v, rt_d4_set(0.0));
#if UTIL_SIMD_LEVEL >= 3
   return (rt_d4)_mm256_sqrt_pd((__m256d)radicand);
#else
   rt_d4 root;
   for (uint32_t i = 0; i < 4; i++)
      root[i] = sqrt(radicand[i]);
   return root;
#endif
}

RT_LANES rt_d4 rt_d4_dot(const rt_d4 a[3], const rt_d4 b[3])
{
   return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

RT_LANES uint32_t rt_l4_mask(rt_l4 lanes)
{
   return rt_i4_mask(__builtin_convertvector(lanes, rt_i4));
}

/* Where a ray enters what is below 0 of the quadratic a t^2 + 2 b t + c; without cancellation, whichever root it is. Of use where b^2 - a c > 0. */
RT_LANES rt_d4 rt_d4_entry(rt_d4 a, rt_d4 b, rt_d4 c, rt_d4 discriminant)
{
   const rt_d4 root = rt_d4_sqrt(discriminant);
   const rt_l4 is_ahead = b < 0.0;
   return rt_d4_select(is_ahead, c, -b - root) / rt_d4_select(is_ahead, root - b, a);
}

/* tmin excluded, tmax included. Sets u, and v to 0; not `front`. */
RT_LANES void rt_ray_test_swept(const float ray_origin[3], const float ray_direction[3], const struct rt_accel_block *block, float tmin, float tmax,
                                struct rt_block_hits *hits)
{
   rt_d4 axis[3], direction[3], from[2][3]; /* from the ends to the origin */
   for (uint32_t i = 0; i < 3; i++) {
      const rt_d4 first = rt_d4_from_f4(rt_f4_load(block->vertices[0][i])), last = rt_d4_from_f4(rt_f4_load(block->vertices[1][i]));
      axis[i] = last - first;
      direction[i] = rt_d4_set(ray_direction[i]);
      from[0][i] = ray_origin[i] - first;
      from[1][i] = ray_origin[i] - last;
   }
   const rt_f4 form = rt_f4_load(block->vertices[2][2]);
   const rt_d4 radius[2] = {rt_d4_from_f4(rt_f4_load(block->vertices[2][0])), rt_d4_from_f4(rt_f4_load(block->vertices[2][1]))};
   const rt_d4 dd = rt_d4_dot(direction, direction), length2 = rt_d4_dot(axis, axis), taper = radius[0] - radius[1];
   const rt_d4 extent = length2 - taper * taper; /* of the cone along the axis, times the axis' length */
   /* The ends. */
   rt_d4 entry[2];
   rt_l4 is_entered[2];
   for (uint32_t i = 0; i < 2; i++) {
      const rt_d4 b = rt_d4_dot(direction, from[i]), c = rt_d4_dot(from[i], from[i]) - radius[i] * radius[i], discriminant = b * b - dd * c;
      is_entered[i] = discriminant > 0.0;
      entry[i] = rt_d4_entry(dd, b, c, discriminant);
   }
   /* The cone, which is there if neither end is within the other. */
   const rt_d4 along = rt_d4_dot(axis, direction), offset = rt_d4_dot(axis, from[0]), bend = taper * radius[0];
   const rt_d4 a = extent * dd - along * along, b = extent * rt_d4_dot(direction, from[0]) - offset * along + along * bend;
   const rt_d4 c = extent * rt_d4_dot(from[0], from[0]) - offset * offset + 2.0 * offset * bend - length2 * radius[0] * radius[0];
   const rt_d4 discriminant = b * b - a * c, middle = rt_d4_entry(a, b, c, discriminant), height = offset - bend + middle * along;
   const rt_l4 has_cone = extent > 0.0, is_middle = has_cone & (discriminant > 0.0) & (height > 0.0) & (height < extent);
   /* Where it enters first. */
   const rt_l4 by_entry = is_entered[0] & (~is_entered[1] | (entry[0] <= entry[1]));
   const rt_l4 is_first = (has_cone & by_entry) | (~has_cone & (taper >= 0.0));
   const rt_l4 has_first = __builtin_convertvector((form == (float)RT_SWEPT_FIRST_CAP) | (form > (float)RT_SWEPT_LAST_CAP), rt_l4);
   const rt_l4 has_last = __builtin_convertvector(form >= (float)RT_SWEPT_LAST_CAP, rt_l4);
   const rt_l4 is_end = (is_first & is_entered[0] & has_first) | (~is_first & is_entered[1] & has_last);
   const rt_d4 at = rt_d4_select(is_middle, middle, rt_d4_select(is_first, entry[0], entry[1]));
   const rt_f4 t = __builtin_convertvector(at, rt_f4);
   hits->mask = rt_l4_mask(is_middle | is_end) & rt_i4_mask((t > tmin) & (t <= tmax) & (t < INFINITY));
   if (!hits->mask)
      return;
   /* 0 and 1 are on the ends, and nothing else is. */
   rt_f4 u = __builtin_convertvector(height / extent, rt_f4);
   for (uint32_t i = 0; i < RT_ACCEL_BLOCK; i++) {
      const float inner = u[i] < 0x1p-126f ? 0x1p-126f : u[i] > 1.0f - 0x1p-24f ? 1.0f - 0x1p-24f : u[i];
      hits->t[i] = t[i];
      hits->u[i] = is_middle[i] ? inner : is_first[i] ? 0.0f : 1.0f;
      hits->v[i] = 0.0f;
   }
}
