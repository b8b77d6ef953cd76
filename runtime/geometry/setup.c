/* SPDX-License-Identifier: MIT
 * Set-up of triangles, and what all primitives share. */
#include "runtime/geometry/setup.h"
#include "util/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rt_prim *rt_setup_prim(struct rt_setup *setup, bool is_front, uint32_t num_edges)
{
   struct rt_prim *prim = (struct rt_prim *)(setup->chunk->prims + setup->chunk->used_bytes);
   prim->draw = setup->draw;
   prim->class = RT_PRIM_POLYGON;
   prim->rate = setup->rate;
   prim->abi.is_front = is_front;
   prim->abi.primitive_id = setup->primitive_id;
   prim->abi.layer = setup->layer;
   prim->abi.viewport = setup->viewport;
   prim->abi.view_index = setup->view;
   prim->abi.point_center[0] = prim->abi.point_center[1] = prim->abi.point_inv_size = 0;
   prim->num_edges = (uint8_t)num_edges;
   prim->abi.planes = rt_prim_planes(prim);
   return prim;
}

void rt_setup_edges(struct rt_prim *prim, const int32_t (*corners)[2], uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const int32_t *p = corners[i], *q = corners[i + 1 < count ? i + 1 : 0];
      const int32_t a = p[1] - q[1], b = q[0] - p[0];
      const bool is_top_left = a > 0 || (a == 0 && b > 0);
      prim->edges[i] = (struct rt_edge_eq){a, b, -((int64_t)a * p[0] + (int64_t)b * p[1]) - !is_top_left};
   }
}

/* Spec: Rasterization, "Conservative Rasterization". */
static void estimate(const struct rt_context *c, struct rt_prim *prim)
{
   struct rt_line *line = (struct rt_line *)((char *)prim + c->line_offset);
   for (uint32_t i = 0; i < prim->num_edges; i++) {
      struct rt_edge_eq *e = &prim->edges[i];
      /* The rule for ties does not apply: a texel that an edge touches counts as met, and not as covered. */
      const bool is_top_left = e->a > 0 || (e->a == 0 && e->b > 0);
      e->c += ((int64_t)abs(e->a) + abs(e->b)) * c->estimation_fx8 + !is_top_left - (c->estimation_fx8 < 0);
   }
   prim->is_clipped = true; /* corners that move out with their edges are cut */
   if (c->line_offset && prim->class != RT_PRIM_LINE)
      *line = (struct rt_line){.factor = 1, .pattern = 0xffff};
   if (c->line_offset) {
      prim->class = RT_PRIM_LINE;
      line->covers_texels = true;
   }
}

/* rt_setup_bounds() of corners from (x0, y0) to (x1, y1). */
static inline bool find_bounds(const struct rt_context *c, struct rt_prim *prim, const struct rt_rect *rect, int32_t x0,
                               int32_t y0, int32_t x1, int32_t y1)
{
   const bool touches = c->estimation_fx8 > 0; /* the texel before, too, where it ends */
   const int32_t margin = c->margin_fx8;
   return rt_setup_bounds(prim, rect, c->num_samples > 1 || touches, x0 - margin - touches, y0 - margin - touches,
                          x1 + margin, y1 + margin);
}

void rt_setup_add(struct rt_setup *setup, struct rt_prim *prim)
{
   const struct rt_target *target = setup->context->target;
   if (UTIL_UNLIKELY(setup->context->estimation_fx8))
      estimate(setup->context, prim);
   const uint32_t layer = UTIL_MIN(setup->layer, target->num_layers - 1); /* beyond them is undefined; OpenGL's layer of what has none is over zink */
   if (!rt_bin_add(&setup->chunk->bin, target, prim, setup->chunk->used_bytes, layer)) {
      setup->is_out_of_memory = true;
      return;
   }
   setup->chunk->used_bytes = util_size_add32(setup->chunk->used_bytes, setup->context->prim_bytes);
}

/* Where planes have their origin: the first texel's corner, which both halves of a rectangle share, so that what varies along one of its sides alone
 * has the same bits in both: their seam is not seen where a coordinate is halfway between texels. */
static inline void choose_reference(struct rt_prim *prim)
{
   prim->abi.x0 = prim->x0;
   prim->abi.y0 = prim->y0;
}

/* Gradients: d/dx = a10 * kx20 - a20 * kx10 and likewise in y; c: value at the reference point, `mx`, `my` texels from
 * vertex 0. */
struct plane_factors {
   double kx10, kx20, ky10, ky20;
   double mx, my;
};

/* Planes by four or eight; the same operations. */
typedef float f32x2 __attribute__((vector_size(8), aligned(4), may_alias));
typedef float f32x4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int64_t i64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x8 __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) f32x4 corner_values(const float *row, i32x4 is_perspective, float inv_w)
{
   const f32x4 one = {1, 1, 1, 1}, w = {inv_w, inv_w, inv_w, inv_w};
   const f32x4 scale = (f32x4)(((i32x4)w & is_perspective) | ((i32x4)one & ~is_perspective));
   return *(const f32x4 *)row * scale;
}

/* Columns c, dx, dy to four planes. */
static inline __attribute__((always_inline)) void store_planes(struct abi_plane *out, f32x4 c, f32x4 dx, f32x4 dy)
{
   const f32x4 c_dx_lo = __builtin_shufflevector(c, dx, 0, 4, 1, 5),
               c_dx_hi = __builtin_shufflevector(c, dx, 2, 6, 3, 7);
   f32x4 *to = (f32x4 *)(void *)out;
   to[0] = __builtin_shufflevector(c_dx_lo, dy, 0, 1, 4, 2);
   to[1] = __builtin_shufflevector(__builtin_shufflevector(c_dx_lo, dy, 3, 5, 3, 3), c_dx_hi, 0, 1, 4, 5);
   to[2] = __builtin_shufflevector(c_dx_hi, dy, 6, 2, 3, 7);
}

static inline __attribute__((always_inline)) void four_planes(const struct plane_factors *f, f32x4 v0, f32x4 v1,
                                                              f32x4 v2, struct abi_plane *out)
{
   const f64x4 a0 = __builtin_convertvector(v0, f64x4);
   const f64x4 a10 = __builtin_convertvector(v1, f64x4) - a0, a20 = __builtin_convertvector(v2, f64x4) - a0;
   const f64x4 gx = a10 * f->kx20 - a20 * f->kx10;
   const f64x4 gy = a20 * f->ky10 - a10 * f->ky20;
   store_planes(out, __builtin_convertvector(a0 + (gx * f->mx + gy * f->my), f32x4), __builtin_convertvector(gx, f32x4),
                __builtin_convertvector(gy, f32x4));
}

/* Depth and 1 / w of a vertex, and its first four attributes. */
static inline __attribute__((always_inline)) f64x8 first_values(const struct rt_post *v, const float *row,
                                                                i32x4 is_perspective)
{
   const f32x4 at = *(const f32x4 *)(const void *)v;
   const f32x4 attributes = corner_values(row, is_perspective, v->inv_w);
   return __builtin_convertvector(__builtin_shufflevector(at, attributes, 2, 3, 2, 3, 4, 5, 6, 7), f64x8);
}

/* The planes of depth, 1 / w and four attributes at once. */
static inline __attribute__((always_inline)) void first_planes(const struct plane_factors *f, f64x8 a0, f64x8 a1,
                                                               f64x8 a2, struct rt_prim *prim, bool has_attributes)
{
   const f64x8 a10 = a1 - a0, a20 = a2 - a0;
   const f64x8 gx = a10 * f->kx20 - a20 * f->kx10;
   const f64x8 gy = a20 * f->ky10 - a10 * f->ky20;
   const f32x8 c = __builtin_convertvector(a0 + (gx * f->mx + gy * f->my), f32x8);
   const f32x8 dx = __builtin_convertvector(gx, f32x8), dy = __builtin_convertvector(gy, f32x8);
   const f32x8 c_dx = __builtin_shufflevector(c, dx, 0, 8, 1, 9, 0, 8, 1, 9);
   const f32x8 six = __builtin_shufflevector(c_dx, dy, 0, 1, 8, 2, 3, 9, 3, 9);
   float *to = &prim->abi.z.c; /* two planes side by side */
   *(f32x4 *)to = __builtin_shufflevector(six, six, 0, 1, 2, 3);
   *(f32x2 *)(to + 4) = __builtin_shufflevector(six, six, 4, 5);
   if (has_attributes)
      store_planes(rt_prim_planes(prim), __builtin_shufflevector(c, c, 4, 5, 6, 7),
                   __builtin_shufflevector(dx, dx, 4, 5, 6, 7), __builtin_shufflevector(dy, dy, 4, 5, 6, 7));
}

/* Values of constant slots for the primitive: what no vertex output holds. */
static uint32_t constant_of(const struct rt_prim *prim, uint32_t slot)
{
   switch (slot) {
   case ABI_SLOT_LAYER:
      return prim->abi.layer;
   case ABI_SLOT_VIEWPORT:
      return prim->abi.viewport;
   case ABI_SLOT_PRIMITIVE_ID:
      return prim->abi.primitive_id;
   default:
      return 0;
   }
}

static void fill_flat(const struct rt_setup *setup, struct rt_prim *prim)
{
   const struct rt_context *c = setup->context;
   for (uint32_t k = 0; k < c->num_planes; k++) {
      if (c->plane_interp[k] < 2)
         continue;
      struct abi_plane *plane = rt_prim_planes(prim) + k;
      *plane = (struct abi_plane){0};
      if (c->plane_interp[k] == 3) {
         memcpy(&plane->c, &setup->corner_rows[0][k], 4);
         memcpy(&plane->dx, &setup->corner_rows[1][k], 4);
         memcpy(&plane->dy, &setup->corner_rows[2][k], 4);
         continue;
      }
      if (c->ms && c->plane_prim_value[k] >= 0) {
         memcpy(&plane->c, &setup->prim_values[c->plane_prim_value[k]], 4);
         continue;
      }
      const uint32_t constant = constant_of(prim, c->plane_slot[k]);
      const bool is_vertex =
         c->plane_row[k] >= 0 && c->plane_slot[k] != ABI_SLOT_LAYER && c->plane_slot[k] != ABI_SLOT_VIEWPORT;
      memcpy(&plane->c, is_vertex ? (const void *)&setup->flat_row[k] : &constant, 4);
   }
}

/* The format whose resolution is the unit of constant bias; RT_DEPTH_NONE: the unit is 1. */
static enum rt_depth_format bias_units(const struct rt_context *c)
{
   switch (c->state.depth_bias.representation) {
   case VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT:
      return RT_DEPTH_NONE;
   case VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORCE_UNORM_EXT:
      return c->depth.format == RT_DEPTH_D16 ? RT_DEPTH_D16 : RT_DEPTH_X8D24; /* 24 bits of a float's mantissa */
   default:
      return c->depth.format == RT_DEPTH_NONE ? RT_DEPTH_X8D24 : (enum rt_depth_format)c->depth.format;
   }
}

/* Spec: Rasterization, "Depth Bias". `z_max`: the largest depth of the primitive, for the float format's r. */
static float depth_bias(const struct rt_context *c, float dzdx, float dzdy, float z_max)
{
   const float slope = UTIL_MAX(fabsf(dzdx), fabsf(dzdy));
   const bool is_exact = c->state.depth_bias.is_exact;
   float r;
   switch (bias_units(c)) {
   case RT_DEPTH_NONE:
      r = 1;
      break;
   case RT_DEPTH_D16:
      r = 0x1p-16f;
      break;
   case RT_DEPTH_D32F: {
      int exponent = 0;
      frexpf(z_max, &exponent); /* z_max = m * 2^exponent with m in [0.5, 1) */
      r = z_max == 0 || !isfinite(z_max) ? 0 : ldexpf(1.0f, exponent - 1 - 23);
      break;
   }
   default: /* twice the format's step: storing rounds by as much, but for floats */
      r = is_exact || c->depth.format == RT_DEPTH_D32F ? 0x1p-24f : 0x1p-23f;
      break;
   }
   const float constant = c->state.depth_bias.constant, clamp = c->state.depth_bias.clamp;
   float bias = slope * c->state.depth_bias.slope + r * constant;
   if (clamp > 0)
      bias = UTIL_MIN(bias, clamp);
   else if (clamp < 0)
      bias = UTIL_MAX(bias, clamp);
   return isnan(bias) ? 0 : bias;
}

/* Edge functions of a triangle, clockwise on the screen: what rt_setup_edges() computes. */
static inline __attribute__((always_inline)) void triangle_edges(struct rt_prim *prim, const struct rt_post *v0,
                                                                 const struct rt_post *v1, const struct rt_post *v2)
{
   const i32x4 p0 = *(const i32x4 *)(const void *)v0, p1 = *(const i32x4 *)(const void *)v1,
               p2 = *(const i32x4 *)(const void *)v2;
   const i32x4 xy01 = __builtin_shufflevector(p0, p1, 0, 4, 1, 5), xy20 = __builtin_shufflevector(p2, p0, 0, 4, 1, 5);
   const i32x4 x = __builtin_shufflevector(xy01, xy20, 0, 1, 4, 5), y = __builtin_shufflevector(xy01, xy20, 2, 3, 6, 7);
   const i32x4 a = y - __builtin_shufflevector(y, y, 1, 2, 3, 1), b = __builtin_shufflevector(x, x, 1, 2, 3, 1) - x;
   const i32x4 is_top_left = (a > 0) | ((a == 0) & (b > 0));
   const i64x4 a64 = __builtin_convertvector(a, i64x4), b64 = __builtin_convertvector(b, i64x4);
   const i64x4 sum = a64 * __builtin_convertvector(x, i64x4) + b64 * __builtin_convertvector(y, i64x4);
   const i64x4 c = -sum - 1 - __builtin_convertvector(is_top_left, i64x4);
   const i64x4 ab = (a64 & 0xffffffff) | b64 << 32;
   i64x4 *to = (i64x4 *)(void *)prim->edges;
   to[0] = __builtin_shufflevector(ab, c, 0, 4, 1, 5);
   to[1] = __builtin_shufflevector(ab, c, 2, 6, 3, 7); /* and one more, which the planes overwrite */
}
_Static_assert(RT_MAX_EDGES == 4 && sizeof(struct rt_edge_eq) == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "edges are stored as vectors");

/* The rest of a triangle whose bounds are set. */
static inline __attribute__((always_inline)) void add_triangle(struct rt_setup *setup, struct rt_prim *prim,
                                                               const struct rt_post *const v[3],
                                                               const float *const rows[3], bool is_positive)
{
   const struct rt_context *c = setup->context;
   triangle_edges(prim, v[0], v[is_positive ? 1 : 2], v[is_positive ? 2 : 1]);
   choose_reference(prim);
   /* Differences have 25 bits, products 50: the determinant is exact. */
   const double x10 = v[1]->x - v[0]->x, y10 = v[1]->y - v[0]->y, x20 = v[2]->x - v[0]->x, y20 = v[2]->y - v[0]->y;
   const double inv = 256.0 / (x10 * y20 - x20 * y10);
   const struct plane_factors f = {
      .kx10 = y10 * inv,
      .kx20 = y20 * inv,
      .ky10 = x10 * inv,
      .ky20 = x20 * inv,
      .mx = (double)prim->abi.x0 - v[0]->x / 256.0,
      .my = (double)prim->abi.y0 - v[0]->y / 256.0,
   };
   static const float no_attributes[RT_ROW_ALIGN];
   const bool has_attributes = c->num_planes != 0;
   const float *r0 = has_attributes ? rows[0] : no_attributes, *r1 = has_attributes ? rows[1] : no_attributes,
               *r2 = has_attributes ? rows[2] : no_attributes;
   i32x4 is_perspective = *(const i32x4 *)c->plane_is_perspective;
   first_planes(&f, first_values(v[0], r0, is_perspective), first_values(v[1], r1, is_perspective),
                first_values(v[2], r2, is_perspective), prim, has_attributes);
   for (uint32_t k = RT_ROW_ALIGN; k < c->num_planes; k += RT_ROW_ALIGN) {
      is_perspective = *(const i32x4 *)&c->plane_is_perspective[k];
      four_planes(&f, corner_values(r0 + k, is_perspective, v[0]->inv_w),
                  corner_values(r1 + k, is_perspective, v[1]->inv_w),
                  corner_values(r2 + k, is_perspective, v[2]->inv_w), rt_prim_planes(prim) + k);
   }
   if (c->state.depth_bias_enable.enable) {
      const float z_max = UTIL_MAX(UTIL_MAX(fabsf(v[0]->z), fabsf(v[1]->z)), fabsf(v[2]->z));
      prim->abi.z.c += depth_bias(c, prim->abi.z.dx, prim->abi.z.dy, z_max);
   }
   if (c->has_flat)
      fill_flat(setup, prim);
   rt_setup_add(setup, prim);
}

void rt_setup_culled(struct rt_setup *setup, const struct rt_batch *batch, const uint16_t *slots,
                     const struct rt_culled *culled, uint32_t lane)
{
   const struct rt_context *c = setup->context;
   const bool is_positive = culled->is_positive >> lane & 1;
   struct rt_prim *prim =
      rt_setup_prim(setup, (c->state.front_face.face == VK_FRONT_FACE_CLOCKWISE) == is_positive, 3);
   prim->x0 = (uint16_t)culled->x0[lane];
   prim->y0 = (uint16_t)culled->y0[lane];
   prim->x1 = (uint16_t)culled->x1[lane];
   prim->y1 = (uint16_t)culled->y1[lane];
   prim->is_clipped = (culled->is_clipped & 1u << lane) != 0;
   prim->is_small = (culled->is_small & 1u << lane) != 0;
   const struct rt_post *const v[3] = {&batch->post[slots[0]], &batch->post[slots[1]], &batch->post[slots[2]]};
   const float *const rows[3] = {batch->rows + (size_t)slots[0] * c->row_stride,
                                 batch->rows + (size_t)slots[1] * c->row_stride,
                                 batch->rows + (size_t)slots[2] * c->row_stride};
   setup->num_prims++;
   add_triangle(setup, prim, v, rows, is_positive);
}

/* The size that the shader gives the corner; of one that clipping made, the first corner's. */
static float corner_size(const struct rt_setup *setup, const struct rt_post *at)
{
   for (uint32_t k = 0; k < 3; k++)
      if (setup->corners[k].x == at->x && setup->corners[k].y == at->y)
         return setup->corners[k].size;
   return setup->corners[0].size;
}

/* Polygon modes line and point: the edges or corners, with the polygon's facing and depth bias. */
static void setup_outline(struct rt_setup *setup, const struct rt_setup_vertex v[3], int64_t det, bool is_front)
{
   setup->has_polygon = true;
   setup->is_front = is_front;
   setup->depth_bias = 0;
   if (setup->context->state.depth_bias_enable.enable) {
      const double inv = 256.0 / (double)det;
      const double z10 = (double)v[1].at.z - v[0].at.z, z20 = (double)v[2].at.z - v[0].at.z;
      const double dx = z10 * (v[2].at.y - v[0].at.y) * inv - z20 * (v[1].at.y - v[0].at.y) * inv;
      const double dy = z20 * (v[1].at.x - v[0].at.x) * inv - z10 * (v[2].at.x - v[0].at.x) * inv;
      const float z_max = UTIL_MAX(UTIL_MAX(fabsf(v[0].at.z), fabsf(v[1].at.z)), fabsf(v[2].at.z));
      setup->depth_bias = depth_bias(setup->context, (float)dx, (float)dy, z_max);
   }
   for (uint32_t i = 0; i < 3; i++) {
      setup->stipple = 0;
      if (setup->context->state.polygon_mode.mode == VK_POLYGON_MODE_LINE)
         rt_setup_line(setup, (const struct rt_setup_vertex[2]){v[i], v[(i + 1) % 3]});
      else
         rt_setup_point(setup, &v[i], corner_size(setup, &v[i].at));
   }
   setup->has_polygon = false;
}

void rt_setup_triangle(struct rt_setup *setup, const struct rt_setup_vertex v[3])
{
   const struct rt_context *c = setup->context;
   const int64_t x10 = v[1].at.x - v[0].at.x, y10 = v[1].at.y - v[0].at.y, x20 = v[2].at.x - v[0].at.x, y20 = v[2].at.y - v[0].at.y;
   const int64_t det = x10 * y20 - x20 * y10;
   if (det == 0)
      return;
   /* Spec: the area is -det / 2, so det > 0 is clockwise. */
   const bool is_front = (c->state.front_face.face == VK_FRONT_FACE_CLOCKWISE) == (det > 0);
   if (c->state.cull_mode.mode & (is_front ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT))
      return;
   if (c->state.polygon_mode.mode != VK_POLYGON_MODE_FILL) {
      setup_outline(setup, v, det, is_front);
      return;
   }
   struct rt_prim *prim = rt_setup_prim(setup, is_front, 3);
   const int32_t min_x = UTIL_MIN(UTIL_MIN(v[0].at.x, v[1].at.x), v[2].at.x), max_x = UTIL_MAX(UTIL_MAX(v[0].at.x, v[1].at.x), v[2].at.x);
   const int32_t min_y = UTIL_MIN(UTIL_MIN(v[0].at.y, v[1].at.y), v[2].at.y), max_y = UTIL_MAX(UTIL_MAX(v[0].at.y, v[1].at.y), v[2].at.y);
   if (!find_bounds(c, prim, &setup->draw->viewports->items[setup->viewport].polygon_rect, min_x, min_y, max_x, max_y))
      return;
   add_triangle(setup, prim, (const struct rt_post *const[3]){&v[0].at, &v[1].at, &v[2].at},
                (const float *const[3]){v[0].row, v[1].row, v[2].row}, det > 0);
}

/* ---- lines and points share these ---- */

/* A plane along a line: value a at the reference point, changing by b - a over (dx, dy) texels. */
struct line_factors {
   double kx, ky;
};

static struct abi_plane line_plane(const struct line_factors *f, double a, double b)
{
   return (struct abi_plane){(float)a, (float)((b - a) * f->kx), (float)((b - a) * f->ky)};
}

static void fill_line_planes(const struct rt_setup *setup, struct rt_prim *prim, const struct rt_setup_vertex *a,
                             const struct rt_setup_vertex *b, struct line_factors f)
{
   const struct rt_context *c = setup->context;
   prim->abi.x0 = (float)a->at.x / 256.0f;
   prim->abi.y0 = (float)a->at.y / 256.0f;
   prim->abi.z = line_plane(&f, a->at.z, b->at.z);
   prim->abi.inv_w = line_plane(&f, a->at.inv_w, b->at.inv_w);
   if (setup->has_polygon)
      prim->abi.z.c += setup->depth_bias;
   for (uint32_t k = 0; k < c->num_planes; k++) {
      const bool is_perspective = c->plane_interp[k] == 0;
      rt_prim_planes(prim)[k] = line_plane(&f, a->row[k] * (is_perspective ? a->at.inv_w : 1.0f),
                                           b->row[k] * (is_perspective ? b->at.inv_w : 1.0f));
   }
   if (c->has_flat)
      fill_flat(setup, prim);
}

static int32_t to_fixed(double v)
{
   const double limit = 1 << 23;
   return (int32_t)lrint(UTIL_CLAMP(v, -limit, limit));
}

/* The coordinate on one axis of the texel in whose diamond a point (24.8) is. Spec: the point is moved by an infinitely
 * small step to the left and by a much smaller one up, which decides on the border. */
static bool find_diamond(const int32_t p[2], uint32_t axis, int32_t *texel)
{
   const int32_t x = (p[0] - 1) >> 8, y = (p[1] - 1) >> 8;
   const int32_t dx = p[0] - (x * 256 + 128), dy = p[1] - (y * 256 + 128);
   const int32_t sum = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
   *texel = axis ? y : x;
   return sum < 128 || (sum == 128 && dx > 0);
}

/* The columns (rows for axis 1) in which a Bresenham line has a texel, from the first to the last in its direction, by
 * the rule of diamonds that are left. False if there are none. */
static bool find_columns(const int32_t a[2], const int32_t b[2], uint32_t axis, int32_t *first, int32_t *last)
{
   int32_t texel;
   if (b[axis] > a[axis]) {
      *first = (a[axis] + 127) >> 8;
      *last = ((b[axis] + 127) >> 8) - 1;
      if (find_diamond(a, axis, &texel))
         *first = UTIL_MIN(*first, texel);
      if (find_diamond(b, axis, &texel))
         *last = UTIL_MIN(*last, texel - 1);
      return *first <= *last;
   }
   *first = ((a[axis] + 127) >> 8) - 1;
   *last = (b[axis] + 127) >> 8;
   if (find_diamond(a, axis, &texel))
      *first = UTIL_MAX(*first, texel);
   if (find_diamond(b, axis, &texel))
      *last = UTIL_MAX(*last, texel + 1);
   return *first >= *last;
}

/* A line as set-up sees it. */
struct segment {
   double dx, dy, length; /* 1/256 texel */
   double half_width;
   bool is_bresenham;
   uint32_t axis;       /* Bresenham: 1 if y changes more than x */
   int32_t first, last; /* Bresenham: columns */
};

/* Fills the part of the primitive that edges do not determine, and moves the stipple's counter on by the segment. */
static void fill_line(struct rt_setup *setup, struct rt_prim *prim, const struct rt_setup_vertex *begin,
                      const struct segment *segment)
{
   const struct rt_state *s = &setup->context->state;
   struct rt_line *line = (struct rt_line *)((char *)prim + setup->context->line_offset);
   *line = (struct rt_line){
      .x0 = (float)begin->at.x / 256.0f,
      .y0 = (float)begin->at.y / 256.0f,
      .dx = (float)(segment->dx / segment->length),
      .dy = (float)(segment->dy / segment->length),
      .phase = setup->stipple,
      .factor = UTIL_CLAMP(s->line_stipple.factor, 1u, 256u),
      .pattern = s->line_stipple_enable.enable ? s->line_stipple.pattern & 0xffff : 0xffff,
      .covers_texels = segment->is_bresenham || setup->context->smooths_lines,
      .length = (float)(segment->length / 256.0),
      .half_width = (float)(segment->half_width / 256.0),
   };
   prim->class = RT_PRIM_LINE;
   if (segment->is_bresenham) {
      const int32_t step = segment->first <= segment->last ? 1 : -1;
      line->x0 = line->y0 = (float)segment->first + 0.5f;
      line->dx = segment->axis ? 0 : (float)step;
      line->dy = segment->axis ? (float)step : 0;
      setup->stipple += (float)((segment->last - segment->first) * step + 1);
   } else {
      setup->stipple += (float)(segment->length / 256.0);
   }
   setup->stipple = fmodf(setup->stipple, 16.0f * (float)line->factor); /* small numbers stay exact */
}

/* The corners of a rectangular line, clockwise on the screen: along the line the left side is -n (y down). `margin`: by
 * which it is larger on all sides, 1/256 texel. */
static void rectangle(const struct rt_setup_vertex v[2], const struct segment *segment, double margin, int32_t corners[4][2])
{
   const double ux = segment->dx / segment->length, uy = segment->dy / segment->length;
   const double nx = -uy * (segment->half_width + margin), ny = ux * (segment->half_width + margin);
   for (uint32_t i = 0; i < 4; i++) {
      const struct rt_setup_vertex *end = &v[i == 1 || i == 2];
      const double side = i < 2 ? -1 : 1, beyond = end == &v[1] ? margin : -margin;
      corners[i][0] = to_fixed(end->at.x + side * nx + beyond * ux);
      corners[i][1] = to_fixed(end->at.y + side * ny + beyond * uy);
   }
}

/* The same for a Bresenham line: a parallelogram over its columns whose ends are parallel to the axis. */
static void parallelogram(const struct rt_setup_vertex v[2], const struct segment *segment, int32_t corners[4][2])
{
   const uint32_t axis = segment->axis;
   const double slope = axis ? segment->dx / segment->dy : segment->dy / segment->dx;
   const int32_t ends[2] = {UTIL_MIN(segment->first, segment->last) * 256,
                            (UTIL_MAX(segment->first, segment->last) + 1) * 256};
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t end = axis ? i >= 2 : i == 1 || i == 2;
      const double side = (axis ? i == 1 || i == 2 : i >= 2) ? 1 : -1;
      const double along = ends[end] - (axis ? v[0].at.y : v[0].at.x);
      corners[i][axis] = ends[end];
      corners[i][!axis] = to_fixed((axis ? v[0].at.x : v[0].at.y) + along * slope + side * segment->half_width);
   }
}

static bool find_bresenham(const struct rt_setup_vertex v[2], double width, struct segment *segment)
{
   segment->axis = fabs(segment->dy) > fabs(segment->dx);
   /* Wide lines replicate the texels of a line that is moved to their lowest one. */
   int32_t a[2] = {v[0].at.x, v[0].at.y}, b[2] = {v[1].at.x, v[1].at.y};
   a[!segment->axis] -= (int32_t)((width - 1) * 128.0);
   b[!segment->axis] -= (int32_t)((width - 1) * 128.0);
   return find_columns(a, b, segment->axis, &segment->first, &segment->last);
}

/* Spec: "Basic Line Segment Rasterization" (rectangular lines), "Bresenham Line Segment Rasterization". */
void rt_setup_line(struct rt_setup *setup, const struct rt_setup_vertex v[2])
{
   const struct rt_context *c = setup->context;
   struct segment segment = {
      .dx = v[1].at.x - v[0].at.x,
      .dy = v[1].at.y - v[0].at.y,
      .is_bresenham = c->state.line_mode.mode == VK_LINE_RASTERIZATION_MODE_BRESENHAM,
   };
   segment.length = sqrt(segment.dx * segment.dx + segment.dy * segment.dy);
   if (segment.length == 0)
      return;
   double width = UTIL_CLAMP((double)c->state.line_width.width, 0.125, (double)RT_MAX_LINE_WIDTH);
   if (segment.is_bresenham)
      width = UTIL_MAX(floor(width + 0.5), 1.0);
   segment.half_width = width * 128.0;
   if (segment.is_bresenham && !find_bresenham(v, width, &segment))
      return;
   int32_t corners[4][2];
   if (segment.is_bresenham)
      parallelogram(v, &segment, corners);
   else
      rectangle(v, &segment, c->smooths_lines ? 182 : 0, corners); /* half of a texel's diagonal */
   int32_t x0 = corners[0][0], x1 = x0, y0 = corners[0][1], y1 = y0;
   for (uint32_t i = 1; i < 4; i++) {
      x0 = UTIL_MIN(x0, corners[i][0]);
      x1 = UTIL_MAX(x1, corners[i][0]);
      y0 = UTIL_MIN(y0, corners[i][1]);
      y1 = UTIL_MAX(y1, corners[i][1]);
   }
   struct rt_prim *prim = rt_setup_prim(setup, setup->has_polygon ? setup->is_front : true, 4);
   if (c->line_offset)
      fill_line(setup, prim, &v[0], &segment);
   if (!find_bounds(c, prim, &setup->draw->viewports->items[setup->viewport].wide_rect, x0, y0, x1, y1))
      return;
   rt_setup_edges(prim, corners, 4);
   const double scale = 256.0 / (segment.length * segment.length);
   fill_line_planes(setup, prim, &v[0], &v[1], (struct line_factors){segment.dx * scale, segment.dy * scale});
   rt_setup_add(setup, prim);
}

/* Spec: "Basic Point Rasterization": a square of the point's size, values constant. */
void rt_setup_point(struct rt_setup *setup, const struct rt_setup_vertex *v, float size)
{
   const struct rt_context *c = setup->context;
   const float diameter = size >= 1.0f ? UTIL_MIN(size, (float)RT_MAX_POINT_SIZE) : 1.0f;
   const int32_t half = (int32_t)lrintf(diameter * 128.0f);
   const int32_t x0 = v->at.x - half, y0 = v->at.y - half, x1 = v->at.x + half, y1 = v->at.y + half;
   const int32_t corners[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
   struct rt_prim *prim = rt_setup_prim(setup, setup->has_polygon ? setup->is_front : true, 4);
   if (!find_bounds(c, prim, &setup->draw->viewports->items[setup->viewport].wide_rect, x0, y0, x1, y1))
      return;
   rt_setup_edges(prim, corners, 4);
   fill_line_planes(setup, prim, v, v, (struct line_factors){0, 0});
   prim->abi.point_center[0] = prim->abi.x0;
   prim->abi.point_center[1] = prim->abi.y0;
   prim->abi.point_inv_size = 1.0f / diameter;
   rt_setup_add(setup, prim);
}
