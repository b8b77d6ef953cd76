/* SPDX-License-Identifier: MIT
 * Tile binning. */
#include "runtime/geometry/bin.h"

#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

/* Makes room for `needed` elements of `size` bytes. */
static bool reserve(void **array, uint32_t *capacity, uint64_t needed, size_t size)
{
   if (needed <= *capacity)
      return true;
   if (needed > UINT32_MAX / 2)
      return false;
   const uint64_t wanted = UTIL_MAX(needed + needed / 2, 256);
   void *grown = util_realloc(*array, util_size_mul(wanted, size));
   if (!grown)
      return false;
   *array = grown;
   *capacity = (uint32_t)wanted;
   return true;
}

static inline int64_t edge_at(const struct rt_edge_eq *e, int32_t x_texel, int32_t y_texel)
{
   return (int64_t)e->a * ((int64_t)x_texel * 256) + (int64_t)e->b * ((int64_t)y_texel * 256) + e->c;
}

/* True if all samples of the tile's texels inside the render area are covered. */
static bool covers_area(const struct rt_target *target, const struct rt_prim *prim, int32_t x, int32_t y)
{
   const int32_t x0 = UTIL_MAX(x, target->x0), x1 = UTIL_MIN(x + RT_TILE, target->x1);
   const int32_t y0 = UTIL_MAX(y, target->y0), y1 = UTIL_MIN(y + RT_TILE, target->y1);
   if (prim->x0 > x0 || prim->y0 > y0 || prim->x1 < x1 || prim->y1 < y1)
      return false;
   for (uint32_t i = 0; i < prim->num_edges; i++) {
      const struct rt_edge_eq *e = &prim->edges[i];
      if (edge_at(e, e->a < 0 ? x1 : x0, e->b < 0 ? y1 : y0) < 0)
         return false;
   }
   return true;
}

/* Bins over several tiles: drops tiles that an edge excludes and notes which edges cross. */
static void bin_large(struct rt_bin *bin, const struct rt_target *target, const struct rt_prim *prim, uint32_t offset,
                      uint32_t layer_base, const int32_t tiles[4])
{
   const int32_t size = RT_TILE * 256;
   struct rt_bin_pair *out = bin->pairs + bin->num_pairs;
   for (int32_t ty = tiles[1]; ty <= tiles[3]; ty++) {
      for (int32_t tx = tiles[0]; tx <= tiles[2]; tx++) {
         const int32_t x = tx * RT_TILE, y = ty * RT_TILE;
         uint32_t flags = 0;
         bool is_outside = false;
         for (uint32_t i = 0; i < prim->num_edges; i++) {
            const struct rt_edge_eq *e = &prim->edges[i];
            const int64_t at = edge_at(e, x, y);
            const int64_t max = at + ((int64_t)UTIL_MAX(e->a, 0) + UTIL_MAX(e->b, 0)) * size;
            const int64_t min = at + ((int64_t)UTIL_MIN(e->a, 0) + UTIL_MIN(e->b, 0)) * size;
            is_outside |= max < 0;
            flags |= min < 0 ? 1u << (RT_ENTRY_EDGE_SHIFT + i) : 0;
         }
         if (is_outside)
            continue;
         if (prim->x0 > x || prim->y0 > y || prim->x1 < x + RT_TILE || prim->y1 < y + RT_TILE)
            flags |= RT_ENTRY_BOUNDS;
         if (!flags || (flags & RT_ENTRY_BOUNDS && covers_area(target, prim, x, y)))
            flags |= RT_ENTRY_COVERS;
         const uint32_t tile =
            layer_base + (uint32_t)(ty - target->tile_y0) * target->tiles_x + (uint32_t)(tx - target->tile_x0);
         *out++ = (struct rt_bin_pair){tile, offset | flags};
      }
   }
   bin->num_pairs = (uint32_t)(out - bin->pairs);
}

bool rt_bin_prim(struct rt_bin *bin, const struct rt_target *target, const struct rt_prim *prim, uint32_t offset,
                 uint32_t layer)
{
   const int32_t tiles[4] = {prim->x0 >> RT_TILE_LOG2, prim->y0 >> RT_TILE_LOG2, (prim->x1 - 1) >> RT_TILE_LOG2,
                             (prim->y1 - 1) >> RT_TILE_LOG2};
   const uint64_t count = (uint64_t)(tiles[2] - tiles[0] + 1) * (uint64_t)(tiles[3] - tiles[1] + 1);
   if (bin->num_pairs + count > bin->pair_capacity &&
       !reserve((void **)&bin->pairs, &bin->pair_capacity, bin->num_pairs + count, sizeof(*bin->pairs)))
      return false;
   const uint32_t layer_base = layer * target->tiles_y * target->tiles_x;
   const uint32_t unit = offset / RT_PRIM_ALIGN;
   if (count > 1) {
      bin_large(bin, target, prim, unit, layer_base, tiles);
      return true;
   }
   const uint32_t tile =
      layer_base + (uint32_t)(tiles[1] - target->tile_y0) * target->tiles_x + (uint32_t)(tiles[0] - target->tile_x0);
   const uint32_t edges = ((1u << prim->num_edges) - 1) << RT_ENTRY_EDGE_SHIFT;
   uint32_t flags = edges | RT_ENTRY_BOUNDS;
   if (!prim->is_small && covers_area(target, prim, tiles[0] * RT_TILE, tiles[1] * RT_TILE))
      flags |= RT_ENTRY_COVERS;
   bin->pairs[bin->num_pairs++] = (struct rt_bin_pair){tile, unit | flags};
   return true;
}

/* A counting sort over the range of tiles that occur; stable, so each tile's entries stay in API order. */
bool rt_bin_sort(struct rt_bin *bin)
{
   bin->num_spans = 0;
   if (!bin->num_pairs)
      return true;
   uint32_t lo = UINT32_MAX, hi = 0;
   for (uint32_t i = 0; i < bin->num_pairs; i++) {
      lo = UTIL_MIN(lo, bin->pairs[i].tile);
      hi = UTIL_MAX(hi, bin->pairs[i].tile);
   }
   const uint32_t range = hi - lo + 1;
   if (!reserve((void **)&bin->counts, &bin->count_capacity, range, sizeof(*bin->counts)) ||
       !reserve((void **)&bin->entries, &bin->entry_capacity, bin->num_pairs, sizeof(*bin->entries)) ||
       !reserve((void **)&bin->spans, &bin->span_capacity, UTIL_MIN(range, bin->num_pairs), sizeof(*bin->spans)))
      return false;
   memset(bin->counts, 0, range * sizeof(*bin->counts));
   for (uint32_t i = 0; i < bin->num_pairs; i++)
      bin->counts[bin->pairs[i].tile - lo]++;
   uint32_t first = 0;
   for (uint32_t t = 0; t < range; t++) {
      const uint32_t count = bin->counts[t];
      if (!count)
         continue;
      bin->spans[bin->num_spans++] = (struct rt_bin_span){lo + t, first, count};
      bin->counts[t] = first;
      first += count;
   }
   for (uint32_t i = 0; i < bin->num_pairs; i++)
      bin->entries[bin->counts[bin->pairs[i].tile - lo]++] = bin->pairs[i].entry;
   return true;
}

void rt_bin_finish(struct rt_bin *bin)
{
   util_mfree(bin->pairs);
   util_mfree(bin->entries);
   util_mfree(bin->spans);
   util_mfree(bin->counts);
   *bin = (struct rt_bin){0};
}
