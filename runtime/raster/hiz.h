/* SPDX-License-Identifier: MIT
 * Hierarchical Z: conservative depth bounds of 16x16 regions, so that hidden primitives cost nothing per texel. Never changes a result.
 * Bounds are in the attachment's own units (see depth.c) and valid for all samples. */
#pragma once

#include "runtime/raster/tile.h"

/* Forgets all bounds: at a tile's start and after clears that are not whole. */
void rt_hiz_reset(struct rt_tile *tile);
