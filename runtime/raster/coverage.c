/* SPDX-License-Identifier: MIT
 * Coverage: edge functions from tile to 16x16 region to 4x4 block, in integers, so the fill rule is exact.
 * An edge that crosses the tile takes values below 2^31 in it, because |a| + |b| < 2^25 and a tile has 2^6 texels: 32-bit lanes suffice.
 * Source: the hierarchical scheme of Abrash, "Rasterization on Larrabee". */
#include "runtime/fragment/shade.h"
#include "runtime/raster/lanes.h"
#include "runtime/raster/samples.h"
#include "runtime/raster/tile.h"

/* An edge that crosses the tile, at texel granularity: value(i, j) = e + a i + b j for texel (i, j) of the tile. Rounding down by 256
 * keeps the sign, since all texels' samples have the same fraction. */
struct crossing {
   int32_t a, b;
   int32_t reject, accept;  /* value at the tile's origin: the largest and smallest of all samples */
   int32_t sample[16];      /* value at the tile's origin for each sample */
   rt_i32x16 lanes;         /* a x + b y over the lanes of a block */
};

struct coverage {
   struct rt_tile *tile;
   const struct rt_prim *prim;
   uint32_t num_samples, num_edges;
   uint32_t sample_mask;
   bool has_bounds;
   struct crossing edges[RT_MAX_EDGES];
};

static void init_edge(struct coverage *cov, const struct rt_edge_eq *e)
{
   struct crossing *out = &cov->edges[cov->num_edges++];
   const uint8_t(*locations)[2] = rt_sample_locations(cov->num_samples);
   const int64_t origin = (int64_t)e->a * ((int64_t)cov->tile->x * 256) + (int64_t)e->b * ((int64_t)cov->tile->y * 256) + e->c;
   out->a = e->a;
   out->b = e->b;
   out->reject = INT32_MIN;
   out->accept = INT32_MAX;
   for (uint32_t s = 0; s < cov->num_samples; s++) {
      const int64_t at = origin + (int64_t)e->a * (locations[s][0] * 16) + (int64_t)e->b * (locations[s][1] * 16);
      const int32_t value = (int32_t)(at >> 8);
      out->sample[s] = value;
      out->reject = UTIL_MAX(out->reject, value);
      out->accept = UTIL_MIN(out->accept, value);
   }
   const rt_i32x16 x = RT_LANES_X, y = RT_LANES_Y;
   out->lanes = x * e->a + y * e->b;
}

/* A covered block, all samples alike. */
static inline void emit_full(struct coverage *cov, uint32_t bx, uint32_t by, uint32_t mask)
{
   if (cov->num_samples == 1) {
      rt_fragment_add(cov->tile, bx, by, mask);
      return;
   }
   uint16_t masks[16];
   for (uint32_t s = 0; s < cov->num_samples; s++)
      masks[s] = cov->sample_mask >> s & 1 ? (uint16_t)mask : 0;
   rt_fragment_add_samples(cov->tile, bx, by, masks);
}

static inline uint32_t bounds_mask(const struct coverage *cov, uint32_t bx, uint32_t by)
{
   if (!cov->has_bounds)
      return 0xffff;
   const struct rt_prim *p = cov->prim;
   return rt_lanes_of_rect(cov->tile->x + (int32_t)bx * 4, cov->tile->y + (int32_t)by * 4, p->x0, p->y0, p->x1, p->y1);
}

/* A block that edges may cross: tests all its fragments. */
static inline void test_block(struct coverage *cov, uint32_t bx, uint32_t by)
{
   const uint32_t bounds = bounds_mask(cov, bx, by);
   const int32_t x = (int32_t)bx * 4, y = (int32_t)by * 4;
   if (cov->num_samples == 1) {
      rt_i32x16 outside = {0};
      for (uint32_t i = 0; i < cov->num_edges; i++) {
         const struct crossing *e = &cov->edges[i];
         outside |= e->lanes + (e->sample[0] + e->a * x + e->b * y);
      }
      const uint32_t mask = ~rt_sign_mask(outside) & bounds;
      if (mask)
         rt_fragment_add(cov->tile, bx, by, mask);
      return;
   }
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
   if (any)
      rt_fragment_add_samples(cov->tile, bx, by, masks);
}

/* The 16 blocks of a 16x16 region at once: which an edge excludes, and which need no test. Bit i: block (i & 3, i >> 2). */
static inline void classify_region(const struct coverage *cov, uint32_t rx, uint32_t ry, uint32_t *inside, uint32_t *partial)
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

static void raster_region(struct coverage *cov, uint32_t rx, uint32_t ry, uint32_t wanted)
{
   uint32_t inside = 0xffff, partial = 0;
   if (cov->num_edges)
      classify_region(cov, rx, ry, &inside, &partial);
   for (uint32_t left = (inside | partial) & wanted; left; left &= left - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(left);
      const uint32_t bx = rx * 4 + (i & 3), by = ry * 4 + (i >> 2);
      if (partial >> i & 1) {
         test_block(cov, bx, by);
      } else {
         const uint32_t mask = bounds_mask(cov, bx, by);
         if (mask)
            emit_full(cov, bx, by, mask);
      }
   }
}

void rt_raster_prim(struct rt_tile *tile, const struct rt_prim *prim, uint32_t entry)
{
   struct coverage cov;
   cov.tile = tile;
   cov.prim = prim;
   cov.num_samples = tile->context->num_samples;
   cov.sample_mask = tile->context->sample_mask;
   cov.num_edges = 0;
   cov.has_bounds = entry & RT_ENTRY_BOUNDS;
   if (!cov.sample_mask)
      return;
   for (uint32_t i = 0; i < prim->num_edges; i++) {
      if (!(entry >> (RT_ENTRY_EDGE_SHIFT + i) & 1))
         continue;
      /* Bins of one tile were not tested: an edge that does not cross must not enter 32-bit arithmetic. */
      const struct rt_edge_eq *e = &prim->edges[i];
      const int64_t at = (int64_t)e->a * ((int64_t)tile->x * 256) + (int64_t)e->b * ((int64_t)tile->y * 256) + e->c;
      const int64_t size = RT_TILE * 256;
      if (at + ((int64_t)UTIL_MAX(e->a, 0) + UTIL_MAX(e->b, 0)) * size < 0)
         return;
      if (at + ((int64_t)UTIL_MIN(e->a, 0) + UTIL_MIN(e->b, 0)) * size < 0)
         init_edge(&cov, e);
   }
   /* Bounds in blocks of the tile. */
   const int32_t x0 = UTIL_MAX(prim->x0 - tile->x, 0) >> 2, x1 = (UTIL_MIN(prim->x1 - tile->x, (int32_t)RT_TILE) + 3) >> 2;
   const int32_t y0 = UTIL_MAX(prim->y0 - tile->y, 0) >> 2, y1 = (UTIL_MIN(prim->y1 - tile->y, (int32_t)RT_TILE) + 3) >> 2;
   if ((x1 - x0) * (y1 - y0) <= 4) {
      for (int32_t by = y0; by < y1; by++)
         for (int32_t bx = x0; bx < x1; bx++)
            test_block(&cov, (uint32_t)bx, (uint32_t)by);
      return;
   }
   for (int32_t ry = y0 >> 2; ry <= (y1 - 1) >> 2; ry++)
      for (int32_t rx = x0 >> 2; rx <= (x1 - 1) >> 2; rx++)
         raster_region(&cov, (uint32_t)rx, (uint32_t)ry, region_blocks(x0 - rx * 4, y0 - ry * 4, x1 - rx * 4, y1 - ry * 4));
}
