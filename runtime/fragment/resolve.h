/* SPDX-License-Identifier: MIT
 * Multisample resolves at a tile's end, and clears of rectangles.
 * Spec: Render Pass, "Render Pass Multisample Resolve Operations"; Clear Commands. */
#pragma once

#include "runtime/fragment/tile.h"

/* Resolves all attachments that ask for it, inside the render area. */
void rt_resolve_tile(const struct rt_tile *tile);

/* Fills [x0, x1) x [y0, y1) (texels of the framebuffer) of one surface with a packed texel, all samples; cut to the
 * tile. */
void rt_clear_rect(const struct rt_tile *tile, const struct rt_surface *surface, int32_t x0, int32_t y0, int32_t x1,
                   int32_t y1, const uint8_t texel[16]);
