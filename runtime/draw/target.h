/* SPDX-License-Identifier: MIT
 * What a render pass instance draws to: its attachments and the grid of 64x64 tiles over its area.
 * Spec: Render Pass, "Render Pass Load/Store Operations". Constant while geometry and tiles run. */
#pragma once

#include "runtime/cmd/cmd.h"

enum { RT_TILE = 64, RT_TILE_LOG2 = 6, RT_TILE_BLOCKS = 16, RT_TILE_BANDS = 4 }; /* texels, blocks and regions along an edge of a tile */

struct rt_target {
   int32_t x0, y0, x1, y1; /* render area, clamped to what the attachments have */
   uint32_t num_layers;    /* with multiview: highest view + 1 */
   uint32_t view_mask;
   uint32_t num_samples; /* of the attachments; 0: there are none */
   uint32_t num_colors;
   struct rt_attachment colors[ABI_MAX_ATTACHMENTS];
   struct rt_attachment depth, stencil;
   struct rt_rate_attachment rates;
   int32_t tile_x0, tile_y0; /* the grid's origin, in tiles */
   uint32_t tiles_x, tiles_y;
   uint32_t num_tiles; /* of all layers: (layer * tiles_y + y) * tiles_x + x */
   bool has_load_clears, has_resolves;
   bool is_dithered;
   bool follows_writes; /* `uninit`: fragment/unwritten.h */
   bool is_whole; /* neither suspended nor resumed: what is not to be stored is gone at the end */
};
