/* SPDX-License-Identifier: MIT
 * Shading of fragments that have more than one texel. Coverage, depth and stencil stay as they are, texel by texel: between early tests and
 * the rest of a fragment's path stands another grid. The covered blocks of a primitive are collected; those of one rate that lie in the same
 * 4x4 fragments become one block of these, which is shaded like any other; its results are spread over the blocks of texels, which go on as runs.
 *
 * A fragment never reaches over two blocks of texels, so each of these has one rate.
 * Spec: Rasterization, "Fragment Shading Rates"; Fragment Operations, "Pixel Coverage". */
#pragma once

#include "runtime/fragment/tile.h"

enum { RT_COARSE_BLOCKS = RT_TILE_BLOCKS * RT_TILE_BLOCKS };

/* A block of texels that waits. */
struct rt_coarse_member {
   struct rt_run_block run;
   uint8_t rate;
   uint16_t mask;     /* covered at any sample */
   int16_t next;      /* member of the same block of fragments; -1: none */
   uint16_t shown[16]; /* samples of each texel, as the shader sees them */
};

struct rt_coarse {
   uint32_t num_blocks;
   struct rt_coarse_member members[RT_COARSE_BLOCKS + RT_RUN_BLOCKS];
   /* of the rate in hand */
   struct abi_fragment_args args;    /* the tile's are for texels: depth tests read their samples' positions there */
   int16_t first[RT_COARSE_BLOCKS];  /* member of each block of fragments in the order of `positions` */
   uint8_t positions[RT_COARSE_BLOCKS]; /* those blocks: y * 16 + x, in blocks of fragments */
   uint8_t lanes[16][16];  /* by position of a block of texels in that of fragments, (y % height) * 4 + x % width: the fragment of each texel */
   uint8_t shifts[16];     /* of each texel: coverage index of its first sample */
   struct abi_block blocks[RT_RUN_BLOCKS] __attribute__((aligned(64)));
};

/* Takes the run's blocks, which were tested early, and empties it. */
void rt_coarse_add(struct rt_tile *tile);
/* At a primitive's end: shades what was collected and brings it to the attachments. */
void rt_coarse_shade(struct rt_tile *tile);
