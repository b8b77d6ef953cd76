/* SPDX-License-Identifier: MIT
 * The tessellator against what the specification says: where edges are cut, that patterns cover the domain once, that what two
 * patches share is the same from both sides. Spec: Tessellation. */
#include "runtime/geometry/tessellator.h"
#include "tests/test.h"
#include "util/macros.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 1 << 16, MAX = 16 * 1024 };

static struct rt_tess_cache *cache;

/* A pattern with its pieces put together; coordinates are integers of 1/65536. */
static struct divided {
   const struct rt_tess_pattern *pattern;
   uint32_t num_vertices, num_prims;
   int32_t at[MAX][3];
   uint32_t prims[MAX][3];
} d;

static bool divide(const struct rt_tess_mode *mode, const float outer[4], const float inner[2])
{
   static float rows[3][MAX];
   struct rt_tess_levels levels;
   if (!rt_tess_find_levels(mode, outer, inner, &levels))
      return false;
   d.pattern = rt_tess_find(cache, mode, &levels);
   d.num_vertices = d.pattern->num_vertices;
   rt_tess_coords(cache, mode, &levels, d.pattern, 0, d.num_vertices, (float *const[3]){rows[0], rows[1], rows[2]});
   uint32_t outside = 0, rounded = 0;
   for (uint32_t i = 0; i < d.num_vertices; i++) {
      for (uint32_t k = 0; k < 3; k++) {
         outside += !(rows[k][i] >= 0.0f && rows[k][i] <= 1.0f);
         rounded += rows[k][i] * FIXED != floorf(rows[k][i] * FIXED);
         d.at[i][k] = (int32_t)(rows[k][i] * FIXED);
      }
   }
   CHECK_EQ(outside, 0);
   CHECK_EQ(rounded, 0);
   d.num_prims = 0;
   const uint32_t corners = d.pattern->corners_per_prim;
   for (uint32_t p = 0; p < d.pattern->num_pieces; p++) {
      const struct rt_tess_piece *piece = &d.pattern->pieces[p];
      CHECK(piece->num_vertices <= RT_TESS_PIECE_VERTICES && piece->num_prims <= RT_TESS_PIECE_PRIMS);
      for (uint32_t i = 0; i < piece->num_prims; i++, d.num_prims++) {
         for (uint32_t k = 0; k < corners; k++) {
            const uint16_t corner = rt_tess_corners(d.pattern)[piece->first_corner + i * corners + k];
            CHECK(corner < piece->num_vertices);
            d.prims[d.num_prims][k] = piece->first_vertex + corner;
         }
      }
   }
   return true;
}

/* ---- triangles cover the domain ---- */

static int64_t twice_area(const uint32_t prim[3])
{
   const int32_t *x = d.at[prim[0]], *y = d.at[prim[1]], *z = d.at[prim[2]];
   return (int64_t)(y[0] - x[0]) * (z[1] - x[1]) - (int64_t)(z[0] - x[0]) * (y[1] - x[1]);
}

struct side {
   int32_t from[2], to[2];
};

static int compare_sides(const void *a, const void *b)
{
   return memcmp(a, b, sizeof(struct side));
}

static struct side side_of(const int32_t *from, const int32_t *to)
{
   return (struct side){{from[0], from[1]}, {to[0], to[1]}};
}

/* Every side inside is that of two triangles, one in each direction; those that are left are `border` of the domain's edges. */
static void check_sides(uint32_t border)
{
   static struct side sides[3 * MAX];
   uint32_t count = 0, alone = 0;
   for (uint32_t i = 0; i < d.num_prims; i++) {
      for (uint32_t k = 0; k < 3; k++) {
         const int32_t *from = d.at[d.prims[i][k]], *to = d.at[d.prims[i][(k + 1) % 3]];
         if (memcmp(from, to, 2 * sizeof(*from)))
            sides[count++] = side_of(from, to);
      }
   }
   qsort(sides, count, sizeof(*sides), compare_sides);
   for (uint32_t i = 0; i < count; i++) {
      const struct side back = side_of(sides[i].to, sides[i].from);
      alone += !bsearch(&back, sides, count, sizeof(*sides), compare_sides);
   }
   CHECK_EQ(alone, border);
}

static void check_cover(const struct rt_tess_mode *mode, const float outer[4], const float inner[2], uint32_t border)
{
   const int64_t whole = (int64_t)FIXED * FIXED * (mode->domain == ABI_DOMAIN_QUADS ? 2 : 1);
   int64_t area = 0;
   uint32_t wrong = 0;
   CHECK(divide(mode, outer, inner));
   for (uint32_t i = 0; i < d.num_prims; i++) {
      const int64_t one = mode->is_clockwise ? -twice_area(d.prims[i]) : twice_area(d.prims[i]);
      wrong += one < 0;
      area += one;
   }
   CHECK_EQ(wrong, 0);
   CHECK_EQ(area, whole);
   for (uint32_t i = 0; mode->domain == ABI_DOMAIN_TRIANGLES && i < d.num_vertices; i++)
      wrong += d.at[i][0] + d.at[i][1] + d.at[i][2] != FIXED;
   CHECK_EQ(wrong, 0);
   if (border)
      check_sides(border);
}

TEST(patterns_cover)
{
   static const float levels[] = {0.3f, 1, 1.5f, 2, 2.001f, 3, 3.7f, 4, 5, 6.25f, 11, 16.9f, 33, 62.5f, 63, 63.3f, 64, 1e9f};
   enum { COUNT = UTIL_ARRAY_SIZE(levels) };
   uint32_t random = 1;
   for (uint32_t i = 0; i < 3000; i++) {
      float chosen[6];
      for (uint32_t k = 0; k < 6; k++) {
         random = random * 1664525 + 1013904223;
         chosen[k] = levels[(random >> 16) % COUNT];
      }
      const struct rt_tess_mode mode = {.domain = (uint8_t)(ABI_DOMAIN_TRIANGLES + i % 2), .spacing = (uint8_t)(ABI_SPACING_EQUAL + i / 2 % 3),
                                        .is_clockwise = i / 6 % 2};
      struct rt_tess_levels found;
      CHECK(rt_tess_find_levels(&mode, chosen, chosen + 4, &found));
      uint32_t border = 0;
      for (uint32_t k = 0; k < 4; k++)
         border += found.num_outer[k];
      /* A level just above one has edges of no length: sides lie on each other then. */
      const bool is_flat = found.inner[0] == FIXED + 1 || found.inner[1] == FIXED + 1;
      check_cover(&mode, chosen, chosen + 4, is_flat ? 0 : border);
   }
}

/* ---- edges ---- */

static int compare_ints(const void *a, const void *b)
{
   return *(const int32_t *)a < *(const int32_t *)b ? -1 : *(const int32_t *)a > *(const int32_t *)b;
}

/* Coordinate `along` of the vertices whose coordinate `zero` has that value, sorted, each once. */
static uint32_t find_edge(uint32_t zero, int32_t value, uint32_t along, int32_t *positions)
{
   uint32_t count = 0, unique = 0;
   for (uint32_t i = 0; i < d.num_vertices; i++) {
      if (d.at[i][zero] == value)
         positions[count++] = d.at[i][along];
   }
   qsort(positions, count, sizeof(*positions), compare_ints);
   for (uint32_t i = 0; i < count; i++) {
      if (!unique || positions[unique - 1] != positions[i])
         positions[unique++] = positions[i];
   }
   return unique;
}

static void check_spacing(uint32_t spacing, float level, const int32_t *positions, uint32_t count)
{
   const float least = spacing == ABI_SPACING_EVEN ? 2 : 1, max = spacing == ABI_SPACING_ODD ? 63 : 64;
   const float clamped = level < least ? least : level > max ? max : level;
   uint32_t n = (uint32_t)ceilf(clamped);
   if (spacing != ABI_SPACING_EQUAL)
      n += n % 2 != (spacing == ABI_SPACING_ODD);
   if (spacing != ABI_SPACING_EQUAL && n > 2 && clamped - (float)(n - 2) < 0.01f)
      return; /* the two shorter ones may be too short to be seen */
   CHECK_EQ(count, n + 1);
   if (count != n + 1)
      return;
   /* Of all but two: a mean of what both divisions around the level have. */
   const double weight = n > 2 && spacing != ABI_SPACING_EQUAL ? ((double)clamped - (n - 2)) / 2 : 1;
   const double length = weight / n + (weight < 1 ? (1 - weight) / (n - 2) : 0);
   uint32_t shorter = 0, wrong = 0;
   for (uint32_t i = 0; i < n; i++) {
      const double segment = (double)(positions[i + 1] - positions[i]) / FIXED;
      const bool is_whole = fabs(segment - length) < 2.1 / FIXED;
      shorter += !is_whole;
      wrong += segment <= 0 || (!is_whole && fabs(segment - weight / n) > 2.1 / FIXED);
   }
   CHECK_EQ(wrong, 0);
   CHECK(shorter == 0 || shorter == 2);
   for (uint32_t i = 0; i <= n; i++)
      wrong += positions[i] + positions[n - i] != FIXED; /* the same seen from its other end */
   CHECK_EQ(wrong, 0);
}

TEST(edges_are_cut_by_their_level)
{
   static int32_t positions[MAX], other[MAX];
   const float inner[2] = {5, 7};
   for (uint32_t spacing = ABI_SPACING_EQUAL; spacing <= ABI_SPACING_ODD; spacing++) {
      for (float level = 0.5f; level < 66; level += 0.37f) {
         const float outer[4] = {level, 9, 3, 6}, turned[4] = {4, level, 8, 2};
         struct rt_tess_mode mode = {.domain = ABI_DOMAIN_QUADS, .spacing = (uint8_t)spacing};
         CHECK(divide(&mode, outer, inner));
         const uint32_t count = find_edge(0, 0, 1, positions);
         check_spacing(spacing, level, positions, count);
         /* the same on every edge, of every domain, whatever the other levels are */
         CHECK(divide(&mode, turned, inner));
         CHECK_EQ(find_edge(1, 0, 0, other), count);
         CHECK(!memcmp(positions, other, count * sizeof(*positions)));
         mode.domain = ABI_DOMAIN_TRIANGLES;
         CHECK(divide(&mode, outer, inner));
         CHECK_EQ(find_edge(0, 0, 1, other), count);
         CHECK(!memcmp(positions, other, count * sizeof(*positions)));
         CHECK(divide(&mode, turned, inner));
         CHECK_EQ(find_edge(1, 0, 2, other), count);
         CHECK(!memcmp(positions, other, count * sizeof(*positions)));
         mode.domain = ABI_DOMAIN_ISOLINES;
         CHECK(divide(&mode, (const float[4]){3, level}, inner));
         CHECK_EQ(find_edge(1, 0, 0, other), count);
         CHECK(!memcmp(positions, other, count * sizeof(*positions)));
      }
   }
}

TEST(short_segments_are_where_direct3d_has_them)
{
   /* By numbers of segments: the first that is short, from either end of an edge. */
   static const uint32_t shorts[] = {[3] = 0, [4] = 1, [5] = 1, [6] = 1, [7] = 1, [8] = 3, [9] = 3, [10] = 1, [11] = 1, [12] = 3, [13] = 3, [14] = 5,
                                     [15] = 5, [16] = 7, [17] = 7, [18] = 1, [19] = 1, [34] = 1, [62] = 29, [63] = 29, [64] = 31};
   static int32_t positions[MAX];
   for (uint32_t segments = 3; segments < UTIL_ARRAY_SIZE(shorts); segments++) {
      if (!shorts[segments] && segments != 3)
         continue;
      const float level = (float)segments - 1.5f, inner[2] = {5, 7}, outer[4] = {level, 9, 3, 6};
      const struct rt_tess_mode mode = {.domain = ABI_DOMAIN_QUADS, .spacing = segments % 2 ? ABI_SPACING_ODD : ABI_SPACING_EVEN};
      CHECK(divide(&mode, outer, inner));
      CHECK_EQ(find_edge(0, 0, 1, positions), segments + 1);
      uint32_t shortest = 0;
      for (uint32_t i = 0; i < segments / 2; i++) {
         if (positions[i + 1] - positions[i] < positions[shortest + 1] - positions[shortest] - 2)
            shortest = i;
      }
      CHECK_EQ(shortest, shorts[segments]);
   }
}

/* ---- numbers of things ---- */

static void check_count(const struct rt_tess_mode *mode, const float outer[4], const float inner[2], uint32_t vertices, uint32_t prims)
{
   CHECK(divide(mode, outer, inner));
   if (mode->is_points)
      CHECK_EQ(d.num_vertices, vertices);
   CHECK_EQ(d.num_prims, prims);
}

TEST(counts)
{
   struct rt_tess_mode mode = {.domain = ABI_DOMAIN_TRIANGLES, .spacing = ABI_SPACING_EQUAL};
   const float one[4] = {1, 1, 1, 1}, max[4] = {64, 64, 64, 64}, lines[4] = {5, 7};
   check_count(&mode, one, one, 3, 1);
   check_count(&mode, (const float[4]){1, 1, 2}, one, 5, 4); /* a centre, and a triangle for each segment */
   check_count(&mode, max, max, 0, 6144);
   mode.domain = ABI_DOMAIN_QUADS;
   check_count(&mode, one, one, 4, 2);
   check_count(&mode, one, (const float[2]){1, 2}, 5, 4);
   check_count(&mode, max, max, 0, 8192);
   mode.domain = ABI_DOMAIN_ISOLINES;
   check_count(&mode, lines, one, 0, 35);
   mode.is_points = true;
   check_count(&mode, lines, one, 40, 40);
   mode.domain = ABI_DOMAIN_QUADS;
   check_count(&mode, max, max, 65 * 65, 65 * 65);
   check_count(&mode, one, one, 4, 4);
   mode.domain = ABI_DOMAIN_TRIANGLES;
   check_count(&mode, one, one, 3, 3);
   check_count(&mode, (const float[4]){2, 2, 2}, (const float[2]){2}, 7, 7);
}

TEST(what_is_not_positive_discards)
{
   const float bad[] = {0, -1, -0.0f, NAN, -INFINITY};
   const float inner[2] = {NAN, -3}; /* inner levels are clamped */
   for (uint32_t domain = ABI_DOMAIN_TRIANGLES; domain <= ABI_DOMAIN_ISOLINES; domain++) {
      const struct rt_tess_mode mode = {.domain = (uint8_t)domain, .spacing = ABI_SPACING_EQUAL};
      const uint32_t relevant = domain == ABI_DOMAIN_TRIANGLES ? 3 : domain == ABI_DOMAIN_QUADS ? 4 : 2;
      for (uint32_t k = 0; k < 4; k++) {
         for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(bad); i++) {
            float outer[4] = {2, 3, INFINITY, 5};
            outer[k] = bad[i];
            CHECK_EQ(divide(&mode, outer, inner), k >= relevant);
         }
      }
   }
}

/* More patterns than are kept: each is made again, and the same. */
TEST(cache_is_bounded)
{
   const struct rt_tess_mode mode = {.domain = ABI_DOMAIN_QUADS, .spacing = ABI_SPACING_EQUAL};
   for (uint32_t turn = 0; turn < 2; turn++) {
      for (uint32_t i = 0; i < 40 * 40; i++)
         check_count(&mode, (const float[4]){64, 64, 64, 64}, (const float[2]){(float)(24 + i % 40), (float)(24 + i / 40)}, 0,
                     4 * 64 + 2 * (22 + i % 40) + 2 * (22 + i / 40) + 2 * (22 + i % 40) * (22 + i / 40));
   }
}

int main(int argc, char **argv)
{
   cache = calloc(1, rt_tess_cache_bytes());
   const int result = cache ? test_run_all(argc, argv) : 1;
   free(cache);
   return result;
}
