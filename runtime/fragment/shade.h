/* SPDX-License-Identifier: MIT
 * Fragment shading: blocks of one primitive are tested early, collected in a run, shaded in one call, tested late and handed to the output merger.
 * Spec: Fragment Operations; Fragment Shaders. */
#pragma once

#include "runtime/raster/tile.h"

/* Makes the context current: shader arguments, sample positions. The run must be empty. */
void rt_fragment_bind(struct rt_tile *tile, const struct rt_context *context);

/* Adds a block of one sample that passed its early tests. */
void rt_fragment_add_tested(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask);
/* Tests a covered block early, if the context says so, and adds it. With a mask per sample, which it changes. */
void rt_fragment_add_samples(struct rt_tile *tile, uint32_t bx, uint32_t by, uint16_t *masks);

/* The same with one sample. */
static inline void rt_fragment_add(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask)
{
   if (tile->is_early) {
      mask = rt_depth_stencil_test(tile, bx, by, 0, mask, NULL, NULL, tile->context->test_order == RT_TESTS_EARLY);
      if (!mask)
         return;
   }
   rt_fragment_add_tested(tile, bx, by, mask);
}

/* Shades and writes what the run holds. */
void rt_fragment_flush(struct rt_tile *tile);
