/* SPDX-License-Identifier: MIT
 * Shading rates: how many texels a fragment has. A rate is 4 bits, as shaders and attachments encode it: log2 of the height in bits 0 and 1, of
 * the width in bits 2 and 3, each 0 to 2. Spec: Rasterization, "Fragment Shading Rates". Threads: any. */
#pragma once

#include "runtime/draw/context.h"

struct rt_tile;

enum {
   RT_RATE_WIDTH_SHIFT = 2,
   RT_MAX_RATE_LOG2 = 2,
   RT_MAX_COVERAGE_LOG2 = 5, /* samples of a fragment, all its texels together: the bits of a shader's sample mask */
};

static inline uint32_t rt_rate_width_log2(uint32_t rate)
{
   return rate >> RT_RATE_WIDTH_SHIFT & 3;
}

static inline uint32_t rt_rate_height_log2(uint32_t rate)
{
   return rate & 3;
}

/* The rate of width and height that so many samples a texel allow: the largest area that fits, square rather than long, wide rather than tall. */
uint8_t rt_rate_clamp(uint32_t width_log2, uint32_t height_log2, uint32_t num_samples);
/* The context's fragments may have more than one texel; what it says of the fragment shader and the samples must be known. */
bool rt_rate_is_used(const struct rt_context *context);
/* The pipeline's rate combined with what a primitive asks for. */
uint8_t rt_rate_of_prim(const struct rt_context *context, uint32_t asked);
/* That of the tile's primitive in hand combined with what the attachment says of a block (in blocks of the tile). */
uint8_t rt_rate_of_block(const struct rt_tile *tile, uint32_t bx, uint32_t by);
