/* SPDX-License-Identifier: MIT
 * Cube maps: faces of directions, and texels beyond the edge of a face.
 * Spec: Image Operations, "Cube Map Face Selection and Transformations", "Cube Map Edge Handling". */
#include "runtime/texture/batch.h"

/* s, t and r of a face as signed axes of the direction: value = sign * direction[axis]. */
static const struct {
   uint8_t s_axis, t_axis, r_axis;
   int8_t s_sign, t_sign, r_sign;
} faces[6] = {
   {2, 1, 0, -1, -1, 1}, {2, 1, 0, 1, -1, -1}, {0, 2, 1, 1, 1, 1},
   {0, 2, 1, 1, -1, -1}, {0, 1, 2, 1, -1, 1}, {0, 1, 2, -1, -1, -1},
};

/* z wins over y over x. */
static uint32_t face_of(float x, float y, float z)
{
   const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
   if (az >= ax && az >= ay)
      return z < 0.0f ? 5 : 4;
   if (ay >= ax)
      return y < 0.0f ? 3 : 2;
   return x < 0.0f ? 1 : 0;
}

void rt_tex_cube_faces(struct rt_tex_batch *batch, bool with_derivatives)
{
   RT_EACH_LANE(i) {
      const float r[3] = {batch->coord[0][i], batch->coord[1][i], batch->coord[2][i]};
      const uint32_t face = face_of(r[0], r[1], r[2]);
      const uint32_t sa = faces[face].s_axis, ta = faces[face].t_axis, ra = faces[face].r_axis;
      const float ss = faces[face].s_sign, ts = faces[face].t_sign, rs = faces[face].r_sign;
      const float sc = ss * r[sa], tc = ts * r[ta], rc = __builtin_fabsf(r[ra]);
      if (with_derivatives) {
         const float scale = 0.5f / (rc * rc);
         const float dsx = ss * batch->ddx[sa][i], dtx = ts * batch->ddx[ta][i], drx = rs * batch->ddx[ra][i];
         const float dsy = ss * batch->ddy[sa][i], dty = ts * batch->ddy[ta][i], dry = rs * batch->ddy[ra][i];
         batch->ddx[0][i] = scale * (rc * dsx - sc * drx);
         batch->ddx[1][i] = scale * (rc * dtx - tc * drx);
         batch->ddy[0][i] = scale * (rc * dsy - sc * dry);
         batch->ddy[1][i] = scale * (rc * dty - tc * dry);
      }
      batch->coord[0][i] = 0.5f * (sc / rc) + 0.5f;
      batch->coord[1][i] = 0.5f * (tc / rc) + 0.5f;
      batch->layer[i] = UTIL_MIN(batch->layer[i] * 6 + face, batch->image->num_layers - 1);
   }
}

/* Works on doubled coordinates around the cube's centre: texel centres are odd or even steps apart, faces at distance
 * `size`. A texel beyond an edge has a coordinate of size + 1, which is the major axis of the neighbour; what was the
 * major axis then is its edge. */
void rt_tex_cube_edge(uint32_t size, int32_t *x, int32_t *y, uint32_t *face)
{
   const int32_t n = (int32_t)size;
   int32_t direction[3];
   direction[faces[*face].s_axis] = faces[*face].s_sign * (2 * *x + 1 - n);
   direction[faces[*face].t_axis] = faces[*face].t_sign * (2 * *y + 1 - n);
   direction[faces[*face].r_axis] = faces[*face].r_sign * n;
   const uint32_t old_axis = faces[*face].r_axis;
   for (uint32_t axis = 0; axis < 3; axis++) {
      if (axis == old_axis || (direction[axis] <= n && direction[axis] >= -n))
         continue;
      const uint32_t neighbour = 2 * axis + (direction[axis] < 0);
      const int32_t sc = faces[neighbour].s_sign * direction[faces[neighbour].s_axis];
      const int32_t tc = faces[neighbour].t_sign * direction[faces[neighbour].t_axis];
      *x = (rt_clampi(sc, 1 - n, n - 1) + n - 1) / 2;
      *y = (rt_clampi(tc, 1 - n, n - 1) + n - 1) / 2;
      *face = neighbour;
      return;
   }
}
