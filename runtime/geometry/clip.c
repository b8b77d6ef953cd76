/* SPDX-License-Identifier: MIT
 * Clipping. In doubles: products of any finite floats neither overflow nor lose what decides a side. */
#include "runtime/geometry/clip.h"

#include <math.h>
#include <string.h>

/* A corner of the polygon while it is cut: a point of the original primitive. */
struct corner {
   double pos[4];     /* clip coordinates */
   double weights[3]; /* of the original vertices, in clip space */
   double distances[8];
   int32_t original; /* index of the original vertex, or -1 */
};

struct polygon {
   uint32_t count;
   struct corner corners[RT_MAX_CLIP_VERTICES];
};

struct plane_test {
   const struct rt_viewport *viewport;
   bool has_negative_z; /* the view volume */
   uint32_t code;
};

/* Signed distance, inside where it is not negative. */
static double distance(const struct plane_test *plane, const struct corner *c)
{
   const struct rt_viewport *vp = plane->viewport;
   const double x = c->pos[0], y = c->pos[1], z = c->pos[2], w = c->pos[3];
   switch (plane->code) {
   case RT_CODE_LEFT:
      return x + w;
   case RT_CODE_RIGHT:
      return w - x;
   case RT_CODE_TOP:
      return y + w;
   case RT_CODE_BOTTOM:
      return w - y;
   case RT_CODE_NEAR:
      return plane->has_negative_z ? z + w : z;
   case RT_CODE_FAR:
      return w - z;
   case RT_CODE_GUARD_X0:
      return x * vp->sx + ((double)vp->ox - RT_GUARD_LO) * w;
   case RT_CODE_GUARD_X1:
      return -(x * vp->sx + ((double)vp->ox - RT_GUARD_HI) * w);
   case RT_CODE_GUARD_Y0:
      return y * vp->sy + ((double)vp->oy - RT_GUARD_LO) * w;
   case RT_CODE_GUARD_Y1:
      return -(y * vp->sy + ((double)vp->oy - RT_GUARD_HI) * w);
   case RT_CODE_W:
      return w - RT_MIN_W;
   default:
      return c->distances[__builtin_ctz(plane->code) - 16];
   }
}

/* The point where the path from `in` to `out` leaves; always computed in this direction, so that neighbours that share
 * the edge agree. */
static struct corner intersect(const struct corner *in, double d_in, const struct corner *out, double d_out)
{
   const double t = d_in / (d_in - d_out);
   struct corner c = {.original = -1};
   for (uint32_t i = 0; i < 4; i++)
      c.pos[i] = in->pos[i] + t * (out->pos[i] - in->pos[i]);
   for (uint32_t i = 0; i < 3; i++)
      c.weights[i] = in->weights[i] + t * (out->weights[i] - in->weights[i]);
   for (uint32_t i = 0; i < 8; i++)
      c.distances[i] = in->distances[i] + t * (out->distances[i] - in->distances[i]);
   return c;
}

/* Sutherland and Hodgman, one plane. */
static void cut(const struct plane_test *plane, struct polygon *polygon)
{
   struct polygon result;
   result.count = 0;
   for (uint32_t i = 0; i < polygon->count; i++) {
      const struct corner *a = &polygon->corners[i], *b = &polygon->corners[(i + 1) % polygon->count];
      const double da = distance(plane, a), db = distance(plane, b);
      if (da >= 0 && result.count < RT_MAX_CLIP_VERTICES)
         result.corners[result.count++] = *a;
      if ((da >= 0) != (db >= 0) && result.count < RT_MAX_CLIP_VERTICES)
         result.corners[result.count++] = da >= 0 ? intersect(a, da, b, db) : intersect(b, db, a, da);
   }
   *polygon = result;
}

static struct corner make_corner(const struct rt_vertex *v, uint32_t index, uint32_t num_distances)
{
   struct corner c = {.original = (int32_t)index};
   for (uint32_t i = 0; i < 4; i++)
      c.pos[i] = v->clip[i];
   c.weights[index] = 1;
   for (uint32_t i = 0; i < num_distances; i++)
      c.distances[i] = isfinite(v->distances[i]) ? v->distances[i] : -1;
   return c;
}

/* What is left is inside the guard band but for rounding: clamp to where edge functions are exact. */
static int32_t to_fixed(double window)
{
   return (int32_t)lrint(UTIL_CLAMP(window, RT_GUARD_LO - 1.0, RT_GUARD_HI + 1.0) * 256.0);
}

static void project(const struct rt_context *context, const struct rt_viewport *vp, const struct rt_vertex *const *v,
                    const float *const *rows, uint32_t num, const struct corner *c, float *row,
                    struct rt_setup_vertex *out)
{
   if (c->original >= 0) {
      const struct rt_vertex *from = v[c->original];
      *out = (struct rt_setup_vertex){{from->x, from->y, from->z, from->inv_w}, rows[c->original]};
      return;
   }
   const double w = c->pos[3];
   out->at.x = to_fixed(c->pos[0] / w * vp->sx + vp->ox);
   out->at.y = to_fixed(c->pos[1] / w * vp->sy + vp->oy);
   out->at.z = (float)(c->pos[2] / w * vp->sz + vp->oz);
   out->at.inv_w = (float)(1.0 / w);
   out->row = row;

   /* Spec: perspective attributes are interpolated in clip space, linear ones such that they are linear on the screen.
    */
   double linear[3] = {c->weights[0], c->weights[1], c->weights[2]};
   bool is_all_front = true;
   for (uint32_t i = 0; i < num; i++)
      is_all_front &= v[i]->clip[3] > 0;
   if (context->has_linear && is_all_front) {
      for (uint32_t i = 0; i < num; i++)
         linear[i] = c->weights[i] * v[i]->clip[3] / w;
   }
   for (uint32_t k = 0; k < context->num_planes; k++) {
      const double *weights = context->plane_interp[k] == 1 ? linear : c->weights;
      double sum = 0;
      for (uint32_t i = 0; i < num; i++)
         sum += weights[i] * rows[i][k];
      row[k] = (float)sum;
   }
   for (uint32_t k = context->num_planes; k < context->row_stride; k++)
      row[k] = 0;
}

static void clip(const struct rt_draw *draw, const struct rt_vertex *const *v, const float *const *rows,
                 uint32_t num, uint32_t planes, float *scratch, struct rt_clipped *out)
{
   const struct rt_context *context = draw->context;
   const struct rt_viewport *vp = &draw->viewports->items[v[0]->viewport];
   struct polygon polygon;
   polygon.count = num;
   for (uint32_t i = 0; i < num; i++)
      polygon.corners[i] = make_corner(v[i], i, context->num_clip_distances);
   /* w first: what is behind it makes no sense to the planes that divide. */
   planes &= ~(uint32_t)RT_CODE_BAD;
   for (uint32_t order = 0; order < 2; order++) {
      for (uint32_t left = order ? planes & ~(uint32_t)RT_CODE_W : planes & RT_CODE_W; left && polygon.count;
           left &= left - 1) {
         cut(&(struct plane_test){vp, draw->viewports->has_negative_z, left & -left}, &polygon);
         /* A segment is a polygon of two corners: a cut gives the new end twice, the second time last. */
         if (num == 2)
            polygon.count = UTIL_MIN(polygon.count, 2u);
      }
   }
   out->count = 0;
   for (uint32_t i = 0; i < polygon.count; i++)
      project(context, vp, v, rows, num, &polygon.corners[i], scratch + (size_t)i * context->row_stride,
              &out->vertices[out->count++]);
}

void rt_clip_triangle(const struct rt_draw *draw, const struct rt_vertex *const v[3], const float *const rows[3],
                      uint32_t codes, float *scratch, struct rt_clipped *out)
{
   clip(draw, v, rows, 3, codes, scratch, out);
   if (out->count < 3)
      out->count = 0;
}

void rt_clip_line(const struct rt_draw *draw, const struct rt_vertex *const v[2], const float *const rows[2],
                  uint32_t codes, float *scratch, struct rt_clipped *out)
{
   clip(draw, v, rows, 2, codes, scratch, out);
   if (out->count < 2)
      out->count = 0;
}
