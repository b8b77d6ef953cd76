/* SPDX-License-Identifier: MIT
 * Fragment shading: blocks of one primitive are tested early, collected in a run, shaded in one call, tested late and
 * handed to the output merger. Spec: Fragment Operations; Fragment Shaders. */
#pragma once

#include "runtime/draw/lanes.h"
#include "runtime/fragment/tile.h"

/* Makes the draw current: shader arguments, sample positions. The run must be empty. */
void rt_fragment_bind(struct rt_tile *tile, const struct rt_draw *draw);

/* Tests a covered block early, if the context says so, and adds it. With a mask per sample, which it changes. */
void rt_fragment_add_samples(struct rt_tile *tile, uint32_t bx, uint32_t by, uint16_t *masks);

/* Shades and writes what the run holds. */
void rt_fragment_flush(struct rt_tile *tile);

/* Blends the run's blocks into one attachment, which is tiled: the lanes of the run's masks that the shader left. Changes components that the
 * shader does not write. */
void rt_blend_run(struct rt_tile *tile, const struct rt_output *output);

/* The same without blending: stores the run's blocks. */
void rt_store_run(struct rt_tile *tile, const struct rt_output *output);

/* Texels are read and written when the run is full: until then memory has time to bring them. */
static inline void rt_fragment_prefetch(const struct rt_tile *tile, uint32_t bx, uint32_t by)
{
   const struct rt_surface *to = tile->next;
   if (to)
      __builtin_prefetch(to->base + to->column_bytes[bx] + to->row_bytes[by], 1);
}

/* Adds a block of one sample: early tests, then the run; or just the count if there is nothing to shade. */
static inline void rt_fragment_add(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask)
{
   if (tile->early_test) {
      mask = tile->early_test(tile, bx, by, mask, NULL, NULL);
      if (!mask)
         return;
   }
   if (tile->is_done_early || tile->counts_early)
      tile->samples_passed += (uint32_t)__builtin_popcount(mask);
   if (tile->is_done_early)
      return;
   struct abi_block *block = &tile->blocks[tile->num_blocks];
   struct rt_run_block *run = &tile->run[tile->num_blocks];
   block->x = tile->x + (int32_t)bx * 4;
   block->y = tile->y + (int32_t)by * 4;
   block->mask = mask;
   if (UTIL_UNLIKELY(tile->sees_coverage))
      rt_store_i(block->sample_masks, rt_merge_i(mask, rt_splat_i(1), (rt_i32x16){0}));
   rt_fragment_prefetch(tile, bx, by);
   run->bx = (uint8_t)bx;
   run->by = (uint8_t)by;
   run->masks[0] = (uint16_t)mask;
   if (++tile->num_blocks == RT_RUN_BLOCKS)
      rt_fragment_flush(tile);
}

/* Adds the blocks of region (rx, ry), 4x4 blocks of one sample that are covered as a whole: they fill a run. */
void rt_fragment_add_region(struct rt_tile *tile, uint32_t rx, uint32_t ry);
