/* SPDX-License-Identifier: MIT
 * Vertex shading. */
#include "runtime/geometry/shade.h"

#include <string.h>

/* Positions of one call, lane by lane. */
struct positions {
   float x[ABI_VERTEX_BATCH], y[ABI_VERTEX_BATCH], z[ABI_VERTEX_BATCH], w[ABI_VERTEX_BATCH];
};

struct projected {
   uint32_t codes[ABI_VERTEX_BATCH];
   int32_t x[ABI_VERTEX_BATCH], y[ABI_VERTEX_BATCH];
   float z[ABI_VERTEX_BATCH], inv_w[ABI_VERTEX_BATCH];
};

/* 24.8, to nearest. Out-of-range values, which clip codes mark, are kept convertible. */
static inline int32_t snap(float window)
{
   float fixed = window * 256.0f;
   fixed = fixed > -16777216.0f ? fixed : -16777216.0f;
   fixed = fixed < 16777216.0f ? fixed : 16777216.0f;
   return (int32_t)(fixed + (fixed < 0 ? -0.5f : 0.5f));
}

static inline __attribute__((always_inline)) void project_lane(const struct rt_viewports *vps, const struct rt_viewport *vp,
                                                               float x, float y, float z, float w, uint32_t *codes_out,
                                                               int32_t *x_out, int32_t *y_out, float *z_out, float *inv_w_out)
{
   const float z_near = vps->has_negative_z ? -w : 0.0f;
   uint32_t codes = 0;
   codes |= x < -w ? RT_CODE_LEFT : 0;
   codes |= x > w ? RT_CODE_RIGHT : 0;
   codes |= y < -w ? RT_CODE_TOP : 0;
   codes |= y > w ? RT_CODE_BOTTOM : 0;
   codes |= z < z_near ? RT_CODE_NEAR : 0;
   codes |= z > w ? RT_CODE_FAR : 0;
   codes |= x * vp->sx + (vp->ox - RT_GUARD_LO) * w < 0 ? RT_CODE_GUARD_X0 : 0;
   codes |= x * vp->sx + (vp->ox - RT_GUARD_HI) * w > 0 ? RT_CODE_GUARD_X1 : 0;
   codes |= y * vp->sy + (vp->oy - RT_GUARD_LO) * w < 0 ? RT_CODE_GUARD_Y0 : 0;
   codes |= y * vp->sy + (vp->oy - RT_GUARD_HI) * w > 0 ? RT_CODE_GUARD_Y1 : 0;
   codes |= !(w >= RT_MIN_W) ? RT_CODE_W : 0;
   /* The difference with itself is NaN for infinities and NaN. */
   const float sum = (x - x) + (y - y) + (z - z) + (w - w);
   codes |= !(sum == 0) ? RT_CODE_BAD : 0;
   *codes_out = codes;
   *x_out = snap(x / w * vp->sx + vp->ox);
   *y_out = snap(y / w * vp->sy + vp->oy);
   *z_out = z / w * vp->sz + vp->oz;
   *inv_w_out = 1.0f / w;
}

static void project(const struct rt_context *context, const struct positions *in, struct projected *out, uint32_t count)
{
   const struct rt_viewports *vps = &context->viewports;
   const struct rt_viewport vp = vps->items[0];
   const uint32_t n = UTIL_MIN((uint32_t)ABI_VERTEX_BATCH, (count + 15) & ~15u);
   for (uint32_t i = 0; i < n; i++)
      project_lane(vps, &vp, in->x[i], in->y[i], in->z[i], in->w[i], &out->codes[i], &out->x[i], &out->y[i], &out->z[i],
                   &out->inv_w[i]);
}

void rt_vertex_project(const struct rt_context *context, struct rt_vertex *v, uint32_t viewport)
{
   uint32_t codes;
   project_lane(&context->viewports, &context->viewports.items[viewport], v->clip[0], v->clip[1], v->clip[2], v->clip[3], &codes,
                &v->x, &v->y, &v->z, &v->inv_w);
   v->codes = (v->codes & RT_CODE_DISTANCES) | codes;
   v->viewport = viewport;
}

static void load_row(float *to, const uint32_t *outputs, int16_t row, uint32_t count)
{
   if (row >= 0)
      memcpy(to, outputs + row * ABI_VERTEX_BATCH, count * 4);
   else
      memset(to, 0, count * 4);
}

/* Layer, viewport, point size and user distances: rare, so one by one. */
static void store_extras(const struct rt_context *c, const uint32_t *outputs, uint32_t view, struct rt_vertex *vertices,
                         uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      struct rt_vertex *v = &vertices[i];
      v->layer = c->layer_row >= 0 ? outputs[c->layer_row * ABI_VERTEX_BATCH + i] : view;
      v->point_size = 1.0f;
      if (c->point_size_row >= 0)
         memcpy(&v->point_size, &outputs[c->point_size_row * ABI_VERTEX_BATCH + i], 4);
      v->viewport = 0;
      if (c->viewport_row >= 0) {
         const uint32_t viewport = outputs[c->viewport_row * ABI_VERTEX_BATCH + i];
         if (viewport && viewport < c->viewports.count)
            rt_vertex_project(c, v, viewport);
      }
      for (uint32_t d = 0; d < c->num_clip_distances + c->num_cull_distances; d++) {
         v->distances[d] = 0;
         if (c->distance_row[d] >= 0)
            memcpy(&v->distances[d], &outputs[c->distance_row[d] * ABI_VERTEX_BATCH + i], 4);
         v->codes |= !(v->distances[d] >= 0) ? (uint32_t)RT_CODE_CLIP0 << d : 0;
      }
   }
}

static void store_vertices(const struct rt_context *c, const struct positions *in, const struct projected *p,
                           const uint32_t *outputs, uint32_t view, struct rt_vertex *vertices, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      struct rt_vertex *v = &vertices[i];
      v->clip[0] = in->x[i];
      v->clip[1] = in->y[i];
      v->clip[2] = in->z[i];
      v->clip[3] = in->w[i];
      v->x = p->x[i];
      v->y = p->y[i];
      v->z = p->z[i];
      v->inv_w = p->inv_w[i];
      v->codes = p->codes[i];
      v->viewport = 0;
      v->layer = view;
      v->point_size = 1.0f;
   }
   if (c->layer_row >= 0 || c->viewport_row >= 0 || c->point_size_row >= 0 || c->num_clip_distances || c->num_cull_distances)
      store_extras(c, outputs, view, vertices, count);
}

static void store_rows(const struct rt_context *c, const uint32_t *outputs, float *rows, uint32_t count)
{
   for (uint32_t k = 0; k < c->num_planes; k++) {
      uint32_t *to = (uint32_t *)rows + k;
      if (c->plane_row[k] < 0) {
         for (uint32_t i = 0; i < count; i++)
            to[i * c->row_stride] = 0;
         continue;
      }
      const uint32_t *from = outputs + c->plane_row[k] * ABI_VERTEX_BATCH;
      for (uint32_t i = 0; i < count; i++)
         to[i * c->row_stride] = from[i];
   }
   for (uint32_t k = c->num_planes; k < c->row_stride; k++)
      for (uint32_t i = 0; i < count; i++)
         rows[i * c->row_stride + k] = 0;
}

void rt_shade_vertices(const struct rt_draw *draw, uint32_t view, struct rt_batch *batch, struct rt_worker *worker)
{
   const struct rt_context *c = draw->context;
   struct abi_vertex_args args = {
      .resources = &c->resources,
      .inputs = batch->inputs,
      .outputs = batch->outputs,
      .base_vertex = draw->params.is_indexed ? (uint32_t)draw->params.vertex_offset : draw->params.first,
      .base_instance = draw->params.first_instance,
      .draw_index = draw->params.draw_index,
      .view_index = view,
   };
   rt_worker_describe(worker, c->pipeline->vertex.name);
   for (uint32_t first = 0; first < batch->num_vertices; first += ABI_VERTEX_BATCH) {
      const uint32_t count = UTIL_MIN(batch->num_vertices - first, (uint32_t)ABI_VERTEX_BATCH);
      args.vertex_index = batch->vertex_index + first;
      args.instance_index = batch->instance_index + first;
      rt_fetch_vertices(c->fetches, c->num_fetches, batch->inputs, args.vertex_index, args.instance_index,
                        draw->params.first_instance, count);
      c->pipeline->vertex.run.vertex(&args, &worker->abi, count);

      struct positions in;
      struct projected out;
      /* Whole vectors are projected, so that nothing uninitialised is read. */
      const uint32_t rounded = (count + 15) & ~15u;
      load_row(in.x, batch->outputs, c->position_row[0], rounded);
      load_row(in.y, batch->outputs, c->position_row[1], rounded);
      load_row(in.z, batch->outputs, c->position_row[2], rounded);
      load_row(in.w, batch->outputs, c->position_row[3], rounded);
      project(c, &in, &out, count);
      store_vertices(c, &in, &out, batch->outputs, view, batch->vertices + first, count);
      store_rows(c, batch->outputs, batch->rows + (size_t)first * c->row_stride, count);
   }
}
