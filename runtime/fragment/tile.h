/* SPDX-License-Identifier: MIT
 * A tile at work: its attachments' blocks, the primitive in hand and the run of covered blocks that waits for the
 * fragment shader. Threads: a tile belongs to one worker at a time. */
#pragma once

#include "runtime/draw/context.h"
#include "runtime/draw/primitive.h"
#include "runtime/fragment/depth.h"
#include "runtime/fragment/surface.h"

enum { RT_RUN_BLOCKS = ABI_FRAGMENT_BATCH };

struct rt_tile;

/* A block of the run, beside what the shader sees: covered lanes of each sample. */
struct rt_run_block {
   uint8_t bx, by; /* in the tile */
   uint16_t masks[16];
};

/* Depth bounds of what is stored in 16x16 texels, in the attachment's units: see hiz.h. */
struct rt_hiz {
   float min[16], max[16];
   uint16_t written[16]; /* blocks since the bounds were found; writes widen the bounds, so they stay valid */
   uint16_t refresh[16]; /* find the bounds again when so many have been written; grows where that did not help */
};

/* Brings the shaded run to the attachments. */
typedef void rt_finish_fn(struct rt_tile *tile);

struct rt_tile {
   const struct rt_target *target;
   struct rt_worker *worker;
   const struct rt_draw *draw;       /* of the primitives in hand */
   const struct rt_context *context; /* the draw's; NULL: none yet */
   const struct rt_prim *prim;
   int32_t x, y; /* origin, texels */
   int32_t first_row, end_row; /* of the tile, texels; else others render them */
   uint32_t layer;
   struct rt_surface colors[ABI_MAX_ATTACHMENTS], depth, stencil;
   struct rt_hiz hiz;

   struct rt_coarse *coarse; /* see fragment/coarse.h */
   struct abi_block *blocks; /* [RT_RUN_BLOCKS] */
   struct rt_run_block run[RT_RUN_BLOCKS];
   uint32_t num_blocks;
   rt_depth_test_fn *early_test; /* depth and stencil tests that come before the shader; NULL: none */
   rt_depth_test_fn *late_test;  /* those behind it, or again with their writes; NULL: none */
   bool counts_early;  /* samples are counted before the shader: EarlyFragmentTests */
   bool is_done_early; /* nothing is shaded and nothing tested late */
   bool sees_coverage; /* blocks say which samples are covered */
   bool is_direct;     /* nothing but the shader's discards and late tests stands between it and the output merger */
   const struct rt_surface *next; /* where the run will be stored first, if its texels are in place; NULL: nowhere */
   rt_finish_fn *finish; /* after the shader: what is left of the tests, then the output merger */
   struct abi_fragment_args args;
   int32_t sample_x[16], sample_y[16]; /* of the standard locations, in 1/256 texel */
   uint64_t samples_passed, invocations; /* not yet added to the context's queries */
   bool is_out_of_memory;
   const struct rt_draw *reported_draw; /* unwritten.h: of which these attachments have been reported, a bit each */
   uint32_t reported;
};

static inline uint32_t rt_tile_region(uint32_t bx, uint32_t by)
{
   return by / 4 * 4 + bx / 4;
}
