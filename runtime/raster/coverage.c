/* SPDX-License-Identifier: MIT
 * Coverage: edge functions from tile to 16x16 region to 4x4 block, in integers, so the fill rule is exact.
 * An edge that crosses the tile takes values below 2^31 in it, because |a| + |b| < 2^25 and a tile has 2^6 texels:
 * 32-bit lanes suffice. Source: the hierarchical scheme of Abrash, "Rasterization on Larrabee". */
#include "runtime/raster/raster.h"

#include "runtime/draw/lanes.h"
#include "runtime/draw/samples.h"
#include "runtime/fragment/hiz.h"
#include "runtime/fragment/shade.h"

/* An edge at texel granularity: value(i, j) = e + a i + b j for texel (i, j) from an origin on. Rounding down by 256
 * keeps the sign, since all texels' samples have the same fraction. */
struct crossing {
   int32_t a, b;
   int32_t reject, accept; /* value at the origin: the largest and smallest of all samples */
   int32_t sample[16];     /* value at the origin for each sample */
   rt_i32x16 lanes;        /* a x + b y over the lanes of a block */
};

struct coverage {
   struct rt_tile *tile;
   const struct rt_prim *prim;
   uint32_t num_samples, num_edges;
   uint32_t sample_mask;
   bool has_bounds; /* the primitive's bounds cut blocks, or discard rectangles do */
   const struct rt_line *line; /* NULL: edges say it all */
   bool has_hiz;
   bool adds_regions; /* blocks that are covered as a whole go on by regions */
   struct crossing edges[RT_MAX_EDGES];
};

/* The edge relative to texel (x, y) of the framebuffer. */
static inline void init_edge(struct coverage *cov, const struct rt_edge_eq *e, int32_t x, int32_t y)
{
   struct crossing *out = &cov->edges[cov->num_edges++];
   const int64_t origin = (int64_t)e->a * ((int64_t)x * 256) + (int64_t)e->b * ((int64_t)y * 256) + e->c;
   out->a = e->a;
   out->b = e->b;
   const rt_i32x16 lane_x = RT_LANES_X, lane_y = RT_LANES_Y;
   out->lanes = lane_x * e->a + lane_y * e->b;
   if (cov->num_samples == 1) {
      out->reject = out->accept = out->sample[0] = (int32_t)((origin + ((int64_t)e->a + e->b) * 128) >> 8);
      return;
   }
   const uint8_t(*locations)[2] = cov->tile->context->sample_locations;
   out->reject = INT32_MIN;
   out->accept = INT32_MAX;
   for (uint32_t s = 0; s < cov->num_samples; s++) {
      const int64_t at = origin + (int64_t)e->a * (locations[s][0] * 16) + (int64_t)e->b * (locations[s][1] * 16);
      const int32_t value = (int32_t)(at >> 8);
      out->sample[s] = value;
      out->reject = UTIL_MAX(out->reject, value);
      out->accept = UTIL_MIN(out->accept, value);
   }
}

/* Lanes of a block that the stipple lets through, at position (px, py) in each texel. */
static uint32_t stipple_mask(const struct rt_line *line, int32_t x, int32_t y, float px, float py)
{
   const rt_f32x16 along = rt_lanes_x() + rt_splat_f((float)x + px - line->x0);
   const rt_f32x16 across = rt_lanes_y() + rt_splat_f((float)y + py - line->y0);
   const rt_f32x16 s = (along * rt_splat_f(line->dx) + across * rt_splat_f(line->dy)) + rt_splat_f(line->phase);
   uint32_t mask = 0;
   for (uint32_t i = 0; i < 16; i++)
      mask |= (line->pattern >> ((s[i] > 0 ? (uint32_t)s[i] : 0) / line->factor & 15) & 1) << i;
   return mask;
}

/* A block of a line: `masks` of `num` samples, or one for all. */
static __attribute__((noinline)) void add_line(const struct coverage *cov, uint32_t bx, uint32_t by,
                                               const uint16_t *edges, uint32_t num)
{
   struct rt_tile *tile = cov->tile;
   const uint32_t num_samples = tile->context->num_samples;
   const int32_t x = tile->x + (int32_t)bx * 4, y = tile->y + (int32_t)by * 4;
   const bool is_alike = num == 1 && cov->line->covers_texels;
   const uint32_t all = is_alike ? stipple_mask(cov->line, x, y, 0.5f, 0.5f) : 0xffff;
   uint16_t masks[16];
   uint32_t any = 0;
   for (uint32_t s = 0; s < num_samples; s++) {
      masks[s] = cov->sample_mask >> s & 1 ? (uint16_t)(edges[num == 1 ? 0 : s] & all) : 0;
      if (masks[s] && !is_alike)
         masks[s] &=
            (uint16_t)stipple_mask(cov->line, x, y, tile->args.sample_pos[s][0], tile->args.sample_pos[s][1]);
      any |= masks[s];
   }
   if (any && num_samples == 1)
      rt_fragment_add(tile, bx, by, any);
   else if (any)
      rt_fragment_add_samples(tile, bx, by, masks);
}

/* A block where one mask counts for all samples that are tested. */
static inline void add_block(const struct coverage *cov, uint32_t bx, uint32_t by, uint32_t mask)
{
   const uint16_t edges = (uint16_t)mask;
   if (UTIL_UNLIKELY(cov->line != NULL))
      add_line(cov, bx, by, &edges, 1);
   else
      rt_fragment_add(cov->tile, bx, by, mask);
}

/* A covered block, all samples alike. */
static inline void emit_full(struct coverage *cov, uint32_t bx, uint32_t by, uint32_t mask)
{
   if (cov->num_samples == 1 || cov->line) {
      add_block(cov, bx, by, mask);
      return;
   }
   uint16_t masks[16];
   for (uint32_t s = 0; s < cov->num_samples; s++)
      masks[s] = cov->sample_mask >> s & 1 ? (uint16_t)mask : 0;
   rt_fragment_add_samples(cov->tile, bx, by, masks);
}

/* Texels of the block at (x, y) that discard rectangles leave. Spec: Fragment Operations, "Discard Rectangles Test". */
static __attribute__((noinline)) uint32_t discard_rectangles_mask(const struct rt_state *state, int32_t x, int32_t y)
{
   const bool is_inclusive = state->discard_rectangle_mode.mode == VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT;
   uint32_t inside = 0;
   for (uint32_t i = 0; i < state->discard_rectangle_count.count; i++) {
      const VkRect2D *r = &state->discard_rectangles.items[i];
      const int64_t x1 = UTIL_CLAMP((int64_t)r->offset.x + r->extent.width, 0, INT32_MAX);
      const int64_t y1 = UTIL_CLAMP((int64_t)r->offset.y + r->extent.height, 0, INT32_MAX);
      inside |= rt_lanes_of_rect(x, y, UTIL_MAX(r->offset.x, 0), UTIL_MAX(r->offset.y, 0), (int32_t)x1, (int32_t)y1);
   }
   return is_inclusive ? inside : ~inside & 0xffff;
}

static inline uint32_t bounds_mask(const struct coverage *cov, uint32_t bx, uint32_t by)
{
   if (!cov->has_bounds)
      return 0xffff;
   const struct rt_prim *p = cov->prim;
   const struct rt_context *c = cov->tile->context;
   const int32_t x = cov->tile->x + (int32_t)bx * 4, y = cov->tile->y + (int32_t)by * 4;
   const uint32_t mask = rt_lanes_of_rect(x, y, p->x0, p->y0, p->x1, p->y1);
   return UTIL_UNLIKELY(c->has_discard_rectangles) ? mask & discard_rectangles_mask(&c->state, x, y) : mask;
}

/* A block that edges may cross, (x, y) texels from the edges' origin: tests all its fragments. */
static inline void test_block(struct coverage *cov, uint32_t bx, uint32_t by, int32_t x, int32_t y)
{
   if (cov->num_samples == 1) {
      rt_i32x16 outside = {0};
      for (uint32_t i = 0; i < cov->num_edges; i++) {
         const struct crossing *e = &cov->edges[i];
         outside |= e->lanes + (e->sample[0] + e->a * x + e->b * y);
      }
      uint32_t mask = ~rt_sign_mask(outside) & 0xffff;
      if (cov->has_bounds)
         mask &= bounds_mask(cov, bx, by);
      if (mask)
         add_block(cov, bx, by, mask);
      return;
   }
   const uint32_t bounds = bounds_mask(cov, bx, by);
   rt_i32x16 values[RT_MAX_EDGES];
   for (uint32_t i = 0; i < cov->num_edges; i++)
      values[i] = cov->edges[i].lanes + (cov->edges[i].a * x + cov->edges[i].b * y);
   uint16_t masks[16];
   uint32_t any = 0;
   for (uint32_t s = 0; s < cov->num_samples; s++) {
      rt_i32x16 outside = {0};
      for (uint32_t i = 0; i < cov->num_edges; i++)
         outside |= values[i] + cov->edges[i].sample[s];
      const uint32_t mask = cov->sample_mask >> s & 1 ? ~rt_sign_mask(outside) & bounds : 0;
      masks[s] = (uint16_t)mask;
      any |= mask;
   }
   if (any && UTIL_UNLIKELY(cov->line != NULL))
      add_line(cov, bx, by, masks, cov->num_samples);
   else if (any)
      rt_fragment_add_samples(cov->tile, bx, by, masks);
}

/* The 16 blocks of a 16x16 region at once: which an edge excludes, and which need no test. Bit i: block (i & 3, i >>
 * 2). */
static inline void classify_region(const struct coverage *cov, uint32_t rx, uint32_t ry, uint32_t *inside,
                                   uint32_t *partial)
{
   const rt_i32x16 block_x = {0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12};
   const rt_i32x16 block_y = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
   rt_i32x16 rejected = {0}, crossed = {0};
   for (uint32_t i = 0; i < cov->num_edges; i++) {
      const struct crossing *e = &cov->edges[i];
      const rt_i32x16 at = block_x * e->a + block_y * e->b + (e->a * (int32_t)(rx * 16) + e->b * (int32_t)(ry * 16));
      /* The corner texels where the edge function is largest and smallest. */
      rejected |= at + (e->reject + 3 * UTIL_MAX(e->a, 0) + 3 * UTIL_MAX(e->b, 0));
      crossed |= at + (e->accept + 3 * UTIL_MIN(e->a, 0) + 3 * UTIL_MIN(e->b, 0));
   }
   const uint32_t alive = ~rt_sign_mask(rejected) & 0xffff;
   *partial = rt_sign_mask(crossed) & alive;
   *inside = alive & ~*partial;
}

/* Blocks [x0, x1) x [y0, y1) of a region as bits. */
static inline uint32_t region_blocks(int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   const uint32_t columns = (1u << UTIL_CLAMP(x1, 0, 4)) - (1u << UTIL_CLAMP(x0, 0, 4));
   const uint32_t rows = (1u << UTIL_CLAMP(y1, 0, 4) * 4) - (1u << UTIL_CLAMP(y0, 0, 4) * 4);
   return (columns * 0x1111u) & rows;
}

static bool is_region_hidden(const struct coverage *cov, uint32_t rx, uint32_t ry)
{
   struct rt_tile *tile = cov->tile;
   const uint32_t region = ry * 4 + rx;
   const float x = (float)(tile->x + (int32_t)rx * 16), y = (float)(tile->y + (int32_t)ry * 16);
   if (rt_hiz_hides(tile, region, x, y, x + 16, y + 16))
      return true;
   if (tile->hiz.written[region] < tile->hiz.refresh[region])
      return false;
   rt_hiz_update(tile, region);
   const bool is_hidden = rt_hiz_hides(tile, region, x, y, x + 16, y + 16);
   tile->hiz.refresh[region] =
      (uint16_t)(is_hidden ? RT_HIZ_REFRESH : UTIL_MIN(tile->hiz.refresh[region] * 2, (int)RT_HIZ_MAX_REFRESH));
   return is_hidden;
}

static void raster_region(struct coverage *cov, uint32_t rx, uint32_t ry, uint32_t wanted)
{
   uint32_t inside = 0xffff, partial = 0;
   if (cov->num_edges)
      classify_region(cov, rx, ry, &inside, &partial);
   uint32_t left = (inside | partial) & wanted;
   if (!left || (cov->has_hiz && is_region_hidden(cov, rx, ry)))
      return;
   if ((left & ~partial) == 0xffff && cov->adds_regions) {
      rt_fragment_add_region(cov->tile, rx, ry);
      return;
   }
   for (; left; left &= left - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(left);
      const uint32_t bx = rx * 4 + (i & 3), by = ry * 4 + (i >> 2);
      if (partial >> i & 1) {
         test_block(cov, bx, by, (int32_t)bx * 4, (int32_t)by * 4);
      } else {
         const uint32_t mask = bounds_mask(cov, bx, by);
         if (mask)
            emit_full(cov, bx, by, mask);
      }
   }
}

/* Inclusive bounds in blocks of the tile. */
struct block_bounds {
   int32_t x0, y0, x1, y1;
};

/* The commonest case of all, in registers. */
static __attribute__((noinline)) void raster_small_triangle(struct rt_tile *tile, const struct rt_prim *prim,
                                                            struct block_bounds b)
{
   const rt_i32x16 lane_x = RT_LANES_X, lane_y = RT_LANES_Y;
   const int64_t x = (int64_t)(tile->x + b.x0 * 4) * 256 + 128, y = (int64_t)(tile->y + b.y0 * 4) * 256 + 128;
   const struct rt_edge_eq *e = prim->edges;
   rt_i32x16 row[3];
   for (uint32_t i = 0; i < 3; i++)
      row[i] = lane_x * e[i].a + lane_y * e[i].b + (int32_t)((e[i].a * x + e[i].b * y + e[i].c) >> 8);
   /* Two by two blocks at a time, and only those with fragments in turn: fewer branches that nobody can predict. */
   static const uint64_t inside[2][2] = {{0xffff, 0xffffffff}, {0xffff0000ffff, UINT64_MAX}};
   for (int32_t by = b.y0; by <= b.y1; by += 2) {
      rt_i32x16 at[3] = {row[0], row[1], row[2]};
      for (int32_t bx = b.x0; bx <= b.x1; bx += 2) {
         const rt_i32x16 right[3] = {at[0] + e[0].a * 4, at[1] + e[1].a * 4, at[2] + e[2].a * 4};
         const uint32_t m0 = rt_sign_mask(at[0] | at[1] | at[2]), m1 = rt_sign_mask(right[0] | right[1] | right[2]);
         const uint32_t m2 = rt_sign_mask((at[0] + e[0].b * 4) | (at[1] + e[1].b * 4) | (at[2] + e[2].b * 4));
         const uint32_t m3 = rt_sign_mask((right[0] + e[0].b * 4) | (right[1] + e[1].b * 4) | (right[2] + e[2].b * 4));
         uint64_t left = ~((uint64_t)(m2 | m3 << 16) << 32 | (m0 | m1 << 16)) & inside[by < b.y1][bx < b.x1];
         while (left) {
            const uint32_t q = (uint32_t)__builtin_ctzll(left) / 16;
            const uint32_t mask = (uint32_t)(left >> q * 16) & 0xffff;
            left &= ~(UINT64_C(0xffff) << q * 16);
            rt_fragment_add(tile, (uint32_t)bx + (q & 1), (uint32_t)by + (q >> 1), mask);
         }
         for (uint32_t i = 0; i < 3; i++)
            at[i] += e[i].a * 8;
      }
      for (uint32_t i = 0; i < 3; i++)
         row[i] += e[i].b * 8;
   }
}

/* The same with several samples. Near the triangle edge functions have less than 31 bits, fractions included. */
static __attribute__((noinline)) void raster_small_samples(struct rt_tile *tile, const struct rt_prim *prim,
                                                           struct block_bounds b)
{
   const rt_i32x16 lane_x = RT_LANES_X, lane_y = RT_LANES_Y;
   const int64_t x = (int64_t)(tile->x + b.x0 * 4) * 256, y = (int64_t)(tile->y + b.y0 * 4) * 256;
   const struct rt_context *c = tile->context;
   const uint32_t num_samples = c->num_samples, sample_mask = c->sample_mask;
   const struct rt_edge_eq *e = prim->edges;
   const rt_i32x16 sample_x = rt_load_i(tile->sample_x), sample_y = rt_load_i(tile->sample_y);
   int32_t samples[3][16] __attribute__((aligned(64)));
   rt_i32x16 row[3];
   for (uint32_t i = 0; i < 3; i++) {
      const int32_t origin = (int32_t)(e[i].a * x + e[i].b * y + e[i].c);
      rt_store_i(samples[i], (sample_x * e[i].a + sample_y * e[i].b + origin) >> 8);
      row[i] = lane_x * e[i].a + lane_y * e[i].b;
   }
   for (int32_t by = b.y0; by <= b.y1; by++) {
      rt_i32x16 at[3] = {row[0], row[1], row[2]};
      for (int32_t bx = b.x0; bx <= b.x1; bx++) {
         uint16_t masks[16];
         uint32_t any = 0;
         for (uint32_t s = 0; s < num_samples; s++) {
            const rt_i32x16 outside = (at[0] + samples[0][s]) | (at[1] + samples[1][s]) | (at[2] + samples[2][s]);
            const uint32_t mask = sample_mask >> s & 1 ? ~rt_sign_mask(outside) & 0xffff : 0;
            masks[s] = (uint16_t)mask;
            any |= mask;
         }
         if (any)
            rt_fragment_add_samples(tile, (uint32_t)bx, (uint32_t)by, masks);
         for (uint32_t i = 0; i < 3; i++)
            at[i] += e[i].a * 4;
      }
      for (uint32_t i = 0; i < 3; i++)
         row[i] += e[i].b * 4;
   }
}

/* A primitive of few texels: its edge functions are small numbers near it, so nothing needs to be classified. */
static void raster_small(struct coverage *cov, const struct block_bounds *b)
{
   struct rt_tile *tile = cov->tile;
   const struct rt_prim *prim = cov->prim;
   for (uint32_t i = 0; i < prim->num_edges; i++)
      init_edge(cov, &prim->edges[i], tile->x + b->x0 * 4, tile->y + b->y0 * 4);
   for (int32_t by = b->y0; by <= b->y1; by++)
      for (int32_t bx = b->x0; bx <= b->x1; bx++)
         test_block(cov, (uint32_t)bx, (uint32_t)by, (bx - b->x0) * 4, (by - b->y0) * 4);
}

/* Hidden by one region's bounds as a whole. */
static inline bool is_small_hidden(const struct rt_tile *tile, const struct rt_prim *prim, const struct block_bounds *b)
{
   return tile->context->depth.can_cull && b->x0 >> 2 == b->x1 >> 2 && b->y0 >> 2 == b->y1 >> 2 &&
          rt_hiz_hides(tile, rt_tile_region((uint32_t)b->x0, (uint32_t)b->y0), prim->x0, prim->y0, prim->x1, prim->y1);
}

static __attribute__((noinline)) void raster_any(struct rt_tile *tile, const struct rt_prim *prim, uint32_t entry,
                                                 const struct block_bounds b)
{
   struct coverage cov;
   cov.tile = tile;
   cov.prim = prim;
   cov.line = prim->class == RT_PRIM_LINE
                 ? (const struct rt_line *)((const char *)prim + tile->context->line_offset)
                 : NULL;
   /* Where texels are covered as a whole, edges are asked at the centre, as with one sample. */
   cov.num_samples = cov.line && cov.line->covers_texels ? 1 : tile->context->num_samples;
   cov.sample_mask = tile->context->sample_mask;
   cov.num_edges = 0;
   cov.has_bounds = (prim->is_clipped && entry & RT_ENTRY_BOUNDS) || tile->context->has_discard_rectangles;
   cov.has_hiz = tile->context->depth.can_cull;
   cov.adds_regions = cov.num_samples == 1 && !cov.line && !cov.has_bounds;
   if (!cov.sample_mask)
      return;
   if (prim->is_small) {
      raster_small(&cov, &b);
      return;
   }
   for (uint32_t i = 0; i < prim->num_edges; i++) {
      if (!(entry >> (RT_ENTRY_EDGE_SHIFT + i) & 1))
         continue;
      /* Bins of a single tile were not tested: an edge that does not cross must not enter 32-bit arithmetic. */
      const struct rt_edge_eq *e = &prim->edges[i];
      const int64_t at = (int64_t)e->a * ((int64_t)tile->x * 256) + (int64_t)e->b * ((int64_t)tile->y * 256) + e->c;
      const int64_t size = RT_TILE * 256;
      if (at + ((int64_t)UTIL_MAX(e->a, 0) + UTIL_MAX(e->b, 0)) * size < 0)
         return;
      if (at + ((int64_t)UTIL_MIN(e->a, 0) + UTIL_MIN(e->b, 0)) * size < 0)
         init_edge(&cov, e, tile->x, tile->y);
   }
   for (int32_t ry = b.y0 >> 2; ry <= b.y1 >> 2; ry++)
      for (int32_t rx = b.x0 >> 2; rx <= b.x1 >> 2; rx++)
         raster_region(&cov, (uint32_t)rx, (uint32_t)ry,
                       region_blocks(b.x0 - rx * 4, b.y0 - ry * 4, b.x1 + 1 - rx * 4, b.y1 + 1 - ry * 4));
}

void rt_raster_prim(struct rt_tile *tile, const struct rt_prim *prim, uint32_t entry)
{
   const struct block_bounds b = {UTIL_MAX(prim->x0 - tile->x, 0) >> 2, UTIL_MAX(prim->y0 - tile->y, tile->first_row) >> 2,
                                  UTIL_MIN(prim->x1 - 1 - tile->x, RT_TILE - 1) >> 2,
                                  (UTIL_MIN(prim->y1 - tile->y, tile->end_row) - 1) >> 2};
   if (UTIL_UNLIKELY(b.y0 > b.y1))
      return; /* in rows of others */
   if (prim->is_small && is_small_hidden(tile, prim, &b))
      return;
   if (!prim->is_small || prim->num_edges != 3 || prim->is_clipped || prim->class == RT_PRIM_LINE || tile->context->has_discard_rectangles)
      raster_any(tile, prim, entry, b);
   else if (tile->context->num_samples != 1)
      raster_small_samples(tile, prim, b);
   else if (tile->context->sample_mask)
      raster_small_triangle(tile, prim, b);
}
