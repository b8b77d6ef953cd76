/* SPDX-License-Identifier: MIT
 * Patterns of the tessellator. Triangles and quads are walked around counterclockwise: a ring between the outer edges and the
 * outermost inner ones, and what is inside of that. */
#include "runtime/geometry/tessellator.h"

#include "util/macros.h"

#include <string.h>

enum {
   ONE = 1 << 16,
   TABLE = RT_TESS_MAX_LEVEL + 2,    /* entries of an edge: 0 to 64, padded */
   TABLE_INNER_U = 4 * TABLE,        /* behind those of the outer edges */
   TABLE_INNER_V = 5 * TABLE,
   NUM_POSITIONS = 6 * TABLE,
   RINGS = RT_TESS_MAX_LEVEL / 2 + 1,
   MAX_IDS = RINGS * 3 * TABLE,      /* of vertices: both domains */
   QUAD_EDGE_IDS = TABLE * TABLE,    /* behind those of the inner grid */
   MAX_VERTICES = 5 * 1024,          /* of all pieces */
   NUM_ENTRIES = 1024,
   MAX_PATTERN_WORDS = (int)(sizeof(struct rt_tess_pattern) / 4) + MAX_VERTICES + RT_TESS_MAX_PRIMS * 3 / 2,
};
_Static_assert(QUAD_EDGE_IDS + 4 * TABLE <= MAX_IDS, "ids of quads");
_Static_assert((int)MAX_PATTERN_WORDS < (int)RT_TESS_WORDS, "one pattern has room");

/* A vertex that is being placed: a number that no other has, and where its coordinates are found. */
struct point {
   uint32_t id, code;
};

struct rt_tess_cache {
   struct {
      uint64_t key; /* 0: none */
      uint32_t at;  /* in words */
   } entries[NUM_ENTRIES];
   uint32_t used;

   /* Tables of the levels that were asked for last. */
   struct rt_tess_levels levels;
   struct rt_tess_mode mode;
   bool has_tables;
   float positions[NUM_POSITIONS]; /* of points along edges */
   float thirds[TABLE];      /* triangles: of the inner ones */

   /* The pattern that is being made. */
   bool is_points, is_clockwise;
   uint32_t corners_per_prim, num_pieces, num_vertices, num_corners, stamp;
   struct rt_tess_piece pieces[RT_TESS_MAX_PIECES];
   uint32_t stamps[MAX_IDS];
   uint16_t slots[MAX_IDS];
   uint32_t codes[MAX_VERTICES];
   uint16_t corners[RT_TESS_MAX_PRIMS * 3];

   _Alignas(8) uint32_t words[RT_TESS_WORDS];
};

size_t rt_tess_cache_bytes(void)
{
   return sizeof(struct rt_tess_cache);
}

/* ---- levels ---- */

struct range {
   float low, high;
   uint32_t step; /* of segments */
};

static struct range range_of(uint32_t spacing)
{
   switch (spacing) {
   case ABI_SPACING_EVEN: return (struct range){2.0f, RT_TESS_MAX_LEVEL, 2};
   case ABI_SPACING_ODD: return (struct range){1.0f, RT_TESS_MAX_LEVEL - 1, 2};
   default: return (struct range){1.0f, RT_TESS_MAX_LEVEL, 1};
   }
}

/* Rounds up, so that what is above a number of segments takes more of them. */
static void set_level(uint32_t spacing, float level, uint32_t *fixed, uint8_t *segments)
{
   const struct range range = range_of(spacing);
   const float clamped = level > range.low ? UTIL_MIN(level, range.high) : range.low; /* NaN too */
   uint32_t value = (uint32_t)(clamped * (float)ONE);
   value += (float)value < clamped * (float)ONE;
   const uint32_t low = (uint32_t)range.low, step = range.step * ONE;
   *segments = (uint8_t)(low + (value - low * ONE + step - 1) / step * range.step);
   *fixed = range.step == 1 ? *segments * (uint32_t)ONE : value;
}

/* Inner levels of one where others are more count as a little more than one. */
static void raise_inner(uint32_t spacing, struct rt_tess_levels *levels, uint32_t num_outer, uint32_t num_inner)
{
   bool is_one = true;
   for (uint32_t i = 0; i < num_outer; i++)
      is_one &= levels->num_outer[i] == 1;
   for (uint32_t i = 0; i < num_inner; i++)
      is_one &= levels->num_inner[i] == 1;
   for (uint32_t i = 0; i < num_inner && !is_one; i++) {
      if (levels->num_inner[i] == 1) {
         levels->num_inner[i] = spacing == ABI_SPACING_ODD ? 3 : 2;
         levels->inner[i] = spacing == ABI_SPACING_ODD ? ONE + 1 : 2 * ONE;
      }
   }
}

bool rt_tess_find_levels(const struct rt_tess_mode *mode, const float outer[4], const float inner[2], struct rt_tess_levels *levels)
{
   const uint32_t num_outer = mode->domain == ABI_DOMAIN_QUADS ? 4 : mode->domain == ABI_DOMAIN_TRIANGLES ? 3 : 2;
   const uint32_t num_inner = mode->domain == ABI_DOMAIN_QUADS ? 2 : mode->domain == ABI_DOMAIN_TRIANGLES ? 1 : 0;
   *levels = (struct rt_tess_levels){0};
   for (uint32_t i = 0; i < num_outer; i++) {
      if (!(outer[i] > 0))
         return false;
      const bool is_lines = mode->domain == ABI_DOMAIN_ISOLINES && i == 0; /* how many there are */
      set_level(is_lines ? ABI_SPACING_EQUAL : mode->spacing, outer[i], &levels->outer[i], &levels->num_outer[i]);
   }
   for (uint32_t i = 0; i < num_inner; i++)
      set_level(mode->spacing, inner[i], &levels->inner[i], &levels->num_inner[i]);
   raise_inner(mode->spacing, levels, num_outer, num_inner);
   return true;
}

/* The last point of the first half of an edge that both divisions have; the coarser one lacks the next. The specification leaves it to the
 * implementation; this is Direct3D's choice, which dEQP-VK.dgc.ext.graphics.tess_state.* expects. */
static uint32_t split_of(uint32_t segments)
{
   const uint32_t half = segments < 4 ? 0 : segments / 2 - 1; /* of the coarser one; for an odd number less the middle */
   return half ? 2 * (half - (1u << (31 - __builtin_clz(half)))) + 1 : 0;
}

/* Points along an edge, from 0 to 1, for a level between segments - 2 and segments: a mean of both divisions, each point of the finer one
 * with its neighbour of the coarser one, as Direct3D has it and dEQP-VK.shader_object.tessellation.* expects. The second half mirrors the
 * first, so the edge is the same seen from its other end. */
static void fill_positions(float *positions, uint32_t level, uint32_t segments)
{
   const uint64_t fine = segments, coarse = segments > 2 ? segments - 2 : 1;
   const uint64_t weight = level - (uint64_t)ONE * (segments - 2); /* of the finer one; the other's: 2 - weight */
   const uint32_t split = split_of(segments);
   for (uint32_t i = 0; i <= segments / 2; i++) {
      const uint64_t neighbour = i > split ? i - 1 : i;
      uint64_t position = 0; /* i / segments */
      if (level == segments * (uint32_t)ONE)
         position = ((uint64_t)i * ONE * 2 + segments) / (2 * (uint64_t)segments);
      else if (i) /* (i / fine * weight + neighbour / coarse * (2 - weight)) / 2 */
         position = (i * weight * coarse + neighbour * (2ull * ONE - weight) * fine + fine * coarse) / (2 * fine * coarse);
      positions[i] = (float)position / (float)ONE;
      positions[segments - i] = (float)(ONE - position) / (float)ONE;
   }
}

static void fill_tables(struct rt_tess_cache *cache, const struct rt_tess_mode *mode, const struct rt_tess_levels *levels)
{
   if (cache->has_tables && !memcmp(&cache->levels, levels, sizeof(*levels)) && !memcmp(&cache->mode, mode, sizeof(*mode)))
      return;
   cache->levels = *levels;
   cache->mode = *mode;
   cache->has_tables = true;
   for (uint32_t i = 0; i < 4; i++) {
      if (levels->num_outer[i])
         fill_positions(cache->positions + i * TABLE, levels->outer[i], levels->num_outer[i]);
   }
   for (uint32_t i = 0; i < 2; i++) {
      if (levels->num_inner[i])
         fill_positions(cache->positions + TABLE_INNER_U + i * TABLE, levels->inner[i], levels->num_inner[i]);
   }
   for (uint32_t i = 0; mode->domain == ABI_DOMAIN_TRIANGLES && i <= levels->num_inner[0] / 2u; i++) {
      const uint32_t position = (uint32_t)(cache->positions[TABLE_INNER_U + i] * (float)ONE);
      cache->thirds[i] = (float)((position * 2 + 3) / 6) / (float)ONE;
   }
}

void rt_tess_coords(struct rt_tess_cache *cache, const struct rt_tess_mode *mode, const struct rt_tess_levels *levels,
                    const struct rt_tess_pattern *pattern, uint32_t first, uint32_t count, float *const coords[3])
{
   const uint32_t *codes = pattern->words + first;
   fill_tables(cache, mode, levels);
   if (mode->domain != ABI_DOMAIN_TRIANGLES) {
      for (uint32_t i = 0; i < count; i++) {
         coords[0][i] = cache->positions[codes[i] & 0xffff];
         coords[1][i] = cache->positions[codes[i] >> 16];
         coords[2][i] = 0.0f;
      }
      return;
   }
   /* From corner e along the edge by x, then a third of the ring's x from both of its corners: sums and differences are exact. */
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t e = codes[i] >> 24;
      const float x = cache->positions[codes[i] & 0xffff], third = cache->thirds[codes[i] >> 16 & 0xff];
      coords[e][i] = 1.0f - x - third;
      coords[e == 2 ? 0 : e + 1][i] = x - third;
      coords[e == 0 ? 2 : e - 1][i] = third + third;
   }
}

/* ---- pieces ---- */

static void begin_piece(struct rt_tess_cache *c)
{
   c->pieces[c->num_pieces++] = (struct rt_tess_piece){.first_vertex = c->num_vertices, .first_corner = c->num_corners};
   c->stamp++;
}

static uint16_t slot_of(struct rt_tess_cache *c, struct point point)
{
   struct rt_tess_piece *piece = &c->pieces[c->num_pieces - 1];
   if (c->stamps[point.id] != c->stamp) {
      c->stamps[point.id] = c->stamp;
      c->slots[point.id] = (uint16_t)piece->num_vertices++;
      c->codes[c->num_vertices++] = point.code;
      if (c->is_points) {
         c->corners[c->num_corners++] = c->slots[point.id];
         piece->num_prims++;
      }
   }
   return c->slots[point.id];
}

static void add_prim(struct rt_tess_cache *c, const struct point *points, uint32_t count)
{
   const struct rt_tess_piece *last = &c->pieces[c->num_pieces - 1];
   if (!c->is_points && (last->num_vertices + count > RT_TESS_PIECE_VERTICES || last->num_prims == RT_TESS_PIECE_PRIMS))
      begin_piece(c);
   uint16_t slots[3] = {0};
   for (uint32_t i = 0; i < count; i++)
      slots[i] = slot_of(c, points[i]);
   if (c->is_points)
      return;
   const bool swaps = count == 3 && c->is_clockwise;
   c->corners[c->num_corners++] = slots[0];
   c->corners[c->num_corners++] = slots[swaps ? 2 : 1];
   if (count == 3)
      c->corners[c->num_corners++] = slots[swaps ? 1 : 2];
   c->pieces[c->num_pieces - 1].num_prims++;
}

static void add_triangle(struct rt_tess_cache *c, struct point x, struct point y, struct point z)
{
   add_prim(c, (const struct point[3]){x, y, z}, 3);
}

/* Points are in no piece twice, so their pieces are cut from the whole. */
static void cut_points(struct rt_tess_cache *c)
{
   const uint32_t count = c->num_vertices;
   c->num_pieces = 0;
   for (uint32_t first = 0; first < count; first += RT_TESS_PIECE_VERTICES) {
      const uint32_t n = UTIL_MIN(count - first, (uint32_t)RT_TESS_PIECE_VERTICES);
      c->pieces[c->num_pieces++] = (struct rt_tess_piece){first, n, first, n};
      for (uint32_t i = 0; i < n; i++)
         c->corners[first + i] = (uint16_t)i;
   }
}

/* ---- rings ---- */

/* Point `i` of an edge of a ring. */
typedef struct point point_fn(const struct rt_tess_levels *levels, uint32_t ring, uint32_t edge, uint32_t i);

/* Between an edge of `m` segments and the one inside of it, of `s`, which lies one step of m or of the inner level further in.
 * Which diagonals there are depends on the numbers alone: that one next whose middle comes first. */
static void add_strip(struct rt_tess_cache *c, const struct rt_tess_levels *levels, point_fn *point, uint32_t ring, uint32_t edge,
                      uint32_t m, uint32_t s)
{
   for (uint32_t j = 0, i = 0; j < m || i < s;) {
      const struct point outer = point(levels, ring, edge, j), inner = point(levels, ring + 1, edge, i);
      if (i == s || (j < m && (2 * j + 1) * (s + 2) < (2 * i + 3) * m))
         add_triangle(c, outer, point(levels, ring, edge, ++j), inner);
      else
         add_triangle(c, outer, point(levels, ring + 1, edge, ++i), inner);
   }
}

/* ---- triangles ---- */

/* Edge e goes from the corner where coordinate e is one to the next; the coordinate that is zero there names the level. */
static struct point triangle_point(const struct rt_tess_levels *levels, uint32_t ring, uint32_t edge, uint32_t i)
{
   const uint32_t inner = levels->num_inner[0], level = (edge + 2) % 3;
   const uint32_t segments = ring ? inner - 2 * ring : levels->num_outer[level];
   if (ring && segments == 0)
      edge = 0; /* the middle */
   else if (i == segments)
      return triangle_point(levels, ring, (edge + 1) % 3, 0);
   const uint32_t position = ring ? TABLE_INNER_U + ring + i : level * TABLE + i;
   return (struct point){(ring * 3 + edge) * TABLE + i, position | ring << 16 | edge << 24};
}

static void divide_triangle(struct rt_tess_cache *c, const struct rt_tess_levels *levels)
{
   const uint32_t inner = levels->num_inner[0];
   for (uint32_t ring = 0; 2 * ring + 2 <= inner; ring++) {
      for (uint32_t edge = 0; edge < 3; edge++)
         add_strip(c, levels, triangle_point, ring, edge, ring ? inner - 2 * ring : levels->num_outer[(edge + 2) % 3], inner - 2 * ring - 2);
   }
   if (inner % 2 == 1)
      add_triangle(c, triangle_point(levels, inner / 2, 0, 0), triangle_point(levels, inner / 2, 1, 0), triangle_point(levels, inner / 2, 2, 0));
}

/* ---- quads ---- */

static struct point grid_point(uint32_t u, uint32_t v)
{
   return (struct point){v * TABLE + u, (TABLE_INNER_U + u) | (TABLE_INNER_V + v) << 16};
}

/* Edges: v = 0, u = 1, v = 1, u = 0, each from its corner on; ring 1 is the border of the inner grid. */
static struct point quad_point(const struct rt_tess_levels *levels, uint32_t ring, uint32_t edge, uint32_t i)
{
   const uint32_t nu = levels->num_inner[0], nv = levels->num_inner[1];
   if (ring) {
      switch (edge) {
      case 0: return grid_point(1 + i, 1);
      case 1: return grid_point(nu - 1, 1 + i);
      case 2: return grid_point(nu - 1 - i, nv - 1);
      default: return grid_point(1, nv - 1 - i);
      }
   }
   const uint32_t level = (edge + 1) % 4, segments = levels->num_outer[level];
   if (i == segments)
      return quad_point(levels, 0, (edge + 1) % 4, 0);
   const uint32_t along = level * TABLE + (edge < 2 ? i : segments - i);
   const uint32_t zero = level * TABLE, one = level * TABLE + segments;
   const uint32_t id = QUAD_EDGE_IDS + edge * TABLE + i;
   switch (edge) {
   case 0: return (struct point){id, along | zero << 16};
   case 1: return (struct point){id, one | along << 16};
   case 2: return (struct point){id, along | one << 16};
   default: return (struct point){id, zero | along << 16};
   }
}

/* The triangle with corner 0 comes first, as Direct3D's tessellator has a patch that is not divided. is_turned: the diagonal is that of corners 1 and 3, not
 * of 0 and 2. */
static void add_quad(struct rt_tess_cache *c, const struct point corners[4], bool is_turned)
{
   add_triangle(c, corners[0], corners[1], corners[is_turned ? 3 : 2]);
   add_triangle(c, corners[is_turned ? 3 : 0], corners[is_turned ? 1 : 2], corners[is_turned ? 2 : 3]);
}

/* The diagonal goes towards the middle, so that the grid looks the same from all corners; that of the middle cell, if there is one, is
 * that of a patch which is not divided. */
static void add_cell(struct rt_tess_cache *c, uint32_t u, uint32_t v, uint32_t nu, uint32_t nv)
{
   const struct point corners[4] = {grid_point(u, v), grid_point(u + 1, v), grid_point(u + 1, v + 1), grid_point(u, v + 1)};
   const bool is_middle = 2 * u + 1 == nu && 2 * v + 1 == nv;
   add_quad(c, corners, is_middle || (2 * u + 1 < nu) != (2 * v + 1 < nv));
}

static void divide_quad(struct rt_tess_cache *c, const struct rt_tess_levels *levels)
{
   const uint32_t nu = levels->num_inner[0], nv = levels->num_inner[1];
   if (nu == 1 && nv == 1) {
      struct point corners[4];
      for (uint32_t i = 0; i < 4; i++)
         corners[i] = quad_point(levels, 0, i, 0);
      add_quad(c, corners, true);
      return;
   }
   for (uint32_t edge = 0; edge < 4; edge++)
      add_strip(c, levels, quad_point, 0, edge, levels->num_outer[(edge + 1) % 4], (edge % 2 ? nv : nu) - 2);
   for (uint32_t v = 1; v + 1 < nv; v++) {
      for (uint32_t u = 1; u + 1 < nu; u++)
         add_cell(c, u, v, nu, nv);
   }
}

/* ---- isolines ---- */

static void divide_lines(struct rt_tess_cache *c, const struct rt_tess_levels *levels)
{
   for (uint32_t line = 0; line < levels->num_outer[0]; line++) {
      for (uint32_t i = 0; i < levels->num_outer[1]; i++) {
         struct point ends[2];
         for (uint32_t k = 0; k < 2; k++)
            ends[k] = (struct point){line * TABLE + i + k, (TABLE + i + k) | line << 16};
         add_prim(c, ends, 2);
      }
   }
}

/* ---- the cache ---- */

static uint64_t key_of(const struct rt_tess_mode *mode, const struct rt_tess_levels *levels)
{
   uint64_t key = 8u | mode->domain << 1 | mode->is_points;
   key = key << 1 | mode->is_clockwise;
   for (uint32_t i = 0; i < 4; i++)
      key = key << 7 | levels->num_outer[i];
   for (uint32_t i = 0; i < 2; i++)
      key = key << 7 | levels->num_inner[i];
   return key;
}

static uint32_t keep(struct rt_tess_cache *c, uint64_t key)
{
   const uint32_t head = (uint32_t)(sizeof(struct rt_tess_pattern) / 4);
   const uint32_t words = (uint32_t)util_align(head + c->num_vertices + (c->num_corners + 1) / 2, 2);
   if (c->used + words > RT_TESS_WORDS) {
      memset(c->entries, 0, sizeof(c->entries));
      c->used = 0;
   }
   struct rt_tess_pattern *pattern = (struct rt_tess_pattern *)(void *)(c->words + c->used);
   *pattern = (struct rt_tess_pattern){
      .key = key,
      .num_pieces = c->num_pieces,
      .corners_per_prim = c->corners_per_prim,
      .num_vertices = c->num_vertices,
      .num_corners = c->num_corners,
   };
   memcpy(pattern->pieces, c->pieces, sizeof(pattern->pieces));
   memcpy(pattern->words, c->codes, c->num_vertices * sizeof(*c->codes));
   memcpy(pattern->words + c->num_vertices, c->corners, c->num_corners * sizeof(*c->corners));
   const uint32_t at = c->used;
   c->used += words;
   return at;
}

static uint32_t make(struct rt_tess_cache *c, const struct rt_tess_mode *mode, const struct rt_tess_levels *levels, uint64_t key)
{
   const bool is_lines = mode->domain == ABI_DOMAIN_ISOLINES;
   if (c->stamp > UINT32_MAX / 2) {
      memset(c->stamps, 0, sizeof(c->stamps));
      c->stamp = 0;
   }
   c->is_points = mode->is_points;
   c->is_clockwise = mode->is_clockwise;
   c->corners_per_prim = mode->is_points ? 1 : is_lines ? 2 : 3;
   c->num_pieces = c->num_vertices = c->num_corners = 0;
   begin_piece(c);
   if (is_lines)
      divide_lines(c, levels);
   else if (mode->domain == ABI_DOMAIN_QUADS)
      divide_quad(c, levels);
   else
      divide_triangle(c, levels);
   if (mode->is_points)
      cut_points(c);
   return keep(c, key);
}

const struct rt_tess_pattern *rt_tess_find(struct rt_tess_cache *c, const struct rt_tess_mode *mode, const struct rt_tess_levels *levels)
{
   const uint64_t key = key_of(mode, levels);
   const uint32_t entry = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 54);
   _Static_assert(NUM_ENTRIES == 1 << 10, "ten bits of the product");
   if (c->entries[entry].key != key) {
      const uint32_t at = make(c, mode, levels, key);
      c->entries[entry].key = key;
      c->entries[entry].at = at;
   }
   return (const struct rt_tess_pattern *)(void *)(c->words + c->entries[entry].at);
}
