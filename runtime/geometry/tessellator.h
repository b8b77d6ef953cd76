/* SPDX-License-Identifier: MIT
 * The tessellator: which vertices a patch is divided into, and which primitives they make. Everything is decided in 16.16 fixed
 * point, so patterns are the same everywhere, and an edge that two patches share is cut at the same positions from both sides.
 * What is connected with what depends on the numbers of segments alone: such patterns are kept, up to RT_TESS_WORDS of them, and
 * coordinates are looked up in tables of the patch's levels. Knows nothing of shaders. Spec: Tessellation.
 * Threads: one worker's own. */
#pragma once

#include "runtime/draw/context.h"

enum {
   RT_TESS_MAX_LEVEL = 64,
   RT_TESS_PIECE_VERTICES = 3072, /* a piece has room in an empty packet */
   RT_TESS_PIECE_PRIMS = 4096,
   RT_TESS_MAX_PIECES = 8,
   RT_TESS_MAX_PRIMS = 2 * RT_TESS_MAX_LEVEL * RT_TESS_MAX_LEVEL,
   RT_TESS_WORDS = 256 * 1024,
};

/* Levels as the spacing has them: clamped, as 16.16 and rounded up to segments. */
struct rt_tess_levels {
   uint32_t outer[4], inner[2];
   uint8_t num_outer[4], num_inner[2], zero[2]; /* compared as bytes */
};

/* A part of a pattern; its primitives use only its own vertices. */
struct rt_tess_piece {
   uint32_t first_vertex, num_vertices, first_corner, num_prims;
};

struct rt_tess_pattern {
   uint64_t key;
   uint32_t num_pieces, corners_per_prim, num_vertices, num_corners; /* of all pieces */
   struct rt_tess_piece pieces[RT_TESS_MAX_PIECES];
   uint32_t words[]; /* [num_vertices] codes, then uint16_t[num_corners] vertices of the piece */
};

static inline const uint16_t *rt_tess_corners(const struct rt_tess_pattern *pattern)
{
   return (const uint16_t *)(pattern->words + pattern->num_vertices);
}

struct rt_tess_cache;
size_t rt_tess_cache_bytes(void); /* that are zero at first */

/* False: the patch is discarded. */
bool rt_tess_find_levels(const struct rt_tess_mode *mode, const float outer[4], const float inner[2], struct rt_tess_levels *levels);
/* Valid until the next call. */
const struct rt_tess_pattern *rt_tess_find(struct rt_tess_cache *cache, const struct rt_tess_mode *mode, const struct rt_tess_levels *levels);
/* gl_TessCoord of `count` vertices of the pattern, from `first` on: coords[k] is a row. */
void rt_tess_coords(struct rt_tess_cache *cache, const struct rt_tess_mode *mode, const struct rt_tess_levels *levels,
                    const struct rt_tess_pattern *pattern, uint32_t first, uint32_t count, float *const coords[3]);
