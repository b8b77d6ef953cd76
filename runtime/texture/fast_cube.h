/* SPDX-License-Identifier: MIT
 * Inside of fast.c: faces of cubes for a vector of lanes, with the arithmetic of cube.c.
 * Spec: Image Operations, "Cube Map Face Selection", "Cube Map Coordinate Transformation", "Cube Map Derivative Transformation". */
#pragma once

#include "runtime/texture/fast_lod.h"

/* Component `axis` of a direction, negated where `sign` has its highest bit. */
RT_SIMD rt_vf rt_fast_signed_axis(const rt_vf direction[3], uint32_t axis, rt_vi sign)
{
   return (rt_vf)((rt_vi)direction[axis] ^ sign);
}

/* Which axis is the face's, and the signs of the direction's components. */
struct rt_fast_face {
   rt_vi is_y, is_z, x_sign, y_sign, z_sign;
};

struct rt_fast_on_face {
   rt_vf s, t, m; /* m: along the face's axis */
};

/* Faces +x -x: s = -+z, t = -y; +y -y: s = x, t = +-z; +z -z: s = +-x, t = -y. */
RT_SIMD void rt_fast_project(const struct rt_fast_face *face, const rt_vf direction[3], struct rt_fast_on_face *out)
{
   const rt_vi top = rt_vi_set(INT32_MIN), none = rt_vi_set(0);
   out->s = rt_vf_select(face->is_z, rt_fast_signed_axis(direction, 0, face->z_sign),
                         rt_vf_select(face->is_y, rt_fast_signed_axis(direction, 0, none), rt_fast_signed_axis(direction, 2, face->x_sign ^ top)));
   out->t = rt_vf_select(face->is_y, rt_fast_signed_axis(direction, 2, face->y_sign), rt_fast_signed_axis(direction, 1, top));
   out->m = rt_vf_select(face->is_z, rt_fast_signed_axis(direction, 2, face->z_sign),
                         rt_vf_select(face->is_y, rt_fast_signed_axis(direction, 1, face->y_sign), rt_fast_signed_axis(direction, 0, face->x_sign)));
}

/* As rt_tex_cube_faces(): coordinates on the face, whose number joins the layer's, and derivatives there if wanted. */
RT_SIMD void rt_fast_find_faces(struct rt_fast *fast, const struct abi_tex_call *call, bool wants_edges)
{
   const rt_vf r[3] = {fast->coord[0], fast->coord[1], fast->coord[2]};
   const rt_vi top = rt_vi_set(INT32_MIN);
   const rt_vf ax = (rt_vf)((rt_vi)r[0] & ~top), ay = (rt_vf)((rt_vi)r[1] & ~top), az = (rt_vf)((rt_vi)r[2] & ~top);
   const rt_vi is_z = (rt_vi)(az >= ax) & (rt_vi)(az >= ay), is_y = (rt_vi)(ay >= ax) & ~is_z;
   const rt_vi x_sign = (rt_vi)(r[0] < rt_vf_set(0)) & top, y_sign = (rt_vi)(r[1] < rt_vf_set(0)) & top,
               z_sign = (rt_vi)(r[2] < rt_vf_set(0)) & top;
   const struct rt_fast_face which = {is_y, is_z, x_sign, y_sign, z_sign};
   struct rt_fast_on_face at, dx, dy;
   rt_fast_project(&which, r, &at);
   const rt_vf major = (rt_vf)((rt_vi)at.m & ~top);
   if (wants_edges) {
      const rt_vf scale = 0.5f / (major * major);
      rt_vf edges[2][3];
      for (uint32_t a = 0; a < 3; a++) {
         const bool is_given = call->flags & ABI_TEX_GRAD;
         edges[0][a] = is_given ? rt_vf_load(call->ddx[a] + fast->first, fast->lanes) : rt_fast_quad_difference(r[a], 1);
         edges[1][a] = is_given ? rt_vf_load(call->ddy[a] + fast->first, fast->lanes) : rt_fast_quad_difference(r[a], 2);
      }
      rt_fast_project(&which, edges[0], &dx);
      rt_fast_project(&which, edges[1], &dy);
      fast->dx[0] = scale * (major * dx.s - at.s * dx.m);
      fast->dx[1] = scale * (major * dx.t - at.t * dx.m);
      fast->dy[0] = scale * (major * dy.s - at.s * dy.m);
      fast->dy[1] = scale * (major * dy.t - at.t * dy.m);
      fast->has_edges = true;
   }
   fast->coord[0] = 0.5f * (at.s / major) + 0.5f;
   fast->coord[1] = 0.5f * (at.t / major) + 0.5f;

   const struct abi_image *image = fast->image;
   rt_vi face = rt_vi_select(is_z, 4 - (z_sign >> 31), rt_vi_select(is_y, 2 - (y_sign >> 31), -(x_sign >> 31)));
   if (call->flags & ABI_TEX_ARRAYED)
      face += rt_fast_layer(fast, call->coords[3], UTIL_MAX(image->num_layers / 6, 1)) * 6;
   face = rt_vi_min(face, rt_vi_set((int32_t)image->num_layers - 1));
   const int32_t first = face[(uint32_t)__builtin_ctz(fast->mask)];
   fast->layer_number = (rt_vu)face;
   fast->has_own_layers = rt_vi_mask(face != first) & fast->mask;
   fast->data = image->data + (fast->has_own_layers ? 0 : (uint64_t)first * image->layer_bytes);
   fast->layer = (rt_vu)face * (uint32_t)(image->layer_bytes >> rt_texel_log2(image));
}
