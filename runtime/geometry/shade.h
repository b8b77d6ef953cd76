/* SPDX-License-Identifier: MIT
 * Vertex shading in batches: each vertex of a batch once; and what comes after the last stage that makes vertices:
 * position, clip codes and window coordinates of all lanes together. Spec: Fixed-Function Vertex Post-Processing. */
#pragma once

#include "runtime/geometry/indices.h"

/* Why a vertex is not simply inside. */
enum {
   RT_CODE_LEFT = 1 << 0,
   RT_CODE_RIGHT = 1 << 1,
   RT_CODE_TOP = 1 << 2,
   RT_CODE_BOTTOM = 1 << 3, /* view volume */
   RT_CODE_NEAR = 1 << 4,
   RT_CODE_FAR = 1 << 5,
   RT_CODE_GUARD_X0 = 1 << 6,
   RT_CODE_GUARD_X1 = 1 << 7,
   RT_CODE_GUARD_Y0 = 1 << 8,
   RT_CODE_GUARD_Y1 = 1 << 9,
   RT_CODE_W = 1 << 10,     /* w is not positive */
   RT_CODE_BAD = 1 << 11,   /* not finite: the primitive is dropped */
   RT_CODE_CLIP0 = 1 << 16, /* user clip distance i is negative: bit 16 + i; cull distances follow */
   RT_CODE_SIDES = RT_CODE_LEFT | RT_CODE_RIGHT | RT_CODE_TOP | RT_CODE_BOTTOM,
   RT_CODE_GUARD = RT_CODE_GUARD_X0 | RT_CODE_GUARD_X1 | RT_CODE_GUARD_Y0 | RT_CODE_GUARD_Y1,
   RT_CODE_DISTANCES = 0xff << 16,
};

/* A w that is smaller counts as not positive: 1 / w must stay finite. */
#define RT_MIN_W 0x1p-64f

/* One vertex, collected from the batch's arrays for the rarer paths. */
struct rt_vertex {
   float clip[4];
   int32_t x, y;   /* window, 24.8; valid without guard, w and bad codes */
   float z, inv_w; /* window depth before bias and clamping */
   uint32_t codes;
   uint32_t viewport;
   float distances[8];
};

/* What only some vertex shaders write. */
struct rt_vertex_extra {
   uint32_t viewport, layer, rate;
   float point_size;
   float distances[8];
};

/* A vertex in window coordinates of the first viewport. */
struct rt_post {
   int32_t x, y;   /* 24.8; valid without guard, w and bad codes */
   float z, inv_w; /* window depth before bias and clamping */
};

/* What a worker needs while it shades and assembles; in its scratch memory. Arrays have one value per vertex. */
struct rt_batch {
   uint32_t num_vertices;
   uint32_t *vertex_index, *instance_index; /* rounded up to whole calls, as all that follow */
   float *clip[4];
   struct rt_post *post;
   uint32_t *codes;
   uint32_t any_codes; /* union of the codes of all; vertices that only fill a call up may add to it */
   struct rt_vertex_extra *extras; /* valid if context->has_extras */
   float *rows;                    /* [vertices][row_stride]: fragment shader inputs as the vertex shader wrote them */
   uint32_t *inputs;  /* of one call */
   uint32_t *outputs; /* of one call; of all, one after the other, if context->keeps_outputs */
};

/* Shades vertices [0, num_vertices) of the batch; the arrays above outputs are filled if no stage follows and they
 * are rasterized. */
void rt_shade_vertices(const struct rt_draw *draw, uint32_t view, struct rt_batch *batch, struct rt_worker *worker);

/* Takes `count` vertices, ABI_VERTEX_BATCH at most, that the last stage before rasterization wrote as the batch's from
 * number `first` on. rows: [of the stage's outputs][stride]; whole multiples of 16 are read, and written. */
void rt_finish_vertices(const struct rt_draw *draw, struct rt_batch *batch, const uint32_t *rows, uint32_t stride,
                        uint32_t first, uint32_t count, uint32_t view);

/* The vertex in `slot`, as seen through `viewport`. */
void rt_vertex_load(const struct rt_draw *draw, const struct rt_batch *batch, uint32_t slot, uint32_t viewport,
                    struct rt_vertex *vertex);
