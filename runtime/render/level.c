/* SPDX-License-Identifier: MIT
 * The entry points of one build of the renderer. */
#include "runtime/render/level.h"

#include "runtime/geometry/chunk.h"
#include "runtime/raster/raster.h"

const struct rt_level_ops rt_level_ops = {
   .chunk_run = rt_chunk_run,
   .tile_run = rt_tile_run,
};
