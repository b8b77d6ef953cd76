/* SPDX-License-Identifier: MIT
 * Vertex shading. */
#include "runtime/geometry/shade.h"

#include "runtime/draw/lanes.h"
#include "runtime/geometry/fetch.h"
#include "runtime/geometry/overrun.h"

#include <float.h>
#include <string.h>

/* 24.8, to nearest. Out-of-range values, which clip codes mark, are kept convertible. */
RT_INLINE_LANES rt_i32x16 snap(rt_f32x16 window)
{
   const rt_f32x16 limit = rt_splat_f(16777216.0f), half = rt_splat_f(0.5f);
   const rt_f32x16 fixed = rt_min_f(rt_max_f(window * rt_splat_f(256.0f), -limit), limit);
   return __builtin_convertvector(fixed + rt_select_f(fixed < 0.0f, -half, half), rt_i32x16);
}

/* Clip coordinates of 16 vertices. */
struct clip_lanes {
   rt_f32x16 x, y, z, w;
};

struct projected {
   rt_i32x16 codes, x, y;
   rt_f32x16 z, inv_w;
};

/* True if all are finite and inside: their codes are zero. */
RT_INLINE_LANES bool are_inside(const struct rt_viewports *vps, const struct rt_viewport *vp,
                                const struct clip_lanes *v)
{
   const rt_f32x16 minus_w = -v->w, near = vps->has_negative_z ? minus_w : rt_splat_f(0.0f);
   uint32_t inside = RT_COMPARE(v->x, >=, minus_w, _CMP_GE_OQ) & RT_COMPARE(v->x, <=, v->w, _CMP_LE_OQ);
   inside &= RT_COMPARE(v->y, >=, minus_w, _CMP_GE_OQ) & RT_COMPARE(v->y, <=, v->w, _CMP_LE_OQ);
   inside &= RT_COMPARE(v->z, >=, near, _CMP_GE_OQ) & RT_COMPARE(v->z, <=, v->w, _CMP_LE_OQ);
   inside &= RT_COMPARE(v->w, >=, rt_splat_f(RT_MIN_W), _CMP_GE_OQ);
   inside &= RT_COMPARE(v->w, <=, rt_splat_f(FLT_MAX), _CMP_LE_OQ);
   return inside == 0xffff && vp->is_guarded;
}

RT_INLINE_LANES rt_i32x16 find_codes(const struct rt_viewports *vps, const struct rt_viewport *vp,
                                     const struct clip_lanes *v)
{
   const rt_f32x16 x = v->x, y = v->y, z = v->z, w = v->w;
   const rt_f32x16 near = vps->has_negative_z ? -w : rt_splat_f(0.0f);
   const rt_f32x16 sx = x * rt_splat_f(vp->sx), sy = y * rt_splat_f(vp->sy);
   rt_i32x16 codes = ((x < -w) & RT_CODE_LEFT) | ((x > w) & RT_CODE_RIGHT) | ((y < -w) & RT_CODE_TOP) |
                     ((y > w) & RT_CODE_BOTTOM) | ((z < near) & RT_CODE_NEAR) | ((z > w) & RT_CODE_FAR);
   codes |= (sx + rt_splat_f(vp->ox - RT_GUARD_LO) * w < 0.0f) & RT_CODE_GUARD_X0;
   codes |= (sx + rt_splat_f(vp->ox - RT_GUARD_HI) * w > 0.0f) & RT_CODE_GUARD_X1;
   codes |= (sy + rt_splat_f(vp->oy - RT_GUARD_LO) * w < 0.0f) & RT_CODE_GUARD_Y0;
   codes |= (sy + rt_splat_f(vp->oy - RT_GUARD_HI) * w > 0.0f) & RT_CODE_GUARD_Y1;
   codes |= ~(w >= rt_splat_f(RT_MIN_W)) & RT_CODE_W;
   /* The difference with itself is NaN for infinities and NaN. */
   return codes | (((x - x) + (y - y) + (z - z) + (w - w) != 0.0f) & RT_CODE_BAD);
}

RT_INLINE_LANES void find_window(const struct rt_viewport *vp, const struct clip_lanes *v, struct projected *p)
{
   const rt_f32x16 one = rt_splat_f(1.0f);
   rt_f32x16 x = v->x, y = v->y, z = v->z;
   p->inv_w = one;
   /* Without perspective nothing need be divided; the quotients are the same. */
   if (RT_COMPARE(v->w, ==, one, _CMP_EQ_OQ) != 0xffff) {
      x /= v->w;
      y /= v->w;
      z /= v->w;
      p->inv_w = one / v->w;
   }
   p->x = snap(x * rt_splat_f(vp->sx) + rt_splat_f(vp->ox));
   p->y = snap(y * rt_splat_f(vp->sy) + rt_splat_f(vp->oy));
   p->z = z * rt_splat_f(vp->sz) + rt_splat_f(vp->oz);
}

/* Rows of a stage's outputs, `stride` lanes each. */
struct rows {
   const uint32_t *data;
   uint32_t stride;
};

static inline const uint32_t *row_at(const struct rows *rows, int16_t row)
{
   return rows->data + (size_t)row * rows->stride;
}

/* Positions of a call, from the stage's rows to the batch's arrays from `first` on. */
static void project(const struct rt_draw *draw, struct rt_batch *batch, const struct rows *from, uint32_t first, uint32_t count)
{
   static const float zeros[ABI_VERTEX_BATCH];
   const struct rt_context *c = draw->context;
   const struct rt_viewport vp = draw->viewports->items[0];
   const float *rows[4];
   for (uint32_t i = 0; i < 4; i++)
      rows[i] = c->position_row[i] >= 0 ? (const float *)row_at(from, c->position_row[i]) : zeros;
   rt_i32x16 any = {0};
   for (uint32_t i = 0; i < count; i += 16) {
      const uint32_t to = first + i;
      const struct clip_lanes v = {rt_load_f(rows[0] + i), rt_load_f(rows[1] + i), rt_load_f(rows[2] + i),
                                   rt_load_f(rows[3] + i)};
      struct projected p = {0};
      if (!are_inside(draw->viewports, &vp, &v)) {
         p.codes = find_codes(draw->viewports, &vp, &v);
         any |= p.codes;
      }
      find_window(&vp, &v, &p);
      rt_store_f(batch->clip[0] + to, v.x);
      rt_store_f(batch->clip[1] + to, v.y);
      rt_store_f(batch->clip[2] + to, v.z);
      rt_store_f(batch->clip[3] + to, v.w);
      rt_store_i(batch->codes + to, p.codes);
      rt_i32x16 post[4] = {p.x, p.y, (rt_i32x16)p.z, (rt_i32x16)p.inv_w};
      rt_scatter_records((uint8_t *)(batch->post + to), sizeof(*batch->post), post);
   }
   for (uint32_t i = 0; i < 16; i++)
      batch->any_codes |= (uint32_t)any[i];
}

/* Layer, viewport, shading rate, point size and user distances: rare, so one by one. */
static void store_extras(const struct rt_draw *draw, struct rt_batch *batch, const struct rows *from, uint32_t first,
                         uint32_t count, uint32_t view)
{
   const struct rt_context *c = draw->context;
   for (uint32_t i = 0; i < count; i++) {
      struct rt_vertex_extra *v = &batch->extras[first + i];
      v->layer = c->layer_row >= 0 ? row_at(from, c->layer_row)[i] : view;
      v->point_size = 1.0f;
      if (c->point_size_row >= 0)
         memcpy(&v->point_size, &row_at(from, c->point_size_row)[i], 4);
      v->viewport = c->viewport_row >= 0 ? row_at(from, c->viewport_row)[i] : 0;
      v->rate = c->rate_row >= 0 ? row_at(from, c->rate_row)[i] : 0;
      if (v->viewport >= draw->viewports->count)
         v->viewport = 0;
      for (uint32_t d = 0; d < c->num_clip_distances + c->num_cull_distances; d++) {
         v->distances[d] = 0;
         if (c->distance_row[d] >= 0)
            memcpy(&v->distances[d], &row_at(from, c->distance_row[d])[i], 4);
         batch->codes[first + i] |= !(v->distances[d] >= 0) ? (uint32_t)RT_CODE_CLIP0 << d : 0;
      }
      batch->any_codes |= batch->codes[first + i];
   }
}

void rt_vertex_load(const struct rt_draw *draw, const struct rt_batch *batch, uint32_t slot, uint32_t viewport,
                    struct rt_vertex *vertex)
{
   for (uint32_t i = 0; i < 4; i++)
      vertex->clip[i] = batch->clip[i][slot];
   vertex->x = batch->post[slot].x;
   vertex->y = batch->post[slot].y;
   vertex->z = batch->post[slot].z;
   vertex->inv_w = batch->post[slot].inv_w;
   vertex->codes = batch->codes[slot];
   vertex->viewport = viewport;
   if (draw->context->has_extras)
      memcpy(vertex->distances, batch->extras[slot].distances, sizeof(vertex->distances));
   if (!viewport)
      return;
   /* The arrays are for the first viewport. */
   const struct rt_viewport *vp = &draw->viewports->items[viewport];
   const struct clip_lanes v = {rt_splat_f(vertex->clip[0]), rt_splat_f(vertex->clip[1]), rt_splat_f(vertex->clip[2]),
                                rt_splat_f(vertex->clip[3])};
   struct projected p = {.codes = find_codes(draw->viewports, vp, &v)};
   find_window(vp, &v, &p);
   vertex->codes = (vertex->codes & RT_CODE_DISTANCES) | (uint32_t)p.codes[0];
   vertex->x = p.x[0];
   vertex->y = p.y[0];
   vertex->z = p.z[0];
   vertex->inv_w = p.inv_w[0];
}

/* Rows of the stage's outputs become one row per vertex. */
static void store_rows(const struct rt_context *c, const struct rows *outputs, float *rows, uint32_t count)
{
   static const float zeros[ABI_VERTEX_BATCH];
   const size_t stride = c->row_stride * sizeof(float);
   for (uint32_t k = 0; k < c->row_stride; k += RT_ROW_ALIGN) {
      const float *from[4];
      for (uint32_t i = 0; i < 4; i++) {
         const bool is_output = k + i < c->num_planes && c->plane_row[k + i] >= 0;
         from[i] = is_output ? (const float *)row_at(outputs, c->plane_row[k + i]) : zeros;
      }
      uint8_t *to = (uint8_t *)(rows + k);
      for (uint32_t i = 0; i < count; i += 16, to += 16 * stride) {
         rt_i32x16 columns[4] = {rt_load_i(from[0] + i), rt_load_i(from[1] + i), rt_load_i(from[2] + i),
                                 rt_load_i(from[3] + i)};
         rt_scatter_records(to, stride, columns);
      }
   }
}

void rt_finish_vertices(const struct rt_draw *draw, struct rt_batch *batch, const uint32_t *data, uint32_t stride,
                        uint32_t first, uint32_t count, uint32_t view)
{
   const struct rows rows = {data, stride};
   const struct rt_context *c = draw->context;
   project(draw, batch, &rows, first, count);
   if (c->has_extras)
      store_extras(draw, batch, &rows, first, count, view);
   store_rows(c, &rows, batch->rows + (size_t)first * c->row_stride, count);
}

void rt_shade_vertices(const struct rt_draw *draw, uint32_t view, struct rt_batch *batch, struct rt_worker *worker)
{
   const struct rt_context *c = draw->context;
   struct abi_vertex_args args = {
      .resources = &draw->resources,
      .inputs = batch->inputs,
      .outputs = batch->outputs,
      .base_vertex = draw->params.is_indexed ? (uint32_t)draw->params.vertex_offset : draw->params.first,
      .base_instance = draw->params.first_instance,
      .draw_index = draw->params.draw_index,
      .view_index = view,
   };
   const bool is_checked = rt_overrun_is_checked(worker);
   rt_draw_enter(draw, ABI_STAGE_VERTEX, worker);
   batch->any_codes = 0;
   for (uint32_t first = 0; first < batch->num_vertices; first += ABI_VERTEX_BATCH) {
      const uint32_t count = UTIL_MIN(batch->num_vertices - first, (uint32_t)ABI_VERTEX_BATCH);
      args.vertex_index = batch->vertex_index + first;
      args.instance_index = batch->instance_index + first;
      if (UTIL_UNLIKELY(is_checked))
         rt_overrun_vertices(draw, worker, args.vertex_index, args.instance_index, count);
      rt_fetch_vertices(draw->inputs->fetches, draw->inputs->num_fetches, batch->inputs, args.vertex_index, args.instance_index,
                        draw->params.first_instance, count);
      if (c->keeps_outputs)
         args.outputs = batch->outputs + (size_t)first * c->num_vs_outputs;
      c->pipeline->shaders[ABI_STAGE_VERTEX].run.vertex(&args, &worker->abi, count);
      if (c->vs == c->last && !c->is_discarded)
         rt_finish_vertices(draw, batch, args.outputs, ABI_VERTEX_BATCH, first, count, view);
      rt_worker_progress(worker);
   }
}
