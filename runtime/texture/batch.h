/* SPDX-License-Identifier: MIT
 * Inside of runtime/texture/: one batch of up to 16 lanes that use the same image and sampler, as structures of arrays,
 * and the steps that run.c combines. Loops run over all 16 entries so that they vectorise; entries of lanes outside
 * the mask hold anything.
 *
 * Every file of this folder that includes this header is compiled once per instruction set level (RT_TEX_LEVEL), under names of its own
 * (meson.build); all levels give the same bits. */
#pragma once

#include "runtime/format/format.h"
#include "runtime/image/image.h"
#include "runtime/image/residency.h"
#include "runtime/texture/levels.h"
#include "runtime/texture/texture.h"

#ifndef RT_TEX_LEVEL
#define RT_TEX_LEVEL 1
#endif

enum { RT_LANES = 16, RT_ALL_LANES = 0xffff };

#define RT_EACH_LANE(i) for (uint32_t i = 0; i < RT_LANES; i++)

typedef uint32_t rt_texels[4][RT_LANES] __attribute__((aligned(64))); /* components R G B A as planes */

struct rt_tex_batch {
   const struct abi_image *image;
   const struct abi_sampler *sampler; /* NULL for fetches */
   const struct rt_format_info *info;
   uint32_t mask;
   uint32_t op, dim, flags;
   uint32_t num_axes;    /* 1 to 3 coordinates within a face or slice */
   bool has_offset, has_layer, has_border, is_anisotropic;
   uint32_t components;  /* bits of those that the format has: the others are constants */
   float coord[3][RT_LANES] __attribute__((aligned(64)));
   float ddx[3][RT_LANES], ddy[3][RT_LANES];
   uint32_t layer[RT_LANES]; /* array layer; cube: 6 * cube + face; relative to the view's */
   int32_t offset[3][RT_LANES];
   int32_t icoord[3][RT_LANES];  /* fetch */
   int32_t ilayer[RT_LANES], ilod[RT_LANES], isample[RT_LANES];
   float lod[RT_LANES];      /* explicit lod or bias, by flags */
   float min_lod[RT_LANES];
   float dref[RT_LANES];
   uint32_t component[RT_LANES];
   uint32_t *absent;         /* NULL: nobody asks; gets a bit for each lane that takes a texel without memory */
   uint32_t takers;          /* lanes for which texels that are loaded count */
};

/* Along one axis: wrapped texel coordinates and the weight of i1. -1 and `size` mean the border. */
struct rt_tex_axis {
   int32_t i0[RT_LANES], i1[RT_LANES];
   float weight[RT_LANES];
};

/* What the level-of-detail computation gives. */
struct rt_tex_lods {
   float lambda_prime[RT_LANES]; /* before clamping */
   float lambda[RT_LANES];
   float level[RT_LANES];        /* d' relative to the base level */
   /* Anisotropic footprints: how many samples, spread along a vector in coordinates. */
   uint32_t max_samples;         /* of all lanes; 1: isotropic, the rest is not set */
   float samples[RT_LANES];
   float major[2][RT_LANES];
};

/* Bytes from the start of a level's slice, for one axis: a texel's offset is the sum of its x's and y's. */
struct rt_tex_offset {
   uint32_t bytes[RT_LANES];
};

/* Where a batch's texels are; for compressed formats `at` is the block and `sub` the texel within it. */
struct rt_tex_refs {
   const uint8_t *at[RT_LANES];
   uint8_t sub[RT_LANES];
};

/* The wrapped coordinates along `axis` at a level of `size` texels. `offset` may be NULL. */
void rt_tex_axis(struct rt_tex_axis *out, const float *coord, uint32_t size, uint32_t address_mode,
                 bool is_unnormalized, bool is_linear, const int32_t *offset);

void rt_tex_quad_derivatives(const float *coord, float *ddx, float *ddy);
void rt_tex_lod(const struct rt_tex_batch *batch, bool is_implicit, struct rt_tex_lods *out);

/* Replaces the direction in coord by s and t on the face, adds the face to layer, transforms ddx and ddy if
 * `with_derivatives`. */
void rt_tex_cube_faces(struct rt_tex_batch *batch, bool with_derivatives);
/* Moves the texel (x, y), outside of `face` along one axis by one texel, to the neighbouring face. */
void rt_tex_cube_edge(uint32_t size, int32_t *x, int32_t *y, uint32_t *face);

/* axis 0: x, else y. Coordinates in texels, or in blocks of a compressed format. */
void rt_tex_offsets(struct rt_tex_offset *out, const struct abi_image *image, const struct abi_level *level,
                    uint32_t axis, const int32_t *coord);
/* Reads and unpacks; every `at` must be readable. */
void rt_tex_load(const struct rt_format_info *info, const struct rt_tex_refs *refs, rt_texels out);

/* Integer coordinates of 16 lanes; NULL means zeros. */
struct rt_tex_location {
   const uint32_t *coords[3], *layer, *level, *sample;
};

/* The addresses of texels (or compressed blocks, and the texel within in `sub`) of the lanes in `mask`. Lanes outside
 * of it or of the image get `outside`; the others' bits are returned. */
uint32_t rt_tex_find(const struct abi_image *image, const struct rt_tex_location *location, uint32_t mask, void *outside,
                     uint8_t *at[RT_LANES], uint8_t sub[RT_LANES]);

/* At given levels: one isotropic sample, or as many as the footprint needs. */
void rt_tex_sample_anisotropic(struct rt_tex_batch *batch, const struct rt_tex_lods *lods, rt_texels out);
void rt_tex_sample(struct rt_tex_batch *batch, const struct rt_tex_lods *lods, rt_texels out);
void rt_tex_gather(struct rt_tex_batch *batch, const struct abi_tex_call *call, uint32_t first_lane, rt_texels out);
void rt_tex_fetch(struct rt_tex_batch *batch, rt_texels out);

/* Calls with is_uniform: by code for what they want, or by the code for everything. */
void rt_tex_run_uniform(const struct abi_tex_call *call);
/* Samples of a view with a conversion, by such calls for its parts. */
void rt_tex_run_converted(const struct abi_tex_call *call);
/* By texels' numeric format; false: nothing was done. A fetch that is uniform; a load or store by the
 * lanes of `mask`, of `image`. */
bool rt_tex_fetch_vectors(const struct abi_tex_call *call);
bool rt_image_run_vectors(const struct abi_image_call *call, const struct abi_image *image, uint32_t mask);

/* Lanes of `lanes` whose texel has no memory: of an image that has a residency. */
static inline uint32_t rt_tex_absent(const struct abi_image *image, const uint8_t *const at[RT_LANES], uint32_t lanes)
{
   uint32_t absent = 0;
   for (; lanes; lanes &= lanes - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(lanes);
      absent |= (uint32_t)!rt_residency_has(image->residency, at[i]) << i;
   }
   return absent;
}

static inline float rt_floor(float x) /* |x| < 2^31; vectorises everywhere */
{
   const float t = (float)(int32_t)x;
   return t - (t > x ? 1.0f : 0.0f);
}

/* NaN gives `low`. */
static inline float rt_clampf(float x, float low, float high)
{
   const float y = x > low ? x : low;
   return y < high ? y : high;
}

static inline int32_t rt_clampi(int32_t x, int32_t low, int32_t high)
{
   const int32_t y = x > low ? x : low;
   return y < high ? y : high;
}
